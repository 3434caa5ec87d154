# Shared by the scripts beside it; not run by itself.

say() { printf '\033[1m%s\033[0m\n' "$*"; }

# install_missing COMMAND=PACKAGE...: installs the Debian package of each command that is not there.
install_missing() {
    local missing=() pair
    for pair in "$@"; do
        command -v "${pair%%=*}" >/dev/null 2>&1 || missing+=("${pair#*=}")
    done
    [ "${#missing[@]}" -eq 0 ] && return
    if ! command -v apt-get >/dev/null 2>&1; then
        say "Please install with your system's package manager: ${missing[*]}"
        exit 2
    fi
    local as_root=()
    [ "$(id -u)" -eq 0 ] || as_root=(sudo)
    say "Installing ${missing[*]}"
    "${as_root[@]}" apt-get update -qq
    DEBIAN_FRONTEND=noninteractive "${as_root[@]}" apt-get install -y -qq --no-install-recommends "${missing[@]}"
}

need_rust() {
    command -v cargo >/dev/null 2>&1 && return
    say "Kinfolk is built with Rust 1.95 or newer: see https://rustup.rs, then run this again."
    exit 2
}
