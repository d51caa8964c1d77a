.PHONY: help test check format
PYTHON ?= python3

help:  ## List the targets
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 10

test:  ## Run the tests
	$(PYTHON) -m pytest -q -n auto

check:  ## Run the linters, then the tests
	$(PYTHON) -m ruff check .
	$(PYTHON) -m ruff format --check .
	$(PYTHON) -m mypy
	lint-imports
	$(MAKE) test

format:  ## Format the code
	$(PYTHON) -m ruff check --fix .
	$(PYTHON) -m ruff format .
