"""Faults in the structure of trees that claim to be Universal Dependencies, in any language.

``universal_structure.yaml`` has the rules and their sources. A fault has the name that the validator of
Universal Dependencies gives it:

``head-self-loop``, ``multiple-roots``, ``no-root``, ``missing-head``, ``non-tree``
    heads that make no tree; such a sentence has no further checks of its structure
``unknown-upos``, ``invalid-deprel``, ``unknown-udeprel``
    tags and relations that do not exist
``0-is-not-root``, ``root-is-not-0``
    the relation ``root`` and the root are not the same
``leaf-...``
    a dependent of a function word, where there may be none
``right-to-left-...``
    a head after its dependent in what is headed by its first part
``rel-upos-...``, ``upos-rel-punct``
    a relation and a tag that do not go together; the feature ExtPos takes the place of the tag
``too-many-subjects``, ``too-many-objects``, ``obl-should-be-nmod``
    what a predicate can have once only, and an oblique below a word that is not a predicate
``goeswith-...``
    a word written as several that has a gap, no space, no ``Typo=Yes``, or a lemma, a tag or features after
    its first part
``punct-causes-nonproj``, ``punct-is-nonproj``
    punctuation across another dependency
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from crossbank.metrics.arcs.tree_shape import nonprojective
from crossbank.treebanks import ROOT, UNATTACHED, Treebank
from crossbank.treebanks.cycles import on_cycle
from crossbank.treebanks.yaml_files import load_yaml

RULES = Path(__file__).with_suffix(".yaml")
DEPREL = re.compile(r"[a-z]+(:[a-z]+)?")
NEGATION = ("PART", "ADV")
"""Tags of negations, which may modify any function word."""


@dataclass(frozen=True)
class Fault:
    """A fault of a sentence.

    check     its name
    sentence  the sentence, from 0
    token     the token, from 0; -1 if it is about the whole sentence
    what      what was found, as a short phrase
    """

    check: str
    sentence: int
    token: int
    what: str


def universal_faults(bank: Treebank) -> list[Fault]:
    """Return faults of all sentences, in their order. Sentences without any head have no tree to check."""
    featured = bool(bank.tokens.morph.any())
    return [
        fault
        for sentence in range(len(bank))
        for fault in _CheckedSentence(bank, sentence, featured).faults()
    ]


def counted(faults: list[Fault]) -> dict[str, int]:
    """Return the number of faults of each name, the most frequent first."""
    return dict(Counter(fault.check for fault in faults).most_common())


@cache
def _rules() -> dict[str, Any]:
    content = load_yaml(RULES)
    leaves = {
        relation: (rule["check"], frozenset(rule["dependents"]))
        for rule in content["leaves"]
        for relation in rule["relations"]
    }
    names = ("tags", "relations", "possessive", "head_first", "nominals", "no_predicates", "predicates")
    pairs = ("tags_of", "no_tags_of")
    return {
        "leaves": leaves,
        **{name: frozenset(content[name]) for name in names},
        **{name: {key: frozenset(tags) for key, tags in content[name].items()} for name in pairs},
    }


class _CheckedSentence:
    """Columns of a sentence that the checks look at; relations without their subtypes.

    featured  whether some word of the treebank has features
    """

    def __init__(self, bank: Treebank, sentence: int, featured: bool) -> None:
        rows, tokens = bank.tokens.rows(sentence), bank.tokens
        self.sentence, self.featured = sentence, featured
        self.heads = tokens.head[rows]
        self.head: list[int] = self.heads.tolist()
        self.form, self.tag, self.relation, self.features, self.lemma, self.misc = (
            bank.vocabulary.decode(column[rows])
            for column in (
                tokens.form, tokens.pos, tokens.relation, tokens.morph, tokens.lemma, tokens.misc
            )
        )  # fmt: skip
        self.universal = [relation.partition(":")[0] for relation in self.relation]
        self.offsets = np.array([0, len(self.head)], np.int64)
        self.below: dict[int, list[int]] = {}
        for token, head in enumerate(self.head):
            self.below.setdefault(head, []).append(token)

    def faults(self) -> Iterator[Fault]:
        yield from self.names()
        if all(head == UNATTACHED for head in self.head):
            return
        broken = list(self.tree())
        yield from broken
        if not broken:
            yield from self.roots()
            yield from self.function_words()
            yield from self.order()
            yield from self.tags_of_relations()
            yield from self.predicates()
            yield from self.split_words()
            yield from self.punctuation()

    def fault(self, check: str, token: int, what: str) -> Fault:
        return Fault(check, self.sentence, token, what)

    def names(self) -> Iterator[Fault]:
        """Yield the tags and relations that do not exist."""
        rules = _rules()
        for token, tag in enumerate(self.tag):
            if tag not in rules["tags"]:
                yield self.fault("unknown-upos", token, f"the tag {tag or '_'}")
        for token, relation in enumerate(self.relation):
            if self.head[token] == UNATTACHED:
                continue
            if not DEPREL.fullmatch(relation):
                yield self.fault("invalid-deprel", token, f"the relation {relation or '_'}")
            elif self.universal[token] not in rules["relations"]:
                yield self.fault("unknown-udeprel", token, f"the relation {relation}")

    def tree(self) -> Iterator[Fault]:
        """Yield the first fault that keeps the heads from being a tree."""
        for token, head in enumerate(self.head):
            if head == token:
                yield self.fault("head-self-loop", token, "a word that depends on itself")
                return
            if head == UNATTACHED:
                yield self.fault("missing-head", token, "a word without a head")
                return
        roots = self.head.count(ROOT)
        if roots > 1:
            yield self.fault("multiple-roots", -1, f"{roots} roots")
        elif not roots:
            yield self.fault("no-root", -1, "no root")
        elif cyclic := np.flatnonzero(on_cycle(self.offsets, self.heads)).tolist():
            yield self.fault("non-tree", cyclic[0], "a cycle")

    def roots(self) -> Iterator[Fault]:
        """Yield the roots with another relation, and others with the relation of roots."""
        for token, (head, relation) in enumerate(zip(self.head, self.universal, strict=True)):
            if head == ROOT and relation != "root":
                yield self.fault("0-is-not-root", token, f"a root with the relation {relation}")
            if head != ROOT and relation == "root":
                yield self.fault("root-is-not-0", token, "the relation root below another word")

    def function_words(self) -> Iterator[Fault]:
        """Yield the dependents of words that should have none."""
        rules = _rules()
        crossing = nonprojective(self.offsets, self.heads)
        for token, head in enumerate(self.head):
            if head == ROOT or self.universal[head] not in rules["leaves"]:
                continue
            check, allowed = rules["leaves"][self.universal[head]]
            below = self.universal[token]
            negates = below == "advmod" and self.tag[token] in NEGATION and self._has("Polarity=Neg", token)
            possesses = check == "leaf-det" and self._has("Poss=Yes", head) and below in rules["possessive"]
            excused = (
                possesses or (negates and check != "leaf-punct") or (below == "punct" and crossing[head])
            )
            if below not in allowed and not excused:
                yield self.fault(check, token, f"{self._text(head)} with {self._text(token)}")

    def order(self) -> Iterator[Fault]:
        """Yield heads after their dependents where the first part is the head."""
        for token, (head, relation) in enumerate(zip(self.head, self.universal, strict=True)):
            if head > token and relation in _rules()["head_first"]:
                what = f"{self._text(token)} before its head {self.form[head]}"
                yield self.fault(f"right-to-left-{relation}", token, what)

    def tags_of_relations(self) -> Iterator[Fault]:
        """Yield the relations and tags that do not go together."""
        rules = _rules()
        for token, relation in enumerate(self.universal):
            pairs = [pair for pair in self.features[token].split("|") if pair.startswith("ExtPos=")]
            tag = pairs[0].partition("=")[2] if pairs else self.tag[token]
            below = self._dependents(token)
            what = f"{self._text(token)} with the tag {tag}"
            wrong = tag not in rules["tags_of"].get(relation, rules["tags"] | {tag})
            if relation == "advmod" and any(self.universal[other] == "goeswith" for other in below):
                wrong = False
            if wrong or tag in rules["no_tags_of"].get(relation, ()):
                yield self.fault(f"rel-upos-{relation}", token, what)
            if tag == "PUNCT" and relation not in ("punct", "root"):
                yield self.fault("upos-rel-punct", token, what)
            fixed = relation == "fixed" or any(self.universal[other] == "fixed" for other in below)
            if tag == "PROPN" and fixed:
                yield self.fault("rel-upos-fixed", token, what)

    def predicates(self) -> Iterator[Fault]:
        """Yield several subjects or objects, and obliques below a word that is not a predicate."""
        rules = _rules()
        for token in range(len(self.head)):
            below = [self.universal[other] for other in self._dependents(token)]
            subjects = [
                other
                for other in self._dependents(token)
                if "subj" in self.universal[other]
                and not self.relation[other].endswith(":outer")
                and "Subject=Outer" not in self.misc[other].split("|")
            ]
            for number, role in ((len(subjects), "subjects"), (below.count("obj"), "objects")):
                if number > 1:
                    yield self.fault(f"too-many-{role}", token, f"{self.form[token]} with {number} {role}")
            head = self.head[token]
            if self.universal[token] != "obl" or head == ROOT:
                continue
            nominal = self.tag[head] in rules["nominals"] and self.universal[head] in rules["no_predicates"]
            beside = {self.universal[other] for other in self._dependents(head)}
            if nominal and beside.isdisjoint(rules["predicates"]):
                yield self.fault("obl-should-be-nmod", token, f"{self._text(token)} below {self._text(head)}")

    def split_words(self) -> Iterator[Fault]:
        """Yield the words that are written as several (``goeswith``)."""
        for token, relation in enumerate(self.universal):
            parts = [token, *(o for o in self._dependents(token) if self.universal[o] == "goeswith")]
            if len(parts) > 1:
                what = " ".join(self.form[part] for part in parts)
                if sorted(parts) != list(range(token, max(parts) + 1)):
                    yield self.fault("goeswith-gap", token, what)
                if any("SpaceAfter=No" in self.misc[part].split("|") for part in sorted(parts)[:-1]):
                    yield self.fault("goeswith-nospace", token, what)
                if self.featured and not self._has("Typo=Yes", token):
                    yield self.fault("goeswith-missing-typo", token, what)
            if relation == "goeswith":
                if self.lemma[token] not in ("", "_"):
                    yield self.fault("goeswith-lemma", token, f"the lemma {self.lemma[token]}")
                if self.tag[token] != "X":
                    yield self.fault("goeswith-upos", token, f"the tag {self.tag[token]}")
                if self.features[token]:
                    yield self.fault("goeswith-feats", token, f"the features {self.features[token]}")

    def punctuation(self) -> Iterator[Fault]:
        """Yield the punctuation that crosses another dependency, or that another one crosses."""
        crossing = nonprojective(self.offsets, self.heads)
        if not crossing.any():
            return
        for token, (head, relation) in enumerate(zip(self.head, self.universal, strict=True)):
            if relation != "punct" or head == ROOT:
                continue
            if self._crossed(token, head):
                yield self.fault("punct-causes-nonproj", token, f"{self.form[token]} between others")
            if crossing[token]:
                yield self.fault("punct-is-nonproj", token, f"{self.form[token]} across others")

    def _crossed(self, mark: int, head: int) -> bool:
        """Return whether a word depends on another across a mark, and that one does not govern the mark."""
        above, governors = head, {head}
        while (above := self.head[above]) >= 0:
            governors.add(above)
        low, high = (head, len(self.head)) if head < mark else (-1, head)
        for word, other in enumerate(self.head):
            if other == ROOT or other in governors or not low < word < high or word == mark:
                continue
            if (word < mark) != (other < mark) and other != mark and low < other < high:
                return True
        return False

    def _text(self, token: int) -> str:
        return f"{self.form[token]} ({self.relation[token]})"

    def _dependents(self, token: int) -> list[int]:
        return self.below.get(token, [])

    def _has(self, feature: str, token: int) -> bool:
        return feature in self.features[token].split("|")
