//! The strip as a timeline: actions above, the transitions into them below, one playhead for both.

use egui::{Align2, FontId, Rect, Sense, Stroke, StrokeKind, pos2, vec2};

use crate::app::sequence::join::short_name;
use crate::app::sequence::state::{Request, SequenceWorkspace};
use crate::app::sequence::strip::export_ui::export_menu_ui;
use crate::app::sequence::strip::layout::{Block, Hold, Layout, RULER};
use crate::app::sequence::strip::{Edit, Evaluated, called};
use crate::app::sequence::targets::ui::target_ui;
use crate::app::shell::context::UiContext;
use crate::app::shell::pane::Pane;
use crate::app::shell::theme::Colours;
use crate::app::shell::words::counted;
use crate::document::{ActionSource, Sequence};
use crate::sequence::{ActionList, EntryId, Trim};
use crate::transition::Transition;

/// Within so many pixels of an edge it is the edge that is taken hold of.
const EDGE: f32 = 5.0;

/// The strip with its entries, joins and playhead.
pub fn strip_ui(ui: &mut egui::Ui, cx: &mut UiContext, sequence: &mut SequenceWorkspace) {
    toolbar_ui(ui, cx, sequence);
    let Some(value) = sequence.sequence_on_strip(cx) else {
        first_ui(ui, cx, sequence);
        return;
    };
    let shown = sequence.strip.shown.clone();
    let height = ui.available_height().clamp(90.0, 260.0);
    let (rect, response) =
        ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::click_and_drag());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Canvas, true, "Strip"));
    ui.painter().rect_filled(rect, 2.0, Colours::of(ui).sunken);
    let order: Vec<EntryId> = value.actions.entries.iter().map(|entry| entry.id).collect();
    if let Some(shown) = shown.as_deref().filter(|shown| shown.clip.is_some()) {
        let layout = Layout::of(shown, rect);
        paint(ui, cx, sequence, &value, shown, &layout);
        touch(ui, cx, sequence, &response, &layout, &order);
        menu_ui(&response, sequence, &value);
        if let Some(source) = response.dnd_release_payload::<ActionSource>() {
            let at = ui.input(|input| input.pointer.interact_pos());
            let at = at.map_or(usize::MAX, |at| layout.place_at(at.x, &order));
            let source = ActionSource::clone(&source);
            sequence.ask(Request::AddAction { source, at });
        }
    } else {
        waiting_ui(ui, cx, sequence, rect, &value);
        if let Some(source) = response.dnd_release_payload::<ActionSource>() {
            sequence.ask_to_add(ActionSource::clone(&source));
        }
    }
    if response.dnd_hover_payload::<ActionSource>().is_some() {
        let stroke = Stroke::new(2.0, Colours::of(ui).selected);
        ui.painter()
            .rect_stroke(rect, 2.0, stroke, StrokeKind::Inside);
    }
}

fn toolbar_ui(ui: &mut egui::Ui, cx: &mut UiContext, sequence: &mut SequenceWorkspace) {
    ui.horizontal(|ui| {
        let chosen = sequence
            .chosen_sequence(cx)
            .map(|(id, s)| (id, s.name.clone()));
        let words = chosen
            .as_ref()
            .map_or("No sequence", |(_, name)| name.as_str());
        let combo = egui::ComboBox::from_id_salt("sequence").selected_text(words);
        combo.show_ui(ui, |ui| {
            for (id, other) in cx.document().sequences() {
                let is_it = chosen.as_ref().is_some_and(|(chosen, _)| chosen == id);
                if ui.selectable_label(is_it, &other.name).clicked() {
                    sequence.chosen = Some(*id);
                    sequence.join.chosen = None;
                    sequence.strip.selected.clear();
                }
            }
            ui.separator();
            if ui.button("New sequence").clicked() {
                sequence.ask(Request::NewSequence);
            }
        });
        let clips: Vec<ActionSource> = cx
            .selected_clips()
            .iter()
            .map(|(id, _)| ActionSource::Clip(*id))
            .collect();
        let words = format!("Add {}", counted(clips.len(), "selected clip"));
        let add = ui.add_enabled(!clips.is_empty(), egui::Button::new(words));
        let tip = "Puts the clips that are selected in the table at the end of the strip";
        if add.on_hover_text(tip).clicked() {
            for clip in clips {
                sequence.ask_to_add(clip);
            }
        }
        ui.separator();
        entry_ui(ui, cx, sequence);
        target_ui(ui, cx, sequence);
        let Some(shown) = sequence.strip.shown.clone() else {
            return;
        };
        ui.separator();
        if shown.clip.is_some() {
            ui.menu_button("Export", |ui| {
                export_menu_ui(ui, cx, sequence, &shown);
            });
            let keep = ui.button("Keep as clip");
            let tip = "Makes a clip of the library of the whole motion";
            if keep.on_hover_text(tip).clicked() {
                sequence.ask(Request::KeepAsClip);
            }
        }
        summary_ui(ui, &shown);
    });
}

/// What can be done to the selected actions.
fn entry_ui(ui: &mut egui::Ui, cx: &mut UiContext, sequence: &mut SequenceWorkspace) {
    let selected = sequence.strip.selected.clone();
    let Some(value) = sequence.sequence_on_strip(cx) else {
        return;
    };
    let entry = match selected.as_slice() {
        [only] => value.actions.entry(*only),
        _ => None,
    };
    if let Some(entry) = entry {
        let mut repeats = entry.repeats;
        ui.label("Repeat");
        let most = ActionList::<ActionSource>::MOST_REPEATS;
        let value = egui::DragValue::new(&mut repeats)
            .range(1..=most)
            .speed(0.05);
        if ui
            .add(value)
            .on_hover_text("How often it is played")
            .changed()
        {
            let id = entry.id;
            sequence.ask(Request::EditStrip(Edit::Repeat(id, repeats)));
        }
    }
    ui.add_enabled_ui(!selected.is_empty(), |ui| {
        if ui.button("Duplicate").clicked() {
            sequence.ask(Request::EditStrip(Edit::Duplicate(selected.clone())));
        }
        if ui.button("Delete action").clicked() {
            sequence.ask(Request::EditStrip(Edit::Remove(selected)));
        }
    });
}

/// How good the transitions are, and what is left out.
fn summary_ui(ui: &mut egui::Ui, shown: &Evaluated) {
    let colours = Colours::of(ui);
    let norms = shown.graph.norms();
    let joins = shown
        .plays
        .iter()
        .filter_map(|play| play.transition.as_ref());
    let rough = joins
        .clone()
        .filter(|t| !t.quality.keeps_limits(norms))
        .count();
    let n = joins.count();
    if n > 0 && rough == 0 {
        ui.colored_label(
            colours.good,
            format!("{}, all within limits", counted(n, "join")),
        );
    } else if n > 0 {
        let words = format!("{rough} of {} over the limits", counted(n, "join"));
        ui.colored_label(colours.warning, words);
    }
    if let Some((_, why)) = shown.skipped.first() {
        let words = format!(
            "{} not played: {why}",
            counted(shown.skipped.len(), "action")
        );
        ui.colored_label(colours.warning, words);
    }
}

/// With nothing set up.
fn first_ui(ui: &mut egui::Ui, cx: &mut UiContext, sequence: &mut SequenceWorkspace) {
    ui.vertical_centered(|ui| {
        ui.add_space(10.0);
        ui.heading("Line up actions");
        ui.weak("Drag actions here, or double-click them. Transitions are found in the clips.");
        ui.add_space(6.0);
        let has_clips = cx.document().n_clips() > 1;
        let button = ui.add_enabled(has_clips, egui::Button::new("Make an example"));
        let tip =
            "Builds a graph of fight actions, or of the first clips, and lines up six of them";
        if button.on_hover_text(tip).clicked() {
            sequence.ask(Request::MakeExample);
        }
    });
}

/// While there is nothing to draw: why, and what helps.
fn waiting_ui(
    ui: &egui::Ui,
    cx: &UiContext,
    sequence: &SequenceWorkspace,
    rect: Rect,
    value: &Sequence,
) {
    let words = if value.actions.entries.is_empty() {
        "Drag actions here, or double-click them"
    } else if sequence.chosen_graph(cx).is_none() {
        "Select clips in the table and build a graph of them: transitions are found in it"
    } else if sequence.graphs.is_building() {
        "Building the transition graph…"
    } else if sequence.graphs.failure().is_some() {
        "The transition graph could not be built"
    } else {
        "Joining actions…"
    };
    let weak = Colours::of(ui).weak;
    let font = FontId::proportional(14.0);
    ui.painter()
        .text(rect.center(), Align2::CENTER_CENTER, words, font, weak);
}

fn paint(
    ui: &egui::Ui,
    cx: &UiContext,
    sequence: &SequenceWorkspace,
    value: &Sequence,
    shown: &Evaluated,
    layout: &Layout,
) {
    let colours = Colours::of(ui);
    let painter = ui.painter_at(layout.rect);
    ruler(&painter, &colours, shown, layout);
    for block in &layout.blocks {
        let source = value.actions.entry(block.entry).map(|entry| &entry.source);
        let Some(source) = source else { continue };
        let base = match source {
            ActionSource::Clip(_) => colours.given,
            _ => colours.generated,
        };
        let is_selected = sequence.strip.selected.contains(&block.entry);
        painter.rect_filled(block.action, 3.0, base.gamma_multiply(0.45));
        let edge = if is_selected {
            Stroke::new(2.0, colours.selected)
        } else {
            Stroke::new(1.0, base)
        };
        painter.rect_stroke(block.action, 3.0, edge, StrokeKind::Inside);
        let entry_repeats = value.actions.entry(block.entry).map_or(1, |e| e.repeats);
        let mut words = called(cx, source);
        if entry_repeats > 1 {
            words = format!("{words}  {}/{entry_repeats}", block.repeat + 1);
        }
        let inside = painter.with_clip_rect(block.action.shrink(3.0).intersect(layout.rect));
        let at = block.action.left_center() + vec2(6.0, 0.0);
        inside.text(
            at,
            Align2::LEFT_CENTER,
            words,
            FontId::proportional(13.0),
            colours.text,
        );
        let made = shown
            .plays
            .get(block.play)
            .and_then(|play| play.transition.as_ref());
        if let (Some(rect), Some(made)) = (block.join, made) {
            let is_chosen = sequence.join.chosen == Some((block.entry, block.repeat));
            join(&painter, &colours, shown, rect, made, is_chosen);
        }
    }
    let fps = shown.graph.rig().fps;
    let x = layout.rect.left() + (cx.session.playhead_secs * fps) as f32 * layout.per_frame;
    let stroke = Stroke::new(1.5, colours.generated);
    painter.vline(x, layout.rect.y_range(), stroke);
}

fn ruler(painter: &egui::Painter, colours: &Colours, shown: &Evaluated, layout: &Layout) {
    let per_sec = layout.per_frame * shown.graph.rig().fps as f32;
    let steps = [0.25, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0, 60.0, 300.0];
    let step = steps
        .into_iter()
        .find(|step| step * per_sec > 55.0)
        .unwrap_or(600.0);
    let mut secs = 0.0;
    while secs * per_sec < layout.rect.width() {
        let x = layout.rect.left() + secs * per_sec;
        let top = layout.rect.top();
        painter.vline(x, top..=top + 6.0, Stroke::new(1.0, colours.weak));
        let at = pos2(x + 3.0, top + 1.0);
        let font = FontId::proportional(11.0);
        painter.text(
            at,
            Align2::LEFT_TOP,
            format!("{secs} s"),
            font,
            colours.weak,
        );
        secs += step;
    }
}

/// A transition: its colour is its quality, its words are its kind, length and cost.
fn join(
    painter: &egui::Painter,
    colours: &Colours,
    shown: &Evaluated,
    rect: Rect,
    made: &Transition,
    is_chosen: bool,
) {
    let is_good = made.quality.keeps_limits(shown.graph.norms());
    let colour = if is_good {
        colours.good
    } else {
        colours.warning
    };
    painter.rect_filled(rect, 3.0, colour.gamma_multiply(0.35));
    let edge = if is_chosen { colours.selected } else { colour };
    let width = if is_chosen { 2.0 } else { 1.0 };
    painter.rect_stroke(rect, 3.0, Stroke::new(width, edge), StrokeKind::Inside);
    let font = FontId::proportional(10.5);
    let mark = if is_good { "" } else { "! " };
    let lines = [
        format!("{mark}{}", short_name(&made.kind)),
        format!("{} f · {:.1}", made.frames, made.cost),
    ];
    for (line, words) in lines.into_iter().enumerate() {
        let at = pos2(rect.center().x, rect.top() + 9.0 + 13.0 * line as f32);
        painter.text(at, Align2::CENTER_CENTER, words, font.clone(), colours.text);
    }
}

/// What is under the pointer.
fn block_at(layout: &Layout, at: egui::Pos2) -> Option<(&Block, bool)> {
    let blocks = layout.blocks.iter();
    let hit = |block: &Block| {
        let on_join = block.join.is_some_and(|rect| rect.contains(at));
        (on_join || block.action.contains(at)).then_some(on_join)
    };
    blocks.rev().find_map(|block| Some((block, hit(block)?)))
}

fn touch(
    ui: &egui::Ui,
    cx: &mut UiContext,
    sequence: &mut SequenceWorkspace,
    response: &egui::Response,
    layout: &Layout,
    order: &[EntryId],
) {
    let Some(at) = response
        .interact_pointer_pos()
        .or_else(|| response.hover_pos())
    else {
        return;
    };
    let under = block_at(layout, at);
    if response.clicked() || response.secondary_clicked() {
        click(ui, cx, sequence, under);
        if let Some((block, true)) = under {
            see_join(cx, sequence, block);
        }
    }
    let press = ui.input(|input| input.pointer.press_origin()).unwrap_or(at);
    if response.drag_started_by(egui::PointerButton::Primary) {
        sequence.strip.hold = take_hold(cx, sequence, layout, press);
    }
    match sequence.strip.hold {
        Some(Hold::Playhead) => scrub(cx, sequence, layout, at.x),
        Some(Hold::Block(_)) => {
            let places: Vec<f32> = layout.blocks.iter().map(|b| b.action.left()).collect();
            let place = layout.place_at(at.x, order);
            let id = order.get(place);
            let first = layout.blocks.iter().position(|b| Some(&b.entry) == id);
            let x = first.map_or(layout.rect.right() - 1.0, |first| places[first]);
            let stroke = Stroke::new(3.0, Colours::of(ui).selected);
            ui.painter().vline(x, layout.rect.y_range(), stroke);
        }
        Some(Hold::Edge {
            entry,
            is_start,
            began,
            from_x,
        }) => {
            let fps = sequence.graph().map_or(30.0, |graph| graph.rig().fps);
            let secs = f64::from((at.x - from_x) / layout.per_frame) / fps;
            let mut trim = began;
            if is_start {
                trim.start_secs = (began.start_secs + secs).max(0.0);
            } else {
                trim.end_secs = (began.end_secs - secs).max(0.0);
            }
            sequence.draft(cx, "trim an action", |s| {
                if let Some(entry) = s.actions.entry_mut(entry) {
                    entry.trim = trim;
                }
            });
        }
        None => {}
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
    let (block, on_join) = block_at(layout, at)?;
    if on_join {
        return None;
    }
    let entry = block.entry;
    let value = sequence.sequence_on_strip(cx)?;
    let began: Trim = value.actions.entry(entry)?.trim;
    let near = |x: f32| (at.x - x).abs() <= EDGE;
    let edge = |is_start| Hold::Edge {
        entry,
        is_start,
        began,
        from_x: at.x,
    };
    Some(if near(block.action.left()) {
        edge(true)
    } else if near(block.action.right()) {
        edge(false)
    } else {
        Hold::Block(entry)
    })
}

fn scrub(cx: &mut UiContext, sequence: &SequenceWorkspace, layout: &Layout, x: f32) {
    let fps = sequence.graph().map_or(30.0, |graph| graph.rig().fps);
    let frame = ((x - layout.rect.left()) / layout.per_frame).max(0.0);
    let last = (layout.rect.width() / layout.per_frame - 1.0).max(0.0);
    cx.session.playhead_secs = f64::from(frame.min(last)).round() / fps;
}

fn menu_ui(response: &egui::Response, sequence: &mut SequenceWorkspace, value: &Sequence) {
    response.context_menu(|ui| {
        let selected = sequence.strip.selected.clone();
        if selected.is_empty() {
            ui.weak("No action is selected");
            return;
        }
        if let [only] = selected.as_slice()
            && let Some(entry) = value.actions.entry(*only)
        {
            if ui.button("Repeat once more").clicked() {
                let repeats = entry.repeats + 1;
                sequence.ask(Request::EditStrip(Edit::Repeat(*only, repeats)));
            }
            if ui.button("Play once").clicked() {
                sequence.ask(Request::EditStrip(Edit::Repeat(*only, 1)));
            }
            ui.separator();
        }
        if ui.button("Duplicate").clicked() {
            sequence.ask(Request::EditStrip(Edit::Duplicate(selected.clone())));
        }
        if ui.button("Move to the start").clicked() {
            sequence.ask(Request::EditStrip(Edit::Move(selected.clone(), 0)));
        }
        if ui.button("Move to the end").clicked() {
            sequence.ask(Request::EditStrip(Edit::Move(selected.clone(), usize::MAX)));
        }
        ui.separator();
        if ui.button("Delete").clicked() {
            sequence.ask(Request::EditStrip(Edit::Remove(selected)));
        }
    });
}
