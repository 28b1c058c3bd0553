r"""Dependencies in the notation of the C&C tools: ``bought_3 (S[dcl]\NP)/NP 2 shares_2``, one on each line.

A line names the functor with its position from 1, its lexical category, the slot, and the argument; a fifth
column is the number of the rule that made the dependency, and a sixth one the category that mediates it:
that of a word that relates functor and argument. The category may be marked
(``((S[dcl]{_}\NP{Y}<1>){_}/NP{Z}<2>){_}``) or not. A line ``<c> word|tag|category ...``, or with
``word|lemma| tag|chunk|entity|category``, gives the sentence's words. A blank line ends a sentence: two
blank lines one after the other are a sentence without an analysis. Comments (``#``) and the blank line
after the first of them are ignored, and so is a ``<c>`` without words before the first sentence.

In the treebank a dependency is a relation: ``name`` is the category as written, ``type`` the slot,
head and dependent are functor and argument, and ``initial_gr`` the number of the rule, after which a
mediating category follows as in the file. Words have their ``pos`` (the category), ``xpos``, ``lemma``, and
``misc`` (``Chunk=I-NP|Entity=O``).

Source: Clark, Stephen and James R. Curran (2007): Wide-Coverage Efficient Statistical Parsing with CCG and
Log-Linear Models, section 9; the files of their evaluation.
"""

from __future__ import annotations

from collections.abc import Iterable

from crossbank.formalisms.ccg.ccg_categories import refuse_bad_categories
from crossbank.formalisms.ccg.formats.parg import ccg_dependencies
from crossbank.treebanks.builder import TreebankBuilder
from crossbank.treebanks.errors import FormatError
from crossbank.treebanks.formats.format import Format
from crossbank.treebanks.formats.text_files import reading_lines, writing
from crossbank.treebanks.formats.unwritable_strings import refuse_strings
from crossbank.treebanks.tables import LARGEST, whole_number
from crossbank.treebanks.treebank import Treebank

FORMAT = Format(
    position=140,
    suffixes=(".gold_deps",),
    relations=True,
    holds={"relations", "tags", "further tags"},
    begins=(r"(#[^\n]*\n)*\s*\S+_[0-9]+ \S+ [0-9]+ \S+_[0-9]+",),
    rank=1,
)

DAMAGE = "crossbank.formalisms.ccg.formats.damaged_ccg:CANDC"

WORDS = "<c>"
SHORT, LONG = ("form", "xpos", "pos"), ("form", "lemma", "xpos", "chunk", "entity", "pos")
"""The fields of a word, separated by bars."""


UNWRITABLE = {
    "relations.head_word": r"\s|^$|^#|^<c>",
    "relations.dependent_word": r"\s|^$",
    "relations.initial_gr": r"^(?!(\S+( \S+)?)?\Z)",
    "tokens.form": r"\s|^$|\|.*\|.*\|",
    "tokens.lemma": r"\s|\|",
    "tokens.xpos": r"\s|\|",
    "tokens.pos": r"\|",
    "tokens.misc": r"^Chunk=(?![^\s|]*\|Entity=[^\s|]*\Z)",
}
"""Strings, by column, that would end a column, a field or a line, or begin a comment."""


def _read(lines: Iterable[tuple[int, str]], source: str) -> Treebank:
    builder = TreebankBuilder(source)
    block: list[tuple[int, str]] = []
    comments: list[str] = []
    begun = started = False
    number = 0
    for number, line in lines:
        text = line.strip()
        if text.startswith("#"):
            comments.append(text[1:].strip())
        elif text:
            block.append((number, text))
        elif comments and not begun and not block:
            begun = True  # the blank line after the head of the file
        elif not started and [text for _, text in block] == [WORDS]:
            block, begun = [], True
        else:
            _sentence(builder, block, comments, source, number)
            block, comments, begun, started = [], [], True, True
    if block:
        _sentence(builder, block, comments, source, number)
    bank = builder.build()
    if not len(bank):
        raise FormatError(source, "no sentence", "at least one")
    refuse_bad_categories(bank)
    return bank


def _sentence(
    builder: TreebankBuilder, block: list[tuple[int, str]], comments: list[str], source: str, end: int
) -> None:
    builder.sentence(line=block[0][0] if block else end, comments="\n".join(comments))
    for number, text in block:
        if text.startswith(WORDS):
            for word in text.split()[1:]:
                _word(builder, word, source, number)
        else:
            _dependency(builder, text, source, number)


def _word(builder: TreebankBuilder, word: str, source: str, line: int) -> None:
    names = LONG if word.count("|") >= len(LONG) - 1 else SHORT
    fields = word.rsplit("|", len(names) - 1)
    if len(fields) != len(names):
        raise FormatError(source, repr(word), "word|tag|category", line=line)
    known = dict(zip(names, fields, strict=True))
    chunk, entity = known.pop("chunk", ""), known.pop("entity", "")
    builder.token(**known, misc=f"Chunk={chunk}|Entity={entity}" if chunk else "")


def _dependency(builder: TreebankBuilder, text: str, source: str, line: int) -> None:
    columns = text.split()
    if len(columns) not in (4, 5, 6) or not columns[2].isdecimal():
        raise FormatError(source, repr(text[:60]), "functor_1 category slot argument_2", line=line)
    functor, functor_index = _placed(columns[0], source, line)
    argument, argument_index = _placed(columns[3], source, line)
    builder.relation(
        name=columns[1],
        type=columns[2],
        initial_gr=" ".join(columns[4:]),
        head_index=functor_index,
        head_word=functor,
        dependent_index=argument_index,
        dependent_word=argument,
    )


def _placed(written: str, source: str, line: int) -> tuple[str, int]:
    """Return a word and its index from 0: ``shares_2``."""
    word, _, position = written.rpartition("_")
    if not word or not position.isdecimal() or position == "0" or whole_number(position) == LARGEST:
        expected = "a word with its position from 1, as in shares_2"
        raise FormatError(source, repr(written[:60]), expected, line=line)
    return word, whole_number(position) - 1


def dumps(bank: Treebank) -> str:
    """Return the dependencies of a treebank, after them the words with their categories where they are known.

    Raises ConversionError for a relation whose words have no known position, or that has no slot, and
    for white space and bars in words; FormatError for categories that ``load`` would refuse.
    """
    refuse_bad_categories(bank)
    refuse_strings(bank, "candc", UNWRITABLE)
    written = ["# dependencies of CCG, in the notation of the C&C tools", ""]
    for sentence in range(len(bank)):
        for one in ccg_dependencies(bank, sentence):
            functor, argument = (f"{word.word}_{word.token + 1}" for word in (one.head, one.dependent))
            tail = f" {one.initial_gr}" if one.initial_gr else ""
            written.append(f"{functor} {one.name} {one.type} {argument}{tail}")
        words = bank.cells("tokens", sentence, "form", "lemma", "xpos", "misc", "pos")
        if words and all(category for *_, category in words):
            written.append(" ".join([WORDS, *(_written_word(*word) for word in words)]))
        written.append("")
    return "\n".join(written) + "\n"


def _written_word(form: str, lemma: str, tag: str, misc: str, category: str) -> str:
    if not misc.startswith("Chunk="):
        return f"{form}|{tag or 'XX'}|{category}"
    chunk, _, entity = misc.removeprefix("Chunk=").partition("|Entity=")
    return "|".join((form, lemma, tag, chunk, entity, category))


load, loads = reading_lines(_read)
dump = writing(dumps)
