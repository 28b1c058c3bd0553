"""CoNLL-X, the format of the shared tasks of 2006 and 2007 (Buchholz and Marsi 2006, section 3).

===============  ==========================  ===================================================
column           in ``tokens``
===============  ==========================  ===================================================
FORM, LEMMA      ``form``, ``lemma``         ``_`` is a lemma where the form is ``_`` too
CPOSTAG, POSTAG  ``pos``, ``xpos``
FEATS            ``morph``
HEAD             ``head``                    0 is ``ROOT``, ``_`` is ``UNATTACHED``
DEPREL           ``relation``
PHEAD, PDEPREL   ``misc``                    ``PHead=3|PDeprel=obj``
===============  ==========================  ===================================================

- Columns are separated by tabs, and ``_`` stands for nothing. A blank column is read as ``_`` and counted.
- Lines may have 10 columns, 8 (no PHEAD and PDEPREL), or 6 (blind: no HEAD and DEPREL either).
- The projective head and relation go into ``misc`` as CoNLL-U writes features. So they survive when the
  treebank is written as CoNLL-U and read again.
- There are neither comments, ranges nor empty nodes; they are refused.
- White space alone is a blank line; several blank lines are one; the last may be missing.
- Cycles (also a word that is its own head) and several roots are no errors: see ``treebanks.validation``.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from crossbank.treebanks.arrays import BoolArray
from crossbank.treebanks.formats import ten_columns
from crossbank.treebanks.formats.format import Format
from crossbank.treebanks.formats.ten_columns import (
    NO_WORDS,
    LineWriter,
    after_sentences,
    treebank,
    treebank_with_damage,
)
from crossbank.treebanks.formats.text_files import reading_bytes, reading_chunks, writing
from crossbank.treebanks.treebank import Treebank

FORMAT = Format(
    position=70,
    suffixes=(".conll", ".conllx"),
    appended=True,
    holds={"dependencies", "tags", "further tags", "lemmas", "morphology"},
    changes=("sentences without words", "words without letters"),
    begins=(r"\s*1\t([^\t\n]*\t){6,8}[^\t\n]*(\n|$)",),
    rank=1,
)

DAMAGE = "crossbank.treebanks.damage.columns:CONLLX"

_ESCAPES = (("\\", "\\\\"), ("|", "\\p"))
"""Escapes in ``misc`` for signs that have a meaning there; UD's ``SpacesAfter`` has the same."""


def dumps(bank: Treebank) -> str:
    """Return the treebank as CoNLL-X, in ten columns.

    Identifiers, comments, multiword tokens, empty nodes, ``deps`` and other values of ``misc`` have no column
    in this format, and neither have constituents. A sentence without words is one more blank line.

    Raises ConversionError if a column has a tab or a line break.
    """
    return str(encoded(bank), "utf-8", "surrogatepass")


def encoded(bank: Treebank) -> bytearray:
    """Return the text of ``dumps``, in UTF-8."""
    return ten_columns.encoded(bank, _written)


def _read(data: bytes, path: str, *, may_lack_words: bool = False) -> Treebank:
    return _with_misc(treebank(data, path, plain=True, may_lack_words=may_lack_words))


def _read_with_damage(data: bytes, path: str) -> tuple[Treebank, BoolArray] | None:
    read = treebank_with_damage(data, path, plain=True)
    return None if read is None else (_with_misc(read[0]), read[1])


def _with_misc(bank: Treebank) -> Treebank:
    return bank.with_strings("tokens", "misc", _as_misc) if bank.tokens.misc.any() else bank


def _as_misc(projective: str) -> str:
    """Return ``PHead=3|PDeprel=obj`` for the columns PHEAD and PDEPREL with a tab between them."""
    if not projective:
        return ""
    for sign, escaped in _ESCAPES:
        projective = projective.replace(sign, escaped)
    values = zip(("PHead", "PDeprel"), projective.split("\t"), strict=True)
    return "|".join(f"{name}={value}" for name, value in values if value not in ("", "_"))


def _from_misc(misc: str) -> str:
    values = dict(feature.partition("=")[::2] for feature in misc.split("|"))
    columns = "\t".join(values.get(name) or "_" for name in ("PHead", "PDeprel"))
    for sign, escaped in reversed(_ESCAPES):
        columns = columns.replace(escaped, sign)
    return columns


def _written(bank: Treebank) -> bytearray:
    rows, misc = LineWriter(bank), bank.tokens.misc
    rows.column(misc)  # refuses tabs and line breaks
    used, inverse = np.unique(misc, return_inverse=True)
    projective = rows.added(_from_misc(bank.vocabulary[code]) for code in used.tolist())
    cells = rows.tokens(projective[inverse])
    lines = np.arange(len(bank.tokens), dtype=np.int32)
    before = np.full(len(bank), LineWriter.EMPTY, np.int32)
    return rows.text(cells, lines, bank.tokens.sentence_of_row(), before)


load, loads = reading_bytes(_read)
load_chunks = reading_chunks(
    partial(_read, may_lack_words=True), after_sentences, NO_WORDS, _read_with_damage
)
dump = writing(dumps)
