"""Head-lexicalised parser of constituents: a treebank grammar whose rules and words depend on heads.

Carroll, Glenn, and Mats Rooth (1998): Valence Induction with a Head-Lexicalized PCFG. EMNLP. Beil, Franz, et
al. (2002): Evaluation of the Gramotron Parser for German. Beyond PARSEVAL, sections 4 and 5.1. The grammar is
re-estimated without heads first. Then each rule gets the same probability with every head, all heads are
equally probable, and the lexicalised grammar is re-estimated.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Any, Literal

import numpy as np

from crossbank.parsers import bitpar
from crossbank.parsers.headed_grammar import HeadedGrammar, Pooling
from crossbank.parsers.lexical_counts import LexicalCounts, LexicalModel
from crossbank.parsers.lexicalised_estimation import (
    CodedSentence,
    best_derivations,
    inside_probabilities,
    reestimate,
)
from crossbank.parsers.packed_forests import Packer
from crossbank.parsers.parsed import Inside, Parsed
from crossbank.parsers.pcfg import Pcfg, PcfgOptions
from crossbank.parsers.probabilistic_grammar import Grammar, GrammarError
from crossbank.parsers.unknown_words import UNKNOWN, UnknownWords, learn_unknown_words
from crossbank.treebanks import OptionError, Treebank
from crossbank.treebanks.errors import MissingAnnotationError
from crossbank.treebanks.quantities import quantity
from crossbank.treebanks.ranges import each


@dataclass(frozen=True)
class LexicalisedOptions:
    """Options of a lexicalised grammar: how it is read off trees, estimated and used.

    input, vertical, horizontal, functions, crossing, rare, view, memory  as those of ``pcfg``; with tags as
                   input the words are seen as heads only
    heads          what lexical heads are: forms, lemmas, or German forms without their endings (``stem``)
    pooling        what the choice of a head does not see: ``none``, the ``context`` that symbols remember, or
                   the parent's ``functions`` neither
    initial        the rules' frequencies before the first round: those of the ``trees``, or ``equal``
    iterations     rounds of re-estimation on the sentences of the training set, without their trees
    unlexicalised  how many of them come before the grammar is lexicalised
    discount       what smoothing takes of the count of each lexicalised event; 0: no smoothing
    grammar        the file of a grammar whose heads have a prime (BitPar's format, as LoPar has it), in place
                   of one that is read off trees; what is trained on may be plain sentences
    prune          omit constituents whose expected number without heads is below this; 0: none
    longest        the tokens of the longest sentences that lexicalised rounds learn from; 0: any
    """

    input: Literal["words", "tags"] = "words"
    vertical: str = "1"
    horizontal: str = "1"
    functions: bool = False
    crossing: Literal["raise", "split"] = "raise"
    rare: int = 1
    view: str = "constituents"
    memory: int = 1024
    heads: Literal["form", "lemma", "stem"] = "form"
    pooling: Pooling = "context"
    initial: Literal["trees", "equal"] = "trees"
    iterations: int = 5
    unlexicalised: int = 2
    discount: float = 0.5
    prune: float = 0.0
    longest: int = 40
    grammar: str = ""

    def __post_init__(self) -> None:
        """Raise OptionError for numbers that are out of range, and for options that exclude each other."""
        for name in ("iterations", "unlexicalised", "discount", "prune", "longest"):
            if getattr(self, name) < 0:
                raise OptionError(f"option {name}", getattr(self, name), "a number from 0")
        if self.discount > 1:
            raise OptionError("option discount", self.discount, "a number from 0 to 1")
        if self.heads != "form" and self.input == "words":
            raise OptionError("option heads", self.heads, "form with input=words: the others need input=tags")
        _ = self.of_pcfg

    @property
    def smoothed(self) -> bool:
        """False: probabilities given heads are mixed with those without, which are relative frequencies."""
        return False

    @property
    def of_pcfg(self) -> PcfgOptions:
        """Options of the unlexicalised grammar."""
        shared = {field.name: getattr(self, field.name) for field in fields(self) if field.name in SHARED}
        return PcfgOptions(**shared, smoothing="none", iterations=min(self.iterations, self.unlexicalised))


SHARED = frozenset(field.name for field in fields(PcfgOptions)) - {
    "iterations",
    "prune",
    "decoding",
    "longest",
}
"""The options that mean the same as those of ``pcfg``."""


@dataclass(frozen=True, eq=False)
class LexicalisedPcfg:
    """A head-lexicalised grammar with what is needed to parse sentences of a treebank.

    pcfg          the unlexicalised grammar
    words         which heads are known; others are seen as their signatures
    counts        of lexicalised events
    perplexities  of the training set before each lexicalised round, per token
    left_out      how many sentences were too long for lexicalised rounds, or have no derivation
    """

    pcfg: Pcfg
    options: LexicalisedOptions
    words: UnknownWords
    counts: LexicalCounts
    perplexities: tuple[float, ...] = ()
    left_out: int = 0

    name = "lexicalised"
    position = 20
    output = "constituents"
    probabilities = True
    options_class = LexicalisedOptions

    @property
    def scheme(self) -> str | None:
        """Scheme of the trees."""
        return self.pcfg.scheme

    @classmethod
    def train(cls, bank: Treebank, scheme: str | None, options: LexicalisedOptions) -> LexicalisedPcfg:
        """Read a grammar off trees, or take the given one, and re-estimate it on words.

        Raises ConversionError if there are no trees, or no lemmas although these are to be heads, and
        GrammarError if a rule of a given grammar has not one head.
        """
        if options.grammar:
            pcfg = Pcfg(bitpar.load(Path(options.grammar), heads=True), options.of_pcfg, scheme)
        else:
            pcfg = Pcfg.train(bank, scheme, replace(options.of_pcfg, iterations=0))
        if options.initial == "equal":
            pcfg = replace(pcfg, grammar=with_equal_frequencies(pcfg.grammar))
        sentences = pcfg.words(bank)
        pcfg = replace(pcfg, options=options.of_pcfg)
        pcfg = pcfg.reestimated(pcfg.sentences(sentences))
        words = pcfg.unknown
        if options.grammar and options.input == "words":
            words = UnknownWords(frozenset(pcfg.grammar.terminals), frozenset())
        words = words or learn_unknown_words(_heads(sentences, options), options.rare)
        return cls(pcfg, options, words, LexicalCounts.none())._reestimated(sentences)

    def _reestimated(self, bank: Treebank) -> LexicalisedPcfg:
        """Return the model after its lexicalised rounds, with the perplexity before each."""
        longest = self.options.longest
        sentences = [s for s in self.sentences(bank) if not longest or len(s.heads) <= longest]
        model, rounds, parsed = self.model, [], len(sentences)
        for _ in each(range(self.options.iterations - self.options.unlexicalised), "training", "rounds"):
            estimate = reestimate(model, self._packer, sentences)
            rounds.append(2 ** (-estimate.log2 / max(estimate.tokens, 1)))
            model, parsed = estimate.model, estimate.parsed
        left_out = len(bank) - parsed if rounds else 0
        return replace(self, counts=model.counts, perplexities=tuple(rounds), left_out=left_out)

    @cached_property
    def heads(self) -> tuple[str, ...]:
        """Known heads and the signatures, without repetition."""
        return tuple(sorted({*self.words.words, *self.words.signatures, UNKNOWN}))

    @cached_property
    def _headed(self) -> HeadedGrammar:
        return HeadedGrammar(self.pcfg.grammar, self.options.input == "words", self.options.pooling)

    @cached_property
    def _packer(self) -> Packer:
        return Packer(self._headed, self.options.prune, self.options.memory << 20)

    @cached_property
    def model(self) -> LexicalModel:
        """Probabilities."""
        return LexicalModel(self._headed, len(self.heads), self.counts, self.options.discount)

    def sentences(self, words: Treebank) -> list[CodedSentence]:
        """Return each sentence as the indices of its terminals and of its heads."""
        codes = {head: code for code, head in enumerate(self.heads)}
        terminal = self.words.terminal
        heads = [
            np.array([codes[terminal(word, index == 0)] for index, word in enumerate(sentence)], np.int32)
            for sentence in _heads(words, self.options)
        ]
        return [CodedSentence(*both) for both in zip(self.pcfg.sentences(words), heads, strict=True)]

    def describe(self) -> str:
        """Return the result of training, in a line."""
        text = f"{self.pcfg.describe()}; {quantity(len(self.heads), 'head')}, "
        rules, choices = len(self.counts.rule_keys), len(self.counts.choice_keys)
        text += f"{quantity(rules, 'rule')} with heads, {choices} choices of heads"
        if self.perplexities:
            rounds = " ".join(f"{perplexity:.4f}" for perplexity in self.perplexities)
            text += f"; perplexity before each lexicalised round {rounds}"
            text += f" ({quantity(self.left_out, 'sentence')} left out)"
        return text

    def parse(self, bank: Treebank, best: int = 1) -> Parsed:
        """Return the best tree of each sentence. Raises OptionError if more than one is requested."""
        if best != 1:
            raise OptionError("number of parses", best, "1 (a lexicalised grammar)")
        words = self.pcfg.words(bank)
        return self.pcfg.parsed(words, best_derivations(self.model, self._packer, self.sentences(words)))

    def inside(self, bank: Treebank, *, spelled: bool = True) -> Inside:
        """Return the probability of each sentence.

        With tags as input it is the probability of words and tags together. What pruning omits is
        not in it.
        """
        words = self.pcfg.words(bank)
        return Inside(*inside_probabilities(self.model, self._packer, self.sentences(words)), words)

    # Files

    def content(self) -> dict[str, Any]:
        """Return the model as plain lists."""
        grammar = self.pcfg.grammar
        return {
            "pcfg": self.pcfg.content(),
            "heads_of_rules": [] if grammar.heads is None else grammar.heads.tolist(),
            "words": self.words.content(),
            "rules": [self.counts.rule_keys.tolist(), self.counts.rule_counts.tolist()],
            "choices": [self.counts.choice_keys.tolist(), self.counts.choice_counts.tolist()],
        }

    @classmethod
    def of(
        cls, content: Mapping[str, Any], options: LexicalisedOptions, scheme: str | None, where: str
    ) -> LexicalisedPcfg:
        """Return a model from plain lists. Raises GrammarError where probabilities do not add up to one."""
        pcfg = Pcfg.of(content["pcfg"], options.of_pcfg, scheme, where)
        heads = np.array(content["heads_of_rules"], np.int32)
        pcfg = replace(pcfg, grammar=replace(pcfg.grammar, heads=heads))
        words = UnknownWords.of(content["words"])
        (rule_keys, rules), (choice_keys, choices) = content["rules"], content["choices"]
        counts = LexicalCounts(
            np.array(rule_keys, np.int64),
            np.array(rules, np.float64),
            np.array(choice_keys, np.int64),
            np.array(choices, np.float64),
        )
        model = cls(pcfg, options, words, counts)
        model._check(where)
        return model

    def _check(self, where: str) -> None:
        """Raise GrammarError where heads or counts are not those of the grammar."""
        heads, counts = self.pcfg.grammar.heads, self.counts
        if (
            heads is None
            or heads.shape != (len(self.pcfg.grammar.binary),)
            or not np.isin(heads, (0, 1)).all()
        ):
            raise GrammarError(f"{where}: found other heads of rules, expected 0 or 1 for each binary rule")
        number = len(self.heads)
        highest = (number * len(self._headed.parent), (number + 1) * len(self._headed.pool_of_pair) * number)
        for keys, count, most in (
            (counts.rule_keys, counts.rule_counts, highest[0]),
            (counts.choice_keys, counts.choice_counts, highest[1]),
        ):
            ordered = keys.ndim == 1 and bool((np.diff(keys) > 0).all())
            if not (ordered and len(keys) == 0) and not (ordered and keys[0] >= 0 and keys[-1] < most):
                raise GrammarError(f"{where}: found events out of order, expected keys from 0 to {most - 1}")
            if count.shape != keys.shape or not (np.isfinite(count) & (count >= 0)).all():
                raise GrammarError(f"{where}: found other counts, expected one from 0 for each event")


def with_equal_frequencies(grammar: Grammar) -> Grammar:
    """Return the grammar with equally probable rules in each category (Beil et al. 2002, 5.1, step 1)."""
    parents = [table[:, 0] for table, _ in grammar.tables]
    number = np.bincount(np.concatenate(parents), minlength=len(grammar.symbols))
    return grammar.with_probabilities(*(1.0 / number[parent] for parent in parents))


def _heads(words: Treebank, options: LexicalisedOptions) -> list[Sequence[str]]:
    """Return possible heads in each sentence: forms, lemmas or stems; the form where one token has no lemma.

    Weissweiler, Leonie, and Alexander Fraser (2017): Developing a Stemmer for German. GSCL: CISTEM.
    """
    forms = words.vocabulary.decode(words.tokens.form)
    if options.heads == "stem":
        from nltk.stem.cistem import Cistem

        stems = words.vocabulary.mapped(words.tokens.form, Cistem().stem)
        forms = stems[0].decode(stems[1])
    if options.heads == "lemma":
        lemmas = words.vocabulary.decode(words.tokens.lemma)
        if not any(lemmas):
            raise MissingAnnotationError(words.where(0), "lemmas", "(option heads=lemma)")
        forms = [lemma or form for lemma, form in zip(lemmas, forms, strict=True)]
    offsets = words.tokens.offsets.tolist()
    return [forms[first:last] for first, last in pairwise(offsets)]
