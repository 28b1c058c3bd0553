"""YAML files held against a JSON schema, with errors that name the key, the line and what was expected."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextvars import ContextVar
from functools import lru_cache, wraps
from importlib.util import find_spec
from math import isfinite
from os import PathLike
from pathlib import Path
from typing import Any, TypeVar, cast

from crossbank.treebanks.compiled_yaml import read_compiled
from crossbank.treebanks.errors import CrossbankError, OptionError, excerpt, meant, one_of
from crossbank.treebanks.extras import needing
from crossbank.treebanks.files import SAVE_AS_UTF_8, decode, read_bytes, read_text

Load = TypeVar("Load", bound=Callable[[str | Path], Any])
Keys = Sequence[str | int]
"""A place in the content of a file: keys of mappings and numbers of entries."""

State = tuple[int, int, int]
"""What changes with a file's content: see ``state``."""


class YamlError(CrossbankError):
    """A YAML file that cannot be read, or that does not say what its schema expects."""


PACKAGE = Path(__file__).resolve().parents[1]
"""The folder of our own files: that of the package, or of the checkout."""

LONGEST = 250
"""The bytes of a file's name without its suffix: systems refuse more than 255 in words of their own."""


def named_file(folder: Path, name_or_path: str | PathLike[str], kind: str) -> Path:
    """Return the YAML file of a name in a folder, or a file of one's own.

    Raises OptionError for a name that the folder does not have; ``kind`` says what it names.
    """
    name = str(name_or_path)
    if not is_name(name, kind):
        return Path(name)
    path = folder / f"{name}.yaml"
    if not os.path.isfile(path):
        raise OptionError(kind, name, [*names_in(folder), "the path of a YAML file"])
    return path


def is_name(text: str, kind: str) -> bool:
    """Return whether a text is a name, not a path. Raises OptionError for one that is too long for both."""
    if len(text.rpartition("/")[2].encode(errors="replace")) > LONGEST:
        raise OptionError(kind, f"{text[:20]}...", f"a name of at most {LONGEST} bytes")
    return re.fullmatch(r"[\w-]+", text) is not None


_READ: ContextVar[dict[Path, State]] = ContextVar("the files that load_yaml has read")


def read_once(find: Callable[..., Path]) -> Callable[[Load], Load]:
    """Let a function of a file, which ``find`` gives by its name, read it again only where it has changed.

    It has changed if a YAML file has that was read with it: one that it extends, or rules that it names.
    """

    def decorated(load: Load) -> Load:
        @lru_cache(maxsize=32)
        def last(path: Path) -> list[tuple[Any, dict[Path, State]]]:
            """Return the place of what was read last, with the state of its files then."""
            return []

        @wraps(load)
        def loaded(*name: str | Path) -> Any:
            path = find(*name)
            kept = last(path)
            files = kept[0][1] if kept else {}
            # A path may be another file in another folder.
            if path.absolute() not in files or any(state(file) != was for file, was in files.items()):
                files = {}
                outer = _READ.set(files)
                try:
                    kept[:] = [(load(path), files)]
                finally:
                    _READ.reset(outer)
            found, files = kept[0]
            _READ.get({}).update(files)
            return found

        return cast(Load, loaded)

    return decorated


def names_in(folder: Path) -> list[str]:
    """Return the names of a folder's YAML files."""
    return sorted(path.stem for path in folder.glob("*.yaml"))


def state(path: Path) -> State:
    """Return when a file was last changed, its size and its number; zeros for a missing one."""
    if not os.path.isfile(path):
        return 0, 0, 0
    found = path.stat()
    return found.st_mtime_ns, found.st_size, found.st_ino


MOST = 10_000_000
"""The number of values of a file. Aliases of aliases say so many in a few lines that nobody sees an end."""


MAX_DEPTH = 100
"""The number of lists and mappings inside of each other. A file of ours has ten levels."""

UNREADABLE = (ValueError, KeyError, IndexError, AttributeError, OverflowError)
"""What PyYAML raises for a scalar that is not what its tag says, such as ``!!bool perhaps``."""

MERGE = "tag:yaml.org,2002:merge"
"""The tag of the key ``<<``."""


def load_yaml(path: str | PathLike[str], schema: Path | None = None) -> Any:
    """Return the content of a YAML file, held against the JSON schema in a file.

    A file of the package is not parsed if its compiled content is up to date, and the parser is not even
    imported.

    Raises YamlError, with the line, where it is not YAML, has a key twice, a number without a value
    (``.nan``, ``.inf``, 5,000 digits), aliases that stand for more than ``MOST`` values, more than
    ``MAX_DEPTH`` levels, or a violation of the schema.
    """
    if schema is not None:
        content = load_yaml(path)
        check(content, json.loads(schema.read_text("utf-8")), path)
        return content
    _READ.get({})[Path(path).absolute()] = state(Path(path))
    data = read_bytes(path, may_be_blank=True)
    if (compiled := read_compiled(Path(path), data)) is not None:
        return compiled
    text = decode(data, path, advice=SAVE_AS_UTF_8)
    if not text.strip():
        raise YamlError(f"{path}: found an empty file, expected YAML")
    return parse_yaml(text, path)


def parse_yaml(text: str, path: str | PathLike[str]) -> Any:
    """Return the content of a YAML text; ``path`` is where it comes from, for messages.

    Raises YamlError for the reasons of ``load_yaml``, but for its schema.
    """
    import yaml

    try:
        loader, node = _composed_node(text, path)
        _refuse_traps(loader, node, path)
        return None if node is None else loader.construct_document(node)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        where = f"{path}:{mark.line + 1}" if mark is not None else str(path)
        why = getattr(error, "problem", None)
        raise YamlError(
            f"{where}: found text that is not YAML{f' ({why})' if why else ''}, expected YAML"
        ) from error


def _composed_node(text: str, path: str | PathLike[str]) -> tuple[Any, Any]:
    """Return the loader of a text and its root node, None if it has none.

    libyaml composes nested nodes by recursion, without a limit: the depth is looked at before, in its events.
    """
    import yaml

    kind = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    depth = 0
    for event in yaml.parse(text, Loader=kind):
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
            if depth > MAX_DEPTH:
                mark: Any = event.start_mark
                raise YamlError(
                    f"{path}:{mark.line + 1}: found more than {MAX_DEPTH} levels of lists "
                    "and mappings, expected fewer"
                )
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
    loader = kind(text)
    return loader, loader.get_single_node()


def _refuse_traps(loader: Any, root: Any, path: str | PathLike[str]) -> None:
    """Raise YamlError for what YAML allows and nobody means: see ``load_yaml``."""
    import yaml

    sizes: dict[int, int] = {}  # of nodes, with what their aliases stand for; 0 for those around this one

    def size(node: Any) -> int:
        if id(node) in sizes:
            if found := sizes[id(node)]:
                return found
            raise refused(node, "an alias inside of what it stands for", "one outside")
        sizes[id(node)] = 0
        number = 1
        if isinstance(node, yaml.MappingNode):
            keys = set()
            for key, value in node.value:
                name = (key.tag, key.value) if isinstance(key, yaml.ScalarNode) else id(key)
                if name in keys and key.tag != MERGE:
                    raise refused(key, f"the key {key.value!r} twice", "it once")
                keys.add(name)
                number += size(key) + size(value)
        elif isinstance(node, yaml.SequenceNode):
            number += sum(map(size, node.value))
        elif node.tag != MERGE:
            check_scalar(node)
        if number > MOST:
            raise refused(node, f"aliases that stand for more than {MOST:,} values", "fewer")
        sizes[id(node)] = number
        return number

    def check_scalar(node: Any) -> None:
        """Raise YamlError for a scalar without a value, such as one of 5,000 digits."""
        try:
            value = loader.construct_object(node)
        except UNREADABLE as error:
            kind = node.tag.rpartition(":")[2]
            raise refused(node, f"{excerpt(node.value)}, which is no valid {kind}", "a valid one") from error
        if isinstance(value, float) and not isfinite(value):
            raise refused(node, node.value, "a number")
        if isinstance(value, int) and value.bit_length() > 63:
            raise refused(node, excerpt(node.value), "a number of at most 64 bits")

    def refused(node: Any, found: str, expected: str) -> YamlError:
        return YamlError(f"{path}:{node.start_mark.line + 1}: found {found}, expected {expected}")

    if root is not None:
        size(root)


def check(content: Any, schema: Mapping[str, Any], path: str | PathLike[str]) -> None:
    """Hold a file's content against a schema. Raises YamlError for the first violation in the file.

    Our own files, which tests hold against their schemas, need no check where there is nothing to check with.
    """
    if find_spec("jsonschema") is None and PACKAGE in Path(path).resolve().parents:
        return
    with needing("the check of a YAML file of your own"):
        from jsonschema import Draft202012Validator

    errors = sorted(Draft202012Validator(schema).iter_errors(content), key=lambda e: list(map(str, e.path)))
    if errors:
        error = min(map(_deepest, errors), key=lambda e: -len(e.absolute_path))
        inside, told = next(_violations(error))
        raise YamlError(at(path, list(error.absolute_path), told, inside))


def violations(content: Any, schema: Mapping[str, Any]) -> list[tuple[list[str | int], str]]:
    """All violations of a schema: the keys of each, with what was found there and what was expected.

    Each unknown key and each missing one is a violation of its own.
    """
    with needing("the check of a YAML file of your own"):
        from jsonschema import Draft202012Validator

    found: dict[str, tuple[list[str | int], str]] = {}
    for error in map(_deepest, Draft202012Validator(schema).iter_errors(content)):
        for inside, told in _violations(error):
            keys = [*error.absolute_path, *inside]
            found[f"{keys} {told}"] = keys, told
    return list(found.values())


def at(path: str | PathLike[str], keys: Keys, message: str, inside: Keys = ()) -> str:
    """A message with the file, the key that it is about, and the line of that key or of one ``inside``.

    Where nobody has written a file (path ""), nobody knows its keys, and the message stands alone.
    """
    if not path:
        return message
    line = line_of(path, [*keys, *inside])
    where = f"{path}:{line}" if line else str(path)
    key = key_path(keys)
    return f"{where}: {key}: {message}" if key else f"{where}: {message}"


def key_path(keys: Keys) -> str:
    """Keys as people write them: ``treebanks[0].gold.format``."""
    written = ""
    for key in keys:
        written += f"[{key}]" if isinstance(key, int) else f".{key}" if written else str(key)
    return written


def line_of(path: str | PathLike[str], keys: Keys) -> int | None:
    """Line, from 1, on which a key of a YAML file stands, or the last of its parents that is there."""
    node = _composed(Path(path), state(Path(path)))
    line: int | None = None
    for key in keys:
        for name, begin, child in _children(node):
            if name == str(key):
                line, node = begin + 1, child
                break
        else:
            break
    return line


@lru_cache(maxsize=4)
def _composed(path: Path, state: State) -> Any:
    """Return the nodes of a YAML file in a state, None where it is none."""
    import yaml

    try:
        return _composed_node(read_text(path), path)[1]
    except (CrossbankError, yaml.YAMLError):
        return None


def _children(node: Any) -> Iterator[tuple[str, int, Any]]:
    """Key or number of each entry of a node, its line from 0, and its value."""
    import yaml

    if isinstance(node, yaml.MappingNode):
        yield from ((str(key.value), key.start_mark.line, value) for key, value in node.value)
    elif isinstance(node, yaml.SequenceNode):
        yield from ((str(place), value.start_mark.line, value) for place, value in enumerate(node.value))


def _deepest(error: Any) -> Any:
    """Return the violation that lies deepest inside a value, among the alternatives that the value fails."""
    while error.context:
        inner = max(error.context, key=lambda e: len(e.absolute_path))
        if len(inner.absolute_path) == len(error.absolute_path):
            break
        error = inner
    return error


def _violations(error: Any) -> Iterator[tuple[list[Any], str]]:
    """Yield a message, after the key inside that it is about, for each key that is unknown or missing."""
    if error.validator == "additionalProperties":
        allowed = error.schema.get("properties", {})
        for key in error.instance:
            if key not in allowed:
                yield [key], f"found the unknown key {key!r}, {meant(str(key), allowed)}"
    elif error.validator == "required":
        missing = (key for key in error.validator_value if key not in error.instance)
        yield from (([], f"{key!r} is missing") for key in missing)
    else:
        yield [], _violation(error)


def _violation(error: Any) -> str:
    found, rule, value = error.instance, error.validator, error.validator_value
    if rule == "type":
        return f"found {_shown(found)}, expected {_kind(value)}"
    if rule in ("enum", "const"):
        return f"found {_shown(found)}, expected {one_of(value if rule == 'enum' else [value])}"
    if rule in ("minItems", "minProperties", "minLength"):
        unit = " character" if rule == "minLength" else ""
        return f"found {_shown(found)}, expected at least {value}{unit}"
    expected = error.schema.get("expected") or error.schema.get("description") or f"{rule} {value}"
    return f"found {_shown(found)}, expected {expected}"


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def _kind(kinds: str | Sequence[str]) -> str:
    names = {
        "object": "a mapping",
        "array": "a list",
        "string": "a string",
        "integer": "a whole number",
        "number": "a number",
        "boolean": "true or false",
        "null": "nothing",
    }
    listed = [kinds] if isinstance(kinds, str) else kinds
    return " or ".join(names[kind] for kind in listed)
