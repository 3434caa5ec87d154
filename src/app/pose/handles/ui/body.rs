//! The posed character as a figure to click on: the same handles as in the 3D view, always in the same place.

use egui::{Painter, Pos2, Rect, Sense, Stroke, pos2, vec2};
use egui_material_icons::icons::ICON_DELETE;

use crate::app::pose::handles::rig::{HandlePart, RigHandle};
use crate::app::pose::handles::ui::handles;
use crate::app::pose::handles::ui::handles::Look;
use crate::app::pose::handles::ui::view::select;
use crate::app::pose::requests::Request as PoseRequest;
use crate::app::pose::state::PoseWorkspace;
use crate::app::shell::actions::Action;
use crate::app::shell::context::UiContext;
use crate::app::shell::requests::Request;
use crate::app::shell::theme::Colours;
use crate::app::shell::ui::name_button;
use crate::document::{Command, PinMode, Posed};
use crate::motion::{Side, Site};

/// Draws the panel of characters, their handles and pins.
pub(in crate::app) fn body_ui(ui: &mut egui::Ui, cx: &mut UiContext, pose: &mut PoseWorkspace) {
    egui::ScrollArea::vertical()
        .auto_shrink(false)
        .show(ui, |ui| {
            characters_ui(ui, cx, pose);
            let Some((_, posed)) = pose.posed_now(cx) else {
                return;
            };
            let Some(figure) = pose.figure(&posed.skeleton) else {
                ui.weak("Making the character…");
                return;
            };
            let all = figure.rig.handles_of(&posed);
            ui.horizontal_top(|ui| {
                figure_ui(ui, pose, &posed, &all);
                ui.vertical(|ui| {
                    // Above what comes and goes with the selection, so that buttons stay where they are.
                    ui.horizontal_wrapped(|ui| tools_ui(ui, cx));
                    ui.add_space(4.0);
                    pins_ui(ui, pose, &posed, &all);
                });
            });
            more_ui(ui, pose, &posed, &all);
        });
}

/// Which character is posed.
fn characters_ui(ui: &mut egui::Ui, cx: &mut UiContext, pose: &mut PoseWorkspace) {
    let Some((active, posed)) = pose.posed_now(cx) else {
        ui.weak(
            "No character yet. Find a pose of a clip on the timeline and make a character of it.",
        );
        return;
    };
    ui.horizontal(|ui| {
        let all: Vec<_> = cx.document().posed().to_vec();
        egui::ComboBox::from_id_salt("character")
            .selected_text(&posed.name)
            .show_ui(ui, |ui| {
                for (id, posed) in &all {
                    if ui.selectable_label(*id == active, &posed.name).clicked() {
                        pose.requests.ask(PoseRequest::Choose(*id));
                    }
                }
            });
        let button = ui.small_button("New");
        name_button(&button, "New character");
        let tip = "One more, in the pose that the active clip has at the playhead";
        if button.on_hover_text(tip).clicked() {
            pose.requests.ask(PoseRequest::NewCharacter);
        }
        let button = ui.small_button(ICON_DELETE);
        name_button(&button, "Delete character");
        if button.on_hover_text("Takes this character away").clicked() {
            cx.ask(Request::Edit(Command::RemovePosed(active)));
        }
        let tip = "Writes this pose to a file for other programs";
        if ui.small_button("Export pose…").on_hover_text(tip).clicked() {
            pose.export_pose(cx);
        }
    });
}

/// Where a part is in the figure, from 0 to 1; its left is on our right, as when it faces us.
fn place_of(part: HandlePart) -> Option<Pos2> {
    let (side, x, y) = match part {
        HandlePart::Head => (Side::Middle, 0.0, 0.08),
        HandlePart::Chest => (Side::Middle, 0.0, 0.28),
        HandlePart::Hips => (Side::Middle, 0.0, 0.5),
        HandlePart::Elbow(side) => (side, 0.27, 0.37),
        HandlePart::Hand(side) => (side, 0.36, 0.54),
        HandlePart::Knee(side) => (side, 0.13, 0.72),
        HandlePart::Foot(side) => (side, 0.15, 0.94),
        HandlePart::Other => return None,
    };
    let x = match side {
        Side::Left => 0.5 + x,
        Side::Right => 0.5 - x,
        Side::Middle => 0.5,
    };
    Some(pos2(x, y))
}

fn figure_ui(ui: &mut egui::Ui, pose: &mut PoseWorkspace, posed: &Posed, all: &[RigHandle]) {
    let (rect, _) = ui.allocate_exact_size(vec2(120.0, 160.0), Sense::hover());
    let painter = ui.painter().with_clip_rect(rect);
    let at = |place: Pos2| rect.min + rect.size() * place.to_vec2();
    paint_body(&painter, &Colours::of(ui), at);
    for handle in all {
        let Some(place) = place_of(handle.part).map(at) else {
            continue;
        };
        let around = Rect::from_center_size(place, vec2(22.0, 20.0));
        let id = ui.scope_id().with(("handle", handle.site));
        let response = ui.interact(around, id, Sense::click());
        let is_selected = pose.handles.selected.contains(&handle.site);
        let pin = posed.pin(handle.site);
        response.widget_info(|| {
            let words = format!("Handle {}", handle.name);
            egui::WidgetInfo::selected(egui::Role::Button, true, is_selected, words)
        });
        let look = Look {
            is_selected,
            is_hovered: response.hovered(),
        };
        handles::paint(&painter, place, pin, look);
        let mode = pin.map_or(PinMode::Free, |pin| pin.position).name();
        let tip = format!("{}: {mode}. Shift adds, right click pins", handle.name);
        let response = response.on_hover_text(tip);
        if response.clicked() {
            let adds = ui.input(|input| input.modifiers.shift);
            select(pose, handle.site, adds);
        }
        if response.secondary_clicked() {
            if !is_selected {
                select(pose, handle.site, false);
            }
            pose.requests.ask(PoseRequest::CyclePins);
        }
    }
}

/// A figure that faces us.
fn paint_body(painter: &Painter, colours: &Colours, at: impl Fn(Pos2) -> Pos2) {
    let line = |points: &[(f32, f32)], width: f32| {
        let stroke = Stroke::new(width, colours.button);
        let points: Vec<Pos2> = points.iter().map(|(x, y)| at(pos2(*x, *y))).collect();
        for two in points.windows(2) {
            painter.line_segment([two[0], two[1]], stroke);
            painter.circle_filled(two[1], 0.5 * width, colours.button);
        }
    };
    line(&[(0.5, 0.17), (0.5, 0.34)], 34.0);
    line(&[(0.5, 0.34), (0.5, 0.5)], 26.0);
    for side in [-1.0, 1.0] {
        let x = |x: f32| 0.5 + side * x;
        line(&[(x(0.16), 0.2), (x(0.27), 0.37), (x(0.36), 0.54)], 10.0);
        line(&[(x(0.09), 0.5), (x(0.13), 0.72), (x(0.15), 0.94)], 13.0);
    }
    painter.circle_filled(at(pos2(0.5, 0.08)), 13.0, colours.button);
}

fn tools_ui(ui: &mut egui::Ui, cx: &mut UiContext) {
    for action in [
        Action::RelaxPose,
        Action::MirrorPose,
        Action::FlipPose,
        Action::CopyPose,
        Action::PastePose,
        Action::ResetPose,
    ] {
        let entry = action.entry();
        // The panel is about poses: its buttons need not say so again.
        let short = entry.text.strip_suffix(" pose").unwrap_or(entry.text);
        let button = egui::Button::new(short).small();
        let is_enabled = cx.actions.of(entry.action).is_enabled;
        let response = ui.add_enabled(is_enabled, button);
        response
            .widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, is_enabled, entry.text));
        let response = response.on_hover_ui(|ui| crate::app::shell::ui::tip_ui(ui, cx, action));
        if response.clicked() {
            cx.ask(Request::Do(action));
        }
    }
}

/// How the selected handles are held.
fn pins_ui(ui: &mut egui::Ui, pose: &mut PoseWorkspace, posed: &Posed, all: &[RigHandle]) {
    let selected: Vec<Site> = pose.handles.selected.iter().copied().collect();
    let names = all.iter().filter(|handle| selected.contains(&handle.site));
    let names: Vec<&str> = names.map(|handle| handle.name.as_str()).collect();
    if selected.is_empty() {
        ui.weak("Click a handle here or in the 3D view; drag it there.");
        return;
    }
    ui.strong(names.join(", "));
    for (of_turn, word) in [(false, "Position"), (true, "Rotation")] {
        ui.horizontal_wrapped(|ui| {
            // So that a row fits beside the figure on a small screen.
            ui.spacing_mut().item_spacing.x = 2.0;
            ui.spacing_mut().button_padding.x = 5.0;
            ui.label(word);
            let now = posed.pin(selected[0]).map_or(PinMode::Free, |pin| {
                if of_turn { pin.rotation } else { pin.position }
            });
            for mode in [PinMode::Free, PinMode::Soft, PinMode::Hard] {
                let words = egui::RichText::new(mode.name());
                // On a light ground these colours could not be read.
                let words = if mode == now && ui.visuals().dark_mode {
                    words.color(handles::colour(mode))
                } else {
                    words
                };
                let response = ui.selectable_label(mode == now, words);
                response.widget_info(|| {
                    let words = format!("{word} {}", mode.name());
                    egui::WidgetInfo::selected(egui::Role::Button, true, mode == now, words)
                });
                if response.clicked() {
                    pose.requests.ask(PoseRequest::SetPins {
                        sites: selected.clone(),
                        of_turn,
                        mode,
                    });
                }
            }
        });
    }
}

/// Handles on other joints.
fn more_ui(ui: &mut egui::Ui, pose: &mut PoseWorkspace, posed: &Posed, all: &[RigHandle]) {
    /// A list of thousands would be no help.
    const MOST: usize = 300;
    egui::CollapsingHeader::new("More handles").show(ui, |ui| {
        ui.weak("Or double-click the body in the 3D view.");
        let joints = posed.skeleton.joints().iter().enumerate().take(MOST);
        for (joint, bone) in joints {
            let site = Site::Joint(joint);
            let own = all.iter().find(|handle| handle.site == site);
            if own.is_some_and(|handle| handle.part != HandlePart::Other) {
                continue;
            }
            let mut has_handle = own.is_some();
            if ui.checkbox(&mut has_handle, &bone.name).clicked() {
                pose.requests.ask(PoseRequest::ToggleHandle(site));
            }
        }
    });
}
