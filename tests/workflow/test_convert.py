"""Convert trees to a format that cannot hold them: a hint names what helps, ``--resolve`` does it."""

import shlex
from pathlib import Path

import pytest

from crossbank.treebanks.errors import ConversionError
from crossbank.treebanks.formats import read
from crossbank.workflow.commands.cli import main
from tests.errors import raises, run_failing

ROOT = Path(__file__).resolve().parents[2]
TIGER = str(ROOT / "examples" / "tiger.export")


@pytest.fixture
def corpus(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    """Return a corpus in TIGER-XML with crossing branches and loose punctuation, in a folder with a space."""
    folder = tmp_path / "my data"
    folder.mkdir()
    assert main(["convert", TIGER, str(folder / "corpus.xml"), "--to", "tigerxml"]) == 0
    assert capsys.readouterr().err == ""
    return folder / "corpus.xml"


@pytest.mark.parametrize(
    ("format", "further", "words"),
    [
        ("bracket", ["--scheme", "tiger"], "virtual_root raise_crossing attach_punctuation"),
        ("bracket", [], "virtual_root raise_crossing attach_punctuation"),
        ("cgel", [], "virtual_root raise_crossing attach_punctuation"),
        (
            "bracket",
            ["--scheme", "tiger", "--transform", "raise_crossing"],
            "virtual_root attach_punctuation",
        ),
    ],
)
def test_the_command_that_works_is_told(
    corpus: Path, format: str, further: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    target = corpus.with_name("out.trees")
    assert main(["convert", str(corpus), str(target), "--to", format, *further]) == 2
    messages = capsys.readouterr().err
    assert messages.count("\n") == 1
    assert not target.exists()
    command = shlex.split(messages.partition("to convert it: ")[2].partition(" (or add")[0])
    assert command[:4] == ["crossbank", "convert", str(corpus), str(target)]
    assert shlex.join(command).endswith("".join(f" --transform {word}" for word in words.split()))
    assert "--scheme tiger" in " ".join(command)
    assert main(command[1:]) == 0
    assert len(read(target, format)) == 120


def test_the_error_says_where_and_how_often(corpus: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["convert", str(corpus), str(corpus.with_name("out.mrg"))]) == 2
    messages = capsys.readouterr().err
    assert messages.startswith(
        f"{corpus}:172: sentence 2, the first of 51 such sentences: found a discontinuous "
    )


def test_resolve_does_it_and_says_what_it_did(corpus: Path, capsys: pytest.CaptureFixture[str]) -> None:
    resolved, by_hand = corpus.with_name("a.mrg"), corpus.with_name("b.mrg")
    table = corpus.with_name("changes.csv")
    assert main(["convert", str(corpus), str(resolved), "--resolve", "--diagnosis", str(table)]) == 0
    messages = capsys.readouterr().err.splitlines()
    assert messages[:2] == [
        "--resolve: virtual_root raise_crossing attach_punctuation",
        "--scheme tiger: recognised (100 % of gold's categories are in its list)",
    ]
    assert "virtual_root: virtual roots added: 120 in 120 sentences (1 2 3 ...)" in messages
    assert "raise_crossing: children raised: 32 in 24 sentences (2 3 9 ...)" in messages
    assert "attach_punctuation: punctuation moved: 45 in 36 sentences (9 10 15 ...)" in messages
    assert messages[-1] == (
        "bracket: 6 secondary edges dropped, 1,051 lemmas dropped, 120 identifiers dropped, "
        "120 comments dropped (export, tigerxml, parquet can hold everything)"
    )
    assert f"bracket,secondary edges dropped,{corpus}," in table.read_text(encoding="utf-8")
    call = ["convert", str(corpus), str(by_hand), "--scheme", "tiger"]
    steps = ["--transform=virtual_root", "--transform=raise_crossing", "--transform=attach_punctuation"]
    assert main([*call, *steps]) == 0
    assert resolved.read_text(encoding="utf-8") == by_hand.read_text(encoding="utf-8")


def test_resolve_without_a_scheme_splits_nodes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source, target = tmp_path / "a.dbr", tmp_path / "a.mrg"
    source.write_text("(QQ (XX (AA 0=a) (CC 2=c)) (BB 1=b))\n", encoding="utf-8")
    with raises(ConversionError, f"crossbank convert {source} {target} --transform split_crossing"):
        run_failing(["convert", str(source), str(target)])
    assert main(["convert", str(source), str(target), "--resolve"]) == 0
    assert "--resolve: split_crossing" in capsys.readouterr().err
    assert target.read_text(encoding="utf-8").count("XX*") == 2


def test_resolve_makes_dependencies_of_trees(corpus: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = corpus.with_name("out.conllu")
    assert main(["convert", str(corpus), str(target)]) == 0
    messages = capsys.readouterr().err
    assert "conllu: 524 constituents dropped" in messages
    assert "with --scheme NAME --transform dependencies turns constituents and functions into dep" in messages
    assert main(["convert", str(corpus), str(target), "--resolve"]) == 0
    assert "constituents" not in capsys.readouterr().err
    assert read(target).has_dependencies


def test_what_no_transformation_removes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "a.xml"
    terminals = '<terminals><t id="s1_1" word="" pos="X"/></terminals>'
    nt = '<nonterminals><nt id="s1_500" cat="S"><edge idref="s1_1" label="--"/></nt></nonterminals>'
    graph = f'<graph root="s1_500">{terminals}{nt}</graph>'
    source.write_text(f'<corpus><body><s id="s1">{graph}</s></body></corpus>', encoding="utf-8")
    for further in ([], ["--resolve"]):
        assert main(["convert", str(source), str(tmp_path / "a.mrg"), *further]) == 2
        messages = capsys.readouterr().err
        assert messages.count("\n") == 1
        assert (
            "found a word without letters, expected every word to have a form to write as bracket" in messages
        )
        assert "tigerxml" in messages.partition("; ")[2]


def test_dependencies_alone_have_formats(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "a.conllu"
    source.write_text("1\ta\t_\tX\t_\t_\t0\troot\t_\t_\n\n", encoding="utf-8")
    assert main(["convert", str(source), str(tmp_path / "a.mrg"), "--resolve"]) == 2
    assert "; write one of conllx, conllu, parquet" in capsys.readouterr().err


def test_secondary_edges_have_a_hint(corpus: Path, capsys: pytest.CaptureFixture[str]) -> None:
    call = ["convert", str(corpus), str(corpus.with_name("out.conllu")), "--scheme", "tiger"]
    assert main(call) == 0
    messages = capsys.readouterr().err.splitlines()[-1]
    assert messages.startswith("conllu: 6 secondary edges dropped (parquet can hold everything; --transform ")
    written = messages.partition("--transform ")[2].split()[0]
    assert main([*call, "--transform", "insert_flat_phrases", "--transform", written]) == 0
    assert "dropped" not in capsys.readouterr().err
    assert read(call[2]).tokens.deps.any()


def test_several_analyses_have_a_hint(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source, target = tmp_path / "a.nbest", tmp_path / "a.mrg"
    source.write_text("2 1\n-1\n(S (N a))\n-2\n(S (X (N a)))\n", encoding="utf-8")
    assert main(["convert", str(source), str(target)]) == 2
    messages = capsys.readouterr().err
    assert "found several analyses of a sentence, expected one analysis for each sentence" in messages
    assert "--transform chosen_analyses (" in messages
    assert main(["convert", str(source), str(target), "--resolve"]) == 0
    assert target.read_text(encoding="utf-8") == "(S (N a))\n"


def test_nodes_without_rules_have_a_hint(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source, target = tmp_path / "a.auto", tmp_path / "a.pl"
    tree = r"(<T S[dcl] 1 2> (<T NP 0 1> (<L N NNP NNP Anna N>)) (<L S[dcl]\NP VBZ VBZ sleeps S[dcl]\NP>) )"
    source.write_text(f"ID=anna.1 PARSER=GOLD NUMPARSE=1\n{tree}\n", encoding="utf-8")
    assert main(["convert", str(source), str(target)]) == 2
    messages = capsys.readouterr().err
    assert "found a node that does not name its rule, expected the rule at each node" in messages
    assert "--transform ccg_heads (" in messages
    assert main(["convert", str(source), str(target), "--resolve"]) == 0
    assert target.is_file()


def test_help_says_what_a_format_has_no_place_for(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["help", "bracket"]) == 0
    message = " ".join(capsys.readouterr().out.split())
    assert "It cannot hold words without letters, discontinuous constituents, several roots, " in message
    assert "Dropped when written: secondary edges, dependencies," in message
    assert main(["help", "parquet"]) == 0
    assert "Left out" not in capsys.readouterr().out


def test_one_thing_that_is_lost_is_told_in_the_singular(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.mrg").write_text("(S (A New York))\n", encoding="utf-8")
    assert main(["convert", str(tmp_path / "a.mrg"), str(tmp_path / "a.txt")]) == 0
    lost = "1 word with spaces written as several, 1 constituent dropped, 1 tag dropped ("
    assert f"text: {lost}" in capsys.readouterr().err
