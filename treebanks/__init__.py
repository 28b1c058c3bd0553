"""Treebanks: the columnar type and the formats it is read from and written to."""

import os
from importlib.util import find_spec

_LOOP = find_spec("crossbank.treebanks.forest")
if os.environ.get("CROSSBANK_PLAIN_LOOPS") or (_LOOP is not None and str(_LOOP.origin).endswith(".py")):
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
