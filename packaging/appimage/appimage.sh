#!/usr/bin/env bash
# Makes Kinfolk-x86_64.AppImage from the release build. A recipe: the folder is made and checked here, the last step needs
# appimagetool (https://github.com/AppImage/appimagetool).
set -euo pipefail
cd "$(dirname "$0")/../.."
app=target/package/Kinfolk.AppDir
rm -rf "$app"
install -D -m755 target/release/kinfolk "$app/usr/bin/kinfolk"
strip --strip-unneeded "$app/usr/bin/kinfolk"
install -D -m644 packaging/desktop/kinfolk.desktop "$app/usr/share/applications/kinfolk.desktop"
install -D -m644 packaging/desktop/org.kinfolk.Kinfolk.metainfo.xml "$app/usr/share/metainfo/org.kinfolk.Kinfolk.appdata.xml"
install -D -m644 packaging/desktop/icons/kinfolk-256.png "$app/usr/share/icons/hicolor/256x256/apps/kinfolk.png"
cp packaging/desktop/kinfolk.desktop packaging/desktop/icons/kinfolk.svg "$app/"
ln -s usr/bin/kinfolk "$app/AppRun"
"$app/AppRun" --version
if command -v appimagetool >/dev/null 2>&1; then
    ARCH=x86_64 appimagetool "$app" target/package/Kinfolk-x86_64.AppImage
else
    echo "appimagetool is not here; $app is ready for it"
fi
