"""What the compiled loops of all floors find in the example treebanks, as bytes.

It is the same however the loops are run: on one core or on several, compiled or as plain Python.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

import numpy as np

from crossbank.converters.heads.marking import mark_heads
from crossbank.converters.patterns.matching import find
from crossbank.converters.scheme_files import load_scheme
from crossbank.converters.transformations import transform
from crossbank.formalisms.ccg.formats import auto
from crossbank.formalisms.lfg.formats import xle
from crossbank.formalisms.lfg.metrics.loops import fstructure_matching
from crossbank.metrics.analyses.mined_configurations import mined
from crossbank.metrics.analyses.tree_repair import errors
from crossbank.metrics.counting.counts import Counts
from crossbank.metrics.counting.metric import METRICS
from crossbank.metrics.counting.scoring import in_view, score, scoring_of
from crossbank.metrics.leaf_ancestor import LeafAncestor
from crossbank.metrics.modes.modes_by_name import evaluate
from crossbank.metrics.modes.protocol import Call
from crossbank.metrics.parseval import Parseval
from crossbank.metrics.statistics.agreement_of_measures import correlate, merits
from crossbank.metrics.statistics.bootstrap import drawn_sums, entering_table
from crossbank.metrics.statistics.estimates import CandidateRun, Contrast, Estimate, Family, estimates
from crossbank.parsers.chart_parsing import MEMORY, best_derivations, inside_probabilities
from crossbank.parsers.inside_outside import expected_counts
from crossbank.parsers.lexicalised import LexicalisedPcfg
from crossbank.parsers.models import train
from crossbank.parsers.other_parses import k_best_derivations, maximum_bracket_parses
from crossbank.parsers.treebank_grammar import Markovisation, treebank_grammar
from crossbank.treebanks import Treebank
from crossbank.treebanks.builder import TreebankBuilder
from crossbank.treebanks.formats import bracket, conllu, read, write
from crossbank.treebanks.readings import as_sentences
from crossbank.treebanks.tables import ROOT
from tests.formalisms.lfg.fstructures import GLASSES
from tests.metrics.trees import labelled

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"


def results(sentences: int) -> dict[str, bytes]:
    """Return what is found in the first sentences of the examples, by name."""
    actual: dict[str, bytes] = {}
    for name in ("tiger", "tuebadz"):
        actual |= results_of_metrics(name, sentences) | results_of_transformations(name, sentences)
    actual |= results_of_derivations(sentences) | results_of_f_structures(sentences)
    actual |= results_of_columns() | results_of_shapes() | results_of_universal_dependencies()
    return actual | results_of_modes(sentences) | results_of_parsing()


def results_of_metrics(name: str, sentences: int) -> dict[str, bytes]:
    """Return the tables of an example's candidate, the counts of all metrics, and a test of a difference.

    One candidate is what the examples have as a parse; the other has gold's trees with other labels and
    functions, which the metrics need that look at functions.
    """
    scheme = load_scheme(name)
    chosen = np.arange(sentences)
    gold = read(EXAMPLES / f"{name}.export").select(chosen)
    parsed = read(EXAMPLES / f"{name}.alpha.mrg").select(chosen)
    damaged = with_other_rows(gold)
    actual = columns(f"{name} tokens", vars(parsed.tokens)) | columns(f"{name} nodes", vars(parsed.nodes))
    chunk = next(islice(bracket.load_chunks(EXAMPLES / f"{name}.alpha.mrg", size=2000), 1, None))
    actual |= columns(f"{name} chunk", vars(chunk.tokens)) | columns(f"{name} chunk", vars(chunk.nodes))
    scored = {}
    elsewhere = ("ccg_dependencies", "edm", "fstructure")
    settings: list[tuple[str, dict[str, object]]] = [(m, {}) for m in METRICS if m not in elsewhere]
    settings += [
        ("tree_distance", {"cost": "first_letter", "function_cost": "0.25"}),
        ("tree_distance", {"leaves": "none"}),
        ("rule_distance", {"tag_cost": "0.5"}),
    ]
    for metric, options in settings:
        if metric == "conll18":
            options["delete"] = "none"
        if metric == "selected":
            options["labels"] = "NP" if name == "tiger" else "NX"
        for side, candidate in {"parsed": parsed, "damaged": damaged}.items():
            if side == "parsed" and metric in ("frames", "generalised_frames", "relations"):
                continue
            (counts,) = score(gold, candidate, scoring_of([metric], options), scheme)
            key = f"{name} {metric} {options} {side}"
            actual |= columns(key, counts.columns)
            for part in counts.breakdowns:
                actual |= columns(f"{key} {part}", counts.breakdowns[part]().columns)
            scored[metric, side] = counts
    one, other = scored["leaf_ancestor", "parsed"], scored["leaf_ancestor", "damaged"]
    sentence_scores = (merits(counts, "mean") for counts in (one, other))
    actual[f"{name} agreement"] = repr(correlate(*sentence_scores)).encode()
    actual[f"{name} significance"] = repr(
        [(row.value, row.low, row.high, row.p, row.p_corrected) for row in paired(one, other)]
    ).encode()
    actual[f"{name} resamples"] = drawn_sums(entering_table(one), 50, 1).tobytes()
    for parse, candidate in {"parsed": parsed, "damaged": damaged}.items():
        typed = errors(Parseval().pair(gold, candidate), scheme.error_types)
        actual[f"{name} errors {parse}"] = repr(list(typed)).encode()
    pair = LeafAncestor().pair(gold, damaged)
    losing = LeafAncestor().losses(pair)
    assert losing is not None
    for one in mined(pair.gold, losing, trials=130):
        actual[f"{name} {one.name}"] = repr((one.units, one.loss, one.p, one.sentences)).encode()
    return actual


TRANSFORMATIONS = (
    ["delete_nodes:labels=NP+NX", "collapse_unary"],
    ["attach_punctuation:which=all", "raise_crossing"],
    ["split_crossing"],
    ["mark_coordination", "label_frames"],
    ["insert_flat_phrases", "dependencies:coordination=all", "single_root"],
    ["dependencies:coordination=chain,secondary=yes"],
    ["relations_from_trees"],
)
TRACES = (
    "(S (S-TPC-1 (NP-SBJ (PRP it)) (VP (VBZ rains))) (, ,) (NP-SBJ (PRP she)) (VP (VBD said) (-NONE- *T*-1)))"
    "(S (NP-SBJ-2 (PRP they)) (VP (VBP want) (S (NP-SBJ (-NONE- *-2)) (VP (TO to) (VP (VB sail))))) (. .))"
)


ITSELF = "(S (NP-1 (NP (-NONE- *T*-1)) {} (CC and) (NP (NNS c))) (VP (VBP run)))".format(
    "(, ,) (NP (NNS b)) " * 40
)
"""A coordination whose first conjunct is a trace of all of it."""


def results_of_transformations(name: str, sentences: int) -> dict[str, bytes]:
    """Return the tables of an example after transformations, the places of a pattern, and traces put back."""
    scheme, ptb = load_scheme(name), load_scheme("ptb")
    gold = read(EXAMPLES / f"{name}.export").select(np.arange(sentences))
    done = {" ".join(listed): transform(gold, listed, scheme) for listed in TRANSFORMATIONS}
    if scheme.verb_complex.links:
        done["main verbs"] = transform(gold, ["dependencies", "attach_to_main_verbs"], scheme)
    done["traces"] = transform(bracket.loads(TRACES), ["resolve_traces"], ptb)
    itself = ["mark_heads", "mark_coordination", "relations_from_trees"]
    done["relations of a coordination inside itself"] = transform(bracket.loads(ITSELF), itself, ptb)
    actual = {}
    for listed, bank in done.items():
        for table in ("tokens", "nodes", "secondary", "relations"):
            actual |= columns(f"{name} {listed} {table}", vars(getattr(bank, table)))
    for pattern in ("*=a < (*=b $.. *=c)", "* .. (/^N/ > __)", "* <<# /^[NV]/", "* >~ *=a !>~SB *"):
        actual[f"{name} {pattern}"] = find(pattern, mark_heads(gold, scheme)).rows.tobytes()
    return actual


DERIVATIONS = """\
ID={}
(<T S[dcl] 1 2> (<T NP 0 2> (<L NP XX XX Anna NP>) \
(<T NP[conj] 1 2> (<L conj XX XX and conj>) (<L NP XX XX Bert NP>) ) ) \
(<T S[dcl]\\NP 0 2> (<L (S[dcl]\\NP)/NP XX XX see (S[dcl]\\NP)/NP>) (<T NP 0 1> (<L N XX XX cats N>) ) ) )
ID={}
(<T NP 0 2> (<L NP XX XX cats NP>) (<T NP\\NP 0 2> \
(<L (NP\\NP)/(S[dcl]/NP) XX XX that (NP\\NP)/(S[dcl]/NP)>) \
(<T S[dcl]/NP 1 2> (<T S/(S\\NP) 0 1> (<L NP XX XX Anna NP>) ) \
(<L (S[dcl]\\NP)/NP XX XX sees (S[dcl]\\NP)/NP>) ) ) )
"""


def results_of_derivations(sentences: int) -> dict[str, bytes]:
    """Return the heads and dependencies of derivations of our own, and their scores."""
    text = "".join(DERIVATIONS.format(2 * index, 2 * index + 1) for index in range(sentences // 2))
    bank = auto.loads(text)
    scheme = load_scheme("ccg")
    read_off = transform(bank, ["ccg_heads", "ccg_dependencies"], scheme)
    actual = columns("derivations heads", vars(read_off.nodes))
    actual |= columns("derivations relations", vars(read_off.relations))
    other = bank.with_strings("tokens", "pos", lambda category: category.replace("[dcl]", "[pss]"))
    for metric in ("ccg_dependencies", "categories", "local_dependencies"):
        (counts,) = score(bank, other, scoring_of([metric], {}), scheme)
        actual |= columns(f"derivations {metric}", counts.columns)
    return actual


def results_of_f_structures(sentences: int) -> dict[str, bytes]:
    """Scores of an f-structure with several solutions, where the search is exact and where it stops."""
    bank = Treebank.concatenate([xle.loads(GLASSES)] * (sentences // 3))
    gold = bank.select(np.arange(len(bank)) // 3 * 3)
    candidate = as_sentences(bank)
    actual = {}
    for comparisons in (fstructure_matching.COMPARISONS, 1):
        with patch.object(fstructure_matching, "COMPARISONS", comparisons):
            scoring = scoring_of(["fstructure"], {"features": "all"})
            (counts,) = score(as_sentences(gold), candidate, scoring)
        actual |= columns(f"f-structures {comparisons}", counts.columns)
    return actual


def results_of_columns() -> dict[str, bytes]:
    """Tokens of a sentence in CoNLL-U whose heads have numbers of one to three digits, and its report."""
    heads = "".join(f"{index}\tw\t_\tX\t_\t_\t{index - 1}\tdep\t_\t_\n" for index in range(2, 301))
    text = f"1\tw\t_\tX\t_\t_\t0\troot\t_\t_\n{heads}\n"
    bank = conllu.loads(text)
    assert bank.tokens.head.tolist() == [ROOT, *range(299)]
    with TemporaryDirectory() as folder:
        file = Path(folder) / "long.conllu"
        file.write_text(text, "utf-8")
        report = "\n".join(map(str, evaluate("conll18", Call(file, file)).printed())).encode()
    return columns("columns tokens", vars(bank.tokens)) | {"columns conll18": report}


def results_of_shapes() -> dict[str, bytes]:
    """Return the distances of trees of very different sizes: the arrays of one are too short for the next."""
    sizes = ((9, 9), (1, 49), (1, 100), (12, 14))
    gold, candidate = (
        labelled(
            *("".join(f"[{label}{node} " for node in range(size)) + "w" + " ]" * size for size in column)
        )
        for label, column in zip("AB", zip(*sizes, strict=True), strict=True)
    )
    actual = {}
    for metric in ("tree_distance", "rule_distance", "span_distance", "bracketing_distance"):
        (counts,) = score(gold, candidate, scoring_of([metric], {}))
        actual |= columns(f"shapes {metric}", counts.columns)
    return actual


def results_of_universal_dependencies() -> dict[str, bytes]:
    """Return Universal Dependencies of trees with punctuation, coordination and relative clauses."""
    trees = (
        "(S (NP (NNP Ann) (, ,) (NNP Bob) (CC and) (NNP Eve)) (VP (VBD left) (CC and) (VBD slept)) (. .))",
        "(S (NP (NP (DT the) (NN man)) (SBAR (WHNP (WP who)) (S (VP (VBZ wants) (S (VP (TO to) (VP"
        " (VB go))))))))"
        " (VP (VBD was) (VP (VBN seen) (PP (IN because) (IN of) (NP (PRP it))) (PRN (-LRB- -LRB-) (NP (NN x))"
        " (-RRB- -RRB-)))) (. .))",
        "(FOO (, ,) (BAR a) (QUX (. .)) (CC and))",
    )
    steps = [{"universal_dependencies": {"representation": "enhanced"}}]
    bank = transform(bracket.loads("\n".join(trees)), steps, load_scheme("ptb"))
    return {"universal dependencies": conllu.dumps(bank).encode()}


def results_of_modes(sentences: int) -> dict[str, bytes]:
    """Return the reports of the modes that stand for other programs."""
    scheme = load_scheme("tiger")
    gold = read(EXAMPLES / "tiger.export").select(np.arange(sentences))
    sides = (gold, with_other_rows(gold))
    actual = {}
    with TemporaryDirectory() as folder:
        for mode, view, ending in (
            ("evalb", "constituents", "mrg"),
            ("discodop", "constituents", "mrg"),
            ("conll18", "dependencies", "conllu"),
            ("eval07", "dependencies", "conllx"),
            ("cgel", "constituents", "cgel"),
        ):
            files = [Path(folder) / f"{side}.{ending}" for side in ("gold", "candidate")]
            for bank, file in zip(sides, files, strict=True):
                seen = in_view(bank, view, scheme)
                write(transform(seen, ["single_root"]) if view == "dependencies" else seen, file)
            actual[mode] = "\n".join(map(str, evaluate(mode, Call(*files)).printed())).encode()
    return {mode: report.replace(folder.encode(), b"") for mode, report in actual.items()}


def results_of_parsing() -> dict[str, bytes]:
    """Everything about a sentence by the grammar of two trees, and by two models of their dependencies."""
    bank = labelled(
        "[S [NP the/DT dog/NN ] [VP saw/VB [NP the/DT cat/NN ] [PP on/IN [NP the/DT mat/NN ] ] ] ]",
        "[S [NP the/DT cat/NN [PP on/IN [NP the/DT mat/NN ] ] ] [VP saw/VB [NP the/DT dog/NN ] ] ]",
    )
    grammar, _ = treebank_grammar(bank, Markovisation(), rare=0)
    words = [np.array([grammar.terminal_codes[word] for word in bank.words(0)], np.int32)]
    (best,) = best_derivations(grammar, words)
    sums, _ = inside_probabilities(grammar, words)
    assert best.nodes is not None
    counts, _, _ = expected_counts(grammar, words)
    (brackets,) = maximum_bracket_parses(grammar, words, limit=MEMORY)
    (several,) = k_best_derivations(grammar, words, 5, limit=MEMORY)
    assert brackets.nodes is not None
    builder = TreebankBuilder()
    builder.sentence()
    builder.tokens(
        form=["the", "dog", "saw", "it"],
        pos=["DT", "NN", "VB", "PR"],
        head=[1, 2, -1, 2],
        relation=["det", "nsubj", "root", "obj"],
    )
    arcs = builder.build()
    actual = {"parsing": repr((float(best.log2), sums.tolist(), [float(b.log2) for b in several])).encode()}
    for name in ("model_c", "arc_factored"):
        parser = train(arcs, None, {}, name).parser
        actual[f"parsing {name}"] = parser.parse(arcs).bank.tokens.head.tobytes()
    actual["parsing inside"] = train(arcs, None, {}, "model_c").parser.inside(arcs)[0].tobytes()
    heads = train(bank, "ptb", {"rare": 0, "iterations": 3, "unlexicalised": 1}, "lexicalised").parser
    assert isinstance(heads, LexicalisedPcfg)
    actual["parsing with heads"] = repr((heads.inside(bank)[0].tolist(), heads.parse(bank).log2)).encode()
    actual |= columns("parsing counts of heads", heads.counts._asdict())
    return (
        actual
        | columns("parsing", best.nodes._asdict())
        | columns("parsing counts", counts._asdict())
        | columns("parsing brackets", brackets.nodes._asdict())
    )


def with_other_rows(bank: Treebank) -> Treebank:
    """Return a treebank with the labels, functions and tags of every third row exchanged."""

    def exchanged(table: Any, names: Iterable[str]) -> Any:
        changed = {}
        for name in names:
            column = getattr(table, name).copy()
            column[::3] = np.roll(column[::3], 1)
            changed[name] = column
        return replace(table, **changed)

    return bank.replace(
        tokens=exchanged(bank.tokens, ("pos", "function")), nodes=exchanged(bank.nodes, ("label", "function"))
    )


def paired(one: Counts, other: Counts) -> list[Estimate]:
    """Return the differences of two candidates, with their intervals."""
    first, second = (
        CandidateRun("bank", name, counts, "bank") for name, counts in (("one", one), ("other", other))
    )
    names = ("bank", "one", "bank", "other")
    contrasts = [Contrast("metric", measure, ((1, first), (-1, second)), *names) for measure in one.measures]
    return estimates([Family("question", "family", contrasts)], trials=130, seed=1)


def columns(name: str, arrays: Mapping[str, Any]) -> dict[str, bytes]:
    """Return each array as bytes with its type and shape."""
    return {
        f"{name} {column}": repr((array.dtype, array.shape)).encode() + array.tobytes()
        for column, array in arrays.items()
        if isinstance(array, np.ndarray)
    }


def differing(one: Mapping[str, bytes], other: Mapping[str, bytes]) -> list[str]:
    """Return the names of results that are not the same, or on one side alone."""
    return sorted(name for name in one.keys() | other.keys() if one.get(name) != other.get(name))
