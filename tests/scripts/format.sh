#!/usr/bin/env bash
# Every tracked C++ file is as clang-format writes it. format.sh CHECKOUT
set -euo pipefail
cd -- "$1"
git rev-parse --is-inside-work-tree >/dev/null 2>&1 || { echo "skipped: no git checkout"; exit 77; }
command -v clang-format-14 >/dev/null || { echo "skipped: clang-format-14 is not installed"; exit 77; }
git ls-files -z --cached --others --exclude-standard -- '*.cpp' '*.h' |
    while IFS= read -r -d '' file; do [[ -f "$file" ]] && printf '%s\0' "$file"; done |
    xargs -0 -r clang-format-14 --dry-run -Werror
