//! The quick look at a set: how similar its clips are, and who does not fit.

use std::sync::Arc;

use egui_material_icons::icons::ICON_WARNING;

use crate::app::library::state::LibraryWorkspace;
use crate::app::shell::clips::similarity::{ClipComparison, ComparedClips, MOST_LOOKED_AT};
use crate::app::shell::context::UiContext;
use crate::app::shell::previews::Preview;
use crate::app::shell::requests::Request;
use crate::app::shell::retarget::offer_ui::one_skeleton_ui;
use crate::app::shell::theme::Colours;
use crate::app::shell::ui::similarity::{CM, curve, curve_choice_ui, curves_ui, matrix_ui};
use crate::app::shell::words::counted;
use crate::document::{ClipId, Command};
use crate::motion::similarity::SetSimilarity;

pub(in crate::app::library) fn look_ui(
    ui: &mut egui::Ui,
    cx: &mut UiContext,
    library: &mut LibraryWorkspace,
) {
    if one_skeleton_ui(ui, cx, &library.set_clips(cx)) {
        return;
    }
    let Some(look) = library.look_at_set(cx).map(Arc::clone) else {
        ui.weak("Comparing the clips…");
        return;
    };
    match &look.found {
        Err(why) => {
            let words = format!("These clips cannot be compared: {why}");
            ui.add(
                egui::Label::new(egui::RichText::new(words).color(ui.visuals().warn_fg_color))
                    .wrap(),
            );
        }
        Ok(found) => found_ui(ui, cx, library, &look, found),
    }
}

fn found_ui(
    ui: &mut egui::Ui,
    cx: &mut UiContext,
    library: &mut LibraryWorkspace,
    look: &ClipComparison,
    found: &ComparedClips,
) {
    if look.clips.len() == MOST_LOOKED_AT {
        ui.weak(format!(
            "Only the first {MOST_LOOKED_AT} clips are compared."
        ));
    }
    odd_ui(ui, cx, library, look, &found.similarity);
    ui.checkbox(
        &mut library.sets.shows_in_step,
        "Align phase in the 3D view",
    )
    .on_hover_text(
        "All clips at the same moment of the motion, on one spot; outliers in another colour",
    );
    if library.sets.shows_in_step {
        let clips = found.in_step.clone();
        cx.previews.wish(Preview::Instead(clips));
    }
    ui.add_space(4.0);
    curve_choice_ui(ui, &mut library.sets.curve, &found.similarity);
    let curve = curve(library.sets.curve, &found.similarity);
    curves_ui(ui, look, &found.similarity, curve);
    ui.add_space(6.0);
    matrix_ui(ui, cx, look, &found.similarity);
}

/// Who does not fit, with a way to take it out.
fn odd_ui(
    ui: &mut egui::Ui,
    cx: &mut UiContext,
    library: &mut LibraryWorkspace,
    look: &ClipComparison,
    similarity: &SetSimilarity,
) {
    let usual = similarity.median_distance();
    if similarity.outliers.is_empty() {
        let clips = counted(look.clips.len(), "clip");
        let cm = CM * usual;
        ui.label(format!("{clips}, median distance {cm:.1} cm; no outliers"));
        return;
    }
    const SHOWN: usize = 3;
    for &odd in similarity.outliers.iter().take(SHOWN) {
        let (id, clip) = &look.clips[odd];
        let times = similarity.mean_distances[odd] / usual.max(1e-12);
        ui.horizontal(|ui| {
            let words = format!(
                "outlier: {}, {times:.1} x the median distance",
                clip.info.name
            );
            let colour = Colours::of(ui).generated;
            ui.label(ICON_WARNING.rich_text().color(colour));
            ui.colored_label(colour, words);
            if ui.small_button("Remove from set").clicked() {
                take_out(cx, library, vec![*id]);
            }
        });
    }
    let n = similarity.outliers.len();
    if n > 1 {
        ui.horizontal(|ui| {
            if n > SHOWN {
                ui.weak(format!("and {} more", n - SHOWN));
            }
            if ui
                .small_button(format!("Remove all {n} from set"))
                .clicked()
            {
                take_out(
                    cx,
                    library,
                    similarity
                        .outliers
                        .iter()
                        .map(|&odd| look.clips[odd].0)
                        .collect(),
                );
            }
        });
    }
}

fn take_out(cx: &mut UiContext, library: &mut LibraryWorkspace, clips: Vec<ClipId>) {
    if let Some(id) = library.sets.open {
        cx.ask(Request::Edit(Command::TakeFromSet { id, clips }));
    }
}
