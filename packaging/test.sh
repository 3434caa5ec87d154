#!/usr/bin/env bash
# Installs what the tests need, then: format, lints as errors, all tests, doc tests, documentation.
set -euo pipefail
cd "$(dirname "$0")/.."
. packaging/common.sh

need_rust
install_missing cc=build-essential
install_drawing
# The rating page is tried in a browser; where none can be installed, its test says so.
(install_missing chromium=chromium) || say "No Chromium here: the rating page is not tried."
for part in rustfmt clippy; do
    cargo "${part/rustfmt/fmt}" --version >/dev/null 2>&1 || rustup component add "$part"
done

say "Format"
cargo fmt --check
say "Lints"
cargo clippy --locked --all-targets -- -D warnings
say "Tests"
skipped="${CARGO_TARGET_DIR:-target}/tmp/skipped.txt"
rm -f "$skipped"
cargo test --locked
if [ -s "$skipped" ]; then
    say "Skipped: $(cut -d: -f1 "$skipped" | sort -u | wc -l) tests, because"
    sed 's/.*: //' "$skipped" | sort | uniq -c | sort -rn
fi
say "Documentation"
RUSTDOCFLAGS="-D warnings" cargo doc --locked --no-deps --quiet
if cargo deny --version >/dev/null 2>&1; then
    say "Licences and sources of dependencies"
    cargo deny --offline check licenses bans sources
fi
say "All good."
