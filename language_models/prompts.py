"""Requests for parses of sentences: an instruction, examples of a training treebank, and the words.

Identifiers of requests have letters, digits, ``_`` and ``-`` alone, 64 of them at most, as providers want
them: that of the sentence, or ``sentence-12`` for the twelfth. ``_sample-2`` is added to that of a further
request for the same sentence. The format ``answers`` knows both.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal, TypeAlias

from crossbank.treebanks.errors import CrossbankError, OptionError
from crossbank.treebanks.quantities import quantity
from crossbank.treebanks.sentence_matching import text_key
from crossbank.treebanks.treebank import Treebank

Style: TypeAlias = Literal["brackets", "conllu", "table"]
Provider: TypeAlias = Literal["openai", "anthropic", "local"]

STYLES = Path(__file__).parent / "prompt_styles.yaml"

TABLE_COLUMNS = (0, 1, 3, 6, 7)
TABLE_HEADER = "| ID | FORM | UPOS | HEAD | DEPREL |\n|---|---|---|---|---|\n"

MAX_TOKENS = 8192
"""The number of tokens after which a provider that wants a limit ends an answer."""

USABLE = re.compile(r"(?!.*_sample-[0-9]+$)[A-Za-z0-9_-]{1,50}")
"""The identifiers of sentences that can be those of requests."""


@dataclass(frozen=True)
class PromptOptions:
    """What requests are made of.

    style        how parses are written
    shots        the number of examples
    seed         the same seed draws the same examples
    samples      the number of requests for each sentence
    provider     the shape of a request
    model        the name of the model
    temperature  how far answers vary
    """

    style: Style
    shots: int
    seed: int
    samples: int
    provider: Provider
    model: str
    temperature: float


def build_requests(
    bank: Treebank, training: Treebank | None, options: PromptOptions
) -> Iterator[dict[str, Any]]:
    """Yield the requests for all sentences with words.

    Raises CrossbankError if the training treebank has too few other sentences, or not what the style needs.
    """
    examples = None if training is None else _Examples(training, options)
    names = _names(bank)
    for sentence in range(len(bank)):
        if not bank.words(sentence):
            continue
        messages = []
        if examples is not None:
            drawn = examples.draw(sentence, text_key(bank, sentence))
            for words, parse in drawn:
                messages += [{"role": "user", "content": words}, {"role": "assistant", "content": parse}]
        messages.append({"role": "user", "content": " ".join(bank.words(sentence))})
        for sample in range(1, options.samples + 1):
            name = names[sentence] if options.samples == 1 else f"{names[sentence]}_sample-{sample}"
            yield SHAPES[options.provider](name, instruction(options.style), messages, options)


def _names(bank: Treebank) -> list[str]:
    """Return the identifiers of requests without that of the sample."""
    names = [bank.sentence_id(sentence) for sentence in range(len(bank))]
    if len(set(names)) == len(names) and all(USABLE.fullmatch(name) for name in names):
        return names
    return [f"sentence-{number}" for number in range(1, len(names) + 1)]


class _Examples:
    """Sentences of a training treebank and their parses, written when they are drawn first."""

    def __init__(self, training: Treebank, options: PromptOptions) -> None:
        needed = "constituents" if options.style == "brackets" else "dependencies"
        if not getattr(training, f"has_{needed}"):
            raise CrossbankError(f"{training.where(0)}: found no {needed}, which {options.style} needs")
        self.training, self.options = training, options
        lengths = training.tokens.lengths().tolist()
        self.sentences = [sentence for sentence, length in enumerate(lengths) if length]
        self.keys = {sentence: text_key(training, sentence) for sentence in self.sentences}
        self.written: dict[int, tuple[str, str]] = {}

    def draw(self, sentence: int, key: str) -> list[tuple[str, str]]:
        """Return words and parse of some sentences with other words than the one of a key."""
        generator = random.Random(f"{self.options.seed} {sentence}")
        chosen: dict[str, int] = {}
        # A sample of twice the number is enough unless many sentences are the same.
        for size in (2 * self.options.shots, len(self.sentences)):
            for index in generator.sample(self.sentences, min(size, len(self.sentences))):
                if self.keys[index] != key and len(chosen) < self.options.shots:
                    chosen.setdefault(self.keys[index], index)
            if len(chosen) == self.options.shots:
                return [self._write(index) for index in chosen.values()]
        actual = quantity(len(chosen), "other sentence")
        raise OptionError("shots", self.options.shots, f"{len(chosen)} or less: training has {actual}")

    def _write(self, sentence: int) -> tuple[str, str]:
        if sentence not in self.written:
            words = " ".join(self.training.words(sentence))
            self.written[sentence] = (
                words,
                write_parse(self.training[sentence : sentence + 1], self.options.style),
            )
        return self.written[sentence]


def write_parse(bank: Treebank, style: Style) -> str:
    """Return the parse of a treebank of one sentence as an answer has it."""
    from crossbank.treebanks.formats import bracket, conllu

    if style == "brackets":
        return bracket.dumps(bank).strip()
    none = [""] * len(bank.tokens)
    bare = bank.with_columns("tokens", deps=none, misc=none)
    bare = bare.with_columns("sentences", comments=[""] * len(bank), id=[""] * len(bank))
    lines = [line for line in conllu.dumps(bare).split("\n") if line and not line.startswith("#")]
    if style == "conllu":
        return "\n".join(lines)
    rows = [line.split("\t") for line in lines if line.split("\t")[0].isdecimal()]
    cells = [[row[column].replace("|", "\\|") for column in TABLE_COLUMNS] for row in rows]
    return TABLE_HEADER + "\n".join(f"| {' | '.join(row)} |" for row in cells)


@cache
def instruction(style: Style) -> str:
    """Return what the model is asked for."""
    import yaml

    return str(yaml.safe_load(STYLES.read_text("utf-8"))[style]["instruction"])


Messages: TypeAlias = Sequence[Mapping[str, str]]


def _openai(name: str, system: str, messages: Messages, options: PromptOptions) -> dict[str, Any]:
    """Return a line of a file of batch requests for chat completions."""
    body = {
        "model": options.model,
        "messages": [{"role": "system", "content": system}, *messages],
        "temperature": options.temperature,
    }
    return {"custom_id": name, "method": "POST", "url": "/v1/chat/completions", "body": body}


def _anthropic(name: str, system: str, messages: Messages, options: PromptOptions) -> dict[str, Any]:
    """Return one of the requests of a batch of messages."""
    params = {
        "model": options.model,
        "max_tokens": MAX_TOKENS,
        "system": system,
        "messages": list(messages),
        "temperature": options.temperature,
    }
    return {"custom_id": name, "params": params}


def _local(name: str, system: str, messages: Messages, options: PromptOptions) -> dict[str, Any]:
    """Return the body of a request to a local server's chat, with the identifier."""
    return {
        "id": name,
        "model": options.model,
        "messages": [{"role": "system", "content": system}, *messages],
        "stream": False,
        "options": {"temperature": options.temperature},
    }


SHAPES: Mapping[Provider, Callable[[str, str, Messages, PromptOptions], dict[str, Any]]] = {
    "openai": _openai,
    "anthropic": _anthropic,
    "local": _local,
}
"""The shape of a request by provider."""


def dumps(requests: Iterator[dict[str, Any]]) -> str:
    """Return requests as JSON Lines."""
    return "".join(f"{json.dumps(request, ensure_ascii=False)}\n" for request in requests)
