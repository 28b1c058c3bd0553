"""Views in which metrics see treebanks, each described once.

The schemas of schemes and studies, the checks of gold and candidates, a study's plan and the test of
the manual follow this table: a new view is one more entry.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from crossbank.treebanks import Treebank
from crossbank.treebanks.errors import MissingAnnotationError
from crossbank.treebanks.named_arguments import argument, transformed

Content: TypeAlias = Literal["constituents", "heads", "dependencies", "relations", "tags"]
"""The kinds of analysis that a treebank may hold."""


def missing_annotation(where: str, content: Content) -> MissingAnnotationError:
    """Return the error of a treebank without a required analysis, with a hint how to make it of trees."""
    scheme = argument("scheme")
    if content == "dependencies":
        hint = f"(name a scheme that converts trees to them with {scheme}, or {transformed('dependencies')})"
        return MissingAnnotationError(where, content, hint)
    if content == "relations":
        hint = f"(name a scheme that has rules to read them off trees with {scheme})"
        return MissingAnnotationError(where, "grammatical relations", hint)
    return MissingAnnotationError(where, "trees")


@dataclass(frozen=True)
class View:
    """One form in which metrics see treebanks; a scheme lists the transformations that lead to it.

    name         as schemes, studies and metrics write it
    shows        what a treebank holds in this view, and which metrics score it
    gold_has     the analyses that gold must have: comparing nothing with nothing would score 1
    expected     the same, as error messages say it
    both_have    the analyses that gold and candidate must have after the transformations
    must_yield   whether an empty result of the transformations is an error; else a candidate may have nothing
    instead      the view whose transformations are used if a scheme lists none for this view
    candidates   the view of candidates that are compared with gold in this view; empty: the same view
    """

    name: str
    shows: str
    gold_has: Content
    expected: str
    both_have: Content | None = None
    must_yield: bool = True
    instead: str = ""
    candidates: str = ""

    @property
    def of_candidates(self) -> str:
        """The name of the view in which candidates are compared with gold in this one."""
        return self.candidates or self.name

    @property
    def of_trees(self) -> bool:
        """Return whether the view is made from trees by transformations."""
        return self.gold_has in ("constituents", "heads", "dependencies")

    def refuse_without_trees(self, bank: Treebank) -> None:
        """Raise ConversionError if a view made from trees is requested of text, or of another analysis.

        Otherwise transformations would invent a parse: a virtual root above all words, and arcs to it.
        """
        has_other_content = bank.has_dependencies or bank.has_relations or not bank.has_tags
        if self.of_trees and has_other_content:
            metric = argument("metric", "dependencies")
            instead = f"(use {metric}, which compares heads)" if bank.has_dependencies else ""
            needed = "dependencies, nor trees to convert" if self.gold_has == "dependencies" else "trees"
            raise MissingAnnotationError(bank.where(0), needed, instead)


CLAUSES = "clauses that have their verb as head, or a scheme that makes them"
WORDS = "words with heads, or a scheme that makes them of constituents"

VIEWS: Mapping[str, View] = {
    view.name: view
    for view in (
        View(
            "constituents",
            "the trees which Parseval and leaf-ancestor score",
            "constituents",
            "phrasal nodes",
            "constituents",
        ),
        View(
            "heads",
            "the trees with lexical heads which local_dependencies and lexicalised_brackets score",
            "heads",
            "phrasal nodes with lexical heads, or a scheme with head rules",
            "constituents",
            instead="constituents",
        ),
        View(
            "parseval1991",
            "the trees which Parseval as first defined scores",
            "constituents",
            "phrasal nodes",
        ),
        View(
            "flat_keys",
            "the flat keys of gold with which conformance compares the constituents of candidates",
            "constituents",
            "phrasal nodes",
            "constituents",
            instead="constituents",
            candidates="constituents",
        ),
        View(
            "chunks",
            "the noun chunks which chunks scores",
            "constituents",
            "noun chunks, or a scheme that makes them of noun phrases",
        ),
        *(
            View(frames, f"the clauses with frames as labels which {frames} scores", "heads", CLAUSES)
            for frames in ("frames", "generalised_frames")
        ),
        View("dependencies", "the dependencies", "dependencies", WORDS, "dependencies"),
        View(
            "dependency_graphs",
            "the dependencies which dependency_graphs scores, where a word may have several heads",
            "dependencies",
            WORDS,
            "dependencies",
            instead="dependencies",
        ),
        View(
            "relations",
            "the grammatical relations",
            "relations",
            "grammatical relations, or a scheme with rules that read them off trees",
            "relations",
            must_yield=False,
        ),
        View(
            "fstructures",
            "the feature specifications which fstructure scores",
            "relations",
            "f-structures (formats xle, triples)",
            "relations",
            must_yield=False,
        ),
        View(
            "tags",
            "the tagged tokens which metrics of tags score",
            "tags",
            "words with tags or lexical categories",
            instead="constituents",  # without empty elements
        ),
    )
}
"""Every view by its name, in the order in which reports show them."""

OF_DEPENDENCIES = frozenset({"dependencies", "dependency_graphs"})
"""The views that hold dependencies: one head a word, or several."""

NAMED_LISTS: Mapping[str, tuple[str, ...]] = {"universal": ("universal_dependencies",)}
"""Lists of transformations that a study can name instead of writing them."""
