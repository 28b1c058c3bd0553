"""Fill the columns of the CoNLL formats from those of a treebank of constituents."""

from __future__ import annotations

import re
from collections.abc import Mapping

import numpy as np

from crossbank.converters.declaration import transformation
from crossbank.converters.dependencies.single_root import NO_RELATION
from crossbank.converters.schemes.scheme import NO_FUNCTION, Scheme
from crossbank.treebanks import Treebank
from crossbank.treebanks.errors import RequirementError

NAME = "conll_columns"

_TEXT = re.compile(r"^#?[ \t]*text[ \t]*=", re.MULTILINE)

OPEN_CLASSES = ("ADJ", "ADV", "INTJ", "NOUN", "PROPN", "VERB")
CLOSED_CLASSES = ("ADP", "AUX", "CCONJ", "DET", "NUM", "PART", "PRON", "SCONJ")
UNIVERSAL_TAGS = frozenset((*OPEN_CLASSES, *CLOSED_CLASSES, "PUNCT", "SYM", "X"))
"""The tags of Universal Dependencies (universaldependencies.org/u/pos)."""

NO_VALUE = "--"
"""The sign of the export format and TIGER-XML for a missing lemma or morphology."""


@transformation(position=350)
def conll_columns(bank: Treebank, scheme: Scheme | None = None, *, universal: bool = True) -> Treebank:
    """Fill tags, lemmas, features and relations as CoNLL-U wants them, and the comment ``text``.

    universal  whether UPOS and FEATS get the categories of Universal Dependencies

    The scheme's tags move to XPOS, and UPOS gets the universal tags that the scheme lists for them. Tokens
    whose tag is not listed keep it and are counted. FEATS gets universal features where the scheme lists one
    for each part of the morphology (``3.Sg.Pres.Ind``); otherwise the morphology goes to MISC, as ``Morph``.
    Lemmas and morphology that say nothing (``--``) become empty; relations that say nothing (``--``) become
    ``dep``.
    Without ``universal``, as in CoNLL-X, the morphology stays, and both columns have the scheme's tags.
    """
    if scheme is None:
        raise RequirementError(NAME, "a scheme that lists universal tags")
    known, category = scheme.universal_tags, scheme.labels.category
    for column in ("lemma", "morph"):
        bank = bank.with_strings("tokens", column, lambda text: "" if text == NO_VALUE else text)
    bank = bank.with_strings("tokens", "relation", _named)
    bank = bank.with_strings("tokens", "deps", _telling)
    tags, xpos = bank.tokens.pos, bank.tokens.xpos
    bank = bank.replace(tokens=bank.tokens.replace(xpos=np.where(xpos > 0, xpos, tags)))
    if not universal:
        return bank
    bank = _with_features(_with_text(bank), scheme.universal_features)
    bank = bank.with_strings("tokens", "pos", lambda tag: known.get(category(tag), tag))
    unknown = bank.vocabulary.matching(lambda tag: category(tag) not in known and tag not in UNIVERSAL_TAGS)
    event = "tags without a universal tag"
    if not known:
        event += f": the scheme {scheme.name} lists none under universal_tags, so UPOS repeats XPOS"
    return bank.with_events(NAME, {event: bank.tokens.sentence_of_row()[unknown[tags]]})


def _telling(deps: str) -> str:
    """Replace relations that say nothing: ``4:SB|9:--`` becomes ``4:SB|9:dep``."""
    arcs = (arc.partition(":") for arc in deps.split("|"))
    return "|".join(f"{head}{colon}{_named(relation)}" for head, colon, relation in arcs)


def _named(relation: str) -> str:
    return NO_RELATION if relation in NO_FUNCTION else relation


def _with_features(bank: Treebank, known: Mapping[str, str]) -> Treebank:
    """Replace morphology by universal features; morphology that is not a list of features goes to MISC."""

    def features(morph: str) -> str:
        if "=" in morph:
            return morph
        parts = [part for part in morph.split(".") if part != "*"]
        return "|".join(sorted({known[part] for part in parts})) if all(p in known for p in parts) else ""

    old = bank.tokens.morph
    bank = bank.with_strings("tokens", "morph", lambda morph: features(morph) if morph else "")
    lost = np.flatnonzero((old > 0) & (bank.tokens.morph == 0))
    pairs = zip(*(bank.vocabulary.decode(column[lost]) for column in (old, bank.tokens.misc)), strict=True)
    misc = (f"Morph={morph}{'|' if more else ''}{more}" for morph, more in pairs)
    return bank.with_columns("tokens", lost, misc=misc)


def _with_text(bank: Treebank) -> Treebank:
    """Add the words of each sentence as a comment unless there is one; spaces are unknown."""
    comments = bank.vocabulary.decode(bank.sentences.comments)
    for sentence, comment in enumerate(comments):
        words = bank.words(sentence)
        if words and not _TEXT.search(comment):
            comments[sentence] = "\n".join(filter(None, [comment, f"text = {' '.join(words)}"]))
    return bank.with_columns("sentences", comments=comments)
