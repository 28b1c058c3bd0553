# The flat keys of gold, of the constituents on which grammars agree (Gaizauskas et al. 1998, section 4).


use rule constituents as flat_keys with:
    output:
        f"{PLAN.results}/converted/{{treebank}}/{{batch}}.flat_keys.parquet",
    log:
        f"{PLAN.results}/logs/flat_keys/{{treebank}}/{{batch}}.log",
    params:
        digest=PLAN.view_digest("flat_keys"),
