"""Conversion between sentences and ``conllu.TokenList`` of the package ``conllu``."""

from __future__ import annotations

from collections.abc import Sequence
from types import NoneType
from typing import TYPE_CHECKING, Any

import numpy as np

from crossbank.treebanks.errors import FormatError
from crossbank.treebanks.formats import conllu as conllu_format
from crossbank.treebanks.in_memory.elements import ElementError
from crossbank.treebanks.treebank import Treebank

if TYPE_CHECKING:
    from conllu import TokenList

FIELDS = ("id", "form", "lemma", "upos", "xpos", "feats", "head", "deprel", "deps", "misc")


def to_token_list(bank: Treebank, sentence: int) -> TokenList:
    """Return a sentence like the result of ``conllu.parse``, including multiword tokens and empty nodes.

    Two things differ: two spaces in a form do not end it, and a value in ``feats`` or ``misc`` may
    contain ``=``. A dictionary cannot hold two features or comments of the same name: the last one counts.
    A token list cannot hold constituents.

    Raises ConversionError if a column has a tab or a line break.
    """
    from conllu import Token, TokenList
    from conllu.models import Metadata
    from conllu.parser import DEFAULT_FIELD_PARSERS, parse_comment_line

    parsers: dict[str, Any] = DEFAULT_FIELD_PARSERS | {"feats": _features, "misc": _features}
    metadata = Metadata()
    tokens = []
    for line in conllu_format.dumps(bank.select([sentence])).rstrip("\n").split("\n"):
        if line.startswith("#"):
            metadata.update(parse_comment_line(line))
            continue
        cells = line.split("\t")
        token = Token()
        for index, (field, cell) in enumerate(zip(FIELDS, cells, strict=True)):
            token[field] = parsers[field](cells, index) if field in parsers else cell
        tokens.append(token)
    return TokenList(tokens, metadata, default_fields=FIELDS)


def from_token_lists(token_lists: Sequence[TokenList]) -> Treebank:
    """Return a treebank of token lists. Fields that a token does not have are empty.

    Raises FormatError, with the line that it would have in a file, if they are not CoNLL-U.
    """
    return conllu_format.loads("".join(map(_text, token_lists)))


def treebank_of(token_lists: Sequence[TokenList | str | None], name: str, first: int = 0) -> Treebank:
    """Return a treebank with a sentence for each token list; None and "" have no parse.

    Raises ElementError for anything else.
    """
    # An empty element is one sentence without words.
    texts = [
        NO_PARSE if isinstance(one, (str, NoneType)) or not (len(one) or one.metadata) else _text(one)
        for one in token_lists
    ]
    try:
        bank = conllu_format.loads("".join(texts))
        count = len(bank)
    except FormatError:
        count = -1
    if count != len(texts):
        for index, text in enumerate(texts, first):
            try:
                sentence_count = len(conllu_format.loads(text))
            except FormatError as error:
                raise ElementError(name, index, error.actual, error.expected) from error
            if sentence_count != 1:
                raise ElementError(name, index, f"{sentence_count} sentences", "one")
    vocabulary, codes = bank.vocabulary.extended([name])
    sentences = bank.sentences.replace(source=np.repeat(codes, count), line=np.zeros(count, np.int32))
    return bank.replace(vocabulary=vocabulary, sentences=sentences)


NO_PARSE = "# no parse\n\n"
"""The text of a sentence without words."""


def _text(tokens: TokenList) -> str:
    from conllu.serializer import serialize_field

    lines = [f"# {key} = {value}" if value else f"# {key}" for key, value in (tokens.metadata or {}).items()]
    for token in tokens:
        values = (token.get(field) for field in FIELDS)
        lines += ["\t".join("_" if value in ("", [], {}) else serialize_field(value) for value in values)]
    return "\n".join([*lines, "", ""])


def _features(cells: Sequence[str], index: int) -> dict[str, str | None] | None:
    """Return ``Case=Nom|Number=Sing`` as a dictionary; a feature without ``=`` has the empty value."""
    if cells[index] == "_":
        return None
    values: dict[str, str | None] = {}
    for feature in cells[index].split("|"):
        name, equals, value = feature.partition("=")
        if name not in ("", "_"):
            values[name] = (None if value in ("", "_") else value) if equals else ""
    return values
