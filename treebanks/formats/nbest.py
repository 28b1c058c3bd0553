r"""Lists of the best parses of each sentence, as three parsers write them. The lines show which one it was.

Charniak's    a line with the number of parses and the sentence's name; then for each parse a line with the
              logarithm of its probability and one with the tree; blank lines in between
Berkeley's    a tree on each line, after numbers and tabs where scores were requested (the first is the
              score, a logarithm); a blank line ends a sentence
disco-dop's   ``12-3|(S ...)<tab>prob=0.001``: sentence and rank, a tree in brackets or discontinuous
              brackets, and a probability, whose logarithm is the score

``(())`` is no parse. Each parse is a row of the sentence table (``treebanks.readings``). The writer writes
Charniak's form.

Sources: Charniak, Eugene and Mark Johnson (2005): Coarse-to-Fine n-Best Parsing, their parser (``-N50``);
Petrov, Slav et al. (2006), the Berkeley Parser (``-kbest``, ``-likelihood``); A. van Cranenburgh, disco-
dop, ``parser.py`` (``-b``).
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from crossbank.treebanks.errors import FormatError
from crossbank.treebanks.formats import bracket, discbracket
from crossbank.treebanks.formats.format import Format
from crossbank.treebanks.formats.text_files import reading_text, writing
from crossbank.treebanks.readings import analysis_offsets
from crossbank.treebanks.tables import whole_number
from crossbank.treebanks.treebank import Treebank

FORMAT = Format(
    position=220,
    suffixes=(".nbest", ".kbest"),
    nbest=True,
    trees=True,
    holds={"constituents", "functions", "tags", "identifiers"},
    labelled=True,
    refuses=("words without letters", "discontinuous constituents"),
    changes=("several roots", "labels with spaces", "identifiers with spaces"),
    begins=(r"\s*[0-9]+-[0-9]+\|\(|\s*[0-9]+\s+\S+\n-?[0-9.eE+-]+\s*\n\(",),
    rank=1,
)

DAMAGE = "crossbank.treebanks.formats.damaged_lists:NBEST"

NUMBER = r"[-+]?(?:\d+\.?\d*(?:[eE][-+]?\d+)?|[iI]nf(?:inity)?|NaN)"
HEAD = re.compile(r"(\d+)\s+(\S+)")
SCORE = re.compile(NUMBER)
SCORED_TREE = re.compile(rf"((?:{NUMBER}\t)*)(\(.*)")
KEYED_TREE = re.compile(r"(?:(\d+)-(\d+)\|)(\(.*?)(?:\t+(?:.*\t)?prob=(\S+))?")
POSITION, WORD = re.compile(r"[ (]\d+="), re.compile(r" (?!\d+=)[^ ()]+\)")


class Parse(NamedTuple):
    """One parse: its sentence's name, its rank, its score, and the line and the text of its tree."""

    name: str
    rank: int
    score: str
    line: int
    tree: str


# Reading


def _read(text: str, path: str) -> Treebank:
    """Raise FormatError for a line of no form, other numbers of parses than heads say, and wrong brackets."""
    lines = list(enumerate(map(str.strip, text.split("\n")), 1))
    first = next((line for _, line in lines if line), "")
    form = _of_charniak if HEAD.fullmatch(first) else _of_discodop if KEYED_TREE.fullmatch(first) else None
    parses = (form or _of_berkeley)(lines, path)
    if not parses:
        raise FormatError(path, "no list of parses", "at least one")
    # Every tree keeps its line, so that errors name it.
    trees = [""] * len(lines)
    for parse in parses:
        trees[parse.line - 1] = parse.tree
    data = "\n".join(trees).encode()
    discontinuous = any(POSITION.search(parse.tree) for parse in parses)
    if discontinuous and not any(WORD.search(parse.tree) for parse in parses):
        read = discbracket.read(data, path)
        rows = {line: row for row, line in enumerate(read.sentences.line.tolist())}
        bank = read.select([rows[parse.line] for parse in parses])
    else:
        bank = bracket.read(data, path, by_line=True).select([parse.line - 1 for parse in parses])
    names, ranks, scores = zip(*(parse[:3] for parse in parses), strict=True)
    bank = bank.with_columns("sentences", id=names, score=scores)
    analysis = np.array(ranks, np.int32)
    ordinal = np.cumsum(analysis == 0).astype(np.int32)
    return bank.replace(sentences=bank.sentences.replace(analysis=analysis, ordinal=ordinal))


def _of_charniak(lines: Sequence[tuple[int, str]], path: str) -> list[Parse]:
    parses: list[Parse] = []
    name, expected, count, head_line = "", 0, 0, 0
    score = ""
    for number, line in (*lines, (len(lines) + 1, "0 end")):
        head = HEAD.fullmatch(line)
        if not line:
            continue
        if head and not score:
            if count != expected:
                raise FormatError(path, f"{count} parses of sentence {name}", str(expected), line=head_line)
            if head_line and expected == 0:
                # Without a parse the tree is the empty line after the head.
                parses.append(Parse(name, 0, "", head_line, "(())"))
            expected, name, count, head_line = whole_number(head[1]), head[2], 0, number
        elif line.startswith("(") and score:
            parses.append(Parse(name, count, score, number, line))
            count, score = count + 1, ""
        elif SCORE.fullmatch(line) and not score:
            score = line
        else:
            expectation = "a tree" if score else "the logarithm of a probability, or N and a name"
            raise FormatError(path, repr(line[:40]), expectation, line=number)
    return parses


def _of_berkeley(lines: Sequence[tuple[int, str]], path: str) -> list[Parse]:
    parses: list[Parse] = []
    sentence, rank = 1, 0
    for number, line in lines:
        match = SCORED_TREE.fullmatch(line)
        if not line:
            sentence, rank = sentence + (rank > 0), 0
        elif match is None:
            raise FormatError(path, repr(line[:40]), "a tree, or scores and tabs before one", line=number)
        else:
            score = match[1].split("\t")[0]
            parses.append(Parse(str(sentence), rank, score, number, match[2]))
            rank += 1
    return parses


def _of_discodop(lines: Sequence[tuple[int, str]], path: str) -> list[Parse]:
    parses: list[Parse] = []
    for number, line in lines:
        if not line:
            continue
        match = KEYED_TREE.fullmatch(line)
        if match is None:
            raise FormatError(path, repr(line[:40]), "a tree after 12-3|", line=number)
        same = bool(parses) and parses[-1].name == match[1]
        rank = parses[-1].rank + 1 if same else 0
        parses.append(Parse(match[1], rank, _logarithm(match[4], path, number), number, match[3]))
    return parses


def _logarithm(probability: str | None, path: str, line: int) -> str:
    if probability is None:
        return ""
    try:
        value = float(probability)
    except ValueError:
        value = -1.0
    if not 0 <= value <= 1:
        raise FormatError(path, f"prob={probability}", "a probability", line=line)
    return repr(math.log(value)) if value else "-inf"


# Writing


def dumps(bank: Treebank) -> str:
    """Return lists in Charniak's form: 0 for a missing score, ``_`` for white space in sentences' names."""
    trees = bracket.dumps(bank).split("\n")
    scores = bank.vocabulary.decode(bank.sentences.score)
    lengths = bank.tokens.lengths()
    offsets = analysis_offsets(bank)
    blocks = []
    for begin, end in zip(offsets[:-1].tolist(), offsets[1:].tolist(), strict=True):
        rows = [row for row in range(begin, end) if lengths[row]]
        name = "_".join(bank.sentence_id(begin).split()) or "_"
        lines = [f"{len(rows)} {name}"]
        for row in rows:
            lines += [scores[row] or "0", trees[row]]
        blocks.append("\n".join(lines) + "\n")
    return "\n".join(blocks)


load, loads = reading_text(_read)
dump = writing(dumps)
