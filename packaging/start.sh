#!/usr/bin/env bash
# Installs what is missing, builds Kinfolk and starts it.
# Without a display it makes the demo tour instead and says where the results are.
set -euo pipefail
cd "$(dirname "$0")/.."
. packaging/common.sh

need_rust
install_missing cc=build-essential
install_drawing
say "Building: the first time takes ten minutes on two cores"
cargo build --release --locked
program=${CARGO_TARGET_DIR:-./target}/release/kinfolk

if [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; then
    need_window_libraries
    exec "$program" "$@"
fi
out=${1:-demo-out}
"$program" demo --out "$out" --force
say "No display was found. The results of the demo tour are in $out; try: $program --help"
