# The counts of one candidate, sentence by sentence: one job a candidate, one output a metric.
# A rule for treebanks that are scored by the same metrics. Where a study has many candidates, those of a
# treebank are scored together.

for scoring in PLAN.scorings():
    size = Demand(lambda wildcards: PLAN.megabytes(wildcards.treebank, "gold", wildcards.candidate), CORES)

    rule:
        name:
            scoring.name
        input:
            gold=lambda wildcards: [
                PLAN.view(wildcards.treebank, "gold", metric.name)
                for metric in STUDY.metrics_of(wildcards.treebank)
            ],
            candidate=lambda wildcards: [
                PLAN.view(wildcards.treebank, wildcards.candidate, metric.name)
                for metric in STUDY.metrics_of(wildcards.treebank)
            ],
            # The views are made by the same jobs: they are newer if these are.
            gold_as_read=lambda wildcards: [
                ancient(PLAN.as_read_before(wildcards.treebank, "gold", metric.name))
                for metric in STUDY.metrics_of(wildcards.treebank)
            ],
            candidate_as_read=lambda wildcards: [
                ancient(PLAN.as_read_before(wildcards.treebank, wildcards.candidate, metric.name))
                for metric in STUDY.metrics_of(wildcards.treebank)
            ],
        output:
            [update(str(PLAN.score("{treebank}", "{candidate}", metric))) for metric in scoring.makes],
        log:
            f"{PLAN.results}/logs/score/{{treebank}}/{{candidate}}.log",
        wildcard_constraints:
            treebank=scoring.treebanks,
        group:
            PLAN.group or "candidate"
        threads: size.threads
        resources:
            mem_mb=size.memory,
            runtime=size.minutes,
        params:
            python=PYTHON,
            settings=lambda wildcards: PLAN.scoring_all(wildcards.treebank, wildcards.candidate).arguments,
            on_error=STUDY.on_error,
            shard_sentences=STUDY.shard_sentences,
            digests=lambda wildcards: PLAN.scoring_all(wildcards.treebank, wildcards.candidate).digests,
        shell:
            "{params.python:q} -P -m crossbank.workflow.steps.score"
            " --gold {input.gold:q}"
            " --candidate {input.candidate:q}"
            " --gold_as_read {input.gold_as_read:q}"
            " --candidate_as_read {input.candidate_as_read:q}"
            " --outputs {output:q}"
            " --settings {params.settings:q}"
            " --digests {params.digests:q}"
            " --on_error {params.on_error}"
            " --shard_sentences {params.shard_sentences}"
            " --threads {threads}"
            " --memory {resources.mem_mb}"
            " --log {log:q}"


for batch in PLAN.batches:
    if pairs := PLAN.paired_batch(batch):
        size = Demand(
            lambda _, batch=batch: PLAN.megabytes(batch.treebank, "gold", *batch.candidates),
            CORES,
            largest=lambda _, batch=batch: PLAN.megabytes_of_largest(batch, "gold"),
        )
        golds, candidates, golds_as_read, candidates_as_read, counts = zip(*pairs)

        rule:
            name:
                f"score_{batch.treebank}_{batch.name}"
            input:
                gold=golds[: len(STUDY.metrics_of(batch.treebank))],
                candidate=candidates,
                gold_as_read=list(map(ancient, golds_as_read[: len(STUDY.metrics_of(batch.treebank))])),
                candidate_as_read=list(map(ancient, candidates_as_read)),
            output:
                [update(str(path)) for path in counts],
            log:
                f"{PLAN.results}/logs/score/{batch.treebank}/{batch.name}.log",
            group:
                PLAN.group or "candidate"
            threads: size.threads
            resources:
                mem_mb=size.memory,
                runtime=size.minutes,
            params:
                python=PYTHON,
                settings=PLAN.scoring_all(batch.treebank, *batch.candidates).arguments,
                on_error=STUDY.on_error,
                shard_sentences=STUDY.shard_sentences,
                digests=PLAN.scoring_all(batch.treebank, *batch.candidates).digests,
            shell:
                "{params.python:q} -P -m crossbank.workflow.steps.score"
                " --gold {input.gold:q}"
                " --candidate {input.candidate:q}"
                " --gold_as_read {input.gold_as_read:q}"
                " --candidate_as_read {input.candidate_as_read:q}"
                " --outputs {output:q}"
                " --settings {params.settings:q}"
                " --digests {params.digests:q}"
                " --on_error {params.on_error}"
                " --shard_sentences {params.shard_sentences}"
                " --threads {threads}"
                " --memory {resources.mem_mb}"
                " --log {log:q}"
