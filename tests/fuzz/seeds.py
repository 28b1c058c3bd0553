"""Sound files that are damaged: of every reader, models, Parquet, studies and schemes."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from crossbank.parsers.models import PARSERS, save, train
from crossbank.treebanks.formats import FORMATS, bracket, conllu, read, write
from tests.formalisms.ccg.test_ccg_dependencies import CANDC, PARG
from tests.formalisms.lfg.fstructures import GLASSES
from tests.formalisms.redwoods.profiles import two_readings
from tests.treebanks.test_alpino import WANTS
from tests.treebanks.test_exportxml import DOCUMENT
from tests.treebanks.test_greynir import TREES as GREYNIR
from tests.treebanks.test_unlabelled import GOLD

ROOT = Path(__file__).resolve().parents[2]
SHARED = ROOT.parent / "shared" / "data"

MODEL = "model."
"""What comes before the parser's name where the file is a model."""

STUDY, SCHEME = "study", "scheme"
"""The readers of study files, and of schemes."""

RANDOM = "random"
"""Random treebanks, whose file is the seed of chance."""

YAML = {
    STUDY: ("config/tiger_vs_tuba.yaml", "config/tiger_tuba_ud.yaml", "config/conll18_all.yaml"),
    SCHEME: ("converters/schemes/tiger.yaml", "converters/schemes/ptb.yaml"),
}

TABLES = "tsdb"
"""The readers whose file is a profile: its tables one after the other, each after a line of ``TABLE``."""

TABLE = "=== "

TREES = (
    "(S (NP-SUBJ (DT the) (NN dog)) (VP (VBZ sees) (NP (DT a) (JJ big) (NN cat)) (PP (IN on) (NN mats))))\n"
    "(S (NP (NN rain)) (VP (VBZ falls)) (. .))\n"
)

COLUMNS = (
    "# sent_id = a\n# text = zum Haus\n"
    "1-2\tzum\t_\t_\t_\t_\t_\t_\t_\t_\n"
    "1\tzu\tzu\tADP\tAPPR\t_\t3\tcase\t3:case\t_\n"
    "2\tdem\tder\tDET\tART\tCase=Dat\t3\tdet\t3:det\t_\n"
    "3\tHaus\tHaus\tNOUN\tNN\t_\t0\troot\t0:root\tSpaceAfter=No\n"
    "3.1\tist\tsein\tAUX\t_\t_\t_\t_\t3:x\t_\n\n"
    "1\tja\tja\tINTJ\t_\t_\t0\troot\t_\t_\n\n"
)

AUTO = (
    r"ID=a.1 PARSER=GOLD NUMPARSE=1"
    "\n"
    r"(<T S[dcl] 1 2> (<L NP NNP NNP Anna NP>) (<T S[dcl]\NP 0 2> "
    r"(<L (S[dcl]\NP)/NP VBZ VBZ sees (S[dcl]\NP)/NP>) "
    r"(<L NP NNP NNP Bert NP>) ) ) "
    "\n"
)

LANGPRO = (
    "ccg(1,\nba('S:dcl',\n lx('NP','N',\n  t('N','Anna','Anna','NNP','O','O')),\n"
    " t('S:dcl'\\'NP','sleeps','sleep','VBZ','O','O'))).\n"
)

MARYTTS = "Haus 'haUs\nBauten 'baU-t@n\n"

ANSWERS = (
    '{"id": "1", "answer": "Sure: (S (NP (NNP Ann)) (VP (VBD left)))"}\n'
    '{"custom_id": "2", "response": {"body": {"choices": [{"message": {"content": "(FRAG (NN rain))"}}]}}}\n'
)

REAL = {
    "auto": "ccg-geometry/geo-dev.auto",
    "candc": "ccg-geometry/geo-dev.gold_deps",
    "langpro": "langpro-ccg/ccg_sen_d_SICK_trial_ccg.pl",
    "cgel": "cgel/ewt.cgel",
    "conllu": "cgel/ewt.conllu",
    "export": "tuebadz-masked/test.negra",
    "exportxml": "tuebadz-masked/exportxml-example.xml",
    "tigerxml": "tiger-pcc/syntax/maz-00001.xml",
    "marytts": "marytts-lexicon-de/de.txt",
}
"""A real file of a format; its beginning is taken where ``../shared/data`` is there."""

BEGINNING = 6000
"""The bytes of a real file that are taken at most."""


@cache
def seeds() -> Mapping[str, tuple[bytes, ...]]:
    """Sound files by reader: the name of a format, ``model.`` and a parser, a study, a scheme, or chance."""
    actual: dict[str, list[bytes]] = {name: [] for name in FORMATS}
    actual |= {kind: [(ROOT / file).read_bytes() for file in files] for kind, files in YAML.items()}
    actual[RANDOM] = [b"chance"]
    texts = {
        "bracket": TREES,
        "greynir": GREYNIR,
        "conllu": COLUMNS,
        "exportxml": DOCUMENT,
        "alpino": WANTS,
        "unlabelled": GOLD,
        "answers": ANSWERS,
        "candc": CANDC,
        "parg": PARG,
        "xle": GLASSES,
        "auto": AUTO,
        "langpro": LANGPRO,
        "marytts": MARYTTS,
    }
    for name, text in texts.items():
        actual[name].append(text.encode())
    with TemporaryDirectory() as folder:
        path = Path(folder) / "written"
        trees, columns = bracket.loads(TREES), conllu.loads(COLUMNS)
        relations = read(_file(path, CANDC), "candc")
        for name, format in FORMATS.items():
            if not format.written:
                continue
            for bank in (trees, columns, relations):
                try:
                    write(bank, path, name)
                except Exception:  # what has no place there is no seed
                    continue
                actual[name].append(path.read_bytes())
        for parser in PARSERS:
            options = {"rare": 0, "iterations": 2, "unlexicalised": 1} if parser == "lexicalised" else {}
            made = train(trees, "ptb", options, parser) if parser in ("pcfg", "lexicalised") else None
            save(made or train(columns, None, options, parser), path)
            actual[MODEL + parser] = [path.read_bytes()]
        for name in ("tsdb", "tsdb_trees", "tsdb_dmrs"):
            actual[name].append(_joined(two_readings(Path(folder) / name)))
    for name, file in REAL.items():
        if (SHARED / file).is_file():
            actual[name].append((SHARED / file).read_bytes()[:BEGINNING])
    return {name: tuple(some) for name, some in actual.items()}


def _file(path: Path, text: str) -> Path:
    path.write_text(text, "utf-8")
    return path


def _joined(folder: Path) -> bytes:
    parts = [f"{TABLE}{file.name}\n".encode() + file.read_bytes() for file in sorted(folder.iterdir())]
    return b"".join(parts)


def unpacked(data: bytes) -> dict[str, bytes]:
    """Return parts of a model, as they are damaged: before they are packed, so that the archive is sound."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def packed(parts: Mapping[str, bytes]) -> bytes:
    """Return a model of these parts."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name, part in parts.items():
            archive.writestr(zipfile.ZipInfo(name), part)
    return stream.getvalue()


def columns_of(data: bytes) -> dict[str, list[object]]:
    """Return the columns of a Parquet file as lists."""
    from pyarrow import parquet

    table = parquet.read_table(io.BytesIO(data))
    return {name: table.column(name).to_pylist() for name in table.column_names}


def with_column(data: bytes, name: str, values: list[object]) -> bytes:
    """Return a Parquet file with other values in a column, of the same type where they can have it."""
    import pyarrow
    from pyarrow import parquet

    table = parquet.read_table(io.BytesIO(data))
    index = table.column_names.index(name)
    try:
        column = pyarrow.array(values, table.column(name).type)
    except (pyarrow.ArrowException, OverflowError, TypeError, ValueError):
        column = pyarrow.array(json.dumps(values) for _ in range(len(table)))
    stream = io.BytesIO()
    parquet.write_table(
        table.set_column(index, name, column).replace_schema_metadata(table.schema.metadata), stream
    )
    return stream.getvalue()
