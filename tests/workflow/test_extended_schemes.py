"""A scheme of one's own that extends one of ours serves in a study like the one that it extends."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
import yaml

from crossbank.converters.scheme_files import (
    SCHEMES,
    base_of,
    examine,
    in_one,
    load_scheme,
    scheme_names,
)
from crossbank.converters.schemes.relation_rules import RULES
from crossbank.converters.schemes.scheme import Scheme
from crossbank.converters.universal import rules as universal
from crossbank.metrics.counting.scoring import in_view
from crossbank.reports.study.reading import study_of
from crossbank.treebanks.formats import read, write
from crossbank.treebanks.yaml_files import load_yaml
from crossbank.treebanks.yaml_schemas import json_schema
from crossbank.workflow.steps.here import run_here
from crossbank.workflow.study_check import check_study
from tests.formalisms.lfg.fstructures import GLASSES
from tests.formalisms.redwoods.profiles import two_readings

EXAMPLES = Path(__file__).parents[2] / "examples"

TREEBANKS: Mapping[str, tuple[str, str | Path]] = {
    "ccg": ("auto", EXAMPLES / "three_styles" / "ccg.auto"),
    "cgel": (
        "cgel",
        '# sent_id = 1\n(Clause\n    :Subj (NP\n        :Head (Nom\n            :Head (N :t "rain")))\n'
        '    :Head (VP\n        :Head (V :t "falls" :p ".")))\n\n',
    ),
    "lfg": ("xle", GLASSES),
    "negra": ("export", EXAMPLES / "tiger.export"),
    "ppche": (
        "bracket",
        "( (IP-MAT (NP-SBJ (PRO-N eg-eg)) (VBPI sjái-sjá) (NP-OB1 (D-A tann-tann) (N-A hest-hestur)) (. .-.))"
        " (ID A,1))\n",
    ),
    "ptb": ("bracket", EXAMPLES / "three_styles" / "penn.mrg"),
    "rasp": (
        "rasp",
        '(|Kim_NP1| |sings_VVZ|)\n("T/txt-sc1/--" ("S/np_vp" |Kim_NP1| ("V1/v" |sings_VVZ|)))\n',
    ),
    "sud": (
        "conllu",
        "1\tAnna\tAnna\tPROPN\t_\t_\t2\tsubj\t_\t_\n2\thas\thave\tAUX\t_\t_\t0\troot\t_\t_\n"
        "3\tcats\tcat\tNOUN\t_\t_\t2\tcomp:obj\t_\t_\n\n",
    ),
    "susanne": ("rasp", "1\n(S (NP the jury) (VP say (S that (NP Kim) (VP shall (VP try)))))\n"),
    "tiger": ("export", EXAMPLES / "tiger.export"),
    "tuebadz": ("export", EXAMPLES / "tuebadz.export"),
    "ud": (
        "conllu",
        "1\tAnna\tAnna\tPROPN\t_\t_\t2\tnsubj\t_\t_\n2\tsees\tsee\tVERB\t_\t_\t0\troot\t_\t_\n"
        "3\tcats\tcat\tNOUN\t_\t_\t2\tobj\t_\t_\n\n",
    ),
}
"""The format of a small treebank in each scheme, and the file or its text: our own sentences."""

METRICS = {
    "constituents": "parseval",
    "heads": "local_dependencies",
    "parseval1991": "parseval1991",
    "chunks": "chunks",
    "frames": "frames",
    "generalised_frames": "generalised_frames",
    "dependencies": "dependencies",
    "relations": "relations",
    "fstructures": "fstructure",
}
"""A metric of each view that schemes have."""


def treebank(scheme: str, folder: Path) -> Path:
    """Return the first sentences of a treebank in a scheme, as a file."""
    if scheme == "redwoods":
        bank = read(two_readings(folder / "profile"), "tsdb").only_chosen()
    else:
        format, written = TREEBANKS[scheme]
        path = folder / "written" if isinstance(written, str) else written
        if isinstance(written, str):
            path.write_text(written, encoding="utf-8")
        bank = read(path, format)
    write(bank.select(range(min(8, len(bank)))), folder / "gold.parquet")
    return folder / "gold.parquet"


SMALL = ("ccg", "ptb")
"""The schemes of trees and of relations whose studies ``make test`` runs."""


def extended(scheme: str, folder: Path, **own: Any) -> Path:
    """Return a file with a scheme that extends another one."""
    content = {"name": f"own_{scheme}", "extends": scheme, "title": "Own", "sources": ["me"], **own}
    path = folder / f"own_{scheme}.yaml"
    path.write_text(yaml.safe_dump(content, allow_unicode=True), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=() if name in SMALL else pytest.mark.slow) for name in scheme_names()]
)
def test_a_study_with_an_extended_scheme_has_the_scores_of_its_base(name: str, tmp_path: Path) -> None:
    gold = str(treebank(name, tmp_path))
    own = extended(name, tmp_path)
    assert examine(own).errors == []
    metrics = [METRICS[view] for view in load_scheme(name).views if view in METRICS]
    scores = []
    for scheme in (name, str(own)):
        content = {
            "study": "s",
            "treebanks": [
                {
                    "name": "t",
                    "scheme": scheme,
                    "gold": {"path": gold},
                    "candidates": [{"name": "same", "path": gold}],
                }
            ],
            "metrics": metrics,
            "bootstrap": {"samples": 10},
        }
        lines = list(check_study(study_of(content, "the test")))
        # The labels of SPARKLE are Penn's, too.
        assert all(fits or "lists 100 % of gold's" in line for line, fits in lines), lines
        completed = run_here(content, tmp_path / Path(scheme).stem, reported=False)
        (candidate,) = completed.treebanks[0].candidates
        scores.append({metric: dict(counts.sums()) for metric, counts in candidate.counts.items()})
        assert all(
            f"|scheme:{Path(scheme).stem}|" in f"{counts.signature}|" for counts in candidate.counts.values()
        )
    assert list(scores[0]) == metrics
    assert repr(scores[0]) == repr(scores[1])


EDITS: Mapping[tuple[str, ...], Any] = {
    ("delete",): {"punct": "none", "none": "punct"},
    ("heads", "default"): {"left": "right", "right": "left"},
    ("labels", "tags"): {True: False, False: True},
}
"""Another value for keys of which only some values are allowed."""


def edits(
    content: Mapping[str, Any], schema: Mapping[str, Any], path: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Yield each key of a scheme that the schema names, with another value; of other mappings the first."""
    known = schema.get("properties", {})
    for key in [key for key in content if key in known] or list(content)[:1]:
        value, at = content[key], (*path, key)
        if isinstance(value, dict) and value:
            yield from edits(value, known.get(key, {}), at)
        elif at in EDITS:
            yield at, EDITS[at][value]
        elif at == ("relation_rules",):
            yield at, str(RULES.path(value))  # a file in place of a name
        elif at == ("universal_dependencies",):
            yield at, str(universal.RULES.path(value))
        elif path == ("views",):
            yield at, [*value, "delete_tokens:tags=ZZZ"]
        elif path == ("error_types", "attachment"):
            yield at, "np_attachment" if value != "np_attachment" else "pp_attachment"
        elif isinstance(value, list) and len(value) > 1:
            yield at, value[:-1]
        elif isinstance(value, str) and value:
            yield at, f"{value}x"


ALONE = ("name", "extends", "title", "sources")
"""The keys that every file has for itself."""


def edits_of(name: str) -> list[tuple[tuple[str, ...], Any]]:
    path = SCHEMES.path(name)
    content = load_yaml(path)
    whole = in_one({path: content, **base_of(content, path)})
    return [
        (keys, value) for keys, value in edits(whole, json_schema(Scheme, "A scheme")) if keys[0] not in ALONE
    ]


LONG = ("negra", "ptb", "tiger", "tuebadz")
"""The schemes with the most keys, which others have too."""


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.slow if name in LONG else ()) for name in scheme_names()]
)
def test_each_key_can_be_edited_alone(name: str, tmp_path: Path) -> None:
    bank = read(treebank(name, tmp_path))
    bank = bank.select([0])
    reference = load_scheme(name)
    edited = edits_of(name)
    assert "views" in {keys[0] for keys, _ in edited}
    for number, (keys, value) in enumerate(edited):
        for key in reversed(keys):
            value = {key: value}
        folder = tmp_path / str(number)
        folder.mkdir()
        path = extended(name, folder, **value)
        diagnostics = examine(path)
        own = diagnostics.scheme
        assert diagnostics.errors == [], keys
        differ = {f.name for f in fields(own) if getattr(own, f.name) != getattr(reference, f.name)}
        differ -= {"name", "title", "sources", "files"}
        assert differ, keys
        for view in own.views:
            if keys[0] != "views":
                in_view(bank, view, own)
