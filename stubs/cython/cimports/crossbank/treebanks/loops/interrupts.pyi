from crossbank.treebanks.loops.interrupts import look as look
