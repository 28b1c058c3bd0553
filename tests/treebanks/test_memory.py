"""Memory is asked for before it is taken: sizes as people write them, one line where it is too little."""

from pathlib import Path

import pytest

from crossbank.treebanks import memory
from crossbank.treebanks.errors import OptionError
from crossbank.treebanks.memory import MEMORY, MemoryLimitError, format_size, limit, require, size_of
from crossbank.workflow.commands.cli import main
from tests.errors import raises


@pytest.fixture(autouse=True)
def _no_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(MEMORY, "")


@pytest.mark.parametrize(
    ("written", "size"), [("4G", 4 << 30), ("500M", 500 << 20), ("1.5k", 1536), ("7", 7), ("2 GiB", 0)]
)
def test_sizes(written: str, size: int) -> None:
    if size:
        assert size_of(written) == size
        return
    with raises(OptionError, kind="memory", value="2 GiB", allowed="a size such as 500M or 4G"):
        size_of(written)


def test_the_limit_is_the_lowest_that_is_known(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(memory, "CONTROL_GROUP", tmp_path)
    machine = limit()
    assert machine is not None
    assert machine > 1 << 28
    (tmp_path / "memory.max").write_text("max\n")
    assert limit() == machine
    (tmp_path / "memory.max").write_text("1000000\n")
    assert limit() == 1000000
    monkeypatch.setenv(MEMORY, "3M")
    assert limit() == 3 << 20
    require(3 << 20, "x", "nothing")
    with raises(MemoryLimitError, where="x", what="a pair", size=4194304, limit=3145728):
        require(4 << 20, "x", "a pair")
    assert format_size(5) == "5 bytes"


def trees(words: int, label: str) -> str:
    return f"(S {' '.join(f'({label} w{index})' for index in range(words))})\n"


def columns(words: int, relation: str) -> str:
    lines = (
        f"{n}\tw\t_\tX\t_\t_\t{n - 1}\t{relation if n > 1 else 'root'}\t_\t_\n" for n in range(1, words + 1)
    )
    return "".join(lines) + "\n"


@pytest.mark.parametrize(
    ("metric", "suffix", "words", "limit", "message"),
    [
        ("tree_distance", "mrg", 200_000, None, "two trees with 40,00"),
        ("tree_distance", "mrg", 3_000, "100M", "at most 100.0 MB may be used (--memory sets the limit)"),
        ("dependency_distance", "conllu", 100_000, None, "pairs of edits to compare needs 158"),
        (
            "dependency_distance",
            "conllu",
            3_000,
            "100M",
            "at most 100.0 MB may be used (--memory sets the limit)",
        ),
    ],
)
def test_a_sentence_that_is_too_long_is_said_in_one_line(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    metric: str,
    suffix: str,
    words: int,
    limit: str | None,
    message: str,
) -> None:
    files = [tmp_path / f"{side}.{suffix}" for side in ("gold", "candidate")]
    for file, name in zip(files, ("A", "B"), strict=True):
        text = columns(words, name) if suffix == "conllu" else trees(words, name)
        file.write_text(text.replace("(S", "(S (T", 1).replace("w1)", "w1))", 1) if name == "B" else text)
    options = ["--memory", limit] if limit else []
    assert main(["score", *map(str, files), "--metric", metric, *options]) == 2
    error = capsys.readouterr().err.strip()
    assert message in error
    assert "\n" not in error


def test_a_size_that_is_none(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list", "formats", "--memory", "much"]) == 2
    assert capsys.readouterr().err == "memory: found 'much', expected a size such as 500M or 4G\n"


def peak_of(*words: str) -> tuple[int, str, int]:
    """Run a command; return its exit code, its messages and the most memory that it took, in bytes."""
    import subprocess
    import sys

    program = (
        "import sys; from crossbank.workflow.commands.cli import main; code = main(sys.argv[1:]);"
        "status = open('/proc/self/status').read(); print(code, status.partition('VmHWM:')[2].split()[0])"
    )
    completed = subprocess.run(
        [sys.executable, "-c", program, *words], capture_output=True, text=True, check=False
    )
    code, peak = completed.stdout.split()[-2:]
    return int(code), completed.stderr, int(peak) << 10


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the system has no such limit")
@pytest.mark.parametrize(
    ("name", "unit"),
    [
        ("x.mrg.gz", b"(S (A x))\n"),
        ("x.mrg.gz", b"a"),
        ("x.txt.gz", b"a "),
        ("x.conllu.gz", b"a"),
        ("x.gr.gz", b"a"),
        ("x.txt", b"a "),
    ],
)
@pytest.mark.parametrize("command", [("info",), ("convert", "--to", "parquet")])
def test_a_file_takes_no_more_memory_than_it_may(
    name: str, unit: bytes, command: tuple[str, ...], tmp_path: Path
) -> None:
    import gzip

    path = tmp_path / name
    content = unit * ((200_000_000 if name.endswith(".gz") else 8_000_000) // len(unit))
    path.write_bytes(gzip.compress(content, 1) if name.endswith(".gz") else content)
    verb, *options = command
    further = [str(tmp_path / "out"), *options] if verb == "convert" else []
    code, messages, peak = peak_of(verb, str(path), *further, "--memory", "60M")
    assert code == 2
    assert messages.count("\n") == 1
    assert "--memory" in messages
    assert peak < 220 << 20


def test_memory_that_runs_out_is_one_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    def allocate(*_: object, **__: object) -> None:
        raise MemoryError

    (tmp_path / "x.mrg").write_text("(S (A x))\n", encoding="utf-8")
    monkeypatch.setattr("crossbank.treebanks.formats.bracket.load", allocate)
    assert main(["info", str(tmp_path / "x.mrg")]) == 2
    assert capsys.readouterr().err.startswith("this work needs more memory than there is")
