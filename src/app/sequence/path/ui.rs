//! The panel of paths: tools, actions along the path, how well it is walked, what becomes of the walk.

use std::sync::Arc;

use crate::app::sequence::path::PathTool;
use crate::app::sequence::state::{Request, SequenceWorkspace};
use crate::app::sequence::textures::ui::texture_ui;
use crate::app::shell::actions::Action;
use crate::app::shell::context::UiContext;
use crate::app::shell::dialogs::Dialog;
use crate::app::shell::dialogs::dialog::ExportBox;
use crate::app::shell::requests::Request as ShellRequest;
use crate::app::shell::ui::rename::begin_typing;
use crate::document::{Command, DrawnPath, PathId};
use crate::texture::Texture;

/// Draws the panel of drawn paths: points, actions along them, settings.
pub fn path_ui(ui: &mut egui::Ui, cx: &mut UiContext, sequence: &mut SequenceWorkspace) {
    sequence.path.is_seen = true;
    egui::ScrollArea::vertical()
        .auto_shrink(false)
        .show(ui, |ui| {
            texture_ui(ui, cx, sequence);
            let Some(texture) = sequence.path_texture(cx) else {
                return;
            };
            ui.separator();
            // There is nothing to edit yet.
            if sequence.chosen_path(cx).is_none() && sequence.path.tool == PathTool::Edit {
                sequence.path.tool = PathTool::Draw;
            }
            tools_ui(ui, cx, sequence);
            let Some((id, path)) = sequence.chosen_path(cx) else {
                ui.weak(
                    "No path yet. Drag over the floor of the 3D view: the texture walks the line.",
                );
                return;
            };
            choice_ui(ui, cx, sequence, id, &path);
            // Above the numbers, which come and go with every walk: what is clicked stays under the pointer.
            sections_ui(ui, cx, sequence, &path, &texture);
            ui.separator();
            walk_ui(ui, cx, sequence);
            settings_ui(ui, cx, sequence, &path, &texture);
        });
}

fn tools_ui(ui: &mut egui::Ui, cx: &mut UiContext, sequence: &mut SequenceWorkspace) {
    ui.horizontal_wrapped(|ui| {
        let tool = &mut sequence.path.tool;
        let before = *tool;
        ui.selectable_value(tool, PathTool::Draw, "Draw")
            .on_hover_text("Drag over the floor to draw a new path (D)");
        ui.selectable_value(tool, PathTool::Points, "Points")
            .on_hover_text("Click points of a new path one by one (P)");
        ui.selectable_value(tool, PathTool::Edit, "Edit").on_hover_text(
            "Drag points; double-click puts a new one on the line; Delete takes the selected one away",
        );
        if *tool != before {
            sequence.path.stroke.clear();
            sequence.path.is_adding = false;
        }
        if ui
            .button("From above")
            .on_hover_text("Looks from above (7)")
            .clicked()
        {
            cx.ask(ShellRequest::Do(Action::FrameAll));
            cx.ask(ShellRequest::Do(Action::Top));
        }
    });
}

/// Which path, its name, and away with it.
fn choice_ui(
    ui: &mut egui::Ui,
    cx: &mut UiContext,
    sequence: &mut SequenceWorkspace,
    id: PathId,
    path: &Arc<DrawnPath>,
) {
    let all: Vec<(PathId, String)> = cx
        .document()
        .paths()
        .iter()
        .map(|(id, path)| (*id, path.name.clone()))
        .collect();
    ui.horizontal_wrapped(|ui| {
        if let Some(mut text) = sequence.path.rename.take() {
            let edit = ui.add(egui::TextEdit::singleline(&mut text).desired_width(120.0));
            if !edit.has_focus() {
                begin_typing(&edit, &text);
            }
            let (enter, escape) = ui.input(|input| {
                (
                    input.key_pressed(egui::Key::Enter),
                    input.key_pressed(egui::Key::Escape),
                )
            });
            if enter {
                sequence.change_path(cx, "rename", |path| path.name = text);
            } else if !escape {
                sequence.path.rename = Some(text);
            }
            return;
        }
        egui::ComboBox::from_id_salt("path")
            .selected_text(&path.name)
            .show_ui(ui, |ui| {
                for (other, name) in &all {
                    if ui.selectable_label(*other == id, name).clicked() {
                        sequence.path.chosen = Some(*other);
                        sequence.path.selected = None;
                    }
                }
            });
        if ui.button("Rename").clicked() {
            sequence.path.rename = Some(path.name.clone());
        }
        if ui.button("Delete path").clicked() {
            cx.ask(ShellRequest::Edit(Command::RemovePath(id)));
        }
    });
}

/// How it is walked, and what becomes of it.
fn walk_ui(ui: &mut egui::Ui, cx: &mut UiContext, sequence: &mut SequenceWorkspace) {
    let is_current = sequence.is_walk_current(cx);
    // Above the numbers, which may be many: it stays in view.
    let walked = sequence.walked().filter(|_| is_current).map(Arc::clone);
    ui.horizontal_wrapped(|ui| {
        let keep = ui.add_enabled(walked.is_some(), egui::Button::new("Keep as clip"));
        let tip = "Puts the walk into the library";
        if keep.on_hover_text(tip).clicked() {
            sequence.ask(Request::KeepWalk);
        }
        let export = ui.add_enabled(walked.is_some(), egui::Button::new("Export walk…"));
        if let Some(walked) = walked.filter(|_| export.clicked()) {
            let clips = vec![Arc::clone(&walked.clip)];
            let mut dialog = ExportBox::of_clips(cx, walked.path.name.clone(), clips);
            dialog.name_by_clip();
            cx.dialog = Some(Dialog::Export(dialog));
        }
    });
    if let Some(why) = sequence.walk_failure().map(str::to_owned) {
        ui.colored_label(
            ui.visuals().warn_fg_color,
            format!("Cannot be walked: {why}"),
        );
        if ui.button("Try again").clicked() {
            sequence.walk_again();
        }
    } else if let (true, Some(walked)) = (is_current, sequence.walked()) {
        table_ui(ui, walked);
        for sentence in walked.sentences() {
            ui.label(sentence);
        }
    } else {
        ui.horizontal(|ui| {
            ui.spinner();
            ui.weak("walking it");
        });
    }
}

/// How well the path is followed, in numbers.
fn table_ui(ui: &mut egui::Ui, walked: &crate::app::sequence::path::solve::Walked) {
    let cm = 100.0 * walked.metres();
    let rows = [
        ("Mean distance", format!("{:.1} cm", walked.fit.mean * cm)),
        ("95th percentile", format!("{:.1} cm", walked.fit.p95 * cm)),
        ("Points hit", format!("{:.0} %", 100.0 * walked.fit.hits)),
        (
            "Foot skate",
            format!("{:.1} cm/s", 100.0 * walked.skate.mean_metres_per_sec),
        ),
        ("Length", format!("{:.1} s", walked.clip.seconds())),
    ];
    egui::Grid::new("walk").num_columns(2).show(ui, |ui| {
        for (what, value) in rows {
            ui.weak(what);
            ui.label(value);
            ui.end_row();
        }
    });
}

/// What is done from which point on.
fn sections_ui(
    ui: &mut egui::Ui,
    cx: &mut UiContext,
    sequence: &mut SequenceWorkspace,
    path: &Arc<DrawnPath>,
    texture: &Texture,
) {
    let names: Vec<String> = texture.commands().into_iter().map(|c| c.name).collect();
    ui.strong("Actions along the path");
    let mut wanted: Option<(usize, Option<String>)> = None;
    for (at, point) in path.points.iter().enumerate() {
        let is_selected = sequence.path.selected == Some(at);
        if point.action.is_none() && !is_selected && at != 0 {
            continue;
        }
        ui.horizontal(|ui| {
            let words = match at {
                0 => "from the start".to_owned(),
                _ => format!("from point {}", at + 1),
            };
            if ui.selectable_label(is_selected, words).clicked() {
                sequence.path.selected = Some(at);
            }
            let now = point.action.as_deref().unwrap_or("as before");
            let now = if at == 0 && point.action.is_none() {
                "any"
            } else {
                now
            };
            egui::ComboBox::from_id_salt(("action", at))
                .selected_text(now)
                .show_ui(ui, |ui| {
                    let none = if at == 0 { "any" } else { "as before" };
                    if ui.selectable_label(point.action.is_none(), none).clicked() {
                        wanted = Some((at, None));
                    }
                    for name in &names {
                        let is_on = point.action.as_ref() == Some(name);
                        if ui.selectable_label(is_on, name).clicked() {
                            wanted = Some((at, Some(name.clone())));
                        }
                    }
                });
        });
    }
    if sequence.path.selected.is_none() {
        ui.weak("Click a point of the path to begin another action there.");
    }
    if let Some((at, action)) = wanted {
        let what = match &action {
            Some(action) => format!("{action} from point {} of", at + 1),
            None => format!("no action from point {} of", at + 1),
        };
        sequence.change_path(cx, what, |path| {
            if let Some(point) = path.points.get_mut(at) {
                point.action = action;
            }
        });
    }
}

/// Draws the settings: rounding of corners, variation, seed.
fn settings_ui(
    ui: &mut egui::Ui,
    cx: &mut UiContext,
    sequence: &mut SequenceWorkspace,
    path: &Arc<DrawnPath>,
    texture: &Texture,
) {
    let metres = texture.corpus().rig.metric.metres;
    ui.collapsing("Settings", |ui| {
        ui.horizontal(|ui| {
            let mut is_own = path.radius.is_some();
            let own = ui.checkbox(&mut is_own, "Round corners to");
            let tip = "Otherwise as tightly as the actions turn by themselves";
            if own.on_hover_text(tip).changed() {
                let radius = is_own.then_some(0.5 / metres);
                sequence.change_path(cx, "round corners of", |path| path.radius = radius);
            }
            let radius = path.radius.unwrap_or(0.5 / metres) * metres;
            let drag = (0.1..=5.0, 0.02, " m");
            let settled = ui.add_enabled_ui(is_own, |ui| settled_ui(ui, "radius", radius, drag));
            if let Some(radius) = settled.inner {
                let radius = Some(radius / metres);
                sequence.change_path(cx, "round corners of", |path| path.radius = radius);
            }
        });
        ui.horizontal(|ui| {
            ui.label("Variation").on_hover_text(VARIATION);
            let drag = (0.0..=DrawnPath::MOST_AMOUNT, 0.02, "");
            if let Some(amount) = settled_ui(ui, "amount", path.amount, drag) {
                sequence.change_path(cx, "vary", |path| path.amount = amount);
            }
            if ui.button("Another").on_hover_text(ANOTHER).clicked() {
                sequence.change_path(cx, "change the seed of", |path| {
                    path.seed = path.seed.wrapping_add(1);
                });
            }
        });
    });
}

const VARIATION: &str =
    "How far the motion strays from the clips: 0 not at all, 1 as takes differ from each other";
const ANOTHER: &str = "Walks it in another way: the next seed";

/// A number that is dragged or typed; it is settled when it is let go, so that a drag is one step.
fn settled_ui(
    ui: &mut egui::Ui,
    name: &str,
    value: f64,
    (range, speed, suffix): (std::ops::RangeInclusive<f64>, f64, &str),
) -> Option<f64> {
    let id = ui.scope_id().with(name);
    let held = ui.data(|data| data.get_temp::<f64>(id));
    let mut now = held.unwrap_or(value);
    let drag = egui::DragValue::new(&mut now)
        .range(range)
        .speed(speed)
        .suffix(suffix);
    let response = ui.add(drag);
    if response.dragged() || response.has_focus() {
        ui.data_mut(|data| data.insert_temp(id, now));
        return None;
    }
    ui.data_mut(|data| data.remove_temp::<f64>(id));
    (now != value && (response.drag_stopped() || response.lost_focus() || held.is_some()))
        .then_some(now)
}
