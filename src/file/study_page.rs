//! A rating session as one page that runs in any browser: no server, no installation, nothing to load.
//!
//! The page draws clips on a canvas (`web_clip`). It knows blind names and orders, not conditions. Its questions and
//! keys are those of [`crate::study::session::Session`]; a test holds both to the same order.

use serde_json::json;

use super::web_clip::{self, FPS};
use crate::motion::Clip;
use crate::motion::edit::EditError;
use crate::study::session::{DECKS, HIGHEST, LOWEST, Plan};

/// The page without its data.
const PAGE: &str = include_str!("../../assets/study/page.html");

/// A page that shows these clips, one for each stimulus in order.
pub fn page(plan: &Plan, clips: &[&Clip]) -> Result<String, EditError> {
    let packed = clips.iter().zip(plan.stimuli());
    let packed = packed
        .map(|(clip, shown)| web_clip::packed(clip, &shown.id))
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
    Ok(web_clip::filled(PAGE, &data))
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
