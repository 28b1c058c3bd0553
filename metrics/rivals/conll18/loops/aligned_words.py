"""Compiled loops over words and spans: which words are aligned, and which are right in each column."""

from __future__ import annotations

import cython
import numpy as np
from cython.cimports.crossbank.treebanks.arrays import (
    BoolArray,
    BoolOutput,
    Float64MatrixOutput,
    Int32Array,
    Int32Output,
    Int64Array,
    Int64Output,
)
from cython.cimports.crossbank.treebanks.loops.interrupts import look

from crossbank.treebanks.memory import require


@cython.dataclasses.dataclass(eq=False, repr=False)
class Written:
    """Columns of ``official_reading.Columns``, and the length of each form, in characters, by code."""

    offsets: Int64Array
    form: Int32Array
    range_offsets: Int64Array
    range_first: Int64Array
    range_size: Int32Array
    range_form: Int32Array
    length: Int32Array


@cython.dataclasses.dataclass(eq=False, repr=False)
class Places:
    """``conll18.stretches_of_text.Spans``, and the form of each token."""

    sentence_start: Int64Output
    sentence_end: Int64Output
    token_start: Int64Output
    token_end: Int64Output
    token_word: Int64Output
    start: Int64Output
    end: Int64Output
    multiword: BoolOutput
    surface: Int32Output


def place_tokens(written: Written, places: Places) -> int:
    """Fill in the places of sentences, tokens and words. Returns the number of tokens.

    A multiword token may have no words.
    """
    place: cython.longlong = 0
    token: cython.Py_ssize_t = 0
    with cython.nogil:
        for sentence in range(written.offsets.shape[0] - 1):
            places.sentence_start[sentence] = place
            word, row = written.offsets[sentence], written.range_offsets[sentence]
            last_word, last_row = written.offsets[sentence + 1], written.range_offsets[sentence + 1]
            while word < last_word or row < last_row:
                within: cython.bint = row < last_row and written.range_first[row] == word
                if within:
                    stop, code = word + written.range_size[row], written.range_form[row]
                    row += 1
                else:
                    stop, code = word + 1, written.form[word]
                places.token_start[token], places.token_word[token] = place, word
                places.surface[token] = code
                for covered in range(word, stop):
                    places.start[covered], places.end[covered] = place, place + written.length[code]
                    places.multiword[covered] = within
                place += written.length[code]
                places.token_end[token] = place
                token += 1
                word = stop
            places.sentence_end[sentence] = place
    return token


def copy_forms(numbers: Int32Array, begins: Int64Array, surface: Int32Array, text: Int32Output) -> None:
    """Fill in the characters of the tokens; those of each form begin at ``begins`` in ``numbers``."""
    place: cython.Py_ssize_t = 0
    with cython.nogil:
        for token in range(surface.shape[0]):
            for character in range(begins[surface[token]], begins[surface[token] + 1]):
                text[place] = numbers[character]
                place += 1


def mark_same_spans(
    gold_start: Int64Array,
    gold_end: Int64Array,
    system_start: Int64Array,
    system_end: Int64Array,
    same: BoolOutput,
) -> None:
    """Mark the spans of gold that the system has too; both are in the order of the text."""
    g: cython.Py_ssize_t = 0
    s: cython.Py_ssize_t = 0
    with cython.nogil:
        while g < gold_start.shape[0] and s < system_start.shape[0]:
            if system_start[s] < gold_start[g]:
                s += 1
            elif gold_start[g] < system_start[s]:
                g += 1
            else:
                same[g] = gold_end[g] == system_end[s]
                g += 1
                s += 1


NOT_ALIGNED = -2
"""The counterpart of a word that has none."""

UNALIGNED = cython.declare(cython.longlong, -2)


@cython.dataclasses.dataclass(eq=False, repr=False)
class Side:
    """Words of one side as they are aligned: columns of ``stretches_of_text.Spans``, and the forms."""

    start: Int64Array
    end: Int64Array
    multiword: BoolArray
    form: Int32Array


@cython.cclass
class Stretch:
    """A stretch of text around multiword tokens: its words on both sides, and room for a comparison.

    longest  by word of gold and of the system: the longest common subsequence from there on
    """

    first_gold: cython.Py_ssize_t
    last_gold: cython.Py_ssize_t
    first_system: cython.Py_ssize_t
    last_system: cython.Py_ssize_t
    longest: Int32Output

    def __init__(self) -> None:
        self.longest = np.zeros(256, np.int32)

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def make_room(self, cells: cython.Py_ssize_t) -> cython.int:
        """Have at least so many cells."""
        if cells > self.longest.shape[0]:
            require(8 * cells, "", f"a stretch with multiword tokens of {cells:,} pairs of words")
            self.longest = np.zeros(2 * cells, np.int32)
        return 0


def align(gold: Side, system: Side, found: Int64Output) -> None:
    """Fill in, for every word of the system, the word of gold or ``NOT_ALIGNED``."""
    stretch = Stretch()
    words, others = gold.start.shape[0], system.start.shape[0]
    g: cython.Py_ssize_t = 0
    with cython.nogil:
        for s in range(others):
            found[s] = UNALIGNED
        s = 0
        while g < words and s < others:
            if gold.multiword[g] or system.multiword[s]:
                find_stretch(gold, system, g, s, stretch)
                g, s = stretch.last_gold, stretch.last_system
                if g > stretch.first_gold and s > stretch.first_system:
                    align_forms(gold, system, stretch, found)
            elif gold.start[g] == system.start[s] and gold.end[g] == system.end[s]:
                found[s] = g
                g += 1
                s += 1
            elif gold.start[g] <= system.start[s]:
                g += 1
            else:
                s += 1


@cython.cfunc
@cython.nogil
def find_stretch(
    gold: Side, system: Side, g: cython.Py_ssize_t, s: cython.Py_ssize_t, stretch: Stretch
) -> cython.void:
    """Fill in the stretch around the multiword token of word ``g`` of gold or word ``s`` of the system."""
    words, others = gold.start.shape[0], system.start.shape[0]
    if gold.multiword[g]:
        stop = gold.end[g]
        if not system.multiword[s] and system.start[s] < gold.start[g]:
            s += 1
    else:
        stop = system.end[s]
        if not gold.multiword[g] and gold.start[g] < system.start[s]:
            g += 1
    stretch.first_gold, stretch.first_system = g, s
    while not is_behind(gold, g, stop) or not is_behind(system, s, stop):
        if g < words and (s >= others or gold.start[g] <= system.start[s]):
            if gold.multiword[g]:
                stop = max(stop, gold.end[g])
            g += 1
        else:
            if system.multiword[s]:
                stop = max(stop, system.end[s])
            s += 1
    stretch.last_gold, stretch.last_system = g, s


@cython.cfunc
@cython.nogil
def is_behind(side: Side, word: cython.Py_ssize_t, stop: cython.longlong) -> cython.bint:
    """True if a word is no part of a stretch that ends at the character ``stop``."""
    if word >= side.start.shape[0]:
        return True
    if side.multiword[word]:
        return bool(side.start[word] >= stop)
    return bool(side.end[word] > stop)


@cython.cfunc
@cython.nogil
@cython.exceptval(-1, check=False)
def align_forms(gold: Side, system: Side, stretch: Stretch, found: Int64Output) -> cython.int:
    """Align the longest common subsequence; of several, words of gold are left out first.

    An error of memory must come through: without room the loop would write past the table.
    """
    rows: cython.Py_ssize_t = stretch.last_gold - stretch.first_gold
    width: cython.Py_ssize_t = stretch.last_system - stretch.first_system + 1
    with cython.gil:
        stretch.make_room((rows + 1) * width)
    for g in range(rows + 1):
        stretch.longest[g * width + width - 1] = 0
    for s in range(width):
        stretch.longest[rows * width + s] = 0
    for g in range(rows - 1, -1, -1):
        look(width)
        for s in range(width - 2, -1, -1):
            length = 0
            if gold.form[stretch.first_gold + g] == system.form[stretch.first_system + s]:
                length = stretch.longest[(g + 1) * width + s + 1] + 1
            length = max(length, stretch.longest[(g + 1) * width + s])
            stretch.longest[g * width + s] = max(length, stretch.longest[g * width + s + 1])
    g = s = 0
    while g < rows and s < width - 1:
        if gold.form[stretch.first_gold + g] == system.form[stretch.first_system + s]:
            found[stretch.first_system + s] = stretch.first_gold + g
            g += 1
            s += 1
        elif stretch.longest[g * width + s] == stretch.longest[(g + 1) * width + s]:
            g += 1
        else:
            s += 1
    return 0


# The rows of the counts of ``count_aligned``: ``official_scores.ALIGNED``, and then aligned content words.
WORDS = cython.declare(cython.int, 0)
UPOS = cython.declare(cython.int, 1)
XPOS = cython.declare(cython.int, 2)
UFEATS = cython.declare(cython.int, 3)
ALLTAGS = cython.declare(cython.int, 4)
LEMMAS = cython.declare(cython.int, 5)
UAS = cython.declare(cython.int, 6)
LAS = cython.declare(cython.int, 7)
CLAS = cython.declare(cython.int, 8)
MLAS = cython.declare(cython.int, 9)
BLEX = cython.declare(cython.int, 10)
CONTENT_ALIGNED = cython.declare(cython.int, 11)


@cython.dataclasses.dataclass(eq=False, repr=False)
class Annotation:
    """Annotation of one side's words, in codes of both sides.

    content, functional  the kind of the relation
    no_lemma             the code of ``_`` as a lemma, which in gold is right whatever the system says
    """

    head: Int64Array
    upos: Int32Array
    xpos: Int32Array
    feats: Int32Array
    lemma: Int32Array
    relation: Int32Array
    content: BoolArray
    functional: BoolArray
    no_lemma: cython.int


def count_aligned(
    gold: Annotation,
    system: Annotation,
    counterpart: Int64Array,
    sentence_of: Int64Array,
    counted: Float64MatrixOutput,
) -> None:
    """Count the aligned words, and the right columns among them, in the sentences of gold.

    ``counterpart`` is the alignment, ``sentence_of`` the sentence of each word of gold; ``counted`` has a
    row for each of ``conll18.official_scores.ALIGNED`` and one for aligned content words.
    """
    ours = FunctionWords(gold)
    theirs = FunctionWords(system)
    upos: cython.bint
    xpos: cython.bint
    with cython.nogil:
        for word in range(counterpart.shape[0]):
            own = counterpart[word]
            if own < 0:
                continue
            sentence = sentence_of[own]
            upos, xpos = gold.upos[own] == system.upos[word], gold.xpos[own] == system.xpos[word]
            feats: cython.bint = gold.feats[own] == system.feats[word]
            lemma: cython.bint = gold.lemma[own] == system.lemma[word] or gold.lemma[own] == gold.no_lemma
            head = system.head[word]
            if head >= 0:
                head = counterpart[head]
            uas: cython.bint = gold.head[own] == head
            las: cython.bint = uas and gold.relation[own] == system.relation[word]
            counted[WORDS, sentence] += 1
            counted[UPOS, sentence] += upos
            counted[XPOS, sentence] += xpos
            counted[UFEATS, sentence] += feats
            counted[ALLTAGS, sentence] += upos and xpos and feats
            counted[LEMMAS, sentence] += lemma
            counted[UAS, sentence] += uas
            counted[LAS, sentence] += las
            if gold.content[own]:
                counted[CONTENT_ALIGNED, sentence] += 1
                counted[CLAS, sentence] += las
                counted[BLEX, sentence] += las and lemma
                if las and upos and feats:
                    counted[MLAS, sentence] += have_same_function_words(ours, own, theirs, word, counterpart)


@cython.cclass
class FunctionWords:
    """First function word of each word of a side, and the next one of the same head, or -1."""

    side: Annotation
    first: Int64Output
    following: Int64Output

    def __init__(self, side: Annotation) -> None:
        self.side, words = side, side.head.shape[0]
        self.first, self.following = np.full(words, -1, np.int64), np.full(words, -1, np.int64)
        with cython.nogil:
            for word in range(side.head.shape[0] - 1, -1, -1):
                if side.functional[word] and side.head[word] >= 0:
                    self.following[word] = self.first[side.head[word]]
                    self.first[side.head[word]] = word


@cython.cfunc
@cython.nogil
def have_same_function_words(
    ours: FunctionWords,
    own: cython.longlong,
    theirs: FunctionWords,
    other: cython.longlong,
    counterpart: Int64Array,
) -> cython.bint:
    """True if two words have the same function words.

    Function words are the same where they are aligned and have the same relation, UPOS and features, in the
    same order.
    """
    own, other = ours.first[own], theirs.first[other]
    while (
        own >= 0
        and other >= 0
        and counterpart[other] == own
        and ours.side.relation[own] == theirs.side.relation[other]
        and ours.side.upos[own] == theirs.side.upos[other]
        and ours.side.feats[own] == theirs.side.feats[other]
    ):
        own, other = ours.following[own], theirs.following[other]
    return own < 0 and other < 0


@cython.dataclasses.dataclass(eq=False, repr=False)
class Edges:
    """Enhanced dependencies of one side; those of a word stand together.

    offsets   which edges belong to which word, shape ``(words + 1,)``
    head      counted through the file, or ``NO_HEAD``; shape ``(edges,)`` as the rest
    relation  codes common to both sides
    plain     the same without subtypes
    """

    offsets: Int64Array
    head: Int64Array
    relation: Int32Array
    plain: Int32Array


def count_edges(
    gold: Edges, system: Edges, counterpart: Int64Array, sentence_of: Int64Array, correct: Float64MatrixOutput
) -> None:
    """Add to ``correct`` the pairs of edges that agree: with subtypes in row 0, without them in row 1."""
    with cython.nogil:
        for word in range(counterpart.shape[0]):
            own = counterpart[word]
            if own < 0:
                continue
            for edge in range(gold.offsets[own], gold.offsets[own + 1]):
                for other in range(system.offsets[word], system.offsets[word + 1]):
                    head = system.head[other]
                    if head >= 0:
                        head = counterpart[head]
                    if head == gold.head[edge]:
                        correct[0, sentence_of[own]] += gold.relation[edge] == system.relation[other]
                        correct[1, sentence_of[own]] += gold.plain[edge] == system.plain[other]
