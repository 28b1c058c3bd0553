"""Progress of long work: nothing unless somebody watches, one line of the terminal, clear in the end."""

import io
import time
from pathlib import Path

import pytest

from crossbank.treebanks import progress, ranges
from crossbank.treebanks.files import open_binary
from crossbank.treebanks.formats import bracket, read, write
from crossbank.treebanks.progress import CLEAR, WatchOfWork, duration, watched
from crossbank.treebanks.ranges import Work, each, in_ranges, work

SENTENCES = 30_000


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything is shown at once."""
    monkeypatch.setattr(progress, "PATIENCE", 0.0)
    monkeypatch.setattr(progress, "INTERVAL", 0.001)


def watch_of(*works: tuple[str, int, int, str], seconds: float = 10) -> tuple[WatchOfWork, float]:
    """Return a watch over works inside each other: what, done, total and unit of each; and the time now."""
    watch = WatchOfWork(io.StringIO())
    now = time.monotonic()
    for what, done, total, unit in works:
        begun = Work(what, total, unit)
        begun.began, begun.done = now - seconds, done
        watch.begin(begun)
    return watch, now


def test_the_line_has_a_bar_the_rate_and_the_time_left() -> None:
    watch, now = watch_of(("reading gold.mrg", 5_000_000, 20_000_000, "bytes"))
    assert watch.line(now) == "reading gold.mrg  [#####...............]  25 %  0.5 MB/s  30 s left"
    assert watch.line(now + 4).endswith("26 s left")
    watch, now = watch_of(("resampling", 300, 400, "resamples"))
    assert watch.line(now) == "resampling  [###############.....]  75 %  30 resamples/s  3 s left"


def test_the_parts_of_a_part_count() -> None:
    watch, now = watch_of(
        ("training pcfg", 0, 1, ""), ("training", 2, 4, "rounds"), ("", 500, 1000, "sentences")
    )
    assert watch.line(now).startswith("training pcfg: training  [############........]  62 %  50 sentences/s")
    watch, now = watch_of(("training pcfg", 0, 1, ""), ("training", 2, 4, "rounds"))
    assert (
        watch.line(now) == "training pcfg: training  [##########..........]  50 %  2 of 4 rounds  10 s left"
    )


def test_the_bar_never_goes_back() -> None:
    watch, now = watch_of(("scoring", 0, 2, "metrics"), ("", 900, 1000, "sentences"))
    assert " 45 %" in watch.line(now)
    watch.active[1].done = 10
    assert " 45 %" in watch.line(now)
    watch.active[0].done = 1
    assert " 50 %" in watch.line(now)


def test_work_of_unknown_size_shows_how_long_it_lasts() -> None:
    watch, now = watch_of(("writing out.xml", 0, 0, ""), seconds=75)
    assert watch.line(now) == "writing out.xml  1:15"


@pytest.mark.parametrize(
    ("seconds", "message"), [(0.4, "0 s"), (59.6, "1:00"), (61, "1:01"), (3723, "1:02:03")]
)
def test_durations(seconds: float, message: str) -> None:
    assert duration(seconds) == message


@pytest.mark.parametrize(
    ("text", "columns", "message"),
    [
        ("reading a.mrg", 20, "reading a.mrg"),
        ("reading a.mrg", 9, "reading a"),
        ("日本語.mrg", 5, "日本"),
        ("e\u0301e\u0301e\u0301", 2, "e\u0301e\u0301"),
        ("a\nb\x1bc\udcff", 9, "a?b?c?"),
    ],
)
def test_the_line_fits_the_terminal(text: str, columns: int, message: str) -> None:
    assert progress.cut(text, columns) == message


def test_nobody_watches_and_nothing_is_written(capsys: pytest.CaptureFixture[str]) -> None:
    with work("reading", 10) as begun:
        begun.add(3)
    assert list(each(range(3), "resampling", "resamples")) == [0, 1, 2]
    in_ranges(lambda first, last: None, SENTENCES)
    assert capsys.readouterr() == ("", "")


def test_short_work_is_not_shown() -> None:
    watch, now = watch_of(("reading", 3, 10, "bytes"), seconds=progress.PATIENCE - 0.01)
    assert watch.line(now) == ""
    assert watch.line(now + 0.02).startswith("reading")


def wait_until_shown(text: str, stream: io.StringIO) -> None:
    """Wait for the thread that writes the line, which has its turn late on a busy machine."""
    latest = time.monotonic() + 600
    while text not in stream.getvalue() and time.monotonic() < latest:
        time.sleep(0.01)


@pytest.mark.usefixtures("impatient")
def test_the_line_is_cleared_when_work_ends() -> None:
    stream = io.StringIO()
    with watched(stream):
        for number in each(range(3), lambda index: f"file {index}", "files"):
            wait_until_shown(f"file {number}", stream)
        written = stream.getvalue()
        assert written.endswith(CLEAR)
        assert all(f"{CLEAR}file {index}" in written for index in range(3))
        time.sleep(0.02)
        assert stream.getvalue() == written


@pytest.mark.usefixtures("impatient")
def test_the_line_is_cleared_after_an_interrupt() -> None:
    stream = io.StringIO()

    def interrupted() -> None:
        for _ in each(range(3), "resampling", "resamples"):
            wait_until_shown("resampling", stream)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), watched(stream):
        interrupted()
    assert "resampling" in stream.getvalue()
    assert stream.getvalue().endswith(CLEAR)
    assert not ranges.is_watched()


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("smallest", [1, 2000, SENTENCES + 1])
def test_watched_loops_do_every_sentence_once(smallest: int) -> None:
    seen = [0] * SENTENCES

    def loop(first: int, last: int) -> None:
        for sentence in range(first, last):
            seen[sentence] += 1

    with watched(io.StringIO()):
        in_ranges(loop, SENTENCES, smallest)
    assert seen == [1] * SENTENCES


@pytest.mark.usefixtures("impatient")
def test_watched_files_read_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    from crossbank.treebanks.scanners import scanned_chunks

    text = "".join(
        f"(S (NP (DT the) (NN w{i % 97})) (VP (VBD x) (PP (IN of) (NP (NN y{i % 5})))))\n"
        for i in range(9000)
    )
    alone = bracket.loads(text)
    monkeypatch.setattr(scanned_chunks, "WATCHED", 10_000)
    with watched(io.StringIO()):
        together = bracket.loads(text)
    assert together.equals(alone)


@pytest.mark.usefixtures("impatient")
def test_a_file_tells_how_much_of_it_was_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, content = tmp_path / "a.export", b"x" * (4 * io.DEFAULT_BUFFER_SIZE)
    path.write_bytes(content)
    watch = WatchOfWork(io.StringIO())
    monkeypatch.setattr(ranges, "_watch", watch)
    with open_binary(path) as file:
        first = file.read(10)
        assert "[#####...............]  25 %" in watch.line(time.monotonic())
        assert first + file.read() == content
        assert " 100 %" in watch.line(time.monotonic())
    assert watch.active == []


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("name", ["a.export", "a.xml", "a.export.gz"])
def test_files_that_are_read_in_order_read_the_same(name: str, tmp_path: Path) -> None:
    bank = read(Path(__file__).resolve().parents[2] / "examples" / "tiger.export")
    write(bank, tmp_path / name)
    alone = read(tmp_path / name)
    with watched(io.StringIO()):
        assert read(tmp_path / name).equals(alone)


def test_an_interrupt_ends_the_loop_after_the_chunk_that_runs() -> None:
    done = []

    def loop(first: int, last: int) -> None:
        done.append(first)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), watched(io.StringIO()):
        in_ranges(loop, SENTENCES, 1)
    assert len(done) < 16
