#!/usr/bin/env bash
# Converts clips with kinfolk, opens the BVH files with readers from PyPI and compares every joint with kinfolk's own
# positions.
#
#   packaging/check-bvh.sh [CLIP...]
#
# The readers (pybvh, upc-pymotion, bvhsdk) come into a cache folder of their own. KINFOLK names a program that is built
# already. Without clips, motions that kinfolk makes itself, variants of them, and some of the development set beside the
# repository are taken. Ends with 1 if a joint is somewhere else.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/common.sh"
need_python bvh-readers pybvh upc-pymotion bvhsdk
need_program

out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
clips=("$@")
if [ ${#clips[@]} -eq 0 ]; then
    "$KINFOLK" demo --motions --out "$out/demo" --quiet
    "$KINFOLK" learn "$out"/demo/clips/walk_0[1-4].bvh --out "$out/walk.ron" --quiet
    "$KINFOLK" vary "$out/walk.ron" --count 3 --out "$out/variants" --quiet
    mapfile -t clips < <(development_clips odd_bvh asf_amc)
    clips+=("$out"/demo/clips/{jab,wave,squat}_01.bvh "$out"/variants/*.bvh)
fi
"$KINFOLK" convert "${clips[@]}" --out "$out/out" --format bvh,csv --quiet
"$python" "$here/check_bvh.py" "$out/out"
