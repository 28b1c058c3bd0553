"""Mode ``jp_evalb``: the report of jp-evalb, which aligns sentences and words before it compares brackets.

Jo, Eunkyul Leah, Angela Yoonseo Park and Jungyeul Park (2024): A Novel Alignment-based Approach for PARSEVAL
Measures. Computational Linguistics 50(3), 1181-1190. The numbers are those of ``jp-evalb.py`` (repository
jungyeul/alignment-based-PARSEVAL): brackets are a set, so that one that occurs twice is counted twice and
matched once; a bracket that ends within a group of words that differ ends with the group; tags are compared
as multisets. The two lines with the time are omitted.

The program looks for the counterpart of a sentence up to the ends of both files, so they are read whole:
1,000 sentences of 31 nodes take 55 MB, 5,000 take 125 MB.
"""

from __future__ import annotations

import numpy as np

from crossbank.compat.evalb.evalb_run import MEASURES
from crossbank.compat.jp_evalb.cleaned_trees import JpTree, joined_trees, read_jp_tree
from crossbank.compat.jp_evalb.jp_alignment import JpAlignmentError, align_jp_sentences
from crossbank.compat.jp_evalb.jp_parameters import COLLINS, JpParameters, read_jp_parameters
from crossbank.compat.jp_evalb.jp_scoring import JpCounts, jp_report, score_jp_unit
from crossbank.metrics.counting.counts import Counts, Signature
from crossbank.metrics.modes.modes_by_name import Mode
from crossbank.metrics.modes.protocol import Answer, Call, Output, Path
from crossbank.metrics.pairing.pair import Status
from crossbank.plugins.packages import PlugIn
from crossbank.treebanks.errors import CrossbankError, FormatError, OptionError
from crossbank.treebanks.files import read_bytes
from crossbank.treebanks.registry import option_value

PLUG_IN = PlugIn(title="reports of jp-evalb")

MODE = Mode(position=25, program="jp-evalb of 2024", format="bracket")

__all__ = ("MEASURES", "evaluate")


def evaluate(call: Call) -> Answer:
    """Score two files; ``evalb=yes`` is the program's ``-evalb``, whose default parameters are Collins'.

    Raises OptionError for another option, FormatError for a line that is not one tree, and CrossbankError
    where jp-evalb ends with a traceback: texts that differ up to their ends.
    """
    for name in call.options:
        if name != "evalb":
            raise OptionError("option of jp_evalb", name, ("evalb",))
    evalb = bool(option_value("evalb", call.options.get("evalb", "no"), bool))
    parameters = COLLINS if evalb else JpParameters()
    if call.parameters is not None:
        parameters = read_jp_parameters(call.parameters)
    if evalb and not parameters.equal:
        raise CrossbankError(f"{call.parameters}: the key EQ_LABEL is missing, which jp-evalb -evalb needs")
    gold, candidate = (_read_trees(path, parameters, call.encoding) for path in (call.gold, call.candidate))
    try:
        rows = _score_units(gold, candidate, parameters, evalb)
    except JpAlignmentError as error:
        raise CrossbankError(f"{call.candidate}: {error}") from error

    def counts() -> Counts:
        choices = (("parameters", parameters.source), ("evalb", "yes" if evalb else "no"))
        return _to_counts(Signature("jp_evalb", "1.0", choices), rows)

    return Answer([Output(lambda: jp_report(rows))], counts)


def _read_trees(path: Path, parameters: JpParameters, encoding: str | None) -> list[JpTree]:
    try:
        text = read_bytes(path).decode(encoding or "utf-8")
    except UnicodeDecodeError as error:
        raise FormatError(path, f"a byte that is no {encoding or 'UTF-8'}", "text") from error
    lines = (line.strip() for line in text.splitlines())
    return [read_jp_tree(line, parameters, path, number) for number, line in enumerate(lines, 1)]


def _score_units(
    gold: list[JpTree], candidate: list[JpTree], parameters: JpParameters, evalb: bool
) -> list[JpCounts]:
    rows = []
    units = align_jp_sentences([tree.text for tree in candidate], [tree.text for tree in gold])
    for index, unit in enumerate(units):
        candidate_tree = joined_trees([candidate[at] for at in unit.system])
        gold_tree = joined_trees([gold[at] for at in unit.gold])
        rows.append(score_jp_unit(candidate_tree, gold_tree, gold[index].deleted, parameters, evalb=evalb))
    return rows


def _to_counts(signature: Signature, rows: list[JpCounts]) -> Counts:
    """Return the rows of the report as counts."""
    names = ("gold", "candidate", "matched", "crossing", "words", "tags")
    columns = {name: np.array([getattr(row, name) for row in rows], np.float64) for name in names}
    is_error = np.array([row.is_error for row in rows], np.bool_)
    columns["exact"] = np.array([row.is_complete for row in rows], np.float64)
    columns["no_crossing"] = ((columns["crossing"] == 0) & ~is_error).astype(np.float64)
    columns["two_or_less_crossing"] = ((columns["crossing"] <= 2) & ~is_error).astype(np.float64)
    status = np.where(is_error, Status.WORDS_DIFFER, Status.SCORED).astype(np.int8)
    sentences = tuple(str(number) for number in range(1, len(rows) + 1))
    return Counts(signature, MEASURES, sentences, status, columns, policy="skip")
