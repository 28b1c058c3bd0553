"""``explain``, ``find``, ``errors`` and ``view``: what the command line can say, for Python users."""

from __future__ import annotations

from os import PathLike

from crossbank.converters import scheme_of
from crossbank.converters.patterns.program import PatternProgram
from crossbank.metrics.analyses.score_under_conventions import explain as explained
from crossbank.metrics.counting.counts import Policy
from crossbank.metrics.counting.scoring import in_view, scoring_of
from crossbank.metrics.modes.protocol import Call
from crossbank.metrics.parseval import Parseval
from crossbank.reports.results.result_table import ResultTable
from crossbank.reports.texts.answers import SentenceDrawing, build_error_table
from crossbank.scorer import SchemeName
from crossbank.treebanks import OptionError, Sentence, Treebank
from crossbank.treebanks.chunks import candidate_beside
from crossbank.treebanks.in_memory.sources import Source, treebank_of_source


def explain(
    gold: Source,
    candidate: Source,
    *,
    scheme: SchemeName = None,
    unscored: Policy = "empty",
    parameters: str | PathLike[str] | None = None,
    format: str | None = None,
    candidate_format: str | None = None,
    encoding: str | None = None,
    **options: object,
) -> ResultTable:
    """Return one candidate's Parseval under all conventions.

    The first row has the conventions as chosen, each other row one of them changed.

    Of files also the numbers of other programs' modes; ``parameters`` is their parameter file. Arguments and
    errors are those of ``score``.
    """
    files = None
    if parameters is not None and not isinstance(parameters, (str, PathLike)):
        raise OptionError("parameters", type(parameters).__name__, "the path of a parameter file")
    if isinstance(gold, (str, PathLike)) and isinstance(candidate, (str, PathLike)):
        files = Call(gold, candidate, parameters, {}, format, candidate_format, encoding)
    elif parameters is not None:
        expected = "none: they are for modes, which explain runs on paths"
        raise OptionError("parameters", str(parameters), expected)
    banks = _both(gold, candidate, format, candidate_format, encoding)
    scoring = scoring_of(["parseval"], options, unscored)
    explanation = explained(*banks, scoring, scheme_of(scheme), files=files)
    rows = [explanation.start, *explanation.changed, *explanation.others]
    names = ("name", "precision", "recall", "f1", "difference", "signature", "reason")
    return ResultTable({name: [getattr(row, name) for row in rows] for name in names})


def find(
    pattern: str | PatternProgram,
    bank: Source,
    *,
    scheme: SchemeName = None,
    format: str | None = None,
    encoding: str | None = None,
) -> ResultTable:
    """Return the nodes, tags and words that a tree pattern fits, one in a row: ``find("NP < PP", bank)``.

    scheme  the scheme by whose rules heads are marked, for patterns that ask for them (``<#``)

    Raises PatternError for a pattern that cannot be parsed, ConversionError if it asks for lexical heads
    and none are marked, and the errors of ``read``.
    """
    from crossbank.converters.patterns.matching import find as find_matches

    searched, known = treebank_of_source(bank, "bank", format, encoding), scheme_of(scheme)
    if known is not None and searched.has_constituents:
        from crossbank.converters.heads.marking import mark_heads

        searched = mark_heads(searched, known)
    matches = list(find_matches(pattern, searched))
    return ResultTable(
        {
            "sentence": [searched.sentence_id(match.sentence) for match in matches],
            "node": [match.preorder for match in matches],
            "label": [match.label for match in matches],
            "words": [" ".join(match.words) for match in matches],
            "tokens": [list(match.tokens) for match in matches],
        }
    )


def errors(
    gold: Source,
    candidate: Source,
    scheme: SchemeName,
    *,
    format: str | None = None,
    candidate_format: str | None = None,
    encoding: str | None = None,
) -> ResultTable:
    """Return the candidate's errors by type: number, positive or negative, and rate per construction.

    Found by repairing the candidate's trees into gold's (Kummerfeld et al. 2012), or in dependencies word by
    word. The scheme says which labels are of which type. Raises the errors of ``score``.
    """
    banks = _both(gold, candidate, format, candidate_format, encoding)
    return build_error_table(*banks, scheme_of(scheme))


def _both(
    gold: Source, candidate: Source, format: str | None, candidate_format: str | None, encoding: str | None
) -> tuple[Treebank, Treebank]:
    read = treebank_of_source(gold, "gold", format, encoding)
    other = treebank_of_source(candidate, "candidate", candidate_format or format, encoding)
    return read, candidate_beside(other, read)


def view(
    gold: Source,
    candidate: Source | None = None,
    sentence: str | int = 1,
    *,
    scheme: SchemeName = None,
    format: str | None = None,
    candidate_format: str | None = None,
    encoding: str | None = None,
) -> Sentence | SentenceDrawing:
    """Return one sentence as a drawing, or gold and candidate with their differences marked.

    sentence  its identifier, or its number from 1
    scheme    draws trees as metrics see them

    Raises OptionError for a sentence that is not there, and the errors of ``score``.
    """
    known = scheme_of(scheme)
    gold_bank = treebank_of_source(gold, "gold", format, encoding)
    index = _index_of(gold_bank, sentence)
    if candidate is None:
        seen = in_view(gold_bank, "constituents", known) if known is not None else gold_bank
        return seen[index]
    other = treebank_of_source(candidate, "candidate", candidate_format or format, encoding)
    other = candidate_beside(other, gold_bank)
    if len(other) <= index:
        raise OptionError("sentence", sentence, f"one that the candidate has: it has {len(other)}")
    one, two = (in_view(bank[index : index + 1], "constituents", known) for bank in (gold_bank, other))
    return SentenceDrawing(one, two, Parseval())


def _index_of(bank: Treebank, sentence: str | int) -> int:
    ids = bank.sentence_ids
    if str(sentence) in ids and isinstance(sentence, str):
        return ids.index(sentence)
    if str(sentence).isdecimal() and 0 < int(sentence) <= len(bank):
        return int(sentence) - 1
    raise OptionError("sentence", sentence, f"an identifier or a number from 1 to {len(bank)}")
