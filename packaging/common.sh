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
