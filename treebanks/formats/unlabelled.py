"""Brackets of constituents without labels and tags, as exchanged in the first evaluations of parsers.

Every bracket is a constituent, and all other strings are words::

    ((The prospect) (of (cutting back spending)))
    (((I)) ((see) ((Ed))))

A label may follow the opening bracket and precede the closing one, ``(S (NP Sue NP) (V sees V) S)``. It is
read as one if all brackets of a file that are not empty begin and end with the same string; in any other file
these strings are words. Brackets with labels at their beginning alone, ``(S (NP Sue) (V sees))``, are in the
format ``bracket``.

Each outermost bracket is a sentence, on one line or many; ``()`` is one without a parse. Files are recognised
if they begin with a word that is alone in three brackets, or with a bracket of words in small letters and
another one after it; name the format of others.

Source: Black et al. (1991), A Procedure for Quantitatively Comparing the Syntactic Coverage of English
Grammars, "Input format", b; Gaizauskas, Hepple and Huyck (1998), A Scheme for Comparative Evaluation of
Diverse Parsing Systems.
"""

from __future__ import annotations

from crossbank.treebanks.builder import TreebankBuilder
from crossbank.treebanks.errors import FormatError
from crossbank.treebanks.formats.format import Format
from crossbank.treebanks.formats.symbolic_expressions import (
    Expression,
    ExpressionError,
    ExpressionNotation,
    Item,
)
from crossbank.treebanks.formats.text_files import reading_text
from crossbank.treebanks.tables import NO_PARENT
from crossbank.treebanks.treebank import Treebank

FORMAT = Format(
    position=15,
    suffixes=(".unlabelled",),
    trees=True,
    written=False,
    begins=(
        r"\s*\(\s*\(\s*\(\s*[^\s()]+\s*\)",
        r"\s*\((\s*\()+\s*[A-Z][a-z']+(\s+[a-z'-]+)+\s*\)\s*\(\s*[a-z'-]+(\s+[a-z'-]+)*\s*\(",
    ),
    rank=2,
)

DAMAGE = "crossbank.treebanks.formats.damaged_lists:UNLABELLED"

NOTATION = ExpressionNotation(r"[^\s()]+", "words and brackets")


def _read(text: str, path: str) -> Treebank:
    """Read brackets. Raises FormatError for brackets without a counterpart and words outside of brackets."""
    builder = TreebankBuilder(source=path)
    try:
        with NOTATION.reading(text) as items:
            if not items:
                raise FormatError(path, "no bracket", "at least one")
            lines = NOTATION.lines(text)
            is_labelled = _has_labels(items)
            for index, (item, token) in enumerate(zip(items, items.tokens(), strict=False)):
                if isinstance(item, str):
                    raise NOTATION.error(text, items, index, "it in brackets", f"{item!r} outside brackets")
                builder.sentence(line=lines[token])
                _add(builder, item, is_labelled)
    except ExpressionError as error:
        raise error.in_file(path, text) from None
    return builder.build()


def _has_labels(items: Expression) -> bool:
    """Return whether all brackets that are not empty begin and end with the same string."""
    waiting: list[Item] = list(items)
    has_labels = False
    while waiting:
        item = waiting.pop()
        if isinstance(item, str) or not item:
            continue
        if len(item) < 2 or not isinstance(item[0], str) or item[0] != item[-1]:
            return False
        has_labels = True
        waiting += item
    return has_labels


def _add(builder: TreebankBuilder, tree: Expression, is_labelled: bool) -> None:
    """Add the constituents and words of a tree; ``()`` has none."""
    waiting: list[tuple[Item, int]] = [(tree, NO_PARENT)] if tree else []
    while waiting:
        item, parent = waiting.pop()
        if isinstance(item, str):
            builder.token(form=item, parent=parent)
            continue
        label = str(item[0]) if item and is_labelled else ""
        node = builder.node(label=label, parent=parent)
        children = item[1:-1] if is_labelled else item
        waiting += [(child, node) for child in reversed(children)]


load, loads = reading_text(_read)
