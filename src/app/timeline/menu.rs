//! The timeline's menu: what can be done at the place where it was opened.

use std::sync::Arc;

use crate::app::shell::context::UiContext;
use crate::app::shell::requests::Request;
use crate::app::shell::session::ContactPick;
use crate::app::shell::stage::StageId;
use crate::app::timeline::edits;
use crate::app::timeline::layout::Spot;
use crate::app::timeline::state::TimelineState;
use crate::motion::Clip;

/// How long a contact from the menu is.
const NEW_CONTACT_SECS: f64 = 0.2;

pub(in crate::app) fn menu_ui(ui: &mut egui::Ui, cx: &mut UiContext, timeline: &mut TimelineState) {
    let Some(spot) = timeline.menu_spot.clone() else {
        return;
    };
    match spot {
        Spot::Contact {
            clip,
            joint,
            frames,
            ..
        } => {
            if ui.button("Delete contact").clicked() {
                cx.session.contact = Some(ContactPick {
                    clip,
                    joint,
                    frame: frames.start,
                });
                edits::delete_picked(cx, timeline);
            }
            if ui.button("Play only this contact").clicked()
                && let Some(clip_now) = shown(cx, clip)
            {
                let time_map = cx.time_map(clip, &clip_now);
                let secs = |frame: usize| time_map.secs_at(frame as f64);
                cx.session.range_secs = Some((secs(frames.start), secs(frames.end)));
            }
        }
        Spot::Lane { clip, joint, secs } => {
            if ui.button("Add contact here").clicked() {
                add_contact(cx, timeline, clip, joint, secs);
            }
            ui.separator();
            clip_ui(ui, cx, timeline, clip, secs);
        }
        Spot::Bar { clip, secs } => clip_ui(ui, cx, timeline, clip, secs),
        Spot::TrimEnd { clip, .. } | Spot::Name { clip } => {
            let secs = cx.session.playhead_secs;
            clip_ui(ui, cx, timeline, clip, secs);
        }
        Spot::Ruler { secs } | Spot::Curve { secs } | Spot::Nothing { secs } => {
            range_ui(ui, cx, secs);
        }
        Spot::RangeEnd { .. } => {
            let secs = cx.session.playhead_secs;
            range_ui(ui, cx, secs);
        }
    }
}

/// A clip of the library, or the variant that is looked at.
fn shown(cx: &UiContext, id: StageId) -> Option<Arc<Clip>> {
    let variant = cx.lead_variant().filter(|variant| variant.0 == id);
    let variant = variant.map(|(_, clip)| clip);
    variant.or_else(|| cx.clip_on_stage(id).map(Arc::clone))
}

fn clip_ui(
    ui: &mut egui::Ui,
    cx: &mut UiContext,
    timeline: &mut TimelineState,
    id: StageId,
    secs: f64,
) {
    let (Some(clip_id), Some(clip)) = (id.clip(), cx.clip_on_stage(id).map(Arc::clone)) else {
        return;
    };
    let time_map = cx.time_map(id, &clip);
    let n_frames = clip.n_frames();
    let border = (time_map.frame_at(secs).round() as usize).min(n_frames);
    let is_inside = (1..n_frames).contains(&border);
    let before = egui::Button::new("Cut off what is before");
    if ui.add_enabled(is_inside, before).clicked() {
        cx.ask(Request::Trim(clip_id, border..n_frames));
    }
    let after = egui::Button::new("Cut off what is after");
    if ui.add_enabled(is_inside, after).clicked() {
        cx.ask(Request::Trim(clip_id, 0..border));
    }
    ui.separator();
    if ui.button("Play only this clip").clicked() {
        cx.session.range_secs = Some((0.0, time_map.secs_at(n_frames as f64)));
    }
    let is_active = cx.session.active == Some(clip_id);
    if !is_active && ui.button("Make it the active clip").clicked() {
        cx.session.active = Some(clip_id);
    }
    ui.separator();
    touch_ui(ui, cx, timeline, id, secs);
}

/// Joints that usually touch something; hands have no lane until they do.
fn touch_ui(
    ui: &mut egui::Ui,
    cx: &mut UiContext,
    timeline: &mut TimelineState,
    id: StageId,
    secs: f64,
) {
    let Some(clip) = cx.clip_on_stage(id).map(Arc::clone) else {
        return;
    };
    let Some(analysis) = cx.analyses.of(id, &clip).map(Arc::clone) else {
        return;
    };
    ui.menu_button("Add contact of", |ui| {
        for &joint in analysis.feet.iter().chain(&*analysis.hands) {
            let name = clip.skeleton().joints().get(joint).map(|j| j.name.as_str());
            if ui.button(name.unwrap_or_default()).clicked() {
                add_contact(cx, timeline, id, joint, secs);
                ui.close();
            }
        }
    });
}

fn add_contact(
    cx: &mut UiContext,
    timeline: &mut TimelineState,
    id: StageId,
    joint: usize,
    secs: f64,
) {
    let Some(clip) = shown(cx, id) else {
        return;
    };
    let from = cx.time_map(id, &clip).frame_at(secs) as usize;
    let from = from.min(clip.n_frames() - 1);
    let wide = ((NEW_CONTACT_SECS * clip.fps()) as usize).max(1);
    edits::add(cx, timeline, id, joint, from..from + wide);
}

fn range_ui(ui: &mut egui::Ui, cx: &mut UiContext, secs: f64) {
    let length = cx.length_secs();
    let (from, to) = cx.session.playing_stretch(length);
    if ui
        .add_enabled(secs < to, egui::Button::new("Begin play range here"))
        .clicked()
    {
        cx.session.range_secs = Some((secs, to));
    }
    if ui
        .add_enabled(secs > from, egui::Button::new("End play range here"))
        .clicked()
    {
        cx.session.range_secs = Some((from, secs));
    }
    let is_set = cx.session.range_secs.is_some();
    if ui
        .add_enabled(is_set, egui::Button::new("Clear range"))
        .clicked()
    {
        cx.session.range_secs = None;
    }
    ui.separator();
    let mut shows = cx.preferences.shows_match_curve;
    if ui.checkbox(&mut shows, "Show the cycle match").changed() {
        cx.preferences.shows_match_curve = shows;
    }
}
