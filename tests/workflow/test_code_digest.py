"""A change of code runs again what depends on it, and nothing else."""

from pathlib import Path

import crossbank
from crossbank.workflow.code_digest import code_digest, dependencies
from crossbank.workflow.settings import ScoreSettings

PACKAGE = Path(crossbank.__file__).parent


def names(module: str) -> set[str]:
    return {str(path.relative_to(PACKAGE)) for path in dependencies(module)}


def test_a_metric_depends_on_what_it_imports_at_any_depth() -> None:
    found = names("crossbank.metrics.parseval")
    assert {"metrics/parseval.py", "metrics/counting/brackets.py", "treebanks/treebank.py"} <= found
    assert "metrics/leaf_ancestor.py" not in found
    assert "reports/pages/page.py" not in found


def test_the_schemes_count_with_the_converters() -> None:
    assert "converters/schemes/tiger.yaml" in names("crossbank.workflow.steps.convert")
    assert "reports/pages/templates/index.html.j2" in names("crossbank.workflow.steps.report")
    assert "reports/pages/templates/index.html.j2" not in names("crossbank.metrics.parseval")


def test_digests_are_the_same_for_the_same_code_and_differ_otherwise() -> None:
    assert code_digest("crossbank.metrics.parseval") == code_digest("crossbank.metrics.parseval")
    assert code_digest("crossbank.metrics.parseval") != code_digest("crossbank.metrics.dependencies")
    assert len(code_digest("crossbank.metrics.parseval")) == 12


def test_a_metric_that_an_option_names_counts_with_the_metric() -> None:
    settings = ScoreSettings("selection", {"of": "leaf_ancestor"}, None, "empty")
    assert "crossbank.metrics.leaf_ancestor" in settings.modules()


def test_declarations_of_compiled_modules_count_with_their_source() -> None:
    found = names("crossbank.treebanks.formats.bracket")
    assert {"treebanks/scanners/brackets.py", "treebanks/arrays.pxd"} <= found
