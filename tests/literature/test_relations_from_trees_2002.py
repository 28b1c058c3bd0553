"""Grammatical relations of two papers of 2002, read off trees by the rules for the Penn Treebank.

Briscoe, Ted, John Carroll, Jonathan Graham and Ann Copestake (2002): Relational Evaluation Schemes,
Figure 2 and section 1; Crouch, Richard, Ronald Kaplan, Tracy King and Stefan Riezler (2002): A
Comparison of Evaluation Metrics for a Broad-Coverage Stochastic Parser, section 5.2. Both in Beyond
PARSEVAL, LREC. The papers give no trees: these are ours, with the papers' lemmas as words.
"""

from crossbank.converters.relations.relations_from_trees import relations_from_trees
from crossbank.converters.scheme_files import load_scheme
from crossbank.treebanks.formats import bracket
from crossbank.treebanks.relations.hierarchy import load_hierarchy
from crossbank.treebanks.relations.relation import Relation, relations_of
from tests.literature.printed import replicates

BRISCOE = "Briscoe et al. (2002)"

FIGURE_2_TREE = """
(S (SBAR-TMP (WHADVP (WRB when)) (S (NP-SBJ (DT the) (NN proprietor)) (VP (VBZ die)))) (, ,)
   (NP-SBJ (DT the) (NN establishment))
   (VP (MD shall)
       (VP (VB become) (NP-PRD (DT a) (NN corporation))
           (SBAR-TMP (IN until)
              (S (S (NP-SBJ-1 (PRP it))
                    (VP (VBZ be)
                        (VP (CC either) (VBN acquire) (NP (-NONE- *-1))
                            (PP (IN by) (NP-LGS (DT another) (NN proprietor))))))
                 (CC or)
                 (S (NP-SBJ-2 (DT the) (NN government))
                    (VP (VBZ decide)
                        (S (NP-SBJ (-NONE- *-2)) (VP (TO to) (VP (VB drop) (NP (PRP it)))))))))))
   (. .))
"""

FIGURE_2 = """
(ncsubj die proprietor _)
(ncsubj become establishment _)
(xcomp _ become corporation)
(ncsubj acquire it obj)
(arg_mod by acquire proprietor subj)
(ncmod _ acquire either)
(ncsubj decide government _)
(xcomp to decide drop)
(ncsubj drop government _)
(dobj drop it _)
(cmod when become die)
(cmod until become acquire)
(cmod until become decide)
(detmod _ proprietor the)
(detmod _ establishment the)
(detmod _ corporation a)
(detmod _ proprietor another)
(detmod _ government the)
(aux _ become shall)
(aux _ acquire be)
(conj or acquire decide)
"""

CROUCH_TREE = """
(S (NP-SBJ (NNP Meridian))
   (VP (MD will)
       (VP (VB pay)
           (NP (NP (DT a) (NN premium))
               (PP (IN of) (NP (QP ($ $) (CD 30.5) (CD million)))))
           (S-PRP (VP (TO to)
              (VP (VB assume) (NP (NP (QP ($ $) (CD 2) (CD billion))) (PP (IN in) (NP (NN deposit)))))))))
   (. .))
"""

CROUCH = """
(aux _ pay will)
(subj pay Meridian _)
(detmod _ premium a)
(mod _ million 30.5)
(mod _ $ million)
(mod of premium $)
(dobj pay premium _)
(mod _ billion 2)
(mod _ $ billion)
(mod in $ deposit)
(dobj assume $ _)
(mod to pay assume)
"""


def written(relation: Relation) -> str:
    """Return a relation as the papers write it."""
    name, head, dependent, type, initial_gr, further, _ = relation
    words = " ".join(word.word for word in (head, *further, dependent) if word.word)
    if name in ("ncsubj", "subj", "dobj"):
        return f"({name} {words} {initial_gr or '_'})"
    return f"({name} {type or '_'} {words}{' ' + initial_gr if initial_gr else ''})"


def relations_in(tree: str) -> list[Relation]:
    return relations_of(relations_from_trees(bracket.loads(tree), load_scheme("ptb")), 0)


def lines(text: str) -> list[str]:
    return sorted(text.strip().splitlines())


def test_figure_2():
    actual = sorted(map(written, relations_in(FIGURE_2_TREE)))
    assert actual == lines(FIGURE_2)
    same = len(set(actual) & set(lines(FIGURE_2)))
    replicates(BRISCOE, "Figure 2", "relations that rules read off our tree", len(lines(FIGURE_2)), same)


def test_figure_2_without_traces_as_parsers_print_it():
    tree = FIGURE_2_TREE.replace("(NP-SBJ (-NONE- *-2)) ", "").replace("(NP (-NONE- *-1))", "")
    assert "-NONE-" not in tree
    assert sorted(map(written, relations_in(tree))) == lines(FIGURE_2)


def test_the_couple_were_married():
    verbs = "(VP (VBD were) (VP (VBN married) (PP-TMP (IN in) (NP (NNP August)))))"
    tree = f"(S (NP-SBJ (DT The) (NN couple)) {verbs})"
    (actual,) = (displayed for displayed in map(written, relations_in(tree)) if "ncsubj" in displayed)
    printed = "(ncsubj marry couple obj)"
    replicates(
        BRISCOE, "section 1", "*The couple were married*, subject", printed, actual, "a lemma is printed"
    )


def test_the_twelve_relations_of_crouch_et_al():
    """Crouch et al. neutralise what Carroll's relations say beyond subj and mod (section 5.3)."""
    hierarchy = load_hierarchy("carroll_minnen_briscoe")
    actual = []
    for relation in relations_in(CROUCH_TREE):
        for general in ("subj", "mod"):
            if relation.name != "detmod" and hierarchy.subsumes(general, relation.name):
                relation = relation._replace(name=general)
        actual.append(written(relation))
    assert sorted(actual) == lines(CROUCH)
    replicates(
        "Crouch et al. (2002)", "section 5.2", "relations that rules read off our tree", 12, len(actual)
    )
