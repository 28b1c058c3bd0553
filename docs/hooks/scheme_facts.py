"""What the YAML files of annotation schemes say."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from docstring_text import as_markdown, generated_from
from markdown_tables import code, table

from crossbank.converters.scheme_files import load_scheme, scheme_names
from crossbank.converters.schemes.scheme import Scheme
from crossbank.treebanks.formats import FORMATS


def schemes() -> str:
    """All schemes, each with a link to its page."""
    rows = []
    for name in scheme_names():
        scheme = load_scheme(name)
        rows.append(
            [
                f"[`{name}`]({name}.md)",
                scheme.title,
                scheme.language or "any",
                ", ".join(f"`{view}`" for view in scheme.views),
            ]
        )
    return table(["scheme", "annotation", "language", "views"], rows)


def parts() -> str:
    """Which parts each scheme has, one row for each part."""
    names = scheme_names()
    return table(
        ["", *(f"[`{name}`]({name}.md)" for name in names)],
        [
            [part, *("yes" if has(load_scheme(name)) else "–" for name in names)]
            for part, has in PARTS.items()
        ],
    )


PARTS: Mapping[str, Callable[[Scheme], bool]] = {
    "punctuation is recognised": lambda s: bool(s.punctuation.tags or s.punctuation.forms),
    "empty elements are recognised": lambda s: bool(s.empty.tags or s.empty.forms),
    "traces": lambda s: bool(s.traces.moved or s.traces.coindexed),
    "head rules": lambda s: bool(s.heads.rules),
    "dependencies are read off trees": lambda s: "dependencies" in s.views,
    "grammatical relations": lambda s: "relations" in s.views,
    "universal tags": lambda s: bool(s.universal_tags),
    "universal features": lambda s: bool(s.universal_features),
    "Parseval of 1991": lambda s: s.erasures is not None,
    "flat keys": lambda s: s.flat_key is not None,
    "noun chunks": lambda s: s.chunks is not None,
    "verb frames": lambda s: s.frames is not None,
    "error types by label": lambda s: bool(s.error_types.attachment),
}


def scheme_page(name: str) -> str:
    """Return the page of one scheme."""
    scheme = load_scheme(name)
    parts = [
        f"# {name}\n",
        generated_from(*scheme.files),
        f"{scheme.title}.\n",
        "## Sources\n",
        "".join(f"- {as_markdown(source)}\n" for source in scheme.sources),
        "## Conventions\n",
        table(["convention", "here"], _conventions(scheme)),
        "## Views\n",
        "A metric compares treebanks in a view. These [transformations](../transformations.md) lead to it, "
        "on both sides, in this order:\n",
        table(
            ["view", "transformations"],
            [[f"`{view}`", _steps(steps)] for view, steps in scheme.views.items()],
        ),
        "Other views cannot be scored under this scheme, unless a file has what they want or a study lists "
        "transformations for them.\n",
    ]
    if scheme.heads.rules:
        parts += ["## Head rules\n", _heads(scheme)]
    present = [part for part, has in PARTS.items() if has(scheme)]
    lacking = [part for part in PARTS if part not in present]
    parts += [
        "## What is supported\n",
        f"- It has: {', '.join(present) or 'labels and nothing else'}.",
        f"- It has not: {', '.join(lacking)}.\n" if lacking else "",
    ]
    if scheme.inventory:
        parts.append("## Labels\n")
        for kind, labels in scheme.inventory.items():
            rows = [[code(label), meaning] for label, meaning in labels.items()]
            parts.append(f'??? note "{len(rows)} {kind}"\n')
            parts.append("".join(f"    {line}\n" for line in table([kind, "meaning"], rows).splitlines()))
    return "\n".join(parts)


def _conventions(scheme: Scheme) -> list[list[str]]:
    def listed(labels: Iterable[str]) -> str:
        return ", ".join(code(label) for label in sorted(labels) if label) or "none"

    formats = [name for name, format in FORMATS.items() if format.scheme == scheme.name]
    return [
        ["language", scheme.language or "any"],
        ["left out of scores", "punctuation" if scheme.delete == "punct" else "nothing"],
        ["tags of punctuation", listed(scheme.punctuation.tags)],
        ["tags of empty elements", listed(scheme.empty.tags)],
        ["roots that only say that a tree begins", listed(scheme.root_labels)],
        [
            "labels that count as others",
            ", ".join(f"`{a}` as `{b}`" for a, b in scheme.equivalences.items()) or "none",
        ],
        ["functions without information", listed(scheme.no_function)],
        ["formats that are always in it", listed(formats)],
        ["further sets of head rules", listed(scheme.rule_sets)],
    ]


def _steps(steps: Iterable[Any]) -> str:
    written = [step if isinstance(step, str) else str(next(iter(step))) for step in steps]
    return (
        ", ".join(f"[`{one}`](../transformations.md#{one.partition(':')[0]})" for one in written)
        or "none: as it stands"
    )


def _heads(scheme: Scheme) -> str:
    """Return the groups of head rules by category, in words."""
    rules = scheme.heads
    lines = []
    if rules.before:
        lines.append(f"First, in every category: {_groups(rules.before)}.")
    lines.append(f"Where no candidate is found, the {rules.default}most child is the head.")
    rows = [
        [f"`{category}`", _groups((*rules.first.get(category, ()), *groups))]
        for category, groups in rules.rules.items()
    ]
    shown = "".join(
        f"    {line}\n"
        for line in table(["category", "candidates, the first group first"], rows).splitlines()
    )
    return f'{" ".join(lines)}\n\n??? note "The rules of {len(rows)} categories"\n\n{shown}'


def _groups(groups: tuple[object, ...]) -> str:
    return "; then ".join(code(str(group)) for group in groups)
