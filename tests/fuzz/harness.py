"""What a reader may do with any file: make tables of it that fit together, or say what is wrong."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

from crossbank.converters.scheme_files import load_scheme
from crossbank.parsers.models import load
from crossbank.reports.study.reading import load_study
from crossbank.treebanks import CrossbankError
from crossbank.treebanks.formats import FORMATS, bracket, conllu, read
from crossbank.treebanks.yaml_nodes import FileDiagnostic, YamlError
from tests.fuzz.mutations import damaged
from tests.fuzz.random_treebanks import random_treebank
from tests.fuzz.seeds import COLUMNS, MODEL, RANDOM, SCHEME, STUDY, TABLE, TABLES, TREES, YAML, seeds
from tests.fuzz.uses import require_sound, use_file, use_scheme, use_treebank


def read_and_use(kind: str, data: bytes, folder: Path, number: int = 0) -> str:
    """Read a file and use what is in it. Returns the error of reading it, empty where there is none.

    ``number`` says what is done with a treebank (``tests.fuzz.uses``). Errors that are not the project's own
    are raised.
    """
    path = _written(kind, data, folder)
    if kind in FORMATS:
        other = _written(kind, _other(kind, number), folder, "other")
        use_file(path, other, kind, number)
    try:
        if kind == RANDOM:
            draw = random.Random(data)
            use_treebank(random_treebank(draw), number, lambda: random_treebank(draw), folder)
        elif kind.startswith(MODEL):
            parser = load(path).parser
            parser.parse(conllu.loads(COLUMNS) if parser.output == "dependencies" else bracket.loads(TREES))
        elif kind == STUDY:
            load_study(path, present=False)
        elif kind == SCHEME:
            use_scheme(load_scheme(path), bracket.loads(TREES), number)
        else:
            bank = read(path, kind)
            require_sound(bank)
            use_treebank(bank, number, lambda: read(other, kind), folder)
    except CrossbankError as error:
        return str(error) or "an error without a message"
    return ""


def read_damaged(
    kind: str, data: bytes, folder: Path
) -> Iterator[tuple[CrossbankError | FileDiagnostic, Path]]:
    """Yield the errors of reading a treebank, a study or a scheme, each with the path of the file."""
    path = _written(kind, data, folder)
    try:
        if kind == STUDY:
            load_study(path, present=False)
        elif kind == SCHEME:
            load_scheme(path)
        else:
            read(path, kind)
    except YamlError as error:
        yield from ((one, path) for one in error.diagnostics or [error])
    except CrossbankError as error:
        yield error, path


def _other(kind: str, number: int) -> bytes:
    """Return a second file of a format: a sound one, or one that is damaged."""
    draw = random.Random(number)
    data = draw.choice(seeds()[kind])
    return damaged(kind, data, draw.randrange) if draw.random() < 0.5 else data


def _written(kind: str, data: bytes, folder: Path, name: str = "damaged") -> Path:
    """Return the file, or the folder of its tables."""
    suffixes = FORMATS[kind].suffixes if kind in FORMATS else ()
    path = folder / f"{name}{suffixes[0] if suffixes else '.yaml' if kind in YAML else ''}"
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
