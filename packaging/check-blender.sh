#!/usr/bin/env bash
# Converts clips with kinfolk, opens them in Blender and compares every joint with kinfolk's own positions.
#
#   packaging/check-blender.sh [CLIP...]
#
# Blender comes as a Python module (about 400 MB) into a cache folder of its own; Python 3.11 must be there. KINFOLK
# names a program that is built already. Without clips, some of the development set beside the repository are taken.
# Ends with 1 if a joint is somewhere else.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
repository=$(dirname "$here")

clips=("$@")
if [ ${#clips[@]} -eq 0 ]; then
    data=$repository/../shared/data
    for clip in walk_full/35_01.bvh odd_bvh/mixed_rotation_orders_27j.bvh odd_bvh/rokoko_60j.bvh odd_bvh/no_end_sites_4j.bvh; do
        [ -f "$data/$clip" ] && clips+=("$data/$clip")
    done
fi
if [ ${#clips[@]} -eq 0 ]; then
    echo "usage: $0 CLIP..." >&2
    exit 2
fi

cache=${XDG_CACHE_HOME:-$HOME/.cache}/kinfolk/blender-4.2.0
if [ ! -f "$cache/ready" ]; then
    python=${PYTHON:-python3.11}
    "$python" -m venv "$cache"
    "$cache/bin/pip" install --quiet 'bpy==4.2.0'
    touch "$cache/ready"
fi

out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
if [ -z "${KINFOLK:-}" ]; then
    cargo build --release --manifest-path "$repository/Cargo.toml"
    KINFOLK=${CARGO_TARGET_DIR:-$repository/target}/release/kinfolk
fi
# With the preset, Y is up in all three formats, whatever it was in the clip.
"$KINFOLK" convert "${clips[@]}" --out "$out" --format bvh,gltf,csv --preset blender --quiet
"$cache/bin/python" "$here/check_blender.py" "$out"
