"""Every module that imports ``cython`` is compiled; all else about the package is in pyproject.toml."""

import os
import re
import runpy
import subprocess
import sys
from multiprocessing import get_start_method
from pathlib import Path

import Cython
from Cython.Build import cythonize
from Cython.Compiler import Options
from setuptools import Extension, setup
from setuptools.command.build_py import build_py

# The same sources make a wheel of the same bytes: its files are dated and permitted alike, whoever builds it.
os.environ.setdefault("SOURCE_DATE_EPOCH", "315532800")  # 1980, where the dates of zip files begin
os.umask(0o022)

BUILD = Path("build") / f"cython-{Cython.__version__}"
MEMORYVIEWS = "crossbank._memoryviews"

DIRECTIVES = {
    "language_level": 3,
    "boundscheck": False,
    "wraparound": False,
    "initializedcheck": False,
    "cdivision": True,
    "embedsignature": False,
    "auto_pickle": False,  # no array's holder leaves its process
    "infer_types": True,  # a loop's variables have the types of what they are given
    "emit_code_comments": False,
    "show_performance_hints": False,
    "final": True,  # no class of a loop has another one below it
    "exceptval": (None, False),  # a function in C raises nothing, unless it says by which value
    "no_gc": True,  # a class of a loop holds arrays and numbers, which never refer back to it
}
# Cython knows these three as decorators, and lets a build set what has a default. A process without
# refuses them, and nothing is compiled without. Cython's own processes are like this one if they are forks.
Options.get_directive_defaults().update({"final": None, "exceptval": None, "no_gc": None})

# Without contraction of products and sums every processor gives the same last digit.
FLAGS = ["/O2"] if os.name == "nt" else ["-g0", "-ffp-contract=off", "-w"]

# gcc takes twice as long with -O3 as with -O1 and these flags, and most loops are as fast: those that pass
# over a sentence once. A module that was measured to be slower says "# Compiled with -O3".
FASTEST = [] if os.name == "nt" else ["-O3"]
FAST = FASTEST
LINKED = []
if sys.platform == "linux" and not re.search("clang|zig", os.environ.get("CC", "")):
    FAST = ["-O1", "-finline-functions", "-finline-small-functions", "-ftree-vectorize"]
    # What runs once, when a module is imported, is half of what Cython writes. Without any optimisation the
    # table of its sources' paths would stay in it, and the bytes would tell where it was compiled.
    FLAGS.append('-DCYTHON_SMALL_CODE=__attribute__((cold,optimize("Os")))')
    # A quarter of each file would be what no loop needs: names of functions that no library calls, tables
    # for exceptions of C++, functions that nothing calls, gaps between what is read and what runs.
    FLAGS += [
        "-fvisibility=hidden",
        "-fno-asynchronous-unwind-tables",
        "-ffunction-sections",
        "-fdata-sections",
    ]
    LINKED = ["-s", "-Wl,--gc-sections", "-Wl,-z,noseparate-code"]

# Cython marks its own functions, which convert arguments and count references around the loops, as inline.
# Once in each module instead of at each call they compile faster. They are not marked as cold: a loop
# that comes after a call of one would be taken for cold as well, and tree_distance took 1.3 times as long.
if os.name != "nt":
    FLAGS.append("-DCYTHON_INLINE=__attribute__((noinline,unused))")

# `make sanitize`: every access to memory is checked, and the first fault ends the process.
if os.environ.get("CROSSBANK_SANITIZE"):
    FAST = FASTEST = []
    FLAGS = ["-O1", "-g1", "-ffp-contract=off", "-fno-omit-frame-pointer", "-fsanitize=address,undefined"]
    FLAGS += ["-fno-sanitize-recover=all"]
    LINKED = [flag for flag in FLAGS if flag.startswith("-fsanitize")]


def extension(name: str, source: Path, level: list[str]) -> Extension:
    """Return an extension module of its own."""
    return Extension(
        name, [str(source)], depends=["setup.py"], extra_compile_args=[*level, *FLAGS], extra_link_args=LINKED
    )


def compiled_modules() -> list[Extension]:
    """Return one extension for each module of the package that imports ``cython``."""
    extensions = []
    for folder, folders, files in os.walk("crossbank", followlinks=True):
        folders.sort()
        for file in sorted(files):
            path = Path(folder) / file
            text = path.read_text("utf-8") if path.suffix == ".py" else ""
            if re.search(r"^import cython$", text, re.M):
                level = FASTEST if re.search(r"^# Compiled with -O3", text, re.M) else FAST
                name = ".".join(path.with_suffix("").parts)
                extensions.append(extension(name, path, level))
    return extensions


def memoryviews() -> Extension:
    """Return the part of Cython's views of memory that all extensions need, once instead of once in each."""
    source = BUILD / "_memoryviews.c"
    if not source.is_file():
        BUILD.mkdir(parents=True, exist_ok=True)
        subprocess.run([sys.executable, "-m", "cython", f"--generate-shared={source}"], check=True)
    return extension(MEMORYVIEWS, source, FAST)


# Schemes and other YAML files are parsed here once, and what the package adds is listed.
compile_files = runpy.run_path("treebanks/compiled_yaml.py")["compile_files"]
for layer in ("treebanks", "converters", "parsers", "metrics", "reports", "formalisms", "compat"):
    compile_files(Path(layer))
runpy.run_path("plugins/manifest.py")["write_manifest"]("crossbank")

# `make env` installs the package without its loops, and builds beside it those that have changed.
extensions = []
if not os.environ.get("CROSSBANK_UNCOMPILED"):
    extensions = cythonize(
        compiled_modules(),
        build_dir=str(BUILD),
        compiler_directives=DIRECTIVES,
        shared_utility_qualified_name=MEMORYVIEWS,
        nthreads=os.cpu_count() if get_start_method() == "fork" else 0,
        show_all_warnings=False,
        quiet=True,
    )
    extensions.append(memoryviews())


class BuildModules(build_py):
    """Copies the package's modules, without the sources of those that are compiled: nothing runs these."""

    compiled = frozenset(one.name for one in extensions)

    def run(self) -> None:
        """Copy the modules to where nothing is left of a build of other sources."""
        if not self.editable_mode:
            build_ext = self.get_finalized_command("build_ext")
            built = {Path(self.build_lib, build_ext.get_ext_filename(name)) for name in self.compiled}
            for path in Path(self.build_lib).rglob("*"):
                if path.is_file() and path not in built:
                    path.unlink()
        super().run()

    def build_module(self, module: str, module_file: str, package: str) -> None:
        """Copy a module that is not compiled."""
        if f"{package}.{module}" not in self.compiled:
            super().build_module(module, module_file, package)


setup(
    ext_modules=extensions,
    cmdclass={"build_py": BuildModules},
    options={"build_ext": {"parallel": os.cpu_count()}},
)
