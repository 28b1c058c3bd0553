"""NEGRA export format, versions 3 and 4 (Brants 1997, The NEGRA Export Format).

A sentence is between ``#BOS`` and ``#EOS``, one line per token, then one line per phrasal node::

    #BOS 3 2 1070544990 0 %% HEADLINE
    Bücher    Buch    NN       apn     OA    500
    hat       haben   VAFIN    3sis    HD    501
    gelesen   lesen   VVPP     --      HD    500
    #500      --      VP       --      OC    501
    #501      --      S        --      --    0
    #EOS 3

Only version 4 has the second column, the lemma. The line ``#FORMAT`` names the version; without it the
columns of the first sentence show which one it is. Secondary edges, pairs of label and parent, may follow
the parent. A comment may follow ``%%``; it goes into the column ``misc``. The numbers of the nodes
are kept as their names, since comments refer to them (``R=coferential.2:500``).

The fields of ``#BOS`` go into the comments of the sentence, a line each: ``editor = 2``,
``date = 1070544990``, ``origin = 0``, ``comment = HEADLINE``; after them ``document = ...``, where the
table ``#BOT ORIGIN`` names it. ``%%`` lines between sentences are comments of the sentence that
follows. The other tables list tags and editors; they are ignored.

``--`` as a tag, a label or a lemma means no value, and is read as the empty string.

A number below 500 as the parent of a secondary edge is a token, counted from 1, as in MaltParser.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from os import PathLike
from typing import NamedTuple

import numpy as np

from crossbank.treebanks.builder import TreebankBuilder
from crossbank.treebanks.errors import FormatError, excerpt
from crossbank.treebanks.files import decode
from crossbank.treebanks.formats.format import Format
from crossbank.treebanks.formats.numbering import FIRST, node_names
from crossbank.treebanks.formats.text_files import reading_lines, reading_on, writing
from crossbank.treebanks.formats.unwritable_strings import refuse_strings
from crossbank.treebanks.quantities import quantity
from crossbank.treebanks.tables import NO_PARENT, Table, node_end, whole_number
from crossbank.treebanks.treebank import Treebank

FORMAT = Format(
    position=40,
    suffixes=(".export", ".negra"),
    trees=True,
    holds={
        "constituents",
        "functions",
        "secondary edges",
        "tags",
        "lemmas",
        "morphology",
        "features of nodes",
        "identifiers",
        "comments",
    },
    changes=("identifiers with spaces",),
    begins=(r"\s*(%%[^\n]*\n)*#(FORMAT|BOT|BOS) ",),
)

DAMAGE = "crossbank.treebanks.damage.marked_sentences:EXPORT"

COLUMNS = {
    3: ("word", "tag", "morph", "edge label", "parent"),
    4: ("word", "lemma", "tag", "morph", "edge label", "parent"),
}
"""The columns of a line, by the version of the format."""

_COLUMNS_OF_TABLES = {
    "tokens": ("form", "lemma", "pos", "morph", "function"),
    "nodes": ("label", "morph", "function"),
    "secondary": ("label",),
}
UNWRITABLE = {
    f"{table}.{column}": r"[\t\r\n]|\A *\Z" if column == "form" else r"[\t\r\n]"
    for table, columns in _COLUMNS_OF_TABLES.items()
    for column in columns
}
"""Strings, by column, that a line of a sentence cannot hold."""

NO_VALUE = "--"
"""The sign for a column without a value; read as the empty string in tags and labels."""

_NODE = re.compile(r"#([5-9][0-9]{2}|[1-9][0-9]{3,})")
_NODE_NAME = re.compile(r"[5-9][0-9]{2}|[1-9][0-9]{3,}")
_BOS_FIELDS = ("editor", "date", "origin")


def dumps(bank: Treebank) -> str:
    """Return the treebank in version 4, or in version 3 where no token has a lemma.

    Nodes keep the numbers that are their names, if all nodes of the sentence have one and no two have the
    same. Otherwise a sentence's nodes are numbered from 500, lowest level first. An absent value is written
    ``--``, a tab or line break within a comment as a space. The format has no columns for dependencies,
    ``xpos`` and ``deps``.

    Raises ConversionError for a value with a tab or a line break, and for an empty word, which would be read
    as the word ``--``.
    """
    refuse_strings(bank, "export", UNWRITABLE)
    return "\n".join(_written(bank)) + "\n"


# Reading


@dataclass
class _Block:
    """Lines of one sentence, between ``#BOS`` and ``#EOS``."""

    path: str | PathLike[str]
    id: str
    line: int
    comments: list[str]
    rows: list[tuple[int, str]] = field(default_factory=list)

    def error(self, line: int, actual: str, expected: str) -> FormatError:
        return FormatError(self.path, actual, expected, line=line, sentence=self.id)


class _Row(NamedTuple):
    """A line's columns; ``extra`` are the labels and parents of its secondary edges."""

    cells: list[str]
    extra: Sequence[str]
    misc: str = ""


class _State(NamedTuple):
    """State of the reader that later sentences need.

    version    the version that the last ``#FORMAT`` line names, or 0
    columns    the number of columns, or 0 if it is not known yet
    documents  the table ``ORIGIN``
    """

    version: int = 0
    columns: int = 0
    documents: Mapping[str, str] = {}


def _read(
    numbered: Iterable[tuple[int, str]], path: str | PathLike[str], state: _State
) -> tuple[Treebank, _State]:
    """Return the sentences, and the state after them. Raises FormatError, and ConversionError for cycles."""
    builder = TreebankBuilder(str(path))
    columns = state.columns
    blocks = _Blocks(path, state)
    for block in blocks.read(numbered):
        if blocks.version:
            columns = len(COLUMNS[blocks.version])
        elif not columns:
            columns = len(COLUMNS[_version_of(block)])
        _add_sentence(builder, block, columns)
    return builder.build(), _State(blocks.version, columns, blocks.documents)


class _Blocks:
    """Reader of blocks of lines, and of the fields of ``_State``."""

    def __init__(self, path: str | PathLike[str], state: _State) -> None:
        self.path = path
        self.version, self.documents = state.version, dict(state.documents)

    def read(self, numbered: Iterable[tuple[int, str]]) -> Iterator[_Block]:
        """Yield the sentences."""
        number, path = 0, self.path
        block: _Block | None = None
        comments: list[str] = []
        table: str | None = None
        for number, raw in numbered:
            line = raw.rstrip("\r")
            if block is not None:
                # A token may look like a mark of the format; the mark has no further columns.
                if line.startswith("#EOS") and len(fields := line.split()) <= 2 and fields[0] == "#EOS":
                    if fields[1:] not in ([], [block.id]):
                        raise block.error(number, line, f"#EOS {block.id} (line {block.line})")
                    yield block
                    block = None
                elif line.startswith("#BOS") and "\t" not in line:
                    raise block.error(number, line, f"#EOS {block.id} before it")
                elif line and not line.isspace():
                    block.rows.append((number, line))
                continue
            mark, _, rest = line.strip(" \t").replace("\t", " ").partition(" ")
            if mark == "#BOS":
                table = None
                block = _begin(rest, number, self.documents, path)
                block.comments[:0] = comments
                comments = []
            elif mark == "#FORMAT":
                table = None
                if rest.strip() not in ("3", "4"):
                    raise FormatError(path, line, "#FORMAT 3 or #FORMAT 4", line=number)
                self.version = int(rest)
            elif mark == "#BOT":
                table = rest.strip()
            elif mark == "#EOT":
                table = None
            elif table is not None:
                if table == "ORIGIN" and rest.strip():
                    self.documents[mark] = rest.partition("%%")[0].strip()
            elif mark.startswith("%%"):
                if comment := line.strip(" \t").removeprefix("%%").strip(" \t"):
                    comments.append(comment)
            elif mark == "#EOS":
                raise FormatError(path, line, "#BOS before it", line=number)
            elif mark:
                raise FormatError(path, f"{_short(line)} outside a sentence", "#BOS before it", line=number)
        if block is not None:
            raise block.error(number, "the end of the file", f"#EOS {block.id}")


def _begin(text: str, line: int, documents: dict[str, str], path: str | PathLike[str]) -> _Block:
    """Return a sentence from the rest of its ``#BOS`` line: id, editor, date, origin and a comment."""
    text_of_line, _, comment = text.partition("%%")
    fields = text_of_line.split()
    if not 1 <= len(fields) <= 1 + len(_BOS_FIELDS):
        raise FormatError(path, f"#BOS {text}", "#BOS with number, editor, date and origin", line=line)
    known = [f"{name} = {value}" for name, value in zip(_BOS_FIELDS, fields[1:], strict=False)]
    if comment.strip(" "):
        known.append(f"comment = {comment.strip(' ')}")
    if len(fields) == 4 and fields[3] in documents:
        known.append(f"document = {documents[fields[3]]}")
    return _Block(path, fields[0], line, known)


def _version_of(block: _Block) -> int:
    """Return the version in which all lines of a sentence can be read; 4 if neither or both can."""
    rows = [text for _, text in block.rows if not text.startswith("%%")]
    return next((v for v in (4, 3) if all(_row(text, len(COLUMNS[v])) for text in rows)), 4)


def _row(text: str, columns: int) -> _Row | None:
    """Return a line's columns, between tabs, or else between spaces too; None if it does not have them."""
    for comment in re.finditer(r"[ \t]%%", text):
        if cells := _cells(text[: comment.start()], columns):
            return _Row(cells[:columns], cells[columns:], text[comment.end() :].strip(" \t"))
    cells = _cells(text, columns)
    return _Row(cells[:columns], cells[columns:]) if cells else None


def _cells(text: str, columns: int) -> list[str]:
    for separator in ("\t", r"[ \t]+"):
        cells = [cell.strip(" ") for cell in re.split(separator, text)]
        cells = [cell for cell in cells if cell]
        further = len(cells) - columns
        if further >= 0 and further % 2 == 0 and all(cell.isdecimal() for cell in cells[columns - 1 :: 2]):
            return cells
    return []


def _add_sentence(builder: TreebankBuilder, block: _Block, columns: int) -> None:
    plain, lines, further = _plain_rows(block, columns)
    tokens = _first_node(plain, further)
    index_of = {"0": NO_PARENT}
    for row in range(tokens, len(plain)):
        name = plain[row][0][1:]
        if name in index_of:
            raise block.error(lines[row], f"node {name} a second time", "it once")
        index_of[name] = row - tokens
    form, *lemma, tag, morph, function, above = zip(*plain, strict=True) if plain else [()] * columns
    try:
        parents = [index_of[name] for name in above]
    except KeyError:
        row = next(row for row, name in enumerate(above) if name not in index_of)
        actual = f"parent {above[row]} of {form[row]}"
        raise block.error(lines[row], actual, "the number of a node or 0") from None
    misc = [""] * len(plain)
    for row, more in further.items():
        misc[row] = more.misc
    builder.sentence(id=block.id, line=block.line, comments="\n".join(block.comments))
    tags = _without_signs(tag)
    builder.tokens(
        form=form[:tokens],
        lemma=_without_signs(lemma[0][:tokens]) if lemma else [""] * tokens,
        pos=tags[:tokens],
        morph=morph[:tokens],
        function=function[:tokens],
        misc=misc[:tokens],
        parent=parents[:tokens],
    )
    builder.nodes(
        label=tags[tokens:],
        function=function[tokens:],
        morph=morph[tokens:],
        name=[name[1:] for name in form[tokens:]],
        misc=misc[tokens:],
        parent=parents[tokens:],
    )
    for row, more in further.items():
        child = row if row < tokens else node_end(row - tokens)
        for label, name in zip(more.extra[::2], more.extra[1::2], strict=True):
            if name == "0":
                builder.count_event("secondary edges to the root dropped")
            elif name in index_of:
                builder.secondary(label=label, child=child, parent=node_end(index_of[name]))
            elif 0 < whole_number(name) <= tokens:
                builder.secondary(label=label, child=child, parent=whole_number(name) - 1)
            else:
                actual = f"secondary parent {name} of {form[row]}"
                raise block.error(lines[row], actual, "the number of a node or token")


def _plain_rows(block: _Block, columns: int) -> tuple[list[list[str]], list[int], dict[int, _Row]]:
    """Return the columns and the number of each line that is no comment, and by index the longer lines."""
    plain: list[list[str]] = []
    lines: list[int] = []
    further: dict[int, _Row] = {}
    for line, text in block.rows:
        cells = text.split("\t")
        if "" in cells:
            cells = [cell for cell in cells if cell]
        if len(cells) != columns or " " in text or not cells[-1].isdecimal():
            row = _row(text, columns) if "\t" in text or not text.startswith("%%") else None
            if row is None and text.startswith("%%"):
                block.comments.append(text.removeprefix("%%").strip(" \t"))
                continue
            if row is None:
                raise _wrong_columns(block, line, text, columns)
            cells = row.cells
            if row.extra or row.misc:
                further[len(plain)] = row
        plain.append(cells)
        lines.append(line)
    return plain, lines, further


def _first_node(rows: Sequence[Sequence[str]], further: Mapping[int, _Row]) -> int:
    """Return the number of tokens of a sentence, the index of its first node.

    A word may look like the number of a node (``#500``). Nodes come after all words. So a row before a
    word is a word, and so is a first row that no row names as its parent.
    """
    first = len(rows)
    while first > 0 and _NODE.fullmatch(rows[first - 1][0]):
        first -= 1
    parents = {row[-1] for row in rows}
    for row in further.values():
        parents.update(row.extra[1::2])
    while first < len(rows) and rows[first][0][1:] not in parents:
        first += 1
    return first


def _wrong_columns(block: _Block, line: int, text: str, columns: int) -> FormatError:
    cells = [cell for cell in re.split(r"[ \t]+", re.split(r"[ \t]%%", text)[0]) if cell]
    if len(cells) == columns:
        return block.error(line, f"the parent {cells[-1]!r}", "the number of a node or 0")
    names = ", ".join(next(names for names in COLUMNS.values() if len(names) == columns))
    expected = f"{columns} columns ({names}), then pairs of secondary edge label and parent"
    return block.error(line, f"{quantity(len(cells), 'column')} ({_short(text)})", expected)


def _short(text: str) -> str:
    return excerpt(" ".join(text.split()))


def _without_signs(column: Sequence[str]) -> Sequence[str]:
    return ["" if string == NO_VALUE else string for string in column] if NO_VALUE in column else column


# Writing


def _written(bank: Treebank) -> Iterator[str]:
    # Columns are not empty, and comments have neither tabs nor line breaks.
    cells = [re.sub(r"[\t\n\r]+", " ", string).strip(" ") or NO_VALUE for string in bank.vocabulary]
    with_lemma = any(cells[lemma] != NO_VALUE for lemma in np.unique(bank.tokens.lemma).tolist())
    yield f"#FORMAT {4 if with_lemma else 3}"
    comments = [_split_comments(bank, sentence) for sentence in range(len(bank))]
    documents = _documents(fields_of_bos for fields_of_bos, _ in comments)
    if documents:
        yield "#BOT ORIGIN"
        yield from (f"{origin}\t{document}" for origin, document in documents.items())
        yield "#EOT ORIGIN"
    names = node_names(bank, _NODE_NAME, _numbers_in_words(bank))
    lemma, no_lemma = (("lemma",), f"{NO_VALUE}\t") if with_lemma else ((), "")

    def rows(table: Table, *columns: str) -> Iterator[tuple[str, ...]]:
        return zip(*([cells[c] for c in getattr(table, name).tolist()] for name in columns), strict=True)

    tokens = ["\t".join(row) for row in rows(bank.tokens, "form", *lemma, "pos", "morph", "function")]
    of_nodes = zip(names, rows(bank.nodes, "label", "morph", "function"), strict=True)
    nodes = [f"#{name}\t{no_lemma}" + "\t".join(row) for name, row in of_nodes]
    token_misc, node_misc = bank.tokens.misc.tolist(), bank.nodes.misc.tolist()
    secondary = _secondary(bank, cells, names)
    for sentence, (fields_of_bos, remaining) in enumerate(comments):
        identifier = "_".join(bank.sentence_id(sentence).split()) or NO_VALUE
        if "document" in fields_of_bos and fields_of_bos["origin"] not in documents:
            remaining.append(f"document = {fields_of_bos['document']}")
        yield from (f"%% {comment}" for comment in remaining)
        yield _bos(identifier, fields_of_bos)
        begin, node = int(bank.tokens.offsets[sentence]), bank.nodes.rows(sentence)
        numbers = [*names[node], "0"]
        edges = secondary.get(sentence, {})
        for item, parent in enumerate(bank.tokens.parent[bank.tokens.rows(sentence)].tolist()):
            comment = cells[token_misc[begin + item]] if token_misc[begin + item] else ""
            yield _line(tokens[begin + item], numbers[parent], edges.get(item, ""), comment)
        parents = bank.nodes.parent[node].tolist()
        for item in sorted(range(len(parents)), key=lambda item: int(numbers[item])):
            row = node.start + item
            comment = cells[node_misc[row]] if node_misc[row] else ""
            yield _line(nodes[row], numbers[parents[item]], edges.get(node_end(item), ""), comment)
        yield f"#EOS {identifier}"


def _line(row: str, parent: str, edges: str, comment: str) -> str:
    return f"{row}\t{parent}{edges}\t%% {comment}" if comment else f"{row}\t{parent}{edges}"


def _split_comments(bank: Treebank, sentence: int) -> tuple[dict[str, str], list[str]]:
    """Return the comments of a sentence that belong on its ``#BOS`` line or in a table, and the others."""
    fields_of_bos: dict[str, str] = {}
    remaining: list[str] = []
    code = int(bank.sentences.comments[sentence])
    for comment in bank.vocabulary[code].split("\n") if code else ():
        name, _, value = comment.partition(" = ")
        single = value and (name == "comment" or (name in _BOS_FIELDS and len(value.split()) == 1))
        if name not in fields_of_bos and (
            single or (value and name == "document" and "origin" in fields_of_bos)
        ):
            fields_of_bos[name] = value
        else:
            remaining.append(comment)
    return fields_of_bos, remaining


def _documents(fields_of_sentences: Iterable[Mapping[str, str]]) -> dict[str, str]:
    """Return the table of origins: those whose sentences are all of one document."""
    of_origin: dict[str, set[str]] = defaultdict(set)
    for fields_of_bos in fields_of_sentences:
        of_origin[fields_of_bos.get("origin", "")].add(fields_of_bos.get("document", ""))
    return {origin: max(names) for origin, names in of_origin.items() if len(names) == 1 and names != {""}}


def _bos(identifier: str, fields_of_bos: Mapping[str, str]) -> str:
    known = [index for index, name in enumerate(_BOS_FIELDS, 1) if name in fields_of_bos]
    fields = [fields_of_bos.get(name, "0") for name in _BOS_FIELDS[: max(known, default=0)]]
    comment = [f"%% {fields_of_bos['comment']}"] if "comment" in fields_of_bos else []
    return " ".join(["#BOS", identifier, *fields, *comment])


def _numbers_in_words(bank: Treebank) -> dict[int, int]:
    """Return the highest number in words like ``#500``, by sentence; nodes need higher numbers."""
    looks_like_node = bank.vocabulary.matching(_NODE.fullmatch)
    highest: dict[int, int] = {}
    if looks_like_node.any():
        sentence_of = bank.tokens.sentence_of_row()
        for token in looks_like_node[bank.tokens.form].nonzero()[0].tolist():
            sentence = int(sentence_of[token])
            number = int(bank.vocabulary[int(bank.tokens.form[token])][1:])
            highest[sentence] = max(highest.get(sentence, FIRST), number)
    return highest


def _secondary(bank: Treebank, cells: list[str], names: list[str]) -> dict[int, dict[int, str]]:
    """Return the secondary edges as further columns, by sentence and child."""
    edges = bank.secondary
    columns: dict[int, dict[int, str]] = defaultdict(dict)
    rows = (edges.sentence_of_row(), edges.label, edges.child, edges.parent)
    for sentence, label, child, parent in zip(*(row.tolist() for row in rows), strict=True):
        first = int(bank.nodes.offsets[sentence])
        number = names[first + node_end(parent)] if parent < 0 else str(parent + 1)
        columns[sentence][child] = columns[sentence].get(child, "") + f"\t{cells[label]}\t{number}"
    return columns


_LAST_END = re.compile(rb".*^#EOS(?:[ \t]+\S+)?[ \t\r]*\n", re.MULTILINE | re.DOTALL)


def _after_sentences(text: bytes) -> int:
    match = _LAST_END.match(text)
    return match.end() if match else 0


def _read_chunk(data: bytes, path: str, state: _State) -> tuple[Treebank, _State]:
    text = decode(data, path).removesuffix("\n")
    return _read(enumerate(text.split("\n"), 1), path, state)


def _read_whole(numbered: Iterable[tuple[int, str]], path: str) -> Treebank:
    bank, _ = _read(numbered, path, _State())
    if not len(bank):
        raise FormatError(path, *_NO_SENTENCE)
    return bank


_NO_SENTENCE = "no sentence", "#BOS and #EOS"

load, loads = reading_lines(_read_whole)
load_chunks = reading_on(_read_chunk, _State(), _after_sentences, len, _NO_SENTENCE)
dump = writing(dumps)
