"""Trees written as brackets with positions, made into treebanks for the tests of converters.

``(S (VP:OC 0=Bücher/NN:OA 2=gelesen/VVPP:HD) 1=hat/VAFIN:HD)``: a word is position=form/tag, a
function follows a colon.
"""

import re

from crossbank.treebanks import Treebank
from crossbank.treebanks.builder import TreebankBuilder

TOKEN_OR_BRACKET = re.compile(r"\(([^\s()]*)|(\))|(\d+)=([^\s/]+)/([^\s()]+)")


def bank_of(*sentences: str) -> Treebank:
    builder = TreebankBuilder("test")
    for number, sentence in enumerate(sentences, 1):
        builder.sentence(id=str(number))
        stack, words, nodes = [], {}, 0
        for label, close, position, form, tag in TOKEN_OR_BRACKET.findall(sentence):
            if close:
                stack.pop()
            elif position:
                pos, _, function = tag.partition(":")
                words[int(position)] = (form, pos, function, stack[-1] if stack else -1)
            else:
                category, _, function = label.partition(":")
                builder.node(label=category, function=function, parent=stack[-1] if stack else -1)
                stack.append(nodes)
                nodes += 1
        assert sorted(words) == list(range(len(words)))
        for _, (form, pos, function, parent) in sorted(words.items()):
            builder.token(form=form, pos=pos, function=function, parent=parent)
    return builder.build()


def render(bank: Treebank, sentence: int = 0, functions: bool = False) -> str:
    """Return the tree of a sentence in the same notation, without forms and tags: ``(S (VP 0 2) 1)``."""
    tokens, nodes = bank.tokens.rows(sentence), bank.nodes.rows(sentence)
    children: dict[int, list[tuple[int, str]]] = {}

    def mark(code: int) -> str:
        return f":{bank.vocabulary[code]}" if functions and code else ""

    for i, (parent, function) in enumerate(
        zip(bank.tokens.parent[tokens].tolist(), bank.tokens.function[tokens].tolist(), strict=True)
    ):
        children.setdefault(parent, []).append((i, f"{i}{mark(function)}"))
    labels = bank.nodes.label[nodes].tolist()
    parents, marks = bank.nodes.parent[nodes].tolist(), bank.nodes.function[nodes].tolist()
    for j in reversed(range(len(labels))):
        below = sorted(children[j])
        text = f"({bank.vocabulary[labels[j]]}{mark(marks[j])} {' '.join(text for _, text in below)})"
        children.setdefault(parents[j], []).append((below[0][0], text))
    return " ".join(text for _, text in sorted(children.get(-1, [])))


def events(bank: Treebank) -> dict[str, int]:
    return {f"{f.step}: {f.event}": f.total for f in bank.diagnosis}
