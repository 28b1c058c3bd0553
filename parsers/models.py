"""Parsers by name, and the files that trained models are kept in.

A model file is a zip archive: ``model.json`` says which parser it is of, in which version of this format, its
options and what it was trained on; ``content.json`` holds the grammar or the weights as plain lists. The same
training gives the same bytes.
"""

from __future__ import annotations

import json
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from os import PathLike
from pathlib import Path
from typing import Any, Protocol, Self, get_type_hints

from crossbank.converters.scheme_files import SCHEMES
from crossbank.parsers.parsed import Inside, Parsed
from crossbank.treebanks import OptionError, Treebank
from crossbank.treebanks.errors import FormatError
from crossbank.treebanks.files import SAVE_AS_UTF_8, open_binary, read_text, unreadable
from crossbank.treebanks.memory import format_size, require
from crossbank.treebanks.registry import Registry, option_value

FORMAT = "crossbank model"
VERSION = 3

REGISTRY = Registry("parser", "module:Class")

PARSERS = REGISTRY.bundled
"""Where each of Crossbank's own parsers is; a module is imported when it is first used."""

DAMAGE = (LookupError, ValueError, TypeError, AttributeError, ArithmeticError, RuntimeError, EOFError)
"""The errors that Python and NumPy raise if a part of a model has another type than expected."""

MAX_MESSAGE = 200
"""Number of characters of another library's message that are displayed."""

ZIP = b"PK"
ENCRYPTED = 1
COMPRESSION = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)

SMALL_PART_BYTES = 1 << 24
"""Size up to which an unpacked part is accepted without a check of its compression ratio."""

MAX_COMPRESSION_RATIO = 100
"""Maximal ratio of unpacked to packed size. Models have a ratio of 5; deflate can reach 1,000 (zip bombs)."""

MEMORY_PER_TEXT_BYTE = 10
"""Bytes of memory that lists of numbers take per byte of their JSON text."""

EPOCH = (1980, 1, 1, 0, 0, 0)


class Parser(Protocol):
    """A trained parser.

    name           what it is called on the command line and in studies
    output         ``constituents`` or ``dependencies``
    probabilities  whether it has probabilities of sentences; without, ``inside`` raises OptionError
    options        a dataclass; its fields are what a user may choose
    scheme         the scheme that it was trained with, by its name or its file
    """

    name: str
    output: str
    probabilities: bool

    @property
    def options(self) -> Any:
        """Options that the user has chosen."""

    @property
    def scheme(self) -> str | None:
        """Scheme of the trees."""

    @classmethod
    def train(cls, bank: Treebank, scheme: str | None, options: Any) -> Self:
        """Learn from a treebank."""

    def describe(self) -> str:
        """Return the result of training, in a line."""

    def parse(self, bank: Treebank, best: int = 1) -> Parsed:
        """Return the ``best`` analyses of each sentence, the best first."""

    def inside(self, bank: Treebank, *, spelled: bool = True) -> Inside:
        """Return the probability of each sentence.

        spelled  whether an unknown word has the probability of its spelling, else that of its signature,
                 as in a parse

        Raises OptionError if the parser has no probabilities.
        """

    def content(self) -> dict[str, Any]:
        """Return the result of training, as plain lists."""

    @classmethod
    def of(cls, content: Mapping[str, Any], options: Any, scheme: str | None, where: str) -> Self:
        """Return a model from plain lists."""


TRAINED = "a model that crossbank train wrote"
"""What messages expect of a model file."""


class ModelError(FormatError):
    """A file that is not a model, or one of another version."""


@dataclass(frozen=True)
class Model:
    """A trained parser and the size of its training set: ``sentences`` and ``tokens``."""

    parser: Parser
    trained_on: Mapping[str, int]


def parser_class(name: str) -> Any:
    """Return the class of a parser. Raises OptionError for a name that is not known."""
    return REGISTRY.load(name)


def options_of_parser(name: str, values: Mapping[str, Any]) -> Any:
    """Return the options of a parser from a user's text.

    Raises OptionError for an unknown option or a value of another type.
    """
    options_class = parser_class(name).options_class
    hints = get_type_hints(options_class)
    allowed = [field.name for field in fields(options_class)]
    for option in values:
        if option not in allowed:
            raise OptionError(f"option of {name}", option, allowed)
    return options_class(
        **{option: option_value(option, value, hints[option]) for option, value in values.items()}
    )


def train(
    bank: Treebank, scheme: str | None, option_values: Mapping[str, Any], parser: str = "pcfg"
) -> Model:
    """Return a parser trained on a treebank, with options as a user wrote them.

    Raises OptionError for options, ConversionError if the treebank lacks the annotation from which the
    parser learns.
    """
    options = options_of_parser(parser, option_values)
    trained = parser_class(parser).train(bank, scheme, options)
    return Model(trained, {"sentences": len(bank), "tokens": len(bank.tokens)})


def save(model: Model, path: str | PathLike[str]) -> None:
    """Write a model file; the folder is made where it is missing."""
    parser = model.parser
    header = {
        "format": FORMAT,
        "version": VERSION,
        "parser": parser.name,
        "scheme": parser.scheme,
        "options": {field.name: getattr(parser.options, field.name) for field in fields(parser.options)},
        "trained_on": dict(model.trained_on),
    }
    target = Path(path)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, value in (("model.json", header), ("content.json", parser.content())):
                text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
                archive.writestr(zipfile.ZipInfo(name, EPOCH), text, zipfile.ZIP_DEFLATED)
    except OSError as error:
        raise unreadable(path, error) from error


def load(path: str | PathLike[str]) -> Model:
    """Read a model file, or a grammar as NLTK or BitPar write it.

    Raises ModelError if it is neither of these or has another version, and GrammarError if the
    probabilities of a symbol do not add up to one.
    """
    with open_binary(path) as stream:
        start = stream.read(2)
    return _load_archive(Path(path)) if start == ZIP else _load_grammar(Path(path))


def _load_archive(path: Path) -> Model:
    try:
        with zipfile.ZipFile(path) as archive:
            header = _load_part(archive, "model.json", path)
            if header["format"] != FORMAT:
                raise KeyError("format")
            if header["version"] != VERSION:
                actual = f"a model of version {header['version']}"
                raise ModelError(path, actual, f"version {VERSION} (train it again)")
            content = _load_part(archive, "content.json", path)
        parser, scheme, trained_on = header["parser"], header["scheme"], header["trained_on"]
        options = options_of_parser(parser, header["options"])
        made = parser_class(parser).of(content, options, scheme, str(path))
        is_named = scheme is None or (isinstance(scheme, str) and scheme.isprintable())
        if not (is_named and isinstance(trained_on, dict)):
            raise TypeError("model.json")
        if scheme is not None:
            SCHEMES.path(scheme, f"{path}: scheme")
    except (zipfile.BadZipFile, zlib.error, NotImplementedError, OSError, *DAMAGE) as error:
        raise ModelError(path, f"a damaged file ({str(error)[:MAX_MESSAGE]})", TRAINED) from error
    return Model(made, trained_on)


def _load_part(archive: zipfile.ZipFile, name: str, path: Path) -> Any:
    """Return a part of a model file, after a check of its size. Raises ModelError."""
    entry = archive.getinfo(name)
    if entry.flag_bits & ENCRYPTED:
        raise ModelError(path, f"a part with a password ({name})", TRAINED)
    if entry.compress_type not in COMPRESSION:
        raise ModelError(path, f"{name} in another compression (method {entry.compress_type})", "deflate")
    if entry.file_size > max(SMALL_PART_BYTES, MAX_COMPRESSION_RATIO * entry.compress_size):
        sizes = f"{format_size(entry.compress_size)} that unpack to {format_size(entry.file_size)}"
        raise ModelError(path, f"{sizes} ({name})", f"{MAX_COMPRESSION_RATIO} times their size at most")
    require(entry.file_size * MEMORY_PER_TEXT_BYTE, str(path), f"a model of {format_size(entry.file_size)}")
    return json.loads(archive.read(entry))


def _load_grammar(path: Path) -> Model:
    from crossbank.parsers import bitpar, nltk_grammars
    from crossbank.parsers.pcfg import Pcfg, PcfgOptions

    options = PcfgOptions(smoothing="none")
    if Path(f"{path}{bitpar.LEXICON}").is_file():
        return Model(Pcfg(bitpar.load(path), options), {})
    text = read_text(path, advice=SAVE_AS_UTF_8)
    if "->" not in text:
        lexicon = f"{path.name}{bitpar.LEXICON}"
        grammars = f"NLTK's rules A -> B C [0.5], or BitPar's rules with {lexicon} beside them"
        raise ModelError(path, "neither a model nor a grammar", f"{TRAINED}, {grammars}")
    return Model(Pcfg(nltk_grammars.loads(text, str(path)), options), {})
