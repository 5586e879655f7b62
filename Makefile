# The front door: everything a visitor types. The build itself is CMakeLists.txt.
BUILD ?= build
DEB_BUILD ?= $(BUILD)/deb
PREFIX ?= /usr/local
FUZZ_SECONDS ?= 60
JOBS ?= $(shell nproc 2>/dev/null || echo 2)
# Options for CMake: make CMAKE_ARGS="-DCMAKE_BUILD_TYPE=Debug -DPTOG_THREADS=OFF"
CMAKE_ARGS ?=

# The flags of this make are not for whatever CMake builds with.
CMAKE_BUILD = MAKEFLAGS=--no-print-directory cmake --build $(BUILD) --parallel $(JOBS)
# tests/cxx/forms.cpp is about the ways to write a launch
C_FILES = $(shell find include src tool tests fuzz bench examples -name '*.[ch]' -o -name '*.[ch]pp' ! -name forms.cpp)

SOFTMAX := examples/kernels/softmax

.PHONY: all demo check test test-all test-rest test-mpi test-web playground serve python bench bench-docs tune bench-mpi bench-python ab bench-peers bench-plots soak install uninstall deb clean format docs docs-site update messages abi fuzz corpus mutate setup setup-mpi help

all: $(BUILD)/CMakeCache.txt
	@$(if $(CMAKE_ARGS),cmake -S . -B $(BUILD) --log-level=WARNING $(CMAKE_ARGS) >/dev/null)
	@$(CMAKE_BUILD)

$(BUILD)/CMakeCache.txt:
	@cmake/setup.sh --check build
	@cmake -S . -B $(BUILD) $$(command -v ninja >/dev/null && echo -G Ninja) --log-level=WARNING $(CMAKE_ARGS)

demo:
	@cmake/setup.sh build
	@$(MAKE) --no-print-directory -s $(BUILD)/CMakeCache.txt
	@$(CMAKE_BUILD) --target example_demo ptog >$(BUILD)/demo.log || { cat $(BUILD)/demo.log; exit 1; }
	@$(BUILD)/examples/demo
	@printf '\nA whole kernel: softmax over rows, in which a tile is given back to the loads too early.\n\n'
	@printf '  $$ ptog run $(SOFTMAX)/wrong.pto --target a5 --quiet\n'
	@$(BUILD)/ptog run $(SOFTMAX)/wrong.pto --target a5 --quiet; test $$? = 1
	@printf '\nAs it should be, it is clean for all timings; loads and stores run while the vector unit computes:\n\n'
	@printf '  $$ ptog run $(SOFTMAX)/pipelined.pto --target a5 --quiet --stats\n'
	@$(BUILD)/ptog run $(SOFTMAX)/pipelined.pto --target a5 --quiet --stats

# The tests in three tiers, each with those above it: tests/stages.txt says which stage is where. test-rest is test-all without test.
check:
	@python=$$(cmake/setup.sh test) && "$$python" tests/run.py --tier check

test:
	@python=$$(cmake/setup.sh test) && "$$python" tests/run.py --tier test

test-all:
	@python=$$(cmake/setup.sh test) && "$$python" tests/run.py --tier all

test-rest:
	@python=$$(cmake/setup.sh test) && "$$python" tests/run.py --tier all --rest

# libptog_mpi, with every MPI that is installed: make setup-mpi installs Open MPI, and with MPI=mpich MPICH.
test-mpi: all
	@command -v mpicc >/dev/null || { echo "make test-mpi: there is no mpicc; 'make setup-mpi' installs one" >&2; exit 1; }
	@python=$$(cmake/setup.sh test) && "$$python" tests/mpi/run.py --build $(BUILD)

# The Python package, in an environment of its own, with all its tests.
python:
	@cmake/setup.sh build
	@python=$$(cmake/setup.sh test) && "$$python" tests/python/run.py --build $(BUILD)/python/cmake

install: all
	@cmake --install $(BUILD) --prefix "$(PREFIX)"

# What the last `make install` into PREFIX put there.
uninstall:
	@cmake -DBUILD=$(BUILD) -DPREFIX="$(PREFIX)" -P cmake/uninstall.cmake

# A Debian package, in build/: of a build of its own.
deb:
	@cmake/setup.sh --check deb
	@cmake -S . -B $(DEB_BUILD) $$(command -v ninja >/dev/null && echo -G Ninja) --log-level=WARNING -DPTOG_MPI=OFF $(CMAKE_ARGS) >/dev/null
	@MAKEFLAGS=--no-print-directory cmake --build $(DEB_BUILD) --parallel $(JOBS)
	@mkdir -p $(BUILD) && cd $(BUILD) && log=$$(mktemp) && \
		cpack -G DEB --config "$(abspath $(DEB_BUILD))/CPackConfig.cmake" -B package >$$log 2>&1 || { cat $$log; exit 1; }; rm -f $$log
	@mv $(BUILD)/package/*.deb $(BUILD)/ && rm -rf -- "$(BUILD)/package" && ls $(BUILD)/*.deb

clean:
	rm -rf -- "$(BUILD)"

format:
	@command -v clang-format >/dev/null || { echo "make format: clang-format is not installed" >&2; exit 1; }
	clang-format -i $(C_FILES)

# What the documents have that is generated and kept: transcripts, drawings, timelines, and pictures, which a browser makes.
docs: all
	@$(CMAKE_BUILD) --target example_demo
	@python=$$(cmake/setup.sh pictures) && "$$python" tests/meta/docs.py --build $(BUILD) --update && \
		"$$python" tests/trace/run.py --ptog $(BUILD)/ptog --pictures && "$$python" docs/site/pictures.py --ptog $(BUILD)/ptog && \
		"$$python" tests/readme/run.py --build $(BUILD) --update

# A web site of the documents, with a page for every rule, header and Python name: build/site/html/index.html.
docs-site: all
	@python=$$(cmake/setup.sh docs) && "$$python" docs/site/stage.py --build $(BUILD) --out $(BUILD)/site
	@echo "$(BUILD)/site/html/index.html"

# Everything that is kept and generated: transcripts, reports, outputs of examples, and what `make docs` writes.
update: all
	@$(CMAKE_BUILD) --target example_demo
	@python=$$(cmake/setup.sh test) && "$$python" tests/update.py --build $(BUILD)

# Every message that this project can print, each with an example.
messages:
	@python3 tests/messages.py

# The ABI of the public headers against tests/abi/libptog.abi; tests/abi/run.py --update keeps the new one.
abi:
	@cmake/setup.sh abi
	@python3 tests/abi/run.py

fuzz:
	@cmake/setup.sh test >/dev/null && tests/fuzz.sh $(FUZZ_SECONDS)

bench: all
	@$(CMAKE_BUILD) --target bench_machine bench_gather bench_checks bench_elementwise bench_bag bench_scatter bench_sort bench_product >$(BUILD)/bench.log || { cat $(BUILD)/bench.log; exit 1; }
	@python=$$(cmake/setup.sh test) && "$$python" bench/gather.py --lib $(BUILD)/bench --csv $(BUILD)/bench/gather.csv \
		--json $(BUILD)/bench/gather.json
	@$(BUILD)/bench/bench_checks
	@$(BUILD)/bench/bench_machine
	@python=$$(cmake/setup.sh test) && "$$python" bench/elementwise.py --lib $(BUILD)/bench
	@python=$$(cmake/setup.sh test) && "$$python" bench/bag.py --lib $(BUILD)/bench
	@python=$$(cmake/setup.sh test) && "$$python" bench/scatter.py --lib $(BUILD)/bench
	@python=$$(cmake/setup.sh test) && "$$python" bench/sort.py --lib $(BUILD)/bench
	@python=$$(cmake/setup.sh test) && "$$python" bench/product.py --lib $(BUILD)/bench
	@python=$$(cmake/setup.sh test) && "$$python" bench/cold_table.py --ptog $(BUILD)/ptog --place $(BUILD)/bench
	@python=$$(cmake/setup.sh test) && "$$python" bench/check_speed.py --ptog $(BUILD)/ptog
	@python=$$(cmake/setup.sh test) && "$$python" bench/cpp_speed.py --build $(BUILD) $(if $(PEER),--peer "$(PEER)") $(if $(PEER_CXX),--peer-compiler "$(PEER_CXX)")

# The row of src/kernel/tune.def that is best here: PTOG_TUNE=$(BUILD)/tune.txt uses it.
tune: all
	@$(CMAKE_BUILD) --target bench_tune >$(BUILD)/bench.log || { cat $(BUILD)/bench.log; exit 1; }
	@$(BUILD)/bench/bench_tune $(BUILD)/tune.txt

# The tables and the picture of docs/explanation/performance*.md, measured anew: about four minutes, on a quiet machine.
bench-docs: all
	@$(CMAKE_BUILD) --target bench_gather bench_checks >$(BUILD)/bench.log || { cat $(BUILD)/bench.log; exit 1; }
	@python=$$(cmake/setup.sh test) && "$$python" bench/gather.py --lib $(BUILD)/bench --grid --json $(BUILD)/bench/gather.json
	@$(BUILD)/bench/bench_checks | tee $(BUILD)/bench/checks.txt
	@python=$$(cmake/setup.sh test) && "$$python" bench/cold_table.py --ptog $(BUILD)/ptog --place $(BUILD)/bench | tee $(BUILD)/bench/cold.txt
	@python=$$(cmake/setup.sh test) && "$$python" bench/document.py $(BUILD)/bench/gather.json $(BUILD)/bench/checks.txt $(BUILD)/bench/cold.txt

# Tables over MPI; QUIET="chrt -f 1" on a machine that has other work, as root.
bench-mpi: all
	@command -v mpicc >/dev/null || { echo "make bench-mpi: there is no mpicc; 'make setup-mpi' installs one" >&2; exit 1; }
	@python=$$(cmake/setup.sh test) && "$$python" bench/mpi.py --build $(BUILD) --quiet "$(QUIET)"

# Is this tree slower than OLD at anything? AB has further options: --quick, --only WORD, --rounds N.
OLD ?= HEAD
ab:
	@cmake/setup.sh --check build
	@python3 bench/ab.py "$(OLD)" $(AB)

# What Python adds to a gather.
bench-python:
	@cmake/setup.sh build
	@python=$$(cmake/setup.sh test) && \
		installed=$$("$$python" tests/python/run.py --build $(BUILD)/python/cmake --install) && "$$installed" bench/python_speed.py

# What the benchmark compares with, and the plots of docs/explanation/performance-method.md.
bench-peers:
	@cmake/setup.sh bench

bench-plots: all
	@$(CMAKE_BUILD) --target bench_gather >$(BUILD)/bench.log || { cat $(BUILD)/bench.log; exit 1; }
	@python=$$(cmake/setup.sh bench) && "$$python" bench/gather.py --lib $(BUILD)/bench --no-works --sweeps \
		--json $(BUILD)/bench/sweeps.json && "$$python" bench/plots.py $(BUILD)/bench/sweeps.json docs/img

soak:
	@python=$$(cmake/setup.sh test) && "$$python" tests/soak.py

# Programs of public repositories: make corpus DIR=..., and what came out of it is in docs/explanation/corpus.md.
corpus: all
	@test -n "$(DIR)" || { echo "make corpus: give DIR=, a folder with .pto files" >&2; exit 1; }
	@python=$$(cmake/setup.sh test) && "$$python" tests/corpus/run.py "$(DIR)" --ptog $(BUILD)/ptog

# The report page and the playground in headless Chromium; skipped where that is not installed. Screenshots are in $(BUILD)/web.
test-web: all
	@python=$$(cmake/setup.sh test) && package=$$("$$python" tests/python/run.py --build $(BUILD)/python/cmake --install | tail -n 1) && \
		"$$python" tests/web/run.py --ptog $(BUILD)/ptog --shots $(BUILD)/web --playground $(BUILD)/playground --python "$$package"

# The playground: static files that also work opened from disk. The command as WebAssembly, and CodeMirror of npm around it.
PORT ?= 8000
playground:
	@cmake/setup.sh --check playground || { echo "make playground: as root, 'cmake/setup.sh playground' installs them" >&2; exit 1; }
	@python3 playground/make.py --build $(BUILD)
	@echo "$(BUILD)/playground/index.html"

serve: playground
	@echo "http://127.0.0.1:$(PORT)/"
	@python3 -m http.server --bind 127.0.0.1 --directory $(BUILD)/playground $(PORT)

mutate:
	@python=$$(cmake/setup.sh test) && "$$python" tests/mutate/rules.py && "$$python" tests/mutate/formulas.py

setup:
	@cmake/setup.sh build

# Installs an MPI, and has the build find it.
MPI ?= openmpi
setup-mpi:
	@MPI=$(MPI) cmake/setup.sh mpi
	@$(MAKE) --no-print-directory -s $(BUILD)/CMakeCache.txt
	@cmake -S . -B $(BUILD) --log-level=WARNING -U 'MPI_*' -DPTOG_MPICC=$$(command -v mpicc.$(MPI) || command -v mpicc) >/dev/null

help:
	@echo "make            build/ptog, build/ptog-cxx, build/libptog.so, build/libptog.a"
	@echo "make demo       one gather on every target, a race found and repaired, a whole kernel"
	@echo "make check      a gcc build, unit tests, programs and the command: what finds most mistakes"
	@echo "make test       the tests to run before a commit is sent, with sanitizers; the last line says how many passed and failed"
	@echo "make test-all   every test: clang, thread sanitizer, everything again with sanitizers"
	@echo "make test-mpi   tables over MPI: make setup-mpi first (MPI=mpich for the other one)"
	@echo "make test-web   the report page and the playground in headless Chromium, with screenshots in build/web"
	@echo "make playground a page to try kernels in a browser: build/playground/index.html; make serve serves it on 127.0.0.1"
	@echo "make python     the Python package and its tests, in build/python"
	@echo "make install    PREFIX=/usr/local, DESTDIR= for packages"
	@echo "make uninstall  takes away what was installed into PREFIX"
	@echo "make deb        a Debian package, build/ptogather_*.deb"
	@echo "make docs       regenerate the transcripts and pictures of README.md and docs/"
	@echo "make docs-site  the documents as a web site: build/site/html/index.html"
	@echo "make update     rewrite every transcript, report, expected output and generated page"
	@echo "make messages   every message template, each with an example"
	@echo "make abi        do the headers keep the ABI that programs were built with?"
	@echo "make format     clang-format"
	@echo "make fuzz       each fuzz target for FUZZ_SECONDS=60"
	@echo "make bench      how fast gathers, the machine and ptog check are"
	@echo "make bench-docs    the same, into the tables and pictures of docs/explanation/performance*.md"
	@echo "make tune       measure which kernels are best here: build/tune.txt, for PTOG_TUNE"
	@echo "make ab OLD=rev    is this tree slower than revision rev at anything? (AB=--quick)"
	@echo "make bench-mpi     gathers over MPI, next to what MPI itself takes"
	@echo "make bench-python  what the Python package adds to a gather"
	@echo "make bench-peers   install numpy and torch, which bench compares with"
	@echo "make bench-plots   measure and draw the plots of docs/explanation/performance-method.md"
	@echo "make soak       the random tests, much longer, with new seeds"
	@echo "make corpus     try every .pto file below DIR=..."
	@echo "make mutate     break each rule and each formula on purpose and see that a test notices"
	@echo "make setup-mpi  install Open MPI (apt-get, root), and build libptog_mpi from then on"
	@echo "make setup      install what the build needs (apt-get, root)"
	@echo "make clean      remove build/"
	@echo
	@echo "CMAKE_ARGS=-D... are passed on to CMake: make CMAKE_ARGS=-DCMAKE_BUILD_TYPE=Debug"
	@echo "make demo and make test install what they need and do not find, with apt-get, as root."
