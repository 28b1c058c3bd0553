"""What the page does in a browser: sorting, copying, saying what a number is; and what it is on paper."""

from __future__ import annotations

import html
import json
import re
import shutil
import subprocess
import tarfile
from pathlib import Path
from typing import Any

import pytest

from crossbank.workflow.steps.here import run_here, study_content
from tests.programs import BROWSER, NEEDS_BROWSER, require_program

ROOT = Path(__file__).resolve().parents[2]
QUIET = ["--disable-gpu", "--no-sandbox", "--no-first-run", "--disable-background-networking"]

pytestmark = NEEDS_BROWSER

TRIED = """
const table = document.querySelector("#comparison table"), f1 = [...table.tHead.rows].at(-1).cells[%d];
const first = () => text(table.tBodies[0].rows[0].cells[1]), tried = {};
tried.headings = content(table)[0];
f1.querySelector("button").click();
tried.down = [f1.getAttribute("aria-sort"), first()];
f1.querySelector("button").click();
tried.up = [f1.getAttribute("aria-sort"), first()];
tried.csv = FORMS.CSV(content(table));
tried.markdown = FORMS.Markdown(content(table));
tried.latex = FORMS.LaTeX(content(table));
tried.escaped = latex("a_b & 50 %% \\\\ {x} ^ ~");
tried.about = about(table.tBodies[0].rows[0].cells[%d]);
tried.current = document.querySelector("nav a[aria-current]").textContent;
tried.tops = ["statements", "figure-errors-tiger"].map(
  key => document.getElementById(key).getBoundingClientRect().top);
tried.wide = table.parentElement.scrollWidth - table.parentElement.clientWidth;
document.body.append(make("pre", JSON.stringify(tried), {id: "tried"}));
"""
F1 = 8


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("page")
    files = [str(ROOT / "examples" / f"tiger.{name}") for name in ("export", "alpha.mrg", "beta.mrg")]
    metrics = ["parseval", "leaf_ancestor", "dependencies"]
    content = study_content(files[0], files[1:], metrics, {"labels": "no"}, scheme="tiger")
    run_here({**content, "bootstrap": {"samples": 20}}, folder)
    return folder / "report"


@pytest.fixture(scope="module")
def tried(report: Path) -> dict[str, Any]:
    """Return what the page's functions give, tried in a browser."""
    page = (report / "index.html").read_text(encoding="utf-8")
    script = TRIED % (F1, F1)
    changed = report / "tried.html"
    changed.write_text(page.replace("</body>", f"<script>{script}</script></body>"), encoding="utf-8")
    call = [
        BROWSER,
        "--headless",
        *QUIET,
        f"--user-data-dir={report / 'profile'}",
        "--window-size=1400,900",
    ]
    done = subprocess.run(
        [*call, "--dump-dom", changed.as_uri()], capture_output=True, text=True, timeout=600, check=True
    )
    match = re.search(r'<pre id="tried">(.*?)</pre>', done.stdout, re.S)
    assert match, done.stderr
    result: dict[str, Any] = json.loads(html.unescape(match.group(1)))
    return result


def test_a_click_on_a_heading_sorts_and_another_turns(tried: dict[str, Any]) -> None:
    assert tried["headings"][F1] == "Parseval F1"
    assert tried["down"] == ["descending", "tiger_beta"]
    assert tried["up"] == ["ascending", "tiger_alpha"]


def test_tables_are_copied_without_intervals_and_notes(tried: dict[str, Any]) -> None:
    headings, *rows = (line.split(",") for line in tried["csv"].splitlines())
    assert headings[:2] == ["Treebank", "Candidate"]
    assert len(rows) == 2
    assert all(re.fullmatch(r"\d+\.\d+", value) for row in rows for value in row[2:])
    assert tried["markdown"].splitlines()[1].startswith("| --- | ---")
    assert tried["latex"].startswith(r"\begin{tabular}{llrrr")
    assert tried["escaped"] == r"a\_b \& 50 \% \textbackslash{} \{x\} \textasciicircum{} \textasciitilde{}"


def test_a_number_says_what_it_is(tried: dict[str, Any]) -> None:
    lines = tried["about"].splitlines()
    assert re.fullmatch(r"tiger, tiger_alpha: Parseval F1 \d\d\.\d\d", lines[0])
    assert lines[1] == "harmonic mean of precision and recall; 120 sentences"
    assert lines[2].startswith("95 % interval ")
    assert lines[3].startswith("parseval|labels:no|")


def test_the_section_that_is_read_is_marked(tried: dict[str, Any]) -> None:
    assert tried["current"] == "Main results"


def test_findings_and_error_types_begin_on_the_first_screen(tried: dict[str, Any]) -> None:
    assert 0 < tried["tops"][0] < tried["tops"][1] < 700


def test_the_main_table_fits_a_window_of_1400_pixels(tried: dict[str, Any]) -> None:
    assert tried["wide"] <= 0


@pytest.fixture(scope="module")
def printed(report: Path) -> list[list[str]]:
    """Return the lines of each page of the browser's print."""
    reader = require_program("pdftotext")
    target = report / "page.pdf"
    call = [
        BROWSER,
        "--headless",
        *QUIET,
        f"--user-data-dir={report / 'profile'}",
        "--no-pdf-header-footer",
    ]
    address = (report / "index.html").as_uri()
    subprocess.run([*call, f"--print-to-pdf={target}", address], capture_output=True, timeout=600, check=True)
    read = [reader, "-enc", "UTF-8", str(target), "-"]
    text = subprocess.run(read, capture_output=True, text=True, timeout=600, check=True).stdout
    return [[line.strip() for line in page.splitlines() if line.strip()] for page in text.split("\f")[:-1]]


def headings_of(report: Path) -> list[str]:
    """Return the headings of the page's sections, in its order."""
    page = (report / "index.html").read_text(encoding="utf-8")
    return [html.unescape(actual) for actual in re.findall(r"<h2 id=[^>]*>(.*?)</h2>", page)]


@pytest.mark.slow
def test_scores_are_printed_first(report: Path, printed: list[list[str]]) -> None:
    headings = headings_of(report)
    assert headings[0] != "Scores"
    assert next(line for page in printed for line in page if line in headings) == "Scores"
    assert "Scores" in printed[0]


@pytest.mark.slow
def test_no_heading_is_printed_without_what_it_heads(report: Path, printed: list[list[str]]) -> None:
    headings = headings_of(report)
    for page in printed:
        for line, following in zip(page, [*page[1:], ""], strict=True):
            assert line not in headings or following not in {*headings, ""}
    displayed = {line for page in printed for line in page}
    assert {"Main results", "Scores", "Treebanks", "Provenance"} <= displayed
    assert {"By label and relation", "Hot spots"}.isdisjoint(displayed)


@pytest.mark.slow
def test_the_list_of_files_is_folded_and_not_printed(report: Path, printed: list[list[str]]) -> None:
    lines = [line for page in printed for line in page]
    assert "The names and SHA-256 checksums of 3 files are in tables/inputs.csv." in lines
    assert sum("sha256:" in line for line in lines) == 1  # the study's own
    assert len((report / "tables" / "inputs.csv").read_text(encoding="utf-8").splitlines()) == 4
    page = (report / "index.html").read_text(encoding="utf-8")
    assert "<details>\n<summary>Inputs (3)</summary>" in page


@pytest.mark.slow
def test_pages_have_numbers_and_are_no_more_than_sections(report: Path, printed: list[list[str]]) -> None:
    for number, page in enumerate(printed, start=1):
        assert f"{number}/{len(printed)}" in {line.replace(" ", "") for line in page}
    assert 3 <= len(printed) <= len(headings_of(report))


FRAME = """<!doctype html>
<html lang="en"><title>A page in a window of any width</title>
<iframe title="page" src="checked.html" style="border: 0; width: %dpx; height: 900px"></iframe>
<script>
onmessage = ({data}) => {
  if (!data.found) return;
  const made = document.createElement("pre");
  made.id = "checked";
  made.textContent = JSON.stringify(data);
  document.body.append(made);
};
</script>"""

CHECKED = """
<script src="axe.min.js"></script>
<script>
const folded = !sections.open;
const inside = (part, frame) => {
  const [one, other] = [part, frame].map(element => element.getBoundingClientRect());
  return one.width > 0 && other.left - 1 <= one.left && one.right <= other.right + 1;
};
const first = inside(document.querySelector(".first svg"), document.querySelector(".first .scroll"));
const frame = document.querySelector("#comparison .scroll"), cell = frame.querySelector("tbody tr").cells;
const f1 = inside(cell[%d], frame);
frame.scrollLeft = 9999;
const seen = [frame.scrollLeft > 0, inside(cell[1], frame)];
for (const fold of all("details")) fold.open = true;
axe.run({resultTypes: ["violations"]}).then(({violations}) => {
  const found = violations.map(({id, nodes}) => [id, nodes.slice(0, 3).map(node => node.html.slice(0, 120))]);
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  const letters = all("svg.chart text").filter(text => text.getClientRects().length).map(text => {
    const svg = text.closest("svg"), shown = svg.getBoundingClientRect().width / svg.width.baseVal.value;
    return parseFloat(getComputedStyle(text).fontSize) * shown;
  });
  const size = Math.min(...letters), wide = document.documentElement.scrollWidth;
  const broken = [];
  for (const name of all("table tbody th:first-child")) {
    const text = name.firstChild, word = document.createRange();
    if (text?.nodeType === 3 && /[/.]/.test(text.data)) continue;  // files
    for (const {0: letters, index} of text?.nodeType === 3 ? text.data.matchAll(/[a-z]{3,12}/gi) : []) {
      word.setStart(text, index);
      word.setEnd(text, index + letters.length);
      if (word.getClientRects().length > 1) broken.push(letters);
    }
  }
  parent.postMessage({found, dark, size, wide, folded, first, f1, seen, broken}, "*");
});
</script>
"""


@pytest.fixture(scope="module")
def axe(report: Path) -> Path:
    """Return the script of axe-core (MPL-2.0), which npm brings; it is no part of this project.

    Another version may have other rules.
    """
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("no npm on this machine, which brings axe-core")
    call = [npm, "pack", "axe-core@4.14.1", "--silent", "--pack-destination", str(report)]
    try:
        subprocess.run(call, capture_output=True, timeout=120, check=True, cwd=report)
    except (subprocess.CalledProcessError, subprocess.TimeoutExpired):
        pytest.skip("npm finds no axe-core: no network, or no registry")
    (packed,) = report.glob("axe-core-*.tgz")
    with tarfile.open(packed) as archive:
        script = archive.extractfile("package/axe.min.js")
        assert script is not None
        (report / "axe.min.js").write_bytes(script.read())
    return report / "axe.min.js"


@pytest.mark.slow
@pytest.mark.usefixtures("axe")
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("width", [1400, 390])
def test_everybody_can_use_the_page(report: Path, width: int, dark: bool) -> None:
    """No violation of axe-core's rules; letters in charts that can be read; nothing beside the window.

    A browser's own window is never as narrow as a phone, so the page is in a frame.
    """
    page = (report / "index.html").read_text(encoding="utf-8")
    changed = report / "checked.html"
    changed.write_text(page.replace("</body>", f"{CHECKED % F1}</body>"), encoding="utf-8")
    framed = report / "framed.html"
    framed.write_text(FRAME % width, encoding="utf-8")
    call = [
        BROWSER,
        "--headless",
        *QUIET,
        f"--blink-settings=preferredColorScheme={0 if dark else 1}",
        f"--user-data-dir={report / 'profile'}",
        f"--window-size={width + 40},900",
        "--virtual-time-budget=60000",
        "--dump-dom",
        framed.as_uri(),
    ]
    done = subprocess.run(call, capture_output=True, text=True, timeout=600, check=True)
    match = re.search(r'<pre id="checked">(.*?)</pre>', done.stdout, re.S)
    assert match, done.stderr
    result = json.loads(html.unescape(match.group(1)))
    assert result["found"] == []
    assert result["dark"] == dark
    assert result["size"] >= 10.99
    assert result["wide"] <= width
    assert result["folded"] == (width < 1000)
    assert result["broken"] == []  # words of the first column, such as types of errors
    assert result["first"]  # the whole chart can be seen
    assert result["f1"]  # and the main score, without scrolling
    if width < 1000:
        assert result["seen"] == [True, True]  # a name stays in view where its row is scrolled
