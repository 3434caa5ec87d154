//! The panel of rating studies: making one, and who has rated.

use std::sync::Arc;

use egui_material_icons::icons::ICON_DELETE;

use crate::app::shell::context::UiContext;
use crate::app::shell::requests::Request as ShellRequest;
use crate::app::shell::ui::name_button;
use crate::app::shell::ui::rows::number_row;
use crate::app::shell::ui::running::running_ui;
use crate::app::shell::words::counted;
use crate::app::study::rating::make::{Condition, MAKE};
use crate::app::study::rating::session_ui::session_ui;
use crate::app::study::state::{Request, StudyWorkspace};
use crate::document::{Command, RatingStudy, StudyId};
use crate::study::sequences::FEWEST_CLIPS;
use crate::study::session::{Experiment, MOST_STIMULI, Rating};

/// Draws the rating session: the clip, the scale and the keys.
pub(in crate::app) fn rating_ui(ui: &mut egui::Ui, cx: &mut UiContext, study: &mut StudyWorkspace) {
    egui::ScrollArea::vertical()
        .auto_shrink(false)
        .show(ui, |ui| {
            if study.rating.running.is_some() {
                session_ui(ui, cx, study);
                return;
            }
            let chosen = study.chosen_study(cx);
            if chosen.is_none() || study.rating.is_making {
                draft_ui(ui, cx, study, chosen.is_some());
                return;
            }
            if let Some((id, chosen)) = chosen {
                studies_ui(ui, cx, study, id);
                about_ui(ui, &chosen);
                begin_ui(ui, cx, study, &chosen);
                raters_ui(ui, cx, study, (id, &chosen));
            }
        });
}

/// Which study, a new one, or without this one.
fn studies_ui(ui: &mut egui::Ui, cx: &mut UiContext, study: &mut StudyWorkspace, id: StudyId) {
    let studies = cx.document().studies().to_vec();
    ui.horizontal(|ui| {
        let title = |study: &RatingStudy| study.plan().title().to_owned();
        let now = studies.iter().find(|(other, _)| *other == id);
        egui::ComboBox::from_id_salt("study")
            .selected_text(now.map_or_else(String::new, |(_, study)| title(study)))
            .show_ui(ui, |ui| {
                for (other, one) in &studies {
                    if ui.selectable_label(*other == id, title(one)).clicked() {
                        study.rating.chosen = Some(*other);
                    }
                }
            })
            .response
            .on_hover_text("The studies of this project");
        if ui.button("New study…").clicked() {
            study.rating.is_making = true;
        }
        let remove = ui.button(ICON_DELETE);
        name_button(&remove, "Remove this study");
        let tip = "Removes the study with all its ratings; undo brings it back";
        if remove.on_hover_text(tip).clicked() {
            cx.ask(ShellRequest::Edit(Command::RemoveStudy(id)));
        }
    });
}

fn about_ui(ui: &mut egui::Ui, chosen: &Arc<RatingStudy>) {
    let plan = chosen.plan();
    ui.label(plan.experiment().question());
    let n = |condition: &str| {
        let own = plan.stimuli().iter().filter(|s| s.condition == condition);
        own.count()
    };
    let conditions: Vec<String> = plan
        .conditions()
        .into_iter()
        .map(|condition| format!("{condition} ({})", n(condition)))
        .collect();
    ui.weak(format!(
        "{}; {} for each rater, seed {}",
        conditions.join(", "),
        plan.per_rater(),
        plan.seed()
    ));
}

/// A rater's name, and the button.
fn begin_ui(
    ui: &mut egui::Ui,
    cx: &mut UiContext,
    study: &mut StudyWorkspace,
    chosen: &Arc<RatingStudy>,
) {
    ui.add_space(6.0);
    ui.horizontal(|ui| {
        let label = ui.label("Rater");
        let edit = egui::TextEdit::singleline(&mut study.rating.rater)
            .hint_text("name or initials")
            .desired_width(130.0);
        let response = ui.add(edit).labelled_by(label.id);
        let is_entered =
            response.lost_focus() && ui.input(|input| input.key_pressed(egui::Key::Enter));
        let rater = study.rating.rater.trim();
        let own = |rating: &&Rating| rating.rater == rater;
        let n = chosen.ratings.iter().filter(own).count();
        let words = match n {
            0 => "Start rating",
            n if n < chosen.plan().per_rater() => "Go on rating",
            _ => "Look at the end",
        };
        let is_named = !rater.is_empty();
        let button = ui.add_enabled(is_named, egui::Button::new(words));
        let tip = "The motions come one by one, blind, in an order of this rater's own";
        if button.on_hover_text(tip).clicked() || (is_entered && is_named) {
            study.start_session(cx);
        }
    });
}

/// Who has rated, and how far.
fn raters_ui(
    ui: &mut egui::Ui,
    cx: &mut UiContext,
    study: &mut StudyWorkspace,
    (id, chosen): (StudyId, &Arc<RatingStudy>),
) {
    let mut raters: Vec<&str> = chosen.ratings.iter().map(|r| r.rater.as_str()).collect();
    raters.sort_unstable();
    raters.dedup();
    ui.separator();
    if raters.is_empty() {
        ui.weak("Nobody has rated yet.");
        return;
    }
    ui.label(format!(
        "{} of {}",
        counted(chosen.ratings.len(), "rating"),
        counted(raters.len(), "rater")
    ));
    let of = chosen.plan().per_rater();
    egui::Grid::new("raters")
        .num_columns(4)
        .striped(true)
        .show(ui, |ui| {
            for rater in raters {
                let n = chosen.ratings.iter().filter(|r| r.rater == rater).count();
                ui.label(rater);
                ui.add(
                    egui::ProgressBar::new(n as f32 / of.max(1) as f32)
                        .desired_width(90.0)
                        .text(format!("{n} / {of}")),
                );
                if n < of && ui.button(format!("Resume {rater}")).clicked() {
                    rater.clone_into(&mut study.rating.rater);
                    study.start_session(cx);
                } else if n >= of {
                    ui.weak("finished");
                }
                let forget = ui.small_button(ICON_DELETE);
                name_button(&forget, &format!("Forget ratings of {rater}"));
                let tip = "Removes what this rater answered; undo brings it back";
                if forget.on_hover_text(tip).clicked() {
                    study
                        .requests
                        .ask(Request::ForgetRater(id, rater.to_owned()));
                }
                ui.end_row();
            }
        });
}

const EXPERIMENTS: [(Experiment, &str, &str); 2] = [
    (
        Experiment::Natural,
        "A: natural?",
        "Motions as they are, mixed with motion capture: how natural is each, from 1 to 9?",
    ),
    (
        Experiment::Repetitive,
        "B: repetitive?",
        "Long sequences of each set beside cycle animation of the inputs: how repetitive is each, from 1 to 9?",
    ),
];

/// Putting a study together.
fn draft_ui(ui: &mut egui::Ui, cx: &mut UiContext, study: &mut StudyWorkspace, can_go_back: bool) {
    if let Some(running) = cx.work.named(MAKE) {
        running_ui(ui, running, "Cancel making");
        return;
    }
    ui.weak("People rate motions without knowing what they are. The sets under Compared sets become the conditions.");
    let settings = &mut study.rating.draft.settings;
    ui.horizontal(|ui| {
        for (experiment, words, tip) in EXPERIMENTS {
            ui.selectable_value(&mut settings.experiment, experiment, words)
                .on_hover_text(tip);
        }
    });
    let experiment = settings.experiment;
    egui::Grid::new("draft").num_columns(2).show(ui, |ui| {
        let draft = &mut study.rating.draft;
        let label = ui.label("Title");
        let hint = match experiment {
            Experiment::Natural => "natural motion",
            Experiment::Repetitive => "repetition",
        };
        let edit = egui::TextEdit::singleline(&mut draft.settings.title)
            .hint_text(hint)
            .desired_width(160.0);
        let response = ui.add(edit).labelled_by(label.id);
        response.on_hover_text("Raters see it; it should not tell what is compared");
        ui.end_row();
        let number = egui::DragValue::new(&mut draft.settings.per_rater).range(1..=MOST_STIMULI);
        number_row(
            ui,
            "Questions",
            number,
            "How many motions each rater watches; 15 in the paper",
        );
        let number = egui::DragValue::new(&mut draft.settings.seed);
        number_row(
            ui,
            "Seed",
            number,
            "Names the random numbers of blind names and orders",
        );
        if experiment == Experiment::Repetitive {
            let number = egui::DragValue::new(&mut draft.clips).range(FEWEST_CLIPS..=100);
            number_row(
                ui,
                "Motions in a sequence",
                number,
                "At least 15, as in the paper",
            );
            let number = egui::DragValue::new(&mut draft.sequences).range(1..=50);
            number_row(
                ui,
                "Sequences of each kind",
                number,
                "As many for each condition",
            );
        }
    });
    let conditions = study.conditions(cx.document(), experiment);
    conditions_ui(ui, &conditions, study.rating.draft.clips, experiment);
    ui.horizontal(|ui| {
        let is_ready = conditions.len() > 1;
        let button = ui.add_enabled(is_ready, egui::Button::new("Make the study"));
        let tip = "Copies the motions under blind names into the project, in the background";
        if button.on_hover_text(tip).clicked() {
            study.make_study(cx);
        }
        if can_go_back && ui.button("Back to the studies").clicked() {
            study.rating.is_making = false;
        }
    });
}

fn conditions_ui(
    ui: &mut egui::Ui,
    conditions: &[Condition],
    length: usize,
    experiment: Experiment,
) {
    let is_long = experiment == Experiment::Repetitive;
    for condition in conditions {
        let n = counted(condition.members.len(), "motion");
        ui.label(format!("• {}: {n}", condition.name));
    }
    if conditions.len() < 2 {
        let words = if is_long {
            "Two conditions are needed: inputs for cycle animation, and a judged set."
        } else {
            "Two conditions are needed: motion capture (inputs or real clips), and a judged set."
        };
        ui.weak(words);
    }
    let few = conditions
        .iter()
        .find(|c| is_long && c.name != "cycle animation" && c.members.len() < length);
    if let Some(few) = few {
        let (name, n) = (&few.name, few.members.len());
        ui.colored_label(
            ui.visuals().warn_fg_color,
            format!(
                "Sequences of {length} from the {n} motions of {name} show some of them twice."
            ),
        );
    }
}
