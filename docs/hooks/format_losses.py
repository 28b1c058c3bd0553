"""What each format keeps: sentences with one thing more than words are written, read again and compared."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Literal

from crossbank.treebanks import Treebank
from crossbank.treebanks.builder import TreebankBuilder
from crossbank.treebanks.formats import FORMATS
from crossbank.treebanks.formats.round_trip import round_trip
from crossbank.treebanks.tables import ROOT

Answer = Literal["yes", "no", "in the label", "refused"]


def _sentence(
    *,
    tree: bool = False,
    dependencies: bool = False,
    crossing: bool = False,
    roots: int = 1,
    analyses: int = 1,
    token: Mapping[str, str] = {},
    node: Mapping[str, str] = {},
    id: str = "",
    comments: str = "",
    secondary: bool = False,
    multiword: bool = False,
    empty: bool = False,
    relation: bool = False,
) -> Treebank:
    """*Anna sleeps here*, with some layers of annotation."""
    builder = TreebankBuilder(source="example")
    for analysis in range(analyses):
        builder.sentence(id=id, comments=comments, analysis=analysis, score="-1.5" if analyses > 1 else "")
        above: dict[str, list[int]] = {"parent": [-1, -1, -1]}
        if tree:
            top = builder.node(label="S")
            phrase = builder.node(label="VP", **({"parent": top} if roots == 1 else {}), **node)
            above["parent"] = [phrase, top, phrase] if crossing else [top, phrase, phrase]
        if dependencies:
            above |= {"head": [1, ROOT, 1]}
        for place, (form, pos, name) in enumerate(
            [("Anna", "NE", "nsubj"), ("sleeps", "VVFIN", "root"), ("here", "ADV", "advmod")]
        ):
            columns: dict[str, str | int] = {column: values[place] for column, values in above.items()}
            if dependencies:
                columns["relation"] = name
            builder.token(form=form, pos=pos, **columns, **(token if place == 0 else {}))
        if secondary:
            builder.secondary(label="SB", child=0, parent=-1 - phrase)
        if multiword:
            builder.multiword(first=1, last=2, form="sleepshere")
        if empty:
            builder.empty(anchor=1, index=1, form="gladly")
        if relation:
            builder.relation(
                name="ncsubj", head_index=1, head_word="sleeps", head_tag="VVFIN",
                dependent_index=0, dependent_word="Anna", dependent_tag="NE",
            )  # fmt: skip
    return builder.build()


LAYERS: Mapping[str, tuple[str, Callable[[], Treebank]]] = {
    "tags": ("tokens.pos", lambda: _sentence(tree=True)),
    "further tags": ("tokens.xpos", lambda: _sentence(tree=True, token={"xpos": "PROPN"})),
    "lemmas": ("tokens.lemma", lambda: _sentence(tree=True, token={"lemma": "Anna"})),
    "morphology": ("tokens.morph", lambda: _sentence(tree=True, token={"morph": "Case=Nom"})),
    "constituents": ("nodes", lambda: _sentence(tree=True)),
    "discontinuous constituents": ("nodes", lambda: _sentence(tree=True, crossing=True)),
    "several roots": ("nodes", lambda: _sentence(tree=True, roots=2)),
    "functions of phrases": ("nodes.function", lambda: _sentence(tree=True, node={"function": "PRD"})),
    "functions of words": ("tokens.function", lambda: _sentence(tree=True, token={"function": "SB"})),
    "secondary edges": ("secondary", lambda: _sentence(tree=True, secondary=True)),
    "dependencies": ("tokens.head", lambda: _sentence(dependencies=True)),
    "further heads": ("tokens.deps", lambda: _sentence(dependencies=True, token={"deps": "2:nsubj"})),
    "multiword tokens": ("multiword", lambda: _sentence(dependencies=True, multiword=True)),
    "empty nodes": ("empty", lambda: _sentence(dependencies=True, empty=True)),
    "relations": ("relations", lambda: _sentence(relation=True)),
    "identifiers": ("sentences.id", lambda: _sentence(tree=True, dependencies=True, id="s7", relation=True)),
    "comments": (
        "sentences.comments",
        lambda: _sentence(tree=True, dependencies=True, comments="# page = 3", relation=True),
    ),
}
"""What a treebank may hold, where the comparison finds it, and a sentence that has it."""


@cache
def kept(format: str) -> dict[str, Answer]:
    """Whether a format keeps each thing, loses it, or refuses a sentence that has it.

    Empty for a format that is only read, and for one that cannot hold *Anna sleeps here* as a tree.
    """
    found = FORMATS[format]
    if not found.written or found.relations:
        return {}
    answers = {layer: _kept(format, what, make()) for layer, (what, make) in LAYERS.items()}
    return {} if answers["tags"] == "refused" else answers


def _kept(format: str, what: str, bank: Treebank) -> Answer:
    found = round_trip(bank, format)
    if found.refused:
        return "refused"
    spoiled = {d.what for d in found.differences if d.counts["lost"] or d.counts["changed"]}
    changed = {d.what for d in found.differences if d.counts["changed"]}
    if what.endswith(".function") and changed & {"nodes.label", "tokens.pos"}:
        return "in the label"
    return "no" if spoiled & {what, *WITH.get(what, ())} else "yes"


WITH = {
    "nodes": ("tokens.parent",),
    "nodes.function": ("nodes",),
    "tokens.function": ("nodes",),
    "tokens.head": ("tokens.relation",),
}
"""Where a loss shows as well: functions go with their nodes."""
