"""Formats by name, and functions that read and write treebanks in any format.

Each format is a module with the same four functions::

    load(path, *, encoding=None) -> Treebank       loads(text) -> Treebank
    dump(bank, path, *, encoding="utf-8") -> None  dumps(bank) -> str

and, for formats of consecutive sentences, a fifth that reads a big file in chunks::

    load_chunks(path, *, encoding=None, size) -> Iterator[Treebank]

``encoded(bank) -> bytearray`` is ``dumps`` in UTF-8, where a format writes that faster than a string.
It is imported on first use. Parquet, being binary, is only loaded and dumped; a module without
``dump`` is only read. Other packages' formats are such modules too, or objects with these functions; a
function is used as ``load``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from operator import attrgetter
from os import PathLike, fspath, scandir
from os.path import dirname, isdir, isfile, join, splitext
from typing import Any

import numpy as np

from crossbank.treebanks.chunks import CHUNK, Chunk, ChunkedSource
from crossbank.treebanks.damage.rules import DamagePolicy, policy_of
from crossbank.treebanks.errors import (
    ConversionError,
    CrossbankError,
    FormatError,
    MissingFileError,
    OptionError,
    one_of,
)
from crossbank.treebanks.extras import missing_extra, needing
from crossbank.treebanks.files import LARGE_CHUNK, STANDARD, file_size, list_repairs, matching
from crossbank.treebanks.formats.format import Format
from crossbank.treebanks.named_arguments import argument, transformed
from crossbank.treebanks.ranges import each, work
from crossbank.treebanks.recognition import format_begun
from crossbank.treebanks.registry import Registry
from crossbank.treebanks.treebank import Treebank
from crossbank.treebanks.validation import refuse_unsound

REGISTRY = Registry("format", "module:format")

FORMATS: Mapping[str, Format] = {
    name: Format.declared(name, values) for name, values in REGISTRY.declared().items()
}
"""The built-in formats by name; each is a module that declares itself."""

SUFFIXES = {
    suffix: format.name
    for format in sorted(FORMATS.values(), key=attrgetter("written"))
    for suffix in format.suffixes
}
"""The format of each suffix; of several formats, one that can be written."""

_OF_SEVERAL = {
    suffix for suffix in SUFFIXES if sum(suffix in format.suffixes for format in FORMATS.values()) > 1
}


def format_of(path: str | PathLike[str]) -> str:
    """Return the format of a file's suffix (ignoring ``.gz``), or brackets if it is unknown.

    A folder may be one treebank, by the suffix of its files.
    """
    return _format_of_folder(path) or _format_of_suffix(_suffix(path)) or "bracket"


def format_to_write(path: str | PathLike[str]) -> str:
    """Return the format of a file's suffix. Raises CrossbankError if it is unknown."""
    if format := _format_of_suffix(_suffix(path)):
        return format
    endings = [format.suffixes[0] for format in FORMATS.values() if format.written and format.suffixes]
    named = argument("to", in_python="format=")
    raise CrossbankError(
        f"{fspath(path)}: its suffix is that of no format; use one of {', '.join(endings)}, or name a format "
        f"({named})"
    )


def format_to_read(path: str | PathLike[str]) -> str:
    """Return the format by a file's suffix, or else by its first lines, or else by ``format_of``.

    Where the first lines must tell, raises CrossbankError if they cannot be read, FormatError if they tell
    none.
    """
    suffix = _suffix(path)
    if isdir(path) or (suffix not in _OF_SEVERAL and _format_of_suffix(suffix)):
        return format_of(path)
    return format_begun(path) or format_of(path)


def format_or_lines(path: str | PathLike[str]) -> str:
    """Return the format of another program's input; lines of brackets or columns are not examined.

    Raises CrossbankError if the first lines must tell, and cannot be read.
    """
    try:
        format_name = format_to_read(path)
    except FormatError:
        return format_of(path)
    return format_of(path) if format_name in ("discbracket", "rasp", "conllu", "conllx") else format_name


def _format_of_suffix(suffix: str) -> str:
    """Return the format of a suffix, or "" if neither Crossbank nor another package has it."""
    if suffix in SUFFIXES or not suffix:
        return SUFFIXES.get(suffix, "")
    declared = REGISTRY.declared_by_others().items()
    return next((name for name, values in declared if suffix in values.get("suffixes", ())), "")


def _suffix(path: str | PathLike[str]) -> str:
    stem, suffix = splitext(fspath(path).lower())
    return splitext(stem)[1] if suffix == ".gz" else suffix


def read(
    path: str | PathLike[str],
    format: str | None = None,
    *,
    encoding: str | None = None,
    damaged: str = DamagePolicy.STOP,
) -> Treebank:
    """Read a treebank in a named format, or in that of its file's suffix or first lines.

    damaged  what happens to damaged sentences: they stop reading, or with ``skip`` have no parse, or with
             ``repair`` are repaired

    Raises OptionError for an unknown format, FormatError if the file is not in it.
    """
    policy = policy_of(damaged)
    options: dict[str, Any] = {} if encoding is None else {"encoding": encoding}
    name = format or format_to_read(path)
    if format_named(name).reads_damaged:
        options["damaged"] = policy
    loaded = REGISTRY.load(name)
    try:
        with work(f"reading {fspath(path)}", 1), _explaining(name, policy):
            bank: Treebank
            if policy is DamagePolicy.STOP or not hasattr(loaded, "DAMAGE"):
                bank = getattr(loaded, "load", loaded)(path, **options)
            else:
                bank = _read_damaged(path, loaded, encoding, policy)
    except ModuleNotFoundError as error:
        raise missing_extra(error, f"the format {name}") from error
    if name not in FORMATS:
        refuse_unsound(bank, fspath(path))
    return bank if FORMATS.get(name) is None or FORMATS[name].folder else _with_repairs(bank, path)


@contextmanager
def _explaining(name: str, policy: DamagePolicy) -> Iterator[None]:
    """Add to errors why a format knows no damaged sentences, if these are not to stop reading."""
    try:
        yield
    except FormatError as error:
        reason = FORMATS[name].undivided if name in FORMATS else ""
        if policy is DamagePolicy.STOP or not reason:
            raise
        expected = f"{error.expected} ({argument('damaged', policy)} has no effect: {reason})"
        raise FormatError(
            error.path, error.actual, expected, line=error.line, sentence=error.sentence
        ) from error


def _read_damaged(
    path: str | PathLike[str], module: Any, encoding: str | None, policy: DamagePolicy
) -> Treebank:
    from crossbank.treebanks.damage.reading import read_damaged

    return read_damaged(path, module, encoding, policy)


def _with_repairs(bank: Treebank, path: str | PathLike[str]) -> Treebank:
    """Return the treebank with the marks that reading removed from its file as events."""
    first = np.zeros(min(len(bank), 1), np.int64)
    events = dict.fromkeys(list_repairs(path), first)
    return bank.with_events("read", events) if events else bank


def read_chunks(
    path: str | PathLike[str],
    format: str | None = None,
    *,
    encoding: str | None = None,
    size: int | None = None,
    damaged: str = DamagePolicy.STOP,
) -> Iterator[Treebank]:
    """Read a big file in chunks of about ``size`` bytes (``LARGE_CHUNK``): the sentences of ``read``.

    A file of less than two chunks is one, and so is a file in a format without ``load_chunks``.

    Raises the errors of ``read``; if a file has several faults, that of the first chunk with one.
    """
    name = format or format_to_read(path)
    format_named(name)
    loaded = REGISTRY.load(name)
    load_chunks = getattr(loaded, "load_chunks", None)
    bytes, size = file_size(path), size or LARGE_CHUNK
    if load_chunks is None or bytes < 2 * size:
        yield read(path, name, encoding=encoding, damaged=damaged)
        return
    options: dict[str, Any] = {}
    if policy_of(damaged) is not DamagePolicy.STOP and hasattr(loaded, "DAMAGE"):
        from crossbank.treebanks.damage.reading import damaged_file

        options["damage"] = damaged_file(path, loaded, policy_of(damaged))
    sentences = 0
    with work(f"reading {fspath(path)}", bytes, "bytes"):
        for bank in load_chunks(path, encoding=encoding, size=size, **options):
            if len(bank):
                bank = bank if sentences else _with_repairs(bank, path)
                sentences += len(bank)
                yield bank
            del bank  # it must not stay in memory while the next one is read
    if not sentences:
        raise FormatError(path, "no sentence", "at least one")


def chunked_files(
    paths: Sequence[str],
    format: str | None = None,
    encoding: str | None = None,
    *,
    size: int | None = CHUNK,
    damaged: str | None = None,
) -> ChunkedSource:
    """Return some files, one after the other, as one source; each file is a part of it.

    damaged  what happens to damaged sentences; None if they stop reading and users have no choice
    """
    policy = damaged or DamagePolicy.STOP

    def chunks() -> Iterator[Chunk]:
        for part, path in enumerate(each(paths, "reading", "files")):
            try:
                if size is None:
                    yield Chunk(part, read(path, format, encoding=encoding, damaged=policy))
                    continue
                for bank in read_chunks(path, format, encoding=encoding, size=size, damaged=policy):
                    yield Chunk(part, bank)
                    del bank
            except FormatError as error:
                if damaged != DamagePolicy.STOP:
                    raise
                raise _with_options(error, path, format, encoding) from error

    # Several analyses of a sentence may be in any sentence, so all are examined.
    nbest = any(format_named(format or format_to_read(path)).nbest for path in paths)
    return ChunkedSource(list(paths), chunks(), is_read_ahead=nbest, is_of_files=True, read_again=chunks)


def _with_options(error: FormatError, path: str, format: str | None, encoding: str | None) -> FormatError:
    from crossbank.treebanks.damage.reading import with_options

    return with_options(error, path, REGISTRY.load(format or format_to_read(path)), encoding)


def is_folder_of_treebank(path: str | PathLike[str]) -> bool:
    """Return whether a path is a folder that is one treebank."""
    return bool(_format_of_folder(path))


def _format_of_folder(path: str | PathLike[str]) -> str:
    """Return the format of a folder that is one treebank, or "" for other paths."""
    folders = (format for format in FORMATS.values() if format.recognised_by)
    by_file = (one.name for one in folders if isfile(join(fspath(path), one.recognised_by)))
    return next(by_file, "") or _format_of_files(path)


def _format_of_files(path: str | PathLike[str]) -> str:
    """Return the format of a folder that is one treebank by the ending of all of its files."""
    if not isdir(path):
        return ""
    endings = {splitext(entry.name)[1] for entry in scandir(path) if not entry.name.startswith(".")}
    return next((one.name for one in FORMATS.values() if one.folder_of and endings == {one.folder_of}), "")


def files_of_folder(path: str | PathLike[str]) -> list[str]:
    """Return the files of the folder that is one treebank, given as itself or as any of them."""
    entries = sorted(scandir(_folder(path)), key=lambda entry: entry.name)
    return [entry.path for entry in entries if entry.is_file()]


def read_each(
    paths: Iterable[str | PathLike[str]],
    format: str | None = None,
    *,
    encoding: str | None = None,
    damaged: str = DamagePolicy.STOP,
) -> Iterator[Treebank]:
    """Yield the treebanks of some files, those of big ones in chunks, each read when it is requested.

    Files of one folder may be one treebank. Raises the errors of ``read``.
    """
    for path in each(one_of_each(paths, format), "reading", "files"):
        yield from read_chunks(path, format, encoding=encoding, damaged=damaged)


def one_of_each(paths: Iterable[str | PathLike[str]], format: str | None) -> list[str | PathLike[str]]:
    """Return one path for each treebank: of the files of a folder that is one treebank, the first."""
    paths_to_read: list[str | PathLike[str]] = []
    folders = set()
    for path in paths:
        if format_named(format or format_to_read(path)).folder:
            folder = _folder(path)
            if folder in folders:
                continue
            folders.add(folder)
        paths_to_read.append(path)
    return paths_to_read


def _folder(path: str | PathLike[str]) -> str:
    return fspath(path) if isdir(path) else dirname(fspath(path)) or "."


def read_all(
    patterns: Iterable[str],
    format: str | None = None,
    *,
    encoding: str | None = None,
    damaged: str = DamagePolicy.STOP,
) -> Treebank:
    """Read the sentences of several files, one after the other; names may have ``*``.

    Raises CrossbankError if it matches nothing, and the errors of ``read``.
    """
    named = read_named(patterns, format, encoding=encoding, damaged=damaged)
    return Treebank.concatenate([bank for _, bank in named])


def read_named(
    patterns: Iterable[str],
    format: str | None = None,
    *,
    encoding: str | None = None,
    damaged: str = DamagePolicy.STOP,
) -> list[tuple[str, Treebank]]:
    """Read the treebanks of several files, each with its path; names may have ``*``.

    Raises CrossbankError if it matches nothing, and the errors of ``read``.
    """
    chosen = each(paths_of(patterns, format), "reading", "files")
    return [(path, read(path, format, encoding=encoding, damaged=damaged)) for path in chosen]


def paths_of(patterns: Iterable[str], format: str | None = None) -> list[str]:
    """Return a path for each treebank that some patterns match, in the order of their names.

    Raises CrossbankError for a pattern that matches nothing.
    """
    paths: list[str] = []
    for pattern in patterns:
        matches = matching(pattern)
        if not matches:
            raise MissingFileError(pattern)
        paths += [fspath(path) for path in one_of_each(matches, format)]
    return paths


def write(bank: Treebank, path: str | PathLike[str], format: str | None = None) -> None:
    """Write a treebank in a named format, or in that of the file's suffix.

    Raises OptionError for a format that is unknown or only read, CrossbankError for an unknown suffix,
    ConversionError if a sentence has several analyses and the format cannot hold them.
    """
    name = format or format_to_write(path)
    refuse_unwritable(bank, name)
    with needing(f"the format {name}"), work(f"writing {fspath(path)}"):
        loaded = REGISTRY.load(name)
        if fspath(path) == STANDARD and not hasattr(loaded, "dumps"):
            raise CrossbankError(
                f"{path}: the format {name} is not text and cannot go to standard output; name a file"
            )
        loaded.dump(bank, path)


def refuse_unwritable(bank: Treebank, format: str) -> None:
    """Raise the errors of ``write`` for a format in which a treebank cannot be written."""
    if not isinstance(bank, Treebank):
        raise CrossbankError(f"found an object of type {type(bank).__name__} to write, expected a Treebank")
    chosen = format_named(format)
    if not chosen.written:
        written = [known.name for known in FORMATS.values() if known.written]
        raise OptionError("format to write", format, written)
    if not chosen.nbest and bank.has_several_analyses:
        holding = [known.name for known in FORMATS.values() if known.nbest]
        raise ConversionError(
            f"{bank.where(0)}: a sentence has several analyses, and {format} stores one for each; write "
            f"{one_of(holding)}, or keep one of each with {transformed('chosen_analyses')}"
        )


def refuse_dependencies_alone(bank: Treebank, target: str, source: str = "") -> None:
    """Raise ConversionError if a format of trees is to hold dependencies."""
    if format_named(target).trees and bank.has_dependencies and not bank.has_constituents:
        holding = [name for name, format in FORMATS.items() if "dependencies" in (format.holds or ())]
        raise ConversionError(
            f"{source or bank.where(0)}: there are dependencies but no trees to write as {target}; write "
            f"{one_of(holding)}"
        )


def format_named(name: str) -> Format:
    """Return a format by its name, an entry point's name, or ``module:format``.

    Raises OptionError for an unknown name, and for an object that cannot read.
    """
    if isinstance(name, str) and name in FORMATS:
        return FORMATS[name]
    if values := REGISTRY.values_of_other(name):
        return Format.declared(name, values)
    loaded = REGISTRY.load(name)
    if not (callable(loaded) or hasattr(loaded, "load")):
        raise OptionError("format", name, "a module or an object with load(path), or a function like it")
    if isinstance(declared := getattr(loaded, "FORMAT", None), Format):
        return replace(declared, name=name)
    return Format(name, written=hasattr(loaded, "dump"), nbest=getattr(loaded, "NBEST", False))
