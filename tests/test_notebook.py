"""What a notebook shows: nbclient runs it, where that and ipykernel are installed; neither is required."""

import os
import subprocess
from pathlib import Path

import pytest

from tests.programs import BROWSER, NEEDS_BROWSER

nbformat = pytest.importorskip("nbformat", reason="nbformat is not installed")
nbclient = pytest.importorskip("nbclient", reason="nbclient is not installed: it runs notebooks")

ROOT = Path(__file__).resolve().parents[1]
CELLS = {
    "import crossbank\ngold, alpha = 'examples/tiger.export', 'examples/tiger.alpha.mrg'": "",
    "result = crossbank.score(gold, alpha, scheme='tiger'); result": "87.27",
    "result.breakdown('label')": "<table",
    "result.sentences": "120 rows in all",
    "crossbank.errors(gold, alpha, 'tiger')": "pp_attachment",
    "crossbank.view(gold, alpha, 5, scheme='tiger')": "<svg",
    "crossbank.read(gold)[3]": "<svg",
    "crossbank.compare(gold, {'alpha': alpha, 'same': alpha}, scheme='tiger', trials=10)": "alpha",
    "scorer = crossbank.Scorer(scheme='tiger'); scorer.update(gold, alpha); scorer": "120 sentences counted",
}
"""Each cell, and a part of what it shows as HTML."""


SEEN = """
const drawn = one => one.getBoundingClientRect().width > 100 && one.getBoundingClientRect().height > 20;
const seen = [...document.querySelectorAll("section")].map(
  cell => [...cell.querySelectorAll("table, svg")].every(drawn));
document.body.innerHTML = `<pre>${JSON.stringify(seen)}</pre>`;
"""


@pytest.fixture(scope="module")
def cell_outputs() -> list[str]:
    """Return what each cell shows as HTML."""
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for source in CELLS])
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("PYTHONPATH", os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")]))
        resources = {"metadata": {"path": str(ROOT)}}
        nbclient.NotebookClient(notebook, startup_timeout=600, resources=resources).execute()
    return [
        "".join(one.get("data", {}).get("text/html", "") for one in cell.outputs) for cell in notebook.cells
    ]


def test_cells_are_shown_as_html(cell_outputs: list[str]) -> None:
    assert [part in html for html, part in zip(cell_outputs, CELLS.values(), strict=True)] == [True] * len(
        CELLS
    )


@NEEDS_BROWSER
def test_a_browser_draws_every_table_and_every_tree(cell_outputs: list[str], tmp_path: Path) -> None:
    page = tmp_path / "shown.html"
    sections = "".join(f"<section>{html}</section>" for html in cell_outputs)
    page.write_text(f"<meta charset=utf-8><body>{sections}<script>{SEEN}</script></body>", encoding="utf-8")
    options = ["--headless", "--disable-gpu", "--no-sandbox", f"--user-data-dir={tmp_path / 'profile'}"]
    command = [BROWSER, *options, "--dump-dom", page.as_uri()]
    drawn = subprocess.run(command, capture_output=True, text=True, check=True, timeout=600).stdout
    assert f"<pre>[{','.join(['true'] * len(CELLS))}]</pre>" in drawn
