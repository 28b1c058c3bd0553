"""CoNLL-U (https://universaldependencies.org/format.html).

===========  ==========================  =======================================================
column       in ``tokens``
===========  ==========================  =======================================================
FORM         ``form``                    as it stands, spaces and ``_`` included
LEMMA        ``lemma``                   ``_`` is a lemma where the form is ``_`` too
UPOS, XPOS   ``pos``, ``xpos``
FEATS        ``morph``
HEAD         ``head``                    0 is ``ROOT``, ``_`` is ``UNATTACHED``
DEPREL       ``relation``
DEPS, MISC   ``deps``, ``misc``
===========  ==========================  =======================================================

- ``_`` stands for nothing. A blank column is read as ``_`` and counted (``blank columns read as _``).
- A range, ``3-4``, is a row of ``multiword``; an empty node, ``8.1``, a row of ``empty``. Their columns
  that the format wants to be ``_`` are counted if they are not, and left out.
- All comments of a sentence are kept as they stand, with ``#``. The first ``# sent_id = x`` is its
  identifier. Comments must stand before the first word.
- Comments without words are a sentence without words, which is counted.
- White space alone is a blank line; several blank lines are one; the last may be missing.
- Cycles (also a word that is its own head) and several roots are no errors: see ``treebanks.validation``.

A file is written back byte for byte, except for line ends (``\\n``), a byte order mark, blank lines and
whatever is counted. The writer writes strings as they are: ``--`` stays ``--``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from itertools import pairwise
from os import PathLike

from crossbank.treebanks.files import PIECE, as_utf8, utf8_of, write_text
from crossbank.treebanks.formats import ten_columns
from crossbank.treebanks.formats.ten_columns import Cells, pieces, token_lines, treebank
from crossbank.treebanks.treebank import Treebank

_SENT_ID = re.compile(r"^#[ \t]*sent_id[ \t]*=[ \t]*([^ \t\n].*?)[ \t]*$", re.MULTILINE)


def load(path: str | PathLike[str], *, encoding: str | None = None) -> Treebank:
    """Read a file, gzipped or not; ``encoding`` is UTF-8 unless named.

    Raises FormatError with line and sentence where it is not CoNLL-U, CrossbankError where the file
    cannot be read.
    """
    return treebank(utf8_of(path, encoding), path, plain=False)


def load_pieces(
    path: str | PathLike[str], *, encoding: str | None = None, size: int = PIECE
) -> Iterator[Treebank]:
    """Read a file in pieces of about ``size`` bytes, which together are what ``load`` gives.

    Raises errors where ``load`` does; their lines are counted from the beginning of a piece.
    """
    return ten_columns.load_pieces(path, encoding, size, partial(treebank, path=path, plain=False))


def loads(text: str) -> Treebank:
    """Read a treebank from text; raises the errors of ``load``."""
    return treebank(as_utf8(text.encode(), "text", checked=False), "text", plain=False)


def dump(bank: Treebank, path: str | PathLike[str], *, encoding: str = "utf-8") -> None:
    """Write a file, gzipped where its name ends in ``.gz``: see ``dumps``."""
    write_text(path, dumps(bank), encoding)


def dumps(bank: Treebank) -> str:
    """The treebank as CoNLL-U, without constituents, functions, secondary edges and relations.

    Comments that do not begin with ``#`` get it. An identifier that no comment tells is written as
    ``# sent_id = x``, in the place of another one. A sentence without words is written as its
    comments, with its number as ``sent_id`` where it has none.

    Raises ConversionError where a column has a tab or a line break.
    """
    cells = Cells(bank)
    return "".join(_written(piece, cells) for piece in pieces(bank))


def _written(bank: Treebank, cells: Cells) -> str:
    tokens = bank.tokens
    lines = token_lines(bank, cells, cells.column(tokens.deps), cells.column(tokens.misc))
    _add_multiword_tokens(bank, cells, lines)
    leading = _add_empty_nodes(bank, cells, lines)
    offsets = tokens.offsets.tolist()
    blocks: list[str] = []
    for sentence, (first, last) in enumerate(pairwise(offsets)):
        before = _comments(bank, sentence) + leading.get(sentence, [])
        if first == last and not before:
            before = [f"# sent_id = {bank.sentence_id(sentence)}"]
        blocks += before
        blocks += lines[first:last]
        blocks.append("")
    return "\n".join([*blocks, ""])


def _comments(bank: Treebank, sentence: int) -> list[str]:
    """The comment lines of a sentence, its identifier among them."""
    comments = bank.vocabulary[int(bank.sentences.comments[sentence])]
    identifier = bank.vocabulary[int(bank.sentences.id[sentence])]
    lines = comments.split("\n") if comments else []
    lines = [line if line.startswith("#") else f"# {line}" for line in lines]
    told = _SENT_ID.search("\n".join(lines))
    if not identifier or (told and told[1] == identifier):
        return lines
    says_so = f"# sent_id = {identifier}"
    if told:
        lines[lines.index(told[0])] = says_so
        return lines
    return [says_so, *lines]


def _add_multiword_tokens(bank: Treebank, cells: Cells, lines: list[str]) -> None:
    """Put the line of each multiword token before that of its first word."""
    table = bank.multiword
    if len(table) == 0:
        return
    begins = bank.tokens.offsets[table.sentence_of_row()].tolist()
    form, morph, misc = (cells.column(column) for column in (table.form, table.morph, table.misc))
    for row, (first, last) in enumerate(zip(table.first.tolist(), table.last.tolist(), strict=True)):
        place = begins[row] + first
        number = f"{first + 1}-{last + 1}"
        lines[place] = f"{number}\t{form[row]}\t_\t_\t_\t{morph[row]}\t_\t_\t_\t{misc[row]}\n{lines[place]}"


def _add_empty_nodes(bank: Treebank, cells: Cells, lines: list[str]) -> dict[int, list[str]]:
    """Put the line of each empty node behind that of the word before it.

    Returns the lines of those that stand before the first word, by sentence.
    """
    table = bank.empty
    leading: dict[int, list[str]] = {}
    if len(table) == 0:
        return leading
    sentences = table.sentence_of_row()
    begins = bank.tokens.offsets[sentences].tolist()
    names = ("form", "lemma", "pos", "xpos", "morph", "deps", "misc")
    form, lemma, pos, xpos, morph, deps, misc = (cells.column(getattr(table, name)) for name in names)
    for row, (anchor, index) in enumerate(zip(table.anchor.tolist(), table.index.tolist(), strict=True)):
        line = (
            f"{anchor + 1}.{index}\t{form[row]}\t{lemma[row]}\t{pos[row]}\t{xpos[row]}\t{morph[row]}"
            f"\t_\t_\t{deps[row]}\t{misc[row]}"
        )
        if anchor < 0:
            leading.setdefault(int(sentences[row]), []).append(line)
        else:
            lines[begins[row] + anchor] += f"\n{line}"
    return leading
