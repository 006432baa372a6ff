# What a person types. Longer work stands in scripts/, so that it can be checked and called by itself.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.PHONY: help setup demo test torture fuzz sanitize lint bench docs install recordings clean

PREFIX ?= /usr/local
DOCUMENTED := EventStore FlowRecording Authn IDX OIDC Replay SimulatedOrg
LINTED := $(wildcard Sources Tests Fuzz/Sources/Fuzz/Fuzz.swift Fuzz/Package.swift Recordings/make Examples Snippets Benchmarks/Sources Benchmarks/Benchmarks Package.swift Benchmarks/Package.swift)

help: ## list the targets
	@sed -n 's/^\([a-z]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | while IFS=$$'\t' read -r name what; do \
	  printf 'make %-11s%s\n' "$$name" "$$what"; done

setup: ## install what is missing for the build and the tests
	@scripts/setup.sh

demo: setup ## see it work: sign-ins recorded, verified, replayed and reported
	@mkdir -p .build
	@if [ ! -x .build/release/auditctl ]; then echo 'Building auditctl; the first time takes some minutes.'; fi
	@swift build -c release --product auditctl >.build/demo-build.log 2>&1 || { cat .build/demo-build.log; exit 1; }
	@.build/release/auditctl demo

test: setup ## build and run all tests, and name those that were skipped
	@scripts/test.sh

torture: setup ## the long form of the tests that try to break the store, about an hour
	@scripts/torture.sh

fuzz: setup ## libFuzzer over all that reads bytes in the store, SECONDS=60 each
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

recordings: setup ## make the golden recordings of Recordings/ anew
	@swift run make-recordings Recordings

docs: ## build the documentation of the libraries into .build/docs
	@mkdir -p .build/docs
	@for target in $(DOCUMENTED); do \
	  swift package --allow-writing-to-directory .build/docs generate-documentation --target "$$target" \
	    --output-path ".build/docs/$$target" --transform-for-static-hosting --hosting-base-path "$$target" \
	    --warnings-as-errors; \
	done

install: setup ## install auditctl under PREFIX (/usr/local), beside Linux audit's, never over it
	@echo 'Building auditctl for installation; the first time takes some minutes.'
	@mkdir -p .build
	@swift build -c release --product auditctl --static-swift-stdlib --scratch-path .build/install \
	  >.build/install-build.log 2>&1 || { cat .build/install-build.log; exit 1; }
	@scripts/install.sh .build/install/release/auditctl "$(PREFIX)"

clean: ## remove everything that was built
	@rm -rf .build Benchmarks/.build
