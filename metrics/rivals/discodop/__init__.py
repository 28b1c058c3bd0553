"""Mode ``discodop``: the output of ``discodop eval``, with or without a parameter file.

Van Cranenburgh, Andreas, Remko Scha and Rens Bod (2016): Data-Oriented Parsing with Discontinuous
Constituents and Function Tags. Journal of Language Modelling 4(1); disco-dop 0.6, or 0.5.2, the last release
(``version``). The numbers are that program's, also where one would not expect them:

- only sentences of the candidate are counted: gold that was not parsed lowers no score;
- without a parameter file nothing is deleted, and the root counts;
- words are deleted by gold's tags, or by their form, and phrases give their children to the node above;
- EQ_LABEL chains, and changes the labels of phrases before they are deleted, but no tag that is compared;
- a root is never deleted: it is only not counted;
- the numbers of brackets are those of distinct ones, the scores those of all;
- one sentence without a word left makes leaf-ancestor and tree distance ``nan``.

Where the program ends with a traceback (other words, a sentence without a tree) there is an error of one
line. Sentences whose identifiers have nothing in common are paired by their places, which is said on stderr.
In the breakdowns, entries that the program leaves to the order of a hash table are in the order of their
first occurrence or of its name, and the children in a rule are in the order of their first words; where
words or phrases are deleted the program keeps the order from before. Not taken over: the table of sentences
(``DEBUG``), and dependencies, which need head rules.
"""

from crossbank.metrics.rivals.discodop.evaluation import Evaluation, evaluate

__all__ = ["Evaluation", "evaluate"]
