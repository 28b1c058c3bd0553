"""Labels that cannot match: disjoint, in other case, with subtypes, functions or wrappers on one side."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from crossbank.converters.schemes.views import OF_DEPENDENCIES
from crossbank.metrics.counting.tally import by_sentence
from crossbank.metrics.traps.trap import Scored, Trap, listed
from crossbank.treebanks import NO_PARENT, Treebank
from crossbank.treebanks.named_arguments import Named, argument, transformed
from crossbank.treebanks.quantities import quantity

if TYPE_CHECKING:
    from crossbank.converters.schemes.scheme import Scheme

MOST = 0.9
"""Nearly all of a side's labels or sentences."""

SOME = 0.1
"""More than a few of a side's labels or sentences."""


class Labels(NamedTuple):
    """Labels that a metric compares on the two sides, with their numbers."""

    what: str
    gold: dict[str, int]
    candidate: dict[str, int]


def labels_of(scored: Scored) -> Labels | None:
    """The constituents' labels or the relations, where the metric compares them; else None."""
    gold, candidate = scored.pair.gold, scored.pair.candidate
    if not scored.metric.compares_labels or getattr(scored.metric, "labels", True) is False:
        return None
    if scored.metric.view in OF_DEPENDENCIES:
        what, columns = "relations", (gold.tokens.relation, candidate.tokens.relation)
    elif scored.metric.view in ("constituents", "parseval1991", "heads"):
        what, columns = "labels", (gold.nodes.label, candidate.nodes.label)
    else:
        return None
    found = Labels(what, gold.vocabulary.counted(columns[0]), candidate.vocabulary.counted(columns[1]))
    return found if found.gold and found.candidate else None


def unlike_labels(scored: Scored) -> Iterator[Trap]:
    """Labels cannot match: disjoint, in other case, or with functions or subtypes on one side only."""
    labels = labels_of(scored)
    if labels is not None:
        yield from _disjoint_labels(labels)
        yield from _one_sided_functions(labels, scored.scheme)
        if scored.metric.word_by_word:
            yield from _one_sided_subtypes(labels)


def _disjoint_labels(labels: Labels) -> Iterator[Trap]:
    """No label of the one side is on the other, or some differ by case only."""
    what, gold, candidate = labels
    by_case = {label.casefold(): label for label in gold if label not in candidate}
    other_case = {label: by_case[label.casefold()] for label in candidate.keys() - gold.keys()
                  if label.casefold() in by_case}  # fmt: skip
    if other_case:
        named = listed([f"{label} for {known}" for label, known in sorted(other_case.items())])
        number = sum(candidate[label] for label in other_case)
        yield Trap(
            "case",
            f"{what} of the candidate differ from gold's by case only: {named}, in "
            f"{quantity(number, 'place')}",
            "write both sides in the same case: {}",
            (_renamed(what, [f"{label}>{known}" for label, known in sorted(other_case.items())]),),
        )
    elif not gold.keys() & candidate.keys():
        yield Trap(
            "disjoint",
            f"no {what[:-1]} of the candidate is one of gold's: found {listed(sorted(candidate))}, "
            f"expected {listed(sorted(gold))}",
            "bring one side's names to the other's: {}",
            (_renamed(what, ["OLD>NEW"]),),
        )


def _one_sided_subtypes(labels: Labels) -> Iterator[Trap]:
    """Relations have subtypes (``nsubj:pass``) on one side only."""
    if labels.what != "relations":
        return
    proportions = [_proportion(side, lambda label: ":" in label) for side in (labels.gold, labels.candidate)]
    if max(proportions) > 0.01 and min(proportions) == 0:
        side = "gold" if proportions[0] else "the candidate"
        yield Trap(
            "subtypes",
            f"only {side} has relations with subtypes ({100 * max(proportions):.1f} % of its relations)",
            "use {}, which strips subtypes",
            (argument("metric", "conll18"),),
        )


def _one_sided_functions(labels: Labels, scheme: Scheme | None) -> Iterator[Trap]:
    """Labels carry functions (``NP-SBJ``) on one side only."""
    if labels.what != "labels":
        return

    # R-SIMPX is a category: nothing is called R.
    known = labels.gold.keys() | labels.candidate.keys()

    def has_function(label: str) -> bool:
        category, separator, _ = label.partition("-")
        return bool(separator) and category in known

    proportions = [_proportion(side, has_function) for side in (labels.gold, labels.candidate)]
    if max(proportions) > SOME and min(proportions) == 0:
        side = "gold" if proportions[0] else "the candidate"
        remedy = "name the scheme ({}), which strips them, or strip them: {}"
        if scheme is not None:
            mark = scheme.labels.function[:1]
            read = f"reads functions only after {mark!r}" if mark else "has no functions in labels"
            remedy = f"the scheme {scheme.name} {read}; strip them without {{}}: {{}}"
        yield Trap(
            "functions",
            f"only {side} has functions in its labels ({100 * max(proportions):.0f} % of them), so these "
            "never match",
            remedy,
            (argument("scheme"), transformed("strip_functions")),
        )


def one_sided_wrappers(scored: Scored) -> Iterator[Trap]:
    """A node such as TOP or ROOT is over the whole tree on one side only, or has another name there."""
    if scored.metric.view != "constituents" or getattr(scored.metric, "root", True) is False:
        return
    sides = [_wrappers(bank) for bank in (scored.pair.gold, scored.pair.candidate)]
    names = [name for name, _ in sides]
    proportions = [proportion for _, proportion in sides]
    if max(proportions) > MOST and min(proportions) < SOME:
        place = proportions.index(max(proportions))
        side, name = ("gold", "the candidate")[place], names[place] or "without a label"
        yield Trap(
            "wrappers",
            f"only {side} has a node {name} over its trees, a bracket that the other side cannot have",
            # Without roots on both sides the other side would lose more.
            "delete them on that side: {}",
            (transformed("delete_roots"),),
        )
    elif min(proportions) > MOST and names[0] != names[1] and labels_of(scored) is not None:
        gold, candidate = (name or "one without a label" for name in names)
        yield Trap(
            "wrappers",
            f"the node over gold's trees is {gold}, over the candidate's {candidate}, so they never match",
            "leave them out with {}, or delete them on both sides: {}",
            (argument("root", "no", of_metric=True), transformed("delete_roots")),
        )


def unknown_punctuation(scored: Scored) -> Iterator[Trap]:
    """Words that are signs have tags that the scheme does not take for punctuation, which it deletes."""
    from crossbank.metrics.counting.scoring import rule_of
    from crossbank.metrics.pairing.word_forms import is_punctuation

    scheme, gold = scored.scheme, scored.gold
    if scheme is None or rule_of(scored.scoring.delete, scheme) != "punct" or not len(gold.tokens):
        return
    signs = gold.vocabulary.matching(is_punctuation)[gold.tokens.form]
    missed = signs & ~scheme.is_punctuation(gold) & ~scheme.is_empty(gold)
    if signs.sum() and missed.sum() > SOME * signs.sum():
        tags = gold.vocabulary.counted(gold.tokens.pos[missed])
        named = listed(sorted(tags, key=lambda tag: -tags[tag])) or "no tag"
        yield Trap(
            "punctuation",
            f"{int(missed.sum()):,} of {int(signs.sum()):,} signs have a tag that the scheme {scheme.name} "
            f"does not take for punctuation ({named})",
            "use {}, or add the tags to the scheme",
            (argument("delete", "unicode", of_metric=True),),
        )


def wrong_scheme(scored: Scored) -> Iterator[Trap]:
    """Most of gold's categories are unknown to the scheme, and another one knows them."""
    if scored.scheme is None or not scored.gold.has_constituents:
        return
    nodes = scored.gold.vocabulary.counted(scored.gold.nodes.label)
    own = known_proportion(scored.scheme, nodes)
    if own is None or own > 0.5:
        return
    best, proportion = fitting_schemes(nodes)
    if proportion > max(MOST, own):
        yield Trap(
            "scheme",
            f"the scheme {scored.scheme.name} knows {100 * own:.0f} % of gold's categories, the scheme "
            f"{best} {100 * proportion:.0f} %",
            "use {}",
            (argument("scheme", best),),
        )


def forgotten_scheme(scored: Scored) -> Iterator[Trap]:
    """Without a scheme gold has crossing branches and the candidate has none: these brackets never match."""
    if scored.scheme is not None or scored.metric.view != "constituents" or scored.pair.gold.history:
        return
    gold, candidate = (int(b.spans.discontinuous.sum()) for b in (scored.pair.gold, scored.pair.candidate))
    if gold and not candidate:
        best, proportion = fitting_schemes(scored.gold.vocabulary.counted(scored.gold.nodes.label))
        remedy = "use {}" if proportion > MOST else "use the transformation raise_crossing"
        yield Trap(
            "no_scheme",
            f"gold has {quantity(gold, 'discontinuous constituent')} and the candidate none, and no "
            "scheme says "
            "how crossing branches are resolved",
            remedy,
            (argument("scheme", best),),
        )


def fitting_schemes(labels: dict[str, int]) -> tuple[str, float]:
    """Schemes that know most of the nodes' categories, joined by ``or``, and the proportion they know."""
    from crossbank.converters.scheme_files import load_scheme, scheme_names

    fits = {name: known_proportion(load_scheme(name), labels) or 0.0 for name in scheme_names()}
    most = max(fits.values())
    return " or ".join(name for name, proportion in fits.items() if proportion == most), most


def known_proportion(scheme: Scheme, labels: dict[str, int]) -> float | None:
    """Proportion of a treebank's nodes whose category a scheme's inventory lists; None without a list."""
    inventory = scheme.inventory.get("categories", {})
    if not inventory or not labels:
        return None
    category = scheme.labels.category
    return _proportion(labels, lambda label: label in inventory or category(label) in inventory)


def _renamed(what: str, names: list[str]) -> Named:
    """Return the transformation that renames labels or relations."""
    of = ",of=relations" if what == "relations" else ""
    return transformed(f"map_labels:labels={'+'.join(names)}{of}")


def _proportion(numbers: dict[str, int], accept: Callable[[str], bool]) -> float:
    chosen = sum(number for label, number in numbers.items() if accept(label))
    return chosen / max(sum(numbers.values()), 1)


def _wrappers(bank: Treebank) -> tuple[str, float]:
    """Most frequent label of nodes that only wrap a tree, and the proportion of sentences with it."""
    nodes = bank.nodes
    tops = by_sentence(nodes.offsets, nodes.parent == NO_PARENT)
    # In pre-order the first node of a sentence is a top.
    labels = nodes.label[nodes.offsets[:-1][tops == 1]]
    names = [bank.vocabulary[code] for code in np.flatnonzero(np.bincount(labels)).tolist()]
    wrappers = [name for name in names if name in ("", "TOP", "ROOT", "VROOT", "S1")]
    if not wrappers or not len(bank):
        return "", 0.0
    numbers = {name: int((labels == bank.vocabulary.code(name)).sum()) for name in wrappers}
    most = max(numbers, key=lambda name: numbers[name])
    return most, numbers[most] / max(int((bank.tokens.lengths() > 0).sum()), 1)
