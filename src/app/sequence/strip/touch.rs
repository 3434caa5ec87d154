//! What the mouse does on the strip: chooses, moves, trims, scrubs, zooms.

use egui::{Align2, CursorIcon, FontId, PointerButton, Stroke, vec2};

use crate::app::sequence::join::long_name;
use crate::app::sequence::state::{Request, SequenceWorkspace};
use crate::app::sequence::strip::layout::{Block, Hold, Layout, RULER};
use crate::app::sequence::strip::{Edit, Evaluated, called};
use crate::app::shell::context::UiContext;
use crate::app::shell::pane::Pane;
use crate::app::shell::theme::Colours;
use crate::app::timeline::scale::wheel;
use crate::document::ActionSource;
use crate::sequence::{EntryId, Trim};

/// Within so many pixels of an edge it is the edge that is taken hold of.
const EDGE: f32 = 5.0;

/// Answers the pointer and the wheel over the strip.
pub(super) fn touch(
    ui: &egui::Ui,
    cx: &mut UiContext,
    sequence: &mut SequenceWorkspace,
    response: &egui::Response,
    layout: &Layout,
    order: &[EntryId],
) {
    wheel(
        ui,
        response,
        &layout.scale,
        layout.length_secs,
        &mut cx.session.span,
    );
    if response.dragged_by(PointerButton::Middle) {
        let scale = &layout.scale;
        let by_secs = -f64::from(response.drag_delta().x / scale.width) * scale.span.wide_secs;
        let is_whole = cx.session.span.is_none();
        cx.session.span = (!is_whole).then(|| scale.span.moved(by_secs, layout.length_secs));
    }
    let Some(at) = response
        .interact_pointer_pos()
        .or_else(|| response.hover_pos())
    else {
        return;
    };
    let under = layout.block_at(at);
    if response.clicked() && at.y < layout.rect.top() + RULER {
        scrub(cx, layout, at.x);
    } else if response.clicked() || response.secondary_clicked() {
        click(ui, cx, sequence, under);
        if let Some((block, true)) = under {
            see_join(cx, sequence, block);
        }
    }
    let press = ui.input(|input| input.pointer.press_origin()).unwrap_or(at);
    if response.drag_started_by(PointerButton::Primary) {
        sequence.strip.hold = take_hold(cx, sequence, layout, press);
    }
    match sequence.strip.hold {
        Some(Hold::Playhead) => scrub(cx, layout, at.x),
        Some(Hold::Block(id)) => {
            ui.ctx().set_cursor_icon(CursorIcon::Grabbing);
            mark_place(ui, layout, order, at.x);
            let source = sequence.sequence_on_strip(cx);
            let source = source.and_then(|value| Some(value.actions.entry(id)?.source.clone()));
            if let Some(source) = source {
                carried_ui(ui, &called(cx, &source));
            }
        }
        Some(hold @ Hold::Edge { .. }) => trim(ui, cx, sequence, layout, at.x, hold),
        None => {
            let is_edge = under.is_some_and(|(block, on_join)| {
                !on_join && !block.closes && edge_of(block, at.x).is_some()
            });
            if is_edge {
                ui.ctx().set_cursor_icon(CursorIcon::ResizeHorizontal);
            }
        }
    }
    if response.drag_stopped() {
        match sequence.strip.hold.take() {
            Some(Hold::Block(id)) => {
                let ids = if sequence.strip.selected.contains(&id) {
                    sequence.strip.selected.clone()
                } else {
                    vec![id]
                };
                let to = layout.place_at(at.x, order);
                sequence.ask(Request::EditStrip(Edit::Move(ids, to)));
            }
            Some(Hold::Edge { .. }) => sequence.ask(Request::KeepDraft),
            _ => {}
        }
    }
}

/// An action that is dragged here from the palette.
pub(super) fn take_dropped(
    ui: &egui::Ui,
    sequence: &mut SequenceWorkspace,
    response: &egui::Response,
    layout: Option<&Layout>,
    order: &[EntryId],
) {
    let x = ui
        .input(|input| input.pointer.interact_pos())
        .map(|at| at.x);
    if response.dnd_hover_payload::<ActionSource>().is_some() {
        let stroke = Stroke::new(2.0, Colours::of(ui).selected);
        ui.painter()
            .rect_stroke(response.rect, 2.0, stroke, egui::StrokeKind::Inside);
        if let (Some(layout), Some(x)) = (layout, x) {
            mark_place(ui, layout, order, x);
        }
    }
    if let Some(source) = response.dnd_release_payload::<ActionSource>() {
        let place = layout.zip(x).map(|(layout, x)| layout.place_at(x, order));
        sequence.ask(Request::AddActions {
            sources: vec![ActionSource::clone(&source)],
            at: place.unwrap_or(usize::MAX),
        });
    }
}

/// What is carried by the pointer, beside it.
pub(in crate::app::sequence) fn carried_ui(ui: &egui::Ui, words: &str) {
    let Some(at) = ui.input(|input| input.pointer.interact_pos()) else {
        return;
    };
    let layer = egui::LayerId::new(egui::Order::Tooltip, egui::Id::unique("carried action"));
    let painter = ui.ctx().layer_painter(layer);
    let colours = Colours::of(ui);
    let font = FontId::proportional(13.0);
    let galley = painter.layout_no_wrap(words.to_owned(), font, colours.text);
    let place = Align2::LEFT_BOTTOM.anchor_size(at + vec2(14.0, -8.0), galley.size());
    painter.rect_filled(place.expand2(vec2(7.0, 4.0)), 4.0, colours.selected_ground);
    painter.galley(place.min, galley, colours.text);
}

/// Where something would go that is dropped here.
fn mark_place(ui: &egui::Ui, layout: &Layout, order: &[EntryId], x: f32) {
    let x = layout.x_of_place(layout.place_at(x, order), order);
    let stroke = Stroke::new(3.0, Colours::of(ui).selected);
    ui.painter().vline(x, layout.rect.y_range(), stroke);
}

fn trim(
    ui: &egui::Ui,
    cx: &UiContext,
    sequence: &mut SequenceWorkspace,
    layout: &Layout,
    x: f32,
    hold: Hold,
) {
    let Hold::Edge {
        entry,
        is_start,
        began,
        from_x,
        scale,
    } = hold
    else {
        return;
    };
    ui.ctx().set_cursor_icon(CursorIcon::ResizeHorizontal);
    let secs = scale.secs(x) - scale.secs(from_x);
    let mut trim = began;
    let cut_secs = if is_start {
        &mut trim.start_secs
    } else {
        &mut trim.end_secs
    };
    let more = if is_start { secs } else { -secs };
    *cut_secs = (*cut_secs + more).max(0.0);
    let frames = (*cut_secs * layout.fps).round();
    let end = if is_start { "start" } else { "end" };
    carried_ui(ui, &format!("{frames:.0} frames cut from its {end}"));
    sequence.draft(cx, "trim an action", |s| {
        if let Some(entry) = s.actions.entry_mut(entry) {
            entry.trim = trim;
        }
    });
}

fn click(
    ui: &egui::Ui,
    cx: &mut UiContext,
    sequence: &mut SequenceWorkspace,
    under: Option<(&Block, bool)>,
) {
    let adds = ui.input(|input| input.modifiers.shift || input.modifiers.command);
    match under {
        Some((block, true)) => {
            sequence.join.chosen = Some((block.entry, block.repeat));
            cx.wanted_pane = Some(Pane::Join);
        }
        Some((block, false)) if adds => {
            let selected = &mut sequence.strip.selected;
            match selected.iter().position(|id| *id == block.entry) {
                Some(at) => {
                    selected.remove(at);
                }
                None => selected.push(block.entry),
            }
        }
        Some((block, false)) => sequence.strip.selected = vec![block.entry],
        None => sequence.strip.selected.clear(),
    }
}

/// Brings the playhead to where a transition begins, if it is not within it: both sides are seen there.
fn see_join(cx: &mut UiContext, sequence: &SequenceWorkspace, block: &Block) {
    let Some(shown) = sequence.strip.shown() else {
        return;
    };
    let made = shown
        .plays
        .get(block.play)
        .and_then(|play| play.transition.as_ref());
    if let Some(made) = made {
        let fps = shown.graph.rig().fps;
        let now = (cx.session.playhead_secs * fps).round() as usize;
        if !cx.session.is_playing && !(made.at..made.at + made.frames).contains(&now) {
            cx.session.playhead_secs = made.at as f64 / fps;
        }
    }
}

/// Which edge of a block is under the pointer, if one is: whether it is its start.
fn edge_of(block: &Block, x: f32) -> Option<bool> {
    let near = |edge: f32| (x - edge).abs() <= EDGE.min(0.25 * block.action.width());
    if near(block.action.left()) {
        Some(true)
    } else {
        near(block.action.right()).then_some(false)
    }
}

fn take_hold(
    cx: &mut UiContext,
    sequence: &SequenceWorkspace,
    layout: &Layout,
    at: egui::Pos2,
) -> Option<Hold> {
    if at.y < layout.rect.top() + RULER {
        cx.session.is_playing = false;
        return Some(Hold::Playhead);
    }
    let (block, on_join) = layout.block_at(at)?;
    if on_join || block.closes {
        return None;
    }
    let entry = block.entry;
    let value = sequence.sequence_on_strip(cx)?;
    let began: Trim = value.actions.entry(entry)?.trim;
    Some(match edge_of(block, at.x) {
        Some(is_start) => Hold::Edge {
            entry,
            is_start,
            began,
            from_x: at.x,
            scale: layout.scale,
        },
        None => Hold::Block(entry),
    })
}

fn scrub(cx: &mut UiContext, layout: &Layout, x: f32) {
    let last = (layout.length_secs * layout.fps).round() - 1.0;
    let frame = (layout.scale.secs(x) * layout.fps).round();
    cx.session.playhead_secs = frame.clamp(0.0, last.max(0.0)) / layout.fps;
}

/// What is under the pointer, in words.
pub(super) fn tip(shown: &Evaluated, (block, on_join): (&Block, bool)) -> String {
    let Some(play) = shown.plays.get(block.play) else {
        return String::new();
    };
    let fps = shown.graph.rig().fps;
    let name = &play.clip.clip.info.name;
    match (&play.transition, on_join) {
        (Some(made), true) => {
            let norms = shown.graph.norms();
            let report = &made.quality.report;
            let how = if made.quality.keeps_limits(norms) {
                "nowhere rougher than the clips"
            } else {
                "rougher than the clips somewhere: see the panel Join"
            };
            let closes = if block.closes {
                ", which closes the loop"
            } else {
                ""
            };
            format!(
                "To {name}{closes}: {}, {} frames, cost {:.2}\njump {:.1}°, jerk {:.2} of the clips' own, overshoot \
                 {:.1}°, {how}\nClick: other ways of making it",
                long_name(&made.kind),
                made.frames,
                made.quality.penalty(norms),
                report.pose_jump_deg,
                report.jerk_ratio,
                report.overshoot_deg,
            )
        }
        _ if block.closes => format!("{name} again: here the loop begins anew"),
        _ => {
            let secs = play.shown.len() as f64 / fps;
            format!(
                "{name}, {secs:.1} s\nDrag: moves it. Drag an edge: trims it. Right-click: more. Wheel: zooms the strip"
            )
        }
    }
}
