//! Arrow keys in the table, as in a file manager.
//!
//! The table has the arrow keys from a click into it until a click elsewhere. They are taken before the keys of the
//! timeline, where up and down mean ten frames.

use egui::{Key, Modifiers};

use crate::app::library::state::LibraryWorkspace;
use crate::app::shell::context::UiContext;
use crate::app::shell::preferences::Workspace;
use crate::app::shell::session::Click;

/// How far one key goes.
const PAGE: isize = 20;
const MOVES: [(Key, isize); 6] = [
    (Key::ArrowUp, -1),
    (Key::ArrowDown, 1),
    (Key::PageUp, -PAGE),
    (Key::PageDown, PAGE),
    (Key::Home, isize::MIN),
    (Key::End, isize::MAX),
];

/// Moves the selection if the table has the keys.
pub fn handle(ctx: &egui::Context, cx: &mut UiContext, library: &mut LibraryWorkspace) {
    let is_here = cx.preferences.workspace == Workspace::Library;
    if !library.has_keys || !is_here || ctx.egui_wants_keyboard_input() {
        return;
    }
    for (modifiers, click) in [
        (Modifiers::SHIFT, Click::Through),
        (Modifiers::NONE, Click::Only),
    ] {
        for (key, by) in MOVES {
            // Shift with an arrow is asked for first: egui would take it for the arrow alone.
            if ctx.input_mut(|input| input.consume_key(modifiers, key)) {
                step(cx, library, by, click);
            }
        }
    }
}

fn step(cx: &mut UiContext, library: &mut LibraryWorkspace, by: isize, click: Click) {
    let LibraryWorkspace {
        listing, cursor, ..
    } = &library;
    let rows = listing.rows();
    let from = cursor.or(cx.session.active);
    let from = from.and_then(|id| rows.iter().position(|row| *row == id));
    let to = from.map_or(0, |at| at.saturating_add_signed(by));
    let Some(&id) = rows.get(to.min(rows.len().saturating_sub(1))) else {
        return;
    };
    let rows = rows.to_vec();
    library.cursor = Some(id);
    library.scroll_to = rows.iter().position(|row| *row == id);
    crate::app::library::clips::table::clicked(cx, id, click, &rows);
}
