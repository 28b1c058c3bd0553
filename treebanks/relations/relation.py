"""Grammatical relations one by one, for code that does not need the columns.

A relation is a row of ``Treebank.relations``: a name, and slots filled by words or labels (Briscoe
et al. 2002, section 1).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from crossbank.treebanks.builder import TreebankBuilder
from crossbank.treebanks.tables import NO_TOKEN
from crossbank.treebanks.treebank import Treebank


class Word(NamedTuple):
    """A word that fills a slot.

    word   its lemma or form; empty only where the slot is
    token  its index in the sentence, or ``NO_TOKEN`` if it is not known
    tag    its part of speech, where known
    """

    word: str = ""
    token: int = NO_TOKEN
    tag: str = ""


NO_WORD = Word()
"""A slot that is empty."""


class Relation(NamedTuple):
    """A grammatical relation; ``further_heads`` are those of a coordination after the first.

    >>> Relation("ncsubj", Word("die", 3), Word("proprietor", 2))[0]
    'ncsubj'
    """

    name: str
    head: Word
    dependent: Word = NO_WORD
    type: str = ""
    initial_gr: str = ""
    further_heads: tuple[Word, ...] = ()
    weight: str = ""


def relations_of(bank: Treebank, sentence: int) -> list[Relation]:
    """Return the relations of a sentence, in their order."""
    table, more = bank.relations, bank.further_heads
    rows, further = table.rows(sentence), more.rows(sentence)
    heads: dict[int, tuple[Word, ...]] = {}
    cells = bank.cells("further_heads", sentence, "word", "tag")
    word_columns = more.relation[further].tolist(), more.index[further].tolist()
    for relation, index, (word, tag) in zip(*word_columns, cells, strict=True):
        heads[relation] = (*heads.get(relation, ()), Word(word, index, tag))

    def strings(column: str) -> list[str]:
        return bank.vocabulary.decode(getattr(table, column)[rows])

    def words(slot: str) -> list[Word]:
        word_columns = getattr(table, f"{slot}_index")[rows].tolist()
        return list(map(Word, strings(f"{slot}_word"), word_columns, strings(f"{slot}_tag")))

    further_heads = [heads.get(row, ()) for row in range(rows.stop - rows.start)]
    ends = words("head"), words("dependent")
    columns = strings("type"), strings("initial_gr"), further_heads, strings("weight")
    return list(map(Relation, strings("name"), *ends, *columns))


def with_relations(bank: Treebank, sentences: Sequence[Iterable[Relation]]) -> Treebank:
    """Return a treebank with other relations: one list for each sentence."""
    if len(sentences) != len(bank):
        raise ValueError(f"{len(sentences)} lists of relations for {len(bank)} sentences")
    made = from_relations(sentences)
    vocabulary, codes = bank.vocabulary.extended(made.vocabulary)
    return bank.replace(
        vocabulary=vocabulary,
        relations=made.relations.recoded(codes),
        further_heads=made.further_heads.recoded(codes),
    )


def from_relations(
    sentences: Sequence[Iterable[Relation]], ids: Sequence[str] = (), source: str = ""
) -> Treebank:
    """Return a treebank of relations alone: one list for each sentence, and their identifiers."""
    builder = TreebankBuilder(source)
    for number, relations in enumerate(sentences):
        builder.sentence(id=ids[number] if ids else "")
        add_relations(builder, relations)
    return builder.build()


def add_relations(builder: TreebankBuilder, relations: Iterable[Relation]) -> None:
    """Add all relations of the sentence that was begun last."""
    rows = list(relations)
    if not rows:
        return
    names, heads, dependents, types, initial, further, weights = zip(*rows, strict=True)
    columns: dict[str, Sequence[Any]] = {
        "name": names,
        "type": types,
        "initial_gr": initial,
        "weight": weights,
    }
    for slot, words in (("head", heads), ("dependent", dependents)):
        parts = (f"{slot}_word", f"{slot}_index", f"{slot}_tag")
        columns |= zip(parts, zip(*words, strict=True), strict=True)
    builder.relations(**columns)
    for row, more in enumerate(further):
        for word, index, tag in more:
            builder.further_head(relation=row, index=index, word=word, tag=tag)
