"""The report: the summary lines, and the tables by tag, relation, direction, distance and frame."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from metrics.eval07.lines import Token, number_of
from metrics.head_bins import DIRECTIONS, DISTANCES, directions, distances
from treebanks.arrays import Int32Array

FRAME_THRESHOLD = 5
"""How often two frames must be confused to be printed."""

RULE_BY_TAG = "  -----------+-------+-------+------+-------+------+-------+-------\n"
RULE = "  ----------------+------+---------+--------+------------+---------------\n"


def right_head(token: Token) -> bool:
    """Heads are compared as strings."""
    return token.head == token.gold_head


def right_relation(token: Token) -> bool:
    """Relations are compared whole and with case."""
    return token.relation == token.gold_relation


def summary(tokens: Sequence[Token]) -> str:
    """The three lines of labelled and unlabelled attachment score and label accuracy."""
    total = len(tokens)
    rows = (
        ("Labeled   attachment score:", sum(right_head(t) and right_relation(t) for t in tokens)),
        ("Unlabeled attachment score:", sum(map(right_head, tokens))),
        ("Label accuracy score:      ", sum(map(right_relation, tokens))),
    )
    return "".join(
        f"  {name} {right} / {total} * 100 = {100 - (total - right) * 100.0 / total:.2f} %\n"
        for name, right in rows
    )


def details(
    sentences: Sequence[Sequence[Token]], tokens: Sequence[Token], unscored: int, gold: str, system: str
) -> str:
    """All behind the summary, up to the frame confusions; ``tokens`` are those that are scored."""
    return (
        f"\n  {'=' * 80}\n\n"
        f"  Evaluation of the results in {system}\n  vs. gold standard {gold}:\n\n"
        "  Legend: '.S' - the beginning of a sentence, '.E' - the end of a sentence\n\n"
        f"  Number of non-scoring tokens: {unscored}\n\n"
        + _by_tag(tokens)
        + _relations(tokens)
        + _binned("direction", DIRECTIONS, directions, tokens)
        + _binned("distance", DISTANCES, distances, tokens)
        + _frames(sentences)
    )


def _by_tag(tokens: Sequence[Token]) -> str:
    groups: dict[str, list[Token]] = {}
    for token in tokens:
        groups.setdefault(token.pos, []).append(token)
    rows = [("total", tokens), *sorted(groups.items(), key=lambda group: -len(group[1]))]
    counts = [
        (
            name,
            len(group),
            sum(map(right_head, group)),
            sum(map(right_relation, group)),
            sum(right_head(t) and right_relation(t) for t in group),
            sum(not right_head(t) and not right_relation(t) for t in group),
        )
        for name, group in rows
    ]
    right = [_row(n, a, [(x, 100 - (a - x) * 100.0 / a) for x in (h, d, b)]) for n, a, h, d, b, _ in counts]
    wrong = [_row(n, a, [(x, x * 100.0 / a) for x in (a - h, a - d, both)]) for n, a, h, d, _, both in counts]
    return (
        "  The overall accuracy and its distribution over CPOSTAGs\n\n"
        + _tag_table(
            ("Accuracy", "words", "right", "right", "both"), ("", "", "head", " dep", "right"), right
        )
        + "\n\n  The overall error rate and its distribution over CPOSTAGs\n\n"
        + _tag_table(("Error", "words", "head", " dep", "both"), ("Rate", "", "err", " err", "wrong"), wrong)
    )


def _tag_table(first: Sequence[str], second: Sequence[str], rows: Sequence[str]) -> str:
    name, words, *cells = first
    head = f"  {name:<10} | {words:<5} | " + " | ".join(f"{cell:<5} |   % " for cell in cells).rstrip() + "\n"
    name, words, *cells = second
    head += (
        f"  {name:<10} | {words:<5} | " + " | ".join(f"{cell:<5} |     " for cell in cells).rstrip() + "\n"
    )
    return RULE_BY_TAG + head + RULE_BY_TAG + rows[0] + RULE_BY_TAG + "".join(rows[1:]) + RULE_BY_TAG


def _row(name: str, words: int, cells: Iterable[tuple[int, float]]) -> str:
    numbers = "".join(f" | {count:5d} | {share:3.0f}%" for count, share in cells)
    return f"  {name:<10} | {words:5d}{numbers}\n"


def _relations(tokens: Sequence[Token]) -> str:
    gold = Counter(token.gold_relation for token in tokens)
    system = Counter(token.relation for token in tokens)
    right = Counter(token.relation for token in tokens if right_relation(token))
    attached = Counter(token.relation for token in tokens if right_relation(token) and right_head(token))
    names = sorted(gold | system)
    return _table("DEPREL", "deprel", names, gold, right, system) + _table(
        "DEPREL + ATTACHMENT", "deprel", names, gold, attached, system
    )


def _binned(
    name: str,
    bins: Sequence[str],
    bin_of: Callable[[NDArray[np.integer], NDArray[np.integer]], Int32Array],
    tokens: Sequence[Token],
) -> str:
    place = np.array([token.number for token in tokens])
    gold, system = (
        bin_of(np.array([number_of(head) for head in heads]) - 1, place - 1).tolist()
        for heads in ([token.gold_head for token in tokens], [token.head for token in tokens])
    )
    counts = (Counter(gold), Counter(g for g, s in zip(gold, system, strict=True) if g == s), Counter(system))
    return _table(
        f"binned HEAD {name}",
        name,
        bins,
        *(Counter({bins[code]: count for code, count in found.items()}) for found in counts),
    )


def _table(
    title: str,
    name: str,
    keys: Iterable[str],
    gold: Counter[str],
    right: Counter[str],
    system: Counter[str],
) -> str:
    rows = [
        f"  {key:<15} | {gold[key]:4d} | {right[key]:7d} | {system[key]:6d} | "
        f"{_share(right[key], gold[key]):>10} | {_share(right[key], system[key]):>13}\n"
        for key in keys
    ]
    return (
        f"\n\n  Precision and recall of {title}\n\n{RULE}"
        f"  {name:<15} | gold | correct | system | recall (%) | precision (%) \n{RULE}" + "".join(rows)
    )


def _share(part: int, whole: int) -> str:
    return f"{part / whole * 100:.2f}" if whole else "NaN"


def _frames(sentences: Sequence[Sequence[Token]]) -> str:
    """The frames of words, that is, the relations of their dependents around their own.

    The word's own relation is gold's on both sides: that is how the scorer has it.
    """
    confused: Counter[str] = Counter()
    for tokens in sentences:
        gold, system = {0: "** "}, {0: "** "}
        for token in tokens:
            for frames, head, relation in (
                (gold, token.gold_head, token.gold_relation),
                (system, token.head, token.relation),
            ):
                place = number_of(head)
                frames[place] = frames.get(place, "") + f"{relation} "
                frames[token.number] = frames.get(token.number, "") + f"*{token.gold_relation}* "
        for place in sorted(gold.keys() | system.keys()):
            frame, other = gold.get(place, ""), system.get(place, "")
            if frame != other:
                confused[f"{frame}/ {other}"] += 1
    return "\n\n  Frame confusions (gold versus system; *...* marks the head token)\n\n" + "".join(
        f"  {count:3d}  {frames}\n" for frames, count in confused.most_common() if count >= FRAME_THRESHOLD
    )
