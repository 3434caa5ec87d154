#!/usr/bin/env bash
# Opens FBX files in Blender and in kinfolk and compares every joint of every take.
#
#   packaging/check-fbx.sh [FILE.fbx...]
#
# Blender comes as a Python module, as for check-blender.sh, and KINFOLK may name a program here, too. Without files, Blender's exporter writes some: two of
# kinfolk's own motions in six ways (axes, units, bone axes, leaf bones, simplified curves). Ends with 1 if a joint is
# off by more than a thousandth of the size.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
repository=$(dirname "$here")

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
files=("$@")
if [ ${#files[@]} -eq 0 ]; then
    mkdir "$out/fbx"
    "$KINFOLK" demo --out "$out/demo" --quiet
    "$cache/bin/python" "$here/check_fbx.py" --make "$out/fbx" "$out/demo/clips/walk_01.bvh" "$out/demo/clips/jab_02.bvh"
    files=("$out"/fbx/*.fbx)
fi
"$KINFOLK" convert "${files[@]}" --out "$out/csv" --format csv --quiet
"$cache/bin/python" "$here/check_fbx.py" "$out/csv" "${files[@]}"
