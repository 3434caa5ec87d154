#!/usr/bin/env bash
# Renews the pictures of the README and of the guide's first part, from the demo project of the release build.
#
#   packaging/pictures.sh [PICTURE...]
#
# Starts the window in an empty home folder under Xvfb, opens one workspace after the other by its keys and takes a picture
# of each: library, variation, pose, sequence, path, study, crowd, tour, light. characters is drawn by kinfolk render. With
# names, only these are taken. Needs Xvfb, xdotool and imagemagick; without a graphics card, Mesa's software driver. The same
# build gives the same motions; the frames that are seen depend on the moment.
set -euo pipefail
cd "$(dirname "$0")/.."
. packaging/common.sh
install_missing Xvfb=xvfb xdotool=xdotool import=imagemagick
program=${KINFOLK:-$PWD/target/release/kinfolk}
out=$PWD/resources/pictures
if [ $# -eq 0 ]; then
    bash "$0" tour
    set -- library variation pose sequence path study crowd characters
fi
wanted=" $* "
home=$(mktemp -d)
number=$((100 + RANDOM % 400))
Xvfb ":$number" -screen 0 1440x900x24 >/dev/null 2>&1 &
screen=$!
trap 'kill "$window" "$screen" 2>/dev/null || true; rm -rf "$home"' EXIT
export DISPLAY=":$number" HOME="$home" XDG_RUNTIME_DIR="$home" XDG_CONFIG_HOME="$home/c" XDG_DATA_HOME="$home/d"
unset WAYLAND_DISPLAY WAYLAND_SOCKET
until xdotool getmouselocation >/dev/null 2>&1; do sleep 0.2; done
# The tour is for a picture of its own.
if [ "$wanted" != " tour " ]; then
    mkdir -p "$XDG_DATA_HOME/kinfolk"
    printf '{"preferences":"(has_started:true)"}' > "$XDG_DATA_HOME/kinfolk/app.ron"
fi
"$program" 2>"$home/log" &
window=$!
id=
until id=$(xdotool search --onlyvisible --name ' - Kinfolk$' 2>/dev/null | head -1) && [ -n "$id" ]; do
    kill -0 "$window" || { cat "$home/log"; exit 1; }
    sleep 0.5
done
xdotool windowsize "$id" 1440 900 windowmove "$id" 0 0 windowfocus "$id"
take() {
    case "$wanted" in *" $1 "*) ;; *) return ;; esac
    import -window root -depth 8 "$home/$1.png"
    convert "$home/$1.png" -resize 1280x800 -strip -colors 256 "$out/$1.png"
    echo "$out/$1.png"
}
key() { xdotool key --clearmodifiers "$1"; sleep "${2:-1}"; }
# palette WORDS: does the action of this name.
palette() { key ctrl+p 1; xdotool type --delay 30 "$1"; sleep 1; key Return "${2:-1}"; }

# Everything that the demo shows is made in the background; nothing tells the end outside but rest.
sleep "${KINFOLK_SETTLE_SECS:-40}"
take tour
[ "$wanted" != " tour " ] || exit 0
key ctrl+2 6
take variation
key ctrl+3 6
take pose
key ctrl+4 10
take sequence
key ctrl+5 6
take study
key ctrl+1 3
take library
case "$wanted" in *" characters "*)
    "$program" demo --motions --out "$home/demo" --quiet
    (cd "$home/demo/clips" && "$program" render walk_01.bvh front_kick_01.bvh throw_01.bvh cheer_01.bvh dodge_01.bvh \
        --out "$home/characters.png" --size 1280x560 --quiet)
    cp "$home/characters.png" "$out/characters.png" ;;
esac
