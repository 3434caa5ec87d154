#!/usr/bin/env bash
# Opens FBX files in Blender and in kinfolk and compares every joint of every take.
#
#   packaging/check-fbx.sh [FILE.fbx...]
#
# Blender comes as a Python module, as for check-blender.sh; KINFOLK names a program that is built already. Without files,
# Blender's exporter writes some: two of kinfolk's own motions in six ways (axes, units, bone axes, leaf bones, simplified
# curves). Ends with 1 if a joint is off by more than a thousandth of the size.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/common.sh"
need_blender
need_program

out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
files=("$@")
if [ ${#files[@]} -eq 0 ]; then
    mkdir "$out/fbx"
    "$KINFOLK" demo --motions --out "$out/demo" --quiet
    "$python" "$here/check_fbx.py" --make "$out/fbx" "$out"/demo/clips/{walk_01,jab_02}.bvh
    files=("$out"/fbx/*.fbx)
fi
"$KINFOLK" convert "${files[@]}" --out "$out/csv" --format csv --quiet
"$python" "$here/check_fbx.py" "$out/csv" "${files[@]}"
