"""Decisions of an annotator on one grammar version's analyses, replayed on those of the next version.

Oepen, Stephan, et al. (2002): LinGO Redwoods: A Rich and Dynamic Treebank for HPSG. Beyond PARSEVAL, section
3: a treebank is updated "for an enhanced version of the grammar underlying the recorded analyses in an
automated fashion, viz. by re-applying the disambiguating decisions to an updated version of the corpus".
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import TypeAlias

import numpy as np

from crossbank.converters.declaration import transformation
from crossbank.converters.schemes.scheme import Scheme
from crossbank.formalisms.redwoods.formats.tsdb_tables import AnnotatorDecision, Profile, folder_of
from crossbank.treebanks import Treebank
from crossbank.treebanks.errors import OptionError
from crossbank.treebanks.readings import analysis_offsets

NAME = "replay_decisions"

Properties: TypeAlias = frozenset[tuple[str, int, int]]
"""The rules, entries and types of an analysis, in small letters, each with its begin and end."""

OUTCOMES = ("no analysis remains", "one analysis remains", "several analyses remain")


def _annotated_profile(of: str) -> Profile:
    """Return the profile with decisions. Raises OptionError without its folder."""
    if not of:
        raise OptionError(f"{NAME} of", of, "the folder of an annotated profile")
    return Profile(folder_of(of))


def _files(scheme: Scheme | None = None, *, of: str = "") -> tuple[Path, ...]:
    """Return the table of decisions. Raises OptionError without a profile."""
    return (_annotated_profile(of).path("decision"),)


@transformation(position=430, files=_files)
def replay_decisions(bank: Treebank, scheme: Scheme | None = None, *, of: str = "") -> Treebank:
    """Choose the analyses of a profile that agree with the decisions of an annotated older one.

    of  the folder of the profile with decisions; its items are those with the same identifiers

    A decision accepts or rejects a rule, a lexical type or a chain of them over certain words. It is replayed
    if a new analysis has the property. Analyses that lack an accepted property or have a rejected one are no
    longer active. If one analysis remains, it is the chosen one. Items are counted by the number of analyses
    that remain. Decisions whose property no new analysis has are counted too, since they may have to be made
    anew. Decisions on relations are not replayed.

    Raises OptionError without a profile, FormatError if it is damaged.
    """
    decisions = _annotated_profile(of).decisions()
    offsets = analysis_offsets(bank).tolist()
    chosen = np.zeros(len(bank), np.int32)
    outcomes: list[list[int]] = [[], [], []]
    without_property: list[int] = []
    lengths = bank.tokens.lengths()
    for first, last in pairwise(offsets):
        made = decisions.get(bank.sentence_id(first), [])
        if not made or not lengths[first:last].any():
            chosen[first:last] = bank.sentences.chosen[first:last]
            continue
        analyses = [_properties(bank, row) for row in range(first, last)]
        active = [first + index for index in agreeing(analyses, made)]
        if len(active) == 1:
            chosen[active] = 1
        outcomes[min(len(active), 2)].append(first)
        absent = (one for one in made if one.accepted and not any(_has(a, one) for a in analyses))
        without_property += [first for _ in absent]
    replayed = bank.replace(sentences=bank.sentences.replace(chosen=chosen))
    events = dict(zip(OUTCOMES, outcomes, strict=True))
    return replayed.with_events(
        NAME, {**events, "accepted properties that no analysis has": without_property}
    )


def agreeing(analyses: Sequence[Properties], decisions: Iterable[AnnotatorDecision]) -> list[int]:
    """Return the indices of the analyses that agree with all decisions on properties that one of them has."""
    active = list(range(len(analyses)))
    for decision in decisions:
        having = {index for index, analysis in enumerate(analyses) if _has(analysis, decision)}
        if having:
            active = [index for index in active if (index in having) == decision.accepted]
    return active


def _has(analysis: Properties, decision: AnnotatorDecision) -> bool:
    return all((name, decision.start, decision.end) in analysis for name in decision.names)


def _properties(bank: Treebank, row: int) -> Properties:
    """Return the rules of an analysis, and the entries and types of its words."""
    nodes, tokens = bank.nodes.rows(row), bank.tokens.rows(row)
    labels = bank.vocabulary.decode(bank.nodes.label[nodes])
    starts, ends = bank.spans.start[nodes].tolist(), bank.spans.end[nodes].tolist()
    properties = [(label.lower(), start, end) for label, start, end in zip(labels, starts, ends, strict=True)]
    for column in (bank.tokens.lemma, bank.tokens.pos):
        names = bank.vocabulary.decode(column[tokens])
        properties += [(name.lower(), index, index + 1) for index, name in enumerate(names)]
    return frozenset(properties)
