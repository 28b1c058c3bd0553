"""All errors of a scheme's file at once, and the scheme that the file says without them."""

from __future__ import annotations

import copy
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from crossbank.converters.scheme_faults import Keys, at_path, faults
from crossbank.converters.scheme_files import (
    base_of,
    fault_of_base,
    in_one,
    label_syntax,
    scheme_of_content,
    scheme_schema,
)
from crossbank.converters.schemes.scheme import Scheme
from crossbank.treebanks.quantities import listed
from crossbank.treebanks.yaml_files import YamlError, key_path, line_of, load_yaml, violations

PLACEHOLDERS = {"name": "unnamed", "title": "untitled", "sources": ["unknown"]}
"""Values for required keys that are missing, so that all else can be examined."""


DRAFTED = ("title", "sources", "inventory")
"""The keys of a draft under which only its author knows what to write."""

EDIT = re.compile(r"edit(:.*)?", re.DOTALL)
"""What is in a draft where something is to be written."""

Place = tuple[str | int, ...]
"""Keys of a content."""


class Finding(NamedTuple):
    """One thing about a key of a file.

    error    whether the file cannot be used so; a warning if not
    keys     where it stands: keys of mappings and numbers of entries
    message  what was found and what was expected
    line     the line, from 1; None where no line is known
    """

    path: Path
    error: bool
    keys: Sequence[str | int]
    message: str
    line: int | None = None

    @classmethod
    def at(cls, path: Path, keys: Sequence[str | int], message: str, *, error: bool) -> Finding:
        """A finding with the line of its key, or of the last of the key's parents that is there."""
        return cls(path, error, keys, message, line_of(path, keys))

    @property
    def severity(self) -> str:
        """``error`` or ``warning``."""
        return "error" if self.error else "warning"

    def __str__(self) -> str:
        where = f"{self.path}:{self.line}" if self.line else str(self.path)
        said = ": ".join(filter(None, (key_path(self.keys), self.message)))
        return f"{where}: {self.severity}: {said}"


class Examined(NamedTuple):
    """A scheme's file.

    errors  everything that is wrong with it, and, as warnings, what a draft leaves to be written
    own     its content without what is wrong
    base    the content of the scheme that it extends
    scheme  the scheme that this content says; None where the file is no YAML
    left    the places of list entries that were left out, so that those after them have moved
    """

    errors: list[Finding]
    own: dict[str, Any]
    base: dict[str, Any]
    scheme: Scheme | None
    left: Collection[Place] = ()

    def keys_in_file(self, keys: Keys) -> Keys:
        """Return the keys at which a part of the content is in the file."""
        return _in_file(keys, self.left)


def examined(path: Path) -> Examined:
    """Examine a scheme's file. Raises CrossbankError where it cannot be read."""
    try:
        content = load_yaml(path)
    except YamlError as error:
        where, _, message = str(error).partition(": ")
        line = where.removeprefix(f"{path}:")
        fault = Finding(path, True, [], message, int(line) if line.isdigit() else None)
        return Examined([fault], {}, {}, None)
    if not isinstance(content, dict):
        fault = Finding(path, True, [], "the file is no mapping of the keys of a scheme")
        return Examined([fault], {}, {}, None)
    own: dict[str, Any] = copy.deepcopy(content)
    left: set[Place] = set()
    schema = scheme_schema()
    found: list[tuple[Keys, str]] = []
    if "extends" in own and (said := fault_of_base(own["extends"], path)):
        found.append((["extends"], said))
        own.pop("extends")
    base = base_of(own, path)
    wrong = violations(in_one({path: own, **base}), schema)
    found += wrong
    while wrong:
        # What is left out may leave something that is too short: that is no error of its own.
        _leave_out(own, (keys for keys, _ in wrong), left)
        wrong = violations(in_one({path: own, **base}), schema)

    def at_fault() -> list[tuple[Keys, str]]:
        merged = in_one({path: own, **base})
        return list(faults(own, merged, label_syntax(merged)))

    wrong = at_fault()
    found += [(_in_file(keys, left), message) for keys, message in wrong]
    while wrong:
        if any(keys == ["tokens", "punctuation"] for keys, _ in wrong):
            own["delete"] = "punct"
        _leave_out(own, (keys for keys, _ in wrong if keys != ["tokens", "punctuation"]), left)
        wrong = at_fault()
    errors = [Finding.at(path, *one, error=True) for one in found]
    # A scheme of which nobody wrote yet what its labels mean gives the same scores.
    drafted = unedited({key: content[key] for key in DRAFTED if key in content})
    errors += [Finding.at(path, *one, error=False) for one in drafted]
    scheme = scheme_of_content(in_one({path: own, **base}), path, *base)
    return Examined(errors, own, in_one(base), scheme, left)


def unedited(content: Any, keys: Place = ()) -> Iterator[tuple[Keys, str]]:
    """Yield the places at which a draft still says ``edit``, those of one mapping or list together."""
    places: dict[Any, Any] = dict(content.items() if isinstance(content, dict) else enumerate(content))
    left = [place for place, value in places.items() if isinstance(value, str) and EDIT.fullmatch(value)]
    if keys and len(left) > 1:
        names = listed([str(place) for place in left])
        yield [*keys], f"found 'edit' for {names}, as drafted; expected your text"
    else:
        yield from (([*keys, place], "found 'edit', as drafted; expected your text") for place in left)
    for place, value in places.items():
        if isinstance(value, dict | list):
            yield from unedited(value, (*keys, place))


def _leave_out(content: dict[str, Any], places: Iterable[Keys], left: set[Place]) -> None:
    """Delete the parts of a content at some keys, and what is empty without them.

    The places of deleted list entries in the file are added to ``left``.
    """
    in_file = {tuple(_in_file(keys, left)): keys for keys in places}
    # The last entries go first, so that those before them keep their places.
    numbered = {
        place: [f"{key:09}" if isinstance(key, int) else key for key in keys]
        for place, keys in in_file.items()
    }
    for place in sorted(in_file, key=numbered.__getitem__, reverse=True):
        keys = in_file[place]
        if not keys:
            for key, value in PLACEHOLDERS.items():
                content.setdefault(key, value)
            continue
        *above, last = keys
        part = at_path(content, above)
        try:
            del part[last]
            if place == ("name",):
                content["name"] = PLACEHOLDERS["name"]
        except (KeyError, IndexError):
            continue  # It went with something around it.
        if isinstance(last, int):
            left.add(place)
        if above and not part:
            _leave_out(content, [above], left)


def _in_file(keys: Keys, left: Collection[Place]) -> Keys:
    """Keys of a content as they were before some list entries were left out."""
    found: Keys = []
    for key in keys:
        if isinstance(key, int):
            for place in sorted(int(one[-1]) for one in left if list(one[:-1]) == found):
                key += place <= key
        found.append(key)
    return found
