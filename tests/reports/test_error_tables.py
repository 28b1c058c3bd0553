"""Tables of error types on the embedded corpora: Rehbein and van Genabith (2007), section 5."""

from pathlib import Path

import pytest

from crossbank.reports.sections.error_types import ErrorTypesSection
from crossbank.reports.tables.table import ReportTable
from crossbank.workflow.steps.here import run_here, study_content

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, ReportTable]]:
    """Return the error tables of both schemes' stronger candidate."""
    actual = {}
    for scheme in ("tiger", "tuebadz"):
        folder = tmp_path_factory.mktemp(scheme)
        content = study_content(
            str(ROOT / "examples" / f"{scheme}.export"),
            [str(ROOT / "examples" / f"{scheme}.beta.mrg")],
            ["parseval", "leaf_ancestor"],
            {},
            scheme=scheme,
        )
        study = run_here({**content, "bootstrap": {"samples": 0}}, folder)
        actual[scheme] = {table.key: table for table in ErrorTypesSection(study).tables}
    return actual


def cells(table: ReportTable, row: str) -> list[str]:
    (actual,) = [cells for cells in table.rows if cells[2].text == row]
    return [cell.text for cell in actual[3:]]


def test_errors_are_counted_by_type(tables: dict[str, dict[str, ReportTable]]) -> None:
    for scheme in tables:
        errors, share, sentences, where = cells(tables[scheme]["error-types"], "PP attachment")
        assert (errors, sentences) == ("5", "5")
        assert where.endswith(", ...")
        assert 0 < float(share) < 100


def test_one_pp_attachment_costs_more_in_the_flatter_scheme(
    tables: dict[str, dict[str, ReportTable]],
) -> None:
    """Section 5.3: with fewer nodes each wrong one weighs more under Parseval."""
    losses = {scheme: float(cells(tables[scheme]["seen"], "PP attachment")[1]) for scheme in tables}
    assert losses["tiger"] > 2 * losses["tuebadz"]


def test_a_wrong_tag_is_not_seen_by_measures_of_constituents(
    tables: dict[str, dict[str, ReportTable]],
) -> None:
    """Section 5.1."""
    for scheme in tables:
        assert cells(tables[scheme]["seen"], "tag")[1:] == ["0.00", "0.00"]


def test_what_a_measure_does_not_see_has_no_part_of_the_loss(tmp_path: Path) -> None:
    gold = "(S (NP (DT the) (NN dog)) (VP (VBZ barks)))\n"
    wrong_tag, also_flat = gold.replace("VBZ", "NNS"), "(S (DT the) (NN dog) (VP (NNS barks)))\n"
    (tmp_path / "gold.mrg").write_text(gold * 2, encoding="utf-8")
    (tmp_path / "parsed.mrg").write_text(wrong_tag + also_flat, encoding="utf-8")
    content = study_content(
        str(tmp_path / "gold.mrg"), [str(tmp_path / "parsed.mrg")], ["parseval"], {}, scheme="ptb"
    )
    study = run_here({**content, "bootstrap": {"samples": 0}}, tmp_path / "made")
    loss = {table.key: table for table in ErrorTypesSection(study).tables}["loss"]
    assert cells(loss, "tag") == ["0.0"]
    assert sum(row[3].value or 0 for row in loss.rows) == pytest.approx(1)


def test_shares_of_the_loss_add_up_to_what_is_parsed(tables: dict[str, dict[str, ReportTable]]) -> None:
    for scheme in tables:
        rows = tables[scheme]["loss"].rows
        assert 0 < sum(row[3].value or 0 for row in rows) <= 1
