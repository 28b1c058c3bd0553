"""train, parse, grammar and entropy on the command line."""

import csv
import json
import math
from dataclasses import fields
from pathlib import Path

import pytest

from crossbank.parsers.models import PARSERS, parser_class
from crossbank.treebanks.formats import read
from crossbank.workflow.commands.cli import main
from tests.parsers.test_treebank_grammar import TREES


@pytest.fixture
def model(tmp_path: Path) -> Path:
    (tmp_path / "trees.mrg").write_text(TREES, encoding="utf-8")
    path = tmp_path / "model"
    inputs = ["train", str(tmp_path / "trees.mrg"), str(path), "--scheme", "tiger"]
    plain = ["--option", "input=tags", "--option", "horizontal=all", "--option", "smoothing=none"]
    assert main([*inputs, *plain]) == 0
    return path


def test_trees_and_conllu_keep_their_words_and_tags(model: Path, tmp_path: Path) -> None:
    assert main(["parse", str(model), str(tmp_path / "trees.mrg"), str(tmp_path / "parsed.mrg")]) == 0
    assert (tmp_path / "parsed.mrg").read_text(encoding="utf-8") == TREES
    rows = [(1, "ein", "ART"), (2, "Rad", "NN"), (3, "rollt", "VVFIN"), (4, "!", "$.")]
    lines = [f"{n}\t{form}\t_\t{tag}\t_\t_\t_\t_\t_\t_" for n, form, tag in rows]
    (tmp_path / "more.conllu").write_text("\n".join(lines) + "\n\n", encoding="utf-8")
    assert main(["parse", str(model), str(tmp_path / "more.conllu"), str(tmp_path / "more.mrg")]) == 0
    text = (tmp_path / "more.mrg").read_text(encoding="utf-8")
    assert text == "(VROOT (S (NP (ART ein) (NN Rad)) (VVFIN rollt)) ($. !))\n"


def test_the_treebanks_own_tags_may_stand_in_xpos(model: Path, tmp_path: Path) -> None:
    rows = [
        (1, "ein", "DET", "ART"),
        (2, "Rad", "NOUN", "NN"),
        (3, "rollt", "VERB", "VVFIN"),
        (4, "!", "PUNCT", "$."),
    ]
    lines = [f"{n}\t{form}\t_\t{upos}\t{xpos}\t_\t_\t_\t_\t_" for n, form, upos, xpos in rows]
    (tmp_path / "more.conllu").write_text("\n".join(lines) + "\n\n", encoding="utf-8")
    assert main(["parse", str(model), str(tmp_path / "more.conllu"), str(tmp_path / "more.mrg")]) == 0
    text = (tmp_path / "more.mrg").read_text(encoding="utf-8")
    assert text == "(VROOT (S (NP (ART ein) (NN Rad)) (VVFIN rollt)) ($. !))\n"


def test_scores_are_a_table(model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "tags.txt").write_text("NN VVFIN $.\nART ART\n")
    scores = tmp_path / "scores.csv"
    inputs = ["parse", str(model), str(tmp_path / "tags.txt"), str(tmp_path / "out.mrg")]
    assert main([*inputs, "--scores", str(scores)]) == 0
    assert (tmp_path / "out.mrg").read_text() == "(VROOT (S (NP (NN NN)) (VVFIN VVFIN)) ($. $.))\n(())\n"
    first, second = csv.DictReader(scores.read_text().splitlines())
    # NP -> NN and S -> NP VVFIN each have a third of their left side's rules.
    assert float(first["log2_best"]) == pytest.approx(2 * math.log2(1 / 3), abs=1e-9)
    assert float(first["log2_inside"]) == pytest.approx(2 * math.log2(1 / 3), abs=1e-9)
    assert (second["log2_best"], second["log2_inside"]) == ("", "")
    assert second["no_parse"] == "the grammar has no derivation"
    assert "2 sentences, 1 without a parse" in capsys.readouterr().err


def test_entropy_counts_what_is_unparsed(
    model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "tags.txt").write_text("NN VVFIN $.\nART ART\n")
    assert main(["entropy", str(model), str(tmp_path / "tags.txt"), "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    bits = 2 * math.log2(3)
    assert document["bits_per_sentence"] == pytest.approx(bits, abs=1e-9)
    assert document["bits_per_word"] == pytest.approx(bits / 3, abs=1e-9)
    assert document["perplexity"] == pytest.approx(2 ** (bits / 3), abs=1e-9)
    assert (document["unparsed"], document["sentences"], document["words"]) == (1, 1, 3)
    assert main(["entropy", str(model), str(tmp_path / "tags.txt")]) == 0
    assert "unparsed                  1" in capsys.readouterr().out


def test_scores_are_divided_by_the_bits_of_a_model(
    model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    trees = str(tmp_path / "trees.mrg")
    assert main(["entropy", str(model), trees, "--json"]) == 0
    bits = json.loads(capsys.readouterr().out)
    assert main(["score", trees, trees, "--scheme", "tiger", "--per-bit", str(model), "--json"]) == 0
    document = json.loads(capsys.readouterr().out)["per_bit"]
    assert (document["input"], document["bits_per_sentence"]) == ("tags", bits["bits_per_sentence"])
    assert [score["measure"] for score in document["scores"]] == ["precision", "recall"]
    for score in document["scores"]:
        assert score["per_bit_of_a_sentence"]["value"] == pytest.approx(1 / bits["bits_per_sentence"])
        assert score["per_bit_of_a_word"]["value"] == pytest.approx(1 / bits["bits_per_word"])
    assert main(["score", trees, trees, "--scheme", "tiger", "--per-bit", str(model)]) == 0
    assert "bits for a sentence and" in capsys.readouterr().out


@pytest.mark.parametrize("program", ["nltk", "bitpar"])
def test_grammars_go_out_and_come_in(
    model: Path, tmp_path: Path, program: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["grammar", str(model), str(tmp_path / "grammar"), "--to", program]) == 0
    (tmp_path / "tags.txt").write_text("ART ADJA NN VVFIN $.\nADV VVFIN ART ADJA NN $.\n")
    capsys.readouterr()
    printed = []
    for one in (model, tmp_path / "grammar"):
        assert main(["entropy", str(one), str(tmp_path / "tags.txt"), "--json"]) == 0
        document = json.loads(capsys.readouterr().out)
        # To a grammar without a model, a text of tags is one of words, which have characters.
        printed.append({name: value for name, value in document.items() if "character" not in name})
    assert printed[0] == pytest.approx(printed[1])
    assert printed[0]["unparsed"] == 0


def test_the_best_parse_is_no_more_probable_than_all(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    trees, text, scores = (tmp_path / name for name in ("trees.mrg", "new.txt", "scores.csv"))
    trees.write_text(TREES)
    text.write_text("das Schwimmbad steht da .\nHaus steht .\n")
    model = str(tmp_path / "model")
    assert main(["train", str(trees), model, "--scheme", "tiger"]) == 0
    assert main(["parse", model, str(text), str(tmp_path / "o.mrg"), "--scores", str(scores)]) == 0
    rows = list(csv.DictReader(scores.read_text().splitlines()))
    # One sentence in a hundred is taken to be of fragments.
    above = [float(row["log2_best"]) - float(row["log2_inside"]) + math.log2(0.99) for row in rows]
    assert max(above) < 1e-3
    assert len(rows) == 2
    capsys.readouterr()


def test_a_grammar_says_which_terminals_are_no_words(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "trees.mrg").write_text(TREES)
    for number, (options, message) in enumerate((
        ([], "rare and unknown words: "),
        (["rare=0"], "rare and unknown words: 1 of "),
        (["input=tags"], "rare and unknown tags: 1 of "),
        (["input=tags", "smoothing=none"], ""),
    )):  # fmt: skip
        model, target = str(tmp_path / f"m{number}"), tmp_path / f"g{number}"
        words = [word for option in options for word in ("--option", option)]
        assert main(["train", str(tmp_path / "trees.mrg"), model, "--scheme", "tiger", *words]) == 0
        capsys.readouterr()
        assert main(["grammar", model, str(target), "--to", "nltk"]) == 0
        messages = capsys.readouterr().err
        assert (message in messages) if message else not messages
        assert ("'UNK'" in target.read_text(encoding="utf-8")) == bool(message)
        assert main(["grammar", model, "-", "--to", "bitpar"]) == 2
        assert "two files" in capsys.readouterr().err


def test_wrong_input_is_one_line(model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = tmp_path / "text.txt"
    text.write_text("a b\n")
    arcs = ["train", str(tmp_path / "trees.mrg"), str(tmp_path / "arcs"), "--scheme", "tiger"]
    assert main([*arcs, "--option", "parser=arc_factored"]) == 0
    assert main(["parse", str(model), str(tmp_path / "trees.mrg"), str(tmp_path / "o.conllu")]) == 0
    assert "constituents dropped (" in capsys.readouterr().err
    for inputs, message in (
        (["train", str(text), str(tmp_path / "m")], "there are no trees"),
        (["train", str(text), str(tmp_path / "m"), "--option", "parser=x"], "parser: found 'x', expected"),
        (["parse", str(text), str(text), str(tmp_path / "o.mrg")], "found neither a model nor a grammar"),
        (["parse", str(tmp_path / "none"), str(text), str(tmp_path / "o.mrg")], "no such file"),
        (["parse", str(model), str(text), str(text)], "this file is read"),
        (["grammar", str(model), str(model), "--to", "nltk"], "this file is read"),
        (
            ["parse", str(tmp_path / "arcs"), str(text), str(tmp_path / "o.mrg")],
            "there are dependencies but no trees",
        ),
    ):
        assert main(inputs) == 2
        (line,) = capsys.readouterr().err.splitlines()
        assert message in line


def test_the_best_parses_stand_one_after_the_other(tmp_path: Path) -> None:
    (tmp_path / "grammar").write_text("S -> S S [0.4] | 'a' [0.6]\n")
    (tmp_path / "text.txt").write_text("a a a a\nb\n")
    inputs = ["parse", str(tmp_path / "grammar"), str(tmp_path / "text.txt"), str(tmp_path / "out.mrg")]
    assert main([*inputs, "--best", "3", "--scores", str(tmp_path / "scores.csv")]) == 0
    lines = (tmp_path / "out.mrg").read_text().splitlines()
    assert len(set(lines[:3])) == 3
    assert lines[3:] == ["(())"]
    rows = list(csv.DictReader((tmp_path / "scores.csv").read_text().splitlines()))
    assert [(row["sentence"], row["rank"]) for row in rows] == [
        ("1", "1"),
        ("1", "2"),
        ("1", "3"),
        ("2", "1"),
    ]
    # Five trees have the same probability.
    one = 3 * math.log2(0.4) + 4 * math.log2(0.6)
    assert float(rows[2]["log2_best"]) == pytest.approx(one, abs=1e-9)
    assert float(rows[2]["log2_inside"]) == pytest.approx(one + math.log2(5), abs=1e-9)
    assert rows[3]["no_parse"] == "token 1 is not in the grammar"
    assert main([*inputs[:3], str(tmp_path / "out.parquet"), "--best", "2"]) == 0
    assert read(tmp_path / "out.parquet").sentences.analysis.tolist() == [0, 1, 0]
    assert main([*inputs, "--best", "0"]) == 2


def test_messages_count_sentences_and_not_their_parses(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = tmp_path / "two.nbest"
    source.write_text(
        f"2 a\n-1\n{(tree := '(S (A a) (-NONE- *))')}\n-2\n{tree}\n\n2 b\n-1\n{tree}\n-2\n{tree}\n"
    )
    converting = ["convert", str(source), str(tmp_path / "one.nbest"), "--scheme", "ptb"]
    assert main([*converting, "--transform", "delete_empty_elements"]) == 0
    assert ": 4 in 2 sentences (a b)" in capsys.readouterr().err
    assert main(["convert", str(source), str(tmp_path / "one.mrg"), "--scheme", "ptb"]) == 2
    assert "the first of 2 such sentences" in capsys.readouterr().err


def test_help_names_every_option_of_every_parser(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["train", "--help"]) == 0
    message = " ".join(capsys.readouterr().out.split())
    for parser in PARSERS:
        own = message.partition(f"of {parser}: ")[2].partition(";")[0]
        assert all(f"{one.name}=" in own for one in fields(parser_class(parser).options_class))


def test_words_of_discontinuous_trees_are_parsed_without_a_scheme(tmp_path: Path) -> None:
    (tmp_path / "trees.mrg").write_text(TREES, encoding="utf-8")
    crossing = "(S (VP (PROAV 0=darueber) (VVPP 3=gesprochen)) (VAFIN 1=hat) (NE 2=Anna))\n"
    (tmp_path / "words.discbracket").write_text(crossing, encoding="utf-8")
    assert main(["train", str(tmp_path / "trees.mrg"), str(tmp_path / "m")]) == 0
    call = ["parse", str(tmp_path / "m"), str(tmp_path / "words.discbracket"), str(tmp_path / "parsed.mrg")]
    assert main(call) == 0
    assert read(tmp_path / "parsed.mrg").words(0) == ["darueber", "hat", "Anna", "gesprochen"]
