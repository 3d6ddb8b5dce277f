# `make` lists the targets. Everything runs in .venv, which is rebuilt when pyproject.toml or
# constraints.txt is newer; `make venv PYTHON=python3.11` chooses the interpreter.

PYTHON = python3
VENV = .venv
BIN = $(VENV)/bin
STAMP = $(VENV)/installed
APP_STAMP = $(VENV)/installed-app
# uv takes a fraction of pip's time; pip takes over where uv is missing or does not reach the packages.
UV = $(shell command -v uv 2> /dev/null)
MAKE_VENV = $(if $(UV),$(UV) venv --quiet --allow-existing --seed --python $(PYTHON) $(VENV) ||) $(PYTHON) -m venv $(VENV)
INSTALL = install() { \
	$(if $(UV),$(UV) pip install --python $(BIN)/python -c constraints.txt "$$@" ||) \
	$(BIN)/python -m pip install --disable-pip-version-check -c constraints.txt "$$@"; }; install
PYTEST = $(BIN)/python -m pytest
PARALLEL = -n auto --dist loadfile --no-loadscope-reorder
# Collecting all files takes longer than these tests.
SERIAL = $(shell grep -rl mark.serial --include='test_*.py' tests)

# Tests and modules are compiled once, and not by every process of every run.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help venv app lessons quick test test-long timings mutants lint bench race docs wheel release clean lines

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' Makefile

venv: $(STAMP) ## build .venv with all that tests, lessons and benchmarks need

$(STAMP): pyproject.toml constraints.txt
	$(MAKE_VENV)
	$(INSTALL) --quiet -e ".[cluster,dev,docs,excel,lessons,parquet]"
	@touch $(STAMP) $(APP_STAMP)

# Pages need a third of what tests need; modules that pages do not import are not compiled.
$(APP_STAMP): pyproject.toml constraints.txt
	$(MAKE_VENV)
	$(INSTALL) --no-compile -e ".[pages]"
	@touch $(APP_STAMP)

# What the pages solve first is compiled meanwhile, behind the server.
app: $(APP_STAMP) ## install what the interactive pages need into .venv, and serve them
	@nice $(BIN)/workbench warm --quiet & $(BIN)/workbench serve

# A check without an answer raises, as it should; its cell has the tag that lets nbconvert go on.
lessons: venv ## run every lesson and write it with its outputs as HTML to build/lessons
	$(BIN)/python -m workbench lessons --html build/lessons

quick: venv ## run the tests that take least, in about a minute
	$(PYTEST) $(PARALLEL) --quick -q -m "not serial and not long"

# What measures time or fights over sockets runs after the rest, alone. Both runs are told, whatever the first gives.
test: venv ## run all tests but those of the long run
	@status=0; \
	$(PYTEST) $(PARALLEL) -q -m "not serial and not long" --junitxml build/tests.xml || status=$$?; \
	$(PYTEST) -q -m "serial and not long" $(SERIAL) --junitxml build/tests-serial.xml || status=$$?; \
	exit $$status

test-long: venv ## run what is for releases: full products, every notebook, JupyterLab, nbgrader, load, wheel, fuzz
	WORKBENCH_THOROUGH=1 $(PYTEST) $(PARALLEL) -q -m "not serial" --junitxml build/long.xml
	WORKBENCH_THOROUGH=1 $(PYTEST) -q -m serial $(SERIAL) --junitxml build/long-serial.xml
	$(BIN)/python tests/long/fuzz_uploads.py
	$(BIN)/python tests/long/score_answers.py
	$(BIN)/python tests/long/score_grading.py
	$(BIN)/python benchmarks/firefox.py
	$(BIN)/python benchmarks/load.py
	$(BIN)/python tests/long/check_wheel.py

timings: venv ## print what the tests took, by kind and file, and keep it for the order of the next run
	$(BIN)/python tests/corpora/timings.py

mutants: venv ## change the package in small places, and say what the tests no longer notice
	$(BIN)/python tests/long/mutation.py

lint: venv ## check the style, what is generated, the imports and the installed packages
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/codespell
	$(BIN)/python benchmarks/words.py --check
	$(BIN)/python benchmarks/lines.py --check
	$(BIN)/mypy
	$(BIN)/python -m workbench.conjugates.codegen --check
	$(BIN)/python -m workbench.pages.wasm --check
	$(BIN)/python -m workbench.pages.bundling --check
	$(BIN)/python -m workbench.pages.bundling --lint
	$(BIN)/python -m workbench.pages.preset_outcomes --check
	$(BIN)/deptry .
	$(BIN)/python -m pip check --disable-pip-version-check

lines: ## print the hand-written lines of each room beside its budget
	@python3 benchmarks/lines.py

bench: venv ## print the figures in seconds: start-up, solves, pages
	$(BIN)/python benchmarks/bench.py

# benchopt and the peers are not among what tests need.
$(VENV)/installed-race: $(STAMP)
	$(INSTALL) --quiet -e ".[race]"
	@touch $@

race: $(VENV)/installed-race ## race our solvers against others into docs/results.json; COURSES="lasso scales" prints these alone
	$(BIN)/python benchmarks/benchopt/race.py $(COURSES)

docs: venv ## write the site of the documentation to build/docs; DOCS_WITHOUT="course pages" leaves these out
	$(BIN)/python -m sphinx -E -W --keep-going -q -b html docs build/docs
	@echo "build/docs/index.html"

release: venv ## write wheel, source archive, notes, checksums and conda recipe to dist, and try each Python here
	rm -rf dist
	$(BIN)/python -m build --outdir dist
	$(BIN)/python release/archives.py dist
	$(BIN)/python tests/long/check_wheel.py dist

wheel: venv ## install the built wheel in fresh environments, run the core and draw every page
	$(BIN)/python tests/long/check_wheel.py

clean: ## remove .venv and whatever tools have written
	rm -rf $(VENV) build dist .pytest_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
