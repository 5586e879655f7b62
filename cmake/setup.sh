#!/bin/sh
# Looks for what is needed, and installs what is missing with apt-get. When nothing is missing, apt-get is not called.
#
#   cmake/setup.sh [--check] build    what `make` needs
#   cmake/setup.sh [--check] test     what `make check`, `make test` and `make test-all` need and can use; prints the python3 that has numpy
#   cmake/setup.sh [--check] deb      what `make deb` needs
#   cmake/setup.sh [--check] bench    what `make bench` compares with: numpy and torch; prints that python3
#   cmake/setup.sh [--check] mpi      an MPI: Open MPI, or with MPI=mpich MPICH
#   cmake/setup.sh [--check] abi      what `make abi` needs: libabigail
#   cmake/setup.sh [--check] docs     what `make docs-site` needs: Sphinx and Doxygen; prints the python3 that has Sphinx
#   cmake/setup.sh [--check] pictures what `make docs` needs for pictures: Chromium, its driver, and what the playground needs
#   cmake/setup.sh [--check] wasm     what the command as WebAssembly needs: clang, lld, wasi-libc; and Node.js, which runs it
#   cmake/setup.sh [--check] playground what `make playground` needs: the same, and npm
#
# --check only says what is missing. Everything else this script says goes to stderr.
set -u

have() {
    command -v "$1" >/dev/null 2>&1
}

has_header() {
    echo "#include <$1>" | "${CC:-cc}" -E - >/dev/null 2>&1
}

# Sanitizers and libFuzzer come in a package of their own, named after clang's version.
clang_runtime() {
    ls "$(clang -print-runtime-dir 2>/dev/null)"/libclang_rt.fuzzer*.a >/dev/null 2>&1
}

clang_major() {
    clang -dumpversion 2>/dev/null | cut -d. -f1
}

# The first python3 that can import a module: there may be several, and the first in PATH is not always the one.
python_with() {
    old_ifs=$IFS
    dirs=$PATH:/usr/bin
    IFS=:
    for dir in $dirs; do
        if [ -x "$dir/python3" ] && "$dir/python3" -c "import $1" >/dev/null 2>&1; then
            IFS=$old_ifs
            echo "$dir/python3"
            return 0
        fi
    done
    IFS=$old_ifs
    return 1
}

missing_for_build() {
    have "${CC:-cc}" || echo gcc
    has_header stdio.h || echo libc6-dev
    have cmake || echo cmake
    have ninja || have make || echo ninja-build
}

missing_for_test() {
    missing_for_build
    have gcc || echo gcc
    have g++ || echo g++
    have ninja || echo ninja-build
    have clang || echo clang
    clang_runtime || echo "libclang-rt-$(clang_major | grep . || echo 14)-dev"
    have pkg-config || echo pkg-config
    has_header cmocka.h || echo libcmocka-dev
    have groff || echo groff-base
    python_with numpy >/dev/null || echo python3 python3-numpy
}

missing_for_deb() {
    missing_for_build
    have dpkg-deb || echo dpkg
    have dpkg-shlibdeps || echo dpkg-dev
}

missing_for_abi() {
    have "${CC:-cc}" || echo gcc
    has_header stdio.h || echo libc6-dev
    have abidiff || echo abigail-tools
    have python3 || echo python3
}

missing_for_docs() {
    missing_for_build
    have doxygen || echo doxygen
    python_with sphinx,myst_parser,furo,breathe,cffi,numpy >/dev/null ||
        echo python3-sphinx python3-myst-parser furo python3-breathe python3-cffi python3-numpy
}

missing_for_pictures() {
    missing_for_test
    missing_for_playground
    have chromium || have chromium-browser || have google-chrome || echo chromium fonts-dejavu-core
    have chromedriver || echo chromium-driver
    python_with numpy,selenium >/dev/null || echo python3-selenium
}

# clang's library for WebAssembly has the name of its version.
missing_for_wasm() {
    have cmake || echo cmake
    have ninja || echo ninja-build
    have clang || echo clang
    have wasm-ld || echo lld
    [ -f /usr/include/wasm32-wasi/stdio.h ] || echo wasi-libc
    ls "$(clang -print-resource-dir 2>/dev/null)"/lib/wasi/libclang_rt.builtins-wasm32.a >/dev/null 2>&1 ||
        echo "libclang-rt-$(clang_major | grep . || echo 14)-dev-wasm32"
    have node || echo nodejs
}

missing_for_playground() {
    missing_for_wasm
    have npm || echo npm
    have python3 || echo python3
}

missing_for_mpi() {
    missing_for_build
    case "${MPI:-openmpi}" in
    mpich) have mpicc.mpich || echo mpich libmpich-dev ;;
    *) have mpicc.openmpi || echo openmpi-bin libopenmpi-dev ;;
    esac
}

# What the tests of the Python package and of the files for CI use, one group to a line. Where it cannot be had, they are skipped.
python_parts() {
    python_with numpy,cffi,pytest,setuptools,wheel,pip >/dev/null ||
        echo python3-cffi python3-pytest python3-setuptools python3-wheel python3-pip
    python_with numpy,mypy >/dev/null || echo python3-mypy
    python_with numpy,nbclient,ipykernel >/dev/null || echo python3-nbclient python3-ipykernel
    python_with numpy,yaml >/dev/null || echo python3-yaml
}

# Packages that help and are not needed: nothing that goes wrong here is an error, and it does not take for ever.
install_if_possible() {
    if [ -z "$(python_parts)" ] || ! have apt-get || ! have timeout || [ "$(id -u)" -ne 0 ]; then
        return 0
    fi
    export DEBIAN_FRONTEND=noninteractive
    timeout 60 apt-get -o Acquire::Retries=0 -o Acquire::http::Timeout=10 update >/dev/null 2>&1
    python_parts | while read -r group; do
        echo "setup: installing $group, for tests" >&2
        timeout 300 apt-get -o Acquire::Retries=0 -o Acquire::http::Timeout=10 install -y --no-install-recommends \
            $group >/dev/null 2>&1 </dev/null || echo "setup: they cannot be had: what needs them is skipped" >&2
    done
}

missing_for_bench() {
    missing_for_build
    have gcc || echo gcc
    have clang || echo clang
    python_with numpy,torch >/dev/null || echo python3 python3-numpy python3-torch
}

missing() {
    echo $("missing_for_$set" | tr ' ' '\n' | sort -u)
}

install() {
    command="apt-get install -y --no-install-recommends $packages"
    if ! have apt-get; then
        echo "setup: missing: $packages" >&2
        echo "setup: there is no apt-get here; please install them (these are their Debian names) and try again" >&2
        exit 1
    fi
    if [ "$(id -u)" -ne 0 ]; then
        echo "setup: missing: $packages" >&2
        echo "setup: not root; please run, as root: $command" >&2
        exit 1
    fi
    echo "setup: installing $packages" >&2
    log=$(mktemp)
    export DEBIAN_FRONTEND=noninteractive
    if ! { apt-get update && $command; } >"$log" 2>&1; then
        tail -n 20 "$log" >&2
        echo "setup: '$command' failed: see above (is there a network?)" >&2
        rm -f "$log"
        exit 1
    fi
    rm -f "$log"
}

check=no
if [ "${1-}" = --check ]; then
    check=yes
    shift
fi
case "${1-}" in
build | test | deb | bench | mpi | abi | docs | pictures | wasm | playground) set=$1 ;;
*)
    echo "usage: cmake/setup.sh [--check] build|test|deb|bench|mpi|abi|docs|pictures|wasm|playground" >&2
    exit 2
    ;;
esac

packages=$(missing)
if [ -n "$packages" ] && [ $check = yes ]; then
    echo "setup: missing: $packages" >&2
    echo "setup: 'make setup' installs what the build needs, 'make test' what the tests need (as root)" >&2
    exit 1
fi
if [ -n "$packages" ]; then
    install
    packages=$(missing)
    if [ -n "$packages" ]; then
        echo "setup: still missing after installation: $packages" >&2
        exit 1
    fi
fi
case $set in
test)
    if [ $check = no ]; then
        install_if_possible
    fi
    python_with numpy,cffi,pytest,setuptools,wheel,pip,yaml || python_with numpy,cffi,pytest,setuptools,wheel,pip || python_with numpy
    ;;
bench) python_with numpy,torch ;;
docs) python_with sphinx,myst_parser,furo,breathe,cffi,numpy ;;
pictures) python_with numpy,selenium ;;
esac
