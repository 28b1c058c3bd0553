"""Breakdowns of dependencies: the tables of eval07 on the same files, and what the report makes of them."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from random import Random

import numpy as np
import pytest

from crossbank.metrics.counting.counts import Counts
from crossbank.metrics.counting.scoring import score, scoring_of
from crossbank.metrics.dependencies import Dependencies
from crossbank.metrics.pairing.pair import Status
from crossbank.treebanks.builder import TreebankBuilder
from crossbank.treebanks.formats import read
from crossbank.treebanks.formats.conllx import dumps, load
from tests.compat.modes import Mode

evaluate = Mode("eval07").evaluate

Table = dict[str, tuple[float, float, float]]
"""Words in gold, those that are right, words in the candidate; of the kinds that either has."""


def tables(report: str) -> dict[str, Table]:
    """Return the tables ``Precision and recall of ...`` of a report, by what they are of."""
    actual: dict[str, Table] = defaultdict(dict)
    title = ""
    for line in report.splitlines():
        if line.startswith("  Precision and recall of "):
            title = line.removeprefix("  Precision and recall of ")
        elif not line.strip():
            title = "" if title in actual else title
        elif title and line.count(" | ") == 5 and "recall (%)" not in line:
            name, *cells = (cell.strip() for cell in line.split(" | "))
            if cells[:3] != ["0", "0", "0"]:
                actual[title][name] = (float(cells[0]), float(cells[1]), float(cells[2]))
    return actual


def table(counts: Counts, part: str, right: str) -> Table:
    return {
        name: (row["gold"], row[right], row["candidate"])
        for name, row in counts.by_breakdown(part).items()
        if row["gold"] or row["candidate"]
    }


def same_tables(gold: Path, candidate: Path, punctuation: str) -> None:
    """All that both count comes out the same, whichever tokens are left out."""
    reference = evaluate(gold, candidate, options={"punctuation": punctuation})
    delete = "unicode" if punctuation == "exclude" else "none"
    scoring = scoring_of(["dependencies"], {"delete": delete})
    (computed,) = score(read(gold), read(candidate), scoring)
    assert {n: computed.value(n) for n in ("uas", "las", "label_accuracy")} == pytest.approx(
        reference.counts().values()
    )
    expected = tables(reference.printed()[0])
    assert table(computed, "direction", "alike") == expected["binned HEAD direction"]
    assert table(computed, "distance", "alike") == expected["binned HEAD distance"]
    assert table(computed, "relation", "alike") == expected["DEPREL"]
    assert table(computed, "relation", "right") == expected["DEPREL + ATTACHMENT"]


def written(random: Random, words: list[str], relations: list[str]) -> str:
    lines = []
    for index, word in enumerate(words):
        head = random.choice([n for n in range(len(words) + 1) if n != index + 1])
        relation = random.choice(relations)
        lines.append(f"{index + 1}\t{word}\t_\tX\tX\t_\t{head}\t{relation}\t_\t_\n")
    return "".join(lines) + "\n"


@pytest.mark.parametrize("punctuation", ["include", "exclude"])
def test_the_tables_of_eval07_on_made_up_files(tmp_path: Path, punctuation: str) -> None:
    """Any word may hang on any other, on punctuation too, and there may be several roots."""
    random = Random(7)
    gold, candidate = tmp_path / "gold.conll", tmp_path / "candidate.conll"
    sentences = [random.choices(["a", "b", ".", "“", "-", "$"], k=random.randint(1, 14)) for _ in range(60)]
    sentences = [["w", *words] for words in sentences]
    for path in (gold, candidate):
        path.write_text("".join(written(random, s, ["x", "y", "z"]) for s in sentences), encoding="utf-8")
    same_tables(gold, candidate, punctuation)


@pytest.mark.parametrize("punctuation", ["include", "exclude"])
def test_the_tables_of_eval07_on_real_output(shared_data: Path, tmp_path: Path, punctuation: str) -> None:
    """The sentences that a system of the shared task of 2018 has cut into gold's words."""
    folder = shared_data / "conll18"
    gold, system = (
        read(folder / name / "de_gsd.conllu") for name in ("00-gold-standard", "conll18-baseline")
    )
    by_words = {tuple(system.words(i)): i for i in range(len(system))}
    both = [(i, by_words[key]) for i in range(len(gold)) if (key := tuple(gold.words(i))) in by_words]
    assert len(both) > 500
    paths = tmp_path / "gold.conll", tmp_path / "system.conll"
    for path, bank, chosen in zip(paths, (gold, system), zip(*both, strict=True), strict=True):
        path.write_text(dumps(bank.select(np.array(chosen))), encoding="utf-8")
    same_tables(*paths, punctuation)


def test_arcs_and_trees_by_projectivity(tmp_path: Path) -> None:
    gold, candidate = tmp_path / "gold.conll", tmp_path / "candidate.conll"
    arcs = {gold: ([3, 0, 2, 2], [2, 0]), candidate: ([3, 0, 2, 3], [0, 1])}
    for path, sentences in arcs.items():
        text = "".join(
            "".join(f"{n}\tw{n}\t_\tX\tX\t_\t{head}\tr\t_\t_\n" for n, head in enumerate(heads, 1)) + "\n"
            for heads in sentences
        )
        path.write_text(text, encoding="utf-8")
    counts = Dependencies().counts(Dependencies.pair(load(gold), load(candidate)))
    assert set(counts.status) == {Status.SCORED}
    arc = counts.by_breakdown("projectivity")
    assert [arc["non-projective"][name] for name in ("gold", "candidate", "matched", "right")] == [1, 1, 1, 1]
    assert (arc["projective"]["gold"], arc["projective"]["matched"]) == (5, 2)
    tree = counts.by_breakdown("tree")
    assert (tree["non-projective"]["rows"], tree["projective"]["rows"]) == (1, 1)
    assert (tree["non-projective"]["heads"], tree["projective"]["heads"]) == (3, 0)


def test_nothing_to_break_down() -> None:
    nothing = TreebankBuilder().build()
    counts = Dependencies().counts(Dependencies.pair(nothing, nothing))
    assert [counts.by_breakdown(part) for part in counts.breakdowns] == [{}] * len(counts.breakdowns)
