"""Table of head rules against the rules read one by one."""

from collections.abc import Iterable
from fnmatch import fnmatchcase
from typing import NamedTuple

from hypothesis import given
from hypothesis import strategies as st

from crossbank.converters.heads.marking import mark_heads
from crossbank.converters.schemes.head_rules import Condition, HeadGroup, HeadRules
from crossbank.converters.schemes.scheme import Scheme, TokenClass
from crossbank.treebanks import Treebank
from tests.converters.test_properties import banks

LABELS = ["S", "NP", "V*", "NN", "KON", "$,", "*"]
FUNCTIONS = ["HD", "OA", "NK"]

some_labels = st.lists(st.sampled_from(LABELS), max_size=3).map(tuple)
some_functions = st.lists(st.sampled_from(FUNCTIONS), max_size=2).map(tuple)
conditions = st.lists(
    st.builds(
        Condition,
        st.sampled_from(["first", "last", "beside", "before", "behind", "over", "is"]),
        some_labels,
        some_functions,
        st.sampled_from([(), (), ("a0", "b1", "a2")]),
    ),
    max_size=2,
).map(tuple)
groups = st.lists(
    st.builds(HeadGroup, st.booleans(), some_labels, st.booleans(), some_functions, conditions, conditions),
    max_size=3,
).map(tuple)
rules = st.builds(
    HeadRules,
    before=groups,
    rules=st.dictionaries(st.sampled_from(["S", "NP", "VP"]), groups),
    default=st.sampled_from(["left", "right"]),
    conjunctions=st.sampled_from([frozenset(), frozenset(["KON"])]),
)


class Child(NamedTuple):
    """A token or node below a node: where it begins, and what a rule can see of it."""

    begin: int
    label: str
    function: str
    lexical: int
    form: str
    is_punctuation: bool
    children: list["Child"]


def speaks_of(labels: Iterable[str], functions: Iterable[str], child: Child) -> bool:
    fits = [
        fnmatchcase(child.label, label) and not (child.is_punctuation and "*" in label)
        for label in labels or ["*"]
    ]
    return any(fits) and (not functions or child.function in functions)


def holds(condition: Condition, child: Child, sisters: list[Child]) -> bool:
    def meant(other: Child) -> bool:
        formed = not condition.forms or other.form in condition.forms
        return formed and speaks_of(condition.labels, condition.functions, other)

    words = [
        s for s in sisters if not s.is_punctuation and (not condition.forms or s.form in condition.forms)
    ]
    requested = [s for s in sisters if s is not child and meant(s)]
    return {
        "first": words[:1] == [child],
        "last": words[-1:] == [child],
        "beside": bool(requested),
        "before": any(s.begin > child.begin for s in requested),
        "behind": any(s.begin < child.begin for s in requested),
        "over": any(map(meant, child.children)),
        "is": meant(child),
    }[condition.type]


def head_of(rules: HeadRules, category: str, children: list[Child]) -> Child:
    """Return Magerman's procedure, word for word."""
    for group in rules.groups(category):
        for labels in (
            [[label] for label in group.labels] if group.in_order and group.labels else [list(group.labels)]
        ):
            actual = [
                child
                for child in children
                if speaks_of(labels, group.functions, child)
                and all(holds(condition, child, children) for condition in group.where)
                and not any(holds(condition, child, children) for condition in group.unless)
            ]
            if actual:
                return actual[-1 if group.from_right else 0]
    words = [child for child in children if not child.is_punctuation] or children
    return words[-1 if rules.default == "right" else 0]


def conjunct_before(rules: HeadRules, head: Child, children: list[Child]) -> Child:
    """Return the conjunct before a head right after a conjunction, punctuation aside."""
    before = [c for c in children if c.begin < head.begin]
    words = [c for c in before if not c.is_punctuation]
    if not rules.conjunctions or not words or words[-1].label not in rules.conjunctions:
        return head
    conjuncts = [c for c in words if c.label not in rules.conjunctions]
    return conjuncts[-1] if conjuncts else head


def lexical_heads(bank: Treebank, sentence: int, scheme: Scheme) -> list[int]:
    tokens, nodes, name = bank.tokens.rows(sentence), bank.nodes.rows(sentence), bank.vocabulary.decode
    below: dict[int, list[Child]] = {}
    punctuation = scheme.is_punctuation(bank)[tokens].tolist()
    columns = (
        bank.tokens.parent[tokens].tolist(),
        bank.words(sentence),
        name(bank.tokens.pos[tokens]),
        name(bank.tokens.function[tokens]),
    )
    for index, (parent, form, tag, function) in enumerate(zip(*columns, strict=True)):
        below.setdefault(parent, []).append(Child(index, tag, function, index, form, punctuation[index], []))
    heads: list[int] = []
    columns = (
        bank.nodes.parent[nodes].tolist(),
        name(bank.nodes.label[nodes]),
        name(bank.nodes.function[nodes]),
    )
    for node, (parent, label, function) in reversed(list(enumerate(zip(*columns, strict=True)))):
        children = sorted(below[node], key=lambda child: child.begin)
        head = conjunct_before(scheme.heads, head_of(scheme.heads, label, children), children)
        heads.insert(0, head.lexical)
        below.setdefault(parent, []).append(
            Child(children[0].begin, label, function, head.lexical, "", False, children)
        )
    return heads


@given(banks(["S", "NP", "VP"], ["", "HD", "OA", "NK"]), rules)
def test_the_table_finds_the_heads_that_the_rules_say(bank: Treebank, rules: HeadRules) -> None:
    scheme = Scheme("own", "Own", (), punctuation=TokenClass(frozenset(["$,", "$."])), heads=rules)
    marked = mark_heads(bank, scheme)
    for sentence in range(len(bank)):
        actual = marked.nodes.head[marked.nodes.rows(sentence)].tolist()
        assert actual == lexical_heads(bank, sentence, scheme)
