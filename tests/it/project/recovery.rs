//! Autosaves, and the list of recent projects.

use std::fs;

use kinfolk::document::{ClipId, Command, Document, History};
use kinfolk::file::project::{Autosave, PROJECT_FILE, Recent, RecentProject, find_recovery};

use super::make::{after, assert_same, clip, document, motions, opened, saved};

#[test]
fn work_that_was_never_saved_comes_back_after_a_crash() {
    let data = tempfile::tempdir().unwrap();
    assert_eq!(find_recovery(&data.path().join("none yet")).unwrap(), []);
    let start = document();
    let mut autosave = Autosave::begin(data.path()).unwrap();
    assert_eq!(autosave.write(&start, None).unwrap().written, 8);
    assert_eq!(
        autosave.write(&start, None).unwrap().written,
        0,
        "nothing new"
    );
    let more = after(&start, vec![Command::AddClips(vec![clip("hop", 3, 1)])]);
    let did = autosave.write(&more, None).unwrap();
    assert_eq!((did.written, did.kept), (1, 8), "only what is new");
    assert_eq!(find_recovery(data.path()).unwrap(), [], "it is running");
    // Without a farewell.
    drop(autosave);
    let [found] = find_recovery(data.path()).unwrap().try_into().unwrap();
    assert_eq!((found.name.as_str(), found.n_clips), ("Gaits", 9));
    assert_eq!(
        (found.process, found.project.clone()),
        (std::process::id(), None)
    );
    let back = found.open().unwrap();
    assert_eq!(back.problems, []);
    assert_same(&more, &back.document);
    assert!(
        !History::unsaved(back.document).is_saved(),
        "it is still to be saved"
    );
    found.discard().unwrap();
    assert_eq!(find_recovery(data.path()).unwrap(), []);
    assert_eq!(
        fs::read_dir(data.path().join("autosave")).unwrap().count(),
        0
    );
}

#[test]
fn a_clean_exit_and_a_save_leave_nothing_to_recover() {
    let data = tempfile::tempdir().unwrap();
    let mut autosave = Autosave::begin(data.path()).unwrap();
    let mut second = Autosave::begin(data.path()).unwrap();
    autosave.write(&document(), None).unwrap();
    second.write(&document(), None).unwrap();
    autosave.remove().unwrap();
    second.retire().unwrap();
    drop(second);
    assert_eq!(find_recovery(data.path()).unwrap(), []);
    let mut third = Autosave::begin(data.path()).unwrap();
    third.write(&document(), None).unwrap();
    third.retire().unwrap();
    assert_eq!(
        third.write(&document(), None).unwrap().kept,
        8,
        "goes on where it was"
    );
    drop(third);
    assert_eq!(find_recovery(data.path()).unwrap().len(), 1);
}

#[test]
fn a_saved_project_lends_its_motions_and_takes_the_work_back() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("a.kinfolk");
    drop(saved(&path, &document()));
    let mut project = opened(&path);
    let mut autosave = Autosave::begin(home.path()).unwrap();
    let changed = vec![(ClipId(2), clip("walk", 4, 60))];
    let trim = Command::ReplaceClips {
        what: "trim".to_owned(),
        clips: changed,
    };
    let work = after(&project.document, vec![trim]);
    autosave.write(&work, Some(&project.folder)).unwrap();
    // The project may be saved and swept meanwhile; the autosave has its own names for the files.
    project.folder.save(&Document::default()).unwrap();
    assert_eq!(motions(&path).len(), 0);
    project.folder.save(&project.document).unwrap();
    drop((project, autosave));
    let [found] = find_recovery(home.path()).unwrap().try_into().unwrap();
    assert_eq!(found.project.as_deref(), Some(path.as_path()));
    let recovered = found.open().unwrap();
    assert_eq!(recovered.document, {
        let mut project = opened(&path);
        // Back into its project: only the changed motion is written.
        let did = project.folder.save(&recovered.document).unwrap();
        assert_eq!((did.written, did.kept), (1, 7));
        drop(project);
        opened(&path).document
    });
}

#[test]
#[cfg(unix)]
fn lent_motions_take_no_room() {
    use std::os::unix::fs::MetadataExt as _;
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("a.kinfolk");
    let start = document();
    let project = saved(&path, &start);
    let mut autosave = Autosave::begin(home.path()).unwrap();
    autosave.write(&start, Some(&project)).unwrap();
    for file in crate::data::files_below(&path, "bvh") {
        assert_eq!(
            fs::metadata(&file).unwrap().nlink(),
            2,
            "{}",
            file.display()
        );
    }
    // A lender whose files are gone is no reason to fail.
    fs::remove_dir_all(path.join("clips")).unwrap();
    let mut second = Autosave::begin(home.path()).unwrap();
    second.write(&start, Some(&project)).unwrap();
    drop(second);
    let found = find_recovery(home.path()).unwrap();
    assert_same(&start, &found[0].open().unwrap().document);
}

#[test]
fn recent_projects_are_few_and_say_when_they_are_missing() {
    let home = tempfile::tempdir().unwrap();
    let project = |n: u64| RecentProject {
        folder: home.path().join(format!("p{n}.kinfolk")),
        name: format!("Project \"{n}\""),
        opened_unix_secs: n,
    };
    let mut recent = Recent::default();
    for n in 0..20 {
        recent.add(project(n));
    }
    recent.add(project(15));
    assert_eq!(recent.projects().len(), 12);
    assert_eq!(recent.projects()[0], project(15));
    assert_eq!(recent.projects()[1], project(19));
    let text = recent.to_ron().unwrap();
    assert_eq!(Recent::from_ron(&text).unwrap(), recent);
    let there = home.path().join("p15.kinfolk");
    fs::create_dir(&there).unwrap();
    fs::write(there.join(PROJECT_FILE), "").unwrap();
    let missing = recent.projects().iter().filter(|p| p.is_missing()).count();
    assert_eq!(missing, 11);
    recent.forget(&there);
    assert_eq!(recent.projects()[0], project(19));
    assert_eq!(Recent::from_ron("[]").unwrap(), Recent::default());
    for hostile in ["", "[(", "(folder: 1)", &"[".repeat(100_000)] {
        Recent::from_ron(hostile).unwrap_err();
    }
    let long: Vec<String> = (0..1000)
        .map(|n| format!("(folder: \"{}\")", n % 500))
        .collect();
    let long = Recent::from_ron(&format!("[{}]", long.join(","))).unwrap();
    assert_eq!(long.projects().len(), 12);
}

#[test]
fn whoever_resumes_an_autosave_has_it_alone() {
    let data = tempfile::tempdir().unwrap();
    let mut autosave = Autosave::begin(data.path()).unwrap();
    autosave.write(&document(), None).unwrap();
    drop(autosave);
    let [found] = find_recovery(data.path()).unwrap().try_into().unwrap();
    assert!(found.n_bytes > 1000, "{} bytes", found.n_bytes);
    let (back, problems, mut resumed) = found.resume().unwrap();
    assert_eq!(problems, []);
    assert_same(&document(), &back);
    assert_eq!(find_recovery(data.path()).unwrap(), [], "in use");
    found.resume().unwrap_err();
    let more = after(&back, vec![Command::AddClips(vec![clip("hop", 3, 1)])]);
    assert_eq!(resumed.write(&more, None).unwrap().written, 1);
    drop(resumed);
    let [found] = find_recovery(data.path()).unwrap().try_into().unwrap();
    assert_same(&more, &found.open().unwrap().document);
}

#[test]
fn an_autosave_knows_that_its_project_was_saved_since() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("a.kinfolk");
    let mut project = saved(&path, &document());
    let mut autosave = Autosave::begin(home.path()).unwrap();
    autosave
        .write(&Document::default(), Some(&project))
        .unwrap();
    drop(autosave);
    let is_superseded = || find_recovery(home.path()).unwrap()[0].is_superseded;
    assert!(!is_superseded(), "newer than the project");
    project.save(&document()).unwrap();
    assert!(is_superseded(), "saved since");
    drop(project);
    fs::remove_dir_all(&path).unwrap();
    assert!(!is_superseded(), "there is nothing newer");
}
