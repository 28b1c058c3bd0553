"""Further heads from secondary edges."""

from crossbank.converters.scheme_files import load_scheme
from crossbank.converters.transformations import transform
from crossbank.treebanks import Treebank
from crossbank.treebanks.formats import conllu, export
from tests.converters.banks import events

TIGER = load_scheme("tiger")
STEPS = ["insert_flat_phrases", "dependencies:secondary=yes"]


def bank_of(*lines: str) -> Treebank:
    """Return a sentence of the export format, version 3; columns are separated by spaces."""
    return export.loads("\n".join(["#FORMAT 3", "#BOS 1 1 1 1", *lines, "#EOS 1", ""]))


def graph(bank: Treebank) -> list[str]:
    done = transform(bank, STEPS, TIGER)
    return done.vocabulary.decode(done.tokens.deps)


SHARED_SUBJECT = bank_of(
    "Sie PPER -- SB 500 SB 501",
    "sah VVFIN -- HD 500",
    "und KON -- CD 502",
    "lachte VVFIN -- HD 501",
    ". $. -- -- 0",
    "#500 S -- CJ 502",
    "#501 S -- CJ 502",
    "#502 CS -- -- 0",
)
SHARED_VERB = bank_of(
    "Ute NE -- SB 500",
    "trinkt VVFIN -- HD 500 HD 503",
    "Tee NN -- OA 500",
    ", $, -- -- 0",
    "Max NE -- SB 503",
    "kalten ADJA -- NK 501",
    "Kaffee NN -- NK 501",
    "#500 S -- CJ 504",
    "#501 NP -- OA 503",
    "#503 S -- CJ 504",
    "#504 CS -- -- 0",
)


def test_a_shared_subject_has_two_heads() -> None:
    assert graph(SHARED_SUBJECT) == ["2:SB|4:SB", "0:root", "2:CD", "2:CJ", "2:punct"]
    done = transform(SHARED_SUBJECT, STEPS, TIGER)
    assert events(done)["dependencies: secondary edges as further heads"] == 1
    # The tree is the same with and without.
    plain = transform(SHARED_SUBJECT, ["insert_flat_phrases", "dependencies"], TIGER)
    assert plain.tokens.head.tolist() == done.tokens.head.tolist()
    assert not plain.tokens.deps.any()


def test_words_of_a_phrase_without_a_head_get_the_one_it_shares() -> None:
    assert graph(SHARED_VERB) == [
        "2:SB", "0:root", "2:OA", "2:punct", "2:SB|7:SB", "7:NK", "2:CJ|2:OA",
    ]  # fmt: skip


def test_heads_are_shared_before_other_edges_are_looked_at() -> None:
    """``heute`` modifies both clauses, of which the second has its verb in the first."""
    bank = bank_of(
        "Heute ADV -- MO 500 MO 501",
        "singt VVFIN -- HD 500 HD 501",
        "Ute NE -- SB 500",
        "und KON -- CD 502",
        "Max NE -- SB 501",
        "#500 S -- CJ 502",
        "#501 S -- CJ 502",
        "#502 CS -- -- 0",
    )
    # Max depends on the verb as its subject, beside the coordination; heute depends on it already.
    assert graph(bank) == ["2:MO", "0:root", "2:SB", "2:CD", "2:CJ|2:SB"]
    done = events(transform(bank, STEPS, TIGER))
    assert done["dependencies: secondary edges as further heads"] == 1
    assert done["dependencies: secondary edges that the dependencies have already"] == 1


def test_edges_that_say_nothing_new_are_counted() -> None:
    bank = bank_of(
        "alte ADJA -- NK 500 NK 500",
        "Häuser NN -- NK 500 -- 500",
        "#500 NP -- -- 0",
    )
    assert graph(bank) == ["2:NK", "0:root"]
    done = events(transform(bank, STEPS, TIGER))
    assert done["dependencies: secondary edges that the dependencies have already"] == 1
    assert done["dependencies: secondary edges of a word to itself dropped"] == 1


def test_the_graph_is_written_and_read() -> None:
    steps = ["insert_flat_phrases", "dependencies:secondary=yes", "single_root", "conll_columns"]
    text = conllu.dumps(transform(SHARED_SUBJECT, steps, TIGER))
    assert "1\tSie\t_\tPRON\tPPER\t_\t2\tSB\t2:SB|4:SB\t_\n" in text
    assert "5\t.\t_\tPUNCT\t$.\t_\t2\tpunct\t2:punct\t_\n" in text
    assert conllu.dumps(conllu.loads(text)) == text
