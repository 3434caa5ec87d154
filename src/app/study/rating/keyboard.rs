//! Keys of a rating session: digits answer, space plays again, backspace goes back, escape pauses.

use egui::{Key as Button, Modifiers};

use crate::app::shell::context::UiContext;
use crate::app::shell::preferences::Workspace;
use crate::app::study::state::{Request, StudyWorkspace};
use crate::study::session::Key;

const DIGITS: [(Button, u8); 9] = [
    (Button::Num1, 1),
    (Button::Num2, 2),
    (Button::Num3, 3),
    (Button::Num4, 4),
    (Button::Num5, 5),
    (Button::Num6, 6),
    (Button::Num7, 7),
    (Button::Num8, 8),
    (Button::Num9, 9),
];

/// Takes its keys before anybody else does.
pub(in crate::app) fn handle(ctx: &egui::Context, cx: &mut UiContext, study: &mut StudyWorkspace) {
    let is_here = cx.preferences.workspace == Workspace::Study && study.rating.running.is_some();
    if !is_here || ctx.egui_wants_keyboard_input() {
        return;
    }
    let pressed = |key: Button| ctx.input_mut(|input| input.consume_key(Modifiers::NONE, key));
    for (button, digit) in DIGITS {
        if pressed(button) {
            study.requests.ask(Request::Press(Key::Digit(digit)));
        }
    }
    if pressed(Button::Backspace) {
        study.requests.ask(Request::Press(Key::Undo));
    }
    if pressed(Button::Space) {
        StudyWorkspace::replay(cx);
    }
    if pressed(Button::Escape) {
        study.pause_session(cx);
    }
}
