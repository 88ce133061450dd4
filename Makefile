# castq: how it is built, tested and shown. `make help` lists the targets.

SHELL := bash
.SHELLFLAGS := -eu -o pipefail -c
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory

# Where `swift build` leaves its debug programs.
export CASTQ_BIN := $(CURDIR)/.build/debug
# The Python that has the foreign senders; tests that need a foreign decoder ask for it by this name.
export CASTQ_PYTHON := $(CURDIR)/.venv/bin/python

# castq-link is built where its libraries are.
export CASTQ_LINK = $(shell pkg-config --exists libpq libmosquitto 2>/dev/null && echo 1)

# The page is compressed where zlib can be linked (Package.swift).
export CASTQ_GZIP = $(if $(wildcard /usr/include/zlib.h),1)

# How the debug programs are built: without the index that editors read, which is a quarter of the work (Package.swift). Editors make their
# own; with `make CASTQ_UNINDEXED= build` they have that of the build.
export CASTQ_UNINDEXED ?= 1
# Without what a debugger reads, which is a fifth of the work; with `make CASTQ_DEBUG_INFO=dwarf build` it is there.
export CASTQ_DEBUG_INFO ?= none
# Each module as a whole, which the compiler then reads once: a fifth of the work. Whoever changes files and builds again sets
# CASTQ_INCREMENTAL=1: only those files are compiled then, in as many batches as there are processors.
INCREMENTAL := -Xswiftc -driver-batch-count -Xswiftc $(shell nproc)
WHOLE := -Xswiftc -disable-batch-mode -Xswiftc -whole-module-optimization -Xswiftc -num-threads -Xswiftc $(shell nproc)
export CASTQ_DEBUG_FLAGS := $(if $(CASTQ_UNINDEXED),--disable-index-store) -debug-info-format $(CASTQ_DEBUG_INFO) \
  $(if $(CASTQ_INCREMENTAL),$(INCREMENTAL),$(WHOLE))
# The compiler says of each module that it is not built in parts.
UNREMARKED := 2>&1 | { grep --line-buffered -v '^remark: Incremental compilation has been disabled' || true; }
DEBUG := swift build $(CASTQ_DEBUG_FLAGS)

# The folder of the release build; whoever builds both at once gives it one of its own.
CASTQ_RELEASE ?= .build

# Where `make install` puts what was built.
PREFIX ?= /usr/local
DESTDIR ?=

# How the shipped programs are built and linked: docs/decisions/0007. Small code is in memory sooner, and less of it stays there. A loader reads packed relocations from glibc 2.36 on.
PACKED := $(shell printf '%s\n' 2.36 "$$(getconf GNU_LIBC_VERSION | cut -d' ' -f2)" | sort -CV && echo -Xlinker -z -Xlinker pack-relative-relocs)
ACCESSORS := -Xswiftc -Xfrontend -Xswiftc -disable-concrete-type-metadata-mangled-name-accessors
# Without symbols that nobody asks for, and with the C++ library inside: from a folder that has the static one alone.
STATIC := .build-static
LINK := -Xswiftc -use-ld=lld -Xlinker --icf=safe -Xlinker "--version-script=$(CURDIR)/packaging/exports.map" $(PACKED) \
  -Xswiftc -Xclang-linker -Xswiftc "-L$(CURDIR)/$(STATIC)" -Xswiftc -Xclang-linker -Xswiftc -static-libgcc
SHIPPED = -c release -Xswiftc -Osize --static-swift-stdlib --scratch-path $(CASTQ_RELEASE) $(LINK) $(ACCESSORS)

VENV := .venv/installed
# In portions: all at once are more open files than an ordinary user may have.
LINTED := find Sources Tests Package.swift -name '*.swift' -print0 | xargs -0 -n 300

.PHONY: help flags deps test-deps venv lint format programs build release install deb tarball commands test test-foreign test-release test-package test-compose endurance sanitize fuzz docs demo demo-fleet bench clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-13s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

flags:
	@echo $(CASTQ_DEBUG_FLAGS)

deps: ## what the build and the demo need: as root installs it, else names it; silent and offline when it is there
	@scripts/deps

test-deps: ## the packages of the tests, likewise; what is missing skips its tests, and no service is enabled
	@scripts/test-deps

venv: $(VENV) ## .venv with the foreign Cast senders of Tests/Foreign/requirements.txt

$(VENV): Tests/Foreign/requirements.txt | deps test-deps
	@scripts/venv $@

lint: ## check the format of every Swift file
	@$(LINTED) swift format lint --strict --parallel

format: ## put every Swift file into the project's format
	@$(LINTED) swift format --in-place --parallel

# A fresh clone fetches only the packages of these two programs. A clone that already has the packages of the page keeps them.
programs: export CASTQ_PROGRAMS = $(if $(wildcard .build/checkouts/hummingbird),,castq castq-receiver-sim)
programs: deps ## debug build of castq and of the simulator, for the tour and the demo
	@$(DEBUG) --product castq $(UNREMARKED)
	@$(DEBUG) --product castq-receiver-sim $(UNREMARKED)

build: deps ## debug build, tests included
	@$(DEBUG) --build-tests $(UNREMARKED)

release: deps ## the programs as they are shipped: optimised, Swift runtime linked in
	@mkdir -p $(STATIC)
	@library=$$(gcc -print-file-name=libstdc++.a 2>/dev/null || true); [[ ! -e $$library ]] || ln -sf "$$library" $(STATIC)
	@swift build $(SHIPPED) --product castq
	@swift build $(SHIPPED) --product castq-web
	@swift build $(SHIPPED) --product castq-receiver-sim
	@[[ ! $$CASTQ_LINK ]] || swift build $(SHIPPED) --product castq-link
	@scripts/man $(CASTQ_RELEASE)/release/castq $(CASTQ_RELEASE)/man $$(ls $(CASTQ_RELEASE)/release/castq-{receiver-sim,link} 2>/dev/null || true)

install: ## the release with its manual pages, completions and units, below DESTDIR and PREFIX (/usr/local)
	@PREFIX=$(PREFIX) DESTDIR=$(DESTDIR) scripts/install $(CASTQ_RELEASE)/release $(CASTQ_RELEASE)/man

tarball: release ## one archive of the release, for Debian and Ubuntu with glibc 2.36 or later, in the folder of the release build
	@scripts/tarball $(CASTQ_RELEASE)/release $(CASTQ_RELEASE)/man $(CASTQ_RELEASE)

deb: release ## the Debian packages, in deb/ of the release build
	@scripts/deb $(CASTQ_RELEASE)/release $(CASTQ_RELEASE)/man $(CASTQ_RELEASE)/deb

test: deps test-deps venv lint build ## everything that must be right: lint, unit tests, foreign senders, the README, the documentation
	@scripts/test

test-foreign: venv build ## only the foreign senders against the simulator
	@scripts/test-foreign

endurance: build release venv ## what `make test` does some hundred times, thousands of times, with sanitizers and fuzzing; one to three hours
	@scripts/endurance

sanitize: deps ## TLS, HTTP, sessions, feeders and the store under the address and the thread sanitizer; half an hour
	@scripts/sanitize

fuzz: deps ## every parser, with inputs that look for new ways through it; ten minutes
	@scripts/fuzz

commands: programs ## docs/commands.md, from the help of the program
	@scripts/commands $(CASTQ_BIN)/castq >.build/commands.md
	@mv .build/commands.md docs/commands.md

docs: deps ## the documentation of the SDK in .build/docs; a warning is a failure
	@scripts/docs

# These are about the programs as they are shipped.
test-release bench endurance: export CASTQ_BIN := $(abspath $(CASTQ_RELEASE))/release

test-release: release ## what only the shipped programs can prove, a list of 3,000 entries among it
	@scripts/as-user scripts/test-release

test-package: release ## packages and archive: lintian, and clean systems in which they are installed, upgraded, used and purged
	@status=0; for each in test-package test-tarball; do scripts/$$each || status=1; done; exit $$status

test-compose: release ## packaging/container: the image, and compose.yaml with its two sites, started by podman
	@scripts/test-compose

bench: release venv ## what castq costs, alone and with 200 receivers; a quarter of an hour, on a machine that does nothing else
	@status=0; for each in bench-cast bench bench-remote bench-page bench-media bench-schedule bench-fleet; do scripts/$$each || status=1; done; exit $$status

demo: programs ## play playlists/demo.m3u on the simulator and check the history
	@scripts/as-user scripts/demo

demo-fleet: deps venv ## two simulated sites, a broker and a database: cut a link, kill a box, print the central report
	@[[ $$CASTQ_LINK ]] || { echo "demo-fleet: needs libpq-dev and libmosquitto-dev (make test-deps)" >&2; exit 1; }
	@for product in castq castq-receiver-sim castq-link; do $(DEBUG) --product $$product; done
	@scripts/as-user .venv/bin/python scripts/demo-fleet

clean: ## remove everything that was built or installed here
	@rm -rf .build .build-* .venv
