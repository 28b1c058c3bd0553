r"""CCGbank's dependencies: ``1  0  N/N  1  Vinken Pierre`` between ``<s id="wsj_0001.1"> 17`` and ``<\s>``.

A line names the argument's place from 0, the functor's, the functor's lexical category, the slot that is
filled, and both words; a seventh column ``<XB>`` or ``<XU>`` says that the argument is extracted (bounded
or unbounded). In the treebank a dependency is a relation: ``name`` is the category, ``type`` the slot, head
and dependent are functor and argument, and ``initial_gr`` the seventh column without its brackets. The
number behind the identifier, the place of the last word, is a comment.

Source: Hockenmaier, Julia and Mark Steedman (2005): CCGbank: User's Manual, section 3.5.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from os import PathLike

from crossbank.treebanks.builder import TreebankBuilder
from crossbank.treebanks.errors import ConversionError, FormatError
from crossbank.treebanks.files import clean, write_text
from crossbank.treebanks.files import lines as lines_of
from crossbank.treebanks.formats.category_columns import refuse_bad_categories
from crossbank.treebanks.tables import NO_TOKEN, whole_number
from crossbank.treebanks.treebank import Treebank

BEGIN = re.compile(r'<s id="([^"]*)">\s*(.*)')
END = ("<\\s>", "</s>")
COLUMNS = 6


def load(path: str | PathLike[str], *, encoding: str | None = None) -> Treebank:
    """Read a file of dependencies. Raises FormatError, with its line, for a line that does not read."""
    return _read(lines_of(path, encoding), str(path))


def loads(text: str) -> Treebank:
    """Read dependencies from a string: see ``load``."""
    return _read(enumerate(clean(text, "text").splitlines(), 1), "text")


def _read(lines: Iterable[tuple[int, str]], source: str) -> Treebank:
    builder = TreebankBuilder(source)
    sentence = ""
    number = 0
    for number, line in lines:
        text = line.strip()
        if not text:
            continue
        begin = BEGIN.fullmatch(text)
        if begin is not None:
            if sentence:
                raise FormatError(source, "a new sentence", f"<\\s> after sentence {sentence}", line=number)
            sentence = begin[1]
            builder.sentence(id=sentence, line=number, comments=begin[2])
        elif text in END and sentence:
            sentence = ""
        elif not sentence:
            raise FormatError(source, repr(text[:40]), '<s id="..."> before dependencies', line=number)
        else:
            _dependency(builder, text, source, number)
    if sentence:
        raise FormatError(source, "the end of the file", f"<\\s> after sentence {sentence}", line=number)
    bank = builder.build()
    refuse_bad_categories(bank)
    return bank


def _dependency(builder: TreebankBuilder, text: str, source: str, line: int) -> None:
    columns = text.split()
    if len(columns) not in (COLUMNS, COLUMNS + 1) or not all(
        columns[place].isdecimal() for place in (0, 1, 3)
    ):
        raise FormatError(
            source, repr(text[:60]), "argument, functor, category, slot and both words", line=line
        )
    argument, functor, category, slot, argument_word, functor_word = columns[:COLUMNS]
    builder.relation(
        name=category,
        type=slot,
        initial_gr=columns[COLUMNS].strip("<>") if len(columns) > COLUMNS else "",
        head_index=whole_number(functor),
        head_word=functor_word,
        dependent_index=whole_number(argument),
        dependent_word=argument_word,
    )


def dump(bank: Treebank, path: str | PathLike[str], *, encoding: str = "utf-8") -> None:
    """Write the dependencies of a treebank: see ``dumps``."""
    write_text(path, dumps(bank), encoding)


def dumps(bank: Treebank) -> str:
    """The dependencies of a treebank, one on each line.

    Raises ConversionError for a relation whose words are not known by their places, or that has no slot.
    """
    table = bank.relations
    decode = bank.vocabulary.decode
    written: list[str] = []
    for sentence in range(len(bank)):
        rows = table.rows(sentence)
        last = decode(bank.sentences.comments[sentence : sentence + 1])[0]
        if not last.isdecimal():
            places = [*table.head_index[rows].tolist(), *table.dependent_index[rows].tolist(), 0]
            last = str(max(int(bank.tokens.lengths()[sentence]) - 1, *places))
        written.append(f'<s id="{bank.sentence_id(sentence)}"> {last}')
        for functor, argument, category, slot, functor_word, argument_word, extracted in zip(
            table.head_index[rows].tolist(),
            table.dependent_index[rows].tolist(),
            decode(table.name[rows]),
            decode(table.type[rows]),
            decode(table.head_word[rows]),
            decode(table.dependent_word[rows]),
            decode(table.initial_gr[rows]),
            strict=True,
        ):
            if NO_TOKEN in (functor, argument) or not slot.isdecimal():
                found = (
                    "whose words have no places"
                    if slot.isdecimal()
                    else f"{category} without the number of a slot"
                )
                raise ConversionError(
                    f"{bank.where(sentence)}: sentence {bank.sentence_id(sentence)}: found a relation "
                    f"{found}, expected a dependency of CCG"
                )
            columns = (argument, functor, category, slot, argument_word, functor_word)
            tail = f" <{extracted}>" if extracted else ""
            written.append("\t".join(map(str, columns)) + tail)
        written.append("<\\s>")
    return "\n".join(written) + "\n"
