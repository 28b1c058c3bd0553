"""Discontinuous brackets as disco-dop writes them: ``(S (VP (PP 0=Darüber) (V 2=nachgedacht)) (V 1=wird))``.

Each leaf is the position of a word in the sentence, from 0, with the word itself after the first ``=``.
There is one tree on a line; a tab begins a comment. Brackets in words are written
``#LRB#`` and ``#RRB#`` and become brackets again. In older files the leaves are positions alone and
the words come after the tab, separated by spaces: ``(S (V 1) (NP 0))<tab>Anna schläft``. Otherwise
(nodes without words, sentences without a parse, functions, several roots) the format is like
``treebanks.formats.bracket``.

Source: A. van Cranenburgh, disco-dop, ``treebank.py`` and ``tree.py``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from os import PathLike
from typing import TYPE_CHECKING

import numpy as np

from crossbank.treebanks.arrangement import tree_order
from crossbank.treebanks.arrays import Int64Array
from crossbank.treebanks.errors import FormatError
from crossbank.treebanks.files import LARGE_CHUNK, decode
from crossbank.treebanks.formats import bracket
from crossbank.treebanks.formats.format import Format
from crossbank.treebanks.formats.streaming import chunks_in_place
from crossbank.treebanks.formats.text_files import reading_bytes, writing
from crossbank.treebanks.formats.unwritable_strings import WHITE_SPACE, refuse_strings
from crossbank.treebanks.tables import Tokens
from crossbank.treebanks.treebank import Treebank

if TYPE_CHECKING:
    from crossbank.treebanks.damage.damaged_file import DamagedFile

FORMAT = Format(
    position=30,
    suffixes=(".discbracket", ".dbr"),
    trees=True,
    appended=True,
    holds={"constituents", "functions", "tags", "comments"},
    labelled=True,
    refuses=("words without letters",),
    changes=("several roots", "labels with spaces"),
    begins=(r"[^\n]*\([^()]* ?[0-9]+=[^()]+\)",),
    rank=2,
)

DAMAGE = "crossbank.treebanks.damage.brackets:DISCONTINUOUS"

LEAF = re.compile(r"([0-9]{1,9})(?:=(.*))?", re.DOTALL)


def dumps(bank: Treebank) -> str:
    """Return discontinuous brackets, one tree on each line, children ordered by their first word.

    Comments follow after a tab. Raises ConversionError if a word has no letters, a tab or a line break.
    """
    refuse_strings(bank, "discbracket", {"tokens.form": WHITE_SPACE})
    trees = bracket.dumps(_in_tree_order(bank))
    if not bank.sentences.comments.any():
        return trees
    comments = bank.vocabulary.decode(bank.sentences.comments)
    return "".join(
        f"{tree}\t{' '.join(comment.split())}\n" if comment else f"{tree}\n"
        for tree, comment in zip(trees.split("\n"), comments, strict=False)
    )


def _in_tree_order(bank: Treebank) -> Treebank:
    """Return the treebank with its tokens as leaves, in the order in which they are in the written tree."""
    tokens = bank.tokens
    order = tree_order(bank.forest, bank.spans.start, bank.spans.size)
    base = tokens.begins(tokens)
    position = np.arange(len(tokens)) - base
    words = [form.replace("(", "#LRB#").replace(")", "#RRB#") for form in bank.vocabulary]
    leaves = (
        f"{i}={words[form]}" if form else ""
        for i, form in zip(position.tolist(), tokens.form.tolist(), strict=True)
    )
    vocabulary, codes = bank.vocabulary.extended(leaves)
    tokens = _moved(tokens.replace(form=codes), base + order)
    return bank.replace(vocabulary=vocabulary, tokens=tokens).with_structure()


def _moved(tokens: Tokens, rows: Int64Array) -> Tokens:
    """Return the tokens in other rows of the table."""
    columns = {name: np.empty(len(tokens), np.int32) for name in Tokens.columns()}
    for name, column in columns.items():
        column[rows] = getattr(tokens, name)
    return tokens.replace(**columns)


def load_chunks(
    path: str | PathLike[str],
    *,
    encoding: str | None = None,
    size: int = LARGE_CHUNK,
    damage: DamagedFile | None = None,
) -> Iterator[Treebank]:
    """Read a file in chunks of about ``size`` bytes, which together are what ``load`` gives."""

    def chunks() -> Iterator[bracket.TreeChunk]:
        sentences = lines = 0
        for text, bank, corrected in bracket.tree_chunks(path, encoding, size, damage, _TREES):
            bank, errors = _with_words(bank, text, path)
            if errors and damage is None:
                raise errors[0].moved(sentences, lines)
            if errors and damage is not None:
                first_error = errors[0].moved(sentences, lines)
                wrong = [error.line or 1 for error in errors]
                bank, corrected = damage.skip(text, bank, corrected, wrong, first_error)
            sentences += len(bank)
            lines += text.count(b"\n") if corrected is None else corrected.lines
            yield bracket.TreeChunk(text, bank, corrected)
            del text, bank, corrected

    return chunks_in_place(chunks(), damage, lambda text: text.count(b"\n"))


def read(data: bytes, path: str) -> Treebank:
    """Return the trees in bytes of UTF-8; errors and the treebank name ``path`` as their source.

    Raises FormatError if the brackets are wrong (see ``bracket.load``), or where the leaves of a
    tree are not the positions from 0 to the length of the sentence, each once.
    """
    _refuse_tabs(data, path)
    bank, errors = _with_words(bracket.read(_without_comments(data), path), data, path)
    if errors:
        raise errors[0]
    return bank


_COMMENT = re.compile(rb"\t[^\n]*")


def _without_comments(text: bytes) -> bytes:
    """Return a text with spaces in place of comments."""
    return _COMMENT.sub(lambda match: b" " * len(match[0]), text) if b"\t" in text else text


def _refuse_tabs(text: bytes, path: str | PathLike[str]) -> None:
    """Raise FormatError for a comment without a tree, and for bytes that are not UTF-8."""
    if match := re.search(rb"^[^\S\n]*\t[^\n]*[^\s]", text, re.MULTILINE):
        line = text.count(b"\n", 0, match.start()) + 1
        raise FormatError(path, "a tab before any tree", "one tree on each line", line=line)
    if not text.isascii():
        decode(text, path)


def _has_wrong_leaves(bank: Treebank, text: bytes) -> bool:
    return bool(_with_words(bank, text, "")[1])


_TREES = bracket.TreesInLines(_without_comments, _refuse_tabs, _has_wrong_leaves)


def _with_words(
    bank: Treebank, text: bytes, path: str | PathLike[str]
) -> tuple[Treebank, Sequence[FormatError]]:
    """Return trees with positions as leaves, whose lines are those of a text, with words and comments.

    A sentence with wrong leaves keeps them and has no comment; its error is returned.
    """
    lines = text.split(b"\n")
    comments = [lines[line - 1].partition(b"\t")[2].decode().strip() for line in bank.sentences.line.tolist()]
    positions: list[int] = []
    forms: list[str] = []
    errors: list[FormatError] = []
    for sentence in range(len(bank)):
        leaves = bank.words(sentence)
        try:
            order, words, comments[sentence] = _leaves(leaves, comments[sentence])
        except ValueError as error:
            actual, expected = error.args
            line = int(bank.sentences.line[sentence])
            errors.append(FormatError(path, actual, expected, line=line, sentence=sentence + 1))
            order, words, comments[sentence] = list(range(len(leaves))), leaves, ""
        positions += order
        forms += words
    vocabulary, codes = bank.vocabulary.extended([*comments, *forms])
    rows = bank.tokens.begins(bank.tokens) + np.array(positions, np.int64)
    bank = bank.replace(
        vocabulary=vocabulary,
        sentences=bank.sentences.replace(comments=codes[: len(comments)]),
        tokens=_moved(bank.tokens.replace(form=codes[len(comments) :]), rows),
    )
    return bank.with_structure().compact(), errors


def _leaves(leaves: list[str], comment: str) -> tuple[list[int], list[str], str]:
    """Return position and word of each leaf, and the rest of the comment.

    Raises ValueError(actual, expected).
    """
    positions, words, older = [], [], 0
    for leaf in leaves:
        match = LEAF.fullmatch(leaf)
        if match is None or match[2] == "":
            raise ValueError(f"the leaf {leaf!r}", "a position and a word, as in 0=Das")
        positions.append(int(match[1]))
        words.append((match[2] or "").replace("#LRB#", "(").replace("#RRB#", ")"))
        older += match[2] is None
    if sorted(positions) != list(range(len(leaves))):
        wrong = next(i for i in range(len(leaves)) if positions.count(i) != 1)
        expected = f"each position from 0 to {len(leaves) - 1} once"
        raise ValueError(f"{positions.count(wrong)} leaves with position {wrong}", expected)
    if older:
        sentence = comment.split()
        if older < len(leaves) or len(sentence) != len(leaves):
            expected = f"a word in each leaf, or {len(leaves)} words after a tab"
            raise ValueError(f"{older} leaves without a word", expected)
        return positions, [sentence[position] for position in positions], ""
    return positions, words, comment


load, loads = reading_bytes(read, checked=True)
dump = writing(dumps)
