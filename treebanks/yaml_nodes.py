"""Content of YAML texts and the lines of its keys, both from PyYAML's nodes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import isfinite
from os import PathLike
from os.path import isfile
from pathlib import Path
from typing import Any, Literal

from crossbank.treebanks.errors import CrossbankError, excerpt
from crossbank.treebanks.files import read_text

MAX_VALUES = 10_000_000
"""Maximal number of values of a file: aliases of aliases can exceed it in a few lines."""

MAX_DEPTH = 100
"""Maximal depth of nested lists and mappings. Files of the package have up to ten levels."""

UNREADABLE = (ValueError, KeyError, IndexError, AttributeError, OverflowError)
"""The errors of PyYAML for a scalar that does not match its tag, such as ``!!bool perhaps``."""

MERGE = "tag:yaml.org,2002:merge"
"""The tag of the key ``<<``."""

Keys = Sequence[str | int]
"""Keys of mappings and indices of lists, from the content of a file down to a value."""

State = tuple[int, int, int]
"""Version of a file's content: see ``state``."""


def state(path: Path) -> State:
    """Return the time of the last change of a file, its size and its inode; zeros for a missing file."""
    if not isfile(path):
        return 0, 0, 0
    status = path.stat()
    return status.st_mtime_ns, status.st_size, status.st_ino


@dataclass(frozen=True)
class FileDiagnostic:
    """What is wrong with a part of a file.

    keys     the part: keys of mappings and indices of lists
    line     the line, from 1; None if no line is known
    severity an error keeps the file from being used, a warning does not
    """

    path: str | PathLike[str]
    keys: Keys
    message: str
    line: int | None = None
    severity: Literal["error", "warning"] = "error"

    def __str__(self) -> str:
        return f"{self.where}{self.about}" if self.path else self.message

    @property
    def where(self) -> str:
        """File and line, as the beginning of a message: ``study.yaml:12: ``."""
        return f"{self.path}:{self.line}: " if self.line else f"{self.path}: "

    @property
    def about(self) -> str:
        """The keys and the message."""
        return ": ".join(filter(None, (key_path(self.keys), self.message)))


class YamlError(CrossbankError):
    """A YAML file that cannot be read, or that breaks the declaration of its keys: a line for each error.

    diagnostics  the errors, each with its line
    """

    def __init__(self, *diagnostics: FileDiagnostic) -> None:
        self.diagnostics = diagnostics
        super().__init__("\n".join(map(str, diagnostics)))

    @property
    def path(self) -> str:
        """The file of the first error."""
        return str(self.diagnostics[0].path)

    @property
    def line(self) -> int | None:
        """The line of the first error, from 1; None if no line is known."""
        return self.diagnostics[0].line

    @property
    def key(self) -> str:
        """The key of the first error, such as ``treebanks[0].gold``."""
        return key_path(self.diagnostics[0].keys)


def parse_yaml(text: str, path: str | PathLike[str]) -> Any:
    """Return the content of a YAML text; ``path`` is where it comes from, for messages.

    Raises YamlError for the reasons of ``load_yaml``, except for its schema.
    """
    import yaml

    try:
        loader, root = _composed_node(text, path)
        if root is None:
            return None
        raise_all(_refused_nodes(loader, root, path))
        return loader.construct_document(root)
    except yaml.YAMLError as error:
        mark, problem = getattr(error, "problem_mark", None), getattr(error, "problem", None)
        why = f" ({problem})" if problem else ""
        message = f"found text that is not YAML{why}, expected YAML"
        line = None if mark is None else mark.line + 1
        raise YamlError(FileDiagnostic(path, (), message, line)) from error


def _composed_node(text: str, path: str | PathLike[str]) -> tuple[Any, Any]:
    """Return the loader of a text and its root node, None if it has none.

    libyaml composes nested nodes by unlimited recursion, so the depth is checked before, in the events.
    """
    import yaml

    kind = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    depth = 0
    for event in yaml.parse(text, Loader=kind):
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
            if depth > MAX_DEPTH:
                levels = f"more than {MAX_DEPTH} levels of lists and mappings"
                raise YamlError(_refusal(path, event, levels, "fewer"))
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
    loader = kind(text)
    return loader, loader.get_single_node()


def _refusal(path: str | PathLike[str], node: Any, found: str, expected: str) -> FileDiagnostic:
    return FileDiagnostic(path, (), f"found {found}, expected {expected}", node.start_mark.line + 1)


def _refused_nodes(loader: Any, root: Any, path: str | PathLike[str]) -> Iterator[FileDiagnostic]:
    """Yield a diagnostic for each construct that YAML allows and ``load_yaml`` refuses."""
    import yaml

    sizes: dict[int, int] = {}  # number of values in each node with resolved aliases; 0 for open nodes

    def refusals(node: Any) -> Iterator[FileDiagnostic]:
        if id(node) in sizes:
            if not sizes[id(node)]:
                raise YamlError(_refusal(path, node, "an alias inside of what it stands for", "one outside"))
            return
        sizes[id(node)] = 0
        inside: list[Any] = []
        if isinstance(node, yaml.MappingNode):
            names = set()
            for key, _ in node.value:
                name = (key.tag, key.value) if isinstance(key, yaml.ScalarNode) else id(key)
                if name in names and key.tag != MERGE:
                    yield _refusal(path, key, f"the key {key.value!r} twice", "it once")
                names.add(name)
            inside = [one for pair in node.value for one in pair]
        elif isinstance(node, yaml.SequenceNode):
            inside = node.value
        elif node.tag != MERGE and (wrong := _wrong_scalar(loader, node)) is not None:
            yield _refusal(path, node, *wrong)
        for one in inside:
            yield from refusals(one)
        sizes[id(node)] = 1 + sum(sizes[id(one)] for one in inside)
        if sizes[id(node)] > MAX_VALUES:
            values = f"aliases that stand for more than {MAX_VALUES:,} values"
            raise YamlError(_refusal(path, node, values, "fewer"))

    yield from refusals(root)


def _wrong_scalar(loader: Any, node: Any) -> tuple[str, str] | None:
    """Return what is wrong with a scalar (such as 5,000 digits) and what is expected; None if it is valid."""
    try:
        value = loader.construct_object(node)
    except UNREADABLE:
        kind = node.tag.rpartition(":")[2]
        return f"{excerpt(node.value)}, which is no valid {kind}", "a valid one"
    if isinstance(value, float) and not isfinite(value):
        return node.value, "a number"
    if isinstance(value, int) and value.bit_length() > 63:
        return excerpt(node.value), "a number of at most 64 bits"
    return None


def raise_all(errors: Iterable[FileDiagnostic]) -> None:
    """Raise YamlError with all errors, each once and in the order of their lines, if there are any."""
    by_text = {str(one): one for one in errors}
    if by_text:
        raise YamlError(*sorted(by_text.values(), key=lambda one: (str(one.path), one.line or 0)))


def at(path: str | PathLike[str], keys: Keys, message: str, inside: Keys = ()) -> FileDiagnostic:
    """Return an error with the line of its key, or of the key ``inside`` it.

    Without a file (path ""), the message has no location.
    """
    return FileDiagnostic(path, tuple(keys), message, line_of(path, [*keys, *inside]) if path else None)


def key_path(keys: Keys) -> str:
    """Return keys as text: ``treebanks[0].gold.format``."""
    written = ""
    for key in keys:
        written += f"[{key}]" if isinstance(key, int) else f".{key}" if written else str(key)
    return written


def line_of(path: str | PathLike[str], keys: Keys) -> int | None:
    """Return the line, from 1, of a key of a YAML file, or of its nearest parent that exists."""
    node, line = _composed(Path(path), state(Path(path))), None
    for key in keys:
        child = next((one for one in _children(node) if one[0] == str(key)), None)
        if child is None:
            break
        _, begin, node = child
        line = begin + 1
    return line


@lru_cache(maxsize=4)
def _composed(path: Path, state: State) -> Any:
    """Return the nodes of a YAML file at a given version; None if it is not YAML."""
    import yaml

    try:
        return _composed_node(read_text(path), path)[1]
    except (CrossbankError, yaml.YAMLError):
        return None


def _children(node: Any) -> Iterator[tuple[str, int, Any]]:
    """Yield the key or index of each entry of a node, its line from 0, and its value."""
    import yaml

    if isinstance(node, yaml.MappingNode):
        yield from ((str(key.value), key.start_mark.line, value) for key, value in node.value)
        for key, value in node.value:
            if key.tag == MERGE:
                for merged in value.value if isinstance(value, yaml.SequenceNode) else [value]:
                    yield from _children(merged)
    elif isinstance(node, yaml.SequenceNode):
        yield from ((str(index), value.start_mark.line, value) for index, value in enumerate(node.value))
