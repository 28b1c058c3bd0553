"""Label clauses with their subcategorisation frames, which are read off the functions of arguments.

Beil, Franz, et al. (2002): Evaluation of the Gramotron Parser for German. Beyond PARSEVAL, sections 3.2 and
6.2: frames are labels of clauses. ``VPA.na`` is an active clause with nominative and accusative, ``VPP.np-s``
its passive with the agent; ``IP.na`` generalises over both.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from crossbank.converters.declaration import transformation
from crossbank.converters.deletions import without_nodes
from crossbank.converters.heads.child_types import ChildTypes, child_types
from crossbank.converters.heads.marking import mark_heads
from crossbank.converters.schemes.constructions import FrameRules, form_matcher, label_matcher
from crossbank.converters.schemes.scheme import Scheme
from crossbank.treebanks import NO_PARENT, UNATTACHED, Treebank
from crossbank.treebanks.arrays import BoolArray, Int32Array, Int64Array
from crossbank.treebanks.errors import RequirementError

NAME = "label_frames"

NO_ARGUMENTS = "-"
"""The frame of a verb without arguments."""

CLASSES = ("infinitive", "passive", "copula", "active")
"""The classes of clauses: the first that fits counts."""

INFINITIVE, REFLEXIVE, AGENT = "i", "r", "p-s"
"""The letters that depend on more than a function; they come after the others in this order."""


@transformation(position=230)
def label_frames(bank: Treebank, scheme: Scheme | None = None, *, generalised: bool = False) -> Treebank:
    """Keep only the clauses, each with its frame as its label and its verb as its head.

    generalised  passive clauses get the frame of the active ones, and both the same class

    The scheme gives a letter to the function of each argument. A frame consists of the letters of the
    clause's arguments, in the scheme's order; it is ``-`` without arguments. After them stand ``i``, for
    an infinitive, ``r``, for a reflexive pronoun, and ``p-s``, for the agent of a passive. Arguments may
    hang below certain nodes, such as fields. Before the frame stands the class of the clause, in a scheme
    that has classes. In a scheme without letters clauses keep their labels, which then are frames.

    The verb is the last one of the clause that has the first of the scheme's tags of verbs which occurs in
    the clause: a full verb, if there is one. Clauses without a verb are deleted and counted, and frames
    that the scheme does not list are counted.
    """
    if scheme is None or scheme.frames is None:
        raise RequirementError(NAME, "a scheme with frames")
    if len(bank.nodes) == 0:
        return bank
    rules = scheme.frames
    clauses = _Clauses.of(bank, scheme, rules)
    nodes = bank.nodes
    verb = clauses.verbs()
    label, vocabulary, unlisted = nodes.label, bank.vocabulary, np.zeros(len(nodes), np.bool_)
    if rules.arguments:
        names, listed, which = clauses.frames(generalised=generalised)
        vocabulary, codes = vocabulary.extended(names)
        label, unlisted = codes[which], ~listed[which] & clauses.clause
    lacking = clauses.clause & (verb == UNATTACHED)
    sentence = nodes.sentence_of_row()
    events = {
        "clauses without a verb dropped": sentence[lacking],
        "frames that the scheme does not list": sentence[unlisted & ~lacking],
    }
    bank = bank.replace(vocabulary=vocabulary, nodes=nodes.replace(label=label, head=verb))
    bank = bank.with_events(NAME, events)
    return without_nodes(bank, ~clauses.clause | lacking, NAME, "nodes that are no clauses dropped")


@dataclass(frozen=True, eq=False)
class _Clauses:
    """Clauses of a treebank, and what belongs to each; items are all tokens and, after them, all nodes.

    type, above         the type of each item, and the row of the node above it or -1
    infinitive, clause  masks of the nodes that are infinitives, and clauses of any kind
    bare                a mask of the tokens that are infinitives by themselves: arguments, not verbs
    lowest, governor    the row of the clause that each node is in, or -1: the lowest, and the one whose
                        argument a child of the node may be
    """

    bank: Treebank
    rules: FrameRules
    types: ChildTypes
    type: Int32Array
    above: Int64Array
    infinitive: BoolArray
    clause: BoolArray
    bare: BoolArray
    lowest: Int32Array
    governor: Int32Array
    heads: Int32Array

    @classmethod
    def of(cls, bank: Treebank, scheme: Scheme, rules: FrameRules) -> _Clauses:
        types = child_types(bank, scheme)
        marked = bank if bank.has_heads or not rules.predicates else mark_heads(bank, scheme)
        bare, infinitive = _infinitives(bank, rules, types)
        clause = types.with_category(label_matcher(rules.clauses))[types.node] | infinitive
        through = types.with_category(label_matcher(rules.through))[types.node] & ~infinitive
        lowest = _nearest(bank, clause, np.ones(len(bank.nodes), np.bool_))
        governor = _nearest(bank, clause, through)
        type = np.concatenate((types.token, types.node))
        above = np.concatenate([bank.nodes.parent_rows(table) for table in (bank.tokens, bank.nodes)])
        heads = marked.nodes.head
        clauses = cls(bank, rules, types, type, above, infinitive, clause, bare, lowest, governor, heads)
        if not rules.finite:
            return clauses
        # Clauses that have a marked infinitive and no finite verb are infinitives, too.
        finite, unfinite = (
            clauses._with(clauses._tagged(*tags), lowest) for tags in (rules.finite, rules.infinitive)
        )
        return replace(clauses, infinitive=infinitive | unfinite & ~finite)

    def verbs(self) -> Int32Array:
        """Return the position of each clause's verb in its sentence, or ``UNATTACHED``."""
        tokens, patterns = self.bank.tokens, self.rules.verbs
        position = tokens.indices()
        size = int(position.max(initial=0)) + 1
        best = np.full(len(self.bank.nodes), UNATTACHED, np.int64)
        for rank, pattern in enumerate(reversed(patterns)):
            word = np.flatnonzero(self._tagged(pattern) & (tokens.parent != NO_PARENT) & ~self.bare)
            over = self.lowest[self.above[word]]
            np.maximum.at(best, over[over >= 0], rank * size + position[word][over >= 0])
        return np.where(best < 0, UNATTACHED, best % size).astype(np.int32)

    def frames(self, *, generalised: bool) -> tuple[list[str], BoolArray, Int32Array]:
        """Return the frames that occur, whether each is listed, and which of them each clause has."""
        agents = self._agents()
        passive = self._passive(agents)
        arguments = self._arguments(agents, passive)
        copula = self._with(self._serving(self.rules.predicates), self.governor)
        keys = np.select([self.infinitive, passive, copula], [0, 1, 2], len(CLASSES) - 1)
        for items in arguments.values():
            keys = keys << 1 | self._with(items, self.governor)
        used, which = np.unique(keys, return_inverse=True)
        names, listed = [], []
        for key in used.tolist():
            bits = [key >> bit & 1 for bit in range(len(arguments) - 1, -1, -1)]
            letters = [letter for letter, bit in zip(arguments, bits, strict=True) if bit]
            name = CLASSES[key >> len(arguments)]
            names.append(self.rules.frame(name, letters, generalised=generalised))
            listed.append(self.rules.lists(name, letters))
        return names, np.array(listed, np.bool_), which.astype(np.int32)

    def _agents(self) -> BoolArray:
        """Return a mask of the items that may be agents of passives."""
        agents = self._serving(self.rules.agents)
        if self.rules.prepositions:
            begins = self._with_form(self.rules.prepositions)
            first = self.bank.tokens.begins(self.bank.nodes) + self.bank.spans.start
            agents &= np.append(np.zeros_like(begins), begins[first])
        return agents

    def _passive(self, agents: BoolArray) -> BoolArray:
        """Return a mask of the passive clauses, those of condition included: *die Tür ist geöffnet*."""
        passive, nodes = self.rules.passive, self.bank.nodes
        if passive is None:
            return np.zeros(len(nodes), np.bool_)

        def has(items: BoolArray) -> BoolArray:
            return self._with(items, self.governor)

        participle = self._tagged(*passive.participles)
        auxiliary = self._tagged(*passive.auxiliaries)
        is_passive = has(auxiliary & self._with_form(passive.forms)) & has(participle)
        perfect = has(auxiliary & self._with_form(passive.perfect))
        is_passive &= ~perfect | has(auxiliary & self._with_form(passive.always))
        begins, known = self.bank.tokens.begins(nodes), self.heads >= 0
        headed = known & participle[np.where(known, begins + self.heads, 0)]
        is_passive |= has(self._serving(self.rules.predicates) & np.append(participle, headed))
        if not self.rules.prepositions:
            is_passive |= has(agents)
        return is_passive

    def _arguments(self, agents: BoolArray, passive: BoolArray) -> dict[str, BoolArray]:
        """Return for each letter, in the order of a frame, a mask of the items that have it."""
        rules, bank = self.rules, self.bank
        pronoun = self._tagged(*rules.reflexive)
        # A node over nothing but a reflexive pronoun is one too.
        first = bank.tokens.begins(bank.nodes) + bank.spans.start
        pronoun = np.append(pronoun, (bank.spans.size == 1) & pronoun[first])
        infinitive = self._serving(rules.infinitives) & np.append(self.bare, self.infinitive)
        clause = np.where(self.above >= 0, self.governor[self.above], -1)
        agent = agents & (clause >= 0) & passive[clause]
        arguments: dict[str, BoolArray] = {}
        reflexive = np.zeros_like(agent)
        for name, letter in rules.arguments.items():
            category, _, function = name.rpartition("/")
            serving = self._serving((function,)) & ~(infinitive | agent)
            if category:
                serving &= self.types.with_category(label_matcher((category,)))[self.type]
            reflexive |= serving & pronoun
            serving &= ~pronoun
            arguments[letter] = arguments[letter] | serving if letter in arguments else serving
        return {**arguments, INFINITIVE: infinitive, REFLEXIVE: reflexive, AGENT: agent}

    def _serving(self, functions: tuple[str, ...]) -> BoolArray:
        """Return a mask of the items that have one of some functions, or one as a part of theirs."""
        serving = self.types.with_function(lambda name: any(f in functions for f in name.split("-")))
        return serving.take(self.type)

    def _tagged(self, *tags: str) -> BoolArray:
        return self.types.with_category(label_matcher(tags))[self.types.token]

    def _with_form(self, forms: tuple[str, ...]) -> BoolArray:
        chosen: BoolArray = self.bank.vocabulary.matching(form_matcher(forms))[self.bank.tokens.form]
        return chosen

    def _with(self, chosen: BoolArray, clause: Int32Array) -> BoolArray:
        """Return a mask of the clauses that have some items.

        clause  the clause of each node, the items' parents

        clause  the clause of each of the items' and tokens' parents
        """
        above = self.above[: len(chosen)][chosen]
        over = clause[above[above >= 0]]
        mask = np.zeros(len(self.bank.nodes), np.bool_)
        mask[over[over >= 0]] = True
        return mask


def _infinitives(bank: Treebank, rules: FrameRules, types: ChildTypes) -> tuple[BoolArray, BoolArray]:
    """Return masks of the tokens that are infinitives by themselves, and of the nodes that are infinitives.

    A node is one if it is the highest that has a marked verb as its head, where the scheme says what heads
    are; an unmarked infinitive counts where a full verb governs it. A token with the function of an argument
    is one by itself.
    """
    tokens, nodes = bank.tokens, bank.nodes
    attached = tokens.parent != NO_PARENT
    above, over = nodes.parent_rows(nodes), nodes.parent_rows(tokens)
    is_clause = types.with_category(label_matcher(rules.clauses))[types.node]
    marked = types.with_category(label_matcher(rules.infinitive))[types.token] & attached
    climbing = types.serving_as(rules.heads)
    climbs = climbing[types.node] & (above >= 0)
    # Nodes whose head is a full verb, and what hangs beside it as an infinitive object.
    governing = types.with_category(label_matcher(rules.governors))[types.token] & climbing[types.token]
    governs = np.zeros(len(nodes), np.bool_)
    governs[over[governing & attached]] = True
    plain = types.with_category(label_matcher(rules.plain))[types.token] & attached
    infinitive = np.zeros(len(nodes), np.bool_)
    for row in np.unique(over[marked]).tolist() if rules.heads else ():
        while climbs[row]:
            row = int(above[row])
        infinitive[row] = True
    for row in np.unique(over[plain & climbing[types.token]]).tolist():
        while climbs[row]:
            row = int(above[row])
        infinitive[row] |= above[row] >= 0 and governs[above[row]]
    objects = types.serving_as(rules.infinitives)[types.token] & attached
    bare = objects & (marked | plain & governs[over])
    return bare, infinitive & ~is_clause


def _nearest(bank: Treebank, target: BoolArray, passed: BoolArray) -> Int32Array:
    """Return the row of the lowest wanted node at or above each node, or -1.

    All nodes below the wanted one, the node itself included, must be among those that can be passed. With
    each round of the loop ``nearest`` goes twice as far up.
    """
    end, above = len(bank.nodes), bank.nodes.parent_rows(bank.nodes)
    upwards = np.where(passed & (above >= 0), above, end)
    nearest = np.append(np.where(target, np.arange(end), upwards), end)
    while not np.array_equal(nearest, further := nearest[nearest]):
        nearest = further
    return np.where(nearest < end, nearest, -1)[:-1].astype(np.int32)
