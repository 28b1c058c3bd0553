"""Commands, one module each, whose ``run`` is a click command.

``run`` may return an exit code, else it is 0. ``EXAMPLES`` are calls for the end of its help, which a test
makes.

A module is imported when its command is called, completed or explained. So ``crossbank --help`` loads none.
"""

GROUPS = {
    "score": {
        "score": "score a candidate against gold",
        "compare": "compare candidates with gold and with each other",
        "agreement": "measure the agreement of annotators of the same sentences",
        "reliability": "measure the reliability of a conversion to dependencies",
        "errors": "count the types of a candidate's errors, too high and too low, and how often they occur",
    },
    "look": {
        "view": "draw a tree, or gold and candidate with their differences marked",
        "find": "find nodes with a tree pattern, in tgrep's notation",
        "info": "count the contents of a treebank",
        "heads": "list the head rules that fire, and where functions disagree",
    },
    "convert": {
        "convert": "convert a treebank to another format or scheme",
        "consensus": "write the majority parse of several candidates",
        "scheme": "draft an annotation scheme of your own, or check one",
    },
    "train": {
        "train": "read a parser off a treebank",
        "parse": "parse sentences with a trained model",
        "grammar": "write a model's grammar for another program",
        "entropy": "measure the bits that a model needs for a text",
    },
    "study": {
        "init": "draft a study file from gold and candidates",
        "check": "read all files of a study, and report what would be done and what does not fit",
        "study": "run a study with Snakemake",
        "report": "verify the statements of a finished report from the counts of its study",
        "workflow": "print the path of the Snakefile that runs studies",
    },
    "help": {
        "list": "list metrics, options, schemes, formats, transformations, breakdowns, modes or profiles",
        "help": "print the manual's page on a study file, a command or a name of any list",
        "doctor": "check the installation, and say how to add what is missing",
        "completion": "print a script by which bash, zsh or fish completes the command line",
    },
}
"""The help on each command, in groups by what they are for."""

COMMANDS = {name: help for group in GROUPS.values() for name, help in group.items()}
"""The help on each command, in the order of the list."""
