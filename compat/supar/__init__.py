"""Mode ``supar``: supar's ``AttachmentMetric``, as its dependency parsers print it.

Zhang, Yu, et al.: supar 1.1, ``supar.utils.metric`` and ``supar.parsers.dep``. A word is left out if each of
its characters is punctuation (Unicode categories P*); ``punct=yes`` counts it, as ``--punct`` does. Relations
have their subtypes. UCM and LCM are the sentences whose words all have the right head, or head and relation;
those without a word that counts are among them. A relation that the parser did not see in training is to
supar the unknown one; here it is compared as it is.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache

import numpy as np

from crossbank.compat.spacy.dependency_files import relations_of
from crossbank.compat.supar.same_words import read_same_words
from crossbank.metrics.counting.counts import Column, Counts, Measure, Signature, ratio
from crossbank.metrics.modes.modes_by_name import Mode
from crossbank.metrics.modes.protocol import Answer, Call, Output
from crossbank.metrics.pairing.pair import Status
from crossbank.plugins.packages import PlugIn

PLUG_IN = PlugIn(title="attachment scores of supar")

MODE = Mode(position=90, program="supar 1.1", format="conllu", others="other words are an error")


def _share(name: str, part: str, whole: str, meaning: str) -> Measure:
    return Measure(name, lambda sums: ratio(sums[part], sums[whole]), meaning, title=name.upper())


MEASURES = (
    _share("uas", "heads", "gold", "words with the right head / words that are no punctuation"),
    _share("las", "labelled", "gold", "words with the right head and relation / the same"),
    _share("ucm", "unlabelled_exact", "sentences", "sentences whose heads are all right / all sentences"),
    _share("lcm", "exact", "sentences", "sentences whose heads and relations are all right / all sentences"),
)


def evaluate(call: Call) -> Answer:
    """Score two files; ``punct=yes`` counts punctuation, too.

    Raises OptionError for another option, and CrossbankError where the words differ.
    """
    (punct,) = call.settings("supar", {"punct": (bool, "no")})
    gold, candidate = read_same_words(call)
    words = gold.vocabulary.decode(gold.tokens.form)
    counted = np.array([punct or not is_punctuation(word) for word in words], np.bool_)
    heads = (gold.tokens.head == candidate.tokens.head) & counted
    pairs = zip(relations_of(gold), relations_of(candidate), strict=True)
    labelled = heads & np.array([one == other for one, other in pairs], np.bool_)
    sentence = gold.tokens.sentence_of_row()
    columns: dict[str, Column] = {
        name: np.bincount(sentence[mask], minlength=len(gold)).astype(np.float64)
        for name, mask in (("gold", counted), ("heads", heads), ("labelled", labelled))
    }
    columns["candidate"] = columns["gold"]
    columns["unlabelled_exact"] = (columns["heads"] == columns["gold"]).astype(np.float64)
    columns["exact"] = (columns["labelled"] == columns["gold"]).astype(np.float64)
    columns["sentences"] = np.ones(len(gold), np.float64)

    def report() -> str:
        sums = {name: float(column.sum()) for name, column in columns.items()}
        scores = {measure.name: 100 * measure.of(sums) for measure in MEASURES}
        return (
            f"UCM: {scores['ucm']:5.2f}% LCM: {scores['lcm']:5.2f}% "
            f"UAS: {scores['uas']:5.2f}% LAS: {scores['las']:5.2f}%\n"
        )

    def counts() -> Counts:
        ids = tuple(gold.sentence_id(index) for index in range(len(gold)))
        status = np.full(len(gold), Status.SCORED, np.int8)
        choices = (("punct", "yes" if punct else "no"),)
        return Counts(Signature("supar", "1.0", choices), MEASURES, ids, status, columns)

    return Answer([Output(report)], counts)


@lru_cache(maxsize=65536)
def is_punctuation(word: str) -> bool:
    """Return whether all characters of a word are punctuation by their Unicode category."""
    return all(unicodedata.category(character).startswith("P") for character in word)
