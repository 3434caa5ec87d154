//! The graph in words, above the actions: is it connected, which clips are islands, what would help.

use std::sync::Arc;

use egui_material_icons::icons::ICON_ARROW_DROP_DOWN;

use crate::app::sequence::graphs::BUILD_JOB;
use crate::app::sequence::state::{Request, SequenceWorkspace};
use crate::app::shell::context::UiContext;
use crate::app::shell::requests::Request as ShellRequest;
use crate::app::shell::retarget::offer_ui::one_skeleton_ui;
use crate::app::shell::theme::Colours;
use crate::app::shell::words::counted;
use crate::document::{ClipId, Command, GraphId};
use crate::motion::Clip;
use crate::transition::GraphSummary;

/// Draws a few lines.
pub fn graph_ui(ui: &mut egui::Ui, cx: &mut UiContext, sequence: &mut SequenceWorkspace) {
    ui.horizontal_wrapped(|ui| {
        choice_ui(ui, cx, sequence);
        build_ui(ui, cx, sequence);
        change_ui(ui, cx, sequence);
    });
    skeletons_ui(ui, cx, sequence);
    if let Some(job) = cx.work.named(BUILD_JOB) {
        ui.add(egui::ProgressBar::new(job.progress() as f32).text("Building the graph"));
    } else if let Some(why) = sequence.graphs.failure() {
        ui.colored_label(ui.visuals().error_fg_color, why);
        if ui.button("Try again").clicked() {
            sequence.retry_graph();
        }
    } else if let Some(summary) = sequence.graph_summary() {
        summary_ui(ui, summary);
    } else {
        ui.weak("Select clips in the table, or choose a set, and build a graph of them.");
    }
}

/// What a graph would be built from: what is selected, or else everything.
struct Buildable {
    clips: Vec<ClipId>,
    is_selection: bool,
}

impl Buildable {
    fn of(cx: &UiContext) -> Self {
        let all = cx.document().clip_order();
        let selection = &cx.session.selection;
        // One clip has nothing to go over into.
        let is_selection = selection.len() > 1 || all.len() < 2;
        let clips = if is_selection {
            selection.iter().copied().collect()
        } else {
            all.to_vec()
        };
        Self {
            clips,
            is_selection,
        }
    }

    fn words(&self) -> String {
        let n = self.clips.len();
        if self.is_selection {
            counted(n, "selected clip")
        } else {
            format!("all {}", counted(n, "clip"))
        }
    }
}

/// Clips of a graph that was built share a skeleton: nothing else is asked about, unless more is selected.
fn skeletons_ui(ui: &mut egui::Ui, cx: &mut UiContext, sequence: &SequenceWorkspace) {
    let buildable = Buildable::of(cx);
    if !buildable.is_selection && sequence.chosen_graph(cx).is_some() {
        return;
    }
    let document = cx.document();
    let there = |id: &ClipId| Some((*id, Arc::clone(document.clip(*id)?)));
    let clips: Vec<(ClipId, Arc<Clip>)> = buildable.clips.iter().filter_map(there).collect();
    one_skeleton_ui(ui, cx, &clips);
}

/// Which graph the sequence is joined in, where there are several.
fn choice_ui(ui: &mut egui::Ui, cx: &mut UiContext, sequence: &mut SequenceWorkspace) {
    let all: Vec<(GraphId, String)> = cx
        .document()
        .graphs()
        .iter()
        .map(|(id, graph)| {
            let clips = counted(graph.clips.len(), "clip");
            (*id, format!("{} ({clips})", graph.name))
        })
        .collect();
    let now = sequence.chosen_graph(cx).map(|(id, _)| id);
    let Some((id, name)) = all.iter().find(|(id, _)| Some(*id) == now) else {
        return;
    };
    if all.len() < 2 {
        return;
    }
    let menu = ui.menu_button((name.clone(), ICON_ARROW_DROP_DOWN), |ui| {
        for (other, name) in &all {
            if ui.selectable_label(other == id, name).clicked() {
                sequence.ask(Request::UseGraph(*other));
                ui.close();
            }
        }
        ui.separator();
        if ui.button("Delete this graph").clicked() {
            cx.ask(ShellRequest::Edit(Command::RemoveGraph(*id)));
            ui.close();
        }
    });
    menu.response
        .on_hover_text("The graph that the sequence finds its transitions in");
}

/// From what can be built, or from a set.
fn build_ui(ui: &mut egui::Ui, cx: &UiContext, sequence: &mut SequenceWorkspace) {
    let buildable = Buildable::of(cx);
    let button = egui::Button::new(format!("Build graph from {}", buildable.words()));
    let build = ui.add_enabled(!buildable.clips.is_empty(), button);
    let tip = "Finds the transitions between these clips; actions are joined by them";
    if build.on_hover_text(tip).clicked() {
        sequence.ask(Request::BuildGraph(buildable.clips));
    }
    if !cx.document().sets().is_empty() {
        ui.menu_button("From a set", |ui| {
            for set in cx.document().sets() {
                let words = format!("{} ({})", set.name, counted(set.clips.len(), "clip"));
                if ui.button(words).clicked() {
                    sequence.ask(Request::BuildGraph(set.clips.clone()));
                    ui.close();
                }
            }
        });
    }
}

/// Selected clips come into the graph that is there, or go out of it: only what changes is made again.
fn change_ui(ui: &mut egui::Ui, cx: &UiContext, sequence: &mut SequenceWorkspace) {
    let Some((_, graph)) = sequence.chosen_graph(cx) else {
        return;
    };
    let selected = cx.session.selection.iter().copied();
    let (known, new): (Vec<ClipId>, Vec<ClipId>) =
        selected.partition(|id| graph.clips.contains(id));
    let is_rest = known.len() < graph.clips.len();
    if !new.is_empty() {
        let add = ui.button(format!("Add {} to it", new.len()));
        let tip = "Adds the selected clips to the graph that is there";
        if add.on_hover_text(tip).clicked() {
            sequence.ask(Request::AddToGraph(new));
        }
    } else if !known.is_empty() && is_rest {
        let take = ui.button(format!("Take {} out", known.len()));
        let tip = "Takes the selected clips out of the graph; they stay in the library";
        if take.on_hover_text(tip).clicked() {
            sequence.ask(Request::TakeFromGraph(known));
        }
    }
}

/// Whether it holds together, and what to do if it does not.
fn summary_ui(ui: &mut egui::Ui, summary: &GraphSummary) {
    let numbers = format!(
        "{}, {}, {}",
        counted(summary.frames, "frame"),
        counted(summary.clusters, "cluster"),
        counted(summary.transitions, "transition"),
    );
    ui.weak(numbers);
    let colours = Colours::of(ui);
    let n = summary.islands.len();
    if n == 0 {
        let tip = "The start of every clip is reached from at least half of all frames";
        ui.colored_label(colours.good, "Connected")
            .on_hover_text(tip);
        return;
    }
    let words = match summary.islands.as_slice() {
        [only] => format!("{only} is an island"),
        many => format!("{} are islands", counted(many.len(), "clip")),
    };
    let tip = format!(
        "Fewer than half of all frames lead to the start of: {}.\nThey are joined directly or by a curve. \
         Clips that pass near their first poses would help.",
        summary.islands.join(", ")
    );
    ui.colored_label(colours.warning, words).on_hover_text(tip);
}
