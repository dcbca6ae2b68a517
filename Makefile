# Lattice's tasks. `make` alone lists them; CI runs the same targets.
.DEFAULT_GOAL := help
SHELL := /bin/bash
.PHONY: help install lock gen check-gen lint fix types layers test documents test-s3 coverage-ids faults soak bench demo up clean

# A suite of many processes pays for every module that each of them would compile again.
unexport PYTHONDONTWRITEBYTECODE

PYTHON ?= python3
BIN := .venv/bin
MEMBERS := gen/python services/chassis services/integrations services/files \
	services/agent/artifactr services/agent/lattice_agent apps/wordcraft apps/kit cli
OURS := lattice-protos lattice-chassis lattice-integrations lattice-files artifactr lattice-agent lattice-wordcraft lattice-app-kit \
	lattice-cli
SOURCES := services/chassis/src services/integrations/src services/files/src services/agent/artifactr/src \
	services/agent/lattice_agent/src apps/wordcraft/src apps/kit/src cli/src

help: ## list the tasks
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | sort | expand -t 14

install: .venv/.installed ## fill .venv with the locked dependencies and the distributions of this workspace

UV_VERSION := $(shell sed -n 's/^uv==\([0-9.]*\).*/\1/p' requirements.lock)

.venv/.installed: requirements.lock pyproject.toml $(MEMBERS:%=%/pyproject.toml)
	$(PYTHON) -m venv .venv
	@grep -A 40 '^uv==' requirements.lock | sed -n '1p;/--hash/p;/^[a-z]/{/^uv==/!q}' > .venv/uv.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes --no-deps -r .venv/uv.lock
	$(BIN)/uv pip sync --quiet --require-hashes requirements.lock
	$(BIN)/uv pip install --quiet --no-deps --no-build-isolation $(MEMBERS:%=-e ./%)
	@touch $@

lock: install ## resolve the dependencies again into requirements.lock, with hashes
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --all-extras \
		--group pyproject.toml:dev $(OURS:%=--no-emit-package %) $(MEMBERS:%=%/pyproject.toml) -o requirements.lock

# google/api comes from the installed package, never from a copy of ours.
THIRD_PARTY := proto/third_party/google/api

$(THIRD_PARTY): .venv/.installed
	@mkdir -p $@
	@cp $$($(BIN)/python -c "import google.api; print(google.api.__path__[0])")/{field_behavior,resource}.proto $@/

gen: $(THIRD_PARTY) ## generate gen/ from proto/
	@find gen -name '*_pb2*' -delete
	cd proto && PATH="$(CURDIR)/$(BIN):$$PATH" buf generate --path lattice 2>/dev/null

check-gen: gen ## fail if gen/ differs from what proto/ yields; `make gen` mends it
	@git diff --exit-code -- gen/
	@test -z "$$(git status --porcelain -- gen/)" || { git status --short -- gen/; exit 1; }

lint: $(THIRD_PARTY) ## ruff and buf; `make fix` mends what can be mended
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	cd proto && ../$(BIN)/buf lint && ../$(BIN)/buf format --diff --exit-code .

fix: install ## mend format and lint
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	cd proto && ../$(BIN)/buf format --write .

types: install ## check types strictly
	$(BIN)/mypy $(SOURCES) tests
	MYPYPATH=examples/checklist $(BIN)/mypy examples/checklist

layers: install ## check which layer imports which
	$(BIN)/lint-imports

# PYTEST narrows the fast suite: make test PYTEST="tests/unit/chassis -k dialect".
PYTEST ?= tests/unit tests/service tests/suite
WORKERS ?= 2

test: install ## run the fast suite on real servers and a real PostgreSQL
	@$(BIN)/python tools/cited_ids.py
	$(BIN)/pytest -n $(WORKERS) --dist loadgroup -m "not documents" $(PYTEST)

documents: install ## run commands, hostile packages, mutants and escapes on real engines and real documents
	$(BIN)/pytest -n $(WORKERS) --dist loadgroup -m documents tests/service tests/suite tests/faults

coverage-ids: install ## list the domain statements that no test cites, each with its reason
	@$(BIN)/python tools/cited_ids.py --uncited

faults: install ## kill real processes under work, and look at what stands
	$(BIN)/pytest -m "not documents" tests/faults

# Programs beside the tests. gRPC's fork hooks, which starting programs does not need, would talk of themselves.
BESIDE := PYTHONPATH=tests GRPC_ENABLE_FORK_SUPPORT=0 $(BIN)/python

test-s3: install ## run the tests of files with blobs on an S3 server instead of a folder
	LATTICE_TEST_BLOBS=s3 $(BIN)/pytest -n $(WORKERS) --dist loadgroup tests/service/files tests/faults/files/test_collection_under_load.py

soak: install ## kill services under writers on LATTICE_SOAK_SCHEDULES random seeds, then the long forms of other suites
	$(BESIDE) -m soak.kills
	$(BESIDE) -m soak.histories
	$(BESIDE) -m soak.fuzzing
	LATTICE_SOAK=1 $(BIN)/pytest tests/faults/agent/test_killed_at_every_step.py \
		tests/faults/agent_and_files/test_files_killed_at_every_stage.py tests/unit/artifactr_agent/test_complaints.py
	$(BIN)/pytest -m hypothesis --hypothesis-profile soak --timeout 3600 tests/unit tests/service/files/machine tests/service/agent/notes
	$(BIN)/python tests/soak/dialect_compliance/run.py -q

bench: install ## measure what our machinery costs, as ratios to floors of the same run
	@$(BESIDE) -m bench

demo: install ## see the whole idea on a real Word file, within a minute
	@$(BIN)/lattice demo

up: install ## run the suite on this machine until Ctrl-C
	@$(BIN)/lattice up

clean: ## delete what the other tasks made
	rm -rf .venv .lattice .build $(THIRD_PARTY) .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
