"""Parser of constituents: a treebank grammar and exact chart parsing with it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import log
from typing import Any, Literal

import numpy as np

from crossbank.converters import scheme_of
from crossbank.converters.crossing.split_crossing import join_crossing
from crossbank.parsers.chart_parsing import NO_DERIVATION, Best, best_derivations, inside_probabilities
from crossbank.parsers.coarse_to_fine import CoarseToFine
from crossbank.parsers.fragments import Fragments
from crossbank.parsers.grammar_views import (
    in_view,
    steps_to_view,
    without_trees,
    words_in_view,
)
from crossbank.parsers.inside_outside import reestimate
from crossbank.parsers.other_parses import k_best_derivations, maximum_bracket_parses
from crossbank.parsers.parsed import Inside, Parsed
from crossbank.parsers.probabilistic_grammar import Grammar, Symbol
from crossbank.parsers.treebank_grammar import ALL, Markovisation, Smoothing, treebank_grammar
from crossbank.parsers.unknown_words import UNKNOWN, UnknownWords, normal_form
from crossbank.treebanks import NO_PARENT, OptionError, Treebank
from crossbank.treebanks.arrays import Int32Array, offsets_of
from crossbank.treebanks.errors import MissingAnnotationError
from crossbank.treebanks.memory import at_most
from crossbank.treebanks.quantities import quantity
from crossbank.treebanks.ranges import each
from crossbank.treebanks.tables import Nodes

BEAM = 10.0
"""With grammars of 200 and of all sentences of GUM and of the Potsdam Commentary Corpus, seven of 400
sentences have a less probable tree than without a beam, and charts take a quarter to a half of the time.
"""


@dataclass(frozen=True)
class PcfgOptions:
    """Options of the grammar that is read off trees, and of its use.

    input       ``words``, or ``tags``: the tags are given and the words play no part
    vertical    how many labels a node's symbol has: its own, its parent's and so on; ``all`` of them
    horizontal  how many children further out a part of a rule knows; ``all``: no markovisation
    functions   whether functions are part of labels
    smoothing   ``none``: relative frequencies of what was seen; ``left_out``: children are generated from
                the head outward, with back-off whose weights are learned by leaving one out, and what no tree
                spans gets fragments; ``witten_bell``: the same with the weights of Collins (1999)
    crossing    how crossing branches are resolved: ``raise``, or ``split`` and join again after parsing
    rare        words seen at most this many times are seen as their signatures
    view        the view of the scheme that trees are taken in
    iterations  rounds of inside-outside re-estimation on the sentences of the training set, without their
                trees
    decoding    ``viterbi``: the most probable tree; ``brackets``: the one with the most expected correct
                constituents
    beam        with smoothing, omit constituents that are less probable than the best one over the same
                tokens by this many bits, each weighted with the expected number of its symbol; 0: none
    prune       omit constituents whose expected number under a coarser grammar is below this; 0: none
    memory      the megabytes that the chart of one sentence may take
    longest     with smoothing, a sentence of more tokens is parsed in segments, as fragments
    """

    input: Literal["words", "tags"] = "words"
    vertical: str = "1"
    horizontal: str = "1"
    functions: bool = False
    smoothing: Smoothing = "left_out"
    crossing: Literal["raise", "split"] = "raise"
    rare: int = 1
    view: str = "constituents"
    iterations: int = 0
    decoding: Literal["viterbi", "brackets"] = "viterbi"
    beam: float = BEAM
    prune: float = 0.0
    memory: int = 1024
    longest: int = 100

    def __post_init__(self) -> None:
        """Raise OptionError for an order that is neither a number nor ``all``, and for numbers below 0."""
        for name in ("beam", "iterations", "prune", "rare"):
            if getattr(self, name) < 0:
                raise OptionError(f"option {name}", getattr(self, name), "a number from 0")
        if self.longest < 1:
            raise OptionError("option longest", self.longest, "a number from 1")
        if self.prune and self.decoding == "brackets":
            raise OptionError("option prune", self.prune, "0 with decoding=brackets")
        _order("vertical", self.vertical, 1)
        _order("horizontal", self.horizontal, 0)

    @property
    def smoothed(self) -> bool:
        """Return whether every sentence has a probability."""
        return self.smoothing != "none"

    @property
    def markovisation(self) -> Markovisation:
        """Context that symbols remember."""
        return Markovisation(
            _order("vertical", self.vertical, 1), _order("horizontal", self.horizontal, 0), self.functions
        )


def _order(name: str, written: str, least: int) -> int:
    if written == "all":
        return ALL
    if not written.isdecimal() or int(written) < least:
        raise OptionError(f"option {name}", written, f"a whole number from {least}, or all")
    return int(written)


@dataclass(frozen=True, eq=False)
class Pcfg:
    """A grammar with the data that parsing the sentences of a treebank needs.

    scheme   the name or file of the scheme; None for none
    unknown  which words the grammar knows; None where sentences are sequences of terminals
    perplexities  of the training set before each round of re-estimation, per token
    """

    grammar: Grammar
    options: PcfgOptions
    scheme: str | None = None
    unknown: UnknownWords | None = None
    perplexities: tuple[float, ...] = ()

    name = "pcfg"
    position = 10
    output = "constituents"
    probabilities = True
    options_class = PcfgOptions

    @classmethod
    def train(cls, bank: Treebank, scheme: str | None, options: PcfgOptions) -> Pcfg:
        """Read a grammar off trees. Raises ConversionError if there are none."""
        if not bank.has_constituents:
            where = bank.where(0) if len(bank) else "training set"
            raise MissingAnnotationError(where, "trees", "to train a grammar on")
        loaded = scheme_of(scheme)
        steps = steps_to_view(loaded, options.view, functions=options.functions, crossing=options.crossing)
        made = in_view(bank, steps, loaded)
        grammar, unknown = treebank_grammar(
            made,
            options.markovisation,
            loaded,
            tags_as_terminals=options.input == "tags",
            rare=options.rare,
            smoothing=options.smoothing,
        )
        model = cls(grammar, options, scheme, unknown)
        return model.reestimated(model.sentences(without_trees(made)))

    def reestimated(self, sentences: Sequence[Int32Array]) -> Pcfg:
        """Return the model after its rounds of re-estimation, with the perplexity before each round."""
        grammar, rounds = self.grammar, []
        words = sum(map(len, sentences))
        for _ in each(range(self.options.iterations), "training", "rounds"):
            estimate = reestimate(grammar, sentences, limit=self.options.memory << 20)
            rounds.append(2 ** (-estimate.log2 / words))
            grammar = estimate.grammar
        return replace(self, grammar=grammar, perplexities=tuple(rounds))

    def describe(self) -> str:
        """Return the result of training, in a line."""
        grammar = self.grammar
        text = (
            f"{quantity(len(grammar.symbols), 'symbol')}, "
            f"{quantity(len(grammar.binary) + len(grammar.unary), 'rule')}, "
            f"{len(grammar.lexicon)} lexical {'entry' if len(grammar.lexicon) == 1 else 'entries'} of "
            f"{quantity(len(grammar.terminals), 'terminal')}"
        )
        if self.perplexities:
            text += f"; perplexity before each round {' '.join(f'{p:.4f}' for p in self.perplexities)}"
        return text

    @property
    def signatures(self) -> frozenset[str]:
        """Terminals that are not words or tags of the treebank: they stand for the rare and the unknown."""
        known = self.unknown.signatures if self.unknown is not None else [UNKNOWN] * self.options.smoothed
        return frozenset(known) & self.grammar.terminal_codes.keys()

    def words(self, bank: Treebank) -> Treebank:
        """Return the tokens to be parsed, of trees or of plain sentences."""
        loaded = scheme_of(self.scheme)
        options = self.options
        steps = steps_to_view(loaded, options.view, functions=options.functions, crossing=options.crossing)
        words = words_in_view(bank, steps, loaded)
        return self._with_tags_of_the_grammar(words) if options.input == "tags" else words

    def _with_tags_of_the_grammar(self, words: Treebank) -> Treebank:
        """Return the tokens with their tags; those of XPOS where the grammar knows more of these.

        CoNLL-U has universal tags in its column UPOS, and in XPOS those of the treebank, if any.
        """
        tokens = words.tokens
        known = words.vocabulary.matching(lambda tag: tag in self.grammar.terminal_codes)
        if int(known[tokens.xpos].sum()) <= int(known[tokens.pos].sum()):
            return words
        return words.replace(tokens=tokens.replace(pos=tokens.xpos))

    def sentences(self, words: Treebank) -> list[Int32Array]:
        """Return each sentence as indices of the grammar's terminals; -1 for unknown ones."""
        codes = self.grammar.terminal_codes
        column = words.tokens.form
        if self.options.input == "tags" and (words.tokens.pos != 0).any():
            column = words.tokens.pos
        strings = words.vocabulary.decode(column)
        if self.unknown is None:
            new = codes.get(UNKNOWN, -1) if self.options.smoothed else -1
            coded = [codes.get(normal_form(string), new) for string in strings]
        else:
            first = set(words.tokens.offsets.tolist())
            terminal = self.unknown.terminal
            coded = [codes.get(terminal(s, index in first), -1) for index, s in enumerate(strings)]
        return np.split(np.array(coded, np.int32), words.tokens.offsets[1:-1])

    def parse(self, bank: Treebank, best: int = 1) -> Parsed:
        """Return the ``best`` trees of each sentence.

        Of trees the words are parsed that their view keeps.
        """
        words = self.words(bank)
        sentences, limit = self.sentences(words), at_most(self.options.memory << 20)
        derivations, note = self._derivations(self._spanned(sentences), best, limit)
        first = self._filled_in(sentences, [of_sentence[0] for of_sentence in derivations], limit)
        if best == 1:
            return replace(self.parsed(words, first), note=note)
        derivations = [[parse, *further[1:]] for parse, further in zip(first, derivations, strict=True)]
        rows = np.repeat(np.arange(len(words)), list(map(len, derivations)))
        parses = [parse for of_sentence in derivations for parse in of_sentence]
        ranks = np.array([rank for of_sentence in derivations for rank in range(len(of_sentence))], np.int32)
        scores = [f"{parse.log2 * log(2):.12g}" if parse.nodes is not None else "" for parse in parses]
        vocabulary, score = words.vocabulary.extended(scores)
        listed = words.replace(vocabulary=vocabulary).select(rows)
        listed = listed.replace(sentences=listed.sentences.replace(analysis=ranks, score=score))
        return self.parsed(listed, parses)

    def _derivations(
        self, sentences: Sequence[Int32Array], best: int, limit: int
    ) -> tuple[list[list[Best]], str]:
        """Return the derivations of each sentence, one decoded as the options say, and what pruning lost."""
        if best == 1 and self.options.prune:
            pruning = CoarseToFine.of(self.grammar, self.options.prune)
            pruned = pruning.best_derivations(sentences, limit=limit)
            return [[one] for one in pruned], f"pruning: {pruning.loss(sentences, pruned, limit=limit)}"
        if best == 1 and self.options.decoding == "brackets":
            return [[one] for one in maximum_bracket_parses(self.grammar, sentences, limit=limit)], ""
        if not (self.options.smoothed and self.options.beam):
            return _best(self.grammar, sentences, best, limit), ""
        derivations = _best(replace(self.grammar, beam=self.options.beam), sentences, best, limit)
        # Sentences that have no derivation within the beam are parsed without it.
        missing = [index for index, of in enumerate(derivations) if of[0].reason == NO_DERIVATION]
        without = _best(self.grammar, [sentences[index] for index in missing], best, limit)
        for index, of in zip(missing, without, strict=True):
            derivations[index] = of
        return derivations, ""

    def _spanned(self, sentences: Sequence[Int32Array]) -> Sequence[Int32Array]:
        """Return the sentences that one tree may span; the others are empty, and get fragments."""
        if not self.options.smoothed:
            return sentences
        return [words if len(words) <= self.options.longest else words[:0] for words in sentences]

    def _filled_in(self, sentences: Sequence[Int32Array], derivations: list[Best], limit: int) -> list[Best]:
        """Return the derivations, with fragments where there is none and the grammar is smoothed."""
        if not self.options.smoothed:
            return derivations
        return Fragments(self.grammar, self.options.longest).filled_in(sentences, derivations, limit=limit)

    def parsed(self, words: Treebank, best: Sequence[Best]) -> Parsed:
        """Return the trees of derivations, with what was parsed and why a sentence has no tree."""
        made = as_treebank(words, best, self.grammar.symbols, tags=self.options.input == "words")
        if self.options.crossing == "split":
            made = join_crossing(made).replace(diagnosis=())
        log2, reasons = (
            np.array([derivation.log2 for derivation in best]),
            [derivation.reason for derivation in best],
        )
        return Parsed(made, words, log2, reasons, fragments=[derivation.fragments for derivation in best])

    def inside(self, bank: Treebank, *, spelled: bool = True) -> Inside:
        """Return the probability of each sentence."""
        words = self.words(bank)
        grammar = self.grammar
        if self.options.smoothed:
            grammar = Fragments(grammar, self.options.longest).mixed
        sentences = self.sentences(words)
        if self.unknown is not None and spelled:
            grammar, sentences = self._spelled(grammar, words, sentences)
        limit = at_most(self.options.memory << 20)
        return Inside(*inside_probabilities(grammar, sentences, limit=limit), words)

    def _spelled(
        self, grammar: Grammar, words: Treebank, sentences: Sequence[Int32Array]
    ) -> tuple[Grammar, list[Int32Array]]:
        """Return the grammar with each unknown word as a terminal, spelled by all signatures of a tag."""
        assert self.unknown is not None
        signatures = [code for code, t in enumerate(grammar.terminals) if t not in self.unknown.words]
        of_signatures = np.zeros((len(grammar.symbols), len(grammar.terminals)))
        of_signatures[grammar.lexicon[:, 0], grammar.lexicon[:, 1]] = grammar.lexicon_probability
        of_signatures = of_signatures[:, signatures]
        spelling = self.unknown.spelling
        strings = [normal_form(word) for word in words.vocabulary.decode(words.tokens.form)]
        new = {word: 0 for word in strings if word not in self.unknown.words}
        entries, probability = [grammar.lexicon], [grammar.lexicon_probability]
        for index, word in enumerate(new):
            new[word] = len(grammar.terminals) + index
            spelled = np.array([spelling.probability(grammar.terminals[code], word) for code in signatures])
            of_tags = of_signatures @ spelled
            tags = np.flatnonzero(of_tags)
            entries.append(np.column_stack([tags, np.full_like(tags, new[word])]).astype(np.int32))
            probability.append(of_tags[tags])
        codes = np.concatenate([*sentences, np.zeros(0, np.int32)])
        codes = np.array(
            [new.get(w, code) for w, code in zip(strings, codes.tolist(), strict=True)], np.int32
        )
        spelled_out = replace(
            grammar,
            terminals=(*grammar.terminals, *(f"{word} (spelled)" for word in new)),
            lexicon=np.concatenate(entries),
            lexicon_probability=np.concatenate(probability),
        )
        return spelled_out, np.split(codes, words.tokens.offsets[1:-1])

    # Files

    def content(self) -> dict[str, Any]:
        """Return the model as plain lists."""
        grammar = self.grammar
        binary, unary, lexicon = grammar.listed()
        return {
            "symbols": [list(symbol) for symbol in grammar.symbols],
            "terminals": list(grammar.terminals),
            "start": grammar.start,
            "binary": [[p, *rule] for rule, p in binary],
            "unary": [[p, *rule] for rule, p in unary],
            "lexicon": [[p, *rule] for rule, p in lexicon],
            "frequency": None if grammar.frequency is None else grammar.frequency.tolist(),
            "unknown": None if self.unknown is None else self.unknown.content(),
        }

    @classmethod
    def of(cls, content: Mapping[str, Any], options: PcfgOptions, scheme: str | None, where: str) -> Pcfg:
        """Return a model from plain lists. Raises GrammarError where probabilities do not add up to one."""
        unknown = content["unknown"]
        grammar = Grammar(
            tuple(Symbol(*symbol) for symbol in content["symbols"]),
            tuple(content["terminals"]),
            content["start"],
            *_columns(content["binary"], 3),
            *_columns(content["unary"], 2),
            *_columns(content["lexicon"], 2),
            frequency=None if content["frequency"] is None else np.array(content["frequency"], np.float64),
        ).check(where)
        return cls(grammar, options, scheme, None if unknown is None else UnknownWords.of(unknown))


def _best(grammar: Grammar, sentences: Sequence[Int32Array], best: int, limit: int) -> list[list[Best]]:
    if best > 1:
        return k_best_derivations(grammar, sentences, best, limit=limit)
    return [[one] for one in best_derivations(grammar, sentences, limit=limit)]


def _columns(rows: Sequence[Sequence[float]], width: int) -> tuple[Int32Array, Any]:
    codes = np.array([row[1:] for row in rows], np.int32).reshape(-1, width)
    return codes, np.array([row[0] for row in rows], np.float64)


def as_treebank(words: Treebank, best: Sequence[Best], symbols: Sequence[Symbol], *, tags: bool) -> Treebank:
    """Return the trees of derivations, without intermediate symbols; sentences without one have no tokens.

    With ``tags`` the tokens get the tags of the derivations; without, they keep their own if they have some.
    """
    vocabulary, codes = words.vocabulary.extended(
        string for symbol in symbols for string in (symbol.label, symbol.function)
    )
    label, function = codes[::2], codes[1::2]
    is_phrase = np.array([symbol.type == "phrase" for symbol in symbols], np.bool_)
    tokens = words.tokens
    token_parent = np.full(len(tokens), NO_PARENT, np.int32)
    token_function = np.zeros(len(tokens), np.int32)
    pos = tokens.pos.copy()
    tags = tags or not pos.any()
    columns: dict[str, list[int]] = {"label": [], "function": [], "parent": []}
    counts = np.zeros(len(words), np.int64)
    for sentence, derivation in enumerate(best):
        if derivation.nodes is None:
            continue
        begin = int(tokens.offsets[sentence])
        open_nodes: list[tuple[int, int]] = []  # the end and the number of each node around the current one
        count = 0
        symbol, start, end = (column.tolist() for column in derivation.nodes)
        for index, code in enumerate(symbol):
            while open_nodes and open_nodes[-1][0] <= start[index]:
                open_nodes.pop()
            above = open_nodes[-1][1] if open_nodes else NO_PARENT
            over_word = end[index] - start[index] == 1
            if over_word and (index + 1 == len(symbol) or start[index + 1] != start[index]):
                token_parent[begin + start[index]] = above
                token_function[begin + start[index]] = function[code]
                if tags:
                    pos[begin + start[index]] = label[code]
            elif is_phrase[code]:
                columns["label"].append(int(label[code]))
                columns["function"].append(int(function[code]))
                columns["parent"].append(above)
                open_nodes.append((end[index], count))
                count += 1
        counts[sentence] = count
    nodes = Nodes.of(
        offsets_of(counts), **{name: np.array(values, np.int32) for name, values in columns.items()}
    )
    changed = tokens.replace(parent=token_parent, function=token_function, pos=pos)
    parsed = np.array([derivation.nodes is not None for derivation in best], np.bool_)
    parsed_tokens = changed.take(np.repeat(parsed, tokens.lengths()))
    return Treebank.of_tables(vocabulary, words.sentences, parsed_tokens, nodes)
