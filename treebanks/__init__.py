"""Treebanks: the columnar type and the formats it is read from and written to."""

import crossbank.treebanks.arrays  # noqa: F401 - by it loops that run as plain Python find their types
from crossbank.treebanks.compilation import warn_of_plain_loops
from crossbank.treebanks.errors import ConversionError, CrossbankError, FormatError, OptionError
from crossbank.treebanks.sentence import Sentence
from crossbank.treebanks.treebank import NO_PARENT, ROOT, UNATTACHED, Treebank

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

warn_of_plain_loops()
