# milepostd: what can be made. `make` alone lists it.
PREFIX ?= /usr/local
SYSCONFDIR ?= /etc
DESTDIR ?=
SWIFT ?= swift
BUILD = $(SWIFT) build --explicit-target-dependency-import-check error
RELEASE = $(BUILD) -c release --static-swift-stdlib
BIN = .build/release

# Debian and Ubuntu packages: to build, and further ones for the tests.
PACKAGES = libsystemd-dev libsqlite3-dev libproj-dev libexpat1-dev pkg-config
TEST_PACKAGES = gpsd gpsd-clients python3 jq unzip

.PHONY: help deps toolchain build demo test lint bench install clean

help: ## list what can be made
	@awk -F':.*## ' '/^[a-z-]+:.*## / { printf "make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

deps: toolchain ## install the Debian packages that are missing (sudo only where needed)
	@missing=$$(for p in $(PACKAGES) $(TEST_PACKAGES); do \
	  dpkg-query -W -f='$${Status}' $$p 2>/dev/null | grep -q 'ok installed' || echo $$p; done); \
	[ -z "$$missing" ] && exit 0; \
	command -v apt-get >/dev/null || { echo "install these by your package manager: $$missing" >&2; exit 1; }; \
	sudo=; [ "$$(id -u)" = 0 ] || sudo=sudo; \
	echo "installing" $$missing; \
	$$sudo apt-get update -qq && \
	$$sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $$missing >/dev/null

toolchain:
	@v=$$($(SWIFT) --version 2>/dev/null | sed -n 's/.*Swift version \([0-9]*\)\.\([0-9]*\).*/\1 \2/p' | head -n 1); \
	set -- $$v 0 0; [ $$1 -gt 6 ] || { [ $$1 -eq 6 ] && [ $$2 -ge 2 ]; } || { \
	echo "milepostd needs Swift 6.2 or later; get it from https://www.swift.org/install/linux/" >&2; exit 1; }

build: deps ## build milepostd and milepostctl for this machine
	$(RELEASE) --product milepostd
	$(RELEASE) --product milepostctl

demo: build ## a drive through the daemon in a scratch folder: no root, gpsd or systemd needed
	@Config/demo/demo.sh $(BIN)

test: deps ## build and run all tests
	$(BUILD) --build-tests
	$(SWIFT) test --skip-build

lint: toolchain ## check the formatting
	$(SWIFT) format lint --strict --recursive --parallel Sources Tests Benchmarks Package.swift

bench: deps ## measure speed and memory
	$(BUILD) -c release --product milepost-bench
	$(BIN)/milepost-bench

install: ## install under DESTDIR and PREFIX what `make build` built
	install -D -m 755 $(BIN)/milepostd $(DESTDIR)$(PREFIX)/sbin/milepostd
	install -D -m 755 $(BIN)/milepostctl $(DESTDIR)$(PREFIX)/bin/milepostctl
	install -d -m 755 $(DESTDIR)$(SYSCONFDIR)/milepostd/markers.d $(DESTDIR)$(SYSCONFDIR)/milepostd/hooks.d
	install -m 644 Config/milepostd.conf $(DESTDIR)$(SYSCONFDIR)/milepostd/milepostd.conf
	install -d -m 755 $(DESTDIR)$(PREFIX)/share/milepostd/presets
	install -m 644 Config/presets/*.preset $(DESTDIR)$(PREFIX)/share/milepostd/presets
	install -d -m 755 $(DESTDIR)$(PREFIX)/lib/systemd/system
	for unit in milepostd.service milepostd-fifo.socket; do \
	  sed 's|/usr/sbin|$(PREFIX)/sbin|' systemd/$$unit >$(DESTDIR)$(PREFIX)/lib/systemd/system/$$unit; done
	install -D -m 644 systemd/milepostd.sysusers $(DESTDIR)$(PREFIX)/lib/sysusers.d/milepostd.conf
	install -D -m 644 systemd/milepostd.catalog $(DESTDIR)$(PREFIX)/lib/systemd/catalog/milepostd.catalog
	install -D -m 644 Config/markers.d/sample.csv $(DESTDIR)$(PREFIX)/share/doc/milepostd/examples/sample.csv
	install -D -m 755 Config/hooks.d/announce.sh $(DESTDIR)$(PREFIX)/share/doc/milepostd/examples/announce.sh

clean: ## remove what was built
	rm -rf .build
