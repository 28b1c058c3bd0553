"""Count gold and candidate in the view that a metric requires, without the tokens that do not count.

Some choices hold for all metrics and are in every signature: the scheme, the omitted tokens, the average over
sentences, the treatment of unscored sentences.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Literal, get_args
from weakref import WeakKeyDictionary

import numpy as np

from crossbank.converters.schemes.views import OF_DEPENDENCIES, VIEWS, missing_annotation
from crossbank.metrics.counting.choice import (
    Best,
    by_weights,
    heaviest_rows,
    weights,
    with_all_analyses,
)
from crossbank.metrics.counting.counts import Counts, Policy, Signature
from crossbank.metrics.counting.damage_notes import note_damage
from crossbank.metrics.counting.metric import Metric, known_metric, metric_class, register, types_of_options
from crossbank.metrics.pairing.pair import Pair, Status, refuse_failed_parses
from crossbank.metrics.pairing.word_forms import are_punctuation
from crossbank.treebanks import CrossbankError, OptionError, Treebank
from crossbank.treebanks.arrays import BoolArray
from crossbank.treebanks.cached_properties import cached_property
from crossbank.treebanks.chunks import Facts, candidate_beside
from crossbank.treebanks.code_columns import flags_of_codes
from crossbank.treebanks.errors import MissingAnnotationError
from crossbank.treebanks.named_arguments import argument
from crossbank.treebanks.quantities import quantity
from crossbank.treebanks.ranges import each
from crossbank.treebanks.registry import option_value

if TYPE_CHECKING:
    from crossbank.converters.schemes.scheme import Scheme
    from crossbank.converters.transformations import Step

Delete = Literal["scheme", "none", "punct", "unicode"]
"""The tokens that are omitted.

``punct``: punctuation by the scheme's gold tags, or ``unicode`` without a scheme; ``unicode``: tokens of
characters that Unicode classes as punctuation, as in ``eval07.pl``; ``none``: no tokens; ``scheme``: by the
scheme's key ``delete``, or no tokens without a scheme.
"""

Words = Literal["same", "characters", "align"]
"""The words that are compared.

``same``: words of sentences that have the same words; ``characters``: also of sentences with the same
characters in other tokens; ``align``: of all sentences, aligned by edits.
"""

SHARED = ("delete", "align", "average", "best", "seed", "words")
"""The options that hold for all metrics. ``relations`` has an option ``words`` too, with other values."""


@dataclass(frozen=True)
class Scoring:
    """Metrics with their options, and the choices that hold for all of them.

    delete    tokens that are deleted from gold and candidate, by gold's tags, after words have been compared
    align     whether words that gold and candidate split differently are joined before they are compared
    average   ``micro``: sums over sentences; ``macro``: the mean of the sentences' own scores
    best      which of several analyses of a sentence is scored
    seed      seed of the random analysis; without it, expected counts of a random analysis
    words     sentences that are compared: with the same words, with the same characters, or all, aligned
    """

    metrics: tuple[Metric, ...]
    delete: Delete = "scheme"
    align: bool = False
    average: Literal["micro", "macro"] = "micro"
    unscored: Policy = "empty"
    best: Best = "chosen"
    seed: int | None = None
    words: Words = "same"


def scoring_of(
    names: Sequence[str | type[Metric]],
    options: Mapping[str, object],
    unscored: Policy = "empty",
) -> Scoring:
    """Return the metrics of names or classes, with options as a user writes them (``options_of_each``)."""
    option_types = types_of_options(Scoring)
    classes = [_metric_class(name) for name in names]
    shared = {
        name: option_value(name, value, option_types[name])
        for name, value in options.items()
        if _is_shared(name, value, classes)
    }
    chosen = tuple(
        kind.with_options(
            {
                name: value
                for name, value in own.items()
                if name in types_of_options(kind) and not _is_shared(name, value, classes)
            }
        )
        for kind, own in zip(classes, options_of_each(classes, options), strict=True)
    )
    deletes = shared.get("delete", "scheme") not in ("scheme", "none")
    if deletes and not any(one.leaves_out_tokens for one in chosen):
        metrics = " and ".join(one.name for one in chosen)
        raise OptionError("option delete", shared["delete"], f"none: no tokens can be left out of {metrics}")
    if unscored not in get_args(Policy):
        raise OptionError("unscored", unscored, get_args(Policy))
    if (words := shared.get("words", "same")) != "same":
        for one in chosen:
            if not one.compares_words:
                raise OptionError("words", words, f"same: {one.name} does not compare words one by one")
        if shared.get("align"):
            raise OptionError("option align", "yes", f"no: words={words} aligns the words")
    scoring: Any = {"unscored": unscored, **shared}
    return Scoring(chosen, **scoring)


def options_of_each(
    metrics: Sequence[str | type[Metric]], options: Mapping[str, object]
) -> list[dict[str, object]]:
    """Return the options of each metric, including those of ``SHARED``, which hold for all metrics.

    ``METRIC.name`` is an option of one metric. A name alone goes to every metric that has such an option,
    if it has the same meaning in all of them; ``METRIC.name`` takes precedence.

    Raises OptionError for an option that no metric has, or that has several meanings.
    """
    classes = [_metric_class(metric) for metric in metrics]
    options_of_classes: list[dict[str, object]] = [
        {name: value for name, value in options.items() if _is_shared(name, value, classes)} for _ in classes
    ]
    for written in sorted(options, key=lambda name: "." in name):
        metric, _, name = written.rpartition(".")
        if metric and metric not in (known := [one.name for one in classes]):
            raise OptionError(f"option {written}", metric, known)
        if _is_shared(written, options[written], classes):
            continue
        owners = [
            (one, own)
            for one, own in zip(classes, options_of_classes, strict=True)
            if name in types_of_options(one) and metric in ("", one.name)
        ]
        if not owners and (metric or name not in SHARED):
            addressees = [one for one in classes if metric in ("", one.name)]
            allowed = {known for one in addressees for known in types_of_options(one)}
            raise OptionError(
                "option", written, sorted(allowed if metric else allowed | set(SHARED)) or "none"
            )
        if len({str(types_of_options(one)[name]) for one, _ in owners}) > 1:
            addressed = " or ".join(dict.fromkeys(f"{one.name}.{name}=..." for one, _ in owners))
            expected = f"{addressed}, since these metrics mean different things by it"
            raise OptionError(f"option {name}", options[written], expected)
        for _, own in owners:
            own[name] = options[written]
    return options_of_classes


def _is_shared(name: str, value: object, metrics: Sequence[type[Metric]]) -> bool:
    """Return whether an option is for all metrics: a metric may have another option of that name."""
    if name != "words":
        return name in SHARED
    return value in get_args(Words) or not any(name in types_of_options(one) for one in metrics)


def _metric_class(metric: str | type[Metric]) -> type[Metric]:
    if isinstance(metric, str):
        return metric_class(metric)
    if not (isinstance(metric, type) and issubclass(metric, Metric)):
        raise OptionError("metric", metric, "the name of a metric, or its class")
    if known_metric(metric.name) is not metric:
        register(metric, f"{metric.__module__}:{metric.__qualname__}")
    return metric


CONTEXT_FREE = "context_free"
"""The step under which a diagnosis tells which heads of gold were changed to be like a parser's."""


def in_view(
    bank: Treebank,
    view: str,
    scheme: Scheme | None,
    views: Mapping[str, Sequence[Any]] | None = None,
    *,
    parsed: bool = False,
    facts: Facts | None = None,
) -> Treebank:
    """Return a treebank in the view that a metric needs, by the scheme's transformations.

    views   transformations that replace the scheme's
    parsed  whether words without an analysis are parses without a constituent, not unparsed text
    facts   facts of the source of which the treebank is a chunk, since a chunk may lack an annotation

    A treebank with dependencies or relations and without constituents is in that view already. Raises
    ConversionError if there is no way to the view.
    """
    source = bank if facts is None else facts
    steps = () if scheme is None and not views else _steps_to_view(scheme, view, bank.has_constituents, views)
    target = VIEWS[view]
    if is_in_view(source, view):
        return bank
    is_empty_parse = parsed and not (source.has_dependencies or source.has_relations)
    is_lacking = not (source.has_constituents or is_empty_parse) and bank.lacks("constituents")
    if is_lacking:
        target.refuse_without_trees(bank)
    if steps:
        # The import loads the reader of YAML, which is not needed without a scheme.
        from crossbank.converters.transformations import transformed

        bank = transformed(bank, steps, scheme)
    required = target.both_have if target.must_yield or not steps else None
    # A tree whose only nodes are deleted, such as (TOP (UH Yes)), is still a tree.
    if required is not None and (is_lacking or required != "constituents") and bank.lacks(required):
        empty = not len(bank.tokens) and not bank.has_relations
        if empty:
            contents = f"words or analyses in {quantity(len(bank), 'sentence')}"
            lacking = MissingAnnotationError(bank.where(0), contents)
        else:
            lacking = missing_annotation(bank.where(0), required)
        raise LackingViewError(lacking, bank)
    return bank


def is_in_view(source: Treebank | Facts, view: str) -> bool:
    """Return whether a source without constituents has the dependencies or relations that a view is of."""
    content = VIEWS[view].gold_has
    is_had = content in ("dependencies", "relations") and getattr(source, f"has_{content}")
    return is_had and not source.has_constituents


def _steps_to_view(
    scheme: Scheme | None, view: str, has_constituents: bool, views: Mapping[str, Sequence[Any]] | None
) -> tuple[Step, ...]:
    """Return the transformations to a view; those of a scheme's lists are cached."""
    if scheme is None or views:
        lists = {**(scheme.views if scheme is not None else {}), **(views or {})}
        return _find_steps(view, lists, scheme, has_constituents)
    known = _STEPS.setdefault(scheme, {})
    key = (view, has_constituents)
    if key not in known:
        steps = _find_steps(view, scheme.views, scheme, has_constituents)
        if not all(step.is_own for step in steps):
            return steps  # a user's module may be replaced
        known[key] = steps
    return known[key]


_STEPS: WeakKeyDictionary[Scheme, dict[tuple[str, bool], tuple[Step, ...]]] = WeakKeyDictionary()
"""The transformations of each scheme to each view."""


def _find_steps(
    view: str, lists: Mapping[str, Sequence[Any]], scheme: Scheme | None, has_constituents: bool
) -> tuple[Step, ...]:
    from crossbank.converters.transformations import steps_of

    if view in lists:
        return steps_of(lists[view])
    transformations = lists.get(VIEWS[view].instead, ())
    if view == "heads":
        transformations = _add_head_marks(transformations) if scheme is not None else ()
    if view == "tags" and not has_constituents:
        transformations = ()
    return steps_of(transformations)


class LackingViewError(MissingAnnotationError):
    """The conversion of a treebank to a view is empty; that of a larger part of the source may not be.

    bank  the empty result of the conversion
    """

    def __init__(self, error: MissingAnnotationError, bank: Treebank) -> None:
        super().__init__(error.where, error.annotation, error.purpose)
        self.bank = bank

    def __reduce__(self) -> tuple[object, ...]:
        return MissingAnnotationError, (self.where, self.annotation, self.purpose)


class Views:
    """A treebank as it was read, and in the views of metrics, each of which is made once and cached.

    facts     facts of the source, if the treebank is a chunk of it
    view      the view in which the treebank is already, if it was converted before
    as_read   the treebank before this conversion, if it is known
    is_chunk  whether the treebank is a chunk, whose views may be empty
    lacking   the errors of empty views
    """

    def __init__(
        self,
        bank: Treebank,
        scheme: Scheme | None,
        *,
        parsed: bool = False,
        facts: Facts | None = None,
        view: str | None = None,
        as_read: Treebank | None = None,
    ) -> None:
        self.bank, self.scheme, self.parsed = bank if as_read is None else as_read, scheme, parsed
        self.is_chunk = facts is not None
        self.lacking: dict[str, MissingAnnotationError] = {}
        self._facts = facts
        self._views: dict[str, Treebank] = {} if view is None else {view: bank}

    @cached_property
    def facts(self) -> Facts:
        """Facts of the source."""
        return Facts.of(self.bank) if self._facts is None else self._facts

    def view(self, name: str) -> Treebank:
        """Return the treebank in a view: see ``in_view``."""
        if name not in self._views:
            try:
                view = in_view(self.bank, name, self.scheme, parsed=self.parsed, facts=self._facts)
            except LackingViewError as error:
                if not self.is_chunk:
                    raise
                self.lacking[name], view = error, error.bank
            self._views[name] = view
        return self._views[name]


def score(
    gold: Treebank, candidate: Treebank, scoring: Scoring, scheme: Scheme | None = None
) -> list[Counts]:
    """Return the counts of each metric, on treebanks as they were read.

    Raises UnscoredError where ``unscored`` is ``fail`` and a sentence cannot be scored.
    """
    compared = compare_views(Views(gold, scheme), Views(candidate, scheme), scoring, scheme)
    return [counts.under(scoring.unscored) for counts, _ in compared]


def compare_views(
    gold: Views, candidate: Views, scoring: Scoring, scheme: Scheme | None, first: int = 0
) -> list[tuple[Counts, Pair]]:
    """Return the counts of each metric, with the sentences as it saw them.

    first  the index in the source of the first sentence
    """
    pairs: dict[tuple[str, Callable[..., Pair], bool], Pair] = {}
    compared = []
    damage = note_damage(gold.bank, candidate.bank)
    for chosen in each(scoring.metrics, lambda metric: f"scoring: {metric.name}", "metrics"):
        key = (chosen.view, type(chosen).pair, chosen.all_analyses)
        if key not in pairs:
            pairs[key] = pair_views(chosen, gold, candidate, scoring, scheme, first)
        several = candidate.facts.has_several_analyses
        counts, pair = counted(chosen, pairs[key], scoring, scheme, several=several)
        if damage:
            counts = replace(counts, notes={**counts.notes, **damage})
        compared.append((counts, pair))
    return compared


def pair_views(
    chosen: Metric, gold: Views, candidate: Views, scoring: Scoring, scheme: Scheme | None, first: int = 0
) -> Pair:
    """Pair gold and candidate in a metric's view, without the tokens that do not count.

    If a sentence has several analyses, the chosen one is paired, or all of them if ``best`` or the metric
    compares them.
    """
    if scoring.seed is not None and scoring.best != "random":
        raise CrossbankError(f"{argument('seed')} needs {argument('best', 'random')}")
    left, right = gold.view(chosen.view), candidate.view(VIEWS[chosen.view].of_candidates)
    refuse_failed_parses(left)
    # Facts of the source, not of the chunk: a sentence of another chunk may have several analyses.
    if chosen.all_analyses or (scoring.best != "chosen" and candidate.facts.has_several_analyses):
        left, right = with_all_analyses(left, right)
    else:
        left, right = left.only_chosen(), right.only_chosen()
    right = candidate_beside(right, left)
    delete = None
    if chosen.leaves_out_tokens:
        rule = scoring.delete
        delete = left.derived(("deleted", rule, scheme), lambda: deleted_tokens(left, rule, scheme))
    if words_of(chosen, scoring) != "same":
        pair = _pair_common_words(chosen, left, right, scoring, scheme)
    else:
        pair = chosen.pair(left, right, delete=delete, align=scoring.align)
    return replace(pair, first=first, is_chunk=gold.is_chunk) if first or gold.is_chunk else pair


def _pair_common_words(
    chosen: Metric, gold: Treebank, candidate: Treebank, scoring: Scoring, scheme: Scheme | None
) -> Pair:
    """Pair gold and candidate with different words, aligned by ``metrics.pairing.common_words``."""
    from crossbank.metrics.pairing.common_words import in_common_words

    common = in_common_words(
        gold,
        candidate,
        by_edits=scoring.words == "align",
        by_word=chosen.view in (*OF_DEPENDENCIES, "relations"),
        deleted_tokens=lambda bank: (
            deleted_tokens(bank, scoring.delete, scheme) if chosen.leaves_out_tokens else None
        ),
    )
    pair = chosen.pair(common.gold, common.candidate, delete=common.deleted, align=scoring.align)
    if common.is_joined.any():
        pair = replace(pair, status=np.where(common.is_joined, Status.SKIPPED, pair.status).astype(np.int8))
    return pair


def deleted_tokens(gold: Treebank, delete: Delete, scheme: Scheme | None) -> BoolArray | None:
    """Return a mask of gold's tokens that are omitted; None if all count.

    Punctuation tokens have one of the scheme's punctuation tags or consist of characters that Unicode calls
    punctuation, which is the only criterion without a scheme.
    """
    rule = rule_of(delete, scheme)
    if rule == "none":
        return None
    if rule == "punct":
        assert scheme is not None
        return scheme.is_punctuation(gold)
    return flags_of_codes(gold.tokens.form, gold.vocabulary.flagged(are_punctuation))


def words_of(chosen: Metric, scoring: Scoring) -> Words:
    """Return which words a metric compares: ``same`` for metrics that score the words themselves."""
    return "same" if chosen.judges_words else scoring.words


def rule_of(delete: Delete, scheme: Scheme | None) -> Literal["none", "punct", "unicode"]:
    """Return the rule that ``delete`` stands for under a scheme."""
    if delete == "scheme":
        return "none" if scheme is None else scheme.delete
    return "unicode" if delete == "punct" and scheme is None else delete


def counted(
    chosen: Metric, pair: Pair, scoring: Scoring, scheme: Scheme | None, *, several: bool | None = None
) -> tuple[Counts, Pair]:
    """Return the counts of a pair in a metric's view, and the pair with the analyses that are scored.

    The signature has all choices. The policy for unscored sentences is stored, not applied.
    """
    counts = chosen.counts(pair)
    rule = rule_of(scoring.delete, scheme) if chosen.leaves_out_tokens else "none"
    name, words = scheme.name if scheme is not None else None, words_of(chosen, scoring)
    counts = counts.chosen(
        _signature_of_all(counts.signature, rule, name, scoring.average, words), scoring.unscored
    )
    counts = counts.macro() if scoring.average == "macro" else counts
    several = pair.candidate.has_several_analyses if several is None else several
    if several and (chosen.all_analyses or scoring.best != "chosen"):
        best = "chosen" if chosen.all_analyses else scoring.best
        weight = weights(counts, pair, best, None if chosen.all_analyses else scoring.seed)
        if not chosen.all_analyses:
            counts = by_weights(counts, weight, pair)
            choice = scoring.best if scoring.seed is None else f"{scoring.best}:{scoring.seed}"
            counts = replace(counts, signature=counts.signature.with_choice("best", choice))
        pair = pair.select(heaviest_rows(weight, pair).tolist())
    return counts, pair


@lru_cache(maxsize=64)
def _signature_of_all(
    signature: Signature, rule: str, scheme: str | None, average: str, words: Words
) -> Signature:
    """Return a metric's signature with the choices that hold for all metrics, which many chunks share."""
    choices = {
        "delete": rule,
        **({} if scheme is None else {"scheme": scheme}),
        "average": average,
        **({} if words == "same" else {"compared_words": words}),
    }
    return signature.with_choices(choices)


def _add_head_marks(transformations: Sequence[Any]) -> Sequence[Any]:
    """Return transformations to constituents that also mark heads, before functions are removed.

    Head rules need functions. They are split from labels instead of stripped, since some mark complements.
    """
    from crossbank.converters.transformations import Transformation, parse

    steps = [parse(one) for one in transformations]
    marked = [Transformation("mark_heads"), Transformation("mark_coordination")]
    index = next((index for index, one in enumerate(steps) if one.name == "strip_functions"), None)
    if index is None:
        return [*steps, *marked]
    return [
        *steps[:index],
        Transformation("split_functions", steps[index].options),
        *marked,
        *steps[index + 1 :],
    ]
