"""Studies that train their candidates: held-out sentences, sizes, folds, parsers of others."""

import csv
import json
import shlex
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from crossbank.parsers.command import command_of
from crossbank.parsers.cross_entropy import SentenceBits
from crossbank.parsers.study import parse
from crossbank.parsers.study.training import ParseSettings, Training
from crossbank.reports.study.held_out import HeldOut
from crossbank.reports.study.making import expanded
from crossbank.reports.study.reading import load_study, study_of
from crossbank.treebanks import CrossbankError, Treebank
from crossbank.treebanks.formats import bracket, read
from crossbank.treebanks.formats.parquet import load
from crossbank.treebanks.yaml_nodes import YamlError
from crossbank.workflow.settings import ReadSettings
from tests.errors import raises
from tests.workflow.test_study_run import snakemake

NLTK = shlex.join([sys.executable, str(Path(__file__).with_name("nltk_parser.py"))])

WORDS = [("cat", "bird"), ("dog", "fish"), ("man", "tree"), ("bee", "lamp")]
TREES = "".join(
    f"(ROOT (S (NP (DT the) (NN {one})) (VP (VBD saw) (NP (DT a) (NN {other})))) (. .))\n"
    for one, other in WORDS
) + "".join(f"(ROOT (S (NP (PRP she)) (VP (VBD saw) (NP (NN {other})))) (. .))\n" for _, other in WORDS)
"""Each kind of sentence is in every fold."""


def content(folder: Path, **candidate: Any) -> dict[str, Any]:
    """Return a study of one treebank in four folds, with one candidate."""
    (folder / "gold.mrg").write_text(TREES, encoding="utf-8")
    described = {"name": "own", "parser": {"pcfg": {"input": "tags"}}, **candidate}
    return {
        "study": "trained",
        "treebanks": [
            {
                "name": "t",
                "scheme": "ptb",
                "gold": {"path": str(folder / "gold.mrg")},
                "folds": 4,
                "candidates": [described],
            }
        ],
        "metrics": ["parseval"],
        "bootstrap": {"samples": 20},
    }


def test_sizes_and_iterations_become_candidates(tmp_path: Path) -> None:
    study = study_of(content(tmp_path, training={"sizes": [2, "all"]}), "x")
    actual = [(c.name, c.attributes["training_size"]) for c in study.treebanks[0].candidates]
    assert actual == [("own_2", 2), ("own_all", "all")]
    again = expanded(study.content)
    assert again == study.content


def test_entropies_with_smoothing_and_without_are_not_compared(tmp_path: Path) -> None:
    study = content(tmp_path, training={"entropy": True})
    (treebank,) = study["treebanks"]
    plain = {"name": "plain", "parser": {"pcfg": {"input": "tags", "smoothing": "none"}}}
    treebank["candidates"].append(plain | {"training": {"entropy": True}})
    message = "found entropies of own with smoothing and of plain without, expected smoothing on every side"
    with pytest.raises(CrossbankError, match=message):
        study_of(study, "x")
    treebank["candidates"].reverse()
    with pytest.raises(CrossbankError, match=message):
        study_of(study, "x")
    # Without bits there is nothing to compare; another parser has its own word for smoothing.
    treebank["candidates"][0].pop("training")
    study_of(study, "x")
    treebank["candidates"][0] |= {"parser": {"model_c": {"smoothing": False}}, "training": {"entropy": True}}
    with pytest.raises(CrossbankError, match=message):
        study_of(study, "x")


def test_a_lexicalised_grammar_over_iterations(tmp_path: Path) -> None:
    described = {
        "parser": {"lexicalised": {"input": "tags"}},
        "training": {"iterations": [0, 3], "entropy": True},
    }
    study = study_of(content(tmp_path, **described), "x")
    candidates = study.treebanks[0].candidates
    assert [(c.name, c.attributes["iteration"]) for c in candidates] == [("own_0", 0), ("own_3", 3)]

    perplexities = []
    for rounds in (0, 3):
        training = Training("lexicalised", {"input": "tags", "iterations": rounds}, entropy=True)
        settings = ParseSettings("ptb", [], ReadSettings("bracket"), training, HeldOut(folds=2))
        sizes = tmp_path / f"sizes{rounds}"
        parse.parse("own", [tmp_path / "gold.mrg"], tmp_path / f"out{rounds}", sizes, settings)
        assert bracket.dumps(load(tmp_path / f"out{rounds}")).replace("TOP", "ROOT") == TREES
        bits = SentenceBits.of(json.loads(sizes.read_text(encoding="utf-8"))["measured"]["entropy"])
        assert bits.parsed.all()
        perplexities.append(bits.entropy().perplexity)
    assert perplexities[1] < perplexities[0]


def test_folds_cover_every_sentence_once() -> None:
    bank = bracket.loads(TREES)
    parts = HeldOut(folds=4).parts(bank)
    assert sorted(index for _, test in parts for index in test.tolist()) == list(range(8))
    assert all(set(train.tolist()).isdisjoint(test.tolist()) for train, test in parts)
    assert all(len(train) == 6 for train, _ in parts)


def test_a_proportion_and_identifiers_are_held_out() -> None:
    bank = bracket.loads(TREES)
    ((train, test),) = HeldOut(test=0.25, seed=3).parts(bank)
    assert (len(train), len(test)) == (6, 2)
    assert HeldOut(test=0.25, seed=3).parts(bank)[0][1].tolist() == test.tolist()
    ((_, named),) = HeldOut(identifiers=("2", "8")).parts(bank)
    assert named.tolist() == [1, 7]
    assert len(HeldOut(identifiers=("2", "8")).gold(bank)) == 2
    for wrong, message in (
        (HeldOut(identifiers=("99",)), "there is no sentence 99"),
        (HeldOut(test=0.01), "0 of 8 sentences would be held out"),
        (HeldOut(folds=9), "found 8 sentences, expected at least 9"),
    ):
        with pytest.raises(CrossbankError, match=message):
            wrong.parts(bank)


def test_a_larger_draw_contains_a_smaller_one() -> None:
    train = HeldOut(folds=4).parts(bracket.loads(TREES))[0][0]
    small, large = (set(Training("pcfg", size=size).draw(train, train[:0]).tolist()) for size in (2, 5))
    assert small < large <= set(train.tolist())
    with pytest.raises(CrossbankError, match="training: found 6 sentences, expected at least 7"):
        Training("pcfg", size=7).draw(train, train[:0])


def test_nothing_of_a_test_fold_is_seen_in_training(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A word that one sentence alone has would be in the grammar that parses it."""
    planted = TREES.replace("lamp", "xyzzy")
    (tmp_path / "gold.mrg").write_text(planted, encoding="utf-8")
    from crossbank.parsers import pcfg

    seen: list[tuple[bool, list[str]]] = []
    train = parse.train

    def spied(bank: Treebank, *arguments: Any) -> Any:
        model = train(bank, *arguments)
        assert isinstance(model.parser, pcfg.Pcfg)
        known = model.parser.unknown
        assert known is not None
        seen.append(("xyzzy" in known.words, [w for s in range(len(bank)) for w in bank.words(s)]))
        return model

    monkeypatch.setattr(parse, "train", spied)
    for folds in (2, 4, 8):
        seen.clear()
        settings = ParseSettings(
            "ptb", [], ReadSettings("bracket"), Training("pcfg", {"rare": 0}), HeldOut(folds=folds)
        )
        parse.parse("own", [tmp_path / "gold.mrg"], tmp_path / "out", tmp_path / "sizes", settings)
        bank = bracket.loads(planted)
        folds_with_word = {s % folds for s in range(8) if "xyzzy" in bank.words(s)}
        for fold, (known, words) in enumerate(seen):
            others = [w for s in range(8) if s % folds != fold for w in bank.words(s)]
            assert words == others
            assert known == bool(folds_with_word - {fold})


def test_files_are_held_out(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / f"{name}.mrg").write_text(TREES, encoding="utf-8")
    paths = [str(tmp_path / f"{name}.mrg") for name in ("one", "two")]
    held_out = HeldOut.of({"test": {"path": "{data}/two.mrg"}}, str(tmp_path))
    assert held_out is not None
    bank = Treebank.concatenate([read(path) for path in paths])
    ((train, test),) = held_out.parts(bank)
    assert (train.tolist(), test.tolist()) == (list(range(8)), list(range(8, 16)))
    study = content(tmp_path)
    treebank = study["treebanks"][0]
    del treebank["folds"]
    treebank |= {"gold": {"path": paths[0]}, "test": {"path": paths[1]}}
    with raises(YamlError, "one.mrg", key="treebanks[0].test"):
        study_of(study, "x")


def test_the_bits_of_held_out_sentences_are_those_of_the_model(tmp_path: Path) -> None:
    from crossbank.parsers.cross_entropy import SentenceBits
    from crossbank.parsers.models import train

    (tmp_path / "gold.mrg").write_text(TREES, encoding="utf-8")
    training = Training("pcfg", {"input": "tags"}, entropy=True)
    settings = ParseSettings("ptb", [], ReadSettings("bracket"), training, HeldOut(folds=4))
    parse.parse("own", [tmp_path / "gold.mrg"], tmp_path / "out", tmp_path / "sizes", settings)
    actual = SentenceBits.of(
        json.loads((tmp_path / "sizes").read_text(encoding="utf-8"))["measured"]["entropy"]
    )
    bank = bracket.loads(TREES)
    others, test = HeldOut(folds=4).parts(bank)[1]
    model = train(bank.select(others), "ptb", {"input": "tags"}).parser
    log2, _, words = model.inside(bank.select(test))
    assert actual.bits[test].tolist() == (-log2).tolist()
    assert actual.words[test].tolist() == words.tokens.lengths().tolist()
    assert (actual.input, actual.characters.tolist()) == ("tags", [0] * 8)


def command(what: str, **options: Any) -> dict[str, Any]:
    return {
        "command": {
            "train": f"{NLTK} train {{train}} {{model}}",
            "parse": f"{NLTK} {what} {{model}} {{input}} {{output}}",
            "input": "tags",
            **options,
        }
    }


COPY = {"train": "cp {train} {model}", "parse": "cp {model} {output} && test -s {input}", "input": "tags"}


def test_a_command_has_the_words_of_its_input_and_says_its_version(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    bank = bracket.loads(TREES)
    completed = command_of({**COPY, "version": "echo version 1"}).run(bank, bank, "ptb", tmp_path)
    assert completed.unparsed == 0
    assert [completed.bank.words(s) for s in range(8)] == [bank.words(s) for s in range(8)]
    assert "version 1" in "".join(capfd.readouterr())


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"parse": "echo '(())' > {output} && : {model} {input}"}, "output has 1 sentence, the input has 8"),
        (
            {"parse": "sleep 60 && : {model} {input} {output}", "time": 1},
            "did not end within 1 seconds",  # on a busy machine training may not, either
        ),
        ({"train": "exit 3 {train} {model}"}, "train ended with exit code 3"),
    ],
)
def test_a_command_that_goes_wrong_is_named(tmp_path: Path, change: dict[str, Any], message: str) -> None:
    bank = bracket.loads(TREES)
    with pytest.raises(CrossbankError, match=message):
        command_of({**COPY, **change}).run(bank, bank, "ptb", tmp_path)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a study with a parser of ours, one of another make, and three that go wrong; it has been run."""
    folder = tmp_path_factory.mktemp("training")
    study = content(folder, training={"sizes": [3, "all"]})
    study["treebanks"][0]["candidates"] += [
        {"name": "nltk", "parser": command("parse", version="echo version 1")},
        {"name": "short", "parser": command("short")},
        {"name": "hangs", "parser": command("sleep", time=1)},
        {"name": "fails", "parser": command("parse", train="exit 3 {train} {model}")},
    ]
    study["treebanks"][0]["folds"] = 2
    (folder / "s.yaml").write_text(yaml.safe_dump(study), encoding="utf-8")
    done = snakemake(folder, "--configfile", "s.yaml")
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


@pytest.mark.slow
def test_candidates_are_trained_and_scored(folder: Path) -> None:
    with open(folder / "results/trained/summary.csv", encoding="utf-8", newline="") as stream:
        recall = {
            r["candidate"]: float(r["value"]) for r in csv.DictReader(stream) if r["measure"] == "recall"
        }
    assert recall["own_all"] == recall["nltk"] == 1.0
    assert recall["own_3"] <= 1.0
    assert recall["short"] == recall["hangs"] == recall["fails"] == 0.0


@pytest.mark.slow
def test_the_parsers_of_both_makes_agree(folder: Path) -> None:
    parsed = [load(folder / f"results/trained/parsed/t/{name}.parquet") for name in ("own_all", "nltk")]
    assert bracket.dumps(parsed[0]) == bracket.dumps(parsed[1]) == TREES.replace("ROOT", "TOP")


@pytest.mark.slow
def test_what_went_wrong_is_said_in_the_report(folder: Path) -> None:
    results = folder / "results/trained"
    for name, message in (
        ("short", "the output has 1 sentence, the input has 4"),
        ("hangs", "did not end within 1 seconds"),
        ("fails", "train ended with exit code 3"),
    ):
        (finding,) = load(results / f"parsed/t/{name}.parquet").diagnosis[:1]
        assert message in finding.event
        assert message in (results / f"logs/parse/t/{name}.log").read_text(encoding="utf-8")
        assert message in (results / "report/index.html").read_text(encoding="utf-8").replace("&#39;", "'")
    assert "version 1" in (results / "logs/parse/t/nltk.log").read_text(encoding="utf-8")


@pytest.mark.slow
def test_sizes_are_an_axis(folder: Path) -> None:
    text = (folder / "results/trained/parsed/t/own_all.json").read_text(encoding="utf-8")
    assert text == '{"training_size": 4, "fragments": 0}'
    page = (folder / "results/trained/report/index.html").read_text(encoding="utf-8")
    assert "training size" in page


@pytest.mark.slow
def test_nothing_is_trained_again(folder: Path) -> None:
    done = snakemake(folder, "--configfile", "s.yaml", "--dry-run")
    assert "Nothing to be done" in done.stdout + done.stderr


@pytest.mark.parametrize(
    ("change", "fields"),
    [
        (
            {"parser": {"psychic": {}}},
            {"line": 9, "key": "treebanks[0].candidates[0].parser", "names": ("psychic", "one of")},
        ),
        (
            {"parser": {"pcfg": {"vertigo": 1}}},
            {"line": 9, "key": "treebanks[0].candidates[0].parser", "names": ("vertigo",)},
        ),
        (
            {"parser": {"pcfg": 3}},
            {"line": 9, "key": "treebanks[0].candidates[0].parser", "names": ("3", "the options of pcfg")},
        ),
        (
            {"path": "gold.mrg"},
            {
                "line": 8,
                "key": "treebanks[0].candidates[0]",
                "names": ("a path and a parser, expected one of them", "them"),
            },
        ),
        (
            {"parser": {"command": {"train": "x {train} {model}"}}},
            {
                "line": 9,
                "key": "treebanks[0].candidates[0].parser",
                "names": ("the option parse is missing",),
            },
        ),
        (
            {"parser": {"arc_factored": {}}, "training": {"entropy": True}},
            {
                "line": 12,
                "key": "treebanks[0].candidates[0].training.entropy",
                "names": ("arc_factored", "pcfg", "lexicalised"),
            },
        ),
        (
            {"parser": {"command": {"train": "x", "parse": "y"}}},
            {"line": 9, "key": "treebanks[0].candidates[0].parser", "names": ("{train} is missing in",)},
        ),
        (
            {"training": {"sizes": [0]}},
            {"line": 14, "key": "treebanks[0].candidates[0].training.sizes[0]", "names": ("0",)},
        ),
    ],
)
def test_wrong_candidates_are_named(
    tmp_path: Path, change: dict[str, Any], fields: dict[str, object]
) -> None:
    (tmp_path / "s.yaml").write_text(yaml.safe_dump(content(tmp_path, **change)), encoding="utf-8")
    with raises(YamlError, **fields):
        load_study(tmp_path / "s.yaml")


def test_a_parser_needs_held_out_sentences(tmp_path: Path) -> None:
    study = content(tmp_path)
    del study["treebanks"][0]["folds"]
    (tmp_path / "s.yaml").write_text(yaml.safe_dump(study), encoding="utf-8")
    with raises(
        YamlError,
        "folds",
        "test",
        file="s.yaml",
        line=9,
        key="treebanks[0].candidates[0].parser",
    ):
        load_study(tmp_path / "s.yaml")


def test_the_code_of_own_transformations_in_training_counts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("own_step:double", "own_gold:clean"):
        module, _, function = name.partition(":")
        (tmp_path / f"{module}.py").write_text(f"def {function}(bank):\n    return bank\n", encoding="utf-8")
    training = Training("pcfg", transformations=["own_step:double"])
    settings = ParseSettings("ptb", ["own_gold:clean"], ReadSettings("bracket"), training, HeldOut(folds=4))
    assert {"own_step", "own_gold"} <= set(settings.modules())
