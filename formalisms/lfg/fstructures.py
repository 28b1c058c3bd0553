"""F-structures as relations: one row of the relations table for each feature specification.

An f-structure is a graph: nodes with attributes whose values are nodes, sets of nodes, atoms or semantic
forms. ``(f0 SUBJ) = f9`` is the relation ``subj`` between two nodes, ``(f9 NUM) = sg`` one between a node and
an atom. Attributes are written as in PARC's triples: ``TNS-ASP`` is ``tns_asp``.

name                      the attribute; ``in_set`` from a set to each member; ``pred`` for semantic forms
head_word, head_tag       the predicate of the node (empty if it has none) and the node's name, which only
                          tells nodes of one f-structure apart: ``see`` and ``1`` for ``see~1``
dependent_word, dependent_tag
                          the same for a node; an atom or the predicate of a semantic form, and no tag
head_index, dependent_index
                          the token that a node's predicate comes from, where known
type                      of a semantic form its identifier and arguments: see ``Arguments``

Crouch, Kaplan, King and Riezler (2002): A Comparison of Evaluation Metrics for a Broad-Coverage Stochastic
Parser, Figure 2; King, Crouch, Riezler, Dalrymple and Kaplan (2003): The PARC 700 Dependency Bank.
"""

from __future__ import annotations

from typing import NamedTuple

PRED = "pred"
IN_SET = "in_set"

QUALITY = "parse_quality"
"""The attribute, in a sentence's comments, that says whether its parse is full."""

TEXT = "text"
"""The attribute that has the sentence's text."""


class Arguments(NamedTuple):
    """Parts of a semantic form besides its predicate, such as ``'pay<(f5) (f3)>'``.

    identifier   a sign that tells occurrences of the same word apart; lexical entries of one word share it
    thematic, other
                 names of nodes: the arguments inside and outside of the angle brackets; ``NULL`` for an
                 argument that no node fills

    >>> str(Arguments("15", ("5", "3"), ()))
    '15;5,3;'
    >>> Arguments.read("15;5,3;")
    Arguments(identifier='15', thematic=('5', '3'), other=())
    """

    identifier: str = ""
    thematic: tuple[str, ...] = ()
    other: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.identifier};{','.join(self.thematic)};{','.join(self.other)}"

    @staticmethod
    def fit(written: str) -> bool:
        """Return whether a column ``type`` has arguments or is empty.

        The column ``type`` of other relations has words.
        """
        return not written or written.count(";") == 2

    @classmethod
    def read(cls, written: str) -> Arguments:
        """Parse the arguments in the column ``type``."""
        identifier, thematic, other = written.split(";")
        return cls(identifier, *(tuple(names.split(",")) if names else () for names in (thematic, other)))


def attribute(name: str) -> str:
    """Return an attribute's name as triples write it."""
    return name.lower().replace("-", "_")


def read_attribute(comments: str, attribute: str) -> str:
    """Return an attribute's value from a sentence's comments (``parse_quality = full``), or ""."""
    for line in comments.split("\n"):
        key, equals, value = line.partition("=")
        if equals and key.strip() == attribute:
            return value.strip()
    return ""
