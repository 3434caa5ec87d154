//! Version 1 of `project.ron`, word by word. Never change what a field means: make a version 2 and a way there.
//!
//! Fields that a file lacks are empty; fields that it has in excess are passed over, so that a note which was added by
//! hand by hand does no harm.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Project {
    pub(super) version: u64,
    #[serde(default)]
    pub(super) name: String,
    #[serde(default)]
    pub(super) notes: String,
    /// Larger than every number that was ever used for a clip, set, stroke, model or character.
    #[serde(default)]
    pub(super) next_number: u64,
    #[serde(default)]
    pub(super) sets: Vec<Set>,
    /// All clips in library order.
    #[serde(default)]
    pub(super) clips: Vec<Clip>,
    /// In the order in which they were drawn.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) strokes: Vec<Stroke>,
    /// In the order in which they were made.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) models: Vec<Model>,
    /// In the order in which they were made.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) posed: Vec<Posed>,
    /// Files in `poses/`, together the pose library.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) poses: Vec<String>,
    /// One for a character that has any.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) keyings: Vec<Keying>,
    /// One for a character that has one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) pictures: Vec<Picture>,
    /// In the order in which they were drawn.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) paths: Vec<FloorPath>,
    /// In the order in which they were made.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) graphs: Vec<Graph>,
    /// In the order in which they were made.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) sequences: Vec<Sequence>,
    /// In the order in which they were made.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) studies: Vec<Study>,
    /// Each once, however many clips move it.
    #[serde(default)]
    pub(super) skeletons: Vec<Skeleton>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Set {
    pub(super) id: u64,
    pub(super) name: String,
    #[serde(default)]
    pub(super) clips: Vec<u64>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Stroke {
    pub(super) id: u64,
    pub(super) name: String,
    /// Time in seconds, x and y of each point.
    pub(super) points: Vec<[f64; 3]>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Model {
    pub(super) id: u64,
    pub(super) name: String,
    /// `variation`, `strokes`, `style` or `texture`.
    pub(super) kind: String,
    /// Name of the file in `models/`.
    pub(super) file: String,
}

/// A rating study and the answers to it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Study {
    pub(super) id: u64,
    pub(super) title: String,
    /// Name of the file in `studies/`.
    pub(super) file: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) ratings: Vec<Rating>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Rating {
    pub(super) rater: String,
    /// When it was shown in the session, counted from 1.
    pub(super) trial: usize,
    /// The blind name of what was shown.
    pub(super) stimulus: String,
    pub(super) score: u8,
    #[serde(default)]
    pub(super) seconds: f64,
}

/// A posed character: bones, pose, pins and styles.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Posed {
    pub(super) id: u64,
    pub(super) name: String,
    /// Index into the project's skeletons.
    pub(super) skeleton: usize,
    /// Up axis: `Y`, `-Z`.
    pub(super) up: String,
    #[serde(default)]
    pub(super) floor: f64,
    pub(super) pose: Pose,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) pins: Vec<Pin>,
    /// Numbers of models, each with its weight.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) styles: Vec<(u64, f64)>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Pose {
    pub(super) translations: Vec<[f64; 3]>,
    /// Unit quaternions: w, x, y, z.
    pub(super) rotations: Vec<[f64; 4]>,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(super) enum Site {
    Joint(usize),
    End(usize),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum PinMode {
    Free,
    Soft,
    Hard,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Pin {
    pub(super) site: Site,
    pub(super) position: PinMode,
    pub(super) rotation: PinMode,
    pub(super) place: [f64; 3],
    /// A unit quaternion: w, x, y, z.
    pub(super) turn: [f64; 4],
}

/// Keyframes of a posed character.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Keying {
    /// Number of the character.
    pub(super) character: u64,
    pub(super) fps: f64,
    /// How long the shot is.
    pub(super) frames: usize,
    /// Frame and keyed pose, by rising frame.
    #[serde(default)]
    pub(super) keys: Vec<(usize, Pose)>,
    #[serde(default)]
    pub(super) ways: Vec<Way>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) stretches: Vec<Stretch>,
}

/// The way of a handle.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Way {
    pub(super) site: Site,
    /// Keys of the handle, by rising frame.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) keys: Vec<WayKey>,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(super) struct WayKey {
    pub(super) frame: usize,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) place: Option<[f64; 3]>,
    /// Tangent in units per frame; `None` for an automatic one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) tangent: Option<[f64; 3]>,
}

/// Other styles from a frame on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Stretch {
    pub(super) from: usize,
    /// Numbers of models, each with its weight.
    pub(super) styles: Vec<(u64, f64)>,
}

/// A picture behind a posed character.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Picture {
    /// Number of the character.
    pub(super) character: u64,
    pub(super) name: String,
    /// Name of the file in `pictures/`.
    pub(super) file: String,
    pub(super) eye: [f64; 3],
    /// A unit quaternion, world from camera: w, x, y, z.
    pub(super) turn: [f64; 4],
    /// From the bottom to the top, in radians.
    pub(super) field_of_view: f64,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) seen: Vec<Seen>,
}

/// A part of the body on a picture.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(super) struct Seen {
    pub(super) site: Site,
    /// From -1 to 1, right and up.
    pub(super) at: [f64; 2],
    #[serde(default)]
    pub(super) on_floor: bool,
}

/// A path on the floor.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct FloorPath {
    pub(super) id: u64,
    pub(super) name: String,
    /// Number of the model that follows it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) texture: Option<u64>,
    /// Left and forward, in units of the clips, and the action from there on, or nothing.
    pub(super) points: Vec<(f64, f64, String)>,
    /// What is allowed where no point says anything.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) actions: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) radius: Option<f64>,
    pub(super) amount: f64,
    pub(super) seed: u64,
}

/// What a transition graph is built from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Graph {
    pub(super) id: u64,
    pub(super) name: String,
    /// The numbers of the clips that it is built from.
    #[serde(default)]
    pub(super) clips: Vec<u64>,
    /// Threshold of clusters; `None` for the finest that is connected.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) threshold: Option<f64>,
    #[serde(default)]
    pub(super) undirected: bool,
    /// Candidate paths of a pair of clusters.
    pub(super) paths: usize,
    /// How far a path may be, in median edges of the graph.
    pub(super) cost_limit: f64,
    /// Weight of velocities, in seconds.
    pub(super) velocity_secs: f64,
    /// Joints by name with their weights.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) weights: Vec<(String, f64)>,
}

/// Actions in an order.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Sequence {
    pub(super) id: u64,
    pub(super) name: String,
    /// Number of the graph.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) graph: Option<u64>,
    pub(super) seed: u64,
    #[serde(default)]
    pub(super) loops: bool,
    /// Larger than the numbers of all entries.
    pub(super) next_entry: u64,
    #[serde(default)]
    pub(super) entries: Vec<Entry>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Entry {
    pub(super) id: u64,
    pub(super) source: ActionSource,
    /// Seconds cut away from the beginning and from the end.
    #[serde(default)]
    pub(super) trim: (f64, f64),
    pub(super) repeats: usize,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) reached: Option<JoinChoice>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) repeated: Option<JoinChoice>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) enum ActionSource {
    /// Number of a clip.
    Clip(u64),
    /// Number of a model of variation.
    Model(u64),
    Target {
        /// The numbers of the clips that are blended.
        examples: Vec<u64>,
        site: Site,
        /// The point in the world that the site should reach.
        target: [f64; 3],
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(super) enum JoinMethod {
    Automatic,
    /// The cheapest is 0.
    Path(usize),
    Direct,
    Fallback,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(super) enum JoinKind {
    Dead,
    Quintic,
    Fade,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(super) enum MatchBone {
    Auto,
    Pelvis,
    LeftFoot,
    RightFoot,
}

/// How an action is reached; what is `None` is found by measurement.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct JoinChoice {
    pub(super) method: JoinMethod,
    #[serde(default)]
    pub(super) kind: Option<JoinKind>,
    #[serde(default)]
    pub(super) secs: Option<f64>,
    #[serde(default)]
    pub(super) leave_secs: Option<f64>,
    #[serde(default)]
    pub(super) enter_secs: Option<f64>,
    /// At the source and at the destination, 0 to 1.
    pub(super) ease: (f64, f64),
    #[serde(default)]
    pub(super) holds_source: bool,
    #[serde(default)]
    pub(super) holds_destination: bool,
    #[serde(default)]
    pub(super) angle_rad: f64,
    pub(super) bone: MatchBone,
    pub(super) ground: bool,
    pub(super) height: bool,
    pub(super) heading: bool,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Clip {
    pub(super) id: u64,
    pub(super) name: String,
    /// Name of the file in `clips/`.
    pub(super) file: String,
    /// Which of the skeletons; without one, the file's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) skeleton: Option<usize>,
    /// The number of frames that the clip file should hold.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) frames: Option<usize>,
    /// Exactly; the file may round it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) frame_secs: Option<f64>,
    /// Up axis: `Y`, `-Z`.
    pub(super) up: String,
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub(super) tags: BTreeSet<String>,
    /// Where it was imported from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) source: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) history: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) notes: Vec<Note>,
    /// Joint, first frame, one past the last.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) contacts: Vec<(usize, usize, usize)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum NoteKind {
    Repaired,
    Guessed,
    Noticed,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Note {
    pub(super) kind: NoteKind,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) line: Option<usize>,
    pub(super) text: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(in crate::file) struct Skeleton {
    /// All joints, parents before children.
    pub(super) joints: Vec<Joint>,
    /// End sites: joint index and offset.
    #[serde(default)]
    pub(super) ends: Vec<(usize, [f64; 3])>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(in crate::file) struct Joint {
    pub(super) name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) parent: Option<usize>,
    pub(super) offset: [f64; 3],
    /// Two letters each: `Px` for Xposition, `Rz` for Zrotation.
    #[serde(default)]
    pub(super) channels: String,
}
