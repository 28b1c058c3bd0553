"""Several studies in one run: they share what they have in common, and a page lists them."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from crossbank.reports.pages.studies import write_index
from crossbank.treebanks.errors import CrossbankError
from crossbank.workflow.commands.doctor import findings
from crossbank.workflow.steps.product import Product
from crossbank.workflow.steps.store import VARIABLE, Store
from tests.workflow.test_study_run import GOLD, POOR, ROOT, STUDY


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Store:
    """Store that steps find."""
    monkeypatch.setenv(VARIABLE, str(tmp_path / "store"))
    return Store(tmp_path / "store")


def files(store: Store) -> list[Path]:
    return sorted(path for path in store.folder.rglob("*") if path.is_file())


def make(path: Path, inputs: list[Path], content: str, digest: str = "d", **options: object) -> bool:
    """Make a product of some inputs; return whether its content was computed."""
    computed = []

    def write(part: Path) -> None:
        computed.append(part)
        part.write_text(content, encoding="utf-8")

    Product(path, inputs, digest, **options).make(write)  # type: ignore[arg-type]
    assert path.read_text(encoding="utf-8") == content
    return bool(computed)


def test_the_same_of_the_same_is_made_once(store: Store, tmp_path: Path) -> None:
    one, other = tmp_path / "one.txt", tmp_path / "other.txt"
    for path in (one, other):
        path.write_text("input", encoding="utf-8")
    assert make(tmp_path / "a/x", [one], "made")
    assert not make(tmp_path / "b/x", [other], "made")
    assert len(files(store)) == 1
    assert store.size() == len("made")


def test_other_content_settings_code_and_names_are_made_anew(store: Store, tmp_path: Path) -> None:
    one = tmp_path / "one.txt"
    one.write_text("input", encoding="utf-8")
    assert make(tmp_path / "a/x", [one], "made")
    assert make(tmp_path / "b/x", [one], "made otherwise", digest="other settings or code")
    assert make(tmp_path / "c/x", [one], "made with a name", names=["one.txt"])
    one.write_text("edited", encoding="utf-8")
    assert make(tmp_path / "d/x", [one], "made of the edited")


def test_a_damaged_file_of_the_store_is_not_used(store: Store, tmp_path: Path) -> None:
    one = tmp_path / "one.txt"
    one.write_text("input", encoding="utf-8")
    make(tmp_path / "a/x", [one], "made")
    (kept,) = files(store)
    kept.write_text("mad", encoding="utf-8")
    assert make(tmp_path / "b/x", [one], "made")
    assert not make(tmp_path / "c/x", [one], "made")


def test_the_half_of_a_killed_run_is_not_used(store: Store, tmp_path: Path) -> None:
    one = tmp_path / "one.txt"
    one.write_text("input", encoding="utf-8")
    make(tmp_path / "a/x", [one], "made")
    (kept,) = files(store)
    kept.rename(kept.with_name(f".{kept.stem}.4711.part"))
    assert make(tmp_path / "b/x", [one], "made")


def test_failures_are_not_stored(store: Store, tmp_path: Path) -> None:
    one = tmp_path / "one.txt"
    one.write_text("input", encoding="utf-8")

    def fail(part: Path) -> None:
        raise CrossbankError("cannot be read")

    Product(tmp_path / "a/x", [one], "d", forgiven=True).make(fail)
    assert files(store) == []


def test_a_store_that_cannot_be_written_costs_nothing_but_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "store").write_text("a file", encoding="utf-8")
    monkeypatch.setenv(VARIABLE, str(tmp_path / "store"))
    one = tmp_path / "one.txt"
    one.write_text("input", encoding="utf-8")
    assert make(tmp_path / "a/x", [one], "made")


def test_doctor_names_the_folder_of_the_store_and_its_size(store: Store, tmp_path: Path) -> None:
    one = tmp_path / "one.txt"
    one.write_text("input", encoding="utf-8")
    make(tmp_path / "a/x", [one], "m" * 200_000)
    (found,) = [finding for finding in findings() if finding.name == "store"]
    assert found.found.startswith(f"{store.folder}: 0.2 MB")


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
    log = (results / "other/logs/convert/t/gold.log").read_text(encoding="utf-8")
    assert "gold.parquet: from the store" in log
    assert "gold.constituents.parquet: from the store" in log
    log = (results / "other/logs/score/t/poor.log").read_text(encoding="utf-8")
    assert "poor.parseval.parquet: from the store" in log
    page = (results / "index.html").read_text(encoding="utf-8")
    rows = re.findall(r"<tr>\n(.*?)</tr>", page, re.S)
    assert [("broken" in row, "small" in row, "The other &lt;study&gt;" in row) for row in rows] == [
        (True, False, False), (False, False, True), (False, True, False)
    ]  # fmt: skip
    assert "<td>not finished</td>" in rows[0]
    assert "<td>finished</td>" in rows[2]
    assert 'href="small/report/index.html"' in rows[2]
    assert re.search(r"<td>1</td>\n<td>2</td>\n<td>Parseval F1: [\d.]+ to 100.00<br>", rows[2])
    # Without a store the same comes out, byte for byte.
    alone = tmp_path / "alone"
    alone.mkdir()
    for name, content in contents.items():
        (alone / name).write_text(content, encoding="utf-8")
    done = crossbank(alone, "study", "o.yaml", "--cores", "2", "--quiet", "all")
    assert done.returncode == 0, done.stdout + done.stderr
    for name in ("summary.csv", "report/index.html", "scores/t/poor.parseval.parquet"):
        assert (alone / "results/other" / name).read_bytes() == (results / "other" / name).read_bytes()
    assert not (alone / "results/.store").exists()


def test_one_name_stands_for_one_study(tmp_path: Path) -> None:
    for name, content in {"gold.mrg": GOLD, "good.mrg": GOLD, "poor.mrg": POOR, "s.yaml": STUDY}.items():
        (tmp_path / name).write_text(content, encoding="utf-8")
    shutil.copy(tmp_path / "s.yaml", tmp_path / "t.yaml")
    done = crossbank(tmp_path, "study", "s.yaml", "t.yaml")
    assert done.returncode == 2
    assert done.stderr == "t.yaml: found the study 'small' of s.yaml again, expected another\n"


def test_a_study_that_was_edited_after_its_report_is_out_of_date(tmp_path: Path) -> None:
    folder = tmp_path / "small"
    (folder / "report").mkdir(parents=True)
    columns = "study,treebank,candidate,metric,measure,value,low,high,n,signature\n"
    (folder / "summary.csv").write_text(columns, encoding="utf-8")
    (folder / "report/index.html").write_text("", encoding="utf-8")
    (folder / "study.yaml").write_text("study: small\ntitle: Small\n", encoding="utf-8")
    os.utime(folder / "study.yaml", (2e9, 2e9))
    (entry,) = write_index(tmp_path)
    assert (entry.title, entry.state) == ("Small", "out of date")
    os.utime(folder / "study.yaml", (1e9, 1e9))
    (entry,) = write_index(tmp_path)
    assert entry.state == "finished"
    (folder / "scores/t").mkdir(parents=True)
    (folder / "scores/t/later.parseval.parquet").write_bytes(b"")
    os.utime(folder / "scores/t/later.parseval.parquet", (2e9, 2e9))
    (entry,) = write_index(tmp_path)
    assert entry.state == "out of date"
