.PHONY: help setup test coverage check format docs grammar
PYTHON ?= python3

help:  ## List the targets
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 10

setup:  ## Make a virtual environment with everything
	$(PYTHON) -m venv .venv
	.venv/bin/pip install -q -e ".[test,lint]"

test:  ## Run the tests
	$(PYTHON) -m pytest -q -n auto

coverage:  ## Measure branch coverage; the learners run without the JIT, so that their kernels are seen
	$(PYTHON) -m coverage erase
	UNLESS_DISABLE_JIT=1 HYPOTHESIS_PROFILE=few $(PYTHON) -m coverage run -m pytest -q -n auto tests/learn
	HYPOTHESIS_PROFILE=few $(PYTHON) -m coverage run -m pytest -q -n auto --ignore tests/learn
	$(PYTHON) -m coverage combine -q
	$(PYTHON) -m coverage report --skip-covered --sort=cover

check:  ## Run the linters, then the tests
	$(PYTHON) -m ruff check .
	$(PYTHON) -m ruff format --check .
	$(PYTHON) -m mypy
	lint-imports
	$(MAKE) test

format:  ## Format the code
	$(PYTHON) -m ruff check --fix .
	$(PYTHON) -m ruff format .

docs:  ## Write the pages and pictures that are made from the code
	$(PYTHON) docs/write_cli.py
	$(PYTHON) docs/write_architecture.py
	$(PYTHON) docs/write_reference.py
	$(PYTHON) docs/write_trust.py
	$(PYTHON) docs/write_studio_help.py
	$(PYTHON) docs/pictures/draw.py

grammar:  ## Write the parser's tables, after a change of the grammar or of lark
	$(PYTHON) scripts/write_lalr_tables.py
