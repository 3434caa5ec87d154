//! Two who want the same project.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Command as Process, Stdio};

use kinfolk::document::Command;
use kinfolk::file::project::{Access, Lock, LockError, OpenError, ProjectFolder, SaveError};

use super::make::{after, assert_same, document, opened, saved};

#[test]
fn the_second_one_is_told_who_has_it_and_may_look() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("a.kinfolk");
    let start = document();
    let first = saved(&path, &start);
    let refused = ProjectFolder::open(&path, Access::Write).unwrap_err();
    let OpenError::Lock(LockError::InUse(owner)) = &refused else {
        panic!("{refused}");
    };
    assert_eq!(owner.process, std::process::id());
    assert!(
        refused
            .to_string()
            .contains(&format!("process {}", owner.process)),
        "{refused}"
    );
    let mut look = ProjectFolder::open(&path, Access::Read).unwrap();
    assert_same(&start, &look.document);
    assert!(look.folder.is_read_only(), "only to look at");
    let refused = look.folder.save(&start).unwrap_err();
    assert!(matches!(refused, SaveError::ReadOnly), "{refused}");
    drop(first);
    assert!(Lock::is_free(&path), "given back");
    drop(opened(&path));
}

#[test]
fn who_is_taken_over_cannot_save_any_more() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("a.kinfolk");
    let start = document();
    let mut first = saved(&path, &start);
    let mut second = ProjectFolder::open(&path, Access::TakeOver).unwrap();
    let mine = after(&start, vec![Command::RenameProject("Mine".to_owned())]);
    let refused = first.save(&mine).unwrap_err();
    assert!(matches!(refused, SaveError::TakenOver(_)), "{refused}");
    drop(first);
    let third = ProjectFolder::open(&path, Access::Write).unwrap_err();
    assert!(
        matches!(third, OpenError::Lock(LockError::InUse(_))),
        "{third}"
    );
    second.folder.save(&mine).unwrap();
    drop(second);
    assert_same(&mine, &opened(&path).document);
}

/// Where the program finds the project that it is to hold; only the test below sets it.
const HOLD: &str = "KINFOLK_TEST_HOLDS";

/// Not a test by itself: the other program of the test below. It holds a project until it is killed.
#[test]
fn other_program() {
    let Some(path) = std::env::var_os(HOLD) else {
        return;
    };
    let _held = Lock::take(Path::new(&path)).unwrap();
    println!("held");
    // Until it is killed, or whoever started it is gone.
    let _ended = std::io::stdin().read_line(&mut String::new());
}

#[test]
fn a_program_that_was_killed_locks_nobody_out() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("a.kinfolk");
    drop(saved(&path, &document()));
    let mut other = Process::new(std::env::current_exe().unwrap())
        .args(["--exact", "project::locks::other_program", "--nocapture"])
        .env(HOLD, &path)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let lines = BufReader::new(other.stdout.take().unwrap()).lines();
    assert!(
        lines
            .map_while(Result::ok)
            .any(|line| line.contains("held")),
        "it started"
    );
    let refused = ProjectFolder::open(&path, Access::Write).unwrap_err();
    let named = format!("process {}", other.id());
    assert!(refused.to_string().contains(&named), "{refused}");
    other.kill().unwrap();
    other.wait().unwrap();
    assert!(
        path.join(".opened-by.ron").exists(),
        "its words are still there"
    );
    drop(opened(&path));
    assert!(
        !path.join(".opened-by.ron").exists(),
        "and gone after a clean end"
    );
}

#[test]
fn words_that_make_no_sense_lock_nobody_out() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("a.kinfolk");
    drop(saved(&path, &document()));
    fs::write(path.join(".opened-by.ron"), b"\xff(user:").unwrap();
    let first = opened(&path);
    fs::write(path.join(".opened-by.ron"), b"\xff(user:").unwrap();
    let refused = ProjectFolder::open(&path, Access::Write).unwrap_err();
    assert!(refused.to_string().contains("an unknown user"), "{refused}");
    drop(first);
}
