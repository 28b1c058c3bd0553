"""The modes ``eval07`` and ``conllx``: the scorers of the CoNLL shared tasks of 2007 and 2006.

Buchholz and Marsi (2006): CoNLL-X Shared Task on Multilingual Dependency Parsing, section 5; the report
is that of ``eval07.pl`` 1.4 (Krymolowski, Buchholz, Prokopidis, Yuret), byte for byte, and so is what it
says of files that are not parallel, and its exit status.

Three things are not taken over. What has equal counts the scorer prints in an order that changes from run
to run; here it stands in the order of its bytes, as if the scorer sorted its keys. Which local contexts are
too general to be listed hangs on that order as well. And Perl's own messages: about columns that are missing
there is a line in our words, and files in which no token counts are an error.
"""

from crossbank.metrics.rivals.eval07.evaluation import Evaluation, evaluate

__all__ = ["Evaluation", "evaluate"]
