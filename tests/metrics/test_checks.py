"""Checks that a comparison is sound: each reports its diagnostic with a hint; sound comparisons have none."""

import re
import shlex
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from random import Random

import numpy as np
import pytest

from crossbank.converters.deletions import without_nodes
from crossbank.converters.scheme_files import load_scheme
from crossbank.converters.transformations import transform
from crossbank.metrics.checks.check import Comparison, Diagnostic
from crossbank.metrics.checks.labels import LabelledAboveUnlabelled
from crossbank.metrics.counting.counts import Counts
from crossbank.metrics.counting.scoring import Views, scoring_of
from crossbank.metrics.engine import Evaluation
from crossbank.treebanks import Treebank
from crossbank.treebanks.chunks import Facts
from crossbank.treebanks.formats import bracket, conllu, read, read_all, write
from crossbank.workflow.commands.cli import main

ROOT = Path(__file__).resolve().parents[2]

GOLD = "(S (NP-SBJ (D the) (N cat)) (VP (V saw) (NP (D a) (N dog))) (. .))\n"


def kinds(
    gold: Treebank,
    candidate: Treebank,
    metrics: Sequence[str] = ("parseval",),
    scheme: str | None = None,
    *,
    raw: bool = False,
    **options: str,
) -> set[str]:
    """Return the kinds of the diagnostics."""
    return {actual.kind for actual in diagnostics(gold, candidate, metrics, scheme, raw=raw, **options)}


def diagnostics(
    gold: Treebank,
    candidate: Treebank,
    metrics: Sequence[str] = ("parseval",),
    scheme: str | None = None,
    *,
    raw: bool = False,
    **options: str,
) -> Sequence[Diagnostic]:
    """Return the diagnostics of a comparison, which are the same however it is cut into chunks."""
    scoring, known = scoring_of(metrics, options), load_scheme(scheme) if scheme else None
    whole, retained = (
        Evaluation(scoring, known, is_raw=raw),
        Evaluation(scoring, known, is_raw=raw, keep="trees"),
    )
    for evaluation in (whole, retained):
        evaluation.add(0, Views(gold, known), Views(candidate, known))
    actual = whole.result().diagnostics
    # With trees, checks that cannot report on the comparison are not observed.
    assert retained.result().diagnostics == actual
    several = any(bank.has_several_analyses for bank in (gold, candidate))
    if not whole.needs_whole and not several and gold is not candidate:
        for cuts in every_cutting(len(gold)):
            assert in_chunks(gold, candidate, whole.empty(), cuts) == actual, cuts
    return actual


EVERY = 12
"""The number of sentences up to which each cutting in two, and each size of chunks, is tried."""


def every_cutting(sentences: int) -> list[list[int]]:
    """Return the bounds of chunks: cut in two at every sentence, and in chunks of every size."""
    inner = range(1, sentences)
    if sentences > EVERY:
        return [[0, cut, sentences] for cut in (1, sentences // 2)]
    in_two = [[0, cut, sentences] for cut in inner]
    return in_two + [[*range(0, sentences, size), sentences] for size in inner if size < sentences / 2]


def in_chunks(
    gold: Treebank, candidate: Treebank, evaluation: Evaluation, bounds: Sequence[int]
) -> Sequence[Diagnostic]:
    """Return the diagnostics of chunks in any order, shared out among evaluations, merged in any order."""
    order = Random(len(bounds))
    facts = Facts.of(gold), Facts.of(candidate)
    chunks = list(pairwise(bounds))
    order.shuffle(chunks)
    others = [evaluation.empty() for _ in range(3)]
    for first, last in chunks:
        sides = zip((gold, candidate), facts, strict=True)
        views = (Views(bank[first:last].compact(), evaluation.scheme, facts=of) for bank, of in sides)
        order.choice(others).add(first, *views)
    order.shuffle(others)
    for other in others:
        evaluation.merge(other)
    return evaluation.result().diagnostics


COMMAND = re.compile(r"crossbank convert FILE NEW ([^;)]*)")


PLAIN = GOLD.replace("-SBJ", "")


@pytest.mark.parametrize(
    ("gold", "candidate", "scheme", "repaired"),
    [
        (GOLD, PLAIN, None, "gold"),
        (PLAIN, f"(TOP {PLAIN.strip()})\n", None, "candidate"),
        (PLAIN, PLAIN.replace("NP", "np"), None, "candidate"),
        (PLAIN, PLAIN.replace("NP", "np"), "ptb", "candidate"),
        (
            PLAIN.replace("(D a) (N dog)", "(-NONE- *T*-1)"),
            PLAIN.replace(" (NP (D a) (N dog))", ""),
            None,
            "gold",
        ),
    ],
)
def test_advice_that_is_followed_helps(
    gold: str,
    candidate: str,
    scheme: str | None,
    repaired: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The command of a warning is run on the side that it names, and the warning is gone."""
    files = {"gold": tmp_path / "gold.mrg", "candidate": tmp_path / "candidate.mrg"}
    files["gold"].write_text(gold * 4, encoding="utf-8")
    files["candidate"].write_text(candidate.replace("(V ", "(W ") * 4, encoding="utf-8")
    before = warnings(files, scheme, capsys)
    assert scheme is None or "--scheme)" not in before
    (advice,) = COMMAND.findall(before)
    new = tmp_path / "new.mrg"
    assert main(["convert", str(files[repaired]), str(new), *shlex.split(advice)]) == 0
    assert warnings({**files, repaired: new}, scheme, capsys) == ""


def test_advice_on_functions_helps_on_the_examples(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """TüBa-D/Z's functions after a hyphen, as tools for the Penn Treebank write them."""
    gold = ROOT / "examples" / "tuebadz.export"
    hyphens, new = tmp_path / "hyphens.mrg", tmp_path / "new.mrg"
    bank = transform(
        read(gold), ["virtual_root", "raise_crossing", "attach_punctuation"], load_scheme("tuebadz")
    )
    hyphens.write_text(bracket.dumps(bank), encoding="utf-8")
    before = warnings({"gold": gold, "candidate": hyphens}, "tuebadz", capsys)
    assert "only the candidate has functions in its labels" in before
    (advice,) = COMMAND.findall(before)
    assert main(["convert", str(hyphens), str(new), *shlex.split(advice)]) == 0
    after = warnings({"gold": gold, "candidate": new}, "tuebadz", capsys)
    assert "functions" not in after


def test_disjoint_labels_are_renamed_by_the_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = {"gold": tmp_path / "gold.mrg", "candidate": tmp_path / "candidate.mrg"}
    files["gold"].write_text(PLAIN * 4, encoding="utf-8")
    files["candidate"].write_text("(A (B (D the) (N cat)) (C (W saw) (B (D a) (N dog))) (. .))\n" * 4)
    for scheme in (None, "ptb"):
        before = warnings(files, scheme, capsys)
        assert "--scheme" not in before
        (advice,) = COMMAND.findall(before)
        new = tmp_path / "new.mrg"
        command = shlex.split(advice.replace("OLD>NEW", "A>S+B>NP+C>VP"))
        assert main(["convert", str(files["candidate"]), str(new), *command]) == 0
        assert warnings({**files, "candidate": new}, scheme, capsys) == ""


def test_trees_and_their_universal_dependencies_are_brought_together_by_the_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """CoNLL-U that ``convert`` writes is in Universal Dependencies; gold's dependencies have other names."""
    files = {"gold": ROOT / "examples" / "tiger.export", "candidate": tmp_path / "ud.conllu"}
    assert main(["convert", *map(str, files.values()), "--scheme", "tiger"]) == 0
    before = warnings(files, "tiger", capsys, "dependencies")
    assert before.count("warning: ") == 1
    assert "of the candidate's relations are none of gold's: found " in before
    (advice,) = re.findall(r"crossbank convert GOLD NEW.conllu ([^;)]*)", before)
    new = tmp_path / "gold.conllu"
    assert main(["convert", str(files["gold"]), str(new), *shlex.split(advice)]) == 0
    assert "none of gold's" not in warnings({**files, "gold": new}, "tiger", capsys, "dependencies")


def test_several_roots_are_joined_by_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = {"gold": tmp_path / "gold.conllu", "candidate": tmp_path / "candidate.conllu"}
    write(words(DEPENDENCIES), files["gold"])
    write(words(DEPENDENCIES.replace("dog/NOUN/3/obj", "dog/NOUN/0/root")), files["candidate"])
    (advice,) = COMMAND.findall(warnings(files, None, capsys, "dependencies"))
    new = tmp_path / "new.conllu"
    command = shlex.split(advice.partition(" keeps")[0])
    assert main(["convert", str(files["candidate"]), str(new), *command]) == 0
    assert warnings({**files, "candidate": new}, None, capsys, "dependencies") == ""


def warnings(
    files: Mapping[str, Path],
    scheme: str | None,
    capsys: pytest.CaptureFixture[str],
    metric: str = "parseval",
) -> str:
    """Return the warnings of ``crossbank score``."""
    capsys.readouterr()
    named = ["--scheme", scheme] if scheme else []
    assert main(["score", str(files["gold"]), str(files["candidate"]), "--metric", metric, *named]) == 0
    return "\n".join(line for line in capsys.readouterr().err.splitlines() if line.startswith("warning"))


def trees(text: str, times: int = 4) -> Treebank:
    return bracket.loads(text * times)


def words(rows: str, times: int = 4) -> Treebank:
    """Return the sentences in CoNLL-U: word, tag, head, relation for each token."""
    sentence = "".join(
        "\t".join([str(index), form, form, tag, "_", "_", head, relation, "_", "_"]) + "\n"
        for index, (form, tag, head, relation) in enumerate((row.split("/") for row in rows.split()), 1)
    )
    return conllu.loads(f"{sentence}\n" * times)


DEPENDENCIES = "the/DET/2/det cat/NOUN/3/nsubj saw/VERB/0/root a/DET/5/det dog/NOUN/3/obj"


def test_labels_of_another_case() -> None:
    assert "case" in kinds(trees(GOLD), trees(GOLD.replace("NP", "np").replace("VP", "vp")))
    other = words(DEPENDENCIES.replace("root", "ROOT").replace("det d", "det d"))
    assert kinds(words(DEPENDENCIES), other, ["dependencies"]) == {"case"}


def test_labels_that_are_disjoint() -> None:
    assert "disjoint" in kinds(
        trees(GOLD), trees("(A (B (D the) (N cat)) (C (V saw) (B (D a) (N dog))) (. .))\n")
    )


def test_words_that_nobody_has_parsed() -> None:
    tagged = words(
        DEPENDENCIES.replace("/2/", "/_/").replace("/3/", "/_/").replace("/5/", "/_/").replace("/0/", "/_/")
    )
    assert not tagged.has_dependencies
    assert "words_alone" in kinds(words(DEPENDENCIES), tagged, ["dependencies"], scheme="ptb")


def test_names_that_nearly_all_schemes_have_do_not_make_labels_alike() -> None:
    gold = DEPENDENCIES.replace("nsubj", "SB").replace("obj", "OA").replace("det", "NK")
    listed = kinds(words(gold), words(DEPENDENCIES.replace("nsubj", "nsubj:pass")), ["dependencies"])
    assert listed == {"disjoint"}  # and nothing about subtypes, which are not the fault
    assert kinds(words(gold.replace("OA", "obj")), words(gold), ["dependencies"]) == set()


def test_functions_on_one_side() -> None:
    assert kinds(trees(GOLD), trees(GOLD.replace("NP-SBJ", "NP"))) == {"functions"}
    assert kinds(trees(GOLD), trees(GOLD.replace("NP-SBJ", "NP")), scheme="ptb") == set()


def test_subtypes_on_one_side() -> None:
    gold = words(DEPENDENCIES.replace("nsubj", "nsubj:pass"))
    assert kinds(gold, words(DEPENDENCIES), ["dependencies"]) == {"subtypes"}


def test_wrappers_on_one_side() -> None:
    plain = GOLD.replace("-SBJ", "")
    wrapped = f"(TOP {plain.strip()})\n".replace("(NP (D a)", "(NX (D a)")
    assert kinds(trees(plain), trees(wrapped)) == {"wrappers"}
    assert kinds(trees(plain), trees(wrapped), scheme="ptb") == set()


def test_wrappers_of_two_names() -> None:
    tree = GOLD.replace("-SBJ", "").strip()
    gold, candidate = (trees(f"({name} {tree})\n") for name in ("TOP", "ROOT"))
    other = trees(f"(ROOT {tree})\n".replace("(NP (D a)", "(NX (D a)"))
    assert kinds(gold, other) == {"wrappers"}
    assert kinds(gold, other, root="no") == set()
    assert kinds(gold, candidate, labels="no") == set()
    assert kinds(gold, other, scheme="ptb") == set()


def test_many_sentences_without_a_parse() -> None:
    gold, wrong = GOLD.replace("-SBJ", ""), GOLD.replace("-SBJ", "").replace("(NP (D a)", "(NX (D a)")
    for missing, noticed in ((2, set()), (3, {"missing"})):
        assert kinds(trees(gold, 9), bracket.loads(wrong * (9 - missing) + "(())\n" * missing)) == noticed


def test_labelled_attachment_above_unlabelled() -> None:
    """Such numbers come of a metric that counts the two over different words, as one from elsewhere may."""
    gold, candidate = words(DEPENDENCIES), words(DEPENDENCIES.replace("2/det", "3/det"))
    scoring = scoring_of(["dependencies"], {})
    evaluation = Evaluation(scoring, keep="sentences")
    evaluation.add(0, Views(gold, None), Views(candidate, None))
    (counts,) = evaluation.result().counts

    def noticed(counts: Counts) -> set[str]:
        comparison = Comparison(scoring.metrics[0], scoring, None, counts, Facts(), Facts())
        return {diagnostic.kind for diagnostic in LabelledAboveUnlabelled().report(comparison)}

    assert noticed(counts) == set()
    fewer = {**counts.columns, "heads": counts.columns["heads"] - 1}
    assert noticed(replace(counts, columns=fewer)) == {"las_above_uas"}


def test_tags_of_punctuation_that_the_scheme_does_not_know() -> None:
    changed = GOLD.replace("(. .)", "(PUNCT .)")
    assert "punctuation" in kinds(
        trees(changed), trees(changed.replace("(NP (D a)", "(NX (D a)")), scheme="ptb"
    )


@pytest.mark.parametrize("tag", ["-LRB-", "HYPH", "SYM", "NN"])
def test_tags_that_the_scheme_lists_as_no_punctuation_are_its_choice(tag: str) -> None:
    """EVALB's parameters count the Penn Treebank's brackets; --strict refused every file of GUM."""
    changed = GOLD.replace("(. .)", f"({tag} -LRB-)" if tag == "-LRB-" else f"({tag} -)")
    worse = trees(changed.replace("(NP (D a)", "(NX (D a)"))
    assert "punctuation" not in kinds(trees(changed), worse, scheme="ptb")


def test_no_sound_file_is_misleading(shared_data: Path) -> None:
    for folder in ("gum/const/*.ptb", "wsj-sample/trees/*.mrg"):
        for path in sorted(shared_data.glob(folder))[::9]:
            gold = read(path)
            parsed = transform(gold, ["strip_functions"], load_scheme("ptb"))
            dropped = (np.arange(len(parsed.nodes)) % 37 == 3) & (parsed.nodes.parent >= 0)
            parsed = without_nodes(parsed, dropped, "test", "nodes deleted")
            assert not kinds(gold, parsed, scheme="ptb"), path


def test_the_wrong_scheme_names_the_one_that_fits() -> None:
    gold, candidate = read(ROOT / "examples/tuebadz.export"), read(ROOT / "examples/tuebadz.alpha.mrg")
    assert "scheme" in kinds(gold, candidate, scheme="tiger")


def test_a_forgotten_scheme() -> None:
    gold, candidate = read(ROOT / "examples/tiger.export"), read(ROOT / "examples/tiger.alpha.mrg")
    assert "no_scheme" in kinds(gold, candidate)


def test_the_candidate_is_gold() -> None:
    assert kinds(trees(GOLD), trees(GOLD)) == {"identical"}


def test_a_list_whose_chosen_analyses_are_golds_is_gold() -> None:
    gold = trees(GOLD, 4)
    other = trees(GOLD.replace("NP-SBJ", "XP"), 4)
    rows = [row for sentence in range(4) for row in (sentence, 4 + sentence)]
    both = Treebank.concatenate([gold, other]).select(rows)
    first = both.sentences.replace(analysis=np.tile(np.array([0, 1], np.int32), 4))
    assert kinds(gold, both.replace(sentences=first)) == {"identical"}
    second = first.replace(chosen=np.tile(np.array([0, 1], first.chosen.dtype), 4))
    assert "identical" not in kinds(gold, both.replace(sentences=second))


def test_a_candidate_with_other_tags_is_not_gold() -> None:
    plain = GOLD.replace("-SBJ", "")
    assert kinds(trees(plain), trees(plain)) == {"identical"}
    assert kinds(trees(plain), trees(plain.replace("(D a)", "(DT a)"))) == set()
    untagged = words(DEPENDENCIES.replace("/DET/", "/_/").replace("/NOUN/", "/_/").replace("/VERB/", "/_/"))
    assert kinds(words(DEPENDENCIES), untagged, ["dependencies"]) == set()
    assert kinds(untagged, words(DEPENDENCIES), ["dependencies"]) == set()
    assert kinds(untagged, untagged.select(list(range(len(untagged)))), ["dependencies"]) == {"identical"}


def test_a_candidate_with_other_functions_is_not_gold() -> None:
    from crossbank.converters.transformations import transform

    scheme = load_scheme("ptb")
    gold = transform(trees(GOLD * 2), ["split_functions"], scheme)
    other = transform(trees(GOLD.replace("NP-SBJ", "NP-TPC") * 2), ["split_functions"], scheme)
    assert kinds(gold, other) == set()
    assert kinds(gold, transform(other, ["strip_functions"], scheme)) == {"identical"}


def test_gold_tags_in_a_candidate_from_raw_text() -> None:
    gold = words(DEPENDENCIES, 50)
    candidate = words(DEPENDENCIES.replace("a/DET/5/det", "a/DET/3/det"), 50)
    assert kinds(gold, candidate, ["dependencies"], raw=True) == {"gold_tags"}
    assert kinds(gold, candidate, ["dependencies"]) == set()


def numbered(first: int, last: int) -> Treebank:
    return bracket.loads("".join(f"(S (NP (N w{index})) (V x{index}))\n" for index in range(first, last)))


def test_sentences_moved_by_one() -> None:
    assert kinds(numbered(0, 9), numbered(1, 10)) == {"shifted"}
    assert kinds(numbered(1, 10), numbered(0, 9)) == {"shifted"}


def test_another_treebank() -> None:
    assert kinds(numbered(0, 9), numbered(100, 109)) == {"other_gold"}


@pytest.mark.parametrize(("sentences", "kind"), [(1, "other_gold"), (20, "words")])
def test_a_single_sentence_with_other_words_is_named(sentences: int, kind: str) -> None:
    gold = bracket.loads(PLAIN * sentences)
    candidate = bracket.loads(PLAIN * (sentences - 1) + PLAIN.replace("dog", "horse"))
    assert kind in kinds(gold, candidate)


def test_words_that_are_split_or_joined() -> None:
    other = GOLD.replace("(D the) (N cat)", "(N thecat)").replace("-SBJ", "")
    assert "split" in kinds(trees(GOLD.replace("-SBJ", "")), trees(other))


def test_quotation_marks_in_two_ways() -> None:
    gold = "(S (`` ``) (NP (N cat)) ('' '') (V x))\n"
    assert kinds(trees(gold), trees(gold.replace("``)", '")').replace("'')", '")'))) == {"quotes"}


def test_words_that_are_split_do_not_differ_by_quotation_marks() -> None:
    split = "(S (NP (DT the) (NN air)) (VP (VB moves)))\n" * 3
    joined = "(S (NP (NN theair)) (VP (VB moves)))\n" * 3
    spaced = "(S (NP (NN The Air)) (VP (VB moves) (RB now)) (. .))\n" * 3
    assert kinds(trees(split), trees(joined)) == {"split"}
    assert "quotes" not in kinds(trees(split), trees(spaced))


def test_normal_forms_and_escapes() -> None:
    gold = "(S (NP (N Bäume)) (VP (V wachsen) (-LRB- -LRB-)))\n"
    decomposed = unicodedata.normalize("NFD", gold).replace("VP", "VX")
    assert kinds(trees(gold), trees(decomposed)) == {"normalisation"}
    raw = words("a/X/0/root (/X/1/x")
    assert kinds(words("a/X/0/root -LRB-/X/1/y"), raw, ["dependencies"]) >= {"escapes"}


def test_line_ends(tmp_path: Path) -> None:
    for name, text in (("a.mrg", GOLD * 2), ("b.mrg", GOLD.replace("VP", "VX").replace("\n", "\r\n") * 2)):
        (tmp_path / name).write_bytes(text.encode())
    assert "line_ends" in kinds(read(tmp_path / "a.mrg"), read(tmp_path / "b.mrg"))


def test_traces_on_one_side() -> None:
    gold = GOLD.replace("(D a) (N dog)", "(-NONE- *T*-1)").replace("-SBJ", "")
    candidate = GOLD.replace(" (NP (D a) (N dog))", "").replace("-SBJ", "")
    assert "traces" in kinds(trees(gold), trees(candidate))
    assert "traces" not in kinds(trees(gold), trees(candidate), scheme="ptb")


def test_heads_counted_from_zero() -> None:
    rows = "a/X/2/x b/X/3/x c/X/4/x d/X/5/x e/X/0/root f/X/5/x g/X/6/x"
    moved = "a/X/1/x b/X/2/x c/X/3/x d/X/4/x e/X/0/root f/X/4/x g/X/5/x"
    assert "heads_from_zero" in kinds(words(rows), words(moved), ["dependencies"])


def test_several_roots() -> None:
    candidate = words(DEPENDENCIES.replace("dog/NOUN/3/obj", "dog/NOUN/0/root"))
    assert kinds(words(DEPENDENCIES), candidate, ["dependencies"]) == {"roots"}


def test_the_mean_of_sentences() -> None:
    gold, poor = trees(GOLD), trees(GOLD.replace("(VP", "(XP"))
    assert "average" not in kinds(gold, poor)
    # The option is named: a study may have the metric under two names, and micro under one of them.
    listed = diagnostics(gold, poor, average="macro")
    assert any(str(one).startswith("average=macro makes parseval the mean") for one in listed)


@pytest.mark.parametrize("scheme", ["tiger", "tuebadz"])
@pytest.mark.parametrize("candidate", ["alpha", "beta"])
def test_no_false_alarm_on_the_embedded_corpora(scheme: str, candidate: str) -> None:
    gold, parsed = read(ROOT / f"examples/{scheme}.export"), read(ROOT / f"examples/{scheme}.{candidate}.mrg")
    metrics = ["parseval", "leaf_ancestor", "conformance"]
    assert kinds(gold, parsed, metrics, scheme) == set()
    assert kinds(gold, parsed, ["dependencies"], scheme, labels="no") == set()


def test_no_false_alarm_on_the_shared_task(shared_data: Path) -> None:
    folder = shared_data / "conll18"
    for name in ("de_gsd", "en_pud"):
        gold = read(folder / "00-gold-standard" / f"{name}.conllu")
        for file in sorted(folder.glob(f"[A-Zc]*/{name}.conllu")):
            assert kinds(gold, read(file), ["conll18"]) == set(), file


def test_words_that_are_deleted_by_a_candidate_s_own_tags() -> None:
    tree = "(S (NP (PRP He)) (VP (VBZ goes) (ADVP (RB home))))"
    gold, parsed = (
        bracket.loads(f"{tree}\n" * 3),
        bracket.loads(f"{tree}\n{tree.replace('PRP', '-NONE-')}\n{tree}"),
    )
    assert kinds(gold, parsed, ["parseval"], "ptb") == {"deleted_words"}
    other = bracket.loads(f"{tree}\n{tree.replace('He', 'She')}\n{tree}")
    assert kinds(gold, other, ["parseval"], "ptb") == {"words"}


def test_no_false_alarm_on_real_parses(shared_data: Path) -> None:
    folder = shared_data / "farpahc" / "parsers"
    gold = read_all([str(folder / "e1/corpus/far_split*testing.psd")], "bracket")
    # A word of one sentence of ei0 has a tag by which it is deleted, which is no false alarm.
    for model, expected in (("e1", set()), ("ei0", {"deleted_words"})):
        parsed = read_all([str(folder / model / "output/far_split*machineparsed.psd")], "bracket")
        assert kinds(gold, parsed, ["parseval", "leaf_ancestor"], "ppche") == expected
        assert kinds(gold, parsed, ["dependencies"], "ppche", labels="no") == expected


def test_no_false_alarm_on_two_bracketings(shared_data: Path) -> None:
    susanne, sparkle = (
        read(shared_data / "rasp3/teval" / f"suste-trees-{name}", "rasp") for name in ("susanne", "sparkle")
    )
    for gold, candidate in ((susanne, sparkle), (sparkle, susanne)):
        assert kinds(gold, candidate, ["parseval"], labels="no", align="yes") == set()
        assert kinds(gold, candidate, ["conformance"], align="yes") == set()
