r"""Lists of grammatical relations, as RASP and its evaluation program write and read them.

A relation stands in parentheses, its name first, an empty slot as ``_``::

    12
    (ncsubj die:4_VVZ proprietor:3_NN1 _)
    (xcomp to decide drop)

Sentences begin with their number, or with a line of the tagged words (``Kim_NP1 sings_VVZ``), or are
separated by blank lines; what the first line of a file is holds for all of it. A word is a lemma or
form, alone or as ``die:4_VVZ`` with its place (from 1; 0 where unknown) and tag; where all words of a
file are like that, also ``die:4``, ``die_3`` (from 0, as in the C&C parser's lists) or ``die_VVZ``. ``|``
and backslash quote as in Lisp. ``;`` begins a comment; ``; sent_id = x`` gives an identifier that is
no number. An n-best set is ``{`` weighted relations ``}``: ``0.75 (dobj drop it)``.

In a file whose sentences begin with their words, lines that are neither belong to the program
that wrote it (``*** Warning: no parses``); they are kept as comments and counted in the diagnosis.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from os import PathLike
from typing import Literal, NamedTuple, TypeAlias

import numpy as np

from treebanks.arrays import BoolArray, Int32Array, offsets_of
from treebanks.diagnosis import finding
from treebanks.errors import ConversionError, FormatError
from treebanks.files import read_text, write_text
from treebanks.hierarchy import (
    INVENTORIES,
    UNLISTED,
    Hierarchy,
    Slots,
    hierarchy_for,
    load_hierarchy,
    slots_read,
    ways_to_write,
)
from treebanks.relation import Word
from treebanks.tables import NO_TOKEN, FurtherHeads, Relations, Sentences, Tokens
from treebanks.treebank import Treebank
from treebanks.vocabulary import Vocabulary

EMPTY = "_"
"""A slot that nothing fills."""

Written: TypeAlias = tuple[int, str, list[str]]
"""A relation as it stands in a file: its line, its weight (or nothing), its name and slots."""


@dataclass
class Block:
    """What a file says about one sentence."""

    line: int
    number: str = ""
    words: str = ""
    relations: list[Written] = field(default_factory=list)
    comments: list[str] = field(default_factory=list)
    messages: int = 0


def load(path: str | PathLike[str], *, encoding: str | None = None) -> Treebank:
    """Read a list of relations. Raises FormatError, with the line, for a relation that does not read."""
    return _treebank(read_text(path, encoding), str(path))


def loads(text: str) -> Treebank:
    """A treebank of relations from the text of a list."""
    return _treebank(text, "")


def dump(bank: Treebank, path: str | PathLike[str], *, encoding: str = "utf-8") -> None:
    """Write the relations of a treebank."""
    write_text(path, dumps(bank), encoding)


# Reading: first the file's blocks, then their columns

NUMBER = re.compile(r"(\d+)\s*(?=$|[{(;])")
WEIGHT = re.compile(r"(\d*\.?\d+(?:[eE][-+]?\d+)?)\s*(?=\()")
TAGGED_WORD = r"((?:\\.|[^\s\\])+)_((?:\\.|[^\s\\_])*)"
TAGGED_WORDS = re.compile(rf"(?!\([^_]){TAGGED_WORD}(\s+{TAGGED_WORD})*")
SENTENCE_ID = re.compile(r"sent_id\s*=\s*(.*\S)")

Beginning: TypeAlias = Literal["number", "words", "gap"]
"""What a file's sentences begin with; a gap is a blank line."""


def scan(text: str, source: str) -> Iterator[Block]:
    """The blocks of a list of relations, one for each sentence.

    Raises FormatError where a line is none of those that the module describes.
    """
    beginning = _beginning(text)
    block: Block | None = None
    comments: list[str] = []
    braces, gap = False, True
    for place, line in enumerate(text.split("\n"), 1):
        line = line.strip()
        if not line:
            gap = True
        elif line[0] == ";":
            comments.append(line[1:].strip())
        else:
            taken = -1 if braces else _begins(line, beginning, gap)
            if taken >= 0 or block is None:
                if block is not None:
                    yield block
                block = Block(place, comments=comments)
                comments, gap = [], False
                if beginning == "number":
                    block.number = line[:taken].strip()
                else:
                    block.words = line[:taken]
                line = line[max(taken, 0) :]
            elif beginning == "number" and not (block.words or block.relations) and _is_words(line):
                block.words = line
                continue
            elif beginning == "words" and (block.messages or not (line[0] in "({}" or WEIGHT.match(line))):
                block.messages += 1
                block.comments.append(line)
                continue
            if line[:1] == "(" and line[-1] == ")" and line[1:-1].strip() and PLAIN.isdisjoint(line[1:-1]):
                block.relations.append((place, "", line[1:-1].split()))
            elif line:
                braces = _read_relations(line, braces, block, place, source)
    if braces:
        raise FormatError(source, "the end of the file", "a '}' behind the weighted relations")
    if block is None:
        raise FormatError(source, "nothing but comments", "at least one sentence")
    block.comments += comments
    yield block


PLAIN = frozenset("()\\|;")
"""What the inside of a relation does not have that can be cut at its spaces."""


def _beginning(text: str) -> Beginning:
    """What the first line says that is no comment."""
    for line in map(str.strip, text.split("\n")):
        if line and line[0] != ";":
            return "number" if NUMBER.match(line) else "words" if _is_words(line) else "gap"
    return "gap"


def _begins(line: str, beginning: Beginning, gap: bool) -> int:
    """How much of a line is the beginning of a sentence; -1 where it is none."""
    if beginning == "gap":
        return 0 if gap else -1
    if beginning == "words":
        return len(line) if _is_words(line) else -1
    number = NUMBER.match(line)
    return number.end() if number else -1


def _is_words(line: str) -> bool:
    return TAGGED_WORDS.fullmatch(line) is not None


def _read_relations(line: str, braces: bool, block: Block, place: int, source: str) -> bool:
    """The relations of one line, put into the block; whether braces are open behind it."""
    while line := line.lstrip():
        if line[0] == ";":
            block.comments.append(line[1:].strip())
            break
        if line[0] == "{" and not braces:
            braces, line = True, line[1:]
        elif line[0] == "}" and braces:
            braces, line = False, line[1:]
        else:
            weight = WEIGHT.match(line)
            line = line[weight.end() :] if weight else line
            slots, line = _relation(line, place, source)
            block.relations.append((place, weight[1] if weight else "", slots))
    return braces


SLOT = re.compile(r"\s*((?:\\.|\|[^|]*\||[^\s()\\|])+)\s*")


def _relation(line: str, place: int, source: str) -> tuple[list[str], str]:
    """The name and slots of the relation at the beginning of a line, and what stands behind it.

    Raises FormatError where there is none.
    """
    slots: list[str] = []
    at = 1
    while line[0] == "(":
        if slot := SLOT.match(line, at):
            slots.append(_without_bars(slot[1]))
            at = slot.end()
        elif line.startswith(")", at) and slots:
            return slots, line[at + 1 :]
        else:
            break
    expected = "a relation such as (ncsubj die proprietor _)"
    raise FormatError(source, _shown(line), expected, line=place)


def _without_bars(slot: str) -> str:
    """A slot with what Lisp's bars quote quoted by backslashes."""
    if "|" not in slot:
        return slot
    parts = re.split(r"(\\.)|\|([^|]*)\|", slot)
    return "".join(
        part if place % 3 != 2 else re.sub(r"([\s()\\;])", r"\\\1", part)
        for place, part in enumerate(parts)
        if part
    )


def _shown(text: str) -> str:
    return repr(text if len(text) <= 60 else f"{text[:57]}...")


class Way(NamedTuple):
    """Where each slot stands in a written relation, counted from the name; 0 where it does not."""

    type: int
    head: int
    dependent: int
    initial_gr: int
    heads: bool
    listed: bool


@cache
def _way(name: str, count: int) -> Way | None:
    slots = slots_read(name, count)
    if slots is None:
        return None
    place = {slot: at for at, slot in enumerate(slots, 1)}
    return Way(
        place.get("type", 0),
        place.get("head") or place["heads"],
        place.get("dependent", 0),
        place.get("initial_gr", 0),
        "heads" in place,
        any(name in load_hierarchy(inventory) for inventory in INVENTORIES),
    )


def _treebank(text: str, source: str) -> Treebank:
    """The columns of a list. They first hold places in ``texts``: each distinct text is read once."""
    texts: dict[str, int] = {EMPTY: 0}
    intern = texts.setdefault
    slots = {name: array("i") for name in ("name", "type", "initial_gr", "weight", "head", "dependent")}
    name, type, initial_gr, weight, head, dependent = (column.append for column in slots.values())
    further_relation, further_head = array("i"), array("i")
    tokens = array("i")
    lengths = {table: array("i") for table in ("relations", "further", "tokens")}
    blocks, unlisted = [], []
    for sentence, block in enumerate(scan(text, source)):
        further = len(further_head)
        for row, (line, weighted, parts) in enumerate(block.relations):
            way = _way(parts[0], len(parts) - 1)
            if way is None:
                found = f"({' '.join(parts)})"
                raise FormatError(source, _shown(found), ways_to_write(parts[0]), line=line)
            name(intern(parts[0], len(texts)))
            type(intern(parts[way.type], len(texts)) if way.type else 0)
            head(intern(parts[way.head], len(texts)))
            dependent(intern(parts[way.dependent], len(texts)) if way.dependent else 0)
            initial_gr(intern(parts[way.initial_gr], len(texts)) if way.initial_gr else 0)
            weight(intern(weighted, len(texts)) if weighted else 0)
            if way.heads:
                for part in parts[way.head + 1 :]:
                    if part != EMPTY:
                        further_relation.append(row)
                        further_head.append(intern(part, len(texts)))
            if not way.listed:
                unlisted.append(sentence)
        words = re.findall(r"(?:\\.|[^\s\\])+", block.words) if block.words else []
        tokens.extend(intern(word, len(texts)) for word in words)
        lengths["relations"].append(len(block.relations))
        lengths["further"].append(len(further_head) - further)
        lengths["tokens"].append(len(words))
        block.relations = []
        blocks.append(block)

    codes: dict[str, int] = {"": 0}
    raw = list(texts)
    column = {label: _as_int32(values) for label, values in slots.items()}
    label, placed = _labels(
        raw, codes, [column["name"], column["type"], column["initial_gr"], column["weight"]]
    )
    further_words = _as_int32(further_head)
    word = _words(raw, codes, [column["head"], column["dependent"], further_words])
    form, pos = _tagged(raw, codes, _as_int32(tokens))
    offsets = {table: offsets_of(_as_int32(values)) for table, values in lengths.items()}
    relations = Relations(
        offsets["relations"],
        name=label[column["name"]],
        type=label[column["type"]],
        initial_gr=label[column["initial_gr"]],
        weight=label[column["weight"]],
        head_index=word.place[column["head"]],
        head_word=word.word[column["head"]],
        head_tag=word.tag[column["head"]],
        dependent_index=word.place[column["dependent"]],
        dependent_word=word.word[column["dependent"]],
        dependent_tag=word.tag[column["dependent"]],
    )
    further_heads = FurtherHeads(
        offsets["further"],
        relation=_as_int32(further_relation),
        index=word.place[further_words],
        word=word.word[further_words],
        tag=word.tag[further_words],
    )
    sentences = _sentences(blocks, source, codes)
    bank = Treebank(
        Vocabulary(tuple(codes)),
        sentences,
        Tokens.of(offsets["tokens"], form=form, pos=pos),
        relations=relations,
        further_heads=further_heads,
    )
    _refuse_words_that_are_not_there(bank)
    messages = np.repeat(np.arange(len(blocks)), [block.messages for block in blocks])
    return bank.diagnosed(
        finding("read", "lines that are no relation kept as comments", messages, len(blocks)),
        finding("read", "relations that no inventory lists", np.array(unlisted, np.int64), len(blocks)),
        finding(
            "read",
            "places of words in the type slot left out",
            relations.sentence_of_row()[placed[column["type"]]],
            len(blocks),
        ),
    )


def _sentences(blocks: list[Block], source: str, codes: dict[str, int]) -> Sentences:
    """The sentence table; an identifier that a comment gives stands for the number."""
    count = len(blocks)
    columns = {name: np.zeros(count, np.int32) for name in Sentences.columns()}
    columns["ordinal"] = np.arange(1, count + 1, dtype=np.int32)
    columns["source"][:] = codes.setdefault(source, len(codes))
    for place, block in enumerate(blocks):
        id, comments = block.number, []
        for comment in block.comments:
            if given := SENTENCE_ID.fullmatch(comment):
                id = given[1]
            else:
                comments.append(comment)
        columns["id"][place] = codes.setdefault(id, len(codes))
        columns["line"][place] = block.line
        columns["comments"][place] = codes.setdefault("\n".join(comments), len(codes))
    return Sentences(offsets_of(np.ones(count, np.int32)), **columns)


# Words: Lisp's quotes, places and tags

WITH_PLACE_AND_TAG = re.compile(r"((?:\\.|[^\\])*):(\d+)_(.*)")
"""RASP's ``die:4_VVZ``, which is what it is wherever it stands."""

WHOLE_FILE = (
    (re.compile(r"((?:\\.|[^\\])+):(\d+)()"), 1),
    (re.compile(r"((?:\\.|[^\\])+)_(\d+)()"), 0),
    (re.compile(r"((?:\\.|[^\\])+)_()([^\sa-z_\\]+)"), 0),
)
"""Further ways to write words, meant only where all of a file's words are written so, and the number
of the first word of a sentence."""

PLACELESS = ("ellip", "pro")
"""Words that stand for none of the sentence, in every way of writing."""


class WordColumns(NamedTuple):
    """For every text what it says as a word, shape ``(texts,)``."""

    word: Int32Array
    place: Int32Array
    tag: Int32Array


def _words(raw: list[str], codes: dict[str, int], used: list[Int32Array]) -> WordColumns:
    read = WordColumns(
        np.zeros(len(raw), np.int32), np.full(len(raw), NO_TOKEN, np.int32), np.zeros(len(raw), np.int32)
    )
    places = np.unique(np.concatenate(used))
    found = _read_words([raw[place] for place in places.tolist()])
    for place, (word, index, tag) in zip(places.tolist(), found, strict=True):
        read.word[place] = codes.setdefault(word, len(codes))
        read.place[place] = index
        read.tag[place] = codes.setdefault(tag, len(codes))
    return read


def _read_words(written: list[str]) -> list[Word]:
    """What each of a file's words says."""
    first, matches = 1, [WITH_PLACE_AND_TAG.fullmatch(word) for word in written]
    if not any(matches):
        for pattern, counted_from in WHOLE_FILE:
            found = [pattern.fullmatch(word) for word in written]
            if any(found) and all(
                match or word == EMPTY or word in PLACELESS
                for match, word in zip(found, written, strict=True)
            ):
                first, matches = counted_from, found
                break
    return [
        Word(_unquoted(match[1]), int(match[2]) - first if match[2] else NO_TOKEN, _unquoted(match[3]))
        if match
        else Word(_unquoted(word) if word != EMPTY else "")
        for match, word in zip(matches, written, strict=True)
    ]


def _labels(raw: list[str], codes: dict[str, int], used: list[Int32Array]) -> tuple[Int32Array, BoolArray]:
    """For every text its code as a label, and whether it had a place and tag, which labels lose."""
    labels, placed = np.zeros(len(raw), np.int32), np.zeros(len(raw), np.bool_)
    for place in np.unique(np.concatenate(used)).tolist():
        match = WITH_PLACE_AND_TAG.fullmatch(raw[place])
        label = _unquoted(match[1] if match else raw[place]) if raw[place] != EMPTY else ""
        labels[place], placed[place] = codes.setdefault(label, len(codes)), bool(match)
    return labels, placed


def _tagged(raw: list[str], codes: dict[str, int], tokens: Int32Array) -> tuple[Int32Array, Int32Array]:
    """Forms and tags of the words with which sentences begin (``Kim_NP1``), shape ``(tokens,)``."""
    form, tag = np.zeros(len(raw), np.int32), np.zeros(len(raw), np.int32)
    for place in np.unique(tokens).tolist():
        match = re.fullmatch(TAGGED_WORD, raw[place])
        assert match is not None, "a line of words consists of them"
        form[place] = codes.setdefault(_unquoted(match[1]), len(codes))
        tag[place] = codes.setdefault(_unquoted(match[2]), len(codes))
    return form[tokens], tag[tokens]


def _unquoted(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", text) if "\\" in text else text


def _refuse_words_that_are_not_there(bank: Treebank) -> None:
    """Where a sentence begins with its words, the places of its relations are among them."""
    for table, columns in ((bank.relations, ("head", "dependent")), (bank.further_heads, ("",))):
        sentence = table.sentence_of_row()
        length = bank.tokens.lengths()[sentence]
        for column in columns:
            prefix = f"{column}_" if column else ""
            index = getattr(table, f"{prefix}index")
            wrong = np.flatnonzero((length > 0) & (index >= length))
            if len(wrong):
                row = int(wrong[0])
                number = int(sentence[row])
                word = bank.vocabulary[int(getattr(table, f"{prefix}word")[row])]
                raise FormatError(
                    bank.vocabulary[int(bank.sentences.source[number])],
                    f"word {int(index[row]) + 1} ({word!r})",
                    f"one of the sentence's {int(length[row])} words",
                    line=int(bank.sentences.line[number]),
                    sentence=bank.sentence_id(number),
                )


def _as_int32(values: array[int]) -> Int32Array:
    return np.frombuffer(values, np.int32).copy() if len(values) else np.zeros(0, np.int32)


# Writing


def dumps(bank: Treebank) -> str:
    """The relations of a treebank as a list.

    Words have their place and tag where these are known. Sentences have their words first where the
    treebank has them, and their number unless none has an identifier and their words or a blank line
    tell them apart. Raises ConversionError for a relation that cannot be written with its slots.
    """
    has_words, has_relations = bank.tokens.lengths() > 0, bank.relations.lengths() > 0
    ids = bank.vocabulary.decode(bank.sentences.id)
    numbered = any(ids) or not (has_words.all() or (has_relations & ~has_words).all())
    comments = bank.vocabulary.decode(bank.sentences.comments)
    relations = written_relations(bank)
    weighted = bank.relations.weight > 0
    weights = bank.vocabulary.decode(bank.relations.weight)
    blocks = []
    for sentence, id in enumerate(ids):
        lines = [f"; {comment}" for comment in comments[sentence].split("\n")] if comments[sentence] else []
        if numbered:
            if id and not id.isdecimal():
                lines.append(f"; sent_id = {id}")
            lines.append(id if id.isdecimal() else str(sentence + 1))
        if has_words[sentence]:
            lines.append(_written_words(bank, sentence))
        rows = bank.relations.rows(sentence)
        if weighted[rows].any():
            pairs = zip(weights[rows], relations[rows], strict=True)
            lines += ["{", *(f"{weight or 1} {relation}" for weight, relation in pairs), "}"]
        else:
            lines += relations[rows]
        lines.append("")
        blocks += lines
    return "\n".join(blocks)


def _written_words(bank: Treebank, sentence: int) -> str:
    rows = bank.tokens.rows(sentence)
    forms = bank.vocabulary.decode(bank.tokens.form[rows])
    tags = bank.vocabulary.decode(bank.tokens.pos[rows])
    quote = re.compile(r"[\s\\]")
    line = " ".join(
        f"{_quoted(form, quote)}_{_quoted(tag, quote).replace('_', BACKSLASH + '_')}"
        for form, tag in zip(forms, tags, strict=True)
    )
    return line if line[0] not in "(;" or line.startswith("(_") else BACKSLASH + line


def written_relations(bank: Treebank) -> list[str]:
    """Every relation as it is written in a list, in the order of the rows."""
    table = bank.relations
    decode = bank.vocabulary.decode
    hierarchy = hierarchy_for(decode(np.unique(table.name)))
    written_word = cache(_written_word)
    columns = {
        slot: [
            written_word(word, index, tag)
            for word, index, tag in zip(
                decode(getattr(table, f"{slot}_word")),
                getattr(table, f"{slot}_index").tolist(),
                decode(getattr(table, f"{slot}_tag")),
                strict=True,
            )
        ]
        for slot in ("head", "dependent")
    }
    for label in ("type", "initial_gr"):
        columns[label] = list(map(cache(_written_label), decode(getattr(table, label))))
    names = decode(table.name)
    further = _further_heads(bank, written_word)
    ways: dict[tuple[str, frozenset[str]], Slots] = {}
    written = []
    for row, name in enumerate(names):
        filled = {slot: column[row] for slot, column in columns.items() if column[row] != EMPTY}
        if row in further:
            filled["heads"] = f"{columns['head'][row]} {further[row]}"
            del filled["head"]
        key = (name, frozenset(filled))
        if key not in ways:
            way = _way_to_write(name, key[1], hierarchy)
            if way is None:
                sentence = int(table.sentence_of_row()[row])
                raise ConversionError(
                    f"{bank.where(sentence)}: sentence {bank.sentence_id(sentence)}: found {name} with "
                    f"{', '.join(sorted(filled))}, expected {ways_to_write(name)}"
                )
            ways[key] = way
        filled.setdefault("heads", columns["head"][row])
        written.append(f"({' '.join((_written_label(name), *(filled.get(s, EMPTY) for s in ways[key])))})")
    return written


def _further_heads(bank: Treebank, written_word: Callable[[str, int, str], str]) -> dict[int, str]:
    """The heads behind the first, by the row of their relation."""
    table = bank.further_heads
    decode = bank.vocabulary.decode
    found: dict[int, str] = {}
    rows = bank.relations.offsets[table.sentence_of_row()] + table.relation
    for row, word, index, tag in zip(
        rows.tolist(), decode(table.word), table.index.tolist(), decode(table.tag), strict=True
    ):
        found[row] = (
            f"{found[row]} {written_word(word, index, tag)}"
            if row in found
            else written_word(word, index, tag)
        )
    return found


def _way_to_write(name: str, filled: frozenset[str], hierarchy: Hierarchy) -> Slots | None:
    """The first way to write a relation that has the slots that are filled, and is read as itself.

    A coordination with one head is followed by an empty slot where it would be read as another way.
    """
    inventories = (hierarchy, *map(load_hierarchy, INVENTORIES))
    listed = [way for inventory in inventories for way in inventory.slots.get(name, ())]
    for way in listed or UNLISTED.values():
        if filled - {"head" if "heads" in way else ""} <= set(way):
            for written in (way, (*way, "")):
                if slots_read(name, len(written) + ("heads" in filled)) == way:
                    return written
    return None


BACKSLASH = "\\"


def _written_word(word: str, index: int, tag: str) -> str:
    if index != NO_TOKEN or tag:
        return f"{_quoted(word)}:{index + 1}_{_quoted(tag).replace(':', BACKSLASH + ':')}"
    if any(pattern.fullmatch(word) for pattern in (WITH_PLACE_AND_TAG, *(p for p, _ in WHOLE_FILE))):
        return re.sub("[:_]", r"\\\g<0>", _quoted(word))
    return _written_label(word)


def _written_label(label: str) -> str:
    if WITH_PLACE_AND_TAG.fullmatch(label):
        return _quoted(label).replace(":", BACKSLASH + ":")
    return BACKSLASH + EMPTY if label == EMPTY else _quoted(label) or EMPTY


def _quoted(text: str, characters: re.Pattern[str] = re.compile(r"[\s()\\|;]")) -> str:
    return characters.sub(r"\\\g<0>", text) if characters.search(text) else text
