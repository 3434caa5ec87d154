#!/usr/bin/env bash
# Installs what is missing, builds Kinfolk and starts it.
# Without a display it makes the demo tour instead and says where the results are.
set -euo pipefail
cd "$(dirname "$0")/.."
. packaging/common.sh

need_rust
install_missing cc=build-essential
install_drawing
say "Building (the first time takes a few minutes)"
cargo build --release --locked

# The window comes with a later version; until then the tour shows what the program can do.
out=${1:-demo-out}
./target/release/kinfolk demo --out "$out" --force
say "The results are in $out; try: ./target/release/kinfolk --help"
