//! The command palette: any action by a few letters.

use crate::app::shell::actions::{ALL, Entry};
use crate::app::shell::context::UiContext;
use crate::app::shell::dialogs::dialog::Palette;
use crate::app::shell::requests::Request;
use crate::app::shell::shortcuts::{in_words, keys_of};

/// How well letters fit a text: all of them in this order, better at the start of words and in one piece. Of all ways
/// to find them the best counts. `None` if they do not fit.
pub fn score(letters: &str, text: &str) -> Option<u32> {
    let lower = |text: &str| text.to_lowercase().chars().collect::<Vec<char>>();
    let text = lower(text);
    let worth = |at: usize| {
        let starts_word = at == 0 || !text[at - 1].is_alphanumeric();
        1 + 4 * u32::from(starts_word)
    };
    // For each place in the text, the best score of the letters so far with the last of them there.
    let mut ends: Option<Vec<Option<u32>>> = None;
    for letter in lower(letters).into_iter().filter(|c| !c.is_whitespace()) {
        let mut best_before = None;
        let next = (0..text.len()).map(|at| {
            let before = match &ends {
                None => Some(0),
                Some(ends) => {
                    let in_one_piece = at.checked_sub(1).and_then(|b| ends[b]).map(|s| s + 3);
                    let found = in_one_piece.max(best_before);
                    best_before = best_before.max(at.checked_sub(1).and_then(|b| ends[b]));
                    found
                }
            };
            before.filter(|_| text[at] == letter).map(|s| s + worth(at))
        });
        ends = Some(next.collect());
    }
    match ends {
        None => Some(0),
        Some(ends) => ends.into_iter().flatten().max(),
    }
}

impl Palette {
    /// Draws it; whether it stays open.
    pub fn palette_ui(&mut self, ui: &mut egui::Ui, cx: &mut UiContext) -> bool {
        let label = ui.label("What do you want to do?");
        let edit = egui::TextEdit::singleline(&mut self.text)
            .hint_text("a few letters: mir, exp, loop")
            .desired_width(f32::INFINITY);
        let response = ui.add(edit).labelled_by(label.id);
        if !self.has_focus {
            response.request_focus();
            self.has_focus = true;
        }
        if response.changed() {
            self.chosen = 0;
        }
        let found = found(&self.text, cx);
        let pressed = |key| ui.input(|input| input.key_pressed(key));
        if pressed(egui::Key::ArrowDown) {
            self.chosen = (self.chosen + 1).min(found.len().saturating_sub(1));
        }
        if pressed(egui::Key::ArrowUp) {
            self.chosen = self.chosen.saturating_sub(1);
        }
        let mut wanted = pressed(egui::Key::Enter)
            .then(|| found.get(self.chosen).copied())
            .flatten();
        egui::ScrollArea::vertical()
            .max_height(320.0)
            .min_scrolled_height(320.0)
            .auto_shrink([false, true])
            .show(ui, |ui| {
                for (row, entry) in found.iter().enumerate() {
                    let keys = keys_of(&cx.preferences, entry);
                    let keys = keys.map(in_words);
                    let button = egui::Button::selectable(row == self.chosen, entry.text)
                        .shortcut_text(keys.unwrap_or_default());
                    let button = button.min_size(egui::vec2(ui.available_width(), 0.0));
                    if ui.add(button).on_hover_text(entry.tip).clicked() {
                        wanted = Some(entry);
                    }
                }
                if found.is_empty() {
                    ui.weak("No action fits these letters, or it makes no sense now.");
                }
            });
        if let Some(entry) = wanted {
            cx.ask(Request::Do(entry.action));
        }
        wanted.is_none()
    }
}

/// What fits and makes sense now, the best first.
fn found(text: &str, cx: &UiContext) -> Vec<&'static Entry> {
    let mut found: Vec<(u32, &Entry)> = ALL
        .iter()
        .filter(|entry| cx.actions.of(entry.action).is_enabled)
        .filter_map(|entry| Some((score(text, entry.text)?, entry)))
        .collect();
    found.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
    found.into_iter().map(|(_, entry)| entry).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_find_actions() {
        assert_eq!(score("xyz", "Mirror"), None);
        assert_eq!(score("rim", "Mirror"), None, "in this order");
        assert!(score("", "Mirror") == Some(0), "no letters fit all");
        let fits = |text| score("fa", text).unwrap();
        assert_eq!(
            fits("Frame all"),
            10,
            "two starts of words, not the first a"
        );
        assert_eq!(fits("Faster"), 9, "a start in one piece");
        assert_eq!(fits("of lava"), 2, "anywhere");
        let best = |letters: &str| {
            let all = ALL
                .iter()
                .filter_map(|e| Some((score(letters, e.text)?, e.id)));
            all.max_by_key(|(score, _)| *score).unwrap().1
        };
        assert_eq!(best("mirr p"), "pose.mirror");
        assert_eq!(best("resa"), "clip.resample");
        assert_eq!(best("SPIK"), "clip.mend");
    }
}
