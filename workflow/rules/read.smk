# Treebanks as they stand in their files, in one table each.


rule read:
    input:
        lambda wildcards: STUDY.treebank(wildcards.treebank).source(wildcards.name).paths,
    output:
        PLAN.results / "treebanks/{treebank}/{name}.parquet",
    log:
        PLAN.results / "logs/read/{treebank}/{name}.log",
    conda:
        "../envs/crossbank.yaml"
    params:
        python=PYTHON,
        settings=lambda wildcards: PLAN.reading(wildcards.treebank, wildcards.name),
        code=PLAN.code("read"),
    shell:
        "{params.python:q} -m crossbank.workflow.steps.read"
        " --settings {params.settings:q}"
        " --output {output:q}"
        " {input:q}"
        " 2> {log:q}"
