"""Study files: what they may say, and how what they may not say is refused."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml

from crossbank.converters.schemes.views import VIEWS
from crossbank.metrics.counting.metric import metric
from crossbank.metrics.parseval import Parseval
from crossbank.reports.study.reading import load_study, study_of, study_schema
from crossbank.treebanks.errors import CrossbankError, FormatError
from crossbank.treebanks.files import checksum
from crossbank.treebanks.yaml_files import load_yaml
from crossbank.treebanks.yaml_nodes import YamlError
from tests.conftest import needs_other_results
from tests.errors import raises

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def study(tmp_path: Path) -> dict[str, Any]:
    for name in ("gold.mrg", "a9.mrg", "a10.mrg"):
        (tmp_path / name).write_text("(S (X x))\n", encoding="utf-8")
    return {
        "study": "small",
        "data": str(tmp_path),
        "treebanks": [
            {
                "name": "t",
                "scheme": "ptb",
                "gold": {"path": "{data}/gold.mrg"},
                "candidates": [{"name": "a", "path": "{data}/a*.mrg"}],
            }
        ],
        "metrics": ["parseval", {"name": "free", "metric": "parseval", "options": {"labels": False}}],
    }


def written(tmp_path: Path, content: dict[str, Any]) -> Path:
    path = tmp_path / "study.yaml"
    path.write_text(yaml.safe_dump(content, sort_keys=False), encoding="utf-8")
    return path


def test_patterns_are_files_in_natural_order(tmp_path: Path, study: dict[str, Any]) -> None:
    study_model = load_study(written(tmp_path, study))
    names = [Path(path).name for path in study_model.treebank("t").source("a").paths]
    assert names == ["a9.mrg", "a10.mrg"]
    assert study_model.metric("free").view == "constituents"
    assert study_model.treebank("t").gold.format == "bracket"


@pytest.mark.parametrize("view", VIEWS)
def test_a_study_sets_every_view(tmp_path: Path, study: dict[str, Any], view: str) -> None:
    study["treebanks"][0]["views"] = {view: ["delete_roots"]}
    assert load_study(written(tmp_path, study)).treebank("t").views[view] == ["delete_roots"]


def test_a_study_asks_for_universal_dependencies_by_name(tmp_path: Path, study: dict[str, Any]) -> None:
    study["treebanks"][0]["views"] = {"dependencies": "universal"}
    views = load_study(written(tmp_path, study)).treebank("t").views
    assert views["dependencies"] == ("universal_dependencies",)


def changed(study: dict[str, Any], keys: list[Any], value: object) -> dict[str, Any]:
    inner: Any = study
    for key in keys[:-1]:
        inner = inner[key]
    inner[keys[-1]] = value
    return study


TREEBANK: list[Any] = ["treebanks", 0]


@pytest.mark.parametrize(
    ("keys", "value", "message"),
    [
        (["metrix"], [], r"study\.yaml:\d+: metrix?|'metrix' is not a key; did you mean"),
        (
            [*TREEBANK, "gold", "formt"],
            "x",
            r"treebanks\[0\]\.gold: 'formt' is not a key; did you mean",
        ),
        ([*TREEBANK, "gold", "format"], "exprot", r"gold\.format: 'exprot' is not a format; did you mean"),
        ([*TREEBANK, "scheme"], "tigger", r"treebanks\[0\]\.scheme: 'tigger' is not a scheme; did you mean"),
        ([*TREEBANK, "gold", "path"], "none.mrg", r"gold\.path: no such file: none\.mrg"),
        ([*TREEBANK, "scheme"], "", r"treebanks\[0\]\.scheme: found '', expected at least 1 character"),
        ([*TREEBANK, "gold", "path"], "", r"gold\.path: found '', expected a file, a pattern"),
        ([*TREEBANK, "gold", "path"], [""], r"gold\.path\[0\]: found '', expected a file, a pattern"),
        ([*TREEBANK, "gold", "format"], "", r"gold\.format: found '', expected at least 1 character"),
        ([*TREEBANK, "gold", "path"], "no*ne.mrg", r"gold\.path: no such file: no\*ne\.mrg"),
        ([*TREEBANK, "candidates", 0, "name"], "gold", r"found the name 'gold' twice"),
        ([*TREEBANK, "views"], {"frame": []}, r"\.views: 'frame' is not a key; did you mean"),
        (
            [*TREEBANK, "transformations"],
            ["nonsense"],
            r"transformations\[0\]: 'nonsense' is not a transformation; expected",
        ),
        (["metrics"], ["parsevall"], r"metrics\[0\]: 'parsevall' is not a metric; did you mean"),
        (["metrics", 1, "options"], {"lables": 1}, r"metrics\[1\]\.options: 'lables' is not an option"),
        (["metrics"], ["parseval", "parseval"], r"found the name 'parseval' twice"),
        (["unscored"], "drop", r"study\.yaml:\d+: unscored: found 'drop', expected one of empty, skip"),
        (["study"], "a b", r"study: found 'a b', expected a name of at most 200 ASCII letters"),
        (["treebanks"], [], r"treebanks: found \[\], expected a list of at least 1"),
        (["tests"], {"alpha": 1}, r"tests\.alpha: found 1, expected a probability up to 0.5"),
        ([*TREEBANK, "dependencies"], {"path": "{data}/gold.mrg", "name": "x"}, r"'name' is not a key"),
        ([*TREEBANK, "dependencies"], {"format": "conllu"}, r"dependencies: found no path|'path'"),
        ([*TREEBANK, "dependencies"], {"path": "no.conllu"}, r"dependencies\.path: no such file: no\.conllu"),
        (
            [*TREEBANK, "dependencies"],
            {"path": "{data}/gold.mrg"},
            r"treebanks\[0\]\.dependencies: name a metric of dependencies",
        ),
        (
            [*TREEBANK, "hot_spots"],
            ["NP < ("],
            r"hot_spots\[0\]: 'NP < \(', character 7: pattern: found .*expected",
        ),
        ([*TREEBANK, "hot_spots"], "NP", r"hot_spots: found 'NP', expected a list"),
        ([*TREEBANK, "folds"], 3, r"\.folds: found folds, and no candidate with a parser"),
        (
            ["match"],
            "length",
            r"study\.yaml:\d+: match: found length, and one treebank, which has none beside",
        ),
        ([*TREEBANK, "seed"], 3, r"\.seed: found a seed, and no proportion"),
        (
            ["treebanks"],
            [{"name": "t", "gold": {"path": "{data}/gold.mrg"}, "test": ["1"], "seed": 3}],
            r"\.seed: ",
        ),
        (["metrics"], ["PARSEVAL"], r"'PARSEVAL' is not a metric; did you mean 'parseval'\?"),
        (["tests"], {"alpha": float("nan")}, r"study\.yaml:\d+: found \.nan, expected a number"),
        (
            ["bootstrap"],
            {"samples": 99999999999},
            r"samples: found 99999999999, expected a whole number from 0 to",
        ),
        (
            ["tests"],
            {"trials": 10**9},
            r"trials: found 1000000000, expected a whole number from 1 to 1000000",
        ),
        (["study"], "name\n", r"study: found 'name\\n', expected a name of at most 200 ASCII letters"),
        ([*TREEBANK, "candidates", 0, "name"], "a\n", r"name: found 'a\\n', expected a name of at most 200"),
        ([*TREEBANK, "candidates", 0, "name"], "größer", r"name: found 'größer', expected .* ASCII letters"),
        (
            [*TREEBANK, "candidates", 0, "name"],
            "x" * 201,
            r"name: found 'x+\.\.\., expected .* at most 200 ASCII",
        ),
        (["metrics"], [{"metric": "parseval", "name": "x" * 41}], r"expected a name of at most 40 ASCII"),
        (["bootstrap"], {"samples": -1}, r"bootstrap\.samples: found -1, expected a whole number"),
    ],
)
def test_what_is_wrong_is_named(
    tmp_path: Path, study: dict[str, Any], keys: list[Any], value: object, message: str
) -> None:
    path = written(tmp_path, changed(study, keys, value))
    with pytest.raises(CrossbankError, match=message) as raised:
        load_study(path)
    assert all(line.startswith(str(path)) for line in str(raised.value).splitlines())


def test_a_bare_no_of_yaml_is_an_options_value(tmp_path: Path, study: dict[str, Any]) -> None:
    study["metrics"] = [{"metric": "parseval", "options": {"duplicates": False}}]
    (actual,) = load_study(written(tmp_path, study)).metrics
    assert metric(actual.metric, actual.options) == Parseval(duplicates="no")


def test_independent_dependencies_take_a_conversion(tmp_path: Path, study: dict[str, Any]) -> None:
    entry = study["treebanks"][0]
    entry["dependencies"] = {"path": "{data}/gold.mrg", "transformations": ["delete_empty_elements"]}
    study["metrics"] = ["dependencies"]
    treebank = load_study(written(tmp_path, study)).treebank("t")
    assert [source.name for source in treebank.sources] == ["gold", "a", "dependencies"]
    assert treebank.conversion() == ("delete_empty_elements", "dependencies", "single_root")
    assert treebank.source("dependencies").transformations == ("delete_empty_elements",)
    entry["candidates"][0]["name"] = "dependencies"
    with raises(YamlError, "dependencies", line=8, key="treebanks[0].candidates"):
        load_study(written(tmp_path, study))
    entry["candidates"], entry["scheme"] = [], "ud"
    with pytest.raises(CrossbankError, match=r"dependencies: name a scheme that converts"):
        load_study(written(tmp_path, study))


def test_the_line_of_the_key_is_named(tmp_path: Path) -> None:
    path = tmp_path / "study.yaml"
    path.write_text("study: x\ntreebanks:\n  - name: a\n    gold:\n      pth: b\n", encoding="utf-8")
    with pytest.raises(CrossbankError, match=r"study\.yaml:5: treebanks\[0\]\.gold: 'pth' is not a key"):
        load_study(path)


def test_broken_yaml_is_named(tmp_path: Path) -> None:
    path = tmp_path / "study.yaml"
    path.write_text("study: [x\ntreebanks: ]\n", encoding="utf-8")
    with pytest.raises(
        CrossbankError, match=r"study\.yaml:2: found text that is not YAML \(.*\), expected YAML"
    ):
        load_study(path)
    path.write_text("\n", encoding="utf-8")
    with raises(YamlError, "an empty file, expected YAML", "YAML", file="study.yaml"):
        load_study(path)
    path.write_bytes(b"study: \xe9\n")  # --encoding is about treebanks
    with raises(
        FormatError,
        line=1,
        actual="the byte 0xe9, which is not utf-8",
        expected="utf-8 text (save it as UTF-8)",
    ):
        load_study(path)


def keys_of(part: dict[str, Any], at: str = "") -> Iterator[tuple[str, dict[str, Any], bool]]:
    """Every key below a part of the schema: where it stands, what is said of it, whether it is required."""
    if "$ref" in part:
        part = {**study_schema()["$defs"][part["$ref"].rpartition("/")[2]], **part}
    for key, value in part.get("properties", {}).items():
        here = f"{at}.{key}" if at else key
        yield here, value, key in part.get("required", ())
        yield from keys_of(value, here)
    inner = [part[key] for key in ("then", "else", "items") if key in part]
    for alternative in (*part.get("anyOf", ()), *inner):
        yield from keys_of(alternative, at)


def test_the_schema_describes_every_key_and_says_what_holds_without_it() -> None:
    keys = list(keys_of(study_schema()))
    assert {"bootstrap.samples", "treebanks.candidates.training.sizes", "treebanks.views.tags"} <= {
        at for at, _, _ in keys
    }
    assert [at for at, value, _ in keys if not value.get("description")] == []
    untold = [at for at, value, required in keys if not required and not {"default", "otherwise"} & {*value}]
    assert untold == []


def test_a_study_that_writes_the_defaults_down_is_the_same_study(
    tmp_path: Path, study: dict[str, Any]
) -> None:
    treebank = study["treebanks"][0]
    candidates = treebank["candidates"]
    candidates.append({"name": "trained", "parser": {"pcfg": {}}})
    treebank["test"] = 0.5
    further = {"name": "alone", "gold": {"path": "{data}/gold.mrg"}}
    study["treebanks"].append(further)
    study["metrics"] = []
    before = load_study(written(tmp_path, study))
    defaults = {at: value["default"] for at, value, _ in keys_of(study_schema()) if "default" in value}
    positions = {
        "": [study],
        "treebanks": [treebank],
        "treebanks.gold": [treebank["gold"]],
        "treebanks.candidates": candidates,
    }
    set_down = set()
    for at, default in defaults.items():
        *above, key = at.split(".")
        inner = above.pop() if above and above[-1] in ("bootstrap", "tests", "report", "training") else None
        for entry in positions.get(".".join(above), []):
            if inner != "training" or "parser" in entry:
                (entry.setdefault(inner, {}) if inner else entry).setdefault(key, default)
                set_down.add(at)
    assert {*defaults} - set_down == set()
    after = load_study(written(tmp_path, study))
    assert replace(after, content={}) == replace(before, content={})


@pytest.mark.parametrize("name", sorted(path.stem for path in (ROOT / "config").glob("*.yaml")))
def test_the_studies_of_the_project_are_right(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    path = ROOT / "config" / f"{name}.yaml"
    if "shared" in path.read_text(encoding="utf-8") and not (ROOT.parent / "shared" / "data").is_dir():
        pytest.skip("the real treebanks (../shared/data) are not here")
    needs_other_results(path)
    assert load_study(path).name == path.resolve().stem


PUBLIC = sorted((ROOT / "config" / "public").glob("*.yaml"))
STORED_FILES = {
    "farpahc": ("/parsald/exp", "farpahc/parsers", 30),
    "gum": ("", "gum", 162),
    "icepahc": ("", "icepahc/psd", 20),
    "pcc": ("", "tiger-pcc/syntax", 176),
}
"""For public treebanks: a folder on the web, the one of ../shared/data that has its files, their number."""


@pytest.mark.parametrize("path", PUBLIC, ids=lambda path: path.stem)
def test_the_studies_of_public_treebanks_are_right(path: Path, shared_data: Path) -> None:
    study = load_study(path)
    assert study.name == f"public_{path.stem}"
    there, here, number = STORED_FILES.get(path.stem, ("", "not-kept", 0))
    checked = [download for download in study.downloads.values() if download.checksum]
    assert len(checked) == number
    for download in checked:
        relative_path = (
            download.address.removeprefix(study.content["data"]).removeprefix(f"{there}/").lstrip("/")
        )
        assert checksum(shared_data / here / relative_path) == download.checksum, download.address


@pytest.mark.parametrize(
    ("row", "fields"),
    [
        (
            {"treebank": "other", "metric": "parseval", "f1": 1},
            {"key": "published[0].scores[0]", "names": ("other",)},
        ),
        (
            {"treebank": "tiger", "candidate": "gamma", "metric": "parseval", "f1": 1},
            {"key": "published[0].scores[0]", "names": ("gamma",)},
        ),
        (
            {"treebank": "tiger", "metric": "tedeval", "score": 1},
            {"key": "published[0].scores[0]", "names": ("tedeval",)},
        ),
        (
            {"treebank": "tiger", "metric": "parseval", "las": 1},
            {"key": "published[0].scores[0]", "names": ("las",)},
        ),
    ],
)
def test_published_scores_are_of_the_study(
    row: dict[str, object], fields: dict[str, object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    content = load_yaml("config/tiger_vs_tuba.yaml")
    content["published"] = [{"source": "A paper", "scores": [row]}]
    with raises(YamlError, **fields):
        study_of(content, "x")


def test_columns_of_the_report_are_measures_of_the_study(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    content = load_yaml("config/tiger_vs_tuba.yaml")
    content["report"] = {"columns": ["parseval.f1", "nodes_per_word"]}
    assert study_of(content, "x").name == "tiger_vs_tuba"
    content["report"] = {"columns": ["parseval.f1", "parsevall.recal"]}
    with raises(YamlError, "parsevall.recal", key="report.columns[1]"):
        study_of(content, "x")


def test_what_is_no_file_is_named(tmp_path: Path, study: dict[str, Any]) -> None:
    folder, pipe, link = tmp_path / "folder.mrg", tmp_path / "pipe.mrg", tmp_path / "link.mrg"
    folder.mkdir()
    os.mkfifo(pipe)
    link.symlink_to("nowhere.mrg")
    reasons = {
        folder: "a folder, not a file",
        pipe: "a pipe or a device, not a file",
        link: "a broken link",
    }
    for path, kind in reasons.items():
        study["treebanks"][0]["gold"]["path"] = str(path)
        with pytest.raises(CrossbankError, match=rf"gold\.path: .* is {kind}"):
            study_of(study, "study.yaml")


OF_A_KEY = """
import sys
from pathlib import Path
import yaml
from crossbank.reports.study.reading import load_study
from crossbank.treebanks.errors import CrossbankError
from crossbank.workflow.commands.cli import main
from crossbank.workflow.steps.here import run_here

content = yaml.safe_load(Path("study.yaml").read_text("utf-8"))
print([treebank.weather for treebank in load_study("study.yaml").treebanks])
print([treebank.weather for treebank in run_here(content, Path("results"), reported=False).treebanks])
content["treebanks"][0]["wether"] = content["treebanks"][0].pop("weather")
Path("wrong.yaml").write_text(yaml.safe_dump(content), "utf-8")
try:
    load_study("wrong.yaml")
except CrossbankError as error:
    print(error)
main(["help", "study"])
"""


def test_a_key_is_one_field_of_the_model_and_one_line_of_its_docstring(
    tmp_path: Path, study: dict[str, Any]
) -> None:
    """A key is added to a copy of the package: study, results, refusals and the manual have it."""
    package = tmp_path / "source" / "crossbank"
    sources = {package: ROOT / "crossbank", package / "reports": ROOT / "reports"}
    for target, source in sources.items():
        target.mkdir(parents=True)
        for path in source.iterdir():
            if path.name not in ("reports", "study"):
                (target / path.name).symlink_to(path.resolve())
    package_of_studies = package / "reports" / "study"
    shutil.copytree(
        ROOT / "reports" / "study", package_of_studies, ignore=shutil.ignore_patterns("__pycache__")
    )
    for name, before, line in (
        ("model.py", '    cite: str = key(""', '    weather: str = "dry"\n'),
        ("model.py", "    cite       how to cite", "    weather    rain\n"),
    ):
        text = (package_of_studies / name).read_text(encoding="utf-8")
        assert text.count(before) == 1
        (package_of_studies / name).write_text(text.replace(before, line + before), encoding="utf-8")
    first = study["treebanks"][0]
    first["candidates"][0]["path"] = "{data}/a9.mrg"
    study["treebanks"] = [{**first, "weather": "wet"}, {**first, "name": "u"}]
    written(tmp_path, study)
    environment = os.environ | {"PYTHONPATH": str(package.parent)}
    call = [sys.executable, "-c", OF_A_KEY]
    done = subprocess.run(call, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    messages = done.stdout.splitlines()
    assert messages[:2] == ["['wet', 'dry']"] * 2
    assert messages[2].endswith("treebanks[0]: 'wether' is not a key; did you mean 'weather'?")
    assert messages[messages.index("    weather:") + 1] == '      # rain (default: "dry")'
