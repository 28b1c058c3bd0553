"""Sentences as ``conllu.TokenList``, with which users of the ``conllu`` package work, and back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from crossbank.treebanks.formats import conllu as conllu_format
from crossbank.treebanks.treebank import Treebank

if TYPE_CHECKING:
    from conllu import TokenList

FIELDS = ("id", "form", "lemma", "upos", "xpos", "feats", "head", "deprel", "deps", "misc")


def to_token_list(bank: Treebank, sentence: int) -> TokenList:
    """A sentence as ``conllu.parse`` gives it, its multiword tokens and empty nodes among the tokens.

    Two things are better: two spaces in a form do not end it, and a value in ``feats`` or ``misc`` may
    contain ``=``. A dictionary cannot hold two features or comments of the same name: the last one counts.
    A token list has no place for constituents.

    Raises ConversionError where a column has a tab or a line break.
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
        for place, (field, cell) in enumerate(zip(FIELDS, cells, strict=True)):
            token[field] = parsers[field](cells, place) if field in parsers else cell
        tokens.append(token)
    return TokenList(tokens, metadata, default_fields=FIELDS)


def from_token_lists(token_lists: Sequence[TokenList]) -> Treebank:
    """A treebank of token lists. Fields that a token does not have are empty.

    Raises FormatError, with the line that it would have in a file, where they are not CoNLL-U.
    """
    text = "".join(line + "\n" for tokens in token_lists for line in _lines(tokens))
    return conllu_format.loads(text)


def _lines(tokens: TokenList) -> list[str]:
    from conllu.serializer import serialize_field

    lines = [f"# {key} = {value}" if value else f"# {key}" for key, value in (tokens.metadata or {}).items()]
    for token in tokens:
        values = (token.get(field) for field in FIELDS)
        lines += ["\t".join("_" if value in ("", [], {}) else serialize_field(value) for value in values)]
    return [*lines, ""]


def _features(cells: Sequence[str], place: int) -> dict[str, str | None] | None:
    """``Case=Nom|Number=Sing`` as a dictionary; a feature without ``=`` has the empty value."""
    if cells[place] == "_":
        return None
    values: dict[str, str | None] = {}
    for feature in cells[place].split("|"):
        name, equals, value = feature.partition("=")
        if name not in ("", "_"):
            values[name] = (None if value in ("", "_") else value) if equals else ""
    return values
