"""Manual at hand, and profiles by name."""

from pathlib import Path

import pytest

from crossbank.converters.schemes.scheme import Scheme
from crossbank.treebanks.errors import CrossbankError, OptionError
from crossbank.treebanks.yaml_schemas import record_schema
from crossbank.workflow import named_profiles
from crossbank.workflow.commands import COMMANDS
from crossbank.workflow.commands.cli import main
from crossbank.workflow.commands.help import PAGES
from crossbank.workflow.commands.list import LISTS
from crossbank.workflow.commands.names import NAMES
from crossbank.workflow.named_profiles import PROFILES, check_plugins, profile_names, with_paths
from tests.errors import raises
from tests.workflow.test_study_files import keys_of, study_schema


def printed(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main(words) == 0
    return capsys.readouterr().out


def test_help_study_has_every_key_with_what_is_said_of_it(capsys: pytest.CaptureFixture[str]) -> None:
    page = printed(capsys, "help", "study")
    lines = {line.strip().removeprefix("- ") for line in page.splitlines()}
    joined = " ".join(line.strip().removeprefix("# ") for line in page.splitlines())
    for at, value, _ in keys_of(study_schema()):
        assert f"{at.rpartition('.')[2]}:" in lines
        assert " ".join(value["description"].split()) in joined
    assert "resamples for each interval; 0 for no intervals (default: 1000)" in joined
    assert "the name of the study; results go to results/NAME (required)" in joined
    assert all(len(line) <= 110 for line in page.splitlines())


def test_help_scheme_has_every_key_of_a_scheme(capsys: pytest.CaptureFixture[str]) -> None:
    page = printed(capsys, "help", "scheme")
    keys = page.partition("The keys of a scheme's file\n")[2]
    assert {f"{key}:" for key in record_schema(Scheme)["properties"]} <= set(keys.splitlines())
    assert "  # the scheme's full name (required)" in keys


@pytest.mark.parametrize("kind", PAGES)
def test_everything_that_has_a_name_has_a_page(kind: str, capsys: pytest.CaptureFixture[str]) -> None:
    for name in NAMES[kind]():
        text = PAGES[kind](name)
        assert len(text) > 20
        assert kind == "scheme" or "``" not in text  # which is a tag, too
    assert f"{kind.capitalize()} {name}\n" in printed(capsys, "help", name)


@pytest.mark.parametrize("command", [name for name in COMMANDS if name not in ("study", "train", "parse")])
def test_commands_have_their_help(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert printed(capsys, "help", command).startswith(f"Usage: crossbank {command}")


def test_lists_breakdowns_and_the_contents(capsys: pytest.CaptureFixture[str]) -> None:
    assert "\nleaf_ancestor " in printed(capsys, "help", "metrics")
    assert "of dependencies" in printed(capsys, "help", "projectivity")
    contents = printed(capsys, "help")
    assert all(f"crossbank help {kind}" in contents for kind in LISTS)


def test_a_name_may_have_several_pages(capsys: pytest.CaptureFixture[str]) -> None:
    page = printed(capsys, "help", "relations")
    assert "Metric relations\n" in page
    assert "Format relations\n" in page


@pytest.mark.parametrize(
    ("topic", "message"),
    [
        ("parsevall", "help: found 'parsevall', did you mean 'parseval'?"),
        ("xyzzy", "help: found 'xyzzy', expected a topic that `crossbank help` lists"),
    ],
)
def test_unknown_topics(topic: str, message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["help", topic]) == 2
    assert capsys.readouterr().err == f"{message}\n"


def test_profiles_are_given_to_snakemake_as_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    slurm = str(PROFILES / "slurm")
    assert with_paths(["--profile", "slurm", "--dry-run"]) == ["--profile", slurm, "--dry-run"]
    assert with_paths(["--jobs", "3", "--profile=slurm"]) == ["--jobs", "3", f"--profile={slurm}"]
    (tmp_path / "slurm").mkdir()
    assert with_paths(["--profile", "slurm"]) == ["--profile", "slurm"]
    with raises(OptionError, kind="--profile", value="slrum"):
        with_paths(["--profile", "slrum"])


def test_a_profile_whose_plugin_is_missing_is_answered_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    words = with_paths(["--profile=slurm"])
    monkeypatch.setattr(named_profiles, "find_spec", lambda name: None)
    with pytest.raises(
        CrossbankError, match=r'snakemake-\S+-slurm is not installed: pip install "crossbank\[slurm\]"'
    ):
        check_plugins(words)
    check_plugins(with_paths(["--profile", "default", "--dry-run"]))
    monkeypatch.setattr(named_profiles, "find_spec", lambda name: name)
    check_plugins(words)


def test_profiles_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    lines = printed(capsys, "list", "profiles").splitlines()
    assert [line.split()[0] for line in lines] == profile_names()
    assert all(len(line.split()) > 4 for line in lines)


@pytest.mark.parametrize(
    "words", [["s.yaml", "--profile", "none_such"], ["--profile", "none_such", "s.yaml"]]
)
def test_an_unknown_profile_stops_the_study_before_it_begins(
    words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "gold.mrg").write_text("(S (NP (NN Rain)))\n", encoding="utf-8")
    (tmp_path / "s.yaml").write_text(
        "study: s\ntreebanks: [{name: t, gold: {path: gold.mrg}}]\n", encoding="utf-8"
    )
    assert main(["study", *words]) == 2
    messages = capsys.readouterr().err
    assert messages.count("\n") == 1
    assert messages.startswith("--profile: found 'none_such', expected one of default,")
    assert not (tmp_path / "results").exists()
