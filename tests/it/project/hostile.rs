//! Project files from a stranger, or from a disk that forgets.

use std::fs;
use std::path::Path;

use kinfolk::file::FileKind;
use kinfolk::file::project::{Access, OpenError, PROJECT_FILE, ProjectFolder};

use super::make::{Chance, assert_same, document, motions, opened, saved};

/// A project with this `project.ron` and one motion, `walk.bvh`.
fn project(home: &Path, text: &[u8]) -> std::path::PathBuf {
    let path = home.join("a.kinfolk");
    fs::create_dir_all(path.join("clips")).unwrap();
    let walk = "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 3 Xposition Yposition Zposition\n}\nMOTION\nFrames: 2\nFrame Time: 0.04\n0 1 2\n3 4 5\n";
    fs::write(path.join("clips/walk.bvh"), walk).unwrap();
    fs::write(path.join(PROJECT_FILE), text).unwrap();
    path
}

/// What is told about a project that opens in part.
fn told(text: &str) -> (usize, String) {
    let home = tempfile::tempdir().unwrap();
    let opened = ProjectFolder::open(&project(home.path(), text.as_bytes()), Access::Write);
    let opened = opened.unwrap_or_else(|e| panic!("{text}: {e}"));
    opened.document.check().unwrap();
    let told: Vec<String> = opened.problems.iter().map(ToString::to_string).collect();
    (opened.document.n_clips(), told.join("; "))
}

fn refused(text: &[u8]) -> OpenError {
    let home = tempfile::tempdir().unwrap();
    let opened = ProjectFolder::open(&project(home.path(), text), Access::Write);
    opened
        .err()
        .unwrap_or_else(|| panic!("{}", String::from_utf8_lossy(text)))
}

#[test]
fn what_is_wrong_with_one_clip_is_told_and_the_others_open() {
    let good = "(id: 1, name: \"good\", file: \"walk.bvh\", up: \"Y\")";
    let with = |clip: &str| told(&format!("(version: 1, clips: [{good}, {clip}])"));
    for file in [
        "../../etc/passwd",
        "../walk.bvh",
        "/etc/passwd",
        "/etc/passwd.bvh",
        "clips/../walk.bvh",
        "C:\\\\walk.bvh",
        "",
        "nul\\u{0}.bvh",
    ] {
        let (n, told) = with(&format!(
            "(id: 2, name: \"bad\", file: \"{file}\", up: \"Y\")"
        ));
        assert_eq!(n, 1, "{file}");
        assert!(
            told.contains("\"bad\"") && told.contains("no motion file"),
            "{file}: {told}"
        );
    }
    for (clip, n_clips, expected) in [
        (
            "(id: 2, name: \"bad\", file: \"gone.bvh\", up: \"Y\")",
            1,
            "clips/gone.bvh: clip \"bad\": cannot be read",
        ),
        (
            "(id: 2, name: \"bad\", file: \"walk.bvh\", up: \"Y\")",
            1,
            "another clip names this file",
        ),
    ] {
        let (n, told) = with(clip);
        assert_eq!(n, n_clips, "{clip}");
        assert!(told.contains(expected), "{clip}: {told}");
    }
    for (field, expected) in [
        ("up: \"up\"", "expected an axis"),
        ("up: \"Y\", frame_secs: NaN", "cannot take NaN s"),
        ("up: \"Y\", frame_secs: -1", "cannot take -1 s"),
        ("up: \"Y\", frame_secs: inf", "cannot take inf s"),
        (
            "up: \"Y\", frames: 18446744073709551615",
            "had 18446744073709551615",
        ),
        (
            "up: \"Y\", contacts: [(0, 0, 99999999999)]",
            "contacts are left out",
        ),
        ("up: \"Y\", contacts: [(7, 0, 1)]", "contacts are left out"),
        ("up: \"Y\", contacts: [(0, 2, 1)]", "contacts are left out"),
        ("up: \"Y\", skeleton: 3", "no skeleton 3"),
        ("up: \"Y\", skeleton: 0", "not a finite number"),
        ("up: \"Y\", skeleton: 1", "comes before its parent"),
        ("up: \"Y\", skeleton: 2", "the channels of joint \"a\""),
    ] {
        let skeletons = "skeletons: [(joints: [(name: \"a\", offset: (NaN, 0, 0))]), (joints: [(name: \"a\", offset: (0, 0, 0)), (name: \"b\", parent: 5, offset: (0, 0, 0))]), (joints: [(name: \"a\", offset: (0, 0, 0), channels: \"Qx\")])]";
        let (n, told) = told(&format!(
            "(version: 1, {skeletons}, clips: [(id: 1, name: \"w\", file: \"walk.bvh\", {field})])"
        ));
        assert_eq!(n, 1, "{field}: {told}");
        assert!(told.contains(expected), "{field}: {told}");
    }
}

#[test]
fn numbers_that_come_twice_are_mended() {
    let clip = |id, file: &str| format!("(id: {id}, name: \"c\", file: \"{file}\", up: \"Y\")");
    let home = tempfile::tempdir().unwrap();
    let text = format!(
        "(version: 1, next_number: 0, clips: [{}, {}], sets: [(id: 1, name: \"s\", clips: [7, 7, 9]), (id: 1, name: \"t\")])",
        clip(7, "walk.bvh"),
        clip(7, "walk2.bvh")
    );
    let path = project(home.path(), text.as_bytes());
    fs::copy(path.join("clips/walk.bvh"), path.join("clips/walk2.bvh")).unwrap();
    let opened = opened(&path);
    assert_eq!(opened.document.n_clips(), 2);
    assert_eq!(opened.problems.len(), 3, "{:?}", opened.problems);
    assert_eq!(opened.document.sets()[0].clips.len(), 1);
    assert!(opened.document.next_number() > 8, "none is given again");
    let last = format!("(version: 1, clips: [{}])", clip(u64::MAX, "walk.bvh"));
    assert!(
        matches!(refused(last.as_bytes()), OpenError::Content(_)),
        "no number is left"
    );
}

#[test]
fn strokes_that_are_none_are_left_out_and_told() {
    let home = tempfile::tempdir().unwrap();
    let good = "points: [(0, 0, 0), (1, 1, 1)]";
    let text = format!(
        "(version: 1, strokes: [(id: 5, name: \"b\", {good}), (id: 5, name: \"a\", {good}), \
         (id: 3, name: \"dot\", points: [(0, 0, 0)]), (id: 2, name: \"back\", points: [(1, 0, 0), (0, 0, 0)])])"
    );
    let opened = opened(&project(home.path(), text.as_bytes()));
    opened.document.check().unwrap();
    let strokes = opened.document.strokes().iter();
    let named: Vec<(u64, &str)> = strokes.map(|(id, s)| (id.0, s.name())).collect();
    assert_eq!(named, [(5, "b"), (6, "a")]);
    let told: Vec<String> = opened.problems.iter().map(ToString::to_string).collect();
    let told = told.join("; ");
    for words in [
        "number 5 is there twice",
        "\"dot\" is left out",
        "time does not go on",
    ] {
        assert!(told.contains(words), "{told}");
    }
}

#[test]
fn what_makes_no_sense_is_refused_with_its_place() {
    for (text, line, column) in [
        ("(version: one)", 1, 10),
        ("(version: -1)", 1, 12),
        ("(version: 99999999999999999999999)", 1, 11),
        ("(version: 1,\n clips: [\n  (id: x)])", 3, 7),
        ("(version: 1, clips: [(id: 1)])", 1, 28),
    ] {
        let error = refused(text.as_bytes());
        let OpenError::Syntax(at) = &error else {
            panic!("{text}: {error}");
        };
        assert_eq!((at.line, at.column), (line, column), "{text}: {error}");
    }
    for (text, kind) in [("", FileKind::Empty), ("hello", FileKind::OtherText)] {
        let error = refused(text.as_bytes());
        assert!(
            matches!(&error, OpenError::Other(found) if *found == kind),
            "{text}: {error}"
        );
    }
    for bytes in [
        &b"\xff\xfe\x00"[..],
        b"(version: 1, name: \"\xff\")",
        &[0; 100],
    ] {
        assert!(
            matches!(refused(bytes), OpenError::Syntax { .. }),
            "{bytes:?}"
        );
    }
    // Deep nesting must not overflow the stack, neither where it is read nor where it is passed over.
    for deep in ["[", "(x: ", "Some(", "{1: "] {
        let text = format!("(version: 1, what: {}", deep.repeat(200_000));
        assert!(
            matches!(refused(text.as_bytes()), OpenError::Syntax { .. }),
            "{deep}"
        );
    }
    let home = tempfile::tempdir().unwrap();
    let missing = ProjectFolder::open(home.path(), Access::Write).unwrap_err();
    assert!(matches!(missing, OpenError::NotAProject), "{missing}");
    assert_eq!(
        fs::read_dir(home.path()).unwrap().count(),
        0,
        "nothing was made"
    );
    fs::create_dir(home.path().join(PROJECT_FILE)).unwrap();
    let folder = ProjectFolder::open(home.path(), Access::Read).unwrap_err();
    assert!(matches!(folder, OpenError::Read(_)), "{folder}");
}

#[test]
#[cfg(unix)]
fn links_lead_nowhere() {
    use std::os::unix::fs::symlink;
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("a.kinfolk");
    let start = document();
    drop(saved(&path, &start));
    let outside = home.path().join("outside");
    fs::write(&outside, "mine").unwrap();
    // Files that opening and saving write must not be written through a link.
    for name in [".lock", ".opened-by.ron", ".unfinished"] {
        fs::remove_file(path.join(name)).ok();
        symlink(&outside, path.join(name)).unwrap();
    }
    let mut found = opened(&path);
    found.folder.save(&start).unwrap();
    found
        .folder
        .save(&kinfolk::document::Document::default())
        .unwrap();
    found.folder.save(&start).unwrap();
    drop(found);
    assert_eq!(fs::read_to_string(&outside).unwrap(), "mine");
    // Nor may a motion be one, or the folder of motions.
    let name = motions(&path).into_keys().next().unwrap();
    let moved = home.path().join("moved.bvh");
    fs::rename(path.join("clips").join(&name), &moved).unwrap();
    symlink(&moved, path.join("clips").join(&name)).unwrap();
    let found = opened(&path);
    assert_eq!(found.problems.len(), 1);
    assert!(
        found.problems[0].text.contains("link"),
        "{:?}",
        found.problems
    );
    drop(found);
    fs::rename(path.join("clips"), home.path().join("clips")).unwrap();
    symlink(home.path().join("clips"), path.join("clips")).unwrap();
    let mut found = opened(&path);
    assert_eq!(found.document.n_clips(), 0);
    assert!(
        found.problems.iter().all(|p| p.text.contains("link")),
        "{:?}",
        found.problems
    );
    found.folder.save(&start).unwrap_err();
    assert_eq!(
        crate::data::files_below(&home.path().join("clips"), "bvh").len(),
        8
    );
}

#[test]
#[cfg(unix)]
fn pipes_in_a_project_are_not_waited_for() {
    for name in [
        ".lock",
        ".opened-by.ron",
        ".unfinished",
        PROJECT_FILE,
        "clips/walk.bvh",
    ] {
        let home = tempfile::tempdir().unwrap();
        let good = b"(version: 1, clips: [(id: 1, name: \"a\", file: \"walk.bvh\", up: \"Y\")])";
        let path = project(home.path(), good);
        fs::remove_file(path.join(name)).ok();
        let made = std::process::Command::new("mkfifo")
            .arg(path.join(name))
            .status();
        assert!(made.unwrap().success(), "{name}");
        // Nobody is at the other end, so whoever opens it for reading never comes back.
        let (tell, told) = std::sync::mpsc::channel();
        let open = move || {
            let opened = ProjectFolder::open(&path, Access::Write);
            tell.send(opened.map(|opened| opened.document.n_clips()))
                .ok();
        };
        std::thread::Builder::new().spawn(open).unwrap();
        let opened = told.recv_timeout(std::time::Duration::from_mins(2));
        let opened = opened.unwrap_or_else(|_| panic!("{name} is waited for"));
        if name == PROJECT_FILE {
            opened.unwrap_err();
        }
    }
}

#[test]
fn no_damage_to_project_ron_is_a_crash() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("a.kinfolk");
    let start = document();
    drop(saved(&path, &start));
    let file = path.join(PROJECT_FILE);
    let good = fs::read(&file).unwrap();
    let mut chance = Chance(42);
    let pieces: [&[u8]; 8] = [
        b"(",
        b")",
        b"18446744073709551615",
        b"-1",
        b"NaN",
        b"\"",
        b"../",
        b"\xf0",
    ];
    let (mut n_opened, mut n_refused) = (0, 0);
    for _ in 0..400 {
        let mut bytes = good.clone();
        for _ in 0..=chance.bits() % 3 {
            let at = chance.bits() as usize % bytes.len();
            let to = (at + chance.bits() as usize % 20).min(bytes.len());
            match chance.bits() % 12 {
                0 => bytes[at] = chance.bits() as u8,
                1..=8 => bytes[at] = b' ' + (chance.bits() % 95) as u8,
                9 => drop(bytes.drain(at..to)),
                10 => {
                    drop(bytes.splice(at..at, pieces[chance.bits() as usize % 8].iter().copied()));
                }
                _ => bytes.truncate(at + 1),
            }
        }
        fs::write(&file, &bytes).unwrap();
        match ProjectFolder::open(&path, Access::Read) {
            Ok(opened) => {
                opened.document.check().unwrap();
                n_opened += 1;
            }
            Err(_) => n_refused += 1,
        }
    }
    assert!(
        n_opened > 20 && n_refused > 20,
        "{n_opened} opened, {n_refused} refused"
    );
    fs::write(&file, &good).unwrap();
    assert_same(&start, &opened(&path).document);
}
