"""Dependencies of trees in the convention of Universal Dependencies, against treebanks that have both.

The figures are those of ``docs/trees_to_universal_dependencies.md``; each may fall by a point.
"""

from pathlib import Path

import pytest

from crossbank.converters.scheme_files import load_scheme
from crossbank.metrics.analyses.conversion_reliability import Reliability, against_gold
from crossbank.treebanks.formats import read_all

# scheme, trees, dependencies, what is deleted before, where conjunctions depend, what is done to dependencies
CORPORA = {
    "gum": (
        "ptb",
        "gum/const/*.ptb",
        "gum/dep/*.conllu",
        ["delete_empty_elements"],
        "universal",
        ["attach_word_groups"],
    ),
    "farpahc": (
        "ppche",
        "farpahc/psd/19*.psd",
        "farpahc/ud/*.conllu",
        ["delete_metadata", "delete_empty_elements"],
        "first",
        [],
    ),
}
GUM = {
    "nsubj": 93.7, "obj": 91.1, "case": 95.0, "aux": 97.3, "cop": 85.6, "conj": 80.6, "compound": 83.6,
    "fixed": 89.3, "flat": 71.9,
}  # fmt: skip
FARPAHC = {
    "nsubj": 95.8, "obj": 94.7, "case": 97.9, "aux": 91.7, "cc": 94.6, "nmod:poss": 99.6, "root": 94.0,
}  # fmt: skip


def compared(shared_data: Path, corpus: str, rules: str) -> Reliability:
    scheme, trees, gold, deleted, coordination, regrouped = CORPORA[corpus]
    options = f":rules={rules},prepositions=noun,coordination={coordination}" if rules else ""
    banks = (read_all([str(shared_data / files)]) for files in (trees, gold))
    return against_gold(
        *banks, load_scheme(scheme), [*deleted, f"dependencies{options}", *(regrouped if rules else [])]
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("corpus", "sentences", "before", "after", "relations"),
    [("gum", 3236, 40.7, 89.8, GUM), ("farpahc", 1600, 46.3, 87.2, FARPAHC)],
)
def test_unlabelled_agreement(
    shared_data: Path, corpus: str, sentences: int, before: float, after: float, relations: dict[str, float]
) -> None:
    own, aligned = (compared(shared_data, corpus, rules) for rules in ("", "content"))
    assert own.compared == aligned.compared
    assert aligned.compared >= sentences
    assert 100 * own.overall.attached == pytest.approx(before, abs=1)
    assert 100 * aligned.overall.attached > after - 1
    actual = {row.relation: 100 * row.attached for row in aligned.relations}
    assert {name for name, floor in relations.items() if actual[name] < floor - 1} == set()


def test_the_trees_of_faroese_are_parts_of_the_sentences(shared_data: Path) -> None:
    """A tree that is joined to another has a head there, which the trees cannot tell."""
    actual = compared(shared_data, "farpahc", "content")
    conjuncts = next(row for row in actual.relations if row.relation == "conj")
    assert actual.joined > 800
    assert conjuncts.attached < 0.3
