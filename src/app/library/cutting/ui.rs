//! Cutting: stretches, cycles and repeats. What is proposed is looked at by pointing at it, ticked, and kept.

use std::ops::Range;
use std::sync::Arc;

use super::view::Where;
use crate::app::library::cutting::{Keeping, Proposal, ProposalKind, Proposals, RepeatPattern};
use crate::app::library::state::LibraryWorkspace;
use crate::app::shell::actions::Action;
use crate::app::shell::clips::operations::frames_in;
use crate::app::shell::context::UiContext;
use crate::app::shell::previews::Preview;
use crate::app::shell::requests::Request;
use crate::app::shell::words::counted;
use crate::document::ClipId;
use crate::motion::Clip;
use crate::motion::cycles::CutStart;

/// Draws the panel. What was found takes all of it, until it is kept or discarded.
pub fn cutting_ui(ui: &mut egui::Ui, cx: &mut UiContext, library: &mut LibraryWorkspace) {
    if let Some(proposals) = library.cut.proposals.take() {
        proposals_ui(ui, cx, library, proposals);
        return;
    }
    egui::ScrollArea::vertical()
        .auto_shrink(false)
        .show(ui, |ui| {
            stretch_ui(ui, cx, library);
            ui.separator();
            cycles_ui(ui, cx, library);
            ui.separator();
            repeats_ui(ui, cx, library);
        });
}

/// The marked stretch of the active clip.
fn marked(cx: &UiContext) -> Option<(ClipId, Arc<Clip>, Range<usize>)> {
    let (id, range) = (cx.session.active?, cx.session.range_secs?);
    let clip = cx.document().clip(id)?;
    Some((id, Arc::clone(clip), frames_in(clip, range)))
}

fn action_button_ui(ui: &mut egui::Ui, cx: &mut UiContext, action: Action, text: &str) {
    let is_enabled = cx.actions.of(action).is_enabled;
    let response = ui.add_enabled(is_enabled, egui::Button::new(text));
    let response = response.on_hover_ui(|ui| crate::app::shell::ui::tip_ui(ui, cx, action));
    if response.clicked() {
        cx.ask(Request::Do(action));
    }
}

fn stretch_ui(ui: &mut egui::Ui, cx: &mut UiContext, library: &mut LibraryWorkspace) {
    ui.strong("Range");
    let marked = marked(cx);
    match &marked {
        Some((_, clip, frames)) => ui.label(format!(
            "frames {}..{} of {}, {:.2} s",
            frames.start,
            frames.end,
            clip.info.name,
            frames.len() as f64 / clip.fps()
        )),
        None => ui.weak(
            "Mark one with In and Out at the playhead, or by a double-click on the timeline.",
        ),
    };
    ui.horizontal_wrapped(|ui| {
        action_button_ui(ui, cx, Action::SetIn, "In");
        action_button_ui(ui, cx, Action::SetOut, "Out");
        action_button_ui(ui, cx, Action::Trim, "Trim to it");
        action_button_ui(ui, cx, Action::CopyRange, "New clip of it");
        action_button_ui(ui, cx, Action::Split, "Split at playhead");
    });
    let Some((id, take, frames)) = marked else {
        return;
    };
    ui.checkbox(&mut library.cut.loops_range, "Show it as a loop")
        .on_hover_text("Plays the range again and again on the spot, with its seam closed; drag its ends on the timeline and watch");
    if library.cut.loops_range {
        let value = 0.0;
        let proposal = Proposal {
            take,
            id,
            frames,
            value,
            is_ticked: false,
        };
        preview(cx, library, ProposalKind::Cycles, &proposal);
    }
}

fn cycles_ui(ui: &mut egui::Ui, cx: &mut UiContext, library: &mut LibraryWorkspace) {
    ui.strong("Cycles");
    ui.checkbox(
        &mut library.cut.is_left_foot,
        "Begin with the left foot ahead",
    )
    .on_hover_text(
        "So that cycles of many takes begin alike; else each begins where it closes best",
    );
    let n = cx.session.selection.len();
    let button = egui::Button::new(format!("Find cycles in {}", counted(n, "clip")));
    let response = ui.add_enabled(n > 0, button);
    let tip = "Walks, jogs, hops: finds how long one round takes and where it closes best";
    if response.on_hover_text(tip).clicked() {
        let start = if library.cut.is_left_foot {
            CutStart::LeftFootAhead
        } else {
            CutStart::Anywhere
        };
        library.find_cycles(cx, start);
    }
}

fn repeats_ui(ui: &mut egui::Ui, cx: &mut UiContext, library: &mut LibraryWorkspace) {
    ui.strong("Repeats");
    let marked = marked(cx);
    let mark = ui.add_enabled(marked.is_some(), egui::Button::new("Use as query"));
    let tip = "Everything like the frames between In and Out of the active clip will be looked for";
    if mark.on_hover_text(tip).clicked() {
        library.cut.pattern = marked.map(|(_, take, frames)| RepeatPattern { take, frames });
    }
    let Some(pattern) = library.cut.pattern.clone() else {
        return;
    };
    let Range { start, end } = pattern.frames;
    ui.label(format!("like {} {start}..{end}", pattern.take.info.name));
    place_ui(ui, cx, library);
    let takes = takes(cx, library);
    let words = format!("Find repeats in {}", counted(takes, "clip"));
    let tip =
        "A quarter faster or slower, anywhere on the stage, facing anywhere, on bodies of any size";
    let response = ui.add_enabled(takes > 0, egui::Button::new(words));
    if response.on_hover_text(tip).clicked() {
        let takes = takes_of(cx, library);
        library.find_repeats(cx, pattern, takes);
    }
}

fn place_ui(ui: &mut egui::Ui, cx: &mut UiContext, library: &mut LibraryWorkspace) {
    let document = cx.document();
    let place = &mut library.cut.place;
    if let Where::Set(id) = *place
        && document.set(id).is_none()
    {
        *place = Where::Everywhere;
    }
    let shown = match *place {
        Where::Everywhere => "all clips",
        Where::Selected => "selected clips",
        Where::Set(id) => document.set(id).map_or("a set", |set| &set.name),
    };
    ui.horizontal(|ui| {
        ui.label("in");
        egui::ComboBox::from_id_salt("where")
            .selected_text(shown)
            .show_ui(ui, |ui| {
                ui.selectable_value(place, Where::Everywhere, "all clips");
                ui.selectable_value(place, Where::Selected, "selected clips");
                for set in document.sets() {
                    ui.selectable_value(place, Where::Set(set.id), &set.name);
                }
            });
    });
}

fn takes(cx: &UiContext, library: &LibraryWorkspace) -> usize {
    let document = cx.document();
    match library.cut.place {
        Where::Everywhere => document.n_clips(),
        Where::Selected => cx.session.selection.len(),
        Where::Set(id) => document.set(id).map_or(0, |set| set.clips.len()),
    }
}

fn takes_of(cx: &UiContext, library: &LibraryWorkspace) -> Vec<(ClipId, Arc<Clip>)> {
    let document = cx.document();
    let with_clip = |id: ClipId| Some((id, Arc::clone(document.clip(id)?)));
    match library.cut.place {
        Where::Everywhere => document
            .clip_order()
            .iter()
            .copied()
            .filter_map(with_clip)
            .collect(),
        Where::Selected => cx.selected_clips(),
        Where::Set(id) => {
            let ids = document.set(id).map_or(&[][..], |set| &set.clips);
            ids.iter().copied().filter_map(with_clip).collect()
        }
    }
}

fn preview(
    cx: &mut UiContext,
    library: &mut LibraryWorkspace,
    kind: ProposalKind,
    proposal: &Proposal,
) {
    if let Some(clips) = library
        .rehearsal(cx, kind, proposal)
        .filter(|clips| !clips.is_empty())
    {
        cx.previews.wish(Preview::Instead(clips));
    }
}

/// The list, with ticks; it is put back unless it was kept or thrown away.
fn proposals_ui(
    ui: &mut egui::Ui,
    cx: &mut UiContext,
    library: &mut LibraryWorkspace,
    mut proposals: Proposals,
) {
    let (n, n_ticked) = (proposals.list.len(), proposals.n_ticked());
    let what = match proposals.kind {
        ProposalKind::Cycles => "cycle",
        ProposalKind::Repeats => "repeat",
    };
    ui.strong(format!("{} found", counted(n, what)));
    ui.horizontal(|ui| {
        if ui.small_button("Tick all").clicked() {
            proposals.list.iter_mut().for_each(|p| p.is_ticked = true);
        }
        let mut best = n_ticked;
        let value = egui::DragValue::new(&mut best).range(0..=n);
        if ui.add(value.prefix("the best ")).changed() {
            let ticks = proposals.list.iter_mut().enumerate();
            ticks.for_each(|(place, p)| p.is_ticked = place < best);
        }
        if ui.small_button("Tick none").clicked() {
            proposals.list.iter_mut().for_each(|p| p.is_ticked = false);
        }
    });
    for skipped in proposals.skipped.iter().take(3) {
        ui.colored_label(ui.visuals().warn_fg_color, skipped);
    }
    if proposals.skipped.len() > 3 {
        ui.weak(format!("and {} more without", proposals.skipped.len() - 3));
    }
    // The buttons stay in sight however long the list is.
    let left = egui::Panel::bottom("keep").show_separator_line(false);
    let keep = left
        .show(ui, |ui| keep_ui(ui, library, proposals.kind, n_ticked))
        .inner;
    list_ui(ui, cx, library, &mut proposals);
    if keep != Answer::Discard {
        library.cut.proposals = Some(proposals);
    }
    if let Answer::Keep(keeping) = keep {
        library.keep_ticked(cx, keeping);
    }
}

/// What is to become of the list.
#[derive(Debug, PartialEq, Eq)]
enum Answer {
    NotYet,
    Keep(Keeping),
    Discard,
}

fn list_ui(
    ui: &mut egui::Ui,
    cx: &mut UiContext,
    library: &mut LibraryWorkspace,
    proposals: &mut Proposals,
) {
    ui.weak("Point at a line to see it play; the best come first.");
    let kind = proposals.kind;
    let height = ui.spacing().interact_size.y;
    let mut hovered = None;
    egui::ScrollArea::vertical()
        .id_salt("proposals")
        .auto_shrink(false)
        .show_rows(ui, height, proposals.list.len(), |ui, rows| {
            for proposal in &mut proposals.list[rows] {
                let words = line(kind, proposal);
                let response = ui.checkbox(&mut proposal.is_ticked, words);
                if response.hovered() {
                    hovered = Some(proposal.clone());
                }
            }
        });
    if let Some(proposal) = hovered {
        preview(cx, library, kind, &proposal);
    }
}

/// `walk_01  12..140  1.07 s  closes 98 %`.
fn line(kind: ProposalKind, proposal: &Proposal) -> String {
    let Range { start, end } = proposal.frames;
    let secs = proposal.frames.len() as f64 / proposal.take.fps();
    let name = &proposal.take.info.name;
    let value = match kind {
        ProposalKind::Cycles => format!("Loop quality {:.0} %", 100.0 * proposal.value),
        // Of a body of 1.75 m, which an animator can picture.
        ProposalKind::Repeats => format!("{:.1} cm off", 175.0 * proposal.value),
    };
    format!("{name}  {start}..{end}  {secs:.2} s  {value}")
}

fn keep_ui(
    ui: &mut egui::Ui,
    library: &mut LibraryWorkspace,
    kind: ProposalKind,
    n_ticked: usize,
) -> Answer {
    let cut = &mut library.cut;
    if kind == ProposalKind::Cycles {
        ui.checkbox(&mut cut.is_seamless, "Seamless loop");
    }
    ui.horizontal(|ui| {
        ui.checkbox(&mut cut.makes_set, "in a new set");
        let edit = egui::TextEdit::singleline(&mut cut.set_name)
            .hint_text("name of the set")
            .desired_width(130.0);
        let response = ui.add_enabled(cut.makes_set, edit);
        response.widget_info(|| {
            let mut info =
                egui::WidgetInfo::labeled(egui::Role::TextInput, true, "Name of the new set");
            info.current_text_value = Some(cut.set_name.clone());
            info
        });
    });
    let keeping = Keeping {
        is_seamless: kind == ProposalKind::Cycles && cut.is_seamless,
        set: cut.makes_set.then(|| cut.set_name.clone()),
    };
    let mut answer = Answer::NotYet;
    ui.horizontal(|ui| {
        let fill = ui.visuals().selection.bg_fill;
        let keep = egui::Button::new(format!("Keep {}", counted(n_ticked, "clip"))).fill(fill);
        if ui.add_enabled(n_ticked > 0, keep).clicked() {
            answer = Answer::Keep(keeping);
        }
        if ui.button("Discard list").clicked() {
            answer = Answer::Discard;
        }
    });
    answer
}
