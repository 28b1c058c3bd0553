"""Bill of materials, the licences of what the wheel brings, and the look at known advisories."""

import json
import subprocess
import sys
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from supply.advisories import look
from supply.bill_of_materials import bill, licences
from supply.installed import pinned

ROOT = Path(__file__).resolve().parents[1]


def test_the_bill_has_what_the_wheel_brings_with_the_checksums_of_the_lock_file() -> None:
    made = bill()
    assert (made["bomFormat"], made["specVersion"]) == ("CycloneDX", "1.6")
    components = {component["name"]: component for component in made["components"]}
    assert {"numpy", "pyarrow", "snakemake", "markupsafe"} <= components.keys()
    assert not {"pytest", "mypy", "cython"} & components.keys()
    for name, component in components.items():
        assert component["purl"] == f"pkg:pypi/{name}@{component['version']}"
        checksums = pinned()[name].get(component["version"], [])
        assert [each["value"] for each in component.get("properties", [])] == checksums
    references = {component["bom-ref"] for component in made["components"]}
    depends = {entry["ref"]: entry["dependsOn"] for entry in made["dependencies"]}
    assert depends.keys() == references | {made["metadata"]["component"]["bom-ref"]}
    assert {each for listed in depends.values() for each in listed} == references


def test_the_bill_has_the_same_bytes_in_every_process() -> None:
    command = [sys.executable, "supply/bill_of_materials.py"]
    runs = [
        subprocess.run(
            command, cwd=ROOT, env={"PYTHONHASHSEED": seed}, capture_output=True, check=True
        ).stdout
        for seed in ("1", "2")
    ]
    assert runs[0] == runs[1]
    assert json.loads(runs[0])["components"]


def test_the_licence_of_every_package_is_listed() -> None:
    page = (ROOT / "docs/licences.md").read_text(encoding="utf-8")
    assert page.endswith(f"\n{licences()}\n"), "python supply/bill_of_materials.py --licences prints the list"


class Index(BaseHTTPRequestHandler):
    """An index that knows an advisory about one package, and nothing about advisories of another."""

    def do_GET(self) -> None:
        name = self.path.split("/")[2]
        old = {"id": "PYSEC-1", "aliases": ["CVE-1"], "summary": "It breaks.", "fixed_in": ["9"]}
        gone = {"id": "PYSEC-2", "withdrawn": "2020-01-01T00:00:00Z"}
        reported = {
            "pyyaml": {"vulnerabilities": [old, gone]},
            "numpy": {"vulnerabilities": []},
            "conllu": {},
        }
        self.send_response(200 if name in reported else 404)
        self.end_headers()
        self.wfile.write(json.dumps(reported.get(name, {})).encode())

    def log_message(self, format: str, *arguments: object) -> None:
        pass


@pytest.fixture
def index() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Index) as server:
        Thread(target=server.serve_forever).start()
        yield f"http://127.0.0.1:{server.server_port}/simple/"
        server.shutdown()


def test_advisories_about_pinned_versions_are_printed(index: str, capsys: pytest.CaptureFixture[str]) -> None:
    (version,) = pinned()["pyyaml"]
    assert look(index, ["pyyaml"]) == 1
    printed = capsys.readouterr().out
    assert printed == f"pyyaml {version}: PYSEC-1, CVE-1: It breaks. (fixed in 9)\n1 versions, 1 advisories\n"
    assert look(index, ["numpy"]) == 0


@pytest.mark.parametrize(
    ("name", "reason"),
    [("conllu", "the index tells nothing about advisories"), ("nltk", "the index does not answer (404)")],
)
def test_an_index_that_cannot_be_asked_is_no_good_news(
    index: str, capsys: pytest.CaptureFixture[str], name: str, reason: str
) -> None:
    assert look(index, [name]) == 3
    assert reason in capsys.readouterr().err


def test_a_package_that_is_not_pinned_is_named(index: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert look(index, ["nosuch"]) == 2
    assert capsys.readouterr().err == "not pinned: nosuch\n"
