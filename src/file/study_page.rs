//! A rating session as one page that runs in any browser: no server, no installation, nothing to load.
//!
//! Clips are places of joints, thirty times a second, as whole numbers of two bytes in base64; the page draws them on a canvas. It
//! knows blind names and orders, not conditions. Its questions and keys are those of
//! [`crate::study::session::Session`]; a test holds both to the same order.

use serde_json::json;

use super::base64;
use crate::motion::edit::{EditError, set_up};
use crate::motion::{Axis, Body, Clip, Site, Skeleton, Vec3, WorldPose, body};
use crate::study::session::{DECKS, HIGHEST, LOWEST, Plan};

/// The page without its data.
const PAGE: &str = include_str!("../../assets/study/page.html");
/// Where the data goes.
const MARK: &str = "/*DATA*/null";
/// Frames per second of the page.
const FPS: f64 = 30.0;
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

/// A page that shows these clips, one for each stimulus in order.
pub fn page(plan: &Plan, clips: &[&Clip]) -> Result<String, EditError> {
    let packed = clips.iter().zip(plan.stimuli());
    let packed = packed
        .map(|(clip, shown)| packed_clip(clip, &shown.id))
        .collect::<Result<Vec<_>, EditError>>()?;
    let decks: Vec<Vec<usize>> = (0..DECKS).map(|number| plan.deck(number)).collect();
    let (low, high) = plan.experiment().ends();
    let data = json!({
        "title": plan.title(),
        "experiment": plan.experiment().id(),
        "question": plan.experiment().question(),
        "low": low, "high": high,
        "lowest": LOWEST, "highest": HIGHEST,
        "study": format!("{:016x}", fingerprint(plan)),
        "fps": FPS,
        "decks": decks,
        "clips": packed,
    });
    // Names are the users' own; inside a script "</script>" would end it.
    Ok(PAGE.replacen(MARK, &data.to_string().replace('<', "\\u003c"), 1))
}

/// Tells studies of one title apart, so that a page does not go on with the answers of another.
fn fingerprint(plan: &Plan) -> u64 {
    let words = plan
        .stimuli()
        .iter()
        .map(|s| format!("{}/{}", s.id, s.source));
    let all = words.fold(format!("{}/{}", plan.title(), plan.seed()), |all, word| {
        format!("{all}/{word}")
    });
    all.bytes().fold(0xCBF2_9CE4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3)
    })
}

/// A clip in body heights, from where it begins.
fn packed_clip(clip: &Clip, id: &str) -> Result<serde_json::Value, EditError> {
    let clip = set_up(clip, Axis::Y)?;
    let skeleton = clip.skeleton();
    let fingers = body::uncaptured_fingers(&clip);
    let is_shown = |site: &Site| !fingers.contains(&skeleton.carrier(*site));
    let sites: Vec<Site> = skeleton.sites().filter(is_shown).collect();
    let bones = bones(&clip, &sites);
    let per_unit = 1.0 / body::height(&clip);
    let step = clip.fps() / FPS;
    let n = ((clip.n_frames() - 1) as f64 / step + 1e-6) as usize + 1;
    let mut world = WorldPose::of(skeleton, clip.frame(0));
    let start = world.positions[0];
    let start = Vec3::new(start.x, 0.0, start.z);
    let mut places: Vec<f64> = Vec::with_capacity(n * sites.len() * 3);
    for row in 0..n {
        let pose = clip.pose_at(row as f64 * step);
        world.update(skeleton, pose.as_ref());
        for &site in &sites {
            let place = (world.site(skeleton, site) - start) * per_unit;
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
        "id": id, "n": n, "points": sites.len(), "scale": 1.0 / scale, "bones": bones, "data": text,
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
