# Installs what is missing of the packages in debian-packages.txt; sourced by `warm` and `check`.
#
# install_packages SECTION...: says what is missing and why, then installs it without asking anything. Starts one
# dpkg-query and nothing else where everything is there. Returns 1, with the command to run, where it may not install.

packages_file="${BASH_SOURCE[0]%/*}/debian-packages.txt"

# Prints "NAME WHY" for each package of the given sections.
packages_of() {
    local wanted=" $* " section="" name="" why=""
    while read -r name why; do
        case "$name" in
            '' | '#'*) ;;
            '['*']') section="${name:1:-1}" ;;
            *) [[ "$wanted" == *" $section "* ]] && printf '%s %s\n' "$name" "$why" ;;
        esac
    done <"$packages_file"
}

# Runs its arguments as root. Fails without running them where that would need a password and nobody can be asked.
as_root() {
    if [[ "$(id -u)" == 0 ]]; then
        "$@"
    elif command -v sudo >/dev/null && { sudo -n true 2>/dev/null || [[ -t 0 ]]; }; then
        sudo "$@"
    else
        return 126
    fi
}

install_packages() {
    local name why status
    local -a names=() missing=()
    local -A reasons=() installed=()
    while read -r name why; do
        names+=("$name")
        reasons[$name]="$why"
    done < <(packages_of "$@")

    if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
        printf 'note: this is no Debian system; make sure yourself that these are there: %s\n' "${names[*]}" >&2
        return 0
    fi
    while read -r name status; do
        [[ "$status" == installed ]] && installed[$name]=1
    done < <(dpkg-query -W -f '${Package} ${db:Status-Status}\n' "${names[@]}" 2>/dev/null)
    for name in "${names[@]}"; do
        [[ -n "${installed[$name]:-}" ]] || missing+=("$name")
    done
    ((${#missing[@]})) || return 0

    printf 'Installing %d missing package(s):\n' "${#missing[@]}"
    for name in "${missing[@]}"; do
        printf '  %-22s %s\n' "$name" "${reasons[$name]}"
    done
    local -a install=(apt-get install -y --no-install-recommends "${missing[@]}")
    if as_root env DEBIAN_FRONTEND=noninteractive apt-get update -q </dev/null &&
        as_root env DEBIAN_FRONTEND=noninteractive "${install[@]}" </dev/null; then
        return 0
    fi
    printf 'error: could not install the packages above; run this as root, then try again:\n' >&2
    printf '  apt-get update && %s\n' "${install[*]}" >&2
    return 1
}
