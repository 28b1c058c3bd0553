r"""CCGbank's dependencies: ``1  0  N/N  1  Vinken Pierre`` between ``<s id="wsj_0001.1"> 17`` and ``<\s>``.

A line has the indices of argument and functor, from 0, the functor's lexical category, the slot that is
filled, and both words; a seventh column ``<XB>`` or ``<XU>`` says that the argument is extracted (bounded
or unbounded). In the treebank a dependency is a relation: ``name`` is the category, ``type`` the slot, head
and dependent are functor and argument, and ``initial_gr`` the seventh column without its brackets. The
number after the identifier, the position of the last word, is a comment.

Source: Hockenmaier, Julia and Mark Steedman (2005): CCGbank: User's Manual, section 3.5.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from crossbank.formalisms.ccg.ccg_categories import refuse_bad_categories
from crossbank.treebanks.builder import TreebankBuilder
from crossbank.treebanks.errors import FormatError
from crossbank.treebanks.formats.format import Format
from crossbank.treebanks.formats.text_files import reading_lines, writing
from crossbank.treebanks.formats.unwritable_strings import LINE_BREAK, refuse_strings
from crossbank.treebanks.relations.relation import Relation, relations_of
from crossbank.treebanks.tables import NO_TOKEN, whole_number
from crossbank.treebanks.treebank import Treebank

FORMAT = Format(
    position=130,
    suffixes=(".parg",),
    relations=True,
    holds={"relations", "identifiers"},
    begins=(r'\s*<s id="',),
)

DAMAGE = "crossbank.formalisms.ccg.formats.damaged_ccg:PARG"

BEGIN = re.compile(r'<s id="([^"]*)">\s*(.*)')
END = ("<\\s>", "</s>")
COLUMNS = 6
NO_NAME = '<s id="damaged"> 0'
"""The beginning of a sentence whose own is damaged."""


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
    numbers = (columns[index].isdecimal() for index in (0, 1, 3))
    if len(columns) not in (COLUMNS, COLUMNS + 1) or not all(numbers):
        expected = "argument, functor, category, slot and both words"
        raise FormatError(source, repr(text[:60]), expected, line=line)
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


UNWRITABLE = {
    "relations.head_word": r"\s|^$",
    "relations.dependent_word": r"\s|^$",
    "relations.name": r"\s|^$",
    "relations.initial_gr": r"[\s<>]",
    "sentences.id": rf'{LINE_BREAK}|"',
}
"""Strings, by column, that would end a column or a line."""


def dumps(bank: Treebank) -> str:
    """Return a dependency on each line.

    Raises ConversionError for a relation without indices or slot, and for blanks in words; FormatError for
    categories that ``load`` would refuse.
    """
    refuse_bad_categories(bank)
    refuse_strings(bank, "parg", UNWRITABLE)
    written: list[str] = []
    for sentence in range(len(bank)):
        dependencies = list(ccg_dependencies(bank, sentence))
        ((last,),) = bank.cells("sentences", sentence, "comments")
        if not last.isdecimal():
            indices = [word.token for one in dependencies for word in (one.head, one.dependent)]
            last = str(max(len(bank.words(sentence)) - 1, *indices, 0))
        written.append(f'<s id="{bank.sentence_id(sentence)}"> {last}')
        for one in dependencies:
            argument, functor = one.dependent, one.head
            columns = (argument.token, functor.token, one.name, one.type, argument.word, functor.word)
            tail = f" <{one.initial_gr}>" if one.initial_gr else ""
            written.append("\t".join(map(str, columns)) + tail)
        written.append("<\\s>")
    return "\n".join(written) + "\n"


def ccg_dependencies(bank: Treebank, sentence: int) -> Iterator[Relation]:
    """Yield the dependencies of a sentence. Raises ConversionError for another relation."""
    for one in relations_of(bank, sentence):
        problem = "whose words have no indices" if NO_TOKEN in (one.head.token, one.dependent.token) else ""
        if not one.type.isdecimal():
            problem = f"{one.name} without the number of a slot"
        if problem:
            raise bank.refused(sentence, f"found a relation {problem}, expected a CCG dependency")
        yield one


load, loads = reading_lines(_read)
dump = writing(dumps)
