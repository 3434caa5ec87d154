//! Keys: which belongs to which action, and what is pressed.

use egui::{Key, KeyboardShortcut, Modifiers};

use crate::app::shell::actions::{ALL, Action, Entry};
use crate::app::shell::context::UiContext;
use crate::app::shell::preferences::Preferences;
use crate::app::shell::requests::Request;

/// The keys of an action: the animator's own choice, or the usual ones.
pub fn keys_of(preferences: &Preferences, entry: &Entry) -> Option<KeyboardShortcut> {
    match preferences.keys.get(entry.id) {
        Some(chosen) => *chosen,
        None => entry.keys,
    }
}

/// "Ctrl+Shift+Z", "[": keys as they are printed on a keyboard.
pub fn in_words(keys: KeyboardShortcut) -> String {
    let names = egui::ModifierNames::NAMES;
    let mut words = names.format(&keys.modifiers, cfg!(target_os = "macos"));
    if !words.is_empty() {
        words.push_str(names.concat);
    }
    words.push_str(match keys.logical_key {
        // Their signs are easily taken for playing.
        key @ (Key::ArrowLeft | Key::ArrowRight | Key::ArrowUp | Key::ArrowDown) => key.name(),
        key => key.symbol_or_name(),
    });
    words
}

/// The action that has these keys.
pub fn owner_of(preferences: &Preferences, keys: KeyboardShortcut) -> Option<&'static Entry> {
    ALL.iter().find(|e| keys_of(preferences, e) == Some(keys))
}

/// Gives keys to an action; whoever had them goes without.
pub fn give(preferences: &mut Preferences, entry: &Entry, keys: Option<KeyboardShortcut>) {
    if let Some(owner) = keys.and_then(|keys| owner_of(preferences, keys)) {
        preferences.keys.insert(owner.id.to_owned(), None);
    }
    if keys == entry.keys {
        preferences.keys.remove(entry.id);
    } else {
        preferences.keys.insert(entry.id.to_owned(), keys);
    }
}

/// Asks for the actions whose keys were pressed.
pub fn handle(ctx: &egui::Context, cx: &mut UiContext) {
    let is_typing = ctx.egui_wants_keyboard_input();
    let mut bound: Vec<(KeyboardShortcut, Action)> = ALL
        .iter()
        .filter_map(|e| Some((keys_of(&cx.preferences, e)?, e.action)))
        .filter(|(keys, _)| !is_typing || is_safe_while_typing(*keys))
        .collect();
    // egui takes ctrl+shift+Z for ctrl+Z if nobody asked for it before, so keys with more modifiers are asked first.
    bound.sort_by_key(|(keys, _)| std::cmp::Reverse(n_modifiers(keys.modifiers)));
    let pressed = ctx.input_mut(|input| {
        let pressed = bound
            .iter()
            .filter(|(keys, _)| input.consume_shortcut(keys));
        pressed.map(|(_, action)| *action).collect::<Vec<Action>>()
    });
    for action in pressed {
        cx.ask(Request::Do(action));
    }
}

fn n_modifiers(modifiers: Modifiers) -> usize {
    let Modifiers {
        alt,
        ctrl,
        shift,
        mac_cmd,
        command,
    } = modifiers;
    [alt, ctrl, shift, mac_cmd, command]
        .into_iter()
        .filter(|is_held| *is_held)
        .count()
}

/// Letters, arrows and the keys for copying and undoing belong to the text box.
fn is_safe_while_typing(keys: KeyboardShortcut) -> bool {
    let of_text = [Key::A, Key::C, Key::V, Key::X, Key::Y, Key::Z];
    let is_function = matches!(keys.logical_key, Key::F1 | Key::F2);
    let holds_command = keys.modifiers.command || keys.modifiers.ctrl;
    is_function || (holds_command && !of_text.contains(&keys.logical_key))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_that_are_given_away_are_gone_where_they_were() {
        let mut likes = Preferences::default();
        let (mirror, play) = (Action::Mirror.entry(), Action::Play.entry());
        let space = play.keys;
        give(&mut likes, mirror, space);
        assert_eq!(keys_of(&likes, mirror), space);
        assert_eq!(keys_of(&likes, play), None);
        give(&mut likes, play, space);
        assert_eq!(keys_of(&likes, play), space);
        assert_eq!(keys_of(&likes, mirror), None);
        assert!(
            !likes.keys.contains_key(play.id),
            "the usual key is no change"
        );
    }
}
