"""All benchmarks one after the other, and docs/benchmarks.md with what they printed.

    python benchmarks/everything.py [DATA] [--programs FOLDER] [--only NAME ...] [--output FILE]

DATA is the folder of real treebanks (default: ../shared/data). FOLDER has those of the other programs
that are no packages: evalb (as its Makefile builds it), evalb-O3, conll18_ud_eval.py, eval07.pl, eval.pl,
discodop. Programs that are not there are omitted. The page has all comparisons; what the benchmarks print
otherwise goes to standard output.
"""

from __future__ import annotations

import argparse
import os
import platform
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

from comparison import LINE

from crossbank.reports.sections.inputs import collect_versions

HERE = Path(__file__).resolve().parent
DATA = HERE.parents[1] / "shared" / "data"


@dataclass(frozen=True)
class Benchmark:
    """A benchmark as it is run here.

    options  arguments after the folder of the data
    programs  for each program to compare with, an option and file names in the folder
    files    a pattern of files that are in place of the folder of the data
    """

    name: str
    options: tuple[str, ...] = ()
    programs: tuple[tuple[str, tuple[str, ...]], ...] = ()
    files: str = ""
    data: bool = field(default=True, kw_only=True)

    def command(self, data: Path, folder: Path | None) -> list[str]:
        """Return the command, with those programs to compare with that exist."""
        command = [sys.executable, str(HERE / f"{self.name}.py")]
        if self.files:
            command += map(str, sorted(data.glob(self.files)))
        elif self.data:
            command.append(str(data))
        command += self.options
        for option, names in self.programs:
            if folder is not None and (paths := [str(folder / p) for p in names if (folder / p).exists()]):
                command += [option, *paths]
        return command

    @property
    def about(self) -> str:
        """First sentence of the benchmark's own text."""
        text = (HERE / f"{self.name}.py").read_text(encoding="utf-8").split('"""')[1]
        return " ".join(text.strip().partition("\n\n")[0].replace("``", "`").split())


PCC = "tiger-pcc/syntax/*.xml"
BENCHMARKS = (
    Benchmark("score", ("--sizes", "50000", "500000"), (("--evalb", ("evalb", "evalb-O3")),)),
    Benchmark("conll18", (), (("--script", ("conll18_ud_eval.py",)),)),
    Benchmark("growth"),
    Benchmark("study_time", data=False),
    Benchmark("many_candidates", ("--candidates", "10", "--treebanks", "20"), data=False),
    Benchmark("eval07", (), (("--eval07", ("eval07.pl",)), ("--conllx", ("eval.pl",)))),
    Benchmark("discodop", (), (("--program", ("discodop",)),)),
    Benchmark("tree_distance"),
    Benchmark("profiles"),
    Benchmark("reading"),
    Benchmark("conllu_reading"),
    Benchmark("find"),
    Benchmark("conversion"),
    Benchmark("relations"),
    Benchmark("universal"),
    Benchmark("ccg"),
    Benchmark("lfg"),
    Benchmark("parsing", ("--scheme", "tiger"), files=PCC),
    Benchmark("lexicalised", ("--scheme", "tiger"), files=PCC),
    Benchmark("terminal", data=False),
    Benchmark("false_differences", ("--studies", "300"), data=False),
)


def main() -> int:
    """Run the benchmarks and write the page; the exit code is 1 where one of them failed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("data", nargs="?", type=Path, default=DATA)
    parser.add_argument("--programs", type=Path)
    parser.add_argument("--only", nargs="+", choices=[benchmark.name for benchmark in BENCHMARKS])
    parser.add_argument("--output", type=Path, default=HERE.parent / "docs" / "benchmarks.md")
    arguments = parser.parse_args()
    chosen = [
        benchmark for benchmark in BENCHMARKS if arguments.only is None or benchmark.name in arguments.only
    ]
    rows, failed = [], False
    for benchmark in chosen:
        print(f"{benchmark.name} ...", end=" ", flush=True, file=sys.stderr)
        began = time.perf_counter()
        command = benchmark.command(arguments.data, arguments.programs)
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        print(f"{time.perf_counter() - began:.0f} s", file=sys.stderr)
        if done.returncode:
            failed = True
            print(done.stderr, file=sys.stderr)
        displayed = [line for line in done.stdout.splitlines() if not LINE.fullmatch(line)]
        rows += [row for line in done.stdout.splitlines() if (row := LINE.fullmatch(line))]
        print(f"{benchmark.name}: {benchmark.about}", *displayed, "", sep="\n", flush=True)
    arguments.output.write_text(_page([row.groupdict() for row in rows]), encoding="utf-8")
    return int(failed)


def _page(rows: list[dict[str, str]]) -> str:
    """Return the page: the machine and all comparisons."""
    table = ["| work | crossbank | other program | | times as long |", "|---|---:|---|---:|---:|"]
    for row in rows:
        ratio = float(row["program_time"]) / float(row["time"])
        times = f"{ratio:.0f}" if ratio >= 10 else f"{ratio:.2g}"
        table.append(
            f"| {row['work']} | {row['time']} s | {row['program']} | {row['program_time']} s | {times} |"
        )
    return "\n".join(
        [
            "# Benchmarks",
            "",
            "`make bench` writes this page. The times are those of one machine, and of whole processes "
            "where nothing else is said: starting Python is part of them. Each benchmark is a script in "
            "`benchmarks/`. Its first line says what it measures, and it prints more than the table has. "
            "What was measured once is in [Measurements](measurements.md).",
            "",
            "<!-- written by make bench -->",
            "",
            _machine(),
            "",
            *table,
            "",
            "<!-- end of what is written -->",
            "",
        ]
    )


def _machine() -> str:
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return (
        f"{_processor()}, {os.cpu_count()} cores, {memory:.0f} GiB, {platform.system()}; "
        + ", ".join(f"{name} {version}" for name, version in collect_versions().items())
        + "."
    )


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()


if __name__ == "__main__":
    sys.exit(main())
