//! Clips as BVH files.
//!
//! The animator gets back the channels of the source, or one rotation order for all joints; curves without jumps over
//! half a turn, so that they can be edited; and the same motion: joints read back within 1e-5 units. What this leaves
//! out: contacts, tags and history, for which BVH has no place.

use std::io::Write as _;

use super::names::names;
use super::write_plan::{RotationChannels, WritePlan, WriteSettings, WriteTolerance};
use crate::file::decimal::Decimal;
use crate::motion::{Channel, Clip, Note, PoseRef, Skeleton, Vec3};

/// A BVH file, and what the animator should know about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written {
    /// The content of the file.
    pub bytes: Vec<u8>,
    /// Names that were changed and channels that were added.
    pub notes: Vec<Note>,
}

/// The clip as a BVH file.
///
/// The frame time of whole rates is spelled out, so that a source that said `.0083333` becomes exactly 120 frames per
/// second. The root's offset is zero where position channels replace it. A leaf without an end site gets none.
pub fn write(clip: &Clip, settings: &WriteSettings) -> Written {
    write_losing(clip, settings, WriteTolerance::SMALL)
}

/// The clip as a BVH file with so many digits that reading it gives the same clip: rotations within 1e-13,
/// lengths within 1e-12.
pub(in crate::file) fn write_exactly(clip: &Clip, settings: &WriteSettings) -> Written {
    write_losing(clip, settings, WriteTolerance::TINY)
}

fn write_losing(clip: &Clip, settings: &WriteSettings, loss: WriteTolerance) -> Written {
    let skeleton = clip.skeleton();
    let plan = WritePlan::of(clip, settings, loss);
    let (names, renamed) = names(skeleton.joints(), settings.safe_names);
    let n_frames = clip.n_frames();
    let (mut bytes, order) = head(clip, &plan, &names, n_frames);
    let mut row = FrameWriter::new(skeleton, &plan, &order);
    // Room by the first row: the others are about as long.
    let before = bytes.len();
    for (frame, pose) in clip.frames().enumerate() {
        row.push(&mut bytes, pose);
        if frame == 0 {
            bytes.reserve((bytes.len() - before + 16) * (n_frames - 1));
        }
    }
    Written {
        bytes,
        notes: plan.note.into_iter().chain(renamed).collect(),
    }
}

/// A file of a known length whose frames come piece by piece.
pub struct PieceWriter {
    plan: WritePlan,
    order: Vec<usize>,
    last_rad: Vec<[f64; 3]>,
}

impl PieceWriter {
    /// For pieces like this one, with so many frames in all. Gives the beginning of the file, without any frame. Joints
    /// that turn at all have all three rotations: later pieces may turn them otherwise.
    pub fn begin(first: &Clip, n_frames: usize) -> (Self, Vec<u8>) {
        let settings = WriteSettings {
            whole_channels: true,
            ..WriteSettings::default()
        };
        let plan = WritePlan::of(first, &settings, WriteTolerance::SMALL);
        let (names, _) = names(first.skeleton().joints(), false);
        let (bytes, order) = head(first, &plan, &names, n_frames);
        let made = Self {
            plan,
            order,
            last_rad: Vec::new(),
        };
        (made, bytes)
    }

    /// The frames of the next piece.
    pub fn rows(&mut self, clip: &Clip) -> Vec<u8> {
        let mut row = FrameWriter::new(clip.skeleton(), &self.plan, &self.order);
        for (columns, last) in row.columns.iter_mut().zip(&self.last_rad) {
            columns.last_rad = *last;
        }
        let mut bytes = Vec::new();
        clip.frames().for_each(|pose| row.push(&mut bytes, pose));
        self.last_rad = row.columns.iter().map(|columns| columns.last_rad).collect();
        bytes
    }
}

/// Everything before the first frame, and the joints in the order of the file.
fn head(clip: &Clip, plan: &WritePlan, names: &[String], n_frames: usize) -> (Vec<u8>, Vec<usize>) {
    let skeleton = clip.skeleton();
    let mut hierarchy = HierarchyWriter {
        skeleton,
        plan,
        names,
        bytes: b"HIERARCHY\n".to_vec(),
        order: Vec::with_capacity(skeleton.n_joints()),
    };
    hierarchy.write();
    let HierarchyWriter {
        mut bytes, order, ..
    } = hierarchy;
    let rate = clip.fps();
    let frame_secs = if rate.fract() == 0.0 {
        1.0 / rate
    } else {
        clip.frame_secs()
    };
    write!(
        bytes,
        "MOTION\nFrames: {n_frames}\nFrame Time: {frame_secs}\n"
    )
    .expect("a vector takes every byte");
    (bytes, order)
}

/// Deeper joints are not indented further: a chain of a million joints must not need a million tabs in each line.
const DEEPEST_INDENT: usize = 40;

/// The upper half of the file.
struct HierarchyWriter<'a> {
    skeleton: &'a Skeleton,
    plan: &'a WritePlan,
    names: &'a [String],
    bytes: Vec<u8>,
    /// The joints as the file lists them: each one directly before all that hangs on it.
    order: Vec<usize>,
}

impl HierarchyWriter<'_> {
    fn write(&mut self) {
        enum TreeEvent {
            Joint(usize, usize),
            Close(usize),
        }
        let joints = self.skeleton.joints();
        let mut children = vec![Vec::new(); joints.len()];
        for (idx, joint) in joints.iter().enumerate().rev() {
            if let Some(parent) = joint.parent {
                children[parent].push(idx);
            }
        }
        let mut open = vec![TreeEvent::Joint(0, 0)];
        while let Some(step) = open.pop() {
            match step {
                TreeEvent::Joint(joint, depth) => {
                    self.order.push(joint);
                    self.open_joint(joint, depth);
                    open.push(TreeEvent::Close(depth));
                    let below = children[joint].iter();
                    open.extend(below.map(|&child| TreeEvent::Joint(child, depth + 1)));
                }
                TreeEvent::Close(depth) => self.line(depth, &["}"]),
            }
        }
    }

    fn open_joint(&mut self, joint: usize, depth: usize) {
        let word = if joint == 0 { "ROOT " } else { "JOINT " };
        let names = self.names;
        self.line(depth, &[word, &names[joint]]);
        self.line(depth, &["{"]);
        let offset = if joint == 0 {
            self.plan.root_offset
        } else {
            self.skeleton.joints()[joint].offset
        };
        self.offset(depth + 1, &offset);
        let channels = self.plan.channels[joint].as_slice();
        let mut words = vec![
            "CHANNELS ",
            ["0", "1", "2", "3", "4", "5", "6"][channels.len()],
        ];
        words.extend(channels.iter().map(|&c| channel_name(c)));
        self.line(depth + 1, &words);
        for end in self.skeleton.ends_of(joint) {
            let offset = self.skeleton.ends()[end].offset;
            self.line(depth + 1, &["End Site"]);
            self.line(depth + 1, &["{"]);
            self.offset(depth + 2, &offset);
            self.line(depth + 1, &["}"]);
        }
    }

    fn offset(&mut self, depth: usize, offset: &Vec3) {
        self.indent(depth);
        self.bytes.extend_from_slice(b"OFFSET");
        for &coordinate in offset {
            self.bytes.push(b' ');
            self.plan.length.push(&mut self.bytes, coordinate);
        }
        self.bytes.push(b'\n');
    }

    fn line(&mut self, depth: usize, words: &[&str]) {
        self.indent(depth);
        for word in words {
            self.bytes.extend_from_slice(word.as_bytes());
        }
        self.bytes.push(b'\n');
    }

    fn indent(&mut self, depth: usize) {
        let tabs = depth.min(DEEPEST_INDENT);
        self.bytes.extend(std::iter::repeat_n(b'\t', tabs));
    }
}

fn channel_name(channel: Channel) -> &'static str {
    match channel {
        Channel::Position(dim) => [" Xposition", " Yposition", " Zposition"][dim.index()],
        Channel::Rotation(dim) => [" Xrotation", " Yrotation", " Zrotation"][dim.index()],
    }
}

/// The columns of one joint.
struct JointColumns<'a> {
    joint: usize,
    slot: Option<usize>,
    channels: &'a [Channel],
    turns: RotationChannels,
    /// The angles of the last frame as the file has them. Going on from the rounded ones, no step is over half a turn,
    /// not even by the last digit.
    last_rad: [f64; 3],
}

/// Writes frame after frame and remembers what the curves must go on from.
struct FrameWriter<'a> {
    columns: Vec<JointColumns<'a>>,
    length: Decimal,
    angle: Decimal,
}

impl<'a> FrameWriter<'a> {
    fn new(skeleton: &Skeleton, plan: &'a WritePlan, order: &[usize]) -> Self {
        let columns = order
            .iter()
            .map(|&joint| JointColumns {
                joint,
                slot: skeleton.translation_slot(joint),
                channels: plan.channels[joint].as_slice(),
                turns: RotationChannels::of(&plan.channels[joint]),
                last_rad: [0.0; 3],
            })
            .filter(|columns| !columns.channels.is_empty())
            .collect();
        Self {
            columns,
            length: plan.length,
            angle: plan.angle,
        }
    }

    fn push(&mut self, out: &mut Vec<u8>, pose: PoseRef<'_>) {
        let start = out.len();
        for columns in &mut self.columns {
            let q = &pose.rotations[columns.joint];
            let degrees = columns
                .turns
                .angles_rad(q, columns.last_rad)
                .map(|rad| self.angle.round(rad.to_degrees()));
            columns.last_rad = degrees.map(f64::to_radians);
            let mut turns = degrees.into_iter();
            for channel in columns.channels {
                match channel {
                    Channel::Position(dim) => {
                        let place = columns.slot.map(|slot| pose.translations[slot]);
                        let place = place.expect("a joint with position channels has a slot");
                        self.length.push(out, place[dim.index()]);
                    }
                    Channel::Rotation(_) => {
                        let angle = turns.next().expect("a joint has at most three rotations");
                        self.angle.push(out, angle);
                    }
                }
                out.push(b' ');
            }
        }
        if out.len() > start {
            out.pop();
        }
        out.push(b'\n');
    }
}
