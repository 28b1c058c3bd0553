"""Universal Dependencies from trees of the Penn Treebank, construction by construction."""

from __future__ import annotations

import pytest

from crossbank.metrics.analyses.universal_structure import counted, universal_faults
from tests.converters.test_universal import converted, relations
from tests.validity import validate

EXAMPLES = {
    "a conjunct with an adverb before it": (
        "(S (NP (PRP She)) (VP (VP (VBD sang)) (CC and) (ADVP (RB then)) (VP (VBD danced))))",
        "nsubj(2) root(0) cc(5) advmod(5) conj(2)",
    ),
    "an adverb between clauses": (
        "(S (S (NP (PRP She)) (VP (VBD slept))) (, ,) (RB so) (S (NP (PRP we)) (VP (VBD left))))",
        "nsubj(2) root(0) punct(6) advmod(6) nsubj(6) parataxis(2)",
    ),
    "a conjunct with an adjective": (
        "(NP (NNS ducks) (CC and) (JJ wild) (NNS geese))",
        "root(0) cc(4) amod(4) conj(1)",
    ),
    "a free relative with how": (
        "(S (NP (PRP I)) (VP (VBP know) (SBAR (WHADVP (WRB how)) (S (NP (NNS engines)) (VP (VBP run))))))",
        "nsubj(2) root(0) obj(2) nsubj(5) advcl:relcl(3)",
    ),
    "a free relative after a preposition": (
        "(S (NP (PRP We)) (VP (VBD talked) (PP (IN about) (SBAR (WHNP (WP what)) (S (NP (PRP he))"
        " (VP (VBD painted)))))))",
        "nsubj(2) root(0) case(4) obl(2) nsubj(6) acl:relcl(4)",
    ),
    "what and how about": (
        "(FRAG (WHADVP (WRB How)) (IN about) (NP (NN tea)))",
        "root(0) case(3) obl(1)",
    ),
    "a recipient before a clause": (
        "(S (NP (PRP She)) (VP (VBD told) (NP (PRP me)) (SBAR (IN that) (S (NP (PRP he)) (VP (VBD left))))))",
        "nsubj(2) root(0) iobj(2) mark(6) nsubj(6) ccomp(2)",
    ),
    "a recipient of an infinitive": (
        "(S (NP (PRP They)) (VP (VBD allowed) (S (NP (PRP us)) (VP (TO to) (VP (VB swim))))))",
        "nsubj(2) root(0) iobj(2) mark(5) xcomp(2)",
    ),
    "out of": (
        "(S (NP (PRP He)) (VP (VBD fell) (PP (IN out) (PP (IN of) (NP (NN bed))))))",
        "nsubj(2) root(0) case(5) fixed(3) obl(2)",
    ),
    "of course": (
        "(S (ADVP (IN Of) (NN course)) (NP (PRP he)) (VP (VBD fell)))",
        "advmod(4) fixed(1) nsubj(4) root(0)",
    ),
    "at all": (
        "(S (NP (PRP It)) (VP (VBZ does) (RB n't) (VP (VB hurt) (ADVP (IN at) (DT all)))))",
        "nsubj(4) aux(4) advmod(4) root(0) case(6) obl(4)",
    ),
    "so that": (
        "(S (NP (PRP He)) (VP (VBD hid) (SBAR (IN so) (IN that) (S (NP (PRP we)) (VP (VBD left))))))",
        "nsubj(2) root(0) mark(6) fixed(3) nsubj(6) advcl(2)",
    ),
    "that is": (
        "(S (S (NP (DT That)) (VP (VBZ is))) (, ,) (NP (PRP we)) (VP (VBD left)))",
        "advmod(5) fixed(1) punct(5) nsubj(5) root(0)",
    ),
    "I mean": (
        "(S (NP (PRP I)) (VP (VBP mean) (SBAR (S (NP (PRP it)) (VP (VBZ works))))))",
        "nsubj(2) parataxis(4) nsubj(4) root(0)",
    ),
    "you know": (
        "(S (S (NP (PRP You)) (VP (VBP know))) (, ,) (S (NP (PRP it)) (VP (VBZ works))))",
        "nsubj(2) parataxis(5) punct(2) nsubj(5) root(0)",
    ),
    "be like": (
        "(S (NP (PRP She)) (VP (VBD was) (PP (RP like) (, ,) (S (NP (PRP I)) (VP (VBP quit))))))",
        "nsubj(2) root(0) compound:prt(2) punct(6) nsubj(6) ccomp(2)",
    ),
    "a repeated word": (
        "(S (NP (DT the) (, ,) (DT the) (NN boat)) (VP (VBD sank)))",
        "reparandum(3) punct(3) det(4) nsubj(5) root(0)",
    ),
    "a broken word": (
        "(NP (DT a) (UH pur-) (JJ purple) (NN kite))",
        "det(4) reparandum(4) amod(4) root(0)",
    ),
    "a number to a number": (
        "(NP (QP (CD ten) (IN to) (CD twenty) (CD thousand)) (NNS bees))",
        "nummod(4) case(3) nmod(1) nummod(5) root(0)",
    ),
    "a number of two words": (
        "(NP (CD forty) (HYPH -) (CD one))",
        "compound(3) punct(3) root(0)",
    ),
    "based on": (
        "(S (PP (VBN Based) (PP (IN on) (NP (NNS maps)))) (, ,) (NP (PRP we)) (VP (VBD sailed)))",
        "advcl(6) case(3) obl(1) punct(1) nsubj(6) root(0)",
    ),
    "a particle in a phrase": (
        "(S (NP (PRP They)) (VP (VBD dropped) (ADVP (RP in))))",
        "nsubj(2) root(0) compound:prt(2)",
    ),
    "a hyphenated modifier": (
        "(NP (NN fruit) (HYPH -) (NN tree) (NNS growers))",
        "compound(3) punct(3) compound(4) root(0)",
    ),
    "three nouns": (
        "(NP (NN river) (NN boat) (NNS captains))",
        "compound(2) compound(3) root(0)",
    ),
    "an adjective of the first noun": (
        "(NP (JJ high) (NN school) (NNS choirs))",
        "amod(2) compound(3) root(0)",
    ),
    "a point of the compass in a name": (
        "(NP (NNP North) (NNP Dakota))",
        "compound(2) root(0)",
    ),
    "New Zealand": (
        "(NP (NNP New) (NNP Zealand) (NN wool))",
        "compound(3) flat(1) root(0)",
    ),
    "a gerund as subject": (
        "(S (NP (VBG Rowing)) (VP (VBZ helps)))",
        "csubj(2) root(0)",
    ),
    "the weather": (
        "(S (NP (PRP It)) (VP (VBD snowed)))",
        "expl(2) root(0)",
    ),
    "a quoted interjection": (
        "(S (`` \") (INTJ (UH Yes)) ('' \") (NP (PRP she)) (VP (VBD said)))",
        "punct(2) ccomp(5) punct(2) nsubj(5) root(0)",
    ),
    "a relative clause after the object": (
        "(S (NP (PRP We)) (VP (VBD met) (NP (NNP Ann)) (, ,) (SBAR (WHNP (WP who)) (S (VP (VBD sang))))))",
        "nsubj(2) root(0) obj(2) punct(6) nsubj(6) acl:relcl(3)",
    ),
    "a relative clause of the predicate": (
        "(S (NP (PRP She)) (VP (VBD sang) (, ,) (SBAR (WHNP (WDT which)) (S (VP (VBD helped))))))",
        "nsubj(2) root(0) punct(5) nsubj(5) advcl:relcl(2)",
    ),
    "a time as object": (
        "(S (NP (PRP It)) (VP (MD will) (VP (VB take) (NP (NN time)))))",
        "nsubj(3) aux(3) root(0) obj(3)",
    ),
    "a citation": (
        "(NP (NP (DT the) (NN claim)) (PRN (-LRB- -LRB-) (NP (NP (NNP Ek)) (, ,) (NP (CD 1998)))"
        " (-RRB- -RRB-)))",
        "det(2) root(0) punct(4) dep(2) punct(4) nmod:unmarked(4) punct(4)",
    ),
    "an inverted copula": (
        "(SINV (CC Nor) (VBZ is) (NP (PRP she)) (ADJP (JJ idle)))",
        "cc(4) cop(4) nsubj(4) root(0)",
    ),
    "two conjunctions": (
        "(NP (NNS pears) (CC and) (CC or) (NNS plums))",
        "root(0) cc(4) cc(4) conj(1)",
    ),
    "a conjunction of several words": (
        "(S (NP (PRP She)) (VP (VBD ate) (NP (NP (NNS pears)) (CONJP (IN if) (RB not)) (NP (NNS plums)))))",
        "nsubj(2) root(0) obj(2) cc(6) advmod(6) conj(3)",
    ),
    "an interjection in a number": (
        "(NP (QP (INTJ (UH oh)) (QP (RB about) (CD ten))) (NNS boats))",
        "discourse(3) advmod(3) nummod(4) root(0)",
    ),
    "a free relative as predicate": (
        "(S (NP (PRP That)) (VP (VBZ is) (SBAR (WHNP (WP what)) (S (NP (PRP we)) (VP (VBD saw))))))",
        "nsubj(3) cop(3) root(0) nsubj(5) acl:relcl(3)",
    ),
    "verb phrases without a conjunction": (
        "(S (NP (PRP She)) (VP (VP (VBD knelt)) (, ,) (VP (VBD wept))))",
        "nsubj(2) root(0) punct(4) conj(2)",
    ),
    "a clause with a subject after a comma": (
        "(S (NP (PRP We)) (VP (VBD left) (, ,) (S (NP (PRP$ her) (NN dog)) (VP (VBG barking)))))",
        "nsubj(2) root(0) punct(6) nmod:poss(5) nsubj(6) advcl(2)",
    ),
    "an adjective after a comma": (
        "(S (NP (PRP She)) (VP (VBD sighed) (, ,) (ADJP (JJ weary))))",
        "nsubj(2) root(0) punct(4) advcl(2)",
    ),
    "a fragment with a mark": (
        "(FRAG (IN Because) (S (NP (PRP he)) (VP (VBD slept))))",
        "mark(3) nsubj(3) root(0)",
    ),
    "an adverbial clause of a fragment": (
        "(FRAG (NP (NN trouble)) (, ,) (SBAR (IN since) (S (NP (PRP it)) (VP (VBD leaked)))))",
        "root(0) punct(5) mark(5) nsubj(5) advcl(1)",
    ),
    "a number or so": (
        "(NP (CD nine) (CC or) (RB so))",
        "root(0) cc(3) conj(1)",
    ),
    "a time of day": (
        "(S (NP (PRP It)) (VP (VBZ is) (NP (CD four) (CD twenty))))",
        "nsubj(3) cop(3) root(0) compound(3)",
    ),
    "a noun to the same noun": (
        "(NP (ADJP (NN door) (IN to) (NN door)) (NN salesman))",
        "compound(4) case(3) nmod(1) root(0)",
    ),
    "a question for a free relative": (
        "(SQ (VBZ Is) (NP (DT this)) (SBAR (WHNP (WP what)) (S (NP (PRP you)) (VP (VBD wrote)))))",
        "cop(3) nsubj(3) root(0) nsubj(5) acl:relcl(3)",
    ),
    "a conjunct with an adverb in a noun phrase": (
        "(NP (NP (NNS ducks)) (CC or) (RB even) (NP (DT a) (NN swan)))",
        "root(0) cc(5) advmod(5) det(5) conj(1)",
    ),
    "a gerund with a modifier as subject": (
        "(S (NP (NP (VBG Sailing)) (PP (IN in) (NP (NNS storms)))) (VP (VBZ scares) (NP (PRP us))))",
        "csubj(4) case(3) obl(1) root(0) obj(4)",
    ),
    "two interjections": (
        "(S (INTJ (UH Oh) (UH well)) (, ,) (NP (PRP we)) (VP (VBD left)))",
        "discourse(5) discourse(5) punct(2) nsubj(5) root(0)",
    ),
    "a list without a conjunction": (
        "(NP (NP (NN tea)) (, ,) (NP (NN milk)) (, ,) (NP (NN juice)) (, ,) (FW etc.))",
        "root(0) punct(3) conj(1) punct(5) conj(1) punct(7) conj(1)",
    ),
    "a year of birth": (
        "(NP (NP (NNP Ann) (NNP Ek)) (PRN (-LRB- -LRB-) (VP (VBN born) (NP (CD 1950))) (-RRB- -RRB-)))",
        "root(0) flat(1) punct(4) parataxis(1) obj(4) punct(4)",
    ),
    "a question after wonder": (
        "(S (NP (PRP We)) (VP (VBP wonder) (SBAR (IN if) (S (NP (PRP it)) (VP (VBZ floats))))))",
        "nsubj(2) root(0) mark(5) nsubj(5) ccomp(2)",
    ),
    "a number after a noun": (
        "(NP (NN chapter) (CD six))",
        "root(0) flat(1)",
    ),
    "a stroke between nouns": (
        "(NP (NP (NNS plums)) (SYM /) (NP (NNS pears)))",
        "root(0) cc(3) conj(1)",
    ),
    "a gerund after a preposition": (
        "(NP (NP (DT the) (NN art)) (PP (IN of) (NP (VBG rowing))))",
        "det(2) root(0) mark(4) acl(2)",
    ),
    "a name before a noun": (
        "(NP (DT the) (NNP Nobel) (NNP Peace) (NNP Prize) (NN winner))",
        "det(5) compound(4) compound(4) compound(5) root(0)",
    ),
    "due to as a preposition": (
        "(S (NP (NNS Trains)) (VP (VBD stopped) (PP (JJ due) (PP (TO to) (NP (NN snow))))))",
        "nsubj(2) root(0) case(5) fixed(3) obl(2)",
    ),
    "due to after be": (
        "(S (NP (DT This)) (VP (VBZ is) (ADJP (JJ due) (PP (IN to) (NP (NN snow))))))",
        "nsubj(5) cop(5) case(5) fixed(3) root(0)",
    ),
    "an adjective with to": (
        "(S (NP (NN Rent)) (VP (VBZ is) (ADJP (JJ due) (PP (TO to) (NP (PRP them))) (NP (NN today)))))",
        "nsubj(3) cop(3) root(0) case(5) obl(3) obl:unmarked(3)",
    ),
    "a formula": (
        "(NP (DT the) (NN group) (PRN (-LRB- -LRB-) (S (NP (NN M)) (VP (SYM =) "
        "(NP (CD 7.6) (SYM ±) (CD 1.1)))) (-RRB- -RRB-)))",
        "det(2) root(0) punct(5) nsubj(5) parataxis(2) obj(5) cc(8) conj(6) punct(5)",
    ),
    "an inequality": (
        "(SBAR (IN If) (S (NP (NN n)) (VP (SYM >) (NP (CD 0)))))",
        "mark(3) nsubj(3) root(0) obj(3)",
    ),
    "a section": (
        "(S (VP (VB See) (NP (SYM §) (CD 12))))",
        "root(0) obj(1) flat(2)",
    ),
    "an abbreviation of a phrase": (
        "(NP (NNS birds) (PRN (-LRB- -LRB-) (FW e.g.) (NP (NNS crows)) (-RRB- -RRB-)))",
        "root(0) punct(4) advmod(4) appos(1) punct(4)",
    ),
    "foreign words": (
        "(S (NP (PRP It)) (VP (VBD was) (NP (DT a) (FW coup) (FW de) (FW grâce))))",
        "nsubj(4) cop(4) det(4) root(0) flat(4) flat(4)",
    ),
    "an adverb that is no particle": (
        "(S (NP (PRP She)) (VP (VBD turned) (PRT (RB away))))",
        "nsubj(2) root(0) advmod(2)",
    ),
}


@pytest.mark.parametrize("name", EXAMPLES)
def test_constructions_of_english(name: str) -> None:
    tree, expected = EXAMPLES[name]
    bank = converted(tree)
    assert relations(bank) == expected
    assert counted(universal_faults(bank)) == {}
    assert validate(bank) == []
