"""All findings of a study, in the order in which a reader asks for them."""

from __future__ import annotations

from collections.abc import Sequence

from crossbank.reports.findings.candidates import better_candidates
from crossbank.reports.findings.conversion import trust_in_conversion
from crossbank.reports.findings.coverage import unscored_sentences
from crossbank.reports.findings.errors import costliest_errors
from crossbank.reports.findings.family import Family
from crossbank.reports.findings.finding import Finding
from crossbank.reports.findings.information import bits_of_models
from crossbank.reports.findings.learning import schemes_along_axes
from crossbank.reports.findings.measures import agreement_on_candidates
from crossbank.reports.findings.over_treebanks import best_over_treebanks
from crossbank.reports.findings.schemes import price_of_errors, scores_between

TOPICS = {
    "treebanks": "Candidates over treebanks",
    "schemes": "The effect of the schemes on the score",
    "learning": "Treebanks along an axis of candidates",
    "candidates": "The better candidates",
    "measures": "Agreement of the measures",
    "information": "The bits that the models need",
    "errors": "The costliest errors",
    "conversion": "Reliability of the conversion",
    "coverage": "Sentences without a score",
}
"""The topics in order, with their headings."""

FIRST = 3
"""The number of findings at the top of the page."""

MOST = 8
"""A topic with more sentences has its first ones on the page; all are in tables.tex."""


def findings(family: Family) -> list[Finding]:
    """The findings, topic by topic. Where the data says nothing there is no sentence."""
    return [
        *best_over_treebanks(family.study),
        *price_of_errors(family),
        *scores_between(family),
        *schemes_along_axes(family),
        *better_candidates(family),
        *agreement_on_candidates(family),
        *bits_of_models(family),
        *costliest_errors(family),
        *trust_in_conversion(family),
        *unscored_sentences(family.study),
    ]


def first_of_topics(found: Sequence[Finding]) -> list[Finding]:
    """The findings that a reader sees first: those over treebanks, or one of each topic."""
    topics: dict[str, list[Finding]] = {}
    for finding in found:
        topics.setdefault(finding.topic, []).append(finding)
    leading = topics.get("treebanks") or [topics[topic][0] for topic in TOPICS if topic in topics]
    return leading[:FIRST]


def by_topic(found: Sequence[Finding]) -> list[tuple[str, list[Finding], int]]:
    """Each topic's heading, its first findings, and how many more it has."""
    topics = []
    for topic, heading in TOPICS.items():
        own = [finding for finding in found if finding.topic == topic]
        if own:
            topics.append((heading, own[:MOST], max(len(own) - MOST, 0)))
    return topics
