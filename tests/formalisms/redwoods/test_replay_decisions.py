"""Decisions replayed on the next grammar version's analyses (Oepen et al. 2002, section 3)."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from crossbank.converters.transformations import transform
from crossbank.formalisms.redwoods.formats import tsdb
from crossbank.treebanks import Treebank
from crossbank.treebanks.errors import OptionError
from tests.conftest import SHARED_DATA
from tests.formalisms.redwoods.profiles import CAT, CAT_AS_NAME, SCHEMA, Result, profile, two_readings

DECISION = """
decision:
  parse-id :integer :key
  t-version :integer
  d-state :integer
  d-type :integer
  d-key :string
  d-value :string
  d-start :integer
  d-end :integer
"""

NO_LONGER_NAME = CAT_AS_NAME.replace("pn_sg_ilr", "pn_new_ilr")


def annotated(folder: Path, *decisions: str) -> Path:
    """Return a profile whose annotator has made these decisions on *the cat sleeps*."""
    two_readings(folder)
    (folder / "relations").write_text(SCHEMA + DECISION, encoding="utf-8")
    (folder / "decision").write_text("".join(f"102@{one}\n" for one in decisions), encoding="utf-8")
    return folder


def replayed(folder: Path, derivations: Sequence[str], *decisions: str) -> tuple[list[int], dict[str, int]]:
    """Return which of the new analyses are chosen, and the counts."""
    newer = profile(folder / "new", {2: ("the cat sleeps", [Result(one) for one in derivations])})
    old = annotated(folder / "old", *decisions)
    bank: Treebank = transform(tsdb.load(newer), [f"replay_decisions:of={old}"])
    return bank.sentences.chosen.tolist(), {one.event: one.total for one in bank.diagnosis if one.total}


@pytest.mark.parametrize(
    "decision",
    [
        "1@1@3@N_SG_ILR@cat@1@2",
        "1@4@3@pn_sg_ilr@cat@1@2",
        "1@1@7@n_sg_ilr\\scat_n1@@1@2",
        "1@2@3@pn_sg_ilr@cat@1@2",
    ],
)
def test_a_decision_leaves_the_analysis_that_agrees(tmp_path: Path, decision: str) -> None:
    chosen, counts = replayed(tmp_path, [CAT_AS_NAME, CAT], decision)
    assert chosen == [0, 1]
    assert counts["one analysis remains"] == 1


def test_further_analyses_of_the_newer_grammar_remain_to_be_decided(tmp_path: Path) -> None:
    """The rejected rule has another name now: nothing is known of the third analysis."""
    chosen, counts = replayed(tmp_path, [CAT_AS_NAME, CAT, NO_LONGER_NAME], "1@4@3@pn_sg_ilr@cat@1@2")
    assert chosen == [0, 0, 0]
    assert counts["several analyses remain"] == 1


def test_analyses_without_an_accepted_property_are_counted(tmp_path: Path) -> None:
    _, counts = replayed(tmp_path, [CAT_AS_NAME, NO_LONGER_NAME], "1@1@3@n_sg_ilr@cat@1@2")
    assert counts == {"several analyses remain": 1, "accepted properties that no analysis has": 1}
    _, counts = replayed(tmp_path / "rejected", [CAT], "1@2@3@n_sg_ilr@cat@1@2")
    assert counts["no analysis remains"] == 1


def test_the_latest_version_counts_and_relations_do_not(tmp_path: Path) -> None:
    rows = "1@1@3@pn_sg_ilr@cat@1@2", "2@1@3@n_sg_ilr@cat@1@2", "2@1@1@named@cat@1@2"
    assert replayed(tmp_path, [CAT_AS_NAME, CAT], *rows)[0] == [0, 1]


def test_a_profile_is_needed(tmp_path: Path) -> None:
    with pytest.raises(OptionError):
        transform(tsdb.load(two_readings(tmp_path)), ["replay_decisions"])


@pytest.mark.parametrize(("folder", "items"), [("jacy-mrs", 76), ("erg/mrs", 82)])
def test_preferred_analyses_agree_with_all_decisions(folder: str, items: int) -> None:
    """Each is the only result that the profile still has: none of the rejected properties is one of its."""
    path = SHARED_DATA / folder
    if not path.exists():
        pytest.skip(f"{path} is not there")
    bank = transform(tsdb.load(path), [f"replay_decisions:of={path}"])
    counts = {one.event: one.total for one in bank.diagnosis}
    assert counts["one analysis remains"] == items
    assert not counts.get("no analysis remains")
