"""One damaged sentence in a file of each format: whatever it is, the others are read as they were.

``python -m tests.fuzz.damaged_sentences [--mutants N] [--seed S] [--only FORMAT]`` changes a character in one
sentence of a file N times, over all formats in turn, and reads it under each policy. Printed are errors that
are not the project's own, refused files of which other sentences could be read, and other sentences that
changed. Mutants of the first and last line of a sentence may change its neighbour: these are its limits.
"""

from __future__ import annotations

import argparse
import json
import random
import traceback
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from crossbank.treebanks.damage.reading import rules_of
from crossbank.treebanks.errors import CrossbankError
from crossbank.treebanks.formats import FORMATS, REGISTRY, read
from crossbank.treebanks.treebank import Treebank
from tests.treebanks.test_damage import sentence, tree
from tests.treebanks.test_damage_of_every_format import FRAMES, SENTENCES

SIGNS = (
    *("", "(", ")", "<", ">", '"', "'", "&", "[", "]", "{", "}", "\0", "\u05d0", "\ufeff", "\u202e"),
    *(" ", "\t", "7", "-1", "|", "~", ",", ".", "#", "_", "\\", "```", "0", "999999999999", "/"),
)
"""What takes the place of a character, or is put before it."""

ANSWERS = "answers"

MARK = 12
"""The characters at the beginning of a sentence that may be its mark."""


class Whole(NamedTuple):
    """A file of a format: what is around its sentences, these, and how they are read."""

    begin: str
    sentences: Sequence[str]
    end: str
    bank: Treebank


def texts() -> dict[str, tuple[str, Sequence[str], str]]:
    """Return the beginning, the sentences and the end of a file in each format."""
    files = {
        name: (FRAMES.get(name, ("", ""))[0], sentences, FRAMES.get(name, ("", ""))[1])
        for name, sentences in SENTENCES.items()
        if name != "text"
    }
    # Whether trees have tags is decided by most of the words of a file.
    files["greynir"] = ("", files["greynir"][1] * 4, "")
    files["bracket"] = ("", [f"{tree(number)}\n" for number in range(6)], "")
    files["conllu"] = ("", [f"{sentence(number)}\n" for number in range(6)], "")
    trees, columns = REGISTRY.load("bracket"), REGISTRY.load("conllu")
    for name, source in (("discbracket", trees), ("export", trees), ("conllx", columns)):
        module = REGISTRY.load(name)
        rules = rules_of(module)
        assert rules is not None
        of_source = "bracket" if source is trees else "conllu"
        blocks = rules.split(module.dumps(source.loads("".join(files[of_source][1]))))
        first = rules.frames[0]
        files[name] = ("".join(blocks[:first]), blocks[first:], "")
    answers = [f"Sure:\n\n{tree(number)}\n\nDone." for number in range(3)]
    answers += [f"```conllu\n{sentence(number)}```" for number in range(3)]
    lines = [json.dumps({"id": f"{i}", "answer": answer}) + "\n" for i, answer in enumerate(answers)]
    files[ANSWERS] = ("", lines, "")
    return files


class Mutant(NamedTuple):
    """A file with one changed sentence, whose limits may be damaged."""

    text: str
    index: int
    is_at_limit: bool


def mutant_of(name: str, whole: Whole, chance: random.Random) -> Mutant:
    """Return a file with one change in one sentence."""
    index = chance.randrange(len(whole.sentences))
    block = whole.sentences[index]
    inner = block.rstrip("\n")
    if name == ANSWERS and chance.random() < 0.7:
        # Damage of the parse, and not of the record.
        record = json.loads(block)
        answer = _changed(record["answer"], chance)[0]
        changed, position = json.dumps({**record, "answer": answer}), len(inner) // 2
        is_at_limit = False
    else:
        changed, position = _changed(inner, chance)
        first, last = max(inner.find("\n"), MARK), inner.rfind("\n")
        is_at_limit = position <= first or position > (last if last >= 0 else len(inner) - 1)
    sentences = [*whole.sentences]
    sentences[index] = changed + block[len(inner) :]
    return Mutant("".join([whole.begin, *sentences, whole.end]), index, is_at_limit)


def _changed(text: str, chance: random.Random) -> tuple[str, int]:
    position = chance.randrange(len(text))
    if chance.random() < 0.1:
        return text[:position], position
    return text[:position] + chance.choice(SIGNS) + text[position + chance.randrange(2) :], position


def faults(name: str, whole: Whole, mutant: Mutant, path: Path) -> Iterator[str]:
    """Yield what is wrong with how a mutant is read."""
    path.write_text(mutant.text, encoding="utf-8")
    for policy in ("skip", "repair"):
        try:
            bank = read(path, name, damaged=policy)
        except CrossbankError as error:
            if not mutant.is_at_limit:
                yield f"{policy}: refused: {str(error).removeprefix(str(path))}"
            continue
        except Exception as error:
            frame = traceback.extract_tb(error.__traceback__)[-1]
            yield f"{policy}: {type(error).__name__} in {Path(frame.filename).name}:{frame.lineno}"
            continue
        number = int(bank.sentences.ordinal.max(initial=0))
        for index in range(len(whole.sentences)):
            distance = abs(index - mutant.index)
            if not distance or (mutant.is_at_limit and distance == 1):
                continue
            moved = number - len(whole.sentences) if index > mutant.index else 0
            if _contents(bank, index + moved) != _contents(whole.bank, index):
                yield f"{policy}: sentence {index + 1} is another one after damage of {mutant.index + 1}"


def _contents(bank: Treebank, index: int) -> list[tuple[object, ...]]:
    rows = [row for row, ordinal in enumerate(bank.sentences.ordinal.tolist()) if ordinal == index + 1]
    return [
        (
            one.words(0),
            one.tokens.parent.tolist(),
            one.tokens.head.tolist(),
            one.vocabulary.decode(one.nodes.label),
            one.vocabulary.decode(one.relations.dependent_word),
        )
        for one in (bank.select([row]) for row in rows)
    ]


def run(
    mutants: int,
    seed: int,
    folder: Path,
    only: Sequence[str] = (),
    report: Callable[[str], None] = lambda message: None,
) -> tuple[Counter[str], list[str]]:
    """Return the number of mutants of each format, and the faults, which are reported one by one."""
    warnings.simplefilter("ignore")
    files = {}
    for name, (begin, sentences, end) in texts().items():
        if only and name not in only:
            continue
        suffix = (FORMATS[name].suffixes or (".x",))[0]
        path = folder / f"{name}{suffix}"
        path.write_text("".join([begin, *sentences, end]), encoding="utf-8")
        files[name] = path, Whole(begin, sentences, end, read(path, name))
    tried: Counter[str] = Counter()
    messages = []
    names = list(files)
    for number in range(mutants):
        name = names[number % len(names)]
        path, whole = files[name]
        mutant = mutant_of(name, whole, random.Random(f"{seed} {number}"))
        tried[name] += 1
        for message in faults(name, whole, mutant, path):
            messages.append(f"{name} {number}: {message}")
            report(messages[-1])
    return tried, messages


def main() -> int:
    """Print the faults; the exit code is 1 if there are some."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--mutants", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", action="append", default=[])
    options = parser.parse_args()
    with TemporaryDirectory() as folder:
        show = partial(print, flush=True)
        tried, messages = run(options.mutants, options.seed, Path(folder), options.only, show)
    print(f"{tried.total()} mutants of {len(tried)} formats, {len(messages)} faults")
    return int(bool(messages))


if __name__ == "__main__":
    raise SystemExit(main())
