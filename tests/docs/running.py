"""Running a page: its blocks in order, in a folder with the examples, as a reader would type them."""

from __future__ import annotations

import contextlib
import doctest
import io
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from _pytest.mark import ParameterSet

from crossbank.workflow.commands.cli import main
from tests.docs.blocks import ROOT, Block, Command, blocks_of, differs

SHARED_DATA = ROOT.parent / "shared" / "data"

ENVIRONMENT = {"COLUMNS": "80", "NO_COLOR": "1", "PYTHONPATH": str(ROOT)}


LONG = {
    "start", "compare", "study", "report", "redwoods", "ccg", "lfg", "german_dependencies",
    "trees_to_universal_dependencies",
}  # fmt: skip
"""The pages with whole studies or large treebanks."""


def marked(page: Path) -> ParameterSet:
    """Return a page as a test's parameter, with the mark ``slow`` where it takes long."""
    marks = [pytest.mark.slow] if page.stem in LONG else []
    return pytest.param(page, marks=marks, id=page.relative_to(ROOT).as_posix())


class WrongBlockError(AssertionError):
    """A command that fails, or whose output is not the one that the page shows."""


def run(path: Path, folder: Path, subtests: pytest.Subtests) -> None:
    """Run all blocks of a page in a folder. Each is a subtest."""
    page = Page(path, folder)
    for block in page.blocks:
        with subtests.test(str(block)):
            page.run(block)


class Page:
    """A page that is run.

    folder  where its commands are typed
    code    the exit code of the last command
    names   what its Python has defined
    """

    def __init__(self, page: Path, folder: Path) -> None:
        self.blocks, self.folder, self.code = blocks_of(page), folder / "here", 0
        self.names: dict[str, Any] = {"__name__": "__main__"}
        self.done = 0
        for name in ("examples", "config", "docs"):
            left_out = shutil.ignore_patterns("*.png", "__pycache__")
            shutil.copytree(ROOT / name, self.folder / name, ignore=left_out)
        if SHARED_DATA.is_dir():
            (folder / "shared").symlink_to(SHARED_DATA.parent)

    def run(self, block: Block) -> None:
        """Run a block, and before it those above it that were not run."""
        index = self.blocks.index(block)
        for one in self.blocks[self.done : index]:
            with contextlib.suppress(pytest.skip.Exception):
                self._run(one)
        self.done = max(self.done, index + 1)
        self._run(block)

    def _run(self, block: Block) -> None:
        if "not run" in block.notes:
            pytest.skip(f"{block}: {block.notes['not run']}")
        for name in block.needs:
            if not (SHARED_DATA / name).is_dir():
                pytest.skip(f"{block}: ../shared/data/{name} is not here")
            with contextlib.suppress(FileExistsError):
                (self.folder / name).symlink_to(SHARED_DATA / name)
        if "file" in block.notes:
            path = self.folder / block.notes["file"]
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(block.text, encoding="utf-8")
        elif "figure" in block.notes:
            self.show(block)
        elif block.language == "python":
            self._python(block)
        else:
            self._commands(block)

    def _python(self, block: Block) -> None:
        with contextlib.chdir(self.folder), on_this_path(self.folder):
            if not re.search(r"^>>> ", block.text, re.MULTILINE):
                with contextlib.redirect_stdout(io.StringIO()):
                    exec(compile("\n" * block.line + block.text, str(block.page), "exec"), self.names)
                return
            test = doctest.DocTestParser().get_doctest(
                block.text, {}, str(block), str(block.page), block.line
            )
            test.globs = self.names
            messages = io.StringIO()
            completed = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(
                test, out=messages.write, clear_globs=False
            )
            if completed.failed:
                raise WrongBlockError(messages.getvalue())

    def _commands(self, block: Block) -> None:
        commands = block.commands()
        for command, following in zip(commands, [*commands[1:], None], strict=True):
            actual = self.output(command)
            requested = following is not None and following.text == "echo $?"
            if self.code and not requested:
                raise WrongBlockError(f"{block.page}:{command.line}: exit code {self.code}\n{actual}")
            if command.output:
                self.compare(block, command, actual)

    def compare(self, block: Block, command: Command, actual: str) -> None:
        """Raise WrongBlockError if the page shows other output than the one that was found."""
        if differs(command.output, actual):
            displayed = "\n".join(command.output)
            raise WrongBlockError(
                f"{block.page}:{command.line}: $ {command.text}\nthe page shows\n{displayed}\nfound\n{actual}"
            )

    def show(self, block: Block) -> None:
        """Raise WrongBlockError if a page shows another figure; a picture of one only has to be there."""
        source, displayed = self.folder / block.notes["figure"], block.page.parent / block.text
        if not displayed.is_file() or (displayed.suffix == ".svg" and _said(displayed) != _said(source)):
            page = str(block).rpartition(":")[0]
            raise WrongBlockError(
                f"{block}: {displayed.name} is another figure: python -m tests.docs.fill {page}"
            )

    def output(self, command: Command) -> str:
        """What a command prints, errors among it. Commands of ours run in this process, others in a shell."""
        if command.text == "echo $?":
            code, self.code = self.code, 0
            return f"{code}\n"
        typed = re.fullmatch(r"(crossbank (?!study).*?)(?: > ([\w./-]+))?", command.text, re.DOTALL)
        if typed is None or re.search(r"[|&;<>*?$`]", re.sub(r"'[^']*'|\"[^\"]*\"", "", typed[1])):
            return self._shell(command.text)
        text, target = typed.groups()
        words = shlex.split(text.replace("\\\n", " "), comments=True)[1:]
        messages = io.StringIO()
        printed = io.StringIO() if target else messages
        with (
            contextlib.chdir(self.folder),
            on_this_path(self.folder),
            contextlib.redirect_stdout(printed),
            contextlib.redirect_stderr(messages),
        ):
            self.code = main(words)
        if target:
            (self.folder / target).write_text(printed.getvalue(), encoding="utf-8")
        return messages.getvalue()

    def _shell(self, text: str) -> str:
        path = os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"]))
        done = subprocess.run(
            ["bash", "-c", text],
            cwd=self.folder,
            env={**os.environ, **ENVIRONMENT, "PATH": path},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        self.code = done.returncode
        return done.stdout


def _said(drawing: Path) -> list[str]:
    """Return the texts of a drawing."""
    return re.findall(r">([^<>]+)</", drawing.read_text(encoding="utf-8").partition("</style>")[2])


@contextlib.contextmanager
def on_this_path(folder: Path) -> Any:
    """Make the modules of a folder importable, and forget them afterwards."""
    before, modules = list(sys.path), set(sys.modules)
    environment = {name: os.environ.get(name) for name in ENVIRONMENT}
    os.environ.update(ENVIRONMENT)
    try:
        yield
    finally:
        sys.path[:] = before
        for name in set(sys.modules) - modules:
            if str(getattr(sys.modules[name], "__file__", None) or "").startswith(str(folder)):
                del sys.modules[name]
        for name, value in environment.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value
