r"""CCG derivations in CCGbank's notation: ``(<T S[dcl] 0 2> (<L NP PRP PRP I NP>) (<L ...>) )``.

A derivation is on one line, after a header line (``ID=wsj_0001.1 PARSER=GOLD NUMPARSE=1``; depccg:
``ID=1, Prob=-0.1`` or ``ID=1, log probability=-1.0e-01``). A header without a derivation is a sentence
without a parse. Consecutive headers with the same ID are analyses of one sentence, and their
probabilities are scores (``treebanks.readings``). The rest of a header is kept as a comment.

A node ``<T category head children>`` names its head child from 0, a leaf is ``<L category modified-tag tag
word marked-category>``. The columns of the treebank:

tokens  ``pos`` is the lexical category, ``xpos`` the tag; ``morph`` the marked category and ``misc``
        ``ModifiedTag=NN``, where they are other than category and tag
nodes   ``label`` is the category, ``misc`` the head child as written

Lexical heads are derived from the rules that combine the children (``formalisms.ccg.conversions``), since
depccg's written heads always name the first child.

Source: Hockenmaier, Julia and Mark Steedman (2005): CCGbank: User's Manual, section 3.4; depccg,
``printer/auto.py``.
"""

from __future__ import annotations

import re
from collections import Counter
from os import PathLike

import numpy as np

from crossbank.formalisms.ccg.ccg_categories import refuse_bad_categories
from crossbank.treebanks.arrays import Int32Array
from crossbank.treebanks.errors import FormatError
from crossbank.treebanks.formats.format import Format
from crossbank.treebanks.formats.text_files import reading_bytes, writing
from crossbank.treebanks.formats.unwritable_strings import LINE_BREAK, refuse_strings
from crossbank.treebanks.scanners import ccgbank_derivations as scanner
from crossbank.treebanks.scanners.ccgbank_derivations import Scan
from crossbank.treebanks.tables import NO_PARENT, Nodes, Sentences, Tokens
from crossbank.treebanks.treebank import Treebank
from crossbank.treebanks.vocabulary import Vocabulary

FORMAT = Format(
    position=120,
    suffixes=(".auto",),
    nbest=True,
    trees=True,
    scheme="ccg",
    holds={"constituents", "tags", "further tags", "morphology", "identifiers", "comments"},
    refuses=("words without letters", "several roots", "discontinuous constituents"),
    begins=(r"\s*ID=[^\n]*\n\(<[TL] ",),
)

DAMAGE = "crossbank.formalisms.ccg.formats.damaged_ccg:AUTO"

IDENTIFIER = re.compile(r"ID=([^\s,]+),?\s*")
PROBABILITY = re.compile(r"(?:Prob|log probability)=(\S+)\s*")
SEPARATOR = "\r"

MODIFIED = "ModifiedTag="
"""The prefix of the modified tag in the column ``misc``."""


# Reading


def _read(data: bytes, path: str) -> Treebank:
    """Raise FormatError where brackets, fields, numbers of children or a category are wrong."""
    scanned = scanner.scan(np.frombuffer(data, np.uint8))
    if scanned.problem:
        raise _error(data, scanned, path)
    if len(scanned.sentences) == 0:
        raise FormatError(path, "an empty text", "at least one derivation")
    vocabulary = Vocabulary(scanned.strings.strings(ord(SEPARATOR)).decode().split(SEPARATOR))
    vocabulary, (source,) = vocabulary.extended([str(path)])
    tokens, nodes, rows = scanned.tokens, scanned.nodes, scanned.sentences
    token_offsets = np.append(0, rows[:, scanner.TOKENS_END])
    node_offsets = np.append(0, rows[:, scanner.NODES_END])
    bank = Treebank.of_tables(
        vocabulary,
        Sentences.numbered(len(rows), source, line=rows[:, scanner.LINE].astype(np.int32)),
        Tokens.of(
            token_offsets,
            form=tokens[scanner.WORD].copy(),
            pos=tokens[scanner.CATEGORY].copy(),
            xpos=tokens[scanner.POS].copy(),
            morph=_zeros_where_usual(tokens[scanner.MARKED], tokens[scanner.CATEGORY]),
            parent=tokens[scanner.PARENT].copy(),
        ),
        Nodes.of(
            node_offsets,
            label=nodes[scanner.LABEL].copy(),
            misc=nodes[scanner.HEAD].copy(),
            parent=nodes[scanner.NODE_PARENT].copy(),
        ),
    )
    modified = _zeros_where_usual(tokens[scanner.MODIFIED_POS], tokens[scanner.POS])
    if modified.any():
        vocabulary, codes = bank.vocabulary.mapped(modified, lambda tag: tag and f"{MODIFIED}{tag}")
        bank = bank.replace(vocabulary=vocabulary, tokens=bank.tokens.replace(misc=codes))
    bank = _with_headers(bank, data, scanned)
    refuse_bad_categories(bank)
    empty = np.flatnonzero(bank.tokens.lengths() == 0)
    return bank.with_events("read", {"sentences without a derivation": empty})


def _zeros_where_usual(column: Int32Array, usual: Int32Array) -> Int32Array:
    other: Int32Array = np.where(column == usual, 0, column).astype(np.int32)
    return other


def _with_headers(bank: Treebank, data: bytes, scanned: Scan) -> Treebank:
    ids, comments, scores = ([""] * len(bank) for _ in range(3))
    analysis = np.zeros(len(bank), np.int32)
    for row, (begin, end) in enumerate(
        scanned.sentences[:, [scanner.HEADER_BEGIN, scanner.HEADER_END]].tolist()
    ):
        header = data[begin:end].decode()
        if identifier := IDENTIFIER.match(header):
            ids[row] = identifier[1]
            header = header[identifier.end() :]
        if probability := PROBABILITY.match(header):
            scores[row] = probability[1]
            header = header[probability.end() :]
        comments[row] = header
        if row and ids[row] and ids[row] == ids[row - 1]:
            analysis[row] = analysis[row - 1] + 1
    bank = bank.with_columns("sentences", id=ids, comments=comments, score=scores)
    ordinal = np.cumsum(analysis == 0).astype(np.int32)
    return bank.replace(sentences=bank.sentences.replace(analysis=analysis, ordinal=ordinal))


def _error(data: bytes, scanned: Scan, path: str | PathLike[str]) -> FormatError:
    text = data[scanned.offset : scanned.offset + 60].split(b"\n")[0].decode(errors="replace").strip()
    balanced = "as many closing brackets as opening ones"
    children = f"a node with {scanned.actual} children that says {scanned.expected}"
    actual, expected = {
        "unclosed": ("a derivation that is not closed on its line", balanced),
        "extra close": ("a closing bracket too many", balanced),
        "bracket": (repr(text), "(<T ...> or (<L ...>"),
        "node fields": (repr(text), "(<T category head children>"),
        "leaf fields": (repr(text), "(<L category tag tag word category>)"),
        "children": (children, "the actual number"),
        "text": (f"{text[:30]!r} between brackets", "(<T ...> or (<L ...>"),
        "no leaf": ("a derivation without a word", "at least one leaf"),
        "two trees": (f"a second derivation on the line ({text[:30]!r})", "one on each line"),
    }[scanned.problem]
    return FormatError(path, actual, expected, line=scanned.line)


# Writing


UNWRITABLE = {
    "tokens.xpos": r"\s",
    "tokens.morph": r"\s",
    "nodes.misc": r"[\s<>]",
    "sentences.id": LINE_BREAK,
    "sentences.comments": r"\r",
}
"""Strings, by column, that would end a field or a line."""


def dumps(bank: Treebank) -> str:
    """Return headers and derivations, each on a line.

    A missing tag is written ``XX``. Raises ConversionError if a sentence is not a tree with a
    category at each node, or a word has no letters or has spaces; FormatError where ``load`` would refuse a
    category.
    """
    refuse_bad_categories(bank)
    refuse_strings(bank, "auto", UNWRITABLE)
    lines: list[str] = []
    for sentence in range(len(bank)):
        ((comments, score),) = bank.cells("sentences", sentence, "comments", "score")
        header = f"ID={bank.sentence_id(sentence)}" + (f", Prob={score}" if score else "")
        lines.append(" ".join([header, *comments.split("\n")]) if comments else header)
        if rows := bank.cells("tokens", sentence, "pos", "xpos", "misc", "form", "morph"):
            lines.append(_derivation(bank, sentence, rows))
    return "\n".join(lines) + "\n"


def _derivation(bank: Treebank, sentence: int, words: list[tuple[str, ...]]) -> str:
    """Return a derivation on one line. Raises ConversionError if the sentence has none."""
    inner = bank.nodes.rows(sentence)
    nodes = bank.cells("nodes", sentence, "label", "misc")
    parents = [*bank.tokens.parent[bank.tokens.rows(sentence)].tolist(), *bank.nodes.parent[inner].tolist()]
    children = Counter(parents)
    if children[NO_PARENT] != 1:
        raise bank.refused(
            sentence, f"found {children[NO_PARENT]} roots, expected one (a derivation has one)"
        )
    if bank.spans.discontinuous[inner].any():
        raise bank.refused(
            sentence,
            "found a discontinuous constituent, expected continuous ones (raise_crossing makes them so)",
        )
    for *_, word, _ in words:
        if not word or word.split() != [word]:
            raise bank.refused(sentence, f"found the word {word!r}, expected a form without spaces")
    if not all(category for category, *_ in (*words, *nodes)):
        raise bank.refused(sentence, "a node has no category")
    opening = [f"(<T {label} {head or '0'} {children[node]}>" for node, (label, head) in enumerate(nodes)]
    written: list[str] = []
    for cells, (begun, ended) in zip(words, bank.edges_of_words(sentence), strict=True):
        category, tag, misc, word, marked = cells
        modified = misc.removeprefix(MODIFIED) if misc.startswith(MODIFIED) else ""
        leaf = f"(<L {category} {modified or tag or 'XX'} {tag or 'XX'} {word} {marked or category}>)"
        written += [*opening[begun], leaf, *([")"] * ended)]
    return " ".join(written)


load, loads = reading_bytes(_read, checked=True)
dump = writing(dumps)
