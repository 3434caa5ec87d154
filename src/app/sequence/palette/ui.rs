//! Cards of actions: a figure that moves under the pointer, a name, a key.

use egui::{Align2, FontId, Rect, Sense, Stroke, StrokeKind, vec2};

use crate::app::sequence::figure::paint_figure;
use crate::app::sequence::live::Playing;
use crate::app::sequence::palette::{PaletteAction, key_name};
use crate::app::sequence::state::SequenceWorkspace;
use crate::app::sequence::strip::carried_ui;
use crate::app::shell::context::UiContext;
use crate::app::shell::theme::Colours;
use crate::document::ActionSource;

/// Side of a figure.
const SIDE: f32 = 78.0;
/// Room for a name of two lines below it.
const NAME: f32 = 27.0;
/// A figure at rest shows this share of its motion: beginnings are all alike.
const AT_REST: f64 = 0.45;

/// Draws the palette of actions, to be dragged onto the strip.
pub fn palette_ui(ui: &mut egui::Ui, cx: &mut UiContext, sequence: &mut SequenceWorkspace) {
    let actions = sequence.palette_actions(cx);
    if actions.is_empty() {
        ui.weak("The clips of the graph will be here as actions: double-click or drag them onto the strip, or trigger them by their keys in live play.");
        return;
    }
    search_ui(ui, sequence, &actions);
    let search = sequence.palette.search.clone();
    let tag = sequence.palette.tag.clone();
    let found: Vec<(usize, &PaletteAction)> = actions
        .iter()
        .enumerate()
        .filter(|(_, action)| action.is_found(&search, tag.as_deref()))
        .collect();
    if found.is_empty() {
        ui.weak("No action is called so.");
    }
    let before = sequence.palette.hovered.take();
    egui::ScrollArea::vertical()
        .auto_shrink(false)
        .show(ui, |ui| {
            ui.horizontal_wrapped(|ui| {
                ui.spacing_mut().item_spacing = vec2(6.0, 6.0);
                for (at, action) in found {
                    card_ui(ui, cx, sequence, (at, action), before);
                }
            });
        });
}

fn search_ui(ui: &mut egui::Ui, sequence: &mut SequenceWorkspace, actions: &[PaletteAction]) {
    ui.horizontal_wrapped(|ui| {
        let search = egui::TextEdit::singleline(&mut sequence.palette.search)
            .id(egui::Id::unique("Search actions"))
            .hint_text("Search actions")
            .desired_width(130.0);
        ui.add(search);
        let mut tags: Vec<&String> = actions.iter().flat_map(|a| &a.tags).collect();
        tags.sort_unstable();
        tags.dedup();
        if tags.is_empty() {
            return;
        }
        let now = sequence.palette.tag.clone();
        egui::ComboBox::from_id_salt("action tags")
            .selected_text(now.as_deref().unwrap_or("all tags"))
            .width(90.0)
            .show_ui(ui, |ui| {
                ui.selectable_value(&mut sequence.palette.tag, None, "all tags");
                for tag in tags {
                    let value = Some(tag.clone());
                    ui.selectable_value(&mut sequence.palette.tag, value, tag);
                }
            });
    });
}

/// One action. A click shows it or, while it plays live, triggers it; a double-click puts it on the strip.
fn card_ui(
    ui: &mut egui::Ui,
    cx: &mut UiContext,
    sequence: &mut SequenceWorkspace,
    (at, action): (usize, &PaletteAction),
    before: Option<(usize, f64)>,
) {
    let colours = Colours::of(ui);
    let size = vec2(SIDE, SIDE + NAME);
    let (rect, response) = ui.allocate_exact_size(size, Sense::click_and_drag());
    response.widget_info(|| {
        let words = format!("Action {}", action.name);
        egui::WidgetInfo::labeled(egui::Role::Button, true, words)
    });
    response.dnd_set_drag_payload(action.source.clone());
    if response.dragged() {
        carried_ui(ui, &action.name);
    }
    let is_hovered = response.hovered();
    if is_hovered {
        let since = before.filter(|(of, _)| *of == at);
        let since = since.map_or(cx.now_secs, |(_, since)| since);
        sequence.palette.hovered = Some((at, since));
        ui.ctx().request_repaint();
    }
    if ui.is_rect_visible(rect) {
        let since = sequence.palette.hovered.filter(|_| is_hovered);
        let secs = since.map(|(_, since)| cx.now_secs - since);
        paint_card(
            ui,
            rect,
            (action, secs),
            (colours, is_running(sequence, action)),
        );
    }
    let is_live = sequence.live.playing.is_some();
    let words = match (is_live, action.number) {
        (true, Some(_)) => "Click: now. Shift+click: next. Double-click or drag: onto the strip",
        _ => "Double-click or drag: onto the strip. Click: shows it",
    };
    let tags: Vec<&str> = action.tags.iter().map(String::as_str).collect();
    let mut tip = action.name.clone();
    if !tags.is_empty() {
        tip = format!("{tip}\n{}", tags.join(", "));
    }
    let tip = format!("{tip}\n{words}");
    let response = response.on_hover_text(tip);
    if response.double_clicked() && !is_live {
        sequence.ask_to_add(action.source.clone());
    } else if response.clicked() {
        let with_shift = ui.input(|input| input.modifiers.shift);
        match (is_live, action.number, &action.source) {
            (true, Some(number), _) => sequence.trigger(number, with_shift),
            (false, _, ActionSource::Clip(id)) => cx.session.select(Some(*id)),
            _ => {}
        }
    }
}

fn is_running(sequence: &SequenceWorkspace, action: &PaletteAction) -> bool {
    let playing = sequence.live.playing.as_ref();
    let running = playing.and_then(Playing::running);
    action.number.is_some() && running == action.number
}

fn paint_card(
    ui: &egui::Ui,
    rect: Rect,
    (action, secs): (&PaletteAction, Option<f64>),
    (colours, is_running): (Colours, bool),
) {
    let painter = ui.painter_at(rect);
    let picture = Rect::from_min_size(rect.min, vec2(SIDE, SIDE));
    painter.rect_filled(picture, 4.0, colours.sunken);
    let clip = &action.clip;
    let frame = match secs {
        Some(secs) => (secs * clip.fps()) as usize % clip.n_frames(),
        None => (AT_REST * clip.n_frames() as f64) as usize,
    };
    let colour = match action.source {
        ActionSource::Model(_) => colours.generated,
        _ => colours.given,
    };
    // Key and length are above it.
    let figure = picture.with_min_y(picture.top() + 10.0);
    paint_figure(&painter, figure, (clip, frame), colour);
    if is_running || secs.is_some() {
        let colour = if is_running {
            colours.selected
        } else {
            colours.hovered
        };
        let stroke = Stroke::new(2.0, colour);
        painter.rect_stroke(picture, 4.0, stroke, StrokeKind::Inside);
    }
    if let Some(key) = action.number.and_then(key_name) {
        let at = picture.left_top() + vec2(5.0, 3.0);
        let font = FontId::monospace(11.5);
        painter.text(at, Align2::LEFT_TOP, key, font, colours.weak);
    }
    let words = format!("{:.1} s", clip.seconds());
    let at = picture.right_top() + vec2(-4.0, 3.0);
    let font = FontId::proportional(10.0);
    painter.text(at, Align2::RIGHT_TOP, words, font, colours.weak);
    let below = Rect::from_min_max(picture.left_bottom(), rect.max);
    // Names of captures have no blanks to break at, and differ at their ends.
    let font = FontId::proportional(10.5);
    let mut job =
        egui::text::LayoutJob::simple(action.name.clone(), font, colours.text, SIDE - 4.0);
    job.wrap.break_anywhere = true;
    job.wrap.max_rows = 2;
    let name = painter.layout_job(job);
    ui.painter_at(below)
        .galley(below.min + vec2(2.0, 1.0), name, colours.text);
}
