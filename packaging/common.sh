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

# What the window needs: X11 or Wayland, and Vulkan with a software driver for computers without a graphics card.
need_window_libraries() {
    install_missing_libraries libX11.so.6=libx11-6 libX11-xcb.so.1=libx11-xcb1 libxcb.so.1=libxcb1 \
        libXcursor.so.1=libxcursor1 libXi.so.6=libxi6 libXrandr.so.2=libxrandr2 libxkbcommon.so.0=libxkbcommon0 \
        libxkbcommon-x11.so.0=libxkbcommon-x11-0 libwayland-client.so.0=libwayland-client0 \
        libvulkan.so.1=libvulkan1 libvulkan_lvp.so=mesa-vulkan-drivers
}

# install_packages PACKAGE...: installs Debian packages; none is fine.
install_packages() {
    local missing=("$@")
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
