from crossbank.treebanks.builder import TreebankBuilder
from crossbank.treebanks.ratios import describe


def test_sizes_and_ratios_of_a_small_treebank() -> None:
    builder = TreebankBuilder()
    builder.sentence(id="1")
    builder.token(form="Darüber", parent=1)
    builder.token(form="spricht", parent=0)
    builder.token(form="niemand", parent=1)
    builder.node(label="S")
    builder.node(label="VP", parent=0)
    builder.sentence(id="2")
    builder.token(form="Ja")
    assert describe(builder.build()) == {
        "sentences": 2,
        "tokens": 4,
        "nodes": 2,
        "tokens_per_sentence": 2.0,
        "nodes_per_sentence": 1.0,
        "nodes_per_token": 0.5,
        "discontinuous_sentences": 1,
    }


def test_nothing_is_divided_by_nothing() -> None:
    described = describe(TreebankBuilder().build())
    assert described["nodes_per_token"] == described["tokens_per_sentence"] == 0.0
