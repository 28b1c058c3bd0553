"""The gate in .ci/run, on a project of a few lines."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
README = "```bash\ngit clone <this repository> crossbank && cd crossbank\nmake study\nmake test\n```\n"
TARGETS = ("study", "test", "parsers", "docs", "test-slow", "lint", "wheel", "test-wheel", "sanitize")
"""What runs in the clone, in this order; the tests on Slurm run in the checkout meanwhile."""
MAKEFILE = """\
{targets} test-slurm:
\t@echo "$@ in $(CURDIR): $$(ls ../shared)"
\t@echo "=== 5 passed, 1 skipped in 1.50s ==="
\t@test $@ != "$(FAILING)"
"""


def run_gate(folder: Path, failing: str = "", *, has_slurm: bool = False) -> subprocess.CompletedProcess[str]:
    """Run the gate of a project whose targets print a line each; one of them may fail."""
    project, programs = folder / "my project", folder / "programs"
    for name, text in {
        "README.md": README,
        "Makefile": MAKEFILE.format(targets=" ".join(TARGETS)),
        "tests/slurm/install": f"#!/bin/sh\nexit {0 if has_slurm else 1}\n",
        "build/loops": "compiled\n",
    }.items():
        (project / name).parent.mkdir(parents=True, exist_ok=True)
        (project / name).write_text(text, encoding="utf-8")
    (project / "tests/slurm/install").chmod(0o755)
    shutil.copytree(ROOT / ".ci", project / ".ci")
    git = ["git", "-C", str(project), "-c", "user.name=A", "-c", "user.email=a@example.org"]
    for words in (["init", "--quiet"], ["add", "."], ["commit", "--quiet", "--message", "All"]):
        subprocess.run([*git, *words], check=True)
    (folder / "shared").mkdir()
    (folder / "shared/data").touch()
    # Not as root, which would install programs.
    programs.mkdir()
    (programs / "id").write_text("#!/bin/sh\necho 1000\n", encoding="utf-8")
    (programs / "id").chmod(0o755)
    environment = {**os.environ, "PATH": f"{programs}:{os.environ['PATH']}", "FAILING": failing}
    return subprocess.run([project / ".ci/run"], env=environment, capture_output=True, text=True, check=False)


@pytest.mark.skipif(os.name != "posix", reason="the gate is a script for bash")
def test_the_commands_of_the_readme_run_in_a_clone_with_an_odd_path(tmp_path: Path) -> None:
    done = run_gate(tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    ran = [line.split(" in ") for line in done.stdout.splitlines() if line.endswith("/crossbank: data")]
    assert [target for target, _ in ran] == list(TARGETS)
    assert all("/zwei Bäume/crossbank" in clone for _, clone in ran)
    summary = done.stdout.rpartition("\n\n")[2].splitlines()
    assert len(summary) == len(TARGETS) - 1
    assert all("passed" in line and "5 passed, 1 skipped in 1.50s" in line for line in summary)


@pytest.mark.skipif(os.name != "posix", reason="the gate is a script for bash")
@pytest.mark.parametrize("failing", ["study", "test", "lint", "sanitize"])
def test_any_step_that_fails_fails_the_gate(failing: str, tmp_path: Path) -> None:
    done = run_gate(tmp_path, failing)
    assert done.returncode == 1
    assert done.stdout.count("FAILED") == 1
    assert "sanitize" in done.stdout, "the steps after it are run"


@pytest.mark.skipif(os.name != "posix", reason="the gate is a script for bash")
@pytest.mark.parametrize("failing", ["", "test-slurm"])
def test_studies_on_slurm_run_in_the_checkout(failing: str, tmp_path: Path) -> None:
    done = run_gate(tmp_path, failing, has_slurm=True)
    assert done.returncode == (1 if failing else 0), done.stdout + done.stderr
    assert f"test-slurm in {tmp_path / 'my project'}: data" in done.stdout
    summary = done.stdout.rpartition("\n\n")[2].splitlines()
    assert [line.split()[1] for line in summary if line.startswith("test-slurm")] == [
        "FAILED" if failing else "passed"
    ]
    assert len(summary) == len(TARGETS)
