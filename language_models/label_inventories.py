"""Inventories of labels, the files in ``inventories/``: each is that of a gold of which it has all labels."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).parent / "inventories"


@cache
def label_inventories() -> Sequence[frozenset[str]]:
    """Return the labels of each inventory."""
    import yaml

    return [
        frozenset(yaml.safe_load(path.read_text("utf-8"))["labels"]) for path in sorted(FOLDER.glob("*.yaml"))
    ]


def valid_labels(gold: Collection[str]) -> frozenset[str]:
    """Return gold's labels, and those of the inventories that have all of them, subtypes aside."""
    types = {main_type(label) for label in gold}
    known = (inventory for inventory in label_inventories() if types <= inventory)
    return frozenset(types).union(*known)


def main_type(label: str) -> str:
    """Return a label without its subtype or function: ``nmod:poss``, ``NP-SBJ``."""
    first = label[:1]
    return first + label[1:].replace("=", "-").replace("|", "-").partition("-")[0].partition(":")[0]
