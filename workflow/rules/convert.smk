# Treebanks as metrics want them: one view for constituents, one for dependencies.


rule convert:
    input:
        PLAN.results / "treebanks/{treebank}/{name}.parquet",
    output:
        PLAN.results / "converted/{treebank}/{name}.{view}.parquet",
    log:
        PLAN.results / "logs/convert/{treebank}/{name}.{view}.log",
    conda:
        "../envs/crossbank.yaml"
    params:
        python=PYTHON,
        settings=lambda wildcards: PLAN.converting(wildcards.treebank, wildcards.name, wildcards.view),
        code=PLAN.code("convert"),
    shell:
        "{params.python:q} -m crossbank.workflow.steps.convert"
        " --settings {params.settings:q}"
        " --output {output:q}"
        " {input:q}"
        " 2> {log:q}"
