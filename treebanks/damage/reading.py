"""Reading of a file with damaged sentences, under a policy."""

from __future__ import annotations

from importlib import import_module
from os import PathLike
from typing import Any

from crossbank.treebanks.damage.correction import correct
from crossbank.treebanks.damage.rules import DamagePolicy, DamageRules
from crossbank.treebanks.errors import CrossbankError, FormatError
from crossbank.treebanks.files import read_bytes, split_mark
from crossbank.treebanks.named_arguments import argument
from crossbank.treebanks.quantities import quantity
from crossbank.treebanks.treebank import Treebank


def rules_of(module: Any) -> DamageRules | None:
    """Return the rules that a format's module names; None if it has none."""
    named: str = getattr(module, "DAMAGE", "")
    name, _, attribute = named.partition(":")
    return getattr(import_module(name), attribute) if named else None


def read_damaged(
    path: str | PathLike[str],
    module: Any,
    encoding: str | None,
    policy: DamagePolicy,
    otherwise: CrossbankError | Treebank,
) -> Treebank:
    """Read a file whose damaged sentences have no parse or are repaired.

    ``otherwise`` is what reading it without a policy gave: it is raised or returned if no sentence can be
    read, and if the format has no rules.
    """
    rules = rules_of(module)
    corrected = None if rules is None else correct(_text(path, encoding), rules, module.loads, policy)
    if corrected is None or not corrected.undamaged:
        if isinstance(otherwise, Treebank):
            return otherwise
        raise otherwise
    try:
        bank = corrected.annotate(module.loads(corrected.text))
    except CrossbankError:
        # What is damaged is no sentence, such as the head of the file.
        if isinstance(otherwise, Treebank):
            return otherwise
        raise otherwise from None
    return bank.with_columns("sentences", source=[str(path)] * len(bank))


def with_options(
    error: FormatError, path: str | PathLike[str], module: Any, encoding: str | None
) -> FormatError:
    """Return an error with the number of damaged sentences and the options for them, if others are not."""
    rules = rules_of(module)
    if rules is None:
        return error
    corrected = correct(_text(path, encoding), rules, module.loads, DamagePolicy.SKIP)
    if not corrected.undamaged or not corrected.damages:
        return error
    damaged = quantity(len(corrected.damages), "damaged sentence")
    hint = f"{damaged}; {argument('damaged', 'skip')} leaves them without a parse, repair repairs them"
    expected = f"{error.expected} ({hint})"
    return FormatError(path, error.actual, expected, line=error.line, sentence=error.sentence)


def _text(path: str | PathLike[str], encoding: str | None) -> str:
    """Return the content of a file; bytes that are not text are replaced."""
    data, encoding = split_mark(read_bytes(path), encoding)
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError:
        # NUL stands for what is no text: the sentence is damaged.
        text = data.decode(encoding, errors="replace").replace("\ufffd", "\0")
    return text.replace("\r\n", "\n").replace("\r", "\n")
