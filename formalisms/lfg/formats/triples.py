"""F-structures as triples, in the notation of the PARC 700 Dependency Bank: ``subj(see~1, dog~2)``.

A node is its predicate and a distinguishing name, ``see~1``; ``_~7`` has no predicate. Anything
else is an atom: ``num(dog~2, sg)``. A word with a blank, a bracket, a comma or a tilde is quoted. Semantic
forms keep their identifiers and arguments: ``pred(see~1, sf(see, 5, [dog~2], []))``. A sentence is

    sentence(
    id(wsj_1305.mrg)
    sentence_form(The dog sees .)
    structure(
    subj(see~1, dog~2)
    num(dog~2, sg)
    ))

where other lines in front of ``structure`` are kept as comments (``validators(...)``), or triples alone,
sentences separated by blank lines. Several analyses of a sentence (``treebanks.readings``) are sentences with
``analysis(1)``, ``analysis(2)`` ... and ``chosen(yes)`` in the one that is marked. The words of
``sentence_form`` are its tokens; a blank inside a word is written as a no-break space. Relations are kept as
``formalisms.lfg.fstructures`` says.

Source: King, Tracy Holloway, Richard Crouch, Stefan Riezler, Mary Dalrymple and Ronald Kaplan (2003): The
PARC 700 Dependency Bank. LINC.
"""

from __future__ import annotations

import re

from crossbank.formalisms.lfg.fstructures import Arguments
from crossbank.treebanks.builder import TreebankBuilder
from crossbank.treebanks.errors import FormatError
from crossbank.treebanks.formats.format import Format
from crossbank.treebanks.formats.prolog_terms import (
    Compound,
    Operation,
    Quoted,
    Term,
    TermNotation,
    line_at,
    written_term,
)
from crossbank.treebanks.formats.text_files import reading_text, writing
from crossbank.treebanks.formats.unwritable_strings import LINE_BREAK, refuse_strings
from crossbank.treebanks.relations.relation import Relation, Word, add_relations, relations_of
from crossbank.treebanks.tables import Relations, whole_number
from crossbank.treebanks.treebank import Treebank

FORMAT = Format(
    position=210,
    suffixes=(".triples",),
    nbest=True,
    relations=True,
    scheme="lfg",
    holds={"relations", "identifiers", "comments"},
    begins=(r"\s*sentence\(\s*id\(",),
    rank=1,
)

DAMAGE = "crossbank.formalisms.lfg.formats.damaged_fstructures:TRIPLES"

NOTATION = TermNotation(
    r"[^\s()\[\],~]+",
    "~",
    blank=r"\s",
    quoted=r"'((?:[^'\\\n]|\\.)*)'(?=[\s(),~\[\]]|\Z)",
    has_full_stops=False,
)

PROPERTY = re.compile(r"\s*(\w+)\((.*)\)\s*")
BARE = re.compile(r"[^\s()\[\],~']+")
NAME = re.compile(r"\w[\w.]*")
SENTENCE_PROPERTIES = frozenset(("id", "sentence_form", "analysis", "chosen", "score"))
"""The properties of a sentence that are not comments."""

UNWRITABLE = {
    "tokens.form": rf"{LINE_BREAK}|\u00a0|^$",
    "sentences.id": LINE_BREAK,
    "sentences.comments": r"\r",
    "sentences.score": LINE_BREAK,
    **{f"relations.{column}": LINE_BREAK for column in Relations.STRINGS},
}
"""Strings, by column, that a line cannot hold."""

NO_PREDICATE = "_"
FORM = "a triple, such as subj(see~1, dog~2)"
NO_BREAK = "\u00a0"


# Reading


BEGIN = re.compile(r"sentence\(\s*")


class _TriplesReader:
    """Reader of a text's sentences, line by line before their triples."""

    def __init__(self, text: str, source: str) -> None:
        self._lines = text.split("\n")
        self._source = source
        self._builder = TreebankBuilder(source)
        self._last_id, self._analysis = "", 0

    def read(self) -> Treebank:
        """Read sentences: each ends before the next ``sentence(``, or with a blank line."""
        lines, begin = self._lines, 0
        has_sentence = False
        while begin < len(lines):
            is_enclosed = BEGIN.fullmatch(lines[begin].strip()) is not None
            end = begin + 1
            if lines[begin].strip():
                has_sentence = True
                while end < len(lines) and (is_enclosed or lines[end].strip()):
                    if BEGIN.fullmatch(lines[end].strip()):
                        break
                    end += 1
                if is_enclosed:
                    self._sentence(begin, end)
                else:
                    self._builder.sentence(line=begin + 1)
                    self._add_triples(begin, "\n".join(lines[begin:end]))
            begin = end
        if not has_sentence:
            raise self._error(1, "no sentence", "at least one")
        return self._builder.build()

    def _error(self, line: int, actual: str, expected: str) -> FormatError:
        return FormatError(self._source, actual, expected, line=line)

    def _sentence(self, first: int, end: int) -> None:
        """Read ``sentence(``, its properties and its triples, which end with a line."""
        properties: dict[str, str] = {}
        comments: list[str] = []
        for number in range(first + 1, end):
            line = self._lines[number].strip()
            if line.startswith("structure("):
                break
            match = PROPERTY.fullmatch(line)
            if match is None and line:
                raise self._error(number + 1, repr(line[:40]), "a property, such as id(x), or structure(")
            if match is None:
                continue
            key, value = match.groups()
            if key in SENTENCE_PROPERTIES:
                properties[key] = value
            else:
                comments.append(value if key == "comment" else f"{key} = {value}")
        else:
            raise self._error(first + 1, "a sentence without 'structure('", "one after its properties")
        self._begin(first + 1, properties, comments)
        words = properties.get("sentence_form", "").split(" ")
        words = [word.replace(NO_BREAK, " ") for word in words if word]
        if words:
            self._builder.tokens(form=words)
        written = "\n".join(self._lines[number:end]).strip()
        if not written.endswith(")"):
            raise self._error(number + 1 + written.count("\n"), "the end of the sentence", "')'")
        self._add_triples(number, written[:-1], is_enclosed=True)

    def _begin(self, line: int, properties: dict[str, str], comments: list[str]) -> None:
        analysis = properties.get("analysis", "1")
        id = properties.get("id", "")
        if not analysis.isdecimal() or whole_number(analysis) < 1:
            raise self._error(line, f"analysis({analysis[:20]})", "a number from 1")
        number = whole_number(analysis) - 1
        if number and (number != self._analysis + 1 or id != self._last_id):
            actual = f"analysis({analysis}) of sentence {id!r}"
            raise self._error(line, actual, f"analysis({number}) of it before")
        self._last_id, self._analysis = id, number
        self._builder.sentence(
            id=id,
            line=line,
            comments="\n".join(comments),
            analysis=number,
            score=properties.get("score", ""),
            chosen=properties.get("chosen") == "yes",
        )

    def _add_triples(self, first: int, text: str, *, is_enclosed: bool = False) -> None:
        """Add the triples of a text that begins after a number of lines."""
        parts: list[Term] = []
        for clause in NOTATION.clauses(text, self._source, line=first + 1):
            parts = _parts(clause.term)
        if is_enclosed:
            if len(parts) != 1 or not isinstance(parts[0], Compound) or parts[0][0] != "structure":
                raise self._error(first + 1, "more than structure(...) in a sentence", "its triples alone")
            parts = [part for argument in parts[0][1:] for part in _parts(argument)]
        edges: list[Relation] = []
        for part in parts:
            if part == ",":
                continue
            line = first + line_at(text, part.offset) if isinstance(part, Compound) else first + 1
            try:
                edges.append(_relation(part))
            except ValueError as error:
                raise self._error(line, *error.args) from None
        ends = [node for edge in edges for node in (edge.head, edge.dependent) if node.tag]
        words = {node.tag: node.word for node in ends if node.word}
        for node in ends:
            if node.word != words.get(node.tag, ""):
                actual = f"{node.word}~{node.tag} and {words[node.tag]}~{node.tag}"
                raise self._error(first + text.count("\n") + 1, actual, "one word a node")
        add_relations(self._builder, edges)


def _parts(term: Term) -> list[Term]:
    return term.parts if isinstance(term, Operation) else [term]


def _relation(term: Term) -> Relation:
    """Return the relation of a triple. Raises ValueError(actual, expected)."""
    match term:
        case Compound((str() as name, head, dependent)):
            pass
        case _:
            raise ValueError(written_term(term), FORM)
    governor = _word(head)
    if not governor.tag:
        raise ValueError(repr(governor.word), "a node, such as see~1")
    match dependent:
        case Compound(("sf", str() as word, str() as identifier, list() as thematic, list() as other)):
            if not identifier.isalnum():
                raise ValueError(f"the identifier {identifier[:20]!r}", "letters and digits")
            arguments = Arguments(
                str(identifier), *(tuple(map(_argument, names)) for names in (thematic, other))
            )
            return Relation(str(name), governor, Word(str(word)), str(arguments))
        case Compound(("sf", *_)):
            raise ValueError(written_term(dependent), "a semantic form, such as sf(see, 5, [dog~2], [])")
    return Relation(str(name), governor, _word(dependent))


def _word(term: Term) -> Word:
    """Return a node, or an atom, whose tag is empty."""
    match _parts(term):
        case [str() as word]:
            return Word(str(word))
        case [str() as word, "~", str() as name] if NAME.fullmatch(name):
            is_empty = word == NO_PREDICATE and not isinstance(word, Quoted)
            return Word("" if is_empty else str(word), tag=str(name))
        case [str(), "~", *rest]:
            name = written_term(rest[0]) if rest else "no name"
            raise ValueError(f"{name} after '~'", "a node's name of letters and digits")
    raise ValueError(written_term(term), "a node, such as see~1, or an atom")


def _argument(term: Term) -> str:
    node = _word(term)
    name = node.tag or node.word
    if not NAME.fullmatch(name):
        raise ValueError(f"the argument {name[:20]!r}", "a node or NULL")
    return name


# Writing


def dumps(bank: Treebank) -> str:
    """Return f-structures as triples.

    Raises ConversionError for a relation that is not between their nodes, for line breaks, and for words with
    a no-break space, which represents a blank.
    """
    refuse_strings(bank, "triples", UNWRITABLE)
    several = bank.has_several_analyses
    return "\n".join(_written(bank, sentence, several) for sentence in range(len(bank)))


def _written(bank: Treebank, sentence: int, several: bool) -> str:
    table = bank.sentences
    string = bank.vocabulary.__getitem__
    lines = ["sentence("]
    if id := string(int(table.id[sentence])):
        lines.append(f"id({id})")
    for comment in string(int(table.comments[sentence])).split("\n"):
        key, equals, value = comment.partition(" = ")
        is_property = (
            equals and re.fullmatch(r"\w+", key) and key not in (*SENTENCE_PROPERTIES, "comment", "structure")
        )
        if comment:
            lines.append(f"{key}({value})" if is_property else f"comment({comment})")
    words = [word.replace(" ", NO_BREAK) for word in bank.words(sentence)]
    if words:
        lines.append(f"sentence_form({' '.join(words)})")
    if several:
        lines.append(f"analysis({int(table.analysis[sentence]) + 1})")
    if table.chosen[sentence]:
        lines.append("chosen(yes)")
    if score := string(int(table.score[sentence])):
        lines.append(f"score({score})")
    relations = relations_of(bank, sentence)
    for relation in relations:
        if not relation.head.tag or relation.further_heads or not Arguments.fit(relation.type):
            problem = f"the relation {relation.name}, which is not between nodes of an f-structure"
            raise bank.refused(sentence, f"found {problem}, expected triples")
    words_of = {
        node.tag: node.word for relation in relations for node in relation[1:3] if node.tag and node.word
    }
    for node in (node for relation in relations for node in relation[1:3] if node.tag):
        if not NAME.fullmatch(node.tag) or node.word != words_of.get(node.tag, ""):
            problem = f"{node.word}~{node.tag}, no node of an f-structure"
            expected = "one word a node, named by letters and digits"
            raise bank.refused(sentence, f"found {problem}, expected {expected}")
    return "\n".join([*lines, "structure(", *(_triple(relation, words_of) for relation in relations), "))\n"])


def _triple(relation: Relation, words: dict[str, str]) -> str:
    name, head = _quoted(relation.name), _node(relation.head.word, relation.head.tag)
    dependent = relation.dependent
    if not relation.type:
        return f"{name}({head}, {_node(dependent.word, dependent.tag)})"
    arguments = Arguments.read(relation.type)
    nodes = (
        [_node(words[name], name) if name in words else name for name in names] for names in arguments[1:]
    )
    lists = ", ".join(f"[{', '.join(one)}]" for one in nodes)
    return f"{name}({head}, sf({_quoted(dependent.word)}, {arguments.identifier}, {lists}))"


def _node(word: str, name: str) -> str:
    if not name:
        return _quoted(word)
    return f"{_quoted(word) if word else NO_PREDICATE}~{name}"


def _quoted(word: str) -> str:
    if BARE.fullmatch(word) and word not in (NO_PREDICATE, "sf"):
        return word
    escaped = word.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"


load, loads = reading_text(lambda text, source: _TriplesReader(text, source).read())
dump = writing(dumps)
