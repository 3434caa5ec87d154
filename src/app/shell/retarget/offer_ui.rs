//! The offer to bring clips onto one skeleton, for every panel that needs clips of one.

use std::sync::Arc;

use egui_material_icons::icons::ICON_WARNING;

use crate::app::shell::context::UiContext;
use crate::app::shell::retarget::skeletons::{Difference, Kind, kinds};
use crate::app::shell::theme::Colours;
use crate::document::ClipId;
use crate::motion::Clip;

/// Kinds that are named one by one.
const MOST_NAMED: usize = 4;

/// If these clips are on several skeletons: a word on that, and a button that opens the tool for them. Draws nothing
/// for clips of one skeleton. Whether they cannot be used together as they are.
pub(in crate::app) fn one_skeleton_ui(
    ui: &mut egui::Ui,
    cx: &mut UiContext,
    clips: &[(ClipId, Arc<Clip>)],
) -> bool {
    let by = |finest| kinds(clips.iter().map(|(id, clip)| (*id, clip)), finest);
    let by_joints = by(Difference::Joints);
    let is_refused = by_joints.len() > 1;
    let kinds = if is_refused {
        by_joints
    } else {
        by(Difference::Lengths)
    };
    if kinds.len() < 2 {
        return false;
    }
    let colours = Colours::of(ui);
    let (words, colour) = if is_refused {
        let words = "These clips are on several skeletons and cannot be used together as they are";
        (words, colours.warning)
    } else {
        let words = "These clips have bones of several lengths: feet may slide";
        (words, colours.weak)
    };
    ui.horizontal_wrapped(|ui| {
        if is_refused {
            ui.label(ICON_WARNING.rich_text().color(colour));
        }
        ui.colored_label(colour, words).on_hover_text(list(&kinds));
        let tip =
            "Chooses a skeleton, shows before and after, and brings all of these clips onto it";
        if ui
            .button("Bring onto one skeleton…")
            .on_hover_text(tip)
            .clicked()
        {
            cx.bring_onto_one_skeleton(clips.iter().map(|(id, _)| *id).collect());
        }
    });
    is_refused
}

fn list(kinds: &[Kind]) -> String {
    let mut lines: Vec<String> = kinds.iter().take(MOST_NAMED).map(Kind::words).collect();
    if kinds.len() > MOST_NAMED {
        lines.push(format!("and {} more", kinds.len() - MOST_NAMED));
    }
    lines.join("\n")
}
