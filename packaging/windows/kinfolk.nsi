; makensis packaging/windows/kinfolk.nsi: an installer for Windows from target\release\kinfolk.exe.
; A recipe: not run on Windows.
Unicode true
!define VERSION "0.1.0"
Name "Kinfolk ${VERSION}"
OutFile "..\..\target\package\kinfolk-${VERSION}-setup.exe"
InstallDir "$PROGRAMFILES64\Kinfolk"
RequestExecutionLevel admin
Page directory
Page instfiles
UninstPage uninstConfirm
UninstPage instfiles

Section
  SetOutPath $INSTDIR
  File "..\..\target\release\kinfolk.exe"
  File "..\..\LICENSE-MIT"
  File "..\..\LICENSE-APACHE"
  File "..\..\resources\guide.md"
  CreateShortcut "$SMPROGRAMS\Kinfolk.lnk" "$INSTDIR\kinfolk.exe"
  WriteRegStr HKLM "Software\Classes\.bvh\OpenWithProgids" "Kinfolk.bvh" ""
  WriteRegStr HKLM "Software\Classes\Kinfolk.bvh" "" "BVH motion capture"
  WriteRegStr HKLM "Software\Classes\Kinfolk.bvh\shell\open\command" "" '"$INSTDIR\kinfolk.exe" "%1"'
  WriteRegStr HKLM "Software\Microsoft\Windows\CurrentVersion\Uninstall\Kinfolk" "DisplayName" "Kinfolk"
  WriteRegStr HKLM "Software\Microsoft\Windows\CurrentVersion\Uninstall\Kinfolk" "DisplayVersion" "${VERSION}"
  WriteRegStr HKLM "Software\Microsoft\Windows\CurrentVersion\Uninstall\Kinfolk" "UninstallString" '"$INSTDIR\uninstall.exe"'
  WriteUninstaller "$INSTDIR\uninstall.exe"
SectionEnd

Section "Uninstall"
  Delete "$INSTDIR\kinfolk.exe"
  Delete "$INSTDIR\LICENSE-MIT"
  Delete "$INSTDIR\LICENSE-APACHE"
  Delete "$INSTDIR\guide.md"
  Delete "$INSTDIR\uninstall.exe"
  Delete "$SMPROGRAMS\Kinfolk.lnk"
  RMDir "$INSTDIR"
  DeleteRegKey HKLM "Software\Classes\Kinfolk.bvh"
  DeleteRegValue HKLM "Software\Classes\.bvh\OpenWithProgids" "Kinfolk.bvh"
  DeleteRegKey HKLM "Software\Microsoft\Windows\CurrentVersion\Uninstall\Kinfolk"
SectionEnd
