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
repository=$(dirname "$here")

cache=${XDG_CACHE_HOME:-$HOME/.cache}/kinfolk/bvh-readers
if [ ! -f "$cache/ready" ]; then
    "${PYTHON:-python3}" -m venv "$cache"
    "$cache/bin/pip" install --quiet pybvh upc-pymotion bvhsdk
    touch "$cache/ready"
fi

out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
if [ -z "${KINFOLK:-}" ]; then
    cargo build --release --manifest-path "$repository/Cargo.toml"
    KINFOLK=${CARGO_TARGET_DIR:-$repository/target}/release/kinfolk
fi
clips=("$@")
if [ ${#clips[@]} -eq 0 ]; then
    "$KINFOLK" demo --motions --out "$out/demo" --quiet
    "$KINFOLK" learn "$out"/demo/clips/walk_0[1-4].bvh --out "$out/walk.ron" --quiet
    "$KINFOLK" vary "$out/walk.ron" --count 3 --out "$out/variants" --quiet
    clips=("$out"/demo/clips/{jab,wave,squat}_01.bvh "$out"/variants/*.bvh)
    for more in odd_bvh asf_amc; do
        [ -d "$repository/../shared/data/$more" ] && clips+=("$repository/../shared/data/$more")
    done
fi
"$KINFOLK" convert "${clips[@]}" --out "$out/out" --format bvh,csv --quiet
"$cache/bin/python" "$here/check_bvh.py" "$out/out"
