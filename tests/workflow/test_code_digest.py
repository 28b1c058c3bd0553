"""A change of code runs again what depends on it, and nothing else."""

import inspect
import os
import subprocess
import sys
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

import pytest

import crossbank
from crossbank.reports.sections.section import section_classes
from crossbank.reports.study.reading import study_of
from crossbank.workflow import code_digest as code_digest_module
from crossbank.workflow import plan
from crossbank.workflow.code_digest import _content, code_digest, dependencies, imports
from crossbank.workflow.settings import ScoreSettings

PACKAGE = Path(crossbank.__file__).parent


def names(module: str) -> set[str]:
    return {str(path.relative_to(PACKAGE)) for path in dependencies(module)}


def test_a_metric_depends_on_what_it_imports_at_any_depth() -> None:
    listed = names("crossbank.metrics.parseval")
    assert {"metrics/parseval.py", "metrics/counting/items.py", "treebanks/treebank.py"} <= listed
    assert "metrics/leaf_ancestor.py" not in listed
    assert "reports/pages/page.py" not in listed


def test_the_schemes_count_with_the_converters() -> None:
    assert "converters/schemes/tiger.yaml" in names("crossbank.workflow.steps.view")
    assert "reports/pages/templates/index.html.j2" in names("crossbank.workflow.steps.report")
    assert "reports/pages/templates/index.html.j2" not in names("crossbank.metrics.parseval")


def test_what_a_format_names_and_data_of_rules_count() -> None:
    assert "treebanks/damage/brackets.py" in names("crossbank.treebanks.formats.bracket")
    rules = names("crossbank.converters.rewriting.rewrite_dependencies")
    assert "converters/rewriting/rewriting_rules/ud_to_sud.yaml" in rules


def test_a_report_counts_with_every_section(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Sections are found by their names, which no import tells."""
    counted: list[str] = []
    monkeypatch.setattr(plan, "code_digest", lambda *modules: counted.extend(modules) or "")
    path = str(PACKAGE.parent / "examples/tiger.export")
    same = [{"name": "same", "path": path}]
    treebanks = [{"name": "t", "scheme": "tiger", "gold": {"path": path}, "candidates": same}]
    content = {"study": "x", "treebanks": treebanks, "metrics": ["parseval"]}
    plan.Plan(study_of(content, "x.yaml"), tmp_path).reporting()
    files = set().union(*map(dependencies, counted))
    assert {Path(inspect.getfile(section)).resolve() for section in section_classes()} <= {
        f.resolve() for f in files
    }


@pytest.mark.parametrize("seed", ["1", "2"])
def test_digests_are_the_same_in_another_process(seed: str) -> None:
    """Sets have another order there."""
    call = (
        "from crossbank.workflow.code_digest import code_digest as d; print(d('crossbank.metrics.parseval'))"
    )
    environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(PACKAGE.parent)}
    done = subprocess.run(
        [sys.executable, "-c", call], capture_output=True, text=True, check=True, env=environment
    )
    assert done.stdout.strip() == code_digest("crossbank.metrics.parseval")
    assert len(done.stdout.strip()) == 12


def test_digests_differ_with_the_module() -> None:
    assert code_digest("crossbank.metrics.parseval") != code_digest("crossbank.metrics.dependencies")


def test_a_changed_file_has_another_digest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(tmp_path))
    path = tmp_path / "my_changing_metric.py"
    actual = []
    for text in ("MINE = 1\n", "MINE = 2\n", "MINE = 1\n"):
        path.write_text(text, encoding="utf-8")
        for cached in (code_digest, dependencies, imports, _content):
            cached.cache_clear()
        actual.append(code_digest("my_changing_metric"))
    assert actual[0] == actual[2] != actual[1]


def test_a_metric_that_an_option_names_counts_with_the_metric() -> None:
    settings = ScoreSettings("selection", {"of": "leaf_ancestor"}, None, "empty")
    assert "crossbank.metrics.leaf_ancestor" in settings.modules()


def test_declarations_of_compiled_modules_count_with_their_source() -> None:
    listed = names("crossbank.treebanks.formats.bracket")
    assert {"treebanks/scanners/bracketed_trees.py", "treebanks/arrays.pxd"} <= listed


def test_a_compiled_module_without_its_source_counts_with_all_that_is_compiled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As in an installed wheel: the module alone does not tell what it imports of others."""
    package = tmp_path / "crossbank"
    package.mkdir()
    compiled = [package / f"{name}{EXTENSION_SUFFIXES[0]}" for name in ("one_that_is_compiled", "other")]
    for path in compiled:
        path.write_bytes(b"\x7fELF\xff")
    monkeypatch.setattr(code_digest_module, "PACKAGE", package)
    assert dependencies("crossbank.one_that_is_compiled") == set(compiled)
    assert dependencies("crossbank.neither_of_the_two") == set()
