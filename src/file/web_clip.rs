//! Clips for the pages that the program writes: a script that draws characters on a canvas, and clips packed for it.
//!
//! A clip is the places of its joints, thirty times a second, as whole numbers of two bytes in base64.

use serde_json::json;

use super::base64;
use crate::motion::edit::{EditError, set_up};
use crate::motion::{Axis, Body, Clip, Site, Skeleton, Vec3, WorldPose, body};

/// The script that draws packed clips.
const STAGE: &str = include_str!("../../assets/page/stage.js");
/// Where the script goes in a page.
const STAGE_MARK: &str = "/*STAGE*/";
/// Where the data goes.
const DATA_MARK: &str = "/*DATA*/null";
/// Frames per second of packed clips.
pub(super) const FPS: f64 = 30.0;
/// The largest number of two bytes, nearly.
const MOST: f64 = 32_000.0;
// Half the thickness of bones, in body heights.
const TRUNK: f64 = 0.06;
const NECK: f64 = 0.03;
const HEAD: f64 = 0.052;
const SHOULDER: f64 = 0.036;
const LEG: [f64; 2] = [0.042, 0.031];
const FOOT: f64 = 0.022;
const ARM: [f64; 2] = [0.027, 0.022];
const HAND: f64 = 0.025;
const FINGER: f64 = 0.012;

/// A page with the script that draws clips, and with its data.
pub(super) fn filled(page: &str, data: &serde_json::Value) -> String {
    // Names are the users' own; inside a script "</script>" would end it.
    let data = data.to_string().replace('<', "\\u003c");
    page.replacen(STAGE_MARK, STAGE, 1)
        .replacen(DATA_MARK, &data, 1)
}

/// Every how many frames of a packed clip the line of the root has a point.
const LINE_STEP: usize = 5;

/// A clip with Y up, the frames of it that are packed, where it begins on the floor, and heights in a unit.
struct Packing {
    clip: Clip,
    n_rows: usize,
    step: f64,
    start: Vec3,
    per_unit: f64,
}

impl Packing {
    fn of(clip: &Clip) -> Result<Self, EditError> {
        let clip = set_up(clip, Axis::Y)?;
        let step = clip.fps() / FPS;
        let start = WorldPose::of(clip.skeleton(), clip.frame(0)).positions[0];
        Ok(Self {
            n_rows: ((clip.n_frames() - 1) as f64 / step + 1e-6) as usize + 1,
            step,
            start: Vec3::new(start.x, 0.0, start.z),
            per_unit: 1.0 / body::height(&clip),
            clip,
        })
    }

    /// Places of sites in body heights, from where the clip begins.
    fn places(&self, row: usize, sites: &[Site], world: &mut WorldPose) -> Vec<Vec3> {
        let skeleton = self.clip.skeleton();
        let pose = self.clip.pose_at(row as f64 * self.step);
        world.update(skeleton, pose.as_ref());
        let places = sites.iter().map(|&site| world.site(skeleton, site));
        places
            .map(|place| (place - self.start) * self.per_unit)
            .collect()
    }
}

/// The way of the root over the floor, in the places of the packed clip.
pub(super) fn root_line(clip: &Clip) -> Result<Vec<[f64; 2]>, EditError> {
    let packing = Packing::of(clip)?;
    let mut world = WorldPose::of(packing.clip.skeleton(), packing.clip.frame(0));
    let rows = (0..packing.n_rows).step_by(LINE_STEP);
    let line = rows.map(|row| {
        let root = packing.places(row, &[Site::Joint(0)], &mut world)[0];
        [root.x, root.z].map(|x| (x * 1e4).round() / 1e4)
    });
    Ok(line.collect())
}

/// A clip in body heights, from where it begins.
pub(super) fn packed(clip: &Clip, id: &str) -> Result<serde_json::Value, EditError> {
    let packing = Packing::of(clip)?;
    let skeleton = packing.clip.skeleton();
    let fingers = body::uncaptured_fingers(&packing.clip);
    let is_shown = |site: &Site| !fingers.contains(&skeleton.carrier(*site));
    let sites: Vec<Site> = skeleton.sites().filter(is_shown).collect();
    let bones = bones(&packing.clip, &sites);
    let mut world = WorldPose::of(skeleton, packing.clip.frame(0));
    let mut places: Vec<f64> = Vec::with_capacity(packing.n_rows * sites.len() * 3);
    for row in 0..packing.n_rows {
        for place in packing.places(row, &sites, &mut world) {
            places.extend(place.iter());
        }
    }
    let largest = places.iter().fold(1e-9, |m: f64, x| m.max(x.abs()));
    let scale = MOST / largest;
    let bytes = places.iter().map(|x| (x * scale).round() as i16);
    let bytes: Vec<u8> = bytes.flat_map(i16::to_le_bytes).collect();
    let mut text = String::new();
    base64::encode(&bytes, &mut text);
    Ok(json!({
        "id": id, "fps": FPS, "n": packing.n_rows, "points": sites.len(), "scale": 1.0 / scale,
        "bones": bones, "data": text,
    }))
}

/// A bone: from which point to which, how thick, and which part of the body it is drawn with.
type Bone = (usize, usize, f64, usize);

fn bones(clip: &Clip, sites: &[Site]) -> Vec<Bone> {
    let skeleton = clip.skeleton();
    let found = Body::of(skeleton);
    let place = |joint: usize| sites.iter().position(|s| *s == Site::Joint(joint));
    let mut bones: Vec<Bone> = Vec::new();
    for (to, &site) in sites.iter().enumerate() {
        let parent = match site {
            Site::Joint(joint) => skeleton.joints()[joint].parent,
            Site::End(_) => Some(skeleton.carrier(site)),
        };
        let Some((parent, from)) = parent.and_then(|p| Some((p, place(p)?))) else {
            continue;
        };
        let (thick, part) = look(skeleton, &found, site, parent);
        bones.push((from, to, thick, part));
    }
    // Hands, whose joints are seldom captured.
    for (at, arm) in found.arms.iter().enumerate() {
        let part = 1 + found.legs.len() + at;
        bones.extend(place(arm.end).map(|wrist| (wrist, wrist, HAND, part)));
    }
    bones
}

/// Thickness and part of the bone that leads to a site: 0 is the trunk, then legs and arms.
fn look(skeleton: &Skeleton, body: &Body, site: Site, parent: usize) -> (f64, usize) {
    let limbs = body.legs.iter().chain(&body.arms).enumerate();
    let carrier = skeleton.carrier(site);
    for (at, limb) in limbs {
        let is_arm = at >= body.legs.len();
        let [upper, lower] = if is_arm { ARM } else { LEG };
        if parent == limb.upper {
            return (upper, at + 1);
        }
        if parent == limb.middle {
            return (lower, at + 1);
        }
        if skeleton.ancestors(parent).any(|j| j == limb.middle) {
            return (if is_arm { FINGER } else { FOOT }, at + 1);
        }
        // From the trunk to a shoulder or hip, whatever lies between.
        if carrier == limb.upper
            || skeleton.ancestors(limb.upper).any(|j| j == carrier)
                && !is_spine(skeleton, body, carrier)
        {
            return (SHOULDER, 0);
        }
    }
    match site {
        Site::End(_) if body.head == Some(carrier) => (HEAD, 0),
        _ if body.head == Some(carrier) => (NECK, 0),
        _ if is_spine(skeleton, body, carrier) => (TRUNK, 0),
        _ => (FINGER, 0),
    }
}

fn is_spine(skeleton: &Skeleton, body: &Body, joint: usize) -> bool {
    body.head
        .is_some_and(|head| skeleton.ancestors(head).any(|j| j == joint))
}
