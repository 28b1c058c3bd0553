"""Files that have no name which tells anything: pipes, standard input and names without an ending."""

from __future__ import annotations

import gzip
import os
import subprocess
import sys
from pathlib import Path

import pytest

import crossbank
from crossbank.treebanks.errors import CrossbankError, FormatError
from crossbank.treebanks.formats import format_to_read, read, write
from crossbank.workflow.commands.cli import main
from tests.errors import raises

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
GOLD, ALPHA, BETA = (EXAMPLES / f"tiger.{name}" for name in ("export", "alpha.mrg", "beta.mrg"))


def called(command: str) -> subprocess.CompletedProcess[bytes]:
    """Return what a line of bash prints, with ``python -m crossbank`` as the function ``crossbank``."""
    line = f'crossbank() {{ "{sys.executable}" -m crossbank "$@"; }}\n{command}'
    return subprocess.run(
        ["bash", "-c", line],
        cwd=EXAMPLES,
        capture_output=True,
        check=False,
        env={**os.environ, "NO_COLOR": "1"},
    )


@pytest.mark.parametrize(
    ("piped", "plain"),
    [
        ("cat tiger.alpha.mrg | crossbank score tiger.export - --scheme tiger", ""),
        ("crossbank score <(cat tiger.export) <(gzip -c tiger.alpha.mrg) --scheme tiger", ""),
        ("cat tiger.export | crossbank info -", "crossbank info tiger.export"),
        ("cat ud.conllu | crossbank info - --check", "crossbank info ud.conllu --check"),
        ("crossbank find NP <(cat tiger.export)", "crossbank find NP tiger.export"),
        ("cat tiger.export | crossbank view - --sentence 3", "crossbank view tiger.export --sentence 3"),
        (
            "crossbank score tiger.alpha.mrg <(cat tiger.beta.mrg) --mode evalb",
            "crossbank score tiger.alpha.mrg tiger.beta.mrg --mode evalb",
        ),
        (
            "crossbank score <(cat tuebadz.export) <(cat tuebadz.export) --mode discodop",
            "crossbank score tuebadz.export tuebadz.export --mode discodop",
        ),
        (
            "cat tiger.export | crossbank convert - - --to export",
            "crossbank convert tiger.export /dev/stdout --to export",
        ),
    ],
)
def test_a_pipe_is_read_as_a_file(piped: str, plain: str) -> None:
    completed = called(piped)
    expected = called(plain or "crossbank score tiger.export tiger.alpha.mrg --scheme tiger")
    assert completed.returncode == expected.returncode, completed.stderr.decode()
    assert completed.stdout == expected.stdout != b""


@pytest.mark.slow
def test_pipes_are_compared() -> None:
    completed = called(
        "cat tiger.beta.mrg | crossbank compare tiger.export <(cat tiger.alpha.mrg) - --scheme tiger"
    )
    plain = called("crossbank compare tiger.export tiger.alpha.mrg tiger.beta.mrg --scheme tiger")
    rows = [
        [row.split(b"|")[-2] for row in printed.stdout.splitlines() if row.startswith(b"| tiger ")]
        for printed in (completed, plain)
    ]
    assert rows[0] == rows[1] != []
    gold = called("cat tiger.export | crossbank compare - tiger.alpha.mrg --scheme tiger")
    assert b"| standard_input | tiger_alpha |" in gold.stdout, gold.stderr.decode()


def test_standard_input_is_one_file(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", "-", "-"]) == 2
    assert "'-' is standard input, which can be one file only" in capsys.readouterr().err


def test_what_is_no_text_is_not_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["convert", str(GOLD), "-", "--to", "parquet"]) == 2
    assert "the format parquet is not text" in capsys.readouterr().err


FIRST_LINES = {
    "bracket": "(S (N a))\n",
    "discbracket": "(S (N 0=a) (V 1=b))\n",
    "exportxml": '<?xml version="1.0" encoding="UTF-8"?>\n<!-- x -->\n<exportxml version="2">\n',
    "alpino": '<?xml version="1.0"?>\n<treebank>\n<alpino_ds version="1.3">\n',
    "tigerxml": '<?xml version="1.0"?>\n<corpus id="x">\n',
    "conllu": "1\ta\ta\tNOUN\tNN\t_\t0\troot\t_\t_\n",
    "conllx": "1\ta\ta\tN\tNN\t_\t0\tROOT\t_\t_\n",
    "parg": '<s id="wsj_0001.1"> 17\n',
    "candc": "# this file was generated\n\nWhat_1 S[wq]/(S[dcl]\\NP) 1 is_2\n",
    "langpro": ":- multifile ccg/2.\nccg(1, ba(s:dcl\n",
    "xle": "% -*- coding: utf-8 -*-\n\nfstructure('a',\n",
    "triples": "sentence(\nid(wsj_1)\n",
    "nbest": "2\twsj.1\n-12.5\n(S1 (N a))\n",
    "rasp": "%LB (\n%RB )\n",
}


@pytest.mark.parametrize("format", FIRST_LINES)
def test_first_lines_tell_the_format_where_the_name_does_not(format: str, tmp_path: Path) -> None:
    file = tmp_path / "eus.test"
    file.write_text(FIRST_LINES[format], encoding="utf-8")
    assert format_to_read(file) == format


@pytest.mark.parametrize(
    ("file", "format"),
    [
        ("tuebadz-masked/exportxml-example.xml", "exportxml"),
        ("tuebadz-masked/test.negra", "export"),
        ("tiger-pcc/syntax/maz-00001.xml", "tigerxml"),
        ("conll18/HIT-SCIR-18/de_gsd.conllu", "conllu"),
        ("wsj-sample/trees/wsj_0001.mrg", "bracket"),
        ("farpahc/parsers/e1/output/far_split0machineparsed.psd", "bracket"),
        ("icepahc/psd/1275.morkin.nar-his.psd", "bracket"),
        ("ccg-geometry/geo-dev.auto", "auto"),
        ("ccg-geometry/geo-dev.gold_deps", "candc"),
        ("langpro-ccg/ccg_sen_d_SICK_trial_ccg.pl", "langpro"),
        ("cgel/ewt.cgel", "cgel"),
        ("rasp3/teval/suste-trees-susanne", "rasp"),
        ("xle-fstructures/mrs/nb/1.pl", "xle"),
    ],
)
def test_real_files_are_recognised_under_any_name(
    shared_data: Path, tmp_path: Path, file: str, format: str
) -> None:
    (tmp_path / "data").symlink_to(shared_data / file)
    assert format_to_read(tmp_path / "data") == format
    assert format_to_read(shared_data / file) == format


@pytest.mark.parametrize(("name", "format"), [("a.xml", "exportxml"), ("a.pl", "xle"), ("a.mrg", "bracket")])
def test_a_name_of_several_formats_does_not_decide(name: str, format: str, tmp_path: Path) -> None:
    file = tmp_path / name
    file.write_text(FIRST_LINES["exportxml" if name == "a.mrg" else format], encoding="utf-8")
    assert format_to_read(file) == format


def test_a_name_that_tells_no_format_is_not_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.mrg").write_text(FIRST_LINES["bracket"], encoding="utf-8")
    assert main(["train", "a.mrg", "model"]) == 0
    capsys.readouterr()
    calls = (["convert", "a.mrg"], ["parse", "model", "a.mrg"], ["consensus", "a.mrg", "a.mrg", "a.mrg"])
    for command, *read_by in calls:
        for target in ("out.nosuch", "out", "out.trees.gz", "-"):
            assert main([command, *read_by, target]) == 2
            messages = capsys.readouterr()
            assert messages.err.startswith(
                f"{target}: its suffix is that of no format; use one of .mrg, .discbracket, "
            )
            assert messages.err.endswith(", .txt, .parquet, or name a format (--to)\n")
            assert not messages.out
            assert not Path(target).exists()
        assert main([command, *read_by, "out.nosuch", "--to", "bracket"]) == 0
        assert len(read("out.nosuch")) == 1
        Path("out.nosuch").unlink()
        capsys.readouterr()
    bank = read("a.mrg")
    with pytest.raises(CrossbankError, match=r"^out\.nosuch: .*\.mrg, .*\(format=\)$"):
        crossbank.write(bank, "out.nosuch")
    with open("out.nosuch", "w") as file, pytest.raises(CrossbankError, match=r"^out\.nosuch: .*\.mrg, "):
        crossbank.dump(bank, file)


def test_the_option_is_named_that_the_command_has(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "a.test"
    file.write_text("no trees\n", encoding="utf-8")
    for words, option in ((["info"], "--format"), (["convert", "b.mrg"], "--from"), (["info"], "--format")):
        assert main([words[0], str(file), *words[1:]]) == 2
        assert capsys.readouterr().err.endswith(f"({option})\n")


def test_columns_of_any_name_are_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("eus.test", "wsj_0001.prd"):
        (tmp_path / name).write_bytes(gzip.compress((EXAMPLES / "ud.conllu").read_bytes()))
        assert len(read(tmp_path / name)) == len(read(EXAMPLES / "ud.conllu"))
    write(read(EXAMPLES / "ud.conllu"), tmp_path / "x.conllx")
    assert (
        main(["score", str(EXAMPLES / "ud.conllu"), str(tmp_path / "eus.test"), "--metric", "dependencies"])
        == 0
    )


def test_text_is_no_treebank(tmp_path: Path) -> None:
    (tmp_path / "words").write_text("Berry got elected.\n", encoding="utf-8")
    with raises(FormatError, actual="'Berry got elected.'"):
        read(tmp_path / "words")


def test_latin_1_is_offered_by_its_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "old.export"
    file.write_bytes(GOLD.read_text(encoding="utf-8").replace("\u2013", "-").encode("latin-1", "replace"))
    assert main(["info", str(file)]) == 2
    assert "try --encoding latin-1)" in capsys.readouterr().err
    assert main(["info", str(file), "--encoding", "latin-1"]) == 0
