# The front door: everything a visitor types. The build itself is CMakeLists.txt.
BUILD ?= build
PREFIX ?= /usr/local
FUZZ_SECONDS ?= 60
JOBS ?= $(shell nproc 2>/dev/null || echo 2)

# The flags of this make are not for whatever CMake builds with.
CMAKE_BUILD = MAKEFLAGS=--no-print-directory cmake --build $(BUILD) --parallel $(JOBS)
C_FILES = $(shell find include src tool tests fuzz bench examples -name '*.[ch]' 2>/dev/null)

.PHONY: all demo test bench soak install clean format docs fuzz mutate setup help

all: $(BUILD)/CMakeCache.txt
	@$(CMAKE_BUILD)

$(BUILD)/CMakeCache.txt:
	@cmake/setup.sh --check build
	@cmake -S . -B $(BUILD) $$(command -v ninja >/dev/null && echo -G Ninja) --log-level=WARNING

demo:
	@cmake/setup.sh build
	@$(MAKE) --no-print-directory -s $(BUILD)/CMakeCache.txt
	@$(CMAKE_BUILD) --target example_demo >$(BUILD)/demo.log || { cat $(BUILD)/demo.log; exit 1; }
	@$(BUILD)/examples/demo

test:
	@python=$$(cmake/setup.sh test) && "$$python" tests/run.py

install: all
	@cmake --install $(BUILD) --prefix "$(PREFIX)"

clean:
	rm -rf -- "$(BUILD)"

format:
	@command -v clang-format >/dev/null || { echo "make format: clang-format is not installed" >&2; exit 1; }
	clang-format -i $(C_FILES)

# What is generated and kept in the repository: the rule pages, and the screen of output in README.md.
docs: all
	@$(CMAKE_BUILD) --target example_demo
	@python=$$(cmake/setup.sh test) && "$$python" tests/meta/docs.py --build $(BUILD) --update

fuzz:
	@cmake/setup.sh test >/dev/null && tests/fuzz.sh $(FUZZ_SECONDS)

bench: all
	@$(CMAKE_BUILD) --target bench_machine >$(BUILD)/bench.log || { cat $(BUILD)/bench.log; exit 1; }
	@$(BUILD)/bench/bench_machine
	@python=$$(cmake/setup.sh test) && "$$python" bench/check_speed.py --ptog $(BUILD)/ptog

soak:
	@python=$$(cmake/setup.sh test) && "$$python" tests/soak.py

mutate:
	@python=$$(cmake/setup.sh test) && "$$python" tests/mutate/mutate.py

setup:
	@cmake/setup.sh build

help:
	@echo "make            build/ptog, build/libptog.so, build/libptog.a"
	@echo "make demo       one gather on every target, in a second"
	@echo "make test       every test; the last line says how many passed and failed"
	@echo "make install    PREFIX=/usr/local, DESTDIR= for packages"
	@echo "make docs       regenerate docs/rules.md and the screen in README.md"
	@echo "make format     clang-format"
	@echo "make fuzz       each fuzz target for FUZZ_SECONDS=60"
	@echo "make bench      how fast the machine and ptog check are"
	@echo "make soak       the random tests, much longer, with new seeds"
	@echo "make mutate     break each rule on purpose and see that a test notices"
	@echo "make setup      install what the build needs (apt-get, root)"
	@echo "make clean      remove build/"
	@echo
	@echo "make demo and make test install what they need and do not find, with apt-get, as root."
