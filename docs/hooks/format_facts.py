"""What the modules of formats say: the files they read, how they read them, what they keep."""

from __future__ import annotations

from collections.abc import Mapping

from docstring_text import as_markdown, first_paragraph, generated_from
from format_losses import LAYERS, Answer, kept
from markdown_tables import table

from crossbank.treebanks.formats import FORMATS, REGISTRY
from crossbank.treebanks.formats.format import Format
from crossbank.treebanks.formats.losses import STRUCTURES


def formats() -> str:
    """All formats, each with a link to its page."""
    return table(
        ["format", "what it is", "names of files", "written", "`--damaged`"],
        [
            [
                f"[`{name}`]({name}.md)",
                _first_sentence(name),
                _suffixes(format),
                "yes" if format.written else "no",
                f"no: {format.undivided}" if format.undivided else "yes",
            ]
            for name, format in FORMATS.items()
        ],
    )


def losses() -> str:
    """What each format keeps, one row for each thing."""
    columns = [name for name in FORMATS if kept(name)]
    return table(["", *(f"[`{name}`]({name}.md)" for name in columns)], [
        [layer, *(SIGNS[kept(name)[layer]] for name in columns)] for layer in LAYERS
    ])  # fmt: skip


SIGNS = {"yes": "yes", "no": "–", "in the label": "in the label", "refused": "refused"}


def format_page(name: str) -> str:
    """Return the page of one format."""
    format = FORMATS[name]
    facts = [
        ["names of files", _suffixes(format) or "none: name it with `--format`"],
        ["read, written", "read and written" if format.written else "read only"],
        ["several analyses of a sentence", "yes" if format.nbest else "no"],
        ["scheme", f"[`{format.scheme}`](../schemes/{format.scheme}.md)" if format.scheme else "any"],
    ]
    if format.folder:
        facts.append(["a treebank is", "a folder, given as itself or as any file in it"])
    parts = [
        f"# {name}\n",
        generated_from(REGISTRY.load(name).__file__),
        as_markdown(REGISTRY.load(name).__doc__ or ""),
        "\n## At a glance\n",
        table(["question", "answer"], facts),
        "## What is kept and what is lost\n",
        _kept_and_lost(format),
    ]
    return "\n".join(parts)


def _kept_and_lost(format: Format) -> str:
    """What the format keeps and loses, as a list or in a sentence."""
    if not format.written:
        return "It is read and not written. What a treebank cannot hold is counted when it is read.\n"
    if format.relations:
        return "It holds relations between words, and nothing else of a sentence but its words.\n"
    answers = kept(format.name)
    if not answers:
        return "It holds analyses of its own kind, as described above, and refuses other trees.\n"
    lines = ["A sentence with each of these things was written and read again.\n"]
    for answer, begin in BEGINNINGS.items():
        layers = [layer for layer, given in answers.items() if given == answer]
        lines += [f"- {begin}: {', '.join(layers)}."] if layers else []
    if format.changes:
        lines.append(f"- Changed: {', '.join(STRUCTURES[name].changed for name in format.changes)}.")
    lines.append(
        f"\n`crossbank reliability FILE --round-trip {format.name}` counts the losses of your treebank. "
        "[All formats side by side](index.md#what-is-kept)\n"
    )
    return "\n".join(lines)


BEGINNINGS: Mapping[Answer, str] = {
    "yes": "It keeps",
    "in the label": "It writes after the label or tag, where `split_functions` finds them again",
    "no": "It loses",
    "refused": "It refuses sentences that have, or consist only of",
}
"""The beginning of the sentence that lists what has each answer."""


def _first_sentence(name: str) -> str:
    return first_paragraph(REGISTRY.load(name).__doc__ or "").rstrip(".:")


def _suffixes(format: Format) -> str:
    return ", ".join(f"`{suffix}`" for suffix in format.suffixes)
