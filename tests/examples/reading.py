"""Small readers and the preprocessing for the test of the embedded corpora.

Independent of the package on purpose: the corpora are test data for the package's own readers.
"""

import re
from dataclasses import dataclass, field
from pathlib import Path


@dataclass
class Node:
    """A word (position set) or a phrase (children set)."""

    label: str
    function: str = ""
    word: str | None = None
    position: int = -1
    children: list["Node"] = field(default_factory=list)

    def positions(self) -> list[int]:
        if self.word is not None:
            return [self.position]
        return sorted(p for child in self.children for p in child.positions())

    def nodes(self):
        yield self
        for child in self.children:
            yield from child.nodes()

    def phrases(self):
        return (node for node in self.nodes() if node.word is None)


@dataclass
class Sentence:
    number: int
    words: list[Node]
    roots: list[Node]
    secondary: list[tuple[str, str]]

    def phrases(self):
        return (node for root in self.roots for node in root.phrases())


def punctuation(word: Node) -> bool:
    return word.label.startswith("$")


def read_export(path: Path) -> list[Sentence]:
    text = path.read_text(encoding="utf-8")
    blocks = re.findall(r"^#BOS (\d+)[^\n]*\n(.*?)^#EOS (\d+)$", text, re.M | re.S)
    sentences = []
    for number, body, end in blocks:
        assert number == end
        words, phrases, parents, secondary = [], {}, [], []
        for line in body.splitlines():
            form, lemma, label, morph, function, parent, *rest = line.split("\t")
            assert lemma
            assert morph
            phrase = re.fullmatch(r"#(\d{3,})", form)
            if phrase:
                node = phrases[phrase[1]] = Node(label, function)
            else:
                node = Node(label, function, form, len(words))
                words.append(node)
            parents.append((node, parent))
            secondary += list(zip(rest[::2], rest[1::2], strict=True))
        roots = []
        for node, parent in parents:
            (roots if parent == "0" else phrases[parent].children).append(node)
        assert all(target in phrases for _, target in secondary)
        sentences.append(Sentence(int(number), words, roots, secondary))
    return sentences


FUNCTION_MARKS = {"tiger": "-", "tuebadz": ":"}
"""What precedes a function in the labels and tags of a scheme."""


def read_brackets(path: Path) -> list[Node | None]:
    mark = FUNCTION_MARKS[path.name.partition(".")[0]]
    return [read_tree(line, mark) for line in path.read_text(encoding="utf-8").splitlines()]


def read_tree(line: str, mark: str) -> Node | None:
    if line == "(())":
        return None
    stack, words = [Node("")], 0
    for opening, label, word in re.findall(r"(\()([^\s()]+)(?: ([^\s()]+))?|\)", line):
        if not opening:
            node = stack.pop()
            stack[-1].children.append(node)
        else:
            category, _, function = unescape(label).partition(mark)
            stack.append(Node(category, function))
            if word:
                stack[-1].word, stack[-1].position = unescape(word), words
                words += 1
    assert len(stack) == 1
    assert len(stack[0].children) == 1
    return stack[0].children[0]


def unescape(text: str) -> str:
    return text.replace("-LRB-", "(").replace("-RRB-", ")")


def shape(node: Node, tags: bool = True):
    """What two trees must share to be the same tree; with tags=False, the same brackets."""
    if node.word is not None:
        return (node.label if tags else "", node.word)
    children = sorted(node.children, key=lambda child: child.positions()[0])
    return (node.label, tuple(shape(child, tags) for child in children))


def edges(root: Node):
    """The function of each edge between two brackets, and between a bracket and a word, by their words."""
    found = {}
    for node in root.phrases():
        for child in node.children:
            below = "" if child.word is not None else child.label
            key = (below, tuple(child.positions()), node.label, tuple(node.positions()))
            found.setdefault(key, []).append(child.function.replace("--", ""))
    return found


def preprocessed(sentence: Sentence) -> Node:
    """Return the gold tree as a parser would print it: one root, no crossing branches, punctuation inside."""
    content = [word.position for word in sentence.words if not punctuation(word)]
    rank = {position: i for i, position in enumerate(content)}
    root = Node("VROOT")
    for child in sentence.roots:
        if child.word is None or not punctuation(child):
            retained, raised = untangle(child, rank)
            root.children += [retained, *raised]
    trails = {}

    def walk(node, trail):
        if node.word is not None:
            trails[node.position] = trail
        for child in node.children:
            walk(child, [*trail, node])

    walk(root, [])
    for word in sentence.words:
        if punctuation(word):
            before = [p for p in content if p < word.position]
            after = [p for p in content if p > word.position]
            host = root
            if before and after:
                shared = zip(trails[before[-1]], trails[after[0]], strict=False)
                host = [a for a, b in shared if a is b][-1]
            host.children.append(Node(word.label, "", word.word, word.position))
    return root


def untangle(node: Node, rank: dict[int, int]) -> tuple[Node, list[Node]]:
    """Return a continuous copy of the node, and the children that must go to its parent."""
    if node.word is not None:
        return Node(node.label, node.function, node.word, node.position), []
    head = head_child(node)
    copies, centre = [], None
    for child in node.children:
        copy, raised = untangle(child, rank)
        copies += [copy, *raised]
        if child is head:
            centre = copy
    copies.sort(key=lambda child: child.positions()[0])
    at = next(i for i, copy in enumerate(copies) if copy is centre)
    first = last = at
    while first > 0 and touching(copies[first - 1], copies[first], rank):
        first -= 1
    while last + 1 < len(copies) and touching(copies[last], copies[last + 1], rank):
        last += 1
    retained = Node(node.label, node.function, children=copies[first : last + 1])
    return retained, copies[:first] + copies[last + 1 :]


def touching(left: Node, right: Node, rank: dict[int, int]) -> bool:
    return rank[left.positions()[-1]] + 1 == rank[right.positions()[0]]


def head_child(node: Node) -> Node:
    """HD; else placeholder of a correlate, preposition or first conjunct; else the last kernel element."""
    children = sorted(node.children, key=lambda child: child.positions()[0])
    for function in ("HD", "PH", "AC", "CJ", "DM"):
        for child in children:
            if child.function == function:
                return child
    kernel = [child for child in children if child.function in ("NK", "PNC")]
    return kernel[-1] if kernel else children[0]
