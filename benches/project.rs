//! Opening and saving a library of 1 000 clips (100 frames, 25 joints), and steps on one of 100 000.
//!
//! `cargo bench --bench project`. Everything is made here; files go to the system's temporary folder.

use std::sync::Arc;

use divan::{Bencher, black_box};
use kinfolk::document::{ClipId, Command, Document, History};
use kinfolk::file::atomic::Overwrite;
use kinfolk::file::project::{Access, Autosave, ProjectFolder};
use kinfolk::motion::{
    Channels, Clip, ClipInfo, Joint, Motion, Pose, Quat, RotationOrder, Skeleton, Vec3,
};
use tempfile::TempDir;

const N_CLIPS: usize = 1_000;
const N_FRAMES: usize = 100;
const N_JOINTS: usize = 25;

fn main() {
    divan::main();
}

/// Opens the project: reads every motion on all cores.
#[divan::bench(sample_count = 10)]
fn open_1000_clips(bencher: Bencher<'_, '_>) {
    let (home, folder) = project();
    drop(folder);
    bencher.bench_local(|| {
        let opened = ProjectFolder::open(home.path(), Access::Read).expect("it was just saved");
        assert_eq!(opened.document.n_clips(), N_CLIPS, "all of them");
        opened
    });
}

/// Saves for the first time: writes every motion, reads it again, and waits for the disk.
#[divan::bench(sample_count = 3)]
fn save_1000_new_clips(bencher: Bencher<'_, '_>) {
    let document = document();
    bencher
        .with_inputs(|| tempfile::tempdir().expect("a temporary folder"))
        .bench_local_values(|home| {
            save_new(&home, &document);
            home
        });
}

/// Saves after one clip was renamed: `project.ron` alone.
#[divan::bench(sample_count = 20)]
fn save_after_a_rename(bencher: Bencher<'_, '_>) {
    let (home, folder) = project();
    let opened = ProjectFolder::open(home.path(), Access::Read).expect("it was just saved");
    drop(folder);
    let mut folder = ProjectFolder::open(home.path(), Access::Write)
        .expect("it was just saved")
        .folder;
    folder.save(&opened.document).expect("the disk has room");
    let mut names = (0..).map(|n| renamed(&opened.document, n));
    bencher
        .with_inputs(|| names.next().expect("numbers have no end"))
        .bench_local_refs(|document| folder.save(document).expect("the disk has room"));
}

/// The first autosave of a project on the same disk: links and `project.ron`.
#[divan::bench(sample_count = 5)]
fn first_autosave(bencher: Bencher<'_, '_>) {
    let (home, folder) = project();
    let opened = ProjectFolder::open(home.path(), Access::Read).expect("it was just saved");
    let data = tempfile::tempdir().expect("a temporary folder");
    bencher
        .with_inputs(|| Autosave::begin(data.path()).expect("a temporary folder"))
        .bench_local_values(|mut autosave| {
            let saved = autosave.write(&opened.document, Some(&opened.folder));
            saved.expect("the disk has room");
            autosave
        });
    drop(folder);
}

/// One step among 100 000 clips, and back.
#[divan::bench]
fn rename_and_undo_among_100_000(bencher: Bencher<'_, '_>) {
    let mut history = History::default();
    let one = clip(&skeleton(), 0, 1);
    let added = history.apply(Command::AddClips(vec![one; 100_000]));
    assert!(added.is_ok_and(|a| a.changed), "they are there");
    bencher.bench_local(|| {
        let id = ClipId(50_000);
        let name = "renamed".to_owned();
        let applied = history.apply(Command::RenameClip { id, name });
        assert!(applied.is_ok_and(|a| a.changed), "another name");
        black_box(history.undo())
    });
}

fn skeleton() -> Arc<Skeleton> {
    let joint = |idx: usize| Joint {
        name: format!("joint{idx}"),
        parent: idx.checked_sub(1).map(|before| before / 2),
        offset: Vec3::new(0.3, 4.1, -0.2),
        channels: match idx {
            0 => Channels::position_and_rotation(RotationOrder::ZXY),
            _ => Channels::rotation(RotationOrder::ZXY),
        },
    };
    let joints = (0..N_JOINTS).map(joint).collect();
    Arc::new(Skeleton::new(joints, vec![]).expect("parents come first"))
}

fn clip(skeleton: &Arc<Skeleton>, number: usize, n_frames: usize) -> Arc<Clip> {
    let mut motion = Motion::with_capacity(skeleton, 1.0 / 60.0, n_frames);
    for frame in 0..n_frames {
        let t = (number * 7 + frame) as f64 * 0.05;
        let mut pose = Pose::rest(skeleton);
        pose.translations[0] = Vec3::new(t.sin() * 20.0, 90.0 + t.cos(), t * 3.0);
        for (joint, q) in pose.rotations.iter_mut().enumerate() {
            let s = t + joint as f64;
            *q = Quat::from_scaled_axis(Vec3::new(s.sin(), (1.3 * s).cos(), 0.4 * (0.7 * s).sin()));
        }
        motion.push(pose.as_ref());
    }
    let info = ClipInfo::named(format!("take_{number:04}"));
    Arc::new(Clip::new(info, Arc::clone(skeleton), motion).expect("whole poses"))
}

fn document() -> Document {
    let skeleton = skeleton();
    let clips = (0..N_CLIPS).map(|n| clip(&skeleton, n, N_FRAMES)).collect();
    let add = Command::AddClips(clips);
    Document::default().edited(add).expect("clips can be added")
}

fn renamed(document: &Document, number: usize) -> Document {
    let id = ClipId(1 + number as u64 % N_CLIPS as u64);
    let name = format!("renamed {number}");
    let rename = Command::RenameClip { id, name };
    document.edited(rename).expect("the clip is there")
}

fn save_new(home: &TempDir, document: &Document) -> ProjectFolder {
    let mut folder = ProjectFolder::create(home.path(), Overwrite::Never).expect("a new folder");
    folder.save(document).expect("the disk has room");
    folder
}

fn project() -> (TempDir, ProjectFolder) {
    let home = tempfile::tempdir().expect("a temporary folder");
    let folder = save_new(&home, &document());
    (home, folder)
}
