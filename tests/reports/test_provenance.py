"""What results depend on."""

from hashlib import sha256
from pathlib import Path

from crossbank.reports.sections.inputs import collect_provenance
from crossbank.reports.study.model import Settings


def test_files_are_named_with_their_checksums(tmp_path: Path) -> None:
    (tmp_path / "study.yaml").write_bytes(b"study: x\n")
    (tmp_path / "gold.mrg").write_bytes(b"(S ja)\n")
    gold = str(tmp_path / "gold.mrg")
    actual = collect_provenance(tmp_path / "study.yaml", {gold: gold}, Settings("x", seed=7))
    assert actual["Inputs"] == {gold: "sha256:" + sha256(b"(S ja)\n").hexdigest()}
    assert actual["Study"]["seed"] == "7"
    assert actual["Study"][str(tmp_path / "study.yaml")].startswith("sha256:")
    assert {"Python", "numpy", "pyarrow"} <= set(actual["Versions"])
