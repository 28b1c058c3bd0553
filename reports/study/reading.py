"""Reading of a study file, with checks of its keys, files and names."""

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
from typing import Any

import yaml

from crossbank.converters.schemes.views import OF_DEPENDENCIES
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
from crossbank.reports.study.patterns import expand_patterns
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
from crossbank.treebanks.yaml_schemas import (
    Keys,
    Schema,
    json_schema,
    message_of,
    record_schema,
    remove_values,
    violations,
)


def load_added_keys() -> None:
    """Import the modules of plug-ins that add keys to those of study files."""
    for added in (*bundled("key"), *installed("key")):
        if added.name.partition(".")[0] in vars(model):
            import_module(added.module)


def study_schema() -> Schema:
    """Return the JSON schema of a study file."""
    load_added_keys()
    return json_schema(Study, "A Crossbank study")


def keys_of_studies() -> Schema:
    """Return the schema of the keys of a study file, as ``mappings_in`` takes it."""
    load_added_keys()
    return record_schema(Study)


def load_study(
    path: str | Path, *, present: bool = True, changed: Mapping[str, Any] = MappingProxyType({})
) -> Study:
    """Read and check a study file. Raises YamlError, with the line and the key of each error.

    changed  keys that replace those in the file
    """
    content = load_yaml(path)
    return study_of({**content, **changed} if changed else content, str(path), present=present)


def changed_keys(words: Sequence[str]) -> dict[str, Any]:
    """Return the keys that ``--config`` changes (``data=FOLDER``). Raises OptionError without ``=``."""
    for word in words:
        if not word.partition("=")[1]:
            raise OptionError("--config", word, "KEY=VALUE")
    return {
        key: parse_yaml(value, f"--config {key}") for key, _, value in (word.partition("=") for word in words)
    }


def study_of(content: Any, file: str, *, present: bool = True, here: bool = False) -> Study:
    """Return the study of a study file's content, which may come from Snakemake.

    file     the study file, for errors

    present  whether the files to read must be present; else a rule of another workflow may make them
    here     whether the steps run in this process, so that they can read a pipe

    First keys and types are checked, then files, and, if all keys are right, the names by which one part of
    the study refers to another. Raises YamlError with all errors.
    """
    reader = _StudyReader(file, present, here)
    load_added_keys()
    if wrong := list(violations(Study, content)):
        for one in (one for one in wrong if one.broken == "absent"):
            raise_all([at(file, *one[:3])])
        reader.errors += [at(file, *one[:3]) for one in wrong]
        content = deepcopy(content)
        is_entry = any(one.keys and isinstance(one.keys[-1], int) and not one.inside for one in wrong)
        if is_entry or not remove_values(content, wrong) or any(violations(Study, content)):
            raise_all(reader.errors)
    try:
        content = expanded(expand_patterns(content, file))
    except YamlError as error:
        raise_all([*reader.errors, *error.diagnostics])
    study = reader.study(content)
    if not wrong:
        reader.check_references(study)
    raise_all(reader.errors)
    return study


class _StudyReader:
    """Reads the content of a study file that has the right keys, and collects the errors in it.

    data     the text that replaces ``{data}``
    present, here  as for ``study_of``
    errors   the errors, each with its file, line and keys
    """

    def __init__(self, file: str, present: bool, here: bool) -> None:
        self.file, self.present, self.here, self.data = file, present, here, ""
        self.errors: list[FileDiagnostic] = []

    def add_error(self, keys: Keys, message: str) -> None:
        self.errors.append(at(self.file, keys, message))

    @contextmanager
    def errors_at(self, *keys: str | int) -> Iterator[None]:
        """Collect the errors that a block raises, as errors of a key."""
        try:
            yield
        except YamlError as error:
            self.errors += error.diagnostics
        except CrossbankError as error:
            self.add_error(keys, message_of(error))

    def study(self, content: Mapping[str, Any]) -> Study:
        """Return the study of a content whose patterns are expanded."""
        self.data = content.get("data", "")
        treebanks = [
            self.treebank(one, ("treebanks", index)) for index, one in enumerate(content["treebanks"])
        ]
        without_gold = {entry["treebank"]: entry["candidates"] for entry in content.get("without_gold", ())}
        made: dict[str, Any] = {"file": self.file, "content": content, "treebanks": tuple(treebanks)}
        made |= {"title": content.get("title", content["study"]), "without_gold": without_gold}
        study: Study = object_of(Study, content, **made)
        return study

    def treebank(self, entry: Mapping[str, Any], keys: Keys) -> StudiedTreebank:
        """Return a treebank with its sources."""
        shared = entry.get("transformations", [])
        gold = self.source(Source, {"name": GOLD, **entry["gold"]}, shared, (*keys, "gold"))
        held_out = HeldOut.of(entry, self.data)
        with self.errors_at(*keys, "test"):
            for path in held_out.files if held_out is not None else ():
                _look_up("file", path, gold.paths)
        candidates = [
            self.candidate(one, shared, held_out, (*keys, "candidates", index))
            for index, one in enumerate(entry.get("candidates", ()))
        ]
        independent = None
        if INDEPENDENT in entry:
            described = {"name": INDEPENDENT, **entry[INDEPENDENT]}
            independent = self.source(Source, described, (), (*keys, INDEPENDENT))
        made = {"gold": gold, "candidates": tuple(candidates), "dependencies": independent}
        treebank: StudiedTreebank = object_of(StudiedTreebank, entry, **made, held_out=held_out)
        self.check_distinct([source.name for source in treebank.sources], (*keys, "candidates"))
        return treebank

    def candidate(
        self, entry: Mapping[str, Any], shared: Sequence[Any], held_out: HeldOut | None, keys: Keys
    ) -> Source:
        """Return a candidate, with its files or with the plug-in that makes it."""
        made_by = class_of(entry)
        if made_by is None:
            return self.source(Candidate, entry, shared, keys)
        if held_out is None:
            problem = f"found {made_by.makes}, expected the key folds or test of the treebank as well"
            self.add_error((*keys, made_by.name), f"{problem}: they name the sentences to parse")
        made: dict[str, Any] = {"paths": (), "format": "parquet", "encoding": None}
        candidate: Candidate = object_of(Candidate, entry, **made, making=made_by.of(entry))
        return candidate

    def source(
        self, kind: type[Source], entry: Mapping[str, Any], shared: Sequence[Any], keys: Keys
    ) -> Source:
        """Return a source with its files; ``shared`` are transformations before its own."""
        paths: list[str] = []
        downloads = {}
        for pattern, checksum in self.patterns(entry, keys):
            with self.errors_at(*keys, "path"):
                matching = self.matching(pattern)
                if is_address(pattern):
                    downloads[matching[0]] = Download(pattern, checksum)
                elif checksum:
                    raise CrossbankError(
                        f"{pattern} has a checksum, but only files with a web address are checked"
                    )
                paths += matching
        format = entry.get("format", "")
        if paths:
            with self.errors_at(*keys, "format"):
                # If the file does not exist yet, its name decides.
                recognise = format_to_read if is_pipe(paths[0]) or Path(paths[0]).exists() else format_of
                format = format or recognise(paths[0])
                if format_named(format).folder and all(Path(path).exists() for path in paths):
                    paths = list(dict.fromkeys(path for one in paths for path in files_of_folder(one)))
        steps = (*shared, *entry.get("transformations", ()))
        made = {"paths": tuple(paths), "format": format, "transformations": steps, "downloads": downloads}
        source: Source = object_of(kind, entry, **made)
        return source

    def patterns(self, entry: Mapping[str, Any], keys: Keys) -> list[tuple[str, str]]:
        """Return the paths of a source as the study has them, each with the checksum that it must have."""
        listed = [entry] if isinstance(entry["path"], str) else entry["path"]
        if entry.get("sha256") and listed is entry["path"]:
            message = f"one checksum for {quantity(len(listed), 'file')}, expected one beside each path"
            self.add_error((*keys, "sha256"), message)
        files = [{"path": one} if isinstance(one, str) else one for one in listed]
        return [
            (one["path"].replace("{data}", self.data), (one.get("sha256") or "").lower()) for one in files
        ]

    def matching(self, pattern: str) -> list[str]:
        """Return the files of a path. Raises CrossbankError for one that must be present and is missing."""
        paths = local(pattern)
        if not self.present or is_address(pattern):
            return paths
        if not paths:
            raise CrossbankError(f"no such file: {pattern}")
        for path in paths:
            if not (self.here and is_pipe(path)):
                _check_readable(path)
        return [str(Path(path)) for path in paths]  # Snakemake warns of ./ and //

    # References from one part of a study to another

    def check_references(self, study: Study) -> None:
        """Add an error for each name that no other part of the study declares."""
        treebanks, metrics = study.treebanks, study.metrics
        self.check_distinct([t.name for t in treebanks], ("treebanks",))
        self.check_distinct([m.name for m in metrics], ("metrics",))
        self.check_checksums(study)
        self.check_makers(study)
        for made_by in {type(one.making): None for t in treebanks for one in t.candidates if one.making}:
            for keys, message in made_by.check(treebanks):
                self.add_error(keys, message)
        if study.match == "length" and len(treebanks) == 1:
            self.add_error(("match",), "found length, and one treebank, which has none beside it to match")
        by_name = {metric.name: metric for metric in metrics}
        for index, treebank in enumerate(treebanks):
            self.look_up_all("metric", treebank.metrics or (), by_name, "treebanks", index, "metrics")
            if treebank.dependencies is not None:
                with self.errors_at("treebanks", index, INDEPENDENT):
                    _check_independent(treebank, study.metrics_of(treebank.name))
        columns = [
            f"{metric.name}.{m.name}" for metric in metrics for m in metric_class(metric.metric).measures
        ]
        self.look_up_all("column", study.columns, [*columns, *COLUMNS_BESIDE], "report", "columns")
        names = list(dict.fromkeys(one.name for treebank in treebanks for one in treebank.candidates))
        pages = () if isinstance(study.pages, str) else study.pages
        self.look_up_all("candidate", pages, names, "report", "pages")
        for index, entry in enumerate(study.content.get("published", ())):
            for number, row in enumerate(entry["scores"]):
                with self.errors_at("published", index, "scores", number):
                    _check_published(row, study)

    def look_up_all(self, kind: str, names: Sequence[str], known: Collection[str], *keys: str | int) -> None:
        """Add an error for each name of a list that is not known."""
        for index, name in enumerate(names):
            with self.errors_at(*keys, index):
                _look_up(kind, name, known)

    def check_distinct(self, names: Sequence[str], keys: Keys) -> None:
        """Add an error for each name that is used twice."""
        for name in dict.fromkeys(name for index, name in enumerate(names) if name in names[:index]):
            self.add_error(keys, f"found the name {name!r} twice, expected distinct names")

    def check_makers(self, study: Study) -> None:
        """Add an error for each name of candidates that two plug-ins make."""
        makers: dict[str, str] = {}
        for index, treebank in enumerate(study.treebanks):
            for name, making in ((one.name, one.making) for one in treebank.candidates if one.making):
                if (other := makers.setdefault(name, making.name)) != making.name:
                    conflict = f"which {making.name} makes here and {other} for another treebank"
                    message = f"found {name!r}, {conflict}, expected distinct names"
                    self.add_error(("treebanks", index, "candidates"), message)

    def check_checksums(self, study: Study) -> None:
        """Add an error for each address that has two checksums."""
        checksums: dict[str, str] = {}
        for source in chain.from_iterable(treebank.sources for treebank in study.treebanks):
            for one in source.downloads.values():
                known = checksums.setdefault(one.address, one.checksum) or one.checksum
                if one.checksum not in ("", known):
                    message = f"one address has the checksums {known} and {one.checksum}"
                    self.add_error((), f"{one.address}: {message}")
                checksums[one.address] = known


def _look_up(kind: str, name: str, known: Collection[str]) -> None:
    """Raise OptionError for a name that is not known."""
    if name not in known:
        raise OptionError(kind, name, list(known))


def _check_independent(treebank: StudiedTreebank, metrics: Sequence[StudiedMetric]) -> None:
    if not treebank.conversion():
        raise CrossbankError(
            "name a scheme that converts gold's trees to dependencies, to compare these with"
        )
    if not any(metric.view in OF_DEPENDENCIES for metric in metrics):
        raise CrossbankError("name a metric of dependencies, since these measure its conversion")


def _check_published(row: Mapping[str, Any], study: Study) -> None:
    _look_up("treebank", row["treebank"], [treebank.name for treebank in study.treebanks])
    if "candidate" in row:
        candidates = [one.name for one in study.treebank(row["treebank"]).candidates]
        _look_up("candidate", row["candidate"], candidates)
    _look_up("metric", row["metric"], [metric.name for metric in study.metrics])
    measures = metric_class(study.metric(row["metric"]).metric).measures
    for key in (key for key in row if key not in ("treebank", "candidate", "metric")):
        _look_up("measure", key, [measure.name for measure in measures])


def _check_readable(path: str) -> None:
    """Raise CrossbankError for a file that cannot be read, where Snakemake would end with a traceback."""
    file = Path(path)
    if not os.path.lexists(file):
        raise CrossbankError(f"no such file: {path}")
    if file.is_symlink() and not os.path.exists(file):
        raise CrossbankError(f"{path} is a broken link")
    if not file.is_file() and not is_folder_of_treebank(path):
        kind = "a folder" if file.is_dir() else "a pipe or a device"
        raise CrossbankError(f"{path} is {kind}, not a file")
    if not os.access(file, os.R_OK):
        raise CrossbankError(f"no permission to read {path}")
    if is_in_future(file):
        date = datetime.fromtimestamp(file.stat().st_mtime).date()
        raise CrossbankError(f"{path} is dated {date}, in the future (touch it)")


def resolved(content: Mapping[str, Any]) -> str:
    """Return the YAML of a study as it is run, with all study files merged.

    ``shard_sentences`` is omitted: it changes no result, so it must not change the checksum in reports.
    """
    content = {key: value for key, value in content.items() if key != "shard_sentences"}
    return str(yaml.dump(content, Dumper=_Dumper, allow_unicode=False, sort_keys=False))


class _Dumper(getattr(yaml, "CSafeDumper", yaml.SafeDumper)):  # type: ignore[misc]
    """A dumper of all subclasses of dict: Snakemake reads JSON into an OrderedDict."""


_Dumper.add_multi_representer(dict, yaml.SafeDumper.represent_dict)


def write_resolved(content: Mapping[str, Any], path: Path) -> None:
    """Write a study as it is run, unless the file has this content already."""
    text = resolved(content)
    if not path.is_file() or path.read_text(encoding="utf-8") != text:
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.with_suffix(".part")
        part.write_text(text, encoding="utf-8")
        os.replace(part, path)
