//! What a motion file does not state, guessed and described for the animator.

use super::{find_floor, find_glitches, guess_unit, leading_tpose_frames, trim};
use crate::motion::{Clip, Note, NoteKind, body};

/// A note for each guess and oddity: up axis, units, floor, a T-pose at the start, joints that jump. Nothing is
/// changed.
pub fn describe_guesses(clip: &Clip) -> Vec<Note> {
    let guessed = |text: String| Note::new(NoteKind::Guessed, text);
    let noticed = |text: String| Note::new(NoteKind::Noticed, text);
    let mut notes = vec![
        guessed(up_in_words(clip)),
        guessed(guess_unit(clip).to_string()),
    ];
    let floor = find_floor(clip);
    let doubt = if floor.is_sure {
        ""
    } else {
        ", though feet rarely rest on it"
    };
    notes.push(guessed(format!(
        "the floor seems to be at height {:.3}{doubt}",
        floor.height
    )));
    match leading_tpose_frames(clip) {
        0 => {}
        1 => notes.push(noticed(
            "the first frame is a T-pose, not part of the motion".to_owned(),
        )),
        n => notes.push(noticed(format!(
            "the first {n} frames are a T-pose, not part of the motion"
        ))),
    }
    notes.extend(glitches_in_words(clip).map(noticed));
    notes
}

fn up_in_words(clip: &Clip) -> String {
    let (up, guess) = (clip.info.up, body::guess_up(clip));
    match (guess.axis == up, guess.is_sure) {
        (true, true) => format!("{up} is up: the body stands along it"),
        (true, false) => format!("{up} is taken as up; the body does not show it"),
        (false, true) => format!(
            "{up} is taken as up, but the body stands along {}",
            guess.axis
        ),
        (false, false) => format!("{up} is taken as up; it might be {}", guess.axis),
    }
}

/// One sentence for all of them, the largest first.
fn glitches_in_words(clip: &Clip) -> Option<String> {
    const SHOWN: usize = 3;
    // Leading T-pose frames have a note of their own, and the leap out of them is no glitch.
    let from = leading_tpose_frames(clip);
    let motion = trim(clip, from..clip.n_frames()).ok()?;
    let mut found = find_glitches(&motion);
    found.sort_by(|a, b| b.jump_rad.total_cmp(&a.jump_rad));
    if found.is_empty() {
        return None;
    }
    let shown: Vec<String> = found
        .iter()
        .take(SHOWN)
        .map(|g| {
            let name = &clip.skeleton().joints()[g.joint].name;
            let degrees = g.jump_rad.to_degrees();
            format!("{name} at frame {} by {degrees:.0} degrees", from + g.frame)
        })
        .collect();
    let more = match found.len().saturating_sub(SHOWN) {
        0 => String::new(),
        n => format!(", and {n} more"),
    };
    Some(format!(
        "joints jump for a moment: {}{more}",
        shown.join(", ")
    ))
}
