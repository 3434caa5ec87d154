//! Conversion between the engine's values and `project.ron`, by hand, so that either can change without the other.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::PathBuf;
use std::sync::Arc;

use super::v1;
use crate::motion::{
    Axis, Channel, Channels, Clip, ClipInfo, Contact, Dim, EndSite, Joint, Note, NoteKind,
    Skeleton, Vec3,
};

/// The skeletons of a file, each once.
#[derive(Debug, Default)]
pub(in crate::file) struct Skeletons {
    pub(in crate::file) list: Vec<v1::Skeleton>,
    /// Most clips share theirs, so that the address says it.
    by_address: BTreeMap<*const Skeleton, usize>,
    /// Equal ones at other addresses.
    by_digest: BTreeMap<u64, Vec<(usize, Arc<Skeleton>)>>,
}

impl Skeletons {
    /// Its place in the list, where it is put if it is new.
    pub(in crate::file) fn index(&mut self, skeleton: &Arc<Skeleton>) -> usize {
        if let Some(&known) = self.by_address.get(&Arc::as_ptr(skeleton)) {
            return known;
        }
        let alike = self.by_digest.entry(digest(skeleton)).or_default();
        let known = alike.iter().find(|(_, other)| other == skeleton);
        let idx = known.map_or(self.list.len(), |(idx, _)| *idx);
        if idx == self.list.len() {
            self.list.push(skeleton_to(skeleton));
            alike.push((idx, Arc::clone(skeleton)));
        }
        self.by_address.insert(Arc::as_ptr(skeleton), idx);
        idx
    }
}

fn digest(skeleton: &Skeleton) -> u64 {
    let mut hasher = DefaultHasher::new();
    for joint in skeleton.joints() {
        joint.name.hash(&mut hasher);
        joint.parent.hash(&mut hasher);
        // Zero has two signs that are equal.
        joint
            .offset
            .iter()
            .for_each(|x| (x + 0.0).to_bits().hash(&mut hasher));
    }
    hasher.finish()
}

pub(in crate::file) fn skeleton_to(skeleton: &Skeleton) -> v1::Skeleton {
    let joint = |joint: &Joint| v1::Joint {
        name: joint.name.clone(),
        parent: joint.parent,
        offset: joint.offset.into(),
        channels: channels_to(&joint.channels),
    };
    let end = |end: &EndSite| (end.joint, end.offset.into());
    v1::Skeleton {
        joints: skeleton.joints().iter().map(joint).collect(),
        ends: skeleton.ends().iter().map(end).collect(),
    }
}

pub(in crate::file) fn skeleton_from(mirror: &v1::Skeleton) -> Result<Skeleton, String> {
    let mut joints = Vec::with_capacity(mirror.joints.len());
    for joint in &mirror.joints {
        let channels = channels_from(&joint.channels).ok_or_else(|| {
            let (name, found) = (&joint.name, &joint.channels);
            format!("the channels of joint \"{name}\" cannot be \"{found}\"")
        })?;
        joints.push(Joint {
            name: joint.name.clone(),
            parent: joint.parent,
            offset: Vec3::from(joint.offset),
            channels,
        });
    }
    let end = |&(joint, offset): &(usize, [f64; 3])| EndSite {
        joint,
        offset: Vec3::from(offset),
    };
    Skeleton::new(joints, mirror.ends.iter().map(end).collect()).map_err(|e| e.to_string())
}

fn channels_to(channels: &Channels) -> String {
    let mut text = String::new();
    for channel in channels.as_slice() {
        let (kind, dim) = match channel {
            Channel::Position(dim) => ('P', dim),
            Channel::Rotation(dim) => ('R', dim),
        };
        text.push(kind);
        text.push(dim.letter().to_ascii_lowercase());
    }
    text
}

fn channels_from(text: &str) -> Option<Channels> {
    let pairs = text.as_bytes().chunks(2);
    let channel = |pair: &[u8]| {
        let &[kind, letter] = pair else { return None };
        let dim = match letter {
            b'x' => Dim::X,
            b'y' => Dim::Y,
            b'z' => Dim::Z,
            _ => return None,
        };
        match kind {
            b'P' => Some(Channel::Position(dim)),
            b'R' => Some(Channel::Rotation(dim)),
            _ => None,
        }
    };
    Channels::new(&pairs.map(channel).collect::<Option<Vec<Channel>>>()?)
}

/// Everything about a clip but its motion.
pub(super) fn clip_to(id: u64, clip: &Clip, file: &str, skeleton: usize) -> v1::Clip {
    let info = &clip.info;
    let contact = |c: &Contact| (c.joint, c.frames.start, c.frames.end);
    v1::Clip {
        id,
        name: info.name.clone(),
        file: file.to_owned(),
        skeleton: Some(skeleton),
        frames: Some(clip.n_frames()),
        frame_secs: Some(clip.frame_secs()),
        up: info.up.to_string(),
        tags: info.tags.clone(),
        source: info.file.as_ref().map(|f| f.to_string_lossy().into_owned()),
        history: info.history.clone(),
        notes: info.notes.iter().map(note_to).collect(),
        contacts: clip.contacts().iter().map(contact).collect(),
    }
}

/// The info of a clip; an axis that is none becomes Y, and the second value says so.
pub(super) fn info_from(mirror: &v1::Clip) -> (ClipInfo, Option<String>) {
    let (up, problem) = match mirror.up.parse::<Axis>() {
        Ok(axis) => (axis, None),
        Err(error) => (Axis::Y, Some(format!("{error}; Y is taken as up"))),
    };
    let info = ClipInfo {
        name: mirror.name.clone(),
        tags: mirror.tags.clone(),
        file: mirror.source.as_ref().map(PathBuf::from),
        history: mirror.history.clone(),
        notes: mirror.notes.iter().map(note_from).collect(),
        up,
    };
    (info, problem)
}

/// The contacts; frames that run backwards are left for the clip to refuse.
pub(super) fn contacts_from(mirror: &v1::Clip) -> Vec<Contact> {
    let contact = |&(joint, from, to): &(usize, usize, usize)| Contact {
        joint,
        frames: from..to,
    };
    mirror.contacts.iter().map(contact).collect()
}

fn note_to(note: &Note) -> v1::Note {
    v1::Note {
        kind: match note.kind {
            NoteKind::Repaired => v1::NoteKind::Repaired,
            NoteKind::Guessed => v1::NoteKind::Guessed,
            NoteKind::Noticed => v1::NoteKind::Noticed,
        },
        line: note.line,
        text: note.text.clone(),
    }
}

fn note_from(mirror: &v1::Note) -> Note {
    Note {
        kind: match mirror.kind {
            v1::NoteKind::Repaired => NoteKind::Repaired,
            v1::NoteKind::Guessed => NoteKind::Guessed,
            v1::NoteKind::Noticed => NoteKind::Noticed,
        },
        line: mirror.line,
        text: mirror.text.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn channels_are_read_as_they_are_written() {
        for text in ["", "Rx", "PxPyPzRzRxRy", "RzPy"] {
            assert_eq!(channels_to(&channels_from(text).unwrap()), text);
        }
        for text in ["R", "RxRx", "rx", "Rw", "Sx", "RxR", "é"] {
            assert_eq!(channels_from(text), None, "{text}");
        }
    }
}
