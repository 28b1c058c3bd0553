# The counts of one candidate, sentence by sentence: one job a candidate, one output a metric.

if STUDY.metrics:

    rule score:
        input:
            gold=lambda wildcards: [
                PLAN.view(wildcards.treebank, "gold", metric.name) for metric in STUDY.metrics
            ],
            candidate=lambda wildcards: [
                PLAN.view(wildcards.treebank, wildcards.candidate, metric.name) for metric in STUDY.metrics
            ],
        output:
            [update(str(PLAN.score("{treebank}", "{candidate}", metric.name))) for metric in STUDY.metrics],
        log:
            f"{PLAN.results}/logs/score/{{treebank}}/{{candidate}}.log",
        group:
            "candidate"
        conda:
            "../envs/crossbank.yaml"
        resources:
            mem_mb=memory,
            runtime=minutes,
        params:
            python=PYTHON,
            settings=lambda wildcards: PLAN.scoring_all(wildcards.treebank, wildcards.candidate).arguments,
            on_error=STUDY.on_error,
            digests=lambda wildcards: PLAN.scoring_all(wildcards.treebank, wildcards.candidate).digests,
        shell:
            "{params.python:q} -m crossbank.workflow.steps.score"
            " --gold {input.gold:q}"
            " --candidate {input.candidate:q}"
            " --outputs {output:q}"
            " --settings {params.settings:q}"
            " --digests {params.digests:q}"
            " --on_error {params.on_error}"
            " --log {log:q}"
