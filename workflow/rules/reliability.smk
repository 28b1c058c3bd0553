# How far a treebank's conversion to dependencies can be trusted.


rule reliability:
    input:
        lambda wildcards: PLAN.measured(wildcards.treebank),
    output:
        PLAN.results / "reliability/{treebank}.json",
    log:
        PLAN.results / "logs/reliability/{treebank}.log",
    conda:
        "../envs/crossbank.yaml"
    params:
        python=PYTHON,
        settings=lambda wildcards: PLAN.measuring(wildcards.treebank),
        code=PLAN.code("reliability"),
    shell:
        "{params.python:q} -m crossbank.workflow.steps.reliability"
        " --settings {params.settings:q}"
        " --output {output:q}"
        " {input:q}"
        " 2> {log:q}"
