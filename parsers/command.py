"""External parsers: two commands, one that trains and one that parses.

The training set is written in the parser's output format, the sentences as text (words, or tags) or as
CoNLL-U without heads. Commands run in a shell, with the paths of files in place of ``{train}``, ``{model}``,
``{input}`` and ``{output}``.
"""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Literal, get_type_hints

import numpy as np

from crossbank.converters import scheme_of
from crossbank.parsers.grammar_views import in_view, steps_to_view, without_trees, words_in_view
from crossbank.parsers.parsed import Parsed
from crossbank.treebanks import CrossbankError, OptionError, Treebank
from crossbank.treebanks.formats import read, write
from crossbank.treebanks.quantities import quantity
from crossbank.treebanks.registry import option_value

HOUR = 3600

KILL_IF_STDIN_CLOSES = "exec 3<&0 </dev/null; { read _ <&3; kill -s KILL 0; } & exec 3<&-; "
"""Prefix of a command: it kills the process group when stdin, a pipe of this process, is closed.

The system closes the pipe if this process is killed, so that no command continues without it.
"""


class CommandError(CrossbankError):
    """A command of a parser that failed, took too long, or wrote another number of sentences."""


@dataclass(frozen=True)
class ParserCommand:
    """An external parser.

    train, parse  the commands
    output        the format that it is trained on and writes
    input         its input: ``words`` or ``tags`` as text, or ``conllu``
    time          the seconds that each command may take
    version       a command that prints the version, for the log
    """

    train: str
    parse: str
    output: str = "bracket"
    input: Literal["words", "tags", "conllu"] = "words"
    time: int = HOUR
    version: str = ""

    def __post_init__(self) -> None:
        """Raise CommandError for a command in which a path that it needs is missing."""
        needed = ((self.train, ("{train}", "{model}")), (self.parse, ("{model}", "{input}", "{output}")))
        for command, paths in needed:
            for path in paths:
                if path not in command:
                    raise CommandError(f"command: {path} is missing in {command!r}")

    def run(self, training: Treebank, sentences: Treebank, scheme: str | None, folder: Path) -> Parsed:
        """Train on one treebank and parse the other, with files in a folder.

        Raises CommandError if a command fails, takes too long, or gives another number of sentences.
        """
        loaded = scheme_of(scheme)
        steps = steps_to_view(loaded, "constituents", functions=False, crossing="raise")
        folder.mkdir(parents=True, exist_ok=True)
        paths = {name: folder / name for name in ("train", "model", "input", "output")}
        as_trees = self.output not in ("conllu", "conllx")
        write(in_view(training, steps, loaded) if as_trees else training, paths["train"], self.output)
        words = words_in_view(sentences, steps, loaded) if as_trees else without_trees(sentences)
        tags = words.replace(tokens=words.tokens.replace(form=words.tokens.pos))
        input_treebank = tags if self.input == "tags" else words
        write(input_treebank, paths["input"], "conllu" if self.input == "conllu" else "text")
        if self.version:
            self._call("version", self.version, paths)
        self._call("train", self.train, paths)
        self._call("parse", self.parse, paths)
        parses = read(paths["output"], self.output)
        if len(parses) != len(words):
            raise CommandError(
                f"parse: the output has {quantity(len(parses), 'sentence')}, the input has {len(words):,}"
            )
        return self._parsed(words, parses)

    def _parsed(self, words: Treebank, parses: Treebank) -> Parsed:
        """Return the output; if tags were parsed, with the words of the input."""
        lengths = parses.tokens.lengths()
        reasons = [
            "" if length == expected else "no tokens" if length == 0 else f"found {quantity(length, 'token')}"
            for length, expected in zip(lengths.tolist(), words.tokens.lengths().tolist(), strict=True)
        ]
        is_parsed = np.array([not reason for reason in reasons], np.bool_)
        tokens_of_parses = parses.tokens.take(np.repeat(is_parsed, lengths))
        if self.input == "tags":
            vocabulary, codes = parses.vocabulary.extended(words.vocabulary)
            own = words.tokens.take(np.repeat(is_parsed, words.tokens.lengths()))
            tokens_of_parses = tokens_of_parses.replace(form=codes[own.form], pos=codes[own.pos])
            parses = parses.replace(vocabulary=vocabulary)
        parses = parses.replace(tokens=tokens_of_parses).with_structure()
        log2 = np.where(is_parsed, 0.0, -np.inf)
        return Parsed(parses.replace(diagnosis=(), history=()), words, log2, reasons)

    def _call(self, name: str, command: str, paths: dict[str, Path]) -> None:
        written = command
        for file, path in paths.items():
            written = written.replace("{" + file + "}", shlex.quote(str(path)))
        print(f"{name}: {written}", file=sys.stderr, flush=True)
        end, write_end = os.pipe()
        process = subprocess.Popen(
            KILL_IF_STDIN_CLOSES + written,
            shell=True,
            stdin=end,
            stdout=sys.stderr,
            stderr=sys.stderr,
            start_new_session=True,
        )
        os.close(end)
        try:
            code = process.wait(self.time)
        except subprocess.TimeoutExpired:
            raise CommandError(f"{name}: did not end within {self.time} seconds") from None
        finally:
            os.close(write_end)
            process.wait()
        if code:
            raise CommandError(f"{name} ended with exit code {code}: {command}")


def command_of(options: Mapping[str, Any]) -> ParserCommand:
    """Return a command from the options that a user wrote.

    Raises OptionError for an option that commands do not have, CommandError if one is missing.
    """
    allowed = [field.name for field in fields(ParserCommand)]
    for option in options:
        if option not in allowed:
            raise OptionError("option of command", option, allowed)
    for option in ("train", "parse"):
        if option not in options:
            raise CommandError(f"command: the option {option} is missing")
    hints = get_type_hints(ParserCommand)
    return ParserCommand(**{name: option_value(name, value, hints[name]) for name, value in options.items()})


def unparsed(words: Treebank, reason: str) -> Parsed:
    """Return sentences without a parse, all for one reason."""
    none = words.tokens.take(np.zeros(len(words.tokens), np.bool_))
    log2 = np.full(len(words), -np.inf)
    bank = Treebank.of_tables(words.vocabulary, words.sentences, none)
    return Parsed(bank, words, log2, [reason] * len(words))
