"""``crossbank doctor``: the state of the installation, and how to add what is missing."""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from importlib.machinery import EXTENSION_SUFFIXES
from json import dumps
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from crossbank.workflow.commands.command import command
from crossbank.workflow.commands.parameters import json_option

if TYPE_CHECKING:
    from crossbank.reports.texts.colours import Tone


@dataclass(frozen=True)
class CheckResult:
    """Result of one check.

    name    what was checked, such as a package
    state   ``ok``, ``missing`` if Crossbank needs it, ``optional`` if only some work needs it
    detail  the version or path, or what is wrong
    hint    what to do if it is not ``ok``
    """

    name: str
    state: Literal["ok", "missing", "optional"]
    detail: str
    hint: str = ""


EXAMPLES = ("crossbank doctor", "crossbank doctor --json")


COLOURS: Mapping[str, Tone] = {"ok": "good", "missing": "error", "optional": "doubtful"}
"""The colour of each state, on a terminal."""


@command(
    "doctor",
    EXAMPLES,
    group="help",
    help="check the installation, and say how to add what is missing",
    position=240,
    is_isolated=True,
)
@json_option("print one JSON list of checks")
def run(json: bool) -> int:
    """Print the results of the checks. Returns 1 if something that is needed is missing."""
    results = list(run_checks())
    if json:
        print(dumps([asdict(check) for check in results], ensure_ascii=False))
    else:
        from crossbank.reports.texts.colours import add_colour

        width = max(len(check.name) for check in results)
        for check in results:
            hint = f"; {check.hint}" if check.hint else ""
            state = add_colour(f"{check.state:<8}", COLOURS[check.state], sys.stdout)
            print(f"{state}  {check.name:<{width}}  {check.detail}{hint}")
    return int(any(check.state == "missing" for check in results))


def run_checks() -> Iterator[CheckResult]:
    """Yield the results of all checks, in the order in which they are printed."""
    yield from _versions()
    yield compiled_loops(Path(__file__).resolve().parents[2])
    yield _formats()
    yield _chromium()
    yield _slurm()
    yield from _cache()
    yield _example()


def _versions() -> Iterator[CheckResult]:
    import platform

    from crossbank.workflow.versions import required_packages, version_of

    yield CheckResult("python", "ok", platform.python_version())
    if own := version_of("crossbank"):
        yield CheckResult("crossbank", "ok", own)
    else:
        yield CheckResult("crossbank", "missing", "not installed", "make env, or install the wheel")
    for package in required_packages():
        if package.fits:
            yield CheckResult(package.name, "ok", package.installed)
        elif package.extra and not package.installed:
            hint = f"pip install 'crossbank[{package.extra}]'"
            yield CheckResult(package.name, "optional", "not installed", hint)
        else:
            versions = f"found {package.installed or 'none'}, expected {package.expected}"
            hint = f"make env, or pip install '{package.name}{package.expected}'"
            yield CheckResult(package.name, "missing", versions, hint)


def compiled_loops(root: Path) -> CheckResult:
    """Return the check that each module that imports Cython is compiled; those that are not run slowly.

    root  the folder of the package. An installed wheel has compiled modules without their sources
    """
    compiled, plain = set(), set()
    for folder in (
        "treebanks",
        "converters",
        "parsers",
        "metrics",
        "reports",
        "workflow",
        "formalisms",
        "compat",
    ):
        for path in (root / folder).rglob("*.*"):
            module = ".".join(("crossbank", *path.relative_to(root).parent.parts, path.name.split(".")[0]))
            if path.name.endswith(tuple(EXTENSION_SUFFIXES)):
                compiled.add(module)
            elif path.suffix == ".py" and re.search(rb"^import cython\r?$", path.read_bytes(), re.M):
                plain.add(module)
    loops = compiled | plain
    plain -= compiled
    if not plain:
        return CheckResult("compiled loops", "ok", f"all {len(loops)}")
    uncompiled = f"{len(plain)} of {len(loops)} are not compiled: {', '.join(sorted(plain))}"
    return CheckResult("compiled loops", "missing", uncompiled, "make env")


def _formats() -> CheckResult:
    """Return the formats that can be read: their modules, and what these need, can be imported."""
    try:
        from crossbank.treebanks.formats import FORMATS, REGISTRY
    except ImportError as error:
        return CheckResult("formats", "missing", f"cannot be read ({error})", "make env")
    read, broken = [], []
    for name in FORMATS:
        try:
            REGISTRY.load(name)
            read.append(name)
        except ImportError as error:
            broken.append(f"{name} ({error})")
    if broken:
        return CheckResult("formats", "missing", f"cannot read {', '.join(broken)}", "make env")
    return CheckResult("formats", "ok", ", ".join(read))


def _chromium() -> CheckResult:
    for program in ("chromium", "chromium-browser", "google-chrome"):
        if path := shutil.which(program):
            return CheckResult("chromium", "ok", path)
    hint = "install it with your system's packages; only the tests that open a report in a browser need it"
    return CheckResult("chromium", "optional", "not found", hint)


def _slurm() -> CheckResult:
    """Return Slurm's command, and Snakemake's plugin for it, which the profile slurm needs."""
    from crossbank.workflow.versions import version_of

    plugin = "snakemake-executor-plugin-slurm"
    if not (sbatch := shutil.which("sbatch")):
        hint = "run on a machine of the cluster; only studies with the profile slurm need it"
        return CheckResult("slurm", "optional", "sbatch not found", hint)
    if not (version := version_of(plugin)):
        hint = 'pip install "crossbank[slurm]"; only studies with the profile slurm need it'
        return CheckResult("slurm", "optional", f"{sbatch}, without {plugin}", hint)
    return CheckResult("slurm", "ok", f"{sbatch}, {plugin} {version}")


def _cache() -> Iterator[CheckResult]:
    """Return the check that Snakemake, where it is installed, can write its cache."""
    from crossbank.workflow.snakemake_cache import FOLDER, VARIABLE, cache_folder, is_writable

    try:
        folder = cache_folder()
    except ImportError:
        return
    if is_writable(folder):
        yield CheckResult("snakemake's cache", "ok", str(folder))
    else:
        hint = f"crossbank study keeps it in {FOLDER}; for plain snakemake set {VARIABLE} to another folder"
        yield CheckResult("snakemake's cache", "optional", f"{folder} cannot be written", hint)


def _example() -> CheckResult:
    try:
        from crossbank.metrics.counting.scoring import score, scoring_of
        from crossbank.workflow.example import F1, example

        (counts,) = score(*example(), scoring_of(["parseval"], {}))
        value = next(float(m.score(counts.sums())) for m in counts.measures if m.name == "f1")
    except ImportError as error:
        return CheckResult("example", "missing", f"could not be scored ({error})", "make env")
    if value != F1:
        difference = f"found Parseval's F1 {value:.4f}, expected {F1:.4f}"
        return CheckResult("example", "missing", difference, "make env, which compiles the loops again")
    return CheckResult("example", "ok", f"Parseval's F1 is {value:.4f}: {counts.signature}")
