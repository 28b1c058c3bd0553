# The counts of a batch of candidates under a metric, sentence by sentence.

COMPARISON = Demand(
    lambda wildcards: PLAN.megabytes_of_each(wildcards.treebank, wildcards.batch, "gold"), CORES
)


rule score:
    input:
        gold=lambda wildcards: PLAN.view(wildcards.treebank, "gold", wildcards.metric),
        candidates=lambda wildcards: PLAN.view(wildcards.treebank, wildcards.batch, wildcards.metric),
        # The views are made of these, and are newer if these are.
        as_read=lambda wildcards: ancient(PLAN.before_view(wildcards.treebank, wildcards.batch)),
    output:
        f"{PLAN.results}/scores/{{treebank}}/{{batch}}.{{metric}}.parquet",
    log:
        f"{PLAN.results}/logs/score/{{treebank}}/{{batch}}.{{metric}}.log",
    group:
        GROUP
    threads: COMPARISON.threads
    resources:
        mem_mb=COMPARISON.memory,
        runtime=COMPARISON.minutes,
    params:
        python=PYTHON,
        settings=lambda wildcards: PLAN.scoring_all(*wildcards).argument,
        transformed=lambda wildcards: PLAN.transformed(wildcards.treebank, wildcards.batch),
        on_error=STUDY.on_error,
        shard_sentences=STUDY.shard_sentences,
        digest=lambda wildcards: PLAN.scoring_all(*wildcards).digest,
    shell:
        "{params.python:q} -P -m crossbank.workflow.steps.score"
        " --gold {input.gold:q}"
        " --candidates {input.candidates:q}"
        " --as_read {input.as_read:q}"
        " --transformed {params.transformed:q}"
        " --output {output:q}"
        " --settings {params.settings:q}"
        " --on_error {params.on_error}"
        " --shard_sentences {params.shard_sentences}"
        " --threads {threads}"
        " --memory {resources.mem_mb}"
        " --log {log:q}"
