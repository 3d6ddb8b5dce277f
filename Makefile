# `make` lists the targets. Everything runs in .venv, which is rebuilt when pyproject.toml or
# constraints.txt is newer; `make venv PYTHON=python3.11` chooses the interpreter.

PYTHON = python3
VENV = .venv
BIN = $(VENV)/bin
STAMP = $(VENV)/installed

.PHONY: help venv app lessons quick test again lint bench wheel clean

help: ## list the targets
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1\t\2/p' Makefile

venv: $(STAMP) ## build .venv with all that tests, lessons and benchmarks need

$(STAMP): pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[cluster,dev,lessons,parquet]" -c constraints.txt
	@touch $(STAMP)

app: venv ## serve the interactive pages
	$(BIN)/workbench serve

# A check without an answer raises, as it should; its cell has the tag that lets nbconvert go on.
lessons: venv ## run every lesson and write it with its outputs as HTML to build/lessons
	$(BIN)/python -m workbench lessons --html build/lessons

quick: venv ## run the tests that take little, in about a minute
	$(BIN)/python -m pytest -n auto --dist loadfile --quick -q

test: venv ## run all tests, a file at a time on every core
	$(BIN)/python -m pytest -n auto --dist loadfile --durations 20

again: venv ## run what failed in the last run, one test after the other
	$(BIN)/python -m pytest --last-failed --last-failed-no-failures none

lint: venv ## check the style, what is generated, the imports and the installed packages
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/python -m workbench.codegen --check
	$(BIN)/python -m workbench.browser --check
	$(BIN)/python -m workbench.pages.preset_outcomes --check
	$(BIN)/python -m workbench.teaching.source --check
	$(BIN)/deptry .
	$(BIN)/python -m pip check --disable-pip-version-check

bench: venv ## print the figures in seconds: start-up, solves, pages
	$(BIN)/python benchmarks/bench.py

wheel: venv ## install the built wheel in fresh environments, run the core and draw every page
	$(BIN)/python tests/check_wheel.py

clean: ## remove .venv and whatever tools have written
	rm -rf $(VENV) build dist .pytest_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
