"""Views of trees from which grammars are read: continuous, with one root each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from crossbank.converters.schemes.scheme import Scheme
from crossbank.converters.transformations import Transformation, parse, transform
from crossbank.treebanks import Treebank


def steps_to_view(
    scheme: Scheme | None, view: str, *, functions: bool, crossing: Literal["raise", "split"]
) -> list[Transformation]:
    """Return the transformations that make a training set of trees.

    They are the scheme's for the view, with three differences: functions are moved out of labels instead
    of being stripped where ``functions`` are to be learned, crossing branches are resolved in the chosen
    way, and every sentence has a virtual root.
    """
    written_steps: Sequence[Any] = scheme.views.get(view, ()) if scheme is not None else ()
    steps = []
    for step in map(parse, written_steps or ["strip_functions"]):
        if step.name == "strip_functions" and functions:
            step = Transformation("split_functions", step.options)
        elif step.name == "raise_crossing" and crossing == "split":
            step = Transformation("split_crossing", step.options)
        steps.append(step)
    if not any(step.name == "virtual_root" for step in steps):
        steps.append(Transformation("virtual_root"))
    return steps


def in_view(bank: Treebank, steps: Sequence[Transformation], scheme: Scheme | None) -> Treebank:
    """Return a treebank after the steps; remaining crossing branches are raised.

    The history and the diagnostics are those of ``bank``: a conversion with the same steps reports them.
    """
    transformed = transform(bank, steps, scheme)
    if len(transformed.discontinuous_sentences):
        transformed = transform(
            transformed, [Transformation("raise_crossing", {"punctuation": "word"})], scheme
        )
    return transformed.replace(history=bank.history, diagnosis=bank.diagnosis)


def words_in_view(bank: Treebank, steps: Sequence[Transformation], scheme: Scheme | None) -> Treebank:
    """Return the tokens to be parsed, without nodes and edges; trees are first transformed by the steps."""
    if bank.has_constituents:
        bank = transform(bank, steps, scheme).replace(history=bank.history)
    return without_trees(bank)


def without_trees(bank: Treebank) -> Treebank:
    """Return the sentences and their tokens, with words, lemmas, tags and morphology, and no analysis."""
    tokens = type(bank.tokens).of(
        bank.tokens.offsets,
        **{name: getattr(bank.tokens, name) for name in ("form", "lemma", "pos", "xpos", "morph")},
    )
    return Treebank.of_tables(bank.vocabulary, bank.sentences, tokens, history=bank.history)
