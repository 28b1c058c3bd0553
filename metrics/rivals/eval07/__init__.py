"""Modes ``eval07`` and ``conllx``: the scorers of the CoNLL shared tasks of 2007 and 2006.

Buchholz and Marsi (2006): CoNLL-X Shared Task on Multilingual Dependency Parsing, section 5; the report
is that of ``eval07.pl`` 1.4 (Krymolowski, Buchholz, Prokopidis, Yuret), byte for byte, and so is what it
says of files that are not parallel, and its exit status.

Three things differ. The scorer prints items with equal counts in an order that changes from run to run; here
they are in the order of their bytes, as if the scorer sorted its keys. That order also decides which local
contexts are too general to be listed. Perl's own messages are replaced: comments and missing columns are
named in one line of ours, and files in which no token counts are an error.
"""

from crossbank.metrics.rivals.eval07.evaluation import Evaluation, evaluate

__all__ = ["Evaluation", "evaluate"]
