"""What each command does with its arguments: read, one call, print.

Everything is imported where it is used, so that a command loads what it needs and ``--help`` nothing.
"""

from __future__ import annotations

import argparse
import io
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from crossbank.workflow.reliability import reliability

if TYPE_CHECKING:
    from crossbank.converters.schemes.scheme import Scheme
    from crossbank.metrics.counting.counts import Counts
    from crossbank.treebanks import Treebank


def _score(given: argparse.Namespace) -> int:
    if given.mode is not None:
        return _score_as_rival(given)
    from crossbank.metrics.counting.counts import UnscoredError
    from crossbank.metrics.counting.scoring import score, scoring_of
    from crossbank.treebanks.compilation import announce
    from crossbank.treebanks.errors import CrossbankError

    if given.explain:
        return _explain(given)
    if given.parameters is not None:
        raise CrossbankError("--parameters: found a parameter file, expected --mode or --explain with it")
    scoring = scoring_of(given.metric or ["parseval"], _options(given.option), given.unscored or "empty")
    scheme = _scheme(given.scheme)
    announce()
    gold, candidate = _read_both(given)
    try:
        scored = score(gold, candidate, scoring, scheme)
    except UnscoredError as error:
        print(error, file=sys.stderr)
        return 1
    return _print_counts(given, *scored)


def _score_as_rival(given: argparse.Namespace) -> int:
    from crossbank.metrics.rivals.modes import evaluate
    from crossbank.treebanks.errors import CrossbankError

    if given.explain:
        raise CrossbankError("--explain: found it with --mode, expected one of the two")
    for name in ("metric", "scheme", "unscored"):
        if getattr(given, name):
            said = f"--{name}: not used, the mode {given.mode} has its program's conventions"
            print(said, file=sys.stderr)
    answer = evaluate(
        given.mode,
        given.gold,
        given.candidate,
        given.parameters,
        options=_options(given.option),
        format=given.format,
        candidate_format=given.candidate_format,
        encoding=given.encoding,
    )
    if given.json or given.per_sentence or given.by:
        return _print_counts(given, answer.counts())
    report, complaints, code = answer.printed()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # Rivals print the bytes of a file as they are.
            stream.reconfigure(errors="surrogateescape")
    sys.stdout.write(report)
    sys.stderr.write(complaints + answer.notes())
    return code


def _print_counts(given: argparse.Namespace, *scored: Counts) -> int:
    from crossbank.reports.texts.console import as_json, as_table

    print((as_json if given.json else as_table)(scored, given.by))
    if given.per_sentence:
        from crossbank.reports.results.counts import write_per_sentence

        write_per_sentence(scored, given.per_sentence)
    return 0


def _explain(given: argparse.Namespace) -> int:
    from crossbank.metrics.analyses.conventions import explain, modes
    from crossbank.metrics.counting.counts import UnscoredError
    from crossbank.metrics.counting.scoring import scoring_of
    from crossbank.reports.texts.console import explanation_as_json, explanation_as_table
    from crossbank.treebanks.compilation import announce

    scoring = scoring_of(given.metric or ["parseval"], _options(given.option), given.unscored or "empty")
    announce()
    reading = {"format": given.format, "candidate_format": given.candidate_format, "encoding": given.encoding}
    rivals = modes(given.gold, given.candidate, given.parameters, **reading)
    try:
        explanation = explain(*_read_both(given), scoring, _scheme(given.scheme), modes=rivals)
    except UnscoredError as error:
        print(error, file=sys.stderr)
        return 1
    print((explanation_as_json if given.json else explanation_as_table)(explanation))
    return 0


def _compare(given: argparse.Namespace) -> int:
    import contextlib
    import tempfile
    from pathlib import Path

    from crossbank.metrics.counting.scoring import scoring_of
    from crossbank.reports.results.study import load
    from crossbank.reports.tables.markdown import markdown
    from crossbank.reports.tables.study import comparison
    from crossbank.reports.texts.summary import differing
    from crossbank.treebanks.compilation import announce
    from crossbank.workflow.compare import run_here, study_content

    announce()
    metrics, options = given.metric or ["parseval"], _options(given.option)
    scoring_of(metrics, options)
    content = study_content(
        given.gold,
        given.candidates,
        metrics,
        options,
        format=given.format,
        candidate_format=given.candidate_format,
        encoding=given.encoding,
        scheme=given.scheme,
        unscored=given.unscored,
    )
    with tempfile.TemporaryDirectory() as elsewhere:
        folder = Path(given.report or elsewhere)
        with contextlib.redirect_stderr(io.StringIO()):
            run_here(content, folder, reported=bool(given.report))
        found = load(folder, content)
        print(markdown(comparison(found)))
        if said := differing(found):
            print(f"{said}\n")
    if given.report:
        print(f"The report: {folder / 'report' / 'index.html'}")
    return 0


def _view(given: argparse.Namespace) -> int:
    from crossbank.metrics.counting.scoring import in_view
    from crossbank.metrics.pairing.pair import pair
    from crossbank.reports.trees.terminal import drawn_pair
    from crossbank.treebanks.errors import OptionError
    from crossbank.treebanks.formats import read

    scheme = _scheme(given.scheme)
    files = [(given.file, given.format)]
    if given.candidate is not None:
        files.append((given.candidate, given.candidate_format or given.format))
    banks = [
        in_view(read(path, format, encoding=given.encoding), "constituents", scheme) for path, format in files
    ]
    ids = list(banks[0].sentence_ids)
    for wanted in given.sentence or [ids[0]]:
        if wanted in ids:
            place = ids.index(wanted)
        elif wanted.isdecimal() and 0 < int(wanted) <= len(ids):
            place = int(wanted) - 1
        else:
            raise OptionError("--sentence", wanted, f"an identifier or a number from 1 to {len(ids)}")
        print(f"sentence {ids[place]}: {' '.join(banks[0].words(place))}")
        if len(banks) == 1:
            print(banks[0][place])
            continue
        both = pair(*(bank.select([place]) for bank in banks))
        print(drawn_pair(both, 0) if both.scored[0] else next(both.problems()).detail)
    return 0


def _convert(given: argparse.Namespace) -> int:
    from crossbank.converters.transformations import transform
    from crossbank.treebanks.errors import ConversionError
    from crossbank.treebanks.formats import format_of, read_all, write

    scheme = _scheme(given.scheme)
    bank = read_all([given.source], given.source_format, encoding=given.encoding)
    steps = list(given.transform)
    target = given.target_format or format_of(given.target)
    converted = transform(bank, steps, scheme)
    # In a file of trees sentences may be of words alone, such as headlines, and all of them.
    of_trees = (given.source_format or format_of(given.source)) in OF_CONSTITUENTS
    of_trees = bank.has_constituents or (of_trees and len(bank.tokens) > 0 and not bank.has_dependencies)
    if target in ("conllu", "conllx") and scheme is not None and of_trees:
        converted = _as_conll(converted, scheme, target)
    if target in OF_CONSTITUENTS and converted.has_dependencies and not converted.has_constituents:
        raise ConversionError(
            f"{given.source}: found dependencies alone, expected trees to write as {target}"
        )
    if target == "relations" and not converted.has_relations:
        from crossbank.metrics.counting.scoring import in_view

        converted = in_view(converted, "relations", scheme)
    write(converted, given.target, target)
    if given.diagnosis:
        from crossbank.reports.texts.diagnosis import write_diagnosis

        write_diagnosis(converted, given.diagnosis)
    _tell_diagnosis(converted)
    return 0


def _as_conll(bank: Treebank, scheme: Scheme, target: str) -> Treebank:
    """Trees with dependencies and columns as a CoNLL format wants them."""
    from crossbank.converters.transformations import transform
    from crossbank.metrics.counting.scoring import in_view

    if not bank.has_dependencies:
        # Traces are used where there are any. Scores leave them out of account, since parsers have none.
        if scheme.traces.moved:
            bank = transform(bank, ["resolve_traces"], scheme)
        bank = in_view(bank, "dependencies", scheme)
    columns = {"conll_columns": {"universal": target == "conllu"}}
    return transform(bank, ["single_root", columns], scheme)


def _consensus(given: argparse.Namespace) -> int:
    from crossbank.converters.consensus.majority import consensus
    from crossbank.treebanks.formats import read, write

    banks = [read(file, given.format, encoding=given.encoding) for file in given.files]
    agreed = consensus(banks, labels=not given.unlabelled)
    write(agreed, given.target, given.target_format)
    _tell_diagnosis(agreed)
    return 0


def _tell_diagnosis(bank: Treebank) -> None:
    from crossbank.reports.texts.diagnosis import as_lines

    for line in as_lines(bank):
        print(line, file=sys.stderr)


def _info(given: argparse.Namespace) -> int:
    from crossbank.treebanks.formats import read
    from crossbank.treebanks.ratios import describe

    described = describe(read(given.file, given.format, encoding=given.encoding))
    if given.json:
        import json

        print(json.dumps(described))
    else:
        width = max(len(name) for name in described)
        for name, value in described.items():
            shown = f"{value:.4f}" if isinstance(value, float) else str(value)
            print(f"{name.replace('_', ' '):<{width}}  {shown}")
    return 0


def _heads(given: argparse.Namespace) -> int:
    from crossbank.converters.heads.diagnosis import diagnose_heads
    from crossbank.converters.schemes.files import load_scheme
    from crossbank.converters.transformations import parse, transform
    from crossbank.reports.texts.head_rules import as_json, as_text
    from crossbank.treebanks.errors import ConversionError
    from crossbank.treebanks.formats import read_all

    scheme = load_scheme(given.scheme)
    bank = read_all(given.files, given.format, encoding=given.encoding)
    if not bank.has_constituents:
        raise ConversionError(f"{given.files[0]}: found no constituents, expected trees (heads)")
    # The trees as dependencies are read off them: without empty elements and metadata.
    steps = [parse(step) for step in scheme.views.get("dependencies", ())]
    before = next((i for i, step in enumerate(steps) if step.name == "dependencies"), len(steps))
    bank = transform(bank, steps[:before], scheme)
    found = diagnose_heads(bank, scheme, given.rules)
    if given.json:
        import json

        print(json.dumps(as_json(found), ensure_ascii=False))
    else:
        print(as_text(found))
    return 0


def _find(given: argparse.Namespace) -> int:
    from crossbank.converters.patterns.matching import find
    from crossbank.converters.patterns.program import compile_pattern
    from crossbank.treebanks.compilation import announce
    from crossbank.treebanks.formats import read

    program = compile_pattern(given.pattern)
    scheme = _scheme(given.scheme)
    announce()
    bank = read(given.file, given.format, encoding=given.encoding)
    if scheme is not None and bank.has_constituents:
        from crossbank.converters.heads.marking import mark_heads

        bank = mark_heads(bank, scheme)
    found = find(program, bank)
    if given.json:
        import json

        entries = [
            {"sentence": bank.sentence_id(m.sentence), "node": m.place, "label": m.label, "words": m.words}
            for m in found
        ]
        print(json.dumps(entries, ensure_ascii=False))
    else:
        for m in found:
            print(bank.sentence_id(m.sentence), m.place, m.label, " ".join(m.words), sep="\t")
    return 0


def _study(given: argparse.Namespace) -> int:
    import subprocess
    from pathlib import Path

    from crossbank.workflow.study import load_study

    load_study(given.study)
    snakefile = Path(__file__).parent / "Snakefile"
    command = [sys.executable, "-m", "snakemake", "--snakefile", str(snakefile), "--configfile", given.study]
    return subprocess.call([*command, *given.snakemake])


OF_CONSTITUENTS = ("bracket", "discbracket", "export", "tigerxml")
"""Formats that have no place for dependencies."""

COMMANDS = {
    "compare": _compare,
    "view": _view,
    "score": _score,
    "convert": _convert,
    "consensus": _consensus,
    "info": _info,
    "find": _find,
    "heads": _heads,
    "reliability": reliability,
    "study": _study,
}


def _options(written: Sequence[str]) -> dict[str, object]:
    from crossbank.treebanks.errors import OptionError

    options: dict[str, object] = {}
    for option in written:
        key, equals, value = option.partition("=")
        if not equals or not key:
            raise OptionError("--option", option, "KEY=VALUE")
        options[key] = value
    return options


def _scheme(name: str | None) -> Scheme | None:
    if name is None:
        return None
    from crossbank.converters.schemes.files import load_scheme

    return load_scheme(name)


def _read_both(given: argparse.Namespace) -> tuple[Treebank, Treebank]:
    """Gold and candidate, read at the same time: the compiled readers let go of the interpreter."""
    from concurrent.futures import ThreadPoolExecutor

    from crossbank.treebanks.formats import read

    with ThreadPoolExecutor(2) as threads:
        gold = threads.submit(read, given.gold, given.format, encoding=given.encoding)
        candidate = threads.submit(
            read, given.candidate, given.candidate_format or given.format, encoding=given.encoding
        )
        return gold.result(), candidate.result()
