"""A study file: read once, and checked: every key by the schema, every name where it is looked up."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from itertools import chain
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import yaml

from crossbank.converters.patterns.program import compile_pattern
from crossbank.converters.patterns.syntax import PatternError
from crossbank.converters.scheme_files import load_scheme
from crossbank.converters.schemes.views import NAMED_LISTS, OF_DEPENDENCIES, with_views
from crossbank.converters.transformations import parse
from crossbank.metrics.counting.metric import metric_class
from crossbank.metrics.counting.scoring import scoring_of
from crossbank.parsers.command import command_of
from crossbank.parsers.models import PARSERS, options_of_parser, parser_class
from crossbank.reports.study.addresses import Download, is_address, local
from crossbank.reports.study.future_dates import is_in_future
from crossbank.reports.study.model import (
    COLUMNS_BESIDE,
    GOLD,
    INDEPENDENT,
    Published,
    Settings,
    Source,
    StudiedMetric,
    StudiedTreebank,
    Study,
)
from crossbank.reports.study.patterns import found_by_patterns
from crossbank.reports.study.training import (
    COMMAND,
    HeldOut,
    Training,
    add_defaults,
    expanded,
    made,
    training_of,
)
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
from crossbank.treebanks.yaml_files import YamlError, at, check, load_yaml, parse_yaml

SCHEMA = Path(__file__).with_name("study.schema.yaml")

GROUPS = ("bootstrap", "tests", "report")
"""The keys whose keys are settings of the study."""


MODELS: Mapping[str, Sequence[type[Any]]] = {
    "gold": [Source],
    "independent": [Source],
    "candidate": [Source],
    "candidate_files": [Source],
    "treebank": [StudiedTreebank, HeldOut],
    "treebank_files": [Source, StudiedTreebank],
}
"""The classes whose fields are keys, by the definitions of the schema."""


def study_schema() -> dict[str, Any]:
    """Return the JSON schema of a study file, with all views, and with the defaults of the model."""
    schema = with_views(load_yaml(SCHEMA))
    add_defaults(schema, Study)
    for group in GROUPS:
        add_defaults(schema["properties"][group], Settings)
    for name, models in MODELS.items():
        add_defaults(schema["$defs"][name], *models)
    add_defaults(schema["$defs"]["candidate"]["properties"]["training"], Training)
    return schema


def load_study(
    path: str | Path, *, present: bool = True, changed: Mapping[str, Any] = MappingProxyType({})
) -> Study:
    """Read and check a study file. Raises YamlError, which names the key and the line.

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


def study_of(content: Any, file: str, *, present: bool = True, here: bool = False) -> Study:
    """A study from a study file's content, as Snakemake hands it on; ``file`` is named in errors.

    present  whether the files to read must be there; else a rule of another workflow may make them
    here     whether the steps run in this process, which alone can read a pipe

    First the schema decides which keys there may be and of what kind; then every name is looked up:
    schemes, formats, metrics and their options, transformations, files.
    """
    check(content, study_schema(), file)
    content = expanded(found_by_patterns(content, file))
    here_in = _Keys(file)
    files, listed = _Files(content.get("data", ""), present, here), content.get("metrics", [])
    treebanks = tuple(
        _treebank(entry, files, here_in.at("treebanks", place))
        for place, entry in enumerate(content["treebanks"])
    )
    metrics = tuple(_metric(entry, here_in.at("metrics", place)) for place, entry in enumerate(listed))
    _check_distinct([t.name for t in treebanks], here_in.at("treebanks"))
    _check_distinct([m.name for m in metrics], here_in.at("metrics"))
    _check_one_checksum(treebanks, file)
    _check_smoothing(treebanks, here_in)
    if content.get("match") == "length" and len(treebanks) == 1:
        raise here_in.at("match").error("found length, and one treebank, which has none beside it to match")
    for place, treebank in enumerate(treebanks):
        keys = here_in.at("treebanks", place)
        for number, name in enumerate(treebank.metrics or ()):
            with keys.at("metrics", number):
                _look_up("metric", name, [metric.name for metric in metrics])
        if treebank.dependencies is not None:
            own = [m for m in metrics if treebank.metrics is None or m.name in treebank.metrics]
            _check_independent(treebank, own, keys.at(INDEPENDENT))
    for place, name in enumerate(content.get("report", {}).get("columns", ())):
        with here_in.at("report", "columns", place):
            _check_column(name, metrics)
    if not isinstance(pages := content.get("report", {}).get("pages", "none"), str):
        names = list(dict.fromkeys(one.name for treebank in treebanks for one in treebank.candidates))
        for place, name in enumerate(pages):
            with here_in.at("report", "pages", place):
                _look_up("candidate", name, names)
    for place, entry in enumerate(content.get("published", ())):
        for number, row in enumerate(entry["scores"]):
            with here_in.at("published", place, "scores", number):
                _check_published(row, treebanks, metrics)
    groups = [content, *(content.get(group, {}) for group in GROUPS)]
    return made(
        Study,
        {key: value for group in groups for key, value in group.items()},
        name=content["study"],
        title=content.get("title", content["study"]),
        file=file,
        content=content,
        treebanks=treebanks,
        metrics=metrics,
        published=tuple(Published.of(entry) for entry in content.get("published", ())),
        without_gold={entry["treebank"]: entry["candidates"] for entry in content.get("without_gold", ())},
    )


def _look_up(kind: str, name: str, known: Collection[str]) -> None:
    """Raise OptionError for a name that is not known."""
    if name not in known:
        raise OptionError(kind, name, known)


class _Keys(NamedTuple):
    """A place in a study file. An error of ours in a block gets the file, the line and the key in front."""

    file: str
    keys: tuple[str | int, ...] = ()

    def at(self, *keys: str | int) -> _Keys:
        return _Keys(self.file, (*self.keys, *keys))

    def error(self, message: str) -> YamlError:
        return YamlError(at(self.file, self.keys, message))

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, CrossbankError) and not isinstance(error, YamlError):
            raise self.error(str(error)) from error


class _Files(NamedTuple):
    """Places of files.

    data     the folder for which ``{data}`` stands
    present  whether the files must be there already
    here     whether they may be pipes
    """

    data: str
    present: bool
    here: bool

    def matching(self, pattern: str) -> list[str]:
        """Files that a path stands for. Raises CrossbankError for one that must be there and is not."""
        written = pattern.replace("{data}", self.data)
        found = local(written)
        if self.present and not is_address(written):
            if not found:
                raise CrossbankError(f"no such file: {written}")
            for path in found:
                if not (self.here and is_pipe(path)):
                    _check_readable(path)
            return [str(Path(path)) for path in found]  # Snakemake warns of ./ and //
        return found


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


def _treebank(entry: Mapping[str, Any], data: _Files, keys: _Keys) -> StudiedTreebank:
    scheme = entry.get("scheme")
    with keys.at("scheme"):
        if scheme is not None:
            load_scheme(scheme)
    shared = entry.get("transformations", [])
    views = {
        view: NAMED_LISTS[steps] if isinstance(steps, str) else steps
        for view, steps in entry.get("views", {}).items()
    }
    _check_steps(shared, keys.at("transformations"))
    _check_steps(entry.get("context_free", []), keys.at("context_free"))
    for view, steps in views.items():
        _check_steps(steps, keys.at("views", view))
    with keys.at("hot_spots"):
        for pattern in entry.get("hot_spots", ()):
            _check_pattern(pattern)
    gold = _source({"name": GOLD, **entry["gold"]}, data, shared, keys.at("gold"))
    held_out = HeldOut.of(entry, data.data)
    with keys.at("test"):
        for path in held_out.files if held_out is not None else ():
            _look_up("file", path, gold.paths)
    candidates = tuple(
        _candidate(candidate, data, shared, held_out, keys.at("candidates", place))
        for place, candidate in enumerate(entry.get("candidates", []))
    )
    if held_out is not None and held_out.folds and not any(one.training for one in candidates):
        message = "found folds, and no candidate with a parser, which is trained on all folds but one"
        raise keys.at("folds").error(message)
    if "seed" in entry and not (held_out and held_out.test):
        raise keys.at("seed").error("found a seed, and no proportion under test to draw with it")
    independent = None
    if INDEPENDENT in entry:
        described = {"name": INDEPENDENT, **entry[INDEPENDENT]}
        independent = _source(described, data, (), keys.at(INDEPENDENT))
    found = made(
        StudiedTreebank,
        entry,
        gold=gold,
        scheme=scheme,
        candidates=candidates,
        views=views,
        dependencies=independent,
        held_out=held_out,
    )
    _check_distinct([source.name for source in found.sources], keys.at("candidates"))
    return found


def _check_steps(steps: Sequence[Any], keys: _Keys) -> None:
    with keys:
        for step in steps:
            parse(step)


def _check_one_checksum(treebanks: Sequence[StudiedTreebank], file: str) -> None:
    checksums: dict[str, str] = {}
    for source in chain.from_iterable(treebank.sources for treebank in treebanks):
        for download in source.downloads.values():
            known = checksums.setdefault(download.address, download.checksum) or download.checksum
            if download.checksum not in ("", known):
                found = f"one address has the checksums {known} and {download.checksum}"
                raise YamlError(f"{file}: {download.address}: {found}")
            checksums[download.address] = known


def _check_smoothing(treebanks: Sequence[StudiedTreebank], keys: _Keys) -> None:
    """Raise YamlError where the bits of smoothed models would be compared with those of others.

    A model without smoothing has no probability for many sentences, and needs the fewer bits for the rest.
    """
    first: tuple[str, bool] | None = None
    for place, treebank in enumerate(treebanks):
        for number, candidate in enumerate(treebank.candidates):
            if candidate.training is None or not candidate.training.entropy:
                continue
            smoothed = candidate.training.parser_options.smoothed
            first = first or (candidate.name, smoothed)
            if smoothed != first[1]:
                names = (candidate.name, first[0]) if smoothed else (first[0], candidate.name)
                found = "found entropies of {} with smoothing and of {} without, ".format(*names)
                where = keys.at("treebanks", place, "candidates", number)
                raise where.error(f"{found}expected smoothing on every side or on none")


def _check_pattern(pattern: str) -> None:
    try:
        compile_pattern(pattern)
    except PatternError as error:
        told = str(error).partition("\n")[0]
        raise CrossbankError(f"{pattern!r}, character {error.place + 1}: {told}") from error


def _check_published(
    row: Mapping[str, Any], treebanks: Sequence[StudiedTreebank], metrics: Sequence[StudiedMetric]
) -> None:
    found = {treebank.name: treebank for treebank in treebanks}
    _look_up("treebank", row["treebank"], found)
    if "candidate" in row:
        _look_up("candidate", row["candidate"], [one.name for one in found[row["treebank"]].candidates])
    by_name = {metric.name: metric for metric in metrics}
    _look_up("metric", row["metric"], by_name)
    measures = [measure.name for measure in metric_class(by_name[row["metric"]].metric).measures]
    for key in (key for key in row if key not in ("treebank", "candidate", "metric")):
        _look_up("measure", key, measures)


def _check_column(name: str, metrics: Sequence[StudiedMetric]) -> None:
    known = [f"{metric.name}.{m.name}" for metric in metrics for m in metric_class(metric.metric).measures]
    _look_up("column", name, [*known, *COLUMNS_BESIDE])


def _check_independent(treebank: StudiedTreebank, metrics: Sequence[StudiedMetric], keys: _Keys) -> None:
    if not treebank.conversion():
        raise keys.error("these dependencies need a scheme that makes others of gold, to compare them with")
    if not any(metric.view in OF_DEPENDENCIES for metric in metrics):
        raise keys.error("these dependencies need a metric of dependencies, whose conversion they measure")


def _candidate(
    entry: Mapping[str, Any], data: _Files, shared: Sequence[Any], held_out: HeldOut | None, keys: _Keys
) -> Source:
    """A candidate that is read, or one that is trained: its trees have been through the shared steps."""
    training = training_of(entry)
    if ("path" in entry) == (training is not None):
        found = "a path and a parser" if training else "found neither a path nor a parser"
        raise keys.error(f"{found}, expected one of them")
    if training is None:
        return _source(entry, data, shared, keys)
    if held_out is None:
        said = "found a parser to train, expected folds, or test, of the treebank"
        raise keys.at("parser").error(f"{said}: the sentences that it is to parse")
    with keys.at("parser"):
        if training.parser == COMMAND:
            command_of(training.options)
        elif training.parser not in PARSERS:
            raise OptionError("parser", training.parser, (*PARSERS, COMMAND))
        else:
            options_of_parser(training.parser, training.options)
    if training.entropy and (training.parser == COMMAND or not parser_class(training.parser).probabilities):
        known = [name for name in PARSERS if parser_class(name).probabilities]
        with keys.at("training", "entropy"):
            raise OptionError("parser", training.parser, known)
    _check_steps(training.transformations, keys.at("training", "transformations"))
    _check_steps(entry.get("transformations", []), keys.at("transformations"))
    trained = {"paths": (), "format": "parquet", "encoding": None, "training": training}
    return made(Source, entry, **trained)


def _source(entry: Mapping[str, Any], data: _Files, shared: Sequence[Any], keys: _Keys) -> Source:
    paths: list[str] = []
    downloads = {}
    for pattern, checksum in _patterns(entry, keys):
        with keys.at("path"):
            found = data.matching(pattern)
        written = pattern.replace("{data}", data.data)
        if is_address(written):
            downloads[found[0]] = Download(written, checksum)
        elif checksum:
            message = f"{written} has a checksum, which only files with an address on the web take"
            raise keys.at("path").error(message)
        paths += found
    # A file that is not there yet shows its name alone.
    recognise = format_to_read if is_pipe(paths[0]) or Path(paths[0]).exists() else format_of
    format = entry.get("format") or recognise(paths[0])
    with keys.at("format"):
        if format_named(format).folder and all(Path(path).exists() for path in paths):
            paths = list(dict.fromkeys(path for found in paths for path in files_of_folder(found)))
    own = entry.get("transformations", [])
    _check_steps(own, keys.at("transformations"))
    steps = (*shared, *own)
    return made(Source, entry, paths=tuple(paths), format=format, transformations=steps, downloads=downloads)


def _patterns(entry: Mapping[str, Any], keys: _Keys) -> list[tuple[str, str]]:
    """Return the paths of a source as they are written, each with the checksum that it must have, or none."""
    written, checksum = entry["path"], (entry.get("sha256") or "").lower()
    if isinstance(written, str):
        return [(written, checksum)]
    if checksum:
        message = f"one checksum for {quantity(len(written), 'file')}, expected one beside each path"
        raise keys.at("sha256").error(message)
    return [
        (path, "") if isinstance(path, str) else (path["path"], (path.get("sha256") or "").lower())
        for path in written
    ]


def _metric(entry: Any, keys: _Keys) -> StudiedMetric:
    described: Mapping[str, Any] = {"metric": entry} if isinstance(entry, str) else entry
    name, options = described["metric"], described.get("options", {})
    with keys.at("options") if options else keys:
        scoring_of([name], options)
    return StudiedMetric(described.get("name", metric_class(name).name), name, options)


def _check_distinct(names: Sequence[str], keys: _Keys) -> None:
    for place, name in enumerate(names):
        if name in names[:place]:
            raise keys.error(f"found the name {name!r} twice, expected distinct names")


def resolved(content: Mapping[str, Any]) -> str:
    """A study as it is run, all study files merged, as YAML.

    ``shard_sentences`` is left out: it changes no result, and so neither the checksum that reports show.
    """
    content = {key: value for key, value in content.items() if key != "shard_sentences"}
    return str(yaml.dump(content, Dumper=_Dumper, allow_unicode=True, sort_keys=False))


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
