PYTHON ?= $(shell command -v python3.11 || command -v python3)
VENV := .venv
BIN := $(VENV)/bin
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt

.PHONY: help release release-all test check format clean

help:
	@echo "make release   build the release into dist/ (set HEALTHLOOPQA_RAW_DIR to include real recordings)"
	@echo "make release-all  the same with the splits train and validation; takes several minutes"
	@echo "make test      install everything and run every check and test"
	@echo "make check     linter, formatter, types and import contracts only"
	@echo "make format    format the code"
	@echo "make clean     remove the environment and what was built"

release: $(VENV)/.base
	$(BIN)/python scripts/build_release.py --overwrite

release-all: $(VENV)/.base
	$(BIN)/python scripts/build_release.py --overwrite --cohort test --cohort train --cohort validation

test: check
	$(BIN)/python -m pytest --numprocesses 2 --dist worksteal

check: $(VENV)/.all
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: $(VENV)/.all
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

clean:
	rm -rf $(VENV) dist

$(BIN)/python:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed; set PYTHON=/path/to/python3.11")'
	$(PYTHON) -m venv $(VENV)

$(VENV)/.base: pyproject.toml constraints.txt | $(BIN)/python
	$(INSTALL) --editable .
	@touch $@

$(VENV)/.all: pyproject.toml constraints.txt | $(BIN)/python
	$(INSTALL) --editable '.[eval,agent,judge,dev,report,retrieval,scale]'
	@touch $@ $(VENV)/.base
