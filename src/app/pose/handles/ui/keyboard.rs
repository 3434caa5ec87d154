//! Keys that only the pose workspace knows: axes while something is in the hand, copy and paste.

use egui::{Event, Key, Modifiers};

use crate::app::pose::handles::ui::mouse::Mouse;
use crate::app::shell::actions::Action;
use crate::app::shell::preferences::Workspace;
use crate::app::shell::shortcuts::keys_of;
use crate::app::shell::studio::Studio;
use crate::motion::Dim;

/// Takes its keys before anybody else does.
pub(in crate::app) fn handle(ctx: &egui::Context, studio: &mut Studio) {
    let is_here = studio.preferences.workspace == Workspace::Pose && studio.shows_posed();
    if !is_here || ctx.egui_wants_keyboard_input() {
        return;
    }
    let (copies, pastes) = ctx.input(|input| {
        let has = |wanted: fn(&Event) -> bool| input.events.iter().any(wanted);
        let copies = has(|event| matches!(event, Event::Copy));
        (copies, has(|event| matches!(event, Event::Paste(_))))
    });
    if copies {
        studio.copy_pose();
        // Other programs see that something was copied; and without text on the clipboard no paste is told of.
        ctx.copy_text("a pose, copied in Kinfolk".to_owned());
    }
    if pastes {
        studio.paste_pose();
    }
    for (action, turns) in [(Action::MoveTool, false), (Action::TurnTool, true)] {
        let keys = keys_of(&studio.preferences, action.entry());
        let is_pressed = |keys| ctx.input_mut(|input| input.consume_shortcut(&keys));
        if studio.pose.mouse.is_none() && keys.is_some_and(is_pressed) {
            studio.pose.is_turning = turns;
            studio.pose.wants_modal = (!studio.pose.selected.is_empty()).then_some(turns);
        }
    }
    let pressed = |key: Key| ctx.input_mut(|input| input.consume_key(Modifiers::NONE, key));
    match studio.pose.mouse.as_mut() {
        Some(mouse @ (Mouse::Move(_) | Mouse::Turn(_))) => {
            for (key, dim) in [(Key::X, Dim::X), (Key::Y, Dim::Y), (Key::Z, Dim::Z)] {
                if pressed(key) {
                    mouse.limit(dim);
                }
            }
        }
        Some(Mouse::Box(_)) => {}
        None => {
            if !studio.pose.selected.is_empty() && pressed(Key::Escape) {
                studio.pose.selected.clear();
            }
        }
    }
}
