//! The panel of the crowd preview.

use crate::app::shell::context::UiContext;
use crate::app::shell::session::Framing;
use crate::app::shell::theme::Colours;
use crate::app::shell::ui::rows::number_row;
use crate::app::shell::ui::running::running_ui;
use crate::app::study::crowd::scene::colour_of;
use crate::app::study::crowd::{Crowd, GATHER};
use crate::app::study::state::StudyWorkspace;
use crate::study::crowd::{Casting, FEWEST, MOST, repeated};
use crate::study::measures::Role;

/// Draws the settings of the crowd preview.
pub(in crate::app) fn crowd_ui(ui: &mut egui::Ui, cx: &mut UiContext, study: &mut StudyWorkspace) {
    egui::ScrollArea::vertical()
        .auto_shrink(false)
        .show(ui, |ui| {
            settings_ui(ui, study);
            gather_ui(ui, cx, study);
            let Some(crowd) = study.crowd.crowd.clone() else {
                ui.weak("A crowd shows at a glance what single clips hide: who moves alike, and what comes again.");
                return;
            };
            ui.separator();
            let was_shown = study.crowd.is_shown;
            ui.checkbox(&mut study.crowd.is_shown, "Show the crowd in the 3D view");
            if study.crowd.is_shown != was_shown {
                cx.session.framing = Some(Framing::All);
            }
            ui.checkbox(&mut study.crowd.lights_repeated, "Light repeated motions")
                .on_hover_text("Who plays what another one plays at this moment is lit and stands in a ring; clones under another name count as the same");
            now_ui(ui, study, &crowd);
        });
}

fn settings_ui(ui: &mut egui::Ui, study: &mut StudyWorkspace) {
    let sets = &study.sets.sets;
    let judged = sets.iter().filter(|set| set.role == Role::Asked);
    let names: Vec<String> = judged.map(|set| set.name.clone()).collect();
    let view = &mut study.crowd;
    view.set
        .take_if(|name| !sets.iter().any(|set| set.name == *name));
    egui::Grid::new("crowd").num_columns(2).show(ui, |ui| {
        ui.label("Motions");
        egui::ComboBox::from_id_salt("crowd set")
            .selected_text(view.set.as_deref().unwrap_or("all judged sets"))
            .show_ui(ui, |ui| {
                ui.selectable_value(&mut view.set, None, "all judged sets");
                for name in names {
                    ui.selectable_value(&mut view.set, Some(name.clone()), name);
                }
            });
        ui.end_row();
        let count = egui::DragValue::new(&mut view.count).range(FEWEST..=MOST);
        number_row(
            ui,
            "Characters",
            count,
            "How many stand on the floor: 20 to 500",
        );
        let seed = egui::DragValue::new(&mut view.seed);
        number_row(
            ui,
            "Seed",
            seed,
            "Who plays what and from where on; the same seed, the same crowd",
        );
    });
    ui.checkbox(&mut view.has_cycles, "Cycle animation beside it")
        .on_hover_text(
            "Half of the characters play the inputs again and again, each drawn at random",
        );
}

fn gather_ui(ui: &mut egui::Ui, cx: &mut UiContext, study: &mut StudyWorkspace) {
    if let Some(running) = cx.work.named(GATHER) {
        running_ui(ui, running, "Cancel gathering");
        return;
    }
    let has_motions = match &study.crowd.set {
        Some(name) => study.sets.sets.iter().any(|set| set.name == *name),
        None => study.sets.sets.iter().any(|set| set.role == Role::Asked),
    };
    let button = ui.add_enabled(has_motions, egui::Button::new("Gather the crowd"));
    let tip = "Everybody gets a spot on the floor and motions one after the other, from random moments on";
    if button.on_hover_text(tip).clicked() {
        study.gather_crowd(cx);
    }
    if !has_motions {
        ui.weak("add a set to be judged under Compared sets first");
    }
}

/// How much of it is repeated at this moment.
fn now_ui(ui: &mut egui::Ui, study: &StudyWorkspace, crowd: &Crowd) {
    let twice = repeated(&crowd.motions_at(study.crowd.secs));
    for (casting, words) in [
        (Casting::Varied, "variants"),
        (Casting::Cycled, "cycle animation"),
    ] {
        let own = crowd.walkers.iter().zip(&twice);
        let own: Vec<bool> = own
            .filter(|(walker, _)| walker.casting == casting)
            .map(|(_, twice)| *twice)
            .collect();
        if own.is_empty() {
            continue;
        }
        let n_twice = own.iter().filter(|twice| **twice).count();
        ui.horizontal(|ui| {
            let (dot, _) = ui.allocate_exact_size(egui::vec2(10.0, 16.0), egui::Sense::hover());
            let colour: egui::Color32 = colour_of(casting).into();
            ui.painter().circle_filled(dot.center(), 4.0, colour);
            let share = 100.0 * n_twice as f64 / own.len() as f64;
            let n = own.len();
            ui.label(format!(
                "{words}: {n_twice} of {n} characters ({share:.0} %) play what another one plays now"
            ));
        });
    }
    ui.weak("Click a character to light all who play its motion.");
}

/// In place of the rows of clips: the crowd has none.
pub(in crate::app) fn crowd_line_ui(ui: &mut egui::Ui, study: &StudyWorkspace) {
    // Takes all of the room, or the panel would shrink to its words.
    let (rect, _) = ui.allocate_exact_size(ui.available_size(), egui::Sense::hover());
    let colours = Colours::of(ui);
    ui.painter().rect_filled(rect, 3.0, colours.sunken);
    let words = format!(
        "The crowd has played for {:.1} s; it goes on where the playhead begins again",
        study.crowd.secs
    );
    let font = egui::FontId::proportional(13.0);
    let middle = egui::Align2::CENTER_CENTER;
    ui.painter()
        .text(rect.center(), middle, words, font, colours.weak);
}
