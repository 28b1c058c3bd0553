"""Completion in shells, tried in the shells themselves."""

import contextlib
import io
import subprocess
from pathlib import Path

import pytest

from crossbank.converters.scheme_files import scheme_names
from crossbank.metrics.counting.metric import METRICS
from crossbank.workflow.commands import COMMANDS
from crossbank.workflow.commands.cli import main
from tests.programs import require_program

BASH = """\
source {script}
COMP_WORDS=({words})
COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1))
_crossbank
printf '%s\\n' "${{COMPREPLY[@]}}"
"""

ZSH = """\
compdef() {{ : }}
compadd() {{ shift; print -l -- $@ }}
compset() {{ PREFIX=${{PREFIX##${{~2}}}} }}
_files() {{ : }}
source {script}
words=({words})
CURRENT=$#words
PREFIX=$words[-1]
_crossbank | grep -- "^${{PREFIX##*[=,]}}"
"""


SHELLS = ("bash", "zsh", "fish")


@pytest.fixture(scope="module")
def scripts(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Scripts as files."""
    folder = tmp_path_factory.mktemp("completion")
    files = {shell: folder / f"crossbank.{shell}" for shell in SHELLS}
    for shell, path in files.items():
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            assert main(["completion", shell]) == 0
        path.write_text(printed.getvalue(), encoding="utf-8")
    return files


def run(*command: str) -> list[str]:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.stderr == ""
    return done.stdout.split()


LINES = [
    ("crossbank sco", ["score"]),
    ("crossbank score --metr", ["--metric"]),
    ("crossbank score --metric parsev", ["parseval", "parseval1991"]),
    ("crossbank score gold.mrg --scheme ti", ["tiger"]),
    ("crossbank score --mode greva gold.mrg", []),
    ("crossbank score --mode grev", ["greval"]),
    ("crossbank score --by rela", ["relation"]),
    ("crossbank score gold.mrg --unscored s", ["skip"]),
    ("crossbank convert a.mrg b --to conllu --transform raise", ["raise_crossing"]),
    ("crossbank list options leaf", ["leaf_ancestor"]),
    ("crossbank list form", ["formats"]),
    ("crossbank study my.yaml --profile sl", ["slurm"]),
    ("crossbank completion z", ["zsh"]),
]


@pytest.mark.parametrize(("line", "found"), LINES)
@pytest.mark.parametrize("shell", SHELLS)
def test_shells_complete_what_is_typed(
    shell: str, line: str, found: list[str], scripts: dict[str, Path]
) -> None:
    require_program(shell)
    script = scripts[shell]
    if shell == "fish":
        asked = f"source {script}; complete -C '{line}' | cut -f 1"
        shown = run("fish", "--no-config", "-c", asked)
        assert [word for word in shown if not Path(word).exists()] == found
        return
    program = {"bash": BASH, "zsh": ZSH}[shell].format(script=script, words=line)
    assert run(shell, "-f" if shell == "zsh" else "--norc", "-c", program) == found


@pytest.fixture
def bash_script(scripts: dict[str, Path]) -> Path:
    """Script for bash, where bash is installed."""
    require_program("bash")
    return scripts["bash"]


def in_bash(script: Path, *words: str) -> list[str]:
    quoted = " ".join(f"'{word}'" for word in words)
    return run("bash", "--norc", "-c", BASH.format(script=script, words=quoted))


def test_names_are_those_that_the_command_line_knows(bash_script: Path) -> None:
    assert in_bash(bash_script, "crossbank", "") == [*COMMANDS]
    assert in_bash(bash_script, "crossbank", "score", "--metric", "") == [*METRICS]
    assert in_bash(bash_script, "crossbank", "view", "a", "--scheme", "") == [*scheme_names()]


def test_bash_cuts_at_equals_signs_and_names_are_joined_by_commas(bash_script: Path) -> None:
    assert in_bash(bash_script, "crossbank", "score", "--metric", "=", "conll") == ["conll18"]
    assert "tiger" in in_bash(bash_script, "crossbank", "score", "--scheme", "=")
    joined = in_bash(bash_script, "crossbank", "score", "--metric", "parseval,leaf")
    assert joined == ["parseval,leaf_ancestor"]
    joined = in_bash(bash_script, "crossbank", "score", "--metric", "parseval,edm,leaf")
    assert joined == ["parseval,edm,leaf_ancestor"]


def test_files_are_left_to_bash(bash_script: Path) -> None:
    assert in_bash(bash_script, "crossbank", "score", "gold") == []
    assert in_bash(bash_script, "crossbank", "score", "--parameters", "COLLINS") == []
    registered = run("bash", "--norc", "-c", f"source {bash_script}; complete -p crossbank")
    assert registered == ["complete", "-o", "default", "-F", "_crossbank", "crossbank"]


def test_only_these_shells_are_known(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["completion", "tcsh"])
    assert stopped.value.code == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "'tcsh'" in said
