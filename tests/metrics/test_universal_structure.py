"""Structural faults of Universal Dependencies: each check by itself, and against the project's validator."""

from __future__ import annotations

import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from crossbank.metrics.analyses.universal_structure import counted, universal_faults
from crossbank.treebanks.formats import conllu, read
from crossbank.workflow.commands.cli import main


def text_of(*words: str) -> str:
    """Return a sentence whose words are ``form tag head relation``, with features after a blank."""
    lines = []
    for index, word in enumerate(words, 1):
        form, tag, head, relation, *features = word.split()
        morph = features[0] if features else "_"
        lines.append(f"{index}\t{form}\t_\t{tag}\t_\t{morph}\t{head}\t{relation}\t_\t_")
    return "\n".join(lines) + "\n\n"


def checks(*words: str) -> list[str]:
    return [fault.check for fault in universal_faults(conllu.loads(text_of(*words)))]


SENTENCES: list[tuple[list[str], list[str]]] = [
        (["we PRON 2 nsubj", "sing VERB 0 root"], []),
        (["we PRO 2 nsubj", "sing VERB 0 root"], ["unknown-upos"]),
        (["we PRON 2 subj", "sing VERB 0 root"], ["unknown-udeprel"]),
        (["we PRON 2 nsubj:Pass", "sing VERB 0 root"], ["invalid-deprel"]),
        (["we PRON 2 nsubj", "sing VERB 0 pred"], ["unknown-udeprel", "0-is-not-root"]),
        (["we PRON 2 root", "sing VERB 0 root"], ["root-is-not-0"]),
        (["we PRON 0 root", "sing VERB 0 root"], ["multiple-roots"]),
        (["we PRON 2 nsubj", "sing VERB 3 dep", "and CCONJ 2 cc"], ["no-root"]),
        (["we PRON 1 nsubj", "sing VERB 0 root"], ["head-self-loop"]),
        (["we PRON _ _", "sing VERB 0 root"], ["missing-head"]),
        (["a X 2 dep", "b X 1 dep", "c X 0 root"], ["non-tree"]),
        (["in ADP 2 case", "Rome PROPN 0 root", "old ADJ 1 amod"], ["leaf-mark-case"]),
        (["right ADV 2 advmod", "in ADP 3 case", "Rome PROPN 0 root"], []),
        (["has AUX 2 aux", "sung VERB 0 root", "it PRON 1 obj"], ["leaf-aux-cop"]),
        (["not PART 2 advmod Polarity=Neg", "has AUX 3 aux", "sung VERB 0 root"], []),
        (["not PART 2 advmod", "has AUX 3 aux", "sung VERB 0 root"], ["leaf-aux-cop"]),
        (["the DET 2 det", "man NOUN 0 root", "tall ADJ 1 acl"], ["leaf-det"]),
        (["his DET 2 det Poss=Yes", "man NOUN 0 root", "tall ADJ 1 acl"], []),
        (["and CCONJ 2 cc", "men NOUN 0 root", "so ADV 1 advmod"], ["leaf-cc"]),
        (["of ADV 3 advmod", "course NOUN 1 fixed", "men NOUN 0 root", "a DET 2 det"], ["leaf-fixed"]),
        (["men NOUN 0 root", "! PUNCT 1 punct", "so ADV 2 advmod"], ["leaf-punct"]),
        (["men NOUN 0 root", "! PUNCT 1 punct", "? PUNCT 2 punct"], []),
        (["or CCONJ 2 cc", "men NOUN 3 conj", "women NOUN 0 root"], ["right-to-left-conj"]),
        (["Ann PROPN 2 flat:name", "Lee PROPN 0 root"], ["right-to-left-flat"]),
        (["the NOUN 2 det", "man NOUN 0 root"], ["rel-upos-det"]),
        (["the NOUN 2 det ExtPos=DET", "man NOUN 0 root"], []),
        (["to PRON 2 mark", "go VERB 0 root"], ["rel-upos-mark"]),
        (["! PUNCT 2 discourse", "go VERB 0 root"], ["upos-rel-punct"]),
        (["Of PROPN 3 case", "Course NOUN 1 fixed", "men NOUN 0 root"], ["rel-upos-case", "rel-upos-fixed"]),
        (["I PRON 3 nsubj", "we PRON 3 nsubj", "go VERB 0 root"], ["too-many-subjects"]),
        (["I PRON 3 nsubj:outer", "we PRON 3 nsubj", "go VERB 0 root"], []),
        (["go VERB 0 root", "it PRON 1 obj", "it PRON 1 obj"], ["too-many-objects"]),
        (["go VERB 0 root", "men NOUN 1 obj", "Rome PROPN 2 obl"], ["obl-should-be-nmod"]),
        (["go VERB 0 root", "men NOUN 1 obj", "Rome PROPN 2 obl", "is AUX 2 cop"], []),
        (["with X 0 root Typo=Yes", "draw X 1 goeswith"], []),
        (["with X 0 root", "draw X 1 goeswith Mood=Ind"], ["goeswith-missing-typo", "goeswith-feats"]),
        (["with X 0 root Typo=Yes", "draw VERB 1 goeswith"], ["goeswith-upos"]),
        (["with X 0 root", "and CCONJ 1 cc", "draw X 1 goeswith"], ["goeswith-gap"]),
        (["a X 0 root", "b X 4 dep", "! PUNCT 1 punct", "c X 1 dep", "d X 1 dep"], ["punct-causes-nonproj"]),
        (["a X 3 dep", "! PUNCT 4 punct", "b X 0 root", "c X 1 dep"], ["punct-is-nonproj"]),
    ]  # fmt: skip


@pytest.mark.parametrize(("words", "expected"), SENTENCES)
def test_each_check(words: list[str], expected: list[str]) -> None:
    assert checks(*words) == expected


@pytest.mark.parametrize(
    ("joined", "expected"),
    [
        ((), []),
        ((3,), []),
        ((1,), ["goeswith-nospace"]),
        ((2,), ["goeswith-nospace"]),
        ((1, 2), ["goeswith-nospace"]),
    ],
)
def test_no_part_of_a_split_word_but_the_last_is_joined_to_the_next(
    joined: tuple[int, ...], expected: list[str]
) -> None:
    """One joined part is enough; the misc column may say more than that."""
    lines = text_of("with X 0 root Typo=Yes", "dra X 1 goeswith", "wing X 1 goeswith").splitlines()
    for word in joined:
        lines[word - 1] = lines[word - 1][:-1] + "Gloss=x|SpaceAfter=No"
    faults = universal_faults(conllu.loads("\n".join(lines) + "\n\n"))
    assert [fault.check for fault in faults] == expected


def test_sentences_without_heads_have_no_tree_to_check() -> None:
    assert checks("we PRON _ _", "sing VERB _ _") == []


def test_info_tells_where_faults_are(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a.conllu"
    path.write_text("1\twe\t_\tPRON\t_\t_\t2\tsubj\t_\t_\n2\tsing\t_\tVERB\t_\t_\t0\troot\t_\t_\n\n", "utf-8")
    assert main(["info", str(path), "--check"]) == 1
    assert f"unknown-udeprel: 1 ({path}:1: sentence 1, word 1: the relation subj)" in capsys.readouterr().out
    assert main(["info", str(path)]) == 0
    path.write_text(path.read_text("utf-8").replace("subj", "nsubj"), "utf-8")
    assert main(["info", str(path), "--check"]) == 0
    assert "no faults in the structure of Universal Dependencies" in capsys.readouterr().out
    (tmp_path / "a.mrg").write_text("(S (VB Sing))\n", "utf-8")
    assert main(["info", str(tmp_path / "a.mrg"), "--check"]) == 2
    assert "there are no dependencies to check" in capsys.readouterr().err


def test_the_validator_finds_the_same_faults_in_the_sentences_above(tmp_path: Path) -> None:
    """Without words that have no head, and a sentence without a root, which it refuses in other words."""
    path = tmp_path / "sentences.conllu"
    others = ("missing-head", "no-root")
    chosen = [text_of(*words) for words, expected in SENTENCES if not set(others) & set(expected)]
    path.write_text("".join(chosen), encoding="utf-8")
    compare_with_the_validator(path)


@pytest.mark.slow
@pytest.mark.parametrize("file", ["conll18-baseline/de_gsd", "Phoenix/en_pud"])
def test_the_validator_finds_the_same_faults(shared_data: Path, file: str) -> None:
    compare_with_the_validator(shared_data / "conll18" / f"{file}.conllu")


def compare_with_the_validator(path: Path) -> None:
    pytest.importorskip("udtools", reason="the validator of Universal Dependencies is not installed")
    computed = counted(universal_faults(read(path)))
    call = "from udtools.cli import main; main()"
    options = ["--lang", "ud", "--level", "3", "--max-err", "0", "--no-warnings", str(path)]
    messages = subprocess.run([sys.executable, "-c", call, *options], capture_output=True, text=True).stderr
    reference = Counter(re.findall(r"^\[Line .*\]: \[L\d \w+ ([\w-]+)\]", messages, re.MULTILINE))
    looked_at = (
        "leaf-",
        "right-to-left-",
        "0-is-",
        "root-is-",
        "unknown-u",
        "invalid-deprel",
        "multiple-",
        "non-tree",
        "head-self",
        "rel-upos-",
        "upos-rel-",
        "too-many-",
        "obl-should-",
        "goeswith-",
        "punct-",
    )
    assert computed == {check: number for check, number in reference.items() if check.startswith(looked_at)}
