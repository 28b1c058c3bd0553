"""Universal Dependencies from constituents, by a scheme's rules.

de Marneffe, Marie-Catherine, et al. (2021): Universal Dependencies. Computational Linguistics 47(2); the
guidelines at https://universaldependencies.org/guidelines.html. Johansson, Richard, and Pierre Nugues (2007):
Extended Constituent-to-Dependency Conversion for English, NODALIDA, for the order of the steps: head
children from the bottom up, then a label for each child that is not a head.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal

import numpy as np

from crossbank.converters.declaration import transformation
from crossbank.converters.deletions import delete_empty_elements, delete_metadata
from crossbank.converters.heads.child_types import numbered
from crossbank.converters.labels import functions_of_nodes, functions_of_tokens
from crossbank.converters.loops.universal import (
    GovernedWords,
    Labels,
    RuleColumns,
    RuleTable,
    Tests,
    WordGroupColumns,
    annotate,
)
from crossbank.converters.schemes.scheme import Scheme
from crossbank.converters.transformations import transform
from crossbank.converters.universal.antecedents import (
    attach_moved,
    controllers,
    given_by_traces,
    links_of,
    with_links,
)
from crossbank.converters.universal.enhanced import with_enhanced
from crossbank.converters.universal.gapping import gaps_in, with_empty_nodes, with_orphans
from crossbank.converters.universal.notation import FIXED, FormClasses, members
from crossbank.converters.universal.punctuation import UNITS, attach_punctuation
from crossbank.converters.universal.rules import UniversalRule, UniversalRules, load_rules
from crossbank.converters.universal.surface import WRITING, with_surface
from crossbank.converters.universal.traces import with_traces_as_functions
from crossbank.converters.universal.words import Lemmatiser, distinct_pairs, features_of_words
from crossbank.treebanks import ConversionError, Treebank
from crossbank.treebanks.arrays import BoolArray, Int32Array, offsets_of
from crossbank.treebanks.errors import MissingAnnotationError, RequirementError
from crossbank.treebanks.ranges import in_ranges
from crossbank.treebanks.vocabulary import Vocabulary

NAME = "universal_dependencies"

SAME = "same"
"""Given by a revision that leaves the relation as it is."""

WORDLESS = "sentences without words, which crossbank convert leaves out"

TOP = "ROOT"
"""The category above all roots, and of nodes that only say that a tree begins."""


def _files(scheme: Scheme | None = None, *, representation: str = "basic") -> tuple[Path, ...]:
    """Return the files of the rules; none where the scheme has none."""
    return load_rules(scheme.universal).files if scheme is not None and scheme.universal else ()


@transformation(
    position=430, turns=dict.fromkeys(("constituents", "functions"), ("dependencies", NAME)), files=_files
)
def universal_dependencies(
    bank: Treebank, scheme: Scheme | None = None, *, representation: Literal["basic", "enhanced"] = "basic"
) -> Treebank:
    """Read Universal Dependencies off the constituents, with tags, features and lemmas.

    representation  ``enhanced``: the column DEPS holds enhanced dependencies as well

    The scheme's rules say which child heads a phrase, which relation the others have, and which tags and
    features words get (``converters.universal.rules``). Empty elements and metadata are deleted. The tags of
    the scheme move to XPOS; the constituents stay. The diagnosis counts the words for which no rule has a
    relation (``dep``), by configuration, and the tags for which there is none (``X``).

    Raises ConversionError if the scheme has no rules.
    """
    if not bank.has_constituents and bank.has_dependencies:
        return bank
    rules = rules_of(scheme)
    assert scheme is not None
    return _converted(annotated(bank, scheme, rules), scheme, rules, representation == "enhanced")


def of_trees(bank: Treebank, scheme: Scheme | None, representation: str) -> Treebank:
    """Return Universal Dependencies as asked for. Raises ConversionError if there are no trees."""
    if bank.lacks("constituents") and (bank.has_dependencies or not bank.has_tags):
        raise MissingAnnotationError(bank.where(0), "trees", "to read Universal Dependencies off")
    return transform(bank, [{NAME: {"representation": representation}}], scheme)


def rules_of(scheme: Scheme | None) -> UniversalRules:
    """Return the rules of a scheme. Raises ConversionError if it has none."""
    if scheme is None:
        raise RequirementError(NAME, "a scheme with rules for Universal Dependencies")
    if not scheme.universal:
        raise ConversionError(
            f"scheme {scheme.name} has no rules for Universal Dependencies; see docs/add_a_scheme.md"
        )
    return load_rules(scheme.universal)


class Annotation:
    """Answers of the rules to a treebank; codes of relations and tags are indices into lists.

    bank       the treebank without empty elements and metadata
    relations, tags  the names of relations and tags, the empty string first
    categories  those of the treebank
    kind       the tag of each token, as an index into ``categories``
    punctuation  whether each token is punctuation
    head, relation, upos  governor (-1 for the root), relation and tag of each token
    rule, revision  the number of the rule that gave the relation, and of the last one that changed it, or -1
    writing    how each token is written, as an index into ``surface.WRITING``
    features   which of the feature rules of its row in ``feature_rules`` hold of each token, one bit each
    feature_rules  the table of the feature rules, with a row for each tag with each relation
    chosen, head_rule  the lexical head of each node, and the rule that chose its child: -1 for none, -2 for
               an only child
    """

    def __init__(
        self,
        bank: Treebank,
        relations: list[str],
        tags: list[str],
        categories: list[str],
        labels: Labels,
        feature_rules: RuleTable,
    ) -> None:
        tokens, nodes = len(bank.tokens), len(bank.nodes)
        self.bank, self.relations, self.tags = bank, relations, tags
        self.categories = categories
        self.kind, self.punctuation = np.asarray(labels.tag), np.asarray(labels.punctuation)
        self.feature_rules = feature_rules
        self.head, self.rule, self.revision = np.full((3, tokens), -1, np.int32)
        self.relation, self.upos, self.writing = np.zeros((3, tokens), np.int32)
        self.features = np.zeros(tokens, np.int64)
        self.chosen, self.head_rule = np.full(nodes, -1, np.int32), np.full(nodes, -2, np.int32)


def annotated(bank: Treebank, scheme: Scheme, rules: UniversalRules) -> Annotation:
    """Run the rules over a treebank."""
    if rules.first:
        # Imported here: this conversion is a transformation itself.
        from crossbank.converters.transformations import transform

        bank = transform(bank, rules.first, scheme)
    bank = with_traces_as_functions(with_links(bank, scheme, rules), scheme)
    bank = delete_empty_elements(bank, scheme)
    bank, node_function = functions_of_nodes(delete_metadata(bank, scheme), scheme)
    bank, token_function = functions_of_tokens(bank, scheme)
    tokens = bank.tokens
    categories, tag, category = _categories(bank, scheme)
    functions, of_token, of_node = numbered(
        bank, token_function, node_function, lambda name: "" if name in scheme.no_function else name
    )
    relations = _list_results(
        rules.relations, rules.revisions, fixed=(*rules.fixed.values(), "dep", "fixed", "goeswith")
    )
    tags = _list_results(rules.tags)
    sets = {number: (feature, names) for (feature, names), number in rules.compiler.sets.items()}
    forms = FormClasses(
        {number: names for number, (feature, names) in sets.items() if feature == "form"},
        [number for number, (feature, _) in sets.items() if feature == "spelling"],
    )
    form = bank.vocabulary.valued(tokens.form, forms.of, np.int32)
    known = {"category": categories, "function": functions, "relation": relations, "upos": tags, **FIXED}
    # Functions from labels are joined by a hyphen, whatever joins them there.
    separator = "-" if "-" in scheme.labels.function else scheme.labels.function
    masks = [
        forms.members(number)
        if feature in ("form", "spelling")
        else members(names, known[feature], separator if feature == "function" else "")
        for number, (feature, names) in sorted(sets.items())
    ]
    set_begins = offsets_of(np.array([len(mask) for mask in masks], np.int64)).astype(np.int32)
    in_sets = np.concatenate([*masks, np.zeros(0, np.bool_)])
    tests = Tests(*rules.compiler.arrays(), set_begins, in_sets)
    marks = [scheme.universal_tags.get(name) == "PUNCT" for name in categories]
    punctuation = np.array(marks, np.bool_)[tag] | scheme.is_punctuation(bank)
    through = members(rules.through, categories)
    repeated = _repeated(bank, punctuation)
    labels = Labels(
        tag, form, of_token, category, of_node, punctuation, repeated, through, categories.index(TOP)
    )
    number_of = {name: number for number, name in enumerate(relations)}
    under = _accepts(rules.relations, categories, "second")
    of_class = np.ones((len(rules.writing), len(forms)), np.bool_)
    for number, rule in enumerate(rules.writing):
        if rule.second:
            of_class[number] = forms.members(rules.compiler.sets["form", rule.second])
    tags_given, writings = ({name: number for number, name in enumerate(of)} for of in (tags, WRITING))
    features = _table(rules.features, categories, _accepts(rules.features, relations, "second"), {})
    revisions, each = rules.revisions, np.ones((1, len(rules.revisions)), np.bool_)
    compiled = RuleColumns(
        tests,
        _head_table(rules, categories),
        _table(rules.relations, categories, under, number_of),
        _groups(bank, rules, number_of, members(rules.goeswith, categories)[tag]),
        _rule_table(
            revisions, each, range(len(revisions)), number_of, accepts=_accepts(revisions, relations)
        ),
        _table(rules.tags, categories, _accepts(rules.tags, relations, "second"), tags_given),
        features,
        _table(rules.writing, categories, of_class, writings),
    )
    # Rules see words as the trees have them: an escape can say how a word is written.
    written = bank
    if rules.escapes:
        written = bank.with_strings("tokens", "form", lambda form: _unescaped(form, rules.escapes))
    annotation = Annotation(written, relations, tags, categories, labels, features)
    words = GovernedWords(
        annotation.head, annotation.relation, annotation.upos, annotation.rule, annotation.revision,
        annotation.features, annotation.writing, annotation.chosen, annotation.head_rule,
    )  # fmt: skip
    in_ranges(lambda first, last: annotate(bank.forest, compiled, labels, words, first, last), len(bank))
    return annotation


def _repeated(bank: Treebank, punctuation: BoolArray) -> BoolArray:
    """Return whether the next word of the sentence that is no punctuation has the same form, case ignored."""
    words = np.flatnonzero(~punctuation)
    numbers: dict[str, int] = {}
    number = bank.vocabulary.valued(
        bank.tokens.form, lambda form: numbers.setdefault(form.lower(), len(numbers)), np.int32
    )
    sentence = bank.tokens.sentence_of_row()[words]
    repeated = np.zeros(len(punctuation), np.bool_)
    same = (number[words[1:]] == number[words[:-1]]) & (sentence[1:] == sentence[:-1])
    repeated[words[:-1][same]] = True
    return repeated


def _converted(annotation: Annotation, scheme: Scheme, rules: UniversalRules, enhanced: bool) -> Treebank:
    """Return an annotated treebank with the columns of CoNLL-U."""
    bank = annotation.bank
    tokens = bank.tokens
    head, upos, relation = annotation.head, annotation.upos, annotation.relation.copy()
    names = [*annotation.relations, "root", "punct", "orphan"]
    names += sorted(given_by_traces(rules.gaps).difference(names))
    root, punct = len(annotation.relations), len(annotation.relations) + 1
    relation[relation == 0] = names.index("dep")
    relation[head < 0] = root
    bank, links = links_of(bank, scheme, annotation.chosen)
    tags = np.array(annotation.tags, object)[upos].tolist() if links else []
    left = attach_moved(links, rules.gaps, head, relation, names, tags)
    if "ADP" in annotation.tags:
        upos[left] = annotation.tags.index("ADP")
    gaps = with_orphans(gaps_in(bank, scheme, annotation.chosen, head), bank, head, relation, names)
    marks = annotation.punctuation & (head >= 0)
    relation[marks] = punct
    units = np.array([name.partition(":")[0] in UNITS for name in names], np.bool_)
    head = attach_punctuation(bank, head, marks, units[relation])
    sentence = tokens.sentence_of_row()
    fallen = (relation == names.index("dep")) & (annotation.rule < 0)

    tag_names = [name or "X" for name in annotation.tags]
    vocabulary, relation_codes = bank.vocabulary.extended(names)
    vocabulary, tag_codes = vocabulary.extended(tag_names)
    listed, feature_number = _features(annotation, rules.features)
    vocabulary, feature_codes = vocabulary.extended(listed)
    lemma = tokens.lemma
    if rules.lemmas:
        vocabulary, lemma = _lemmas(annotation, rules, vocabulary)
    # The first part of a word that is written as several has its lemma and features.
    part = relation == names.index("goeswith")
    tokens = tokens.replace(
        head=head,
        relation=relation_codes[relation],
        xpos=np.where(tokens.xpos > 0, tokens.xpos, tokens.pos),
        pos=tag_codes[upos],
        morph=np.where(part, 0, feature_codes[feature_number]),
        lemma=np.where(part, 0, lemma),
        deps=np.zeros(len(tokens), np.int32),
    )
    bank = with_surface(bank.replace(vocabulary=vocabulary, tokens=tokens), annotation.writing)
    if enhanced:
        bank = with_empty_nodes(with_enhanced(bank, controllers(links, rules.controlled, len(tokens))), gaps)
    events = {
        "words without a relation (dep)": sentence[fallen],
        "tags without a universal tag (X)": sentence[upos == 0],
        WORDLESS: np.flatnonzero(tokens.lengths() == 0),
    }
    return bank.with_events(NAME, events)


def _lemmas(
    annotation: Annotation, rules: UniversalRules, vocabulary: Vocabulary
) -> tuple[Vocabulary, Int32Array]:
    """Return the lemma of each word; each form is examined once with each of its tags."""
    bank, kinds = annotation.bank, annotation.kind * np.int32(len(annotation.tags)) + annotation.upos
    forms, tags, inverse = distinct_pairs(bank.tokens.form, kinds)
    lemmatiser = Lemmatiser(rules.lemmas)
    listed = []
    for form, pair in zip(forms.tolist(), tags.tolist(), strict=True):
        xpos, tag = divmod(pair, len(annotation.tags))
        listed.append(
            lemmatiser.lemma(bank.vocabulary[form], annotation.categories[xpos], annotation.tags[tag])
        )
    vocabulary, codes = vocabulary.extended(listed)
    return vocabulary, codes[inverse]


def _features(annotation: Annotation, rules: Sequence[UniversalRule]) -> tuple[list[str], Int32Array]:
    """Return the features of each word: a list of strings, and the position of each word's string in it."""
    table = annotation.feature_rules
    begin, numbers = np.asarray(table.begin), np.asarray(table.rule)

    def gives(row: int) -> list[str]:
        return [rules[number].gives for number in numbers[begin[row] : begin[row + 1]].tolist()]

    return features_of_words(
        annotation.kind * np.int32(table.width) + annotation.relation, annotation.features, gives
    )


def _unescaped(form: str, escapes: Mapping[str, str]) -> str:
    for written, meant in escapes.items():
        form = form.replace(written, meant)
    return form


def _categories(bank: Treebank, scheme: Scheme) -> tuple[list[str], Int32Array, Int32Array]:
    """Categories and tags of a treebank, and those of its tokens and nodes as indices into the list."""
    names = {"": 0, TOP: 1}

    def number(label: str) -> int:
        name = scheme.labels.main_category(label)
        name = TOP if name in scheme.root_labels else name
        return names.setdefault(name, len(names))

    def number_of_tag(label: str) -> int:
        return names.setdefault(scheme.labels.category(label), len(names))

    tag = bank.vocabulary.valued(bank.tokens.pos, number_of_tag, np.int32)
    category = bank.vocabulary.valued(bank.nodes.label, number, np.int32)
    return list(names), tag, category


def _list_results(*listed: Sequence[UniversalRule], fixed: Sequence[str] = ()) -> list[str]:
    """Return the empty string, then the distinct results of some rules."""
    relations = (rule.gives for rules in listed for rule in rules if rule.gives != SAME)
    return list(dict.fromkeys(["", *relations, *fixed]))


def _head_table(rules: UniversalRules, categories: Sequence[str]) -> RuleTable:
    listed = [rule for group in rules.heads.values() for rule in group]
    labels = [label for label, group in rules.heads.items() for _ in group]
    applies = np.array([[label in (name, "*") for label in labels] for name in categories], np.bool_)
    order = sorted(range(len(listed)), key=lambda number: listed[number].gives == "*")
    from_right = [int(rule.right) for rule in listed]
    return _rule_table(listed, applies, order, {}, accepts=_accepts(listed, categories), way=from_right)


def _accepts(
    listed: Sequence[UniversalRule], names: Sequence[str], by: Literal["labels", "second"] = "labels"
) -> BoolArray:
    """A mask of the names of which each rule can hold, shape ``(rules, names)``."""
    accepts = np.ones((len(listed), len(names)), np.bool_)
    for number, rule in enumerate(listed):
        if accepted := getattr(rule, by):
            accepts[number] = members(accepted, names)
    return accepts


def _table(
    listed: Sequence[UniversalRule], categories: Sequence[str], second: BoolArray, gives: Mapping[str, int]
) -> RuleTable:
    """Rules as arrays; each category with each second key has those whose test can hold of both.

    second  a mask of the second keys of which each rule can hold, shape ``(rules, keys)``
    """
    applies = _accepts(listed, categories).T[:, None, :] & second.T[None, :, :]
    rows = applies.shape[0] * applies.shape[1]
    return _rule_table(listed, applies.reshape(rows, len(listed)), range(len(listed)), gives, accepts=second)


def _rule_table(
    listed: Sequence[UniversalRule],
    applies: BoolArray,
    order: Sequence[int],
    gives: Mapping[str, int],
    *,
    accepts: BoolArray,
    way: Sequence[int] | None = None,
) -> RuleTable:
    """Rules as arrays. ``applies`` says which rules each row has, ``order`` in which order they are tried."""
    numbers = np.array(order, np.int32)
    steps = [(*rule.to, (-1, -1), (-1, -1))[:2] for rule in listed]
    to_governor, to, way_on, to_on = (
        np.array([pair[step][part] for pair in steps], np.int32) for step in (0, 1) for part in (0, 1)
    )
    return RuleTable(
        offsets_of(applies.sum(axis=1)).astype(np.int32),
        numbers[np.nonzero(applies[:, numbers])[1]].astype(np.int32),
        np.array([rule.test for rule in listed], np.int32),
        np.array([gives.get(rule.gives, 0) for rule in listed], np.int32),
        to_governor if way is None else np.array(way, np.int32),
        to,
        way_on,
        to_on,
        accepts.ravel(),
        accepts.shape[1],
    )


def _groups(
    bank: Treebank, rules: UniversalRules, number_of: Mapping[str, int], goes_on: BoolArray
) -> WordGroupColumns:
    """Fixed expressions as arrays, ordered by first word; longer ones come first.

    goes_on  whether each word is a part, but the last, of a word that is written as several
    """
    expressions = [(tuple(text.split()), name) for text, name in rules.fixed.items()]
    number = {"": 0}
    for words, _ in expressions:
        number.setdefault(words[0], len(number))
    for words, _ in expressions:
        for word in words:
            number.setdefault(word, len(number))
    expressions.sort(key=lambda e: (number[e[0][0]], -len(e[0])))
    counts = np.bincount([number[words[0]] for words, _ in expressions], minlength=len(number))
    return WordGroupColumns(
        bank.vocabulary.valued(bank.tokens.form, lambda form: number.get(form.lower(), 0), np.int32),
        offsets_of(np.array([len(words) for words, _ in expressions], np.int64)).astype(np.int32),
        np.array([number[word] for words, _ in expressions for word in words], np.int32),
        offsets_of(counts).astype(np.int32),
        np.array([number_of.get(name, 0) if name else 0 for _, name in expressions], np.int32),
        number_of["fixed"],
        goes_on,
        number_of["goeswith"],
    )
