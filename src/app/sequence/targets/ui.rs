//! What the strip says about an action that reaches for a point.

use crate::app::sequence::state::{Request, SequenceWorkspace};
use crate::app::sequence::strip::Edit;
use crate::app::sequence::targets::{Selected, sites};
use crate::app::shell::context::UiContext;
use crate::app::shell::theme::Colours;
use crate::document::ActionSource;

/// For the selected action: lets it reach for a point, or says how near it comes.
pub(in crate::app::sequence) fn target_ui(
    ui: &mut egui::Ui,
    cx: &UiContext,
    sequence: &mut SequenceWorkspace,
) {
    if let Some(selected) = sequence.selected_target(cx) {
        site_ui(ui, cx, sequence, &selected);
        let colours = Colours::of(ui);
        if let Some((words, is_met)) = words(sequence, &selected) {
            let colour = if is_met {
                colours.good
            } else {
                colours.warning
            };
            ui.colored_label(colour, words);
        }
        return;
    }
    let [entry] = *sequence.strip.selected else {
        return;
    };
    let value = sequence.sequence_on_strip(cx);
    let source = value.as_ref().and_then(|value| value.actions.entry(entry));
    if let Some(ActionSource::Clip(_)) = source.map(|entry| &entry.source) {
        let tip = "Blends all takes of this action so that the hand or foot comes to a point that is dragged in the 3D \
                   view";
        if ui.button("Reach for a point").on_hover_text(tip).clicked() {
            sequence.ask(Request::EditStrip(Edit::Reach(entry)));
        }
    }
}

/// What reaches; or the take as it was captured.
fn site_ui(
    ui: &mut egui::Ui,
    cx: &UiContext,
    sequence: &mut SequenceWorkspace,
    selected: &Selected,
) {
    let first = selected.action.examples.first();
    let Some(clip) = first.and_then(|id| cx.document().clip(*id)) else {
        return;
    };
    let skeleton = clip.skeleton();
    let now = selected.action.site;
    egui::ComboBox::from_id_salt("site")
        .selected_text(skeleton.site_name(now))
        .width(96.0)
        .show_ui(ui, |ui| {
            for site in sites(skeleton) {
                let is_it = site == now;
                if ui
                    .selectable_label(is_it, skeleton.site_name(site))
                    .clicked()
                    && !is_it
                {
                    sequence.ask(Request::EditStrip(Edit::ReachWith(selected.entry, site)));
                }
            }
        });
    let tip = "Plays the take as it was captured again";
    if ui.button("As captured").on_hover_text(tip).clicked() {
        sequence.ask(Request::EditStrip(Edit::AsCaptured(selected.entry)));
    }
}

/// How near it comes, and whether that is near enough to be called met.
pub(super) fn words(sequence: &SequenceWorkspace, selected: &Selected) -> Option<(String, bool)> {
    /// Nobody sees a centimetre.
    const MET_CM: f64 = 1.0;
    let hit = selected.hit?;
    let cm = 100.0 * hit.missed * sequence.graph()?.rig().metric.metres;
    Some(if hit.is_reachable {
        (format!("misses by {cm:.1} cm"), cm <= MET_CM)
    } else {
        (format!("out of reach: misses by {cm:.0} cm"), false)
    })
}
