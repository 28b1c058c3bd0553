# make study   the environment, then the study on the embedded corpora, then where its report is
# make test    the environment, then all tests
# make lint    formatting, rules and types as the continuous integration checks them
PYTHON ?= python3
STUDY ?= config/tiger_vs_tuba.yaml
BIN := .venv/bin
COMPILED := $(shell grep -rl --include=*.py "^import cython$$" treebanks converters metrics)
HAS_COMPILER := $(CC_GIVEN)$(shell command -v cc gcc clang)
COMPILER = $(if $(HAS_COMPILER),,CC="$(abspath $(BIN)/python) -m ziglang cc")

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

env: .venv/complete .venv/compiled

.venv/complete: requirements.txt pyproject.toml setup.py
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "make env: found Python %d.%d, expected 3.11 or newer (make PYTHON=...)" % sys.version_info[:2] or 0)'
	@echo "Making the environment .venv from pinned requirements (once, a minute or two)"
	@$(PYTHON) -m venv .venv
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes --requirement requirements.txt
	@if [ -z "$$CC" ] && ! command -v cc >/dev/null && ! command -v gcc >/dev/null && ! command -v clang >/dev/null; then \
		echo "Found no C compiler: taking one from PyPI (ziglang)"; \
		$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes --requirement requirements-compiler.txt; fi
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --config-settings editable_mode=compat --editable .
	@touch $@

# Modules that import cython, compiled again where one of them has changed.
.venv/compiled: .venv/complete setup.py treebanks/arrays.pxd $(COMPILED)
	@echo "Compiling the inner loops"
	@$(COMPILER) $(BIN)/python setup.py --quiet build_ext --inplace
	@touch $@

requirements:
	@uv pip compile pyproject.toml --quiet --upgrade --universal --python-version 3.11 --generate-hashes \
		--no-emit-index-url --no-annotate --group test --group lint --group build \
		--custom-compile-command "make requirements" --output-file requirements.txt
