"""The format ``answers``: shapes of records, files and folders, matching with gold, damage and bad input."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

import crossbank
from crossbank.language_models.treebank_of_answers import CUT, FAILED
from crossbank.treebanks import FormatError, Treebank
from crossbank.treebanks.chunks import candidate_beside
from crossbank.treebanks.formats import format_to_read, read
from crossbank.treebanks.sentence_matching import (
    BY_IDENTIFIER,
    BY_ORDER,
    BY_TEXT,
    DROPPED,
    MISSING,
    OTHER_WORDS,
    REPLACED,
)
from tests.errors import raises
from tests.language_models.gold_and_answers import TEXTS, TREES, write_gold, write_lines

UNBALANCED = TREES[1][:-2]


def events(bank: Treebank) -> dict[str, int]:
    return {one.event: one.total for one in bank.diagnosis}


def words(bank: Treebank) -> list[str]:
    return [" ".join(bank.words(sentence)) for sentence in range(len(bank))]


SHAPES: Mapping[str, Any] = {
    "answer": lambda name, text: {"id": name, "answer": text},
    "answer beside text": lambda name, text: {
        "id": name,
        "text": "A sentence .",
        "prompt": "Parse",
        "answer": text,
    },
    "text": lambda name, text: {"id": name, "text": text},
    "response": lambda name, text: {"sent_id": name, "response": text},
    "number": lambda name, text: {"id": int(name), "output": text},
    "batch": lambda name, text: {
        "id": "batch_req_1",
        "custom_id": name,
        "response": {
            "status_code": 200,
            "body": {"choices": [{"index": 0, "message": {"role": "assistant", "content": text}}]},
        },
        "error": None,
    },
    "other batch": lambda name, text: {
        "custom_id": name,
        "result": {
            "type": "succeeded",
            "message": {"role": "assistant", "content": [{"type": "text", "text": text}]},
        },
    },
    "chat": lambda name, text: {
        "id": name,
        "model": "m",
        "message": {"role": "assistant", "content": text},
        "done": True,
    },
    "completion": lambda name, text: {"id": name, "choices": [{"text": text, "finish_reason": "stop"}]},
    "messages": lambda name, text: {
        "id": name,
        "messages": [{"role": "user", "content": "Parse."}, {"role": "assistant", "content": text}],
    },
    "parts": lambda name, text: {
        "key": name,
        "response": {"candidates": [{"content": {"parts": [{"text": text}]}}]},
    },
    "typed output": lambda name, text: {
        "custom_id": name,
        "response": {
            "body": {
                "output": [
                    {"type": "reasoning", "summary": []},
                    {"type": "message", "content": [{"type": "output_text", "text": text}]},
                ]
            }
        },
    },
    "thinking": lambda name, text: {
        "custom_id": name,
        "result": {
            "message": {
                "content": [{"type": "thinking", "thinking": "(S (X y))"}, {"type": "text", "text": text}]
            }
        },
    },
}


@pytest.mark.parametrize("shape", SHAPES)
def test_shapes_of_records(tmp_path: Path, shape: str) -> None:
    records = [SHAPES[shape](str(number), f"Parse:\n\n{tree}") for number, tree in enumerate(TREES, 1)]
    path = write_lines(tmp_path, *reversed(records))
    assert format_to_read(path) == "answers"
    bank = read(path)
    assert words(bank) == list(reversed(TEXTS))
    assert bank.sentence_ids[0] == "3"
    assert crossbank.score(write_gold(tmp_path), path)["f1"] == 1


def test_an_array_and_an_object(tmp_path: Path) -> None:
    records = [{"id": str(number), "answer": tree} for number, tree in enumerate(TREES, 1)]
    by_identifier = {one["id"]: one["answer"] for one in records}
    for value in (records, {"results": records}, by_identifier):
        path = tmp_path / "answers.json"
        path.write_text(json.dumps(value, indent=1), "utf-8")
        assert words(read(path)) == list(TEXTS)


def test_a_folder_of_text_files(tmp_path: Path) -> None:
    folder = tmp_path / "answers"
    folder.mkdir()
    for number, tree in enumerate(TREES, 1):
        (folder / f"{number}.txt").write_text(f"Parse:\n{tree}\n", "utf-8")
    (folder / "2.txt").write_text("", "utf-8")
    bank = read(folder)
    assert (words(bank), list(bank.sentence_ids)) == ([TEXTS[0], "", TEXTS[2]], ["1", "2", "3"])


@pytest.mark.parametrize(
    "text",
    [
        "\n".join(f"=== {number} ===\nParse:\n\n{tree}\n" for number, tree in enumerate(TREES, 1)),
        "\n".join(f"--- {number}\n```\n{tree}\n```" for number, tree in enumerate(TREES, 1)),
        "\n\n".join(f"Parse {number}:\n\n```\n{tree}\n```\n" for number, tree in enumerate(TREES, 1)),
        "\n".join(f"Parse {number}:\n```\n{tree}\n```\n" for number, tree in enumerate(TREES, 1)),
    ],
)
def test_blocks_of_a_text(tmp_path: Path, text: str) -> None:
    path = tmp_path / "answers"
    path.write_text(text, "utf-8")
    assert format_to_read(path) == "answers"
    assert words(read(path)) == list(TEXTS)


def matched(folder: Path, *records: object) -> Treebank:
    gold = read(write_gold(folder))
    return candidate_beside(read(write_lines(folder, *records)), gold)


def test_sentences_are_matched_by_identifier(tmp_path: Path) -> None:
    bank = matched(tmp_path, *({"id": str(number), "answer": TREES[number - 1]} for number in (3, 1, 2)))
    assert words(bank) == list(TEXTS)
    assert events(bank) == {BY_IDENTIFIER: 3}
    assert bank.sentences.line.tolist() == [2, 3, 1]


def test_sentences_are_matched_by_text(tmp_path: Path) -> None:
    bank = matched(tmp_path, {"sentence": "They  left.", "answer": "No."}, {"answer": TREES[1]}, TREES[0])
    assert words(bank) == [TEXTS[0], TEXTS[1], ""]
    assert events(bank)[BY_TEXT] == 3


def test_sentences_are_matched_by_order(tmp_path: Path) -> None:
    bank = matched(
        tmp_path, {"id": "1", "answer": TREES[0]}, {"answer": "No."}, {"answer": "(S (NP (PRP It)))"}
    )
    assert words(bank) == [TEXTS[0], "", "It"]
    assert (events(bank)[BY_IDENTIFIER], events(bank)[BY_ORDER]) == (1, 2)


def test_an_answer_that_is_missing_and_one_too_many(tmp_path: Path) -> None:
    other = {"id": "x", "answer": "(S (NP (PRP It)))"}
    bank = matched(tmp_path, {"id": "3", "answer": TREES[2]}, other)
    assert words(bank) == ["", "", TEXTS[2]]
    assert (events(bank)[MISSING], events(bank)[DROPPED]) == (2, 1)


def test_an_identifier_twice(tmp_path: Path) -> None:
    bank = matched(
        tmp_path,
        *({"id": str(number), "answer": TREES[number - 1]} for number in (1, 2, 3)),
        {"id": "1", "answer": "No."},
    )
    assert words(bank) == ["", *TEXTS[1:]]
    assert events(bank)[REPLACED] == 1


def test_the_words_of_another_sentence(tmp_path: Path) -> None:
    bank = matched(tmp_path, *({"id": str(number), "answer": TREES[0]} for number in (1, 2, 3)))
    assert events(bank)[OTHER_WORDS] == 2


def test_no_identifier_is_known(tmp_path: Path) -> None:
    gold = write_gold(tmp_path)
    path = write_lines(tmp_path, {"id": "x", "answer": "No."}, {"id": "y", "answer": "No."})
    with pytest.raises(crossbank.CrossbankError, match="no identifier and no text") as error:
        crossbank.score(gold, path)
    assert "\n" not in str(error.value)


def test_samples_are_analyses(tmp_path: Path) -> None:
    choices = [{"message": {"content": text}} for text in (TREES[0], "No.", TREES[1])]
    records = [
        {"custom_id": "sentence-2_sample-2", "answer": TREES[1]},
        {"custom_id": "sentence-2_sample-1", "answer": TREES[0]},
        {"custom_id": "1", "choices": choices},
        {"custom_id": "3", "answer": TREES[2]},
    ]
    bank = matched(tmp_path, *records)
    assert bank.sentences.analysis.tolist() == [0, 1, 2, 0, 1, 0]
    assert words(bank) == [TEXTS[0], "", TEXTS[1], TEXTS[0], TEXTS[1], TEXTS[2]]
    gold, path = write_gold(tmp_path), write_lines(tmp_path, *records)
    with pytest.warns(crossbank.CrossbankWarning):
        scores = {best: crossbank.score(gold, path, best=best)["f1"] for best in ("chosen", "oracle")}
    assert scores["chosen"] < 1
    assert scores["oracle"] == 1


def test_damage(tmp_path: Path) -> None:
    gold = write_gold(tmp_path)
    answers = [TREES[0], UNBALANCED, TREES[2]]
    path = write_lines(
        tmp_path, *({"id": str(number), "answer": text} for number, text in enumerate(answers, 1))
    )
    with raises(FormatError, line=2, sentence="2"):
        crossbank.score(gold, path, damaged="stop")
    with pytest.warns(crossbank.CrossbankWarning):
        assert crossbank.score(gold, path).counts.status_counts()["no parse"] == 1
    with pytest.warns(crossbank.CrossbankWarning):
        assert crossbank.score(gold, path, damaged="repair")["f1"] == 1


def test_a_request_that_failed_and_an_answer_that_is_cut(tmp_path: Path) -> None:
    cut = {"custom_id": "2", "choices": [{"message": {"content": UNBALANCED}, "finish_reason": "length"}]}
    path = write_lines(tmp_path, {"custom_id": "1", "response": None, "error": {"message": "x"}}, cut)
    bank = read(path, damaged="repair")
    assert (events(bank)[FAILED], events(bank)[CUT]) == (1, 1)
    assert words(bank) == ["", TEXTS[1]]


@pytest.mark.parametrize(
    "text",
    ["", "\n\n", "[]", "{", '{"id": 1}\n{', "[1", '{"id": "a", "answer": "x"}\n17\n', "\0", '["a", 1]'],
)
def test_files_that_are_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "answers.jsonl"
    path.write_text(text, "utf-8")
    with pytest.raises(crossbank.CrossbankError) as error:
        read(path, "answers")
    assert "\n" not in str(error.value)


def test_strings_in_memory(tmp_path: Path) -> None:
    gold = list(TREES)
    answers = [f"Parse: {TREES[0]}", None, f"```\n{UNBALANCED}\n```"]
    with pytest.warns(crossbank.CrossbankWarning):
        result = crossbank.score(gold, answers)
    assert result.counts.status_counts()["no parse"] == 2
    bank = crossbank.read(answers, damaged="repair")
    assert words(bank) == [TEXTS[0], "", TEXTS[1]]


def test_extremes(tmp_path: Path) -> None:
    large = "x (y) " * 170_000 + "\n\n" + TREES[0]
    right_to_left = "(S (NP (NN \u05d4\u05db\u05dc\u05d1)))"
    deep = "(A " * 50_000 + "x" + ")" * 50_000
    surrogate = '{"id": "4", "answer": "(S (NP (NN \\ud800)))"}\n'
    texts = [large, right_to_left, f"\x00\x1b[1m{TREES[0]}", deep, "[" * 100_000, '{"a":' * 5000]
    path = write_lines(tmp_path, *({"id": f"s{number}", "answer": text} for number, text in enumerate(texts)))
    path.write_text(path.read_text("utf-8") + surrogate, "utf-8")
    bank = read(path, damaged="repair")
    assert words(bank)[:4] == [TEXTS[0], "\u05d4\u05db\u05dc\u05d1", TEXTS[0], "x"]
    assert words(bank)[4:] == ["", "", "\ufffd"]


def test_a_record_that_is_no_json_is_one_damaged_sentence(tmp_path: Path) -> None:
    """A cut record and one with bytes that are no text leave the others; repaired, both are read."""
    path = tmp_path / "a.jsonl"
    path.write_bytes(
        b'{"id": "1", "answer": "(S (NP (NNP Ann)) (VP (VBD left)))"}\n'
        b'{"id": "2", "answer": "(S (NP (NNP Bo)) (VP (VBD left)))"\n'
        b'{"id": "3", "ans\xffwer": "", "answer": "(S (NP (NNP Cy)) (VP (VBD left)))"}\n'
    )
    with pytest.raises(FormatError):
        read(path)
    assert [read(path, damaged="skip").words(i) for i in range(3)] == [["Ann", "left"], [], []]
    repaired = read(path, damaged="repair")
    assert [repaired.words(i)[0] for i in range(3)] == ["Ann", "Bo", "Cy"]
    assert list(repaired.sentence_ids) == ["1", "2", "3"]


def test_the_first_record_may_be_damaged(tmp_path: Path) -> None:
    lines = [json.dumps({"id": f"{number}", "answer": "(S (NP (N Ann)))"}) for number in range(3)]
    path = tmp_path / "a.jsonl"
    path.write_text("\n".join([lines[0][1:], *lines[1:], ""]), encoding="utf-8")
    bank = crossbank.read(path, damaged="skip", format="answers")
    assert len(bank) == 3
    assert list(bank.sentence_ids[1:]) == ["1", "2"]
    assert bank.tokens.lengths().tolist()[1:] == [1, 1]
