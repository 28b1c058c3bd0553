r"""Grammatical relations of CCG derivations: slots of categories generalised by rules that are data.

Clark and Hockenmaier (2002): Evaluating a Wide-Coverage CCG Parser, section 5.3: "there are many more
relations in our scheme: around 700 in total compared with 20 for Carroll et al. [...] In future work we will
investigate mapping our relations onto Carroll et al.'s". The rules (``category_relations/``) say which slot
of which category fills which slot of a relation. Coordinations, and constituents that a rule with one child
makes a modifier, have no lexical category of their own: they are read off the derivation.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

from crossbank.converters.declaration import transformation
from crossbank.converters.schemes.scheme import Scheme
from crossbank.formalisms.ccg.ccg_categories import Category, CategoryError, parse_category
from crossbank.formalisms.ccg.conversions.argument_slots import ccg_dependencies, head_sharing_files
from crossbank.formalisms.ccg.conversions.category_patterns import CategoryPattern
from crossbank.formalisms.ccg.conversions.derivations import NO_CHILD, Derivations, derivations
from crossbank.formalisms.ccg.conversions.head_sharing import load_head_sharing
from crossbank.treebanks import Treebank
from crossbank.treebanks.relations.hierarchy import hierarchy_file
from crossbank.treebanks.relations.relation import Relation, Word, with_relations
from crossbank.treebanks.typed_yaml import Text, Texts, key
from crossbank.treebanks.yaml_files import load_yaml, named_file, read_once
from crossbank.treebanks.yaml_nodes import YamlError, at

FOLDER = Path(__file__).parent / "category_relations"

WORD = "word"
"""The word whose category a rule describes."""


@dataclass(frozen=True)
class AuxiliaryEntry:
    """A category of auxiliaries: ``V`` is the verb; words that have it, if not all; the relation, if any."""

    category: Text
    words: tuple[str, ...] = ()
    relation: Text | None = None


@dataclass(frozen=True)
class SlotRule:
    """A relation that a word with a category makes: which variables fill its slots."""

    relation: Text
    category: Text
    head: Text
    dependent: Text
    type: Text | None = None
    initial_gr: Text | None = None
    words: tuple[str, ...] = ()
    fillers: Mapping[str, Text] = key({})


@dataclass(frozen=True)
class UnaryRule:
    """A relation of a constituent that a rule with one child makes a modifier."""

    relation: Text
    child: str = key(..., name="from")
    node: str = key(..., name="to")
    dependent: Text = key(...)
    type: Text | None = None
    fillers: Mapping[str, Text] = key({})


@dataclass(frozen=True)
class CcgRelationRules:
    """The grammatical relations of categories.

    inventory          the hierarchy of relations
    auxiliaries        categories of words that are represented by their verb, V
    relative_pronouns  categories of words that stand for the noun H in their clause, whose verb is V
    without_relation   categories whose slots with a variable make no relation
    rules              relations by category: a slot makes the relation of the first rule that fits
    unary              relations of constituents whose category a rule with one child changes
    """

    name: Text
    inventory: Text
    sources: Texts
    auxiliaries: tuple[AuxiliaryEntry, ...]
    relative_pronouns: tuple[Text, ...]
    without_relation: tuple[Text, ...]
    rules: tuple[SlotRule, ...]
    unary: tuple[UnaryRule, ...]


def _rule_file(name: str) -> Path:
    return named_file(FOLDER, name, "rules of relations")


class CategoryRule(NamedTuple):
    """A rule that fits a category: the slots of its variables, and the patterns of their fillers."""

    relation: str
    slots: Mapping[str, int]
    fillers: Mapping[str, CategoryPattern]
    head: str
    dependent: str
    type: str
    initial_gr: str


class RelationRuleSet:
    """The rules of a file, by category."""

    def __init__(self, path: Path, content: Mapping[str, Any]) -> None:
        self._path = path
        self._auxiliaries = [
            (self._pattern(entry["category"], "auxiliaries", index), entry)
            for index, entry in enumerate(content["auxiliaries"])
        ]
        self._pronouns, self._without = (
            [self._pattern(text, section, index) for index, text in enumerate(content[section])]
            for section in ("relative_pronouns", "without_relation")
        )
        self._rules = [
            (
                self._pattern(rule["category"], "rules", index),
                self._filler_patterns(rule, "rules", index),
                rule,
            )
            for index, rule in enumerate(content["rules"])
        ]
        self._unary = [
            (
                self._pattern(rule["from"], "unary", index),
                self._pattern(rule["to"], "unary", index),
                self._filler_patterns(rule, "unary", index),
                rule,
            )
            for index, rule in enumerate(content["unary"])
        ]
        for index, (pattern, fillers, rule) in enumerate(self._rules):
            bound = {WORD, *pattern.variables, *(name for one in fillers.values() for name in one.variables)}
            for slot in ("head", "dependent", "type"):
                if rule.get(slot, WORD) not in bound:
                    message = f"found {rule[slot]!r}, expected a variable of the category, or {WORD}"
                    raise YamlError(at(path, ("rules", index, slot), message))
        self.matching = cache(self._matching)
        self.unary_rule = cache(self._unary_rule)

    def _pattern(self, text: str, *keys: str | int) -> CategoryPattern:
        try:
            return CategoryPattern.parse(text)
        except CategoryError as error:
            raise YamlError(at(self._path, keys, str(error))) from error

    def _filler_patterns(self, rule: Mapping[str, Any], *keys: str | int) -> dict[str, CategoryPattern]:
        fillers = rule.get("fillers", {}).items()
        return {name: self._pattern(text, *keys, "fillers", name) for name, text in fillers}

    def auxiliary(self, category: Category, word: str) -> tuple[int, str] | None:
        """Return the slot of the verb of an auxiliary and the relation to it; None for another word."""
        for pattern, entry in self._auxiliaries:
            slots = pattern.match(category)
            if slots is not None and _is_among(word, entry.get("words", ())):
                return slots["V"], entry.get("relation") or ""
        return None

    def relative_pronoun(self, category: Category) -> tuple[int, int] | None:
        """Return the slots of the noun and of the verb of a relative pronoun; None for another word."""
        for pattern in self._pronouns:
            slots = pattern.match(category)
            if slots is not None:
                return slots["H"], slots["V"]
        return None

    def _matching(self, category: Category, word: str) -> tuple[CategoryRule, ...]:
        """Return the rules of a word's category, each with slots that no earlier rule has in their role."""
        rules: list[CategoryRule] = []
        taken: set[tuple[str, int]] = set()
        for pattern, fillers, rule in self._rules:
            slots = pattern.match(category)
            if slots is None or not _is_among(word, rule.get("words", ())):
                continue
            own = {("head" if name == rule["head"] else "dependent", slot) for name, slot in slots.items()}
            if taken & own:
                continue
            taken |= own
            roles = (rule["head"], rule["dependent"], rule.get("type") or "", rule.get("initial_gr") or "")
            rules.append(CategoryRule(rule["relation"], slots, fillers, *roles))
        return tuple(rules)

    def slots_without_relation(self, category: Category) -> set[int]:
        """Return the slots of a category that make no relation."""
        matches = (pattern.match(category) for pattern in self._without)
        return {slot for slots in matches if slots is not None for slot in slots.values()}

    def _unary_rule(self, child: Category, node: Category) -> CategoryRule | None:
        """Return the relation of a constituent of a category that becomes a modifier."""
        for before, after, fillers, rule in self._unary:
            if before.match(child) is not None and after.match(node) is not None:
                return CategoryRule(
                    rule["relation"], {}, fillers, "H", rule["dependent"], rule.get("type") or "", ""
                )
        return None


def _is_among(word: str, words: Sequence[str]) -> bool:
    return not words or word.casefold() in words


@read_once(_rule_file)
def load_category_relations(name_or_path: str | Path = "english") -> RelationRuleSet:
    """Read rules by name or from a file.

    Raises OptionError for an unknown name, YamlError if a category does not parse or a variable is unknown.
    """
    path = Path(name_or_path)
    return RelationRuleSet(path, load_yaml(path, CcgRelationRules))


def _files(
    scheme: Scheme | None = None, *, rules: str = "english", sharing: str = "english"
) -> tuple[Path, ...]:
    """Return the files of the rules, of their hierarchy and of the sharing of heads."""
    path = _rule_file(rules)
    hierarchy = hierarchy_file(load_yaml(path, CcgRelationRules)["inventory"])
    return (path, hierarchy, *head_sharing_files(sharing=sharing))


@transformation(position=425, files=_files)
def ccg_relations(
    bank: Treebank, scheme: Scheme | None = None, *, rules: str = "english", sharing: str = "english"
) -> Treebank:
    """Give a treebank of derivations the grammatical relations of Carroll, Minnen and Briscoe.

    rules    the rules, by name or as a YAML file
    sharing  the file that says which categories share heads

    A verb group is represented by its main verb, and a relative pronoun is an argument of its clause. The
    diagnosis counts, by category, filled slots of which no rule makes a relation.
    """
    loaded = load_category_relations(rules)
    derived = derivations(bank, load_head_sharing(sharing))
    dependencies = ccg_dependencies(bank, scheme, sharing=sharing)
    nodes = _Nodes(derived)
    sentences: list[list[Relation]] = []
    events: dict[str, list[int]] = {}
    for number in range(len(bank)):
        sentence = _Sentence(dependencies, number, loaded)
        relations = [*sentence.lexical_relations(), *nodes.relations(sentence)]
        sentences.append(list(dict.fromkeys(relations)))
        for category in sentence.unused:
            events.setdefault(f"slots without a relation: {category}", []).append(number)
    return with_relations(dependencies, sentences).with_events("ccg_relations", events)


class _Sentence:
    """The words of a sentence, and the words that fill their slots."""

    def __init__(self, bank: Treebank, number: int, rules: RelationRuleSet) -> None:
        tokens = bank.tokens.rows(number)
        self.number, self.begin, self._rules = number, tokens.start, rules
        forms, categories, tags = (
            bank.vocabulary.decode(column[tokens])
            for column in (bank.tokens.form, bank.tokens.pos, bank.tokens.xpos)
        )
        self.words = [Word(*of_word) for of_word in zip(forms, range(len(forms)), tags, strict=True)]
        self.categories = list(map(parse_category, categories))
        self._fillers: dict[tuple[int, int], list[int]] = {}
        rows = bank.relations.rows(number)
        columns = (bank.relations.head_index, bank.relations.dependent_index)
        functors, arguments = (column[rows].tolist() for column in columns)
        slots = map(int, bank.vocabulary.decode(bank.relations.type[rows]))
        for functor, slot, argument in zip(functors, slots, arguments, strict=True):
            self._fillers.setdefault((functor, slot), []).append(argument)
        self._auxiliaries = {
            index: known
            for index, category in enumerate(self.categories)
            if (known := rules.auxiliary(category, forms[index])) is not None
        }
        self._pronouns = self._relative_pronouns()
        self.unused: list[str] = []

    def verb(self, word: int) -> int:
        """Return the main verb of an auxiliary, or the word itself."""
        passed = set()
        while word in self._auxiliaries and word not in passed:
            passed.add(word)
            below = self._fillers.get((word, self._auxiliaries[word][0]))
            word = below[0] if below else word
        return word

    def _relative_pronouns(self) -> dict[tuple[int, int], int]:
        """Return the relative pronoun that stands for a noun in the clause of a verb, by both."""
        pronouns = {}
        for index, category in enumerate(self.categories):
            slots = self._rules.relative_pronoun(category)
            if slots is not None:
                nouns, verbs = (self._fillers.get((index, slot), ()) for slot in slots)
                pronouns.update({(self.verb(verb), noun): index for verb in verbs for noun in nouns})
        return pronouns

    def lexical_relations(self) -> Iterator[Relation]:
        """Yield the relations of the slots of all words, and those of auxiliaries."""
        for index, category in enumerate(self.categories):
            if index in self._auxiliaries:
                slot, relation = self._auxiliaries[index]
                verbs = map(self.verb, self._fillers.get((index, slot), ()))
                if relation:
                    yield from (Relation(relation, self.words[verb], self.words[index]) for verb in verbs)
                continue
            rules = self._rules.matching(category, self.words[index].word.casefold())
            used = {slot for rule in rules for slot in rule.slots.values()}
            used |= self._rules.slots_without_relation(category)
            filled = {slot for functor, slot in self._fillers if functor == index}
            self.unused += [f"{category} {slot}" for slot in sorted(filled - used)]
            for rule in rules:
                fillers = [self._fillers.get((index, slot), ()) for slot in rule.slots.values()]
                for words in product(*fillers):
                    yield from self.relations(rule, dict(zip(rule.slots, words, strict=True)) | {WORD: index})

    def relations(self, rule: CategoryRule, bound: dict[str, int]) -> Iterator[Relation]:
        """Yield the relations of a rule whose variables are bound to words."""
        for name, pattern in rule.fillers.items():
            slots = pattern.match(self.categories[bound[name]])
            if slots is None:
                return
            for variable, slot in slots.items():
                below = self._fillers.get((bound[name], slot))
                if not below:
                    return
                bound[variable] = below[0]
        head, dependent = self.verb(bound[rule.head]), self.verb(bound[rule.dependent])
        if rule.head == WORD:
            dependent = self._pronouns.get((head, dependent), dependent)
        marker = self.words[bound[rule.type]].word if rule.type else ""
        if head != dependent:
            yield Relation(rule.relation, self.words[head], self.words[dependent], marker, rule.initial_gr)

    def coordination(self, conjunction: int, heads: Sequence[int]) -> Relation:
        """Return the relation of a conjunction to the heads of its conjuncts."""
        first, *further = (self.words[self.verb(head)] for head in heads)
        return Relation("conj", first, type=self.words[conjunction].word, further_heads=tuple(further))

    def unary_relations(
        self, child: Category, node: Category, head: int, modified: int
    ) -> Iterator[Relation]:
        """Yield the relation of a constituent that becomes a modifier, to the word that it modifies."""
        rule = self._rules.unary_rule(child, node)
        if rule is not None:
            yield from self.relations(rule, {"D": head, "H": modified, WORD: head})


class _Nodes:
    """The nodes of derivations: which are coordinations, and which constituents become modifiers."""

    def __init__(self, derived: Derivations) -> None:
        self._derived = derived
        self._lexical_head = derived.lexical_heads().tolist()
        bank = derived.bank
        self._label, self._parent = bank.nodes.label.tolist(), bank.nodes.parent.tolist()
        self._tag = bank.tokens.pos.tolist()
        self._rule = [derived.combinations[index].rule for index in derived.node_rule.tolist()]
        self._sign = derived.node_sign.tolist()
        self._child = derived.child.tolist()

    def relations(self, sentence: _Sentence) -> Iterator[Relation]:
        """Yield the relations of the nodes of a sentence."""
        rows = self._derived.bank.nodes.rows(sentence.number)
        inner: set[int] = set()
        for row in range(rows.start, rows.stop):
            left, right = self._child[2 * row], self._child[2 * row + 1]
            if self._is_coordination(row) and row not in inner:
                conjunction, conjuncts = self._conjuncts(right, inner)
                if conjunction is not None:
                    heads = [self._head(item) - sentence.begin for item in (left, *conjuncts)]
                    yield sentence.coordination(conjunction - sentence.begin, heads)
            elif right == NO_CHILD and self._rule[row] == "lx":
                sibling = self._sibling(row, rows.start)
                if sibling is not None:
                    heads = [self._head(item) - sentence.begin for item in (left, sibling)]
                    yield from sentence.unary_relations(
                        self._category(left), self._category(-2 - row), *heads
                    )

    def _head(self, item: int) -> int:
        return item if item >= 0 else self._lexical_head[-2 - item]

    def _category(self, item: int) -> Category:
        code = self._tag[item] if item >= 0 else self._label[-2 - item]
        return parse_category(self._derived.bank.vocabulary[code]).bare()

    def _is_conjunct(self, item: int) -> bool:
        return item < NO_CHILD and self._derived.signs[self._sign[-2 - item]].conjunct

    def _is_coordination(self, row: int) -> bool:
        left, right = self._child[2 * row], self._child[2 * row + 1]
        return self._rule[row] == "conj" and self._is_conjunct(right) and not self._is_separator(left)

    def _is_separator(self, item: int) -> bool:
        return item >= 0 and self._category(item).name in self._derived.separators

    def _conjuncts(self, item: int, inner: set[int]) -> tuple[int | None, list[int]]:
        """Return the conjunction before conjuncts, if there is one, and the conjuncts; notes inner nodes."""
        conjunction = None
        while self._is_conjunct(item):
            left, right = self._child[-4 - 2 * item : -2 - 2 * item]
            if self._is_separator(left):
                conjunction = left if self._category(left).name == "conj" else conjunction
                item = right
            elif self._is_coordination(-2 - item) and conjunction is None:
                break
            else:
                item = left  # punctuation follows
        row = -2 - item
        if item < NO_CHILD and conjunction is None and self._is_coordination(row):
            inner.add(row)
            conjunction, further = self._conjuncts(self._child[2 * row + 1], inner)
            return conjunction, [self._child[2 * row], *further]
        return conjunction, [item]

    def _sibling(self, row: int, base: int) -> int | None:
        """Return the constituent that a node modifies: the one beside it, punctuation aside."""
        while self._parent[row] >= 0:
            parent = base + self._parent[row]
            if self._rule[parent] not in ("lp", "rp"):
                children = self._child[2 * parent : 2 * parent + 2]
                others = [item for item in children if item not in (-2 - row, NO_CHILD)]
                return others[0] if others else None
            row = parent
        return None
