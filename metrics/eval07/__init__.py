"""The modes ``eval07`` and ``conllx``: the scorers of the CoNLL shared tasks of 2007 and 2006.

Buchholz and Marsi (2006): CoNLL-X Shared Task on Multilingual Dependency Parsing, section 5; the report
is that of ``eval07.pl`` 1.4 (Krymolowski, Buchholz, Prokopidis, Yuret) up to the frame confusions: the three
summary lines, accuracy and errors by tag, relations with and without attachment, direction and distance of
heads. Left out are its lists of words and contexts with most errors, and its option ``-b``. Where it prints
equal counts in an order that changes from run to run, they stand here in the order in which they first
occur.

>>> report, complaints, code = run("gold.conll", "system.conll")  # doctest: +SKIP
"""

from metrics.eval07.evaluation import Evaluation, evaluate, run

__all__ = ["Evaluation", "evaluate", "run"]
