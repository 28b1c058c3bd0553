"""Time of the report for many candidates of many treebanks, and how long its pages take to open.

    python benchmarks/many_candidates.py [--candidates N] [--treebanks N] [--sentences N N] [--keep FOLDER]

Makes a study from examples/tiger.export: each treebank is a random part of it, and each candidate is gold
with brackets removed or relabelled at the candidate's own rate. With --keep the results stay in FOLDER, and
another call with the same FOLDER only reports anew. Chromium, where it is there, opens the pages.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import random
import re
import resource
import shutil
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any

from whole_process import table

from crossbank.converters.scheme_files import load_scheme
from crossbank.converters.transformations import transform
from crossbank.reports.study.reading import load_study
from crossbank.treebanks import Treebank
from crossbank.treebanks.formats import read, write
from crossbank.workflow.steps import report
from crossbank.workflow.steps.here import run_here

GOLD = Path(__file__).resolve().parents[1] / "examples" / "tiger.export"
METRICS = ["parseval", "leaf_ancestor"]
LABELS = ["NP", "PP", "VP", "S", "AP"]
RATES = 0.02, 0.4
"""The proportion of brackets that the best candidate and the worst have wrong."""

TOKEN = re.compile(r"\(\S*|\)|[^\s()]+")


def perturbed(line: str, rate: float, chance: random.Random) -> str:
    """Return a tree in brackets with some of its phrases relabelled and some removed; its tokens stay."""
    actual = TOKEN.findall(line)
    retained: list[str] = []
    closing: list[str] = []
    for index, token in enumerate(actual):
        if token == ")":
            retained.append(closing.pop())
        elif not token.startswith("("):
            retained.append(token)
        elif index == 0 or not actual[index + 1].startswith("("):
            retained.append(token)
            closing.append(")")
        else:
            draw = chance.random()
            retained.append("" if draw < rate / 2 else f"({chance.choice(LABELS)}" if draw < rate else token)
            closing.append("" if draw < rate / 2 else ")")
    return " ".join(filter(None, retained))


def study(folder: Path, candidates: int, treebanks: int, sentences: tuple[int, int]) -> dict[str, Any]:
    """Return the content of the study file, after writing gold and the candidates of every treebank."""
    bank = read(GOLD, "export")
    scheme = load_scheme("tiger")
    chance = random.Random(2006)
    rates = [RATES[0] + (RATES[1] - RATES[0]) * index / max(candidates - 1, 1) for index in range(candidates)]
    described = []
    for number in range(treebanks):
        name = f"part_{number + 1:02}"
        count = chance.randint(*sentences)
        rows = (
            chance.sample(range(len(bank)), count)
            if count <= len(bank)
            else chance.choices(range(len(bank)), k=count)
        )
        gold = bank.select(rows)
        write(gold, folder / f"{name}.export", "export")
        trees = _continuous(gold, scheme, folder)
        harder = chance.uniform(0.7, 1.4)
        entries = []
        for index, rate in enumerate(rates):
            path = folder / f"{name}.system_{index + 1:02}.mrg"
            own = min(rate * harder * chance.uniform(0.8, 1.25), 0.9)
            path.write_text("".join(f"{perturbed(tree, own, chance)}\n" for tree in trees), encoding="utf-8")
            entries.append({"name": f"system_{index + 1:02}", "path": str(path)})
        described.append(
            {
                "name": name,
                "scheme": "tiger",
                "gold": {"path": str(folder / f"{name}.export")},
                "candidates": entries,
            }
        )
    return {
        "study": "many_candidates",
        "title": f"{candidates} candidates of {treebanks} treebanks",
        "treebanks": described,
        "metrics": METRICS,
    }


def _continuous(gold: Treebank, scheme: Any, folder: Path) -> list[str]:
    path = folder / "continuous.mrg"
    write(
        transform(gold, ["virtual_root", "raise_crossing", "attach_punctuation", "strip_functions"], scheme),
        path,
        "bracket",
    )
    return path.read_text(encoding="utf-8").splitlines()


def opened(page: Path, profile: Path) -> float | None:
    """Return the seconds that Chromium needs to start and to write a page's document.

    Returns None where Chromium is not installed.
    """
    browser = shutil.which("chromium") or shutil.which("google-chrome")
    if browser is None:
        return None
    quiet = [
        "--headless",
        "--disable-gpu",
        "--no-sandbox",
        "--no-first-run",
        "--disable-background-networking",
    ]
    call = [
        browser,
        *quiet,
        f"--user-data-dir={profile}",
        "--window-size=1400,900",
        "--dump-dom",
        page.as_uri(),
    ]
    begin = time.perf_counter()
    subprocess.run(call, capture_output=True, check=True, timeout=120)
    return time.perf_counter() - begin


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--candidates", type=int, default=30)
    parser.add_argument("--treebanks", type=int, default=80)
    parser.add_argument("--sentences", type=int, nargs=2, default=(30, 100))
    parser.add_argument("--keep", type=Path)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = arguments.keep or Path(temporary)
        results = folder / "results"
        rows = []
        if not (results / "study.yaml").is_file():
            (folder / "data").mkdir(parents=True, exist_ok=True)
            begin = time.perf_counter()
            content = study(
                folder / "data", arguments.candidates, arguments.treebanks, tuple(arguments.sentences)
            )
            rows.append(("making the study", f"{time.perf_counter() - begin:.1f}"))
            begin = time.perf_counter()
            with contextlib.redirect_stderr(io.StringIO()):
                run_here(content, results, reported=False)
            rows.append(("reading, converting, scoring", f"{time.perf_counter() - begin:.1f}"))
        begin = time.perf_counter()
        actual = report.summarise(load_study(results / "study.yaml"), results)
        rows.append(("summary", f"{time.perf_counter() - begin:.1f}"))
        begin = time.perf_counter()
        report.report(actual, results / "report")
        rows.append(("report", f"{time.perf_counter() - begin:.1f}"))
        for page in ("index.html", "sentences.html"):
            path = results / "report" / page
            seconds = opened(path, folder / "profile")
            rows.append(
                (
                    f"opening {page} ({path.stat().st_size / 1e6:.1f} MB)",
                    "–" if seconds is None else f"{seconds:.1f}",
                )
            )
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
        print(table([*rows, ("memory in GiB", f"{memory:.2f}")], ("", "seconds")))


if __name__ == "__main__":
    main()
