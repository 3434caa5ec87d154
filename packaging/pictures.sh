#!/usr/bin/env bash
# Renews the pictures of README and guide.
#
#   packaging/pictures.sh [FOLDER]
#
# Into FOLDER, by default resources/pictures: the window, led as the guide says and drawn by the test `guide`; what commands
# draw; and the page for raters, in Chromium. All of it from kinfolk's own motions, without a screen; without a graphics
# card, Mesa's software driver. KINFOLK is a program that is built already. Pictures of the pages on quality that are of
# real clips are not made here: the pages say how they were.
set -euo pipefail
cd "$(dirname "$0")/.."
. packaging/common.sh
install_missing convert=imagemagick chromium=chromium
install_drawing
need_program
mkdir -p "${1:-resources/pictures}"
out=$(cd "${1:-resources/pictures}" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/out"

say "The window"
KINFOLK_PICTURES=$work/out cargo test --locked --test guide

say "What commands draw"
kinfolk() { "$KINFOLK" "$@" --quiet >/dev/null; }
cd "$work"
kinfolk demo --motions --out demo
kinfolk style learn demo/clips/throw_0[1-5].bvh --out throws.ron
for hand in 130 116 102 89 75; do
    kinfolk pose throws.ron --out "drag/$hand.bvh" \
        --handle RightHand=-20,$hand,60 --handle LeftFoot=10,9,15 --handle RightFoot=-10,9,-30
done
kinfolk render drag/130.bvh drag/116.bvh drag/102.bvh drag/89.bvh drag/75.bvh --out out/pose-drag.png --size 1280x536
kinfolk style learn demo/clips/throw_0[1-4].bvh --out four.ron
kinfolk convert demo/clips/throw_05.bvh --out keys --format csv
awk -F, 'NR == 1 || ($1 % 8 == 0 && $2 ~ /^(LeftFoot|RightFoot|RightHand)$/)' keys/throw_05.csv > keys.csv
kinfolk keyframe four.ron keys.csv --out throw.bvh --fps 60
kinfolk render throw.bvh --out out/pose-throw.png --size 1280x536

say "The page for raters"
kinfolk learn demo/clips/walk_0[1-4].bvh --out walk.ron
kinfolk vary walk.ron --count 8 --out made
kinfolk study make --experiment natural --variants made --real demo/clips/walk_{0,1}?.bvh --out study --title Walks
# As a rater sees it: the name given, the first motion running.
cat >> study/page/index.html <<'HTML'
<script>
const rater = document.getElementById("rater");
rater.value = "Ada";
rater.oninput();
document.getElementById("begin").requestSubmit();
</script>
HTML
chromium --headless --no-sandbox --disable-gpu --hide-scrollbars --window-size=1280,860 --virtual-time-budget=900 \
    --user-data-dir="$work/browser" --screenshot="$work/out/study-page.png" "file://$work/study/page/index.html" 2>/dev/null

say "Made small"
for picture in out/*.png; do
    convert "$picture" -strip -dither FloydSteinberg -colors 256 "PNG8:$out/$(basename "$picture")"
    echo "$out/$(basename "$picture")"
done
