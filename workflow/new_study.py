"""Draft a study file from the files to compare, with a comment on every key."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest
from os.path import isdir
from pathlib import Path
from typing import NamedTuple

import yaml

from crossbank.converters.scheme_files import NEARLY_ALL, fitting_schemes, load_scheme
from crossbank.reports.study.model import Settings
from crossbank.reports.study.patterns import plain
from crossbank.treebanks import Treebank
from crossbank.treebanks.errors import CrossbankError
from crossbank.treebanks.formats import FORMATS, format_to_read, read
from crossbank.treebanks.quantities import quantity
from crossbank.treebanks.recognition import encoding_begun, format_begun
from crossbank.treebanks.yaml_schemas import Schema, record_schema
from crossbank.workflow.joined_folds import JoinedFolds, joined_folds
from crossbank.workflow.proposed_patterns import (
    by_treebank,
    distinct,
    names_of,
    pattern_of_candidates,
    pattern_of_golds,
    treebanks_of,
)

MAX_READ_GOLDS = 10
"""The number of gold files that are read to recognise the scheme."""

MAX_LISTED = 8
"""The number of candidates of one treebank up to which they are listed; a pattern matches more."""


class Recognised(NamedTuple):
    """A file with its format and encoding; None is UTF-8."""

    path: str
    format: str
    encoding: str | None


def recognise(path: str, format: str | None, encoding: str | None) -> Recognised:
    """Return a file with its format and encoding: the arguments, else those recognised from its content.

    Raises CrossbankError for a file that cannot be read or recognised.
    """
    if format is None:
        format = format_to_read(path)
        # Text without trees is neither gold nor a candidate.
        format = format_begun(path) or format if format == "text" else format
    if encoding is None and format != "parquet" and not isdir(path):
        encoding = encoding_begun(path)
    return Recognised(path, format, encoding)


def scheme_in(bank: Treebank, format: str) -> tuple[str | None, str]:
    """Return the scheme that knows most of a treebank's labels, and a sentence with the reason.

    Some formats have one scheme. None if no scheme knows most of the categories. Ties are broken by the
    smallest inventory: a scheme that extends another knows all its labels too.
    """
    if format in FORMATS and (own := FORMATS[format].scheme):
        return own, f"the scheme of all {format} files"
    if not bank.has_constituents:
        return None, "there are no trees"
    best, proportion = fitting_schemes(bank.vocabulary.counted(bank.nodes.label))
    fit_text = f"{best}: {100 * proportion:.0f} % of gold's categories are in its list"
    if proportion <= NEARLY_ALL:
        return None, f"the nearest is {fit_text}"
    tags = bank.vocabulary.counted(bank.tokens.pos)

    def fit(name: str) -> tuple[int, int]:
        inventory = load_scheme(name).inventory
        known = sum(number for tag, number in tags.items() if tag in inventory.get("tags", {}))
        return -known, sum(map(len, inventory.values()))

    return min(best.split(" or "), key=fit), fit_text


def draft(
    golds: Sequence[Recognised], candidates: Sequence[Recognised], *, scheme: str | None, name: str
) -> str:
    """Return the text of a study file. The first gold file decides on the metrics.

    Files whose names differ by a number only are folds of one treebank: see ``joined_folds``.

    Raises the errors of readers, and CrossbankError if there is no sentence, or a candidate's name contains
    none of the names of several treebanks.
    """
    schemes = []
    for gold in reversed(golds[:MAX_READ_GOLDS]):
        bank = read(gold.path, gold.format, encoding=gold.encoding)
        if not len(bank):
            raise CrossbankError(f"{gold.path}: there are no sentences")
        schemes.append((scheme, "as you say") if scheme is not None else scheme_in(bank, gold.format))
    schemes.reverse()
    joined = None
    if _are_alike(golds, candidates, schemes):
        joined = joined_folds([gold.path for gold in golds], [one.path for one in candidates])
    if joined is not None:
        of_first = [one for one in candidates if one.path in {path for _, path in joined.candidates.values()}]
        files = _joined_files(joined, golds, candidates, schemes[0])
    else:
        treebanks = treebanks_of([gold.path for gold in golds], [one.path for one in candidates])
        own = {next(iter(treebanks)): [one.path for one in candidates]}
        if len(treebanks) > 1:
            own = by_treebank(list(treebanks), [one.path for one in candidates])
        of_first = [one for one in candidates if one.path in next(iter(own.values()))]
        files = _files(golds, candidates, treebanks, own, schemes, quantity(len(bank), "sentence"))
    lines = [
        "# Run it: crossbank study FILE, or snakemake --configfile FILE. Every key: crossbank help study.",
        f"study: {_text(name)}  # results go to results/{name}",
        *files,
        "",
        "metrics:  # crossbank list metrics",
        *_metrics(bank, schemes[0][0], of_first),
        "",
        *_settings(record_schema(Settings), ("unscored", "on_error", "bootstrap", "tests", "report")),
    ]
    return "\n".join(lines) + "\n"


def _settings(schema: Schema, names: Iterable[str], indent: str = "") -> Iterator[str]:
    """Yield lines with the defaults of some keys of study files, and what the keys mean."""
    for name in names:
        one = schema["properties"][name]
        inner = one.get("properties", {})
        numbers = [key for key, of in inner.items() if isinstance(of.get("default"), int | float)]
        default = "" if inner else f" {one['default']}"
        yield f"{indent}{name}:{default}  # {one['description']}"
        yield from _settings(one, numbers, f"{indent}  ")


def _files(
    golds: Sequence[Recognised],
    candidates: Sequence[Recognised],
    treebanks: Mapping[str, str],
    own: Mapping[str, Sequence[str]],
    schemes: Sequence[tuple[str | None, str]],
    size: str,
) -> list[str]:
    """Return the lines on the title, the treebanks and their candidates, as patterns if there are many.

    treebanks  files of gold by treebank
    own        files of candidates by treebank
    schemes    schemes of the first gold files, each with a sentence on the reason
    size       the number of sentences of the first gold file
    """
    paths = {gold.path: gold for gold in golds}
    files = {one.path: one for one in candidates}
    several = len(treebanks) > 1
    alike = _are_alike(golds, candidates, schemes[:1])
    one_scheme = _are_alike(golds, candidates, schemes)
    pattern = pattern_of_golds(list(paths), list(files)) if one_scheme else None
    proposed = None
    if alike and (several or len(candidates) > MAX_LISTED):
        proposed = pattern_of_candidates(treebanks, own, pattern)
    names = distinct(names_of(list(files)))
    listed = not proposed and not several and len(names) <= MAX_LISTED
    counted = ", ".join(names) if listed else quantity(len(candidates), "file")
    title = f"{', '.join(treebanks) if several else Path(golds[0].path).name}: {counted or 'gold alone'}"
    lines = [f"title: {json.dumps(title, ensure_ascii=False)}", "", "treebanks:"]
    if pattern is not None:
        number = quantity(len(golds), "file")
        lines.append(f"  path: {_text(pattern)}  # {number}, each named as its treebank")
        lines += [*_format_of(golds[0]), f"  {_scheme(*schemes[0])}"]
    else:
        unseen = [(None, f"only the first {MAX_READ_GOLDS} files were read")] * (len(golds) - len(schemes))
        for (treebank, path), scheme in zip(treebanks.items(), (*schemes, *unseen), strict=True):
            lines += [f"  - name: {_text(plain(treebank))}", f"    {_scheme(*scheme)}"]
            lines.append(f"    gold: {_source(paths[path])}" + ("" if several else f"  # {size}"))
            if proposed is None:
                lines += _listed([files[one] for one in own[treebank]])
    if proposed is not None:
        one = files[next(iter(files))]
        number = quantity(len(candidates), "file")
        lines += ["candidates:", f"  path: {_text(proposed.path)}  # {number}; names in braces: what differs"]
        lines += _format_of(one)
        if proposed.exceptions:
            lines.append(f"  except: [{', '.join(map(_text, proposed.exceptions))}]  # found, but not given")
    elif pattern is not None:
        lines += ["candidates: []  # path: output/{system}/{treebank}.conllu"]
    return lines


def _are_alike(
    golds: Sequence[Recognised], candidates: Sequence[Recognised], schemes: Sequence[tuple[str | None, str]]
) -> bool:
    """Return whether files of gold have one format and scheme, and candidates one format."""
    formats = {one[1:] for one in golds}, {one[1:] for one in candidates}
    return len(formats[0]) == 1 and len(formats[1]) <= 1 and len({scheme for scheme, _ in schemes}) == 1


def _joined_files(
    joined: JoinedFolds,
    golds: Sequence[Recognised],
    candidates: Sequence[Recognised],
    scheme: tuple[str | None, str],
) -> list[str]:
    """Return the lines on the title, the one treebank whose files differ by a number, and its candidates."""
    names = list(joined.candidates)
    counted = ", ".join(names) if len(names) <= MAX_LISTED else quantity(len(names), "candidate")
    counted = counted if names else "gold alone"
    number = quantity(len(golds), "file")
    return [
        f"title: {json.dumps(f'{joined.name}: {counted}', ensure_ascii=False)}",
        "",
        "treebanks:",
        f"  - name: {_text(joined.name)}  # {number} that differ by a number: one treebank",
        f"    {_scheme(*scheme)}",
        f"    gold: {_source(golds[0]._replace(path=joined.gold))}",
        *_listed([candidates[0]._replace(path=path) for path, _ in joined.candidates.values()], names),
    ]


def _scheme(scheme: str | None, fit_text: str) -> str:
    if scheme is None:
        return f"# scheme: NAME  # not recognised: {fit_text}. Without one, labels are unchanged."
    return f"scheme: {_text(scheme)}  # {fit_text}"


def _format_of(file: Recognised) -> list[str]:
    encoding = [f"  encoding: {file.encoding}"] if file.encoding else []
    return [f"  format: {file.format}", *encoding]


def _listed(candidates: Sequence[Recognised], names: Sequence[str] = ()) -> list[str]:
    if not candidates:
        return ["    candidates: []  # - {name: parser, path: parsed.mrg}"]
    names = names or distinct(names_of([one.path for one in candidates]))
    return [
        "    candidates:",
        *(
            f"      - {{name: {_text(name)}, {_source(file)[1:-1]}}}"
            for name, file in zip(names, candidates, strict=True)
        ),
        "    # attributes: {training_size: 1000}  # of a candidate: axes of the report's curves",
    ]


def _source(file: Recognised) -> str:
    encoding = f", encoding: {file.encoding}" if file.encoding else ""
    return f"{{path: {_text(file.path)}, format: {file.format}{encoding}}}"


def _text(text: str) -> str:
    """Return a string as YAML, in quotes if it would be read as another type."""
    is_plain = re.fullmatch(r"[\w./][\w./-]*", text) and yaml.safe_load(text) == text
    return text if is_plain else json.dumps(text, ensure_ascii=False)


def _metrics(bank: Treebank, scheme: str | None, candidates: Sequence[Recognised]) -> list[str]:
    """Return a line for each metric that can compare gold with its candidates."""
    entries = []
    if bank.has_constituents:
        entries += ["  - parseval", "  - leaf_ancestor"]
        if scheme is not None and "dependencies" in load_scheme(scheme).views:
            heads = "# heads by the scheme's head rules"
            entries.append(f"  - {{metric: dependencies, options: {{labels: no}}}}  {heads}")
    if bank.has_dependencies and not bank.has_constituents:
        if any(_differs(bank, file) for file in candidates if file.format == "conllu"):
            entries.append("  - conll18  # as the shared task: sentences or tokens differ from gold's")
        else:
            entries.append("  - dependencies")
    if not entries and any(FORMATS[file.format].relations for file in candidates if file.format in FORMATS):
        entries.append("  - relations")
    return entries or ["  []"]


def _differs(gold: Treebank, candidate: Recognised) -> bool:
    """Return whether a candidate that can be read has other sentences or tokens than gold."""
    try:
        other = read(candidate.path, candidate.format, encoding=candidate.encoding)
    except CrossbankError:
        return False
    return any(one != two for one, two in zip_longest((s.words for s in gold), (s.words for s in other)))
