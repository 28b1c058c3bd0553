"""What is true of a source of sentences as a whole, whichever of its sentences one looks at."""

from __future__ import annotations

from dataclasses import dataclass

from crossbank.treebanks.treebank import Treebank


@dataclass(frozen=True)
class Facts:
    """What a source holds.

    Conversions and metrics depend on it. So each chunk of a source is treated by the facts of the source: a
    chunk may have no parse, or no sentence with several analyses, where the source has some.

    file  where the first sentence was read from
    """

    has_constituents: bool = False
    has_dependencies: bool = False
    has_relations: bool = False
    has_tags: bool = False
    has_several_analyses: bool = False
    file: str = ""

    @classmethod
    def of(cls, bank: Treebank) -> Facts:
        """Return the facts of a treebank."""
        return cls(
            bank.has_constituents,
            bank.has_dependencies,
            bank.has_relations,
            bank.has_tags,
            bank.has_several_analyses,
            bank.vocabulary[int(bank.sentences.source[0])] if len(bank) else "",
        )

    @property
    def is_analysed(self) -> bool:
        """Whether a sentence has an analysis."""
        return self.has_constituents or self.has_dependencies or self.has_relations

    def __or__(self, other: Facts) -> Facts:
        """Return the facts of two runs of sentences, one after the other."""
        if self == other:
            return self
        return Facts(
            self.has_constituents or other.has_constituents,
            self.has_dependencies or other.has_dependencies,
            self.has_relations or other.has_relations,
            self.has_tags or other.has_tags,
            self.has_several_analyses or other.has_several_analyses,
            self.file or other.file,
        )
