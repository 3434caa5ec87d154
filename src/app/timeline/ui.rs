//! The timeline: a ruler to scrub on, how well loops close, and a row for each selected clip with its contacts.
//!
//! Dragging scrubs, the wheel zooms about the pointer (shift: moves), a double-click sets the play range to what is
//! under it. The ends of the range, of a clip (trim) and of contacts can be dragged; in the lanes of the active clip a
//! drag over an empty place draws a contact. A drag changes the session only, and becomes one step when it is let go.

use std::sync::Arc;

use egui::{Align2, CursorIcon, FontId, Rect, Sense, vec2};

use crate::app::shell::context::UiContext;
use crate::app::shell::session::{ContactPick, Span};
use crate::app::shell::stage::StageId;
use crate::app::shell::theme::Colours;
use crate::app::shell::ui::tints::tint;
use crate::app::timeline::drag::TimelineDrag;
use crate::app::timeline::layout::{CURVE, Grip, Layout, RULER, Row, Spot};
use crate::app::timeline::paint::{CLIP_NAME, LANE_NAME};
use crate::app::timeline::scale::{Scale, wheel};
use crate::app::timeline::state::TimelineState;
use crate::motion::{Clip, Contact};
use crate::variation::HeldSpan;

/// Draws ruler and rows.
pub fn timeline_ui(ui: &mut egui::Ui, cx: &mut UiContext, timeline: &mut TimelineState) {
    let whole = ui.available_rect_before_wrap();
    let colours = Colours::of(ui);
    ui.painter().rect_filled(whole, 3.0, colours.sunken);
    let length_secs = cx.length_secs();
    if length_secs <= 0.0 {
        let words = "Select a clip to see it over time";
        let font = FontId::proportional(13.0);
        ui.painter().text(
            whole.center(),
            Align2::CENTER_CENTER,
            words,
            font,
            colours.weak,
        );
        // All of it is taken, or the panel would shrink to nothing and stay so.
        ui.allocate_rect(whole, Sense::hover());
        return;
    }
    let has_variant = cx.lead_variant().is_some();
    let has_curve = cx.preferences.shows_match_curve && !has_variant;
    let head_height = RULER + if has_curve { CURVE } else { 0.0 };
    ui.spacing_mut().item_spacing.y = 0.0;
    let head_size = vec2(whole.width(), head_height);
    let (head, head_response) = ui.allocate_exact_size(head_size, Sense::click_and_drag());
    head_response.widget_info(|| {
        let mut info = egui::WidgetInfo::labeled(egui::Role::Slider, true, "Timeline");
        info.value = Some(cx.session.playhead_secs);
        info
    });
    let mut rows = rows(cx);
    let (body, origin, body_response) = body_ui(ui, &rows);
    let mut top = origin;
    for row in &mut rows {
        row.top = top;
        top += row.height();
    }
    let names = names_width(ui, &rows, whole.width());
    let everything = Span {
        from_secs: 0.0,
        wide_secs: length_secs,
    };
    let layout = Layout {
        scale: Scale {
            span: cx.session.span.unwrap_or(everything),
            left: whole.left() + names,
            width: (whole.width() - names - 14.0).max(1.0),
        },
        length_secs,
        head,
        body,
        rows,
        has_curve,
    };
    timeline.track = (layout.scale.left, layout.scale.left + layout.scale.width);
    // Escape also ends the drag, which would count as letting go.
    if ui.input(|input| input.key_pressed(egui::Key::Escape)) {
        timeline.drag = None;
    }
    for response in [head_response, body_response] {
        act(ui, &response, cx, timeline, &layout);
    }
    let painter = ui.painter().with_clip_rect(whole);
    crate::app::timeline::paint::all(&painter, cx, timeline, &layout, colours);
}

/// As wide as the longest name wants, but most of the width belongs to time.
fn names_width(ui: &egui::Ui, rows: &[Row], whole: f32) -> f32 {
    const LEAST: f32 = 100.0;
    const SHARE: f32 = 0.25;
    let wide = |text: &str, size: f32| {
        let font = FontId::proportional(size);
        let galley = ui
            .painter()
            .layout_no_wrap(text.to_owned(), font, egui::Color32::WHITE);
        galley.size().x
    };
    // With many clips the first ones are enough: the names of takes are alike.
    let names = rows.iter().take(8).flat_map(|row| {
        let joints = row.clip.skeleton().joints();
        let lanes = row.lanes.iter().filter(|_| row.is_open);
        let lanes = lanes.filter_map(|joint| joints.get(*joint));
        let lanes = lanes.map(|joint| wide(&joint.name, LANE_NAME));
        lanes.chain([wide(&row.clip.info.name, CLIP_NAME)])
    });
    let widest = names.fold(0.0, f32::max) + 34.0;
    widest.clamp(LEAST, (SHARE * whole).max(LEAST))
}

/// The place of the rows, which can be scrolled by a bar; the wheel belongs to zooming.
fn body_ui(ui: &mut egui::Ui, rows: &[Row]) -> (Rect, f32, egui::Response) {
    let tall: f32 = rows.iter().map(Row::height).sum::<f32>() + 2.0;
    let output = egui::ScrollArea::vertical()
        .id_salt("rows")
        .scroll_source(egui::scroll_area::ScrollSource::SCROLL_BAR)
        .auto_shrink(false)
        .show(ui, |ui| {
            let size = vec2(ui.available_width(), tall.max(ui.available_height()));
            ui.allocate_exact_size(size, Sense::click_and_drag())
        });
    let (rect, response) = output.inner;
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Canvas, true, "Timeline rows"));
    (output.inner_rect, rect.top() + 2.0, response)
}

/// The active clip first, so that it is seen however small the timeline is.
fn rows(cx: &UiContext) -> Vec<Row> {
    if let Some(variant) = cx.lead_variant() {
        return family_rows(cx, variant);
    }
    let active = cx.session.active;
    let others = cx.session.selection.iter().copied();
    let others = others.filter(|id| Some(*id) != active);
    let shown = active.into_iter().chain(others).take(UiContext::MOST_SHOWN);
    shown.filter_map(|id| row(cx, id.into())).collect()
}

/// The variant that is looked at with what holds it, and the takes below.
fn family_rows(cx: &UiContext, (id, clip): (StageId, Arc<Clip>)) -> Vec<Row> {
    let holds = cx.looked_at_holds().cloned().unwrap_or_default();
    let contacts: Vec<Contact> = holds.spans.iter().map(HeldSpan::contact).collect();
    let can_change = holds.can_change;
    let own = |id, clip: Arc<Clip>, contacts: Arc<[Contact]>, is_open| {
        let mut lanes: Vec<usize> = contacts.iter().map(|c| c.joint).collect();
        if is_open && let Some(analysis) = cx.analyses.to_draw(id, &clip) {
            lanes.extend(analysis.feet.iter().chain(&*analysis.hands));
        }
        lanes.sort_unstable();
        lanes.dedup();
        Row {
            id,
            time_map: cx.time_map(id, &clip),
            contacts,
            lanes,
            is_open,
            can_trim: false,
            colour: tint(cx, id).into(),
            top: 0.0,
            clip,
        }
    };
    let mut rows = vec![own(id, clip, contacts.into(), can_change)];
    for (id, take) in cx.takes_on_stage() {
        let contacts = take.contacts().into();
        rows.push(own(id, take, contacts, false));
    }
    rows
}

fn row(cx: &UiContext, id: StageId) -> Option<Row> {
    let clip = Arc::clone(cx.clip_on_stage(id)?);
    let is_open = cx.session.active == id.clip();
    let contacts = crate::app::timeline::edits::contacts_of(cx, id, &clip);
    let mut lanes: Vec<usize> = contacts.iter().map(|c| c.joint).collect();
    if is_open && let Some(analysis) = cx.analyses.of(id, &clip) {
        // Where nothing touches yet, something can be drawn.
        lanes.extend_from_slice(&analysis.feet);
    }
    lanes.sort_unstable();
    lanes.dedup();
    Some(Row {
        id,
        time_map: cx.time_map(id, &clip),
        contacts,
        lanes,
        is_open,
        can_trim: true,
        colour: tint(cx, id).into(),
        top: 0.0,
        clip,
    })
}

/// Answers the pointer and the wheel.
fn act(
    ui: &egui::Ui,
    response: &egui::Response,
    cx: &mut UiContext,
    timeline: &mut TimelineState,
    layout: &Layout,
) {
    let range = cx.session.range_secs;
    if let Some(at) = response.interact_pointer_pos() {
        let secs = layout.scale.secs(at.x).clamp(0.0, layout.length_secs);
        if response.drag_started_by(egui::PointerButton::Primary) {
            let from = ui.input(|input| input.pointer.press_origin()).unwrap_or(at);
            let spot = layout.spot(from, range);
            cx.session.contact = picked(&spot);
            let from_secs = layout.scale.secs(from.x).clamp(0.0, layout.length_secs);
            timeline.drag = Some(TimelineDrag::of(&spot, layout, from_secs));
        }
        if let Some(mut hold) = timeline.drag.take_if(|_| response.dragged()) {
            hold.pull(&mut cx.session, layout, secs);
            timeline.drag = Some(hold);
        }
        let spot = layout.spot(at, range);
        if response.double_clicked() {
            cx.session.range_secs = stretch_at(cx, timeline, layout, &spot);
        } else if response.clicked() {
            click(cx, &spot, secs);
        }
        if response.secondary_clicked() {
            timeline.menu_spot = Some(spot);
        }
    }
    if response.drag_stopped()
        && let Some(hold) = timeline.drag.take()
    {
        crate::app::timeline::edits::let_go(cx, timeline, &hold);
    }
    if response.hovered() {
        wheel(
            ui,
            response,
            &layout.scale,
            layout.length_secs,
            &mut cx.session.span,
        );
    }
    if let Some(at) = response.hover_pos() {
        let spot = layout.spot(at, range);
        ui.ctx().set_cursor_icon(cursor(&spot));
        let tip = tip(cx, timeline, layout, &spot);
        if let (Some(tip), None) = (tip, &timeline.drag) {
            response.clone().on_hover_text_at_pointer(tip);
        }
    }
    response.context_menu(|ui| crate::app::timeline::menu::menu_ui(ui, cx, timeline));
}

fn picked(spot: &Spot) -> Option<ContactPick> {
    match spot {
        Spot::Contact {
            clip,
            joint,
            frames,
            ..
        } => Some(ContactPick {
            clip: *clip,
            joint: *joint,
            frame: frames.start,
        }),
        _ => None,
    }
}

fn click(cx: &mut UiContext, spot: &Spot, secs: f64) {
    cx.session.contact = picked(spot);
    match spot {
        Spot::Name { clip } => cx.session.active = clip.clip().or(cx.session.active),
        Spot::Contact { .. } => {}
        _ => cx.session.playhead_secs = secs,
    }
}

/// What a double-click plays: the loop that begins here, the contact, the clip, or everything.
fn stretch_at(
    cx: &UiContext,
    timeline: &TimelineState,
    layout: &Layout,
    spot: &Spot,
) -> Option<(f64, f64)> {
    match spot {
        Spot::Curve { secs } => {
            let clip = cx.active_clip()?;
            let curve = timeline.match_curves.of(clip)?;
            let cycles = curve.as_ref().as_ref().ok()?;
            let frame = (secs * clip.fps()) as usize;
            let length = cycles.lengths.get(frame).copied().filter(|n| *n > 0)?;
            let secs = |frame: usize| frame as f64 / clip.fps();
            Some((secs(frame), secs(frame + length)))
        }
        Spot::Contact { clip, frames, .. } => {
            let row = layout.row(*clip)?;
            Some((row.secs(frames.start), row.secs(frames.end)))
        }
        Spot::Bar { clip, .. } | Spot::Lane { clip, .. } | Spot::TrimEnd { clip, .. } => {
            let row = layout.row(*clip)?;
            Some((0.0, row.secs(row.clip.n_frames())))
        }
        Spot::Ruler { .. } | Spot::RangeEnd { .. } | Spot::Name { .. } | Spot::Nothing { .. } => {
            None
        }
    }
}

fn cursor(spot: &Spot) -> CursorIcon {
    match spot {
        Spot::RangeEnd { .. } | Spot::TrimEnd { .. } => CursorIcon::ResizeHorizontal,
        Spot::Contact { grip, .. } => match grip {
            Grip::Start | Grip::End => CursorIcon::ResizeHorizontal,
            Grip::Whole => CursorIcon::Grab,
        },
        Spot::Lane { .. } => CursorIcon::Crosshair,
        Spot::Name { .. } => CursorIcon::PointingHand,
        Spot::Ruler { .. } | Spot::Curve { .. } | Spot::Bar { .. } | Spot::Nothing { .. } => {
            CursorIcon::Default
        }
    }
}

/// What can be done here, where that is not plain to see.
fn tip(cx: &UiContext, timeline: &TimelineState, layout: &Layout, spot: &Spot) -> Option<String> {
    let joint_name = |clip: StageId, joint: usize| {
        let row = layout.row(clip)?;
        Some(row.clip.skeleton().joints().get(joint)?.name.clone())
    };
    match spot {
        Spot::TrimEnd { .. } => Some("Drag to trim the clip".to_owned()),
        Spot::RangeEnd { .. } => Some("Drag to change what plays".to_owned()),
        Spot::Contact {
            clip,
            joint,
            frames,
            ..
        } => {
            let name = joint_name(*clip, *joint)?;
            let (first, last) = (frames.start, frames.end - 1);
            Some(format!(
                "{name} touches from frame {first} to {last}\nDrag to move, Delete removes it"
            ))
        }
        Spot::Lane { clip, joint, .. } => {
            let name = joint_name(*clip, *joint)?;
            Some(format!("Drag to draw a contact of {name}"))
        }
        Spot::Curve { secs } => {
            let clip = cx.active_clip()?;
            let curve = timeline.match_curves.of(clip)?;
            let cycles = curve.as_ref().as_ref().ok()?;
            let frame = (secs * clip.fps()) as usize;
            let score = cycles.scores.get(frame)?;
            Some(match cycles.lengths.get(frame) {
                Some(n) if *n > 0 => format!(
                    "A loop of {n} frames from frame {frame} closes with {score:.2} (1 is perfect)\nDouble-click to play it"
                ),
                _ => "No whole cycle follows".to_owned(),
            })
        }
        Spot::Name { clip } => Some(layout.row(*clip)?.clip.info.name.clone()),
        Spot::Ruler { .. } | Spot::Bar { .. } | Spot::Nothing { .. } => None,
    }
}
