"""``crossbank study``: a whole study, run with Snakemake."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Sequence
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING

import click

from crossbank.treebanks.errors import CrossbankError
from crossbank.workflow.commands.command import OutputOptions, command
from crossbank.workflow.commands.parameters import FILE, File, Name
from crossbank.workflow.commands.workflow import SNAKEFILE

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from crossbank.workflow.process_supervision import Run

PROFILE = Name("profile", files=True)

PATIENCE = 30.0
"""The seconds that jobs of a killed run have to end."""

EXAMPLES = ("crossbank study study.yaml --dry-run", "crossbank study study.yaml --cores 4")


class SnakemakeArgument(File):
    """An argument of Snakemake; values of ``--profile``, and keys after ``--config``, are completed."""

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """Return profiles, or the keys of a study with ``=``; else leave the word to the shell."""
        before = ctx.params.get("snakemake") or ("",)
        if before[-1] == "--profile":
            return PROFILE.shell_complete(ctx, param, incomplete)
        option = next((word for word in reversed(before) if word.startswith("-")), "")
        if option in ("--config", "-C") and not incomplete.startswith("-"):
            return _keys_of_study(incomplete)
        return super().shell_complete(ctx, param, incomplete)


def _keys_of_study(incomplete: str) -> list[CompletionItem]:
    """Return the keys of a study file that begin with a word, each with ``=``."""
    from click.shell_completion import CompletionItem

    from crossbank.reports.study.reading import study_schema

    return [CompletionItem(f"{key}=") for key in study_schema()["properties"] if key.startswith(incomplete)]


@command(
    "study",
    EXAMPLES,
    group="study",
    help="run a study with Snakemake",
    position=190,
    context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False},
)
@click.argument(
    "study", metavar="STUDY.yaml", type=FILE, help="the study file, or several: see crossbank help study"
)
@click.argument(
    "snakemake",
    nargs=-1,
    type=SnakemakeArgument(),
    help="further arguments for snakemake, such as --dry-run; options of crossbank stand before STUDY.yaml",
)
@click.option(
    "--profile",
    metavar="NAME",
    type=PROFILE,
    help="where the jobs run: a profile (crossbank list profiles), or the folder of your own",
)
@click.pass_obj
def run(output: OutputOptions, study: str, snakemake: Sequence[str], profile: str | None) -> int:
    """Run one study, or several one after the other.

    Returns Snakemake's exit code (the highest of several), or 130 where it was interrupted. A lock that a
    killed run left behind is taken over. An interrupt ends the jobs, and then the run.
    """
    from crossbank.reports.study.reading import load_study
    from crossbank.treebanks.extras import require
    from crossbank.treebanks.files import is_pipe
    from crossbank.workflow.foreign_code import code_of_study, commands_of_study
    from crossbank.workflow.named_profiles import check_plugins, with_paths
    from crossbank.workflow.snakemake_cache import provide_cache

    for package in ("snakemake", "pyarrow"):
        require(package, "crossbank study")
    further_files = list(takewhile(lambda word: word.endswith((".yaml", ".yml")), snakemake))
    for file in (study, *further_files):
        if is_pipe(file):
            raise CrossbankError(f"{file}: this is a pipe; a study needs a file, which every job reads")
        # What a study runs of its own is named before any of it is loaded.
        if code := [*code_of_study(file), *commands_of_study(file)]:
            print(f"{file} runs code of its own: {', '.join(code)}", file=sys.stderr, flush=True)
    files: dict[str, str] = {}
    for file in (study, *further_files):
        name = load_study(file).name
        if name in files:
            raise CrossbankError(f"{file}: found the study {name!r} of {files[name]} again, expected another")
        files[name] = file
    chosen = [] if profile is None else ["--profile", profile]
    further = with_paths([*chosen, *snakemake[len(further_files) :]])
    check_plugins(further)
    provide_cache()
    codes: dict[str, int] = {}
    for name, file in files.items():
        codes[name] = _run_study(name, file, further, watched=_is_watched(output.quiet, further))
        if codes[name] == 130:
            break
    if further_files and any(codes.values()):
        stopped = ", ".join(files[name] for name in files if codes.get(name, 1))
        print(f"Not finished: {stopped}. The same command goes on.", file=sys.stderr)
    return max(codes.values())


def _run_study(name: str, file: str, further: list[str], *, watched: bool) -> int:
    """Run one study with further arguments for Snakemake, and return the exit code."""
    from crossbank.workflow.process_supervision import FOLDER, RunningError, supervised_run
    from crossbank.workflow.steps.manifest import write_manifest

    results = Path("results") / name
    arguments = ["--snakefile", str(SNAKEFILE), "--configfile", file]
    try:
        with supervised_run(name) as run:
            if run.was_killed:
                _take_over(arguments, run)
            else:
                _check_results(results, further)
            code, status = (_run_watched if watched else _run)([*arguments, *further], run)
            if status == -signal.SIGKILL:
                _unlock(arguments, run)
            if (status < 0 or run.was_killed) and results.is_dir():
                from crossbank.reports.pages.studies import write_index

                # Snakemake may have been killed after its last job, and has nothing to do then the next time.
                write_index(results.parent, name)
            if status < 0 or code == 130:
                write_manifest(results)
                print(
                    f"Stopped. Finished files are kept; the same command goes on: crossbank study {file}",
                    file=sys.stderr,
                )
            return code
    except RunningError as error:
        raise CrossbankError(
            f"another run of the study is running in this folder (process {error.process}): "
            "type the same command when it has ended"
        ) from None
    except OSError as error:
        raise CrossbankError(f"{error.filename or FOLDER}: {error.strerror}") from error


def _check_results(results: Path, further: Sequence[str]) -> None:
    """Remove results that are not as they were made, and name them; only name them where jobs are listed.

    Raises CrossbankError if the results cannot be written, or are dated in the future.
    """
    from crossbank.reports.study.future_dates import first_in_future
    from crossbank.workflow.process_supervision import other_snakemakes
    from crossbank.workflow.steps.manifest import COMPARED, differing_files, remove_differing_files

    folder = next(path for path in (results, *results.parents) if path.exists())
    if not folder.is_dir() or not os.access(folder, os.W_OK):
        raise CrossbankError(f"{folder}: expected a folder to write to")
    if not results.is_dir():
        return
    if path := first_in_future(results):
        date = time.strftime("%Y-%m-%d", time.localtime(path.stat().st_mtime))
        raise CrossbankError(
            f"{path} is dated {date}, in the future: set the clock right, or remove {results}, "
            "which makes it again"
        )
    if _is_listing(further):
        differing = differing_files(results, COMPARED)
    else:
        differing = [] if other_snakemakes() else remove_differing_files(results)
    for path in differing:
        print(f"{path}: not as it was made, which makes it again", file=sys.stderr)


def _take_over(arguments: list[str], run: Run) -> None:
    """Remove Snakemake's lock of a run that was killed, when the last process of the run has ended."""
    from crossbank.workflow.process_supervision import other_snakemakes

    latest = time.monotonic() + PATIENCE
    while (processes := other_snakemakes()) and time.monotonic() < latest:
        time.sleep(0.2)
    if not processes:
        print("The last run was killed: its lock is taken over.", file=sys.stderr)
        _unlock(arguments, run)


def _unlock(arguments: list[str], run: Run) -> None:
    from subprocess import DEVNULL

    from crossbank.workflow.process_supervision import run_snakemake, wait_for

    command = [*arguments, "--unlock", "--quiet", "all"]
    wait_for(run_snakemake(command, run, stdout=DEVNULL, stderr=DEVNULL), run)


def _is_listing(words: Sequence[str]) -> bool:
    """Return whether jobs are only listed."""
    return any(word.startswith(("--dry-run", "--dryrun", "-n")) for word in words)


def _is_watched(quiet: bool, words: Sequence[str]) -> bool:
    """Return whether the progress is shown: on a terminal, unless the user wants it quiet."""
    quiet = quiet or _is_listing(words) or any(word.startswith(("--quiet", "-q")) for word in words)
    return os.name == "posix" and sys.stderr.isatty() and os.environ.get("TERM") != "dumb" and not quiet


def _run(arguments: list[str], run: Run) -> tuple[int, int]:
    """Run Snakemake; return the exit code, and how its process ended."""
    from crossbank.workflow.process_supervision import run_snakemake, wait_for

    process = run_snakemake(["--logger", "crossbank", *arguments], run)
    code = wait_for(process, run)
    return (code if code >= 0 else 128 - code), process.returncode


def _run_watched(arguments: list[str], run: Run) -> tuple[int, int]:
    """Run Snakemake and show how far the study is; what it prints goes through a terminal of its own."""
    import pty
    import tempfile

    from crossbank.reports.escaped_output import underlying_stream
    from crossbank.workflow.process_supervision import run_snakemake, wait_for
    from crossbank.workflow.study_progress import show_progress

    # Our line says how many steps are done.
    own, its = pty.openpty()
    stdout = its if sys.stdout.isatty() else None
    with tempfile.TemporaryDirectory() as folder:
        events = Path(folder) / "events"
        quiet = ["--quiet", "host", "rules", "progress", "--logger-crossbank-events", str(events)]

        def pass_on(print_above: Callable[[bytes], None]) -> None:
            while data := _read(own):
                print_above(data)

        with show_progress(underlying_stream(sys.stderr), events) as print_above:
            logged = ["--logger", "crossbank", *quiet, *arguments]
            process = run_snakemake(logged, run, stdout=stdout, stderr=its)
            os.close(its)
            reading = threading.Thread(target=pass_on, args=(print_above,), daemon=True)
            reading.start()
            code = wait_for(process, run)
            # A job that outlives Snakemake may still hold the terminal.
            reading.join(timeout=5)
    return (code if code >= 0 else 128 - code), process.returncode


def _read(terminal: int) -> bytes:
    """Return the output on a terminal so far; nothing when nobody can write to it any more."""
    try:
        return os.read(terminal, 1 << 16)
    except OSError:
        return b""
