# What a person types. Longer work is in scripts/, so that it can be checked and called by itself.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.PHONY: help setup demo test torture fuzz sanitize lint bench docs install uninstall recordings clean

PREFIX ?= /usr/local
LINTED := $(wildcard Sources Tests Fuzz/Sources/Fuzz/Fuzz.swift Fuzz/Package.swift Recordings/make Examples Snippets Benchmarks/Sources Benchmarks/Benchmarks Package.swift Benchmarks/Package.swift scripts/manual.swift)

help: ## list the targets
	@sed -n 's/^\([a-z]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | while IFS=$$'\t' read -r name what; do \
	  printf 'make %-11s%s\n' "$$name" "$$what"; done

demo: ## see it work: sign-ins recorded, verified, replayed; 5 minutes the first time
	@echo 'Six people sign in to an org inside one process. Everything is recorded, verified, replayed'
	@echo 'and shown; that takes 3 seconds. Nothing leaves this machine.'
	@scripts/setup.sh build
	@scripts/build.sh
	@.build/release/auditctl demo

test: ## build and run all tests: a line each, failures in full, totals
	@scripts/setup.sh test
	@scripts/test.sh

install: ## install auditctl, man pages and completions under PREFIX=/usr/local
	@if [ -z "$${SUDO_USER:-}" ] || [ ! -x .build/stage/auditctl ]; then scripts/setup.sh build && scripts/build.sh; fi
	@scripts/install.sh .build/stage "$(PREFIX)"

uninstall: ## remove what install has put under PREFIX=/usr/local
	@scripts/uninstall.sh "$(PREFIX)"

docs: ## build the documentation of the libraries: .build/docs/index.html
	@scripts/setup.sh build
	@scripts/docs.sh

setup: ## install what is missing for the build and the tests
	@scripts/setup.sh test

torture: setup ## the long form of the tests that try to break the store: about an hour
	@scripts/torture.sh

fuzz: setup ## libFuzzer over all that reads bytes in the store; FUZZ_SECONDS=60 for each entry
	@scripts/fuzz.sh $${FUZZ_SECONDS:-60}

sanitize: setup ## the store's tests under ThreadSanitizer and AddressSanitizer
	@scripts/sanitize.sh

lint: ## check form: Swift by swift format, shell by shellcheck where it is installed
	@swift format lint --strict -r -p $(LINTED)
	@if command -v shellcheck >/dev/null; then shellcheck scripts/*.sh .ci/run; \
	else echo 'lint: shellcheck is not installed; shell scripts were not checked'; fi

bench: setup ## run the benchmarks; ONLY=line runs one of the store's, LONG=1 those of minutes too
	@if [ -z "$${ONLY:-}" ]; then swift run -c release --package-path Benchmarks FlowBenchmarks; fi
	@LONG=$${LONG:-} swift run -c release --package-path Benchmarks StoreBenchmarks $${ONLY:+--only "$$ONLY"}

recordings: setup ## make the golden recordings in Recordings/ again
	@swift run make-recordings Recordings

clean: ## remove everything that was built
	@rm -rf .build Benchmarks/.build
