"""Counts of errors by type in a file: a row for each sentence and type in which a candidate has errors.

Other counts are in the files of scores. Errors are counted when the report is made, from the trees.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from crossbank.reports.estimates.breakdowns import mask_parsed
from crossbank.reports.results.typed_errors import CandidateErrors


def write_error_counts(errors: Sequence[CandidateErrors], path: Path) -> None:
    """Write treebank, candidate, sentence (its index), whether it enters, and the errors of each type."""
    import pyarrow as pa
    from pyarrow import parquet

    types = list(dict.fromkeys(type_ for one in errors for type_ in one.per_sentence))
    tables = []
    for one in errors:
        size = len(one.total)
        columns = {
            "treebank": pa.array([one.treebank.name] * size, pa.string()),
            "candidate": pa.array([one.candidate.name] * size, pa.string()),
            "sentence": pa.array(np.arange(size), pa.int64()),
            "parsed": pa.array(mask_parsed(one), pa.bool_()),
        }
        for type_ in types:
            columns[f"count.{type_}"] = pa.array(one.per_sentence.get(type_, np.zeros(size)), pa.float64())
        tables.append(pa.table(columns))
    empty = {"treebank": pa.string(), "candidate": pa.string(), "sentence": pa.int64(), "parsed": pa.bool_()}
    table = pa.concat_tables(tables) if tables else pa.table({n: pa.array([], t) for n, t in empty.items()})
    parquet.write_table(table, path, compression="zstd")
