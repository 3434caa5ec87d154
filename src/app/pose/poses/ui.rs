//! The pose library: kept poses as small pictures, to be put on the character in whole or in part.

use std::collections::BTreeSet;
use std::sync::Arc;

use egui::{Color32, Rect, Sense, pos2, vec2};

use crate::app::pose::handles::rig::BodyHandles;
use crate::app::pose::handles::ui::bones::paint_bones;
use crate::app::pose::poses::{PoseRegion, found};
use crate::app::pose::requests::Request as PoseRequest;
use crate::app::pose::state::{Extra, OnionSkin, PoseWorkspace};
use crate::app::render::Colour;
use crate::app::shell::context::UiContext;
use crate::app::shell::requests::Request;
use crate::app::shell::theme::Colours;
use crate::document::{Command, KeptPose, PoseId};
use crate::motion::{Body, Side, Skeleton, WorldPose};

/// Draws the pose library, with a preview of the pose under the pointer.
pub(in crate::app) fn poses_ui(ui: &mut egui::Ui, cx: &mut UiContext, pose: &mut PoseWorkspace) {
    pose.draw_thumbnails(cx);
    keep_ui(ui, cx, pose);
    if cx.document().poses().is_empty() {
        ui.weak("No poses yet. Save the character's pose here to apply it again later, also to another character, whatever its skeleton, in part or in whole.");
        return;
    }
    text_ui(
        ui,
        "Search poses",
        "Search names and tags",
        &mut pose.library.search,
    );
    let chosen = pose.library.chosen;
    let chosen = chosen.filter(|id| cx.document().pose(*id).is_some());
    if let Some(id) = chosen {
        egui::Panel::bottom("chosen pose").show(ui, |ui| chosen_ui(ui, cx, pose, id));
    }
    egui::ScrollArea::vertical()
        .auto_shrink(false)
        .show(ui, |ui| grid_ui(ui, cx, pose));
}

/// A box for one line of text, called so by screen readers.
fn text_ui(ui: &mut egui::Ui, label: &str, hint: &str, text: &mut String) -> egui::Response {
    let edit = egui::TextEdit::singleline(text)
        .id(egui::Id::unique(label))
        .hint_text(hint)
        .desired_width(150.0);
    let response = ui.add(edit);
    let value = text.clone();
    response.widget_info(|| {
        let mut info = egui::WidgetInfo::labeled(egui::Role::TextInput, true, label);
        info.current_text_value = Some(value.clone());
        info
    });
    response
}

fn keep_ui(ui: &mut egui::Ui, cx: &mut UiContext, pose: &mut PoseWorkspace) {
    let has_character = pose.active_posed(cx).is_some();
    ui.horizontal(|ui| {
        text_ui(ui, "Pose name", "name of the pose", &mut pose.library.name);
        let button = ui.add_enabled(has_character, egui::Button::new("Save pose"));
        let tip = "Saves the character's pose in the library";
        let button = button
            .on_hover_text(tip)
            .on_disabled_hover_text("Make a character first");
        if button.clicked() {
            let name = std::mem::take(&mut pose.library.name);
            pose.requests.ask(PoseRequest::KeepPose(name));
        }
    });
}

/// All poses that the search finds.
fn grid_ui(ui: &mut egui::Ui, cx: &mut UiContext, pose: &mut PoseWorkspace) {
    let search = pose.library.search.clone();
    let poses = cx.document().poses().iter();
    let poses: Vec<(PoseId, Arc<KeptPose>)> = poses
        .filter(|(_, kept)| found(kept, &search))
        .cloned()
        .collect();
    if poses.is_empty() {
        ui.weak("No pose is called so.");
    }
    ui.horizontal_wrapped(|ui| {
        for (id, kept) in &poses {
            card_ui(ui, cx, pose, *id, kept);
        }
    });
}

/// One pose: its picture and its name. A click chooses it, a double-click puts it on.
fn card_ui(
    ui: &mut egui::Ui,
    cx: &mut UiContext,
    pose: &mut PoseWorkspace,
    id: PoseId,
    kept: &Arc<KeptPose>,
) {
    const SIDE: f32 = 84.0;
    let colours = Colours::of(ui);
    let (rect, response) = ui.allocate_exact_size(vec2(SIDE, SIDE + 16.0), Sense::click());
    response.widget_info(|| {
        let words = format!("Pose {}", kept.name);
        egui::WidgetInfo::labeled(egui::Role::Button, true, words)
    });
    let picture = Rect::from_min_size(rect.min, vec2(SIDE, SIDE));
    let painter = ui.painter_at(rect);
    painter.rect_filled(picture, 4.0, colours.sunken);
    match texture(ui, pose, id, kept) {
        Some(texture) => {
            let whole = Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0));
            painter.image(texture, picture, whole, Color32::WHITE);
        }
        None => figure(&painter, picture, kept, colours.given),
    }
    if pose.library.chosen == Some(id) {
        let stroke = egui::Stroke::new(2.0, colours.selected);
        painter.rect_stroke(picture, 4.0, stroke, egui::StrokeKind::Inside);
    }
    let font = egui::FontId::proportional(11.5);
    let below = picture.left_bottom() + vec2(2.0, 1.0);
    painter.text(
        below,
        egui::Align2::LEFT_TOP,
        &kept.name,
        font,
        colours.text,
    );
    if response.hovered() {
        preview(cx, pose, kept);
    }
    let tags: Vec<&str> = kept.tags.iter().map(String::as_str).collect();
    let tip = format!(
        "{}\n{}\nDouble-click to apply it",
        kept.name,
        tags.join(", ")
    );
    let response = response.on_hover_text(tip);
    if response.clicked() {
        pose.library.chosen = Some(id);
    }
    if response.double_clicked() {
        pose.requests.ask(PoseRequest::ApplyPose(id));
    }
}

/// What the pose would make of the character, as a ghost beside it.
fn preview(cx: &mut UiContext, pose: &mut PoseWorkspace, kept: &KeptPose) {
    if let Ok(posed) = pose.with_kept_pose(cx, kept) {
        pose.extras.wish(Extra {
            ghosts: vec![OnionSkin {
                pose: posed.pose,
                colour: Colour::GENERATED,
                opacity: 0.5,
            }],
            ..Extra::default()
        });
    }
}

fn texture(
    ui: &egui::Ui,
    pose: &mut PoseWorkspace,
    id: PoseId,
    kept: &Arc<KeptPose>,
) -> Option<egui::TextureId> {
    let library = &mut pose.library;
    let image = Arc::clone(library.thumbnails.of(id, kept)?);
    let known = library.textures.get(&id);
    if known.is_none_or(|(seen, _)| !Arc::ptr_eq(seen, &image)) {
        let name = format!("pose {id}");
        let options = egui::TextureOptions::LINEAR;
        let handle = ui.ctx().load_texture(name, Arc::clone(&image), options);
        library.textures.insert(id, (image, handle));
    }
    library.textures.get(&id).map(|(_, handle)| handle.id())
}

/// Bones as lines, seen from the front: until there is a picture.
fn figure(painter: &egui::Painter, rect: Rect, kept: &KeptPose, colour: Color32) {
    let world = WorldPose::of(&kept.skeleton, kept.pose.as_ref());
    let ahead = BodyHandles::of(&kept.skeleton).facing(&world, kept.up);
    // Who looks at us has the left hand on our right.
    let across = kept.up.vector().cross(&ahead);
    let stroke = egui::Stroke::new(2.0, colour);
    let body = (&*kept.skeleton, kept.pose.as_ref());
    paint_bones(painter, rect, body, (across, kept.up), stroke);
}

/// How the chosen pose is put on, what it is called, and its tags.
fn chosen_ui(ui: &mut egui::Ui, cx: &mut UiContext, pose: &mut PoseWorkspace, id: PoseId) {
    let Some(kept) = cx.document().pose(id).map(Arc::clone) else {
        return;
    };
    ui.add_space(4.0);
    ui.horizontal(|ui| {
        let percent = &mut pose.library.percent;
        ui.add(egui::Slider::new(percent, 0..=100).suffix(" %"))
            .on_hover_text("How much of the pose; joints turn the short way");
        region_ui(ui, pose, &kept.skeleton);
    });
    ui.horizontal_wrapped(|ui| {
        let has_character = pose.active_posed(cx).is_some();
        let button = ui.add_enabled(has_character, egui::Button::new("Apply"));
        if button.hovered() {
            preview(cx, pose, &kept);
        }
        if button.clicked() {
            pose.requests.ask(PoseRequest::ApplyPose(id));
        }
        if ui.button("Rename").clicked() {
            pose.library.rename = Some((id, kept.name.clone()));
        }
        if ui.button("Delete pose").clicked() {
            cx.ask(Request::Edit(Command::RemovePoses(vec![id])));
        }
    });
    rename_ui(ui, cx, pose, id, &kept);
    tags_ui(ui, cx, pose, id, &kept);
}

fn region_ui(ui: &mut egui::Ui, pose: &mut PoseWorkspace, skeleton: &Skeleton) {
    let body = Body::of(skeleton);
    let mut regions = vec![
        (PoseRegion::Body, "whole body"),
        (PoseRegion::Upper, "upper body"),
        (PoseRegion::Lower, "lower body"),
        (PoseRegion::Head, "head"),
    ];
    for (which, arm) in body.arms.iter().enumerate() {
        let name = match arm.side {
            Side::Left => "left arm",
            Side::Right => "right arm",
            Side::Middle => "arm",
        };
        regions.push((PoseRegion::Arm(which), name));
    }
    regions.push((PoseRegion::Selected, "selected handles"));
    let region = &mut pose.library.region;
    let now = regions.iter().find(|r| r.0 == *region);
    egui::ComboBox::from_id_salt("pose region")
        .selected_text(now.map_or("whole body", |r| r.1))
        .show_ui(ui, |ui| {
            for (value, name) in regions {
                ui.selectable_value(region, value, name);
            }
        });
}

fn rename_ui(
    ui: &mut egui::Ui,
    cx: &mut UiContext,
    pose: &mut PoseWorkspace,
    id: PoseId,
    kept: &KeptPose,
) {
    let Some((_, mut text)) = pose.library.rename.take_if(|r| r.0 == id) else {
        return;
    };
    let response = text_ui(ui, "New pose name", "", &mut text);
    if response.lost_focus() && ui.input(|input| input.key_pressed(egui::Key::Enter)) {
        let renamed = KeptPose {
            name: text,
            ..kept.clone()
        };
        change(cx, "rename", id, renamed);
    } else if !ui.input(|input| input.key_pressed(egui::Key::Escape)) {
        pose.library.rename = Some((id, text));
    }
}

fn tags_ui(
    ui: &mut egui::Ui,
    cx: &mut UiContext,
    pose: &mut PoseWorkspace,
    id: PoseId,
    kept: &KeptPose,
) {
    ui.horizontal_wrapped(|ui| {
        for tag in &kept.tags {
            let button = ui.small_button(format!("{tag} x"));
            if button.on_hover_text("Takes the tag off").clicked() {
                let mut tags = kept.tags.clone();
                tags.remove(tag);
                retag(cx, id, kept, tags);
            }
        }
        let mut text = std::mem::take(&mut pose.library.tag);
        let response = text_ui(ui, "New pose tag", "tag", &mut text);
        let is_entered =
            response.lost_focus() && ui.input(|input| input.key_pressed(egui::Key::Enter));
        if is_entered && !text.trim().is_empty() {
            let mut tags = kept.tags.clone();
            tags.insert(text.trim().to_owned());
            retag(cx, id, kept, tags);
        } else {
            pose.library.tag = text;
        }
    });
}

fn retag(cx: &mut UiContext, id: PoseId, kept: &KeptPose, tags: BTreeSet<String>) {
    let tagged = KeptPose {
        tags,
        ..kept.clone()
    };
    change(cx, "tag", id, tagged);
}

fn change(cx: &mut UiContext, what: &str, id: PoseId, kept: KeptPose) {
    cx.ask(Request::Edit(Command::ChangePose {
        what: what.to_owned(),
        id,
        pose: Arc::new(kept),
    }));
}
