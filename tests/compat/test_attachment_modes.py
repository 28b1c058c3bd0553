"""Modes ``spacy`` and ``supar``: the numbers that the programs print for the same files."""

from __future__ import annotations

import json
import subprocess
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest

import crossbank
from crossbank.compat.supar import is_punctuation
from crossbank.metrics.modes.modes_by_name import evaluate
from crossbank.metrics.modes.protocol import Call
from crossbank.treebanks import CrossbankError
from tests.errors import raises
from tests.programs import PARSERS

GOLD = (
    "Cats:2:nsubj sing:0:root loudly:2:advmod .:2:punct",
    "Ann:2:nsubj:pass seen:0:root %:2:obl …:2:punct",
    "!:0:root",
)
CANDIDATE = (
    "Cats:2:nsubj sing:0:root loudly:2:punct .:1:advmod",
    "Ann:2:nsubj seen:0:root %:2:obl …:3:punct",
    "!:0:root",
)

PRINTED = {
    ("spacy", ""): """\
UAS      85.71
LAS      71.43

                       P       R       F
advmod              0.00    0.00    0.00
nsubj              50.00  100.00   66.67
nsubj:pass          0.00    0.00    0.00
obl               100.00  100.00  100.00
root              100.00  100.00  100.00
""",
    ("supar", ""): "UCM: 100.00% LCM: 33.33% UAS: 100.00% LAS: 60.00%\n",
    ("supar", "punct"): "UCM: 33.33% LCM: 33.33% UAS: 77.78% LAS: 55.56%\n",
}
"""What spaCy 3.8 and supar 1.1.4 have for the files; the table of relations is laid out anew."""


def written(folder: Path, name: str, sentences: tuple[str, ...]) -> Path:
    """Write sentences as CoNLL-U; a word is ``form:head:relation``."""
    lines = []
    for sentence in sentences:
        for number, word in enumerate(sentence.split(), 1):
            form, head, relation = word.split(":", 2)
            lines.append(f"{number}\t{form}\t_\t_\t_\t_\t{head}\t{relation}\t_\t_\n")
        lines.append("\n")
    path = folder / name
    path.write_text("".join(lines), encoding="utf-8")
    return path


def call(folder: Path, options: dict[str, str], candidate: tuple[str, ...] = CANDIDATE) -> Call:
    files = (written(folder, "gold.conllu", GOLD), written(folder, "parsed.conllu", candidate))
    return Call(*files, options=options, format="conllu")


@pytest.mark.parametrize(("mode", "option"), PRINTED)
def test_the_numbers_are_those_of_the_program(mode: str, option: str, tmp_path: Path) -> None:
    options = {option: "yes"} if option else {}
    assert evaluate(mode, call(tmp_path, options)).printed()[0] == PRINTED[mode, option]


def test_the_relations_that_spacy_ignores_are_an_option(tmp_path: Path) -> None:
    counts = evaluate("spacy", call(tmp_path, {"ignore": "none"})).counts()
    assert counts.values() == {"uas": 7 / 9, "las": 5 / 9}


@pytest.mark.parametrize("mode", ["spacy", "supar"])
def test_another_text_is_an_error(mode: str, tmp_path: Path) -> None:
    for candidate in (CANDIDATE[:2], (*CANDIDATE[:2], "?:0:root")):
        with raises(CrossbankError, "parsed.conllu"):
            evaluate(mode, call(tmp_path, {}, candidate))
    with pytest.raises(CrossbankError):
        evaluate(mode, call(tmp_path, {"subtypes": "no"}))


def test_supar_needs_the_same_words(tmp_path: Path) -> None:
    with pytest.raises(CrossbankError, match=r"parsed.conllu"):
        evaluate("supar", call(tmp_path, {}, JOINED))


JOINED = ("Cats:2:nsubj SINGLOUDLY:0:root .:2:punct", "Ann:2:nsubj:pass seen:0:root %…:2:obl", "!:0:root")
SPLIT = ("Cats:2:nsubj sing:0:root loud:2:advmod ly:2:advmod .:2:punct", *CANDIDATE[1:])
ONE_SENTENCE = (
    "Cats:2:nsubj sing:0:root loudly:2:advmod .:2:punct "
    "Ann:6:nsubj:pass seen:2:obl %:6:obl …:6:punct !:2:punct",
)


@pytest.mark.parametrize(
    ("candidate", "uas", "las"),
    [
        # Two words within one of gold's have its head and relation: one arc.
        (SPLIT, 1, 6 / 7),
        # A word or a head that is aligned with two words of gold makes a wrong arc.
        (JOINED, 6 / 13, 6 / 13),
        # One sentence for three: the roots of gold have other heads.
        (ONE_SENTENCE, 10 / 13, 10 / 13),
    ],
)
def test_spacy_aligns_words_by_letters(
    candidate: tuple[str, ...], uas: float, las: float, tmp_path: Path
) -> None:
    assert evaluate("spacy", call(tmp_path, {}, candidate)).counts().values() == {"uas": uas, "las": las}


SCORER = """
import json, sys
import spacy
from spacy.pipeline.dep_parser import parser_score
from spacy.tokens import Doc
from spacy.training import Example

vocab = spacy.blank("en").vocab

def doc(words):
    forms, heads, deps = zip(*words)
    heads = [head - 1 if head else index for index, head in enumerate(heads)]
    return Doc(vocab, words=list(forms), heads=heads, deps=list(deps))

scores = []
for file in json.load(sys.stdin):
    found = parser_score([Example(doc(parsed), doc(gold)) for gold, parsed in file])
    scores.append([found["dep_uas"], found["dep_las"]])
print(json.dumps(scores))
"""


def words_of(random: Random, text: str, bare: float) -> list[tuple[str, int, str]]:
    """Return a random tree over random words of a text, of which some have no relation."""
    cuts = sorted({0, len(text), *random.sample(range(len(text)), len(text) // 3)})
    forms = [text[begin:end] for begin, end in pairwise(cuts)]
    heads = [0, *(random.randint(1, index) for index in range(1, len(forms)))]
    relations = [
        "root",
        *random.choices(["nsubj", "OBJ", "obj", "punct", ""], [5, 1, 4, 2, bare], k=len(forms) - 1),
    ]
    return [(form, head, name) for form, head, name in zip(forms, heads, relations, strict=True)]


@pytest.mark.slow
@pytest.mark.needs_libraries("spacy")
def test_the_scores_of_random_words_are_those_of_spacy(tmp_path: Path) -> None:
    random = Random(43)
    files = []
    for _ in range(200):
        texts = ["".join(random.choices("abcAB", k=random.randint(1, 30))) for _ in range(4)]
        files.append([(words_of(random, text, 0.3), words_of(random, text.swapcase(), 0)) for text in texts])
    done = subprocess.run(
        [PARSERS, "-W", "ignore", "-c", SCORER],
        input=json.dumps(files),
        capture_output=True,
        text=True,
        check=True,
    )
    for file, (uas, las) in zip(files, json.loads(done.stdout), strict=True):
        sides = zip(*file, strict=True)
        paths = [
            written(
                tmp_path, name, tuple(" ".join(f"{f}:{h}:{r or '_'}" for f, h, r in words) for words in side)
            )
            for name, side in zip(("gold.conllu", "parsed.conllu"), sides, strict=True)
        ]
        values = evaluate("spacy", Call(paths[0], paths[1], format="conllu")).counts().values()
        assert values == {"uas": pytest.approx(uas or 0), "las": pytest.approx(las or 0)}


def test_the_result_has_the_scores(tmp_path: Path) -> None:
    files = call(tmp_path, {})
    result = crossbank.score(files.gold, files.candidate, mode="supar")
    assert (result["uas"], result["las"]) == (1, 3 / 5)
    assert (result["ucm"], result["lcm"]) == (1, 1 / 3)


def test_punctuation_is_by_the_category_of_each_character() -> None:
    assert [is_punctuation(word) for word in ("...", "%", "“", "$", "a.", "+")] == [
        True,
        True,
        True,
        False,
        False,
        False,
    ]
