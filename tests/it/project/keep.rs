//! What is saved comes back, and what has not changed is not written.

use std::fs;
use std::sync::Arc;

use kinfolk::document::{ClipId, Command, Document};
use kinfolk::file::atomic::Overwrite;
use kinfolk::file::project::{Access, OpenError, PROJECT_FILE, ProjectFolder, SaveError, VERSION};
use kinfolk::file::read_clip;
use kinfolk::motion::{Clip, ClipInfo};

use super::make::{
    after, assert_same, clip, document, motions, odd_motion, odd_skeleton, opened, saved,
};
use crate::data::{files_below, shared};

#[test]
fn a_project_comes_back_as_it_was() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("new/gaits.kinfolk");
    let document = document();
    drop(saved(&path, &document));
    let back = opened(&path);
    assert_eq!(back.problems, []);
    assert_same(&document, &back.document);
    drop(back);
    // By the file in it, too; and the motions are files that any program reads.
    assert_same(&document, &opened(&path.join(PROJECT_FILE)).document);
    for file in files_below(&path, "bvh") {
        read_clip(&file).unwrap();
    }
    assert_eq!(motions(&path).len(), document.n_clips());
    let text = fs::read_to_string(path.join(PROJECT_FILE)).unwrap();
    assert!(text.lines().count() < 40, "a line for each clip:\n{text}");
}

#[test]
fn real_takes_come_back_as_they_were() {
    let mut clips = Vec::new();
    for folder in ["odd_bvh", "asf_amc", "gesture", "bandai_nc"] {
        let Some(folder) = shared(folder) else { return };
        let mut files = files_below(&folder, "bvh");
        files.extend(files_below(&folder, "amc"));
        clips.extend(
            files
                .iter()
                .take(16)
                .filter_map(|file| read_clip(file).ok())
                .map(Arc::new),
        );
    }
    assert!(clips.len() > 30, "only {} clips could be read", clips.len());
    let document = after(&Document::default(), vec![Command::AddClips(clips)]);
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("real.kinfolk");
    drop(saved(&path, &document));
    let back = opened(&path);
    assert_eq!(back.problems, []);
    assert_same(&document, &back.document);
}

#[test]
fn nothing_drifts_however_often_it_is_saved() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("a.kinfolk");
    drop(saved(&path, &document()));
    let (first_motions, first_text) = (motions(&path), fs::read(path.join(PROJECT_FILE)).unwrap());
    let first = ProjectFolder::open(&path, Access::Read).unwrap().document;
    for round in 0..3 {
        let mut again = opened(&path);
        assert_eq!(again.document, first, "to the last bit");
        let name = format!("round {round}");
        let renamed = after(&again.document, vec![Command::RenameProject(name)]);
        assert_eq!(again.folder.save(&renamed).unwrap().written, 0);
        assert_eq!(again.folder.save(&first).unwrap().written, 0);
        assert_eq!(motions(&path), first_motions);
        assert_eq!(fs::read(path.join(PROJECT_FILE)).unwrap(), first_text);
    }
    // Written anew from what was read: the same motions, still.
    let copy = home.path().join("b.kinfolk");
    drop(saved(&copy, &first));
    assert_same(&first, &opened(&copy).document);
}

#[test]
fn only_what_changed_is_written_and_only_what_is_ours_is_removed() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("a.kinfolk");
    let start = document();
    let mut folder = saved(&path, &start);
    let own = path.join("clips/mine.bvh");
    fs::write(&own, "the animator's own").unwrap();
    let names = || motions(&path).into_keys().collect::<Vec<_>>();
    let all = names();
    let rename = Command::RenameClip {
        id: ClipId(2),
        name: "stroll".to_owned(),
    };
    let tag = Command::AddTag {
        clips: start.clip_order().to_vec(),
        tag: "t".to_owned(),
    };
    let renamed = after(&start, vec![rename, tag]);
    let did = folder.save(&renamed).unwrap();
    assert_eq!((did.written, did.kept), (0, 8));
    assert_eq!(names(), all, "files keep their names");
    let trimmed = vec![(ClipId(2), clip("stroll", 5, 77))];
    let trim = Command::ReplaceClips {
        what: "trim".to_owned(),
        clips: trimmed,
    };
    let edited = after(&renamed, vec![trim, Command::RemoveClips(vec![ClipId(1)])]);
    let did = folder.save(&edited).unwrap();
    assert_eq!((did.written, did.kept, did.left_over.len()), (1, 6, 0));
    assert!(names().contains(&"stroll.bvh".to_owned()), "{:?}", names());
    assert_eq!(
        names().len(),
        7 + 1,
        "the old ones are gone, but for the animator's"
    );
    // Undone: the removed clip is written again.
    let did = folder.save(&renamed).unwrap();
    assert_eq!((did.written, did.kept), (2, 6));
    drop(folder);
    assert_same(&renamed, &opened(&path).document);
    assert_eq!(fs::read_to_string(own).unwrap(), "the animator's own");
    let hidden: Vec<_> = fs::read_dir(&path)
        .unwrap()
        .map(|e| e.unwrap().file_name())
        .collect();
    assert!(!hidden.contains(&".unfinished".into()), "{hidden:?}");
}

#[test]
fn a_file_that_somebody_removed_meanwhile_is_written_again() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("a.kinfolk");
    let start = document();
    let mut folder = saved(&path, &start);
    fs::remove_file(path.join("clips/far.bvh")).unwrap();
    let did = folder.save(&start).unwrap();
    assert_eq!((did.written, did.kept), (1, 7));
    // Even all of it.
    fs::remove_dir_all(path.join("clips")).unwrap();
    fs::remove_file(path.join(PROJECT_FILE)).unwrap();
    assert_eq!(folder.save(&start).unwrap().written, 8);
    drop(folder);
    assert_same(&start, &opened(&path).document);
}

#[test]
fn clips_share_their_skeleton_again() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("a.kinfolk");
    // Equal skeletons at different addresses.
    let clips = (0..5).map(|n| clip("c", 2, n)).collect();
    drop(saved(
        &path,
        &after(&Document::default(), vec![Command::AddClips(clips)]),
    ));
    let back = opened(&path).document;
    let skeletons: Vec<_> = back
        .clips()
        .map(|(_, c)| Arc::clone(c.skeleton()))
        .collect();
    assert!(
        skeletons.iter().all(|s| Arc::ptr_eq(s, &skeletons[0])),
        "one for all"
    );
}

#[test]
fn a_motion_that_no_file_holds_cannot_be_made() {
    let skeleton = odd_skeleton();
    let mut motion = odd_motion(&skeleton, 2, 0.01, 1);
    motion.translations[1].x = 1e300;
    let refused = Clip::new(ClipInfo::named("in space"), skeleton, motion);
    let refused = refused.unwrap_err().to_string();
    assert!(refused.contains("farther away than 1e15"), "{refused}");
}

#[test]
fn a_project_is_replaced_only_when_told() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("a.kinfolk");
    drop(saved(&path, &document()));
    let kept = ProjectFolder::create(&path, Overwrite::Never).unwrap_err();
    assert!(matches!(kept, SaveError::Exists), "{kept}");
    let small = after(
        &Document::default(),
        vec![Command::AddClips(vec![clip("walk", 2, 1)])],
    );
    let mut folder = ProjectFolder::create(&path, Overwrite::Replace).unwrap();
    folder.save(&small).unwrap();
    drop(folder);
    assert_same(&small, &opened(&path).document);
    assert_eq!(motions(&path).len(), 1, "nothing of the old one stays");
}

#[test]
fn old_versions_open_and_newer_ones_say_so() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("old.kinfolk");
    drop(saved(&path, &document()));
    let file = motions(&path).into_keys().next().unwrap();
    let text = format!(
        "(name: \"Old\", clips: [(name: \"lift\", file: \"{file}\", tags: [\"a\"], z_up: true), (name: \"gone\", file: \"gone.bvh\")])"
    );
    fs::write(path.join(PROJECT_FILE), text).unwrap();
    let mut old = opened(&path);
    assert_eq!(old.document.name(), "Old");
    assert_eq!(old.problems.len(), 1, "{:?}", old.problems);
    let lift = Arc::clone(old.document.clip(ClipId(1)).unwrap());
    assert_eq!(
        (lift.info.name.as_str(), lift.info.up.to_string()),
        ("lift", "Z".to_owned())
    );
    assert!(lift.info.tags.contains("a"), "tags");
    old.folder.save(&old.document).unwrap();
    let text = fs::read_to_string(path.join(PROJECT_FILE)).unwrap();
    assert!(
        text.contains("version: 1"),
        "written in today's version: {text}"
    );
    drop(old);
    assert_eq!(
        opened(&path).document.clip(ClipId(1)).unwrap().info,
        lift.info
    );
    for version in [VERSION + 1, 1_000_000, u64::MAX] {
        fs::write(
            path.join(PROJECT_FILE),
            format!("(version: {version}, what: Ever(\"x\"))"),
        )
        .unwrap();
        let newer = ProjectFolder::open(&path, Access::Write).unwrap_err();
        assert!(
            matches!(newer, OpenError::Newer { found } if found == version),
            "{newer}"
        );
        assert!(newer.to_string().contains("newer"), "{newer}");
    }
}

#[test]
fn fields_that_nobody_knows_are_passed_over() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("a.kinfolk");
    let start = document();
    drop(saved(&path, &start));
    let file = path.join(PROJECT_FILE);
    let text = fs::read_to_string(&file).unwrap();
    let more = text
        .replacen(
            "version: 1,",
            "version: 1, mood: (a: [1, Some(Deep(x: \"y\"))], b: {1: 'c'}),",
            1,
        )
        .replace("(id: ", "(stars: 5, id: ");
    assert_ne!(more, text, "something was added");
    fs::write(&file, more).unwrap();
    let back = opened(&path);
    assert_eq!(back.problems, []);
    assert_same(&start, &back.document);
}

#[test]
fn a_lost_motion_costs_nothing_else_and_may_come_back() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("a.kinfolk");
    let start = document();
    drop(saved(&path, &start));
    let text = fs::read_to_string(path.join(PROJECT_FILE)).unwrap();
    let line = text
        .lines()
        .find(|line| line.contains("id: 2,") && line.contains("file: "))
        .unwrap();
    let name = line
        .split("file: \"")
        .nth(1)
        .unwrap()
        .split('"')
        .next()
        .unwrap();
    let file = path.join("clips").join(name);
    let bytes = fs::read(&file).unwrap();
    let half = &bytes[..200];
    for broken in [
        None,
        Some(&b""[..]),
        Some(half),
        Some(b"HIERARCHY\nROOT a\n{"),
    ] {
        match broken {
            Some(bytes) => fs::write(&file, bytes).unwrap(),
            None => fs::remove_file(&file).unwrap(),
        }
        let mut opened = opened(&path);
        let [problem] = opened.problems.as_slice() else {
            panic!("{:?}", opened.problems);
        };
        assert_eq!(problem.file, format!("clips/{name}"));
        assert!(problem.text.contains("\"walk\""), "{problem}");
        assert!(opened.document.clip(ClipId(2)).is_none(), "not there");
        assert_eq!(opened.document.sets()[0].clips, [ClipId(4)]);
        assert_eq!(opened.document.n_clips(), 7);
        // Saved without it, a motion of its name added; its file is left alone.
        let more = after(
            &opened.document,
            vec![Command::AddClips(vec![clip("walk", 2, 3)])],
        );
        opened.folder.save(&more).unwrap();
        opened.folder.save(&opened.document).unwrap();
        assert_eq!(fs::read(&file).ok().as_deref(), broken);
    }
    fs::write(&file, &bytes).unwrap();
    let back = opened(&path);
    assert_eq!(back.problems, []);
    assert_eq!(back.document.n_clips(), 8);
    assert_eq!(back.document.clip(ClipId(2)).unwrap().n_frames(), 30);
    assert_eq!(
        back.document.sets()[0].clips,
        [ClipId(4), ClipId(2)],
        "and in its set"
    );
}

#[test]
fn a_motion_that_another_program_wrote_is_taken_and_named() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("a.kinfolk");
    drop(saved(&path, &document()));
    let file = path.join("clips/Gehen_schnell.bvh");
    let text = fs::read_to_string(&file).unwrap();
    // One frame less: the contact to the end does not fit any more.
    let shorter = text
        .trim_end()
        .rsplit_once('\n')
        .unwrap()
        .0
        .replace("Frames: 9", "Frames: 8");
    fs::write(&file, &shorter).unwrap();
    let back = opened(&path);
    let told: Vec<_> = back.problems.iter().map(ToString::to_string).collect();
    assert_eq!(told.len(), 2, "{told:?}");
    assert!(
        told[0].contains("8 frames") && told[1].contains("contact"),
        "{told:?}"
    );
    let clip = back.document.clip(ClipId(1)).unwrap();
    assert_eq!((clip.n_frames(), clip.contacts().len()), (8, 0));
    assert!(clip.info.tags.contains("walk"), "the rest is known");
    drop(back);
    fs::write(&file, shorter.replacen("OFFSET 0.1 ", "OFFSET 0.2 ", 1)).unwrap();
    let back = opened(&path);
    assert!(
        back.problems[0].text.contains("another skeleton"),
        "{:?}",
        back.problems
    );
}
