//! Keys that only the pose workspace knows: axes while something is in the hand, copy and paste.

use egui::{Event, Key, Modifiers};

use crate::app::pose::handles::ui::mouse::Mouse;
use crate::app::pose::requests::Request as PoseRequest;
use crate::app::pose::state::PoseWorkspace;
use crate::app::shell::actions::Action;
use crate::app::shell::context::UiContext;
use crate::app::shell::preferences::Workspace;
use crate::app::shell::shortcuts::keys_of;
use crate::motion::Dim;

/// Takes its keys before anybody else does.
pub(in crate::app) fn handle(ctx: &egui::Context, cx: &mut UiContext, pose: &mut PoseWorkspace) {
    let is_here = cx.preferences.workspace == Workspace::Pose && pose.shows_posed(cx);
    if !is_here || ctx.egui_wants_keyboard_input() {
        return;
    }
    let (copies, pastes) = ctx.input(|input| {
        let has = |wanted: fn(&Event) -> bool| input.events.iter().any(wanted);
        let copies = has(|event| matches!(event, Event::Copy));
        (copies, has(|event| matches!(event, Event::Paste(_))))
    });
    if copies {
        pose.copy_pose(cx);
        // Other programs see that something was copied; and without text on the clipboard no paste is told of.
        ctx.copy_text("a pose, copied in Kinfolk".to_owned());
    }
    if pastes {
        pose.requests.ask(PoseRequest::PastePose);
    }
    for (action, turns) in [(Action::MoveTool, false), (Action::TurnTool, true)] {
        let keys = keys_of(&cx.preferences, action.entry());
        let is_pressed = |keys| ctx.input_mut(|input| input.consume_shortcut(&keys));
        if pose.handles.mouse.is_none() && keys.is_some_and(is_pressed) {
            pose.handles.is_turning = turns;
            pose.handles.wants_modal = (!pose.handles.selected.is_empty()).then_some(turns);
        }
    }
    let pressed = |key: Key| ctx.input_mut(|input| input.consume_key(Modifiers::NONE, key));
    match pose.handles.mouse.as_mut() {
        Some(mouse @ (Mouse::Move(_) | Mouse::Turn(_))) => {
            for (key, dim) in [(Key::X, Dim::X), (Key::Y, Dim::Y), (Key::Z, Dim::Z)] {
                if pressed(key) {
                    mouse.limit(dim);
                }
            }
        }
        Some(Mouse::Box(_)) => {}
        None => {
            if !pose.handles.selected.is_empty() && pressed(Key::Escape) {
                pose.handles.selected.clear();
            }
        }
    }
}
