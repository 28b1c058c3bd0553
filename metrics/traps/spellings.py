"""Words that are written in two ways, and sentences that belong to other sentences."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from crossbank.metrics.pairing.pair import Status, is_canonical
from crossbank.metrics.pairing.word_forms import ESCAPES, canonical
from crossbank.metrics.traps.trap import Scored, Trap
from crossbank.treebanks import Treebank
from crossbank.treebanks.files import STANDARD
from crossbank.treebanks.named_arguments import argument, transformed
from crossbank.treebanks.quantities import quantity

LOOKED_AT = 200
"""So many sentences with other words are looked at: a fault of a whole file shows in them."""

MANY_MISSING = 1 / 3
"""The proportion of sentences without a parse at which a file may have been cut."""

QUOTES = str.maketrans({"“": '"', "”": '"', "„": '"', "‘": "'", "’": "'", "«": '"', "»": '"'})


def other_words(scored: Scored) -> Iterator[Trap]:
    """Reason why words differ: moved by a sentence, split otherwise, other quotes, another treebank."""
    if not scored.metric.word_by_word:
        return
    gold, candidate, status = scored.pair.gold, scored.pair.candidate, scored.pair.status
    differing = np.flatnonzero(status == Status.WORDS_DIFFER)[:LOOKED_AT].tolist()
    if len(differing) < 2:
        return
    for step in (1, -1):
        moved = sum(_same(gold, place + step, candidate, place) for place in differing)
        if moved > 0.8 * len(differing):
            which = "next" if step > 0 else "previous"
            yield Trap(
                "shifted",
                f"the candidate's sentences from number {differing[0] + 1} on have the words of gold's "
                f"{which} sentence",
                "a sentence is missing or one too many there: insert an empty line or remove the sentence",
            )
            return
    pairs = [(gold.words(place), candidate.words(place)) for place in differing]
    quotes = sum(_plain(one) == _plain(other) for one, other in pairs)
    from crossbank.metrics.pairing.word_alignment import letters

    joined = sum(len(one) != len(other) and letters(one) == letters(other) != "" for one, other in pairs)
    total = int((status == Status.WORDS_DIFFER).sum())
    if quotes > 0.5 * len(pairs):
        yield Trap(
            "quotes",
            f'in {quantity(total, "sentence")} words differ by quotation marks only, as `` for "',
            "write quotation marks on both sides in the same way",
        )
    elif joined > 0.5 * len(pairs):
        yield Trap(
            "split",
            f"in {quantity(total, 'sentence')} the candidate has gold's letters, split into other words",
            "use {}, which joins such words, or the metric conll18",
            (argument("align", "yes", of_metric=True),),
        )
    elif total > 0.9 * max(int((status != Status.NO_PARSE).sum()), 1):
        yield Trap(
            "other_gold",
            f"in {total:,} of {quantity(len(status), 'sentence')} the candidate has other words than gold",
            "this may be another treebank's gold: compare the first words of the two files",
        )


def missing_parses(scored: Scored) -> Iterator[Trap]:
    """A large part of the candidate's sentences has no parse."""
    status = scored.pair.status
    missing = int((status == Status.NO_PARSE).sum())
    if missing >= MANY_MISSING * len(status) and missing > 1:
        yield Trap(
            "missing",
            f"the candidate has no parse for {missing:,} of {quantity(len(status), 'sentence')}",
            "check that its file is complete; {} says whether they count as empty or are left out",
            (argument("unscored"),),
        )


def other_normalisation(scored: Scored) -> Iterator[Trap]:
    """Forms are in NFC on one side and in NFD on the other, or escaped on one side only."""
    if is_canonical(scored.gold.vocabulary) and is_canonical(scored.candidate.vocabulary):
        return
    forms = [bank.vocabulary.counted(bank.tokens.form) for bank in (scored.gold, scored.candidate)]
    plain = [{form for form in side if not form.isascii()} for side in forms]
    composed = [sum(unicodedata.is_normalized("NFC", form) for form in side) for side in plain]
    for place, (side, other) in enumerate((("gold", "the candidate"), ("the candidate", "gold"))):
        decomposed = len(plain[place]) - composed[place]
        if decomposed > 0.5 * len(plain[place]) and composed[1 - place] > 0.5 * len(plain[1 - place]):
            yield Trap(
                "normalisation",
                f"{decomposed:,} forms of {side} are decomposed (NFD), those of {other} composed (NFC)",
                "they are compared as if both were NFC; write files in NFC for other programs",
            )
    gold, candidate = (_source(bank) for bank in (scored.gold, scored.candidate))
    if gold.suffix != candidate.suffix or (not gold.suffix and (str(gold) == STANDARD or gold.exists())):
        return  # formats that need escapes are beside those that do not, or names tell no format
    escaped = [{form for form in side if any(escape in form for escape in ESCAPES)} for side in forms]
    raw = [{form for form in side if form in ESCAPES.values()} for side in forms]
    for place, side in enumerate(("gold", "the candidate")):
        if escaped[place] and not raw[place] and raw[1 - place] & {canonical(f) for f in escaped[place]}:
            yield Trap(
                "escapes",
                f"only {side} writes brackets as {sorted(escaped[place])[0]}",
                "they are compared as the same words here; other programs take them for different ones",
            )


def _source(bank: Treebank) -> Path:
    """File of the first sentence, without the suffix of compression; no name for trees in memory."""
    source = bank.vocabulary[int(bank.sentences.source[0])] if len(bank) else ""
    return Path(source.removesuffix(".gz"))


def line_ends(scored: Scored) -> Iterator[Trap]:
    """One file has Windows line ends and the other has not."""
    ends = []
    for bank in (scored.gold, scored.candidate):
        path = Path(bank.vocabulary[int(bank.sentences.source[0])]) if len(bank) else Path()
        if not path.is_file() or path.suffix == ".gz":
            return
        with path.open("rb") as stream:
            ends.append(b"\r\n" in stream.read(65536))
    if ends[0] != ends[1]:
        side = "gold" if ends[0] else "the candidate"
        yield Trap(
            "line_ends",
            f"only the file of {side} has Windows line ends (CRLF)",
            "they are read as line ends here; other programs may take them as part of the last word",
        )


def one_sided_traces(scored: Scored) -> Iterator[Trap]:
    """Empty elements (traces) are words on one side only."""
    numbers = []
    for bank in (scored.pair.gold, scored.pair.candidate):
        code = bank.vocabulary.code("-NONE-")
        numbers.append(int((bank.tokens.pos == code).sum()) if code >= 0 else 0)
    if max(numbers) and not min(numbers):
        side = "gold" if numbers[0] else "the candidate"
        yield Trap(
            "traces",
            f"only {side} has empty elements (tag -NONE-, {max(numbers):,} of them), so words differ",
            "delete them: {}",
            (transformed("delete_empty_elements", "ptb"),),
        )


def _same(gold: Treebank, place: int, candidate: Treebank, other: int) -> bool:
    return 0 <= place < len(gold) and _canonical(gold.words(place)) == _canonical(candidate.words(other))


def _canonical(words: list[str]) -> list[str]:
    return [canonical(word) for word in words]


def _plain(words: list[str]) -> list[str]:
    plain = [word.translate(QUOTES) for word in _canonical(words)]
    return [word.replace("``", '"').replace("''", '"').replace("`", "'") for word in plain]
