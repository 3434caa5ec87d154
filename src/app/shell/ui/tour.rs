//! The tour: a few words on each workspace, beside the workspace itself, that can be left at any moment.

use super::tour_step::Tour;
use crate::app::shell::context::UiContext;
use crate::app::shell::pane::Pane;
use crate::app::shell::preferences::Workspace;

/// One stop of the tour: workspace, panel, words.
struct Step {
    workspace: Workspace,
    /// The panel that is talked about.
    pane: Pane,
    title: &'static str,
    words: &'static [&'static str],
}

const STEPS: [Step; 7] = [
    Step {
        workspace: Workspace::Library,
        pane: Pane::Clips,
        title: "Library: the clips",
        words: &[
            "Click a clip to see it, ctrl or shift adds others. Space plays; drag with the middle button to orbit, the wheel zooms.",
            "Your own BVH, FBX and ASF/AMC files come in with ctrl+I.",
        ],
    },
    Step {
        workspace: Workspace::Variation,
        pane: Pane::Variants,
        title: "Variation: a family from four takes",
        words: &[
            "A model has learned from four walks (blue) how walking varies, and made fifteen new ones (orange).",
            "Move Amount, click a variant to look at it, keep those you like. Network shows what depends on what.",
        ],
    },
    Step {
        workspace: Workspace::Pose,
        pane: Pane::Styles,
        title: "Pose: a few handles in a style",
        words: &[
            "Drag a hand: the body follows as a boxer's would. P pins a handle, N relaxes the pose, X mirrors it.",
            "The map at the lower right shows the poses of the style; click on it to take one.",
        ],
    },
    Step {
        workspace: Workspace::Sequence,
        pane: Pane::Actions,
        title: "Sequence: any action after any other",
        words: &[
            "Six moves on the strip, with transitions found in a graph of all fight clips. Space plays them.",
            "Drag actions from the left onto the strip; click a transition to see how good it is, and other ways to make it.",
        ],
    },
    Step {
        workspace: Workspace::Sequence,
        pane: Pane::Path,
        title: "Sequence: along a path",
        words: &[
            "The walk follows the line on the floor, and is never the same twice. Drag its points, or draw another line.",
            "The panel Live lets you steer it with the keyboard.",
        ],
    },
    Step {
        workspace: Workspace::Study,
        pane: Pane::Measures,
        title: "Study: natural? repetitive?",
        words: &[
            "The variants beside noise and cycle animation, measured against walks that the model has not seen.",
            "Crowd shows a hundred characters at once; Clones finds motion that repeats; Rating asks people.",
        ],
    },
    Step {
        workspace: Workspace::Library,
        pane: Pane::Clips,
        title: "Your turn",
        words: &[
            "Ctrl+I imports clips, ctrl+E exports what is selected, ctrl+P finds every command, F1 lists all keys.",
            "The guide in the menu Help goes on task by task; File, Open the demo brings this project back.",
        ],
    },
];

const WIDTH: f32 = 380.0;

/// Draws it over the far end of the timeline, where it hides neither characters nor panels; where it is.
pub(in crate::app) fn tour_ui(ctx: &egui::Context, cx: &mut UiContext) -> Option<egui::Rect> {
    let mut tour = cx.tour.take()?;
    let step = STEPS.get(tour.step)?;
    if !std::mem::replace(&mut tour.is_shown, true) {
        cx.preferences.workspace = step.workspace;
        cx.wanted_pane = Some(step.pane);
    }
    let corner = ctx.content_rect().right_bottom();
    let mut to = Some(tour.step);
    let window = egui::Window::new(step.title)
        .id(egui::Id::unique("tour"))
        .collapsible(false)
        .resizable(false)
        .pivot(egui::Align2::RIGHT_BOTTOM)
        .default_pos(corner - egui::vec2(12.0, 36.0))
        .show(ctx, |ui| {
            ui.set_width(WIDTH);
            for words in step.words {
                ui.label(*words);
                ui.add_space(4.0);
            }
            ui.horizontal(|ui| to = buttons_ui(ui, tour.step));
        });
    cx.tour = to.map(|to| Tour {
        step: to,
        is_shown: to == tour.step,
    });
    window.map(|window| window.response.rect)
}

/// Which step comes; none ends the tour.
fn buttons_ui(ui: &mut egui::Ui, step: usize) -> Option<usize> {
    let mut to = Some(step);
    ui.weak(format!("{} of {}", step + 1, STEPS.len()));
    ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
        let is_last = step + 1 == STEPS.len();
        if ui.button(if is_last { "Done" } else { "Next" }).clicked() {
            to = (!is_last).then_some(step + 1);
        }
        let back = egui::Button::new("Back");
        if ui.add_enabled(step > 0, back).clicked() {
            to = Some(step - 1);
        }
        if !is_last && ui.button("Skip the tour").clicked() {
            to = None;
        }
    });
    to
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::shell::docks::{bring_to_front, usual_layout};

    #[test]
    fn every_step_talks_about_a_panel_of_its_workspace_and_all_workspaces_come() {
        for step in &STEPS {
            let mut layout = usual_layout(step.workspace);
            assert!(bring_to_front(&mut layout, step.pane), "{}", step.title);
        }
        for workspace in Workspace::ALL {
            assert!(
                STEPS.iter().any(|step| step.workspace == workspace),
                "{workspace:?}"
            );
        }
    }
}
