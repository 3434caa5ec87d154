#!/usr/bin/env bash
# What a newcomer does, on a clean checkout in an empty home folder, with the time that each step takes.
#
#   packaging/newcomer.sh [--quick]
#
# Clone, build by the README's start command, demo tour, tests, packages, installation in a fresh system, removal. With
# --quick the tests are left out, and the packages hold what the start command built. Prints a table; ends with 1 at the
# first step that fails. Needs root for the fresh system.
set -euo pipefail
repository=$(cd "$(dirname "$0")/.." && pwd)
quick=${1:-}
home=$(mktemp -d)
trap 'rm -rf "$home"' EXIT
table=()
step() {
    local what=$1 start user
    shift
    start=$(date +%s)
    user=$( { TIMEFORMAT=%U; time "$@" > "$home/log" 2>&1; } 2>&1 ) || { echo "failed: $what"; tail -20 "$home/log"; exit 1; }
    table+=("| $what | $(($(date +%s) - start)) s | $user s |")
    echo "${table[-1]}"
}
rust=${CARGO_HOME:-$HOME/.cargo} rustup=${RUSTUP_HOME:-$HOME/.rustup}
export HOME=$home/me RUSTUP_HOME=$rustup PATH=$rust/bin:$PATH
mkdir "$HOME"
cd "$home"
step "clean checkout" git clone -q "$repository" kinfolk
cd kinfolk
# Without a display the start command ends with the demo tour.
step "start command: build and demo tour" env -u DISPLAY -u WAYLAND_DISPLAY bash packaging/start.sh
step "the tour's page" test -s demo-out/index.html
if [ "$quick" = --quick ]; then
    step "packages of that build" bash packaging/packages.sh --no-build
else
    step "test command" bash packaging/test.sh
    step "packages, optimised as a whole" bash packaging/packages.sh
fi
step "install, start, use, remove" bash packaging/check-package.sh
echo
printf '%s\n' "| Step | Time | Processor |" "|---|---|---|" "${table[@]}"
