//! Feet and hands of the variant that is looked at: what is held when, and what that does to the slide.

use crate::app::shell::context::UiContext;
use crate::app::shell::theme::Colours;
use crate::app::shell::ui::similarity::CM;
use crate::app::shell::words::counted;
use crate::app::variation::holds::{LimbLine, Standing};
use crate::app::variation::state::VariationWorkspace;
use crate::app::variation::variants::batch::Made;
use crate::app::variation::variants::making_ui::view_options_ui;

/// Draws the panel of spans in which feet and hands are held.
pub(in crate::app) fn holding_ui(
    ui: &mut egui::Ui,
    cx: &mut UiContext,
    variation: &mut VariationWorkspace,
) {
    let Some(made) = variation.looked_at(cx).map(|(_, made)| made.clone()) else {
        ui.weak("Foot and hand lock of a variant: what stays in place. Make variants, and click one to look at it.");
        return;
    };
    egui::ScrollArea::both().auto_shrink(false).show(ui, |ui| {
        ui.strong(&made.clip.info.name);
        let can_change = variation.looked_at_spans(cx).is_some_and(|(_, can)| can);
        words_ui(ui, cx, variation, &made, can_change);
        ui.checkbox(&mut variation.holding.shows_held, "Show it locked")
            .on_hover_text("Off: as it was drawn, with its slide. Only what the 3D view shows; a kept variant is locked.");
        if made.number.is_some() {
            match variation.standing(cx) {
                Some(standing) => standing_ui(ui, cx, variation, &made, &standing),
                None => {
                    ui.weak("Comparing with how it was drawn…");
                }
            }
        }
        ui.separator();
        view_options_ui(ui, cx, variation);
    });
}

fn words_ui(
    ui: &mut egui::Ui,
    cx: &mut UiContext,
    variation: &mut VariationWorkspace,
    made: &Made,
    can_change: bool,
) {
    if made.is_kept(cx.document()) {
        ui.weak("It is kept, and its foot lock with it. Change it in the library: its contacts are on the timeline there.");
        return;
    }
    if made.number.is_none() {
        ui.weak("A stream has no foot lock while it runs. Keep it, then use Foot lock under Clean in the library.");
        return;
    }
    ui.weak("Draw spans in the lanes of the timeline, drag their ends, press Delete to remove the clicked one. In the 3D view drag the dot at a held foot or hand to pin it elsewhere; feet move over the floor, hands across the picture, with shift the other way round.");
    let is_by_hand = variation.is_held_by_hand(cx);
    ui.horizontal_wrapped(|ui| {
        let words = if is_by_hand {
            "held as drawn by hand"
        } else {
            "held when most takes stand"
        };
        ui.label(words);
        let reset = ui.add_enabled(is_by_hand && can_change, egui::Button::new("Reset foot lock"));
        let tip = "Takes all changes by hand back. A variant that is not kept yet is no part of the project, so undo knows nothing of them.";
        if reset.on_hover_text(tip).clicked() {
            variation.reset_holds(cx);
        }
    });
}

fn standing_ui(
    ui: &mut egui::Ui,
    cx: &mut UiContext,
    variation: &mut VariationWorkspace,
    made: &Made,
    standing: &Standing,
) {
    let colours = Colours::of(ui);
    if let Some((before, after)) = standing.slide {
        let words = format!(
            "Feet slide {:.1} cm/s locked, {:.1} cm/s as drawn",
            CM * after,
            CM * before
        );
        let tip = "Speed of feet over the floor while they are down, found by height and speed, in centimetres a second of a body of 1.75 m";
        ui.label(words).on_hover_text(tip);
    }
    if let Some(held) = made.held.as_ref().filter(|held| held.n_misses > 0) {
        let words = format!("not reached for {}", counted(held.n_misses, "frame"));
        let tip = "The limb is too short, or a knee would pop: there it gives way";
        ui.colored_label(colours.warning, words).on_hover_text(tip);
    }
    if standing.lines.is_empty() {
        ui.weak("Nothing is held.");
        return;
    }
    egui::Grid::new("limbs")
        .striped(true)
        .num_columns(5)
        .spacing([10.0, 4.0])
        .show(ui, |ui| {
            for (head, tip) in [
                ("Limb", "The joint that is held"),
                ("Spans", "How often, and how many of them are pinned"),
                (
                    "As drawn",
                    "Its speed during that time if nothing is held, cm/s",
                ),
                ("Locked", "The same with foot lock"),
                ("", ""),
            ] {
                ui.weak(head).on_hover_text(tip);
            }
            ui.end_row();
            for line in &standing.lines {
                line_ui(ui, cx, variation, made, line);
                ui.end_row();
            }
        });
}

fn line_ui(
    ui: &mut egui::Ui,
    cx: &mut UiContext,
    variation: &mut VariationWorkspace,
    made: &Made,
    line: &LimbLine,
) {
    let joint = made.clip.skeleton().joints().get(line.joint);
    let name = joint.map_or("", |joint| joint.name.as_str());
    ui.label(name);
    let pins = match line.n_pins {
        0 => String::new(),
        n => format!(", {}", counted(n, "pin")),
    };
    ui.label(format!("{}{pins}", line.n_spans));
    ui.label(format!("{:.1}", CM * line.before));
    ui.label(format!("{:.1}", CM * line.after));
    let unpin = ui.add_enabled(line.n_pins > 0, egui::Button::new("Unpin").small());
    crate::app::shell::ui::name_button(&unpin, &format!("Unpin {name}"));
    let tip = "It is held where it comes to rest again";
    if unpin.on_hover_text(tip).clicked()
        && let Some((spans, _)) = variation.looked_at_spans(cx)
    {
        for span in spans.iter().filter(|span| span.joint == line.joint) {
            variation.pin(cx, line.joint, span.frames.start, None);
        }
    }
}
