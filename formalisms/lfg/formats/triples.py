"""F-structures as triples, as the PARC 700 Dependency Bank writes them: ``subj(see~1, dog~2)``.

A node is its predicate and a name that only tells nodes apart, ``see~1``; ``_~7`` has no predicate. Anything
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
from collections.abc import Iterator

from crossbank.formalisms.lfg.fstructures import Arguments
from crossbank.treebanks.builder import TreebankBuilder
from crossbank.treebanks.errors import FormatError
from crossbank.treebanks.formats.format import Format
from crossbank.treebanks.formats.text_files import reading_text, writing
from crossbank.treebanks.formats.tokenizer import END, UNKNOWN, Piece, Pieces
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

PIECE = re.compile(
    r"[ \t]*(?:'(?P<quoted>(?:[^'\\\n]|\\.)*)'(?=[\s(),~\[\]])|(?P<plain>[^\s()\[\],~]+)|(?P<sign>[()\[\],~])"
    rf"|\n|(?P<{UNKNOWN}>.))"
)
PROPERTY = re.compile(r"\s*(\w+)\((.*)\)\s*")
BARE = re.compile(r"[^\s()\[\],~']+")
NAME = re.compile(r"\w[\w.]*")
OWN = frozenset(("id", "sentence_form", "analysis", "chosen", "score"))
"""The properties of a sentence that are no comments."""

UNWRITABLE = {
    "tokens.form": rf"{LINE_BREAK}|\u00a0|^$",
    "sentences.id": LINE_BREAK,
    "sentences.comments": r"\r",
    "sentences.score": LINE_BREAK,
    **{f"relations.{column}": LINE_BREAK for column in Relations.STRINGS},
}
"""Strings that a line cannot hold."""

NO_PREDICATE = "_"
FORM = "a triple, such as subj(see~1, dog~2)"
NO_BREAK = "\u00a0"


# Reading


class _Reader:
    """Reads the sentences of a text, line by line in front of their triples."""

    def __init__(self, text: str, source: str) -> None:
        self._lines = text.split("\n")
        self._source = source
        self._builder = TreebankBuilder(source)
        self._line = 0
        self._pieces = Pieces((), 0, FORM, self._unexpected)
        self._last_id, self._analysis = "", 0

    def read(self) -> Treebank:
        has_sentence = False
        while self._line < len(self._lines):
            line = self._lines[self._line].strip()
            if not line:
                self._line += 1
                continue
            has_sentence = True
            if re.match(r"sentence\(\s*$", line):
                self._sentence()
            else:
                self._builder.sentence(line=self._line + 1)
                self._triples(enclosed=False)
        if not has_sentence:
            raise self._error(1, "no sentence", "at least one")
        return self._builder.build()

    def _error(self, line: int, actual: str, expected: str) -> FormatError:
        return FormatError(self._source, actual, expected, line=line)

    def _sentence(self) -> None:
        """Read ``sentence(``, its properties and its triples."""
        first = self._line + 1
        properties: dict[str, str] = {}
        comments: list[str] = []
        for number in range(first, len(self._lines)):
            line = self._lines[number].strip()
            if re.match(r"structure\(", line):
                self._lines[number] = line.removeprefix("structure(")
                self._line = number
                break
            match = PROPERTY.fullmatch(line)
            if match is None and line:
                raise self._error(number + 1, repr(line[:40]), "a property, such as id(x), or structure(")
            if match is None:
                continue
            key, value = match.groups()
            if key in OWN:
                properties[key] = value
            else:
                comments.append(value if key == "comment" else f"{key} = {value}")
        else:
            raise self._error(first, "a sentence without 'structure('", "one after its properties")
        self._begin(first, properties, comments)
        words = properties.get("sentence_form", "").split(" ")
        words = [word.replace(NO_BREAK, " ") for word in words if word]
        if words:
            self._builder.tokens(form=words)
        self._triples(enclosed=True)

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

    def _triples(self, *, enclosed: bool) -> None:
        """Read triples to the brackets that close the sentence, or to a blank line."""
        self._pieces = Pieces(self._split(enclosed), 0, FORM, self._unexpected)
        edges: list[Relation] = []
        while not self._pieces.is_sign(")") and self._pieces.next.kind != END:
            if self._pieces.is_sign(",") and edges:
                self._pieces.take()
            else:
                edges.append(self._triple())
        if enclosed:
            self._pieces.sign(")")
            self._pieces.sign(")")
            if self._pieces.next.kind != END:
                raise self._pieces.unexpected("the end of the line")
        elif self._pieces.next.kind != END:
            raise self._pieces.unexpected(FORM)
        ends = [node for edge in edges for node in (edge.head, edge.dependent) if node.tag]
        words = {node.tag: node.word for node in ends if node.word}
        for node in ends:
            if node.word != words.get(node.tag, ""):
                actual = f"{node.word}~{node.tag} and {words[node.tag]}~{node.tag}"
                raise self._error(self._line, actual, "one word a node")
        add_relations(self._builder, edges)

    def _split(self, enclosed: bool) -> Iterator[Piece]:
        """Yield the pieces of the lines to come; the next line to read is the one past the last piece."""
        depth = 2 if enclosed else 0
        while self._line < len(self._lines):
            line = self._lines[self._line]
            if not enclosed and not line.strip():
                return
            self._line += 1
            for match in PIECE.finditer(f"{line.rstrip()}\n"):
                if kind := match.lastgroup:
                    text = re.sub(r"\\(.)", r"\1", match[kind]) if kind == "quoted" else match[kind]
                    depth += (match["sign"] == "(") - (match["sign"] == ")")
                    yield Piece(kind, text, self._line)
                    if kind == UNKNOWN:
                        return
            if enclosed and depth <= 0:
                return

    def _unexpected(self, piece: Piece, expected: str) -> FormatError:
        if piece.kind == END:
            return self._error(len(self._lines), "the end of the sentence", expected)
        return self._error(piece.place, repr(piece.text[:40]), expected)

    def _word(self, expected: str) -> str:
        return self._pieces.expect(expected, "quoted", "plain").text

    def _triple(self) -> Relation:
        name = self._word(FORM)
        self._pieces.sign("(")
        line = self._pieces.next.place
        head = self._node("a node, such as see~1")
        if not head.tag:
            raise self._error(line, repr(head.word), "a node, such as see~1")
        self._pieces.sign(",")
        form = ""
        if (self._pieces.next.kind, self._pieces.next.text) == ("plain", "sf"):
            dependent, form = self._semantic_form()
        else:
            dependent = self._node("a node or an atom")
        self._pieces.sign(")")
        return Relation(name, head, dependent, form)

    def _node(self, expected: str) -> Word:
        is_quoted = self._pieces.next.kind == "quoted"
        word = self._word(expected)
        if not self._pieces.is_sign("~"):
            return Word(word)
        self._pieces.take()
        line = self._pieces.next.place
        name = self._word("a node's name after '~'")
        if not NAME.fullmatch(name):
            raise self._error(line, f"the node's name {name[:20]!r}", "letters and digits")
        return Word("" if word == NO_PREDICATE and not is_quoted else word, tag=name)

    def _semantic_form(self) -> tuple[Word, str]:
        """Read ``sf(see, 5, [dog~2], [])``, or the atom ``sf``."""
        word = self._pieces.take().text
        if not self._pieces.is_sign("("):
            return Word(word), ""
        self._pieces.sign("(")
        word = self._word("a predicate")
        self._pieces.sign(",")
        line = self._pieces.next.place
        identifier = self._word("an identifier")
        if not identifier.isalnum():
            raise self._error(line, f"the identifier {identifier[:20]!r}", "letters and digits")
        lists = []
        for _ in range(2):
            self._pieces.sign(",")
            self._pieces.sign("[")
            names: list[str] = []
            while not self._pieces.is_sign("]"):
                if names:
                    self._pieces.sign(",")
                node = self._node("a node or NULL")
                name = node.tag or node.word
                if not NAME.fullmatch(name):
                    raise self._error(line, f"the argument {name[:20]!r}", "a node or NULL")
                names.append(name)
            self._pieces.sign("]")
            lists.append(tuple(names))
        self._pieces.sign(")")
        return Word(word), str(Arguments(identifier, *lists))


# Writing


def dumps(bank: Treebank) -> str:
    """F-structures as triples.

    Raises ConversionError for a relation that is not between their nodes, for line breaks, and for words with
    a no-break space, which stands for a blank.
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
        is_property = equals and re.fullmatch(r"\w+", key) and key not in (*OWN, "comment", "structure")
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


load, loads = reading_text(lambda text, source: _Reader(text, source).read())
dump = writing(dumps)
