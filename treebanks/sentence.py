"""One sentence of a treebank, as ``bank[3]`` gives it: a view that copies nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from conllu import TokenList
    from nltk import Tree

    from crossbank.treebanks.treebank import Treebank


class Sentence:
    """A sentence with its tokens and its analysis; terminals print it as text, notebooks draw it.

    bank   the treebank
    place  the sentence's number in it, from 0
    """

    def __init__(self, bank: Treebank, place: int) -> None:
        self.bank = bank
        self.place = place

    @property
    def id(self) -> str:
        """The identifier that the file gives the sentence, else its number in the file, from 1."""
        return self.bank.sentence_id(self.place)

    @property
    def words(self) -> list[str]:
        """The forms of the tokens."""
        return self.bank.words(self.place)

    @property
    def tags(self) -> list[str]:
        """The tags of the tokens: in CoNLL-U the universal ones."""
        return self._strings("pos")

    @property
    def lemmas(self) -> list[str]:
        """The lemmas of the tokens."""
        return self._strings("lemma")

    @property
    def heads(self) -> list[int]:
        """The places of the tokens' heads, from 0; ``crossbank.treebanks.ROOT`` and ``UNATTACHED`` below."""
        heads: list[int] = self.bank.tokens.head[self.bank.tokens.rows(self.place)].tolist()
        return heads

    @property
    def relations(self) -> list[str]:
        """The relations of the tokens to their heads."""
        return self._strings("relation")

    @property
    def text(self) -> str:
        """The forms, joined by spaces."""
        return " ".join(self.words)

    def tree(self, *, indices: bool = False) -> Tree:
        """The constituents as an ``nltk.Tree``: see ``treebanks.in_memory.nltk_trees``.

        With ``indices`` leaves are positions, and constituents may be discontinuous. Raises
        ConversionError for a discontinuous constituent without ``indices``.
        """
        return self.bank.tree(self.place, indices=indices)

    def token_list(self) -> TokenList:
        """The tokens as a ``conllu.TokenList``: see ``treebanks.in_memory.token_lists``."""
        return self.bank.token_list(self.place)

    def __len__(self) -> int:
        """The number of tokens."""
        return int(self.bank.tokens.lengths()[self.place])

    def __repr__(self) -> str:
        return f"<Sentence {self.id}: {self.text}>\n{self}"

    def __str__(self) -> str:
        from crossbank.treebanks.pictures.text import heads_text, tree_text

        if self._has_tree():
            return tree_text(self.bank, self.place)
        return heads_text(self.bank, self.place)

    def _repr_html_(self) -> str:
        """The tree, the dependencies or both as SVG, under the identifier and the words."""
        from crossbank.treebanks.pictures.arcs import arcs_of, draw_arcs
        from crossbank.treebanks.pictures.drawing import svg
        from crossbank.treebanks.pictures.trees import draw_tree

        drawings = [draw_tree(self.bank, self.place)] if self._has_tree() else []
        if self.bank.select([self.place]).has_dependencies:
            drawings.append(draw_arcs(self.words, arcs_of(self.bank, self.place)))
        pictures = "".join(svg(drawing, title=f"Sentence {self.id}", alone=True) for drawing in drawings)
        from html import escape

        caption = f"<p><b>{escape(self.id)}</b> {escape(self.text)}</p>"
        return f'{caption}<div style="overflow-x:auto">{pictures}</div>'

    def _has_tree(self) -> bool:
        return bool(self.bank.nodes.lengths()[self.place])

    def _strings(self, column: str) -> list[str]:
        codes = getattr(self.bank.tokens, column)[self.bank.tokens.rows(self.place)]
        return self.bank.vocabulary.decode(codes)
