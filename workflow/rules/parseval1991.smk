# The erasures of Black et al. (1991), after which Parseval as first defined scores.


use rule constituents as parseval1991 with:
    output:
        f"{PLAN.results}/converted/{{treebank}}/{{batch}}.parseval1991.parquet",
    log:
        f"{PLAN.results}/logs/parseval1991/{{treebank}}/{{batch}}.log",
    params:
        digest=PLAN.view_digest("parseval1991"),
