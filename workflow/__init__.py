"""Study as a Snakemake workflow, and the `crossbank` command."""
