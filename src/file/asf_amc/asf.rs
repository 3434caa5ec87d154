//! The skeleton of an Acclaim motion.
//!
//! In ASF a bone has a direction and a length in the rest pose, axes of its own about which it turns, and the list of
//! numbers that a motion gives for it.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::file::{ReadError, SyntaxError};
use crate::motion::{Dim, EndSite, Joint, Note, NoteKind, Quat, RotationOrder, Skeleton, Vec3};

use super::bone::{Bone, BoneDof, axes, axis_order, channels, dofs};
use super::words::{TextLine, Word, breaks_off, lines};

/// A skeleton file, ready for the motions that belong to it.
#[derive(Debug, Clone, PartialEq)]
pub struct Asf {
    /// A joint for the root and for every bone, called as in the file.
    pub skeleton: Arc<Skeleton>,
    /// Notes of the reader for the user.
    pub notes: Vec<Note>,
    /// All bones, the root first.
    pub(super) bones: Vec<Bone>,
    /// From the name in lower case to the bone.
    pub(super) by_name: BTreeMap<String, usize>,
    /// Whether the motion's angles are degrees, unless it says otherwise.
    pub(super) degrees: bool,
}

/// Reads a skeleton. Errors name the line and column.
pub fn read_asf(bytes: &[u8]) -> Result<Asf, ReadError> {
    let mut draft = Draft::new();
    for line in lines(bytes) {
        draft.line(line)?;
    }
    if draft.open_bone.is_some() {
        return Err(breaks_off(bytes, "\"end\" of the bone").into());
    }
    if !draft.has_bones {
        return Err(breaks_off(bytes, ":bonedata").into());
    }
    draft.finish()
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum AsfSection {
    Start,
    Units,
    Root,
    Bones,
    Hierarchy,
    Ignored,
}

/// A bone as far as its lines have been read; angles still in the unit of the file.
#[derive(Debug, Clone, Default)]
struct OpenBone {
    name: Option<String>,
    direction: Option<Vec3>,
    length: Option<f64>,
    axis: [f64; 3],
    axis_order: Option<RotationOrder>,
    dofs: Vec<BoneDof>,
}

struct Draft {
    section: AsfSection,
    degrees: bool,
    has_bones: bool,
    open_bone: Option<OpenBone>,
    bones: Vec<Bone>,
    /// For each bone its angles and their order; turned into `axes` at the end, when the unit is known.
    angles: Vec<([f64; 3], RotationOrder)>,
    by_name: BTreeMap<String, usize>,
    children: Vec<Vec<usize>>,
    notes: Vec<Note>,
}

const ROOT: usize = 0;

impl Draft {
    fn new() -> Self {
        let turns = Dim::ALL.map(BoneDof::Turn);
        let root = Bone {
            name: "root".to_owned(),
            parent: None,
            joint: None,
            dofs: Dim::ALL
                .map(BoneDof::Shift)
                .into_iter()
                .chain(turns)
                .collect(),
            axes: Quat::identity(),
            direction: Vec3::zeros(),
            length: 0.0,
            place: Vec3::zeros(),
        };
        Self {
            section: AsfSection::Start,
            degrees: true,
            has_bones: false,
            open_bone: None,
            bones: vec![root],
            angles: vec![([0.0; 3], RotationOrder::ZYX)],
            by_name: BTreeMap::from([("root".to_owned(), ROOT)]),
            children: vec![Vec::new()],
            notes: Vec::new(),
        }
    }

    fn line(&mut self, line: TextLine<'_>) -> Result<(), SyntaxError> {
        let mut words = line.words();
        let Some(first) = words.next() else {
            return Ok(());
        };
        if first.text.starts_with(b":") {
            return self.open_section(first);
        }
        match self.section {
            AsfSection::Start => Err(first.instead_of("a keyword of an ASF file such as :version")),
            AsfSection::Units => self.unit(line, first, &mut words),
            AsfSection::Root => self.root_line(line, first, &mut words),
            AsfSection::Bones => self.bone_line(line, first, &mut words),
            AsfSection::Hierarchy => self.family(first, &mut words),
            AsfSection::Ignored => Ok(()),
        }
    }

    fn open_section(&mut self, word: Word<'_>) -> Result<(), SyntaxError> {
        if self.open_bone.is_some() {
            return Err(word.instead_of("\"end\" of the bone"));
        }
        let sections = [
            (":units", AsfSection::Units),
            (":root", AsfSection::Root),
            (":bonedata", AsfSection::Bones),
            (":hierarchy", AsfSection::Hierarchy),
        ];
        let known = sections.into_iter().find(|(keyword, _)| word.is(keyword));
        self.section = known.map_or(AsfSection::Ignored, |(_, section)| section);
        self.has_bones |= self.section == AsfSection::Bones;
        Ok(())
    }

    fn unit<'a>(
        &mut self,
        line: TextLine<'a>,
        first: Word<'a>,
        words: &mut impl Iterator<Item = Word<'a>>,
    ) -> Result<(), SyntaxError> {
        if first.is("angle") {
            let unit = line.next(words, "deg or rad")?;
            self.degrees = degrees(unit).ok_or_else(|| unit.instead_of("deg or rad"))?;
        }
        Ok(())
    }

    fn root_line<'a>(
        &mut self,
        line: TextLine<'a>,
        first: Word<'a>,
        words: &mut impl Iterator<Item = Word<'a>>,
    ) -> Result<(), SyntaxError> {
        if first.is("order") {
            self.bones[ROOT].dofs = dofs(words)?;
        } else if first.is("axis") {
            self.angles[ROOT].1 = axis_order(line.next(words, "an axis order such as XYZ")?)?;
        } else if first.is("position") {
            self.bones[ROOT].place = Vec3::from(line.lengths(words)?);
        } else if first.is("orientation") {
            self.angles[ROOT].0 = line.vector(words)?;
        }
        Ok(())
    }

    fn bone_line<'a>(
        &mut self,
        line: TextLine<'a>,
        first: Word<'a>,
        words: &mut impl Iterator<Item = Word<'a>>,
    ) -> Result<(), SyntaxError> {
        let Some(bone) = &mut self.open_bone else {
            if first.is("begin") {
                self.open_bone = Some(OpenBone::default());
                return Ok(());
            }
            return Err(first.instead_of("\"begin\" of a bone"));
        };
        if first.is("end") {
            return self.close_bone(first);
        }
        if first.is("name") {
            let name = line.next(words, "a bone's name")?;
            if self.by_name.contains_key(&name.key()) {
                return Err(name.instead_of("a name that no other bone has"));
            }
            bone.name = Some(name.name());
        } else if first.is("direction") {
            bone.direction = Some(Vec3::from(line.lengths(words)?));
        } else if first.is("length") {
            bone.length = Some(line.next(words, "a length")?.length()?);
        } else if first.is("axis") {
            bone.axis = line.vector(words)?;
            bone.axis_order = words.next().map(axis_order).transpose()?;
        } else if first.is("dof") {
            bone.dofs = dofs(words)?;
        }
        // Everything else is an id, a mass or a limit, also on lines of its own.
        Ok(())
    }

    fn close_bone(&mut self, end: Word<'_>) -> Result<(), SyntaxError> {
        let bone = self.open_bone.take().unwrap_or_default();
        let name = bone.name.ok_or_else(|| end.instead_of("the bone's name"))?;
        let direction = bone
            .direction
            .ok_or_else(|| end.instead_of("the bone's direction"))?;
        let length = bone
            .length
            .ok_or_else(|| end.instead_of("the bone's length"))?;
        let direction = self.unit_direction(&name, direction, length);
        self.by_name.insert(name.to_lowercase(), self.bones.len());
        self.angles
            .push((bone.axis, bone.axis_order.unwrap_or(RotationOrder::ZYX)));
        self.children.push(Vec::new());
        self.bones.push(Bone {
            name,
            parent: None,
            joint: None,
            dofs: bone.dofs,
            axes: Quat::identity(),
            direction,
            length,
            place: Vec3::zeros(),
        });
        Ok(())
    }

    /// Directions are unit vectors up to the rounding of the file; anything else is brought to length one.
    fn unit_direction(&mut self, name: &str, direction: Vec3, length: f64) -> Vec3 {
        const ROUNDING: f64 = 1e-3;
        let norm = direction.norm();
        if (norm - 1.0).abs() < ROUNDING || length == 0.0 {
            return direction;
        }
        let unit = direction.try_normalize(0.0).filter(|u| u.norm() > 0.5);
        self.note(
            NoteKind::Repaired,
            format!("the direction of bone \"{name}\" had length {norm} instead of 1"),
        );
        unit.unwrap_or_else(Vec3::zeros)
    }

    /// `parent child child ...`
    fn family<'a>(
        &mut self,
        first: Word<'a>,
        words: &mut impl Iterator<Item = Word<'a>>,
    ) -> Result<(), SyntaxError> {
        let find = |by_name: &BTreeMap<String, usize>, word: Word<'a>| {
            let found = by_name.get(&word.key()).copied();
            found.ok_or_else(|| word.instead_of("a bone of :bonedata"))
        };
        if first.is("begin") || first.is("end") {
            return Ok(());
        }
        let parent = find(&self.by_name, first)?;
        for word in words {
            let child = find(&self.by_name, word)?;
            if child == ROOT || self.bones[child].parent.is_some() {
                return Err(word.instead_of("a bone that has no parent yet"));
            }
            self.bones[child].parent = Some(parent);
            self.children[parent].push(child);
        }
        Ok(())
    }

    /// A hostile file must not make a note for each of its lines.
    fn note(&mut self, kind: NoteKind, text: String) {
        const MOST: usize = 20;
        if self.notes.len() < MOST {
            self.notes.push(Note::new(kind, text));
        }
    }

    fn finish(mut self) -> Result<Asf, ReadError> {
        let unit = if self.degrees {
            1_f64.to_radians()
        } else {
            1.0
        };
        for (bone, (angles, order)) in self.bones.iter_mut().zip(&self.angles) {
            bone.axes = axes(*order, angles.map(|a| a * unit));
        }
        if self.angles[ROOT].0 != [0.0; 3] {
            let text = "the root starts from an orientation of its own; applied as a rotation before the motion's";
            self.note(NoteKind::Guessed, text.to_owned());
        }
        let (joints, ends) = self.joints();
        let left_out = self.bones.iter().filter(|b| b.joint.is_none());
        if let Some(bone) = left_out.clone().next() {
            let text = format!(
                "{} bones do not hang on the root and are left out, \"{}\" the first",
                left_out.count(),
                bone.name
            );
            self.note(NoteKind::Noticed, text);
        }
        Ok(Asf {
            skeleton: Arc::new(Skeleton::new(joints, ends)?),
            notes: self.notes,
            bones: self.bones,
            by_name: self.by_name,
            degrees: self.degrees,
        })
    }

    /// From the root down, each bone directly before all that hangs on it.
    fn joints(&mut self) -> (Vec<Joint>, Vec<EndSite>) {
        let mut joints = Vec::new();
        let mut ends = Vec::new();
        let mut open = vec![ROOT];
        while let Some(idx) = open.pop() {
            self.bones[idx].joint = Some(joints.len());
            let bone = &self.bones[idx];
            let parent = bone.parent.map(|p| &self.bones[p]);
            if self.children[idx].is_empty() && bone.tip() != Vec3::zeros() {
                ends.push(EndSite {
                    joint: joints.len(),
                    offset: bone.tip(),
                });
            }
            joints.push(Joint {
                name: bone.name.clone(),
                parent: parent.and_then(|p| p.joint),
                offset: parent.map_or(bone.place, Bone::tip),
                channels: channels(bone, parent),
            });
            open.extend(self.children[idx].iter().rev());
        }
        (joints, ends)
    }
}

/// `deg`, `degrees`, `rad` or `radians`; `None` for anything else.
fn degrees(word: Word<'_>) -> Option<bool> {
    match word.key().as_str() {
        "deg" | "degree" | "degrees" => Some(true),
        "rad" | "radian" | "radians" => Some(false),
        _ => None,
    }
}
