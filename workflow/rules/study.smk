# The study as it is run: all study files and `--config` merged. The report shows its checksum.


localrules:
    study,


rule study:
    output:
        PLAN.results / "study.yaml",
    log:
        PLAN.results / "logs/study.log",
    priority: 1  # the page of all studies lists those that have it
    params:
        digest=sha256(resolved(config).encode()).hexdigest()[:16],
    script:
        "../scripts/study.py"
