#!/usr/bin/env bash
# What the launcher ccache costs and pays for kernels, and what a null run costs: the sample scenes in a temporary copy,
# each case three times, the fastest counts. Prints seconds and ratios of one run on one machine.
#
# usage: tests/bench/launcher.sh [PROGRAM]      (default build/a2a3sim/bin/scene-kernels)
set -euo pipefail
root="$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." && pwd -P)"
program="$(realpath -- "${1-$root/build/a2a3sim/bin/scene-kernels}")"
work="$(mktemp -d)"
trap 'chmod -R u+w -- "$work"; rm -rf -- "$work"' EXIT
cp -r -- "$root/kernels" "$work/kernels"
export CCACHE_DIR="$work/ccache"
cd -- "$work"

seconds() {  # runs the command, prints how long it took
    local start end
    start="$(date +%s%N)"
    "$@" > "$work/log" 2>&1 || { cat "$work/log" >&2; exit 1; }
    end="$(date +%s%N)"
    echo $((end - start)) | awk '{printf "%.2f", $1 / 1e9}'
}
warm() { "$program" warm --quiet --sdk kernels/sdk/scene.sdk.json --source-root . --launcher "$1" kernels/scenes; }
fresh() { chmod -R u+w build 2>/dev/null || true; rm -rf build; }
edit_comment() { sed -i "1s|^|// $RANDOM$RANDOM\n|" kernels/sdk/include/kernel.h; }
least() { printf '%s\n' "$@" | sort -g | head -n 1; }

measure() {  # NAME BEFORE... -- ; three rounds of: BEFORE, then a timed warm with each launcher
    local name="$1" prepare="$2" launcher round
    for launcher in none ccache; do
        local times=()
        for round in 1 2 3; do
            "$prepare" "$launcher"
            times+=("$(seconds warm "$launcher")")
        done
        printf '%-46s %-7s %8s s\n' "$name" "$launcher" "$(least "${times[@]}")"
    done
}
cold_empty() { fresh; rm -rf "$CCACHE_DIR"; }
cold_filled() { fresh; }
comment_edit() { warm "$1" > /dev/null; edit_comment; }
nothing() { warm "$1" > /dev/null; }

measure "cold, ccache empty" cold_empty
measure "store lost, ccache filled" cold_filled
measure "comment in a header that all kernels read" comment_edit
measure "nothing to do" nothing
