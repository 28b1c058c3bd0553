"""A study file: read once and checked, keys by the model and names where they are looked up."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import deepcopy
from datetime import datetime
from importlib import import_module
from itertools import chain
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import yaml

from crossbank.converters.schemes.views import NAMED_LISTS, OF_DEPENDENCIES
from crossbank.metrics.counting.metric import metric_class
from crossbank.plugins.packages import bundled, installed
from crossbank.reports.study import model
from crossbank.reports.study.addresses import Download, is_address, local
from crossbank.reports.study.future_dates import is_in_future
from crossbank.reports.study.held_out import HeldOut
from crossbank.reports.study.making import class_of, expanded
from crossbank.reports.study.model import (
    COLUMNS_BESIDE,
    GOLD,
    INDEPENDENT,
    Candidate,
    Source,
    StudiedMetric,
    StudiedTreebank,
    Study,
)
from crossbank.reports.study.patterns import found_by_patterns
from crossbank.treebanks.errors import CrossbankError, OptionError
from crossbank.treebanks.files import is_pipe
from crossbank.treebanks.formats import (
    files_of_folder,
    format_named,
    format_of,
    format_to_read,
    is_folder_of_treebank,
)
from crossbank.treebanks.quantities import quantity
from crossbank.treebanks.typed_yaml import object_of
from crossbank.treebanks.yaml_files import load_yaml
from crossbank.treebanks.yaml_nodes import FileDiagnostic, YamlError, at, parse_yaml, raise_all
from crossbank.treebanks.yaml_schemas import Keys, json_schema, message_of, remove_values, violations


def load_added_keys() -> None:
    """Import the modules of plug-ins that add keys to those of study files."""
    for added in (*bundled("key"), *installed("key")):
        if added.name.partition(".")[0] in vars(model):
            import_module(added.module)


def study_schema() -> dict[str, Any]:
    """Return the JSON schema of a study file."""
    load_added_keys()
    return json_schema(Study, "A Crossbank study")


def load_study(
    path: str | Path, *, present: bool = True, changed: Mapping[str, Any] = MappingProxyType({})
) -> Study:
    """Read and check a study file. Raises YamlError, with the line and the key of each error.

    changed  keys in place of those in the file
    """
    content = load_yaml(path)
    return study_of({**content, **changed} if changed else content, str(path), present=present)


def changed_keys(words: Sequence[str]) -> dict[str, Any]:
    """Keys that ``--config`` changes: ``data=FOLDER``. Raises OptionError for what is no KEY=VALUE."""
    for word in words:
        if not word.partition("=")[1]:
            raise OptionError("--config", word, "KEY=VALUE")
    return {
        key: parse_yaml(value, f"--config {key}") for key, _, value in (word.partition("=") for word in words)
    }


class _Errors:
    """The errors of a study file. Those in a block get the file, the line and the key in front."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.listed: list[FileDiagnostic] = []

    def add(self, keys: Keys, message: str) -> None:
        self.listed.append(at(self.file, keys, message))

    @contextmanager
    def at(self, *keys: str | int) -> Iterator[None]:
        try:
            yield
        except YamlError as error:
            self.listed += error.diagnostics or [FileDiagnostic("", (), str(error))]
        except CrossbankError as error:
            self.add(keys, message_of(error))


class _Reading(NamedTuple):
    """How the files of a study are found, and where its errors go.

    data     the folder for which ``{data}`` stands
    present  whether the files must be there already
    here     whether they may be pipes
    """

    errors: _Errors
    data: str
    present: bool
    here: bool

    def matching(self, pattern: str) -> list[str]:
        """Return the files of a path. Raises CrossbankError for one that must be there and is not."""
        written = pattern.replace("{data}", self.data)
        paths = local(written)
        if not self.present or is_address(written):
            return paths
        if not paths:
            raise CrossbankError(f"no such file: {written}")
        for path in paths:
            if not (self.here and is_pipe(path)):
                _check_readable(path)
        return [str(Path(path)) for path in paths]  # Snakemake warns of ./ and //


def study_of(content: Any, file: str, *, present: bool = True, here: bool = False) -> Study:
    """Return the study of a study file's content, as Snakemake hands it on; ``file`` is named in errors.

    present  whether the files to read must be there; else a rule of another workflow may make them
    here     whether the steps run in this process, which alone can read a pipe

    The model decides which keys there may be and of what kind. Then files are looked for; what one part of
    the study says of another is looked up if all keys are right. Raises YamlError with all errors.
    """
    errors = _Errors(file)
    load_added_keys()
    if wrong := list(violations(Study, content)):
        for one in (one for one in wrong if one.broken == "absent"):
            raise_all([at(file, *one[:3])])
        errors.listed += [at(file, *one[:3]) for one in wrong]
        content = deepcopy(content)
        listed = any(one.keys and isinstance(one.keys[-1], int) and not one.inside for one in wrong)
        if listed or not remove_values(content, wrong) or any(violations(Study, content)):
            raise_all(errors.listed)
    try:
        content = expanded(found_by_patterns(content, file))
    except YamlError as error:
        raise_all([*errors.listed, *error.diagnostics])
    reading = _Reading(errors, content.get("data", ""), present, here)
    treebanks = tuple(
        _treebank(entry, reading, ("treebanks", index)) for index, entry in enumerate(content["treebanks"])
    )
    metrics = tuple(map(_metric, content.get("metrics", ())))
    without_gold = {entry["treebank"]: entry["candidates"] for entry in content.get("without_gold", ())}
    made: dict[str, Any] = {"file": file, "content": content, "treebanks": treebanks, "metrics": metrics}
    made |= {"title": content.get("title", content["study"]), "without_gold": without_gold}
    study: Study = object_of(Study, content, **made)
    if not wrong:
        _check_references(study, errors)
    raise_all(errors.listed)
    return study


def _check_readable(path: str) -> None:
    """Raise CrossbankError for what is no file or cannot be read. Snakemake would end with a traceback."""
    place = Path(path)
    if not os.path.lexists(place):
        raise CrossbankError(f"no such file: {path}")
    if place.is_symlink() and not os.path.exists(place):
        raise CrossbankError(f"{path} is a link that leads nowhere")
    if not place.is_file() and not is_folder_of_treebank(path):
        kind = "a folder" if place.is_dir() else "a pipe or a device"
        raise CrossbankError(f"{path} is {kind}, not a file")
    if not os.access(place, os.R_OK):
        raise CrossbankError(f"no permission to read {path}")
    if is_in_future(place):
        date = datetime.fromtimestamp(place.stat().st_mtime).date()
        raise CrossbankError(f"{path} is dated {date}, in the future (touch it)")


def _treebank(entry: Mapping[str, Any], reading: _Reading, keys: Keys) -> StudiedTreebank:
    errors, shared = reading.errors, entry.get("transformations", [])
    gold = _source(Source, {"name": GOLD, **entry["gold"]}, reading, shared, (*keys, "gold"))
    held_out = HeldOut.of(entry, reading.data)
    with errors.at(*keys, "test"):
        for path in held_out.files if held_out is not None else ():
            _look_up("file", path, gold.paths)
    candidates = []
    for index, candidate in enumerate(entry.get("candidates", ())):
        here = (*keys, "candidates", index)
        made_by = class_of(candidate)
        if made_by is None:
            candidates.append(_source(Candidate, candidate, reading, shared, here))
            continue
        if held_out is None:
            expected = "expected folds, or test, of the treebank: the sentences that it is to parse"
            errors.add((*here, made_by.name), f"found {made_by.makes}, {expected}")
        making = made_by.of(candidate)
        made: dict[str, Any] = {"paths": (), "format": "parquet", "encoding": None, "making": making}
        candidates.append(object_of(Candidate, candidate, **made))
    independent = None
    if INDEPENDENT in entry:
        described = {"name": INDEPENDENT, **entry[INDEPENDENT]}
        independent = _source(Source, described, reading, (), (*keys, INDEPENDENT))
    views = {
        view: NAMED_LISTS[steps] if isinstance(steps, str) else steps
        for view, steps in entry.get("views", {}).items()
    }
    made = {"gold": gold, "candidates": tuple(candidates), "dependencies": independent, "views": views}
    treebank: StudiedTreebank = object_of(StudiedTreebank, entry, **made, held_out=held_out)
    _check_distinct([source.name for source in treebank.sources], (*keys, "candidates"), errors)
    return treebank


def _source(
    kind: type[Source], entry: Mapping[str, Any], reading: _Reading, shared: Sequence[Any], keys: Keys
) -> Source:
    paths: list[str] = []
    downloads = {}
    for pattern, checksum in _patterns(entry, reading.errors, keys):
        with reading.errors.at(*keys, "path"):
            matching = reading.matching(pattern)
            written = pattern.replace("{data}", reading.data)
            if is_address(written):
                downloads[matching[0]] = Download(written, checksum)
            elif checksum:
                raise CrossbankError(
                    f"{written} has a checksum, which only files with an address on the web take"
                )
            paths += matching
    format = entry.get("format", "")
    if paths:
        with reading.errors.at(*keys, "format"):
            # A file that is not there yet shows its name alone.
            recognise = format_to_read if is_pipe(paths[0]) or Path(paths[0]).exists() else format_of
            format = format or recognise(paths[0])
            if format_named(format).folder and all(Path(path).exists() for path in paths):
                paths = list(dict.fromkeys(path for one in paths for path in files_of_folder(one)))
    steps = (*shared, *entry.get("transformations", ()))
    made = {"paths": tuple(paths), "format": format, "transformations": steps, "downloads": downloads}
    source: Source = object_of(kind, entry, **made)
    return source


def _patterns(entry: Mapping[str, Any], errors: _Errors, keys: Keys) -> list[tuple[str, str]]:
    """Return the paths of a source as they are written, each with the checksum that it must have, or none."""
    written, checksum = entry["path"], (entry.get("sha256") or "").lower()
    if isinstance(written, str):
        return [(written, checksum)]
    if checksum:
        message = f"one checksum for {quantity(len(written), 'file')}, expected one beside each path"
        errors.add((*keys, "sha256"), message)
    return [
        (path, "") if isinstance(path, str) else (path["path"], (path.get("sha256") or "").lower())
        for path in written
    ]


def _metric(entry: Any) -> StudiedMetric:
    described: Mapping[str, Any] = {"metric": entry} if isinstance(entry, str) else entry
    name = described["metric"]
    return StudiedMetric(described.get("name", metric_class(name).name), name, described.get("options", {}))


# What one part of a study says of another


def _check_references(study: Study, errors: _Errors) -> None:
    content, treebanks, metrics = study.content, study.treebanks, study.metrics
    _check_distinct([t.name for t in treebanks], ("treebanks",), errors)
    _check_distinct([m.name for m in metrics], ("metrics",), errors)
    _check_checksums(study, errors)
    _check_makers(study, errors)
    for made_by in {type(one.making): None for t in treebanks for one in t.candidates if one.making}:
        for keys, message in made_by.check(treebanks):
            errors.add(keys, message)
    if study.match == "length" and len(treebanks) == 1:
        errors.add(("match",), "found length, and one treebank, which has none beside it to match")
    by_name = {metric.name: metric for metric in metrics}
    for index, treebank in enumerate(treebanks):
        keys = ("treebanks", index)
        for number, name in enumerate(treebank.metrics or ()):
            with errors.at(*keys, "metrics", number):
                _look_up("metric", name, by_name)
        if treebank.dependencies is not None:
            with errors.at(*keys, INDEPENDENT):
                own = [by_name[name] for name in treebank.metrics or by_name if name in by_name]
                _check_independent(treebank, own)
    columns = [f"{metric.name}.{m.name}" for metric in metrics for m in metric_class(metric.metric).measures]
    for index, name in enumerate(study.columns):
        with errors.at("report", "columns", index):
            _look_up("column", name, [*columns, *COLUMNS_BESIDE])
    names = list(dict.fromkeys(one.name for treebank in treebanks for one in treebank.candidates))
    for index, name in enumerate(() if isinstance(study.pages, str) else study.pages):
        with errors.at("report", "pages", index):
            _look_up("candidate", name, names)
    for index, entry in enumerate(content.get("published", ())):
        for number, row in enumerate(entry["scores"]):
            with errors.at("published", index, "scores", number):
                _check_published(row, study)


def _look_up(kind: str, name: str, known: Collection[str]) -> None:
    """Raise OptionError for a name that is not known."""
    if name not in known:
        raise OptionError(kind, name, list(known))


def _check_distinct(names: Sequence[str], keys: Keys, errors: _Errors) -> None:
    for name in dict.fromkeys(name for index, name in enumerate(names) if name in names[:index]):
        errors.add(keys, f"found the name {name!r} twice, expected distinct names")


def _check_makers(study: Study, errors: _Errors) -> None:
    makers: dict[str, str] = {}
    for index, treebank in enumerate(study.treebanks):
        for candidate in treebank.candidates:
            if candidate.making is None:
                continue
            name = candidate.making.name
            if (other := makers.setdefault(candidate.name, name)) != name:
                found = f"found {candidate.name!r}, which {name} makes here and {other} for another treebank"
                errors.add(("treebanks", index, "candidates"), f"{found}, expected distinct names")


def _check_checksums(study: Study, errors: _Errors) -> None:
    checksums: dict[str, str] = {}
    for source in chain.from_iterable(treebank.sources for treebank in study.treebanks):
        for download in source.downloads.values():
            known = checksums.setdefault(download.address, download.checksum) or download.checksum
            if download.checksum not in ("", known):
                found = f"one address has the checksums {known} and {download.checksum}"
                errors.add((), f"{download.address}: {found}")
            checksums[download.address] = known


def _check_independent(treebank: StudiedTreebank, metrics: Sequence[StudiedMetric]) -> None:
    if not treebank.conversion():
        raise CrossbankError(
            "these dependencies need a scheme that makes others of gold, to compare them with"
        )
    if not any(metric.view in OF_DEPENDENCIES for metric in metrics):
        raise CrossbankError(
            "these dependencies need a metric of dependencies, whose conversion they measure"
        )


def _check_published(row: Mapping[str, Any], study: Study) -> None:
    _look_up("treebank", row["treebank"], [treebank.name for treebank in study.treebanks])
    if "candidate" in row:
        candidates = [one.name for one in study.treebank(row["treebank"]).candidates]
        _look_up("candidate", row["candidate"], candidates)
    _look_up("metric", row["metric"], [metric.name for metric in study.metrics])
    measures = metric_class(study.metric(row["metric"]).metric).measures
    for key in (key for key in row if key not in ("treebank", "candidate", "metric")):
        _look_up("measure", key, [measure.name for measure in measures])


def resolved(content: Mapping[str, Any]) -> str:
    """A study as it is run, all study files merged, as YAML.

    ``shard_sentences`` is left out: it changes no result, and so neither the checksum that reports show.
    """
    content = {key: value for key, value in content.items() if key != "shard_sentences"}
    return str(yaml.dump(content, Dumper=_Dumper, allow_unicode=False, sort_keys=False))


class _Dumper(getattr(yaml, "CSafeDumper", yaml.SafeDumper)):  # type: ignore[misc]
    """A dumper of mappings of any class: Snakemake reads JSON into an OrderedDict."""


_Dumper.add_multi_representer(dict, yaml.SafeDumper.represent_dict)


def write_resolved(content: Mapping[str, Any], path: Path) -> None:
    """Write a study as it is run, unless the file says just that already."""
    text = resolved(content)
    if not path.is_file() or path.read_text(encoding="utf-8") != text:
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.with_suffix(".part")
        part.write_text(text, encoding="utf-8")
        os.replace(part, path)
