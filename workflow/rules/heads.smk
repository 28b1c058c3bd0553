# The lexical head of every constituent, which metrics of lexicalised trees score; and clauses with their verbs' frames.


use rule constituents as heads with:
    output:
        f"{PLAN.results}/converted/{{treebank}}/{{batch}}.heads.parquet",
    log:
        f"{PLAN.results}/logs/heads/{{treebank}}/{{batch}}.log",
    params:
        digest=PLAN.view_digest("heads"),


# Beil et al. (2002), section 3.2.
use rule constituents as frames with:
    output:
        f"{PLAN.results}/converted/{{treebank}}/{{batch}}.frames.parquet",
    log:
        f"{PLAN.results}/logs/frames/{{treebank}}/{{batch}}.log",
    params:
        digest=PLAN.view_digest("frames"),


use rule constituents as generalised_frames with:
    output:
        f"{PLAN.results}/converted/{{treebank}}/{{batch}}.generalised_frames.parquet",
    log:
        f"{PLAN.results}/logs/generalised_frames/{{treebank}}/{{batch}}.log",
    params:
        digest=PLAN.view_digest("generalised_frames"),
