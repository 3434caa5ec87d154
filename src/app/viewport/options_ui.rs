//! The switches in the corner of the 3D view: how characters stand, and what is drawn beside them.

use egui::{Align, Layout, Popup, PopupCloseBehavior, Rect, UiBuilder, vec2};
use egui_material_icons::icons::{
    ICON_ANIMATION, ICON_FOOTPRINT, ICON_GRID_VIEW, ICON_LABEL, ICON_LAYERS, ICON_PHOTO_CAMERA,
    ICON_ROUTE, ICON_TUNE, ICON_VIEW_WEEK,
};

use crate::app::shell::actions::Action;
use crate::app::shell::context::UiContext;
use crate::app::shell::ui::menu::action_ui;
use crate::app::shell::ui::{icon_button_ui, tip_ui};
use crate::app::shell::view_options::{TrailPart, ViewOptions};

/// Draws them; how far they reach to the left.
pub(in crate::app) fn view_options_ui(ui: &mut egui::Ui, cx: &mut UiContext, rect: Rect) -> f32 {
    let corner = rect.shrink2(vec2(6.0, 5.0));
    let layout = Layout::right_to_left(Align::Min);
    let mut bar = ui.new_child(UiBuilder::new().max_rect(corner).layout(layout));
    bar.spacing_mut().item_spacing.x = 3.0;
    bar.set_max_height(26.0);
    more_ui(&mut bar, cx);
    camera_ui(&mut bar, cx);
    // The rest is about clips; characters that are posed have onion skins and ways of their own.
    if cx.timebase.is_some() {
        return bar.min_rect().left();
    }
    bar.add_space(8.0);
    let has_several = cx.session.selection.len() > 1;
    for (action, icon) in [
        (Action::Ghosts, ICON_ANIMATION),
        (Action::Trails, ICON_ROUTE),
        (Action::ContactRings, ICON_FOOTPRINT),
    ] {
        icon_button_ui(&mut bar, cx, action, icon);
    }
    if has_several {
        icon_button_ui(&mut bar, cx, Action::Names, ICON_LABEL);
        bar.add_space(8.0);
        for (action, icon) in [
            (Action::Grid, ICON_GRID_VIEW),
            (Action::SideBySide, ICON_VIEW_WEEK),
            (Action::Overlaid, ICON_LAYERS),
        ] {
            icon_button_ui(&mut bar, cx, action, icon);
        }
    }
    bar.min_rect().left()
}

fn camera_ui(ui: &mut egui::Ui, cx: &mut UiContext) {
    let button = ui.button(ICON_PHOTO_CAMERA.rich_text().size(17.0));
    button.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, "Camera"));
    let button = button.on_hover_text("Camera: named views and what it follows");
    Popup::menu(&button).show(|ui| {
        for action in [
            Action::FrameSelection,
            Action::FrameAll,
            Action::Front,
            Action::Side,
            Action::Top,
            Action::Pivot,
            Action::Follow,
            Action::MayaMouse,
        ] {
            action_ui(ui, cx, action.entry());
        }
    });
}

fn more_ui(ui: &mut egui::Ui, cx: &mut UiContext) {
    let button = ui.button(ICON_TUNE.rich_text().size(17.0));
    button.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, "View options"));
    let button = button.on_hover_text("What the 3D view shows");
    Popup::from_toggle_button_response(&button)
        .close_behavior(PopupCloseBehavior::CloseOnClickOutside)
        .show(|ui| {
            ui.set_width(250.0);
            options_ui(ui, cx);
        });
}

fn options_ui(ui: &mut egui::Ui, cx: &mut UiContext) {
    let is_posing = cx.timebase.is_some();
    if !is_posing {
        switch_ui(ui, cx, Action::OwnColours);
        switch_ui(ui, cx, Action::Names);
    }
    let options = &mut cx.preferences.view;
    row_ui(ui, "Opacity of others", |ui, label| {
        let slider = egui::Slider::new(&mut options.others_opacity, 0.1..=1.0).fixed_decimals(1);
        ui.add(slider).labelled_by(label);
    });
    if !is_posing {
        of_clips_ui(ui, cx);
    }
    let options = &mut cx.preferences.view;
    ui.checkbox(&mut options.shows_floor, "Grid and shadows");
}

/// What is drawn beside clips.
fn of_clips_ui(ui: &mut egui::Ui, cx: &mut UiContext) {
    ui.separator();
    switch_ui(ui, cx, Action::Trails);
    let options = &mut cx.preferences.view;
    ui.horizontal(|ui| {
        for part in TrailPart::ALL {
            let mut is_on = options.trail_parts.contains(&part);
            if ui.toggle_value(&mut is_on, part.name()).changed() {
                options.shows_trails = true;
                if is_on {
                    options.trail_parts.insert(part);
                } else {
                    options.trail_parts.remove(&part);
                }
            }
        }
    });
    row_ui(ui, "Seconds to both sides", |ui, label| {
        let longest = ViewOptions::LONGEST_TRAIL_SECS;
        let value = egui::DragValue::new(&mut options.trail_secs).range(0.1..=longest);
        ui.add(value.speed(0.05).max_decimals(2)).labelled_by(label);
    });
    ui.weak("Any joint: in the inspector's skeleton");
    ui.separator();
    switch_ui(ui, cx, Action::Ghosts);
    let options = &mut cx.preferences.view;
    row_ui(ui, "On either side", |ui, label| {
        let most = ViewOptions::MOST_GHOSTS;
        ui.add(egui::DragValue::new(&mut options.n_ghosts).range(1..=most))
            .labelled_by(label);
    });
    row_ui(ui, "Frames apart", |ui, label| {
        ui.add(egui::DragValue::new(&mut options.ghost_frames).range(1..=500))
            .labelled_by(label);
    });
    ui.separator();
    switch_ui(ui, cx, Action::ContactRings);
}

/// An action that is on or off, as a box to check.
fn switch_ui(ui: &mut egui::Ui, cx: &mut UiContext, action: Action) {
    let mut is_on = cx.actions.of(action).is_on.unwrap_or(false);
    let switch = ui.checkbox(&mut is_on, action.entry().text);
    let switch = switch.on_hover_ui(|ui| tip_ui(ui, cx, action));
    if switch.changed() {
        cx.ask(crate::app::shell::requests::Request::Do(action));
    }
}

fn row_ui(ui: &mut egui::Ui, words: &str, value_ui: impl FnOnce(&mut egui::Ui, egui::Id)) {
    ui.horizontal(|ui| {
        let label = ui.label(words).id;
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            value_ui(ui, label);
        });
    });
}
