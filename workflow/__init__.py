"""The study as a Snakemake workflow, and the `crossbank` command."""
