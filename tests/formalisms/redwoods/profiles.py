"""Profiles of [incr tsdb()] that tests write: items with readings, preferences and annotators' decisions."""

from __future__ import annotations

import gzip
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

SCHEMA = """item:
  i-id :integer :key
  i-input :string
  i-wf :integer

parse:
  parse-id :integer :key                # unique parse identifier
  i-id :integer :key
  readings :integer

result:
  parse-id :integer :key
  result-id :integer
  derivation :string
  tree :string
  mrs :string
  flags :string

tree:
  parse-id :integer :key
  t-version :integer
  t-active :integer :key

preference:
  parse-id :integer :key
  t-version :integer
  result-id :integer
"""

RAINED = (
    '(root_strict (1 sb-hd_mc_c 0.5 0 2 (2 it 0 0 1 ("it" 5 "token [ +FORM \\"it\\"'
    ' +FROM \\"0\\" +TO \\"2\\" ]"))'
    ' (3 v_pst_olr 0 1 2 (4 rain_v1 0 1 2 ("rained" 6 "token [ +FORM \\"rained\\" +FROM \\"3\\" +TO \\"9\\"'
    ' +TAG \\"VBD\\" ]")))))'
)
"""A derivation of *It rained*, in the manner of the English Resource Grammar."""

RAINED_MRS = (
    "[ TOP: h0 INDEX: e2 [ e TENSE: past SF: prop ] RELS: < [ _rain_v_1<3:9> LBL: h1 ARG0: e2 ] >"
    " HCONS: < h0 qeq h1 > ]"
)

CAT = (
    '(root_strict (1 sb-hd_mc_c 0 0 3 (2 sp-hd_n_c 0 0 2 (3 the_1 0 0 1 ("the"))'
    ' (4 n_sg_ilr 0 1 2 (5 cat_n1 0 1 2 ("cat")))) (6 v_3s_olr 0 2 3 (7 sleep_v1 0 2 3 ("sleeps")))))'
)
CAT_AS_NAME = CAT.replace("cat_n1", "cat_pn").replace("n_sg_ilr", "pn_sg_ilr")
"""The same with another entry and another lexical rule."""

CAT_TREE = '("S" ("NP" ("DET" ("the")) ("N" ("N" ("cat")))) ("VP" ("V" ("sleeps"))))'

CAT_MRS = (
    "[ TOP: h0 INDEX: e2 [ e TENSE: pres ] RELS: < [ _the_q<0:3> LBL: h4 ARG0: x3 [ x NUM: sg PERS: 3 ]"
    " RSTR: h5 BODY: h6 ] [ _cat_n_1<4:7> LBL: h7 ARG0: x3 ] [ _sleep_v_1<8:14> LBL: h1 ARG0: e2 ARG1: x3 ] >"
    " HCONS: < h0 qeq h1 h5 qeq h7 > ]"
)
NAME_MRS = CAT_MRS.replace("_cat_n_1<4:7> LBL: h7 ARG0: x3", 'named<4:7> LBL: h7 ARG0: x3 CARG: "Cat"')


class Result(NamedTuple):
    """A reading."""

    derivation: str = ""
    mrs: str = ""
    tree: str = ""
    flags: str = ""


def escaped(text: str) -> str:
    """Return a field as tables hold it."""
    return text.replace("\\", "\\\\").replace("@", "\\s").replace("\n", "\\n")


def profile(
    folder: Path,
    items: Mapping[int, tuple[str, Sequence[Result]]],
    preferred: Mapping[int, int | Sequence[int]] = {},
    *,
    active: Mapping[int, int] = {},
    ungrammatical: Sequence[int] = (),
    zipped: bool = False,
) -> Path:
    """Return a folder with a profile of these items; with ``zipped`` empty files are beside gzipped ones."""
    tables: dict[str, list[Sequence[object]]] = {
        name: [] for name in ("item", "parse", "result", "tree", "preference")
    }
    for item, (text, results) in items.items():
        tables["item"].append((item, text, int(item not in ungrammatical)))
        tables["parse"].append((item + 100, item, len(results)))
        for number, result in enumerate(results):
            tables["result"].append(
                (item + 100, number, result.derivation, result.tree, result.mrs, result.flags)
            )
        if item in active:
            tables["tree"].append((item + 100, 1, active[item]))
    for item, numbers in preferred.items():
        for number in [numbers] if isinstance(numbers, int) else numbers:
            tables["preference"].append((item + 100, 1, number))
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "relations").write_text(SCHEMA, encoding="utf-8")
    for name, records in tables.items():
        text = "".join("@".join(escaped(str(field)) for field in record) + "\n" for record in records)
        (folder / name).write_text("" if zipped else text, encoding="utf-8")
        if zipped and text:
            (folder / f"{name}.gz").write_bytes(gzip.compress(text.encode(), mtime=0))
    return folder


def two_readings(folder: Path, **more: object) -> Path:
    """Three items: one with one reading, one with two of which the second is preferred, one with none."""
    return profile(
        folder,
        {
            1: ("It rained", [Result(RAINED, RAINED_MRS)]),
            2: (
                "the cat sleeps",
                [
                    Result(CAT_AS_NAME, NAME_MRS, CAT_TREE, "((:ascore . 0.25))"),
                    Result(CAT, CAT_MRS, CAT_TREE, "((:ascore . -0.5))"),
                ],
            ),
            3: ("cat the", []),
        },
        {1: 0, 2: 1},
        ungrammatical=[3],
        **more,  # type: ignore[arg-type]
    )
