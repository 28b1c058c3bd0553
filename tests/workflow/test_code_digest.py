"""A change of code runs again what depends on it, and nothing else."""

from pathlib import Path

from workflow.code_digest import code_digest, dependencies

ROOT = Path(__file__).resolve().parents[2]


def names(module: str) -> set[str]:
    return {str(path.relative_to(ROOT)) for path in dependencies(module)}


def test_a_metric_depends_on_what_it_imports_at_any_depth() -> None:
    found = names("metrics.parseval")
    assert {"metrics/parseval.py", "metrics/brackets.py", "treebanks/treebank.py"} <= found
    assert "metrics/leaf_ancestor.py" not in found
    assert "reports/page.py" not in found


def test_the_schemes_count_with_the_converters() -> None:
    assert "converters/schemes/tiger.yaml" in names("workflow.steps.convert")
    assert "reports/templates/index.html.j2" in names("workflow.steps.report")
    assert "reports/templates/index.html.j2" not in names("metrics.parseval")


def test_digests_are_the_same_for_the_same_code_and_differ_otherwise() -> None:
    assert code_digest("metrics.parseval") == code_digest("metrics.parseval")
    assert code_digest("metrics.parseval") != code_digest("metrics.dependencies")
    assert len(code_digest("metrics.parseval")) == 12
