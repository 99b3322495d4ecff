# Everything runs in .venv, made by tools/setup.sh from any Python 3.11 to 3.14 it finds.
.NOTPARALLEL:
.DEFAULT_GOAL := help
.PHONY: help demo test test-all test-long test-browser test-host site dist test-store test-post mutants lint format bench bombs clean
PYTHON := .venv/bin/python
ARGS ?=
KILLS ?= 20

help: ## this list
	@echo "pbem: card games by mail or shared folder, refereed and auditable"
	@echo
	@sed -n 's/^\([a-z-]*\): ##* *\(.*\)/  make \1 \2/p' Makefile | \
	  awk '{ c = $$2; $$1 = $$2 = ""; sub(/^ */, ""); printf "  make %-10s %s\n", c, $$0 }'
	@echo
	@echo "The first call makes .venv (Python 3.11 or newer) and takes a minute; no other step is needed."
	@echo "Arguments go in ARGS:  make test ARGS='tests/storage -k lock'"

demo: ## bots play a whole game through a real folder; table and audit are printed
	@sh tools/setup.sh
	@.venv/bin/pbem demo $(ARGS)

# Compiled tests are kept, even if PYTHONDONTWRITEBYTECODE is set: each worker would take 10 s to
# compile them. A worker that has no tests left steals some, so most files run in one worker.
PYTEST := PYTHONDONTWRITEBYTECODE= $(PYTHON) -m pytest -q -n auto --dist worksteal

test: ## the quick tests, a minute on two cores; a path or -k runs all that it names
	@sh tools/setup.sh dev
	@$(PYTEST) $(ARGS)

test-all: ## the long tests too, as .ci/run does
	@sh tools/setup.sh dev
	@$(PYTEST) -m "not browser and not host and not post and not store" $(ARGS)

test-long: ## test-all, the unit tests in the page's Python, each hook removed, 300 games for each table
	@PBEM_LONGEST=1 $(MAKE) --no-print-directory test-all ARGS='$(ARGS)'
	@sh tools/setup.sh test-host
	@sh tools/node.sh
	@$(PYTHON) -m pytest -q -n 0 -m host tests/site/test_unit.py
	@$(PYTHON) -m tools.mutate_hooks
	@$(PYTHON) -m tools.check_laws

test-browser: ## the pages of `pbem table` in a real browser (Debian's Chromium); LONG=1 does all, with pictures
	@sh tools/setup.sh browser
	@sh tools/chromium.sh
	@PBEM_AT_LENGTH=$(LONG) $(PYTHON) -m pytest -q -n 2 --dist worksteal \
	  -m "$(if $(LONG),browser,browser and not long)" \
	  tests/browser $(ARGS)

test-host: ## whole games on a host, by commands, mail and in browsers; KILLS=100 kills more often, LONG=1 does all
	@sh tools/setup.sh test-host
	@sh tools/chromium.sh
	@sh tools/node.sh
	@sh tools/mailserver.sh
	@PBEM_KILLS=$(KILLS) PBEM_AT_LENGTH=$(LONG) $(PYTHON) -m pytest -q -n 3 --dist worksteal \
	  -m "$(if $(LONG),host,host and not long)" tests/host tests/site tests/browser $(ARGS)

site: ## the page that plays in a browser, in build/site, for `pbem host --site build/site`
	@sh tools/setup.sh site
	@sh tools/node.sh
	@$(PYTHON) -m tools.browser_site $(ARGS)

dist: ## what a release has, in dist/: wheel, sources, the page, checksums
	@sh tools/setup.sh release
	@sh tools/node.sh
	@$(PYTHON) -m tools.release $(ARGS)

test-store: ## game folders on s3:// and sftp://, with real servers on this computer
	@sh tools/setup.sh test-store
	@sh tools/sshd.sh
	@$(PYTHON) -m pytest -q -n 2 --dist loadfile -m store tests/store $(ARGS)

test-post: ## games by real mail servers (Dovecot, Postfix); KILLS=200 kills pbem run more often
	@sh tools/setup.sh dev
	@sh tools/mailserver.sh
	@PBEM_KILLS=$(KILLS) $(PYTHON) -m pytest -q -n 0 -m post -rP tests/post $(ARGS)

mutants: ## small wrong changes, one by one: does a test notice? hours; ARGS names modules
	@sh tools/setup.sh mutants
	@$(PYTHON) -m tools.mutants $(ARGS)

lint: ## ruff, its formatter, mypy --strict
	@sh tools/setup.sh dev
	@$(PYTHON) -m ruff check $(ARGS)
	@$(PYTHON) -m ruff format --check
	@$(PYTHON) -m mypy

format: ## lay the code out as the linter wants it
	@sh tools/setup.sh dev
	@$(PYTHON) -m ruff check --fix-only
	@$(PYTHON) -m ruff format

bench: ## speed, as ratios against peers measured in the same run
	@sh tools/setup.sh bench
	@sh tools/verifiers.sh
	@$(PYTHON) -m bench $(ARGS)

bombs: ## hostile input through the real commands: none costs a second or 100 MiB more
	@sh tools/setup.sh dev
	@$(PYTHON) -m tools.hostile_input_cost $(ARGS)

clean: ## remove .venv and whatever the tools left
	@rm -rf .venv .ci-venv build dist .hypothesis .mypy_cache .pytest_cache .ruff_cache
	@find engine games pbem tests tools bench -name __pycache__ -type d -prune \
	  -exec rm -rf {} + 2>/dev/null || true
