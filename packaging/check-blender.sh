#!/usr/bin/env bash
# Converts clips with kinfolk, opens them in Blender and compares every joint with kinfolk's own positions.
#
#   packaging/check-blender.sh [CLIP...]
#
# Blender comes as a Python module (about 400 MB) into a cache folder of its own; Python 3.11 must be there. KINFOLK
# names a program that is built already. Without clips, demo motions and some of the development set beside the
# repository are taken. Ends with 1 if a joint is somewhere else.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/common.sh"
need_blender
need_program

out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
clips=("$@")
if [ ${#clips[@]} -eq 0 ]; then
    "$KINFOLK" demo --motions --out "$out/demo" --quiet
    mapfile -t clips < <(development_clips walk_full/35_01.bvh \
        odd_bvh/{mixed_rotation_orders_27j,rokoko_60j,no_end_sites_4j}.bvh)
    clips+=("$out"/demo/clips/{walk,front_kick}_01.bvh)
fi
# With the preset, Y is up in all three formats, whatever it was in the clip.
"$KINFOLK" convert "${clips[@]}" --out "$out/out" --format bvh,gltf,csv --preset blender --quiet
"$python" "$here/check_blender.py" "$out/out"
