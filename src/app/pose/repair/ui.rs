//! Repair: mark what is broken in a take, or let a style say it, rebuild it, compare, keep.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

use egui::{Sense, pos2, vec2};

use super::view::Compare;
use crate::app::pose::repair::{
    Gap, Numbers, PROPOSE, REBUILD, Teacher, refusal, styles_for, with_all_below,
};
use crate::app::pose::requests::Request as PoseRequest;
use crate::app::pose::state::PoseWorkspace;
use crate::app::shell::context::UiContext;
use crate::app::shell::previews::{Family, Preview};
use crate::app::shell::session::Framing;
use crate::app::shell::theme::Colours;
use crate::app::shell::ui::running::running_ui;
use crate::app::shell::words::{counted, slide_cm};
use crate::document::ClipId;
use crate::motion::{Body, Clip, Side, Skeleton};

/// Draws the panel that finds and rebuilds missing or broken joints.
pub(in crate::app) fn repair_ui(ui: &mut egui::Ui, cx: &mut UiContext, pose: &mut PoseWorkspace) {
    let Some((id, clip)) = PoseWorkspace::repaired_take(cx) else {
        ui.weak("Select a take under Clips. Joints that were lost or went wrong in it are rebuilt here, from the joints that were seen.");
        return;
    };
    show(cx, pose, id);
    egui::Panel::bottom("repair result").show(ui, |ui| result_ui(ui, cx, pose, id, &clip));
    egui::ScrollArea::vertical()
        .auto_shrink(false)
        .show(ui, |ui| {
            ui.strong(&clip.info.name);
            teacher_ui(ui, cx, pose, &clip);
            ui.separator();
            joints_ui(ui, cx, pose, id, &clip);
            mark_ui(ui, cx, pose, id, &clip);
            ui.separator();
            gaps_ui(ui, cx, pose, id, &clip);
        });
}

/// The take, in place of characters that are posed: as it is, as it would become, or both.
fn show(cx: &mut UiContext, pose: &mut PoseWorkspace, id: ClipId) {
    let view = &pose.repair;
    let rebuilt = view.rebuilt.as_ref().filter(|rebuilt| rebuilt.id == id);
    let preview = match (rebuilt, view.compare) {
        (None, _) | (_, Compare::Before) => Preview::Active,
        (Some(rebuilt), compare) => {
            let before = (compare == Compare::Both).then(|| Arc::clone(&rebuilt.before));
            Preview::Family(Family {
                inputs: before.into_iter().collect(),
                variants: vec![Arc::clone(&rebuilt.after)],
                looked_at: Some(0),
                ..Family::default()
            })
        }
    };
    cx.previews.wish(preview);
    let is_on_stage = cx.previews.shown().is_some();
    if is_on_stage && pose.repair.framed != Some(id) {
        let view = &mut pose.repair;
        if view.framed.replace(id).is_none() {
            view.camera_before = cx.session.camera;
        }
        cx.session.framing = Some(Framing::Selection);
    }
}

fn teacher_ui(ui: &mut egui::Ui, cx: &mut UiContext, pose: &mut PoseWorkspace, clip: &Clip) {
    let styles = styles_for(cx.document(), clip);
    let own = "the good part of this take";
    let teacher = pose.repair.teacher;
    let chosen = styles
        .iter()
        .find(|(id, ..)| teacher == Teacher::Style(*id));
    let name = chosen.map_or(own, |style| style.1.as_str());
    ui.horizontal(|ui| {
        ui.label("Rebuild with");
        egui::ComboBox::from_id_salt("repair style")
            .selected_text(name)
            .width(170.0)
            .show_ui(ui, |ui| {
                let teacher = &mut pose.repair.teacher;
                ui.selectable_value(teacher, Teacher::Take, own)
                    .on_hover_text("A style is learned from the frames that are not marked");
                for (id, name, _) in &styles {
                    ui.selectable_value(teacher, Teacher::Style(*id), name);
                }
            });
    });
    let is_running = cx.work.is_running(PROPOSE);
    let button = egui::Button::new("Propose bad joints");
    let tip = "Marks joints that are turned as the style has never seen them";
    if ui
        .add_enabled(!is_running, button)
        .on_hover_text(tip)
        .clicked()
    {
        pose.propose_gaps(cx);
    }
}

/// Which joints are bad: whole limbs, the joint that was clicked in the view, or one by one.
fn joints_ui(
    ui: &mut egui::Ui,
    cx: &mut UiContext,
    pose: &mut PoseWorkspace,
    id: ClipId,
    clip: &Clip,
) {
    let skeleton = clip.skeleton();
    ui.label("Bad joints");
    ui.horizontal_wrapped(|ui| {
        for (name, joints) in parts(skeleton) {
            let chosen = &mut pose.repair.joints;
            let is_chosen = joints.iter().all(|joint| chosen.contains(joint));
            if ui.selectable_label(is_chosen, name).clicked() {
                if is_chosen {
                    chosen.retain(|joint| !joints.contains(joint));
                } else {
                    chosen.extend(joints);
                }
            }
        }
    });
    let pick = cx.session.joint.filter(|pick| pick.clip == id.into());
    let picked = pick.and_then(|pick| Some((pick.joint, skeleton.joints().get(pick.joint)?)));
    match picked {
        Some((joint, named)) => {
            let is_chosen = pose.repair.joints.contains(&joint);
            let words = format!("{}, clicked in the view", named.name);
            if ui.selectable_label(is_chosen, words).clicked() {
                pose.repair.choose(skeleton, joint, !is_chosen);
            }
        }
        None => {
            ui.weak("or click a joint in the 3D view");
        }
    }
    egui::CollapsingHeader::new("One by one").show(ui, |ui| tree_ui(ui, pose, skeleton));
}

fn tree_ui(ui: &mut egui::Ui, pose: &mut PoseWorkspace, skeleton: &Skeleton) {
    ui.checkbox(&mut pose.repair.takes_below, "With what hangs on them");
    for (joint, named) in skeleton.joints().iter().enumerate() {
        let depth = skeleton.ancestors(joint).count() as f32;
        ui.horizontal(|ui| {
            ui.add_space(8.0 * depth);
            let mut is_chosen = pose.repair.joints.contains(&joint);
            if ui.checkbox(&mut is_chosen, &named.name).changed() {
                pose.repair.choose(skeleton, joint, is_chosen);
            }
        });
    }
}

/// Limbs by name, each with what hangs on its first joint that can go wrong.
fn parts(skeleton: &Skeleton) -> Vec<(String, BTreeSet<usize>)> {
    let body = Body::of(skeleton);
    let side = |side: Side| match side {
        Side::Left => "Left",
        Side::Right => "Right",
        Side::Middle => "Middle",
    };
    let limbs = body.arms.iter().map(|limb| (limb, "arm"));
    let limbs = limbs.chain(body.legs.iter().map(|limb| (limb, "leg")));
    // The shoulder is where it is; what it carries is lost.
    let mut parts: Vec<(String, BTreeSet<usize>)> = limbs
        .map(|(limb, what)| {
            let name = format!("{} {what}", side(limb.side));
            (name, with_all_below(skeleton, limb.middle))
        })
        .collect();
    if let Some(head) = body.head {
        parts.push(("Head".to_owned(), with_all_below(skeleton, head)));
    }
    parts
}

/// The frames of the range on the timeline, or the frame at the playhead.
fn frames_to_mark(cx: &UiContext, id: ClipId, clip: &Arc<Clip>) -> Range<usize> {
    let time_map = cx.time_map(id, clip);
    let n = clip.n_frames();
    let frame = |secs: f64| (time_map.frame_at(secs).round().max(0.0) as usize).min(n);
    if let Some((from, to)) = cx.session.range_secs {
        let from = frame(from).min(n - 1);
        from..frame(to).max(from + 1)
    } else {
        let now = frame(cx.session.playhead_secs).min(n - 1);
        now..now + 1
    }
}

fn mark_ui(
    ui: &mut egui::Ui,
    cx: &mut UiContext,
    pose: &mut PoseWorkspace,
    id: ClipId,
    clip: &Arc<Clip>,
) {
    let frames = frames_to_mark(cx, id, clip);
    let n_joints = clip.skeleton().n_joints();
    let joints: BTreeSet<usize> = pose.repair.joints.range(..n_joints).copied().collect();
    if cx.session.range_secs.is_none() {
        ui.weak("Bad frames: set the range at the playhead with I and shift+I, or double-click the timeline");
    }
    let words = if frames.len() == 1 {
        format!("frame {}", frames.start)
    } else {
        format!("frames {} to {}", frames.start, frames.end)
    };
    let words = format!("Mark {} in {words}", counted(joints.len(), "joint"));
    let button = ui.add_enabled(!joints.is_empty(), egui::Button::new(words));
    if button
        .on_disabled_hover_text("Choose joints first")
        .clicked()
    {
        let gaps = pose.repair.gaps.entry(id).or_default();
        gaps.push(Gap { frames, joints });
        pose.repair.rebuilt = None;
    }
}

/// What is marked, along the take and as a list.
fn gaps_ui(
    ui: &mut egui::Ui,
    cx: &mut UiContext,
    pose: &mut PoseWorkspace,
    id: ClipId,
    clip: &Clip,
) {
    let gaps = pose.repair.gaps_of(id).to_vec();
    if gaps.is_empty() {
        ui.weak("Nothing is marked yet.");
        return;
    }
    let colours = Colours::of(ui);
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), 12.0), Sense::hover());
    let painter = ui.painter_at(rect);
    painter.rect_filled(rect, 2.0, colours.sunken);
    let x =
        |frame: usize| rect.left() + rect.width() * frame as f32 / clip.n_frames().max(1) as f32;
    for gap in &gaps {
        let from = pos2(x(gap.frames.start), rect.top() + 2.0);
        let to = pos2(x(gap.frames.end).max(from.x + 2.0), rect.bottom() - 2.0);
        painter.rect_filled(egui::Rect::from_min_max(from, to), 1.0, colours.warning);
    }
    let mut gone = None;
    for (place, gap) in gaps.iter().enumerate() {
        ui.horizontal(|ui| {
            let (from, to) = (gap.frames.start, gap.frames.end);
            if ui.small_button("x").on_hover_text("Unmark").clicked() {
                gone = Some(place);
            }
            let words = format!("{from} to {to}: {}", names(clip.skeleton(), &gap.joints));
            let label = egui::Label::new(words).truncate().sense(Sense::click());
            if ui.add(label).on_hover_text("Go there").clicked() {
                cx.session.playhead_secs = from as f64 / clip.fps();
                cx.session.is_playing = false;
            }
        });
    }
    let mut is_changed = false;
    if let (Some(place), Some(gaps)) = (gone, pose.repair.gaps.get_mut(&id)) {
        gaps.remove(place);
        is_changed = true;
    }
    if ui.small_button("Unmark all").clicked() {
        pose.repair.gaps.remove(&id);
        is_changed = true;
    }
    if is_changed {
        pose.repair.rebuilt = None;
    }
}

/// "arm, hand and 3 more".
fn names(skeleton: &Skeleton, joints: &BTreeSet<usize>) -> String {
    const NAMED: usize = 3;
    let known = joints.iter().filter_map(|j| skeleton.joints().get(*j));
    let named: Vec<&str> = known.take(NAMED).map(|j| j.name.as_str()).collect();
    match joints.len().saturating_sub(NAMED) {
        0 => named.join(", "),
        more => format!("{} and {more} more", named.join(", ")),
    }
}

fn result_ui(
    ui: &mut egui::Ui,
    cx: &mut UiContext,
    pose: &mut PoseWorkspace,
    id: ClipId,
    clip: &Arc<Clip>,
) {
    ui.add_space(4.0);
    if let Some(running) = cx.work.named(REBUILD) {
        running_ui(ui, running, "Cancel rebuilding");
        return;
    }
    let refused = refusal(pose.repair.gaps_of(id), clip);
    let button = ui.add_enabled(refused.is_none(), egui::Button::new("Rebuild"));
    if button
        .on_disabled_hover_text(refused.unwrap_or_default())
        .clicked()
    {
        pose.rebuild_gaps(cx);
    }
    let rebuilt = pose.repair.rebuilt.as_ref();
    let Some(numbers) = rebuilt.filter(|r| r.id == id).map(|r| r.numbers) else {
        return;
    };
    numbers_ui(ui, numbers);
    ui.horizontal(|ui| {
        ui.label("Show");
        let compare = &mut pose.repair.compare;
        ui.selectable_value(compare, Compare::Before, "before");
        ui.selectable_value(compare, Compare::After, "after");
        ui.selectable_value(compare, Compare::Both, "both")
            .on_hover_text("The take blue, the rebuilt one orange");
    });
    ui.horizontal(|ui| {
        let tip = "In the place of the take; one step that can be undone";
        if ui.button("Keep").on_hover_text(tip).clicked() {
            pose.requests
                .ask(PoseRequest::KeepRebuilt { is_new: false });
        }
        let tip = "As another clip; the take stays as it is";
        if ui.button("Keep as new clip").on_hover_text(tip).clicked() {
            pose.requests.ask(PoseRequest::KeepRebuilt { is_new: true });
        }
        if ui.button("Discard").clicked() {
            pose.repair.rebuilt = None;
        }
    });
}

fn numbers_ui(ui: &mut egui::Ui, numbers: Numbers) {
    let (mean, most) = (slide_cm(numbers.mean_moved), slide_cm(numbers.most_moved));
    let frames = counted(numbers.n_frames, "frame");
    ui.label(format!(
        "{frames} rebuilt; joints moved {mean:.1} cm, at most {most:.1} cm"
    ));
    let (before, after) = (numbers.oddness_before, numbers.oddness_after);
    ui.label(format!("unusual: {before:.1} before, {after:.1} now"))
        .on_hover_text("Deviations from the style; about 1 is as usual in it");
}
