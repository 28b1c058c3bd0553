"""Ctrl-C in the middle of long loops: each ends soon, whatever it is doing."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import psutil
import pytest

ROOT = Path(__file__).resolve().parents[1]

SOON = 600
"""Seconds that an answer may take on a machine that has other things to do; the loops take minutes."""


def labels(count: int) -> list[str]:
    own = random.Random(count)
    return [own.choice("ABCDEFGH") for _ in range(count)]


def deep_lineages() -> Callable[[], object]:
    from crossbank.metrics.counting.scoring import score, scoring_of
    from tests.metrics.test_deep_trees import chain

    gold, parsed = chain(labels(100_000)), chain(labels(100_001))
    return lambda: score(gold, parsed, scoring_of(["leaf_ancestor"], {}))


def edits_of_trees() -> Callable[[], object]:
    from crossbank.metrics.counting.scoring import score, scoring_of
    from tests.metrics.test_deep_trees import zigzag

    gold, parsed = zigzag(labels(2000)), zigzag(labels(2000)[::-1])
    return lambda: score(gold, parsed, scoring_of(["tree_distance"], {}))


def edits_of_rules() -> Callable[[], object]:
    from crossbank.metrics.counting.scoring import score, scoring_of
    from tests.metrics.test_deep_trees import zigzag

    gold, parsed = zigzag(labels(16_000)), zigzag(labels(16_000)[::-1])
    return lambda: score(gold, parsed, scoring_of(["rule_distance"], {}))


def a_pattern() -> Callable[[], object]:
    from crossbank.converters.patterns.matching import find
    from tests.metrics.test_deep_trees import chain

    bank = chain(labels(20_000))
    return lambda: find("A << (B << (C << (D << NONE)))", bank)


def a_pattern_over_words() -> Callable[[], object]:
    from crossbank.converters.patterns.matching import find
    from crossbank.treebanks.formats import bracket

    bank = bracket.loads(f"(S {'(T w)' * 40_000})")
    return lambda: find("T .. (T .. NONE)", bank)


def resampling() -> Callable[[], object]:
    from crossbank.metrics.loops.statistics import sum_drawn

    table, drawn = np.ones((1_000_000, 8)), np.ones((1, 1_000_000), np.int32).repeat(2, axis=0)
    sums = np.zeros((2, 8))

    def without_end() -> None:
        while True:
            sum_drawn(table, drawn, sums, 0, 2)

    return without_end


def swaps() -> Callable[[], object]:
    from crossbank.metrics.loops.statistics import sum_swapped

    gained, marks = np.ones((200_000, 8)), np.full((10_000, 3125), 7, np.uint64)
    sums = np.zeros((10_000, 8))

    def without_end() -> None:
        while True:
            sum_swapped(gained, marks, sums, 0, 10_000)

    return without_end


def relations() -> Callable[[], object]:
    from crossbank.metrics.counting.scoring import score, scoring_of
    from crossbank.treebanks.formats import relations

    gold = relations.loads("(ncmod _ go now)\n" * 4000)
    parsed = relations.loads("(mod _ go now)\n" * 4000)
    return lambda: score(gold, parsed, scoring_of(["relations"], {}))


def functional_structures() -> Callable[[], object]:
    from crossbank.formalisms.lfg.formats import triples
    from crossbank.metrics.counting.scoring import score, scoring_of

    own = random.Random(1)
    sides = [
        "".join(f"mod(n~{own.randrange(2000)}, n~{own.randrange(2000)})\n" for _ in range(4000))
        for _ in range(2)
    ]
    gold, parsed = map(triples.loads, sides)
    return lambda: score(gold, parsed, scoring_of(["fstructure"], {}))


def universal_dependencies() -> Callable[[], object]:
    from crossbank.converters.scheme_files import load_scheme
    from crossbank.converters.transformations import transform
    from crossbank.treebanks.formats import bracket

    bank = bracket.loads(f"(S {'(T w)' * 60_000})")
    return lambda: transform(bank, ["universal_dependencies"], load_scheme("ptb"))


def a_chart() -> Callable[[], object]:
    from crossbank.parsers.models import train
    from crossbank.treebanks.formats import bracket

    bank = bracket.loads("(S (A w) (S (B w) (A w)))\n(S (S (A w) (B w)) (S (A w) (B w)))\n(S (A w) (B w))")
    parser = train(bank, None, {"beam": 0, "longest": 2000}).parser
    long = bracket.loads(f"(S {'(A w) (B w)' * 500})")
    return lambda: parser.parse(long)


CASES = {
    case.__name__: case
    for case in (
        deep_lineages,
        edits_of_trees,
        edits_of_rules,
        a_pattern,
        a_pattern_over_words,
        resampling,
        swaps,
        relations,
        functional_structures,
        universal_dependencies,
        a_chart,
    )
}


def processor_time(process: subprocess.Popen[str]) -> float:
    times = psutil.Process(process.pid).cpu_times()
    return times.user + times.system


QUICK = ("deep_lineages", "resampling", "relations", "a_chart")
"""A loop of each kind, which ``make test`` stops: over trees, over samples, over pairs, of a parser."""


@pytest.mark.parametrize(
    "case", [pytest.param(case, marks=() if case in QUICK else pytest.mark.slow) for case in CASES]
)
def test_ctrl_c_is_seen_in_the_middle_of_a_loop(case: str) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.test_interrupts", case],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    try:
        assert process.stdout.readline() == "begun\n"
        # Half a second of its own, however busy the machine is: by then it is in the loop.
        latest = processor_time(process) + 0.5
        while process.poll() is None and processor_time(process) < latest:
            time.sleep(0.02)
        ended = process.poll() is not None
        process.send_signal(signal.SIGINT)
        _, messages = process.communicate(timeout=SOON)
    finally:
        process.kill()
    if "MemoryLimitError" in messages:
        pytest.skip(messages.splitlines()[-1])
    assert not ended, f"the loop is over before it can be interrupted\n{messages}"
    assert messages.rstrip().endswith("KeyboardInterrupt")


if __name__ == "__main__":
    # Where a shell started the tests with &, all below them ignore Ctrl-C.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    loop = CASES[sys.argv[1]]()
    print("begun", flush=True)
    loop()
