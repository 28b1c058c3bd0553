"""Errors of study files: all at once, each with its file, line and key, in YAML and in JSON."""

import copy
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from crossbank.reports.study.reading import load_study
from crossbank.treebanks.errors import FormatError
from crossbank.treebanks.yaml_nodes import FileDiagnostic, YamlError
from tests.errors import raises

PLANTED = "zzplanted"

NAMES = st.from_regex(r"[A-Za-y][A-Za-y0-9_-]{0,9}", fullmatch=True).filter(
    lambda name: name not in ("gold", "dependencies") and yaml.safe_load(name) == name
)


def source(**keys: Any) -> dict[str, Any]:
    return {"path": "trees.mrg", "format": "bracket", **keys}


def names(number: int) -> Any:
    return st.lists(NAMES, unique=True, max_size=number)


@st.composite
def studies(draw: Any) -> dict[str, Any]:
    """Return the content of a valid study."""
    treebanks = []
    for name in draw(names(3).filter(bool)):
        treebank: dict[str, Any] = {"name": name, "gold": source()}
        treebank["candidates"] = [
            source(name=one, attributes={"size": draw(st.integers(0, 9))}) for one in draw(names(3))
        ]
        treebank |= draw(
            st.fixed_dictionaries(
                {},
                optional={
                    "scheme": st.sampled_from(["ptb", "tiger"]),
                    "transformations": st.just(["delete_roots", {"delete_tokens": {"tags": ["X"]}}]),
                    "views": st.just({"constituents": ["strip_functions"]}),
                    "hot_spots": st.just(["NP < PP"]),
                    "delete": st.just("punct"),
                },
            )
        )
        treebanks.append(treebank)
    further = {
        "metrics": st.just(
            ["parseval", {"name": "free", "metric": "parseval", "options": {"labels": False}}]
        ),
        "strict": st.booleans(),
        "bootstrap": st.just({"samples": 10, "seed": 2}),
        "report": st.just({"worst": 3, "pages": "all"}),
    }
    return {"study": draw(NAMES), "treebanks": treebanks, **draw(st.fixed_dictionaries({}, optional=further))}


OPEN = ("attributes", "options", "delete_tokens")
"""Mappings that may have any keys, or whose keys are checked with their values."""


def damages(part: Any, keys: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """Yield the keys of values that may be wrong, and a wrong value for each."""
    if isinstance(part, dict) and keys[-1:] not in [(one,) for one in OPEN]:
        yield (*keys, PLANTED), 1
        for key, value in part.items():
            wrong = {"strict": PLANTED, "samples": PLANTED, "worst": PLANTED, "pages": [{PLANTED: 1}]}
            wrong |= {"scheme": PLANTED, "format": PLANTED, "delete": PLANTED, "metric": PLANTED}
            wrong |= {"treebanks": PLANTED, "gold": PLANTED, "views": PLANTED, "hot_spots": PLANTED}
            wrong |= {"transformations": [PLANTED], "metrics": [PLANTED], "name": f"{PLANTED} {PLANTED}"}
            if key in wrong:
                yield (*keys, key), wrong[key]
            yield from damages(value, (*keys, key))
    elif isinstance(part, list):
        for index, value in enumerate(part):
            yield from damages(value, (*keys, index))


def written(content: Any, form: str) -> bytes:
    if form == "json":
        return json.dumps(content, indent=1).encode()
    text = "# A study\n\n" + yaml.safe_dump(content, sort_keys=False, width=1000)
    text = text.replace("\n", "\r\n") if form == "CRLF" else text
    return (b"\xef\xbb\xbf" if form == "BOM" else b"") + text.encode()


def errors_of(data: bytes) -> tuple[str, list[FileDiagnostic]]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "study.yaml"
        path.write_bytes(data)
        try:
            load_study(path, present=False)
        except YamlError as error:
            message, errors = str(error).replace(str(path), path.name), error.diagnostics
        else:
            message, errors = "", []
    assert {str(one.path) for one in errors} <= {str(path)}
    return message, errors


@given(studies(), st.data(), st.sampled_from(["yaml", "json", "CRLF", "BOM"]))
def test_an_error_in_a_valid_study_is_found_on_its_line(content: Any, data: Any, form: str) -> None:
    assert errors_of(written(content, form)) == ("", [])
    keys, value = data.draw(st.sampled_from(list(damages(content))))
    damaged = copy.deepcopy(content)
    part = damaged
    for key in keys[:-1]:
        part = part[key]
    part[keys[-1]] = value
    text = written(damaged, form)
    (line,) = [number for number, row in enumerate(text.splitlines(), 1) if PLANTED.encode() in row]
    if form == "json" and isinstance(value, list) and isinstance(value[0], dict):
        line -= 1  # a mapping begins on the line of its brace
    message, errors = errors_of(text)
    assert [one.line for one in errors] == [line], (message, text.decode())
    inner = (0,) if isinstance(value, list) else ()
    assert errors[0].keys in (keys[:-1] if keys[-1] == PLANTED else (*keys, *inner), (*keys, *inner))
    assert PLANTED in message


SEVERAL = """\
study: a study
treebanks:
  - &first
    name: one
    scheme: tigger
    gold: {path: none.mrg, formt: bracket}
  - <<: *first
    name: two
    views: {constituent: []}
metrics: [parsevall, {metric: parseval, options: {lables: no}}]
bootstrap:
  samples: -1
strict: perhaps
"""


def test_all_errors_are_told_at_once_with_their_lines_and_keys() -> None:
    message, errors = errors_of(SEVERAL.encode())
    assert [(one.line, one.keys) for one in errors] == [
        (1, ("study",)),
        (5, ("treebanks", 0, "scheme")),
        (5, ("treebanks", 1, "scheme")),  # merged from the first
        (6, ("treebanks", 0, "gold")),
        (6, ("treebanks", 1, "gold")),
        (9, ("treebanks", 1, "views")),
        (10, ("metrics", 0)),
        (10, ("metrics", 1, "options")),
        (12, ("bootstrap", "samples")),
        (13, ("strict",)),
    ]
    assert "study.yaml:10: metrics[0]: 'parsevall' is not a metric; did you mean 'parseval'?" in message
    assert len(message.splitlines()) == len(errors)


def test_missing_files_are_told_beside_wrong_values(tmp_path: Path) -> None:
    path = tmp_path / "study.yaml"
    path.write_text("study: s\nstrict: perhaps\ntreebanks:\n  - name: t\n    gold: {path: none.mrg}\n")
    with pytest.raises(YamlError) as raised:
        load_study(path)
    assert [(one.line, one.keys) for one in raised.value.diagnostics] == [
        (2, ("strict",)),
        (5, ("treebanks", 0, "gold", "path")),
    ]


def test_keys_that_are_there_twice_are_all_told() -> None:
    _, errors = errors_of(b"study: s\nstudy: t\ntreebanks:\n  - {name: t, name: u, gold: {path: x}}\n")
    assert [one.line for one in errors] == [2, 4]


def test_what_is_no_utf_8_is_refused() -> None:
    with raises(FormatError, line=2, actual="the byte 0xe4, which is not utf-8"):
        errors_of("study: s\ntitle: Bäume\n".encode("latin-1"))


WITHOUT_LIBRARIES = """
import sys
for module in ("jsonschema", "pyarrow", "scipy", "snakemake", "nltk", "jinja2"):
    sys.modules[module] = None
from crossbank.workflow.commands.cli import main
sys.exit(main(sys.argv[1:]))
"""


def test_a_scheme_of_ones_own_is_checked_in_the_base_installation(tmp_path: Path) -> None:
    (tmp_path / "trees.mrg").write_text("(S (NP (N a)) (V b))\n")
    own = tmp_path / "own.yaml"
    own.write_text("name: own\ntitle: Own\nsources: [me]\nlabels: {function: '-'}\n")
    call = [
        sys.executable,
        "-c",
        WITHOUT_LIBRARIES,
        "score",
        "trees.mrg",
        "trees.mrg",
        "--scheme",
        "own.yaml",
    ]
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).resolve().parents[2])}
    done = subprocess.run(call, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert "100.00" in done.stdout
    own.write_text(own.read_text() + "rots: {}\nheads: {default: up}\n")
    done = subprocess.run(call, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert [line.split(":")[1] for line in done.stderr.splitlines()] == ["5", "6"]
