# shellcheck shell=bash
# Shared by the scripts beside it; not run by itself.

say() { printf '\033[1m%s\033[0m\n' "$*"; }

# install_missing COMMAND=PACKAGE...: installs the Debian package of each command that is not there.
install_missing() {
    local missing=() pair
    for pair in "$@"; do
        command -v "${pair%%=*}" >/dev/null 2>&1 || missing+=("${pair#*=}")
    done
    install_packages "${missing[@]}"
}

# install_missing_libraries LIBRARY=PACKAGE...: the same for libraries that the window opens at run time.
install_missing_libraries() {
    local missing=() known pair
    known=$(ldconfig -p)
    for pair in "$@"; do
        case "$known" in *"${pair%%=*}"*) ;; *) missing+=("${pair#*=}") ;; esac
    done
    install_packages "${missing[@]}"
}

# What the window needs: X11 or Wayland; what draws comes with install_drawing.
need_window_libraries() {
    install_missing_libraries libX11.so.6=libx11-6 libX11-xcb.so.1=libx11-xcb1 libxcb.so.1=libxcb1 \
        libXcursor.so.1=libxcursor1 libXi.so.6=libxi6 libXrandr.so.2=libxrandr2 libxkbcommon.so.0=libxkbcommon0 \
        libxkbcommon-x11.so.0=libxkbcommon-x11-0 libwayland-client.so.0=libwayland-client0
}

# install_packages PACKAGE...: installs these Debian packages, or says which to install elsewhere.
install_packages() {
    [ "$#" -eq 0 ] && return
    if ! command -v apt-get >/dev/null 2>&1; then
        say "Please install with your system's package manager: $*"
        exit 2
    fi
    local as_root=()
    [ "$(id -u)" -eq 0 ] || as_root=(sudo)
    say "Installing $*"
    "${as_root[@]}" apt-get update -qq
    DEBIAN_FRONTEND=noninteractive "${as_root[@]}" apt-get install -y -qq --no-install-recommends "$@"
}

# install_drawing: what draws pictures where there is no graphics card; both are opened only when the program runs.
install_drawing() {
    local missing=() driver
    # Not grep -q: it would stop reading early, and pipefail would count that as an error.
    ldconfig -p 2>/dev/null | grep 'libvulkan\.so\.1' >/dev/null || missing+=(libvulkan1)
    for driver in /usr/share/vulkan/icd.d/*.json /etc/vulkan/icd.d/*.json; do
        [ -e "$driver" ] && break
    done
    [ -e "$driver" ] || missing+=(mesa-vulkan-drivers)
    install_packages "${missing[@]}"
}

need_rust() {
    command -v cargo >/dev/null 2>&1 && return
    say "Kinfolk is built with Rust 1.95 or newer: see https://rustup.rs, then run this again."
    exit 2
}

# need_program: KINFOLK is the program to try; where it names none, the release build, built first.
need_program() {
    local repository
    repository=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
    if [ -z "${KINFOLK:-}" ]; then
        need_rust
        cargo build --release --locked --manifest-path "$repository/Cargo.toml"
        KINFOLK=${CARGO_TARGET_DIR:-$repository/target}/release/kinfolk
    fi
    KINFOLK=$(realpath "$KINFOLK")
    export KINFOLK
}

# need_python NAME PACKAGE...: python is one with these packages from PyPI, in a cache folder of that name. PYTHON names the
# one that it is made of.
need_python() {
    local cache=${XDG_CACHE_HOME:-$HOME/.cache}/kinfolk/$1
    shift
    if [ ! -f "$cache/ready" ]; then
        rm -rf "$cache"
        "${PYTHON:-python3}" -m venv "$cache"
        "$cache/bin/pip" install --quiet "$@"
        touch "$cache/ready"
    fi
    python=$cache/bin/python
}

# need_blender: python is one in which Blender is a module; it is made for Python 3.11 alone, and takes about 400 MB.
need_blender() {
    PYTHON=${PYTHON:-python3.11} need_python blender-4.2.0 'bpy==4.2.0'
}

# development_clips PATH...: those of these files and folders of the development set that lie beside the repository, one per
# line.
development_clips() {
    local data path
    data=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)/../shared/data
    for path in "$@"; do
        if [ -e "$data/$path" ]; then echo "$data/$path"; fi
    done
}

# started: the processes that end_started ends.
started=()
end_started() {
    [ "${#started[@]}" -eq 0 ] || kill "${started[@]}" 2>/dev/null || true
}

# open_screen SIZE: DISPLAY is a new screen without a monitor, 1280x800 for example.
open_screen() {
    local number
    install_missing Xvfb=xvfb
    for number in $(seq 100 599); do
        [ -e "/tmp/.X11-unix/X$number" ] || break
    done
    Xvfb ":$number" -screen 0 "$1x24" >/dev/null 2>&1 &
    started+=($!)
    until_true 20 test -e "/tmp/.X11-unix/X$number"
    export DISPLAY=":$number"
    unset WAYLAND_DISPLAY WAYLAND_SOCKET
}

# until_true SECONDS COMMAND...: waits until it succeeds; an error if it never does.
until_true() {
    local deadline=$((SECONDS + $1))
    shift
    until "$@" >/dev/null 2>&1; do
        [ "$SECONDS" -lt "$deadline" ] || { echo "never: $*" >&2; return 1; }
        sleep 0.2
    done
}
