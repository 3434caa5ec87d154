//! Keys while it plays: actions, arrows, space, escape. They are taken before anybody else hears them.

use egui::{Event, Key};

use crate::app::sequence::live::Actions;
use crate::app::sequence::palette::action_of_key;
use crate::app::sequence::state::SequenceWorkspace;
use crate::app::shell::context::UiContext;

const ARROWS: [Key; 4] = [
    Key::ArrowLeft,
    Key::ArrowRight,
    Key::ArrowUp,
    Key::ArrowDown,
];

/// Takes its keys before anybody else does.
pub(in crate::app) fn handle(
    ctx: &egui::Context,
    cx: &mut UiContext,
    sequence: &mut SequenceWorkspace,
) {
    let is_here = SequenceWorkspace::is_shown(cx) && !ctx.egui_wants_keyboard_input();
    let Some(playing) = sequence.live.playing.as_ref().filter(|_| is_here) else {
        return;
    };
    let names: Option<Vec<String>> = match playing.actions() {
        Actions::Graph(..) => None,
        Actions::Texture(_, texture) => {
            let commands = texture.commands();
            Some(commands.into_iter().map(|c| c.name).collect())
        }
    };
    let n_actions = match playing.actions() {
        Actions::Graph(_, clips) => clips.len(),
        Actions::Texture(..) => names.as_ref().map_or(0, Vec::len),
    };
    for (key, with_shift) in pressed(ctx, |key| {
        let is_arrow = names.is_some() && ARROWS.contains(&key);
        let is_own = matches!(key, Key::Space | Key::Escape);
        is_own || is_arrow || action_of_key(key).is_some_and(|action| action < n_actions)
    }) {
        match (key, action_of_key(key), &names) {
            (Key::Space, ..) => sequence.pause_live(cx),
            (Key::Escape, ..) => sequence.stop_live(cx),
            (_, Some(action), None) => sequence.trigger(action, with_shift),
            (_, Some(action), Some(names)) => {
                sequence.live.steering.action = names.get(action).cloned();
                sequence.steering_changed();
            }
            _ => {}
        }
    }
    if names.is_some() {
        steer(ctx, cx, sequence);
    }
}

/// Keys that went down, of those that are wanted; nobody else hears them. Shift changes what digits are called, so the
/// place of the key on the keyboard counts where it is known.
fn pressed(ctx: &egui::Context, is_wanted: impl Fn(Key) -> bool) -> Vec<(Key, bool)> {
    let mut found = Vec::new();
    ctx.input_mut(|input| {
        input.events.retain(|event| {
            let Event::Key {
                key,
                physical_key,
                pressed,
                repeat,
                modifiers,
            } = event
            else {
                return true;
            };
            if modifiers.command || modifiers.alt {
                return true;
            }
            let digit = physical_key.filter(|_| modifiers.shift);
            let key = digit.unwrap_or(*key);
            if !is_wanted(key) {
                return true;
            }
            if *pressed && !repeat {
                found.push((key, modifiers.shift));
            }
            false
        });
    });
    found
}

/// Arrows that are held point to where to go on the screen.
fn steer(ctx: &egui::Context, cx: &UiContext, sequence: &mut SequenceWorkspace) {
    let held = |key: Key| ctx.input(|input| input.keys_down.contains(&key));
    let along =
        |plus: Key, minus: Key| f64::from(i8::from(held(plus))) - f64::from(i8::from(held(minus)));
    let right = along(Key::ArrowRight, Key::ArrowLeft);
    let up = along(Key::ArrowUp, Key::ArrowDown);
    let is_held = right != 0.0 || up != 0.0;
    if is_held {
        let before = sequence.live.steering.clone();
        let steering = &mut sequence.live.steering;
        steering.point(right, up, cx.session.camera.as_ref());
        steering.is_held = true;
        if *steering != before {
            sequence.steering_changed();
        }
    }
    sequence.live.steering.is_held = is_held;
}
