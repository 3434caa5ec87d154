//! The motion of an Acclaim skeleton.
//!
//! An AMC file gives, frame by frame, the numbers of each bone about its own axes. It does not say how fast it was
//! captured.

use std::sync::Arc;

use crate::file::{ReadError, SyntaxError};
use crate::motion::{Clip, ClipInfo, Motion, Note, NoteKind, Pose, Quat, Vec3, rotation};

use super::asf::Asf;
use super::bone::{Bone, BoneDof};
use super::words::{TextLine, Word, lines};

/// How an AMC file is read.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct AmcSettings {
    /// Frames per second; without it, the file's own word if it has one, or else 120, the rate of nearly all of CMU's.
    pub fps: Option<f64>,
}

/// What the CMU database was captured with.
const USUAL_FPS: f64 = 120.0;

/// Reads a motion of this skeleton.
///
/// Frames may be numbered from anywhere; a note says from where. A bone that a frame leaves out stays as it was, with a
/// note. A file that breaks off in the middle of a frame loses that frame, with a note.
pub fn read_amc(asf: &Asf, bytes: &[u8], settings: &AmcSettings) -> Result<Clip, ReadError> {
    let mut take = AmcReader::new(asf, bytes.len());
    let mut all = lines(bytes).peekable();
    while let Some(line) = all.next() {
        match take.line(line) {
            // What stands at the very end may be cut off in the middle.
            Err(AmcError::Short(error)) if all.peek().is_none() && take.n_frames > 0 => {
                take.cut_off(error.line);
            }
            Err(AmcError::Short(error) | AmcError::Wrong(error)) => return Err(error.into()),
            Ok(()) => {}
        }
    }
    take.finish(settings)
}

enum AmcError {
    /// A line is too short.
    Short(SyntaxError),
    Wrong(SyntaxError),
}

impl From<SyntaxError> for AmcError {
    fn from(error: SyntaxError) -> Self {
        Self::Wrong(error)
    }
}

/// A thing that happened more than once: how often, and where first.
#[derive(Debug, Clone, Copy, Default)]
struct Tally {
    count: usize,
    first_line: usize,
}

impl Tally {
    fn add(&mut self, count: usize, line: usize) {
        if self.count == 0 {
            self.first_line = line;
        }
        self.count += count;
    }

    fn note(self, kind: NoteKind, text: impl Fn(usize) -> String) -> Option<Note> {
        (self.count > 0).then(|| Note {
            kind,
            line: Some(self.first_line),
            text: text(self.count),
        })
    }
}

/// The frame that is being read.
#[derive(Debug, Clone, Copy)]
struct OpenFrame {
    number: u64,
    line: usize,
    /// Bones that it has given so far.
    given: usize,
}

struct AmcReader<'a> {
    asf: &'a Asf,
    degrees: bool,
    fps: Option<f64>,
    /// Poses may take this many bytes: a hostile pair of files must not claim thousands of bones in each of a million
    /// frames that say nothing about them.
    room: usize,
    motion: Motion,
    n_frames: usize,
    first_number: Option<u64>,
    open: Option<OpenFrame>,
    /// As the last line about each bone left it.
    pose: Pose,
    /// By bone: how far it is shifted and stretched, and the frame (counted from 1) that last spoke of it.
    shifts: Vec<Vec3>,
    stretches: Vec<f64>,
    last_given: Vec<usize>,
    /// How many bones a whole frame gives.
    moving: usize,
    gaps: Tally,
    missing: Tally,
    breaks_off: Option<usize>,
}

impl<'a> AmcReader<'a> {
    fn new(asf: &'a Asf, n_bytes: usize) -> Self {
        const ROOM: usize = 100_000_000;
        Self {
            asf,
            degrees: asf.degrees,
            fps: None,
            room: ROOM + 32 * n_bytes,
            motion: Motion::with_capacity(&asf.skeleton, 1.0, 0),
            n_frames: 0,
            first_number: None,
            open: None,
            pose: Pose::rest(&asf.skeleton),
            shifts: vec![Vec3::zeros(); asf.bones.len()],
            stretches: vec![0.0; asf.bones.len()],
            last_given: vec![0; asf.bones.len()],
            moving: asf.bones.iter().filter(|b| b.moves()).count(),
            gaps: Tally::default(),
            missing: Tally::default(),
            breaks_off: None,
        }
    }

    fn line(&mut self, line: TextLine<'_>) -> Result<(), AmcError> {
        let mut words = line.words();
        let Some(first) = words.next() else {
            return Ok(());
        };
        if first.text.starts_with(b":") {
            return Ok(self.header(line, first, &mut words)?);
        }
        if first.text.iter().all(u8::is_ascii_digit) {
            let number = std::str::from_utf8(first.text).ok();
            let number = number.and_then(|text| text.parse().ok());
            let number = number.ok_or_else(|| first.instead_of("a frame number"))?;
            if let Some(more) = words.next() {
                return Err(more.instead_of("the end of the line").into());
            }
            return Ok(self.open_frame(number, line, first)?);
        }
        self.bone(line, first, &mut words)
    }

    fn header<'w>(
        &mut self,
        line: TextLine<'w>,
        first: Word<'w>,
        words: &mut impl Iterator<Item = Word<'w>>,
    ) -> Result<(), SyntaxError> {
        if first.is(":degrees") {
            self.degrees = true;
        } else if first.is(":radians") {
            self.degrees = false;
        } else if first.is(":samples-per-second") {
            let word = line.next(words, "frames per second")?;
            let fps = word.number()?;
            if fps <= 0.0 {
                return Err(word.instead_of("a positive number of frames per second"));
            }
            self.fps = Some(fps);
        }
        Ok(())
    }

    fn open_frame(
        &mut self,
        number: u64,
        line: TextLine<'_>,
        word: Word<'_>,
    ) -> Result<(), SyntaxError> {
        if let Some(before) = self.open {
            self.close_frame(before);
            if before.number.checked_add(1) != Some(number) {
                self.gaps.add(1, line.number);
            }
        }
        let per_frame =
            size_of_val(&self.pose.rotations[..]) + size_of_val(&self.pose.translations[..]);
        if (self.n_frames + 1).saturating_mul(per_frame) > self.room {
            return Err(word.instead_of("frames that say something about most bones"));
        }
        self.first_number.get_or_insert(number);
        self.open = Some(OpenFrame {
            number,
            line: line.number,
            given: 0,
        });
        Ok(())
    }

    fn close_frame(&mut self, frame: OpenFrame) {
        self.missing.add(self.moving - frame.given, frame.line);
        self.place_joints();
        self.motion.push(self.pose.as_ref());
        self.n_frames += 1;
    }

    /// Where joints sit that do not stay where the rest pose has them.
    fn place_joints(&mut self) {
        for (idx, bone) in self.asf.bones.iter().enumerate() {
            let slot = bone
                .joint
                .and_then(|joint| self.asf.skeleton.translation_slot(joint));
            let Some(slot) = slot else { continue };
            let from = bone.parent.map_or(bone.place, |parent| {
                let carrier = &self.asf.bones[parent];
                carrier.direction * (carrier.length + self.stretches[parent])
            });
            self.pose.translations[slot] = from + self.shifts[idx];
        }
    }

    fn bone<'w>(
        &mut self,
        line: TextLine<'w>,
        first: Word<'w>,
        words: &mut impl Iterator<Item = Word<'w>>,
    ) -> Result<(), AmcError> {
        let Some(frame) = &mut self.open else {
            return Err(first
                .instead_of("a frame number before the first bone")
                .into());
        };
        let Some(&idx) = self.asf.by_name.get(&first.key()) else {
            return Err(first
                .instead_of("a frame number or a bone of the skeleton")
                .into());
        };
        if self.last_given[idx] == self.n_frames + 1 {
            return Err(first.instead_of("each bone once in a frame").into());
        }
        let bone = &self.asf.bones[idx];
        let unit = if self.degrees {
            1_f64.to_radians()
        } else {
            1.0
        };
        let mut turn = Quat::identity();
        let mut shift = Vec3::zeros();
        for dof in &bone.dofs {
            let word = words.next();
            let expected = || format!("{} numbers for this bone", bone.dofs.len());
            let word = word.ok_or_else(|| AmcError::Short(line.ends_early(&expected())))?;
            match dof {
                // The first turn of the list is applied first, so that each next one goes to the left.
                BoneDof::Turn(dim) => {
                    turn = rotation::about(*dim, word.number()? * unit) * turn;
                }
                BoneDof::Shift(dim) => shift[dim.index()] = word.length()?,
                BoneDof::Stretch => self.stretches[idx] = word.length()?,
            }
        }
        if let Some(more) = words.next() {
            let expected = format!("only {} numbers for this bone", bone.dofs.len());
            return Err(more.instead_of(&expected).into());
        }
        self.last_given[idx] = self.n_frames + 1;
        frame.given += usize::from(bone.moves());
        let (turn, shift) = in_rest_axes(bone, turn, shift);
        self.shifts[idx] = shift;
        if let Some(joint) = bone.joint {
            self.pose.rotations[joint] = turn;
        }
        Ok(())
    }

    /// The frame in which the file ends is not whole.
    fn cut_off(&mut self, line: usize) {
        self.open = None;
        self.breaks_off = Some(line);
    }

    fn finish(mut self, settings: &AmcSettings) -> Result<Clip, ReadError> {
        if let Some(last) = self.open {
            // Bones that are missing only here, at the end of the file, were cut off.
            if last.given < self.moving && self.missing.count == 0 && self.n_frames > 0 {
                self.cut_off(last.line);
            } else {
                self.close_frame(last);
            }
        }
        let notes = self.notes(settings);
        let fps = settings.fps.or(self.fps).unwrap_or(USUAL_FPS);
        self.motion.frame_secs = 1.0 / fps;
        let mut info = ClipInfo::named("clip");
        info.notes = notes;
        Ok(Clip::new(
            info,
            Arc::clone(&self.asf.skeleton),
            self.motion,
        )?)
    }

    fn notes(&self, settings: &AmcSettings) -> Vec<Note> {
        let mut notes = self.asf.notes.clone();
        if settings.fps.or(self.fps).is_none() {
            let text = format!(
                "AMC files do not state their frame rate; {USUAL_FPS} frames per second are assumed"
            );
            notes.push(Note::new(NoteKind::Guessed, text));
        }
        if let Some(first) = self.first_number.filter(|&first| first != 1) {
            let text = format!("the file numbers its frames from {first}; here they count from 0");
            notes.push(Note::new(NoteKind::Noticed, text));
        }
        notes.extend(self.gaps.note(NoteKind::Noticed, |count| {
            format!("frame numbers do not go on by one in {count} places; the frames are taken as they come")
        }));
        notes.extend(self.missing.note(NoteKind::Repaired, |count| {
            format!("bones are missing in frames, {count} in all; they stay as they were")
        }));
        notes.extend(self.breaks_off.map(|line| Note {
            kind: NoteKind::Repaired,
            line: Some(line),
            text: "the file breaks off in its last frame, which is left out".to_owned(),
        }));
        let has_tip = |joint| !self.asf.skeleton.ends_of(joint).is_empty();
        let lost =
            |bone: &Bone| bone.dofs.contains(&BoneDof::Stretch) && bone.joint.is_some_and(has_tip);
        if self.asf.bones.iter().any(lost) {
            let text =
                "a bone on which nothing hangs is stretched by the file; its tip stays as at rest";
            notes.push(Note::new(NoteKind::Noticed, text));
        }
        notes
    }
}

/// From a bone's own axes to those of the rest pose, in which joints turn and sit.
fn in_rest_axes(bone: &Bone, turn: Quat, shift: Vec3) -> (Quat, Vec3) {
    if bone.parent.is_none() {
        // The root turns about the axes of the world, from the orientation it starts with.
        return (turn * bone.axes, shift);
    }
    (bone.axes * turn * bone.axes.inverse(), bone.axes * shift)
}
