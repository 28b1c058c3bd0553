"""Mutants of answers: no exception, and nothing is lost but the mutants themselves."""

import json
import random
from collections.abc import Callable, Sequence

import pytest

from crossbank.language_models.extraction import extract
from crossbank.language_models.formats import answers
from crossbank.treebanks import FormatError
from tests.language_models.gold_and_answers import ROWS, TREES

TEXTS = (
    *TREES,
    f"Here is the parse:\n\n```\n{TREES[1]}\n```\n\nNote (1): none.",
    f"```conllu\n# text = Ann saw a cat .\n{ROWS}```",
    "| ID | FORM | HEAD | DEPREL |\n|---|---|---|---|\n| 1 | Hi | 0 | root |\n| 2 | ! | 1 | punct |",
    json.dumps([{"id": 1, "form": "Hi", "head": 0, "deprel": "root"}]),
    json.dumps(["S", ["NP", ["NNP", "Ann"]], ["VP", ["VBD", "left"]]]),
)

SIGNS = "()[]{}|`\t\n\r \\\"'#=-_,;:*<>0123456789\x00\x1b\u200f\u00a0\ufeff\ud800\U0001f600aSN"


def delete(text: str, place: int, generator: random.Random) -> str:
    return text[:place] + text[place + generator.randint(1, 5) :]


def insert(text: str, place: int, generator: random.Random) -> str:
    return text[:place] + "".join(generator.choices(SIGNS, k=generator.randint(1, 4))) + text[place:]


def repeat(text: str, place: int, generator: random.Random) -> str:
    end = place + generator.randint(1, 40)
    return text[:end] + text[place:]


def cut(text: str, place: int, generator: random.Random) -> str:
    return text[:place]


def join(text: str, place: int, generator: random.Random) -> str:
    return text[:place] + generator.choice(TEXTS) + text[place:]


MUTATIONS: Sequence[Callable[[str, int, random.Random], str]] = (delete, insert, repeat, cut, join)


def mutant(generator: random.Random) -> str:
    text = generator.choice(TEXTS)
    for _ in range(generator.randint(1, 4)):
        text = generator.choice(MUTATIONS)(text, generator.randint(0, len(text)), generator)
    return text


@pytest.mark.parametrize("seed", range(4))
def test_no_mutant_raises_an_error(seed: int) -> None:
    generator = random.Random(seed)
    for _ in range(1000):
        extraction = extract(mutant(generator))
        assert extraction.style in ("brackets", "columns", "")
        assert bool(extraction.words) == bool(extraction.style)


@pytest.mark.parametrize("policy", ["skip", "repair"])
@pytest.mark.parametrize("seed", range(3))
def test_mutants_leave_other_answers_as_they_are(seed: int, policy: str) -> None:
    generator = random.Random(seed)
    texts = [mutant(generator) if index % 4 == 0 else TREES[index % 3] for index in range(400)]
    expected = answers.treebank_of([TREES[index % 3] for index in range(400)], "gold", 0, "stop")
    bank = answers.treebank_of(texts, "candidate", 0, policy)
    assert len(bank) == 400
    for index in range(400):
        if index % 4:
            assert bank.words(index) == expected.words(index)
            assert bank.labels(index) == expected.labels(index)


@pytest.mark.parametrize("seed", range(3))
def test_mutants_of_files_are_read_or_refused(seed: int) -> None:
    generator = random.Random(seed)
    lines = [json.dumps({"id": str(index), "answer": text}) for index, text in enumerate(TEXTS)]
    for _ in range(300):
        text = "\n".join(lines)
        for _ in range(generator.randint(1, 3)):
            place = generator.randint(0, len(text))
            text = generator.choice(MUTATIONS)(text, place, generator)
        try:
            answers.loads(text.replace("\ud800", "").replace("\x00", ""))
        except FormatError as refusal:
            error = refusal
        else:
            continue
        assert "\n" not in str(error)
