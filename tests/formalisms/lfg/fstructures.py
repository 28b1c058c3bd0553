"""F-structures of our own for tests, as XLE writes them."""

from __future__ import annotations

from collections.abc import Iterable

GLASSES = r"""% -*- coding: utf-8 -*-

fstructure('Anna saw Ben with glasses.',
	% Properties:
	[
	'statistics'('3 solutions, 0.01 CPU seconds, 30 subtrees unified'),
	'rootcategory'('ROOT')
	],
	% Choices:
	[
	choice([A1,A2], 1),
	choice([B1,B2], A2)
	],
	% Equivalences:
	[
	select(A1, 1),
	define(CV_001, or(A1,B1)),

	],
	% Constraints:
	[
	cf(1,eq(attr(var(0),'PRED'),semform('see',2,[var(1),var(2)],[]))),
	cf(1,eq(attr(var(0),'SUBJ'),var(1))),
	cf(1,eq(attr(var(0),'OBJ'),var(2))),
	cf(1,eq(attr(var(0),'TNS-ASP'),var(6))),
	cf(1,eq(attr(var(6),'TENSE'),'past')),
	cf(1,eq(attr(var(1),'PRED'),semform('Anna',1,[],[]))),
	cf(1,eq(attr(var(2),'PRED'),semform('Ben',3,[],[]))),
	cf(A1,eq(attr(var(0),'ADJUNCT'),var(3))),
	cf(A2,eq(attr(var(2),'ADJUNCT'),var(7))),
	cf(A2,eq(var(7),var(3))),
	cf(1,in_set(var(4),var(3))),
	cf(1,eq(attr(var(4),'PRED'),semform('with',4,[var(5)],[]))),
	cf(1,eq(attr(var(4),'OBJ'),var(5))),
	cf(1,eq(attr(var(5),'PRED'),var(8))),
	cf(CV_001,eq(var(8),semform('glasses',5,[],[]))),
	cf(and(A2,B2),eq(var(8),semform('glass',6,[],[]))),
	cf(B2,eq(attr(var(5),'NUM'),'pl')),
	cf(1,eq(attr(var(9),'NUM'),'sg'))
	],
	% C-Structure:
	[
	cf(1,subtree(20,'ROOT',21,29)),
	cf(1,subtree(21,'ROOT',-,22)),
	cf(1,phi(20,var(0))),
	cf(1,subtree(22,'S',23,24)),
	cf(1,subtree(23,'S',-,11)),
	cf(1,subtree(11,'NP',-,1)),
	cf(1,terminal(1,'Anna',[1])),
	cf(A1,subtree(24,'VP',31,16)),
	cf(A1,subtree(31,'VP',30,13)),
	cf(1,subtree(30,'VP',-,12)),
	cf(A2,subtree(24,'VP',30,33)),
	cf(A2,subtree(33,'NP',34,16)),
	cf(A2,subtree(34,'NP',-,13)),
	cf(1,subtree(12,'V',41,42)),
	cf(1,subtree(41,'V',-,43)),
	cf(1,subtree(43,'V_BASE',-,2)),
	cf(1,subtree(42,'V_SUFF',-,3)),
	cf(1,terminal(2,'see',[2])),
	cf(1,terminal(3,'+Past',[2])),
	cf(1,subtree(13,'NP',-,4)),
	cf(1,terminal(4,'Ben',[3])),
	cf(1,subtree(16,'PP',17,15)),
	cf(1,subtree(17,'PP',-,14)),
	cf(1,subtree(14,'P',-,5)),
	cf(1,terminal(5,'with',[4])),
	cf(1,subtree(15,'NP',-,6)),
	cf(1,terminal(6,'glasses',[5])),
	cf(1,subtree(29,'PERIOD',-,7)),
	cf(1,terminal(7,'.',[6])),
	cf(1,semform_data(1,11,1,4)),
	cf(1,semform_data(2,43,6,8)),
	cf(1,semform_data(3,13,10,12)),
	cf(1,semform_data(4,14,14,17)),
	cf(CV_001,semform_data(5,15,19,25)),
	cf(B2,semform_data(6,15,19,25)),
	cf(1,surfaceform(1,'Anna',1,5)),
	cf(1,surfaceform(2,'saw',6,9)),
	cf(1,surfaceform(3,'Ben',10,13)),
	cf(1,surfaceform(4,'with',14,18)),
	cf(1,surfaceform(5,'glasses',19,27)),
	cf(1,surfaceform(6,'.',26,27))
	]).
"""
"""Three solutions: *with glasses* belongs to the verb, or to the noun, where the noun has two lemmas."""


def packed(
    choices: Iterable[str] = (), equivalences: Iterable[str] = (), constraints: Iterable[str] = ()
) -> str:
    """Return a packed f-structure from its facts, without properties and c-structure."""
    lists = (", ".join(facts) for facts in (choices, equivalences, constraints))
    return "fstructure('', [], {}, []).".format(", ".join(f"[{facts}]" for facts in lists))
