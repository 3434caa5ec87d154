//! The distance grid of a transition: every frame that may be left against every frame that may be entered.

use egui::{Color32, ColorImage, Rect, Sense, Stroke, TextureOptions, pos2, vec2};

use crate::app::sequence::join::JoinView;
use crate::app::shell::previews::GhostSide;
use crate::app::shell::theme::Colours;
use crate::app::shell::ui::tints::tint_of_side;
use crate::sequence::DistanceGrid;

/// No higher than this, also of long clips.
const TALLEST: f32 = 170.0;

/// Draws it; the frames that were clicked: which is left, and which is entered.
pub(super) fn grid_ui(
    ui: &mut egui::Ui,
    view: &mut JoinView,
    grid: &DistanceGrid,
    now: (usize, usize),
) -> Option<(usize, usize)> {
    let colours = Colours::of(ui);
    let picture = picture(ui, view, grid, &colours);
    let (columns, rows) = grid.size();
    let wide = ui.available_width().min(320.0);
    let tall = (wide * rows as f32 / columns as f32).clamp(60.0, TALLEST);
    let (rect, response) = ui.allocate_exact_size(vec2(wide, tall), Sense::click_and_drag());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Canvas, true, "Distance grid"));
    let whole = Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0));
    let painter = ui.painter_at(rect);
    painter.image(picture, rect, whole, Color32::WHITE);
    let (leaves, enters) = grid.frames();
    let share = |frame: usize, range: &std::ops::Range<usize>| {
        let along = frame.saturating_sub(range.start) as f32 + 0.5;
        (along / range.len() as f32).clamp(0.0, 1.0)
    };
    let at = pos2(
        rect.left() + share(now.0, leaves) * rect.width(),
        rect.top() + share(now.1, enters) * rect.height(),
    );
    let line = |side| Stroke::new(1.0, Color32::from(tint_of_side(side)));
    painter.vline(at.x, rect.y_range(), line(GhostSide::Source));
    painter.hline(rect.x_range(), at.y, line(GhostSide::Destination));
    painter.circle_stroke(at, 4.0, Stroke::new(1.5, colours.selected));
    let pointer = response.interact_pointer_pos().or(response.hover_pos());
    let under = pointer.filter(|at| rect.contains(*at)).map(|at| {
        let cell = |share: f32, n: usize| ((share * n as f32) as usize).min(n - 1);
        let off = at - rect.min;
        let column = cell(off.x / rect.width(), columns);
        let row = cell(off.y / rect.height(), rows);
        (column, row)
    });
    let is_taken = response.clicked() || response.dragged();
    let words = match under {
        Some((column, row)) => {
            let (leave, enter) = grid.frames_of(column, row);
            let value = grid.values()[row * columns + column];
            format!("leave at {leave}, enter at {enter}: {value:.2} apart")
        }
        None => "across: source frame, down: destination frame; green is near".to_owned(),
    };
    ui.weak(words);
    let tip = "Click where one pose goes over into the other: sets both starts";
    response.on_hover_text(tip);
    under
        .filter(|_| is_taken)
        .map(|(column, row)| grid.frames_of(column, row))
}

/// The grid as a picture, made again only when it is another one.
fn picture(
    ui: &egui::Ui,
    view: &mut JoinView,
    grid: &DistanceGrid,
    colours: &Colours,
) -> egui::TextureId {
    if let Some((of, ground, texture)) = &view.picture
        && of == grid
        && *ground == colours.sunken
    {
        return texture.id();
    }
    let (near, far) = (colours.good, colours.sunken);
    let (least, most) = grid.bounds();
    let mix = |share: f32| {
        let one = |a: u8, b: u8| (f32::from(a) + (f32::from(b) - f32::from(a)) * share) as u8;
        Color32::from_rgb(
            one(near.r(), far.r()),
            one(near.g(), far.g()),
            one(near.b(), far.b()),
        )
    };
    // Valleys are narrow beside the plains: roots show their slopes.
    let share = |value: f32| ((value - least) / (most - least).max(1e-6)).max(0.0).sqrt();
    let pixels = grid.values().iter().map(|value| mix(share(*value)));
    let (columns, rows) = grid.size();
    let image = ColorImage::new([columns, rows], pixels.collect());
    let options = TextureOptions::LINEAR;
    let texture = ui.ctx().load_texture("distance grid", image, options);
    let id = texture.id();
    view.picture = Some((grid.clone(), colours.sunken, texture));
    id
}
