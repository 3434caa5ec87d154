//! Moments of clips as one scene: a strip of poses side by side, or the same body along its way.
//!
//! Clips of different units, up axes and floors are brought together by those of the first one.

use std::sync::Arc;

use super::arrange;
use super::camera::View;
use super::mannequin::Mannequin;
use super::palette::{Backdrop, Colour};
use super::scene::{Bounds, Character, Mark, Placement, Scene, Trail};
use super::size::Size;
use crate::motion::edit::{self, EditError};
use crate::motion::heading::HeadingFrame;
use crate::motion::{Clip, Site, Vec3, WorldPose};

/// How the moments of a clip are set out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Layout {
    /// Along the way if the body travels far enough to stay readable, otherwise as a strip.
    #[default]
    Auto,
    /// Side by side, travel taken out.
    Strip,
    /// Where the clip puts them, earlier ones as ghosts.
    Path,
}

/// What to show of the clips, and from where.
#[derive(Debug, Clone, PartialEq)]
pub struct Staging {
    /// The same frames of every clip; empty shows some, evenly spaced.
    pub frames: Vec<usize>,
    /// Relative to the way the first clip faces.
    pub view: View,
    /// How they are set out.
    pub layout: Layout,
    /// Joints or tips whose way is drawn, by name; only along the way.
    pub trails: Vec<String>,
    /// The skin colour of the characters.
    pub colour: Colour,
    /// What is behind the characters.
    pub backdrop: Backdrop,
}

impl Default for Staging {
    fn default() -> Self {
        Self {
            frames: Vec::new(),
            view: View::ThreeQuarter,
            layout: Layout::Auto,
            trails: Vec::new(),
            colour: Colour::GIVEN,
            backdrop: Backdrop::DARK,
        }
    }
}

/// Why a clip cannot be staged.
#[derive(Debug, thiserror::Error)]
pub enum StagingError {
    /// There is nothing to show.
    #[error("there is no clip to show")]
    NoClips,
    /// A frame past the end.
    #[error("frame {frame} is asked for, but there are only frames 0 to {last}")]
    Frame {
        /// The one that was asked for.
        frame: usize,
        /// The last there is.
        last: usize,
    },
    /// A trail of nothing.
    #[error("no joint is called \"{0}\"")]
    Joint(String),
    /// The clip cannot be turned to the first one's up axis.
    #[error(transparent)]
    Edit(#[from] EditError),
}

/// A clip made ready: upright like the first, with its body, floor and moments.
struct Part {
    clip: Clip,
    mannequin: Arc<Mannequin>,
    scale: f64,
    /// In the clip's units.
    floor: f64,
    frames: Vec<usize>,
}

/// Checks one clip against what will be asked of it, so that a bad one can be named and left out.
pub fn check(clip: &Clip, staging: &Staging) -> Result<(), StagingError> {
    let last = clip.n_frames() - 1;
    if let Some(&frame) = staging.frames.iter().find(|&&frame| frame > last) {
        return Err(StagingError::Frame { frame, last });
    }
    let skeleton = clip.skeleton();
    let lost = staging
        .trails
        .iter()
        .find(|name| skeleton.find_site(name).is_none());
    lost.map_or(Ok(()), |name| Err(StagingError::Joint(name.clone())))
}

/// The scene of these clips.
pub fn stage(clips: &[Clip], staging: &Staging, size: Size) -> Result<Scene, StagingError> {
    let first = clips.first().ok_or(StagingError::NoClips)?;
    let up = first.info.up;
    let mut parts: Vec<Part> = Vec::with_capacity(clips.len());
    for clip in clips {
        check(clip, staging)?;
        let clip = edit::set_up(clip, up)?;
        let mut part = part(clip, parts.first(), staging, clips.len());
        if let Some(first) = parts.first() {
            // Side by side, clips of different stages are easier to compare when they face the same way.
            part.clip = edit::align(&part.clip, &facing(&part, heading_of(first)))?;
        }
        parts.push(part);
    }
    let floor = parts[0].floor;
    let heading = heading_of(&parts[0]);
    let mut scene = Scene::of(Vec::new(), up, floor, staging.view, heading, size);
    let frame = scene.camera.frame();
    let across = Axes {
        right: frame.right,
        up: up.vector(),
    };
    let follows_path = match staging.layout {
        Layout::Path => true,
        Layout::Strip => false,
        Layout::Auto => parts.len() == 1 && travels(&parts[0], &across),
    };
    let groups: Vec<Vec<Character>> = parts
        .iter()
        .map(|part| moments(part, staging, floor, &across))
        .collect();
    scene.characters = if follows_path {
        along_paths(groups)
    } else {
        strips(groups, &across)
    };
    if follows_path {
        scene.trails = parts
            .iter()
            .flat_map(|part| trails(part, staging, floor, &across))
            .collect();
    }
    let staged = Scene::of(scene.characters, up, floor, staging.view, heading, size);
    let marks = marks(&parts, &staged.characters, staging);
    Ok(Scene {
        trails: scene.trails,
        marks,
        backdrop: staging.backdrop,
        ..staged
    })
}

/// Directions of the picture that matter for setting out.
struct Axes {
    right: Vec3,
    up: Vec3,
}

impl Axes {
    fn flat(&self, v: Vec3) -> Vec3 {
        v - self.up * v.dot(&self.up)
    }
}

fn part(clip: Clip, first: Option<&Part>, staging: &Staging, n_clips: usize) -> Part {
    let mannequin = match first {
        Some(part) if Arc::ptr_eq(part.clip.skeleton(), clip.skeleton()) => {
            Arc::clone(&part.mannequin)
        }
        _ => Arc::new(Mannequin::of(&clip)),
    };
    let scale = first.map_or(1.0, |part| {
        // Children beside adults keep their size; centimetres beside metres do not.
        let ratio = part.mannequin.height() / mannequin.height();
        if (0.66..1.5).contains(&ratio) {
            1.0
        } else {
            ratio
        }
    });
    Part {
        floor: edit::find_floor(&clip).height,
        frames: frames(&clip, staging, n_clips),
        clip,
        mannequin,
        scale,
    }
}

/// Those asked for, or some that tell the motion; a T-pose that a converter put first is no part of it.
fn frames(clip: &Clip, staging: &Staging, n_clips: usize) -> Vec<usize> {
    if !staging.frames.is_empty() {
        return staging.frames.clone();
    }
    let wanted = (6 / n_clips).clamp(1, 5);
    let last = clip.n_frames() - 1;
    let start = edit::leading_tpose_frames(clip).min(last);
    if wanted == 1 {
        return vec![start + (last - start) / 2];
    }
    let mut frames: Vec<usize> = (0..wanted)
        .map(|i| start + i * (last - start) / (wanted - 1))
        .collect();
    frames.dedup();
    frames
}

/// Which way the body faces in the middle of what is shown.
fn heading_of(part: &Part) -> f64 {
    let track = HeadingFrame::learn(&[&part.clip]).track(&part.clip);
    track.headings[middle(part)]
}

fn facing(part: &Part, heading_rad: f64) -> edit::Placement {
    edit::Placement {
        frame: middle(part),
        place: None,
        heading_rad: Some(heading_rad),
    }
}

fn middle(part: &Part) -> usize {
    part.frames[part.frames.len() / 2]
}

fn root_way(part: &Part) -> Vec<Vec3> {
    let carrier = crate::motion::heading::body_root(&[&part.clip]);
    let skeleton = part.clip.skeleton();
    let mut world = WorldPose::of(skeleton, part.clip.frame(0));
    let place = |&frame: &usize| {
        world.update(skeleton, part.clip.frame(frame));
        world.positions[carrier]
    };
    part.frames.iter().map(place).collect()
}

/// Whether bodies at these moments stand clear of each other in the picture, and yet so near that they are not small.
fn travels(part: &Part, axes: &Axes) -> bool {
    const CLEAR: f64 = 0.3;
    const NEAR: f64 = 1.3;
    let h = part.mannequin.height();
    let way = root_way(part);
    let mut steps = way.windows(2).map(|pair| (pair[1] - pair[0]) / h);
    way.len() > 1
        && steps.all(|step| step.dot(&axes.right).abs() > CLEAR && axes.flat(step).norm() < NEAR)
}

/// The characters of one clip where the clip puts them, on the common floor.
fn moments(part: &Part, staging: &Staging, floor: f64, axes: &Axes) -> Vec<Character> {
    let skeleton = part.clip.skeleton();
    part.frames
        .iter()
        .map(|&frame| Character {
            placement: placement(part, floor, axes),
            ..Character::new(
                &part.mannequin,
                skeleton,
                part.clip.frame(frame),
                staging.colour,
            )
        })
        .collect()
}

fn placement(part: &Part, floor: f64, axes: &Axes) -> Placement {
    Placement {
        offset: axes.up * (floor - part.scale * part.floor),
        scale: part.scale,
    }
}

/// Lets the characters of earlier moments fade, so that time can be read from the picture.
fn along_paths(groups: Vec<Vec<Character>>) -> Vec<Character> {
    const FAINTEST: f32 = 0.4;
    let mut all = Vec::new();
    for mut group in groups {
        let last = group.len().saturating_sub(1).max(1) as f32;
        let n = group.len();
        for (at, character) in group.iter_mut().enumerate() {
            if at + 1 < n {
                character.opacity = FAINTEST + (0.9 - FAINTEST) * at as f32 / last;
            }
        }
        all.append(&mut group);
    }
    all
}

/// From left to right with a gap between bodies and a wider one between clips; many clips stand in rows.
fn strips(groups: Vec<Vec<Character>>, axes: &Axes) -> Vec<Character> {
    /// More in one row would be too small to see.
    const IN_ROW: usize = 9;
    let n: usize = groups.iter().map(Vec::len).sum();
    let tall = groups
        .iter()
        .flatten()
        .map(Character::height)
        .fold(0.0, f64::max);
    if n > IN_ROW {
        return in_rows(groups.into_iter().flatten().collect(), tall, axes);
    }
    let mut at = 0.0;
    let mut all = Vec::with_capacity(n);
    for (number, group) in groups.into_iter().enumerate() {
        if number > 0 {
            at += 0.25 * tall;
        }
        for mut character in group {
            let (left, right) = reach(&character, axes);
            at += left;
            stand(&mut character, axes.right * at, axes);
            at += right + 0.1 * tall;
            all.push(character);
        }
    }
    all
}

fn in_rows(mut characters: Vec<Character>, tall: f64, axes: &Axes) -> Vec<Character> {
    let width = |c: &Character| {
        let (left, right) = reach(c, axes);
        2.0 * left.max(right)
    };
    let widest = characters.iter().map(width).fold(0.0, f64::max) + 0.1 * tall;
    let front = axes.right.cross(&axes.up);
    let steps = arrange::grid(characters.len());
    for (character, step) in characters.iter_mut().zip(steps) {
        let aside = axes.right * (step.right * widest);
        stand(character, aside + front * (step.front * 1.1 * tall), axes);
    }
    characters
}

/// How far it reaches to the left and to the right of its root in the picture.
fn reach(character: &Character, axes: &Axes) -> (f64, f64) {
    let root = root_of(character).dot(&axes.right);
    let (mut low, mut high) = (root, root);
    for capsule in character.capsules() {
        for (end, radius) in [
            (capsule.from, capsule.radius_from),
            (capsule.to, capsule.radius_to),
        ] {
            low = low.min(end.dot(&axes.right) - radius);
            high = high.max(end.dot(&axes.right) + radius);
        }
    }
    (root - low, high - root)
}

fn root_of(character: &Character) -> Vec3 {
    let bounds = character.bounds();
    bounds.map_or_else(Vec3::zeros, |b: Bounds| b.centre())
}

/// Moves a character over the floor to a place.
fn stand(character: &mut Character, place: Vec3, axes: &Axes) {
    let away = axes.flat(place - root_of(character));
    character.placement.offset += away;
}

fn trails(part: &Part, staging: &Staging, floor: f64, axes: &Axes) -> Vec<Trail> {
    let skeleton = part.clip.skeleton();
    let sites: Vec<Site> = staging
        .trails
        .iter()
        .filter_map(|name| skeleton.find_site(name))
        .collect();
    if sites.is_empty() {
        return Vec::new();
    }
    let to_scene = placement(part, floor, axes);
    let mut ways = vec![Vec::with_capacity(part.clip.n_frames()); sites.len()];
    let mut world = WorldPose::of(skeleton, part.clip.frame(0));
    for pose in part.clip.frames() {
        world.update(skeleton, pose);
        for (way, site) in ways.iter_mut().zip(&sites) {
            way.push(to_scene.apply(&world.site(skeleton, *site)));
        }
    }
    ways.into_iter()
        .map(|way| Trail {
            points: way.into(),
            colour: staging.backdrop.ink,
            now: None,
            width_px: 2.5,
        })
        .collect()
}

/// Rings under the feet that a clip says are planted.
fn marks(parts: &[Part], characters: &[Character], staging: &Staging) -> Vec<Mark> {
    let moments = parts
        .iter()
        .flat_map(|part| part.frames.iter().map(move |frame| (part, *frame)));
    let mut marks = Vec::new();
    for ((part, frame), character) in moments.zip(characters) {
        for contact in part.clip.contacts() {
            if contact.frames.contains(&frame) {
                marks.push(Mark {
                    place: character
                        .placement
                        .apply(&character.pose.positions[contact.joint]),
                    radius: 0.035 * character.height(),
                    colour: staging.backdrop.ink,
                });
            }
        }
    }
    marks
}
