# One metric's counts, sentence by sentence, for one candidate.


rule score:
    input:
        gold=lambda wildcards: PLAN.view(wildcards.treebank, "gold", wildcards.metric),
        candidate=lambda wildcards: PLAN.view(wildcards.treebank, wildcards.candidate, wildcards.metric),
    output:
        PLAN.results / "scores/{treebank}/{candidate}.{metric}.parquet",
    log:
        PLAN.results / "logs/score/{treebank}/{candidate}.{metric}.log",
    conda:
        "../envs/crossbank.yaml"
    params:
        python=PYTHON,
        settings=lambda wildcards: PLAN.scoring(wildcards.treebank, wildcards.metric),
        code=lambda wildcards: PLAN.code("score", wildcards.metric),
    shell:
        "{params.python:q} -m crossbank.workflow.steps.score"
        " --settings {params.settings:q}"
        " --gold {input.gold:q}"
        " --candidate {input.candidate:q}"
        " --output {output:q}"
        " 2> {log:q}"
