"""Files as bytes and as lines of text: through gzip, in any encoding, with plain errors."""

from __future__ import annotations

import codecs
import io
import os
import re
import stat
import sys
import threading
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from functools import lru_cache
from glob import glob
from os import PathLike, fspath, fstat, getpid
from os.path import isdir
from typing import TYPE_CHECKING, Any, AnyStr, Protocol

from crossbank.treebanks.errors import (
    CrossbankError,
    FormatError,
    MissingFileError,
    OptionError,
    OutputError,
    excerpt,
)
from crossbank.treebanks.memory import require_for_text
from crossbank.treebanks.named_arguments import argument
from crossbank.treebanks.ranges import is_watched, work

if TYPE_CHECKING:
    from typing_extensions import Buffer

GZIP = b"\x1f\x8b"

LARGE_CHUNK = 1 << 24
"""The number of bytes of a chunk of a big file. A file of less than twice as many is read as a whole."""

STANDARD = "-"
"""The name of standard input where a file is read, and of standard output where one is written."""

_PIPED: dict[tuple[int, int], bytes] = {}
"""The content of each pipe that was read, since a pipe can be read only once."""

_PIPES = threading.Lock()

BYTE_ORDER_MARK = "a byte order mark before the text"
WINDOWS_LINE_ENDS = "line ends of Windows (CRLF)"
OLD_LINE_ENDS = "line ends of old Macintoshes (CR)"

_NUL = "crossbank.nul"
"""Name of the codec error handler that replaces bytes that are not text by NUL."""


def _replace_by_nul(error: UnicodeError) -> tuple[str, int]:
    """Return NUL for bytes that are not text, and the position after them."""
    assert isinstance(error, UnicodeDecodeError)
    return "\0", error.end


codecs.register_error(_NUL, _replace_by_nul)

STRAY = re.compile(r"\r(?!\n|\Z)")
"""A carriage return inside a line."""


def clean(text: AnyStr, path: str | PathLike[str], line: int = 1) -> AnyStr:
    """Return text with the line ends that all readers expect, decoded or in UTF-8.

    line  number of the first line, for errors


    Lines end with LF or CRLF, which are unchanged; CR alone becomes LF where the text has no LF. Raises
    FormatError, with the line, for a CR elsewhere, which some programs take for the end of a line and others
    for a part of a word, and for NUL, which only binary data have.
    """
    nul, cr, lf = ("\0", "\r", "\n") if isinstance(text, str) else (b"\0", b"\r", b"\n")
    if nul in text:
        raise FormatError(path, "binary data", "text")
    if cr not in text or text.count(cr) == text.count(cr + lf):
        return text
    if lf not in text:
        return text.replace(cr, lf)
    stray = STRAY if isinstance(text, str) else re.compile(STRAY.pattern.encode())
    if match := stray.search(text):
        line += text.count(lf, 0, match.start())
        raise FormatError(path, "a carriage return inside the line", "none but at its end", line=line)
    return text


def matching(pattern: str) -> list[str]:
    """Return the files that a path with ``*`` matches, 9 before 10. A path without ``*`` matches itself.

    In a path with ``*``, ``[`` and ``?`` stand for themselves if there are such files. Otherwise ``[ab]``
    matches one of the characters, and ``?`` any character.
    """
    if "*" not in pattern:
        return [pattern]
    return sorted(glob(re.sub(r"[\[?]", r"[\g<0>]", pattern)) or glob(pattern), key=_natural)


def stars(pattern: str) -> dict[str, tuple[str, ...]]:
    """Return the files that a path with ``*`` matches, each with what the stars stand for."""
    expression = re.compile("([^/]*)".join(map(re.escape, pattern.split("*"))))
    matches = {path: expression.fullmatch(path) for path in matching(pattern)}
    return {path: match.groups() if match else (path,) for path, match in matches.items()}


def _natural(path: str) -> list[Any]:
    """Return a sort key by which ``split9`` comes before ``split10``."""
    return [int(part) if part.isdecimal() else part for part in re.split(r"(\d+)", path)]


def check_path(path: str | PathLike[str]) -> None:
    """Raise CrossbankError for a path that no file can have: with NUL or an unpaired surrogate."""
    try:
        is_possible = b"\0" not in os.fsencode(path)
    except UnicodeEncodeError:
        is_possible = False
    if not is_possible:
        raise CrossbankError(f"path: found {excerpt(os.fspath(path))}, expected characters of file names")


def is_pipe(path: str | PathLike[str]) -> bool:
    """Return whether a path is standard input (``-``), a pipe or a device."""
    if fspath(path) == STANDARD:
        return True
    check_path(path)
    try:
        mode = os.stat(path).st_mode
    except OSError:
        return False
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))


def piped(path: str | PathLike[str]) -> bytes | None:
    """Return the content of standard input (``-``) or of a pipe, read once and kept; None for a file.

    Raises OSError if it cannot be read.
    """
    if not is_pipe(path):
        return None
    is_standard = fspath(path) == STANDARD
    status = os.fstat(0) if is_standard else os.stat(path)
    pipe = (status.st_dev, status.st_ino)
    with _PIPES:
        if pipe not in _PIPED:
            with open(0 if is_standard else path, "rb", closefd=not is_standard) as stream:
                _PIPED[pipe] = _read_bounded(stream, path)
        return _PIPED[pipe]


def checksum_of(path: str | PathLike[str]) -> str:
    """Return the SHA-256 of a file's bytes, in hexadecimal digits."""
    from hashlib import file_digest

    with open(path, "rb") as stream:
        return file_digest(stream, "sha256").hexdigest()


def checksum(path: str | PathLike[str]) -> str:
    """Return the checksum of a file; it is computed again only if size or date have changed.

    The checksum of a pipe is that of its content. Raises CrossbankError if a file cannot be read.
    """
    from hashlib import sha256

    try:
        if (data := piped(path)) is not None:
            return sha256(data).hexdigest()
        status = os.stat(path)
        return _known_checksum(fspath(path), status.st_mtime_ns, status.st_size)
    except OSError as error:
        raise unreadable(path, error) from error


@lru_cache(maxsize=1 << 14)
def _known_checksum(path: str, changed: int, size: int) -> str:
    return checksum_of(path)


def read_bytes(path: str | PathLike[str], *, may_be_blank: bool = False) -> bytes:
    """Return the content of a file, unpacked where it is gzipped.

    It is read as a whole and not mapped: another program may change or cut the file while it is read.

    may_be_blank  whether a file with nothing but blanks is allowed: a sentence without an analysis where
                  each sentence has a file of its own

    Raises CrossbankError if the file is missing or cannot be read, FormatError if it is empty.
    """
    try:
        data = piped(path)
        if data is None:
            with open(path, "rb") as stream:
                data = _read_bounded(stream, path)
    except OSError as error:
        raise unreadable(path, error) from error
    if data.startswith(GZIP):
        data = unpacked(data, path)
    if (not data or data.isspace()) and not may_be_blank:
        raise FormatError(path, "an empty file", "at least one sentence")
    return data


def utf8_of(path: str | PathLike[str], encoding: str | None = None) -> bytes:
    """Return the content of a text file as ``as_utf8`` gives it, unchecked."""
    return as_utf8(read_bytes(path), path, encoding, checked=False)


def utf8_blocks(
    path: str | PathLike[str], encoding: str | None, size: int, *, is_lenient: bool = False
) -> Iterator[bytes]:
    """Yield a text file as ``as_utf8`` gives it, unchecked, in blocks of ``size`` bytes; the last is longer.

    With ``is_lenient``, lines end with LF, carriage returns elsewhere stay as they are, and NUL stands for
    bytes that are not text in that encoding.

    Raises CrossbankError where the file cannot be read, is not text in that encoding, or is blank.
    """
    decoder: codecs.IncrementalDecoder | None = None
    has_newlines = has_old_ends = False
    carried = b""
    try:
        with unpacking(path), open_binary(path) as stream:
            block = stream.read(size + len(codecs.BOM_UTF8))
            is_utf_16 = block.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
            is_blank = not block or block.isspace()
            if is_utf_16:
                decoder = codecs.getincrementaldecoder("utf-16")(_NUL if is_lenient else "strict")
            elif encoding is not None and not block.startswith(codecs.BOM_UTF8):
                decoder = codecs.getincrementaldecoder(encoding)(_NUL if is_lenient else "strict")
            block = block.removeprefix(codecs.BOM_UTF8)
            while block:
                following = stream.read(size)
                is_blank = is_blank and (not following or following.isspace())
                if len(following) < size:
                    block, following = block + following, b""
                if decoder is not None:
                    block = decoder.decode(block, final=not following).encode()
                block, carried = carried + block, b""
                # A carriage return at the end of a block may belong to the CRLF of the next block, and those
                # before it show only there whether they are inside of a line.
                if block.endswith(b"\r") and following:
                    size_of_rest = len(block.rstrip(b"\r"))
                    block, carried = block[:size_of_rest], block[size_of_rest:]
                if is_lenient:
                    if b"\r" in block:
                        block = block.replace(b"\r\n", b"\n")
                        block = block if b"\n" in block else block.replace(b"\r", b"\n")
                    yield block
                    block = following
                    continue
                text = clean(block, path)
                if text is not block and has_newlines:
                    clean(b"\n" + block, path)
                    text = block
                has_old_ends = has_old_ends or text is not block
                has_newlines = has_newlines or b"\n" in block
                if has_old_ends and has_newlines:
                    raise FormatError(path, OLD_LINE_ENDS, "those of other systems alone")
                yield text
                block = following
        if is_blank:
            raise FormatError(path, "an empty file", "at least one sentence")
    except (FormatError, UnicodeDecodeError, LookupError):
        # The line is unknown within a block: read the whole file, whose error has the line.
        as_utf8(read_bytes(path), path, encoding, checked=False)
        raise


def list_repairs(path: str | PathLike[str]) -> tuple[str, ...]:
    """Return the marks that reading removes from a text file: a byte order mark, carriage returns of Windows.

    Only the first 64 KiB are examined. Empty for a file that is binary or cannot be opened.
    """
    try:
        with unpacking(path), open_binary(path) as stream:
            head = stream.read(65536)
    except (OSError, CrossbankError):
        return ()
    if b"\0" in head:
        return ()
    repairs = []
    if b"\r" in head and b"\n" not in head:
        return (OLD_LINE_ENDS,)
    if head.startswith(codecs.BOM_UTF8):
        repairs.append(BYTE_ORDER_MARK)
    if head.partition(b"\n")[0].endswith(b"\r"):
        repairs.append(WINDOWS_LINE_ENDS)
    return tuple(repairs)


def file_size(path: str | PathLike[str]) -> int:
    """Return the number of bytes of a file, about six times as many where it is gzipped; 0 for a folder.

    Raises CrossbankError if the file is missing or cannot be read.
    """
    if isdir(path):
        return 0
    with open_binary(path):
        pass
    if (data := piped(path)) is not None:
        return len(data) * (6 if data.startswith(GZIP) else 1)
    with open(path, "rb") as stream:
        return fstat(stream.fileno()).st_size * (6 if stream.read(2) == GZIP else 1)


def unpacked(data: bytes | bytearray, path: str | PathLike[str]) -> bytes:
    """Return the content of gzipped bytes. Raises FormatError if they are damaged."""
    import gzip

    with unpacking(path), gzip.open(io.BytesIO(data)) as stream:
        return _read_bounded(stream, path)


def _read_bounded(stream: SupportsRead, path: str | PathLike[str]) -> bytes:
    """Return the rest of a stream. Raises MemoryLimitError if it is more than there is memory for."""
    parts: list[bytes] = []
    size = 0
    while part := stream.read(LARGE_CHUNK):
        size += len(part)
        require_for_text(size, fspath(path))
        parts.append(part)
    return parts[0] if len(parts) == 1 else b"".join(parts)


class SupportsRead(Protocol):
    """A binary stream."""

    def read(self, size: int, /) -> bytes:
        """Return some bytes; none at the end."""


def read_text(path: str | PathLike[str], encoding: str | None = None, *, advice: str = "") -> str:
    """Return the content of a file as text with ``\\n`` line ends: see ``decode``."""
    return decode(read_bytes(path), path, encoding, advice=advice)


def decode(data: bytes, path: str | PathLike[str], encoding: str | None = None, *, advice: str = "") -> str:
    """Return text from bytes: a byte order mark decides, else ``encoding``, else UTF-8.

    Raises FormatError, with the line, if the bytes are not text in that encoding; the message ends with the
    ``advice``, which is to name another encoding where there is none.
    """
    text = clean(_decoded(data, path, encoding, advice=advice), path)
    return text.replace("\r\n", "\n").removesuffix("\r") if "\r" in text else text


def as_utf8(
    data: bytes, path: str | PathLike[str], encoding: str | None = None, *, checked: bool = True
) -> bytes:
    """Return the same text in UTF-8 without a byte order mark, for the compiled readers.

    Line ends are those of ``clean``. Raises FormatError like ``decode``. With ``checked=False`` UTF-8 is not
    checked: readers that decode each distinct string find errors later.
    """
    if encoding is not None or data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        data = _decoded(data, path, encoding).encode()
    elif checked:
        _decoded(data, path, None)
    return clean(data.removeprefix(codecs.BOM_UTF8), path)


def decode_leniently(data: bytes, encoding: str | None = None) -> str:
    """Return text with LF at the end of each line, and with NUL for bytes that are not text."""
    data, name = split_mark(data, encoding)
    return data.decode(name, _NUL).replace("\r\n", "\n").replace("\r", "\n")


SAVE_AS_UTF_8 = "save it as UTF-8"
"""The advice on a file that is always read as UTF-8: users have no option for its encoding."""


def split_mark(data: bytes, encoding: str | None = None) -> tuple[bytes, str]:
    """Return the bytes without a byte order mark of UTF-8, and the name of their encoding: see ``decode``."""
    if data.startswith(codecs.BOM_UTF8):
        return data[len(codecs.BOM_UTF8) :], "utf-8"
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return data, "utf-16"
    return data, encoding or "utf-8"


def _decoded(
    data: bytes, path: str | PathLike[str], encoding: str | None, line: int = 1, advice: str = ""
) -> str:
    """Return the text from bytes that begin at ``line``."""
    data, name = split_mark(data, encoding)
    if b"\0" in data and not _is_wide(name):
        clean(data, path, line)  # report binary data, not a wrong encoding
    try:
        return data.decode(name)
    except LookupError as error:
        raise OptionError("encoding", name, "utf-8, latin-1 or another encoding that Python has") from error
    except UnicodeDecodeError as error:
        line += data.count(b"\n", 0, error.start)
        actual = f"the byte 0x{data[error.start]:02x}, which is not {name}"
        another = argument("encoding", "latin-1" if name.lower() in ("utf-8", "utf8") else "utf-8")
        expected = f"{name} text ({advice or f'try {another}'})"
        raise FormatError(path, actual, expected, line=line) from error


def lines(path: str | PathLike[str], encoding: str | None = None) -> Iterator[tuple[int, str]]:
    """Yield the lines of a text file with their numbers from 1, without line ends, read as they are needed.

    Raises the errors of ``read_bytes`` and ``decode``.
    """
    any_line = False
    with unpacking(path), open_binary(path) as stream, io.BufferedReader(stream) as buffered:
        head = buffered.peek(4)
        if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) or _is_wide(encoding):
            text = decode(_read_bounded(buffered, path), path, encoding)
            yield from enumerate(text.removesuffix("\n").split("\n"), 1)
            return
        if head.startswith(codecs.BOM_UTF8):
            buffered.read(len(codecs.BOM_UTF8))
            encoding = "utf-8"
        name = encoding or "utf-8"
        for number, raw in enumerate(_bounded_lines(buffered, path), 1):
            any_line = any_line or not raw.isspace()
            if b"\0" in raw or b"\r" in raw[:-2]:
                # Only the first line may be a whole file that has no LF.
                raw = clean(raw, path) if number == 1 else clean(b"\n" + raw, path, number - 1)[1:]
                if b"\n" in raw[:-1]:
                    yield from enumerate(decode(raw, path, name).removesuffix("\n").split("\n"), 1)
                    continue
            try:
                line = raw.decode(name)
            except (UnicodeDecodeError, LookupError):
                line = _decoded(raw, path, name, number)
            yield number, line.rstrip("\r\n")
    if not any_line:
        raise FormatError(path, "an empty file", "at least one sentence")


def _bounded_lines(stream: io.BufferedReader[Any], path: str | PathLike[str]) -> Iterator[bytes]:
    """Yield the lines of a stream. Raises MemoryLimitError if they are more than there is memory for.

    A line is read in parts, so that a line without an end is refused before it fills the memory. The limit is
    for all lines together, since readers store what they read.
    """
    size, required, partial_line = 0, 0, b""
    while line := stream.readline(LARGE_CHUNK):
        size += len(line)
        if size > required:
            require_for_text(size, fspath(path))
            required = size + (1 << 20)
        if len(line) == LARGE_CHUNK and not line.endswith(b"\n"):
            partial_line += line
            continue
        yield partial_line + line if partial_line else line
        partial_line = b""
    if partial_line:
        yield partial_line


def _is_wide(encoding: str | None) -> bool:
    """Return whether an encoding writes characters in several bytes of which some are NUL."""
    return encoding is not None and re.sub(r"[-_ ]", "", encoding.lower()).startswith(("utf16", "utf32"))


def write_text(path: str | PathLike[str], text: str, encoding: str = "utf-8") -> None:
    """Write a file, gzipped where its name ends in ``.gz``; the folder is made where it is missing."""
    import gzip
    from pathlib import Path

    check_path(path)
    refuse_nul(text, path)
    target = Path(path)
    try:
        data = encoded(_with_mark(text, path, encoding), path, encoding)
        if fspath(path) == STANDARD:
            sys.stdout.flush()
            sys.stdout.buffer.write(data)
            sys.stdout.buffer.flush()
            return
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(gzip.compress(data, mtime=0) if target.suffix == ".gz" else data)
    except BrokenPipeError:
        raise  # the reader has stopped, which is not an error of the file
    except OSError as error:
        raise OutputError(path, error) from error


def write_chunks(path: str | PathLike[str], texts: Iterable[str | bytearray]) -> None:
    """Write a file in UTF-8, text by text, under a temporary name, and rename it when it is complete.

    A ``bytearray`` is in UTF-8 already. If ``texts`` raises an error, the temporary file is removed.
    """
    from pathlib import Path

    check_path(path)
    target = Path(path)
    partial_file = target.with_name(f".{target.name}.{getpid()}.part")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with partial_file.open("wb") as stream:
            for number, text in enumerate(texts):
                refuse_nul(text, path)
                if isinstance(text, bytearray):
                    stream.write(text)
                else:
                    stream.write(encoded(text if number else _with_mark(text, path, "utf-8"), path, "utf-8"))
        partial_file.replace(target)
    except OSError as error:
        raise OutputError(path, error) from error
    finally:
        partial_file.unlink(missing_ok=True)


def _with_mark(text: str, path: str | PathLike[str], encoding: str) -> str:
    """Return a text; if it begins with a byte order mark, with a second one, since readers remove the first.

    Encodings that write a mark themselves need no second one.
    """
    return f"\ufeff{text}" if text.startswith("\ufeff") and not encoded("", path, encoding) else text


def encoded(text: str, path: str | PathLike[str], encoding: str) -> bytes:
    """Return a text in an encoding. Raises CrossbankError for an unknown encoding or character."""
    try:
        return text.encode(encoding)
    except LookupError as error:
        raise OptionError(
            "encoding", encoding, "utf-8, latin-1 or another encoding that Python has"
        ) from error
    except UnicodeEncodeError as error:
        raise unencodable(path, error) from error


def refuse_nul(text: str | bytes | bytearray, path: str | PathLike[str]) -> None:
    """Raise CrossbankError for a text with NUL, which no reader takes for a text."""
    if ("\0" if isinstance(text, str) else b"\0") in text:  # type: ignore[operator]
        raise CrossbankError(f"{path}: found the character NUL, expected text without it")


def unencodable(path: str | PathLike[str], error: UnicodeEncodeError) -> CrossbankError:
    """Return the error of a character that an encoding does not have."""
    character = repr(error.object[error.start])
    return CrossbankError(f"{path}: found {character}, expected characters of {error.encoding}")


@contextmanager
def unpacking(path: str | PathLike[str]) -> Iterator[None]:
    """Raise FormatError if a gzipped file that is read in the block is damaged, for example cut."""
    try:
        yield
    except Exception as error:
        import gzip
        import zlib

        if isinstance(error, (gzip.BadGzipFile, EOFError, zlib.error)):
            raise FormatError(path, f"a damaged gzip file ({error})", "a complete one") from error
        raise


def open_binary(path: str | PathLike[str]) -> io.BufferedIOBase:
    """Return a file to be read as bytes, unpacked where it is gzipped.

    Raises CrossbankError if the file is missing or cannot be read.
    """
    try:
        data = piped(path)
        if data is not None:
            return io.BytesIO(unpacked(data, path) if data.startswith(GZIP) else data)
        stream = open(path, "rb")  # noqa: SIM115 - the caller closes it
    except OSError as error:
        raise unreadable(path, error) from error
    if stream.peek(2)[:2] == GZIP:
        import gzip

        stream.close()
        return gzip.open(path, "rb")
    if is_watched():
        stream.close()
        return io.BufferedReader(_WatchedFile(path))
    return stream


class _WatchedFile(io.FileIO):
    """A file that reports how much of it has been read, for progress."""

    def __init__(self, path: str | PathLike[str]) -> None:
        super().__init__(fspath(path))
        self._until_closed = ExitStack()
        self._work = self._until_closed.enter_context(work("", fstat(self.fileno()).st_size, "bytes"))

    def readinto(self, buffer: Buffer, /) -> int | None:
        """Read into a buffer, and return the number of bytes."""
        read = super().readinto(buffer)
        self._work.add(read or 0)
        return read

    def readall(self) -> bytes:
        """Return the rest of the file."""
        data = super().readall()
        self._work.add(len(data))
        return data

    def close(self) -> None:
        """Close the file."""
        self._until_closed.close()
        super().close()


def unreadable(path: str | PathLike[str], error: OSError) -> CrossbankError:
    """Return the error of a file that the system cannot open or read."""
    if isinstance(error, IsADirectoryError):
        inside = f"{str(path).rstrip('/')}/*"
        return CrossbankError(f"{path}: this is a folder; name a file, or '{inside}' for all files in it")
    if isinstance(error, FileNotFoundError):
        return MissingFileError(path)
    reason = (error.strerror or "an error").lower()
    return CrossbankError(f"{path}: {reason}")
