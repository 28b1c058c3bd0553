"""Studies are never stale: a changed file runs again what depends on it, and nothing else."""

import re
import shutil
from pathlib import Path

import pytest

from tests.workflow.test_study_run import snakemake

pytestmark = pytest.mark.slow

GOLD = """\
(S (NP (NNP Anna)) (VP (VBD saw) (NP (DT a) (NN bird))) (. .))
(S (NP (PRP She)) (VP (VBD slept)) (. .))
"""
PARSED = """\
(S (NP (NNP Anna)) (VBD saw) (NP (DT a) (NN bird)) (. .))
(S (NP (PRP She)) (VP (VBD slept)) (. .))
"""
FILES = {
    "gold.mrg": GOLD,
    "parsed.mrg": PARSED,
    "other.mrg": GOLD,
    "other_gold.mrg": GOLD.replace("(VP (VBD slept))", "(VBD slept)"),
    "scheme.yaml": "name: mine\ntitle: Mine\nsources: [me]\nextends: ptb\n",
    "hierarchy.yaml": """\
name: mine
title: Mine
source: me
relations:
  dobj: {slots: [[head, dependent]]}
""",
    "rules.yaml": """\
name: mine
title: Mine
sources: [me]
inventory: hierarchy.yaml
trees: constituents
rules:
  - rule: object
    relation: dobj
    pattern: VP=v < NP=o
    head: v
    dependent: o
""",
    "map.yaml": """\
name: mine
source: me
relations:
  xsubj:
    - gives: [{name: ncsubj, head: head, dependent: dependent}]
""",
    "costs.yaml": "NP: {VP: 1}\n",
    "study.yaml": """\
study: stale
treebanks:
  - name: own
    scheme: scheme.yaml
    gold: {path: gold.mrg}
    candidates: [{name: a, path: parsed.mrg}]
    views: {relations: ["relations_from_trees:rules=rules.yaml", "map_relations:by=map.yaml"]}
  - name: plain
    metrics: [parseval, leaf_ancestor, tedeval]
    gold: {path: gold.mrg}
    candidates:
      - {name: a, path: parsed.mrg}
      - {name: b, path: other.mrg}
metrics:
  - {metric: parseval, options: {labels: no}}
  - {metric: leaf_ancestor, options: {cost: costs.yaml}}
  - {metric: tedeval, options: {others: [other_gold.mrg]}}
  - relations
bootstrap: {samples: 10}
tests: {trials: 10}
""",
}

BATCH = "candidates-1-of-1"
ALL_SCORES = {
    metric: {f"score {treebank}/{BATCH}.{metric}" for treebank in ("own", "plain")}
    for metric in ("parseval", "leaf_ancestor", "tedeval")
}
SCORES = {
    treebank: {f"score {treebank}/{BATCH}.{metric}" for metric in ALL_SCORES} for treebank in ("own", "plain")
}
OF_RELATIONS = {
    *(f"relations own/{batch}" for batch in ("gold", BATCH)),
    f"score own/{BATCH}.relations",
    "report",
}
OF_SCHEME = {*(f"constituents own/{batch}" for batch in ("gold", BATCH)), *SCORES["own"], *OF_RELATIONS}

EDITS = [
    ("study.yaml", "title: Another", {"study", "report"}),
    ("scheme.yaml", "delete: none", OF_SCHEME),
    ("scheme.yaml", "# edited", set()),
    (
        "rules.yaml",
        "  - {rule: b, relation: dobj, pattern: VP=v < S=o, head: v, dependent: o}",
        OF_RELATIONS,
    ),
    ("hierarchy.yaml", "  iobj: {slots: [[head, dependent]]}", OF_RELATIONS),
    ("map.yaml", "  iobj: [{gives: [{name: ncsubj, head: head, dependent: dependent}]}]", OF_RELATIONS),
    ("costs.yaml", "VP: {NP: 1}", {*ALL_SCORES["leaf_ancestor"], "report"}),
    ("other_gold.mrg", "(S (NNP Anna))", {*ALL_SCORES["tedeval"], "report"}),
    (
        "other.mrg",
        "(S (NNP Anna))",
        {f"read plain/{BATCH}", f"constituents plain/{BATCH}", *SCORES["plain"], "report"},
    ),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a study that names a file of every kind, and that has been run."""
    folder = tmp_path_factory.mktemp("stale")
    for name, content in FILES.items():
        (folder / name).write_text(content, encoding="utf-8")
    done = snakemake(folder, "--configfile", "study.yaml")
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


def planned(folder: Path) -> set[str]:
    """Return what a dry run would do, by the names of its logs: ``score own/a``."""
    dry = snakemake(folder, "--configfile", "study.yaml", "--dry-run", "--quiet", "host")
    assert dry.returncode == 0, dry.stdout + dry.stderr
    logs = re.findall(r"^ +log: results/stale/logs/(\S+)\.log", dry.stdout + dry.stderr, re.M)
    return {log.replace("/", " ", 1) for log in logs}


@pytest.mark.parametrize(("name", "line", "expected"), EDITS, ids=[edit[0] for edit in EDITS])
def test_an_edited_file_runs_again_what_reads_it(
    folder: Path, name: str, line: str, expected: set[str]
) -> None:
    path = folder / name
    before = path.read_text(encoding="utf-8")
    path.write_text(f"{before}{line}\n", encoding="utf-8")
    try:
        assert planned(folder) == expected
    finally:
        path.write_text(before, encoding="utf-8")


def test_files_that_say_the_same_again_run_nothing(folder: Path) -> None:
    for name in FILES:
        (folder / name).touch()
    assert planned(folder) == set()


def test_a_changed_option_scores_its_metric_alone(folder: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(folder, copy)
    scores = copy / "results/stale/scores/plain"
    before = {path.name: path.stat().st_mtime_ns for path in scores.glob("*.parquet")}
    study = copy / "study.yaml"
    study.write_text(study.read_text(encoding="utf-8").replace("labels: no", "labels: yes"), encoding="utf-8")
    assert planned(copy) == {*ALL_SCORES["parseval"], "study", "report"}
    done = snakemake(copy, "--configfile", "study.yaml")
    assert done.returncode == 0, done.stdout + done.stderr
    changed = {path.name for path in scores.glob("*.parquet") if path.stat().st_mtime_ns != before[path.name]}
    assert changed == {f"{BATCH}.parseval.parquet"}


def test_another_candidate_runs_one_batch(folder: Path, tmp_path: Path) -> None:
    """Gold and the batches of other treebanks stay as they are."""
    copy = tmp_path / "copy"
    shutil.copytree(folder, copy)
    study = copy / "study.yaml"
    entry = "      - {name: b, path: other.mrg}\n"
    text = study.read_text(encoding="utf-8")
    study.write_text(text.replace(entry, entry + entry.replace("name: b", "name: c")), encoding="utf-8")
    expected = {f"read plain/{BATCH}", f"constituents plain/{BATCH}", *SCORES["plain"], "study", "report"}
    assert planned(copy) == expected


def test_the_graph_of_rules_shows_the_steps_of_the_papers(folder: Path) -> None:
    """The graph of rules has the papers' names, those that the study's metrics need and no other."""
    graph = snakemake(folder, "--configfile", "study.yaml", "--rulegraph")
    assert graph.returncode == 0, graph.stderr
    named = set(re.findall(r'label = "(\w+)"', graph.stdout))
    assert named == {"all", "study", "read", "constituents", "relations", "score", "report"}
