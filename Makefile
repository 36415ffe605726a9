# `make demo` and `make test` set up whatever they need, then run.
PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
READY  := $(VENV)/.ready
BENCH  := $(VENV)/.ready-bench
NODE   := $(VENV)/.ready-node
JOBS   ?= auto

# The page of the studio: its sources, what npm installs, what is built of them.
PAGE_SOURCES := $(shell find studio -name node_modules -prune -o -type f -print)
PAGE_PACKAGES := studio/node_modules/.package-lock.json
PAGE := src/motionary/server/static/index.html
# The Node that is there, if it is new enough; else the one that comes from PyPI.
NPM = cd studio && PATH="$(CURDIR)/$(BIN):$$PATH" npm
HAS_NODE = command -v npm >/dev/null && \
    node -e 'const [a, b] = process.versions.node.split("."); process.exit(a > 20 || (a == 20 && b >= 19) ? 0 : 1)'

# They draw what the docs show, and need to be told where.
PICTURES := bench/edit_strips.py bench/studio_pictures.py

# The tests of every package that has kernels.
KERNEL_TESTS = $(sort $(shell grep -rl '^@njit' src/motionary | cut -d/ -f3 | sed 's,^,tests/,'))

.PHONY: help demo studio page page-check test test-studio test-thorough test-bounds lint check bench pictures lock clean
help:
	@echo "make demo    build the sample library into a bank, list it, draw it"
	@echo "make studio  build the page of the studio, and open it on the demo bank"
	@echo "make page    build the page of the studio alone"
	@echo "make page-check  lint, type-check, test and build the page of the studio"
	@echo "make test    run the quick tests: not those marked thorough, few hypothesis examples"
	@echo "make test-studio     run the tests of the studio in a browser (needs Chromium)"
	@echo "make test-thorough   run all tests with many hypothesis examples, then test-bounds (an hour or so)"
	@echo "make test-bounds     run the tests of the kernels with every array index checked"
	@echo "make check   format, lint, type-check (strict) and test"
	@echo "make lint    the checks alone, changing nothing"
	@echo "make bench   run the benchmarks (minutes)"
	@echo "make pictures  draw the pictures of editing and of the studio for the docs anew (minutes)"
	@echo "make lock    pin the dependencies anew (needs uv)"
	@echo "make clean   delete the virtual environment and all built files"

$(READY): requirements/dev.txt pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit("Motionary needs Python 3.11 or later") if sys.version_info < (3, 11) else None'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/dev.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@

$(NODE): $(READY) requirements/page.txt
	$(HAS_NODE) || \
	    $(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/page.txt
	@touch $@

$(PAGE_PACKAGES): $(NODE) studio/package.json studio/package-lock.json
	$(NPM) ci --no-audit --no-fund --loglevel=error
	@touch $@

$(PAGE): $(PAGE_PACKAGES) $(PAGE_SOURCES)
	$(NPM) run --silent build
	@touch $@

$(BENCH): $(READY) requirements/bench.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/bench.txt
	@touch $@

demo: $(READY)
	@PATH="$(CURDIR)/$(BIN):$$PATH" bash examples/demo.sh

studio: $(PAGE) demo/library.bank
	$(BIN)/motionary studio demo/library.bank

page: $(PAGE)

page-check: $(PAGE_PACKAGES)
	$(NPM) run --silent check
	@$(MAKE) --no-print-directory page

demo/library.bank: | $(READY)
	@mkdir -p demo
	$(BIN)/motionary sample demo/library.bank --minutes 5 --seed 20

# Tests start the interpreter many times: byte code is kept even where the environment forbids it.
test test-studio test-thorough: export PYTHONDONTWRITEBYTECODE =
test: $(READY)
	$(BIN)/python -m pytest -n $(JOBS) --dist worksteal -m "not thorough and not browser" --hypothesis-profile quick

test-studio: $(PAGE)
	$(BIN)/python -m pytest -n 0 -m "browser and not thorough" tests/studio

test-thorough: $(PAGE)
	$(BIN)/python -m pytest -n $(JOBS) --dist worksteal -m "not browser" --hypothesis-profile thorough
	$(MAKE) test-bounds
	$(BIN)/python -m pytest -n 0 -m browser tests/studio

# Numba keeps compiled kernels without saying how they were compiled: checked ones get a folder of their own.
test-bounds: $(READY)
	NUMBA_BOUNDSCHECK=1 NUMBA_CACHE_DIR="$(CURDIR)/build/checked-kernels" \
	    $(BIN)/python -m pytest -n $(JOBS) --dist worksteal -m "not browser" --hypothesis-profile quick $(KERNEL_TESTS)

lint: $(READY)
	$(BIN)/ruff format --check
	$(BIN)/ruff check
	$(BIN)/mypy

check: $(READY)
	$(BIN)/ruff format
	$(BIN)/ruff check --fix
	$(BIN)/mypy
	$(MAKE) test

bench: $(BENCH)
	for script in $(filter-out $(PICTURES),$(wildcard bench/*.py)); do $(BIN)/python $$script || exit 1; done

pictures: $(BENCH) $(PAGE)
	$(BIN)/python bench/edit_strips.py docs/images
	$(BIN)/python bench/studio_pictures.py docs/images

lock:
	uv pip compile pyproject.toml --extra studio --group dev --universal --generate-hashes --no-header --python-version 3.11 -q -o requirements/dev.txt
	uv pip compile --group page --universal --generate-hashes --no-header --python-version 3.11 -q -o requirements/page.txt
	uv pip compile pyproject.toml --extra studio --group dev --group bench --universal --generate-hashes --no-header --python-version 3.11 -q \
	    -c requirements/dev.txt -o requirements/bench.txt

clean:
	rm -rf $(VENV) demo build dist src/motionary/server/static studio/node_modules .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
