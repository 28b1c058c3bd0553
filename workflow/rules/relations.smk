# Grammatical relations, read off trees by the scheme's rules or written in the files; and f-structures.


use rule constituents as relations with:
    output:
        f"{PLAN.results}/converted/{{treebank}}/{{batch}}.relations.parquet",
    log:
        f"{PLAN.results}/logs/relations/{{treebank}}/{{batch}}.log",
    params:
        digest=PLAN.view_digest("relations"),


use rule constituents as fstructures with:
    output:
        f"{PLAN.results}/converted/{{treebank}}/{{batch}}.fstructures.parquet",
    log:
        f"{PLAN.results}/logs/fstructures/{{treebank}}/{{batch}}.log",
    params:
        digest=PLAN.view_digest("fstructures"),
