#!/usr/bin/env bash
# Renews the pictures of the window in README and guide, from the demo project of the release build.
#
#   packaging/pictures.sh [FOLDER]
#
# Starts the window in an empty home folder under Xvfb, waits until the demo is ready, opens one workspace after the other by
# its tab, and takes a picture of each (library, variation, pose, sequence, study) into FOLDER, by default
# resources/pictures. Needs Xvfb, xdotool and imagemagick; without a graphics card, Mesa's software driver. KINFOLK is
# another program than the release build, KINFOLK_SETTLE_SECS how long the demo may take.
set -euo pipefail
cd "$(dirname "$0")/.."
. packaging/common.sh
install_missing Xvfb=xvfb xdotool=xdotool import=imagemagick
program=${KINFOLK:-$PWD/target/release/kinfolk}
out=${1:-resources/pictures}
mkdir -p "$out"
home=$(mktemp -d)
chmod 700 "$home"
number=$((100 + RANDOM % 400))
Xvfb ":$number" -screen 0 1280x800x24 >/dev/null 2>&1 &
pids=($!)
trap 'kill "${pids[@]}" 2>/dev/null || true; rm -rf "$home"' EXIT
export DISPLAY=":$number" HOME="$home" XDG_RUNTIME_DIR="$home"
unset WAYLAND_DISPLAY WAYLAND_SOCKET XDG_DATA_HOME XDG_CONFIG_HOME
# Not the first start: no tour.
mkdir -p "$home/.local/share/kinfolk"
printf '{"preferences":"(has_started:true)"}' > "$home/.local/share/kinfolk/app.ron"
sleep 2
"$program" 2>"$home/log" &
pids+=($!)
# Nothing tells from outside when everything is made.
sleep "${KINFOLK_SETTLE_SECS:-40}"
# Where the tabs are, from the left.
for tab in variation:383 pose:450 sequence:520 study:593 library:300; do
    xdotool mousemove "${tab#*:}" 14 click 1
    sleep 11
    import -window root -strip "$out/${tab%:*}.png"
    echo "$out/${tab%:*}.png"
done
