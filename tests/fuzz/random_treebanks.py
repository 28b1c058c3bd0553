"""Random treebanks: tables of chance that fit together, and treebanks with some of their cells exchanged."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np

from crossbank.treebanks import Treebank
from crossbank.treebanks.builder import TreebankBuilder
from crossbank.treebanks.tables import TABLES
from crossbank.treebanks.validation import unsound

Draw = random.Random

WORDS = ("the", "dog", "sees", "und", "Haus", "zu", ",", ".", "(", "'s", "*T*-1", "0", "日本", "ä\u0301")
TAGS = (
    "DT",
    "NN",
    "VBZ",
    "CC",
    "IN",
    ",",
    ".",
    "-NONE-",
    "NN",
    "VVFIN",
    "KON",
    "$,",
    "NOUN",
    "ADP",
    "(S\\NP)/NP",
)
LABELS = (
    "S",
    "NP",
    "VP",
    "PP",
    "SBAR",
    "ROOT",
    "NP-SBJ-1",
    "CNP",
    "NX",
    "SIMPX",
    "VROOT",
    "S[dcl]\\NP",
    "--",
)
FUNCTIONS = ("", "SB", "HD", "OA", "CJ", "CD", "MO", "ON", "--")
RELATIONS = (
    "nsubj",
    "obj",
    "conj",
    "cc",
    "det",
    "punct",
    "pred",
    "subj",
    "in_set",
    "ncsubj",
    "ARG1",
    "top",
    "aux",
)
NAMES = ("", "0", "1", "2", "e3<0:4>", "x5<-1:9>", "_1<3:5>", "VBZ", "N/N")
TYPES = ("", "to", "5;1,2;", ";NULL;", "4")
WEIGHTS = ("", "0.5", "1e-320")


def random_treebank(draw: Draw) -> Treebank:
    """Return a treebank of chance: constituents, dependencies, relations and what else tables hold."""
    builder = TreebankBuilder("random")
    kinds = draw.choice(("trees", "dependencies", "relations", "all"))
    for _ in range(draw.randrange(1, 5)):
        builder.sentence(id=draw.choice(("", "a", "1")), line=draw.randrange(9))
        tokens = draw.choice((0, 1, 1, 2, 3, 5, 8, 8, 13, 40))
        nodes = draw.randrange(2 * tokens + 1) if kinds in ("trees", "all") else 0
        _add_trees(builder, draw, tokens, nodes, with_heads=kinds in ("dependencies", "all"))
        if kinds in ("relations", "all"):
            _add_relations(builder, draw, tokens)
    return builder.build()


def _add_trees(builder: TreebankBuilder, draw: Draw, tokens: int, nodes: int, *, with_heads: bool) -> None:
    chain = draw.random() < 0.3
    for token in range(tokens):
        columns = (
            {"head": draw.randrange(-2, tokens), "relation": draw.choice(RELATIONS)} if with_heads else {}
        )
        builder.token(
            form=draw.choice(WORDS),
            lemma=draw.choice(("", *WORDS)),
            pos=draw.choice(TAGS),
            xpos=draw.choice(("", *TAGS)),
            function=draw.choice(FUNCTIONS),
            parent=draw.randrange(-1, nodes),
            deps=draw.choice(("", f"{draw.randrange(tokens + 1)}:nsubj", "0:root|1.1:obj", "x")),
            **columns,
        )
        if draw.random() < 0.1:
            last = min(token + draw.randrange(3), tokens - 1)
            builder.multiword(first=token, last=last, form=draw.choice(WORDS))
        if draw.random() < 0.05:
            builder.empty(
                anchor=draw.randrange(-1, tokens), index=draw.randrange(1, 3), form=draw.choice(WORDS)
            )
    for node in range(nodes):
        parent = node - 1 if chain else draw.randrange(-1, node) if node else -1
        builder.node(label=draw.choice(LABELS), function=draw.choice(FUNCTIONS), parent=parent)
    for _ in range(draw.randrange(3) if tokens + nodes else 0):
        child, parent = (draw.randrange(-nodes, tokens) for _ in range(2))
        builder.secondary(label=draw.choice(FUNCTIONS), child=child, parent=parent)


def _add_relations(builder: TreebankBuilder, draw: Draw, tokens: int) -> None:
    number = draw.randrange(12)
    for _ in range(number):
        builder.relation(
            name=draw.choice(RELATIONS),
            type=draw.choice(TYPES),
            weight=draw.choice(WEIGHTS),
            head_index=draw.randrange(-1, tokens),
            head_word=draw.choice(("", *WORDS)),
            head_tag=draw.choice(NAMES),
            dependent_index=draw.randrange(-1, tokens),
            dependent_word=draw.choice(("", *WORDS)),
            dependent_tag=draw.choice(NAMES),
        )
    for relation in sorted(draw.choices(range(number), k=draw.randrange(3)) if number else ()):
        builder.further_head(relation=relation, index=draw.randrange(-1, tokens), word=draw.choice(WORDS))


def changed(bank: Treebank, draw: Draw) -> Treebank:
    """Return a treebank with the cells of some columns exchanged, as far as its tables fit together then."""
    for _ in range(draw.randrange(1, 5)):
        name = draw.choice([name for name in TABLES if name != "sentences"])
        table = getattr(bank, name)
        column = draw.choice(table.columns())
        values = getattr(table, column).copy()
        if not len(values):
            continue
        order = np.random.default_rng(draw.randrange(2**32)).permutation(len(values))
        rows = order[: draw.randrange(1, len(values) + 1)]
        values[np.sort(rows)] = values[rows]
        exchanged = bank.replace(**{name: replace(table, **{column: values})})
        if unsound(exchanged) is None:
            bank = exchanged
    return bank
