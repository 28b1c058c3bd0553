"""What a notebook shows: nbclient runs it, where that and ipykernel are installed; neither is required."""

import os
from pathlib import Path

import pytest

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
}
"""Each cell, and a part of what it shows as HTML."""


def test_cells_are_shown_as_html(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")]))
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for source in CELLS])
    nbclient.NotebookClient(notebook, resources={"metadata": {"path": str(ROOT)}}).execute()
    shown = [
        "".join(one.get("data", {}).get("text/html", "") for one in cell.outputs) for cell in notebook.cells
    ]
    assert [part in html for html, part in zip(shown, CELLS.values(), strict=True)] == [True] * len(CELLS)
