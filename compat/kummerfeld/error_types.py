"""Types of errors, by the edits that repair them.

Source: Kummerfeld, Hall, Curran and Klein (2012), section 4; ``classify_english.py`` of
berkeley-parser-analyser, whose conditions and their order are kept, and with them that a label which contains
another one, such as WHNP, has its types.
"""

from __future__ import annotations

from collections.abc import Sequence

from crossbank.compat.kummerfeld.repair_search import Repair

PHRASES = frozenset(
    {
        "S", "SBAR", "SBARQ", "SINV", "SQ", "ADJP", "ADVP", "CONJP", "FRAG", "INTJ", "LST", "NAC", "NP",
        "NX", "PP", "PRN", "PRT", "QP", "RRC", "UCP", "VP", "WHADJP", "WHAVP", "WHNP", "WHPP", "X",
    }
)  # fmt: skip
"""Labels of phrases; the program writes WHADVP as WHAVP."""

CONJUNCTION = "CC"

COORDINATION = "Co-ordination"
CLAUSES = "Clause Attachment"
MODIFIERS = "Modifier Attachment"
NOUN_PHRASES = "NP Internal Structure"
PREPOSITIONS = "PP Attachment"

MOVED = (
    (("PP",), PREPOSITIONS),
    (("NP",), "NP Attachment"),
    (("VP",), "VP Attachment"),
    (("S", "SINV", "SBAR"), CLAUSES),
    (("RB", "ADVP", "ADJP"), MODIFIERS),
)
"""Labels among moved nodes, and the type of the move: the first that applies."""

UNTYPED = "UNSET"
"""The type of an edit to which no condition applies; the edit's name follows."""


def error_type(repair: Repair) -> str:
    """Return the type of an edit."""
    return (
        _type_of_move(repair)
        or _type_of_single_node(repair)
        or _type_of_label(repair)
        or f"{UNTYPED} {repair.name}"
    )


def _type_of_move(repair: Repair) -> str:
    if repair.name != "move":
        return ""
    if CONJUNCTION in (*repair.beside, repair.movers[0], repair.movers[-1]):
        return COORDINATION
    for labels, name in MOVED:
        if any(label in repair.movers for label in labels):
            return name
    if _is_nominal(repair.old_parent) and _is_nominal(repair.new_parent):
        return NOUN_PHRASES
    return ""


def _is_nominal(label: str) -> bool:
    return "NP" in label or "QP" in label


def _type_of_single_node(repair: Repair) -> str:
    """Return the type of a node above one other node, or with another label."""
    if repair.is_over_word:
        return "Single Word Phrase"
    if repair.name == "relabel":
        return "Different label"
    if repair.name == "add" and len(repair.subtrees) == 1:
        return "XoverX Unary" if repair.subtrees[0] == repair.label else "Unary"
    if repair.name == "remove" and repair.is_only_child:
        return "XoverX Unary" if repair.parent == repair.label else "Unary"
    if repair.name == "remove" and len(repair.subtrees) == 1:
        return "Unary"
    return ""


def _type_of_label(repair: Repair) -> str:
    """Return the type of a node that is added or removed, by its label, its siblings and its children."""
    if repair.name == "move":
        return ""
    label, subtrees = repair.label, repair.subtrees
    if "UCP" in label or repair.right_siblings[:1] == [CONJUNCTION]:
        return COORDINATION
    if "PP" in subtrees[1:]:
        return PREPOSITIONS
    if any(clause in subtrees[1:] for clause in ("S", "SBAR", "SINV")):
        return CLAUSES
    if "NP" in repair.parent and PHRASES.isdisjoint(subtrees):
        return NOUN_PHRASES
    if "ADVP" in label or "ADJP" in label or "ADVP" in subtrees[1:] or "ADJP" in subtrees[1:]:
        return MODIFIERS
    return _type_of_equal_labels(label, subtrees)


def _type_of_equal_labels(label: str, subtrees: Sequence[str]) -> str:
    if any(subtree != label for subtree in subtrees):
        return ""
    return NOUN_PHRASES if label == "NP" else COORDINATION
