r"""Profiles of [incr tsdb()]: derivation trees and elementary dependencies; a folder, or any file in it.

Each item of the profile is a sentence, each of its results an analysis (``treebanks.readings``); the result
that ``preference`` names is the chosen one. Two more formats read the same profiles: ``tsdb_trees`` has the
labelled phrase trees (field ``tree``) in place of derivations, ``tsdb_dmrs`` has DMRS in place of elementary
dependencies.

tokens     ``form`` as in the item's text, ``lemma`` the lexical entry, ``pos`` the lexical type, or the entry
           where the derivation has no types, ``xpos`` the tagger's tag, ``misc`` characters (``From=3|To=9``)
nodes      ``label`` the rule, ``function`` ``HD`` of a head daughter where heads are marked
relations  ``formalisms.redwoods.formats.elementary_dependencies``
comments   ``text``, ``wf`` (0 if the sentence should have no analysis) and, where an item has several
           results, ``result`` (its identifier)
score      ``:ascore`` of the field ``flags``

An entry of several tokens (*ad hoc*) is a node over them. An item without results, and one of which an
annotator rejected all (``t-active`` is 0), is a sentence without tokens; the latter are counted, as are items
of an annotated profile of which none is preferred. A damaged analysis has no tokens unless it stops reading;
none is repaired.

Source: Oepen, Stephan, et al. (2002): LinGO Redwoods, section 2. Beyond PARSEVAL.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from os import PathLike
from typing import Literal, NamedTuple, TypeAlias

from crossbank.formalisms.redwoods.formats.elementary_dependencies import Graph, MrsError, Semantics, graph
from crossbank.formalisms.redwoods.formats.tsdb_ambiguity import ambiguity as ambiguity
from crossbank.formalisms.redwoods.formats.tsdb_derivations import (
    Derivation,
    DerivationTerminal,
    derivation,
    phrase_tree,
)
from crossbank.formalisms.redwoods.formats.tsdb_tables import ItemAnalysis, Profile, ProfileItem, folder_of
from crossbank.treebanks.builder import TreebankBuilder
from crossbank.treebanks.damage.correction import SKIPPED, STEP
from crossbank.treebanks.damage.rules import DamagePolicy
from crossbank.treebanks.errors import FormatError
from crossbank.treebanks.formats.format import Format
from crossbank.treebanks.formats.symbolic_expressions import ExpressionError
from crossbank.treebanks.relations.relation import add_relations
from crossbank.treebanks.tables import NO_PARENT
from crossbank.treebanks.treebank import Treebank

FORMAT = Format(
    position=160,
    written=False,
    nbest=True,
    folder=True,
    reads_damaged=True,
    recognised_by="relations",
    scheme="redwoods",
)

Trees: TypeAlias = Literal["derivation", "tree"]
"""The trees that are read: derivations, or labelled phrase trees."""

SCORE = re.compile(r":ascore\s+\.\s+([-+\d.eE]+)", re.I)
FROM = re.compile(r'\+FROM\s+\\?"(\d{1,9})\\?"')
TO = re.compile(r'\+TO\s+\\?"(\d{1,9})\\?"')
TAG = re.compile(r'\+TAG\s+\\?"([^"\\]*)')
QUOTED = re.compile(r'\\?"(.*?)\\?"', re.S)

HEAD = "HD"
"""The function of a head daughter."""


class TsdbWord(NamedTuple):
    """A token: its form, its span as a node of a graph writes it, and its columns ``xpos`` and ``misc``."""

    form: str
    span: str
    xpos: str = ""
    misc: str = ""


def load(
    path: str | PathLike[str], *, encoding: str | None = None, damaged: str = DamagePolicy.STOP
) -> Treebank:
    """Read a profile with derivations and elementary dependencies: see ``read``."""
    return read(path, "derivation", "eds", encoding, damaged)


def read(
    path: str | PathLike[str],
    trees: Trees,
    semantics: Semantics,
    encoding: str | None = None,
    damaged: str = DamagePolicy.STOP,
) -> Treebank:
    """Read a profile; a damaged tree or MRS stops reading or is an analysis without a parse.

    Raises FormatError if the file ``relations`` or a table is missing, a record has too few or too many
    fields, no item has a result, two results of an item are preferred, a derivation, a tree or an MRS does
    not read, and where trees are requested and no result has one.
    """
    profile = Profile(folder_of(path), encoding)
    reader = _TsdbReader(str(profile.path("result")), trees, semantics, DamagePolicy(damaged))
    items = profile.items()
    annotated = any(item.preferred is not None for item in items)
    for item in items:
        reader.item(item, annotated)
    return reader.built()


class _TsdbReader:
    def __init__(self, source: str, trees: Trees, semantics: Semantics, policy: DamagePolicy) -> None:
        self._source, self._trees, self._semantics = source, trees, semantics
        self._policy = policy
        self._builder = TreebankBuilder(source)
        self._without_tree = self._with_tree = 0
        self._skipped: list[int] = []
        self._first_error: FormatError | None = None
        self._analyses = 0

    def built(self) -> Treebank:
        if self._without_tree and not self._with_tree:
            actual, expected = f"no {self._trees} in any result", f"the field {self._trees} filled"
            raise FormatError(self._source, actual, expected)
        if self._first_error is not None and not self._with_tree:
            raise self._first_error
        return self._builder.build().with_events(STEP, {SKIPPED: self._skipped} if self._skipped else {})

    def item(self, item: ProfileItem, annotated: bool) -> None:
        """Add an item: a row for each reading, or one without tokens."""
        comments = [f"text = {' '.join(item.text.split())}"]
        if item.wf == "0":
            comments.append("wf = 0")
        if item.rejected or not item.readings:
            line = item.readings[0].line if item.readings else 0
            self._builder.sentence(id=item.id, line=line, comments="\n".join(comments))
            self._analyses += 1
            if item.readings:
                self._builder.count_event("every result rejected by the annotator")
            return
        for rank, reading in enumerate(item.readings):
            match = SCORE.search(reading.flags)
            number = [f"result = {reading.number}"] if len(item.readings) > 1 else []
            self._builder.sentence(
                id=item.id,
                line=reading.line,
                comments="\n".join(comments + number),
                analysis=rank,
                score=match[1] if match else "",
                chosen=reading.number == item.preferred,
            )
            if rank == 0 and annotated and item.preferred is None:
                self._builder.count_event("no result preferred")
            try:
                self._reading(item, reading)
            except FormatError as error:
                if self._policy is DamagePolicy.STOP:
                    raise
                self._first_error = self._first_error or error
                self._skipped.append(self._analyses)
            self._analyses += 1

    def _reading(self, item: ProfileItem, reading: ItemAnalysis) -> None:
        try:
            derived = derivation(reading.derivation) if reading.derivation else None
            tree = phrase_tree(reading.tree) if self._trees == "tree" and reading.tree else None
        except ExpressionError as error:
            where = f"{error.actual} at character {error.offset + 1} of a damaged derivation or tree"
            raise self._error(item, reading, where, error.expected) from error
        words: Sequence[Sequence[TsdbWord]] = list(_words(derived, item.text)) if derived is not None else []
        filled = derived if self._trees == "derivation" else tree
        self._without_tree += filled is None
        if filled is None:
            self._builder.count_event(f"no {self._trees}")
            return
        if len(words) != len(filled.terminals):
            words = [[TsdbWord(terminal.form, "")] for terminal in filled.terminals]
        written = [word for words_of_one in words for word in words_of_one]
        read_graph = self._graph(item, reading, written) if reading.mrs else None
        self._with_tree += 1
        self._add(filled, words)
        if read_graph is not None:
            self._add_relations(read_graph)

    def _add(self, tree: Derivation, words: Sequence[Sequence[TsdbWord]]) -> None:
        """Add the nodes of a tree, and its words with their entries or labels.

        What is right above a single word is the word's entry or tag and no node. The words of a phrase tree
        are the derivation's where it has as many of them.
        """
        pairs = list(zip(tree.terminals, words, strict=True))
        daughters = Counter([rule.parent for rule in tree.rules] + [one.entry for one in tree.terminals])
        single = {one.entry for one, its_words in pairs if len(its_words) == 1 == daughters[one.entry]}
        node = {NO_PARENT: NO_PARENT}
        for index, rule in enumerate(tree.rules):
            if index not in single:
                function = HEAD if rule.is_head else ""
                node[index] = self._builder.node(label=rule.name, function=function, parent=node[rule.parent])
        for terminal, its_words in pairs:
            entry, alone = tree.rules[terminal.entry], terminal.entry in single
            for word in its_words:
                self._builder.token(
                    form=word.form,
                    lemma=entry.name if self._trees == "derivation" else "",
                    pos=entry.type or entry.name,
                    xpos=word.xpos,
                    misc=word.misc,
                    function=HEAD if alone and entry.is_head else "",
                    parent=node[entry.parent if alone else terminal.entry],
                )

    def _graph(self, item: ProfileItem, reading: ItemAnalysis, words: Sequence[TsdbWord]) -> Graph:
        spans: dict[str, int] = {}
        for index, word in enumerate(words):
            spans.setdefault(word.span, index)
        try:
            return graph(reading.mrs, self._semantics, spans)
        except MrsError as error:
            raise self._error(item, reading, error.actual, error.expected) from error

    def _add_relations(self, read_graph: Graph) -> None:
        add_relations(self._builder, read_graph.edges)
        for warning in read_graph.warned:
            self._builder.count_event(f"MRS with a warning: {warning}")
        if read_graph.failed:
            self._builder.count_event(f"MRS without {self._semantics.upper()}: {read_graph.failed}")

    def _error(self, item: ProfileItem, reading: ItemAnalysis, actual: str, expected: str) -> FormatError:
        return FormatError(self._source, actual, expected, line=reading.line, sentence=item.id)


def _words(derived: Derivation, text: str) -> Iterator[list[TsdbWord]]:
    """Yield the tokens of each form: one, or several where the form's feature structures say so."""
    for terminal in derived.terminals:
        entry = derived.rules[terminal.entry]
        vertices = range(entry.start, entry.start + len(terminal.tokens) + 1)
        spans = pairwise(vertices) if len(terminal.tokens) > 1 else [(entry.start, entry.end)]
        yield [_word(terminal, index, *span, text) for index, span in enumerate(spans)]


def _word(terminal: DerivationTerminal, index: int, start: int, end: int, text: str) -> TsdbWord:
    """Return the token of a form: as in the text where its characters are known, else as written."""
    structure = terminal.tokens[index] if terminal.tokens else ""
    begin, stop, tag = FROM.search(structure), TO.search(structure), TAG.search(structure)
    form = terminal.form
    if len(terminal.tokens) > 1:
        quoted, parts = QUOTED.fullmatch(structure), form.split(" ")
        if quoted:
            form = quoted[1]
        elif len(parts) == len(terminal.tokens):
            form = parts[index]
    if begin is None or stop is None:
        return TsdbWord(form, f"<{start}:{end}>")
    first, last = int(begin[1]), int(stop[1])
    form, xpos = text[first:last].strip() or form, tag[1] if tag else ""
    return TsdbWord(form, f"<{first}:{last}>", xpos, f"From={first}|To={last}")
