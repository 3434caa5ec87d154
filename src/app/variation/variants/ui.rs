//! Variants: making them, judging them, keeping the good ones.

use std::sync::Arc;

use egui_material_icons::icons::{
    ICON_CASINO, ICON_CHECK_CIRCLE, ICON_CLOSE, ICON_FAVORITE, ICON_HISTORY, ICON_WARNING,
};

use crate::app::shell::context::UiContext;
use crate::app::shell::dialogs::Dialog;
use crate::app::shell::dialogs::dialog::ExportBox;
use crate::app::shell::theme::Colours;
use crate::app::shell::ui::name_button;
use crate::app::shell::words::counted;
use crate::app::variation::models::known::{Finding, Known};
use crate::app::variation::state::{Request, VariationWorkspace};
use crate::app::variation::variants::again::OutOfDate;
use crate::app::variation::variants::batch::Made;
use crate::app::variation::variants::make::MAKE;
use crate::app::variation::variants::making_ui::making_ui;
use crate::app::variation::variants::ranges;
use crate::document::ModelId;
use crate::variation::ClipModel;

/// What was clicked in a row.
enum Deed {
    LookAt(usize),
    Reseed(usize),
    Keep(usize),
    Discard(usize),
}

/// Draws the list of variants and what can be done with them.
pub(in crate::app) fn variants_ui(
    ui: &mut egui::Ui,
    cx: &mut UiContext,
    variation: &mut VariationWorkspace,
) {
    let Some((id, model)) = variation.chosen_model(cx) else {
        ui.add_space(12.0);
        ui.weak("Variants are made with a model. Choose takes on the left and learn from them.");
        return;
    };
    let name = cx.document().model(id).map(|model| model.name.clone());
    ui.horizontal(|ui| {
        ui.weak("Model");
        ui.strong(name.unwrap_or_default());
    });
    let tall = ui.available_height();
    egui::ScrollArea::vertical()
        .id_salt("all of it")
        .auto_shrink(false)
        .show(ui, |ui| {
            making_ui(ui, cx, variation, &model);
            ui.separator();
            list_ui(ui, cx, variation, (id, &model), tall);
        });
}

/// The list fills what the settings leave of a panel so tall, and is scrolled by itself; of a low panel all is
/// scrolled.
fn list_ui(
    ui: &mut egui::Ui,
    cx: &mut UiContext,
    variation: &mut VariationWorkspace,
    (id, model): (ModelId, &Arc<ClipModel>),
    tall: f32,
) {
    const LEAST: f32 = 150.0;
    let Some(batch) = variation.batches.get(&id).filter(|b| !b.made.is_empty()) else {
        ui.weak("No variants yet.");
        return;
    };
    let made: Vec<Made> = batch.made.clone();
    let looked_at = batch.looked_at;
    let finding = variation.known.of(model);
    let known = finding.as_deref().map(Finding::as_ref).and_then(Result::ok);
    let fresh: Vec<usize> = (0..made.len())
        .filter(|place| !made[*place].is_kept(cx.document()))
        .collect();
    ui.horizontal_wrapped(|ui| {
        let words = format!("Keep {}", counted(fresh.len(), "variant"));
        let button = ui.add_enabled(!fresh.is_empty(), egui::Button::new(words));
        let tip = "Makes them clips of the library, in a set of their own: one step to undo";
        if button.on_hover_text(tip).clicked() {
            variation.requests.ask(Request::KeepVariants(fresh));
        }
        export_ui(ui, cx, variation, id);
    });
    out_of_date_ui(ui, cx, variation);
    let mut deed = None;
    let left = tall - ui.min_rect().height() - 2.0 * ui.spacing().item_spacing.y;
    let list = egui::ScrollArea::both().max_height(left.max(LEAST));
    list.auto_shrink(false).show(ui, |ui| {
        egui::Grid::new("variants")
            .striped(true)
            .num_columns(7)
            .min_col_width(0.0)
            .spacing([6.0, 4.0])
            .show(ui, |ui| {
                head_ui(ui);
                for (place, made) in made.iter().enumerate() {
                    let row = Row {
                        place,
                        made,
                        is_looked_at: looked_at == Some(place),
                        is_kept: made.is_kept(cx.document()),
                        is_by_other_network: VariationWorkspace::can_make_again(cx, made)
                            && !made.is_by(model),
                        known,
                    };
                    if let Some(done) = row.row_ui(ui) {
                        deed = Some(done);
                    }
                    ui.end_row();
                }
            });
    });
    match deed {
        Some(Deed::LookAt(place)) => variation.look_at_variant(cx, place),
        Some(Deed::Reseed(place)) => variation.reseed_variant(cx, place),
        Some(Deed::Keep(place)) => variation.requests.ask(Request::KeepVariants(vec![place])),
        Some(Deed::Discard(place)) => {
            if let Some(batch) = variation.batches.get_mut(&id) {
                batch.discard(place);
            }
        }
        None => {}
    }
}

/// Says which of them are not what would be made now, and makes them again.
fn out_of_date_ui(ui: &mut egui::Ui, cx: &mut UiContext, variation: &mut VariationWorkspace) {
    let old = variation.out_of_date(cx);
    if old == OutOfDate::default() || cx.work.is_running(MAKE) {
        return;
    }
    ui.horizontal_wrapped(|ui| {
        if old.by_network > 0 {
            let words = format!(
                "{} made with the network before the change",
                counted(old.by_network, "variant")
            );
            ui.colored_label(Colours::of(ui).warning, words)
                .on_hover_text("An edge was changed by hand. Undo it, and they are of this network again.");
        }
        if old.by_settings > 0 {
            let words = format!("{} made with other settings", counted(old.by_settings, "variant"));
            ui.weak(words);
        }
        let tip = "All of them in their places, with their numbers and foot locks. Kept ones stay as they are; the one you look at is always made again by itself";
        if ui.button("Make them again").on_hover_text(tip).clicked() {
            variation.make_all_again(cx);
        }
    });
}

/// Numbered files of all on the list, or of those that were kept.
fn export_ui(
    ui: &mut egui::Ui,
    cx: &mut UiContext,
    variation: &mut VariationWorkspace,
    id: ModelId,
) {
    let name = cx.document().model(id);
    let name = name.map_or_else(String::new, |model| format!("{} variants", model.name));
    let tip = "Writes all on this list as numbered files with a list, without keeping them";
    if ui.button("Export all…").on_hover_text(tip).clicked() {
        let clips = variation.variant_clips(cx);
        let dialog = ExportBox::of_clips(cx, name.clone(), clips);
        cx.dialog = Some(Dialog::Export(dialog));
    }
    let mut sets = cx.document().sets().iter();
    let set = sets.find(|set| set.name == name).map(|set| set.id);
    let button = ui.add_enabled(set.is_some(), egui::Button::new("Export kept…"));
    let button = button.on_hover_text("Writes those that were kept as numbered files with a list");
    if let Some(set) = set.filter(|_| button.clicked()) {
        cx.export_set(set);
    }
}

fn head_ui(ui: &mut egui::Ui) {
    for (head, tip) in [
        (
            "",
            "A warning if something is out of range, a clock if the network has changed since",
        ),
        ("Variant", "Click to look at it"),
        (
            "Likely",
            "Mean log-likelihood of a value under the model: higher is likelier",
        ),
        (
            "Near",
            "How far its poses are from the takes, against how far these are from each other: 1 is as near",
        ),
        ("Jerk", "Against the takes: 1 is as smooth, more trembles"),
        ("Slide", "Speed of feet that stand, against the takes"),
    ] {
        ui.weak(head).on_hover_text(tip);
    }
    ui.end_row();
}

struct Row<'a> {
    place: usize,
    made: &'a Made,
    is_looked_at: bool,
    is_kept: bool,
    /// An edge was changed since it was made.
    is_by_other_network: bool,
    known: Option<&'a Known>,
}

impl Row<'_> {
    fn row_ui(&self, ui: &mut egui::Ui) -> Option<Deed> {
        let colours = Colours::of(ui);
        let name = &self.made.clip.info.name;
        let oddities = self.made.oddities(self.known);
        if self.is_by_other_network {
            let sign = ui.label(ICON_HISTORY.rich_text().color(colours.weak));
            let words = "made with the network before the change";
            sign.widget_info(|| {
                let words = format!("{name} was {words}");
                egui::WidgetInfo::labeled(egui::Role::Label, true, words)
            });
            sign.on_hover_text(words);
        } else if oddities.is_empty() {
            ui.label("");
        } else {
            let sign = ui.label(ICON_WARNING.rich_text().color(colours.warning));
            sign.widget_info(|| {
                let words = format!("{name} is out of range");
                egui::WidgetInfo::labeled(egui::Role::Label, true, words)
            });
            sign.on_hover_text(oddities.join("\n"));
        }
        let mut deed = None;
        ui.horizontal(|ui| {
            let colour = if self.is_looked_at {
                colours.selected
            } else {
                colours.generated
            };
            let words = egui::RichText::new(name).color(colour);
            let response = ui.add(egui::Button::selectable(self.is_looked_at, words));
            response.widget_info(|| {
                let words = format!("Variant {name}");
                egui::WidgetInfo::selected(egui::Role::Button, true, self.is_looked_at, words)
            });
            if response.clicked() {
                deed = Some(Deed::LookAt(self.place));
            }
        });
        self.numbers_ui(ui);
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 2.0;
            ui.spacing_mut().button_padding.x = 4.0;
            if let Some(done) = self.buttons_ui(ui, name) {
                deed = Some(done);
            }
        });
        deed
    }

    fn numbers_ui(&self, ui: &mut egui::Ui) {
        let or_dash = |number: Option<f64>| number.map_or("-".to_owned(), |n| format!("{n:.2}"));
        ui.label(or_dash(self.made.log_likelihood));
        match &self.made.numbers {
            None => {
                for _ in 0..3 {
                    ui.weak("…");
                }
            }
            Some(Err(why)) => {
                for _ in 0..3 {
                    ui.weak("-").on_hover_text(why);
                }
            }
            Some(Ok(numbers)) => {
                ui.label(or_dash(numbers.nn_ratio));
                ui.label(format!("{:.2}", numbers.jerk_ratio));
                let slides = numbers.foot_slide.zip(numbers.foot_slide_takes);
                let ratio = slides.map(|(slide, takes)| ranges::slide_ratio(slide, takes));
                ui.label(or_dash(ratio));
            }
        }
    }

    fn buttons_ui(&self, ui: &mut egui::Ui, name: &str) -> Option<Deed> {
        let mut deed = None;
        if self.is_kept {
            ui.label(ICON_CHECK_CIRCLE.rich_text().color(Colours::of(ui).good))
                .on_hover_text("Kept: a clip of the library");
        } else {
            let keep = ui.small_button(ICON_FAVORITE);
            name_button(&keep, &format!("Keep {name}"));
            if keep.on_hover_text("Keeps this one").clicked() {
                deed = Some(Deed::Keep(self.place));
            }
            let reseed = ui.small_button(ICON_CASINO);
            name_button(&reseed, &format!("Reseed {name}"));
            if reseed.on_hover_text("Another one in its place").clicked() {
                deed = Some(Deed::Reseed(self.place));
            }
        }
        let discard = ui.small_button(ICON_CLOSE);
        name_button(&discard, &format!("Discard {name}"));
        if discard
            .on_hover_text("Takes it off this list; a kept one stays in the library")
            .clicked()
        {
            deed = Some(Deed::Discard(self.place));
        }
        deed
    }
}
