#!/usr/bin/env bash
# What install_packages does, with recording stand-ins for apt-get, dpkg-query, id and sudo. install_test.sh CHECKOUT
set -uo pipefail
work="$(mktemp -d)"
trap 'rm -rf -- "$work"' EXIT
mkdir "$work/bin" "$work/copy of it"
cp -- "$1/cmake/install-packages.sh" "$work/copy of it/"
printf '%s\n' '# text' '[warm]' 'alpha  does a' 'beta   does b, and  more' '' '[check]' 'gamma  does c' \
    >"$work/copy of it/debian-packages.txt"

stand_in() { printf '#!/bin/bash\n%s\n' "$2" >"$work/bin/$1" && chmod +x "$work/bin/$1"; }
stand_in apt-get 'echo "apt-get $*" >>"$LOG"; echo "frontend $DEBIAN_FRONTEND" >>"$LOG"; [[ -z "${APT_FAILS:-}" ]]'
stand_in dpkg-query 'echo dpkg-query >>"$LOG"; for p in $INSTALLED; do echo "$p installed"; done
echo "alpha config-files"; echo "dpkg-query: no packages found" >&2; exit 1'
stand_in id 'echo "${USER_ID:-0}"'
stand_in sudo 'echo "sudo $*" >>"$LOG"; [[ "${SUDO_WORKS:-}" ]] || exit 1; [[ "$1" == -n ]] && shift; "$@"'

failures=0
# run NAME SECTIONS...: calls install_packages with the stand-ins; sets out, log and status.
run() {
    : >"$work/log"
    out="$(cd / && LOG="$work/log" PATH="$work/bin:$PATH" bash -c \
        'set -euo pipefail; source "$0"; install_packages "$@"' "$work/copy of it/install-packages.sh" "$@" 2>&1 </dev/null)"
    status=$?
    log="$(cat "$work/log")"
}
expect() {
    if ! eval "$2"; then
        printf 'failed: %s\n  expected: %s\n  status: %s\n  output: %s\n  log: %s\n' "$1" "$2" "$status" "$out" "$log"
        failures=$((failures + 1))
    fi
}

INSTALLED="alpha beta" run warm
expect "everything is there" '[[ $status == 0 && -z "$out" && "$log" == dpkg-query ]]'

export INSTALLED="beta"
run warm
expect "says what and why" '[[ $status == 0 && "$out" == *"1 missing package"*alpha*"does a"* && "$out" != *beta* ]]'
expect "updates, then installs, asking nothing" '[[ "$log" == *"apt-get update"*"frontend noninteractive"*"apt-get install -y --no-install-recommends alpha"*"frontend noninteractive" ]]'
expect "as root without sudo" '[[ "$log" != *sudo* ]]'
run warm check
expect "both sections" '[[ "$log" == *"alpha gamma"* ]]'

SUDO_WORKS=1 USER_ID=1000 run warm
expect "through sudo" '[[ $status == 0 && "$log" == *"sudo env DEBIAN_FRONTEND=noninteractive apt-get install"* ]]'
USER_ID=1000 run warm
expect "sudo would ask" '[[ $status == 1 && "$log" != *apt-get* && "$out" == *"apt-get update && apt-get install -y --no-install-recommends alpha"* ]]'
APT_FAILS=1 run warm
expect "apt-get fails" '[[ $status == 1 && "$out" == *"could not install"* ]]'

exit $((failures != 0))
