#!/usr/bin/env bash
# Makes the packages: target/package/kinfolk_*.deb and kinfolk-*.rpm, with manual pages, completions and licences.
#
#   packaging/packages.sh [--no-build]
#
# The same commit gives the same bytes: the version is stamped with the commit and its date, not with the time of the
# build, and paths of this machine are kept out of the program. --no-build packs target/release/kinfolk as it is.
set -euo pipefail
cd "$(dirname "$0")/.."
. packaging/common.sh
need_rust
need_tool() { command -v "$1" >/dev/null 2>&1 || cargo install --locked "$1"; }

SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH
if [ "${1:-}" != --no-build ]; then
    KINFOLK_STAMP=$(git log -1 --format='%h %cs')
    export KINFOLK_STAMP
    export RUSTFLAGS="--remap-path-prefix=${CARGO_HOME:-$HOME/.cargo}=/cargo --remap-path-prefix=$PWD=/kinfolk"
    export CARGO_PROFILE_RELEASE_LTO=thin CARGO_PROFILE_RELEASE_CODEGEN_UNITS=4
    say "Building"
    cargo build --release --locked
fi

out=target/package
rm -rf "$out"
mkdir -p "$out"
say "Manual pages, completions, licences"
./target/release/kinfolk package-files --out "$out" --quiet
python3 packaging/third_party.py > "$out/THIRD-PARTY.md"
gzip -9n "$out/THIRD-PARTY.md"

say "Debian package"
need_tool cargo-deb
cargo deb --no-build --output "$out/" --quiet
if command -v lintian >/dev/null 2>&1; then
    lintian --fail-on error "$out"/*.deb
fi

say "RPM package"
need_tool cargo-generate-rpm
# Without debugging information, as in the Debian package.
strip --strip-unneeded -o "$out/kinfolk" target/release/kinfolk
cargo generate-rpm --output "$out/" --payload-compress zstd
ls -l "$out"/*.deb "$out"/*.rpm
