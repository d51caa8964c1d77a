.PHONY: help setup test coverage check format docs recipes site links grammar lock lowest release
PYTHON ?= python3

help:  ## List the targets
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 10

setup:  ## Make a virtual environment with everything
	$(PYTHON) -m venv .venv
	.venv/bin/pip install -q -e ".[test,lint]"

test:  ## Run the tests
	$(PYTHON) -m pytest -q -n auto

coverage:  ## Measure branch coverage against its gate; the learners run without the JIT, so that their kernels are seen
	$(PYTHON) -m coverage erase
	UNLESS_DISABLE_JIT=1 HYPOTHESIS_PROFILE=few $(PYTHON) -m coverage run -m pytest -q -n auto tests/learn
	HYPOTHESIS_PROFILE=few $(PYTHON) -m coverage run -m pytest -q -n auto --ignore tests/learn tests tests/learn/compiling
	$(PYTHON) -m coverage combine -q
	$(PYTHON) -m coverage report --skip-covered --sort=cover

check:  ## Run the linters, then the tests
	$(PYTHON) -m ruff check .
	$(PYTHON) -m ruff format --check .
	$(PYTHON) -m mypy
	lint-imports
	zizmor --offline --quiet .github
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

recipes:  ## Run the recipes and write their pages; what is absent is skipped by name (NAME=... for one)
	$(PYTHON) docs/write_recipes.py $(NAME)

site:  ## Build the documentation site into site/ (pip install -e '.[docs]'); any warning is an error
	NO_MKDOCS_2_WARNING=1 $(PYTHON) -m mkdocs build --strict

links:  ## Ask every address outside of the site whether it is there; this needs a network
	$(PYTHON) docs/check_links.py

grammar:  ## Write the parser's tables, after a change of the grammar or of lark
	$(PYTHON) scripts/write_lalr_tables.py

lock:  ## Write the lock (constraints.txt) anew: the newest versions of everything, for all systems and Pythons
	$(PYTHON) -m uv pip compile -q pyproject.toml --all-extras --universal --python-version 3.11 --upgrade \
	  --no-emit-index-url --no-header --no-annotate -o constraints.txt

lowest:  ## Try the oldest versions that pyproject.toml allows, in an environment of their own
	$(PYTHON) scripts/lowest.py

release:  ## Everything up to the upload: lint, types, tests, pages, build twice, check, install and try, SBOM, licences, audit
	$(PYTHON) scripts/release.py
