"""Page of all sentences: its data, its layout of trees, and the page itself in a browser."""

import html
import json
import re
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from lxml import etree

from crossbank.metrics.pairing.pair import Pair, pair
from crossbank.reports.pages.explorer import DrawnTrees, as_json, write_explorer
from crossbank.reports.pages.page_templates import TEMPLATES
from crossbank.reports.results.differences import mark_nodes, mark_tags
from crossbank.treebanks.formats import read
from crossbank.treebanks.pictures.drawing import svg
from crossbank.treebanks.pictures.layout import arcs_of, draw_arcs, draw_tree
from crossbank.workflow.steps.here import run_here, study_content
from tests.programs import BROWSER, NEEDS_BROWSER
from tests.reports.toy import candidate_bank, gold_bank, results

ROOT = Path(__file__).resolve().parents[2]
NEEDS_NODE = pytest.mark.needs_program("node")


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("explorer")
    examples = [str(ROOT / "examples" / f"tiger.{name}") for name in ("export", "alpha.mrg", "beta.mrg")]
    content = study_content(
        examples[0], examples[1:], ["parseval", "dependencies"], {"labels": "no"}, scheme="tiger"
    )
    run_here({**content, "bootstrap": {"samples": 0}}, folder)
    return folder / "report"


def shard(report: Path, name: str) -> Any:
    text = (report / "data" / f"{name}.js").read_text(encoding="utf-8")
    called = re.fullmatch(r'crossbank\("([\w-]+)",(.*)\);\n', text, re.S)
    assert called is not None
    assert called.group(1) == name
    return json.loads(called.group(2))


def test_every_sentence_is_there_with_its_scores(report: Path) -> None:
    ids, words, lengths, _ = shard(report, "sentences-0-0")
    assert len(ids) == len(words) == len(lengths) == 120
    for candidate in (0, 1):
        reasons, scores, types = shard(report, f"scores-0-{candidate}-0")
        assert [len(of_measure) for of_measure in scores] == [120, 120]
        assert [scores[0][int(row)] for row in reasons] == [None] * len(reasons)
        assert "pp_attachment" in types
    assert list(shard(report, "scores-0-0-0")[0].values()) == ["no parse"]


def test_gold_is_written_once(report: Path) -> None:
    assert len(shard(report, "gold-0-0")["constituents"]["begins"]) == 121
    assert "gold" not in shard(report, "trees-0-0-0")
    assert "gold" not in shard(report, "trees-0-1-0")


def test_a_candidate_with_gold_of_its_own_brings_it(tmp_path: Path) -> None:
    study = results({"one": candidate_bank(), "two": candidate_bank()})
    assert study.pair_of is not None
    pair_of = study.pair_of

    def other_gold(treebank: str, candidate: str, metric: str) -> Pair:
        both = pair_of(treebank, candidate, metric)
        if candidate == "one":
            return both
        gold = both.gold.replace(nodes=both.gold.nodes.replace(label=both.gold.nodes.label[::-1].copy()))
        return replace(both, gold=gold)

    write_explorer(replace(study, pair_of=other_gold), tmp_path)
    assert "gold" not in shard(tmp_path, "trees-0-0-0")
    assert "gold" in shard(tmp_path, "trees-0-1-0")


def test_nothing_is_loaded_from_elsewhere(report: Path) -> None:
    page = (report / "sentences.html").read_text(encoding="utf-8")
    assert not re.findall(r'(?:src|href)="(?:https?:)?//', page)


DOCUMENT = """
const node = (name, attributes = {}) => ({name, attributes, children: [], text: "",
  setAttribute(key, value) { attributes[key] = String(value); },
  append(...more) { this.children.push(...more); }, set textContent(text) { this.text = text; }});
const document = {createElementNS: (space, name) => node(name)};
const shown = ({name, attributes, text, children}) => [name, attributes, text, children.map(shown)];
const UNATTACHED = -2;
"""
"""As much of a browser as painting needs."""


def run(program: Path, call: str) -> Any:
    """Return what a call gives that uses the page's functions of layout and painting."""
    script = (TEMPLATES / "sentences.js").read_text(encoding="utf-8")
    names = ("drawing", "paint", "treesOf")
    functions = [re.search(rf"^function {name}\(.*?^}}", script, re.S | re.M) for name in names]
    code = "\n".join(actual.group() for actual in functions if actual is not None)
    layout = (TEMPLATES / "layout.js").read_text(encoding="utf-8")
    program.write_text(f"{DOCUMENT}\n{layout}\n{code}\n{call}", encoding="utf-8")
    done = subprocess.run(["node", program], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


@NEEDS_NODE
@pytest.mark.parametrize("scheme", ["tiger", "tuebadz"])
def test_the_page_lays_out_trees_as_python_does(scheme: str, tmp_path: Path) -> None:
    gold, candidate = (read(ROOT / "examples" / f"{scheme}.{name}") for name in ("export", "alpha.mrg"))
    both = pair(gold, candidate)
    drawn = DrawnTrees({"constituents": both}, relations=True)
    rows = slice(0, len(both))
    call = f"""
const gold = {json.dumps(drawn.gold(rows))}, candidate = {json.dumps(drawn.candidate(rows))};
const all = gold.constituents.begins.slice(1).map((_, i) => {{
  const one = treesOf(gold, "constituents", i), other = treesOf(candidate, "constituents", i);
  if (!other) return null;
  const [ofGold, ofCandidate] = nodeMarks(one, other);
  const wrong = one.tag.map((tag, word) => one.canonical(tag) !== other.canonical(other.tag[word]));
  return [drawTree(one.form, one, ofGold, wrong), drawTree(one.form, other, ofCandidate, wrong)];
}});
console.log(JSON.stringify(all));"""
    compared = 0
    for sentence, actual in enumerate(run(tmp_path / "layout.js", call)):
        if actual is None:
            assert not both.scored[sentence]
            continue
        if gold.words(sentence) != candidate.words(sentence):
            continue  # -LRB- for a bracket: the page shows gold's spelling
        compared += 1
        marks, wrong = mark_nodes(both, sentence), mark_tags(both, sentence)
        expected = [
            draw_tree(bank, sentence, of_side, wrong)
            for bank, of_side in zip((gold, candidate), marks, strict=True)
        ]
        assert actual == json.loads(json.dumps(expected)), sentence
    assert compared > 100


@NEEDS_NODE
def test_the_page_lays_out_arcs_as_python_does(tmp_path: Path) -> None:
    both = pair(gold_bank(), candidate_bank())
    drawn = DrawnTrees({"dependencies": both}, relations=True)
    rows = slice(0, len(both))
    call = f"""
const gold = {json.dumps(drawn.gold(rows))}, candidate = {json.dumps(drawn.candidate(rows))};
console.log(JSON.stringify([0, 1, 2, 3].map(i => {{
  const one = treesOf(gold, "dependencies", i), other = treesOf(candidate, "dependencies", i);
  return other && drawArcs(one.form, one, other);
}})));"""
    for sentence, actual in enumerate(run(tmp_path / "arcs.js", call)):
        if actual is None:
            assert not both.scored[sentence]
            continue
        sides = [arcs_of(bank, sentence) for bank in (both.gold, both.candidate)]
        assert actual == json.loads(json.dumps(draw_arcs(both.gold.words(sentence), *sides)))


@NEEDS_NODE
def test_the_page_paints_what_python_paints(tmp_path: Path) -> None:
    gold, candidate = (read(ROOT / "examples" / f"tiger.{name}") for name in ("export", "alpha.mrg"))
    both = pair(gold, candidate)
    drawings = [draw_tree(gold, 11, mark_nodes(both, 11)[0], mark_tags(both, 11))]
    drawings.append(draw_arcs(["a", "<y>"], arcs_of(gold_bank(), 2), arcs_of(gold_bank(), 2)))
    call = f"console.log(JSON.stringify({json.dumps(drawings)}.map(paint).map(shown)));"
    for painted, drawing in zip(run(tmp_path / "paint.js", call), drawings, strict=True):
        assert painted == elements(etree.fromstring(svg(drawing)))


def elements(element: Any) -> list[Any]:
    """Return an element as the script's stand-in for a browser gives it."""
    attributes = {name: value for name, value in element.attrib.items() if name != "viewBox"}
    children = [elements(child) for child in element]
    return [element.tag, attributes, element.text or "", children]


def opened(report: Path, requested: str, profile: Path, script: str = "") -> str:
    """Return the page after a browser has opened it at an address, and has run a script in it."""
    page = report / "sentences.html"
    if script:
        page = report / "tried.html"
        text = (report / "sentences.html").read_text(encoding="utf-8")
        page.write_text(text.replace("</body>", f"<script>{script}</script></body>"), encoding="utf-8")
    quiet = ["--disable-gpu", "--no-sandbox", "--no-first-run", "--disable-background-networking"]
    call = [BROWSER, "--headless", *quiet, f"--user-data-dir={profile}", "--virtual-time-budget=4000"]
    address = f"{page.as_uri()}#{requested}"
    done = subprocess.run(
        [*call, "--dump-dom", address], capture_output=True, text=True, timeout=600, check=False
    )
    return done.stdout


def embedded_scores(report: Path, candidate: int) -> list[float]:
    scores: list[float] = shard(report, f"scores-0-{candidate}-0")[1][0]
    return scores


@pytest.mark.slow
@NEEDS_BROWSER
@pytest.mark.parametrize(
    ("requested", "message"),
    [
        ("", "120 of 120 sentences"),
        ("treebank=tiger&candidate=tiger_alpha&type=pp_attachment", "12 of 120 sentences"),
        ("text=brücke", "1 of 120 sentences"),
        ("text=3 | 17 | 120", "3 of 120 sentences"),
        ("text=xyz", "No sentence is like this."),
    ],
)
def test_a_browser_filters_the_sentences(report: Path, requested: str, message: str, tmp_path: Path) -> None:
    document = opened(report, requested, tmp_path)
    assert f">{message}<" in document
    assert ('button type="button" class="row"' in document) == message[0].isdigit()


@pytest.mark.slow
@NEEDS_BROWSER
def test_two_candidates_are_compared_and_filtered_by_the_better_one(report: Path, tmp_path: Path) -> None:
    alpha, beta = embedded_scores(report, 0), embedded_scores(report, 1)
    both = [(a, b) for a, b in zip(alpha, beta, strict=True) if a is not None and b is not None]
    better = sum(a > b for a, b in both)
    document = opened(report, "candidate=tiger_alpha&with=tiger_beta&show=better", tmp_path)
    assert f">{better} of 120 sentences: A better in {better}, B better in 0, no difference in 0<" in document
    assert "· A better<" in document
    assert "· B better<" not in document


@pytest.mark.slow
@NEEDS_BROWSER
def test_filters_by_length_and_by_label(report: Path, tmp_path: Path) -> None:
    gold = read(ROOT / "examples" / "tiger.export")
    long = [index for index, length in enumerate(gold.tokens.lengths()) if length >= 12]
    assert f">{len(long)} of 120 sentences<" in opened(report, "from=12", tmp_path / "a")
    names = [{gold.vocabulary[int(c)] for c in gold.tokens.pos[gold.tokens.rows(s)]} for s in range(120)]
    tagged = [index for index in long if "PTKNEG" in names[index]]
    assert tagged
    plural = f">{len(tagged)} of 120 sentences<"
    assert plural in opened(report, "from=12&has=tag%3DPTKNEG", tmp_path / "b")


@NEEDS_BROWSER
def test_a_link_opens_its_sentence_with_both_candidates(report: Path, tmp_path: Path) -> None:
    requested = "candidate=tiger_alpha&with=tiger_beta&show=differ&sentence=12"
    script = """
setTimeout(async () => {
  const tried = {address: address(), open: document.querySelectorAll('[aria-expanded="true"]').length};
  tried.focus = document.activeElement.className;
  tried.captions = [...document.querySelectorAll(".picture figcaption")].map(one => one.textContent);
  document.body.append(element("pre", JSON.stringify(tried), {id: "tried"}));
}, 2000);"""
    document = opened(report, requested, tmp_path, script)
    tried = json.loads(html.unescape(re.search(r'<pre id="tried">(.*?)</pre>', document, re.S).group(1)))  # type: ignore[union-attr]
    assert tried["open"] == 1
    assert tried["focus"] == "row"
    assert tried["captions"][:3] == ["Gold", "A, tiger_alpha", "B, tiger_beta"]
    assert tried["address"] == "#treebank=tiger&" + requested


HOSTILE = ("<!--<script>", "</script>", "--><b>", "&lt;script", "\u2028")


def test_data_neither_end_nor_prolong_the_script_element(tmp_path: Path) -> None:
    """Words, labels, names and titles with what HTML takes for a comment or an element in a script."""
    words = " ".join(f"(NN {word})" for word in HOSTILE)
    for name in ("gold", "parsed"):
        (tmp_path / f"{name}.mrg").write_text(f"(S (<!--<script> {words}))\n", encoding="utf-8")
    content = study_content(str(tmp_path / "gold.mrg"), [str(tmp_path / "parsed.mrg")], ["parseval"], {})
    content |= {"title": HOSTILE[0], "bootstrap": {"samples": 0}}
    run_here(content, tmp_path / "results")
    pages = list((tmp_path / "results" / "report").glob("*.html"))
    assert len(pages) == 2
    for page in pages:
        text = page.read_text(encoding="utf-8")
        for script in re.findall(r"<script>(.*?)</script>", text, re.S):
            assert "<!--" not in script
            assert "<script" not in script
        assert text.count("<script>") == text.count("</script>") == 1
    assert json.loads(as_json(HOSTILE)) == list(HOSTILE)
    assert "<" not in as_json(HOSTILE)
