"""Model files: the same again when read, and one line for files that are none."""

import json
import zipfile
from pathlib import Path

import pytest

from crossbank.parsers import models
from crossbank.parsers.models import load, save, train
from crossbank.treebanks import CrossbankError, OptionError
from crossbank.treebanks.formats import bracket
from tests.parsers.test_treebank_grammar import TREES, trees


def test_a_model_is_the_same_when_it_is_read_again(tmp_path: Path) -> None:
    model = train(trees(), "tiger", {"horizontal": 2, "input": "tags"})
    save(model, tmp_path / "models/one")
    again = load(tmp_path / "models/one")
    assert again.parser.options == model.parser.options
    assert again.trained_on == {"sentences": 3, "tokens": 14}
    assert bracket.dumps(again.parser.parse(trees()).bank) == TREES
    assert again.parser.content() == model.parser.content()
    save(again, tmp_path / "two")
    assert (tmp_path / "two").read_bytes() == (tmp_path / "models/one").read_bytes()


def changed(path: Path, **values: object) -> None:
    """The model file with other values in ``model.json`` or ``content.json``."""
    with zipfile.ZipFile(path) as archive:
        parts = {name: json.loads(archive.read(name)) for name in archive.namelist()}
    for part in parts.values():
        part |= {name: value for name, value in values.items() if name in part}
    with zipfile.ZipFile(path, "w") as archive:
        for name, part in parts.items():
            archive.writestr(name, json.dumps(part))


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"version": 7}, "model: found a model of version 7, expected version 2 "),
        ({"format": "x"}, "model: found a damaged file"),
        ({"parser": "psychic"}, "parser: found 'psychic', expected one of pcfg"),
        ({"unary": [[1.5, 0, 1]]}, "model: found a probability of"),
        ({"lexicon": [[0.5, 1, 0]]}, "model: found probabilities of .* that add up to .*, expected 1"),
        ({"start": None, "symbols": 7}, "model: found a damaged file"),
    ],
)
def test_files_that_are_no_models(tmp_path: Path, values: dict[str, object], message: str) -> None:
    save(train(trees(), "tiger", {}), tmp_path / "model")
    changed(tmp_path / "model", **values)
    with pytest.raises(CrossbankError, match=message):
        load(tmp_path / "model")


def test_other_files_are_named(tmp_path: Path) -> None:
    (tmp_path / "x").write_text("no model\n")
    with pytest.raises(CrossbankError, match="x: found neither a model nor a grammar"):
        load(tmp_path / "x")
    (tmp_path / "y").write_bytes(b"PK\x03\x04 and nothing")
    with pytest.raises(CrossbankError, match="y: found a damaged file"):
        load(tmp_path / "y")


def test_options_that_are_none() -> None:
    with pytest.raises(OptionError, match="option of pcfg: found 'vertigo', expected one of input"):
        train(trees(), "tiger", {"vertigo": 2})
    with pytest.raises(OptionError, match="option input: found 'letters'"):
        train(trees(), "tiger", {"input": "letters"})
    with pytest.raises(OptionError, match="parser: found 'psychic'"):
        train(trees(), "tiger", {}, "psychic")


def test_every_parser_is_where_it_is_said_to_be() -> None:
    for name in models.PARSERS:
        assert models.parser_class(name).name == name
