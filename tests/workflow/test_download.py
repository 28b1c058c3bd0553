"""Files from the web: servers that are slow, cut off, refuse, or serve something else."""

import gzip
import re
import ssl
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar

import pytest

from crossbank.reports.study.addresses import FOLDER, Download
from crossbank.reports.study.reading import study_of
from crossbank.treebanks.errors import CrossbankError
from crossbank.treebanks.yaml_nodes import YamlError
from crossbank.workflow.steps.download import OPENER, TRIES
from crossbank.workflow.steps.download import fetch as download_file
from crossbank.workflow.study_check import check_study
from tests.errors import raises
from tests.workflow.test_study_run import GOLD, POOR, snakemake

CONTENT = bytes(range(256)) * 2000
PARTS = 4


class Server(BaseHTTPRequestHandler):
    """A server whose fault is the first part of the address: ``/slow/file``."""

    content: ClassVar[bytes] = CONTENT
    files: ClassVar[dict[str, bytes]] = {}
    asked: ClassVar[list[tuple[str, str | None]]] = []
    version: ClassVar[str] = '"1"'

    def do_GET(self) -> None:
        fault, name = self.path.split("/")[1:3]
        self.asked.append((fault, self.headers.get("Range")))
        number = sum(before == fault for before, _ in self.asked)
        if fault == "elsewhere":
            self.send_response(302)
            self.send_header("Location", f"{name}://localhost/file")
            return self.end_headers()
        if fault == "missing":
            return self.send_error(404)
        if fault == "dead" or (fault == "busy" and number < 3):
            return self.send_error(503)
        content = self.files.get(name, self.content)
        begin = 0
        requested = self.headers.get("Range")
        if requested and fault != "no-ranges" and self.headers.get("If-Range", self.version) == self.version:
            begin = int(requested.removeprefix("bytes=").rstrip("-"))
            if begin >= len(content):
                return self.send_error(416)
        self.send_response(206 if begin else 200)
        if fault != "no-version":
            self.send_header("ETag", self.version)
        self.send_header("Content-Length", str(len(content) - begin))
        self.end_headers()
        end = len(content)
        if fault in ("cut", "no-ranges") and number < PARTS:
            end = min(end, len(content) * number // PARTS)
        if fault == "silent" and number == 1:
            self.wfile.write(content[: end // 2])
            self.wfile.flush()
            time.sleep(0.6)
            return None
        step = len(content) // 8 + 1 if fault == "slow" else end
        for index in range(begin, end, max(step, 1)):
            self.wfile.write(content[index : min(index + step, end)])
            self.wfile.flush()
            if fault == "slow":
                time.sleep(0.05)
        return None

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def server() -> Iterator[str]:
    """Yield the address of a server on this machine."""
    Server.asked.clear()
    Server.version = '"1"'
    Server.content = CONTENT
    Server.files.clear()
    with ThreadingHTTPServer(("127.0.0.1", 0), Server) as running:
        threading.Thread(target=running.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        yield f"http://127.0.0.1:{running.server_port}"
        running.shutdown()


def fetch(address: str, path: Path, content: bytes | None = CONTENT) -> bytes:
    """Return a file as it is downloaded, checked against the content that is meant; None for no checksum.

    Only servers that are silent or slow on purpose count as gone soon: on a busy machine any may be late.
    """
    download = Download(address, "" if content is None else sha256(content).hexdigest())
    download_file(download, path, pause=0.001, silence=0.3 if re.search("/(silent|slow)/", address) else 600)
    assert not list(path.parent.glob(".*"))
    return path.read_bytes()


@pytest.mark.parametrize("fault", ["none", "slow", "cut", "no-ranges", "busy", "silent", "no-version"])
@pytest.mark.parametrize("checked", [True, False])
def test_faults_of_a_server_that_ends_well(server: str, tmp_path: Path, fault: str, checked: bool) -> None:
    assert fetch(f"{server}/{fault}/file", tmp_path / "file", CONTENT if checked else None) == CONTENT


def test_a_download_goes_on_where_it_was_cut_off(server: str, tmp_path: Path) -> None:
    fetch(f"{server}/cut/file", tmp_path / "file")
    requested = [expected for _, expected in Server.asked]
    assert requested == [None, *(f"bytes={len(CONTENT) * part // PARTS}-" for part in range(1, PARTS))]


def test_a_later_run_goes_on_where_an_earlier_one_stopped(server: str, tmp_path: Path) -> None:
    path = tmp_path / "file"
    (tmp_path / ".file.part").write_bytes(CONTENT[:1000])
    (tmp_path / ".file.version").write_text('"1"')
    assert fetch(f"{server}/none/file", path, None) == CONTENT
    assert Server.asked == [("none", "bytes=1000-")]


def test_a_file_that_changed_in_between_is_downloaded_anew(server: str, tmp_path: Path) -> None:
    (tmp_path / ".file.part").write_bytes(b"of another version")
    (tmp_path / ".file.version").write_text('"0"')
    assert fetch(f"{server}/none/file", tmp_path / "file", None) == CONTENT


def test_parts_of_two_versions_are_not_taken_for_whole(server: str, tmp_path: Path) -> None:
    (tmp_path / ".file.part").write_bytes(b"of another version")
    assert fetch(f"{server}/no-version/file", tmp_path / "file") == CONTENT


def test_a_part_longer_than_the_file_is_dropped(server: str, tmp_path: Path) -> None:
    (tmp_path / ".file.part").write_bytes(CONTENT + b"more")
    assert fetch(f"{server}/none/file", tmp_path / "file") == CONTENT


def test_what_is_there_is_not_downloaded_again(server: str, tmp_path: Path) -> None:
    for _ in range(2):
        fetch(f"{server}/none/file", tmp_path / "file")
    assert len(Server.asked) == 1


def test_other_bytes_than_the_checksum_says_are_refused(server: str, tmp_path: Path) -> None:
    with raises(CrossbankError, "SHA-256"):
        fetch(f"{server}/none/file", tmp_path / "file", b"other bytes")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("fault", "fields", "requests"),
    [("missing", {"names": ("404",)}, 1), ("dead", {"names": ("503",)}, TRIES)],
)
def test_a_server_that_refuses(
    server: str, tmp_path: Path, fault: str, fields: dict[str, object], requests: int
) -> None:
    with raises(CrossbankError, **fields):
        fetch(f"{server}/{fault}/file", tmp_path / "file")
    assert len(Server.asked) == requests


def test_a_server_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(CrossbankError, match="Connection refused in"):
        fetch("http://127.0.0.1:9/file", tmp_path / "file")


@pytest.mark.parametrize(
    ("scheme", "actual"),
    [("ftp", "redirected to ftp://localhost/file"), ("file", "the answer 302 Found")],
)
def test_redirects_lead_nowhere_but_to_the_web(server: str, tmp_path: Path, scheme: str, actual: str) -> None:
    with pytest.raises(CrossbankError, match=actual):
        download_file(Download(f"{server}/elsewhere/{scheme}"), tmp_path / "file", pause=0)


@pytest.mark.parametrize("end", ["%2e%2e", "..", "%2E%2e/", ".", "a%2f..", "%0a", "x%00", "a%2f%2e%2e%2f"])
def test_no_address_is_a_place_outside_of_its_folder(end: str) -> None:
    path = Download(f"https://h/folder/{end}").path
    assert path.parent.parent == FOLDER
    assert path.name.isprintable()
    assert path.name not in (".", "..")
    assert (Path("/x") / path).resolve() == Path("/x") / path


def test_a_certificate_that_cannot_be_trusted_is_no_reason_to_try_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    requested = []

    def refuse(request: urllib.request.Request, timeout: float) -> None:
        requested.append(request.full_url)
        error = ssl.SSLCertVerificationError(1, "certificate verify failed")
        error.verify_message = "self-signed certificate"
        raise urllib.error.URLError(error)

    monkeypatch.setattr(OPENER, "open", refuse)
    with pytest.raises(CrossbankError, match=r"the certificate is not trusted \(self-signed certificate\)"):
        fetch("https://h/file", tmp_path / "file")
    assert len(requested) == 1


def test_addresses_may_have_blanks_umlauts_and_queries(server: str, tmp_path: Path) -> None:
    assert fetch(f"{server}/none/ein göld%20file.mrg?a=ü b&c=%20", tmp_path / "file") == CONTENT
    with raises(CrossbankError, "404"):
        fetch(f"{server}/missing/göld file.mrg", tmp_path / "missing")


STUDY = """\
study: web
data: {server}
treebanks:
  - name: t
    scheme: ptb
    gold: {{path: "{{data}}/cut/gold.mrg.gz", sha256: {gold}}}
    candidates:
      - name: poor
        path: [{{path: "{{data}}/none/poor.mrg", sha256: {poor}}}]
      - {{name: good, path: "{{data}}/none/good.mrg"}}
metrics: [parseval]
bootstrap: {{samples: 10}}
tests: {{trials: 10}}
"""


def test_a_checksum_belongs_to_a_file_on_the_web(tmp_path: Path) -> None:
    content = {"study": "s", "treebanks": [{"name": "t", "gold": {"path": "a.mrg", "sha256": "f" * 64}}]}
    with raises(YamlError, "a.mrg", key="treebanks[0].gold.path"):
        study_of(content, "s.yaml", present=False)
    content["treebanks"] = [{"name": "t", "gold": {"path": ["http://h/a.mrg", "b.mrg"], "sha256": "f" * 64}}]
    with raises(YamlError, key="treebanks[0].gold.sha256"):
        study_of(content, "s.yaml", present=False)
    content["treebanks"] = [{"name": "t", "gold": {"path": "http://h/a.mrg", "sha256": "abc"}}]
    with raises(YamlError, "abc", "64", key="treebanks[0].gold.sha256"):
        study_of(content, "s.yaml", present=False)


def test_checksums_are_compared_without_regard_to_case_and_one_address_has_one() -> None:
    gold = {"path": "http://h/a.mrg", "sha256": "F" * 64}
    candidate = {"name": "c", "path": "http://h/a.mrg", "sha256": "f" * 64}
    treebank = {"name": "t", "gold": gold, "candidates": [candidate]}
    content: dict[str, Any] = {"study": "s", "treebanks": [treebank]}
    (download,) = study_of(content, "s.yaml").downloads.values()
    assert download.checksum == "f" * 64
    del candidate["sha256"]
    assert list(study_of(content, "s.yaml").downloads.values()) == [download]
    candidate["sha256"] = "e" * 64
    with raises(YamlError, "s.yaml", "a.mrg", key=""):
        study_of(content, "s.yaml")


def test_names_in_braces_do_not_match_files_on_the_web() -> None:
    content = {"study": "s", "treebanks": {"path": "http://h/{treebank}.conllu"}}
    with raises(
        YamlError, "the address http://h/{treebank}.conllu, expected a path", "a path", key="treebanks.path"
    ):
        study_of(content, "s.yaml")


def test_check_says_what_is_to_be_downloaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    content = {"study": "s", "treebanks": [{"name": "t", "gold": {"path": "http://h/a.mrg"}}]}
    lines = [line for line, fits in check_study(study_of(content, "s.yaml")) if fits]
    assert "gold: 1 file to download, the first from http://h/a.mrg" in "\n".join(lines)


@pytest.mark.slow
def test_a_study_downloads_its_files_once(server: str, tmp_path: Path) -> None:
    gold = gzip.compress(GOLD.encode(), mtime=0)
    Server.files.update({"gold.mrg.gz": gold, "poor.mrg": POOR.encode(), "good.mrg": GOLD.encode()})
    study = tmp_path / "s.yaml"
    wrong = "f" * 64
    study.write_text(STUDY.format(server=server, gold=sha256(gold).hexdigest(), poor=wrong), encoding="utf-8")
    stopped = snakemake(tmp_path, "--configfile", "s.yaml", "--cores", "2")
    assert stopped.returncode != 0
    assert (
        f"/none/poor.mrg: found a file with the SHA-256 checksum {sha256(POOR.encode()).hexdigest()}, "
        in (stopped.stdout + stopped.stderr)
    )
    study.write_text(study.read_text(encoding="utf-8").replace(wrong, sha256(POOR.encode()).hexdigest()))
    done = snakemake(tmp_path, "--configfile", "s.yaml", "--cores", "2")
    assert done.returncode == 0, done.stdout + done.stderr
    page = (tmp_path / "results/web/report/index.html").read_text(encoding="utf-8")
    assert f"{server}/cut/gold.mrg.gz" in page
    assert f"{server}/none/good.mrg (the study gives no checksum)" in page
    Server.asked.clear()
    again = snakemake(tmp_path, "--configfile", "s.yaml", "--cores", "2")
    assert "Nothing to be done" in again.stdout + again.stderr
    assert not Server.asked
