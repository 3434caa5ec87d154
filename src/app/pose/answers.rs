//! Answers what panels of the pose workspace ask for.

use crate::app::pose::handles::solver::Aim;
use crate::app::pose::handles::targets::HeldHandles;
use crate::app::pose::handles::ui::mouse::Mouse;
use crate::app::pose::requests::{MapStep, Request, StyleChoice};
use crate::app::pose::state::PoseWorkspace;
use crate::app::shell::Shell;
use crate::document::{ModelId, Posed, PosedId};

impl PoseWorkspace {
    /// Does what was asked for, and takes what jobs have brought.
    pub(in crate::app) fn answer_all(&mut self, shell: &mut Shell) {
        while let Some(delivery) = self.inbox.next(shell) {
            delivery(self, shell);
        }
        for request in self.requests.take() {
            self.answer(shell, request);
        }
    }

    fn answer(&mut self, shell: &mut Shell, request: Request) {
        match request {
            Request::NewCharacter => self.new_character(shell),
            Request::Choose(id) => self.choose(shell, id),
            Request::Grab { held, what, mouse } => self.grab(shell, held, &what, mouse),
            Request::CyclePins => self.cycle_pins(shell, false),
            Request::SetPins {
                sites,
                of_turn,
                mode,
            } => self.set_pins(shell, &sites, of_turn, mode),
            Request::ToggleHandle(site) => self.toggle_handle(shell, site),
            Request::ChooseStyle(id, choice) => self.choose_style(shell, id, choice),
            Request::Blend { weights, is_done } => self.blend(shell, weights, is_done),
            Request::Browse(step) => self.browse(shell, step),
            Request::PastePose => self.paste_pose(shell),
            Request::KeepPose(name) => self.keep_pose(shell, &name),
            Request::ApplyPose(id) => self.apply_kept_pose(shell, id),
            Request::KeepKeyMotion => self.keep_key_motion(shell),
            Request::KeepRebuilt { is_new } => self.keep_rebuilt(shell, is_new),
        }
    }

    fn choose(&mut self, shell: &mut Shell, id: PosedId) {
        self.finish_grab(shell);
        self.active = Some(id);
        self.handles.selected.clear();
    }

    fn grab(&mut self, shell: &mut Shell, held: Option<HeldHandles>, what: &str, mouse: Mouse) {
        let has_begun = match held {
            Some(held) => self.begin_grab(shell, held, what),
            None => self.begin_change(shell, what),
        };
        if has_begun {
            self.handles.mouse = Some(mouse);
        }
    }

    fn choose_style(&mut self, shell: &mut Shell, id: ModelId, choice: StyleChoice) {
        self.change_posed(shell, "change styles of", |posed, _| {
            if choice == StyleChoice::Alone {
                posed.styles.clear();
            }
            posed.styles.retain(|(other, _)| *other != id);
            if choice != StyleChoice::Not {
                posed.styles.push((id, 1.0));
            }
            Ok(())
        });
    }

    /// One drag of a slider is one step.
    fn blend(&mut self, shell: &mut Shell, weights: Vec<(ModelId, f64)>, is_done: bool) {
        if self.handles.grab.is_none() {
            self.begin_change(shell, "blend styles of");
        }
        if let Some(grab) = &self.handles.grab {
            let mut draft = Posed::clone(&grab.draft);
            draft.styles = weights;
            self.change_draft(shell, draft, Some(Aim::Fresh));
        }
        if is_done {
            self.end_grab(shell);
        }
    }

    /// One walk over the map is one step.
    fn browse(&mut self, shell: &mut Shell, step: MapStep) {
        let MapStep {
            is_begun,
            point,
            is_done,
        } = step;
        if is_begun && !self.begin_change(shell, "browse poses of") {
            return;
        }
        if let Some((point, grab)) = point.zip(self.handles.grab.as_ref()) {
            let draft = Posed::clone(&grab.draft);
            self.change_draft(shell, draft, Some(Aim::Browse(point)));
        }
        if is_done {
            self.end_grab(shell);
        }
    }
}
