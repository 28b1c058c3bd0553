"""Answers in JSON: lines or an array of records with an identifier and an answer, and results of batches.

These records are known, in which ``id`` is the identifier and the string in the end the answer::

    {"id": ..., "answer": ...}                also text, response, output, completion, prediction, parse
    {"custom_id": ..., "response": {"body": {"choices": [{"message": {"content": ...}}]}}}
    {"custom_id": ..., "result": {"message": {"content": [{"type": "text", "text": ...}]}}}
    {"id": ..., "message": {"content": ...}}  a local server's chat

Several ``choices`` are several answers. Beside an answer ``text`` or ``sentence`` is the sentence.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from os import PathLike
from typing import Any

from crossbank.language_models.damaged_records import cut_array, read_pairs
from crossbank.treebanks.damage.rules import DamagePolicy
from crossbank.treebanks.errors import FormatError, excerpt
from crossbank.treebanks.named_arguments import argument

IDENTIFIERS = ("custom_id", "sent_id", "sentence_id", "id", "key", "recordId", "name")
SENTENCES = ("sentence", "text", "input_text")
ANSWERS = (
    *("answer", "response", "result", "output", "completion", "prediction", "parse", "generated_text"),
    *("choices", "candidates", "message", "messages", "content", "parts", "body", "modelOutput"),
    *("output_text", "generation", "outputs", "text", "results"),
)
"""Keys of records, in the order in which they are looked for."""

SAMPLES = ("choices", "candidates")
"""Keys of lists of answers to one request."""

CUT = ("length", "max_tokens", "MAX_TOKENS", "incomplete")
"""The reasons for which an answer ended too early."""

REASONS = ("finish_reason", "stop_reason", "finishReason", "done_reason")

SAMPLE = re.compile(r"_sample-([0-9]{1,6})$")
"""The end of the identifier of a sample."""

NUMBERED = re.compile(r"sentence-([0-9]{1,9})")
"""The identifier of a request for a sentence whose own cannot be in one: its number."""

MAX_DEPTH = 20


@dataclass
class AnswerRecord:
    """The answers to one request.

    id       the sentence's identifier or number; empty if there is none
    sample   which of several requests for the sentence it is, from 1; 0 if there is one
    text     the sentence; empty if the record does not have it
    answers  one string, or several samples; none if the request failed
    line     the line of the file
    is_cut   whether an answer ended too early
    is_damaged  whether the record is no JSON, and its answers are what could be read of them
    """

    id: str
    sample: int = 0
    text: str = ""
    answers: list[str] = field(default_factory=list)
    line: int = 0
    is_cut: bool = False
    is_damaged: bool = False


def read_records(
    text: str, path: str | PathLike[str], policy: DamagePolicy = DamagePolicy.STOP
) -> Iterator[AnswerRecord]:
    """Yield the records of a text in JSON. Raises FormatError for one that is not, if damage is to stop."""
    if text.lstrip().startswith("["):
        yield from _records_of_array(text, path, policy)
        return
    whole = _whole_object(text)
    if whole is not None:
        for number, value in enumerate(whole, 1):
            yield record_of(value, path, number)
        return
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            try:
                yield record_of(json.loads(line), path, number)
            except (ValueError, RecursionError):
                if policy is not DamagePolicy.STOP:
                    yield _damaged_record(line, path, number)
                    continue
                actual = f"a line that is not JSON ({excerpt(line.strip())})"
                hint = f"{argument('damaged', 'skip')} leaves it without a parse, repair reads what it can"
                expected = f"an object with an answer on each line ({hint})"
                raise FormatError(path, actual, expected, line=number) from None
            except FormatError:
                if policy is DamagePolicy.STOP:
                    raise
                yield _damaged_record(line, path, number)


def _records_of_array(text: str, path: str | PathLike[str], policy: DamagePolicy) -> Iterator[AnswerRecord]:
    try:
        values = json.loads(text)
    except (ValueError, RecursionError) as error:
        if policy is DamagePolicy.STOP:
            where = error.lineno if isinstance(error, json.JSONDecodeError) else 1
            raise FormatError(path, f"an array that is not JSON ({error})", "JSON", line=where) from None
        for value, damaged, line in cut_array(text):
            yield _damaged_record(damaged, path, line) if value is None else record_of(value, path, line)
        return
    for number, value in enumerate(values, 1):
        yield record_of(value, path, number)


def _damaged_record(text: str, path: str | PathLike[str], line: int) -> AnswerRecord:
    return replace(record_of(read_pairs(text), path, line), is_damaged=True)


def _whole_object(text: str) -> list[Any] | None:
    """Return the records of a text that is one object over several lines; None if it is not."""
    first, _, rest = text.strip().partition("\n")
    if not rest or first.rstrip().endswith("}"):
        return None
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    inner = next((one for one in value.values() if isinstance(one, list)), None)
    are_records = bool(inner) and all(isinstance(one, dict) for one in inner or ())
    if are_records and inner is not None:
        return inner
    if not isinstance(_first_of(value, ANSWERS), str):
        # Answers by identifier.
        return [{"id": name, "answer": one} for name, one in value.items()]
    return [value]


def record_of(value: Any, path: str | PathLike[str], line: int) -> AnswerRecord:
    """Return the record that a value is. Raises FormatError if it is neither an object nor a string."""
    if isinstance(value, str):
        return AnswerRecord("", answers=[value], line=line)
    if not isinstance(value, dict):
        raise FormatError(path, f"{excerpt(str(value))}", "an object with an answer", line=line)
    name = _first_of(value, IDENTIFIERS)
    identifier = str(name) if isinstance(name, (str, int)) and not isinstance(name, bool) else ""
    sample = 0
    if (match := SAMPLE.search(identifier)) is not None:
        identifier, sample = identifier[: match.start()], int(match[1])
    if (match := NUMBERED.fullmatch(identifier)) is not None:
        identifier = match[1]
    has_answer = any(one in value for one in ANSWERS if one != "text")
    of_sentence = {one: value[one] for one in SENTENCES if one != "text" or has_answer if one in value}
    text = _first_of(of_sentence, SENTENCES)
    record = AnswerRecord(identifier, sample, text if isinstance(text, str) else "", line=line)
    is_known = {one: value[one] for one in ANSWERS if one in value and (one != "text" or not has_answer)}
    _collect(is_known, record)
    return record


def _first_of(value: dict[str, Any], names: tuple[str, ...]) -> Any:
    return next((value[name] for name in names if value.get(name) not in (None, "")), None)


def _collect(value: Any, record: AnswerRecord) -> None:
    """Add the answers in a value to a record."""
    waiting = [(value, 0)]
    while waiting:
        one, depth = waiting.pop()
        if isinstance(one, str):
            record.answers.append(one)
        elif isinstance(one, dict) and depth < MAX_DEPTH:
            record.is_cut = record.is_cut or any(one.get(name) in CUT for name in REASONS)
            name = next((name for name in ANSWERS if one.get(name) not in (None, "", [])), None)
            if name in SAMPLES and isinstance(one[name], list):
                waiting += [(sample, depth + 1) for sample in reversed(one[name])]
            elif name is not None:
                waiting.append((one[name], depth + 1))
        elif isinstance(one, list):
            text = _joined(one)
            if text is not None:
                record.answers.append(text)
            elif one:
                waiting.append((_last_of_assistant(one), depth + 1))


def _joined(parts: list[Any]) -> str | None:
    """Return the text of a list of strings or of objects with one, leaving out other content; else None."""
    texts = [part if isinstance(part, str) else _text_of(part) for part in parts]
    known = [text for text in texts if text is not None]
    return "".join(known) if known else None


def _text_of(part: Any) -> str | None:
    if not isinstance(part, dict) or part.get("type", "text") not in ("text", "output_text"):
        return None
    text = part.get("text")
    return text if isinstance(text, str) else None


def _last_of_assistant(messages: list[Any]) -> Any:
    """Return the last message that a model wrote, else the last one."""
    written = [one for one in messages if isinstance(one, dict) and one.get("role") in ("assistant", "model")]
    of_type = [one for one in messages if isinstance(one, dict) and one.get("type") == "message"]
    return (written or of_type or messages)[-1]
