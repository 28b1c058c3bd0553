"""Views of real treebanks: no sentence lost, every crossing branch resolved, dependencies for every word."""

import json
from pathlib import Path

import numpy as np
import pytest

from crossbank.converters.heads.marking import mark_heads
from crossbank.converters.scheme_files import load_scheme
from crossbank.converters.transformations import transform
from crossbank.metrics.analyses.conversion_reliability import without_functions
from crossbank.metrics.arcs.tree_shape import nonprojective
from crossbank.treebanks import UNATTACHED, Treebank
from crossbank.treebanks.formats import read, read_all
from crossbank.workflow.commands.cli import main
from tests.converters.banks import events
from tests.validity import validate

TREEBANKS = {
    "tiger-pcc": ("tiger", "tiger-pcc/syntax/*.xml", "tigerxml", 2193),
    "tuebadz-masked": ("tuebadz", "tuebadz-masked/test.negra", "export", 500),
    "tuebadz-exportxml": ("tuebadz", "tuebadz-masked/exportxml-example.xml", "exportxml", 102),
    "tuebadz-brackets": ("tuebadz", "tuebadz-masked/test.ptb", "bracket", 500),
    "farpahc": ("ppche", "farpahc/psd/*.psd", "bracket", 4198),
    "farpahc-gold": ("ppche", "farpahc/parsers/e1/corpus/*.psd", "bracket", 3713),
    "farpahc-parsed": ("ppche", "farpahc/parsers/e1/output/*.psd", "bracket", 3713),
    "gum": ("ptb", "gum/const/*.ptb", "bracket", 3236),
}


def load(shared_data: Path, name: str) -> Treebank:
    _, pattern, format, _ = TREEBANKS[name]
    return read_all([str(shared_data / pattern)], format)


@pytest.mark.parametrize("name", TREEBANKS)
def test_views(shared_data: Path, name: str) -> None:
    scheme = load_scheme(TREEBANKS[name][0])
    bank = load(shared_data, name)
    assert len(bank) == TREEBANKS[name][3]
    constituents = transform(bank, scheme.views["constituents"], scheme)
    assert len(constituents) == len(bank)
    assert len(constituents.discontinuous_sentences) == 0
    labels = set(constituents.vocabulary.decode(np.unique(constituents.nodes.label)))
    assert not any(mark in label for label in labels for mark in "*|" if label)

    arcs = transform(bank, scheme.views["dependencies"], scheme)
    heads = arcs.tokens.head
    assert len(arcs) == len(bank)
    assert heads.min() == -1
    begins = arcs.tokens.begins(arcs.tokens)
    above = np.where(heads >= 0, begins + heads, -1)
    for _ in range(int(arcs.tokens.lengths().max())):
        above = np.where(above >= 0, above[np.maximum(above, 0)], -1)
    assert (above == -1).all()
    assert ((arcs.tokens.lengths() == 0) | _has_root(arcs)).all()


@pytest.mark.parametrize("coordination", ["all", "first", "chain"])
@pytest.mark.parametrize("name", ["tuebadz-masked", "tuebadz-exportxml"])
def test_every_word_of_tuebadz_has_one_head(shared_data: Path, name: str, coordination: str) -> None:
    """Graphs have no cycles, and sentences with several roots are listed: what is not joined by any node."""
    bank = load(shared_data, name)
    arcs = transform(bank, [f"dependencies:coordination={coordination}"], load_scheme("tuebadz"))
    assert arcs.sentence_ids == bank.sentence_ids
    assert [arcs.words(i) for i in range(len(arcs))] == [bank.words(i) for i in range(len(bank))]
    assert (arcs.tokens.head > UNATTACHED).all()
    problems = validate(arcs)
    assert all("roots of its dependencies" in problem.what for problem in problems)
    listed = [f.sentences().tolist() for f in arcs.diagnosis if f.event == "roots beside the main root"]
    assert [problem.sentence for problem in problems] == [i for actual in listed for i in actual]
    assert problems
    assert validate(transform(arcs, ["single_root"], load_scheme("tuebadz"))) == []


@pytest.mark.parametrize(("corpus", "trees", "most"), [("farpahc", 4198, 0.003), ("icepahc", 22230, 0.004)])
def test_few_heads_of_historical_trees_fall_to_the_default(
    shared_data: Path, corpus: str, trees: int, most: float
) -> None:
    bank = read_all([str(shared_data / corpus / "psd" / "*.psd")])
    assert len(bank) == trees
    marked = transform(bank, ["delete_metadata", "delete_empty_elements", "mark_heads"], load_scheme("ppche"))
    decided = {event: count for event, count in events(marked).items() if event.startswith("mark_heads")}
    default = sum(count for event, count in decided.items() if event.endswith("default"))
    assert 0 < default / sum(decided.values()) < most


def _has_root(bank: Treebank) -> np.ndarray:
    return np.bincount(bank.tokens.sentence_of_row()[bank.tokens.head == -1], minlength=len(bank)) > 0


@pytest.mark.slow
def test_every_discontinuous_sentence_of_the_commentaries_is_resolved(shared_data: Path) -> None:
    bank = load(shared_data, "tiger-pcc")
    tiger = load_scheme("tiger")
    assert len(bank.discontinuous_sentences) == 1345
    resolved = transform(bank, ["raise_crossing:punctuation=word"], tiger)
    assert len(resolved.discontinuous_sentences) == 0
    raised = next(f for f in resolved.diagnosis if f.event == "discontinuous nodes made continuous")
    assert raised.sentences().tolist() == bank.discontinuous_sentences.tolist()
    split = transform(bank, ["split_crossing:punctuation=word"], tiger)
    assert len(split.discontinuous_sentences) == 0
    assert len(resolved.secondary) == len(bank.secondary)


@pytest.mark.slow
@pytest.mark.parametrize("coordination", ["first", "all"])
@pytest.mark.parametrize("before", ["", "raise_crossing"])
def test_every_sentence_of_the_commentaries_is_a_tree(
    shared_data: Path, coordination: str, before: str
) -> None:
    """Crossing branches give crossing dependencies, without them there are none; nine have several roots."""
    bank, tiger = load(shared_data, "tiger-pcc"), load_scheme("tiger")
    steps = [*filter(None, [before]), "insert_flat_phrases", f"dependencies:coordination={coordination}"]
    arcs = transform(bank, steps, tiger)
    assert [arcs.words(i) for i in range(len(bank))] == [bank.words(i) for i in range(len(bank))]
    assert (arcs.tokens.head != UNATTACHED).all()
    assert validate(transform(arcs, ["single_root"], tiger)) == []
    several = np.flatnonzero(np.bincount(_sentences_of_roots(arcs), minlength=len(bank)) > 1)
    listed = [f.sentences().tolist() for f in arcs.diagnosis if f.event == "roots beside the main root"]
    assert listed == [several.tolist()]
    if coordination == "first":
        assert len(several) == 9
    # Punctuation hangs on the root of the sentence, so it may be under a dependency between words.
    words = ~tiger.is_punctuation(arcs)
    crossing = nonprojective(arcs.tokens.offsets, np.where(words, arcs.tokens.head, UNATTACHED))
    sentences = np.unique(arcs.tokens.sentence_of_row()[crossing & words])
    assert (len(sentences) > 400) == (not before)


def _sentences_of_roots(bank: Treebank) -> np.ndarray:
    return bank.tokens.sentence_of_row()[bank.tokens.head == -1]


@pytest.mark.slow
@pytest.mark.parametrize("prepositions", ["preposition", "noun"])
def test_dependencies_hardly_need_functions(shared_data: Path, prepositions: str) -> None:
    """Rehbein and van Genabith (2007), 3.3, report 99.65 for TIGER; these are another genre."""
    steps = ["insert_flat_phrases", f"dependencies:prepositions={prepositions}"]
    comparison = without_functions(load(shared_data, "tiger-pcc"), load_scheme("tiger"), steps)
    assert comparison.overall.gold == 29059
    assert comparison.overall.same_head / comparison.overall.gold > 0.996


def test_secondary_edges_of_the_commentaries(shared_data: Path) -> None:
    """Each of the 310 is told of; a subject of a verb that is shared as well is one already."""
    bank, tiger = load(shared_data, "tiger-pcc"), load_scheme("tiger")
    done = transform(bank, ["insert_flat_phrases", "dependencies:secondary=yes"], tiger)
    reported = {f.event: f.total for f in done.diagnosis if f.event.startswith("secondary edges")}
    assert sum(reported.values()) == len(bank.secondary) == 310
    assert reported["secondary edges as further heads"] > 250
    deps = done.vocabulary.decode(done.tokens.deps)
    arcs = zip(done.tokens.head.tolist(), done.vocabulary.decode(done.tokens.relation), deps, strict=True)
    assert all(f"{head + 1}:{relation}" in graph.split("|") for head, relation, graph in arcs)
    assert sum("|" in graph for graph in deps) > 250


@pytest.mark.slow
@pytest.mark.parametrize(("target", "modes"), [("conllu", ["conll18"]), ("conllx", ["eval07", "conllx"])])
def test_the_commentaries_become_conll(
    shared_data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], target: str, modes: list[str]
) -> None:
    """One root for each sentence, all columns filled; read back and scored against itself."""
    file = str(tmp_path / f"commentaries.{target}")
    source = str(shared_data / "tiger-pcc/syntax/*.xml")
    assert (
        main(
            ["convert", source, file, "--from", "tigerxml", "--to", target, "--scheme", "tiger", "--ud", "no"]
        )
        == 0
    )
    bank, back = load(shared_data, "tiger-pcc"), read(file)
    assert validate(back) == []
    assert [back.words(i) for i in range(len(back))] == [bank.words(i) for i in range(len(bank))]
    assert "single_root: roots attached to the main root: 10 in 9 sentences" in capsys.readouterr().err
    strings = {
        name: set(back.vocabulary.decode(np.unique(getattr(back.tokens, name))))
        for name in ("lemma", "morph", "pos", "xpos", "relation")
    }
    assert not any("--" in actual for actual in strings.values())
    assert strings["xpos"] == set(bank.vocabulary.decode(np.unique(bank.tokens.pos)))
    assert (strings["pos"] == strings["xpos"]) == (target == "conllx")
    assert "" not in strings["relation"] | strings["pos"]
    for mode in modes:
        assert main(["score", "--mode", mode, file, file, "--json"]) == 0
        printed = json.loads(capsys.readouterr().out)
        assert all(score["value"] == 1 for score in printed["scores"]), mode


def test_heads_of_nodes_agree(shared_data: Path) -> None:
    bank, scheme = load(shared_data, "tuebadz-masked"), load_scheme("tuebadz")
    with_functions, without = (mark_heads(bank, scheme, functions=f).nodes.head for f in (True, False))
    assert (with_functions == without).mean() > 0.995


def test_parser_output_has_the_form_of_its_gold(shared_data: Path) -> None:
    scheme = load_scheme("ppche")
    gold, parsed = (
        transform(load(shared_data, name), scheme.views["constituents"], scheme)
        for name in ("farpahc-gold", "farpahc-parsed")
    )
    parsable = np.flatnonzero(parsed.tokens.lengths())
    assert [gold.words(i) for i in parsable] == [parsed.words(i) for i in parsable]
    assert events(gold)["delete_roots: roots deleted"] == len(gold)
    roots = [bank.nodes.label[bank.nodes.parent == -1] for bank in (gold, parsed)]
    assert all("TOP" not in bank.vocabulary.decode(r) for bank, r in zip((gold, parsed), roots, strict=True))
