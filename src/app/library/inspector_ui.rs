//! What is known about the active clip: where it came from, what was noticed, what was done, and its bones.

use std::collections::BTreeSet;
use std::sync::Arc;

use egui_material_icons::icons::{ICON_CLOSE, ICON_ROUTE};

use crate::app::shell::context::UiContext;
use crate::app::shell::requests::Request;
use crate::app::shell::session::JointPick;
use crate::app::shell::theme::Colours;
use crate::app::shell::ui::short;
use crate::app::shell::words::counted;
use crate::document::{ClipId, Command};
use crate::motion::{Clip, NoteKind, Skeleton};

/// The selected clips in detail: name, tags, numbers, notes and history.
pub fn inspector_ui(ui: &mut egui::Ui, cx: &mut UiContext) {
    egui::ScrollArea::vertical()
        .auto_shrink(false)
        .show(ui, |ui| match cx.active_clip().map(Arc::clone) {
            Some(clip) => clip_ui(ui, cx, &clip),
            None => {
                ui.weak("Select a clip to see what is known about it.");
            }
        });
}

fn clip_ui(ui: &mut egui::Ui, cx: &mut UiContext, clip: &Clip) {
    ui.strong(&clip.info.name);
    let frames = counted(clip.n_frames(), "frame");
    ui.label(format!(
        "{frames} at {} fps, {:.2} s, {} up",
        short(clip.fps()),
        clip.seconds(),
        clip.info.up
    ));
    if let Some(file) = &clip.info.file {
        let path = file.display().to_string();
        ui.add(egui::Label::new(egui::RichText::new(&path).weak()).truncate())
            .on_hover_text(path);
    }
    ui.add_space(4.0);
    tags_ui(ui, cx);
    ui.add_space(4.0);
    section_ui(ui, "Notes", clip.info.notes.len(), |ui| notes_ui(ui, clip));
    section_ui(ui, "History", clip.info.history.len(), |ui| {
        for step in &clip.info.history {
            ui.label(step);
        }
    });
    let skeleton = clip.skeleton();
    section_ui(ui, "Skeleton", skeleton.n_joints(), |ui| {
        skeleton_ui(ui, cx, skeleton);
    });
}

fn section_ui(ui: &mut egui::Ui, name: &str, n: usize, content: impl FnOnce(&mut egui::Ui)) {
    egui::CollapsingHeader::new(format!("{name} ({n})"))
        .id_salt(name)
        .default_open(name == "Notes")
        .show(ui, content);
}

/// Tags of all selected clips; a new one goes to all of them.
fn tags_ui(ui: &mut egui::Ui, cx: &mut UiContext) {
    // Looking through a whole library in every frame would be felt; tags repeat long before that.
    const MOST_READ: usize = 1000;
    let clips: Vec<ClipId> = cx.session.selection.iter().copied().collect();
    let read = clips.iter().take(MOST_READ);
    let read = read.filter_map(|id| cx.document().clip(*id));
    let tags: BTreeSet<String> = read
        .flat_map(|clip| clip.info.tags.iter().cloned())
        .collect();
    ui.horizontal_wrapped(|ui| {
        for tag in &tags {
            let button = ui.button((tag.as_str(), ICON_CLOSE.rich_text().small()));
            button.widget_info(|| {
                let words = format!("Remove tag {tag}");
                egui::WidgetInfo::labeled(egui::Role::Button, true, words)
            });
            if button
                .on_hover_text("Takes this tag off the selected clips")
                .clicked()
            {
                cx.ask(Request::Edit(Command::RemoveTag {
                    clips: clips.clone(),
                    tag: tag.clone(),
                }));
            }
        }
        let edit = egui::TextEdit::singleline(&mut cx.session.tag)
            .hint_text("new tag")
            .desired_width(90.0);
        let response = ui.add(edit);
        response.widget_info(|| {
            let mut info = egui::WidgetInfo::labeled(egui::Role::TextInput, true, "New tag");
            info.current_text_value = Some(cx.session.tag.clone());
            info
        });
        let is_entered = response.lost_focus() && ui.input(|i| i.key_pressed(egui::Key::Enter));
        if is_entered && !cx.session.tag.trim().is_empty() {
            let tag = std::mem::take(&mut cx.session.tag).trim().to_owned();
            cx.ask(Request::Edit(Command::AddTag { clips, tag }));
        }
    });
}

fn notes_ui(ui: &mut egui::Ui, clip: &Clip) {
    let colours = Colours::of(ui);
    for note in &clip.info.notes {
        let (kind, colour) = match note.kind {
            NoteKind::Repaired => ("repaired", colours.warning),
            NoteKind::Guessed => ("guessed", colours.weak),
            NoteKind::Noticed => ("noticed", colours.weak),
        };
        ui.horizontal_wrapped(|ui| {
            ui.colored_label(colour, kind);
            ui.label(note.to_string());
        });
    }
    if clip.info.notes.is_empty() {
        ui.weak("No problems found.");
    }
}

/// The tree of joints, indented by depth; parents come before children. A click lights a joint up in the 3D view.
fn skeleton_ui(ui: &mut egui::Ui, cx: &mut UiContext, skeleton: &Skeleton) {
    let Some(clip) = cx.session.active else {
        return;
    };
    for (joint, found) in skeleton.joints().iter().enumerate() {
        let name = &found.name;
        let depth = skeleton.ancestors(joint).count() - 1;
        ui.horizontal(|ui| {
            trail_ui(ui, cx, name);
            ui.add_space(10.0 * (depth.min(40)) as f32);
            let pick = JointPick {
                clip: clip.into(),
                joint,
            };
            let is_lit = cx.session.joint == Some(pick);
            let button = egui::Button::selectable(is_lit, name.as_str()).frame_when_inactive(false);
            let button = ui.add(button);
            if button
                .on_hover_text("Lights it up in the 3D view")
                .clicked()
            {
                cx.session.joint = (!is_lit).then_some(pick);
            }
        });
    }
}

/// Whether the way of a joint is drawn.
fn trail_ui(ui: &mut egui::Ui, cx: &mut UiContext, name: &str) {
    let is_on = cx.session.trails.contains(name);
    let icon = ICON_ROUTE.rich_text().small();
    let icon = if is_on { icon } else { icon.weak() };
    let button = egui::Button::selectable(is_on, icon).frame_when_inactive(false);
    let button = ui.add(button);
    button.widget_info(|| {
        let words = format!("Trail of {name}");
        egui::WidgetInfo::selected(egui::Role::Button, true, is_on, words)
    });
    if button
        .on_hover_text("Draws its motion path in the 3D view")
        .clicked()
    {
        if is_on {
            cx.session.trails.remove(name);
        } else {
            cx.session.trails.insert(name.to_owned());
            cx.preferences.view.shows_trails = true;
        }
    }
}
