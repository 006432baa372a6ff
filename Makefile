# What a person types. Longer work is in scripts/, so that it can be checked and called by itself.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.PHONY: help setup demo fleet bench-fleet torture-fleet mutants-verify test test-dates test-examples test-provider test-pages test-fleet test-objects torture mutants mutants-by-rule fuzz sanitize lint bench company fleet-rows docs install uninstall vary recordings digests clean

PREFIX ?= /usr/local
# TRAITS=Nats builds with NATS JetStream for fleets, and installs what that needs.
export TRAITS
# The NATS servers of what needs some: debian, newest, a version, a path (scripts/nats-server.sh).
export NATS
LINTED := $(wildcard Sources Tests Fuzz/Sources/Fuzz/Fuzz.swift Fuzz/Package.swift Recordings/make Examples Snippets Benchmarks/Sources Benchmarks/Benchmarks Package.swift Benchmarks/Package.swift scripts/manual.swift)

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | while IFS=$$'\t' read -r name what; do \
	  printf 'make %-17s%s\n' "$$name" "$$what"; done

demo: ## record, verify and replay sign-ins (first time: 5 minutes)
	@echo 'Six people will sign in to an org that runs inside the same process. What happens'
	@echo 'is recorded, verified, replayed and shown: 3 seconds. Nothing leaves this machine.'
	@scripts/setup.sh build
	@scripts/build.sh
	@.build/release/auditctl demo

fleet: ## eight hosts, two collectors, three NATS servers: a minute; NATS=newest for newer servers
	@TRAITS=Nats scripts/setup.sh fleet
	@TRAITS=Nats scripts/build.sh
	@server=$$(scripts/nats-server.sh $(NATS)); NATS_SERVER=$$server scripts/fleet.sh

test: ## build and run all tests: a line a target, then totals
	@scripts/setup.sh test
	@scripts/test.sh

install: ## install auditctl, manual, completions: PREFIX=/usr/local
	@if [ -z "$${SUDO_USER:-}" ] || [ ! -x .build/stage/auditctl ]; then scripts/setup.sh build && scripts/build.sh; fi
	@scripts/install.sh .build/stage "$(PREFIX)"

uninstall: ## remove what install has put under PREFIX
	@scripts/uninstall.sh "$(PREFIX)"

docs: ## build the documentation of the libraries
	@scripts/setup.sh build
	@scripts/docs.sh

setup: ## install what is missing for the build and the tests
	@scripts/setup.sh test

test-dates: setup ## run the tests on 30 other days and hosts; ROWS=3 for one
	@scripts/test-dates.sh $(ROWS)

test-examples: setup ## test Examples, in Chromium too; ONLY=CustomFlow
	@scripts/test-examples.sh

test-provider: setup ## sign in at Django with django-oauth-toolkit, in Chromium
	@scripts/test-provider.sh

test-pages: setup ## look at the pages of serve and report --html in Chromium, with axe
	@scripts/test-pages.sh

test-fleet: ## test fleets with real NATS servers; NATS=newest for newer ones
	@TRAITS=Nats scripts/setup.sh test
	@server=$$(scripts/nats-server.sh $(NATS)); NATS_SERVER=$$server TRAITS=Nats scripts/test.sh --filter '^FleetNatsTests\.'

test-objects: setup ## test archives in a bucket, at a real server of S3
	@scripts/test-objects.sh

torture: setup ## try to break the store, for about an hour, then fleets
	@scripts/torture.sh
	@$(MAKE) --no-print-directory torture-fleet

mutants: setup ## small bugs, one at a time: does a replay of Recordings/ find them?
	@scripts/mutants.py

mutants-by-rule: setup ## small bugs that a program makes; SAMPLE=1500 of them
	@scripts/mutants-by-rule.py $(if $(SAMPLE),--sample $(SAMPLE))

fuzz: setup ## libFuzzer on all that reads bytes, an hour each; FUZZ_SECONDS=60
	@scripts/fuzz.sh $${FUZZ_SECONDS:-3600}

sanitize: setup ## the tests of the store under two sanitizers
	@scripts/sanitize.sh

lint: ## check form: swift format, shellcheck if installed
	@swift format lint --strict -r -p $(LINTED)
	@if command -v shellcheck >/dev/null; then shellcheck scripts/*.sh .ci/run; \
	else echo 'lint: shellcheck is not installed; shell scripts were not checked'; fi

bench: setup ## measure; ONLY=NAME for one line, LONG=1 for slow ones too
	@case "$${ONLY:-}" in ''|caller-shipped) swift build -c release --package-path Benchmarks --product auditctl;; esac
	@if [ -z "$${ONLY:-}" ]; then \
	swift run -c release --package-path Benchmarks FlowBenchmarks; \
	swift run -c release --package-path Benchmarks FlowBenchmarks --replay-memory; fi
	@LONG=$${LONG:-} swift run -c release --package-path Benchmarks StoreBenchmarks $${ONLY:+--only "$$ONLY"}

bench-fleet: ## measure a fleet beside raw JetStream, and with 10, 100, 400 hosts
	@TRAITS=Nats scripts/setup.sh fleet
	@swift build -c release --product auditctl --static-swift-stdlib --traits Nats --scratch-path .build-nats
	@server=$$(scripts/nats-server.sh $(NATS)); NATS_SERVER=$$server scripts/fleet-bench.py --auditctl .build-nats/release/auditctl

torture-fleet: ## fleets in which much goes wrong: 20 runs of a minute with old NATS servers, 20 with new ones
	@TRAITS=Nats scripts/setup.sh fleet
	@swift build -c release --product auditctl --static-swift-stdlib --traits Nats --scratch-path .build-nats
	@for which in $${NATS:-debian newest}; do \
	server=$$(scripts/nats-server.sh "$$which"); \
	NATS_SERVER=$$server scripts/fleet-torture.py --auditctl .build-nats/release/auditctl; done

mutants-verify: setup ## small bugs in what decides about a store: do the tests find them? SAMPLE=400
	@scripts/mutants-of-verify.py $(if $(SAMPLE),--sample $(SAMPLE))

company: ## reports and detections on 200,000 flows of a made-up company; FLOWS=N SEED=N
	@scripts/setup.sh build
	@scripts/build.sh
	@scripts/company.py $${FLOWS:-200000} $${SEED:-7}

fleet-rows: ## a user's flows of 90 days out of 70 million rows; ROWS=N DAYS=N
	@scripts/setup.sh build
	@scripts/build.sh
	@scripts/fleet-rows.py $${ROWS:-70000000} $${DAYS:-90}

vary: setup ## choose the varied flows in Recordings/varied.json anew, out of COUNT=12 of each scenario; then make recordings
	@FLOWRECORDER_OPTIMIZED=1 swift run -debug-info-format none make-recordings --vary Recordings $${COUNT:-12} $${BYTES:-9000000}

recordings: setup ## make the golden recordings in Recordings/ again
	@FLOWRECORDER_OPTIMIZED=1 swift run -debug-info-format none make-recordings Recordings

digests: setup ## give the golden recordings the digests of states, errors, declarations as they are now
	@FLOWRECORDER_OPTIMIZED=1 swift run -debug-info-format none make-recordings --digests Recordings

clean: ## remove everything that was built
	@rm -rf .build .build-mutants .build-nats Benchmarks/.build Examples/HummingbirdLogin/.build
