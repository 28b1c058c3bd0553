"""Completion in shells, typed in the shells themselves."""

from __future__ import annotations

import contextlib
import io
import os
import select
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.shell_completion import ShellComplete

from crossbank.converters.scheme_files import scheme_names
from crossbank.metrics.counting.metric import METRICS
from crossbank.metrics.modes.modes_by_name import MODES
from crossbank.treebanks.formats import FORMATS
from crossbank.workflow.commands import COMMANDS
from crossbank.workflow.commands.cli import COMMAND_LINE, main
from crossbank.workflow.commands.command import COMPLETE
from crossbank.workflow.commands.completion import SHELLS
from tests.programs import require_program

pty = pytest.importorskip("pty", reason="terminals of this kind are on POSIX systems")

SETUP = {
    "bash": 'source {script}; bind -x \'"\\C-o": printf %s "$READLINE_LINE" >typed; touch written\'; PS1=',
    "zsh": "autoload -Uz compinit; compinit -u -D; source {script}; PS1=; "
    "write_line() {{ print -rn -- $BUFFER > typed; touch written }}; "
    "zle -N write_line; bindkey '^O' write_line",
}
"""What is typed first: the script, and a key that writes the line that was typed to a file."""

CALLS = {"bash": ["bash", "--norc", "--noprofile", "-i"], "zsh": ["zsh", "-f", "-i"]}

BEGUN = {
    "crossbank sco": "score",
    "crossbank score --metr": "--metric",
    "crossbank score --metric leaf": "leaf_ancestor",
    "crossbank score --metric parseval,leaf": "parseval,leaf_ancestor",
    "crossbank score gold.mrg --scheme tig": "tiger",
    "crossbank score gold.mrg --scheme=tig": "--scheme=tiger",
    "crossbank score --metric=parseval,edm,leaf": "--metric=parseval,edm,leaf_ancestor",
    "crossbank score --option labels=no --mode grev": "greval",
    "crossbank score gold.mrg --unscored s": "skip",
    "crossbank score --metric dependencies --by gold_rel": "gold_relation",
    "crossbank convert a.mrg b --to conllx --transform raise_": "raise_crossing",
    "crossbank convert a.mrg b --from discb": "discbracket",
    "crossbank list options leaf": "leaf_ancestor",
    "crossbank list form": "formats",
    "crossbank scheme che": "check",
    "crossbank study my.yaml --profile slu": "slurm",
    "crossbank study my.yaml --config unsc": "unscored=",
    "crossbank study my.yaml --dry-run --config unscored=skip shard_": "shard_sentences=",
    "crossbank completion z": "zsh",
    "crossbank score gol": "gold.mrg",
    "crossbank score --scheme ./ow": "./own.yaml",
}
"""The beginning of a line, and its last word after it is completed."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the scripts, and files that are completed."""
    folder = tmp_path_factory.mktemp("completion")
    for shell in SHELLS:
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            assert main(["completion", shell]) == 0
        (folder / f"script.{shell}").write_text(printed.getvalue(), encoding="utf-8")
    for name in ("gold.mrg", "own.yaml"):
        (folder / name).touch()
    return folder


def environment() -> dict[str, str]:
    path = os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"]))
    return {**os.environ, "PATH": path, "TERM": "dumb", "HOME": "/nonexistent"}


class TypedShell:
    """A shell on a terminal of its own."""

    def __init__(self, shell: str, folder: Path) -> None:
        self.folder = folder
        process, self.terminal = pty.fork()
        if process == 0:
            os.chdir(folder)
            os.execvpe(shell, CALLS[shell], environment())
        self.process = process
        os.write(self.terminal, (SETUP[shell].format(script=f"script.{shell}") + "\n").encode())
        self.completed("echo a")

    def completed(self, line: str) -> str:
        """Type a line and the tab key, and return the line as it is then."""
        written = self.folder / "written"
        written.unlink(missing_ok=True)
        os.write(self.terminal, b"\x15" + line.encode() + b"\t\x0f")
        end = time.monotonic() + 600
        while not written.exists():
            assert time.monotonic() < end
            if select.select([self.terminal], [], [], 0.02)[0]:
                os.read(self.terminal, 1 << 16)
        return (self.folder / "typed").read_text(encoding="utf-8").rstrip()

    def close(self) -> None:
        """End the shell."""
        os.close(self.terminal)
        os.waitpid(self.process, 0)


@pytest.fixture(scope="module", params=["bash", "zsh"])
def shell(request: pytest.FixtureRequest, folder: Path) -> Iterator[TypedShell]:
    """Yield a shell with the script."""
    require_program(request.param)
    typed = TypedShell(request.param, folder)
    yield typed
    typed.close()


@pytest.mark.parametrize("line", BEGUN)
def test_bash_and_zsh_complete_what_is_typed(shell: TypedShell, line: str) -> None:
    assert shell.completed(line) == f"{line.rpartition(' ')[0]} {BEGUN[line]}"


@pytest.mark.parametrize("line", BEGUN)
def test_fish_completes_what_is_typed(folder: Path, line: str) -> None:
    require_program("fish")
    call = f"source script.fish; complete -C '{line}'"
    done = subprocess.run(
        ["fish", "--no-config", "-c", call],
        cwd=folder, env=environment(), capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.stderr == ""
    assert [row.partition("\t")[0] for row in done.stdout.splitlines()] == [BEGUN[line]]


def completions(*words: str) -> list[str]:
    """Return what may be in place of the last word."""
    completion = ShellComplete(COMMAND_LINE, {}, "crossbank", COMPLETE)
    return [item.value for item in completion.get_completions(list(words[:-1]), words[-1])]


def test_names_are_those_that_the_command_line_knows() -> None:
    assert completions("") == [*COMMANDS]
    assert completions("score", "--metric", "") == [*METRICS]
    assert completions("view", "a", "--scheme", "") == [*scheme_names()]
    assert completions("view", "a", "--format", "") == [*FORMATS]
    assert completions("score", "--mode=") == [*MODES]
    assert completions("score", "--metric", "parseval,edm,leaf") == ["parseval,edm,leaf_ancestor"]


def test_every_option_is_completed() -> None:
    context = click.Context(COMMAND_LINE)
    for name in COMMANDS:
        command = COMMAND_LINE.get_command(context, name)
        assert command is not None
        options = {flag for param in command.params if isinstance(param, click.Option) for flag in param.opts}
        assert options <= {*completions(name, "-")}


def test_only_these_shells_are_known(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", "tcsh"]) == 2
    messages = capsys.readouterr().err
    assert messages.count("\n") == 1
    assert "'tcsh'" in messages
