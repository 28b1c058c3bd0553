"""CoNLL-U (https://universaldependencies.org/format.html).

===========  ==========================  =======================================================
column       in ``tokens``
===========  ==========================  =======================================================
FORM         ``form``                    unchanged, spaces and ``_`` included
LEMMA        ``lemma``                   ``_`` is a lemma where the form is ``_`` too
UPOS, XPOS   ``pos``, ``xpos``
FEATS        ``morph``
HEAD         ``head``                    0 is ``ROOT``, ``_`` is ``UNATTACHED``
DEPREL       ``relation``
DEPS, MISC   ``deps``, ``misc``
===========  ==========================  =======================================================

- ``_`` means no value. A blank column is read as ``_`` and counted (``blank columns read as _``).
- A range, ``3-4``, is a row of ``multiword``; an empty node, ``8.1``, a row of ``empty``. Their columns
  that must be ``_`` are counted if they are not, and dropped.
- All comments of a sentence are kept unchanged, with ``#``. The first ``# sent_id = x`` is its
  identifier. Comments must come before the first word.
- Comments without words are a sentence without words, which is counted.
- White space alone is a blank line; several blank lines are one; the last may be missing.
- Cycles (also a word that is its own head) and several roots are no errors: see ``treebanks.validation``.

A file is written back byte for byte, except for line ends (``\\n``), a byte order mark, blank lines and
whatever is counted. The writer writes strings as they are: ``--`` stays ``--``.
"""

from __future__ import annotations

import re
from functools import partial

import numpy as np

from crossbank.treebanks.arrays import Int32Array, Int32Matrix
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
from crossbank.treebanks.formats.unwritable_strings import LINE_BREAK, refuse_strings
from crossbank.treebanks.treebank import Treebank

FORMAT = Format(
    position=80,
    suffixes=(".conllu",),
    appended=True,
    scheme="ud",
    holds={
        "dependencies",
        "further heads",
        "tags",
        "further tags",
        "lemmas",
        "morphology",
        "multiword tokens",
        "empty nodes",
        "identifiers",
        "comments",
    },
    changes=("words without letters",),
    # The third: CoNLL-X, with the same number of columns, has other tags there.
    begins=(
        r"\s*(#[^\n]*\n\s*)+1\t([^\t\n]*\t){8}[^\t\n]*(\n|$)",
        r"\s*(#[^\n]*\n\s*)*1-[0-9]+\t([^\t\n]*\t){8}",
        r"(1|0\.1)\t[^\t\n]*\t[^\t\n]*\t(ADJ|ADP|ADV|AUX|CCONJ|DET|INTJ|NOUN|NUM|PART|PRON|PROPN|PUNCT|SCONJ|SYM|VERB|X)\t([^\t\n]*\t){5}[^\t\n]*(\n|$)",
    ),
)

DAMAGE = "crossbank.treebanks.damage.columns:CONLLU"

_SENT_ID = re.compile(r"^#[ \t]*sent_id[ \t]*=[ \t]*([^ \t\n].*?)[ \t]*$", re.MULTILINE)


def dumps(bank: Treebank) -> str:
    """Return the treebank as CoNLL-U, without constituents, functions, secondary edges and relations.

    Comments that do not begin with ``#`` get it. An identifier that is in no comment is written as
    ``# sent_id = x``, instead of another one. A sentence without words is written as its
    comments, with its number as ``sent_id`` where it has none.

    Raises ConversionError if a column has a tab or a line break.
    """
    return str(encoded(bank), "utf-8", "surrogatepass")


def encoded(bank: Treebank) -> bytearray:
    """Return the text of ``dumps``, in UTF-8."""
    return ten_columns.encoded(bank, _written)


def _written(bank: Treebank) -> bytearray:
    tokens, rows = bank.tokens, LineWriter(bank)
    cells = rows.tokens(rows.column(tokens.deps), rows.column(tokens.misc))
    lines, sentence = np.arange(len(tokens), dtype=np.int32), tokens.sentence_of_row()
    if len(bank.multiword) or len(bank.empty):
        cells, lines, sentence = _with_further_lines(bank, rows, cells, sentence)
    refuse_strings(bank, "conllu", {"sentences.id": LINE_BREAK, "sentences.comments": r"\r"})
    heads = ["\n".join(_comments(bank, number)) for number in range(len(bank))]
    for number in np.flatnonzero(np.bincount(sentence, minlength=len(bank)) == 0).tolist():
        heads[number] = heads[number] or f"# sent_id = {bank.sentence_id(number)}"
    before = np.where([bool(head) for head in heads], rows.added(heads), LineWriter.EMPTY).astype(np.int32)
    return rows.text(cells, lines, sentence, before)


def _comments(bank: Treebank, sentence: int) -> list[str]:
    """Return the comment lines of a sentence, its identifier among them."""
    comments = bank.vocabulary[int(bank.sentences.comments[sentence])]
    identifier = bank.vocabulary[int(bank.sentences.id[sentence])]
    if identifier and comments.startswith("#") and "\n" not in comments and "sent_id" not in comments:
        return [f"# sent_id = {identifier}", comments]  # the usual case, without a search
    lines = comments.split("\n") if comments else []
    lines = [line if line.startswith("#") else f"# {line}" for line in lines]
    match = _SENT_ID.search("\n".join(lines))
    if not identifier or (match and match[1] == identifier):
        return lines
    id_comment = f"# sent_id = {identifier}"
    if match:
        lines[lines.index(match[0])] = id_comment
        return lines
    return [id_comment, *lines]


def _with_further_lines(
    bank: Treebank, rows: LineWriter, cells: Int32Matrix, sentence: Int32Array
) -> tuple[Int32Matrix, Int32Array, Int32Array]:
    """Return cells with those of multiword tokens and empty nodes, and the row and the sentence of each line.

    The line of a multiword token comes before that of its first word, the line of an empty node after that
    of the word before it.
    """
    ranges, empty = bank.multiword, bank.empty
    nothing = np.full(len(ranges), LineWriter.NOTHING, np.int32)
    names = rows.added(
        f"{a + 1}-{b + 1}" for a, b in zip(ranges.first.tolist(), ranges.last.tolist(), strict=True)
    )
    form, morph, misc = (rows.column(column) for column in (ranges.form, ranges.morph, ranges.misc))
    of_ranges = [names, form, nothing, nothing, nothing, morph, nothing, nothing, nothing, misc]
    nothing = np.full(len(empty), LineWriter.NOTHING, np.int32)
    names = rows.added(
        f"{a + 1}.{i}" for a, i in zip(empty.anchor.tolist(), empty.index.tolist(), strict=True)
    )
    columns = ("form", "lemma", "pos", "xpos", "morph", "deps", "misc")
    *first, deps, misc = (rows.column(getattr(empty, name)) for name in columns)
    of_empty = [names, *first, nothing, nothing, deps, misc]
    # The rows before which further lines stand, ordered by sentence and word, empty nodes first.
    of = np.concatenate([ranges.sentence_of_row(), empty.sentence_of_row()])
    word = np.concatenate([ranges.first, empty.anchor + 1])
    kind = np.repeat([1, 0], [len(ranges), len(empty)])
    index = np.concatenate([np.zeros(len(ranges), np.int32), empty.index])
    order = np.lexsort((index, kind, word, of))
    rows_before = (bank.tokens.offsets[of] + word)[order]
    words = len(sentence)
    lines = np.insert(np.arange(words, dtype=np.int32), rows_before, words + order)
    cells = np.concatenate([cells, np.stack(of_ranges), np.stack(of_empty)], axis=1)
    return cells, lines, np.insert(sentence, rows_before, of[order]).astype(np.int32)


load, loads = reading_bytes(partial(treebank, plain=False))
load_chunks = reading_chunks(
    partial(treebank, plain=False, may_lack_words=True),
    after_sentences,
    NO_WORDS,
    partial(treebank_with_damage, plain=False),
)
dump = writing(dumps)
