//! A pad to draw strokes on: one stroke is one clip with x and y, and its timing is kept.
//!
//! From some strokes a model can be learned; what it makes is orange on the same pad, until it is kept.
//!
//! The pad is one unit high, x goes right and y up, from its lower left corner, whatever the size of the window.

use std::collections::BTreeSet;
use std::sync::Arc;

use egui::{Align2, FontId, Pos2, Rect, Sense, Shape, pos2};

use crate::app::library::state::LibraryWorkspace;
use crate::app::shell::actions::Action;
use crate::app::shell::context::UiContext;
use crate::app::shell::dialogs::Dialog;
use crate::app::shell::dialogs::dialog::StrokesBox;
use crate::app::shell::requests::Request;
use crate::app::shell::theme::Colours;
use crate::app::shell::ui::rename::begin_typing;
use crate::app::shell::words::counted;
use crate::document::{Command, StrokeId};
use crate::motion::Stroke;

/// Draws pad and list.
pub fn strokes_ui(ui: &mut egui::Ui, cx: &mut UiContext, library: &mut LibraryWorkspace) {
    let there: BTreeSet<StrokeId> = cx.document().strokes().iter().map(|s| s.0).collect();
    library.strokes.selection.retain(|id| there.contains(id));
    buttons_ui(ui, cx, library);
    crate::app::library::strokes::family_ui::family_ui(ui, cx, library);
    let width = 140.0_f32.min(0.4 * ui.available_width());
    egui::Panel::right("stroke list")
        .resizable(true)
        .default_size(width)
        .show(ui, |ui| list_ui(ui, cx, library));
    pad_ui(ui, cx, library);
}

fn buttons_ui(ui: &mut egui::Ui, cx: &mut UiContext, library: &mut LibraryWorkspace) {
    ui.horizontal_wrapped(|ui| {
        let n = cx.document().strokes().len();
        ui.strong(counted(n, "stroke"));
        if ui
            .button("Import CSV…")
            .on_hover_text("Reads strokes from files with the columns t, x and y")
            .clicked()
        {
            cx.ask(Request::Do(Action::Import));
        }
        let export = ui.add_enabled(n > 0, egui::Button::new("Export CSV…"));
        let tip = "Writes the selected strokes, or all, to files with the columns t, x and y";
        if export.on_hover_text(tip).clicked() {
            ask_where_to_put_strokes(cx, library);
        }
        let n_selected = library.strokes.selection.len();
        let words = format!("Delete {}", counted(n_selected, "stroke"));
        let delete = ui.add_enabled(n_selected > 0, egui::Button::new(words));
        if delete.clicked() {
            let gone = library.strokes.selection.iter().copied().collect();
            cx.ask(Request::Edit(Command::RemoveStrokes(gone)));
        }
    });
}

fn list_ui(ui: &mut egui::Ui, cx: &mut UiContext, library: &mut LibraryWorkspace) {
    let height = ui.spacing().interact_size.y;
    let strokes: Vec<(StrokeId, Arc<Stroke>)> = cx.document().strokes().to_vec();
    if strokes.is_empty() {
        ui.weak("Draw on the pad: each line becomes a stroke.");
        return;
    }
    egui::ScrollArea::vertical().auto_shrink(false).show_rows(
        ui,
        height,
        strokes.len(),
        |ui, rows| {
            for (id, stroke) in &strokes[rows] {
                line_ui(ui, cx, library, *id, stroke);
            }
        },
    );
}

fn line_ui(
    ui: &mut egui::Ui,
    cx: &mut UiContext,
    library: &mut LibraryWorkspace,
    id: StrokeId,
    stroke: &Stroke,
) {
    let view = &mut library.strokes;
    if let Some((_, mut text)) = view.renames.take_if(|(of, _)| *of == id) {
        let response = ui.add(egui::TextEdit::singleline(&mut text));
        response.widget_info(|| {
            let mut info =
                egui::WidgetInfo::labeled(egui::Role::TextInput, true, "New stroke name");
            info.current_text_value = Some(text.clone());
            info
        });
        if !response.lost_focus() {
            if !response.has_focus() {
                begin_typing(&response, &text);
            }
            view.renames = Some((id, text));
        } else if !ui.input(|input| input.key_pressed(egui::Key::Escape)) {
            let name = text;
            cx.ask(Request::Edit(Command::RenameStroke { id, name }));
        }
        return;
    }
    let is_selected = view.selection.contains(&id);
    let words = format!("{}  {:.2} s", stroke.name(), stroke.seconds());
    let response = ui.add(egui::Button::selectable(is_selected, words));
    response.widget_info(|| {
        let words = format!("Stroke {}", stroke.name());
        egui::WidgetInfo::selected(egui::Role::Row, true, is_selected, words)
    });
    let tip = format!("{} points; double-click to rename", stroke.n_points());
    let response = response.on_hover_text(tip);
    if response.clicked() {
        let held = ui.input(|input| input.modifiers);
        if !held.command {
            view.selection.clear();
        }
        if !view.selection.remove(&id) {
            view.selection.insert(id);
        }
    }
    if response.double_clicked() {
        view.renames = Some((id, stroke.name().to_owned()));
    }
}

/// Between the pad's units and the screen.
#[derive(Debug, Clone, Copy)]
struct Pad(Rect);

impl Pad {
    fn on_screen(self, [x, y]: [f64; 2]) -> Pos2 {
        let unit = self.0.height();
        pos2(
            self.0.left() + x as f32 * unit,
            self.0.bottom() - y as f32 * unit,
        )
    }

    fn on_pad(self, at: Pos2) -> [f64; 2] {
        let unit = f64::from(self.0.height().max(1.0));
        [
            f64::from(at.x - self.0.left()) / unit,
            f64::from(self.0.bottom() - at.y) / unit,
        ]
    }
}

fn pad_ui(ui: &mut egui::Ui, cx: &mut UiContext, library: &mut LibraryWorkspace) {
    let (rect, response) = ui.allocate_exact_size(ui.available_size(), Sense::drag());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Canvas, true, "Stroke pad"));
    let colours = Colours::of(ui);
    let painter = ui.painter_at(rect);
    painter.rect_filled(rect, 3.0, colours.sunken);
    let pad = Pad(rect);
    draw(ui, &response, cx, library, pad);
    if cx.document().strokes().is_empty() && library.strokes.drawn.is_empty() {
        let font = FontId::proportional(14.0);
        let words = "Draw here; how fast you go is kept";
        painter.text(
            rect.center(),
            Align2::CENTER_CENTER,
            words,
            font,
            colours.weak,
        );
    }
    made_ui(&painter, cx, library, pad, colours);
    let view = &library.strokes;
    // As many as can be told apart; the newest are on top.
    const MOST_DRAWN: usize = 400;
    let strokes = cx.document().strokes();
    let from = strokes.len().saturating_sub(MOST_DRAWN);
    for (id, stroke) in &strokes[from..] {
        let is_selected = view.selection.contains(id);
        let (colour, wide) = if is_selected {
            (colours.selected, 2.5)
        } else {
            (colours.given.gamma_multiply(0.8), 1.5)
        };
        let line = stroke.points().iter();
        let line: Vec<Pos2> = line.map(|[_, x, y]| pad.on_screen([*x, *y])).collect();
        if is_selected {
            // Dots at equal times: where they crowd, the hand was slow.
            if let Ok(even) = stroke.resampled(20.0) {
                for [_, x, y] in even.points() {
                    painter.circle_filled(pad.on_screen([*x, *y]), 2.5, colour);
                }
            }
        }
        painter.circle_filled(line[0], 3.5, colour);
        painter.add(Shape::line(line, egui::Stroke::new(wide, colour)));
    }
    let line = view.drawn.iter();
    let line: Vec<Pos2> = line.map(|[_, x, y]| pad.on_screen([*x, *y])).collect();
    // Orange is for what is made; this is given.
    painter.add(Shape::line(line, egui::Stroke::new(2.5, colours.given)));
}

/// What the model makes of them, below those that were drawn.
fn made_ui(
    painter: &egui::Painter,
    cx: &mut UiContext,
    library: &mut LibraryWorkspace,
    pad: Pad,
    colours: Colours,
) {
    if !library.strokes.family.is_shown {
        return;
    }
    let made = library.made_strokes(cx);
    let Some(Ok(strokes)) = made.as_ref().map(|made| made.strokes.as_ref()) else {
        return;
    };
    for stroke in strokes {
        let line = stroke.points().iter();
        let line: Vec<Pos2> = line.map(|[_, x, y]| pad.on_screen([*x, *y])).collect();
        // A square where it begins, so that it is not colour alone.
        let start = Rect::from_center_size(line[0], egui::vec2(5.0, 5.0));
        painter.rect_filled(start, 0.0, colours.generated);
        let colour = colours.generated.gamma_multiply(0.8);
        painter.add(Shape::line(line, egui::Stroke::new(1.2, colour)));
    }
}

/// Follows the pen. Several places may come with one frame of the window; their times are spread over it, so that a
/// fast tablet loses nothing, and neither does a slow window.
fn draw(
    ui: &egui::Ui,
    response: &egui::Response,
    cx: &mut UiContext,
    library: &mut LibraryWorkspace,
    pad: Pad,
) {
    let drawn = &mut library.strokes.drawn;
    if response.dragged() || response.drag_stopped() {
        let now = ui.input(|input| input.time);
        let places = places_of_pen(ui);
        if response.drag_started()
            && let Some(origin) = ui.input(|input| input.pointer.press_origin())
        {
            let [x, y] = pad.on_pad(origin);
            *drawn = vec![[0.0, x, y]];
            // Pressed and moved within this frame: then it began with the frame.
            let dt = ui.input(|input| f64::from(input.unstable_dt));
            let began = if places.is_empty() { now } else { now - dt };
            remember(ui, response, (began, began));
        }
        let times = ui.ctx().data(|data| data.get_temp(response.id));
        let (began, before): (f64, f64) = times.unwrap_or((now, now));
        let n = places.len() as f64;
        for (idx, place) in places.into_iter().enumerate() {
            let secs = before + (now - before) * (idx + 1) as f64 / n - began;
            let [x, y] = pad.on_pad(place);
            if drawn.last().is_some_and(|last| secs > last[0]) {
                drawn.push([secs, x, y]);
            }
        }
        remember(ui, response, (began, now));
    }
    if response.drag_stopped() {
        let points = std::mem::take(drawn);
        let name = free_name(cx);
        // A tap makes a dot, and a dot is no stroke.
        if let Ok(stroke) = Stroke::new(name, points) {
            cx.ask(Request::Edit(Command::AddStrokes(vec![Arc::new(stroke)])));
        }
    }
}

/// When the stroke began, and up to when it is known.
fn remember(ui: &egui::Ui, response: &egui::Response, times: (f64, f64)) {
    ui.ctx()
        .data_mut(|data| data.insert_temp(response.id, times));
}

/// Where the pen was in this frame, since it was put down.
fn places_of_pen(ui: &egui::Ui) -> Vec<Pos2> {
    ui.input(|input| {
        let mut places = Vec::new();
        for event in &input.events {
            match event {
                egui::Event::PointerMoved(pos) => places.push(*pos),
                egui::Event::PointerButton { pressed: true, .. } => places.clear(),
                _ => {}
            }
        }
        places
    })
}

/// "stroke 4": after the largest number there is.
fn free_name(cx: &UiContext) -> String {
    let strokes = cx.document().strokes().iter();
    let number = |name: &str| name.strip_prefix("stroke ")?.parse::<u64>().ok();
    let largest = strokes.filter_map(|(_, s)| number(s.name())).max();
    format!("stroke {}", largest.map_or(1, |n| n.saturating_add(1)))
}

fn ask_where_to_put_strokes(cx: &mut UiContext, library: &LibraryWorkspace) {
    let strokes = library.strokes_to_learn(cx);
    let strokes = strokes.into_iter().map(|(_, stroke)| stroke).collect();
    cx.dialog = Some(Dialog::Strokes(StrokesBox::with(cx, strokes)));
}

#[cfg(test)]
mod tests {
    use egui::vec2;

    use super::*;

    #[test]
    fn the_pad_has_the_same_units_at_every_size() {
        for size in [vec2(300.0, 200.0), vec2(700.0, 500.0)] {
            let pad = Pad(Rect::from_min_size(pos2(10.0, 20.0), size));
            let [x, y] = pad.on_pad(pad.on_screen([0.7, 0.25]));
            assert!((x - 0.7).abs() < 1e-5 && (y - 0.25).abs() < 1e-5, "{x} {y}");
            let corner = pad.on_pad(pos2(10.0, 20.0 + size.y));
            assert_eq!(corner, [0.0, 0.0]);
        }
        let none = Pad(Rect::NOTHING);
        let far = none.on_pad(pos2(1.0, 1.0));
        assert!(far.iter().all(|v| !v.is_nan()), "{far:?}");
    }
}
