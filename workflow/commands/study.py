"""``crossbank study``: a whole study, run with Snakemake."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
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

LOCKS = Path(".snakemake") / "locks"

PROFILE = Name("profile", files=True)

PATIENCE = 30.0
"""The seconds that what is left of a killed run has to end."""

EXAMPLES = ("crossbank study study.yaml --dry-run", "crossbank study study.yaml --cores 4")


class SnakemakeArgument(File):
    """An argument of Snakemake; the value of ``--profile`` is completed."""

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """Return the profiles after ``--profile``, else leave the word to the shell."""
        before = ctx.params.get("snakemake") or ("",)
        if before[-1] == "--profile":
            return PROFILE.shell_complete(ctx, param, incomplete)
        return super().shell_complete(ctx, param, incomplete)


@command(
    "study", EXAMPLES, context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False}
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
    """Run one study, or several one after the other, which share what they have in common.

    Returns Snakemake's exit code (the highest of several), or 130 where it was interrupted. A lock that a
    killed run left behind is taken over. An interrupt ends the jobs, and then the run.
    """
    from crossbank.reports.study.reading import load_study
    from crossbank.treebanks.extras import require
    from crossbank.treebanks.files import is_pipe
    from crossbank.workflow.foreign_code import code_of_study, commands_of_study
    from crossbank.workflow.named_profiles import check_plugins, with_paths
    from crossbank.workflow.snakemake_cache import provide_cache
    from crossbank.workflow.steps.store import FOLDER, VARIABLE

    for package in ("snakemake", "pyarrow"):
        require(package, "crossbank study")
    others = list(takewhile(lambda word: word.endswith((".yaml", ".yml")), snakemake))
    for file in (study, *others):
        if is_pipe(file):
            raise CrossbankError(f"{file}: a pipe, expected a file, which every job reads again")
        # What a study runs of its own is named before any of it is loaded.
        if code := [*code_of_study(file), *commands_of_study(file)]:
            print(f"{file} runs code of its own: {', '.join(code)}", file=sys.stderr, flush=True)
    files: dict[str, str] = {}
    for file in (study, *others):
        name = load_study(file).name
        if name in files:
            raise CrossbankError(f"{file}: found the study {name!r} of {files[name]} again, expected another")
        files[name] = file
    chosen = [] if profile is None else ["--profile", profile]
    further = with_paths([*chosen, *snakemake[len(others) :]])
    check_plugins(further)
    provide_cache()
    if others:
        os.environ.setdefault(VARIABLE, str(FOLDER))
    codes: dict[str, int] = {}
    for name, file in files.items():
        _make_again(Path("results") / name, listed=_is_listing(snakemake))
        codes[name] = _run_study(file, further, watched=_is_watched(output.quiet, snakemake))
        if codes[name] == 130:
            break
    if others and any(codes.values()):
        stopped = ", ".join(files[name] for name in files if codes.get(name, 1))
        print(f"Not finished: {stopped}. The same command goes on.", file=sys.stderr)
    return max(codes.values())


def _make_again(results: Path, *, listed: bool) -> None:
    """Remove results that are not as they were made, and name them; only name them where jobs are listed."""
    from crossbank.workflow.steps.manifest import differing_files, remove_differing_files

    if any(LOCKS.glob("*")) or not results.is_dir():
        return  # another run is at work, or was killed: what is begun is no difference
    for path in (differing_files if listed else remove_differing_files)(results):
        print(f"{path}: not as it was made, which makes it again", file=sys.stderr)


def _is_listing(snakemake: Sequence[str]) -> bool:
    """True if jobs are only listed."""
    return any(word.startswith(("--dry-run", "--dryrun", "-n")) for word in snakemake)


def _run_study(study: str, further: list[str], *, watched: bool) -> int:
    """Run one study with further arguments for Snakemake, and return the exit code."""
    from crossbank.workflow.lifeline import FOLDER, lead, others_at_work

    command = [sys.executable, "-P", "-m", "crossbank.workflow.run_snakemake"]
    command += ["--snakefile", str(SNAKEFILE), "--configfile", study]
    if _is_abandoned():
        print("The last run was killed: its lock is taken over.", file=sys.stderr)
        _unlock(command)
    try:
        own = lead()
    except OSError as error:
        raise CrossbankError(f"{FOLDER}: {error.strerror}") from error
    try:
        code = (_run_watched if watched else _run)([*command, *further])
        if code == 130 or code < 0:
            if any(LOCKS.glob("*")):
                _unlock(command)
            said = "Stopped. Finished files are kept; the same command goes on"
            print(f"{said}: crossbank study {study}", file=sys.stderr)
        elif code and (others := [one for one in others_at_work({os.getpid()}) if not one.below]):
            named = ", ".join(str(one.process) for one in others)
            said = f"Another run is at work in this folder (process {named})"
            print(f"{said}: the same command goes on when it has ended.", file=sys.stderr)
        return code if code >= 0 else 128 - code
    finally:
        if own is not None:
            own.unlink(missing_ok=True)


def _is_watched(quiet: bool, snakemake: Sequence[str]) -> bool:
    """True if the progress is shown: on a terminal, unless the user wants it quiet."""
    quiet = quiet or _is_listing(snakemake) or any(word.startswith(("--quiet", "-q")) for word in snakemake)
    return os.name == "posix" and sys.stderr.isatty() and os.environ.get("TERM") != "dumb" and not quiet


def _run(command: list[str]) -> int:
    """Run Snakemake in a process group of its own, which gets an interrupt as a whole."""
    if os.name != "posix":
        return subprocess.call(command)
    return _wait(subprocess.Popen(command, process_group=0))


def _run_watched(command: list[str]) -> int:
    """Run Snakemake and show how far the study is; what it prints goes through a terminal of its own."""
    import pty
    import tempfile

    from crossbank.reports.texts.escaped_output import unescaped
    from crossbank.workflow.study_progress import shown

    # Our line says how many steps are done.
    command = [*command[:4], "--quiet", "host", "rules", "progress", *command[4:]]
    ours, its = pty.openpty()
    stdout = its if sys.stdout.isatty() else None
    with tempfile.TemporaryDirectory() as folder, shown(unescaped(sys.stderr), Path(folder)) as print_above:

        def pass_on() -> None:
            while data := _read(ours):
                print_above(data)

        process = subprocess.Popen(command, process_group=0, stdout=stdout, stderr=its)
        os.close(its)
        reading = threading.Thread(target=pass_on, daemon=True)
        reading.start()
        code = _wait(process)
        # A job that outlives Snakemake may still hold the terminal.
        reading.join(timeout=5)
    return code


def _read(terminal: int) -> bytes:
    """Return the output on a terminal so far; nothing when nobody can write to it any more."""
    try:
        return os.read(terminal, 1 << 16)
    except OSError:
        return b""


def _wait(process: subprocess.Popen[bytes]) -> int:
    """Exit code of a process group, 130 if it was interrupted. Nothing of the group is left then."""
    from crossbank.workflow.lifeline import end_group

    def interrupt(number: int, frame: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        code = process.wait()
    except KeyboardInterrupt:
        code = 130
    finally:
        end_group(process.pid)
        process.wait()
        signal.signal(signal.SIGTERM, before)
    return code


def _is_abandoned() -> bool:
    """True if the folder is locked by a run that was killed, and by no other.

    Snakemake and its jobs end a few seconds after a command that was killed. Their end is waited for.
    """
    from crossbank.workflow.lifeline import leaders

    latest = time.monotonic() + PATIENCE
    while True:
        # A job of a cluster may run on elsewhere, while its study is run again.
        known = [leader for leader in leaders() if leader.is_here or not leader.below]
        ended = [leader for leader in known if leader.has_ended()]
        is_locked = any(LOCKS.glob("*"))
        ending = len(ended) < len(known) and all(leader.below for leader in known if leader not in ended)
        if not (is_locked and ending) or time.monotonic() > latest:
            break
        time.sleep(0.2)
    for leader in ended:
        leader.file.unlink(missing_ok=True)
    return is_locked and bool(known) and len(ended) == len(known)


def _unlock(command: list[str]) -> None:
    subprocess.run([*command, "--unlock", "--quiet", "all"], check=False, capture_output=True)
