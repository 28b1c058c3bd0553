# How far a treebank's conversion to dependencies can be trusted.


rule reliability:
    input:
        lambda wildcards: PLAN.measured(wildcards.treebank),
    output:
        update(f"{PLAN.results}/reliability/{{treebank}}.json"),
    log:
        f"{PLAN.results}/logs/reliability/{{treebank}}.log",
    conda:
        "../envs/crossbank.yaml"
    resources:
        mem_mb=memory,
        runtime=minutes,
    params:
        python=PYTHON,
        settings=lambda wildcards: PLAN.measuring(wildcards.treebank).argument,
        digest=lambda wildcards: PLAN.measuring(wildcards.treebank).digest,
    shell:
        "{params.python:q} -m crossbank.workflow.steps.reliability"
        " --inputs {input:q}"
        " --output {output:q}"
        " --settings {params.settings:q}"
        " --digest {params.digest:q}"
        " --log {log:q}"
