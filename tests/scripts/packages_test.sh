#!/usr/bin/env bash
# Every package of the list is one that Debian has, listed once and with a reason. packages_test.sh CHECKOUT
set -euo pipefail
source "$1/cmake/install-packages.sh"
command -v apt-cache >/dev/null || { echo "skipped: no apt here"; exit 77; }
[[ -n "$(apt-cache show --no-all-versions coreutils 2>/dev/null)" ]] || { echo "skipped: no package lists"; exit 77; }

status=0
seen=" "
count=0
mapfile -t names < <(packages_of warm check | cut -d ' ' -f 1)
there=" $(apt-cache show --no-all-versions -- "${names[@]}" 2>/dev/null | sed -n 's/^Package: //p' | tr '\n' ' ')"
while read -r name why; do
    count=$((count + 1))
    [[ "$seen" != *" $name "* ]] || { echo "listed twice: $name"; status=1; }
    [[ -n "$why" ]] || { echo "no reason given: $name"; status=1; }
    [[ "$there" == *" $name "* ]] || { echo "no such package: $name"; status=1; }
    seen+="$name "
done < <(packages_of warm check)
((count > 10)) || { echo "only $count packages were read from the list"; status=1; }
exit "$status"
