"""The commands, one module each: ``arguments`` says what a command takes, ``run`` does it.

A module is imported when its command is called, and it imports what it needs where it needs it, so
that ``crossbank --help`` loads nothing and ``crossbank score`` nothing that it does not use.
"""

COMMANDS = {
    "score": "score a candidate against gold",
    "compare": "compare candidates with gold and with each other",
    "view": "draw a tree, or gold and candidate with what differs marked",
    "agreement": "how far annotators of the same sentences agree",
    "convert": "convert a treebank to another format or scheme",
    "consensus": "the majority parse of several candidates",
    "info": "count what a treebank holds",
    "heads": "which head rules fire, and where functions disagree",
    "reliability": "how far a conversion to dependencies can be trusted",
    "find": "find nodes with a tree pattern, in tgrep's notation",
    "train": "read a parser off a treebank",
    "parse": "parse sentences with a trained model",
    "grammar": "write a model's grammar for another program",
    "entropy": "how many bits a model needs for a text",
    "init": "draft a study file from gold and candidates",
    "check": "read all files of a study, and say what would be done and what does not fit",
    "study": "run a study with Snakemake",
    "list": "list metrics, their options, schemes, formats, transformations, breakdowns or modes",
    "doctor": "check the installation, and say what to do about what is missing",
    "workflow": "print the path of the Snakefile that runs studies",
}
"""The work of each command, in the order of the help."""
