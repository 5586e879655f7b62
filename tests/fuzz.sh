#!/bin/sh
# Builds the libFuzzer targets with clang and runs each for a while: tests/fuzz.sh SECONDS [TARGET...]
# New inputs go to build/fuzz/corpus/TARGET. To keep the useful ones:
#   build/fuzz/fuzz/TARGET -merge=1 fuzz/corpus/TARGET build/fuzz/corpus/TARGET
set -eu
cd "$(dirname "$0")/.."
seconds=${1:-60}
[ $# -eq 0 ] || shift
[ $# -gt 0 ] || set -- $(ls fuzz/*.c 2>/dev/null | sed 's|.*/||; s|\.c$||')
if [ $# -eq 0 ]; then
    echo "fuzz: there is no target in fuzz/*.c" >&2
    exit 1
fi
cmake -S . -B build/fuzz -G Ninja -DCMAKE_C_COMPILER=clang -DPTOG_FUZZ=ON --log-level=WARNING
cmake --build build/fuzz
for target in "$@"; do
    mkdir -p "build/fuzz/corpus/$target" "build/fuzz/found/$target"
    kept=fuzz/corpus/$target
    [ -d "$kept" ] || kept=
    words=
    case $target in parse | roundtrip | check | run | repair) words=-dict=fuzz/text.dict ;; esac
    echo "fuzz: $target, $seconds seconds"
    "build/fuzz/fuzz/$target" -max_total_time="$seconds" -timeout=10 -print_final_stats=1 $words \
        -artifact_prefix="build/fuzz/found/$target/" "build/fuzz/corpus/$target" $kept
done
