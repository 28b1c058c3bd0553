"""Cost of the terminal: progress that is shown, and a key press that is completed.

    python benchmarks/terminal.py [--trees N] [--runs N]

A score of N trees with its progress on a terminal, and with --quiet: seconds of the processor, the least of
the runs. A key press in bash, with the script that `crossbank completion bash` prints.
"""

from __future__ import annotations

import argparse
import os
import pty
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from whole_process import table

TREES = Path(__file__).resolve().parents[1] / "examples" / "tiger.alpha.mrg"
CROSSBANK = (sys.executable, "-m", "crossbank")
KEYS = 20


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    arguments.add_argument("--trees", type=int, default=300_000)
    arguments.add_argument("--runs", type=int, default=3)
    options = arguments.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        text = TREES.read_text(encoding="utf-8")
        file = folder / "trees.mrg"
        file.write_text(text * (options.trees // text.count("\n") + 1), encoding="utf-8")
        score = (
            *CROSSBANK,
            "score",
            str(file),
            str(file),
            "--scheme",
            "tiger",
            "--metric",
            "parseval,leaf_ancestor",
        )
        rows = [
            ("progress shown", min(on_a_terminal(*score) for _ in range(options.runs))),
            ("--quiet", min(on_a_terminal(*score, "--quiet") for _ in range(options.runs))),
        ]
        print(table([(what, f"{seconds:.2f}") for what, seconds in rows], ["score on a terminal", "CPU s"]))
        if shutil.which("bash"):
            print(f"\nA key press that completes a metric in bash: {1000 * key_press(folder):.1f} ms")


def on_a_terminal(*command: str) -> float:
    """Return the seconds of the processor that a command takes on a terminal."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    process, terminal = pty.fork()
    if process == 0:
        os.execv(command[0], command)
    try:
        while os.read(terminal, 1 << 16):
            pass
    except OSError:
        pass  # The command has ended.
    _, status = os.waitpid(process, 0)
    assert os.waitstatus_to_exitcode(status) == 0
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


def key_press(folder: Path) -> float:
    """Return the seconds that bash takes to complete a word."""
    script = folder / "crossbank.bash"
    with script.open("w", encoding="utf-8") as file:
        subprocess.run([*CROSSBANK, "completion", "bash"], stdout=file, check=True)
    typed = "COMP_WORDS=(crossbank score gold.mrg --metric parseval,leaf); COMP_CWORD=4"
    path = os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"]))
    seconds = []
    for keys in (0, KEYS):
        began = time.perf_counter()
        press = "_crossbank_completion crossbank"
        loop = f"source {script}; {typed}; for ((i = 0; i < {keys}; i++)); do {press}; done"
        subprocess.run(["bash", "--norc", "-c", loop], check=True, env={**os.environ, "PATH": path})
        seconds.append(time.perf_counter() - began)
    return (seconds[1] - seconds[0]) / KEYS


if __name__ == "__main__":
    main()
