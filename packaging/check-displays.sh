#!/usr/bin/env bash
# Opens the window on every kind of display that can be had here, each in an empty home folder, and looks at what is seen.
#
#   packaging/check-displays.sh [FOLDER]
#
# X11 (Xvfb) at scales 1, 1.25 and 2; Wayland (headless Weston) at scales 1 and 2; Vulkan that cannot be found, so that
# OpenGL has to do; a Wayland compositor that is not there, so that X11 has to do; and no display at all, which has to be
# said in words. Pictures go to FOLDER, by default target/displays. KINFOLK names a program that is built already. Ends
# with 1 at the first that fails.
set -euo pipefail
cd "$(dirname "$0")/.."
. packaging/common.sh
install_missing xdotool=xdotool import=imagemagick weston=weston
install_drawing
need_window_libraries
need_program
mkdir -p "${1:-target/displays}"
out=$(cd "${1:-target/displays}" && pwd)
work=$(mktemp -d)
chmod 700 "$work"
trap 'end_started; rm -rf "$work"' EXIT
unset WGPU_BACKEND WAYLAND_SOCKET XDG_DATA_HOME XDG_CONFIG_HOME
export XDG_RUNTIME_DIR=$work
"$KINFOLK" demo --motions --out "$work/demo" --quiet
clip=$work/demo/clips/walk_01.bvh

# open VARIABLE=VALUE...: starts the window in these surroundings; $window is its process, $work/log what it says.
open() {
    local home
    home=$(mktemp -d -p "$work")
    env HOME="$home" "$@" "$KINFOLK" "$clip" 2>"$work/log" &
    window=$!
    started+=("$window")
}
# An empty screen has one colour, panels without the 3D view about two thousand.
is_drawn() {
    "$@" && [ "$(identify -format %k "$picture")" -gt 6000 ]
}
shoot_x11() { import -window root "$picture"; }
# Weston's own tool writes to the folder where it is started, under a name with the time.
shoot_wayland() {
    (cd "$work" && rm -f wayland-screenshot-*.png && WAYLAND_DISPLAY=$socket weston-screenshooter) &&
        mv "$work"/wayland-screenshot-*.png "$picture"
}
# seen WHAT COMMAND...: waits until COMMAND makes a $picture with something on it, and closes the window.
seen() {
    local what=$1
    shift
    if ! until_true 90 is_drawn "$@" || ! kill -0 "$window"; then
        echo "$what: nothing is seen; it said:"
        cat "$work/log"
        exit 1
    fi
    # The window of a second attempt is a child of the first.
    pkill -P "$window" || true
    kill "$window" 2>/dev/null || true
    wait "$window" 2>/dev/null || true
    echo "$what: seen, $(identify -format '%wx%h' "$picture"); it said: $(head -c 300 "$work/log" | tr '\n' ' ')"
}

open_screen 2560x1600
for scale in 1 1.25 2; do
    picture=$out/x11-$scale.png
    open WINIT_X11_SCALE_FACTOR="$scale"
    seen "X11, scale $scale" shoot_x11
done
picture=$out/x11-opengl.png
open VK_ICD_FILENAMES=/none VK_DRIVER_FILES=/none
seen "X11 without Vulkan" shoot_x11
picture=$out/x11-without-wayland.png
open WAYLAND_DISPLAY=kinfolk-none
seen "Wayland that is not there, then X11" shoot_x11
unset DISPLAY
for scale in 1 2; do
    socket=kinfolk-$scale
    weston --backend=headless-backend.so --use-pixman --debug --socket="$socket" --width=2560 --height=1600 \
        --scale="$scale" --no-config >"$work/weston-$scale.log" 2>&1 &
    started+=($!)
    until_true 20 test -S "$work/$socket"
    picture=$out/wayland-$scale.png
    open WAYLAND_DISPLAY="$socket"
    seen "Wayland, scale $scale" shoot_wayland
done
if env HOME="$work" "$KINFOLK" 2>"$work/log"; then
    echo "no display: it ended well, and should not have"
    exit 1
fi
echo "no display: $(tail -1 "$work/log")"
echo "Pictures are in $out."
