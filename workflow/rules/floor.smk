# What gold itself scores where treebanks annotate the same sentences in several schemes.

GOLDS = Demand(lambda _: PLAN.megabytes_of_golds(), CORES)


rule floor:
    input:
        as_read=PLAN.floor_sources(),
        gold=PLAN.floor_views(),
        candidates=PLAN.floor_views(candidates=True),
    output:
        PLAN.results / FLOOR,
    log:
        PLAN.results / "logs/floor.log",
    group:
        STUDY_GROUP
    threads: GOLDS.threads
    resources:
        mem_mb=GOLDS.memory,
        runtime=GOLDS.minutes,
    params:
        python=PYTHON,
        settings=PLAN.measuring_floor().argument,
        shard_sentences=STUDY.shard_sentences,
        digest=PLAN.measuring_floor().digest,
    shell:
        "{params.python:q} -P -m crossbank.workflow.steps.floor"
        " --as_read {input.as_read:q}"
        " --gold {input.gold:q}"
        " --candidates {input.candidates:q}"
        " --output {output:q}"
        " --settings {params.settings:q}"
        " --shard_sentences {params.shard_sentences}"
        " --threads {threads}"
        " --memory {resources.mem_mb}"
        " --log {log:q}"
