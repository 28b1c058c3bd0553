"""Penn brackets: ``(S (NP (NNP Anna)) (VP (VBZ sleeps)))``.

Labels, tags and words stay exactly unchanged: ``NP-SBJ=2``, ``ADVP|PRT``, ``1\\/2``, ``-LRB-``.

- ``(label word)`` is a word with its tag; several words without brackets, ``(NN New York)``, are one
  word with spaces. Everything else is a node. ``( (S ...))`` has a node with the empty label.
- A word beside brackets, ``(NP the (NN dog))``, is a word without a tag. It is counted in the
  diagnosis (``words without a tag``).
- Where most words of a file's first 10,000 trees stand so, or with others in one labelled bracket (one of
  them in small letters: ``New York`` is a name), its trees have no tags, as papers print them: in
  ``(S (NP the air) (VP moves))`` every bracket is a phrase, and below it are words. The diagnosis says so,
  and counts them.
- A node without a word, ``(X)`` or ``(X )``, is omitted and counted (``nodes without a word dropped``).
- ``(())``, ``( )`` and ``()`` are a sentence without tokens: no parse.
- So is what parsers print for a sentence that they could not parse, which is counted (``failed parses``): a
  tree without a word, such as ``(TOP ())``, ``(ROOT)`` or ``(S1 (S ))``, and a line ``null``, ``NIL``,
  ``No parse for: "..."`` or ``SENT: fail``. Gold with one is refused when it is compared.

White space is ASCII's; a no-break space belongs to a word.

Each outermost bracket is a sentence, on one line or many, and blank lines mean nothing. But a blank line is
a sentence without a parse where every tree keeps to one line, no line has two trees, there are blank lines
(those at the end of the file do not count), and some trees are on neighbouring lines, so that a blank line
cannot be a mere separator. Where no trees are on neighbouring lines, the file itself cannot tell: the
diagnosis counts the blank lines before each tree (``blank lines between trees``), and the number of gold's
sentences decides what they are (see ``treebanks.chunks``).

Brackets that begin a line inside a tree are counted (``brackets at the margin inside a tree``). Such a
bracket is a sign that one tree lacks a closing bracket and a later one has one too many.

The writer puts one tree on a line. A function is written after the label or tag, ``NP-SBJ``; functions
that are empty or consist of hyphens (``--``) are not. Brackets in words and labels become ``-LRB-`` and
``-RRB-``, white space in labels ``_``. Several roots are put under one node with the empty label. Trees
most of whose words have spaces (``(X parce que)`` alone) are refused: they would be read without tags.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterator
from enum import Enum
from functools import partial
from itertools import accumulate, pairwise
from os import PathLike
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from crossbank.treebanks.arrays import Int32Array
from crossbank.treebanks.diagnosis import BLANK_LINES, FAILED_PARSES, MARGIN, Finding
from crossbank.treebanks.errors import FormatError
from crossbank.treebanks.failed_parses import FAILED_PARSE
from crossbank.treebanks.files import LARGE_CHUNK, as_utf8, decode, utf8_of, write_text
from crossbank.treebanks.formats.format import Format
from crossbank.treebanks.formats.streaming import TextChunks, after_last_line, chunks_in_place
from crossbank.treebanks.formats.unwritable_strings import WHITE_SPACE, refuse_strings
from crossbank.treebanks.quantities import quantity
from crossbank.treebanks.ranges import side_by_side
from crossbank.treebanks.scanners import bracketed_trees as scanner
from crossbank.treebanks.scanners.bracketed_trees import Scan
from crossbank.treebanks.scanners.interning import StringTable
from crossbank.treebanks.scanners.scanned_chunks import SMALLEST, rough_bounds, scan_chunks, whole_columns
from crossbank.treebanks.scanners.shared_strings import SourceStrings
from crossbank.treebanks.tables import Nodes, Sentences, Tokens
from crossbank.treebanks.treebank import Treebank
from crossbank.treebanks.vocabulary import Vocabulary

if TYPE_CHECKING:
    from crossbank.treebanks.damage.correction import CorrectedText
    from crossbank.treebanks.damage.damaged_file import DamagedFile

FORMAT = Format(
    position=10,
    suffixes=(".mrg", ".psd", ".ptb", ".bracket"),
    trees=True,
    appended=True,
    holds={"constituents", "functions", "tags"},
    labelled=True,
    refuses=("words without letters", "discontinuous constituents"),
    changes=("several roots", "labels with spaces"),
    begins=(r"\s*\(",),
    rank=3,
)

DAMAGE = "crossbank.treebanks.damage.brackets:RULES"

SENTENCES_AT_ONCE = 5000
"""The number of sentences that the writer holds in memory as separate strings."""

CODES = {"form": 0, "pos": 0, "label": 0}
COLUMNS_WITHOUT_CODES = (
    *("token_parent", "node_parent", "line", "wordless", "untagged", "margin", "failed", "damaged", "spaced"),
)
"""The columns of scans without codes, as ``whole_columns`` takes them."""

COUNTED = {
    "wordless": "nodes without a word dropped",
    "untagged": "words without a tag",
    "margin": MARGIN,
    "failed": FAILED_PARSES,
}
"""The events of the diagnosis, by the column in which the scanner counts them."""

WITHOUT_TAGS = "words below phrases: the trees have no tags"
"""The event of the diagnosis for all words of such a file."""

TREES_FOR_TAGS = 10_000
"""The number of first trees that decide whether a file has tags, read in chunks or at once."""

AFTER_TREE = re.compile(rb"[ \t\r\v\f]*(?:\n|(?=\())")
"""What follows a tree: its line ends, or another tree begins."""

BLANK_LINE = re.compile(rb"\n[ \t\r]*\n\s*+\S")
"""A blank line between trees."""

LEMMAS_AS_WORDS = "lemmas read as words (the format greynir reads them as lemmas)"
"""The event of the diagnosis for words without a tag beside brackets such as ``(lemma hann)``."""


def load(path: str | PathLike[str], *, encoding: str | None = None) -> Treebank:
    """Read a file of bracketed trees, gzipped or not. Raises the errors of ``read``."""
    return read(utf8_of(path, encoding), path)


class _ScannedChunk(NamedTuple):
    """A chunk of a file that has been scanned; ``corrected`` is the text as it was corrected, if damaged."""

    text: bytes
    scanned: Scan
    vocabulary: Vocabulary
    corrected: CorrectedText | None


class TreeChunk(NamedTuple):
    """A chunk of a file with its trees, whose lines are counted from the beginning of the text.

    text       the text, without damage
    corrected  the text as it was corrected, if it was damaged
    """

    text: bytes
    bank: Treebank
    corrected: CorrectedText | None


def load_chunks(
    path: str | PathLike[str],
    *,
    encoding: str | None = None,
    size: int = LARGE_CHUNK,
    damage: DamagedFile | None = None,
) -> Iterator[Treebank]:
    """Read a file in chunks of about ``size`` bytes, which together are what ``load`` gives.

    Raises the errors of ``load``; if a file has several faults, that of the first chunk with one.
    """
    return chunks_in_place(tree_chunks(path, encoding, size, damage), damage, _line_feeds)


def _line_feeds(text: bytes) -> int:
    """Return the number of line feeds, which arrays count several times as fast as ``bytes.count``."""
    return int(np.count_nonzero(np.frombuffer(text, np.uint8) == ord("\n")))


class TreesInLines(NamedTuple):
    """Text besides the trees in a format of one tree on each line.

    trees_of    returns a text in which everything that is not a tree is blank
    check       raises FormatError for errors in the rest
    is_damaged  whether trees on several lines are damaged although brackets are balanced
    """

    trees_of: Callable[[bytes], bytes]
    check: Callable[[bytes, str | PathLike[str]], None]
    is_damaged: Callable[[Treebank, bytes], bool]


_TREES_ALONE = TreesInLines(lambda text: text, lambda text, path: None, lambda bank, text: False)


def tree_chunks(
    path: str | PathLike[str],
    encoding: str | None,
    size: int,
    damage: DamagedFile | None,
    format: TreesInLines = _TREES_ALONE,
) -> Iterator[TreeChunk]:
    """Yield the trees of a file in chunks of about ``size`` bytes."""
    trees_of = format.trees_of
    # None as long as each line is a tree: then blank lines make no difference.
    blank: BlankLines | None = None
    strings, tags, tagged = SourceStrings(), _TagVotes(), True
    trees = lines = 0

    def after_sentences(text: bytes) -> int:
        text = trees_of(text)
        return _after_lines(text) if blank is BlankLines.SENTENCES else _after_trees(text)

    def scan(text: bytes) -> _ScannedChunk:
        nonlocal strings
        if not strings.is_current:
            strings = SourceStrings()
        # Blank lines at the end of the file are no sentences.
        by_line = blank is BlankLines.SENTENCES
        format.check(text, path)
        text_of_trees = trees_of(text.rstrip() if by_line else text)
        try:
            scanned = _scanned(
                text_of_trees, path, by_line=by_line, tagged=tagged, strings=strings.table, lines=lines
            )
            vocabulary = _vocabulary(text, path, partial(strings.vocabulary, "("))
        except FormatError:
            strings = SourceStrings()  # the table may have strings that are no text
            raise
        return _ScannedChunk(text, scanned, vocabulary, None)

    def skip(text: bytes) -> tuple[_ScannedChunk, list[int], int] | None:
        """Scan a chunk without its damaged trees; None if these are most of it, or their limits not known."""
        nonlocal strings
        if not strings.is_current:
            strings = SourceStrings()
        scanned = _scan(text, tagged=tagged, strings=strings.table, goes_on=True)
        lines_of_damaged = scanned.line[scanned.damaged != 0].tolist()
        # A blank line may be a sentence.
        is_mixed = bool(lines_of_damaged) and BLANK_LINE.search(text) is not None
        if scanned.problem or is_mixed or 2 * len(lines_of_damaged) > len(scanned.line):
            strings = SourceStrings()
            return None
        vocabulary = _vocabulary(text, path, partial(strings.vocabulary, "("))
        return _ScannedChunk(text, scanned, vocabulary, None), lines_of_damaged, len(scanned.line)

    def is_doubtful(chunk: _ScannedChunk) -> bool:
        if _has_margin(chunk.scanned):
            return True
        if format is _TREES_ALONE or not chunk.scanned.spanning:
            return False
        bank = _treebank(trees_of(chunk.text), chunk.scanned, chunk.vocabulary, path, tagged, None)
        return format.is_damaged(bank, chunk.text)

    def scan_next() -> _ScannedChunk | None:
        nonlocal trees, lines
        text = next(source, None)
        if text is None:
            return None
        try:
            skipped = None
            if damage is not None and format is _TREES_ALONE and blank is not BlankLines.SENTENCES:
                skipped = damage.skip_damaged(text, source, skip, _begin_of_last_line)
            if skipped is not None:
                _, chunk, corrected = skipped
                chunk = chunk._replace(corrected=corrected)
            elif damage is None:
                chunk = scan(text)
            else:
                chunk, corrected = damage.read(
                    text, source, scan, before=(trees, lines), is_doubtful=is_doubtful
                )
                chunk = chunk._replace(corrected=corrected)
        except FormatError as error:
            raise error.moved(trees, lines) if damage is None else error from None
        trees += len(chunk.scanned.line)
        lines += _line_feeds(chunk.text) if chunk.corrected is None else chunk.corrected.lines
        return chunk

    def scan_again(chunk: _ScannedChunk) -> _ScannedChunk:
        if chunk.scanned.damaged.any():
            # It has no blank lines, so each line would be the same sentence.
            again = skip(chunk.text)
            assert again is not None
            return again[0]._replace(corrected=chunk.corrected)
        return scan(chunk.text)._replace(corrected=chunk.corrected)

    def scan_on() -> Iterator[_ScannedChunk]:
        while ahead:
            chunk = ahead.popleft()
            yield chunk if tagged and blank is not BlankLines.SENTENCES else scan_again(chunk)
            del chunk
        while (further := scan_next()) is not None:
            yield further
            del further

    # The first chunks decide whether the trees have tags.
    source = TextChunks(path, encoding, size, after_sentences, is_lenient=damage is not None)
    ahead = deque[_ScannedChunk]()
    while tags.trees < TREES_FOR_TAGS and (scanned_chunk := scan_next()) is not None:
        ahead.append(scanned_chunk)
        tags.count_words(trees_of(scanned_chunk.text), scanned_chunk.scanned)
        del scanned_chunk
    tagged = tags.has_tags
    for chunk in scan_on():
        if blank is None and not _has_a_tree_on_each_line(chunk.scanned):
            blank = _blank_lines_of_file(path, encoding, size, damage, format)
            if blank is BlankLines.SENTENCES:
                chunk = scan_again(chunk)
        text, corrected = chunk.text, chunk.corrected
        bank = _treebank(trees_of(text), chunk.scanned, chunk.vocabulary, path, tagged, blank).compact()
        del chunk
        yield TreeChunk(text, bank, corrected)
        del bank, text, corrected
    if damage is not None:
        damage.require_sentence()
    if not trees:
        raise FormatError(path, "an empty text", "at least one tree")


def _begin_of_last_line(text: bytes) -> int:
    """Return the offset of the last line that begins with a bracket."""
    return text.rfind(b"\n(") + 1


def _has_margin(scanned: Scan) -> bool:
    """Return whether brackets at the margin of a text may be two damaged trees that look like one."""
    return bool(np.count_nonzero(scanned.margin))


def loads(text: str) -> Treebank:
    """Read bracketed trees from a string. Raises the errors of ``read``."""
    return read(as_utf8(text.encode(), "text", checked=False), "text")


def dump(bank: Treebank, path: str | PathLike[str], *, encoding: str = "utf-8") -> None:
    """Write bracketed trees: see ``dumps``."""
    write_text(path, dumps(bank), encoding)


def dumps(bank: Treebank) -> str:
    """Return bracketed trees, one on each line.

    Raises ConversionError if a constituent is discontinuous, a word has no letters, a tab or a line break,
    or so many words have spaces that the trees would be read as trees without tags.
    """
    refuse_strings(bank, "brackets", {"tokens.form": WHITE_SPACE})
    letterless = np.flatnonzero(bank.tokens.form == 0)
    if len(letterless):
        problem = "a word without letters, which brackets cannot hold"
        sentence = bank.tokens.sentence_of(int(letterless[0]))
        raise bank.refused(sentence, f"found {problem}, expected every token to have a form")
    if len(bank.discontinuous_sentences):
        sentence = int(bank.discontinuous_sentences[0])
        expected = (
            "continuous ones (the transformations raise_crossing and split_crossing make them continuous; "
            "the format discbracket stores them)"
        )
        raise bank.refused(sentence, f"found a discontinuous constituent, expected {expected}")
    _refuse_spaces(bank)
    strings = _WrittenStrings(bank)
    firsts = range(0, len(bank), SENTENCES_AT_ONCE)
    return "".join(_written(bank[first : first + SENTENCES_AT_ONCE], strings) for first in firsts)


# Reading


def read(
    data: bytes, path: str | PathLike[str], *, by_line: bool = False, has_lines: bool = True
) -> Treebank:
    """Return the trees in bytes of UTF-8. Errors and the treebank name ``path`` as their source.

    by_line    whether each line is a sentence, whatever is on it: one with several trees has several roots,
               and brackets must close on their line
    has_lines  whether the treebank names the line of each sentence

    Raises FormatError where brackets are unbalanced or other text is outside of them.
    """
    scanned = _scan(data, by_line=by_line)
    blank = (
        BlankLines.SEPARATORS if by_line or scanned.problem else _blank_lines(scanned.line, scanned.spanning)
    )
    if blank is BlankLines.SENTENCES:
        data, by_line = data.rstrip(), True
        scanned = _scan(data, by_line=True)
    if scanned.problem:
        raise _error(data, scanned, path, by_line)
    if len(scanned.line) == 0:
        raise FormatError(path, "an empty text", "at least one tree")
    tagged = True
    if len(scanned.spaced):
        tags = _TagVotes()
        tags.count_words(data, scanned)
        if not (tagged := tags.has_tags):
            scanned = _scan(data, by_line=by_line, tagged=False)
    vocabulary = _vocabulary(
        data, path, lambda: Vocabulary(scanned.strings.strings(ord("(")).decode().split("("))
    )
    return _treebank(data, scanned, vocabulary, path, tagged, blank, has_lines=has_lines)


def _scan(
    data: bytes,
    *,
    by_line: bool = False,
    tagged: bool = True,
    strings: StringTable | None = None,
    goes_on: bool = False,
) -> Scan:
    """Read the trees of a text in UTF-8; those of a large one in chunks, on all cores.

    by_line  whether each physical line is a sentence, else each outermost bracket is one
    tagged   whether a bracket with nothing but a word in it is a word with its tag, else it is a phrase
    strings  the table for the strings of a text that is itself a chunk of a file
    goes_on  whether a damaged tree is left without words, see ``scanner.scan``; for such a chunk
    """
    text = np.frombuffer(data, np.uint8)

    def scan_chunk(first: int, last: int) -> Scan:
        own = strings or StringTable(text, min((last - first) >> 3, 1 << 12))
        return scanner.scan(text, first, last, by_line, tagged, own, goes_on)

    if strings is not None or len(data) < 2 * SMALLEST:
        return scan_chunk(0, len(data))
    rough = rough_bounds(len(data))
    if by_line:
        inner = [data.find(b"\n", begin) + 1 or len(data) for begin in rough[1:-1]]
    else:
        opened = side_by_side(
            [partial(scanner.brackets_opened, text[slice(*chunk)]) for chunk in pairwise(rough)]
        )
        inner = list(map(partial(scanner.end_of_tree, text), rough[1:-1], accumulate(opened)))
    return scan_chunks(scan_chunk, [0, *accumulate(inner, max), len(data)], _joined)


def _joined(scans: list[Scan]) -> Scan:
    """Return the scans of chunks that follow each other as one scan."""
    numbers = {name: sum(getattr(chunk, name) for chunk in scans) for name in ("events", "spanning")}
    for chunk, token in zip(scans, accumulate((len(chunk.form) for chunk in scans), initial=0), strict=False):
        chunk.spaced[:, 0] += token
    columns = whole_columns(scans, CODES, COLUMNS_WITHOUT_CODES, ("token_offsets", "node_offsets"))
    columns |= dict.fromkeys(("problem_line", "offset", "depth", "margin_line"), 0)
    return Scan(**columns, **numbers, problem="")


class _TagVotes:
    """Decides whether a file's trees have tags, by its first trees, which come in chunks or at once."""

    def __init__(self) -> None:
        self.trees = self.beside = self.alone = 0
        self.spaced = False

    @property
    def has_tags(self) -> bool:
        """Whether most words are alone in a bracket, their tag, and not beside brackets or other words."""
        return not self.spaced or self.beside <= self.alone

    def count_words(self, data: bytes, scanned: Scan) -> None:
        """Count the words of further trees. Sentences without a word are no trees."""
        offsets = scanned.token_offsets
        with_words = (offsets[1:] > offsets[:-1]).nonzero()[0][: TREES_FOR_TAGS - self.trees]
        if not len(with_words):
            return
        last = int(with_words[-1]) + 1
        tokens = int(scanned.token_offsets[last])
        beside = int(scanned.untagged[:last].sum())
        self.trees += len(with_words)
        self.beside, self.alone = self.beside + beside, self.alone + tokens - beside
        for token, begin, end in scanned.spaced[scanned.spaced[:, 0] < tokens].tolist():
            words = data[begin:end].split()
            if scanned.pos[token] and any(word[:1].islower() for word in words):
                self.beside, self.alone, self.spaced = self.beside + len(words), self.alone - 1, True


class BlankLines(Enum):
    """The meaning of the blank lines before a file's last tree."""

    SEPARATORS = "between trees, or inside of them"
    SENTENCES = "sentences without a parse"
    UNDECIDED = "undecided: each is between trees of one line, and no trees are on neighbouring lines"


def _blank_lines(lines: Int32Array, spanning: int) -> BlankLines:
    """Return the meaning of blank lines, from each tree's line and the number of trees on several lines."""
    steps = np.diff(lines)
    if spanning or (steps <= 0).any() or len(lines) == 0 or lines[-1] == len(lines):
        return BlankLines.SEPARATORS
    return BlankLines.SENTENCES if (steps == 1).any() else BlankLines.UNDECIDED


def _scanned(
    text: bytes,
    path: str | PathLike[str],
    *,
    by_line: bool = False,
    tagged: bool = True,
    strings: StringTable | None = None,
    lines: int = 0,
) -> Scan:
    """Scan a text that some lines of its file precede. Raises FormatError."""
    scanned = _scan(text, by_line=by_line, tagged=tagged, strings=strings)
    if scanned.problem:
        raise _error(text, scanned, path, by_line, lines)
    return scanned


def _blank_lines_of_file(
    path: str | PathLike[str],
    encoding: str | None,
    size: int,
    damage: DamagedFile | None,
    format: TreesInLines,
) -> BlankLines:
    """Return the meaning of a file's blank lines, reading only as much as is needed."""
    trees = lines = 0
    last: list[int] = []
    neighbours = False

    def scan(text: bytes) -> Scan:
        format.check(text, path)
        if damage is not None and not text.isascii():
            decode(text, path)
        return _scanned(format.trees_of(text), path, lines=lines)

    source = TextChunks(
        path, encoding, size, lambda text: _after_trees(format.trees_of(text)), is_lenient=damage is not None
    )
    for text in source:
        try:
            if damage is None:
                scanned = scan(text)
            else:
                scanned, corrected = damage.read(text, source, scan, is_doubtful=_has_margin)
                text = text if corrected is None else corrected.text
        except FormatError as error:
            raise error.moved(trees, lines) if damage is None else error from None
        steps = np.diff([*last, *(scanned.line + lines).tolist()])
        if scanned.spanning or (steps <= 0).any():
            return BlankLines.SEPARATORS
        neighbours = neighbours or bool((steps == 1).any())
        trees += len(scanned.line)
        last = (scanned.line[-1:] + lines).tolist() or last
        lines += text.count(b"\n")
    if not last or last[0] == trees:
        return BlankLines.SEPARATORS
    return BlankLines.SENTENCES if neighbours else BlankLines.UNDECIDED


def _has_a_tree_on_each_line(scanned: Scan) -> bool:
    """Return whether each line of a chunk is a tree and none is blank."""
    count = len(scanned.line)
    return (
        not scanned.spanning
        and scanned.lines == count
        and bool((scanned.line == np.arange(1, count + 1)).all())
    )


def _after_trees(text: bytes) -> int:
    """Return the offset after the last whole tree and its line end; 0 if the text may go on."""
    scanned = np.frombuffer(text, np.uint8)
    opened = scanner.brackets_opened(scanned)
    begin = scanner.begin_of_open_tree(scanned, opened) if opened > 0 else len(text)
    end = text.rfind(b")", 0, begin) + 1
    # The brackets of a message on a failed parse belong to no tree.
    while end and FAILED_PARSE.match(text[(line := text.rfind(b"\n", 0, end) + 1) : end].lstrip()):
        end = text.rfind(b")", 0, line) + 1
    after = AFTER_TREE.match(text, end) if end else None
    return after.end() if after else 0


def _after_lines(text: bytes) -> int:
    """Return the offset after the last line that is whole and not blank; 0 if there is none."""
    whole = text[: after_last_line(text)].rstrip()
    return text.find(b"\n", len(whole)) + 1 if whole else 0


def _error(
    data: bytes, scanned: Scan, path: str | PathLike[str], by_line: bool, lines: int = 0
) -> FormatError:
    sentence = len(scanned.line) + 1
    brackets = f"{quantity(scanned.depth, 'opening bracket')}"
    match scanned.problem:
        case "unclosed" if by_line:
            actual, expected = f"{brackets} without a closing one", "a complete tree on the line"
        case "unclosed" if scanned.margin_line:
            line = lines + scanned.margin_line
            actual = f"a tree that is still open on line {line}, where another seems to begin"
            expected = "as many closing brackets as opening ones"
        case "unclosed":
            actual = f"{brackets} without a closing one at the end of the file"
            expected = "as many closing brackets as opening ones"
        case "extra close":
            actual, expected = "a closing bracket too many", "as many closing brackets as opening ones"
            sentence = sentence if by_line else max(len(scanned.line), 1)
        case _:
            outside = data[scanned.offset : scanned.offset + 120].split(b"\n")[0].split(b"(")[0]
            actual = f"{outside.decode(errors='replace').strip()[:30]!r} outside brackets"
            expected = "trees in brackets"
    return FormatError(path, actual, expected, line=scanned.problem_line, sentence=sentence)


def _vocabulary(data: bytes, path: str | PathLike[str], decoded: Callable[[], Vocabulary]) -> Vocabulary:
    """Return ``decoded()``. Raises FormatError with the line of the first byte that is not UTF-8."""
    try:
        return decoded()
    except UnicodeDecodeError:
        decode(data, path)
        raise


def _treebank(
    data: bytes,
    scanned: Scan,
    vocabulary: Vocabulary,
    path: str | PathLike[str],
    tagged: bool,
    blank: BlankLines | None,
    *,
    has_lines: bool = True,
) -> Treebank:
    vocabulary, (source,) = vocabulary.extended([str(path)])
    form = scanned.form
    if len(scanned.spaced):
        words = [data[begin:end].split() for _, begin, end in scanned.spaced.tolist()]
        vocabulary, codes = vocabulary.extended(b" ".join(word).decode() for word in words)
        form[scanned.spaced[:, 0]] = codes
    count = len(scanned.line)
    tokens = Tokens.of(scanned.token_offsets, form=form, pos=scanned.pos, parent=scanned.token_parent)
    counts: dict[str, Int32Array] = {}
    if scanned.events:
        counted = COUNTED if tagged else {**COUNTED, "untagged": WITHOUT_TAGS}
        counts = {event: getattr(scanned, column) for column, event in counted.items()}
        if np.count_nonzero(scanned.untagged):
            lemmas = tokens.sentence_of_row()[tokens.pos == vocabulary.code("lemma")]
            counts[LEMMAS_AS_WORDS] = np.bincount(lemmas, minlength=count).astype(np.int32)
    if blank is BlankLines.UNDECIDED:
        counts[BLANK_LINES] = (np.diff(scanned.line, prepend=0) - 1).astype(np.int32)
    return Treebank.of_tables(
        vocabulary,
        Sentences.numbered(count, source, **({"line": scanned.line} if has_lines else {})),
        tokens,
        Nodes.of(scanned.node_offsets, label=scanned.label, parent=scanned.node_parent),
        diagnosis=tuple(
            Finding("read", event, counts_of_sentences)
            for event, counts_of_sentences in counts.items()
            if np.count_nonzero(counts_of_sentences)
        ),
    )


# Writing


class _WrittenStrings:
    """Written forms of the vocabulary's strings, each of shape ``(strings,)``.

    opening   as a label or tag, with the bracket before it
    function  as a function, with the hyphen before it
    word      as a word, with the space before it
    """

    def __init__(self, bank: Treebank) -> None:
        strings = list(bank.vocabulary)
        self.opening = np.array(["(" + BLANKS.sub("_", _escaped(s)) for s in strings], object)
        functions = (BLANKS.sub("_", _escaped(s)) for s in strings)
        self.function = np.array(["-" + s if s.strip("-") else "" for s in functions], object)
        self.word = np.array([" " + BLANKS.sub(" ", _escaped(s)).strip(" ") for s in strings], object)


BLANKS = re.compile(r"[ \t\n\v\f\r]+")


def _refuse_spaces(bank: Treebank) -> None:
    """Raise ConversionError if the trees, once written, would be read as trees without tags."""
    parts = [BLANKS.split(form.strip(" \t\n\v\f\r")) for form in bank.vocabulary]
    spaced = [len(part) > 1 and any(re.match("[a-z]", one) for one in part) for part in parts]
    offsets = bank.tokens.offsets
    telling = offsets[np.flatnonzero(np.diff(offsets))[:TREES_FOR_TAGS][-1:] + 1].sum()
    forms = bank.tokens.form[:telling]
    several = np.array(spaced)[forms] & (bank.tokens.pos[:telling] != 0)
    beside = int(np.array([len(part) for part in parts])[forms[several]].sum())
    if beside > telling - several.sum():
        first = int(several.argmax())
        form = bank.vocabulary[int(bank.tokens.form[first])]
        read = "and in brackets they would be read as several words without tags (Parquet keeps them)"
        why = f"most words have spaces, such as {form!r}, {read}"
        raise bank.refused(bank.tokens.sentence_of(first), why)


def _escaped(string: str) -> str:
    return string.replace("(", "-LRB-").replace(")", "-RRB-")


def _written(bank: Treebank, strings: _WrittenStrings) -> str:
    """Return the trees of a treebank without discontinuous constituents.

    Its nodes and tokens are put into the order of the text, each node before its first token. An item is
    written as the space before it, its opening bracket with label and function, its word, and one closing
    bracket for each item that ends with it.
    """
    tokens, nodes, spans = bank.tokens, bank.nodes, bank.spans
    node_sentence = nodes.sentence_of_row()
    first = tokens.offsets[node_sentence] + spans.start
    last = tokens.offsets[node_sentence] + spans.end - 1
    ending = np.bincount(last, minlength=len(tokens))
    begun = np.searchsorted(first, np.arange(len(tokens)), side="right")
    node_index, token_index = np.arange(len(nodes)) + first, np.arange(len(tokens)) + begun

    text = np.full((len(nodes) + len(tokens), 5), "", object)
    space, opening, function, word, closing = text.T
    opening[node_index], opening[token_index] = strings.opening[nodes.label], strings.opening[tokens.pos]
    function[node_index], function[token_index] = (
        strings.function[nodes.function],
        strings.function[tokens.function],
    )
    word[token_index] = strings.word[tokens.form]
    counts, which = np.unique(ending + 1, return_inverse=True)
    closing[token_index] = np.array([")" * count for count in counts.tolist()], object)[which]

    space[:] = " "
    no_parse = "(())\n"
    unparsed_before = ""
    item = 0
    items = (tokens.lengths() + nodes.lengths()).tolist()
    for length, several in zip(items, (bank.roots() > 1).tolist(), strict=True):
        if length:
            space[item] = "( " if several else ""
            item += length
            closing[item - 1] += ")\n" if several else "\n"
        elif item:
            closing[item - 1] += no_parse
        else:
            unparsed_before += no_parse
    return unparsed_before + "".join(text.ravel().tolist())
