"""Treebanks: the columnar type and the formats it is read from and written to."""

from crossbank.treebanks.compilation import allow_plain_loops

allow_plain_loops()  # before any loop is imported

from crossbank.treebanks.errors import ConversionError, CrossbankError, FormatError, OptionError  # noqa: E402
from crossbank.treebanks.sentence import Sentence  # noqa: E402
from crossbank.treebanks.treebank import NO_PARENT, ROOT, UNATTACHED, Treebank  # noqa: E402

__all__ = [
    "NO_PARENT",
    "ROOT",
    "UNATTACHED",
    "ConversionError",
    "CrossbankError",
    "FormatError",
    "OptionError",
    "Sentence",
    "Treebank",
]
