# make study   the environment, then the study on the embedded corpora, then where its report is
# make test    the environment, then all tests
# make lint    formatting, rules and types as the continuous integration checks them
PYTHON ?= python3
STUDY ?= config/tiger_vs_tuba.yaml
BIN := .venv/bin

.PHONY: study test lint env requirements

study: env
	@echo "Running snakemake --configfile $(STUDY)"
	@. $(BIN)/activate && snakemake --configfile $(STUDY)

test: env
	@echo "Running all tests"
	@. $(BIN)/activate && pytest

lint: env
	@. $(BIN)/activate && ruff format --check . && ruff check . && mypy && snakefmt --check workflow \
		&& snakemake --lint --configfile $(STUDY)

env: .venv/complete

.venv/complete: requirements.txt pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "make env: found Python %d.%d, expected 3.11 or newer (make PYTHON=...)" % sys.version_info[:2] or 0)'
	@echo "Making the environment .venv from pinned requirements (once, a minute or two)"
	@$(PYTHON) -m venv .venv
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes --requirement requirements.txt
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --config-settings editable_mode=compat --editable .
	@touch $@

requirements:
	@uv pip compile pyproject.toml --quiet --upgrade --universal --python-version 3.11 --generate-hashes \
		--no-emit-index-url --no-annotate --group test --group lint --group build \
		--custom-compile-command "make requirements" --output-file requirements.txt
