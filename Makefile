# The front door. Needs make and Python >= 3.11; everything else is set up in .venv on the first call.
PYTHON ?= python3
VENV_PYTHON := .venv/bin/python

.DEFAULT_GOAL := help
.PHONY: help env guest demo test test-npm bench gallery soak workspace-race escape-all limits-bite

help:  ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## /  make \1\t/p' Makefile

env:  ## set up .venv: uv, all dependencies, the guest, the workspace's members
	@$(PYTHON) scripts/setup_env.py

guest: env  ## rebuild the guest when its sources changed (env does it too)
	@$(VENV_PYTHON) scripts/build_guest.py

demo: env  ## run the demo program on the files in examples/
	@$(VENV_PYTHON) scripts/demo.py

test: env  ## format, lint, types, import contracts, generated files, tests, docs
	@$(VENV_PYTHON) scripts/check.py

test-npm: env  ## thirty npm libraries from npm through the compiler, each admitted one used in a guest
	@NPM_LIBRARIES=1 $(VENV_PYTHON) -m pytest tests/npm

bench: env  ## measure, and print the numbers
	@$(VENV_PYTHON) scripts/bench.py

gallery: env  ## draw the gallery anew; with Chromium: GALLERY=--compare
	@$(VENV_PYTHON) scripts/gallery.py $(GALLERY)

soak: env  ## many runs in one process: memory, descriptors and threads stay flat
	@$(VENV_PYTHON) scripts/soak.py

workspace-race: env  ## swap links 20,000 times under a guest that reads and writes: nothing outside is touched
	@$(VENV_PYTHON) scripts/workspace_race.py

escape-all: env  ## every hostile program, each that loops also cancelled, and 500 random ones
	@ESCAPE_ALL=1 $(VENV_PYTHON) -m pytest tests/escape

limits-bite: env  ## switch each limit off in a copy, and see a test turn red
	@$(VENV_PYTHON) scripts/check_limits_bite.py
