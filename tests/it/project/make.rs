//! Documents to save, and what it means that two are the same.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use kinfolk::demo;
use kinfolk::document::{
    ActionSource, ClipId, Command, Document, GraphId, GraphRecipe, Learned, ModelId, Sequence,
    TargetAction,
};
use kinfolk::file::atomic::Overwrite;
use kinfolk::file::project::{Access, Opened, ProjectFolder};
use kinfolk::motion::{
    Axis, Channel, Channels, Clip, ClipInfo, Contact, Dim, EndSite, Joint, Motion, Note, NoteKind,
    Pose, PoseMetricSettings, Quat, RotationOrder, Site, Skeleton, Stroke, Vec3, rotation,
};

use kinfolk::jobs::Ticket;
use kinfolk::motion::join::{Alignment, Ease, JoinKind, JoinShape, Match};
use kinfolk::sequence::{ActionList, JoinChoice, JoinMethod, Trim};
use kinfolk::style::{LearnSettings, Method, Style};
use kinfolk::transition::GraphSettings;

use crate::data::files_below;

/// A style that is learned in no time; another seed is another style.
pub(super) fn learned(seed: u64) -> Learned {
    let walk = demo::make(demo::Action::Walk, seed, 0).clip;
    let settings = LearnSettings {
        method: Method::Gaussian,
        n_active: 5,
        seed,
        ..LearnSettings::default()
    };
    let style = Style::learn(&[&walk], &settings, &Ticket::default()).unwrap();
    Learned::Style(Arc::new(style))
}

/// Numbers between -1 and 1 that look like chance and are always the same.
pub(super) struct Chance(pub(super) u64);

impl Chance {
    pub(super) fn bits(&mut self) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        self.0 >> 33
    }

    fn number(&mut self) -> f64 {
        self.bits() as f64 / f64::from(1_u32 << 30) - 1.0
    }

    fn vector(&mut self) -> Vec3 {
        Vec3::new(self.number(), self.number(), self.number())
    }
}

fn joint(name: &str, parent: Option<usize>, channels: Channels) -> Joint {
    Joint {
        name: name.to_owned(),
        parent,
        offset: Vec3::new(0.1, 10.0 / 3.0, -0.7),
        channels,
    }
}

/// Legs before the spine's children, names that BVH cannot hold, joints with few channels, two tips on one joint.
pub(super) fn odd_skeleton() -> Arc<Skeleton> {
    let turn = Channels::rotation(RotationOrder::ZXY);
    let knee = Channels::new(&[Channel::Rotation(Dim::X)]).unwrap();
    let slide = Channels::new(&[Channel::Position(Dim::Y), Channel::Rotation(Dim::Y)]).unwrap();
    let joints = vec![
        joint(
            "Hips",
            None,
            Channels::position_and_rotation(RotationOrder::ZYX),
        ),
        joint("left leg", Some(0), turn),
        joint("{spine}", Some(0), Channels::rotation(RotationOrder::XYZ)),
        joint("# knee", Some(1), knee),
        joint("", Some(2), Channels::NONE),
        joint("Füße", Some(3), slide),
        joint("Hips", Some(2), turn),
    ];
    let end = |joint, x| EndSite {
        joint,
        offset: Vec3::new(x, 1.0 / 7.0, 0.0),
    };
    Arc::new(Skeleton::new(joints, vec![end(6, 1.0), end(5, 2.0), end(6, 3.0)]).unwrap())
}

/// Any motion on it, gimbal lock and whole turns included.
pub(super) fn odd_motion(
    skeleton: &Skeleton,
    n_frames: usize,
    frame_secs: f64,
    seed: u64,
) -> Motion {
    let mut chance = Chance(seed);
    let mut motion = Motion::with_capacity(skeleton, frame_secs, n_frames);
    for frame in 0..n_frames {
        let mut pose = Pose::rest(skeleton);
        for place in &mut pose.translations {
            *place += chance.vector() * 100.0;
        }
        for q in &mut pose.rotations {
            *q = match frame % 3 {
                0 => Quat::from_scaled_axis(chance.vector() * 5.0),
                1 => rotation::from_euler(
                    RotationOrder::ZXY,
                    [0.3, std::f64::consts::FRAC_PI_2, -0.8],
                ),
                _ => Quat::new_unchecked(
                    -Quat::from_scaled_axis(chance.vector() * 1e-9).into_inner(),
                ),
            };
        }
        motion.push(pose.as_ref());
    }
    motion
}

pub(super) fn clip(name: &str, n_frames: usize, seed: u64) -> Arc<Clip> {
    let skeleton = odd_skeleton();
    let motion = odd_motion(&skeleton, n_frames, 0.0083333, seed);
    Arc::new(Clip::new(ClipInfo::named(name), skeleton, motion).unwrap())
}

/// A clip with everything that BVH has no place for.
fn full_clip() -> Arc<Clip> {
    let mut full = Clip::clone(&clip("full", 9, 3));
    full.info = ClipInfo {
        name: "Gehen \"schnell\"\\ / 歩く".to_owned(),
        tags: ["walk", "two words", "\u{1f6b6}"].map(str::to_owned).into(),
        file: Some("/home/anna/take 1.bvh".into()),
        history: vec![
            "trimmed to frames 10..50".to_owned(),
            "line\nbreak".to_owned(),
        ],
        notes: vec![
            Note {
                kind: NoteKind::Repaired,
                line: Some(7),
                text: "mended".to_owned(),
            },
            Note::new(NoteKind::Guessed, "guessed"),
            Note::new(NoteKind::Noticed, "noticed"),
        ],
        up: Axis::Z.opposite(),
    };
    let contact = |joint, frames| Contact { joint, frames };
    Arc::new(
        full.with_contacts(vec![contact(5, 2..9), contact(1, 0..3)])
            .unwrap(),
    )
}

/// The document after commands.
pub(super) fn after(document: &Document, commands: Vec<Command>) -> Document {
    let all = commands
        .into_iter()
        .try_fold(document.clone(), |d, c| d.edited(c));
    all.unwrap()
}

/// With nothing left at its default.
fn graph() -> GraphRecipe {
    GraphRecipe {
        name: "walks and more".to_owned(),
        clips: vec![ClipId(2), ClipId(1)],
        settings: GraphSettings {
            metric: PoseMetricSettings {
                velocity_secs: 0.1 + 0.2,
                weights: vec![("the \"Hips\"".to_owned(), 1e-300)],
            },
            threshold: Some(1.0 / 3.0),
            is_undirected: true,
            n_paths: 7,
            cost_limit: 11.5,
        },
    }
}

/// One entry of each kind, one of them of a clip that is not there, with nothing left at its default.
fn sequence() -> Sequence {
    let mut actions = ActionList::default();
    for source in [
        ActionSource::Clip(ClipId(2)),
        ActionSource::Clip(ClipId(9)),
        ActionSource::Model(ModelId(10)),
        ActionSource::Target(TargetAction {
            examples: vec![ClipId(1), ClipId(2)],
            site: Site::End(1),
            target: Vec3::new(0.1, -2.0 / 3.0, 1e-300),
        }),
    ] {
        actions.insert(usize::MAX, source);
    }
    let chosen = JoinChoice {
        method: JoinMethod::Path(3),
        kind: Some(JoinKind::Fade),
        secs: Some(0.7),
        leave_secs: Some(1.0 / 3.0),
        enter_secs: Some(0.0),
        bone: Match::RightFoot,
        shape: JoinShape {
            ease: Ease {
                start: 0.25,
                end: 0.0,
            },
            holds_source: true,
            holds_destination: true,
            angle_rad: -1.25,
            alignment: Alignment {
                ground: false,
                height: true,
                heading: false,
            },
        },
    };
    actions.entries[1].reached = chosen;
    actions.entries[2].repeats = 5;
    actions.entries[2].repeated = JoinChoice {
        method: JoinMethod::Fallback,
        kind: Some(JoinKind::Quintic),
        ..JoinChoice::default()
    };
    actions.entries[3].trim = Trim {
        start_secs: 0.1,
        end_secs: 0.2,
    };
    actions.remove(&[actions.entries[0].id]);
    actions.loops = true;
    actions.seed = u64::MAX;
    Sequence {
        name: "six moves".to_owned(),
        graph: Some(GraphId(11)),
        actions,
    }
}

/// Clips of every kind, 1 to 8, a set, a graph, a sequence and notes.
pub(super) fn document() -> Document {
    let with_secs = |secs, seed| {
        let skeleton = odd_skeleton();
        let motion = odd_motion(&skeleton, 4, secs, seed);
        Arc::new(Clip::new(ClipInfo::named("walk"), skeleton, motion).unwrap())
    };
    let still = {
        let root = joint("only", None, Channels::NONE);
        let skeleton = Arc::new(Skeleton::new(vec![root], vec![]).unwrap());
        let motion = odd_motion(&skeleton, 1, 0.04, 9);
        Arc::new(Clip::new(ClipInfo::named(""), skeleton, motion).unwrap())
    };
    let far = {
        let clip = clip("far", 3, 12);
        let mut motion = clip.motion().clone();
        motion.translations.iter_mut().for_each(|t| *t *= 1e10);
        Arc::new(Clip::new(clip.info.clone(), Arc::clone(clip.skeleton()), motion).unwrap())
    };
    let clips = vec![
        full_clip(),
        clip("walk", 30, 5),
        clip("Walk", 2, 6),
        with_secs(1.0 / 3.0, 7),
        with_secs(100.0, 8),
        with_secs(1e-7, 10),
        still,
        far,
    ];
    let ids = |numbers: &[u64]| numbers.iter().copied().map(ClipId).collect::<Vec<_>>();
    after(
        &Document::default(),
        vec![
            Command::AddClips(clips),
            Command::AddSet {
                name: "walks".to_owned(),
                clips: ids(&[4, 2]),
            },
            Command::MoveClips {
                clips: ids(&[8, 1]),
                to: 2,
            },
            Command::AddStrokes(vec![Arc::new(
                Stroke::new(
                    "round \"o\"",
                    vec![[-0.1, 1.0 / 3.0, 1e-300], [0.1 + 0.2, -1e300, 5e-324]],
                )
                .unwrap(),
            )]),
            Command::AddGraph(Arc::new(graph())),
            Command::AddSequence(Arc::new(sequence())),
            Command::RenameProject("Gaits".to_owned()),
            Command::SetProjectNotes("two\nlines \"and\" more".to_owned()),
        ],
    )
}

/// Equal as far as anybody can tell: exactly, but for the last digits of rotations and places.
pub(super) fn assert_same(a: &Document, b: &Document) {
    assert_eq!(
        (a.name(), a.notes(), a.sets(), a.strokes()),
        (b.name(), b.notes(), b.sets(), b.strokes()),
        "name, notes, sets, strokes"
    );
    assert_eq!(a.clip_order(), b.clip_order(), "order");
    assert_eq!(a.next_number(), b.next_number(), "next number");
    assert_eq!(a.models(), b.models(), "models");
    assert_eq!(a.graphs(), b.graphs(), "graphs");
    assert_eq!(a.sequences(), b.sequences(), "sequences");
    for ((_, x), (_, y)) in a.clips().zip(b.clips()) {
        let name = &x.info.name;
        assert_eq!(x.info, y.info, "{name}");
        assert_eq!(x.contacts(), y.contacts(), "{name}");
        assert_eq!(x.skeleton(), y.skeleton(), "{name}");
        assert_eq!(x.frame_secs(), y.frame_secs(), "{name}");
        assert_eq!(x.n_frames(), y.n_frames(), "{name}");
        for (s, t) in x.motion().translations.iter().zip(&y.motion().translations) {
            assert!(
                (s - t).amax() <= 1e-12 + 1e-15 * s.amax(),
                "{name}: {s} {t}"
            );
        }
        for (p, q) in x.motion().rotations.iter().zip(&y.motion().rotations) {
            let apart = (p.coords - q.coords)
                .amax()
                .min((p.coords + q.coords).amax());
            assert!(apart < 1e-13, "{name}: {apart:e}");
        }
    }
}

/// A new project with this document.
pub(super) fn saved(path: &Path, document: &Document) -> ProjectFolder {
    let mut folder = ProjectFolder::create(path, Overwrite::Never).unwrap();
    let saved = folder.save(document).unwrap();
    assert_eq!(
        (saved.written, saved.kept),
        (
            document.n_clips() + document.models().len() + document.studies().len(),
            0
        ),
        "all are new"
    );
    folder
}

pub(super) fn opened(path: &Path) -> Opened {
    // A child that another test is starting may hold a copy of the lock that was just let go, for a moment.
    let tries = (0..1200).map(|_| {
        let opened = ProjectFolder::open(path, Access::Write);
        if opened.is_err() {
            std::thread::sleep(std::time::Duration::from_millis(50));
        }
        opened
    });
    let mut opened = tries.skip_while(Result::is_err);
    let opened = opened.next().expect("the lock is free").unwrap();
    opened.document.check().unwrap();
    opened
}

/// The motion files and their bytes.
pub(super) fn motions(path: &Path) -> BTreeMap<String, Vec<u8>> {
    let name = |file: &Path| file.file_name().unwrap().to_str().unwrap().to_owned();
    let files = files_below(&path.join("clips"), "bvh");
    files
        .iter()
        .map(|file| (name(file), fs::read(file).unwrap()))
        .collect()
}
