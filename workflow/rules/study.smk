# The study as it is run: all study files and `--config` merged. The report shows its checksum.


localrules:
    study,


rule study:
    output:
        PLAN.results / "study.yaml",
    priority: 1  # the page of all studies lists those that have it
    log:
        PLAN.results / "logs/study.log",
    params:
        digest=sha256(resolved(config).encode()).hexdigest()[:16],
    script:
        "../scripts/study.py"
