# Lattice's tasks. `make` alone lists them; CI runs the same targets.
.DEFAULT_GOAL := help
SHELL := /bin/bash
.PHONY: help install lock gen check-gen clients lint baseline fix types layers test test-long documents test-s3 coverage-ids faults soak bench demo
.PHONY: jaeger pictures manifests images try-images up clean

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

# google/api and google/rpc come from the installed package, never from a copy of ours.
THIRD_PARTY := proto/third_party/google/rpc

$(THIRD_PARTY): .venv/.installed
	@mkdir -p $@ $(dir $@)api
	@cp $$($(BIN)/python -c "import google.api; print(google.api.__path__[0])")/{field_behavior,resource}.proto $(dir $@)api/
	@cp $$($(BIN)/python -c "import google.rpc; print(google.rpc.__path__[0])")/{status,error_details}.proto $@/

gen: $(THIRD_PARTY) ## generate gen/ and docs/api from proto/, and show the code of examples in docs/clients.md
	@$(BIN)/python tools/generate.py

check-gen: gen ## fail if gen/ or docs/api differs from what proto/ yields; `make gen` mends it
	@git diff --exit-code -- gen/ docs/api/ docs/clients.md
	@test -z "$$(git status --porcelain -- gen/ docs/api/)" || { git status --short -- gen/ docs/api/; exit 1; }

lint: $(THIRD_PARTY) ## ruff and buf, with no contract broken; `make fix` mends what can be mended
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	cd proto && ../$(BIN)/buf lint && ../$(BIN)/buf format --diff --exit-code .
	cd proto && ../$(BIN)/buf build --path lattice -o - | ../$(BIN)/buf breaking - --against contracts-v1.binpb

baseline: lint ## guard the contracts from now on as they are, with what was added since; for a release
	cd proto && ../$(BIN)/buf build --path lattice --exclude-source-info -o contracts-v1.binpb

fix: install ## mend format and lint
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	cd proto && ../$(BIN)/buf format --write .

types: install ## check types strictly
	$(BIN)/mypy $(SOURCES) tests
	MYPYPATH=examples/checklist $(BIN)/mypy examples/checklist
	MYPYPATH=examples/clients/python $(BIN)/mypy examples/clients/python

layers: install ## check which layer imports which
	$(BIN)/lint-imports

# PYTEST narrows the suite: make test PYTEST="tests/unit/chassis -k dialect".
PYTEST ?= tests/unit tests/service tests/suite
NARROWED := $(if $(filter file,$(origin PYTEST)),,yes)
# One more than a small machine has cores: tests wait for processes and clocks, too.
WORKERS ?= 3

test: install $(THIRD_PARTY) ## run the fast suite on real servers and a real PostgreSQL
	@$(BIN)/python tools/cited_ids.py
	@rm -rf .build/emitted
	$(BIN)/pytest -n $(WORKERS) --dist loadgroup -m "not documents$(if $(NARROWED),, and not long)" $(PYTEST)
	@$(if $(NARROWED),,$(BESIDE) -m suite.tracing.table .build/emitted)

test-long: install ## run what takes longer: rules explored, every call with every bad value and credential, apps that hang
	$(BIN)/pytest -n $(WORKERS) --dist loadgroup -m "long and not documents" tests/unit tests/service tests/suite

clients: install ## build the programs under examples/clients, and play their scenario in each language
	$(BIN)/pytest -p no:xdist tests/clients

documents: install ## run commands, hostile packages, mutants and escapes on real engines and real documents
	$(BIN)/pytest -n $(WORKERS) --dist loadgroup -m "documents and not soak" tests/service tests/suite tests/faults

coverage-ids: install ## list the domain statements that no test cites, each with its reason
	@$(BIN)/python tools/cited_ids.py --uncited

faults: install ## kill real processes under work, and look at what stands
	$(BIN)/pytest -n 2 --dist loadfile -m "not documents and not soak" tests/faults

# Programs beside the tests. gRPC's fork hooks, which starting programs does not need, would talk of themselves.
BESIDE := PYTHONPATH=tests GRPC_ENABLE_FORK_SUPPORT=0 $(BIN)/python

test-s3: install ## run the tests of files with blobs on an S3 server instead of a folder
	LATTICE_TEST_BLOBS=s3 $(BIN)/pytest -n $(WORKERS) --dist loadgroup tests/service/files tests/faults/files/test_collection_under_load.py

# Programs of Go that no package index of Python has: what renders the manifests, and the Compose Specification's own check.
KUSTOMIZE := sigs.k8s.io/kustomize/kustomize/v5@v5.8.1
COMPOSE_CHECK := github.com/compose-spec/compose-go/v2/cmd@v2.16.2

.build/bin/kustomize:
	GOBIN=$(CURDIR)/.build/bin go install $(KUSTOMIZE)

.build/bin/compose-check:
	GOBIN=$(CURDIR)/.build/bin/compose go install $(COMPOSE_CHECK)
	@mv .build/bin/compose/cmd $@

manifests: install .build/bin/kustomize .build/bin/compose-check ## render and check what is deployed, for each version of Kubernetes
	$(BIN)/pytest -n $(WORKERS) tests/deploy

# BUILDER="docker build" or "podman build" does, too; BASE names another base, such as one by its digest.
BUILDER ?= buildah build --isolation chroot --timestamp 0 --ignorefile .containerignore
IMAGE_TAG ?= 0.1.0
BASE ?= python:3.11-slim-bookworm

images: ## build the images of the three services and of the worker for Word files
	for it in integrations files agent wordcraft; do \
		$(BUILDER) --build-arg BASE=$(BASE) --build-arg REVISION=$$(git rev-parse HEAD) \
			-t lattice-$$it:$(IMAGE_TAG) -f deploy/images/$$it.Containerfile . || exit 1; done

try-images: install ## run the images that buildah made as pods run them; as root
	GRPC_ENABLE_FORK_SUPPORT=0 $(BIN)/pytest tests/images

soak: install ## kill services under writers on LATTICE_SOAK_SCHEDULES random seeds, then the long forms of other suites
	$(BESIDE) -m soak.kills
	$(BESIDE) -m soak.histories
	$(BESIDE) -m soak.fuzzing
	$(BIN)/pytest -n 1 --dist loadgroup -m soak tests/unit tests/service tests/suite tests/faults
	-$(MAKE) jaeger
	$(BIN)/pytest tests/faults/test_jaeger.py
	LATTICE_SOAK=1 $(BIN)/pytest tests/faults/agent/test_killed_at_every_step.py \
		tests/faults/agent_and_files/test_files_killed_at_every_stage.py tests/unit/artifactr_agent/test_complaints.py
	$(BIN)/pytest -m hypothesis --hypothesis-profile soak --timeout 3600 tests/unit tests/service/files/machine tests/service/agent/notes
	$(BIN)/python tests/soak/dialect_compliance/run.py -q

bench: install ## measure what our machinery costs, as ratios to floors of the same run
	@$(BESIDE) -m bench

# Jaeger 2, whose module counts as version 1 still; built with the versions and digests of its own go.sum.
JAEGER_VERSION := v1.76.0
JAEGER := .build/jaeger-$(JAEGER_VERSION)

$(JAEGER):
	@mkdir -p .build
	cd "$$(go mod download -json github.com/jaegertracing/jaeger@$(JAEGER_VERSION) | sed -n 's/.*"Dir": "\(.*\)",/\1/p')" && \
		go build -trimpath -ldflags="-s -w" -o "$(CURDIR)/$@" ./cmd/jaeger

jaeger: $(JAEGER) ## build a real tracing backend with Go, in which tests/faults/test_jaeger.py finds the suite's writes

pictures: install ## take the pictures of the README anew: the trace of the demo's edit, in the terminal and in Chromium
	@$(BESIDE) -m pictures

demo: install ## see the whole idea on a real Word file, within a minute
	@$(BIN)/lattice demo

up: install ## run the suite on this machine until Ctrl-C
	@$(BIN)/lattice up

clean: ## delete what the other tasks made
	rm -rf .venv .lattice .build proto/third_party .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
