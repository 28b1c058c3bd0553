"""Mode ``conll18``: the official scores of the CoNLL 2018 shared task, with its table.

Zeman et al. (2018): CoNLL 2018 Shared Task: Multilingual Parsing from Raw Text to Universal Dependencies,
section 5. The numbers are those of ``conll18_ud_eval.py`` 1.2 (Straka and Popel). That program aligns the
words of two files; only their text must be the same. A sentence that is not a tree, a different text or
a line that is not CoNLL-U ends the program, and this mode. The metric of the same name counts such a
sentence as unscored and goes on.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Literal

import numpy as np

from crossbank.compat.conll18.enhanced_scores import ENHANCED, enhanced
from crossbank.compat.conll18.enhancement_filters import check_enhancements
from crossbank.compat.conll18.official_reading import OpenFile, load
from crossbank.compat.conll18.official_scores import MEASURES, TABLE, UNALIGNED, aligned, count, f1
from crossbank.compat.conll18.stretches_of_text import TextWords, words_of
from crossbank.metrics.counting.counts import Counts, Signature
from crossbank.metrics.modes.modes_by_name import Mode
from crossbank.metrics.modes.protocol import Answer, Call, Output
from crossbank.metrics.pairing.pair import Status
from crossbank.plugins.packages import PlugIn
from crossbank.treebanks.errors import FormatError, OptionError
from crossbank.treebanks.named_arguments import argument

PLUG_IN = PlugIn(title="reports of conll18_ud_eval.py")

MODE = Mode(
    position=50,
    program="conll18_ud_eval.py 1.2",
    format="conllu",
    measures="crossbank.compat.conll18.official_scores:ALL_MEASURES",
    others="empty nodes in multiword tokens are skipped as since 2.0; they end version=1.2",
)


def evaluate(call: Call) -> Answer:
    """Score two files as with the official ``-v``; ``counts=yes`` is ``-c``, ``table=no`` neither of them.

    ``enhanced=yes`` adds ELAS and EULAS to the table. ``enhancements=126`` is ``--enhancements 126`` of the
    script of the shared tasks of 2020 and 2021: each digit leaves out a type that a treebank does not have.

    ``version`` is that of the program. Version 1.2 reads an empty node within a multiword token as one of
    its words, and usually ends there; later versions (2.x) skip it. Raises OptionError for
    another option and for a parameter file; FormatError, with the line, for whatever ends the official
    program: a line that is not CoNLL-U, a sentence that is not a tree, other text.
    """
    option_types = {
        **dict.fromkeys(("counts", "enhanced"), (bool, "no")),
        "enhancements": (str, "0"),
        "table": (bool, "yes"),
        "version": (Literal["1.2", "2.x"], "2.x"),
    }
    as_counts, is_enhanced, enhancements, as_table, version = call.settings("conll18", option_types)
    if not as_table and (as_counts or is_enhanced):
        raise OptionError("table", "no", "yes with counts or enhanced")
    enhancements = check_enhancements(enhancements)
    if enhancements != "0" and not is_enhanced:
        raise OptionError("enhancements", enhancements, "0, or enhanced=yes beside it")
    gold, system = call.read_both(partial(load, skips_empty=version == "2.x", with_deps=is_enhanced))
    gold_words, system_words = words_of(gold.columns, system.columns)
    for file, words in ((gold, gold_words), (system, system_words)):
        empty = words.spans.token_start == words.spans.token_end
        if empty.any():
            raise file.source.error(
                _line_offset(file, words, int(empty.argmax())), "a form of spaces", "a form"
            )
    if gold_words.text != system_words.text:
        raise _other_text(system, gold_words, system_words)
    counterpart = aligned(gold_words, system_words)
    columns = count(gold_words, system_words, counterpart)
    more: tuple[str, ...] = ()
    if is_enhanced:
        columns |= enhanced((gold, gold_words), (system, system_words), counterpart, enhancements)
        more = ENHANCED
    notes = "".join(
        f"{file.source.where(file.dotted)}: empty nodes within multiword tokens are skipped, as in the "
        "official tools since version 2; conll18_ud_eval.py 1.2 ends there "
        f"({argument('version', '1.2', of_metric=True)})\n"
        for file in (gold, system)
        if file.dotted >= 0 and version == "2.x"
    )
    sums = {name: int(column.sum()) for name, column in columns.items()}
    row = _counts if as_counts else _scores
    table = (COUNTS if as_counts else SCORES) + RULE + "".join(row(sums, name) for name in (*TABLE, *more))
    if not as_table:
        table = "".join(f"{title}: {100 * _f1(sums, name):.2f}\n" for name, title in SUMMARY.items())

    def counts() -> Counts:
        sentences = gold.source.sentence_ids()
        status = np.full(len(sentences), Status.SCORED, np.int8)
        measures = (*MEASURES, *(f1(name.lower()) for name in more))
        return Counts(Signature("conll18", "1.1"), measures, sentences, status, columns)

    return Answer([Output(lambda: table)], counts, notes)


def _other_text(system: OpenFile, gold_words: TextWords, system_words: TextWords) -> FormatError:
    """Return an error at the first token of the system whose text differs from gold's."""
    both = enumerate(zip(gold_words.text, system_words.text, strict=False))
    shorter = min(len(gold_words.text), len(system_words.text))
    index = next((index for index, (one, other) in both if one != other), shorter)
    ends = system_words.spans.token_end
    token = min(int(np.searchsorted(ends, index, side="right")), len(ends) - 1)
    system_text, expected = (repr(side.text[index : index + 20]) for side in (system_words, gold_words))
    at = _line_offset(system, system_words, token) if len(ends) else 0
    return system.source.error(
        at, f"the text {system_text}", f"{expected} as in gold", in_sentence=len(ends) > 0
    )


def _line_offset(file: OpenFile, words: TextWords, token: int) -> int:
    """Return the byte at which the line of a token begins: that of its word, or of its range."""
    word = int(words.spans.token_word[token])
    ranges = np.flatnonzero(file.columns.range_first == word)
    if word < len(file.offset) and not (len(ranges) and words.spans.multiword[word]):
        return int(file.offset[word])
    return int(file.range_offset[ranges[0]])


SCORES = "Metric     | Precision |    Recall |  F1 Score | AligndAcc\n"
COUNTS = "Metric     | Correct   |      Gold | Predicted | Aligned\n"
SUMMARY = {"las": "LAS F1 Score", "mlas": "MLAS Score", "blex": "BLEX Score"}
"""The scores that the official program prints without an option, with their titles."""

RULE = "-----------+-----------+-----------+-----------+-----------\n"


def _columns(sums: Mapping[str, int], name: str) -> tuple[int, int, int, int | None]:
    key = name.lower()
    all_aligned = None if key in UNALIGNED else sums[f"{key}_aligned"]
    return sums[f"{key}_correct"], sums[f"{key}_gold"], sums[f"{key}_system"], all_aligned


def _scores(sums: Mapping[str, int], name: str) -> str:
    correct, gold, system, all_aligned = _columns(sums, name)
    # The official program multiplies by 100 last, and the last digit printed depends on it.
    precision, recall = _proportion(correct, system), _proportion(correct, gold)
    f1 = _f1(sums, name.lower())
    accuracy = "" if all_aligned is None else f"{100 * _proportion(correct, all_aligned):10.2f}"
    return f"{name:11}|{100 * precision:10.2f} |{100 * recall:10.2f} |{100 * f1:10.2f} |{accuracy}\n"


def _f1(sums: Mapping[str, int], key: str) -> float:
    both = sums[f"{key}_system"] + sums[f"{key}_gold"]
    return _proportion(2 * sums[f"{key}_correct"], both)


def _counts(sums: Mapping[str, int], name: str) -> str:
    correct, gold, system, all_aligned = _columns(sums, name)
    last: int | str = all_aligned or (correct if name == "Words" else "")
    return f"{name:11}|{correct:10} |{gold:10} |{system:10} |{last:10}\n"


def _proportion(part: int, whole: int) -> float:
    return part / whole if whole else 0.0
