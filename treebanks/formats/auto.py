r"""CCG derivations as CCGbank writes them: ``(<T S[dcl] 0 2> (<L NP PRP PRP I NP>) (<L ...>) )``.

A derivation is on one line, after a header line (``ID=wsj_0001.1 PARSER=GOLD NUMPARSE=1``; depccg:
``ID=1, Prob=-0.1`` or ``ID=1, log probability=-1.0e-01``). A header without a derivation is a sentence
without a parse. Headers with the same ID one after the other are analyses of one sentence, and their
probabilities are scores (``treebanks.nbest``). The rest of a header is kept as a comment.

A node ``<T category head children>`` names its head child from 0, a leaf is ``<L category modified-tag tag
word marked-category>``. The columns of the treebank:

tokens  ``pos`` is the lexical category, ``xpos`` the tag; ``morph`` the marked category and ``misc``
        ``ModifiedTag=NN``, where they are other than category and tag
nodes   ``label`` is the category, ``misc`` the head child as it is written

``converters.ccg`` finds lexical heads by the rules that combine the children; the heads that are written
stay in ``misc``, since depccg's always name the first child.

Source: Hockenmaier, Julia and Mark Steedman (2005): CCGbank: User's Manual, section 3.4; depccg,
``printer/auto.py``.
"""

from __future__ import annotations

import re
from collections import Counter
from os import PathLike

import numpy as np

from crossbank.treebanks.arrays import Int32Array
from crossbank.treebanks.diagnosis import finding
from crossbank.treebanks.errors import FormatError
from crossbank.treebanks.formats.category_columns import refuse_bad_categories
from crossbank.treebanks.formats.text_files import reading_bytes, writing
from crossbank.treebanks.scanners import derivations as scanner
from crossbank.treebanks.scanners.derivations import Scan
from crossbank.treebanks.tables import NO_PARENT, Nodes, Sentences, Tokens
from crossbank.treebanks.treebank import Treebank
from crossbank.treebanks.vocabulary import Vocabulary

IDENTIFIER = re.compile(r"ID=([^\s,]+),?\s*")
PROBABILITY = re.compile(r"(?:Prob|log probability)=(\S+)\s*")
SEPARATOR = "\r"

MODIFIED = "ModifiedTag="
"""The prefix of the modified tag in the column ``misc``."""


# Reading


def _read(data: bytes, path: str) -> Treebank:
    """Read derivations.

    Raises FormatError where brackets, fields or numbers of children are wrong or a category does not parse.
    """
    scanned = scanner.scan(np.frombuffer(data, np.uint8))
    if scanned.problem:
        raise _error(data, scanned, path)
    if len(scanned.sentences) == 0:
        raise FormatError(path, "an empty text", "at least one derivation")
    vocabulary = Vocabulary(scanned.strings.strings(ord(SEPARATOR)).decode().split(SEPARATOR))
    vocabulary, (source,) = vocabulary.extended([str(path)])
    tokens, nodes, rows = scanned.tokens, scanned.nodes, scanned.sentences
    token_offsets, node_offsets = (
        np.concatenate((np.zeros(1, np.int64), rows[:, column]))
        for column in (scanner.TOKENS_END, scanner.NODES_END)
    )
    bank = Treebank.of_tables(
        vocabulary,
        Sentences.of(
            np.arange(len(rows) + 1, dtype=np.int64),
            ordinal=np.arange(1, len(rows) + 1, dtype=np.int32),
            source=np.full(len(rows), source, np.int32),
            line=rows[:, scanner.LINE].astype(np.int32),
        ),
        Tokens.of(
            token_offsets,
            form=tokens[scanner.WORD].copy(),
            pos=tokens[scanner.CATEGORY].copy(),
            xpos=tokens[scanner.POS].copy(),
            morph=_where_other(tokens[scanner.MARKED], tokens[scanner.CATEGORY]),
            parent=tokens[scanner.PARENT].copy(),
        ),
        Nodes.of(
            node_offsets,
            label=nodes[scanner.LABEL].copy(),
            misc=nodes[scanner.HEAD].copy(),
            parent=nodes[scanner.NODE_PARENT].copy(),
        ),
    )
    modified = _where_other(tokens[scanner.MODIFIED_POS], tokens[scanner.POS])
    if modified.any():
        vocabulary, codes = bank.vocabulary.mapped(modified, lambda tag: tag and f"{MODIFIED}{tag}")
        bank = bank.replace(vocabulary=vocabulary, tokens=bank.tokens.replace(misc=codes))
    bank = _with_headers(bank, data, scanned)
    refuse_bad_categories(bank)
    empty = np.flatnonzero(bank.tokens.lengths() == 0)
    return bank.diagnosed(finding("read", "sentences without a derivation", empty, len(bank)))


def _where_other(column: Int32Array, usual: Int32Array) -> Int32Array:
    other: Int32Array = np.where(column == usual, 0, column).astype(np.int32)
    return other


def _with_headers(bank: Treebank, data: bytes, scanned: Scan) -> Treebank:
    """Return the treebank with identifiers, scores and comments from the header lines."""
    count = len(bank)
    ids, comments, scores = [""] * count, [""] * count, [""] * count
    analysis = np.zeros(count, np.int32)
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
    vocabulary, codes = bank.vocabulary.extended([*ids, *comments, *scores])
    sentences = bank.sentences.replace(
        id=codes[:count],
        comments=codes[count : 2 * count],
        score=codes[2 * count :],
        analysis=analysis,
        ordinal=np.cumsum(analysis == 0).astype(np.int32),
    )
    return bank.replace(vocabulary=vocabulary, sentences=sentences)


def _error(data: bytes, scanned: Scan, path: str | PathLike[str]) -> FormatError:
    shown = data[scanned.place : scanned.place + 60].split(b"\n")[0].decode(errors="replace").strip()
    found, expected = {
        "unclosed": (
            "a derivation that is not closed on its line",
            "as many closing brackets as opening ones",
        ),
        "extra close": ("a closing bracket too many", "as many closing brackets as opening ones"),
        "bracket": (repr(shown), "(<T ...> or (<L ...>"),
        "node fields": (repr(shown), "(<T category head children>"),
        "leaf fields": (repr(shown), "(<L category tag tag word category>)"),
        "children": (
            f"a node with {scanned.found} children that says {scanned.expected}",
            "the number that it has",
        ),
        "text": (f"{shown[:30]!r} between brackets", "(<T ...> or (<L ...>"),
        "no leaf": ("a derivation without a word", "at least one leaf"),
        "two trees": (f"a second derivation on the line ({shown[:30]!r})", "one on each line"),
    }[scanned.problem]
    return FormatError(path, found, expected, line=scanned.line)


# Writing


def dumps(bank: Treebank) -> str:
    """Derivations after their headers, one on each line.

    A tag that is missing is written ``XX``. Raises ConversionError where a sentence is no tree with a
    category at each node, or a word has no letters or has spaces; FormatError where ``load`` would refuse a
    category.
    """
    refuse_bad_categories(bank)
    tokens, nodes = bank.tokens, bank.nodes
    strings = list(bank.vocabulary)
    lines: list[str] = []
    for sentence in range(len(bank)):
        lines.append(_header(bank, sentence))
        rows, inner = tokens.rows(sentence), nodes.rows(sentence)
        if rows.start == rows.stop:
            continue
        leaves = [
            f"(<L {category} {_modified(modified) or tag or 'XX'} {tag or 'XX'} {word} {marked or category}>)"
            for category, tag, modified, word, marked in (
                [strings[code] for code in row]
                for row in zip(
                    *(
                        getattr(tokens, column)[rows].tolist()
                        for column in ("pos", "xpos", "misc", "form", "morph")
                    ),
                    strict=True,
                )
            )
        ]
        _refuse_what_is_no_derivation(bank, sentence)
        parents, labels = nodes.parent[inner].tolist(), [strings[c] for c in nodes.label[inner].tolist()]
        heads = [strings[code] or "0" for code in nodes.misc[inner].tolist()]
        children = [0] * len(labels)
        for parent in [*parents, *tokens.parent[rows].tolist()]:
            if parent != NO_PARENT:
                children[parent] += 1
        opening = [
            f"(<T {label} {head} {count}>" for label, head, count in zip(labels, heads, children, strict=True)
        ]
        starts, ends = bank.spans.start[inner].tolist(), Counter(bank.spans.end[inner].tolist())
        written: list[str] = []
        node = 0
        for place, leaf in enumerate(leaves):
            while node < len(starts) and starts[node] == place:
                written.append(opening[node])
                node += 1
            written.append(leaf)
            written += [")"] * ends[place + 1]
        lines.append(" ".join(written))
    return "\n".join(lines) + "\n"


def _modified(misc: str) -> str:
    return misc.removeprefix(MODIFIED) if misc.startswith(MODIFIED) else ""


def _header(bank: Treebank, sentence: int) -> str:
    columns = bank.sentences
    comment = bank.vocabulary[int(columns.comments[sentence])].replace("\n", " ")
    score = bank.vocabulary[int(columns.score[sentence])]
    header = f"ID={bank.sentence_id(sentence)}"
    if score:
        header += f", Prob={score}"
    return f"{header} {comment}" if comment else header


def _refuse_what_is_no_derivation(bank: Treebank, sentence: int) -> None:
    rows, inner = bank.tokens.rows(sentence), bank.nodes.rows(sentence)
    roots = int((bank.tokens.parent[rows] == NO_PARENT).sum() + (bank.nodes.parent[inner] == NO_PARENT).sum())
    if roots != 1:
        raise bank.refused(sentence, f"a derivation has one root, this sentence {roots}")
    if bank.spans.discontinuous[inner].any():
        raise bank.refused(sentence, "a constituent is discontinuous, which no derivation is")
    for word in bank.words(sentence):
        if not word or word.split() != [word]:
            raise bank.refused(sentence, f"found the word {word!r}, expected letters without spaces")
    if not (bank.tokens.pos[rows].all() and bank.nodes.label[inner].all()):
        raise bank.refused(sentence, "a node has no category")


load, loads = reading_bytes(_read, checked=True)
dump = writing(dumps)
