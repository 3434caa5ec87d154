//! A rater at work: the question, the scale, and nothing that tells what is shown.

use crate::app::shell::context::UiContext;
use crate::app::shell::ui::name_button;
use crate::app::study::state::{Request, StudyWorkspace};
use crate::study::session::{HIGHEST, Key, LOWEST, Session};

/// Draws the session that runs.
pub(super) fn session_ui(ui: &mut egui::Ui, cx: &mut UiContext, study: &mut StudyWorkspace) {
    let Some((_, session)) = study.session(cx) else {
        return;
    };
    let plan = session.plan();
    let (done, of) = session.progress();
    ui.horizontal(|ui| {
        ui.strong(session.rater());
        ui.weak(plan.title());
    });
    ui.add(egui::ProgressBar::new(done as f32 / of.max(1) as f32).text(format!("{done} of {of}")));
    ui.add_space(12.0);
    if let Some(question) = session.question() {
        ui.weak(format!("Motion {} of {}", question.number, question.of));
        ui.heading(plan.experiment().question());
        ui.add_space(6.0);
        scale_ui(ui, study, &session);
        ui.add_space(8.0);
        let tip = "Plays the motion again from its start (space)";
        if ui.button("Play again").on_hover_text(tip).clicked() {
            StudyWorkspace::replay(cx);
        }
    } else {
        ui.heading("Thank you: all questions are answered.");
        ui.weak("Backspace goes back to the last one.");
    }
    ui.add_space(6.0);
    ui.horizontal_wrapped(|ui| {
        let can_go_back = ui.add_enabled(done > 0, egui::Button::new("Back"));
        let tip = "Takes the last answer back and asks again (backspace)";
        if can_go_back.on_hover_text(tip).clicked() {
            study.requests.ask(Request::Press(Key::Undo));
        }
        let words = if session.is_over() { "Close" } else { "Pause" };
        let pause = ui.button(words);
        name_button(&pause, "End the session");
        let tip =
            "Ends the session; what was answered stays, and the rater can go on later (escape)";
        if pause.on_hover_text(tip).clicked() {
            study.pause_session(cx);
        }
    });
    ui.add_space(10.0);
    ui.weak("1 to 9 answer · space plays again · backspace goes back · escape pauses");
}

/// Nine buttons, with what the ends mean.
fn scale_ui(ui: &mut egui::Ui, study: &mut StudyWorkspace, session: &Session) {
    let (low, high) = session.plan().experiment().ends();
    let n = f32::from(HIGHEST - LOWEST + 1);
    let gap = 4.0;
    let width = ((ui.available_width() - gap * (n - 1.0)) / n).clamp(24.0, 56.0);
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = gap;
        for score in LOWEST..=HIGHEST {
            let words = egui::RichText::new(score.to_string()).size(18.0);
            let button = egui::Button::new(words).min_size(egui::vec2(width, 38.0));
            let button = ui.add(button);
            name_button(&button, &format!("Score {score}"));
            if button.clicked() {
                study.requests.ask(Request::Press(Key::Digit(score)));
            }
        }
    });
    ui.horizontal(|ui| {
        ui.set_width((width + gap) * n - gap);
        ui.weak(format!("{LOWEST}: {low}"));
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            ui.weak(format!("{HIGHEST}: {high}"));
        });
    });
}
