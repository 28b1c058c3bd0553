"""Step: a file that is given by its address on the web is downloaded to its path.

A server may be slow, cut off, or serve other bytes than the study means. A download goes on where it was
cut off, also in a later run, and counts only when its SHA-256 checksum is the one that the study gives.
Snakemake's storage plugin for HTTP (0.3.1) waits for ever, begins anew, and stores a server's error page
as the file. So this is a step of its own, whose output Snakemake knows like any other.
"""

from __future__ import annotations

import argparse
import http.client
import os
import ssl
import string
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

from crossbank.reports.study.addresses import Download, is_address
from crossbank.treebanks.errors import CrossbankError
from crossbank.treebanks.files import checksum_of
from crossbank.treebanks.quantities import quantity
from crossbank.workflow.steps.step import run

TRIES = 5
"""The number of tries, one after the other, that may bring nothing."""

SILENCE = 30.0
"""Seconds without a byte, after which a server counts as gone."""

BLOCK = 1 << 16
PARTIAL, RANGE_NOT_SATISFIABLE = 206, 416
WORTH_ANOTHER_TRY = frozenset({408, 425, 429, 500, 502, 503, 504})


class _OnTheWeb(urllib.request.HTTPRedirectHandler):
    """Redirects to other addresses of the web, and to nothing else: Python's own would follow to FTP too."""

    def redirect_request(
        self, req: urllib.request.Request, fp: Any, code: int, msg: str, headers: Any, newurl: str
    ) -> urllib.request.Request | None:
        """Return the request to the other address. Raises CrossbankError for one that is not on the web."""
        if not is_address(newurl.lower()):
            problem = f"redirected to {newurl}, expected an address that begins with https://"
            raise CrossbankError(f"{req.full_url}: {problem}")
        return super().redirect_request(req, fp, code, msg, headers, newurl)


OPENER = urllib.request.build_opener(_OnTheWeb)


def fetch(download: Download, path: Path, *, pause: float = 1.0, silence: float = SILENCE) -> None:
    """Download the file to ``path``, unless it is there with the right checksum.

    pause    seconds before another try; twice as many before the next one
    silence  seconds without a byte, after which a server counts as gone

    Raises CrossbankError if the server refuses the file, brings nothing in several tries, or serves
    other bytes than the checksum says.
    """
    if path.is_file() and (not download.checksum or checksum_of(path) == download.checksum):
        print(f"{download.address}: as before", file=sys.stderr)
        return
    part = _Part(download.address, path, silence)
    resumed = part.size > 0
    part.complete(pause)
    if resumed and download.checksum and part.checksum() != download.checksum:
        print(f"{download.address}: what was resumed does not fit, begun anew", file=sys.stderr)
        part.drop()
        part.complete(pause)
    checksum = part.checksum()
    if download.checksum and checksum != download.checksum:
        part.drop()
        problem = f"found a file with the SHA-256 checksum {checksum}, expected {download.checksum}"
        raise CrossbankError(f"{download.address}: {problem}")
    if not download.checksum:
        print(f"{download.address}: not checked, its SHA-256 checksum is {checksum}", file=sys.stderr)
    part.finish()


class _Part:
    """Downloaded part of a file, and the version of the file that it is a part of."""

    def __init__(self, address: str, path: Path, silence: float) -> None:
        self.address, self.path, self.silence = address, path, silence
        self.file = path.with_name(f".{path.name}.part")
        self.version_file = path.with_name(f".{path.name}.version")
        path.parent.mkdir(parents=True, exist_ok=True)

    @property
    def size(self) -> int:
        return self.file.stat().st_size if self.file.exists() else 0

    def checksum(self) -> str:
        return checksum_of(self.file)

    def drop(self) -> None:
        self.file.unlink(missing_ok=True)
        self.version_file.unlink(missing_ok=True)

    def finish(self) -> None:
        self.version_file.unlink(missing_ok=True)
        os.replace(self.file, self.path)

    def complete(self, pause: float) -> None:
        """Bring the rest of the file, in several tries; a try that brings something does not count."""
        fruitless = 0
        while True:
            before = self.size
            try:
                self._bring_rest()
                return
            except urllib.error.HTTPError as error:
                error.close()
                if error.code == RANGE_NOT_SATISFIABLE and before:
                    self.drop()
                elif error.code not in WORTH_ANOTHER_TRY:
                    problem = f"the answer {error.code} {' '.join(str(error.reason).split())}"
                    raise CrossbankError(f"{self.address}: found {problem}, expected the file") from error
                problem = f"the answer {error.code} {error.reason}"
            except urllib.error.URLError as error:
                if isinstance(error.reason, ssl.SSLCertVerificationError):
                    problem = f"the certificate is not trusted ({error.reason.verify_message})"
                    raise CrossbankError(f"{self.address}: {problem}") from error
                problem = str(error.reason)
            except (OSError, http.client.HTTPException) as error:
                problem = str(error) or type(error).__name__
            fruitless = 0 if self.size > before else fruitless + 1
            if fruitless == TRIES:
                raise CrossbankError(
                    f"{self.address}: {problem} in {TRIES} tries "
                    f"({quantity(self.size, 'byte')} are kept; the same command continues there)"
                )
            size = quantity(self.size, "byte")
            print(f"{self.address}: {problem} after {size}, trying again", file=sys.stderr)
            time.sleep(pause * 2**fruitless)

    def _bring_rest(self) -> None:
        request = urllib.request.Request(_in_ascii(self.address), headers={"User-Agent": "crossbank"})
        version = self.version_file.read_text(encoding="utf-8") if self.version_file.exists() else ""
        if self.size:
            request.add_header("Range", f"bytes={self.size}-")
            if version:
                # A server whose file has changed since then sends all of it.
                request.add_header("If-Range", version)
        with OPENER.open(request, timeout=self.silence) as answer:
            goes_on = answer.status == PARTIAL
            version = answer.headers.get("ETag") or answer.headers.get("Last-Modified") or ""
            self.version_file.write_text(version, encoding="utf-8")
            with self.file.open("ab" if goes_on else "wb") as stream:
                expected = answer.headers.get("Content-Length")
                whole = None if expected is None else stream.tell() + int(expected)
                while block := answer.read(BLOCK):
                    stream.write(block)
        if whole is not None and self.size < whole:
            raise ConnectionError(f"an end {quantity(whole - self.size, 'byte')} too early")


def _in_ascii(address: str) -> str:
    """Return an address as it is sent: what is no ASCII, and blanks, in per cent; a host's name by IDNA."""
    parts = urlsplit(address)
    path, query = (quote(part, safe=string.punctuation) for part in (parts.path, parts.query))
    return parts._replace(netloc=parts.netloc.encode("idna").decode(), path=path, query=query).geturl()


def job(arguments: argparse.Namespace) -> None:
    """Download one file."""
    (address,), (output,) = arguments.address, arguments.output
    fetch(Download(address, *arguments.sha256), Path(output))


if __name__ == "__main__":
    run(job, "address", "sha256", "output")
