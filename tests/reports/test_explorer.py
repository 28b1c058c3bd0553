"""The page of all sentences: its data, and the page itself in a browser where there is one."""

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from lxml import etree

from crossbank.metrics.pairing.pair import pair
from crossbank.reports.pages.explorer import TEMPLATES
from crossbank.reports.results.differences import node_marks, tag_marks
from crossbank.treebanks.formats import read
from crossbank.treebanks.pictures.arcs import Arcs, draw_arcs
from crossbank.treebanks.pictures.drawing import svg
from crossbank.treebanks.pictures.trees import draw_tree
from crossbank.workflow.compare import run_here, study_content

ROOT = Path(__file__).resolve().parents[2]
NODE = shutil.which("node")
BROWSER = shutil.which("chromium") or shutil.which("google-chrome")


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("explorer")
    examples = [str(ROOT / "examples" / f"tiger.{name}") for name in ("export", "alpha.mrg")]
    content = study_content(
        examples[0], examples[1:], ["parseval", "dependencies"], {"labels": "no"}, scheme="tiger"
    )
    run_here({**content, "bootstrap": {"samples": 0}}, folder)
    return folder / "report"


def piece(report: Path, name: str) -> list[object]:
    text = (report / "data" / f"{name}.js").read_text(encoding="utf-8")
    called = re.fullmatch(r'crossbank\("\w+",0,0,(.*)\);\n', text, re.S)
    assert called is not None
    content: list[object] = json.loads(called.group(1))
    return content


def test_every_sentence_is_there_the_worst_first(report: Path) -> None:
    rows = piece(report, "rows-0-0")
    assert len(rows) == len(piece(report, "trees-0-0")) == 120
    reasons = [row[2] for row in rows]  # type: ignore[index]
    assert reasons[0] == "no parse"
    assert not any(reasons[1:])
    scores = [row[3][0] for row in rows[1:]]  # type: ignore[index]
    assert scores == sorted(scores)


def test_nothing_is_loaded_from_elsewhere(report: Path) -> None:
    page = (report / "sentences.html").read_text(encoding="utf-8")
    assert not re.findall(r'(?:src|href)="(?:https?:)?//', page)


DOCUMENT = """
const node = (name, attributes = {}) => ({name, attributes, children: [], text: "",
  setAttribute(key, value) { attributes[key] = String(value); },
  append(...more) { this.children.push(...more); }, set textContent(text) { this.text = text; }});
const document = {createElementNS: (space, name) => node(name)};
const shown = ({name, attributes, text, children}) => [name, attributes, text, children.map(shown)];
"""
"""As much of a browser as painting needs."""


@pytest.mark.skipif(NODE is None, reason="no Node.js on this machine")
def test_the_page_paints_what_python_paints(tmp_path: Path) -> None:
    script = (TEMPLATES / "sentences.js").read_text(encoding="utf-8")
    functions = [
        re.search(rf"^function {name}\(.*?^}}", script, re.S | re.M) for name in ("drawing", "paint")
    ]
    gold, candidate = (read(ROOT / "examples" / f"tiger.{name}") for name in ("export", "alpha.mrg"))
    both = pair(gold, candidate)
    drawings = [draw_tree(gold, 11, node_marks(both, 11)[0], tag_marks(both, 11))]
    drawings.append(draw_arcs(["a", "b"], Arcs([1, -1], ["x", "root"]), Arcs([-1, 0], ["root", "<y>"])))
    program = tmp_path / "paint.js"
    code = "\n".join(found.group() for found in functions if found is not None)
    call = f"console.log(JSON.stringify({json.dumps(drawings)}.map(paint).map(shown)));"
    program.write_text(f"{DOCUMENT}\n{code}\n{call}", encoding="utf-8")
    done = subprocess.run([str(NODE), program], capture_output=True, text=True, check=True)
    for painted, drawing in zip(json.loads(done.stdout), drawings, strict=True):
        assert painted == elements(etree.fromstring(svg(drawing)))


def elements(element: Any) -> list[Any]:
    """An element as the script's stand-in for a browser gives it."""
    attributes = {name: value for name, value in element.attrib.items() if name != "viewBox"}
    children = [elements(child) for child in element]
    return [element.tag, attributes, element.text or "", children]


@pytest.mark.skipif(BROWSER is None, reason="no Chromium on this machine")
@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("", "120 of 120 sentences"),
        ("type=pp_attachment", "12 of 120 sentences"),
        ("text=brücke", "1 of 120 sentences"),
        ("text=3 | 17 | 120", "3 of 120 sentences"),
        ("text=xyz", "No sentence is like this."),
    ],
)
def test_a_browser_filters_the_sentences(report: Path, asked: str, said: str, tmp_path: Path) -> None:
    address = f"{(report / 'sentences.html').as_uri()}#{asked}"
    quiet = ["--disable-gpu", "--no-sandbox", "--no-first-run", "--disable-background-networking"]
    call = [str(BROWSER), "--headless", *quiet, f"--user-data-dir={tmp_path}", "--virtual-time-budget=4000"]
    done = subprocess.run(
        [*call, "--dump-dom", address], capture_output=True, text=True, timeout=120, check=False
    )
    assert f">{said}<" in done.stdout
    assert ('button type="button" class="row"' in done.stdout) == said[0].isdigit()
