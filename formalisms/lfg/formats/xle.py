"""F-structures and c-structures as XLE writes them for Prolog, with packed choices.

A file is one sentence: ``fstructure('text', [properties], [choices], [equivalences], [constraints],
[c-structure]).`` A constraint or a part of the c-structure, ``cf(A1, eq(attr(var(0),'SUBJ'),var(9)))``,
holds in the solutions that have its context, here the choice ``A1``. Each solution is an analysis of the
sentence (``treebanks.readings``), the selected one is marked as chosen. A file without a term is a sentence
without an analysis.

relations  the feature specifications that can be reached from the outermost f-structure, as in
           ``formalisms.lfg.fstructures``, with the other projections (``m::``) that hang on it
tokens     the surface forms, with lemma, part of speech and morphological features from the c-structure
nodes      the c-structure; ``name`` is its number in the file
comments   the properties, and ``parse_quality``: ``full``, ``fragment``, ``skimmed`` or ``skimmed_fragment``

The first line may name the encoding: ``% -*- coding: iso-8859-1 -*-``. Files that
name another encoding and are valid UTF-8 (converted later) are read as UTF-8 and counted. Of more than
``SOLUTIONS`` solutions the first ones and the selected one are read; the others are counted.

Source: Crouch, Dick, et al. (2008): XLE Documentation. Palo Alto Research Center (Prolog output; the marks of
fragments, ``*``, and skimmed parses, ``~``, in the number of solutions).
"""

from __future__ import annotations

import codecs
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from itertools import chain, islice
from os import PathLike
from pathlib import PurePath
from typing import Any, NamedTuple, TypeAlias

from crossbank.formalisms.lfg.formats.xle_choices import EVERYWHERE, ChoiceError, Choices
from crossbank.formalisms.lfg.formats.xle_trees import CStructure, Subtree, SurfaceForm, XleTerminal, add_tree
from crossbank.formalisms.lfg.fstructures import IN_SET, PRED, QUALITY, Arguments
from crossbank.formalisms.lfg.fstructures import TEXT as TEXT_OF_SENTENCE
from crossbank.formalisms.lfg.fstructures import attribute as in_triples
from crossbank.treebanks.builder import TreebankBuilder
from crossbank.treebanks.errors import FormatError
from crossbank.treebanks.files import decode, read_bytes
from crossbank.treebanks.formats.format import Format
from crossbank.treebanks.formats.prolog_terms import Clause, Term, TermNotation, line_at, written_term
from crossbank.treebanks.formats.text_files import TEXT
from crossbank.treebanks.relations.relation import Relation, Word, add_relations
from crossbank.treebanks.tables import LARGEST, NO_TOKEN, whole_number
from crossbank.treebanks.treebank import Treebank

FORMAT = Format(
    position=200,
    suffixes=(".pl",),
    written=False,
    nbest=True,
    scheme="lfg",
    begins=(r"\s*(%[^\n]*\n\s*)*fstructure\(",),
)

DAMAGE = "crossbank.formalisms.lfg.formats.damaged_fstructures:XLE"

SOLUTIONS = 100
"""The number of solutions of a sentence that are unpacked. A hundred analyses of 30 words take about 2 MB."""

CODING = re.compile(rb"%.*?coding:\s*([-\w.]+)")
FRAGMENT_LABELS = frozenset(("FRAGMENT", "FRAGMENTS"))
FORMS = "fstructure(text, [properties], [choices], [equivalences], [constraints], [c-structure])"
READ = frozenset(("eq", "in_set", "subtree", "terminal", "surfaceform", "phi", "semform_data"))
NOT_READ = frozenset(("subsume", "fspan", "cproj", "semform_data_ext"))
"""Functors of facts that are read, and of those that are ignored because they add nothing to a solution."""


class Atom(NamedTuple):
    """An atom or a semantic form as a value."""

    word: str
    arguments: Arguments | None = None


class Specification(NamedTuple):
    """A feature specification: a node's number, the attribute, and a node's number or an atom."""

    node: str
    name: str
    value: str | Atom


Fact: TypeAlias = tuple[str, str, Any]
"""Functor (of equations ``attribute``, ``value`` or ``same``), subject (a node or a number), and content."""


def load(path: str | PathLike[str], *, encoding: str | None = None, solutions: int = SOLUTIONS) -> Treebank:
    """Read a file, gzipped or not, with at most this many solutions of each sentence.

    Raises FormatError, with the line, for an unknown encoding, brackets that do not match, a fact of another
    form, and a choice variable without a definition.
    """
    data = read_bytes(path, may_be_blank=True)
    declared = CODING.match(data[: data.find(b"\n") + 1 or None])
    event = ""
    if encoding is None and declared is not None:
        encoding = declared[1].decode("ascii")
        try:
            known = codecs.lookup(encoding).name
        except LookupError:
            expected = "utf-8, latin-1 or another encoding that Python has"
            raise FormatError(path, f"the encoding {encoding!r}", expected, line=1) from None
        if known != "utf-8" and _is_utf8(data):
            event, encoding = f"files that declare {encoding} and are UTF-8", "utf-8"
    return _read(decode(data, path, encoding), str(path), _name_of(path), solutions, event)


def _name_of(path: str | PathLike[str]) -> str:
    """Return the name of a file without its ending, which is its sentence's identifier."""
    return PurePath(path).name.removesuffix(".gz").rpartition(".")[0]


def declared_encoding(data: bytes) -> str | None:
    """Return the encoding that the first line of a file names; None if the file is UTF-8 nevertheless."""
    declared = CODING.match(data[: data.find(b"\n") + 1 or None])
    return None if declared is None or _is_utf8(data) else declared[1].decode("ascii")


def _is_utf8(data: bytes) -> bool:
    """Return whether bytes are UTF-8 with characters beyond ASCII.

    Text in Latin-1 hardly ever is UTF-8 by chance.
    """
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return not data.isascii()


def loads(text: str, source: str = TEXT, *, solutions: int = SOLUTIONS) -> Treebank:
    """Read sentences from a string: see ``load``."""
    return _read(text, source, "" if source == TEXT else _name_of(source), solutions)


def _read(text: str, source: str, name: str, most: int, event: str = "") -> Treebank:
    """Return the sentences of a text; ``event`` is counted for the file."""
    builder = TreebankBuilder(source)
    facts = list(TermNotation().clauses(text, source))
    for number, fact in enumerate(facts, 1):
        id = f"{name}-{number}" if name and len(facts) > 1 else name
        try:
            _add_sentence(builder, fact, id, most)
        except ChoiceError as error:
            line = line_at(text, error.offset)
            raise FormatError(source, error.actual, error.expected, line=line) from None
    if not facts:
        builder.sentence(id=name, line=1)
        builder.count_event("sentences without an analysis")
    if event:
        builder.count_event(event)
    return builder.build()


def _add_sentence(builder: TreebankBuilder, fact: Clause, id: str, most: int) -> None:
    """Add the solutions of a sentence. Raises ChoiceError if a fact is damaged."""
    match fact.term:
        case ("fstructure", str() as text, *parts) if [*map(type, parts)] == [list] * 5:
            properties, choices, equivalences, constraints, trees = parts
        case _:
            raise ChoiceError(fact.offset, written_term(fact.term), FORMS)
    packed = Choices(choices, equivalences, fact.offset)
    facts, unknown_facts = _facts(packed, [*constraints, *trees], fact.offset)
    first = packed.solutions()
    solutions = list(islice(first, most))
    has_more = next(first, None) is not None
    chosen = packed.chosen()
    if chosen is not None and chosen not in solutions:
        solutions.append(chosen)
    comments, statistics = _properties(properties)
    lines = [f"{TEXT_OF_SENTENCE} = {' '.join(text.split())}", *comments]
    contexts = packed.contexts(solutions)
    masks = [contexts.evaluate(context) for context, _ in facts]
    for number, solution in enumerate(solutions):
        pairs = zip(facts, masks, strict=True)
        solution_facts = _Solution(fact for (_, fact), mask in pairs if mask >> number & 1)
        quality = _quality(statistics, (subtree.label for subtree in solution_facts.trees.subtrees.values()))
        builder.sentence(
            id=id,
            line=fact.line,
            comments="\n".join([*lines, f"{QUALITY} = {quality}"]),
            analysis=number,
            chosen=solution == chosen,
        )
        try:
            solution_facts.write(builder)
        except ValueError as problem:
            actual = f"the c-structure node {problem} under two parents"
            raise ChoiceError(fact.offset, actual, "one parent for each node") from None
        for functor, times in unknown_facts.items() if number == 0 else ():
            builder.count_event(f"facts dropped: {functor}", times)
    if has_more:
        event, count = f"solutions dropped: more than {most}", packed.count()
        if count is None:
            builder.count_event(f"{event}, too many to be counted")
        else:
            builder.count_event(event, min(count - len(solutions), LARGEST))


def _properties(facts: Iterable[Term]) -> tuple[list[str], str]:
    """Return the properties as comments, and the property ``statistics`` (number of solutions)."""
    pairs: list[tuple[str, str]] = [
        fact for fact in facts if isinstance(fact, tuple) and [*map(type, fact)] == [str, str]
    ]
    comments = [f"{key} = {' '.join(value.split())}" for key, value in pairs]
    return comments, dict(pairs).get("statistics", "")


def _quality(statistics: str, labels: Iterable[str]) -> str:
    """Return the quality of a parse.

    XLE marks fragments and skimmed parses before the number of solutions.
    """
    marks = re.match(r"[^\d]*", statistics.strip())
    mark = marks[0] if marks else ""
    fragment = "*" in mark or not FRAGMENT_LABELS.isdisjoint(labels)
    words = ["skimmed"] * ("~" in mark) + ["fragment"] * fragment
    return "_".join(words) or "full"


def _facts(
    choices: Choices, terms: Iterable[Term], begin: int
) -> tuple[list[tuple[Term, Fact]], Counter[str]]:
    """Return the facts of all solutions, each with its context, and the number of unknown ones by functor."""
    facts: list[tuple[Term, Fact]] = []
    unknown_facts: Counter[str] = Counter()
    checked: set[Term] = {EVERYWHERE}
    for entry in terms:
        offset = getattr(entry, "offset", begin)
        match entry:
            case ("cf", context, tuple() as term) if not isinstance(context, list):
                fact = _fact(term)
            case _:
                fact = None
        if fact is None:
            raise ChoiceError(offset, written_term(entry), "a fact as XLE writes it")
        try:
            known = context in checked
        except TypeError:  # a list somewhere in it
            raise ChoiceError(
                offset, f"the context {written_term(context)}", "1 or choice variables"
            ) from None
        if not known:
            choices.variables(context, offset)
            checked.add(context)
        if term[0] in READ:
            facts.append((context, fact))
        elif term[0] not in NOT_READ:
            unknown_facts[term[0]] += 1
    return facts, unknown_facts


class _Solution:
    """One analysis: the facts that hold in a solution, resolved into tokens, nodes and relations."""

    def __init__(self, facts: Iterable[Fact]) -> None:
        self.specifications: list[Specification] = []
        self._same: dict[str, str] = {}
        self._values: dict[str, Atom] = {}
        by_functor: defaultdict[str, dict[str, Any]] = defaultdict(dict)
        for functor, key, value in facts:
            if functor == "attribute":
                self.specifications.append(value)
            elif functor == "same":
                self._same[self._root(key)] = self._root(value)
            elif functor == "value":
                self._values[key] = value
            else:
                by_functor[functor].setdefault(key, value)
        self.trees = CStructure(by_functor["subtree"], by_functor["terminal"], by_functor["surfaceform"])
        self.phi: dict[str, str] = by_functor["phi"]
        self.offsets: dict[str, int] = by_functor["semform_data"]

    def _root(self, node: str) -> str:
        """Return the representative of the nodes that are equal to a node (union-find)."""
        same = self._same
        while (other := same.get(node, node)) != node:
            same[node] = same.get(other, other)
            node = other
        return node

    def write(self, builder: TreebankBuilder) -> None:
        """Write tokens, nodes and relations. Raises ValueError for a c-structure that is not a tree."""
        begins = add_tree(builder, self.trees)
        values = {self._root(node): value for node, value in self._values.items()}
        resolved: dict[Specification, None] = {}
        for node, name, value in self.specifications:
            if isinstance(value, str):
                value = self._root(value)
                value = values.get(value, value)
            resolved.setdefault(Specification(self._root(node), name, value))
        reachable, unreachable = _reachable(list(resolved), self._root(self._outermost()))
        if unreachable:
            builder.count_event("feature specifications outside of the outermost f-structure", unreachable)
        add_relations(builder, self._edges(reachable, begins))

    def _outermost(self) -> str:
        """Return the f-structure of the c-structure's root, or the first one without a c-structure."""
        below = {part for subtree in self.trees.subtrees.values() for part in subtree[1:]}
        for number in self.trees.subtrees:
            if number not in below and number in self.phi:
                return self.phi[number]
        return self.specifications[0].node if self.specifications else "0"

    def _edges(self, specifications: list[Specification], begins: list[int]) -> Iterator[Relation]:
        nodes: dict[str, Word] = {}
        for name, attribute, value in specifications:
            if attribute == "PRED" and isinstance(value, Atom) and name not in nodes:
                identifier = value.arguments.identifier if value.arguments else ""
                nodes[name] = Word(value.word, self._token(identifier, begins), name)
        for name, attribute, value in specifications:
            source = nodes.get(name, Word(tag=name))
            written = PRED if attribute == "PRED" else in_triples(attribute)
            if isinstance(value, Atom):
                arguments = str(self._renamed(value.arguments)) if value.arguments else ""
                yield Relation(written, source, Word(value.word), arguments)
            else:
                yield Relation(written, source, nodes.get(value, Word(tag=value)))

    def _renamed(self, arguments: Arguments) -> Arguments:
        thematic, other = (
            tuple(self._root(name) for name in names) for names in (arguments.thematic, arguments.other)
        )
        return Arguments(arguments.identifier, thematic, other)

    def _token(self, identifier: str, begins: list[int]) -> int:
        """Return the token in which a semantic form begins: the last one that does not begin after it."""
        if identifier not in self.offsets:
            return NO_TOKEN
        offset = self.offsets[identifier]
        before = [token for token, begin in enumerate(begins) if begin <= offset]
        return before[-1] if before else NO_TOKEN


def _reachable(specifications: list[Specification], outermost: str) -> tuple[list[Specification], int]:
    """Return the specifications of nodes reachable from ``outermost``, in order, and the number of others."""
    below: dict[str, set[str]] = {}
    for node, _, value in specifications:
        if isinstance(value, str):
            below.setdefault(node, set()).add(value)
    reached, waiting = {outermost}, [outermost]
    while waiting:
        unvisited = below.get(waiting.pop(), set()) - reached
        reached |= unvisited
        waiting += unvisited
    reachable = [specification for specification in specifications if specification.node in reached]
    return reachable, len(specifications) - len(reachable)


def _fact(term: Term) -> Fact | None:
    """Return a fact; None if its functor is read and its arguments have another number or type."""
    match term:
        case ("eq", ("attr" | "proj", ("var", str() as node), str() as name), value) if text := _value(value):
            return "attribute", "", Specification(node, name, text)
        case ("in_set", member, ("var", str() as node)) if text := _value(member):
            return "attribute", "", Specification(node, IN_SET, text)
        case ("eq", ("var", str() as node), value) if text := _value(value):
            return "same" if isinstance(text, str) else "value", node, text
        case ("subtree", str() as number, str() as label, str() as left, str() as right):
            return "subtree", number, Subtree(label, "" if left == "-" else left, right)
        case ("terminal", str() as number, str() as form, list() as surface):
            strings = all(isinstance(one, str) for one in surface)
            return ("terminal", number, XleTerminal(form, tuple(surface))) if strings else None
        case ("surfaceform", str() as number, str() as form, begin, end) if _are_offsets(begin, end):
            return "surfaceform", number, SurfaceForm(form, whole_number(begin), whole_number(end))
        case ("phi", str() as number, ("var", str() as node)):
            return "phi", number, node
        case ("semform_data", str() as identifier, str(), begin, str()) if _are_offsets(begin):
            return "semform_data", identifier, whole_number(begin)
        case (str() as functor, *_) if functor not in READ:
            return functor, "", None
    return None


def _are_offsets(*terms: Term) -> bool:
    return all(isinstance(one, str) and one.isdecimal() and whole_number(one) < LARGEST for one in terms)


def _value(term: Term) -> str | Atom | None:
    """Return the value that a term stands for, a node's number or an atom; None for other terms."""
    match term:
        case ("var", str() as node):
            return node
        case str() as word:
            return Atom(word)
        case ("semform", str() as word, str() as identifier, list() as thematic, list() as other):
            names = [tuple(map(_name, arguments)) for arguments in (thematic, other)]
            if identifier.isalnum() and "" not in chain(*names):
                return Atom(word, Arguments(identifier, *names))
    return None


def _name(term: Term) -> str:
    """Return the name of an argument; empty if the term is not a name."""
    match term:
        case (str() as name) | ("var", str() as name):
            return name if name.isalnum() else ""
    return ""
