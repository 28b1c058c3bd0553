"""One root for each sentence."""

from pathlib import Path

from crossbank.converters.dependencies.single_root import single_root
from crossbank.converters.scheme_files import load_scheme
from crossbank.converters.transformations import transform
from crossbank.treebanks import ROOT, UNATTACHED, Treebank
from crossbank.treebanks.builder import TreebankBuilder
from crossbank.treebanks.errors import RequirementError, SentenceError
from crossbank.treebanks.formats import conllu, read
from tests.converters.banks import bank_of, events
from tests.errors import raises
from tests.validity import validate

TUEBADZ = load_scheme("tuebadz")


def bank(*words: tuple[str, int]) -> Treebank:
    """Return the words with tag and head; a root's relation is ROOT, all others are X."""
    builder = TreebankBuilder()
    builder.sentence()
    for tag, head in words:
        builder.token(form="w", pos=tag, head=head, relation="ROOT" if head == ROOT else "X")
    return builder.build()


def label_heads(bank: Treebank) -> list[str]:
    relations = bank.vocabulary.decode(bank.tokens.relation)
    return [f"{r}:{h}" for r, h in zip(relations, bank.tokens.head.tolist(), strict=True)]


def test_the_root_that_dominates_most_words_is_left() -> None:
    several = bank(("$(", ROOT), ("ITJ", ROOT), ("NN", 3), ("VVFIN", ROOT), ("ADV", UNATTACHED), ("$.", ROOT))
    joined = single_root(several, TUEBADZ)
    assert label_heads(joined) == ["punct:3", "dep:3", "X:3", "root:-1", "dep:3", "punct:3"]
    assert events(joined) == {"single_root: roots attached to the main root": 4}
    assert label_heads(single_root(bank(("$.", ROOT), ("$.", ROOT)), TUEBADZ)) == ["root:-1", "punct:0"]
    assert label_heads(single_root(several))[-1] == "dep:3"
    assert label_heads(single_root(bank())) == []
    with raises(RequirementError, name="single_root", required="dependencies before it"):
        single_root(bank_of("(S 0=a/X)"), TUEBADZ)
    with raises(SentenceError, sentence="1", problem="words depend on each other"):
        single_root(bank(("NN", ROOT), ("NN", 2), ("NN", 1)), TUEBADZ)


def test_the_dependencies_of_exportxml(shared_data: Path) -> None:
    inputs = read(shared_data / "tuebadz-masked" / "exportxml-example.xml", "exportxml")
    joined = transform(inputs, ["single_root"], TUEBADZ)
    assert validate(joined) == []
    retained = inputs.tokens.head >= 0
    assert (joined.tokens.head[retained] == inputs.tokens.head[retained]).all()


def test_arcs_of_a_graph_that_have_no_number_are_kept() -> None:
    text = "1\ta\t_\tX\t_\t_\t0\tX\tx|0:X|٣:y|5.:z\t_\n2\tb\t_\tX\t_\t_\t0\tX\t'\t_\n\n"
    joined = single_root(conllu.loads(text))
    assert joined.vocabulary.decode(joined.tokens.deps) == ["x|0:root|٣:y|5.:z", "'|1:dep"]


def test_words_without_heads_and_graphs() -> None:
    alone = single_root(bank(("NN", UNATTACHED), ("NN", UNATTACHED), ("NN", 1)), TUEBADZ)
    assert label_heads(alone) == ["dep:1", "root:-1", "X:1"]
    text = "".join(
        f"{number}\tw\t_\tNN\t_\t_\t{head}\tX\t{deps}\t_\n"
        for number, head, deps in ((1, 0, "0:ROOT|3:SB"), (2, 3, "3:X|5.1:SB"), (3, 0, "0:X"))
    )
    joined = single_root(conllu.loads(text + "\n"))
    assert label_heads(joined) == ["dep:2", "X:2", "root:-1"]
    assert joined.vocabulary.decode(joined.tokens.deps) == ["3:SB|3:dep", "3:X|5.1:SB", "0:root"]
