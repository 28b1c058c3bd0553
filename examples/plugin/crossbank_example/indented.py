"""Indented trees: a node on each line, further to the right than its parent; a leaf is a tag and a word.

A blank line ends a sentence::

    S
      NP
        NN rain

Source: the page "Add a format" of the documentation.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from crossbank.treebanks.builder import TreebankBuilder
from crossbank.treebanks.errors import FormatError
from crossbank.treebanks.formats.format import Format
from crossbank.treebanks.formats.text_files import reading_lines, writing
from crossbank.treebanks.formats.unwritable_strings import refuse_strings
from crossbank.treebanks.tables import NO_PARENT
from crossbank.treebanks.treebank import Treebank

FORMAT = Format(
    suffixes=(".ind",),
    trees=True,
    holds={"constituents", "tags"},
    refuses=(
        "words without letters",
        "words with spaces",
        "sentences without words",
        "discontinuous constituents",
    ),
)

STRINGS = ("tokens.form", "tokens.pos", "nodes.label")

EMPTY_OR_BLANK = r"\A\Z|[\s\0\ufeff]"


def dumps(bank: Treebank) -> str:
    """Return indented trees. Raises ConversionError for what FORMAT refuses, and for blanks in labels."""
    refuse_strings(bank, "indented", dict.fromkeys(STRINGS, EMPTY_OR_BLANK))
    text = []
    for sentence in range(len(bank)):
        if not len(bank[sentence]):
            raise bank.refused(sentence, "found a sentence without words, expected words")
        text += [*_written(bank[sentence].tree()), "\n"]
    return "".join(text)


def _read(lines: Iterable[tuple[int, str]], source: str) -> Treebank:
    """Read numbered lines. Raises FormatError, with the line, for more than a tag and a word."""
    builder = TreebankBuilder(source)
    above: list[tuple[int, int]] = []  # the nodes over the current line: column and position in the sentence
    is_first = True
    for number, line in lines:
        if not line.strip():
            above, is_first = [], True
            continue
        if is_first:
            builder.sentence(line=number)
            is_first = False
        column = len(line) - len(line.lstrip(" "))
        while above and above[-1][0] >= column:
            above.pop()
        parent = above[-1][1] if above else NO_PARENT
        label, *form = line.split()
        if len(form) > 1:
            raise FormatError(source, repr(line.strip()), "a label, or a tag and a word", line=number)
        if form:
            builder.token(form=form[0], pos=label, parent=parent)
        else:
            above.append((column, builder.node(label=label, parent=parent)))
    return builder.build()


def _written(tree: Any) -> Iterator[str]:
    """Yield the lines of a tree of NLTK; one without a label holds several roots."""
    waiting = [(child, 0) for child in reversed([tree] if tree.label() else tree)]
    while waiting:
        node, column = waiting.pop()
        is_leaf = isinstance(node[0], str)
        yield f"{' ' * column}{node.label()}{f' {node[0]}' if is_leaf else ''}\n"
        if not is_leaf:
            waiting += [(child, column + 2) for child in reversed(node)]


load, loads = reading_lines(_read)
dump = writing(dumps)
