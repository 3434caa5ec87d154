#!/usr/bin/env bash
# Opens the window on every kind of display there is here and looks whether it stays, each in an empty home folder.
#
#   packaging/check-displays.sh [FOLDER]
#
# X11 (Xvfb) at scales 1, 1.25 and 2; Wayland (headless Weston) at scales 1 and 2; Vulkan that cannot be found, so that
# OpenGL has to do; and no display at all, which has to be said in words. Pictures of X11 go to FOLDER. Ends with 1 at the
# first that fails.
set -euo pipefail
cd "$(dirname "$0")/.."
. packaging/common.sh
install_missing Xvfb=xvfb import=imagemagick weston=weston
program=${KINFOLK:-$PWD/target/release/kinfolk}
out=${1:-target/displays}
mkdir -p "$out"
work=$(mktemp -d)
chmod 700 "$work"
pids=()
trap 'kill "${pids[@]}" 2>/dev/null || true; rm -rf "$work"' EXIT
unset DISPLAY WAYLAND_DISPLAY WAYLAND_SOCKET WGPU_BACKEND
export XDG_RUNTIME_DIR=$work
"$program" demo --motions --out "$work/demo" --quiet

number=$((600 + RANDOM % 300))
Xvfb ":$number" -screen 0 2560x1600x24 >/dev/null 2>&1 &
pids+=($!)
# stays WHAT PICTURE VARIABLE=VALUE...: starts the window in these surroundings; whether it is there after a while.
stays() {
    local what=$1 picture=$2 home=$work/home$RANDOM pid
    shift 2
    mkdir -p "$home"
    env HOME="$home" XDG_DATA_HOME="$home" XDG_CONFIG_HOME="$home" "$@" "$program" "$work/demo/clips/walk_01.bvh" \
        2>"$work/log" &
    pid=$!
    sleep "${KINFOLK_SETTLE_SECS:-15}"
    if ! kill -0 "$pid" 2>/dev/null; then
        echo "$what: closed"; cat "$work/log"; return 1
    fi
    [ -z "$picture" ] || DISPLAY=":$number" import -window root "$out/$picture.png"
    kill "$pid"
    wait "$pid" 2>/dev/null || true
    echo "$what: stays; it said: $(tr '\n' ' ' < "$work/log" | cut -c1-200)"
}
for scale in 1 1.25 2; do
    stays "X11, scale $scale" "x11-$scale" DISPLAY=":$number" WINIT_X11_SCALE_FACTOR="$scale"
done
stays "X11 without Vulkan" x11-gl DISPLAY=":$number" VK_ICD_FILENAMES=/none VK_DRIVER_FILES=/none
for scale in 1 2; do
    weston --backend=headless-backend.so --socket="kinfolk-$scale" --width=2560 --height=1600 --scale="$scale" --no-config \
        >"$work/weston-$scale.log" 2>&1 &
    pids+=($!)
    sleep 3
    stays "Wayland, scale $scale" "" WAYLAND_DISPLAY="kinfolk-$scale"
done
stays "Wayland that is not there, then X11" x11-fallback WAYLAND_DISPLAY=kinfolk-none DISPLAY=":$number"
if env HOME="$work" "$program" 2>"$work/log"; then
    echo "no display: it ended well, and should not have"; exit 1
fi
echo "no display: $(tail -1 "$work/log")"
