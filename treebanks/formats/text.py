"""Plain text: one sentence a line, words separated by white space; an empty line has no words."""

from __future__ import annotations

from crossbank.treebanks.builder import TreebankBuilder
from crossbank.treebanks.files import decode
from crossbank.treebanks.formats.format import Format
from crossbank.treebanks.formats.streaming import after_last_line
from crossbank.treebanks.formats.text_files import reading_chunks, reading_text, writing
from crossbank.treebanks.formats.unwritable_strings import LINE_BREAK, refuse_strings
from crossbank.treebanks.treebank import Treebank

FORMAT = Format(
    position=230,
    suffixes=(".txt",),
    appended=True,
    holds=(),
    refuses=("words without letters",),
    changes=("words with spaces",),
)

DAMAGE = "crossbank.treebanks.formats.damaged_lists:TEXT"


def dumps(bank: Treebank) -> str:
    """Return the words of a treebank, a line for each sentence.

    Raises ConversionError for a word with a line break or without letters.
    """
    refuse_strings(bank, "text", {"tokens.form": rf"{LINE_BREAK}|^$"})
    return "".join(f"{' '.join(bank.words(sentence))}\n" for sentence in range(len(bank)))


def _read(text: str, source: str) -> Treebank:
    builder = TreebankBuilder(source)
    for number, line in enumerate(text.removesuffix("\n").split("\n"), 1):
        builder.sentence(line=number)
        builder.tokens(form=line.split())
    return builder.build()


load, loads = reading_text(_read)
load_chunks = reading_chunks(lambda data, source: _read(decode(data, source), source), after_last_line)
dump = writing(dumps)
