# Everything a fresh Debian 12 with Rust, Python and make needs to build, try and test weir.

SHELL      := bash
.SHELLFLAGS := -eu -o pipefail -c
MAKEFLAGS  += --no-print-directory
.ONESHELL:
.DEFAULT_GOAL := help

# nginx and apt tools live there, and an ordinary user's PATH on Debian has no sbin
export PATH := $(PATH):/usr/sbin:/sbin

GUESTBOOK := apps/guestbook
VENV      := $(GUESTBOOK)/.venv
PEERS     := crates/load/tests/peers
PEER_VENV := .deps/peers
BUILT     := $(or $(CARGO_TARGET_DIR),target)

# When this make was begun, in seconds.
BEGUN := $(shell date +%s)

.PHONY: help
help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(firstword $(MAKEFILE_LIST)) | expand -t 10

.PHONY: deps
deps: WANTED += $(APP_SERVERS) $(APP_TOOLS) $(COMPARED) $(REVISION)
deps: packages venv peers catalogue-deps foreign-apps maturin ## install what is missing: servers, a C compiler, Python packages

.PHONY: crates
crates: ## fetch what weir is built from
	@cargo fetch --quiet --locked --target "$$(rustc -vV | sed -n 's/^host: //p')"

.PHONY: build
build: packages ## build target/release/weir
	@cargo build --release --locked --bin weir

# An ordinary user's own programs, which Debian puts on the PATH of whoever has the folder at login.
PREFIX := $(HOME)/.local

.PHONY: install
install: build ## put weir, its manual page and bash's completions below PREFIX (~/.local; as root: make install PREFIX=/usr/local)
	@install -D --mode 755 $(BUILT)/release/weir "$(DESTDIR)$(PREFIX)/bin/weir"
	share="$(DESTDIR)$(PREFIX)/share"
	mkdir -p "$$share/man/man1" "$$share/bash-completion/completions"
	$(BUILT)/release/weir man > "$$share/man/man1/weir.1"
	$(BUILT)/release/weir completions bash > "$$share/bash-completion/completions/weir"
	echo "installed $(DESTDIR)$(PREFIX)/bin/weir"
	case ":$$PATH:" in
	*:"$(PREFIX)/bin":*) ;;
	*) echo "note: $(PREFIX)/bin is not on your PATH: export PATH=\"$(PREFIX)/bin:\$$PATH\"" ;;
	esac

.PHONY: wheel
wheel: packages maturin ## a wheel of weir that pip installs, in target/wheels
	@$(MATURIN_VENV)/bin/maturin build --quiet --profile release --out $(BUILT)/wheels
	echo "to install it: python3 -m pip install $(BUILT)/wheels/weir-*.whl"

# As whoever gets the wheel: a fresh environment, no registry, no Rust. The profile of the tests, because the
# binary is built already.
.PHONY: wheel-check
wheel-check: packages maturin ## a wheel is built, installed in a clean environment and run
	@place=$$(mktemp -d)
	trap 'rm -rf "$$place"' EXIT
	$(MATURIN_VENV)/bin/maturin build --quiet --profile dev --config .ci/lints.toml --out "$$place/wheels"
	python3 -m venv "$$place/venv"
	"$$place/venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-index "$$place"/wheels/weir-*.whl
	said=$$(cd "$$place" && env --ignore-environment HOME="$$place" PATH="$$place/venv/bin:/usr/bin:/bin" weir --version)
	wanted=$$(sed -n 's/^version = "\(.*\)"/weir \1/p' Cargo.toml | head -1)
	if [ "$$said" != "$$wanted" ]; then
		echo "error: the wheel's weir says \`$$said\`, not \`$$wanted\`" >&2
		exit 1
	fi

MATURIN_VENV := .deps/maturin
MATURIN      := maturin==1.16.0
.PHONY: maturin
maturin: packages
	@if [ "$$($(MATURIN_VENV)/bin/maturin --version 2> /dev/null)" = "$(subst ==, ,$(MATURIN))" ] \
		&& $(MATURIN_VENV)/bin/python -c '' 2> /dev/null; then
		exit 0
	fi
	rm -rf $(MATURIN_VENV)
	python3 -m venv $(MATURIN_VENV)
	$(MATURIN_VENV)/bin/python -m pip install --quiet --disable-pip-version-check $(MATURIN)

.PHONY: demo
demo: ## the guestbook in six variants; report in report/
	@# what is fetched does not wait for what is installed, nor Python's packages for the compiler
	$(MAKE) -j2 packages crates
	$(MAKE) -j2 venv build
	$(BUILT)/release/weir run claims/a-guestbook.toml --out report

.PHONY: claims
claims: deps build ## every claim of the field reports, with a budget of 100 minutes; pages in claims-report/, the document in docs/ (BEFORE=weir.db: beside that of an earlier store)
	@python=$$PWD/$(CATALOGUE_VENV)/bin/python
	# the document is of what there is, however the claims ended
	code=0
	$(BUILT)/release/weir claims --python "$$python" --out claims-report --budget 100min || code=$$?
	written=0
	$(BUILT)/release/weir claims --python "$$python" --stored --markdown $(if $(BEFORE),--before "$(BEFORE)") > docs/claims.md.part || written=$$?
	if [ -s docs/claims.md.part ]; then mv docs/claims.md.part docs/claims.md; else rm -f docs/claims.md.part; fi
	if [ $$code = 0 ]; then code=$$written; fi
	exit $$code

# Apps of the first contact that are served in each test, in short trials, and whose written files are started.
WALKED := aiohttp flask-login go-hello isso koa

# cargo, with Clippy's lints for what it compiles.
LINTING := cargo --config .ci/lints.toml

# Tests of the load engine, by name.
ENGINE := engine accuracy bounded_memory generator open_loop

# What tests may leave out, as a list with commas (`testkit::may_skip`): Debian 12 has no JDK of which threads are virtual, its
# kernel is older than what weir wants of io_uring, and networks of their own are root's.
# `make test WEIR_MAY_SKIP=ring,networks` adds what another machine lacks.
OLD_KERNEL := $(shell printf '6.12\n%s\n' "$$(uname -r)" | sort --version-sort --check=quiet || echo ring)
NO_ROOT    := $(shell [ "$$(id -u)" = 0 ] || echo networks)
MAY_SKIP    = jdk-21,$(OLD_KERNEL),$(NO_ROOT),$(WEIR_MAY_SKIP)

.PHONY: test
test: packages ## formatting, lints, every test
	@so_far() { echo "$$(($$(date +%s) - $(BEGUN))) s so far: $$1"; }
	export WEIR_MAY_SKIP="$(MAY_SKIP)"
	# what passed only alone is told once more at the end
	export FLAKY=$$(mktemp)
	trap 'rm -f "$$FLAKY"' EXIT
	cargo fmt --all --check
	# what is fetched does not wait for the compiler
	$(MAKE) deps & deps=$$!
	$(LINTING) test --quiet --locked --workspace --no-run || { kill $$deps 2> /dev/null; exit 1; }
	wait $$deps
	so_far "formatting, lints, everything built, and what it needs"
	(cd $(GUESTBOOK) && .venv/bin/python -m pytest --quiet)
	python3 -m unittest discover --quiet --start-directory bench
	python3 -m unittest discover --quiet --start-directory bench/first-contact
	python3 -m unittest discover --quiet --start-directory bench/trust
	so_far "tests of the benchmark"
	# most tests wait for a window or a start most of the time
	export RUST_TEST_THREADS=$$(($$(nproc) + 1))
	.ci/cargo-test --workspace
	so_far "every test"
	# the load engine over its other event loop, where the kernel has it; of the workspace, as libraries would be compiled anew for less
	said=$$($(BUILT)/debug/examples/engine http://127.0.0.1:1/ -r -n 1 2>&1 || true)
	if ! grep -q "needs io_uring" <<< "$$said"; then
		REACTOR=ring .ci/cargo-test --workspace $(ENGINE:%=--test %)
		so_far "the load engine over its other event loop"
	elif [[ ,$$WEIR_MAY_SKIP, = *,ring,* ]]; then
		echo "NOT TESTED: the load engine over io_uring: $$said"
	else
		echo "error: NOT TESTED: the load engine over io_uring: $$said" >&2
		echo "hint: WEIR_MAY_SKIP=ring leaves it out" >&2
		exit 1
	fi
	# what `weir try --install` asks of registries is its own to choose, so that it cannot be fetched beforehand
	PIP_RETRIES=10 NPM_CONFIG_FETCH_RETRIES=5 QUICK=yes WEIR=$(BUILT)/debug/weir python3 bench/first-contact/walk.py $(WALKED)
	so_far "apps of the first contact"
	$(MAKE) wheel-check
	so_far "a wheel"
	cat "$$FLAKY"

.PHONY: docs
docs: ## write what restates the code in docs/: tables of metrics, doubts and exit codes, and the schema of JSON
	@WEIR_WRITE_DOCS=1 cargo test --quiet --locked --package weir --test all -- tables:: schema::the_schema

.PHONY: lint
lint: packages ## formatting and lints only
	@cargo fmt --all --check
	cargo clippy --locked --workspace --all-targets -- -D warnings

# What is measured has the names of its functions, which it never reads: the same program tells where its time goes.
.PHONY: build-named
build-named: packages
	@CARGO_PROFILE_RELEASE_STRIP=none cargo build --release --locked --bin weir

.PHONY: bench
bench: WANTED += $(APT_PEERS)
bench: packages build-named ## the load engine against its peers, about 20 minutes on a quiet machine; WHAT="small tls" for some of it, OUT=FILE to write elsewhere
	@CARGO_PROFILE_RELEASE_STRIP=none cargo build --release --locked -p load --example engine
	python3 bench/run.py $(WHAT)

.PHONY: floor
floor: build-named ## the picture of what weir takes above a bare loop, in docs/ (after `make bench-peers`)
	@PATH="$(CURDIR)/$(BENCH_DEPS)/bin:$$PATH" python3 bench/floor.py docs/pictures/engine-above-bare-loop.svg

# The field, for `make bench`: what a registry does not have is left out of the table. Nothing of
# this goes anywhere but .deps/bench; Debian's packages are the exception.
APT_PEERS  := wrk:wrk ab:apache2-utils h2load:nghttp2-client taskset:util-linux openssl:openssl perf:linux-perf siege:siege
BENCH_DEPS := .deps/bench
GO_PEERS   := github.com/rakyll/hey@v0.1.5 go.k6.io/k6@v1.8.1 \
              github.com/tsenart/vegeta/v12@v12.13.0 github.com/codesenberg/bombardier@v1.2.6
# Of these a proxy may have this version and no list of all, which `go install` asks for: they are built in a module that requires them.
GO_REQUIRED := github.com/tkuchiki/alp@v1.0.21 github.com/matsuu/kataribe@v0.4.1
GO_BUILT    := github.com/tkuchiki/alp/cmd/alp github.com/matsuu/kataribe
CARGO_PEERS := oha@1.16.0 rewrk@0.3.2 inferno@0.12.8
# gcannon 0.5.3, and liburing 2.5: gcannon wants 2.4, and Debian 12's is 2.3.
GCANNON  := https://github.com/MDA2AV/gcannon 43b30bc24c8cc6aab37dd7d718b47ffb985e6558
LIBURING := https://github.com/axboe/liburing f4e42a515cd78c8c9cac2be14222834be5f8df2b
# zrk 1.4.2, the zio 0.17.0 that it names, and the compiler of both, which PyPI has.
ZRK      := https://github.com/zoxy-io/zrk 87455f2bbe8e0d4eb405af0a7211462145fe58fa
ZIO      := https://github.com/lalinsky/zio 9711d68104946a457f151776000210d8adca3f3e
ZIG      := ziglang==0.16.0

.PHONY: bench-peers
bench-peers: WANTED += $(APT_PEERS) git:git
bench-peers: packages ## install the load generators that `make bench` measures beside weir
	@mkdir -p $(BENCH_DEPS)/bin
	missed=()
	for crate in $(CARGO_PEERS); do
		program=$${crate%@*}
		[ -x $(BENCH_DEPS)/bin/$${program/%inferno/inferno-flamegraph} ] || CARGO_TARGET_DIR=$(BENCH_DEPS)/build \
			cargo install --quiet --locked --root $(BENCH_DEPS) "$$crate" || missed+=("$$crate")
	done
	rm -rf $(BENCH_DEPS)/build
	for module in $(GO_PEERS); do
		GOBIN=$(CURDIR)/$(BENCH_DEPS)/bin go install "$$module" || missed+=("$$module")
	done
	built_go() {
		mkdir -p $(BENCH_DEPS)/go && cd $(BENCH_DEPS)/go && rm -f go.sum \
			&& { printf 'module peers\n\ngo 1.24\n\n' && printf 'require %s %s\n' $(subst @, ,$(GO_REQUIRED)); } > go.mod \
			&& go build -mod=mod -o ../bin/ $(GO_BUILT)
	}
	(built_go) || missed+=($(GO_REQUIRED))
	npm install --loglevel=error --no-fund --no-audit --prefix $(BENCH_DEPS) autocannon@8.0.0 || missed+=(autocannon)
	# a commit of a repository, in a folder of its own
	fetched() { rm -rf "$$1" && git init --quiet "$$1" && git -C "$$1" fetch --quiet --depth 1 "$$2" "$$3" && git -C "$$1" checkout --quiet FETCH_HEAD; }
	built_gcannon() {
		cd $(BENCH_DEPS) && fetched liburing $(LIBURING) && fetched gcannon $(GCANNON) \
			&& (cd liburing && ./configure > /dev/null && make --silent -C src liburing.a) \
			&& C_INCLUDE_PATH=$$PWD/liburing/src/include LIBRARY_PATH=$$PWD/liburing/src make --silent -C gcannon \
			&& mv gcannon/gcannon bin/ && rm -rf liburing gcannon && echo "$(GCANNON) $(LIBURING)" > gcannon.made
	}
	if [ ! -x $(BENCH_DEPS)/bin/gcannon ] || [ "$$(cat $(BENCH_DEPS)/gcannon.made 2> /dev/null)" != "$(GCANNON) $(LIBURING)" ]; then
		(built_gcannon) || missed+=(gcannon)
	fi
	built_zrk() {
		cd $(BENCH_DEPS) && fetched zio $(ZIO) && fetched zrk $(ZRK) && python3 -m venv zig \
			&& zig/bin/python -m pip install --quiet --disable-pip-version-check $(ZIG) \
			&& (cd zrk && ../zig/bin/python -m ziglang build -Doptimize=ReleaseFast --fork=../zio \
				--cache-dir ../zig/cache --global-cache-dir ../zig/cache 2> ../zig/said || { cat ../zig/said >&2; exit 1; }) \
			&& mv zrk/zig-out/bin/zrk bin/ && rm -rf zio zrk zig && echo "$(ZRK) $(ZIO) $(ZIG)" > zrk.made
	}
	if [ ! -x $(BENCH_DEPS)/bin/zrk ] || [ "$$(cat $(BENCH_DEPS)/zrk.made 2> /dev/null)" != "$(ZRK) $(ZIO) $(ZIG)" ]; then
		(built_zrk) || missed+=(zrk)
	fi
	if [ $${#missed[@]} != 0 ]; then echo "note: not installed: $${missed[*]}"; fi

# Web servers that are really used; what is missing of Debian's packages, of Node and of Go is named.
WEB_PEERS := lighttpd:lighttpd h2o:h2o apache2:apache2 haproxy:haproxy caddy:caddy node:nodejs go:golang-go openssl:openssl
.PHONY: peers-check
peers-check: WANTED += $(WEB_PEERS)
peers-check: packages build ## weir against other web servers, every answer compared; WHAT="caddy go" for some
	@python3 bench/peers.py $(WHAT)

# What the apps of others are made with, none of it an app server: this is what their users have.
MADE_WITH := node:nodejs npm:npm go:golang-go ruby:ruby mvn:maven javac:default-jdk-headless \
             php:php8.2-cli
.PHONY: first-contact
first-contact: WANTED += $(MADE_WITH)
first-contact: packages build ## weir as a new user meets it, on twenty apps of others, about an hour; WHAT="isso express" for some
	@WEIR=$(BUILT)/release/weir python3 bench/first-contact/walk.py $(WHAT)
# Of the guestbook under the report's load: whose code takes the CPU time, and how that differs from its development server's. The
# figures go into docs/how-we-measure.md.
.PHONY: pictures
pictures: venv build ## docs/pictures: a profile of the guestbook, and its difference between two stages
	@place=$$(mktemp -d)
	trap 'rm -rf "$$place"' EXIT
	weir="$(BUILT)/release/weir --store $$place/weir.db"
	$$weir profile bench/pictures.toml flask-dev --rate 100 --out "$$place/before" --quiet > /dev/null
	$$weir profile bench/pictures.toml one-worker --rate 100 --out "$$place/after" --diff 1 --json --quiet > "$$place/after.json"
	WEIR=$(BUILT)/release/weir python3 bench/pictures.py "$$place/after.json"
	mkdir -p docs/pictures
	cp "$$place/after/profile.svg" docs/pictures/guestbook.svg
	cp "$$place/after/difference.svg" docs/pictures/guestbook-difference.svg

.PHONY: trust
trust: WANTED += $(MADE_WITH)
trust: packages venv catalogue-deps build ## what weir's verdicts are held to, measured on a quiet machine, by estimate nine hours; MINUTES=60 for an hour that adds to what there is, first where most is lacking, WHAT="stall doubts" for some of it, RUNS=3 for fewer, MORE=yes to add
	@WEIR=$(BUILT)/release/weir python3 bench/trust/trust.py $(WHAT)

# A target of fuzz/src/lib.rs. What cargo fuzz adds to the samples stays out of the repository until
# somebody chooses what is worth keeping.
TIME := 60
FOUND = fuzz/libfuzzer/found/$(TARGET)
.PHONY: fuzz
fuzz: packages ## one parser for TIME seconds: make fuzz TARGET=http1 TIME=60
	@if [ -n "$(TARGET)" ] && cargo +nightly fuzz --version > /dev/null 2>&1; then
		mkdir -p $(FOUND)
		WEIR_FUZZ=$(TARGET) cargo +nightly fuzz run --fuzz-dir fuzz/libfuzzer any \
			$(FOUND) fuzz/corpus/$(TARGET) -- -max_total_time=$(TIME) -max_len=4096
	else
		cargo run --quiet --release --locked --package fuzz -- $(TARGET) $(TIME)
	fi

.PHONY: clean
clean: ## remove everything below this folder that was built, installed, or kept by `make first-contact`
	@cargo clean
	# Go makes the folders of its modules read-only
	[ ! -d .deps ] || chmod -R u+w .deps
	rm -rf .deps $(VENV) report claims-report $(GUESTBOOK)/data apps/articles/data
	rm -rf apps/health/go/health apps/health/java/*.class
	rm -rf catalogue/samples/go/hello catalogue/samples/java/*.class catalogue/samples/servlet/webapp/WEB-INF/classes
	find apps bench -name __pycache__ -prune -exec rm -rf {} +

# What must be there, as PROGRAM:PACKAGE. cc stands for a compiler with its headers (SQLite is
# built from source), which uWSGI needs as well, with Python's headers; venv for a python3 that can
# make virtual environments.
WANTED := nginx:nginx python3:python3
# What the load engine's tests ask besides; Debian 12's PHP.
APP_SERVERS := php-fpm8.2:php8.2-fpm
# Whose command lines and output weir takes over: tests compare.
COMPARED := ab:apache2-utils wrk:wrk
# It says which commit of an app was served: tests make some.
REVISION := git:git

.PHONY: packages
packages:
	@missing=()
	for pair in $(WANTED); do
		command -v "$${pair%%:*}" > /dev/null || missing+=("$${pair##*:}")
	done
	printf '#include <stdio.h>\nint main(void) { return 0; }\n' \
		| cc -x c - -o /dev/null 2> /dev/null || missing+=(gcc libc6-dev)
	python3 -c 'import ensurepip, venv' 2> /dev/null || missing+=(python3-venv)
	python3 -c 'import pathlib, sysconfig; (pathlib.Path(sysconfig.get_path("include")) / "Python.h").stat()' \
		2> /dev/null || missing+=(python3-dev)
	$(call apt-install)

# Installs the packages that are `missing`.
define apt-install
	if [ $${#missing[@]} != 0 ]; then
	install="apt-get install -y --no-install-recommends $${missing[*]}"
	if ! command -v apt-get > /dev/null; then
		echo "error: missing: $${missing[*]} (Debian's names), and there is no apt-get to install them with" >&2
		exit 1
	fi
	if [ "$$(id -u)" = 0 ]; then
		root="env"
	elif sudo -n true 2> /dev/null; then
		root="sudo -n env"
	else
		echo "error: missing: $${missing[*]}" >&2
		echo "hint: this needs root once: sudo apt-get update && sudo $$install" >&2
		exit 1
	fi
	echo "installing $${missing[*]}"
	# with -j others may be at it too: one after the other
	mkdir -p .deps
	exec 9> .deps/apt.lock
	flock 9
	# weir needs the programs only: Debian asks this file whether it may start their services
	policy=/usr/sbin/policy-rc.d
	if [ ! -e $$policy ] || [ "$$(sed -n 2p $$policy)" = '# weir' ]; then
		trap "$$root rm -f $$policy" EXIT
		# one that is left behind forbids nothing once this make is gone
		printf '#!/bin/sh\n# weir\ngrep -qs policy-rc.d /proc/%s/cmdline && exit 101\nexit 0\n' $$$$ | $$root tee $$policy > /dev/null
		$$root chmod +x $$policy
	fi
	# what a package starts does not get the lock
	$$root apt-get update -qq 9>&-
	$$root DEBIAN_FRONTEND=noninteractive $$install 9>&-
	if [ -e $$policy ] && [ "$$(sed -n 2p $$policy)" = '# weir' ]; then $$root rm -f $$policy; fi
	trap - EXIT
	exec 9>&-
	if [ -d /run/systemd/system ]; then
		echo "note: Debian starts services of these packages when the machine does; to keep them from that: systemctl disable NAME"
	fi
	fi
endef

# Everything in the catalogue that Debian 12 has, or its package managers: what CI starts for real.
CATALOGUE      := catalogue/deps
CATALOGUE_VENV := .deps/catalogue
.PHONY: catalogue-deps
catalogue-deps: packages ## install every app server and front end of the catalogue
	@missing=()
	for package in $$(cat $(CATALOGUE)/debian.txt); do
		dpkg-query --show --showformat '$${Status}' "$$package" 2> /dev/null | grep -q ' installed$$' \
			|| missing+=("$$package")
	done
	$(call apt-install)
	maven=$$(getent passwd "$$(id -u)" | cut -d: -f6)/.m2/repository
	while IFS=: read -r group name version; do
		[ -f "$$maven/$${group//.//}/$$name/$$version/$$name-$$version.jar" ] || mvn --quiet --batch-mode \
			--strict-checksums dependency:get -Dtransitive=false -Dartifact="$$group:$$name:$$version" < /dev/null
	done < $(CATALOGUE)/maven.txt
	if cmp -s $(CATALOGUE)/python.txt $(CATALOGUE_VENV)/requirements.txt && $(CATALOGUE_VENV)/bin/python -c '' 2> /dev/null; then
		exit 0
	fi
	rm -rf $(CATALOGUE_VENV)
	python3 -m venv $(CATALOGUE_VENV)
	$(CATALOGUE_VENV)/bin/python -m pip install --quiet --disable-pip-version-check \
		--requirement $(CATALOGUE)/python.txt
	cp $(CATALOGUE)/python.txt $(CATALOGUE_VENV)/requirements.txt

# The requirements are copied in last, so a venv that was interrupted or is out of date is made anew;
# so is one whose interpreter is gone.
.PHONY: venv
venv: packages
	@if cmp -s $(GUESTBOOK)/requirements.txt $(VENV)/requirements.txt \
		&& $(VENV)/bin/python -c 'import flask, sqlalchemy, gunicorn, gevent, tornado, pytest' 2> /dev/null; then
		exit 0
	fi
	rm -rf $(VENV)
	python3 -m venv $(VENV)
	$(VENV)/bin/python -m pip install --quiet --disable-pip-version-check \
		--requirement $(GUESTBOOK)/requirements.txt
	cp $(GUESTBOOK)/requirements.txt $(VENV)/requirements.txt

# Apps of others that `weir try` must serve as they are: PROGRAM:PACKAGE, and gems that `rails new` asks for.
APPS       := crates/weir/tests/apps
APP_TOOLS  := npm:npm go:golang-go bundle:ruby-bundler rails:ruby-railties
APP_GEMS   := ruby-rails ruby-sqlite3 ruby-byebug puma
.PHONY: foreign-apps
foreign-apps: WANTED += $(APP_TOOLS)
foreign-apps: packages
	@if cat $(APPS)/*.sh $(APPS)/requirements.txt | cmp -s - .deps/apps/made-by && .deps/apps/python/bin/python -c '' 2> /dev/null; then
		exit 0
	fi
	missing=()
	for package in $(APP_GEMS); do
		dpkg-query --show --showformat '$${Status}' "$$package" 2> /dev/null | grep -q ' installed$$' \
			|| missing+=("$$package")
	done
	$(call apt-install)
	$(APPS)/fetch.sh .deps/apps

# App servers that the load engine's tests speak to; uWSGI is compiled, which takes half a minute.
.PHONY: peers
peers: WANTED += $(APP_SERVERS)
peers: packages
	@if cmp -s $(PEERS)/requirements.txt $(PEER_VENV)/requirements.txt \
		&& $(PEER_VENV)/bin/python -c 'import flup, websockets' 2> /dev/null \
		&& $(PEER_VENV)/bin/uwsgi --version > /dev/null 2>&1; then
		exit 0
	fi
	rm -rf $(PEER_VENV)
	python3 -m venv $(PEER_VENV)
	$(PEER_VENV)/bin/python -m pip install --quiet --disable-pip-version-check \
		--requirement $(PEERS)/requirements.txt
	cp $(PEERS)/requirements.txt $(PEER_VENV)/requirements.txt
