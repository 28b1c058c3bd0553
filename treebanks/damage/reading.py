"""Reading of a file with damaged sentences, under a policy."""

from __future__ import annotations

from importlib import import_module
from os import PathLike
from typing import Any

from crossbank.treebanks.damage.correction import SKIPPED, correct
from crossbank.treebanks.damage.damaged_file import DamagedFile
from crossbank.treebanks.damage.rules import DamagePolicy, DamageRules
from crossbank.treebanks.errors import CrossbankError, FormatError
from crossbank.treebanks.files import decode_leniently, file_size, read_bytes
from crossbank.treebanks.named_arguments import argument
from crossbank.treebanks.quantities import quantity
from crossbank.treebanks.treebank import Treebank


def rules_of(module: Any) -> DamageRules | None:
    """Return the rules that a format's module names; None if it has none."""
    named: str = getattr(module, "DAMAGE", "")
    name, _, attribute = named.partition(":")
    return getattr(import_module(name), attribute) if named else None


def damaged_file(path: str | PathLike[str], module: Any, policy: DamagePolicy) -> DamagedFile | None:
    """Return what happens to the damaged sentences of a file; None if they stop reading."""
    rules = None if policy is DamagePolicy.STOP else rules_of(module)
    return None if rules is None else DamagedFile(path, rules, policy)


def read_damaged(
    path: str | PathLike[str], module: Any, encoding: str | None, policy: DamagePolicy
) -> Treebank:
    """Read a file whose damaged sentences have no parse or are repaired."""
    bank: Treebank
    damage = damaged_file(path, module, policy)
    if damage is None:
        bank = module.load(path, encoding=encoding)
        return bank
    if hasattr(module, "load_chunks"):
        size = max(file_size(path), 1)
        chunks = list(module.load_chunks(path, encoding=encoding, size=size, damage=damage))
        return Treebank.concatenate(chunks)
    try:
        bank = module.load(path, encoding=encoding)
        return bank
    except CrossbankError as error:
        data = read_bytes(path)
        text = decode_leniently(data, encoding or damage.rules.declared_encoding(data))

        def read(data: bytes) -> Treebank:
            loaded: Treebank = module.loads(data.decode("utf-8", "surrogatepass"), str(path))
            return loaded

        corrected = correct(text, damage.rules, read, policy)
        if not corrected.undamaged or corrected.text == text.encode("utf-8", "surrogatepass"):
            raise
        try:
            bank = corrected.annotate(read(corrected.text))
        except CrossbankError:
            # What is damaged is no sentence, such as the head of the file.
            raise error from None
    return bank


def with_options(
    error: FormatError, path: str | PathLike[str], module: Any, encoding: str | None
) -> FormatError:
    """Return an error with the number of damaged sentences and the options for them, if others are not."""
    if rules_of(module) is None:
        return error
    try:
        bank = read_damaged(path, module, encoding, DamagePolicy.SKIP)
    except CrossbankError:
        return error
    number = sum(one.total for one in bank.diagnosis if one.event == SKIPPED)
    if not number:
        return error
    damaged = quantity(number, "damaged sentence")
    hint = f"{damaged}; {argument('damaged', 'skip')} leaves them without a parse, repair repairs them"
    expected = f"{error.expected} ({hint})"
    return FormatError(path, error.actual, expected, line=error.line, sentence=error.sentence)
