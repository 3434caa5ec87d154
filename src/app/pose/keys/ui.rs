//! Keyframes: the panel. Poses are keyed, moved, copied; handles follow paths; styles change along the shot.

use std::sync::Arc;

use crate::app::pose::keys::SOLVE;
use crate::app::pose::requests::Request as PoseRequest;
use crate::app::pose::state::PoseWorkspace;
use crate::app::shell::context::UiContext;
use crate::app::shell::words::counted;
use crate::document::{HandlePathKey, Keying, Learned, ModelId};

/// I keys the pose at the playhead, Delete takes the chosen key away. Both mean something else where clips are seen,
/// which is why they are asked for here, before the table of actions.
pub(in crate::app) fn handle_keys(
    ctx: &egui::Context,
    cx: &mut UiContext,
    pose: &mut PoseWorkspace,
) {
    if !pose.shows_posed(cx) || ctx.egui_wants_keyboard_input() {
        return;
    }
    let none = egui::Modifiers::NONE;
    let pressed = |key| ctx.input_mut(|input| input.consume_key(none, key));
    if pressed(egui::Key::I) {
        pose.insert_key(cx);
    }
    if pose.keys.chosen.is_some() && pressed(egui::Key::Delete) {
        pose.delete_key(cx);
    }
}

/// Draws the panel of keyframes, handle paths and style ranges.
pub(in crate::app) fn keys_ui(ui: &mut egui::Ui, cx: &mut UiContext, pose: &mut PoseWorkspace) {
    let Some((_, keying)) = pose.keying_now(cx) else {
        ui.weak("Make a character first. Key some of its poses along the timeline, and the motion between them follows the style.");
        return;
    };
    // What comes of it stays in sight, however small the panel is.
    egui::Panel::bottom("key result").show(ui, |ui| result_ui(ui, cx, pose, &keying));
    egui::ScrollArea::vertical()
        .auto_shrink(false)
        .show(ui, |ui| {
            buttons_ui(ui, cx, pose, &keying);
            shot_ui(ui, cx, pose, &keying);
            ui.separator();
            handle_paths_ui(ui, cx, pose, &keying);
            ui.separator();
            styles_ui(ui, cx, pose, &keying);
        });
}

fn buttons_ui(ui: &mut egui::Ui, cx: &mut UiContext, pose: &mut PoseWorkspace, keying: &Keying) {
    let frame = PoseWorkspace::key_frame_now(cx, keying);
    ui.horizontal_wrapped(|ui| {
        let tip = "Keys the pose at the playhead (I)";
        if ui.button("Key pose").on_hover_text(tip).clicked() {
            pose.insert_key(cx);
        }
        let chosen = pose.keys.chosen.filter(|f| keying.key(*f).is_some());
        let chosen = chosen.or_else(|| keying.key(frame).map(|key| key.frame));
        let is_chosen = chosen.is_some();
        let delete = ui.add_enabled(is_chosen, egui::Button::new("Delete key"));
        if delete.clicked() {
            pose.delete_key(cx);
        }
        let copy = ui.add_enabled(is_chosen, egui::Button::new("Copy key"));
        if copy.clicked() {
            let key = chosen.and_then(|frame| keying.key(frame));
            pose.keys.copied = key.map(|key| key.pose.clone());
        }
        let copied = pose.keys.copied.clone();
        let paste = ui.add_enabled(copied.is_some(), egui::Button::new("Paste key"));
        let tip = "Keys the copied pose at the playhead";
        if paste.on_hover_text(tip).clicked()
            && let Some(copied) = copied
        {
            pose.edit_keys(cx, format!("paste key {frame} of"), |keying| {
                keying.set_key(frame, copied);
            });
        }
    });
    ui.horizontal_wrapped(|ui| {
        let keys = &mut pose.keys;
        ui.checkbox(&mut keys.is_auto, "Auto-key")
            .on_hover_text("Whatever changes the pose keys it at the playhead");
        ui.checkbox(&mut keys.shows_ways, "Motion paths")
            .on_hover_text("The paths that handles follow, in the 3D view");
        ui.checkbox(&mut keys.shows_onions, "Onion skins")
            .on_hover_text("The keyed poses before (blue) and after (orange)");
        if keys.shows_onions {
            ui.add(egui::DragValue::new(&mut keys.n_onions).range(1..=10))
                .on_hover_text("How many on either side");
        }
    });
}

fn shot_ui(ui: &mut egui::Ui, cx: &mut UiContext, pose: &mut PoseWorkspace, keying: &Keying) {
    let first_free = keying.keys.last().map_or(1, |key| key.frame + 1);
    let (mut n_frames, mut fps) = (keying.n_frames, keying.fps);
    ui.horizontal(|ui| {
        ui.label("Shot");
        let range = first_free..=Keying::MOST_FRAMES;
        let frames = ui.add(
            egui::DragValue::new(&mut n_frames)
                .range(range)
                .suffix(" frames"),
        );
        let rate = ui.add(
            egui::DragValue::new(&mut fps)
                .range(1.0..=240.0)
                .suffix(" fps"),
        );
        let is_done = |r: &egui::Response| r.drag_stopped() || r.lost_focus();
        if is_done(&frames) || is_done(&rate) || frames.changed() || rate.changed() {
            pose.edit_keys(cx, "change length of", |keying| {
                keying.n_frames = n_frames;
                keying.fps = fps;
            });
        }
    });
}

/// Which handles follow paths, and the tangents of the chosen one.
fn handle_paths_ui(
    ui: &mut egui::Ui,
    cx: &mut UiContext,
    pose: &mut PoseWorkspace,
    keying: &Keying,
) {
    let Some((_, posed)) = pose.active_posed(cx) else {
        return;
    };
    let posed = Arc::clone(posed);
    let Some(rig) = pose.figure(&posed.skeleton).map(|f| Arc::clone(&f.rig)) else {
        return;
    };
    ui.label("Handles with motion paths");
    ui.horizontal_wrapped(|ui| {
        for handle in rig.handles_of(&posed) {
            let follows = keying.path(handle.site).is_some();
            let words = egui::RichText::new(&handle.name);
            let words = if follows { words } else { words.weak() };
            let is_chosen = pose.keys.site == Some(handle.site);
            let button = ui.selectable_label(is_chosen, words);
            let tip = "Click to edit its motion path; double-click to give it one or none";
            let button = button.on_hover_text(tip);
            if button.double_clicked() {
                pose.edit_keys(
                    cx,
                    format!("change motion path of {} of", handle.name),
                    |keying| {
                        keying.set_follows(handle.site, !follows);
                    },
                );
            } else if button.clicked() {
                pose.keys.site = (!is_chosen).then_some(handle.site);
            }
        }
    });
    let Some(site) = pose.keys.site.filter(|s| keying.path(*s).is_some()) else {
        ui.weak(
            "Choose a handle to see the tangents of its motion path in the 3D view and drag them.",
        );
        return;
    };
    let frame = PoseWorkspace::key_frame_now(cx, keying);
    let own = keying.path(site).and_then(|path| path.at(frame));
    ui.horizontal_wrapped(|ui| {
        if keying.key(frame).is_none() {
            let curve = keying.curve(&posed.skeleton, site);
            let place = curve.and_then(|curve| curve.at(frame as f64));
            let button = ui.add_enabled(place.is_some(), egui::Button::new("Key path here"));
            let tip = "A key of this path alone at the playhead, to be dragged in the 3D view";
            if button.on_hover_text(tip).clicked() {
                let key = HandlePathKey {
                    frame,
                    place,
                    tangent: None,
                };
                pose.edit_keys(cx, "key a motion path of", |keying| {
                    keying.set_path_key(site, key);
                });
            }
        }
        if own.is_some_and(|own| own.tangent.is_some()) && ui.button("Automatic tangent").clicked()
        {
            let key = HandlePathKey {
                frame,
                place: own.and_then(|own| own.place),
                tangent: None,
            };
            pose.edit_keys(cx, "smooth a motion path of", |keying| {
                keying.set_path_key(site, key);
            });
        }
        if own.is_some_and(|own| own.place.is_some()) && ui.button("Delete path key").clicked() {
            let key = HandlePathKey {
                frame,
                place: None,
                tangent: None,
            };
            pose.edit_keys(cx, "delete a key of a motion path of", |keying| {
                keying.set_path_key(site, key);
            });
        }
    });
}

/// Which style fills which range.
fn styles_ui(ui: &mut egui::Ui, cx: &mut UiContext, pose: &mut PoseWorkspace, keying: &Keying) {
    let models = cx.document().models().iter();
    let styles: Vec<(ModelId, String)> = models
        .filter(|model| matches!(model.learned, Learned::Style(_)))
        .map(|model| (model.id, model.name.clone()))
        .collect();
    if styles.is_empty() {
        ui.weak("Without a style joints turn evenly from key to key. Learn one under Styles for natural motion.");
        return;
    }
    let frame = PoseWorkspace::key_frame_now(cx, keying);
    ui.horizontal(|ui| {
        ui.label(format!("From frame {frame} on"));
        egui::ComboBox::from_id_salt("style range")
            .selected_text("change style")
            .show_ui(ui, |ui| {
                for (id, name) in &styles {
                    if ui.selectable_label(false, name).clicked() {
                        pose.edit_keys(cx, format!("change style at frame {frame} of"), |keying| {
                            keying.set_style_range(frame, Some(vec![(*id, 1.0)]));
                        });
                    }
                }
            });
    });
    for range in &keying.style_ranges {
        ui.horizontal(|ui| {
            let from = range.from;
            let named = |id: ModelId| styles.iter().find(|(other, _)| *other == id);
            let names = range.styles.iter().filter_map(|(id, _)| named(*id));
            let names: Vec<&str> = names.map(|(_, name)| name.as_str()).collect();
            ui.label(format!("from {from}: {}", names.join(", ")));
            if ui.small_button("x").on_hover_text("Ends it").clicked() {
                pose.edit_keys(cx, format!("end style at frame {from} of"), |keying| {
                    keying.set_style_range(from, None);
                });
            }
        });
    }
}

fn result_ui(ui: &mut egui::Ui, cx: &mut UiContext, pose: &mut PoseWorkspace, keying: &Keying) {
    let has_motion = pose.key_motion(cx).is_some();
    ui.add_space(4.0);
    ui.horizontal_wrapped(|ui| {
        let button = ui.add_enabled(has_motion, egui::Button::new("Make clip"));
        let tip = "Puts the motion from the first key to the last into the library";
        if button
            .on_hover_text(tip)
            .on_disabled_hover_text("Key some poses first")
            .clicked()
        {
            pose.requests.ask(PoseRequest::KeepKeyMotion);
        }
        let button = ui.add_enabled(has_motion, egui::Button::new("Export motion…"));
        let tip = "Writes the motion from the first key to the last to a file";
        if button
            .on_hover_text(tip)
            .on_disabled_hover_text("Key some poses first")
            .clicked()
        {
            pose.export_key_motion(cx);
        }
        ui.weak(counted(keying.keys.len(), "keyed pose"));
        if cx.work.is_running(SOLVE) {
            ui.spinner();
            ui.weak("solving");
        }
    });
}
