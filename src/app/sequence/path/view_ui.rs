//! The floor with its path in the 3D view, and the mouse on it.

use std::sync::Arc;

use egui::{Align2, FontId, PointerButton, Pos2, Rect, Sense, vec2};

use crate::app::render::{
    Backdrop, Camera, Character, Colour, Handle, Placement, Scene, Size, Trail, View,
};
use crate::app::sequence::path::simplify::beside;
use crate::app::sequence::path::{Body, PathTool};
use crate::app::sequence::state::{Request, SequenceWorkspace};
use crate::app::shell::context::UiContext;
use crate::app::shell::session::Framing;
use crate::app::shell::theme::Colours;
use crate::app::viewport::options_ui::view_options_ui;
use crate::app::viewport::stage::Stage;
use crate::app::viewport::ui::{navigate, paint_scene, words_ui};
use crate::document::DrawnPath;
use crate::motion::path::{PathPoint, Vec2, in_world, on_floor};
use crate::motion::{Axis, Vec3, WorldPose};
use crate::texture::Texture;

/// A point is under the pointer if it is nearer than this on the screen.
const REACH: f32 = 11.0;

/// The camera over the floor, with the part of the window that it fills.
struct Floor {
    camera: Camera,
    size: Size,
    rect: Rect,
    pixels_per_point: f32,
    up: Axis,
    height: f64,
}

impl Floor {
    /// A place of the floor in the scene, a little above it so that lines are seen.
    fn world(&self, place: &Vec2) -> Vec3 {
        in_world(self.up, place) + self.up.vector() * self.height
    }

    /// Where a place of the floor is seen.
    fn seen(&self, place: &Vec2) -> Option<Pos2> {
        let seen = self.camera.project(&self.world(place), self.size)?;
        Some(self.rect.min + vec2(seen.x as f32, seen.y as f32) / self.pixels_per_point)
    }

    /// The place of the floor under a point of the window.
    fn place(&self, at: Pos2) -> Option<Vec2> {
        let at = (at - self.rect.min) * self.pixels_per_point;
        let ray = self.camera.ray(f64::from(at.x), f64::from(at.y), self.size);
        let up = self.up.vector();
        let meets = ray.meets_plane(&(up * self.height), &up)?;
        // Near the horizon a pixel is a mile.
        let is_near = (meets - self.camera.target).norm() < 40.0 * self.camera.distance;
        is_near.then(|| on_floor(self.up, &meets))
    }

    /// The point under the pointer.
    fn point_at(&self, path: &DrawnPath, at: Pos2) -> Option<usize> {
        let points = path.points.iter().enumerate();
        let near = points.filter_map(|(i, point)| {
            let away = self.seen(&point.at)?.distance(at);
            (away <= REACH).then_some((i, away))
        });
        near.min_by(|a, b| a.1.total_cmp(&b.1)).map(|(i, _)| i)
    }
}

/// The path over the 3D view, and the tools that change it.
pub(in crate::app) fn path_view_ui(
    ui: &mut egui::Ui,
    cx: &mut UiContext,
    sequence: &mut SequenceWorkspace,
    stage: &mut Stage,
    gpu: Option<&egui_wgpu::RenderState>,
) {
    let (rect, response) = ui.allocate_exact_size(ui.available_size(), Sense::click_and_drag());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Canvas, true, "3D view"));
    let pixels_per_point = ui.ctx().pixels_per_point();
    let pixels = rect.size() * pixels_per_point;
    let size = Size::of(pixels.x, pixels.y);
    let Some(texture) = sequence.path_texture(cx) else {
        return;
    };
    let Some(body) = sequence.path_body(&texture).map(Arc::clone) else {
        words_ui(ui, rect, "Making the character…");
        return;
    };
    let mut scene = scene(ui, cx, sequence, (&texture, &body), size);
    navigate(ui, &response, cx, size, &mut scene.camera, false);
    aim(cx, sequence, &mut scene, size);
    cx.session.camera = Some(scene.camera);
    let floor = Floor {
        camera: scene.camera,
        size,
        rect,
        pixels_per_point,
        up: scene.ground.up,
        height: scene.ground.height,
    };
    touch(ui, &response, cx, sequence, (&floor, &texture));
    lines(cx, sequence, &floor, &mut scene);
    paint_scene(ui, cx, stage, gpu, (&scene, size, rect));
    actions_ui(ui, cx, sequence, &floor);
    let right = view_options_ui(ui, cx, rect);
    corner_ui(ui, cx, sequence, rect.with_max_x(right - 8.0));
}

/// The character at the playhead on the floor.
fn scene(
    ui: &egui::Ui,
    cx: &UiContext,
    sequence: &SequenceWorkspace,
    (texture, body): (&Arc<Texture>, &Body),
    size: Size,
) -> Scene {
    let corpus = texture.corpus();
    let up = corpus.rig.metric.heading.up;
    let skeleton = corpus.rig.skeleton();
    let walked = sequence.walked();
    let walked = walked.filter(|walked| Arc::ptr_eq(&walked.texture, texture));
    let mut placement = Placement::as_is();
    let pose = if let Some(walked) = walked {
        let frame = cx.session.playhead_secs * walked.clip.fps();
        let last = (walked.clip.n_frames() - 1) as f64;
        walked.clip.pose_at(frame.clamp(0.0, last))
    } else {
        let first = &corpus.clips[0].join.clip;
        let pose = first.pose_at(0.0);
        let start = sequence.path_now(cx).map(|path| path.points[0].at);
        let now = on_floor(up, &pose.as_ref().root());
        placement.offset = in_world(up, &(start.unwrap_or_default() - now));
        pose
    };
    let character = Character {
        mannequin: Arc::clone(&body.mannequin),
        pose: WorldPose::of(skeleton, pose.as_ref()),
        placement,
        colour: Colour::GENERATED,
        opacity: if sequence.is_walk_current(cx) {
            1.0
        } else {
            0.6
        },
        highlight: None,
    };
    let mut scene = Scene::of(
        vec![character],
        up,
        body.floor,
        View::ThreeQuarter,
        0.0,
        size,
    );
    if let Some(camera) = cx.session.camera.filter(|camera| camera.up == up) {
        scene.camera = camera;
    }
    scene.backdrop = if ui.visuals().dark_mode {
        Backdrop::DARK
    } else {
        Backdrop::LIGHT
    };
    scene
}

/// Brings the path or the character into view.
fn aim(cx: &mut UiContext, sequence: &SequenceWorkspace, scene: &mut Scene, size: Size) {
    let (up, height) = (scene.ground.up, scene.ground.height);
    let tall = scene.characters.first().map_or(1.0, Character::height);
    let mut balls: Vec<(Vec3, f64)> = scene.characters.iter().flat_map(Character::balls).collect();
    match cx.session.framing.take() {
        Some(Framing::Selection) => scene.camera = scene.camera.framing(&balls, size),
        Some(Framing::All) => {
            let path = sequence.path_now(cx);
            let points = path.iter().flat_map(|path| &path.points);
            let world = |p: &PathPoint| in_world(up, &p.at) + up.vector() * height;
            balls.extend(points.map(|p| (world(p), 0.5 * tall)));
            if path.is_none() {
                // Room to draw in.
                let around = [(-1.0, 0.0), (1.0, 0.0), (0.0, 1.0), (0.0, -1.0)];
                let place = |(x, y): (f64, f64)| in_world(up, &(Vec2::new(x, y) * 2.0 * tall));
                balls.extend(around.map(|at| (place(at) + up.vector() * height, 0.5 * tall)));
            }
            scene.camera = scene.camera.framing(&balls, size);
        }
        Some(Framing::From(view)) => scene.camera = scene.camera.seen(view, 0.0),
        Some(Framing::Pivot) | None => {}
    }
    if cx.session.is_following
        && let Some(character) = scene.characters.first()
    {
        let root = character.pose.positions.first().copied();
        let root = character.placement.apply(&root.unwrap_or_default());
        scene.camera = scene.camera.following(root);
    }
}

/// What the mouse does.
fn touch(
    ui: &egui::Ui,
    response: &egui::Response,
    cx: &mut UiContext,
    sequence: &mut SequenceWorkspace,
    (floor, texture): (&Floor, &Arc<Texture>),
) {
    let metres = texture.corpus().rig.metric.metres;
    match sequence.path.tool {
        PathTool::Draw => draw(response, sequence, floor, metres),
        PathTool::Points => put_points(response, cx, sequence, floor),
        PathTool::Edit => edit(ui, response, cx, sequence, floor),
    }
}

/// A line by hand.
fn draw(response: &egui::Response, sequence: &mut SequenceWorkspace, floor: &Floor, metres: f64) {
    response
        .clone()
        .on_hover_cursor(egui::CursorIcon::Crosshair);
    let stroke = &mut sequence.path.stroke;
    if response.drag_started_by(PointerButton::Primary) {
        stroke.clear();
        // The button went down some pixels before it was known to be a drag.
        let origin = response.ctx.input(|input| input.pointer.press_origin());
        stroke.extend(origin.and_then(|at| floor.place(at)));
    }
    let is_drawn = response.dragged_by(PointerButton::Primary)
        || response.drag_stopped_by(PointerButton::Primary);
    if is_drawn {
        // A quick hand passes many places between two frames.
        let passed = |event: &egui::Event| match event {
            egui::Event::PointerMoved(at) => Some(*at),
            _ => None,
        };
        let passed: Vec<Pos2> = response
            .ctx
            .input(|input| input.events.iter().filter_map(passed).collect());
        for place in passed.into_iter().filter_map(|at| floor.place(at)) {
            let is_new = |last: &Vec2| (last - place).norm() * metres > 0.03;
            if stroke.len() < DrawnPath::MOST_POINTS && stroke.last().is_none_or(is_new) {
                stroke.push(place);
            }
        }
    }
    if response.drag_stopped_by(PointerButton::Primary) {
        sequence.ask(Request::DrawPath);
    }
}

/// Points one by one: the first two make a path, the others are added to it.
fn put_points(
    response: &egui::Response,
    cx: &mut UiContext,
    sequence: &mut SequenceWorkspace,
    floor: &Floor,
) {
    response
        .clone()
        .on_hover_cursor(egui::CursorIcon::Crosshair);
    let at = response
        .interact_pointer_pos()
        .and_then(|at| floor.place(at));
    let Some(place) = at.filter(|_| response.clicked()) else {
        return;
    };
    if sequence.path.stroke.is_empty() && sequence.path.is_adding {
        sequence.change_path(cx, "add a point to", |path| {
            path.points.push(PathPoint::at(place.x, place.y));
        });
        return;
    }
    sequence.path.stroke.push(place);
    if sequence.path.stroke.len() == 2 {
        sequence.path.is_adding = true;
        sequence.ask(Request::DrawPath);
    }
}

/// Points are dragged, selected, and put between others.
fn edit(
    ui: &egui::Ui,
    response: &egui::Response,
    cx: &mut UiContext,
    sequence: &mut SequenceWorkspace,
    floor: &Floor,
) {
    let Some((_, path)) = sequence.chosen_path(cx) else {
        return;
    };
    let pointer = response.interact_pointer_pos();
    if response.drag_started_by(PointerButton::Primary) {
        let origin = ui.input(|input| input.pointer.press_origin());
        let under = origin.and_then(|at| floor.point_at(&path, at));
        sequence.path.selected = under.or(sequence.path.selected);
        sequence.path.draft = under.map(|_| Arc::clone(&path));
    }
    if let (Some(draft), Some(point)) = (&mut sequence.path.draft, sequence.path.selected)
        && let Some(place) = pointer.and_then(|at| floor.place(at))
        && let Some(point) = Arc::make_mut(draft).points.get_mut(point)
    {
        point.at = place;
    }
    if response.drag_stopped_by(PointerButton::Primary)
        && let Some(draft) = sequence.path.draft.take()
    {
        let which = sequence.path.selected.map_or(0, |at| at + 1);
        sequence.change_path(cx, format!("move point {which} of"), |path| {
            *path = DrawnPath::clone(&draft);
        });
    }
    if response.double_clicked() {
        if let Some(place) = pointer.and_then(|at| floor.place(at)) {
            insert(cx, sequence, &path, place);
        }
    } else if response.clicked() {
        sequence.path.selected = pointer.and_then(|at| floor.point_at(&path, at));
    }
    if response.hovered()
        && let Some(at) = ui.ctx().pointer_latest_pos()
        && floor.point_at(&path, at).is_some()
    {
        ui.ctx().set_cursor_icon(egui::CursorIcon::Grab);
    }
}

/// A new point on the stretch that is nearest to a place.
fn insert(cx: &mut UiContext, sequence: &mut SequenceWorkspace, path: &DrawnPath, place: Vec2) {
    let stretches = path.points.windows(2).enumerate();
    let nearest = stretches
        .map(|(at, pair)| (at, beside(&place, &pair[0].at, &pair[1].at)))
        .min_by(|a, b| a.1.total_cmp(&b.1));
    if let Some((at, _)) = nearest {
        sequence.change_path(cx, "add a point to", |path| {
            path.points.insert(at + 1, PathPoint::at(place.x, place.y));
        });
        sequence.path.selected = Some(at + 1);
    }
}

/// Drawn line, rounded curve, walked way, points.
fn lines(cx: &UiContext, sequence: &SequenceWorkspace, floor: &Floor, scene: &mut Scene) {
    let world = |places: &mut dyn Iterator<Item = Vec2>| -> Arc<[Vec3]> {
        places.map(|place| floor.world(&place)).collect()
    };
    if let Some(path) = sequence.path_now(cx) {
        let drawn = world(&mut path.points.iter().map(|p| p.at));
        trail(scene, drawn, Colour::GIVEN.mix(Colour::SELECTED, 0.2), 1.5);
        if sequence.is_walk_current(cx)
            && let Some(walked) = sequence.walked()
        {
            let curve = world(&mut walked.curve.iter().copied());
            trail(scene, curve, Colour::GIVEN, 3.0);
            let root = world(&mut walked.root.iter().copied());
            trail(scene, root, Colour::GENERATED, 3.0);
        }
        let selected = sequence.path.selected;
        scene.handles = path
            .points
            .iter()
            .enumerate()
            .map(|(at, point)| Handle {
                place: floor.world(&point.at),
                radius_px: if selected == Some(at) { 7.0 } else { 5.0 },
                colour: if selected == Some(at) {
                    Colour::SELECTED
                } else {
                    Colour::GIVEN
                },
            })
            .collect();
    }
    let stroke = world(&mut sequence.path.stroke.iter().copied());
    if let [only] = &*stroke {
        scene.handles.push(Handle {
            place: *only,
            radius_px: 5.0,
            colour: Colour::SELECTED,
        });
    }
    trail(scene, stroke, Colour::SELECTED, 3.0);
}

fn trail(scene: &mut Scene, points: Arc<[Vec3]>, colour: Colour, width_px: f32) {
    if points.len() > 1 {
        scene.trails.push(Trail {
            points,
            colour,
            now: None,
            width_px,
        });
    }
}

/// The actions, written beside the points from which on they are done.
fn actions_ui(ui: &egui::Ui, cx: &UiContext, sequence: &SequenceWorkspace, floor: &Floor) {
    let Some(path) = sequence.path_now(cx) else {
        return;
    };
    let colours = Colours::of(ui);
    let painter = ui.painter_at(floor.rect);
    for (at, point) in path.points.iter().enumerate() {
        let words = match (&point.action, at) {
            (Some(action), _) => action.clone(),
            (None, 0) => "start".to_owned(),
            (None, _) => continue,
        };
        let Some(seen) = floor.seen(&point.at) else {
            continue;
        };
        let font = FontId::proportional(12.0);
        let galley = painter.layout_no_wrap(words, font, colours.text);
        let place = Align2::LEFT_BOTTOM.anchor_size(seen + vec2(8.0, -8.0), galley.size());
        let ground = place.expand2(vec2(4.0, 1.0));
        painter.rect_filled(ground, 3.0, colours.ground.gamma_multiply(0.7));
        painter.galley(place.min, galley, colours.text);
    }
}

/// What to do, or how well it was done.
fn corner_ui(ui: &egui::Ui, cx: &UiContext, sequence: &SequenceWorkspace, rect: Rect) {
    let colours = Colours::of(ui);
    let has_path = sequence.path_now(cx).is_some();
    let (words, colour) = match (sequence.path.tool, sequence.walk_failure()) {
        (PathTool::Draw, _) => (
            "Drag over the floor to draw a path".to_owned(),
            colours.text,
        ),
        (PathTool::Points, _) => (
            "Click on the floor to put down points; Escape ends it".to_owned(),
            colours.text,
        ),
        (PathTool::Edit, _) if !has_path => (
            "Press D and drag over the floor to draw a path; 7 looks from above".to_owned(),
            colours.text,
        ),
        (PathTool::Edit, Some(why)) => (format!("Cannot be walked: {why}"), colours.warning),
        (PathTool::Edit, None) if sequence.is_walk_current(cx) => {
            let line = sequence.walked().map(|walked| walked.line());
            (line.unwrap_or_default(), colours.text)
        }
        (PathTool::Edit, None) => ("Walking the path…".to_owned(), colours.weak),
    };
    let at = rect.left_top() + vec2(10.0, 8.0);
    let width = (rect.right() - at.x).max(60.0);
    let font = FontId::proportional(13.0);
    let galley = ui.painter().layout(words, font, colour, width);
    ui.painter().galley(at, galley, colour);
}
