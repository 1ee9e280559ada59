#!/usr/bin/env bash
# Runs clang-tidy over files of the project. tidy.sh CHECKOUT BUILD [FILE...]
# Without FILE: every source that BUILD compiles. BUILD must hold a compile_commands.json.
set -euo pipefail
build="$(cd -- "$2" && pwd -P)"
cd -- "$1"
files=("${@:3}")
if ((${#files[@]} == 0)); then
    mapfile -d '' files < <(git ls-files -z --cached --others --exclude-standard -- 'generator/*.cpp' 'runtime/*.cpp' 'tests/*.cpp')
fi
# A file that is not compiled here (another build's, or data of a test) has no command to check it with.
compiled=()
for file in "${files[@]}"; do
    grep -qF "$file\"" "$build/compile_commands.json" && compiled+=("$file")
done
printf '%s\0' "${compiled[@]}" | xargs -0 -r -n 1 -P "$(nproc)" clang-tidy-14 -p "$build" --quiet
