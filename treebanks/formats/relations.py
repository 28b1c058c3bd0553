r"""Lists of grammatical relations, in the notation of RASP and its evaluation program.

A relation is in parentheses, its name first, an empty slot as ``_``::

    12
    (ncsubj die:4_VVZ proprietor:3_NN1 _)
    (xcomp to decide drop)

Sentences begin with their number, or with a line of the tagged words (``Kim_NP1 sings_VVZ``), or are
separated by blank lines; the first line of a file decides for the whole file. A word is a lemma or
form, alone or as ``die:4_VVZ`` with its position (from 1; 0 where unknown) and tag; where all words of a
file are like that, also ``die:4``, ``die_3`` (from 0, as in the C&C parser's lists) or ``die_VVZ``. ``|``
and backslash quote as in Lisp. ``;`` begins a comment; ``; sent_id = x`` gives an identifier that is
no number. An n-best set is ``{`` weighted relations ``}``: ``0.75 (dobj drop it)``.

In a file whose sentences begin with their words, lines that are neither belong to the program
that wrote it (``*** Warning: no parses``); they are kept as comments and counted in the diagnosis. A
sentence without relations is a parse in which no relation holds, unless such a line says ``no parse``.
"""

from __future__ import annotations

import re
from functools import cache
from os import PathLike

import numpy as np
from numpy.typing import NDArray

from crossbank.treebanks.arrays import BoolArray, Int32Array, offsets_of
from crossbank.treebanks.diagnosis import NO_PARSE_MESSAGES
from crossbank.treebanks.errors import FormatError, excerpt
from crossbank.treebanks.files import as_utf8
from crossbank.treebanks.formats.format import Format
from crossbank.treebanks.formats.relation_lists import Block, RelationList, load_list, read_list, split_words
from crossbank.treebanks.formats.relation_words import (
    BACKSLASH,
    EMPTY,
    quoted,
    read_label,
    read_words,
    unquoted,
    written_label,
    written_word,
)
from crossbank.treebanks.formats.text_files import TEXT, writing
from crossbank.treebanks.formats.unwritable_strings import LINE_BREAK, refuse_strings
from crossbank.treebanks.quantities import quantity
from crossbank.treebanks.relations.hierarchy import (
    INVENTORIES,
    UNLISTED,
    Hierarchy,
    Slots,
    hierarchy_for,
    load_hierarchy,
    slots_read,
    ways_to_write,
)
from crossbank.treebanks.tables import LARGEST, NO_TOKEN, FurtherHeads, Relations, Sentences, Table, Tokens
from crossbank.treebanks.treebank import Treebank
from crossbank.treebanks.vocabulary import Vocabulary

FORMAT = Format(
    position=90,
    suffixes=(".grs", ".gr"),
    relations=True,
    holds={"relations", "tags", "identifiers", "comments"},
)

DAMAGE = "crossbank.treebanks.formats.damaged_lists:RELATIONS"

LABELS = ("name", "type", "initial_gr")
SENTENCE_ID = re.compile(r"sent_id\s*=\s*(.*\S)")


def load(path: str | PathLike[str], *, encoding: str | None = None) -> Treebank:
    """Read a list of relations. Raises FormatError, with the line, for a relation that cannot be parsed."""
    return _treebank(load_list(path, encoding), str(path))


def loads(text: str, source: str = TEXT) -> Treebank:
    """Return a treebank of relations from the text of a list."""
    return _treebank(read_list(as_utf8(text.encode(), source, checked=False), source), source)


# Reading


def _treebank(read: RelationList, source: str) -> Treebank:
    """Return the columns of a list; each distinct text is read once."""
    codes: dict[str, int] = {"": 0}
    count = len(read.blocks)
    sentence_offsets = np.array([0, *(block.last for block in read.blocks)], np.int64)
    slots, further_relation, further_slot = _slot_texts(read, source)
    labels, lost = _labels(read, codes, [slots[name] for name in LABELS])
    words = _words(read, codes, [slots["head"], slots["dependent"], further_slot], source)
    weight = np.zeros(len(read.lines), np.int32)
    for relation, written in read.weights.items():
        weight[relation] = codes.setdefault(written, len(codes))
    columns = {slot: labels[slots[slot]] for slot in LABELS} | {"weight": weight}
    for slot in ("head", "dependent"):
        for part, name in enumerate(("index", "word", "tag")):
            columns[f"{slot}_{name}"] = words[slots[slot], part]
    relations = Relations(sentence_offsets, **columns)
    sentence = relations.sentence_of_row()
    further_heads = FurtherHeads(
        offsets_of(np.bincount(sentence[further_relation], minlength=count)),
        relation=(further_relation - sentence_offsets[sentence[further_relation]]).astype(np.int32),
        index=words[further_slot, 0],
        word=words[further_slot, 1],
        tag=words[further_slot, 2],
    )
    tokens = _tokens(read.blocks, codes)
    sentences = _sentences(read.blocks, source, codes)
    bank = Treebank.of_tables(
        Vocabulary(tuple(codes)), sentences, tokens, relations=relations, further_heads=further_heads
    )
    _refuse_missing_words(bank, read)
    messages = np.repeat(np.arange(count), [block.messages for block in read.blocks])
    known = [load_hierarchy(inventory) for inventory in INVENTORIES]
    listed = np.array([any(name in inventory for inventory in known) for name in codes])
    events = {
        "lines that are not relations kept as comments": messages,
        NO_PARSE_MESSAGES: [
            number
            for number, block in enumerate(read.blocks)
            if block.messages and any("no parse" in comment.lower() for comment in block.comments)
        ],
        "relations that no inventory lists": sentence[~listed[relations.name]],
        "positions of words in the type slot dropped": sentence[lost[slots["type"]]],
    }
    return bank.with_events("read", events)


def _slot_texts(
    read: RelationList, source: str
) -> tuple[dict[str, Int32Array], NDArray[np.intp], Int32Array]:
    """Return the texts that fill each slot, 0 if there is none, shape ``(relations,)``.

    Then, for each further head, its relation and its text. Relations are looked at by their name and the
    number of their slots. Raises FormatError for the first that has no slots of that number.
    """
    begins, lengths = read.offsets[:-1], np.diff(read.offsets)
    names = read.slots[begins]
    slots_of = {slot: np.zeros(len(names), np.int32) for slot in ("type", "head", "dependent", "initial_gr")}
    keys = names * (lengths.max(initial=0) + 1) + lengths
    _, first, kind = np.unique(keys, return_index=True, return_inverse=True)
    by_kind = np.split(np.argsort(kind, kind="stable"), np.cumsum(np.bincount(kind))[:-1])
    further = [(np.zeros(0, np.intp), np.zeros(0, np.int32))]
    for relation, rows in sorted(zip(first.tolist(), by_kind, strict=False), key=lambda pair: pair[0]):
        count = int(lengths[relation])
        name = read.texts[names[relation]]
        slots = slots_read(name, count - 1)
        if slots is None:
            actual = f"({' '.join(read.written(relation))})"
            raise FormatError(
                source, excerpt(actual, 60), ways_to_write(name), line=int(read.lines[relation])
            )
        for slot_number, slot in enumerate(slots, 1):
            slots_of[slot if slot != "heads" else "head"][rows] = read.slots[begins[rows] + slot_number]
            if slot == "heads":
                further += [(rows, read.slots[begins[rows] + more]) for more in range(slot_number + 1, count)]
    further_relation, further_slot = (np.concatenate(parts) for parts in zip(*further, strict=True))
    filled = further_slot != (read.texts.index(EMPTY) if EMPTY in read.texts else -1)
    order = np.argsort(further_relation[filled], kind="stable")
    return {"name": names, **slots_of}, further_relation[filled][order], further_slot[filled][order]


def _labels(
    read: RelationList, codes: dict[str, int], used: list[Int32Array]
) -> tuple[Int32Array, BoolArray]:
    """Return each text's code as a label, and whether it had an index and tag, shape ``(texts,)``."""
    labels, lost = np.zeros(len(read.texts), np.int32), np.zeros(len(read.texts), np.bool_)
    for text in np.unique(np.concatenate(used)).tolist():
        label, lost[text] = read_label(read.texts[text])
        labels[text] = codes.setdefault(label, len(codes))
    return labels, lost


def _words(read: RelationList, codes: dict[str, int], used: list[Int32Array], source: str) -> Int32Array:
    """Return index, code of word and code of tag of each text, shape ``(texts, 3)``. Raises FormatError."""
    words = np.zeros((len(read.texts), 3), np.int32)
    words[:, 0] = NO_TOKEN
    filled = np.zeros(len(read.texts), np.bool_)
    for texts in used:
        filled[texts] = True
    filled[0] = False
    used_texts = np.flatnonzero(filled)
    forms, index, tag = read_words([read.texts[text] for text in used_texts.tolist()])
    for text, number in zip(used_texts.tolist(), index, strict=True):
        if number >= LARGEST - 1:
            relation = int(np.searchsorted(read.offsets, (read.slots == text).argmax(), side="right")) - 1
            actual, line = excerpt(read.texts[text], 60), int(read.lines[relation])
            raise FormatError(source, actual, "a position of at most nine digits", line=line)
    words[used_texts, 0] = index
    words[used_texts, 1] = [codes.setdefault(word, len(codes)) for word in forms]
    words[used_texts, 2] = [codes.setdefault(label, len(codes)) for label in tag]
    return words


def _tokens(blocks: list[Block], codes: dict[str, int]) -> Tokens:
    """Return the words with which sentences begin (``Kim_NP1``)."""
    form: list[int] = []
    pos: list[int] = []
    lengths = []
    for block in blocks:
        before = len(form)
        for word, tag in split_words(block.words):
            form.append(codes.setdefault(unquoted(word), len(codes)))
            pos.append(codes.setdefault(unquoted(tag), len(codes)))
        lengths.append(len(form) - before)
    offsets = offsets_of(np.array(lengths, np.int64))
    return Tokens.of(offsets, form=np.array(form, np.int32), pos=np.array(pos, np.int32))


def _sentences(blocks: list[Block], source: str, codes: dict[str, int]) -> Sentences:
    """Return the sentence table; an identifier in a comment replaces the number."""
    own, ids, comments = codes.setdefault(source, len(codes)), [], []
    for block in blocks:
        id, remaining = block.number, []
        for comment in block.comments:
            if match := SENTENCE_ID.fullmatch(comment):
                id = match[1]
            else:
                remaining.append(comment)
        ids.append(codes.setdefault(id, len(codes)))
        comments.append(codes.setdefault("\n".join(remaining), len(codes)))
    columns = {"id": ids, "comments": comments, "line": [block.line for block in blocks]}
    return Sentences.numbered(
        len(blocks), own, **{name: np.array(values, np.int32) for name, values in columns.items()}
    )


def _refuse_missing_words(bank: Treebank, read: RelationList) -> None:
    """Raise FormatError if a relation names a position that its sentence does not have."""
    relations, heads = bank.relations, bank.further_heads
    first = relations.offsets[heads.sentence_of_row()]
    for index, word, relation in (
        (relations.head_index, relations.head_word, np.arange(len(relations))),
        (relations.dependent_index, relations.dependent_word, np.arange(len(relations))),
        (heads.index, heads.word, first + heads.relation),
    ):
        sentence = relations.sentence_of_row()[relation]
        length = bank.tokens.lengths()[sentence]
        for row in np.flatnonzero((length > 0) & (index >= length))[:1].tolist():
            raise FormatError(
                bank.vocabulary[int(bank.sentences.source[0])],
                f"word {int(index[row]) + 1} ({bank.vocabulary[int(word[row])]!r})",
                f"one of the sentence's {quantity(int(length[row]), 'word')}",
                line=int(read.lines[relation[row]]),
                sentence=bank.sentence_id(int(sentence[row])),
            )


# Writing


UNWRITABLE = {
    "tokens.form": rf"{LINE_BREAK}|^$",
    "tokens.pos": LINE_BREAK,
    "sentences.id": LINE_BREAK,
    "sentences.comments": r"\r",
    **{f"relations.{column}": LINE_BREAK for column in Relations.STRINGS},
    **{f"further_heads.{column}": LINE_BREAK for column in FurtherHeads.STRINGS},
}
"""Strings, by column, that a line cannot hold."""


def dumps(bank: Treebank) -> str:
    """Return the relations of a treebank as a list.

    Words have their position and tag where these are known. Sentences have their words first where the
    treebank has them, and their number unless none has an identifier and their words or a blank line
    tell them apart. Raises ConversionError for a relation that cannot be written with its slots, and for line
    breaks.
    """
    refuse_strings(bank, "relations", UNWRITABLE)
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
        blocks += [*lines, ""]
    return "\n".join(blocks)


def _written_words(bank: Treebank, sentence: int) -> str:
    quote = re.compile(r"[\s\\]")
    line = " ".join(
        f"{quoted(form, quote)}_{quoted(tag, quote).replace('_', BACKSLASH + '_')}"
        for form, tag in bank.cells("tokens", sentence, "form", "pos")
    )
    return line if line[0] not in "(;" or line.startswith("(_") else BACKSLASH + line


def written_relations(bank: Treebank) -> list[str]:
    """Return every relation as written in a list, in the order of the rows."""
    table, more, decode = bank.relations, bank.further_heads, bank.vocabulary.decode
    hierarchy = hierarchy_for(decode(np.unique(table.name)))
    word, label = cache(written_word), cache(written_label)

    def words(rows: Table, slot: str = "") -> list[str]:
        forms, index, tag = (getattr(rows, f"{slot}{part}") for part in ("word", "index", "tag"))
        return list(map(word, decode(forms), index.tolist(), decode(tag)))

    columns = {
        "type": list(map(label, decode(table.type))),
        "head": words(table, "head_"),
        "dependent": words(table, "dependent_"),
        "initial_gr": list(map(label, decode(table.initial_gr))),
    }
    heads: dict[int, str] = {}
    of_relation = (table.offsets[more.sentence_of_row()] + more.relation).tolist()
    for row, further in zip(of_relation, words(more), strict=True):
        heads[row] = f"{heads.get(row, columns['head'][row])} {further}"
    ways: dict[tuple[str, frozenset[str]], Slots] = {}
    written = []
    for row, name in enumerate(decode(table.name)):
        filled = {slot: column[row] for slot, column in columns.items() if column[row] != EMPTY}
        if row in heads:
            filled["heads"] = heads[row]
            del filled["head"]
        key = (name, frozenset(filled))
        if key not in ways:
            way = _way_to_write(name, key[1], hierarchy)
            if way is None:
                sentence = int(table.sentence_of_row()[row])
                problem = f"{name} with {', '.join(sorted(filled))}"
                raise bank.refused(sentence, f"found {problem}, expected {ways_to_write(name)}")
            ways[key] = way
        filled.setdefault("heads", columns["head"][row])
        written.append(f"({' '.join((label(name), *(filled.get(s, EMPTY) for s in ways[key])))})")
    return written


def _way_to_write(name: str, filled: frozenset[str], hierarchy: Hierarchy) -> Slots | None:
    """Return the first way to write a relation that has the filled slots and is read as itself.

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


dump = writing(dumps)
