//! The target of the selected action over the 3D view, to be dragged; where the action can reach; and how near it comes.

use std::sync::Arc;

use egui::{Align2, Color32, FontId, Pos2, Rect, Sense, Stroke, vec2};

use crate::app::render::Size;
use crate::app::sequence::state::{Request, SequenceWorkspace};
use crate::app::sequence::targets::{Selected, ui::words};
use crate::app::shell::context::UiContext;
use crate::app::shell::theme::Colours;
use crate::app::viewport::scene::Actor;
use crate::app::viewport::ui::Drawn;
use crate::document::ActionSource;
use crate::motion::{Vec3, WorldPose};
use crate::transition::parametric::ParametricAction;

/// More dots would be a cloud that hides the character.
const MOST_DOTS: usize = 1500;
/// Half the side of what takes hold of the target.
const GRIP: f32 = 12.0;

/// Draws it over the sequence that is played; a drag moves the target across the picture, with Shift over the floor.
pub(in crate::app) fn target_over_ui(
    ui: &egui::Ui,
    cx: &UiContext,
    sequence: &mut SequenceWorkspace,
    drawn: &Drawn,
) {
    let is_wanted = SequenceWorkspace::is_shown(cx) && sequence.live.playing.is_none();
    let Some(selected) = sequence.selected_target(cx).filter(|_| is_wanted) else {
        return;
    };
    let Some(actor) = drawn.actors.iter().find(|actor| actor.is_active) else {
        return;
    };
    let view = TargetPicture::of(ui, drawn, actor);
    let painter = ui.painter().with_clip_rect(drawn.rect);
    let colours = Colours::of(ui);
    let target = colours.selected;
    dots(&painter, sequence, &selected, &view, colours.good);
    let Some(at) = view.place(&selected.action.target) else {
        return;
    };
    if let Some(from) = site_at_effect(sequence, &selected, actor).and_then(|p| view.place(&p)) {
        painter.line_segment([from, at], Stroke::new(1.5, target));
        painter.circle_filled(from, 3.0, target);
    }
    painter.circle_stroke(at, 7.0, Stroke::new(2.0, target));
    painter.hline(at.x - 11.0..=at.x + 11.0, at.y, Stroke::new(1.5, target));
    painter.vline(at.x, at.y - 11.0..=at.y + 11.0, Stroke::new(1.5, target));
    let said = words(sequence, &selected).map_or_else(String::new, |(words, _)| words);
    let galley = painter.layout_no_wrap(said, FontId::proportional(12.5), target);
    let place = Align2::LEFT_BOTTOM.anchor_size(at + vec2(13.0, -8.0), galley.size());
    let ground = colours.ground.gamma_multiply(0.7);
    painter.rect_filled(place.expand2(vec2(4.0, 1.0)), 3.0, ground);
    painter.galley(place.min, galley, target);
    drag(ui, cx, sequence, (&selected, at), &view);
}

/// The picture, as places of the motion are seen in it.
struct TargetPicture<'a> {
    drawn: &'a Drawn,
    actor: &'a Actor,
    pixels_per_point: f32,
}

impl<'a> TargetPicture<'a> {
    fn of(ui: &egui::Ui, drawn: &'a Drawn, actor: &'a Actor) -> Self {
        let pixels_per_point = ui.ctx().pixels_per_point();
        Self {
            drawn,
            actor,
            pixels_per_point,
        }
    }

    fn size(&self) -> Size {
        self.drawn.size
    }

    /// Where a place of the motion is seen.
    fn place(&self, place: &Vec3) -> Option<Pos2> {
        let place = self.actor.place(place);
        let seen = self.drawn.scene.camera.project(&place, self.size())?;
        let off = vec2(seen.x as f32, seen.y as f32) / self.pixels_per_point;
        Some(self.drawn.rect.min + off)
    }

    /// The place of the motion under a point of the picture, as far away as `like`, or as high.
    fn under(&self, at: Pos2, like: &Vec3, is_over_floor: bool) -> Option<Vec3> {
        let camera = &self.drawn.scene.camera;
        let off = (at - self.drawn.rect.min) * self.pixels_per_point;
        let ray = camera.ray(f64::from(off.x), f64::from(off.y), self.size());
        let normal = if is_over_floor {
            camera.up.vector()
        } else {
            camera.target - camera.eye()
        };
        let like = self.actor.place(like);
        let meets = ray.meets_plane(&like, &normal)?;
        // Near the horizon a pixel is a mile.
        let height = self.actor.analysis.mannequin.height() * self.actor.placement.scale;
        let is_near = (meets - like).norm() < 3.0 * height;
        is_near.then(|| self.actor.unplace(&meets))
    }
}

/// Where blends of the examples reach from where the action stands.
fn dots(
    painter: &egui::Painter,
    sequence: &mut SequenceWorkspace,
    selected: &Selected,
    view: &TargetPicture<'_>,
    colour: Color32,
) {
    let Some(hit) = selected.hit else {
        return;
    };
    let shown = sequence.strip.shown();
    let Some(action) = shown.and_then(|shown| shown.reaches.get(&selected.entry).cloned()) else {
        return;
    };
    let region = region(sequence, &action);
    let colour = colour.gamma_multiply(0.6);
    for point in region.iter() {
        let world = hit.start.world_from_action(action.up(), point);
        if let Some(at) = view.place(&world) {
            painter.circle_filled(at, 1.6, colour);
        }
    }
}

/// Centres of what is reached, thinned out where they are many; kept as long as the action is the same.
fn region(sequence: &mut SequenceWorkspace, action: &Arc<ParametricAction>) -> Arc<[Vec3]> {
    let known = sequence.targets.region.as_ref();
    if let Some((_, region)) = known.filter(|(of, _)| Arc::ptr_eq(of, action)) {
        return Arc::clone(region);
    }
    let centres = action.reachable_region().centres;
    let step = centres.len().div_ceil(MOST_DOTS).max(1);
    let region: Arc<[Vec3]> = centres.into_iter().step_by(step).collect();
    sequence.targets.region = Some((Arc::clone(action), Arc::clone(&region)));
    region
}

/// Where the hand or foot is at the moment of effect.
fn site_at_effect(
    sequence: &SequenceWorkspace,
    selected: &Selected,
    actor: &Actor,
) -> Option<Vec3> {
    let (hit, shown) = (selected.hit?, sequence.strip.shown()?);
    let play = shown
        .plays
        .iter()
        .find(|play| play.entry == selected.entry)?;
    let at = play.frame_of(hit.effect_frame);
    let clip = shown.clip.as_ref()?;
    let pose = clip.frame(at.min(clip.n_frames() - 1));
    let skeleton = actor.clip.skeleton();
    Some(WorldPose::of(skeleton, pose).site(skeleton, selected.action.site))
}

/// Follows the pointer; what is let go of is one step.
fn drag(
    ui: &egui::Ui,
    cx: &UiContext,
    sequence: &mut SequenceWorkspace,
    (selected, at): (&Selected, Pos2),
    view: &TargetPicture<'_>,
) {
    let grip = Rect::from_center_size(at, vec2(2.0 * GRIP, 2.0 * GRIP));
    let id = ui.scope_id().with("target");
    let response = ui.interact(grip.intersect(view.drawn.rect), id, Sense::drag());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, "Target"));
    let response = response
        .on_hover_cursor(egui::CursorIcon::Grab)
        .on_hover_text("Drag: where it shall come to. With Shift: over the floor");
    let pointer = response.interact_pointer_pos();
    if let (true, Some(pointer)) = (response.dragged(), pointer) {
        let held = *sequence.targets.held.get_or_insert(at - pointer);
        let is_over_floor = ui.input(|input| input.modifiers.shift);
        let target = view.under(pointer + held, &selected.action.target, is_over_floor);
        if let Some(target) = target {
            let entry = selected.entry;
            sequence.draft(cx, "move a target", |value| {
                let source = value
                    .actions
                    .entry_mut(entry)
                    .map(|entry| &mut entry.source);
                if let Some(ActionSource::Target(action)) = source {
                    action.target = target;
                }
            });
        }
    }
    if response.drag_stopped() {
        sequence.targets.held = None;
        sequence.ask(Request::KeepDraft);
    }
}
