"""Parameters of jp-evalb: those of a file for EVALB, or its own copy of ``COLLINS.prm``."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from os.path import basename

from crossbank.metrics.modes.protocol import Path
from crossbank.treebanks.errors import FormatError
from crossbank.treebanks.files import read_bytes


@dataclass(frozen=True)
class JpParameters:
    """What jp-evalb takes from parameters.

    source              the file's name and the first digits of its SHA-256, for the signature
    deleted             DELETE_LABEL: labels of the subtrees that are deleted
    deleted_for_length  DELETE_LABEL_FOR_LENGTH: those of them that do not count for the length
    quotes              QUOTE_LABEL: the tags of the quotation marks that are deleted
    equal               EQ_LABEL: sets of labels that are the same
    """

    source: str = "none"
    deleted: frozenset[str] = frozenset()
    deleted_for_length: frozenset[str] = frozenset()
    quotes: frozenset[str] = frozenset()
    equal: tuple[frozenset[str], ...] = ()


COLLINS = JpParameters(
    "COLLINS",
    frozenset(("TOP", "-NONE-", ",", ":", "``", "''", ".")),
    # The program has a string where it has a list otherwise, and takes the set of its letters.
    frozenset("-NONE-"),
    equal=(frozenset(("ADVP", "PRT")),),
)
"""The parameters of ``-evalb`` without a file."""


def read_jp_parameters(path: Path) -> JpParameters:
    """Return the parameters of a file.

    Raises FormatError if the file cannot be read. Numbers such as ``CUTOFF_LEN`` have no effect in jp-evalb.
    """
    data = read_bytes(path)
    values: dict[str, list[str | tuple[str, ...]]] = {}
    for number, text in enumerate(data.decode("utf-8", "surrogateescape").splitlines(), 1):
        key, *words = text.split() or [""]
        if not key or text.strip().startswith("#"):
            continue
        if not words:
            raise FormatError(path, f"{key} without a value", "a value", line=number)
        values.setdefault(key, []).append(words[0] if len(words) == 1 else tuple(words))
    values.setdefault("DELETE_LABEL_FOR_LENGTH", ["-NONE-"])

    def labels(key: str) -> frozenset[str]:
        return frozenset(value for value in values.get(key, ()) if isinstance(value, str))

    return JpParameters(
        f"{basename(path)}:{hashlib.sha256(data).hexdigest()[:8]}",
        labels("DELETE_LABEL"),
        labels("DELETE_LABEL_FOR_LENGTH"),
        labels("QUOTE_LABEL"),
        tuple(frozenset(value) for value in values.get("EQ_LABEL", ())),
    )
