//! The menu bar with the tabs of the workspaces.

use egui_material_icons::MaterialIcon;
use egui_material_icons::icons::{
    ICON_ACCESSIBILITY_NEW, ICON_CHECK, ICON_SCIENCE, ICON_SHUFFLE, ICON_TIMELINE,
    ICON_VIDEO_LIBRARY,
};

use crate::app::shell::actions::{ALL, Action, Entry, Menu};
use crate::app::shell::context::UiContext;
use crate::app::shell::preferences::Workspace;
use crate::app::shell::requests::Request;
use crate::app::shell::requests::Then;
use crate::app::shell::shortcuts::keys_of;
use crate::app::shell::theme::Colours;
use crate::app::shell::ui::tip_ui;
use crate::file::project::Access;

/// Actions after which the menu has a line.
const LINE_AFTER: [Action; 17] = [
    Action::Recover,
    Action::SaveAs,
    Action::ImportReport,
    Action::Export,
    Action::Redo,
    Action::Delete,
    Action::Retarget,
    Action::Split,
    Action::NewSet,
    Action::ToEnd,
    Action::FrameAll,
    Action::Top,
    Action::Follow,
    Action::OwnColours,
    Action::MatchCurve,
    Action::SmoothEdges,
    Action::ResetLayout,
];

/// Draws menus, tabs and the name of the project.
pub fn menu_bar_ui(ui: &mut egui::Ui, cx: &mut UiContext) {
    egui::MenuBar::new().ui(ui, |ui| {
        for menu in Menu::ALL {
            ui.menu_button(menu.name(), |ui| {
                for entry in ALL.iter().filter(|entry| entry.menu == menu) {
                    action_ui(ui, cx, entry);
                    if entry.action == Action::Open {
                        recent_ui(ui, cx);
                    }
                    if LINE_AFTER.contains(&entry.action) {
                        ui.separator();
                    }
                }
            });
        }
        ui.separator();
        for workspace in Workspace::ALL {
            tab_ui(ui, cx, workspace);
        }
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            project_ui(ui, cx);
        });
    });
}

/// One line of a menu.
pub fn action_ui(ui: &mut egui::Ui, cx: &mut UiContext, entry: &Entry) {
    let keys = keys_of(&cx.preferences, entry);
    let keys = keys.map(|keys| ui.ctx().format_shortcut(&keys));
    let label = entry.label(cx);
    let mark = match cx.actions.of(entry.action).is_on {
        Some(true) => ICON_CHECK.rich_text(),
        _ => egui::RichText::new(""),
    };
    let button = if cx.actions.of(entry.action).is_on.is_some() {
        egui::Button::new((mark, label.as_str()))
    } else {
        egui::Button::new(label.as_str())
    };
    let button = button.shortcut_text(keys.unwrap_or_default());
    let is_enabled = cx.actions.of(entry.action).is_enabled;
    let response = ui.add_enabled(is_enabled, button);
    response
        .widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, is_enabled, label.as_str()));
    let response = response.on_hover_text(entry.tip);
    if response.clicked() {
        cx.ask(Request::Do(entry.action));
        ui.close();
    }
}

fn recent_ui(ui: &mut egui::Ui, cx: &mut UiContext) {
    let recent = cx.preferences.recent();
    ui.add_enabled_ui(!recent.projects().is_empty(), |ui| {
        ui.menu_button("Open recent", |ui| {
            for project in recent.projects() {
                let path = project.folder.display().to_string();
                if ui.button(&project.name).on_hover_text(path).clicked() {
                    let then = Then::Open(project.folder.clone(), Access::Write);
                    cx.ask(Request::Leave(then));
                    ui.close();
                }
            }
        });
    });
}

/// The sign and the action of a workspace.
pub const fn sign(workspace: Workspace) -> (MaterialIcon, Action) {
    match workspace {
        Workspace::Library => (ICON_VIDEO_LIBRARY, Action::Library),
        Workspace::Variation => (ICON_SHUFFLE, Action::Variation),
        Workspace::Pose => (ICON_ACCESSIBILITY_NEW, Action::Pose),
        Workspace::Sequence => (ICON_TIMELINE, Action::Sequence),
        Workspace::Study => (ICON_SCIENCE, Action::Study),
    }
}

fn tab_ui(ui: &mut egui::Ui, cx: &mut UiContext, workspace: Workspace) {
    let (icon, action) = sign(workspace);
    let is_open = cx.preferences.workspace == workspace;
    let colours = Colours::of(ui);
    let tint = if is_open { colours.given } else { colours.weak };
    let words = (icon.rich_text().color(tint), workspace.name());
    let response = ui.add(egui::Button::selectable(is_open, words));
    response.widget_info(|| {
        egui::WidgetInfo::selected(egui::Role::Tab, true, is_open, workspace.name())
    });
    let response = response.on_hover_ui(|ui| tip_ui(ui, cx, action));
    if response.clicked() {
        cx.ask(Request::Do(action));
    }
}

fn project_ui(ui: &mut egui::Ui, cx: &UiContext) {
    let place = cx.projects.place.as_ref();
    let is_read_only = place.is_some_and(|place| place.is_read_only);
    let state = if is_read_only {
        " (read-only)"
    } else if cx.has_unsaved_work() {
        " (not saved)"
    } else {
        ""
    };
    let name = format!("{}{state}", cx.document().name());
    let path = place.map_or_else(
        || "Not on disk yet".to_owned(),
        |p| p.path.display().to_string(),
    );
    let label = egui::Label::new(egui::RichText::new(name).weak()).truncate();
    ui.add(label).on_hover_text(path);
}
