#!/usr/bin/env bash
# Makes target/package/Kinfolk.app from the release build on macOS; iconutil comes with Xcode's tools. A recipe: not run
# on macOS. A project is a folder NAME.kinfolk; here it is declared as a package, so that the Finder shows it as one file.
set -euo pipefail
cd "$(dirname "$0")/../.."
app=target/package/Kinfolk.app/Contents
mkdir -p "$app/MacOS" "$app/Resources" target/package/kinfolk.iconset
cp target/release/kinfolk "$app/MacOS/"
cp packaging/macos/Info.plist "$app/"
for size in 16 32 128 256 512; do
    cp "packaging/desktop/icons/kinfolk-$size.png" "target/package/kinfolk.iconset/icon_${size}x${size}.png"
done
if command -v iconutil >/dev/null 2>&1; then
    iconutil -c icns target/package/kinfolk.iconset -o "$app/Resources/kinfolk.icns"
else
    echo "iconutil is not here: the bundle has no icon"
fi
