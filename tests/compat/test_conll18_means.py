"""Mean LAS of every system of CoNLL 2018 over the 78 treebanks that have gold; a missing file counts as 0."""

import os
from pathlib import Path

import pytest

from tests.compat.modes import Mode

evaluate = Mode("conll18").evaluate

GOLD = "00-gold-standard"

# System, mean LAS, and the number of treebanks for which it has a file, on the files of
# github.com/pkolachi/depparse-conll-data, branch conll2018, commit 8c590c22.
MEANS = (
    ("HIT-SCIR-18", "75.24", 78),
    ("TurkuNLP-18", "72.60", 78),
    ("UDPipe-Future", "72.42", 78),
    ("ICS-PAS", "72.34", 78),
    ("Stanford-18", "71.50", 78),
    ("CEA-LIST", "71.89", 78),
    ("LATTICE-18", "72.37", 78),
    ("Uppsala-18", "71.72", 78),
    ("NLP-Cube", "70.10", 78),
    ("ParisNLP-18", "69.84", 78),
    ("SLT-Interactions", "69.20", 78),
    ("AntNLP", "70.17", 78),
    ("IBM-NY", "68.38", 78),
    ("UniMelb", "67.88", 78),
    ("LeisureX", "67.45", 78),
    ("KParse", "65.90", 78),
    ("Fudan", "65.55", 78),
    ("iParse", "55.54", 62),
    ("conll18-baseline", "65.04", 78),
    ("Phoenix", "64.85", 78),
    ("CUNI-x-ling", "64.28", 78),
    ("BOUN", "62.69", 78),
    ("ONLP-lab", "57.55", 77),
    ("HUJI", "53.54", 77),
    ("ArmParser", "46.01", 62),
    ("SParse", "2.05", 2),
)


@pytest.fixture(scope="module")
def task() -> Path:
    """Return the folder of the whole task, which an environment variable names."""
    named = os.environ.get("CROSSBANK_CONLL18", "")
    if not named or len(list((Path(named) / GOLD).glob("*.conllu"))) != 78:
        pytest.skip("CROSSBANK_CONLL18 names no folder with the 78 gold files of CoNLL 2018")
    return Path(named)


@pytest.mark.parametrize(("system", "mean", "files"), MEANS, ids=lambda value: str(value))
def test_means_over_all_treebanks(task: Path, system: str, mean: str, files: int) -> None:
    las = []
    for gold in sorted((task / GOLD).glob("*.conllu")):
        parsed = task / system / gold.name
        las.append(evaluate(gold, parsed).counts().values()["las"] if parsed.is_file() else 0.0)
    assert sum(map(bool, las)) == files
    assert f"{100 * sum(las) / len(las):.2f}" == mean
