"""Traps: faults that spoil numbers without stopping anything, each noticed and named with its remedy.

They follow in the order in which they are listed: gold itself, words, schemes, labels, dependencies, choices
of the comparison, the way in which files are written.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from crossbank.converters.schemes.views import OF_DEPENDENCIES, VIEWS
from crossbank.metrics.counting.counts import Counts
from crossbank.metrics.counting.items import by_sentence
from crossbank.metrics.counting.metric import Metric
from crossbank.metrics.counting.scoring import Scoring
from crossbank.metrics.pairing.pair import Pair, Status, first_difference, is_canonical
from crossbank.metrics.pairing.word_forms import ESCAPES, canonical
from crossbank.treebanks import NO_PARENT, ROOT, UNATTACHED, Treebank
from crossbank.treebanks.files import STANDARD
from crossbank.treebanks.named_arguments import Named, argument, transformed, universal
from crossbank.treebanks.quantities import listed, quantity
from crossbank.treebanks.registry import written

if TYPE_CHECKING:
    from crossbank.converters.schemes.scheme import Scheme

ENOUGH = 200
"""The fewest tokens at which it is suspicious that all tags are right."""

LOOKED_AT = 200
"""So many sentences with other words are looked at: a fault of a whole file shows in them."""

HALF = 0.5
"""Where more of a side's labels are none of the other side's, the two name other things."""

MANY_MISSING = 1 / 3
"""The proportion of sentences without a parse at which a file may have been cut."""

MOST, SOME = 0.9, 0.1
"""Nearly all of a side's labels or sentences, and more than a few of them."""

UNIVERSAL = re.compile(r"[a-z]+(:[a-z]+)?")
"""The form of the relations of Universal Dependencies, by its validator."""

QUOTES = str.maketrans({"“": '"', "”": '"', "„": '"', "‘": "'", "’": "'", "«": '"', "»": '"'})


@dataclass(frozen=True)
class Trap:
    """A fault that was noticed: its kind, what was found, and what to do about it.

    means  what stands for each ``{}`` of the remedy
    """

    kind: str
    found: str
    remedy: str
    means: tuple[Named, ...] = ()

    def __str__(self) -> str:
        # No str.format: names of labels and schemes may have braces.
        first, *others = self.remedy.split("{}")
        remedy = first + "".join(f"{mean}{other}" for mean, other in zip(self.means, others, strict=False))
        return f"{self.found} ({remedy})"


@dataclass(frozen=True, eq=False)
class Scored:
    """One metric's comparison, with everything that it was made from.

    pair               gold and candidate in the metric's view
    gold, candidate    both as they were read
    raw                whether the candidate is said to be parsed from raw text, without gold's tags
    """

    metric: Metric
    counts: Counts
    pair: Pair
    gold: Treebank
    candidate: Treebank
    scoring: Scoring
    scheme: Scheme | None = None
    raw: bool = False


COLUMNS = (
    ("tokens", ("parent", "head"), ("form", "pos", "relation", "function")),
    ("nodes", ("parent",), ("label", "function")),
    ("relations", ("head_index", "dependent_index"), ("name", "head_word", "dependent_word")),
)
"""The tables in which a candidate may be gold itself, with their columns of numbers and of strings."""


def identical_to_gold(scored: Scored) -> Iterator[Trap]:
    """The candidate has gold's tokens, tags, constituents, dependencies and relations in every sentence.

    Functions are compared where the candidate has some: gold without its functions is gold all the same. Of
    several analyses of a sentence the chosen one is compared.
    """
    gold, candidate = scored.gold.only_chosen(), scored.candidate.only_chosen()
    if gold is candidate or len(gold) < 2 or len(gold.tokens) != len(candidate.tokens):
        return
    codes = candidate.vocabulary.translation(gold.vocabulary)
    functions = candidate.tokens.function.any() or candidate.nodes.function.any()

    def same(table: str, numbers: tuple[str, ...], strings: tuple[str, ...]) -> bool:
        one, other = getattr(gold, table), getattr(candidate, table)
        return all(np.array_equal(getattr(one, name), getattr(other, name)) for name in numbers) and all(
            np.array_equal(getattr(one, name), codes[getattr(other, name)])
            for name in strings
            if functions or name != "function"
        )

    if (gold.has_constituents or gold.has_dependencies) and all(same(*columns) for columns in COLUMNS):
        yield Trap(
            "identical",
            "the candidate is identical to gold in every sentence",
            "check that it is a parser's output",
        )


def other_words(scored: Scored) -> Iterator[Trap]:
    """Reason why words differ: moved by a sentence, split otherwise, other quotes, another treebank."""
    if not scored.metric.word_by_word:
        return
    gold, candidate, status = scored.pair.gold, scored.pair.candidate, scored.pair.status
    differing = np.flatnonzero(status == Status.WORDS_DIFFER)[:LOOKED_AT].tolist()
    if not differing:
        return
    for step in (1, -1):
        moved = sum(_same(gold, place + step, candidate, place) for place in differing)
        # A single sentence may have the words of its neighbour by chance.
        if moved > max(0.8 * len(differing), 1):
            which = "next" if step > 0 else "previous"
            yield Trap(
                "shifted",
                f"the candidate's sentences from number {differing[0] + 1} on have the words of gold's "
                f"{which} sentence",
                "a sentence is missing or one too many there: insert an empty line or remove the sentence",
            )
            return
    pairs = [(gold.words(place), candidate.words(place)) for place in differing]
    quotes = sum(_plain(one) == _plain(other) for one, other in pairs)
    from crossbank.metrics.pairing.word_alignment import letters

    joined = sum(len(one) != len(other) and letters(one) == letters(other) != "" for one, other in pairs)
    total = int((status == Status.WORDS_DIFFER).sum())
    if quotes > 0.5 * len(pairs):
        yield Trap(
            "quotes",
            f'in {quantity(total, "sentence")} words differ by quotation marks only, as `` for "',
            "write quotation marks on both sides in the same way",
        )
    elif joined > 0.5 * len(pairs):
        yield Trap(
            "split",
            f"in {quantity(total, 'sentence')} the candidate has gold's letters, split into other words",
            "use {}, which joins such words, or the metric conll18",
            (argument("align", "yes", of_metric=True),),
        )
    elif total > 0.9 * max(int((status != Status.NO_PARSE).sum()), 1):
        yield Trap(
            "other_gold",
            f"in {total:,} of {quantity(len(status), 'sentence')} the candidate has other words than gold",
            "this may be another treebank's gold: compare the first words of the two files",
        )
    else:
        first = differing[0]
        difference = first_difference(gold.words(first), candidate.words(first))
        yield Trap(
            "words",
            f"in {total:,} of {quantity(len(status), 'sentence')} the candidate has other words than gold, "
            f"first in sentence {gold.sentence_id(first)} ({difference})",
            "correct the words; {} says whether such sentences count as empty or are left out",
            (argument("unscored"),),
        )


def _same(gold: Treebank, place: int, candidate: Treebank, other: int) -> bool:
    return 0 <= place < len(gold) and _canonical(gold.words(place)) == _canonical(candidate.words(other))


def _plain(words: list[str]) -> list[str]:
    plain = [word.translate(QUOTES) for word in _canonical(words)]
    return [word.replace("``", '"').replace("''", '"').replace("`", "'") for word in plain]


def _canonical(words: list[str]) -> list[str]:
    return [canonical(word) for word in words]


def missing_parses(scored: Scored) -> Iterator[Trap]:
    """A large part of the candidate's sentences has no parse."""
    status = scored.pair.status
    missing = int((status == Status.NO_PARSE).sum())
    if missing >= MANY_MISSING * len(status) and missing > 1:
        yield Trap(
            "missing",
            f"the candidate has no parse for {missing:,} of {quantity(len(status), 'sentence')}",
            "check that its file is complete; {} says whether they count as empty or are left out",
            (argument("unscored"),),
        )


def words_alone(scored: Scored) -> Iterator[Trap]:
    """The candidate has words, with tags or not, and no analysis: its trees are made of words alone."""
    candidate = scored.candidate
    analysed = candidate.has_constituents or candidate.has_dependencies or candidate.has_relations
    if not analysed and VIEWS[scored.metric.view].of_trees and (candidate.tokens.lengths() > 1).any():
        words = "words with tags" if candidate.has_tags else "words"
        yield Trap(
            "words_alone",
            f"the candidate has {words}, and neither phrases nor heads in any sentence",
            "check that its file is a parser's output",
        )


def one_sided_traces(scored: Scored) -> Iterator[Trap]:
    """Empty elements (traces) are words on one side only."""
    numbers = []
    for bank in (scored.pair.gold, scored.pair.candidate):
        code = bank.vocabulary.code("-NONE-")
        numbers.append(int((bank.tokens.pos == code).sum()) if code >= 0 else 0)
    if max(numbers) and not min(numbers):
        side = "gold" if numbers[0] else "the candidate"
        yield Trap(
            "traces",
            f"only {side} has empty elements (tag -NONE-, {max(numbers):,} of them), so words differ",
            "delete them: {}",
            (transformed("delete_empty_elements", "ptb"),),
        )


def wrong_scheme(scored: Scored) -> Iterator[Trap]:
    """Most of gold's categories are unknown to the scheme, and another one knows them."""
    if scored.scheme is None or not scored.gold.has_constituents:
        return
    nodes = scored.gold.vocabulary.counted(scored.gold.nodes.label)
    own = scored.scheme.known_proportion(nodes)
    if own is None or own > 0.5:
        return
    from crossbank.converters.scheme_files import NEARLY_ALL, fitting_schemes

    best, proportion = fitting_schemes(nodes)
    if proportion > max(NEARLY_ALL, own):
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
        from crossbank.converters.scheme_files import NEARLY_ALL, fitting_schemes

        best, proportion = fitting_schemes(scored.gold.vocabulary.counted(scored.gold.nodes.label))
        remedy = "use {}" if proportion > NEARLY_ALL else "use the transformation raise_crossing"
        yield Trap(
            "no_scheme",
            f"gold has {quantity(gold, 'discontinuous constituent')} and the candidate none, and no scheme "
            "says how crossing branches are resolved",
            remedy,
            (argument("scheme", best),),
        )


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
    """Labels cannot match: other names, in other case, or with functions or subtypes on one side only."""
    labels = labels_of(scored)
    if labels is not None:
        other_names = list(_other_names(labels, scored))
        yield from other_names or _other_case(labels)
        yield from _one_sided_functions(labels, scored.scheme)
        if scored.metric.word_by_word and not other_names:
            yield from _one_sided_subtypes(labels)


def _other_names(labels: Labels, scored: Scored) -> Iterator[Trap]:
    """Most of the candidate's labels are none of gold's in any case, nor without functions or subtypes.

    A few (``punct``, ``root``, ``dep``) are in nearly all schemes.
    """
    what, gold, candidate = labels
    separator = ":" if what == "relations" else "-"

    def names(label: str) -> set[str]:
        return {label.casefold(), label.partition(separator)[0].casefold()}

    known = {name for label in gold for name in names(label)}
    other = {label for label in candidate if known.isdisjoint(names(label))}
    proportion = _proportion(candidate, lambda label: label in other)
    if proportion <= HALF:
        return
    found = f"no {what[:-1]} of the candidate is one of gold's"
    if proportion < 1:
        found = f"{100 * proportion:.0f} % of the candidate's {what} are none of gold's"
    expected = sorted(gold.keys() - candidate.keys()) or sorted(gold)
    remedy, means = "bring one side's names to the other's: {}", _renamed(what, ["OLD>NEW"])
    scheme = scored.scheme
    if (
        what == "relations"
        and scheme is not None
        and scheme.universal
        and _proportion(candidate, UNIVERSAL.fullmatch) > MOST
    ):
        remedy, means = "compare it with gold in Universal Dependencies: {}", universal(scheme.name)
    yield Trap(
        "disjoint", f"{found}: found {listed(sorted(other))}, expected {listed(expected)}", remedy, (means,)
    )


def _other_case(labels: Labels) -> Iterator[Trap]:
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


def _renamed(what: str, names: list[str]) -> Named:
    of = ",of=relations" if what == "relations" else ""
    return transformed(f"map_labels:labels={'+'.join(names)}{of}")


def _one_sided_functions(labels: Labels, scheme: Scheme | None) -> Iterator[Trap]:
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


def _proportion(numbers: dict[str, int], accept: Callable[[str], object]) -> float:
    chosen = sum(number for label, number in numbers.items() if accept(label))
    return chosen / max(sum(numbers.values()), 1)


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


def heads_from_zero(scored: Scored) -> Iterator[Trap]:
    """Nearly all heads of the candidate are one less than gold's, or one more."""
    if scored.metric.view not in OF_DEPENDENCIES or not scored.metric.word_by_word:
        return
    gold = scored.pair.gold.tokens.head
    candidate = scored.pair.aligned(scored.pair.candidate.tokens.head, UNATTACHED)
    known = (gold >= 0) & (candidate != UNATTACHED)
    if known.sum() < 10:
        return
    for step, said in ((-1, "one less than"), (1, "one more than")):
        moved = (candidate == gold + step)[known].mean()
        if moved > 0.6 and (candidate == gold)[known].mean() < 0.3:
            yield Trap(
                "heads_from_zero",
                f"{100 * moved:.0f} % of the candidate's heads are {said} gold's",
                "heads are counted from 1, and 0 is the root: add or subtract 1 in the candidate's file",
            )


def several_roots(scored: Scored) -> Iterator[Trap]:
    """Sentences of the candidate have several roots where gold has one."""
    if scored.metric.view not in OF_DEPENDENCIES or not scored.metric.word_by_word:
        return
    gold, candidate = (
        by_sentence(bank.tokens.offsets, bank.tokens.head == ROOT)
        for bank in (scored.pair.gold, scored.pair.candidate)
    )
    found = int(((gold == 1) & (candidate > 1) & scored.pair.scored).sum())
    if found > 0.01 * len(gold) and (gold == 1).mean() > 0.95:
        yield Trap(
            "roots",
            f"the candidate has several roots, and gold one, in {found:,} of "
            f"{quantity(len(gold), 'sentence')}",
            "{} keeps the root over most words",
            (transformed("single_root"),),
        )


def labelled_above_unlabelled(scored: Scored) -> Iterator[Trap]:
    """LAS is above UAS, which no labelled attachment can be."""
    names = {measure.name for measure in scored.counts.measures}
    if {"las", "uas"} <= names and scored.counts.rows.any():
        las, uas = scored.counts.value("las"), scored.counts.value("uas")
        if las > uas + 1e-9:
            yield Trap(
                "las_above_uas",
                f"LAS is {100 * las:.2f} and UAS {100 * uas:.2f}, but every labelled attachment is an "
                "attachment",
                "labels and heads were counted over different words: see the signature",
            )


def golden_tags(scored: Scored) -> Iterator[Trap]:
    """The candidate is said to be parsed from raw text, but all its tags are gold's."""
    if not (scored.raw and scored.metric.word_by_word):
        return
    gold, candidate = scored.pair.gold, scored.pair.candidate
    tags = scored.pair.aligned(scored.pair.candidate_codes(candidate.tokens.pos), -1)
    known = (tags >= 0) & (gold.tokens.pos > 0)
    if known.sum() >= ENOUGH and bool((tags[known] == gold.tokens.pos[known]).all()):
        yield Trap(
            "gold_tags",
            f"the candidate is said to be parsed from raw text, but has gold's tag at all "
            f"{quantity(int(known.sum()), 'word')}",
            "say that it was given gold's tags, or parse raw text",
        )


def average_of_sentences(scored: Scored) -> Iterator[Trap]:
    """The score is a mean over sentences where the literature sums brackets or tokens over all of them."""
    if scored.scoring.average == "macro" and scored.metric.micro_averaged:
        yield Trap(
            "average",
            f"average=macro makes {scored.metric.name} the mean of the sentences' scores, where the "
            "literature divides sums over all sentences",
            "leave out {} to compare with published numbers",
            (argument("average", "macro", of_metric=True),),
        )


def options_without_effect(scored: Scored) -> Iterator[Trap]:
    """Functions are to be compared and conversions have stripped them: the signature says what was done."""
    signed = dict(scored.counts.signature.choices)
    for name, without in scored.metric.of_functions.items():
        value, done = written(getattr(scored.metric, name)), signed.get(name)
        if done == written(without) != value:
            yield Trap(
                "option",
                f"{name}={value} has no effect on {scored.metric.name}: conversions strip all functions, "
                f"and it is scored with {name}={done}",
                f"leave out {name}={value}, or the conversion strip_functions",
            )


def other_normalisation(scored: Scored) -> Iterator[Trap]:
    """Forms are in NFC on one side and in NFD on the other, or escaped on one side only."""
    if is_canonical(scored.gold.vocabulary) and is_canonical(scored.candidate.vocabulary):
        return
    forms = [bank.vocabulary.counted(bank.tokens.form) for bank in (scored.gold, scored.candidate)]
    plain = [{form for form in side if not form.isascii()} for side in forms]
    composed = [sum(unicodedata.is_normalized("NFC", form) for form in side) for side in plain]
    for place, (side, other) in enumerate((("gold", "the candidate"), ("the candidate", "gold"))):
        decomposed = len(plain[place]) - composed[place]
        if decomposed > 0.5 * len(plain[place]) and composed[1 - place] > 0.5 * len(plain[1 - place]):
            yield Trap(
                "normalisation",
                f"{decomposed:,} forms of {side} are decomposed (NFD), those of {other} composed (NFC)",
                "they are compared as if both were NFC; write files in NFC for other programs",
            )
    gold, candidate = (_source(bank) for bank in (scored.gold, scored.candidate))
    if gold.suffix != candidate.suffix or (not gold.suffix and (str(gold) == STANDARD or gold.exists())):
        return  # formats that need escapes are beside those that do not, or names tell no format
    escaped = [{form for form in side if any(escape in form for escape in ESCAPES)} for side in forms]
    raw = [{form for form in side if form in ESCAPES.values()} for side in forms]
    for place, side in enumerate(("gold", "the candidate")):
        if escaped[place] and not raw[place] and raw[1 - place] & {canonical(f) for f in escaped[place]}:
            yield Trap(
                "escapes",
                f"only {side} writes brackets as {sorted(escaped[place])[0]}",
                "they are compared as the same words here; other programs take them for different ones",
            )


def _source(bank: Treebank) -> Path:
    """File of the first sentence, without the suffix of compression; no name for trees in memory."""
    source = bank.vocabulary[int(bank.sentences.source[0])] if len(bank) else ""
    return Path(source.removesuffix(".gz"))


def line_ends(scored: Scored) -> Iterator[Trap]:
    """One file has Windows line ends and the other has not."""
    ends = []
    for bank in (scored.gold, scored.candidate):
        path = Path(bank.vocabulary[int(bank.sentences.source[0])]) if len(bank) else Path()
        if not path.is_file() or path.suffix == ".gz":
            return
        with path.open("rb") as stream:
            ends.append(b"\r\n" in stream.read(65536))
    if ends[0] != ends[1]:
        side = "gold" if ends[0] else "the candidate"
        yield Trap(
            "line_ends",
            f"only the file of {side} has Windows line ends (CRLF)",
            "they are read as line ends here; other programs may take them as part of the last word",
        )


TRAPS: tuple[Callable[[Scored], Iterator[Trap]], ...] = (
    identical_to_gold,
    other_words,
    missing_parses,
    words_alone,
    one_sided_traces,
    wrong_scheme,
    forgotten_scheme,
    unlike_labels,
    one_sided_wrappers,
    unknown_punctuation,
    heads_from_zero,
    several_roots,
    labelled_above_unlabelled,
    golden_tags,
    average_of_sentences,
    options_without_effect,
    other_normalisation,
    line_ends,
)


def told_traps(
    scored: Iterable[tuple[Counts, Pair]],
    gold: Treebank,
    candidate: Treebank,
    scoring: Scoring,
    scheme: Scheme | None,
    *,
    raw: bool = False,
) -> list[str]:
    """Return the faults that were noticed, as sentences with their remedies.

    ``scored`` has each metric's counts and pair, in the order of ``scoring.metrics``; ``gold`` and
    ``candidate`` are as read.
    """
    comparisons = (
        Scored(metric, counts, pair, gold, candidate, scoring, scheme, raw)
        for metric, (counts, pair) in zip(scoring.metrics, scored, strict=True)
    )
    return [str(trap) for trap in traps(comparisons)]


def traps(comparisons: Iterable[Scored]) -> list[Trap]:
    """Return the faults that were noticed in the comparisons of one candidate, each once."""
    return list(dict.fromkeys(trap for scored in comparisons for find in TRAPS for trap in find(scored)))
