//! Files appear whole or not at all, and every refusal is a clean one.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use kinfolk::file::WriteError;
use kinfolk::file::atomic::{Overwrite, write};

/// What lies in the folder, so that a forgotten temporary file is seen.
fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

fn refusal(path: &Path, overwrite: Overwrite) -> ErrorKind {
    match write(path, b"new", overwrite) {
        Err(WriteError::Io(e)) => e.kind(),
        other => panic!("{}: {other:?}", path.display()),
    }
}

#[test]
fn a_file_is_made_with_its_folder_and_replaced_only_when_told() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a/b/walk.bvh");
    write(&path, b"first", Overwrite::Never).unwrap();
    let kept = write(&path, b"second", Overwrite::Never);
    assert!(matches!(kept, Err(WriteError::Exists)), "{kept:?}");
    assert_eq!(fs::read(&path).unwrap(), b"first");
    write(&path, b"third", Overwrite::Replace).unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"third");
    assert_eq!(names(path.parent().unwrap()), ["walk.bvh"]);
}

#[test]
fn names_that_cannot_be_files_are_refused_and_leave_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().join("clips");
    fs::create_dir(&dir).unwrap();
    for overwrite in [Overwrite::Never, Overwrite::Replace] {
        assert_eq!(refusal(&dir, overwrite), ErrorKind::IsADirectory);
        let long = folder.path().join("x".repeat(300));
        assert_eq!(refusal(&long, overwrite), ErrorKind::InvalidFilename);
        let nameless = folder.path().join("missing/..");
        assert_eq!(refusal(&nameless, overwrite), ErrorKind::InvalidInput);
        let file = folder.path().join("file");
        write(&file, b"", Overwrite::Replace).unwrap();
        let below = refusal(&file.join("walk.bvh"), overwrite);
        assert!(
            matches!(below, ErrorKind::NotADirectory | ErrorKind::AlreadyExists),
            "{below:?}"
        );
    }
    assert_eq!(names(folder.path()), ["clips", "file"]);
    assert_eq!(names(&dir), [""; 0]);
}

#[test]
#[cfg(target_os = "linux")]
fn a_folder_that_takes_no_files_is_a_clean_refusal() {
    // Not even an administrator can make files here.
    let refused = write(Path::new("/proc/self/walk.bvh"), b"new", Overwrite::Never);
    assert!(matches!(refused, Err(WriteError::Io(_))), "{refused:?}");
    let told = refused.unwrap_err().to_string();
    assert!(
        !told.contains(".part"),
        "no talk of temporary files: {told}"
    );
}

#[test]
#[cfg(unix)]
fn links_lead_to_the_file_that_is_replaced_and_permissions_stay() {
    use std::os::unix::fs::{PermissionsExt as _, symlink};
    let folder = tempfile::tempdir().unwrap();
    let real = folder.path().join("real.bvh");
    let link = folder.path().join("link.bvh");
    write(&real, b"old", Overwrite::Never).unwrap();
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    let plain = folder.path().join("plain");
    fs::write(&plain, b"").unwrap();
    assert_eq!(mode(&real), mode(&plain), "as any new file");
    fs::set_permissions(&real, fs::Permissions::from_mode(0o640)).unwrap();
    symlink("real.bvh", &link).unwrap();
    let kept = write(&link, b"new", Overwrite::Never);
    assert!(matches!(kept, Err(WriteError::Exists)), "{kept:?}");
    write(&link, b"new", Overwrite::Replace).unwrap();
    assert_eq!(fs::read(&real).unwrap(), b"new");
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink(), "a link");
    assert_eq!(mode(&real), 0o640);
    let lost = folder.path().join("lost.bvh");
    symlink("nowhere/at/all", &lost).unwrap();
    write(&lost, b"new", Overwrite::Replace).unwrap();
    assert_eq!(fs::read(&lost).unwrap(), b"new");
}

#[test]
fn of_many_writers_one_wins_and_the_file_is_whole() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("walk.bvh");
    let outcomes: Vec<bool> = std::thread::scope(|scope| {
        let writers: Vec<_> = (0..8_u8)
            .map(|n| {
                let path = &path;
                scope.spawn(move || write(path, &vec![n; 100_000], Overwrite::Never).is_ok())
            })
            .collect();
        writers.into_iter().map(|w| w.join().unwrap()).collect()
    });
    assert_eq!(outcomes.iter().filter(|won| **won).count(), 1);
    let bytes = fs::read(&path).unwrap();
    assert_eq!(bytes, vec![bytes[0]; 100_000]);
    assert_eq!(names(folder.path()), ["walk.bvh"]);
}
