"""Errors of the input or of a call, each in one sentence: where, what was found, what was expected."""

from __future__ import annotations

import os
from os import PathLike

LONGEST = 300
"""Maximal number of characters of a message, since a line of a file may have a million."""


def shortened(message: str, longest: int = LONGEST) -> str:
    """Return a message, with the middle of overlong lines removed.

    The location, the beginning of the text found and the end of the text expected remain. Words are cut only
    if they are longer than an eighth of the message.
    """
    if len(message) <= longest:
        return message
    if "\n" in message:
        return "\n".join(shortened(line, longest) for line in message.split("\n"))
    end = longest // 3
    begin = longest - end - len(" ... ")
    before = message.rfind(" ", begin - longest // 8, begin + 1)
    after = message.find(" ", len(message) - end - 1, len(message) - end + longest // 8)
    head = message[: begin if before < 0 else before].rstrip()
    return f"{head} ... {message[-end if after < 0 else after :].lstrip()}"


def excerpt(text: str, longest: int = 40) -> str:
    """Return the beginning of a text in quotes, as messages have it."""
    return repr(text if len(text) <= longest else f"{text[: longest - 3]}...")


def located(where: str, message: str) -> str:
    """Return a message that begins with a file and a line, if they are known."""
    return f"{where}: {message}" if where else message


class CrossbankError(Exception):
    """Base of all errors of the input or of a call; the command line exits with 2.

    The message is shortened: see ``shortened``.

    longer  additional characters allowed, for text that the user typed
    """

    def __init__(self, message: str = "", *, longer: int = 0) -> None:
        super().__init__(shortened(message, LONGEST + longer))

    def __reduce__(self) -> tuple[object, ...]:
        # By default Python calls the class with the message alone. If that fails, a pool of processes hangs.
        return _unpickled, (type(self), self.args), self.__dict__


def _unpickled(kind: type[CrossbankError], arguments: tuple[object, ...]) -> CrossbankError:
    error = kind.__new__(kind)
    # A second base class, such as ImportError, has fields of its own, so its __init__ must be called too.
    super(CrossbankError, error).__init__(*arguments)
    return error


class CrossbankWarning(UserWarning):
    """A comparison that may be misleading: the diagnostic, with a hint."""


class FormatError(CrossbankError):
    """A file that is not in the format in which it is read.

    actual, expected  what the file has, and what it should have
    line              the line, from 1
    sentence          the identifier of the sentence, or its position if it has none
    position          its position from 1, if it has no identifier
    """

    def __init__(
        self,
        path: str | PathLike[str],
        actual: str,
        expected: str,
        *,
        line: int | None = None,
        sentence: str | int | None = None,
    ) -> None:
        self.path, self.line = str(path), line
        self.sentence = None if sentence is None else str(sentence)
        self.position = sentence if isinstance(sentence, int) else None
        self.actual, self.expected = actual, expected
        where = self.path if line is None else f"{self.path}:{line}"
        if sentence is not None:
            where += f": sentence {sentence}"
        super().__init__(f"{where}: found {actual}, expected {expected}")

    def moved(self, sentences: int, lines: int) -> FormatError:
        """Return the error with positions in a file that has ``sentences`` and ``lines`` before the text."""
        return FormatError(
            self.path,
            self.actual,
            self.expected,
            line=None if self.line is None else self.line + lines,
            sentence=self.sentence if self.position is None else self.position + sentences,
        )


class MissingFileError(CrossbankError):
    """A file that does not exist.

    path  the file, or the pattern that no file matches
    """

    def __init__(self, path: str | PathLike[str]) -> None:
        self.path = os.fspath(path)
        problem = (
            "no file matches" if any(sign in self.path for sign in "*?[") else "no such file or directory"
        )
        super().__init__(f"{self.path}: {problem}")


class ConversionError(CrossbankError):
    """A conversion that needs information that the treebank does not have."""


class RequirementError(ConversionError):
    """A transformation or metric that needs a scheme, a rule or an analysis that is not there.

    name      the transformation or metric
    required  what it needs
    """

    def __init__(self, name: str, required: str, where: str = "") -> None:
        from crossbank.treebanks.named_arguments import argument

        self.name, self.required = name, required
        hint = f" ({argument('scheme')})" if required.startswith("a scheme") else ""
        super().__init__(located(where, f"{name} needs {required}{hint}"))


class MissingAnnotationError(ConversionError):
    """A treebank without the annotation that something needs.

    where       the file, with the line if it is known
    annotation  the annotation, such as trees or dependencies
    purpose     what needs it, or where it may come from; the message ends with it
    """

    def __init__(self, where: str, annotation: str, purpose: str = "") -> None:
        self.where, self.annotation, self.purpose = where, annotation, purpose
        super().__init__(located(where, f"there are no {annotation}{purpose and f' {purpose}'}"))


class SentenceError(ConversionError):
    """A sentence that a conversion cannot convert, or a format cannot hold.

    path, line  its file, and the line from 1; None if they are not known
    sentence    its identifier, or its position if it has none
    problem     what is wrong with it
    """

    def __init__(self, path: str, line: int | None, sentence: str, problem: str) -> None:
        self.path, self.line, self.sentence, self.problem = path or None, line, sentence, problem
        where = f"{path}:{line}" if path and line else path
        super().__init__(located(where, f"sentence {sentence}: {problem}"))


class OutputError(CrossbankError):
    """A file that cannot be written."""

    def __init__(self, path: str | PathLike[str], error: OSError) -> None:
        # Arrow replaces the message of the system by its own.
        reason = os.strerror(error.errno) if error.errno else error.strerror or "an error"
        super().__init__(f"{path}: cannot be written: {reason.lower()}")


class OptionError(CrossbankError):
    """An unknown name or value of an option, a scheme, a metric, a format or a transformation.

    kind     the kind of name or option, such as ``metric``
    value    the unknown name or value
    allowed  the allowed names, or a description of them
    """

    def __init__(self, kind: str, value: object, allowed: object) -> None:
        self.kind, self.value, self.allowed = kind, value, allowed
        super().__init__(f"{kind}: found {value!r}, {meant(value, allowed)}")


def meant(value: object, allowed: object) -> str:
    """Return a clause on allowed values: the nearest one if the name is similar, else all.

    >>> meant("parsevall", ["parseval", "frames"]), meant("x", ["parseval", "frames"])
    ("did you mean 'parseval'?", 'expected one of parseval, frames')
    """
    # Paths in one folder are always similar.
    is_name = isinstance(value, str) and "/" not in value
    if is_name and isinstance(allowed, (list, tuple, set, frozenset, dict)):
        from difflib import get_close_matches

        by_case = {str(name).casefold(): str(name) for name in allowed}
        if near := get_close_matches(str(value).casefold(), by_case, n=1, cutoff=0.75):
            return f"did you mean {by_case[near[0]]!r}?"
    return f"expected {one_of(allowed)}"


def one_of(allowed: object) -> str:
    """Return a list of allowed values as a phrase; a description of them is unchanged."""
    if isinstance(allowed, str):
        return allowed
    if isinstance(allowed, (list, tuple, set, frozenset, dict)):
        names = [str(name) for name in allowed]
        return "none" if not names else names[0] if len(names) == 1 else "one of " + ", ".join(names)
    return str(allowed)
