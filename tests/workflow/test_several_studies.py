"""Several studies in one run: they run one after the other, and a page lists them."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from crossbank.reports.pages.studies import write_index
from tests.workflow.test_study_run import GOLD, POOR, ROOT, STUDY, snakemake


def crossbank(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "crossbank", *words]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


@pytest.mark.slow
def test_two_studies_of_one_treebank(tmp_path: Path) -> None:
    other = STUDY.replace("study: small", "study: other\ntitle: The other <study>").replace(
        ", leaf_ancestor", ""
    )
    broken = STUDY.replace("study: small", "study: broken\non_error: stop").replace("poor.mrg", "broken.mrg")
    contents = {"gold.mrg": GOLD, "good.mrg": GOLD, "poor.mrg": POOR, "broken.mrg": "(S (NP"}
    contents |= {"s.yaml": STUDY, "o.yaml": other, "b.yaml": broken}
    for name, content in contents.items():
        (tmp_path / name).write_text(content, encoding="utf-8")
    done = crossbank(tmp_path, "study", "b.yaml", "s.yaml", "o.yaml", "--cores", "2", "--quiet", "all")
    assert done.returncode == 1
    assert "Not finished: b.yaml. The same command goes on." in done.stderr
    results = tmp_path / "results"
    page = (results / "index.html").read_text(encoding="utf-8")
    rows = re.findall(r"<tr>\n(.*?)</tr>", page, re.S)
    assert [("broken" in row, "small" in row, "The other &lt;study&gt;" in row) for row in rows] == [
        (True, False, False), (False, False, True), (False, True, False)
    ]  # fmt: skip
    assert "<td>not finished</td>" in rows[0]
    assert "<td>finished</td>" in rows[2]
    assert 'href="small/report/index.html"' in rows[2]
    assert re.search(r"<td>1</td>\n<td>2</td>\n<td>Parseval F1: [\d.]+ to 100.00<br>", rows[2])


def test_one_name_stands_for_one_study(tmp_path: Path) -> None:
    for name, content in {"gold.mrg": GOLD, "good.mrg": GOLD, "poor.mrg": POOR, "s.yaml": STUDY}.items():
        (tmp_path / name).write_text(content, encoding="utf-8")
    shutil.copy(tmp_path / "s.yaml", tmp_path / "t.yaml")
    done = crossbank(tmp_path, "study", "s.yaml", "t.yaml")
    assert done.returncode == 2
    assert done.stderr == "t.yaml: found the study 'small' of s.yaml again, expected another\n"


def finish_study(folder: Path) -> None:
    """Write the files of a finished study that the page reads."""
    (folder / "report").mkdir(parents=True)
    columns = "study,treebank,candidate,metric,measure,value,low,high,n,signature\n"
    (folder / "summary.csv").write_text(columns, encoding="utf-8")
    (folder / "report/index.html").write_text("", encoding="utf-8")
    (folder / "study.yaml").write_text(f"study: {folder.name}\ntitle: Small\n", encoding="utf-8")


def test_a_study_that_was_edited_after_its_report_is_out_of_date(tmp_path: Path) -> None:
    folder = tmp_path / "small"
    finish_study(folder)
    os.utime(folder / "study.yaml", (2e9, 2e9))
    (entry,) = write_index(tmp_path, "small")
    assert (entry.title, entry.state) == ("Small", "out of date")
    os.utime(folder / "study.yaml", (1e9, 1e9))
    (entry,) = write_index(tmp_path, "small")
    assert entry.state == "finished"
    (folder / "scores/t").mkdir(parents=True)
    (folder / "scores/t/later.parseval.parquet").write_bytes(b"")
    os.utime(folder / "scores/t/later.parseval.parquet", (2e9, 2e9))
    (entry,) = write_index(tmp_path, "small")
    assert entry.state == "out of date"


def test_two_studies_that_end_together_both_write_the_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While the first writes its temporary file, the second ends and writes the page."""
    finish_study(tmp_path / "first")
    write_text = Path.write_text

    def write_after_second(path: Path, text: str, encoding: str) -> int:
        monkeypatch.undo()
        written = write_text(path, text, encoding)
        finish_study(tmp_path / "second")
        assert [entry.name for entry in write_index(tmp_path, "second")] == ["first", "second"]
        return written

    monkeypatch.setattr(Path, "write_text", write_after_second)
    assert [entry.name for entry in write_index(tmp_path, "first")] == ["first", "second"]
    page = (tmp_path / "index.html").read_text(encoding="utf-8")
    assert 'href="first/report/index.html"' in page
    assert 'href="second/report/index.html"' in page
    assert list(tmp_path.glob(".index.*")) == []


def test_the_next_run_overwrites_what_a_killed_one_has_left(tmp_path: Path) -> None:
    finish_study(tmp_path / "small")
    for study in ("small", "other"):
        (tmp_path / f".index.{study}.part").write_text("cut o", encoding="utf-8")
    write_index(tmp_path, "small")
    assert [path.name for path in tmp_path.glob(".index.*")] == [".index.other.part"]
    assert "cut o" not in (tmp_path / "index.html").read_text(encoding="utf-8")


@pytest.mark.slow
def test_a_study_in_another_folder_takes_steps_from_the_cache_of_snakemake(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = tmp_path / "cache"
    cache.mkdir()
    monkeypatch.setenv("SNAKEMAKE_OUTPUT_CACHE", str(cache))
    counts = []
    for name in ("small", "other"):
        folder = tmp_path / name
        folder.mkdir()
        contents = {"gold.mrg": GOLD, "good.mrg": GOLD, "poor.mrg": POOR}
        contents["s.yaml"] = STUDY.replace("study: small", f"study: {name}")
        for file, content in contents.items():
            (folder / file).write_text(content, encoding="utf-8")
        steps = ("--cache", "read", "constituents", "score", "--until", "score")
        done = snakemake(folder, "--configfile", "s.yaml", *steps)
        assert done.returncode == 0, done.stdout + done.stderr
        (scored,) = (folder / "results" / name / "scores" / "t").glob("*.parseval.parquet")
        counts.append(scored.resolve())
    assert counts[0] == counts[1]
    assert counts[0].parent == cache
