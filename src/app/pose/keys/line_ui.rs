//! The timeline of a character that is posed: a ruler to scrub on, its keys as diamonds, the keys of paths, and styles.

use egui::{Align2, FontId, Rect, Sense, Stroke, pos2, vec2};

use crate::app::pose::keys::paths_ui::diamond;
use crate::app::pose::state::PoseWorkspace;
use crate::app::shell::context::UiContext;
use crate::app::shell::theme::Colours;
use crate::document::{Keying, Learned};

const RULER: f32 = 22.0;
const ROW: f32 = 24.0;
/// How far from a sign a click still means it.
const NEAR: f32 = 8.0;

/// Where on the key line each frame stands.
struct FrameRuler {
    rect: Rect,
    left: f32,
    width: f32,
    n_frames: usize,
}

impl FrameRuler {
    fn x(&self, frame: f64) -> f32 {
        self.left + self.width * (frame / self.n_frames as f64) as f32
    }

    /// The frame nearest to a point. Keys, ruler and playhead all stand where a frame begins.
    fn frame(&self, x: f32) -> usize {
        let share = f64::from((x - self.left) / self.width);
        let frame = (share * self.n_frames as f64).round().max(0.0) as usize;
        frame.min(self.n_frames - 1)
    }

    /// The middle of a row; the poses are the first.
    fn row(&self, row: usize) -> f32 {
        self.rect.top() + RULER + ROW * (row as f32 + 0.5)
    }
}

/// The line of keys over the timeline.
pub(in crate::app) fn key_line_ui(ui: &mut egui::Ui, cx: &mut UiContext, pose: &mut PoseWorkspace) {
    let Some((_, keying)) = pose.keying_now(cx) else {
        return;
    };
    let size = ui.available_size();
    let (rect, response) = ui.allocate_exact_size(size, Sense::click_and_drag());
    response.widget_info(|| {
        let mut info = egui::WidgetInfo::labeled(egui::Role::Slider, true, "Timeline");
        info.value = Some(cx.session.playhead_secs);
        info
    });
    let names = 132.0_f32.min(0.2 * rect.width());
    let line = FrameRuler {
        rect,
        left: rect.left() + names,
        width: (rect.width() - names - 14.0).max(1.0),
        n_frames: keying.n_frames.max(1),
    };
    act(ui, &response, cx, pose, &line, &keying);
    paint(ui, cx, pose, &line, &keying);
}

/// The key under a point.
fn key_at(line: &FrameRuler, keying: &Keying, at: egui::Pos2) -> Option<usize> {
    if (at.y - line.row(0)).abs() > 0.5 * ROW {
        return None;
    }
    let place = |frame: usize| (line.x(frame as f64) - at.x).abs();
    let frames = keying.keys.iter().map(|key| key.frame);
    frames
        .filter(|frame| place(*frame) < NEAR)
        .min_by(|a, b| place(*a).total_cmp(&place(*b)))
}

/// Scrubs, and moves or copies keys.
fn act(
    ui: &egui::Ui,
    response: &egui::Response,
    cx: &mut UiContext,
    pose: &mut PoseWorkspace,
    line: &FrameRuler,
    keying: &Keying,
) {
    let to_frame = |cx: &mut UiContext, frame: usize| {
        cx.session.is_playing = false;
        cx.session.playhead_secs = frame as f64 / keying.fps;
    };
    let pressed = ui.input(|input| input.pointer.press_origin());
    if let Some(at) = response.interact_pointer_pos() {
        let frame = line.frame(at.x);
        if response.drag_started_by(egui::PointerButton::Primary) {
            let key = pressed.and_then(|at| key_at(line, keying, at));
            pose.keys.hold = key.map(|key| (key, key));
            pose.keys.chosen = key.or(pose.keys.chosen);
        }
        if response.dragged() {
            match &mut pose.keys.hold {
                Some((_, to)) => *to = frame,
                None => to_frame(cx, frame),
            }
        } else if response.clicked() {
            let key = key_at(line, keying, at);
            pose.keys.chosen = key;
            to_frame(cx, key.unwrap_or(frame));
        }
    }
    if ui.input(|input| input.key_pressed(egui::Key::Escape)) {
        pose.keys.hold = None;
    }
    if response.drag_stopped()
        && let Some((from, to)) = pose.keys.hold.take()
        && from != to
    {
        if ui.input(|input| input.modifiers.alt) {
            pose.edit_keys(cx, format!("copy key {from} of"), |keying| {
                keying.copy_key(from, to);
            });
        } else {
            pose.edit_keys(cx, format!("move key {from} of"), |keying| {
                keying.move_key(from, to);
            });
        }
        pose.keys.chosen = Some(to);
        to_frame(cx, to);
    }
    let over = response.hover_pos().and_then(|at| key_at(line, keying, at));
    if let Some(frame) = over {
        ui.ctx().set_cursor_icon(egui::CursorIcon::ResizeHorizontal);
        let tip = format!("Key at frame {frame}: drag moves it, with alt copies it");
        response.clone().on_hover_text_at_pointer(tip);
    } else if let Some(frame) = response.hover_pos().and_then(|at| {
        let mut waiting = pose.unkeyed_frames(cx).into_iter();
        waiting.find(|frame| is_near(line, *frame, at))
    }) {
        let tip = format!("A pose at frame {frame} that is in no key yet: go there and press I");
        response.clone().on_hover_text_at_pointer(tip);
    }
}

/// Whether a point is on the sign that a frame has in the row of poses.
fn is_near(line: &FrameRuler, frame: usize, at: egui::Pos2) -> bool {
    (at.y - line.row(0)).abs() <= 0.5 * ROW && (line.x(frame as f64) - at.x).abs() < NEAR
}

fn hollow_diamond(painter: &egui::Painter, at: egui::Pos2, size: f32, colour: egui::Color32) {
    let corners = [
        vec2(0.0, -size),
        vec2(size, 0.0),
        vec2(0.0, size),
        vec2(-size, 0.0),
    ];
    let corners = corners.map(|corner| at + corner).to_vec();
    painter.add(egui::Shape::closed_line(corners, Stroke::new(1.5, colour)));
}

fn paint(ui: &egui::Ui, cx: &UiContext, pose: &PoseWorkspace, line: &FrameRuler, keying: &Keying) {
    let colours = Colours::of(ui);
    let painter = ui.painter_at(line.rect);
    painter.rect_filled(line.rect, 3.0, colours.sunken);
    let fps = cx.session.shows_seconds.then_some(keying.fps);
    ruler(&painter, line, fps, colours);
    let font = FontId::proportional(12.0);
    let left = line.rect.left() + 8.0;
    let name = |row: usize, words: &str| {
        let at = pos2(left, line.row(row));
        painter.text(at, Align2::LEFT_CENTER, words, font.clone(), colours.weak);
    };
    name(0, "Poses");
    for key in &keying.keys {
        let hold = pose.keys.hold.filter(|hold| hold.0 == key.frame);
        let frame = hold.map_or(key.frame, |hold| hold.1);
        let at = pos2(line.x(frame as f64), line.row(0));
        let is_chosen = pose.keys.chosen == Some(key.frame);
        let colour = if is_chosen {
            colours.selected
        } else {
            colours.generated
        };
        diamond(&painter, at, if is_chosen { 8.0 } else { 6.5 }, colour);
    }
    for frame in pose.unkeyed_frames(cx) {
        let at = pos2(line.x(frame as f64), line.row(0));
        hollow_diamond(&painter, at, 6.5, colours.generated);
    }
    if keying.keys.is_empty() {
        let at = pos2(line.left + 8.0, line.row(0));
        let words = "no keys yet: pose the character and press I";
        painter.text(at, Align2::LEFT_CENTER, words, font.clone(), colours.weak);
    }
    let mut row = 1;
    for path in keying.paths.iter().filter(|path| {
        Some(path.site) == pose.keys.site || path.keys.iter().any(|k| k.place.is_some())
    }) {
        name(row, &site_name(cx, pose, path.site));
        for key in &path.keys {
            let at = pos2(line.x(key.frame as f64), line.row(row));
            // With a place a full dot, with a tangent alone a ring.
            if key.place.is_some() {
                painter.circle_filled(at, 4.5, colours.generated);
            } else {
                painter.circle_stroke(at, 4.5, Stroke::new(1.5, colours.generated));
            }
        }
        row += 1;
    }
    if !keying.style_ranges.is_empty() {
        name(row, "Styles");
        ranges(&painter, cx, line, (keying, row), colours);
    }
    let x = line.x(cx.session.playhead_secs * keying.fps);
    let stroke = Stroke::new(2.0, colours.generated);
    painter.vline(x, line.rect.y_range(), stroke);
}

fn site_name(cx: &UiContext, pose: &PoseWorkspace, site: crate::motion::Site) -> String {
    let Some((_, posed)) = pose.active_posed(cx) else {
        return String::new();
    };
    match pose.figure(&posed.skeleton) {
        Some(figure) => figure.rig.name_of(&posed.skeleton, site),
        None => posed.skeleton.site_name(site),
    }
}

fn ranges(
    painter: &egui::Painter,
    cx: &UiContext,
    line: &FrameRuler,
    (keying, row): (&Keying, usize),
    colours: Colours,
) {
    for (place, range) in keying.style_ranges.iter().enumerate() {
        let next = keying.style_ranges.get(place + 1);
        let to = next.map_or(keying.n_frames, |next| next.from);
        let y = line.row(row);
        let bar = Rect::from_min_max(
            pos2(line.x(range.from as f64), y - 8.0),
            pos2(line.x(to as f64) - 1.0, y + 8.0),
        );
        painter.rect_filled(bar, 3.0, colours.button);
        let model = |id| cx.document().model(id);
        let names = range.styles.iter().filter_map(|(id, _)| model(*id));
        let names: Vec<&str> = names
            .filter(|model| matches!(model.learned, Learned::Style(_)))
            .map(|model| model.name.as_str())
            .collect();
        painter.with_clip_rect(bar).text(
            bar.left_center() + vec2(5.0, 0.0),
            Align2::LEFT_CENTER,
            names.join(", "),
            FontId::proportional(11.5),
            colours.text,
        );
    }
}

/// Frames, or seconds at this rate.
fn ruler(painter: &egui::Painter, line: &FrameRuler, fps: Option<f64>, colours: Colours) {
    const ROOM: f32 = 46.0;
    let per_step = f64::from(line.width) / line.n_frames as f64 * fps.unwrap_or(1.0);
    let steps: &[f64] = match fps {
        Some(_) => &[0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0, 60.0, 300.0],
        None => &[
            1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1000.0, 5000.0,
        ],
    };
    let fits = |step: &&f64| (**step * per_step) as f32 >= ROOM;
    let step = *steps.iter().find(fits).unwrap_or(&20_000.0);
    let n_marks = (line.n_frames as f64 / fps.unwrap_or(1.0) / step + 1e-9) as usize;
    for mark in 0..=n_marks {
        let value = mark as f64 * step;
        let x = line.x(value * fps.unwrap_or(1.0));
        let top = line.rect.top();
        painter.vline(
            x,
            top + RULER - 6.0..=line.rect.bottom(),
            Stroke::new(1.0, colours.line),
        );
        let words = match fps {
            Some(_) => format!("{value:.1}"),
            None => format!("{value:.0}"),
        };
        painter.text(
            pos2(x + 3.0, top + 3.0),
            Align2::LEFT_TOP,
            words,
            FontId::proportional(11.0),
            colours.weak,
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_stands_where_the_playhead_stops_and_a_click_on_it_finds_it() {
        let line = FrameRuler {
            rect: Rect::from_min_size(pos2(10.0, 20.0), vec2(600.0, 90.0)),
            left: 110.0,
            width: 490.0,
            n_frames: 76,
        };
        for frame in 0..line.n_frames {
            let x = line.x(frame as f64);
            assert_eq!(line.frame(x), frame, "at {x}");
            assert!(is_near(&line, frame, pos2(x, line.row(0))), "at {x}");
        }
        let half = 0.4 * line.width / line.n_frames as f32;
        assert_eq!(line.frame(line.x(30.0) + half), 30, "the nearest frame");
        assert_eq!(line.frame(line.x(30.0) - half), 30, "the nearest frame");
        assert_eq!(line.frame(line.left - 50.0), 0, "before the first");
        assert_eq!(line.frame(line.left + line.width), 75, "behind the last");
    }
}
