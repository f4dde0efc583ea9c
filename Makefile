# milepostd: what can be made. `make` alone lists it.
PREFIX ?= /usr/local
SYSCONFDIR ?= /etc
DESTDIR ?=
SWIFT ?= swift
SWIFTFLAGS ?=
BUILD = $(SWIFT) build --explicit-target-dependency-import-check error $(SWIFTFLAGS)
# All symbols are bound at the start, so that what holds their places is read-only from then on.
RELEASE = $(BUILD) -c release --static-swift-stdlib -Xlinker -z -Xlinker now
BIN = .build/release

# What `make install` and `make deb` use.
SHARE = $(DESTDIR)$(PREFIX)/share
EXAMPLES = $(SHARE)/doc/milepostd/examples
ZSHDIR ?= $(PREFIX)/share/zsh/site-functions
STRIP ?= strip --remove-section=.comment --remove-section=.note
DEB_REVISION ?= 1
# Units, catalog and pages name files under /usr.
PLACED = sed -e 's|/usr/sbin/|$(PREFIX)/sbin/|g' -e 's|/usr/share/|$(PREFIX)/share/|g'

# Debian and Ubuntu packages: to build, and further ones for the tests.
PACKAGES = libsystemd-dev libsqlite3-dev libproj-dev libexpat1-dev pkg-config
TEST_PACKAGES = gpsd gpsd-clients python3 jq unzip man-db zsh dpkg-dev

.PHONY: help deps toolchain build demo test system-test fuzz test-asan lint bench install deb cross clean

help: ## list what can be made
	@awk -F':.*## ' '/^[a-z-]+:.*## / { printf "make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

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

# SUITE=trixie takes that release of Debian in place of this machine's own root, and makes it first where
# it is not there yet (mmdebstrap; remove it to have it new). ROOT=DIRECTORY takes a root that is elsewhere.
SUITE =
ROOT = $(if $(SUITE),.build/roots/$(SUITE),/)
system-test: build ## install the package into a throw-away vehicle with a real systemd, and drive (root)
	@older=$$(Packaging/deb.sh 0) && newer=$$(Packaging/deb.sh 1) && \
	{ [ -e "$(ROOT)" ] || [ -z "$(SUITE)" ] || Tests/System/make-root.sh "$(SUITE)" "$(ROOT)" "$$newer"; } && \
	Tests/System/run.sh "$$older" "$$newer" "$(ROOT)"

FUZZ_SECONDS ?= 600
fuzz: deps ## feed every parser with hostile bytes, FUZZ_SECONDS each; FUZZ="lines gpsd" for some of them
	@Tests/Fuzz/build.sh && Tests/Fuzz/run.sh $(FUZZ_SECONDS) $(FUZZ)

# With a build of its own. Swift keeps some memory for ever on purpose, which is no leak.
test-asan: deps ## run all tests under AddressSanitizer
	$(BUILD) --build-tests --sanitize address --scratch-path .build/asan
	ASAN_OPTIONS=detect_leaks=0:suppressions=$(CURDIR)/Tests/Fuzz/asan.supp \
	  $(SWIFT) test --skip-build --sanitize address --scratch-path .build/asan

bench: build ## measure speed and memory
	$(RELEASE) --product milepost-bench
	$(BIN)/milepost-bench

install: ## install under DESTDIR and PREFIX what `make build` built
	install -D -m 755 $(BIN)/milepostd $(DESTDIR)$(PREFIX)/sbin/milepostd
	install -D -m 755 $(BIN)/milepostctl $(DESTDIR)$(PREFIX)/bin/milepostctl
	$(STRIP) $(DESTDIR)$(PREFIX)/sbin/milepostd $(DESTDIR)$(PREFIX)/bin/milepostctl
	install -d -m 755 $(addprefix $(DESTDIR)$(SYSCONFDIR)/milepostd/,markers.d hooks.d milepostd.conf.d)
	[ -e $(DESTDIR)$(SYSCONFDIR)/milepostd/milepostd.conf ] || \
	  install -m 644 Config/milepostd.conf $(DESTDIR)$(SYSCONFDIR)/milepostd/milepostd.conf
	install -d -m 755 $(SHARE)/milepostd/presets
	install -m 644 Config/presets/*.preset $(SHARE)/milepostd/presets
	install -d -m 755 $(DESTDIR)$(PREFIX)/lib/systemd/system
	for unit in milepostd.service milepostd-fifo.socket; do \
	  $(PLACED) systemd/$$unit >$(DESTDIR)$(PREFIX)/lib/systemd/system/$$unit && \
	  chmod 644 $(DESTDIR)$(PREFIX)/lib/systemd/system/$$unit || exit 1; done
	install -D -m 644 systemd/milepostd.sysusers $(DESTDIR)$(PREFIX)/lib/sysusers.d/milepostd.conf
	install -D -m 644 systemd/milepostd.catalog $(DESTDIR)$(PREFIX)/lib/systemd/catalog/milepostd.catalog
	$(PLACED) -i $(DESTDIR)$(PREFIX)/lib/systemd/catalog/milepostd.catalog
	for page in $(notdir $(wildcard Documentation/*.[1-8])); do \
	  install -D -m 644 Documentation/$$page $(SHARE)/man/man$${page##*.}/$$page && \
	  $(PLACED) -i $(SHARE)/man/man$${page##*.}/$$page || exit 1; done
	for program in milepostd milepostctl; do \
	  install -D -m 644 Packaging/completions/$$program.bash $(SHARE)/bash-completion/completions/$$program && \
	  install -D -m 644 Packaging/completions/_$$program $(DESTDIR)$(ZSHDIR)/_$$program || exit 1; done
	install -D -m 644 Config/markers.d/sample.csv $(EXAMPLES)/sample.csv
	install -d -m 755 $(addprefix $(EXAMPLES)/,hooks milepostd.service.d polkit journal)
	install -m 755 Config/hooks.d/*.sh Packaging/examples/hooks/* $(EXAMPLES)/hooks
	install -m 644 Packaging/examples/milepostd.service.d/* $(EXAMPLES)/milepostd.service.d
	install -m 644 Packaging/examples/polkit/* $(EXAMPLES)/polkit
	install -m 644 Packaging/examples/journal/*.service $(EXAMPLES)/journal
	install -m 755 Packaging/examples/journal/*.sh $(EXAMPLES)/journal
	@[ -n '$(DESTDIR)' ] || echo "then, as root: systemd-sysusers && journalctl --update-catalog && systemctl enable --now milepostd"

# usage: $(call pack,COMMAND): runs what prints the name of the package that it made, and checks that one.
pack = @package=$$($(1)) || exit 1; echo "$$package"; \
	command -v lintian >/dev/null || { echo "lintian is not there, the package is not checked"; exit 0; }; \
	lintian --allow-root --fail-on error,warning "$$package"

deb: build ## pack .build/milepostd_VERSION-REVISION_ARCH.deb, and check it where lintian is
	$(call pack,Packaging/deb.sh $(DEB_REVISION))

ROOTS ?= /var/tmp/milepostd-roots
cross: ## make the package for arm64 on an amd64 machine, and run the demo with it (root; 8 GB in ROOTS)
	$(call pack,Packaging/cross.sh '$(ROOTS)' $(DEB_REVISION))

clean: ## remove what was built
	rm -rf .build
