//! The poses that a style knows, as a map to walk in: bright where poses are likely, a dot for each that it remembers.

use std::sync::Arc;

use egui::{Color32, ColorImage, Painter, Pos2, Rect, Sense, Shape, Stroke, pos2, vec2};

use crate::app::pose::handles::ui::bones::paint_bones;
use crate::app::pose::requests::{MapStep, Request as PoseRequest};
use crate::app::pose::state::PoseWorkspace;
use crate::app::pose::styles::styles_of;
use crate::app::render::Colour;
use crate::app::shell::context::UiContext;
use crate::app::shell::theme::Colours;
use crate::document::{ModelId, Posed};
use crate::motion::heading::{forward, left};
use crate::style::{LikelihoodImage, MapView, Style};

/// Draws the panel of the latent map, on which poses are walked through.
pub(in crate::app) fn map_ui(ui: &mut egui::Ui, cx: &mut UiContext, pose: &mut PoseWorkspace) {
    ui.expand_to_include_rect(ui.max_rect());
    let Some((_, posed)) = pose.posed_now(cx) else {
        ui.weak("The map shows all poses of a style. Learn one, or make a character first.");
        return;
    };
    let Some(style) = pose.map_style(cx, &posed) else {
        ui.weak("Learn a style, or choose one for the character: the map shows its poses.");
        return;
    };
    choices_ui(ui, cx, pose, &posed, &style);
    pose.draw_map(cx, &style);
    let path = pose.clip_on_map(cx, &style);
    let Some(view) = texture_ui(ui, pose, &style) else {
        let words = if style.latent().is_some() {
            "Drawing the map…"
        } else {
            "This style has no map: it was learned without one."
        };
        ui.weak(words);
        return;
    };
    let side = ui.available_size().min_elem().max(60.0);
    let (rect, response) = ui.allocate_exact_size(vec2(side, side), Sense::click_and_drag());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Canvas, true, "Pose map"));
    let frame = Frame { rect, view };
    let painter = ui.painter().with_clip_rect(rect);
    let image = pose
        .map
        .image_of(&style)
        .and_then(|image| image.texture.as_ref());
    if let Some(texture) = image {
        let whole = Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0));
        painter.image(texture.id(), rect, whole, Color32::WHITE);
    }
    frame.paint_points(&painter, &style);
    if let Some(path) = &path {
        frame.paint_path(&painter, path);
    }
    browse(&response, pose, &frame);
    if let Some(thought) = &pose.handles.thought {
        frame.paint_now(&painter, &thought.judgement.latent);
    }
    // While it is walked, the character itself shows the pose.
    let pointer = response.hover_pos().filter(|_| !response.dragged());
    if let Some(at) = pointer.filter(|at| rect.contains(*at)) {
        figure_ui(ui, &style, &frame, (at, &posed));
    }
}

/// Which style, which axes, which slice.
fn choices_ui(
    ui: &mut egui::Ui,
    cx: &mut UiContext,
    pose: &mut PoseWorkspace,
    posed: &Posed,
    style: &Arc<Style>,
) {
    let used: Vec<(ModelId, String)> = styles_of(cx.document())
        .filter(|(id, _, _)| posed.styles.iter().any(|(used, _)| used == id))
        .map(|(id, name, _)| (id, name.to_owned()))
        .collect();
    let now = styles_of(cx.document()).find(|(_, _, other)| Arc::ptr_eq(other, style));
    let now = now.map(|(id, _, _)| id);
    ui.horizontal_wrapped(|ui| {
        if used.len() > 1 {
            for (id, name) in &used {
                if ui.selectable_label(Some(*id) == now, name).clicked() {
                    pose.map.picked = Some(*id);
                }
            }
        }
        let n = style.latent().map_or(0, crate::style::Gplvm::n_latent);
        if n > 2 {
            slice_ui(ui, pose, style, n);
        }
    });
}

fn slice_ui(ui: &mut egui::Ui, pose: &mut PoseWorkspace, style: &Style, n: usize) {
    let map = &mut pose.map;
    let axes = map
        .axes
        .filter(|axes| axes.iter().all(|a| *a < n))
        .unwrap_or([0, 1]);
    egui::ComboBox::from_id_salt("map axes")
        .selected_text(format!("axes {} and {}", axes[0] + 1, axes[1] + 1))
        .show_ui(ui, |ui| {
            for a in 0..n {
                for b in a + 1..n {
                    let words = format!("axes {} and {}", a + 1, b + 1);
                    if ui.selectable_label(axes == [a, b], words).clicked() {
                        map.axes = Some([a, b]);
                    }
                }
            }
        });
    let reach = |a: usize| {
        let model = style.latent();
        let each = model
            .into_iter()
            .flat_map(|m| (0..m.n_active()).map(move |i| m.latent(i)[a].abs()));
        each.fold(0.1, f64::max)
    };
    map.slice.resize(n, 0.0);
    for a in (0..n).filter(|a| !axes.contains(a)) {
        let reach = reach(a);
        ui.weak(format!("axis {}", a + 1));
        let slider = egui::Slider::new(&mut map.slice[a], -reach..=reach).show_value(false);
        let response = ui.add(slider);
        let words = format!("Slice through axis {}", a + 1);
        response.widget_info(|| egui::WidgetInfo::slider(true, 0.0, &words));
        response.on_hover_text(words.as_str());
    }
    let button = ui.small_button("Here");
    let tip = "Cuts through the pose of now";
    if button.on_hover_text(tip).clicked()
        && let Some(thought) = &pose.handles.thought
        && thought.judgement.latent.len() == n
    {
        pose.map.slice.clone_from(&thought.judgement.latent);
    }
}

/// Makes the picture ready to be shown; what of the latent space it shows.
fn texture_ui(ui: &egui::Ui, pose: &mut PoseWorkspace, style: &Arc<Style>) -> Option<MapView> {
    let image = pose.map.image_of(style)?;
    if image.texture.is_none() {
        let picture = grey(&image.image);
        let options = egui::TextureOptions::LINEAR;
        image.texture = Some(ui.ctx().load_texture("pose map", picture, options));
    }
    Some(image.view.clone())
}

/// Bright where poses are likely, as in the paper's Fig. 1.
fn grey(image: &LikelihoodImage) -> ColorImage {
    let mut sorted = image.values.clone();
    sorted.sort_by(f64::total_cmp);
    // Far outside likelihood falls without end; there black is black.
    let low = sorted.get(sorted.len() / 20).copied().unwrap_or(0.0);
    let high = sorted.last().copied().unwrap_or(1.0);
    let shade = |value: &f64| {
        let share = (value - low) / (high - low).max(1e-12);
        Color32::from_gray((28.0 + 210.0 * share.clamp(0.0, 1.0)) as u8)
    };
    let pixels = image.values.iter().map(shade).collect();
    ColorImage::new([image.width, image.height], pixels)
}

/// The map in the window.
struct Frame {
    rect: Rect,
    view: MapView,
}

impl Frame {
    fn at(&self, point: &[f64]) -> Option<Pos2> {
        if point.len() != self.view.centre.len() {
            return None;
        }
        let [x, y] = self.view.place(point);
        Some(self.rect.min + self.rect.size() * vec2(x as f32, y as f32))
    }

    fn point(&self, at: Pos2) -> Vec<f64> {
        let share = (at - self.rect.min) / self.rect.size();
        let (across, down) = (share.x.clamp(0.0, 1.0), share.y.clamp(0.0, 1.0));
        self.view.point(f64::from(across), f64::from(down))
    }

    fn paint_points(&self, painter: &Painter, style: &Style) {
        let Some(model) = style.latent() else {
            return;
        };
        let points = (0..model.n_active()).filter_map(|i| self.at(model.latent(i)));
        for at in points {
            painter.circle(
                at,
                2.2,
                Color32::from_rgb(0xd8, 0x4a, 0x3f),
                Stroke::new(0.6, Color32::BLACK),
            );
        }
    }

    fn paint_path(&self, painter: &Painter, path: &[Vec<f64>]) {
        let points: Vec<Pos2> = path.iter().filter_map(|point| self.at(point)).collect();
        let colour: Color32 = Colour::GIVEN.into();
        painter.add(Shape::line(points, Stroke::new(1.3, colour)));
    }

    /// The pose of now; at the edge, and hollow, if it is beyond.
    fn paint_now(&self, painter: &Painter, latent: &[f64]) {
        let Some(at) = self.at(latent) else {
            return;
        };
        let inside = self.rect.shrink(9.0).clamp(at);
        let fill = if inside == at {
            Color32::from(Colour::GENERATED)
        } else {
            Color32::TRANSPARENT
        };
        let edge = if inside == at {
            Color32::WHITE
        } else {
            Color32::from(Colour::GENERATED)
        };
        painter.circle_stroke(inside, 7.0, Stroke::new(3.4, Color32::BLACK));
        painter.circle(inside, 6.5, fill, Stroke::new(1.8, edge));
    }
}

/// Dragging over the map walks through poses; one walk is one step.
fn browse(response: &egui::Response, pose: &mut PoseWorkspace, frame: &Frame) {
    let is_begun = response.drag_started() || response.clicked();
    let is_walking = response.dragged() || response.clicked();
    let is_done = response.drag_stopped() || response.clicked();
    if is_begun || is_walking || is_done {
        let at = response.interact_pointer_pos().filter(|_| is_walking);
        pose.requests.ask(PoseRequest::Browse(MapStep {
            is_begun,
            point: at.map(|at| frame.point(at)),
            is_done,
        }));
    }
}

/// A small figure of the pose under the pointer.
fn figure_ui(ui: &egui::Ui, style: &Style, frame: &Frame, (at, posed): (Pos2, &Posed)) {
    const SIDE: f32 = 84.0;
    let Some(pose) = style.pose_at(&frame.point(at)) else {
        return;
    };
    let colours = Colours::of(ui);
    // A little from the side, so that arms before the body are seen.
    let up = posed.up;
    let across = (left(up) * 0.85 - forward(up) * 0.5).normalize();
    let beside = if at.x > frame.rect.center().x {
        -SIDE - 12.0
    } else {
        12.0
    };
    let card = Rect::from_min_size(at + vec2(beside, -0.5 * SIDE), vec2(SIDE, SIDE));
    let painter = ui.ctx().layer_painter(egui::LayerId::new(
        egui::Order::Tooltip,
        egui::Id::unique("pose under the pointer"),
    ));
    painter.rect_filled(card, 5.0, colours.raised);
    let stroke = Stroke::new(2.4, colours.generated);
    let body = (&**style.skeleton(), pose.as_ref());
    paint_bones(&painter, card, body, (across, up), stroke);
}
