"""The whole report: its summary, its tables, and the sentences that have most errors.

Precision and recall of relations, with and without attachment, and of heads by direction and distance;
accuracy and error rate by gold's CPOSTAG; and with the option ``-b`` a line for each sentence.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from crossbank.compat.eval07.contexts import contexts, focus_words
from crossbank.compat.eval07.frame_confusions import frames
from crossbank.compat.eval07.specific_errors import specific_errors
from crossbank.compat.eval07.tokens import END, START, ParallelTokens
from crossbank.metrics.arcs.arc_breakdowns import DIRECTIONS, DISTANCES, directions, distances
from crossbank.treebanks.arrays import BoolArray, Int64Array

RULE = "  ----------------+------+---------+--------+------------+---------------\n"


def details(tokens: ParallelTokens, scored: Int64Array, gold: str, system: str) -> str:
    """All after the summary; ``scored`` are the tokens that count, ``gold`` and ``system`` the files."""
    return (
        f"\n  {'=' * 80}\n\n"
        f"  Evaluation of the results in {system}\n  vs. gold standard {gold}:\n\n"
        f"  Legend: '{START}' - the beginning of a sentence, '{END}' - the end of a sentence\n\n"
        f"  Number of non-scoring tokens: {len(tokens.word) - len(scored)}\n\n"
        + by_tag(tokens, scored)
        + relations(tokens, scored)
        + heads(tokens, scored)
        + frames(tokens, scored)
        + focus_words(tokens, scored)
        + contexts(tokens, scored)
        + worst_sentences(tokens, scored)
        + specific_errors(tokens, scored)
    )


def worst_sentences(tokens: ParallelTokens, scored: Int64Array) -> str:
    """Return the first sentence with most errors of each kind; sentences without words are numbered too."""
    sentence, sentences = tokens.sentence[scored], len(tokens.starts)
    kinds = {"word": tokens.wrong, "head": tokens.wrong_head, "dependency": tokens.wrong_relation}
    errors = {
        kind: np.bincount(sentence, wrong[scored], sentences).astype(np.int64)
        for kind, wrong in kinds.items()
    }
    parts = []
    for kind, counts in errors.items():
        worst = int(counts.argmax())
        parts.append(
            f"  Sentence with the highest number of {kind} errors:\n"
            f"   Sentence {worst + 1} line {tokens.starts[worst]}, {errors['head'][worst]} head errors, "
            f"{errors['dependency'][worst]} dependency errors, {errors['word'][worst]} word errors\n"
        )
    return "\n\n".join(parts)


def relations(tokens: ParallelTokens, scored: Int64Array) -> str:
    """Return the tables of relations, without and with their heads."""
    gold, system = tokens.gold_relation[scored], tokens.relation[scored]
    same = gold == system
    return _table("DEPREL", "deprel", tokens.strings, gold, system, same) + _table(
        "DEPREL + ATTACHMENT", "deprel", tokens.strings, gold, system, same & ~tokens.wrong_head[scored]
    )


def heads(tokens: ParallelTokens, scored: Int64Array) -> str:
    """Return the tables of heads by direction and by distance."""
    index = tokens.number[scored] - 1
    gold, system = (tokens.numbers[column[scored]] - 1 for column in (tokens.gold_head, tokens.head))
    tables = ""
    for name, bins, bin_of in (("direction", DIRECTIONS, directions), ("distance", DISTANCES, distances)):
        sides = bin_of(gold, index), bin_of(system, index)
        tables += _table(f"binned HEAD {name}", name, bins, *sides, sides[0] == sides[1])
    return tables


def _table(
    title: str,
    name: str,
    names: Sequence[str],
    gold: NDArray[np.integer],
    system: NDArray[np.integer],
    right: BoolArray,
) -> str:
    """A row for each name; those of relations that occur, in their order, those of bins all, as they are."""
    columns = [np.bincount(rows, minlength=len(names)) for rows in (gold, gold[right], system)]
    codes: Sequence[int] = range(len(names))
    if name == "deprel":
        codes = sorted(np.flatnonzero(columns[0] + columns[2]).tolist(), key=lambda code: names[code])
    made = (
        f"\n\n  Precision and recall of {title}\n\n{RULE}"
        f"  {name:<15} | gold | correct | system | recall (%) | precision (%) \n{RULE}"
    )
    for code in codes:
        own, both, of_system = (int(column[code]) for column in columns)
        recall, precision = (f"{both / whole * 100:.2f}" if whole else "NaN" for whole in (own, of_system))
        made += (
            f"  {names[code]:<15} | {own:4d} | {both:7d} | {of_system:6d} | {recall:>10} | {precision:>13}\n"
        )
    return made


TAG_RULE = "  -----------+-------+-------+------+-------+------+-------+-------\n"


class Row(NamedTuple):
    """A tag, how many words have it, and how many of these have a wrong head, relation, one, and both."""

    name: str
    words: int
    head: int
    relation: int
    either: int
    both: int


def by_tag(tokens: ParallelTokens, scored: Int64Array) -> str:
    """Both tables, the most frequent tag first."""
    total, *rows = _rows(tokens, scored)
    rows.sort(key=lambda row: (-row.words, row.name))
    return (
        "  The overall accuracy and its distribution over CPOSTAGs\n\n"
        + _tag_heading(("Accuracy", "words", "right", "right", "both"), ("", "", "head", " dep", "right"))
        + TAG_RULE.join((_accuracy(total), "".join(map(_accuracy, rows)), ""))
        + "\n\n  The overall error rate and its distribution over CPOSTAGs\n\n"
        + _tag_heading(("Error", "words", "head", " dep", "both"), ("Rate", "", "err", " err", "wrong"))
        + TAG_RULE.join((_errors(total), "".join(map(_errors, rows)), ""))
    )


def _rows(tokens: ParallelTokens, scored: Int64Array) -> list[Row]:
    """Return the row of all words, and then that of each tag."""
    pos, head, relation = tokens.pos[scored], tokens.wrong_head[scored], tokens.wrong_relation[scored]
    among = (np.ones_like(head), head, relation, head | relation, head & relation)
    columns = [np.bincount(pos[words], minlength=len(tokens.strings)) for words in among]
    rows = [Row("total", *(int(words.sum()) for words in among))]
    rows += [
        Row(tokens.strings[code], *(int(column[code]) for column in columns))
        for code in np.flatnonzero(columns[0]).tolist()
    ]
    return rows


def _tag_heading(first: Sequence[str], second: Sequence[str]) -> str:
    head = TAG_RULE
    for (name, words, *cells), sign in ((first, "%"), (second, " ")):
        columns = " | ".join(f"{cell:<5} |   {sign} " for cell in cells).rstrip()
        head += f"  {name:<10} | {words:<5} | {columns}\n"
    return head + TAG_RULE


def _accuracy(row: Row) -> str:
    wrong = (row.head, row.relation, row.either)
    return _line(row, [(row.words - errors, right_percentage(errors, row.words)) for errors in wrong])


def _errors(row: Row) -> str:
    wrong = (row.head, row.relation, row.both)
    return _line(row, [(errors, errors * 100.0 / row.words) for errors in wrong])


def _line(row: Row, cells: Sequence[tuple[int, float]]) -> str:
    numbers = "".join(f" | {count:5d} | {share:3.0f}%" for count, share in cells)
    return f"  {row.name:<10} | {row.words:5d}{numbers}\n"


SENTENCES_HEAD = (
    "     Sent.          Attachment      Correct        Scoring          \n"
    "    ID Tokens  -   Unlab. Lab.   HEAD HEAD+DEPREL   tokens   - - - -\n"
    f"  {'=' * 76}\n"
)


def summary(tokens: ParallelTokens, scored: Int64Array) -> str:
    """Labelled and unlabelled attachment score and label accuracy; at least one token must be scored."""
    total = len(scored)
    rows = (
        ("Labeled   attachment score:", tokens.wrong),
        ("Unlabeled attachment score:", tokens.wrong_head),
        ("Label accuracy score:      ", tokens.wrong_relation),
    )
    lines = []
    for name, column in rows:
        wrong = int(column[scored].sum())
        lines.append(f"  {name} {total - wrong} / {total} * 100 = {right_percentage(wrong, total):.2f} %\n")
    return "".join(lines)


def by_sentence(tokens: ParallelTokens, scored: Int64Array) -> str:
    """A line for each sentence with words, as in EVALB; percentages are NaN if no token counts."""
    sentences = len(tokens.lengths)
    counts = (
        tokens.lengths,
        np.bincount(tokens.sentence[scored], minlength=sentences),
        np.bincount(tokens.sentence[scored], tokens.wrong_head[scored], sentences).astype(np.int64),
        np.bincount(tokens.sentence[scored], tokens.wrong[scored], sentences).astype(np.int64),
    )
    lines = []
    for number, (words, total, wrong_heads, wrong) in enumerate(np.stack(counts, axis=1).tolist(), 1):
        if words:
            percentages = " ".join(
                f"{right_percentage(errors, total):6.2f}" if total else f"{'NaN':>6}"
                for errors in (wrong_heads, wrong)
            )
            right_heads, right = total - wrong_heads, total - wrong
            lines.append(
                f"  {number:4d} {words:4d}    0  {percentages}  {right_heads:4d}    {right:4d}"
                f"        {total:4d}    0 0 0 0\n"
            )
    return SENTENCES_HEAD + "".join(lines)


def right_percentage(wrong: int, total: int) -> float:
    """Percentage that is right. The last digit depends on the order of steps, which is the scorer's."""
    return 100 - wrong * 100.0 / total
