#!/usr/bin/env bash
# Installs the Debian package in a fresh system, starts it, and removes it again; the RPM in an empty folder.
#
#   packaging/check-package.sh [PACKAGE.deb]
#
# The system is made by mmdebstrap in a temporary folder (Debian 12 unless SUITE says otherwise, about 500 MB); needs root.
# Checks: lintian without errors, all dependencies found, `kinfolk --version`, the whole demo tour, `info`, `learn` and
# `vary` work, manual page and completions are there, the window starts under Xvfb and stays for ten seconds, and after
# removal no file of the package is left. The RPM's dependencies are not tried: no system of that kind is made. Ends with 1
# at the first that fails.
set -euo pipefail
cd "$(dirname "$0")/.."
. packaging/common.sh
install_missing lintian=lintian mmdebstrap=mmdebstrap
package=${1:-$(ls target/package/*.deb)}
suite=${SUITE:-bookworm}
root=$(mktemp -d)
trap 'umount -q "$root/dev" "$root/proc" 2>/dev/null || true; rm -rf "$root"' EXIT

say "lintian"
lintian --fail-on error "$package"
say "A fresh $suite"
mmdebstrap --quiet --variant=apt --skip=cleanup/apt --include=xvfb,xauth,mesa-vulkan-drivers,man-db "$suite" "$root"
in_root() { chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"; }
mount --bind /dev "$root/dev"
mount -t proc proc "$root/proc"
# Whoever looks up names here can do so there.
cp /etc/resolv.conf "$root/etc/"
find "$root/usr" "$root/etc" -path "$root/usr/share/mime" -prune -o -print | sort > "$root/before"

say "Install"
cp "$package" "$root/tmp/kinfolk.deb"
in_root apt-get install -y -qq --no-install-recommends /tmp/kinfolk.deb >"$root/tmp/log" 2>&1 || { cat "$root/tmp/log"; exit 1; }
say "Use"
in_root kinfolk --version
in_root kinfolk demo --out /tmp/demo --quiet >/dev/null
in_root kinfolk info /tmp/demo/clips/walk_01.bvh
in_root sh -c 'kinfolk learn /tmp/demo/clips/walk_0[1-4].bvh --fps 30 --out /tmp/walk.ron --quiet'
in_root kinfolk vary /tmp/walk.ron --count 3 --out /tmp/out --quiet
for file in usr/share/man/man1/kinfolk.1.gz usr/share/man/man1/kinfolk-vary.1.gz \
    usr/share/bash-completion/completions/kinfolk usr/share/applications/kinfolk.desktop \
    usr/share/icons/hicolor/256x256/apps/kinfolk.png usr/share/mime/packages/kinfolk.xml; do
    [ -s "$root/$file" ] || { echo "missing: $file"; exit 1; }
done
say "Window"
in_root sh -c 'Xvfb :77 -screen 0 1280x800x24 >/dev/null 2>&1 & x=$!; sleep 2
    DISPLAY=:77 XDG_RUNTIME_DIR=/tmp kinfolk /tmp/demo/clips/walk_01.bvh 2>/tmp/window.log & k=$!; sleep 10
    if kill -0 $k 2>/dev/null; then kill $k; kill $x; else kill $x; cat /tmp/window.log; exit 1; fi'
echo "started, and still there after ten seconds"
say "Remove"
in_root apt-get purge -y -qq kinfolk >/dev/null
left=$(in_root find /usr /etc -iname '*kinfolk*' -not -path '/usr/share/doc/*')
[ -z "$left" ] || { echo "left behind: $left"; exit 1; }
echo "removed without a trace"

rpm=$(find target/package -name '*.rpm')
if [ -n "$rpm" ] && command -v rpm >/dev/null 2>&1; then
    say "RPM"
    mkdir "$root/rpm"
    rpm --root "$root/rpm" --initdb
    rpm --root "$root/rpm" -i --nodeps "$rpm" 2>/dev/null
    "$root/rpm/usr/bin/kinfolk" --version
    rpm --root "$root/rpm" -e kinfolk 2>/dev/null
    left=$(find "$root/rpm/usr" -type f)
    [ -z "$left" ] || { echo "left behind: $left"; exit 1; }
    echo "installed and removed in an empty folder"
fi
