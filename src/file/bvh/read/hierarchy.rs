//! The HIERARCHY part: joints, their offsets and channels.

use super::notes::{Notes, Quirk};
use super::scan::{Cursor, shown};
use crate::file::{ReadError, SyntaxError};
use crate::motion::{Channel, Channels, Dim, EndSite, Joint, LONGEST, Skeleton, Vec3};

/// What one number of a row is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ChannelColumn {
    /// A channel of a joint of the skeleton.
    Of { joint: usize, channel: Channel },
    /// Scales, and everything of further skeletons.
    Skipped,
}

/// Everything between HIERARCHY and MOTION.
#[derive(Debug, Default)]
pub(super) struct Hierarchy {
    joints: Vec<Joint>,
    ends: Vec<EndSite>,
    columns: Vec<ChannelColumn>,
    /// How many joints belong to the first skeleton; the others are only read for their columns.
    n_first: usize,
}

/// Reads from the beginning of the file up to MOTION or the end.
pub(super) fn read(cursor: &mut Cursor<'_>, notes: &mut Notes) -> Result<Hierarchy, SyntaxError> {
    if !cursor.take("HIERARCHY", notes) {
        return Err(cursor.fail("HIERARCHY, with which every BVH file begins"));
    }
    if !cursor.take("ROOT", notes) {
        return Err(cursor.fail("ROOT"));
    }
    let mut hierarchy = Hierarchy::default();
    hierarchy.skeleton_tree(cursor, notes)?;
    hierarchy.n_first = hierarchy.joints.len();
    loop {
        cursor.skip_space(notes);
        let root_at = cursor.at;
        if !cursor.take("ROOT", notes) {
            break;
        }
        let first = hierarchy.joints.len();
        hierarchy.skeleton_tree(cursor, notes)?;
        let name = &hierarchy.joints[first].name;
        notes.see_with(Quirk::SecondRoot, Some(root_at), || shown(name.as_bytes()));
    }
    Ok(hierarchy)
}

impl Hierarchy {
    /// One ROOT with all that hangs on it. Files nest as deep as they like, so the way back up is the parent of each
    /// joint, not the call stack.
    fn skeleton_tree(
        &mut self,
        cursor: &mut Cursor<'_>,
        notes: &mut Notes,
    ) -> Result<(), SyntaxError> {
        let mut joint = self.joint(cursor, notes, None)?;
        // Whether the last thing read hangs on `joint`; a joint on which nothing hangs lacks its end site.
        let mut has_tip = false;
        loop {
            cursor.skip_space(notes);
            let at = cursor.at;
            if cursor.take("JOINT", notes) {
                joint = self.joint(cursor, notes, Some(joint))?;
                has_tip = false;
            } else if cursor.take("End", notes) || cursor.take("EndSite", notes) {
                self.end_site(cursor, notes, joint)?;
                has_tip = true;
            } else if cursor.take("}", notes) {
                if !has_tip {
                    let name = &self.joints[joint].name;
                    notes.see_with(Quirk::NoEndSite, Some(at), || shown(name.as_bytes()));
                }
                has_tip = true;
                match self.joints[joint].parent {
                    Some(parent) => joint = parent,
                    None => return Ok(()),
                }
            } else {
                return Err(cursor.fail("JOINT, End Site or \"}\""));
            }
        }
    }

    /// A name, an opening brace, OFFSET and CHANNELS. Gives the index of the joint.
    fn joint(
        &mut self,
        cursor: &mut Cursor<'_>,
        notes: &mut Notes,
        parent: Option<usize>,
    ) -> Result<usize, SyntaxError> {
        let idx = self.joints.len();
        let name = name(cursor, notes, idx);
        if !cursor.take("{", notes) {
            return Err(cursor.fail("\"{\""));
        }
        // Some exporters write the channels first.
        let mut channels = None;
        if cursor.take("CHANNELS", notes) {
            channels = Some(self.channels(cursor, notes, idx)?);
        }
        let offset = offset(cursor, notes)?;
        if channels.is_none() && cursor.take("CHANNELS", notes) {
            channels = Some(self.channels(cursor, notes, idx)?);
        }
        self.joints.push(Joint {
            name,
            parent,
            offset,
            channels: channels.unwrap_or(Channels::NONE),
        });
        Ok(idx)
    }

    fn channels(
        &mut self,
        cursor: &mut Cursor<'_>,
        notes: &mut Notes,
        joint: usize,
    ) -> Result<Channels, SyntaxError> {
        cursor.skip_space(notes);
        let count = str::from_utf8(cursor.word())
            .ok()
            .and_then(|w| w.parse().ok());
        let Some(count): Option<usize> = count else {
            return Err(cursor.fail("the number of channels"));
        };
        cursor.at += cursor.word().len();
        let mut list = Vec::with_capacity(6);
        let mut n_read = 0;
        loop {
            cursor.skip_space(notes);
            let Some(named) = channel_of(cursor.word()) else {
                break;
            };
            if n_read == count {
                return Err(cursor.fail(format!("only {count} channels, as the line says")));
            }
            n_read += 1;
            match named {
                ChannelName::Scale => {
                    notes.see(Quirk::Scale, cursor.at);
                    self.columns.push(ChannelColumn::Skipped);
                }
                ChannelName::Channel(channel) => {
                    if list.contains(&channel) {
                        return Err(cursor.fail("each channel only once"));
                    }
                    list.push(channel);
                    self.columns.push(ChannelColumn::Of { joint, channel });
                }
            }
            cursor.at += cursor.word().len();
        }
        if n_read < count {
            let expected = format!("a channel such as Xrotation ({n_read} of {count} are named)");
            return Err(cursor.fail(expected));
        }
        Ok(Channels::new(&list).expect("no channel was taken twice"))
    }

    fn end_site(
        &mut self,
        cursor: &mut Cursor<'_>,
        notes: &mut Notes,
        joint: usize,
    ) -> Result<(), SyntaxError> {
        let at = cursor.at;
        let words = cursor.rest_of_line();
        let name = match words.get(..4) {
            Some(site) if site.eq_ignore_ascii_case(b"Site") => words[4..].trim_ascii_start(),
            _ => words,
        };
        if !name.is_empty() {
            notes.see_with(Quirk::NamedEndSite, Some(at), || shown(name));
        }
        if !cursor.take("{", notes) {
            return Err(cursor.fail("\"{\""));
        }
        let offset = offset(cursor, notes)?;
        if !cursor.take("}", notes) {
            return Err(cursor.fail("\"}\" of the End Site"));
        }
        self.ends.push(EndSite { joint, offset });
        Ok(())
    }

    /// The first skeleton of the file, and what the columns of its rows are for.
    pub(super) fn into_skeleton(
        mut self,
        notes: &mut Notes,
    ) -> Result<(Skeleton, Vec<ChannelColumn>), ReadError> {
        let n_first = self.n_first;
        self.joints.truncate(n_first);
        self.ends.retain(|end| end.joint < n_first);
        for column in &mut self.columns {
            if matches!(column, ChannelColumn::Of { joint, .. } if *joint >= n_first) {
                *column = ChannelColumn::Skipped;
            }
        }
        note_same_names(&self.joints, notes);
        Ok((Skeleton::new(self.joints, self.ends)?, self.columns))
    }
}

/// Reads a joint's name, which runs to the end of its line.
fn name(cursor: &mut Cursor<'_>, notes: &mut Notes, idx: usize) -> String {
    let at = cursor.at;
    let word = cursor.rest_of_line();
    if word.is_empty() {
        let name = format!("joint{idx}");
        notes.see_with(Quirk::NoName, Some(at), || name.clone());
        return name;
    }
    if word.iter().any(u8::is_ascii_whitespace) {
        notes.see_with(Quirk::NameWithBlanks, Some(at), || shown(word));
    }
    let name = String::from_utf8_lossy(word);
    if matches!(name, std::borrow::Cow::Owned(_)) {
        notes.see_with(Quirk::NameNotText, Some(at), || shown(word));
    }
    name.into_owned()
}

fn offset(cursor: &mut Cursor<'_>, notes: &mut Notes) -> Result<Vec3, SyntaxError> {
    if !cursor.take("OFFSET", notes) {
        return Err(cursor.fail("OFFSET"));
    }
    let mut offset = Vec3::zeros();
    for length in offset.iter_mut() {
        let before = cursor.clone();
        *length = cursor.number(notes)?;
        if length.abs() > LONGEST {
            let mut culprit = before;
            culprit.skip_space(notes);
            return Err(culprit.fail(format!("a length below {LONGEST:e}")));
        }
    }
    Ok(offset)
}

enum ChannelName {
    Channel(Channel),
    Scale,
}

fn channel_of(word: &[u8]) -> Option<ChannelName> {
    let (axis, kind) = word.split_first()?;
    let dim = match axis {
        b'X' | b'x' => Dim::X,
        b'Y' | b'y' => Dim::Y,
        b'Z' | b'z' => Dim::Z,
        _ => return None,
    };
    let is = |name: &[u8]| kind.eq_ignore_ascii_case(name);
    if is(b"rotation") {
        Some(ChannelName::Channel(Channel::Rotation(dim)))
    } else if is(b"position") {
        Some(ChannelName::Channel(Channel::Position(dim)))
    } else {
        is(b"scale").then_some(ChannelName::Scale)
    }
}

fn note_same_names(joints: &[Joint], notes: &mut Notes) {
    let mut order: Vec<usize> = (0..joints.len()).collect();
    order.sort_by(|&a, &b| joints[a].name.cmp(&joints[b].name).then(a.cmp(&b)));
    let twins = order
        .windows(2)
        .filter(|pair| joints[pair[0]].name == joints[pair[1]].name);
    let mut later: Vec<usize> = twins.map(|pair| pair[1]).collect();
    later.sort_unstable();
    for idx in later {
        let name = joints[idx].name.as_bytes();
        notes.see_with(Quirk::SameName, None, || shown(name));
    }
}
