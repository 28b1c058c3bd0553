"""The answers in the shared data: all are read, and those with gold's words have the scores of another count.

That is Parseval in few lines: sets of labelled brackets, from a reader of its own.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

import crossbank
from crossbank.treebanks import Treebank
from crossbank.treebanks.formats import read

Bracket = tuple[int, int, str]


def brackets(tree: str) -> tuple[list[str], Counter[Bracket]]:
    """Return the words and the brackets of a tree, without tags and ROOT; PRT is ADVP as in the scheme."""
    words: list[str] = []
    spans: Counter[Bracket] = Counter()
    waiting: list[list[str | int]] = []
    for token in re.findall(r"[()]|[^\s()]+", tree):
        if token == "(":
            waiting.append(["", len(words), 0])
        elif token != ")":
            if waiting[-1][0] == "":
                waiting[-1][0] = token
            else:
                words.append(token)
                waiting[-1][2] = 1
        else:
            label, begin, is_tag = waiting.pop()
            if not is_tag and label not in ("", "ROOT"):
                plain = re.split(r"(?<=.)[-=|]", str(label))[0]
                spans[int(begin), len(words), "ADVP" if plain == "PRT" else plain] += 1
    return words, spans


def without_traces(tree: str) -> str:
    """Return a tree without empty elements and what has nothing else in it."""
    tree = re.sub(r"\(-NONE- [^\s()]+\)", "", tree)
    while True:
        shorter = re.sub(r"\([^\s()]+\s*\)", "", tree)
        if shorter == tree:
            return tree
        tree = shorter


def plain_word(word: str) -> str:
    return {"-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]"}.get(word, word)


def pairs(folder: Path) -> Iterator[tuple[str, str]]:
    """Yield gold's trees and the bracketed parts of the answers, closed at their end if need be."""
    gold = (folder / "brackets.gold.mrg").read_text("utf-8").splitlines()
    for tree, line in zip(
        gold, (folder / "brackets.answers.jsonl").read_text("utf-8").splitlines(), strict=True
    ):
        answer = json.loads(line)["answer"]
        fenced = re.search(r"```\w*\n(.*?)```", answer, re.DOTALL)
        text = without_traces((fenced[1] if fenced else answer).strip())
        yield without_traces(tree), text


@pytest.fixture
def folder(shared_data: Path) -> Path:
    return shared_data / "language-models"


@pytest.mark.parametrize(("name", "gold", "sentences"), [("brackets", "mrg", 60), ("conllu", "conllu", 25)])
def test_all_answers_have_a_parse(folder: Path, name: str, gold: str, sentences: int) -> None:
    bank = read(folder / f"{name}.answers.jsonl", damaged="repair")
    assert len(bank) == sentences
    assert bank.tokens.lengths().all()
    assert next(iter(bank.sentence_ids)) == "GUM_news_clock-25"


def gold_with_identifiers(folder: Path) -> Treebank:
    gold = read(folder / "brackets.gold.mrg")
    lines = (folder / "brackets.answers.jsonl").read_text("utf-8").splitlines()
    return gold.with_columns("sentences", id=[json.loads(line)["id"] for line in lines])


def test_the_score_of_sentences_with_golds_words_is_the_independent_one(folder: Path) -> None:
    right = gold_total = candidate_total = same = 0
    for gold, answer in pairs(folder):
        words, spans = brackets(gold)
        other_words, other_spans = brackets(answer)
        if list(map(plain_word, words)) != list(map(plain_word, other_words)):
            continue
        is_closed = answer.count("(") == answer.count(")")
        if not is_closed:
            continue
        same += 1
        right += (spans & other_spans).total()
        gold_total += spans.total()
        candidate_total += other_spans.total()
    with pytest.warns(crossbank.CrossbankWarning):
        result = crossbank.score(
            gold_with_identifiers(folder),
            folder / "brackets.answers.jsonl",
            scheme="ptb",
            unscored="skip",
            delete="none",
        )
    assert result["f1"] == pytest.approx(2 * right / (gold_total + candidate_total), abs=1e-12)
    assert same == 50
