#!/usr/bin/env bash
# How `warm` and `check` take their arguments, and that they name the presets that there are. arguments_test.sh CHECKOUT
set -uo pipefail
failures=0
expect() {
    local what="$1" wanted_status="$2" wanted="$3"
    shift 3
    local out status
    out="$(cd / && "$@" 2>&1 </dev/null)"
    status=$?
    if [[ "$status" != "$wanted_status" || "$out" != *"$wanted"* ]]; then
        printf 'failed: %s\n  expected %s: %s\n  got %s: %s\n' "$what" "$wanted_status" "$wanted" "$status" "$out"
        failures=$((failures + 1))
    fi
}

expect "help" 0 "usage: ./warm [PLATFORM]" "$1/warm" --help
expect "help" 0 "usage: ./check [PRESET...]" "$1/check" --help
expect "misspelt platform" 2 'unknown platform "a3a2sim"; did you mean "a2a3sim"? (valid: a2a3sim a5sim a2a3 a5)' \
    "$1/warm" a3a2sim
expect "far-off platform" 2 'unknown platform "gpu" (valid:' "$1/warm" gpu
expect "two names in one" 2 'unknown platform' "$1/warm" "a2a3sim a5sim"
expect "empty platform" 2 'unknown platform ""' "$1/warm" ""
expect "two platforms" 2 "usage:" "$1/warm" a5 a2a3
expect "unknown preset" 2 'unknown preset "a5" (valid: dev asan tsan fuzz)' "$1/check" a5

# What `check` runs, with stand-ins that note how they are called; the one for ctest fails for the preset fuzz.
work="$(mktemp -d)"
trap 'rm -rf -- "$work"' EXIT
stand_in() { printf '#!/bin/bash\n%s\n' "$2" >"$work/$1" && chmod +x "$work/$1"; }
stand_in cmake 'echo "cmake $*"'
stand_in ctest 'echo "ctest $*"; [[ "$*" != *fuzz* ]]'
stand_in dpkg-query 'for word; do echo "$word installed"; done'
stand_in nproc 'echo 3'
steps_of() {
    printf 'cmake --preset %s\ncmake --build --preset %s --parallel 3\nctest --preset %s --parallel 3\n' "$1" "$1" "$1"
}
expect "first the fuzz targets, then all tests" 1 "$(steps_of fuzz)"$'\n'"$(steps_of dev)" env PATH="$work:$PATH" "$1/check"
expect "the presets that are asked for" 0 "$(steps_of asan)"$'\n'"$(steps_of dev)" \
    env PATH="$work:$PATH" "$1/check" asan dev

presets_of() { cmake --list-presets=build | sed -n 's/^  "\([^"]*\)".*/\1/p' | sort | tr '\n' ' '; }
named="$(sed -n 's/^platforms=(\(.*\))$/\1/p' "$1/warm") $(sed -n 's/^known=(\(.*\))$/\1/p' "$1/check")"
there="$(cd -- "$1" && presets_of)"
named="$(tr ' ' '\n' <<<"$named" | sort | tr '\n' ' ')"
if [[ "$named" != "$there" ]]; then
    printf 'failed: the scripts name the presets %s, CMakePresets.json has %s\n' "$named" "$there"
    failures=$((failures + 1))
fi
exit $((failures != 0))
