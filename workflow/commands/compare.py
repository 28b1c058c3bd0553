"""``crossbank compare``: several candidates beside each other, with tests of their differences."""

from __future__ import annotations

import io
from argparse import ArgumentParser, Namespace

from crossbank.workflow.commands.arguments import BY_NAME, add_metric, add_option, options_of


def arguments(parser: ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("gold", metavar="GOLD")
    parser.add_argument("candidates", metavar="CANDIDATE", nargs="+")
    parser.add_argument("--format", metavar="F", help=BY_NAME)
    parser.add_argument(
        "--candidate-format", metavar="F", help="format of the candidates where it is another"
    )
    parser.add_argument("--encoding", metavar="E", help="encoding of all (default: UTF-8)")
    parser.add_argument("--scheme", metavar="NAME_OR_FILE", help="the annotation scheme")
    add_metric(parser, "as for score (default: parseval)")
    add_option(parser, "as for score")
    parser.add_argument("--unscored", choices=("skip", "empty"), default="empty", help="as for score")
    parser.add_argument("--report", metavar="DIR", help="write the report of a study to this folder")


def run(given: Namespace) -> int:
    """Print the table of a study's scores, and the significant differences."""
    import contextlib
    import tempfile
    from pathlib import Path

    from crossbank.metrics.counting.scoring import scoring_of
    from crossbank.reports.findings.candidates import better_candidates
    from crossbank.reports.findings.measures import agreement_on_candidates
    from crossbank.reports.sections.scores import comparison
    from crossbank.reports.tables.markdown import markdown
    from crossbank.reports.texts.summary import findings_said
    from crossbank.workflow.compare import run_here, study_content

    metrics, options = given.metric or ["parseval"], options_of(given.option)
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
            found = run_here(content, folder, reported=bool(given.report))
        print(markdown(comparison(found)))
        if said := findings_said([*better_candidates(found), *agreement_on_candidates(found)]):
            print(f"{said}\n")
    if given.report:
        print(f"The report: {folder / 'report' / 'index.html'}")
    return 0
