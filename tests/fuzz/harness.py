"""What a reader may do with any file: make tables of it that fit together, or say what is wrong."""

from __future__ import annotations

from pathlib import Path

from crossbank.converters.scheme_files import load_scheme
from crossbank.metrics.counting.scoring import score, scoring_of
from crossbank.parsers.models import load
from crossbank.reports.study.reading import load_study
from crossbank.treebanks import CrossbankError, Treebank
from crossbank.treebanks.formats import FORMATS, bracket, conllu, read
from crossbank.treebanks.validation import unsound
from tests.fuzz.seeds import COLUMNS, MODEL, SCHEME, STUDY, TABLE, TABLES, TREES, YAML


class UnsoundError(AssertionError):
    """A treebank whose tables do not fit together."""


def answer(kind: str, data: bytes, folder: Path) -> str:
    """Read a file and run loops over what is in it. Returns the error's message, empty where there is none.

    Errors that are not the project's own are raised.
    """
    path = _written(kind, data, folder)
    try:
        if kind.startswith(MODEL):
            parser = load(path).parser
            parser.parse(conllu.loads(COLUMNS) if parser.output == "dependencies" else bracket.loads(TREES))
        elif kind == STUDY:
            load_study(path, present=False)
        elif kind == SCHEME:
            load_scheme(path)
        else:
            _used(read(path, kind))
    except CrossbankError as error:
        return str(error) or "an error without a message"
    return ""


def _written(kind: str, data: bytes, folder: Path) -> Path:
    """Return the file, or the folder of its tables."""
    suffixes = FORMATS[kind].suffixes if kind in FORMATS else ()
    path = folder / f"damaged{suffixes[0] if suffixes else '.yaml' if kind in YAML else ''}"
    if not kind.startswith(TABLES):
        path.write_bytes(data)
        return path
    path.mkdir(exist_ok=True)
    for file in path.iterdir():
        file.unlink()
    for part in data.split(TABLE.encode()):
        name, _, text = part.partition(b"\n")
        if name in (b"relations", b"item", b"parse", b"result", b"tree", b"preference"):
            (path / name.decode()).write_bytes(text)
    return path


def _used(bank: Treebank) -> None:
    """Loops over the tables: what a reader lets through must not make them reach past an array."""
    if problem := unsound(bank):
        raise UnsoundError(problem.told)
    metrics = [
        *(("parseval", "leaf_ancestor") if bank.has_constituents else ()),
        *(("dependencies",) if bank.has_dependencies else ()),
        *(("relations",) if bank.has_relations else ()),
    ]
    for metric in metrics:
        score(bank, bank, scoring_of([metric], {}))
