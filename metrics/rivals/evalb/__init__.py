"""Mode ``evalb``: EVALB's report, byte for byte, with EVALB's parameter files.

Sekine, Satoshi and Michael John Collins (1997): EVALB, the scorer of Collins (1997); its version of 2006
and later, with the F-measure. The numbers are EVALB's, and so is what it does on the way: which
sentences are errors, what it says of them, and that it gives up without a summary at the twelfth error
(at number ``MAX_ERROR + 2``). Not taken over: its limits on words, brackets and bytes, its dumps of
single sentences (``DEBUG``), and that it goes on with a wrong parameter file.
"""

from crossbank.metrics.rivals.evalb.evaluation import Evaluation, evaluate

__all__ = ["Evaluation", "evaluate"]
