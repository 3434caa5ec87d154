#!/usr/bin/env bash
# Makes the packages: target/package/kinfolk_*.deb and kinfolk-*.rpm, with manual pages, completions and licences.
#
#   packaging/packages.sh [--no-build]
#
# The same commit gives the same bytes: the version is stamped with the commit and its date, not with the time of the
# build, and paths of this machine are kept out of the program. --no-build packs the release build that is there.
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

# Where the metadata in Cargo.toml looks.
out=target/package
rm -rf "$out"
mkdir -p "$out"
strip --strip-unneeded -o "$out/kinfolk" "${CARGO_TARGET_DIR:-target}/release/kinfolk"
say "Manual pages, completions, licences"
"./$out/kinfolk" package-files --out "$out" --quiet
python3 packaging/third_party.py > "$out/THIRD-PARTY.md"
gzip -9n "$out/THIRD-PARTY.md"

say "Debian package"
need_tool cargo-deb
cargo deb --no-build --no-strip --output "$out/" --quiet
if command -v lintian >/dev/null 2>&1; then
    lintian --fail-on error "$out"/*.deb
fi

say "RPM package"
need_tool cargo-generate-rpm
# cargo-deb packs manual pages small by itself.
mkdir "$out/man-gz"
for page in "$out"/man/*.1; do gzip -9nc "$page" > "$out/man-gz/$(basename "$page").gz"; done
cargo generate-rpm --output "$out/" --payload-compress zstd
if command -v rpmlint >/dev/null 2>&1; then
    rpmlint --config packaging/rpmlint.toml "$out"/*.rpm
fi
ls -l "$out"/*.deb "$out"/*.rpm
