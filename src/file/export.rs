//! A clip as a file for another program: fitted to what that program expects, in one of several formats.

use std::str::FromStr;
use std::sync::Arc;

use super::bvh::{self, WriteSettings, Written};
use super::gltf::{self, GltfSettings};
use super::preset::{Preset, PresetRequirements};
use super::{WriteError, csv};
use crate::motion::edit::{self, EditError, RestPose};
use crate::motion::{Axis, Clip, Note, NoteKind, Skeleton};

/// The format of an exported file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Format {
    /// BVH, which every animation program opens.
    #[default]
    Bvh,
    /// glTF 2.0 as text, with everything in one file.
    Gltf,
    /// glTF 2.0 as one binary file.
    Glb,
    /// World positions as a table `frame,joint,x,y,z`.
    Csv,
}

impl Format {
    /// All of them, the usual one first.
    pub const ALL: [Self; 4] = [Self::Bvh, Self::Gltf, Self::Glb, Self::Csv];

    /// Of the file's name; also its name on the command line.
    pub const fn ending(self) -> &'static str {
        match self {
            Self::Bvh => "bvh",
            Self::Gltf => "gltf",
            Self::Glb => "glb",
            Self::Csv => "csv",
        }
    }
}

/// The text names no format.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("expected bvh, gltf, glb or csv, found \"{0}\"")]
pub struct NotAFormat(pub String);

impl FromStr for Format {
    type Err = NotAFormat;

    fn from_str(text: &str) -> Result<Self, NotAFormat> {
        Self::ALL
            .into_iter()
            .find(|format| format.ending().eq_ignore_ascii_case(text))
            .ok_or_else(|| NotAFormat(text.to_owned()))
    }
}

/// How a clip is fitted to another program. What is said here wins over the preset.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct ExportFit {
    /// Whose habits to follow; none leaves the clip as it is.
    pub preset: Option<Preset>,
    /// The up axis of the result; `None` leaves it.
    pub up: Option<Axis>,
    /// Scale factor; `None` leaves it to the preset.
    pub scale: Option<f64>,
    /// The pose in which all angles are zero.
    pub rest: RestPose,
}

/// Axes, size, rest pose and first frame as asked for.
pub fn fitted(mut clip: Clip, fit: &ExportFit) -> Result<Clip, EditError> {
    let requirements = fit.preset.map(Preset::requirements);
    if let Some(up) = fit.up.or_else(|| requirements.and_then(|w| w.up)) {
        clip = edit::set_up(&clip, up)?;
    }
    if let Some(factor) = fit.scale {
        clip = edit::scale(&clip, factor)?;
    } else if let Some(requirements) = requirements {
        clip = in_units_of(clip, &requirements)?;
    }
    clip = edit::rest_as(&clip, fit.rest)?;
    if requirements.is_some_and(|w| w.tpose_first) {
        clip = with_tpose(clip)?;
    }
    Ok(clip)
}

/// A tail or a camera has no T-pose; its motion is wanted all the same.
fn with_tpose(mut clip: Clip) -> Result<Clip, EditError> {
    match edit::prepend_tpose(&clip) {
        Err(EditError::NoLimbs) => {
            let text = "no arms and legs were recognised, so no T-pose leads the motion";
            clip.info.notes.push(Note::new(NoteKind::Noticed, text));
            Ok(clip)
        }
        done => done,
    }
}

/// Files do not say their unit; where the body's height leaves it open, nothing is scaled, and a note says so.
fn in_units_of(mut clip: Clip, requirements: &PresetRequirements) -> Result<Clip, EditError> {
    const SURE: f64 = 0.5;
    let guess = edit::guess_unit(&clip);
    if guess.confidence < SURE {
        let text = format!("{guess}; not scaled for the preset");
        clip.info.notes.push(Note::new(NoteKind::Guessed, text));
        return Ok(clip);
    }
    let factor = requirements.scale_from(guess.unit.metres() * 100.0);
    if (factor - 1.0).abs() < 1e-12 {
        return Ok(clip);
    }
    edit::scale(&clip, factor)
}

/// The file, and what should be known about it. Of the settings, names matter for every format, the rest for BVH.
pub fn encode(
    clip: &Clip,
    format: Format,
    settings: &WriteSettings,
) -> Result<Written, WriteError> {
    if format == Format::Bvh {
        return Ok(bvh::write(clip, settings));
    }
    let mut notes = Vec::new();
    let renamed = settings.safe_names.then(|| with_safe_names(clip));
    let clip = renamed.as_ref().map_or(clip, |(clip, note)| {
        notes.extend(note.clone());
        clip
    });
    if format != Format::Csv && clip.info.up != Axis::Y {
        let text = format!(
            "glTF always has Y up: the motion, with {} up, hangs in a node that turns it",
            clip.info.up
        );
        notes.push(Note::new(NoteKind::Noticed, text));
    }
    let bytes = match format {
        Format::Gltf => gltf::write(clip, &GltfSettings::default()),
        Format::Glb => gltf::write_glb(clip, &GltfSettings::default())?,
        Format::Csv | Format::Bvh => csv::positions(clip),
    };
    Ok(Written { bytes, notes })
}

/// The clip with the names that a BVH file would have, and a note on those that changed.
fn with_safe_names(clip: &Clip) -> (Clip, Option<Note>) {
    let (names, note) = bvh::names(clip.skeleton().joints(), true);
    if note.is_none() {
        return (clip.clone(), None);
    }
    let mut joints = clip.skeleton().joints().to_vec();
    for (joint, name) in joints.iter_mut().zip(names) {
        joint.name = name;
    }
    let skeleton = Skeleton::new(joints, clip.skeleton().ends().to_vec());
    let skeleton = Arc::new(skeleton.expect("only names differ"));
    let renamed = Clip::new(clip.info.clone(), skeleton, clip.motion().clone());
    (renamed.expect("only names differ"), note)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_read_as_their_endings() {
        for format in Format::ALL {
            assert_eq!(format.ending().to_uppercase().parse(), Ok(format));
        }
        assert_eq!("fbx".parse::<Format>(), Err(NotAFormat("fbx".to_owned())));
    }
}
