"""Crossbank converts treebanks between annotation schemes and compares parsers across them.

    import crossbank

    result = crossbank.score("gold.export", "parsed.mrg", "parseval", scheme="tiger")
    result["f1"], result.signature

This is the public API. Everything else is imported from the packages: ``crossbank.treebanks``,
``crossbank.converters``, ``crossbank.metrics``, ``crossbank.reports``, ``crossbank.workflow``.
"""

from importlib import import_module

TYPE_CHECKING = False  # true for type checkers; importing ``typing`` would take longer than all else here

if TYPE_CHECKING:
    from crossbank.calls import compare, read, score, to_ud, transform, write
    from crossbank.converters.scheme_files import load_scheme
    from crossbank.questions import errors, explain, find, view
    from crossbank.reports.results.result import Differences, Result
    from crossbank.scorer import Scorer
    from crossbank.treebanks import Treebank
    from crossbank.treebanks.errors import CrossbankError, CrossbankWarning
    from crossbank.treebanks.in_memory.texts import dump, dumps, load, loads

    __version__: str

__all__ = [
    "CrossbankError",
    "CrossbankWarning",
    "Differences",
    "Result",
    "Scorer",
    "Treebank",
    "__version__",
    "compare",
    "dump",
    "dumps",
    "errors",
    "explain",
    "find",
    "load",
    "load_scheme",
    "loads",
    "read",
    "score",
    "to_ud",
    "transform",
    "view",
    "write",
]

_NAMES = {
    "calls": ("read", "score", "to_ud", "compare", "transform", "write"),
    "scorer": ("Scorer",),
    "questions": ("view", "find", "explain", "errors"),
    "treebanks": ("Treebank",),
    "treebanks.errors": ("CrossbankError", "CrossbankWarning"),
    "treebanks.in_memory.texts": ("loads", "dumps", "load", "dump"),
    "converters.scheme_files": ("load_scheme",),
    "reports.results.result": ("Result", "Differences"),
}
_HOMES = {name: f"{__name__}.{module}" for module, names in _NAMES.items() for name in names}


def __getattr__(name: str) -> object:
    """Import a public name when it is first used: importing the package loads nothing else."""
    if name == "__version__":
        from importlib.metadata import version

        return version("crossbank")
    home = _HOMES.get(name) or _home_in_plug_in(name)
    if not home:
        raise AttributeError(f"module 'crossbank' has no attribute {name!r}")
    attribute = globals()[name] = getattr(import_module(home), name)
    return attribute


def _home_in_plug_in(name: str) -> str:
    """Return the module of a plug-in that adds a function of this name; empty if there is none."""
    if name.startswith("_"):
        return ""
    from crossbank.plugins.packages import bundled

    return next((added.module for added in bundled("function") if added.name == name), "")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
