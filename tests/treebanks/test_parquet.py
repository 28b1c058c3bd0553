"""Parquet: whatever is in a treebank is there again when it is read."""

import json
from pathlib import Path

import numpy as np
import pyarrow
import pytest
from hypothesis import given
from pyarrow import parquet as arrow

from crossbank.treebanks import FormatError, Treebank
from crossbank.treebanks.builder import TreebankBuilder
from crossbank.treebanks.diagnosis import Finding
from crossbank.treebanks.errors import MissingFileError, OutputError
from crossbank.treebanks.formats import bracket, export, parquet, read, write
from crossbank.treebanks.tables import TABLES
from tests.errors import raises
from tests.strategies import treebanks


def full_bank() -> Treebank:
    """Return three sentences, one of them empty, with something in every table."""
    builder = TreebankBuilder("full")
    builder.sentence(id="a", line=3, comments="one\ntwo")
    builder.node(label="S", function="--", morph="m", name="500", misc="x", head=1)
    builder.token(
        form="zum", lemma="zu", pos="P", xpos="X", morph="M", deps="2:x", misc="y", relation="r", head=1
    )
    builder.token(form="日本", parent=0, function="HD", head=-1)
    builder.secondary(label="SB", child=0, parent=-1)
    builder.multiword(first=0, last=1, form="zur", misc="SpaceAfter=No")
    builder.empty(anchor=0, index=1, form="e", deps="0:root")
    row = builder.relation(name="conj", type="or", weight="0.5", head_index=0, head_word="zum", head_tag="P")
    builder.further_head(relation=row, index=1, word="日本", tag="N")
    builder.sentence(id="b")
    builder.sentence(id="c", line=9)
    builder.token(form="")
    builder.count_event("things left out", 4)
    return builder.build().replace(history=("read", "strip_functions:keep=true"))


def written(bank: Treebank, folder: Path) -> Path:
    path = folder / "sub" / "bank.parquet"
    parquet.dump(bank, path)
    return path


def test_every_table_comes_back(tmp_path: Path) -> None:
    bank = full_bank()
    read = parquet.load(written(bank, tmp_path))
    assert read.equals(bank)
    assert read.history == bank.history
    assert [(f.step, f.event, f.counts.tolist()) for f in read.diagnosis] == [
        ("read", "things left out", [0, 0, 4])
    ]
    for name, table in TABLES.items():
        assert getattr(read, name).offsets.dtype == np.int64
        assert all(getattr(getattr(read, name), column).dtype == np.int32 for column in table.columns())


def test_differences_are_seen() -> None:
    bank = full_bank()
    for name, table in TABLES.items():
        for column in table.columns():
            other = getattr(bank, name)
            values = getattr(other, column).copy()
            values[0] = 1 if values[0] != 1 else 2
            assert not bank.equals(bank.replace(**{name: other.replace(**{column: values})}))
    assert not bank.equals(bank.select([0, 2, 1]))
    assert not bank.equals(bank.replace(history=()))
    assert bank.equals(bank.replace(history=()), ignore=["history"])
    more = bank.diagnosed((Finding("x", "y", np.zeros(3, np.int32)),))
    assert not bank.equals(more)
    assert bank.equals(more, ignore=["diagnosis"])


def test_the_order_of_the_vocabulary_does_not_matter() -> None:
    bank = full_bank()
    twice = Treebank.concatenate([bank.select([2]), bank.select([0, 1])]).select([1, 2, 0])
    assert list(twice.vocabulary) == list(bank.vocabulary)
    shuffled = bank.with_strings("tokens", "form", lambda form: f"{form}x").with_strings(
        "tokens", "form", lambda form: form[:-1]
    )
    assert list(shuffled.vocabulary) != list(bank.vocabulary)
    assert shuffled.equals(bank)


def test_several_row_groups(tmp_path: Path) -> None:
    bank = Treebank.concatenate([full_bank(), full_bank()])
    path = written(bank, tmp_path)
    metadata = arrow.read_metadata(path).metadata
    table = arrow.read_table(path)
    with arrow.ParquetWriter(path, table.schema, store_schema=False) as writer:
        writer.write_table(table, row_group_size=1)
        writer.add_key_value_metadata(metadata)
    assert arrow.read_metadata(path).num_row_groups == 6
    assert parquet.load(path).equals(bank)


def test_other_programs_see_plain_strings(tmp_path: Path) -> None:
    table = arrow.read_table(written(full_bank(), tmp_path))
    assert table.num_rows == 3
    assert table.column("tokens_form").to_pylist() == [["zum", "日本"], [], [""]]
    assert table.schema.field("tokens_form").type.value_type == pyarrow.string()
    assert table.schema.field("nodes_parent").type.value_type == pyarrow.int32()


def test_no_sentences(tmp_path: Path) -> None:
    bank = full_bank().select([])
    # Of a finding that no sentence has nothing is written.
    assert parquet.load(written(bank, tmp_path)).equals(bank, ignore=["diagnosis"])


@given(treebanks(dependencies=True, min_tokens=0))
def test_writing_and_reading_give_the_same_treebank(
    tmp_path_factory: pytest.TempPathFactory, bank: Treebank
) -> None:
    assert parquet.load(written(bank, tmp_path_factory.getbasetemp())).equals(bank)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    path = tmp_path / "bad.parquet"
    with raises(MissingFileError, file="bad.parquet"):
        parquet.load(path)
    path.write_text("( (S x))", encoding="utf-8")
    with raises(FormatError, actual="a file that is incomplete or not Parquet"):
        parquet.load(path)
    path.write_bytes(written(full_bank(), tmp_path).read_bytes()[:-20])
    with raises(FormatError, actual="a file that is incomplete or not Parquet"):
        parquet.load(path)
    arrow.write_table(pyarrow.table({"a": [1]}), path)
    with raises(
        FormatError, actual="a Parquet file that holds no treebank", expected="one written by crossbank"
    ):
        parquet.load(path)
    with raises(OutputError):
        parquet.dump(full_bank(), tmp_path)


def test_other_versions_are_refused(tmp_path: Path) -> None:
    path = written(full_bank(), tmp_path)
    table = arrow.read_table(path)
    metadata = dict(arrow.read_metadata(path).metadata)

    def rewrite(content: pyarrow.Table) -> None:
        with arrow.ParquetWriter(path, content.schema, store_schema=False) as writer:
            writer.write_table(content)
            writer.add_key_value_metadata(metadata)

    rewrite(table.drop_columns(["tokens_xpos"]))
    with raises(FormatError, actual="no column tokens_xpos", expected="the columns of version 2"):
        parquet.load(path)
    metadata[b"crossbank.version"] = b"99"
    rewrite(table)
    with raises(FormatError, actual="version 99 of the layout", expected="version 2"):
        parquet.load(path)


def test_a_real_treebank(shared_data: Path, tmp_path: Path) -> None:
    bank = export.load(shared_data / "tuebadz-masked" / "test.negra")
    path = written(bank, tmp_path)
    assert parquet.load(path).equals(bank)
    assert json.loads(arrow.read_metadata(path).metadata[b"crossbank.history"]) == []


@pytest.mark.parametrize(
    ("column", "value", "fields"),
    [
        ("tokens_parent", 10**9, {"actual": "token 1: its parent does not exist (sentence 1)"}),
        ("tokens_parent", 100_000, {"actual": "token 1: its parent does not exist (sentence 1)"}),
        ("nodes_parent", 5, {"actual": "node 1: its parent does not come before it (sentence 1)"}),
        ("tokens_head", 1000, {"actual": "token 1: its head does not exist (sentence 1)"}),
    ],
)
def test_positions_that_are_not_there_are_refused(
    tmp_path: Path, column: str, value: int, fields: dict[str, object]
) -> None:
    path = tmp_path / "t.parquet"
    parquet.dump(bracket.loads("(S (NP (DT a) (NN b)))\n(S (NN c))"), path)
    table = arrow.read_table(path)
    lists = table.column(column).to_pylist()
    lists[0][0] = value
    index = table.column_names.index(column)
    changed = table.set_column(index, column, pyarrow.array(lists, pyarrow.list_(pyarrow.int32())))
    arrow.write_table(changed.replace_schema_metadata(table.schema.metadata), path)
    with raises(FormatError, **fields):
        parquet.load(path)
    lists[0].append(0)
    changed = table.set_column(index, column, pyarrow.array(lists, pyarrow.list_(pyarrow.int32())))
    arrow.write_table(changed.replace_schema_metadata(table.schema.metadata), path)
    with pytest.raises(FormatError):
        parquet.load(path)


@pytest.mark.parametrize("damaged", ["skip", "repair"])
def test_a_whole_file_is_read_whatever_happens_to_damaged_sentences(damaged: str, tmp_path: Path) -> None:
    bank = bracket.loads("(S (N a))\n")
    write(bank, tmp_path / "trees.parquet")
    assert read(tmp_path / "trees.parquet", damaged=damaged).equals(bank, ignore=["source"])
