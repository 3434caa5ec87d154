//! A rating session as one page that runs in any browser: no server, no installation, nothing to load.
//!
//! Clips are places of joints, thirty times a second, as whole numbers of two bytes in base64; the page draws them on a canvas. It
//! knows blind names and orders, not conditions. Its questions and keys are those of
//! [`crate::study::session::Session`]; a test holds both to the same order.

use serde_json::json;

use super::base64;
use crate::motion::edit::{EditError, set_up};
use crate::motion::{Axis, Body, Clip, Site, Vec3, WorldPose, body};
use crate::study::session::{DECKS, HIGHEST, LOWEST, Plan};

/// The page without its data.
const PAGE: &str = include_str!("../../assets/study/page.html");
/// Where the data goes.
const MARK: &str = "/*DATA*/null";
/// Frames per second of the page.
const FPS: f64 = 30.0;
/// The largest number of two bytes, nearly.
const MOST: f64 = 32_000.0;
/// Thickness of bones in body heights: trunk, thigh, shin, upper arm, forearm, and whatever else.
const THICK: [f64; 6] = [0.062, 0.042, 0.032, 0.027, 0.022, 0.014];

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
        all + "/" + &word
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

/// From which point to which, and how thick: `[from, to, thickness]`.
fn bones(clip: &Clip, sites: &[Site]) -> Vec<(usize, usize, f64)> {
    let skeleton = clip.skeleton();
    let found = Body::of(skeleton);
    let thickness = |joint: usize, parent: usize| {
        let [trunk, thigh, shin, upper, lower, other] = THICK;
        let is = |limbs: &[crate::motion::Limb], near: f64, far: f64| {
            limbs.iter().find_map(|limb| match parent {
                p if p == limb.upper => Some(near),
                p if p == limb.middle => Some(far),
                _ => None,
            })
        };
        let in_trunk = found
            .head
            .is_some_and(|head| skeleton.ancestors(head).any(|j| j == joint) && joint != head);
        is(&found.legs, thigh, shin)
            .or_else(|| is(&found.arms, upper, lower))
            .unwrap_or(if in_trunk { trunk } else { other })
    };
    let mut bones = Vec::new();
    for (to, &site) in sites.iter().enumerate() {
        let joint = skeleton.carrier(site);
        let parent = match site {
            Site::Joint(joint) => skeleton.joints()[joint].parent,
            Site::End(_) => Some(joint),
        };
        let Some(parent) = parent else { continue };
        let from = sites.iter().position(|s| *s == Site::Joint(parent));
        let Some(from) = from else { continue };
        let thick = match site {
            Site::End(_) if found.head == Some(joint) => THICK[0],
            Site::End(_) => THICK[5],
            Site::Joint(joint) => thickness(joint, parent),
        };
        bones.push((from, to, thick));
    }
    bones
}
