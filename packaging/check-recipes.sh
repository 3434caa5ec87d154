#!/usr/bin/env bash
# Checks what can be checked here of desktop entry, metadata, file types, icons, and of the recipes for other systems.
#
#   packaging/check-recipes.sh
#
# The Windows installer is built by makensis with a placeholder for the program, the macOS property list and the Flatpak
# manifest are parsed, the AppImage's folder is made when there is a release build. Ends with 1 at the first that fails.
set -euo pipefail
cd "$(dirname "$0")/.."
. packaging/common.sh
install_missing desktop-file-validate=desktop-file-utils appstreamcli=appstream xmllint=libxml2-utils \
    update-mime-database=shared-mime-info makensis=nsis
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

say "Desktop entry, metadata, file types, icons"
desktop-file-validate packaging/desktop/kinfolk.desktop
appstreamcli validate --no-net packaging/desktop/org.kinfolk.Kinfolk.metainfo.xml
xmllint --noout packaging/desktop/kinfolk-mime.xml
mkdir -p "$work/mime/packages"
cp packaging/desktop/kinfolk-mime.xml "$work/mime/packages/"
XDG_DATA_HOME=$work update-mime-database "$work/mime"
grep -q 'model/x-bvh:\*\.bvh' "$work/mime/globs"
for size in 16 24 32 48 64 128 256 512; do
    file packaging/desktop/icons/kinfolk-$size.png | grep "PNG image data, $size x $size" >/dev/null
done

say "Versions"
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -1)
grep "release version=\"$version\"" packaging/desktop/org.kinfolk.Kinfolk.metainfo.xml >/dev/null
grep "VERSION \"$version\"" packaging/windows/kinfolk.nsi >/dev/null
grep "<string>$version</string>" packaging/macos/Info.plist >/dev/null
grep "^kinfolk ($version-" packaging/debian/changelog >/dev/null

say "Recipes"
python3 - <<'PYTHON'
import pathlib, plistlib
info = plistlib.loads(pathlib.Path("packaging/macos/Info.plist").read_bytes())
assert info["CFBundleExecutable"] == "kinfolk", info
try:
    import yaml
except ImportError:
    print("no PyYAML: the Flatpak manifest is not parsed")
else:
    manifest = yaml.safe_load(pathlib.Path("packaging/flatpak/org.kinfolk.Kinfolk.yml").read_text())
    assert manifest["command"] == "kinfolk" and manifest["modules"], manifest
    commands = " ".join(manifest["modules"][0]["build-commands"]).split()
    missing = [word for word in commands if word.startswith("packaging/") and not pathlib.Path(word).exists()]
    assert not missing, missing
PYTHON
mkdir -p "$work/tree/packaging/windows" "$work/tree/target/release" "$work/tree/target/package" "$work/tree/resources"
cp packaging/windows/kinfolk.nsi "$work/tree/packaging/windows/"
cp LICENSE-MIT LICENSE-APACHE "$work/tree/"
cp resources/guide.md "$work/tree/resources/"
: > "$work/tree/target/release/kinfolk.exe"
(cd "$work/tree/packaging/windows" && makensis -V2 kinfolk.nsi)
if [ -x target/release/kinfolk ]; then
    bash packaging/appimage/appimage.sh >/dev/null
    test -x target/package/Kinfolk.AppDir/AppRun
fi
say "All that can be checked here is in order."
