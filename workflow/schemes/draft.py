"""A scheme drafted from the labels of a treebank: valid unchanged, and to be edited.

Comments mark all guesses: punctuation by the forms of words, functions by the characters in labels,
heads by the children that a constituent has most often, has alone, and by labels that occur under no
other parent. A head is the obligatory part of its constituent
(Zwicky, Arnold (1985): Heads. Journal of Linguistics 21).
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from textwrap import wrap
from typing import NamedTuple

import numpy as np
import yaml

from crossbank.converters.dependencies.conll_columns import UNIVERSAL_TAGS
from crossbank.converters.scheme_files import NEARLY_ALL, fitting_schemes, load_scheme, scheme_names
from crossbank.converters.schemes.scheme import PLAIN_LABELS, LabelSyntax, Scheme, TokenClass
from crossbank.metrics.pairing.word_forms import is_punctuation
from crossbank.treebanks import Treebank
from crossbank.treebanks.arrays import BoolArray, Int32Array, Int64Array
from crossbank.treebanks.errors import CrossbankError
from crossbank.treebanks.quantities import quantity
from crossbank.workflow.schemes.examination import NameCounts, without_silent

ROOTS = ("TOP", "ROOT", "S1", "VROOT")
"""The usual labels of nodes that only mark the beginning of a tree."""

EMPTY = re.compile(r"\*.*|0")
"""The forms of empty elements in Penn treebanks: ``*T*-1``, ``0``."""

SILENT_FUNCTIONS = ("--", "_")

MAX_WIDTH = 110
"""The number of characters in the line of a comment."""

MAX_CANDIDATES = 12
"""The number of candidates that a drafted rule names at most."""


def draft(bank: Treebank, files: Sequence[str], name: str) -> str:
    """Return the text of a scheme for a treebank. Raises CrossbankError if there is no word."""
    if not len(bank.tokens):
        raise CrossbankError(f"{files[0]}: there are no words to draft a scheme from")
    drafted = _Draft.of(bank)
    sources, sentences = " ".join(files), quantity(len(bank), "sentence")
    return "\n".join(
        [
            f"# A scheme drafted by crossbank scheme new from {sentences} of {sources}.",
            "# It can be used as it is; head rules are guesses. What is left to write says edit; to list it:",
            f"# crossbank scheme check THIS.yaml {sources}",
            "# Every key of a scheme: crossbank help scheme",
            f"name: {_text(name)}  # as scores and reports mention it",
            f"title: {_text(f'edit: the scheme of {sources}')}",
            f"sources: [{_text('edit: the guidelines, and who wrote the rules')}]",
            *drafted.extended(),
            *drafted.labels(),
            *drafted.tokens(),
            *drafted.roots(),
            *drafted.universal_tags(),
            *drafted.views(),
            *drafted.heads(),
            *drafted.inventory(),
            "",
        ]
    )


class _Draft(NamedTuple):
    """Properties of a treebank, and the parts of the scheme that follow from them.

    spoken  the treebank without empty elements and metadata
    near    the scheme that knows most of its labels
    fit     the proportion of nodes (of words, where there are no nodes) whose label that scheme knows
    base    the scheme that the draft extends; None if the nearest one knows too few labels
    syntax  the characters that begin functions and indices in labels
    """

    bank: Treebank
    spoken: Treebank
    near: str
    fit: float
    base: Scheme | None
    syntax: LabelSyntax
    names: NameCounts
    punctuation: tuple[str, ...]
    empty: tuple[str, ...]

    @classmethod
    def of(cls, bank: Treebank) -> _Draft:
        tags = bank.vocabulary.counted(bank.tokens.pos)
        near, fit = _nearest(bank, tags)
        base = load_scheme(near) if fit > NEARLY_ALL else None
        syntax = base.labels if base is not None else _syntax(bank.vocabulary.counted(bank.nodes.label))
        traces = _mostly(bank, tags, lambda form: bool(EMPTY.fullmatch(form)))
        empty = () if base is not None else tuple(traces)
        scheme = base or Scheme("", "", (), labels=syntax, empty=TokenClass(frozenset(empty)))
        scheme = replace(scheme, no_function=frozenset(SILENT_FUNCTIONS))
        silent = {*empty, *(base.empty.tags | base.metadata.tags if base is not None else ())}
        signs = tuple(tag for tag in _mostly(bank, tags, is_punctuation) if tag not in silent)
        spoken = without_silent(bank, scheme)
        return cls(bank, spoken, near, fit, base, syntax, NameCounts.of(spoken, scheme), signs, empty)

    def extended(self) -> Iterator[str]:
        """Yield the scheme from which missing keys are taken."""
        known = f"{self.near}, which knows {100 * self.fit:.0f} % of the "
        known += "constituents' labels" if self.bank.has_constituents else "tags"
        more = "To take keys that are not here from it:"
        if self.base is not None:
            more = "Every key that is not here is taken from it."
        yield from _comment(f"The nearest scheme is {known}. {more}")
        yield f"{'# ' if self.base is None else ''}extends: {self.near}"

    def labels(self) -> Iterator[str]:
        """Yield the syntax of labels."""
        if self.base is not None:
            return
        yield from _comment(
            "The characters that begin a function (NP-SBJ), an index (NP=2) or an alternative (ADVP|PRT) in "
            "labels."
        )
        names = ("function", "index", "alternative")
        parts = {name: value for name in names if (value := getattr(self.syntax, name))}
        listed = ", ".join(f"{name}: {json.dumps(value)}" for name, value in parts.items())
        yield f"labels: {{{listed}}}" if parts else "labels: {}  # no label shows one"
        if silent := [name for name in self.names.functions if name in SILENT_FUNCTIONS]:
            yield f"no_function: {_list(silent)}  # functions without information"

    def tokens(self) -> Iterator[str]:
        """Yield punctuation and empty elements, with the words that they were guessed by."""
        declared = self.base.punctuation.tags if self.base is not None else frozenset()
        signs = [tag for tag in self.punctuation if tag not in declared]
        if self.base is not None and not signs:
            return
        if not signs:
            yield "# tokens: {punctuation: {tags: []}}  # edit: no tag has mostly signs as its words"
        if signs or self.empty:
            yield "tokens:"
        if signs:
            known = [tag for tag in self.names.tags if tag in declared]
            yield "  # Guessed: the tags of which most words are signs. Edit."
            yield from (f"  #   {tag}: {self._words(tag)}" for tag in signs)
            yield f"  punctuation: {{tags: {_list([*known, *signs])}}}"
        if self.empty:
            yield "  # Guessed: the tags of which most words look like traces."
            yield from (f"  #   {tag}: {self._words(tag)}" for tag in self.empty)
            yield f"  empty: {{tags: {_list(self.empty)}}}"
        if self.base is None:
            yield "delete: punct  # metrics leave punctuation out; or: none"

    def _words(self, tag: str) -> str:
        strings, tokens = self.bank.vocabulary, self.bank.tokens
        numbers = strings.counted(tokens.form[tokens.pos == strings.code(tag)])
        common = sorted(numbers, key=lambda form: -numbers[form])[:5]
        return f"{quantity(sum(numbers.values()), 'word')}, such as {' '.join(common)}"

    def roots(self) -> Iterator[str]:
        """Yield the labels that only mark the beginning of a tree."""
        roots = [label for label in self.names.categories if label in ROOTS]
        if self.base is None and roots:
            yield f"roots: {{labels: {_list(roots)}}}  # labels that only mark the beginning of a tree"

    def universal_tags(self) -> Iterator[str]:
        """Yield the Universal tags of the tags; those that no scheme knows are X, to be edited."""
        declared = self.base.universal_tags if self.base is not None else {}
        unknown = [tag for tag in self.names.tags if tag not in declared]
        if not unknown or set(unknown) <= UNIVERSAL_TAGS:
            return
        of_schemes: dict[str, str] = {}
        for scheme in (*scheme_names(), self.near):
            of_schemes.update(load_scheme(scheme).universal_tags)
        guessed = dict.fromkeys(self.punctuation, "PUNCT")
        by_universal: dict[str, list[str]] = {}
        for tag in unknown:
            by_universal.setdefault(guessed.get(tag) or of_schemes.get(tag, "X"), []).append(tag)
        yield from _comment(
            "The tag of Universal Dependencies (universaldependencies.org/u/pos) for each tag, by the "
            "schemes that come with Crossbank. Edit: tags that none of them has are under X."
        )
        yield "universal_tags:"
        for universal in sorted(by_universal):
            known = [tag for tag, other in declared.items() if other == universal]
            yield f"  {universal}: {_list([*known, *by_universal[universal]])}"

    def views(self) -> Iterator[str]:
        """Yield the transformations that lead to each view."""
        if self.base is not None:
            return
        before = ["delete_empty_elements"] if self.empty else []
        yield "# The transformations that lead to what metrics compare: crossbank list transformations."
        yield "views:"
        if not self.bank.has_constituents:
            yield "  dependencies: []  # the treebank has them"
            return
        trees = list(before)
        if self.bank.spans.discontinuous.any():
            trees += ["virtual_root", "raise_crossing", "attach_punctuation"]
        elif any(label in ROOTS for label in self.names.categories) or "" in self.names.categories:
            trees.append("delete_roots")
        trees += ["strip_functions"] if self.names.functions else []
        yield f"  constituents: {_list(trees)}"
        yield f"  dependencies: {_list([*before, 'dependencies'])}"

    def heads(self) -> Iterator[str]:
        """Head rules for every label that has none yet."""
        if not self.bank.has_constituents:
            return
        known = self.base.heads.rules if self.base is not None else {}
        children = _children(self.spoken, self.syntax, self.punctuation)
        new = {label: counts for label, counts in children.items() if label not in known}
        inherited = [f"{label} ({counts.nodes:,})" for label, counts in children.items() if label in known]
        if inherited:
            yield from _comment(f"The head rules of {self.near} hold for {', '.join(sorted(inherited))}.")
        if not new:
            return
        marked = "HD" in self.names.functions and self.base is None
        yield from _comment(
            "The head of each constituent: the first child from one end that is in a list (any_of), or the "
            "first one in the order of the list (first_of). Drafted without knowledge of the language: first "
            "come the children that a constituent has most often, has alone, and labels that occur under no "
            "other parent. Edit every rule. "
            "crossbank heads FILE --scheme THIS.yaml counts how often each decides."
        )
        yield "heads:"
        if self.base is None:
            yield "  default: left  # the first child, where no candidate of a rule is there"
        if marked:
            yield "  before: [{from: left, functions: [HD]}]  # the function of heads goes first"
        yield "  rules:"
        for label in sorted(new):
            counts = new[label]
            listed = _list(name_code for name_code, _ in counts.children[:MAX_CANDIDATES])
            otherwise = ', {from: left, any_of: ["*"]}' if len(counts.children) > MAX_CANDIDATES else ""
            yield f"    # {counts.nodes:,} node{'s' * (counts.nodes != 1)}: " + ", ".join(
                f"{100 * proportion:.0f} % have {name_code}" for name_code, proportion in counts.children[:4]
            )
            yield f"    {_text(label)}: [{{from: {counts.side}, first_of: {listed}}}{otherwise}]"

    def inventory(self) -> Iterator[str]:
        """Yield every name with its meaning in the nearest scheme, and its number."""
        meanings = load_scheme(self.near).inventory
        silent = {"", *SILENT_FUNCTIONS}
        lines = []
        for name_code in ("tags", "categories", "functions"):
            numbers: Mapping[str, int] = getattr(self.names, name_code)
            known = meanings.get(name_code, {})
            # A function of several parts is known by them.
            joined = {
                name for name in numbers if name_code == "functions" and "-" in name and name not in known
            }
            new = {name: number for name, number in numbers.items() if name not in silent | joined}
            if new:
                lines.append(f"  {name_code}:")
            for name in sorted(new, key=lambda name: (-new[name], name)):
                meaning = known.get(name, "edit")
                lines.append(f"    {_text(name)}: {_text(meaning)}  # {new[name]:,}")
        if lines:
            yield "# What each name means, with its frequency in the treebank. Edit."
            yield "inventory:"
            yield from lines


class _Children(NamedTuple):
    """Children of the constituents with one label.

    nodes  their number
    children  tags and categories of children that may be the head, the likeliest first, with the proportion
              of
           the constituents that have such a child
    side   the end of the constituent at which the likeliest one is more often
    """

    nodes: int
    children: list[tuple[str, float]]
    side: str


def _nearest(bank: Treebank, tags: Mapping[str, int]) -> tuple[str, float]:
    """Return the scheme that knows most of a treebank's labels, or else tags, and the proportion it knows.

    Of schemes that know equally many labels, the one that knows most tags is chosen.
    """

    def knows(name: str) -> tuple[int, int]:
        known = load_scheme(name).inventory.get("tags", {})
        return sum(number for tag, number in tags.items() if tag in known), -len(known)

    if bank.has_constituents:
        best, fit = fitting_schemes(bank.vocabulary.counted(bank.nodes.label))
        return max(best.split(" or "), key=knows), fit
    best = max(scheme_names(), key=knows)
    return best, knows(best)[0] / max(sum(tags.values()), 1)


def _syntax(labels: Mapping[str, int]) -> LabelSyntax:
    """Return the characters that begin functions, indices and alternatives, after a label."""

    def parts(mark: str) -> list[str]:
        cut = [label.partition(mark) for label in labels if mark in label[1:]]
        return [after for before, _, after in cut if before in labels and after]

    function = "".join(mark for mark in "-:" if parts(mark))
    index = "=" if any(after.isdigit() for after in parts("=")) else ""
    if not (function or index):
        return PLAIN_LABELS
    return LabelSyntax(function, index, "|" if parts("|") else "")


def _mostly(bank: Treebank, tags: Iterable[str], accept: Callable[[str], bool]) -> Iterator[str]:
    accepted: BoolArray = bank.vocabulary.matching(accept)[bank.tokens.form]
    for tag in tags:
        own = bank.tokens.pos == bank.vocabulary.code(tag)
        if accepted[own].mean() > NEARLY_ALL:
            yield tag


def _children(bank: Treebank, syntax: LabelSyntax, silent: Collection[str]) -> dict[str, _Children]:
    """Return the children of the constituents of each label, without those of silent tags."""
    nodes, tokens = bank.nodes, bank.tokens
    vocabulary, label = bank.vocabulary.mapped(nodes.label, syntax.main_category)
    vocabulary, tag = vocabulary.mapped(tokens.pos, syntax.main_category)
    below_tokens = tokens.parent >= 0
    below_tokens &= ~bank.vocabulary.matching(lambda text: text in silent)[tokens.pos]
    below_nodes = nodes.parent >= 0
    parent = np.concatenate((nodes.parent_rows(tokens)[below_tokens], nodes.parent_rows(nodes)[below_nodes]))
    name_code = np.concatenate((tag[below_tokens], label[below_nodes]))
    # A word begins and ends at itself; a node at its first and its last word.
    position = tokens.indices()[below_tokens]
    start = np.concatenate((position, bank.spans.start[below_nodes]))
    end = np.concatenate((position + 1, bank.spans.end[below_nodes]))
    first, last = np.full(len(nodes), np.iinfo(np.int64).max), np.zeros(len(nodes), np.int64)
    np.minimum.at(first, parent, start)
    np.maximum.at(last, parent, end)
    number = np.bincount(parent, minlength=len(nodes))
    size = len(vocabulary)
    present = np.unique(parent.astype(np.int64) * size + name_code)
    joined = label[present // size].astype(np.int64) * size + present % size
    pairs, counts = np.unique(joined, return_counts=True)
    alone = _counted(label, parent, name_code, size, number[parent] == 1)
    at_left = _counted(label, parent, name_code, size, start == first[parent])
    at_right = _counted(label, parent, name_code, size, end == last[parent])
    of_label = np.bincount(label[number > 0], minlength=size)
    constituents_with = np.bincount(present % size, minlength=size)
    entries_by_name: dict[str, list[tuple[float, int, float]]] = {}
    for pair, count in zip(pairs.tolist(), counts.tolist(), strict=True):
        total = int(of_label[pair // size])
        only_here = count / int(constituents_with[pair % size])
        entry = ((count + alone.get(pair, 0)) * only_here, pair, count / total)
        if name := vocabulary[pair // size]:
            entries_by_name.setdefault(name, []).append(entry)
    drafted = {}
    for name, entries in entries_by_name.items():
        entries.sort(key=lambda entry: (-entry[0], vocabulary[entry[1] % size]))
        best = entries[0][1]
        drafted[name] = _Children(
            int(of_label[best // size]),
            [(vocabulary[pair % size], proportion) for _, pair, proportion in entries],
            "right" if at_right.get(best, 0) > at_left.get(best, 0) else "left",
        )
    return drafted


def _counted(
    label: Int32Array, parent: Int64Array, name_code: Int32Array, size: int, chosen: BoolArray
) -> dict[int, int]:
    """Return the number of chosen children by the label of the parent and their own, joined to one number."""
    joined = label[parent[chosen]].astype(np.int64) * size + name_code[chosen]
    pairs, counts = np.unique(joined, return_counts=True)
    return dict(zip(pairs.tolist(), counts.tolist(), strict=True))


def _comment(text: str) -> Iterator[str]:
    yield from wrap(text, MAX_WIDTH, initial_indent="# ", subsequent_indent="# ")


def _list(texts: Iterable[str]) -> str:
    return f"[{', '.join(map(_text, texts))}]"


def _text(text: str) -> str:
    """Return a string as YAML writes it: in quotes where it would be read as something else."""
    plain = re.fullmatch(r"[\w./][\w ./-]*[\w.]|\w", text) and yaml.safe_load(text) == text
    return text if plain else json.dumps(text, ensure_ascii=False)
