"""Modes in Python: other programs' numbers as results, and their reports."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from os import PathLike, fspath
from tempfile import TemporaryDirectory
from types import NoneType
from warnings import warn

from crossbank.metrics.counting.scoring import in_view
from crossbank.metrics.modes.modes_by_name import evaluate, mode_named
from crossbank.metrics.modes.protocol import Call
from crossbank.reports.results.result import Result
from crossbank.scorer import is_iterable
from crossbank.treebanks import Treebank
from crossbank.treebanks.errors import (
    CrossbankError,
    CrossbankWarning,
    MissingAnnotationError,
    OptionError,
    shortened,
)
from crossbank.treebanks.formats import write
from crossbank.treebanks.formats.losses import unfit
from crossbank.treebanks.in_memory.elements import ElementType, find_element_type
from crossbank.treebanks.in_memory.sources import Source, named_source, treebank_of_source


def score_as_program(
    mode: str | None,
    gold: Source,
    candidate: Source,
    parameters: str | PathLike[str] | Mapping[str, object] | None,
    options: Mapping[str, object],
    reading: Mapping[str, str | None],
    is_given: Mapping[str, bool],
) -> Result:
    """Return the result of a mode, with the report that its program prints.

    is_given  arguments of ``score`` that no mode has, and whether each has a value

    What is in memory is put into files first: bracketed strings as they are, all else as written.
    Raises CrossbankError for arguments that do not work together, and the errors of ``evaluate``.
    """
    if mode is None:
        raise CrossbankError("parameters: they need a mode (mode=)")
    program = mode_named(mode)
    if wrong := [name for name, has_value in is_given.items() if has_value]:
        which = f"{' and '.join(wrong)}=, which {'work' if len(wrong) > 1 else 'works'} without a mode only"
        raise CrossbankError(f"mode {mode}: found {which}")
    with TemporaryDirectory() as folder:
        gold_file = _file(gold, "gold", f"{folder}/gold", program.format)
        candidate_file = _file(candidate, "candidate", f"{folder}/candidate", program.format)
        formats = dict(reading)
        for key, source in (("format", gold), ("candidate_format", candidate)):
            if not isinstance(source, (str, PathLike)):
                formats[key] = None
        if isinstance(parameters, Mapping):
            parameters = _parameter_file(parameters, f"{folder}/parameters")
        elif not isinstance(parameters, (str, PathLike, NoneType)):
            raise OptionError("parameters", parameters, "a path or a dictionary")
        try:
            read_as = (formats["format"], formats["candidate_format"], formats["encoding"])
            answer = evaluate(mode, Call(gold_file, candidate_file, parameters, options, *read_as))
            report, complaints, _ = answer.printed()
            counts = answer.counts()
        except CrossbankError as error:
            # What was in memory has no path that its owner knows.
            if folder not in str(error):
                raise
            raise CrossbankError(str(error).replace(f"{folder}/", "")) from error
    warnings = tuple(CrossbankWarning(shortened(line)) for line in (complaints + answer.notes).splitlines())
    if warnings:
        more = f" ({len(warnings)} such messages: result.warnings has all)" if len(warnings) > 1 else ""
        warn(CrossbankWarning(f"{mode}: {warnings[0]}{more}"), stacklevel=3)
    return Result(counts, (), named_source(candidate), warnings, mode, report)


def _file(source: Source, name: str, path: str, format: str) -> str:
    """Return the path of a source, which is written where it has none."""
    if (
        isinstance(source, (str, PathLike))
        and find_element_type(source) is not None
        and not str(source).startswith("(")
    ):
        return fspath(source)
    if is_iterable(source):
        elements: Sequence[object] = list(source) if isinstance(source, Iterable) else []
        bank = treebank_of_source(elements if isinstance(source, Iterable) else source, name)
        if format == "bracket" and all(
            find_element_type(one) in (ElementType.BRACKETS, ElementType.NONE) for one in elements
        ):
            lines = (" ".join(str(one or "").split()) for one in elements)
            with open(path, "w", encoding="utf-8") as stream:
                stream.writelines(f"{line}\n" for line in lines)
            return path
    else:
        bank = treebank_of_source(source, name)
    assert isinstance(bank, Treebank)
    if format in ("bracket", "discbracket") and (bank.has_dependencies or bank.has_relations):
        in_view(bank, "constituents", None)
    if format == "conllx" and bank.lacks("dependencies"):
        raise MissingAnnotationError(bank.where(0), "dependencies")
    if format == "discbracket" and "several roots" in unfit(bank, format):
        format = "export"  # over several roots disco-dop puts ROOT, as it does in its own files
    suffixed = f"{path}.{format}"
    write(bank, suffixed, format)
    return suffixed


def _parameter_file(parameters: Mapping[str, object], path: str) -> str:
    """Write a parameter file with a line for each value.

    The values are given as ``{"DELETE_LABEL": ["TOP"], "EQ_WORD": [("a", "b")]}``.
    """
    lines: list[str] = []
    for key, values in parameters.items():
        several = values if isinstance(values, (list, tuple, set, frozenset)) else [values]
        if isinstance(values, tuple) and key.startswith("EQ_") and all(isinstance(v, str) for v in values):
            several = [values]
        lines += [
            f"{key} {' '.join(map(str, value)) if isinstance(value, (list, tuple)) else value}"
            for value in several
        ]
    with open(path, "w", encoding="utf-8") as stream:
        stream.writelines(f"{line}\n" for line in lines)
    return path
