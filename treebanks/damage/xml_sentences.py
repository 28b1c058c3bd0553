"""Damage of formats of XML: where sentences begin, and which elements are closed.

A sentence goes from its element's tag to the next one. In it missing end tags are added and those of no open
element dropped, tags that are not XML become text that is dropped, and signs that XML escapes are escaped.
"""

from __future__ import annotations

import codecs
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from crossbank.treebanks.damage.rules import DamageRules, Repaired

ENDS_ADDED = "end tags added"
ENDS_DROPPED = "end tags dropped"
TAGS_DROPPED = "tags that are not XML dropped"
ESCAPED = "signs escaped"
REPEATED = "identifiers of other sentences"

_ATTRIBUTE = r"""\s+[^\W\d][\w:.-]*\s*=\s*(?:"[^"<]*"|'[^'<]*')"""
_TAG = re.compile(rf"<(/?)([^\W\d][\w:.-]*)((?:{_ATTRIBUTE})*)\s*(/?)>")
_ITEM = re.compile(rf"{_TAG.pattern}|<!--(?:(?!-->).)*-->|<[^<>\n]*>?|[^<]+", re.DOTALL)
_AMPERSAND = re.compile(r"&(?!\w+;|#[0-9]+;|#x[0-9a-fA-F]+;)")
_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclass(frozen=True)
class _XmlFormat:
    """A format of XML.

    sentence  the element of a sentence
    id        the element of its identifier and the attribute with it
    frame     the elements around sentences
    around    further elements, which may begin in one sentence and end in another
    empty     a sentence without a parse, with an identifier in it
    unique    whether no two sentences have the same identifier
    goes_on   whether what comes after the end of a sentence may belong to it
    """

    sentence: str
    id: tuple[str, str]
    frame: tuple[str, ...]
    empty: str
    around: tuple[str, ...] = ()
    unique: bool = False
    goes_on: bool = False

    def split(self, text: str) -> list[str]:
        """Return the sentences, before them the head and after them the foot of a text."""
        begins = {match.start() for match in re.finditer(rf"<{self.sentence}[ \t\n>]", text)}
        begins.update(self._damaged_begins(text))
        ordered = sorted(begins)
        bounds = [0, *ordered, self._foot(text, ordered[-1] if ordered else 0), len(text)]
        return [text[begin:end] for begin, end in pairwise(bounds)]

    def _damaged_begins(self, text: str) -> Iterator[int]:
        """Yield where a sentence begins whose tag is damaged: after the one before it, or after the head."""
        names = "|".join((self.sentence, *self.frame))
        other = rf"\s*(?=[^\s<]|<(?!/|!|(?:{names})[\s>]))"
        root = re.search(r"<([^\W\d][\w:.-]*)[^<>]*>", text)
        after = ["<body>"] if self.frame else []
        after += [] if self.goes_on else [f"</{self.sentence}>"]
        yield from (match.end() for match in re.finditer(rf"(?:{'|'.join(after)}){other}", text))
        if root and not self.frame and root[1] != self.sentence:
            first = re.compile(other).match(text, root.end())
            if first:
                yield first.end()

    def _foot(self, text: str, begin: int) -> int:
        """Return where the last sentence, which begins there, ends."""
        root = re.search(r"<([^\W\d][\w:.-]*)", text)
        names = {*self.frame, root[1] if root else self.sentence} - {self.sentence}
        frame = (
            re.compile(rf"</(?:{'|'.join(map(re.escape, names))})\s*>").search(text, begin) if names else None
        )
        end = text.find(f"</{self.sentence}>", begin)
        after = end + len(self.sentence) + 3 if end >= 0 else len(text)
        return max(frame.start() if frame else after, begin)

    def without_parse(self, block: str) -> str:
        """Return a sentence with the identifier of a damaged one, and the frame's tags after that."""
        name = self._identifier(block)
        return self.empty.format(id=name or "s_damaged") + self._frame_of(block) + "\n"

    def _identifier(self, block: str) -> str:
        element, attribute = self.id
        match = re.search(rf"""<{element}\b[^<>]*?\s{attribute}\s*=\s*("[^"<&]*"|'[^'<&]*')""", block)
        return _NO_XML.sub("", match[1][1:-1]).replace('"', "&quot;") if match else ""

    def _frame_of(self, block: str) -> str:
        """Return the tags of elements that begin before a sentence or end after it."""
        frame: list[str] = []
        open_elements: list[tuple[str, str]] = []
        for match in _TAG.finditer(block):
            tag, is_end, name = match[0], match[1], match[2]
            if match[4] or name not in (*self.frame, *self.around):
                continue
            if not is_end:
                open_elements.append((name, tag))
            elif any(name == one for one, _ in open_elements):
                while open_elements.pop()[0] != name:
                    pass
            else:
                frame.append(tag)
        return "".join([*frame, *(tag for _, tag in open_elements)])

    def find_damaged(self, blocks: Sequence[str]) -> Iterable[int]:
        """Yield the indices of sentences with the identifier of one before."""
        known: set[str] = set()
        for index, block in enumerate(blocks) if self.unique else ():
            if not block.startswith(f"<{self.sentence}"):
                continue
            name = self._identifier(block)
            if name in known:
                yield index
            known.add(name)

    def repair(self, block: str) -> Repaired:
        """Return a sentence whose elements are closed; nothing for a block that does not begin with one."""
        begin = _TAG.match(block)
        if begin is None or begin[2] != self.sentence or begin[4]:
            return Repaired("", Counter())
        kinds: Counter[str] = Counter()
        open_elements: list[str] = []
        output: list[str] = []
        for match in _ITEM.finditer(_NO_XML.sub("\ufffd", block)):
            item = match[0]
            is_end, name = match[1], match[2]
            if name in self.frame or name in self.around:
                if match[4]:
                    output.append(_escape(item, kinds))
            elif name and is_end:
                output.append(_end(name, open_elements, kinds))
            elif name:
                output.append(_escape(item, kinds))
                if not match[4]:
                    open_elements.append(name)
            elif not item.startswith("<"):
                output.append(_escape(item, kinds))
            elif not item.startswith("<!--"):
                kinds[TAGS_DROPPED] += 1
        kinds[ENDS_ADDED] += len(open_elements)
        output += (f"</{name}>" for name in reversed(open_elements))
        return Repaired("".join(output).rstrip() + self._frame_of(block) + "\n", +kinds)


def _end(name: str, open_elements: list[str], kinds: Counter[str]) -> str:
    """Return the end tag of an element, after those of the elements in it."""
    if name not in open_elements:
        kinds[ENDS_DROPPED] += 1
        return ""
    ends = []
    while True:
        ends.append(open_elements.pop())
        if ends[-1] == name:
            break
    kinds[ENDS_ADDED] += len(ends) - 1
    return "".join(f"</{one}>" for one in ends)


def _escape(text: str, kinds: Counter[str]) -> str:
    text, number = _AMPERSAND.subn("&amp;", text)
    kinds[ESCAPED] += number
    return text


def _declared_encoding(data: bytes) -> str | None:
    declared = re.match(rb"""\s*<\?xml\b[^>]*?\bencoding\s*=\s*["']([\w.-]+)""", data)
    try:
        return codecs.lookup(declared[1].decode("ascii")).name if declared else None
    except LookupError:
        return None


def _rules(format: _XmlFormat) -> DamageRules:
    return DamageRules(
        format.split,
        format.repair,
        format.without_parse,
        format.find_damaged,
        frames=(1, 1),
        has_marks=True,
        declared_encoding=_declared_encoding,
    )


TIGERXML = _rules(
    _XmlFormat(
        "s",
        ("s", "id"),
        ("body", "corpus", "subcorpus"),
        '<s id="{id}"><graph/></s>',
    )
)
EXPORTXML = _rules(
    _XmlFormat(
        "sentence",
        ("sentence", "xml:id"),
        ("exml-doc", "exportxml", "body", "text"),
        '<sentence xml:id="{id}"></sentence>',
        around=("topic", "edu", "edu-range"),
        unique=True,
        goes_on=True,
    )
)
ALPINO = _rules(
    _XmlFormat(
        "alpino_ds",
        ("sentence", "sentid"),
        (),
        '<alpino_ds><sentence sentid="{id}"></sentence></alpino_ds>',
    )
)
