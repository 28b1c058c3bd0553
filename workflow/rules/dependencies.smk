# Dependencies: heads are chosen by the scheme's head rules, and arcs are read off (Lin 1995).


use rule constituents as dependencies with:
    output:
        f"{PLAN.results}/converted/{{treebank}}/{{batch}}.dependencies.parquet",
    log:
        f"{PLAN.results}/logs/dependencies/{{treebank}}/{{batch}}.log",
    params:
        digest=PLAN.view_digest("dependencies"),


# Graphs, in which a word may have several heads.
use rule constituents as dependency_graphs with:
    output:
        f"{PLAN.results}/converted/{{treebank}}/{{batch}}.dependency_graphs.parquet",
    log:
        f"{PLAN.results}/logs/dependency_graphs/{{treebank}}/{{batch}}.log",
    params:
        digest=PLAN.view_digest("dependency_graphs"),
