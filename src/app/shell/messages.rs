//! What the program says: the newest in the status bar, all for a few seconds as toasts.

use egui_material_icons::icons::{ICON_CHECK_CIRCLE, ICON_ERROR, ICON_INFO, ICON_WARNING};

use crate::app::shell::theme::Colours;

/// How serious it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Severity {
    /// Something was done as asked.
    Done,
    /// Something worth knowing; nothing went wrong.
    Info,
    /// Something is not as it should be.
    Warning,
    /// Something did not work.
    Error,
}

/// A sentence for the status bar and the log.
#[derive(Debug, Clone, PartialEq)]
pub struct Message {
    /// How serious it is.
    pub severity: Severity,
    /// What happened to what, and what next, in one or two sentences.
    pub text: String,
    at_secs: f64,
}

/// What was said, newest last.
#[derive(Debug, Default)]
pub struct Messages {
    said: Vec<Message>,
    /// The last step that was done, for the status bar alone.
    noted: Option<Message>,
    now_secs: f64,
}

impl Messages {
    /// How many are remembered.
    const MOST: usize = 100;
    const SHOWN_SECS: f64 = 5.0;
    /// Errors take longer to read.
    const ERROR_SECS: f64 = 12.0;

    /// Tells it the time, so that messages go when there was time to read them.
    pub fn tick(&mut self, now_secs: f64) {
        self.now_secs = now_secs;
    }

    /// Adds a message; the oldest is forgotten when there are too many.
    pub fn say(&mut self, severity: Severity, text: impl Into<String>) {
        if self.said.len() == Self::MOST {
            self.said.remove(0);
        }
        self.said.push(Message {
            severity,
            text: text.into(),
            at_secs: self.now_secs,
        });
    }

    /// Says something in the status bar alone: steps of the work are many, and need no toast each.
    pub fn note(&mut self, severity: Severity, text: impl Into<String>) {
        self.noted = Some(Message {
            severity,
            text: text.into(),
            at_secs: self.now_secs,
        });
    }

    /// What the status bar shows: the newest, noted or said.
    pub fn in_status(&self) -> Option<&Message> {
        match (&self.noted, self.said.last()) {
            // What was said about a step, in the same moment, tells more.
            (Some(noted), Some(said)) if noted.at_secs > said.at_secs => Some(noted),
            (noted, said) => said.or(noted.as_ref()),
        }
    }

    /// The newest message, whether or not it is still shown.
    pub fn last(&self) -> Option<&Message> {
        self.said.last()
    }

    /// All that are remembered, oldest first.
    pub fn all(&self) -> &[Message] {
        &self.said
    }

    fn is_fresh(&self, message: &Message) -> bool {
        let secs = match message.severity {
            Severity::Error | Severity::Warning => Self::ERROR_SECS,
            Severity::Done | Severity::Info => Self::SHOWN_SECS,
        };
        self.now_secs - message.at_secs < secs
    }

    /// Draws the fresh ones above the lower right corner, and above the tour, whose buttons are there.
    pub fn toasts_ui(&self, ctx: &egui::Context, tour: Option<egui::Rect>) {
        const MOST_AT_ONCE: usize = 4;
        let fresh = self.said.iter().rev().filter(|m| self.is_fresh(m));
        let fresh: Vec<&Message> = fresh.take(MOST_AT_ONCE).collect();
        if fresh.is_empty() {
            return;
        }
        ctx.request_repaint_after(std::time::Duration::from_millis(500));
        let corner = ctx.content_rect().right_bottom();
        let usual = egui::Rect::from_min_max(corner - egui::vec2(440.0, 160.0), corner);
        let tour = tour.filter(|tour| tour.intersects(usual));
        let height = tour.map_or(40.0, |tour| corner.y - tour.top() + 8.0);
        egui::Area::new(egui::Id::unique("toasts"))
            .anchor(egui::Align2::RIGHT_BOTTOM, [-12.0, -height])
            .interactable(false)
            .order(egui::Order::Foreground)
            .show(ctx, |ui| {
                // The newest is nearest to the corner.
                for message in fresh.into_iter().rev() {
                    egui::Frame::popup(ui.style()).show(ui, |ui| {
                        ui.set_max_width(420.0);
                        message_ui(ui, message, egui::TextWrapMode::Wrap);
                    });
                }
            });
    }
}

/// Sign and words: never the colour alone.
pub fn message_ui(ui: &mut egui::Ui, message: &Message, wrap: egui::TextWrapMode) {
    let colours = Colours::of(ui);
    let (icon, colour) = match message.severity {
        Severity::Done => (ICON_CHECK_CIRCLE, colours.good),
        Severity::Info => (ICON_INFO, colours.given),
        Severity::Warning => (ICON_WARNING, colours.warning),
        Severity::Error => (ICON_ERROR, colours.error),
    };
    ui.horizontal(|ui| {
        ui.label(icon.rich_text().color(colour));
        ui.add(egui::Label::new(&message.text).wrap_mode(wrap));
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_remembered_but_not_forever() {
        let mut messages = Messages::default();
        for n in 0..250 {
            messages.say(Severity::Info, format!("{n}"));
        }
        assert_eq!(messages.all().len(), Messages::MOST);
        assert_eq!(messages.last().map(|m| m.text.as_str()), Some("249"));
        messages.say(Severity::Error, "no");
        messages.tick(8.0);
        let fresh = messages.all().iter().filter(|m| messages.is_fresh(m));
        assert_eq!(fresh.count(), 1, "only the error stays so long");
    }
}
