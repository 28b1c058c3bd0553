"""Replace labels, or equate labels that a scheme counts as the same."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from crossbank.converters.declaration import transformation
from crossbank.converters.schemes.scheme import Scheme
from crossbank.treebanks import ConversionError, Treebank


@transformation(position=60)
def map_labels(
    bank: Treebank,
    scheme: Scheme | None = None,
    *,
    labels: Mapping[str, str],
    of: Literal["nodes", "tags", "functions", "relations"] = "nodes",
) -> Treebank:
    """Replace labels: ``map_labels:labels=PRT>ADVP+NX>NP``.

    labels  new labels by old ones; other labels stay
    of      the labels that are replaced: the categories of nodes, the tags of tokens, the functions of both,
            or the relations of dependencies
    """
    return _mapped(bank, labels, of, "map_labels")


@transformation(position=70)
def equate_labels(bank: Treebank, scheme: Scheme | None = None) -> Treebank:
    """Replace each label by the one that the scheme equates it with."""
    if scheme is None:
        raise ConversionError("equate_labels needs a scheme with equivalences")
    return _mapped(bank, scheme.equivalences, "nodes", "equate_labels")


def _mapped(bank: Treebank, labels: Mapping[str, str], of: str, name: str) -> Treebank:
    columns = {
        "nodes": (("nodes", "label"),),
        "tags": (("tokens", "pos"),),
        "functions": (("nodes", "function"), ("tokens", "function")),
        "relations": (("tokens", "relation"),),
    }
    for table, column in columns[of]:
        rows = getattr(bank, table)
        codes = getattr(rows, column)
        vocabulary, new = bank.vocabulary.mapped(codes, lambda label: labels.get(label, label))
        if new is codes:
            continue
        counts = {"labels replaced": rows.counted(new != codes)}
        bank = bank.replace(vocabulary=vocabulary, **{table: rows.replace(**{column: new})})
        bank = bank.with_counts(name, counts)
    return bank
