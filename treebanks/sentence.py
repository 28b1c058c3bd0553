"""One sentence of a treebank, the result of ``bank[3]``: a view without copies."""

from __future__ import annotations

from typing import TYPE_CHECKING

from crossbank.treebanks.other_libraries import conversion
from crossbank.treebanks.tables import Tables

if TYPE_CHECKING:
    from conllu import TokenList
    from nltk import Tree


class Sentence:
    """A sentence with its tokens and its analysis; terminals print it as text, notebooks draw it.

    bank   the treebank
    index  the sentence's number in it, from 0
    """

    def __init__(self, bank: Tables, index: int) -> None:
        self.bank, self.index = bank, index

    @property
    def id(self) -> str:
        """Identifier that the file gives the sentence, else its number in the file, from 1."""
        return self.bank.sentence_id(self.index)

    @property
    def words(self) -> list[str]:
        """Forms of the tokens."""
        return self.bank.words(self.index)

    @property
    def tags(self) -> list[str]:
        """Tags of the tokens: in CoNLL-U the universal ones."""
        return self._strings("pos")

    @property
    def lemmas(self) -> list[str]:
        """Lemmas of the tokens."""
        return self._strings("lemma")

    @property
    def heads(self) -> list[int]:
        """Indices of the tokens' heads, from 0, or ``crossbank.treebanks.ROOT`` or ``UNATTACHED``."""
        heads: list[int] = self.bank.tokens.head[self.bank.tokens.rows(self.index)].tolist()
        return heads

    @property
    def relations(self) -> list[str]:
        """Relations of the tokens to their heads."""
        return self._strings("relation")

    @property
    def text(self) -> str:
        """Forms, joined by spaces."""
        return " ".join(self.words)

    def tree(self, *, indices: bool = False) -> Tree:
        """Return the constituents as an ``nltk.Tree``: see ``treebanks.in_memory.nltk_trees``.

        With ``indices`` leaves are positions, and constituents may be discontinuous. Raises
        ConversionError for a discontinuous constituent without ``indices``.
        """
        tree: Tree = conversion("to_tree")(self.bank, self.index, indices=indices)
        return tree

    def token_list(self) -> TokenList:
        """Return the tokens as a ``conllu.TokenList``: see ``treebanks.in_memory.token_lists``."""
        tokens: TokenList = conversion("to_token_list")(self.bank, self.index)
        return tokens

    def __len__(self) -> int:
        """Return the number of tokens."""
        return int(self.bank.tokens.lengths()[self.index])

    def __repr__(self) -> str:
        return f"<Sentence {self.id}: {self.text}>\n{self}"

    def __str__(self) -> str:
        return str(conversion("to_text")(self.bank, self.index))

    def _repr_html_(self) -> str:
        """Return the tree, the dependencies or both as SVG, under the identifier and the words."""
        return str(conversion("to_html")(self.bank, self.index))

    def _strings(self, column: str) -> list[str]:
        codes = getattr(self.bank.tokens, column)[self.bank.tokens.rows(self.index)]
        return self.bank.vocabulary.decode(codes)
