"""Columns that CoNLL formats want."""

from pathlib import Path

import numpy as np
import pytest

from crossbank.converters.dependencies.conll_columns import conll_columns
from crossbank.converters.scheme_files import load_scheme
from crossbank.converters.schemes.scheme import Scheme
from crossbank.converters.transformations import transform
from crossbank.treebanks import Treebank
from crossbank.treebanks.errors import RequirementError
from crossbank.treebanks.formats import conllu, read_all
from tests.converters.banks import bank_of, events
from tests.errors import raises

TIGER, NEGRA, TUEBADZ = map(load_scheme, ("tiger", "negra", "tuebadz"))


def column(bank: Treebank, name: str) -> list[str]:
    return bank.vocabulary.decode(getattr(bank.tokens, name))


def test_universal_tags_beside_the_treebank_s_own() -> None:
    bank = conll_columns(bank_of("(S 0=er/PPER 1=ist/VAFIN 2=da/ADV 3=!/$.)", "0=x/NEW"), TIGER)
    assert column(bank, "pos") == ["PRON", "AUX", "ADV", "PUNCT", "NEW"]
    assert column(bank, "xpos") == ["PPER", "VAFIN", "ADV", "$.", "NEW"]
    assert events(bank) == {"conll_columns: tags without a universal tag": 1}
    assert [finding.counts.tolist() for finding in bank.diagnosis] == [[0, 1]]
    again = conll_columns(bank, TIGER)
    assert (column(again, "pos"), column(again, "xpos")) == (column(bank, "pos"), column(bank, "xpos"))
    assert again.diagnosis[-1].total == 1
    # What is punctuation is known from either column.
    assert TIGER.is_punctuation(bank).tolist() == [False, False, False, True, False]
    assert column(conll_columns(bank_of("0=Ute/NE:HD"), TUEBADZ), "pos") == ["PROPN"]


def test_without_universal_tags_both_columns_have_the_treebank_s() -> None:
    bank = conll_columns(bank_of("0=er/PPER"), TIGER, universal=False)
    assert column(bank, "pos") == column(bank, "xpos") == ["PPER"]
    assert not bank.sentences.comments.any()
    own = conll_columns(bank_of("0=he/PRP"), load_scheme("rasp"))
    assert column(own, "pos") == column(own, "xpos") == ["PRP"]
    assert events(own) == {
        "conll_columns: tags without a universal tag: the scheme rasp lists none under universal_tags, "
        "so UPOS repeats XPOS": 1
    }


def test_what_says_nothing_is_left_empty() -> None:
    text = (
        "# text = Da ist er\n1\tDa\t--\tADV\t_\t--\t2\t--\t_\t_\n2\tist\tsein\tVAFIN\tx\tSg\t0\troot\t_\t_\n"
    )
    bank = conll_columns(conllu.loads(f"{text}\n"), TIGER)
    assert [column(bank, name)[0] for name in ("lemma", "morph", "relation")] == ["", "", "dep"]
    assert [column(bank, name)[1] for name in ("lemma", "morph", "relation")] == [
        "sein",
        "Number=Sing",
        "root",
    ]
    assert column(bank, "xpos") == ["ADV", "x"]
    assert conllu.dumps(bank).count("text = ") == 1


def test_a_relation_that_says_nothing_is_another_for_punctuation() -> None:
    """So a root VROOT with ``--`` above its children makes no difference."""
    roots = (
        "(S 0=da/ADV:HD) 1=./$.:--",
        "(VROOT (S:-- 0=da/ADV:HD) 1=./$.:--)",
        "(VROOT 0=da/ADV:-- 1=./$.:--)",
    )
    for tree in roots:
        bank = transform(bank_of(tree), ["dependencies", "single_root", "conll_columns"], TIGER)
        assert column(bank, "relation") == ["root", "punct"], tree


@pytest.mark.parametrize(
    ("scheme", "morph", "feats", "misc"),
    [
        (TIGER, "3.Sg.Pres.Ind", "Mood=Ind|Number=Sing|Person=3|Tense=Pres", "x"),
        (TIGER, "Nom.Sg.*", "Case=Nom|Number=Sing", "x"),
        (TIGER, "Comp.Dat.Pl.Neut", "Case=Dat|Degree=Cmp|Gender=Neut|Number=Plur", "x"),
        (TIGER, "Nom.Sg.Odd", "", "Morph=Nom.Sg.Odd|x"),
        (TIGER, "*.*", "", "Morph=*.*|x"),
        (TUEBADZ, "nsf", "", "Morph=nsf|x"),
        (TUEBADZ, "Case=Nom", "Case=Nom", "x"),
        (TUEBADZ, "--", "", "x"),
    ],
)
def test_morphology(scheme: Scheme, morph: str, feats: str, misc: str) -> None:
    line = f"1\tDa\t_\tADV\t_\t{morph}\t0\troot\t_\tx\n\n"
    bank = conll_columns(conllu.loads(line), scheme)
    assert (column(bank, "morph"), column(bank, "misc")) == ([feats], [misc])
    assert column(conll_columns(conllu.loads(line), scheme, universal=False), "misc") == ["x"]


def test_the_words_are_a_comment() -> None:
    bank = conll_columns(bank_of("0=er/PPER 1=da/ADV", ""), TIGER)
    assert bank.vocabulary.decode(bank.sentences.comments) == ["text = er da", ""]


def test_a_scheme_is_needed() -> None:
    with raises(RequirementError, name="conll_columns", required="a scheme that lists universal tags"):
        conll_columns(bank_of("0=er/PPER"))


@pytest.mark.parametrize("scheme", [TIGER, NEGRA, TUEBADZ], ids=lambda scheme: scheme.name)
def test_every_tag_has_a_universal_one(scheme) -> None:  # type: ignore[no-untyped-def]
    assert {*scheme.inventory.get("tags", ()), *scheme.punctuation.tags} <= set(scheme.universal_tags)


def test_letters_that_are_spelled() -> None:
    """Kübler and Telljohann (2002), section 4, item 4: the spelling of words (in spoken German)."""
    bank = conll_columns(bank_of("(NX 0=K/BS 1=I/BS)"), TUEBADZ)
    assert (column(bank, "pos"), events(bank)) == (["X", "X"], {})


def test_tags_of_the_corpora_of_english() -> None:
    """Verbs without mood and words with the possessive $, which Icelandic and Faroese corpora do not have."""
    tags = "EX VBD VBP BED BEP HVD HVP DOD DOP MD0 PRO$ WPRO$ OTHER$ N$ NS$ NPR$ NPRS$ NUM$ ONE$ Q$ ELSE"
    assert not set(tags.split()) - set(load_scheme("ppche").universal_tags)


def test_universal_tags_of_gum_and_farpahc(shared_data: Path) -> None:
    """Forms of be, have and do, and conjunctions tagged IN, differ; else tags tell the universal ones."""
    ptb, ppche = map(load_scheme, ("ptb", "ppche"))
    trees, gold = (read_all([str(shared_data / "gum" / part)]) for part in ("const/*.ptb", "dep/*.conllu"))
    made = column(conll_columns(trees, ptb), "pos")
    assert np.mean(np.array(made) == np.array(column(gold, "pos"))) > 0.93
    trees, gold = (read_all([str(shared_data / "farpahc" / part)]) for part in ("psd/*.psd", "ud/*.conllu"))
    known = [ppche.universal_tags.get(ppche.labels.category(tag), "") for tag in column(gold, "xpos")]
    assert np.mean(np.array(known) == np.array(column(gold, "pos"))) > 0.99
    converted = transform(trees, ["delete_metadata", "delete_empty_elements", "conll_columns"], ppche)
    assert events(converted)["conll_columns: tags without a universal tag"] == 1
