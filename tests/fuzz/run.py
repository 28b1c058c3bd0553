"""Damaged files without end: ``python -m tests.fuzz.run [--minutes N] [--seed S] [--only READER]``.

Each reader has a process of its own, which writes the file that it is about to read; so a fault of the memory
or a reader that does not come back leaves its file too. What is found is made as small as can be and written
to ``tests/fuzz/found``, whose files ``tests/fuzz/test_fuzz.py`` reads for good. The seed is printed: the same
seed gives the same files in the same order.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import random
import sys
import time
import traceback
import warnings
from collections.abc import Sequence
from pathlib import Path
from queue import Empty
from tempfile import TemporaryDirectory
from typing import Any
from zlib import crc32

from tests.fuzz.harness import read_and_use
from tests.fuzz.mutations import damaged
from tests.fuzz.seeds import RANDOM, seeds

FAILURES = Path(__file__).resolve().parent / "found"

SLOW = 30
"""The seconds after which a reader is said to hang."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run until time is up; the exit code is 1 where something was found."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=1.0)
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--only", action="append")
    options = parser.parse_args(arguments)
    seed = random.SystemRandom().randrange(10**9) if options.seed is None else options.seed
    kinds = [kind for kind in seeds() if not options.only or kind in options.only]
    print(f"fuzz: seed {seed}, {options.minutes:g} minutes, {len(kinds)} readers", flush=True)
    end = time.monotonic() + 60 * options.minutes
    total = faults = 0
    share = 60 * options.minutes / max(len(kinds), 1)
    for index, kind in enumerate(kinds):
        left = min(share, end - time.monotonic()) if index < len(kinds) - 1 else end - time.monotonic()
        tried, actual = _reader(kind, seed, max(left, 1.0))
        total, faults = total + tried, faults + len(actual)
        for path, message in actual:
            print(f"{kind}: {path}: {message}", flush=True)
    print(f"fuzz: seed {seed}: {total} files, {faults} faults", flush=True)
    return int(faults > 0)


def _reader(kind: str, seed: int, seconds: float) -> tuple[int, list[tuple[Path, str]]]:
    """Return the number of files that a reader was given, and what was found."""
    tried, actual, begun, start = 0, {}, time.monotonic(), 0
    while time.monotonic() - begun < seconds:
        with TemporaryDirectory() as folder:
            queue: Any = multiprocessing.get_context("fork").Queue()
            left = seconds - (time.monotonic() - begun)
            process = multiprocessing.get_context("fork").Process(
                target=_work, args=(kind, seed, start, left, Path(folder), queue)
            )
            process.start()
            last, ended = time.monotonic(), False
            while process.is_alive() or not ended:
                try:
                    what, number, data, messages = queue.get(timeout=0.2)
                except Empty:
                    if not process.is_alive():
                        break
                    if time.monotonic() - last > SLOW:
                        process.kill()
                        break
                    continue
                last = time.monotonic()
                tried, start, ended = tried + (what != "end") * (number - start), number, what == "end"
                if what == "fault":
                    actual[messages] = (data, use_of(seed, number))
            process.join()
            if not ended:
                data = (Path(folder) / "current").read_bytes()
                number = int((Path(folder) / "number").read_text())
                messages = f"ended with {process.exitcode}" if process.exitcode else "did not come back"
                actual[messages] = (data, use_of(seed, number))
                start = number
    return tried, [(_kept(kind, data, use), messages) for messages, (data, use) in actual.items()]


def _work(kind: str, seed: int, start: int, seconds: float, folder: Path, queue: Any) -> None:
    """Damage and read files until time is up."""
    warnings.simplefilter("ignore")
    end, number = time.monotonic() + seconds, start
    known: set[str] = set()
    message = time.monotonic()
    while time.monotonic() < end:
        number += 1
        data = file_of(kind, seed, number)
        (folder / "current").write_bytes(data)
        (folder / "number").write_text(str(number))
        use = use_of(seed, number)
        messages = fault(kind, data, folder, use)
        if messages and messages not in known:
            known.add(messages)
            queue.put(("fault", number, smallest(kind, data, messages, folder, use), messages))
        elif time.monotonic() - message > 1:
            message = time.monotonic()
            queue.put(("alive", number, b"", ""))
    queue.put(("alive", number, b"", ""))
    queue.put(("end", number, b"", ""))


def file_of(kind: str, seed: int, number: int) -> bytes:
    """Return the file with a number, of a reader, under a seed."""
    own = random.Random(crc32(f"{kind} {seed} {number}".encode()))
    if kind == RANDOM:
        return own.randbytes(4)
    sound = seeds()[kind]
    return damaged(kind, sound[own.randrange(len(sound))], own.randrange)


def use_of(seed: int, number: int) -> int:
    """Return what is done with the file with a number, under a seed: see ``tests.fuzz.uses``."""
    return crc32(f"use {seed} {number}".encode())


def fault(kind: str, data: bytes, folder: Path, use: int) -> str:
    """Return the kind and the place of an error that is not the project's own; empty where there is none."""
    try:
        read_and_use(kind, data, folder, use)
    except Exception as error:
        frames = traceback.extract_tb(error.__traceback__)
        inner = next((f for f in reversed(frames) if f"{os.sep}tests{os.sep}" not in f.filename), frames[-1])
        return f"{type(error).__name__} in {Path(inner.filename).name}:{inner.lineno}"
    return ""


def smallest(kind: str, data: bytes, message: str, folder: Path, use: int) -> bytes:
    """Return a smaller file with the same fault: ever shorter parts are left out where it stays."""
    if kind == RANDOM:
        return data
    size, end = max(len(data) // 2, 1), time.monotonic() + 10
    while time.monotonic() < end:
        index, changed = 0, False
        while index < len(data) and time.monotonic() < end:
            shorter = data[:index] + data[index + size :]
            if fault(kind, shorter, folder, use) == message:
                data, changed = shorter, True
            else:
                index += size
        if size == 1 and not changed:
            break
        size = max(size // 2, 1)
    return data


def _kept(kind: str, data: bytes, use: int) -> Path:
    FAILURES.mkdir(exist_ok=True)
    path = FAILURES / f"{kind}.{crc32(data):08x}.{use}"
    path.write_bytes(data)
    return path


if __name__ == "__main__":
    sys.exit(main())
