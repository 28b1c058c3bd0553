"""spaCy, trained from scratch, as the command of a study; it needs ``make parsers``."""

import shlex
from pathlib import Path

import pytest

from crossbank.parsers.command import command_of
from crossbank.treebanks import ROOT as ROOT_OF_A_SENTENCE
from crossbank.treebanks.formats import conllu
from tests.programs import PARSERS

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "docs" / "spacy_parser.py"
WORDS = ["cats", "dogs", "birds", "men", "bees", "lamps"]
SENTENCE = """\
# sent_id = {place}
1\tthe\tthe\tDET\t_\t_\t2\tdet\t_\t_
2\t{noun}\t{noun}\tNOUN\t_\t_\t3\tnsubj\t_\t_
3\tsee\tsee\tVERB\t_\t_\t0\troot\t_\t_
4\ther\tshe\tPRON\t_\t_\t3\tobj\t_\t_

"""


@pytest.mark.slow
@pytest.mark.needs_libraries("spacy")
def test_spacy_learns_and_parses(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    call = shlex.join([str(PARSERS), str(SCRIPT)])
    command = command_of(
        {
            "train": f"{call} train {{train}} {{model}}",
            "parse": f"{call} parse {{model}} {{input}} {{output}}",
            "version": f"{call} version",
            "input": "conllu",
            "output": "conllu",
        }
    )
    text = "".join(SENTENCE.format(place=index, noun=noun) for index, noun in enumerate(WORDS * 10))
    bank = conllu.loads(text)
    parsed = command.run(bank, bank.select([0, 1, 2]), "ud", tmp_path)
    assert parsed.unparsed == 0
    assert parsed.bank.tokens.head.tolist() == [1, 2, ROOT_OF_A_SENTENCE, 2] * 3
    relations = parsed.bank.vocabulary.decode(parsed.bank.tokens.relation)
    assert relations == ["det", "nsubj", "root", "obj"] * 3
    assert "spaCy 3" in capfd.readouterr().err
