//! The menu of the pose workspace.

use crate::app::pose::state::PoseWorkspace;
use crate::app::shell::Shell;
use crate::app::shell::actions::Action;
use crate::app::shell::context::UiContext;
use crate::app::shell::preferences::Workspace;

impl PoseWorkspace {
    /// Whether an action makes sense now; none if it is not about posing.
    pub(in crate::app) fn is_enabled(&self, cx: &UiContext, action: Action) -> Option<bool> {
        Some(match action {
            Action::NewCharacter => {
                cx.preferences.workspace == Workspace::Pose && cx.active_clip().is_some()
            }
            Action::MoveTool
            | Action::TurnTool
            | Action::SingleJoints
            | Action::Symmetric
            | Action::PinPlace
            | Action::PinTurn
            | Action::MirrorPose
            | Action::FlipPose
            | Action::CopyPose
            | Action::RelaxPose
            | Action::ResetPose => self.shows_posed(cx),
            Action::PastePose => self.shows_posed(cx) && self.handles.copied.is_some(),
            Action::ShowClips => self.active_posed(cx).is_some(),
            _ => return None,
        })
    }

    /// Whether an action is something that is on or off, and is on.
    pub(in crate::app) fn is_on(&self, action: Action) -> Option<bool> {
        Some(match action {
            Action::MoveTool => !self.handles.is_turning && !self.handles.is_fk,
            Action::TurnTool => self.handles.is_turning && !self.handles.is_fk,
            Action::SingleJoints => self.handles.is_fk,
            Action::Symmetric => self.handles.is_symmetric,
            Action::ShowClips => self.shows_clips,
            _ => return None,
        })
    }

    /// Does an action; whether it is about posing.
    pub(in crate::app) fn run(&mut self, shell: &mut Shell, action: Action) -> bool {
        match action {
            Action::NewCharacter => self.new_character(shell),
            Action::MoveTool => self.take_tool(false),
            Action::TurnTool => self.take_tool(true),
            Action::SingleJoints => self.handles.is_fk ^= true,
            Action::Symmetric => self.handles.is_symmetric ^= true,
            Action::PinPlace => self.cycle_pins(shell, false),
            Action::PinTurn => self.cycle_pins(shell, true),
            Action::MirrorPose => self.mirror_pose(shell),
            Action::FlipPose => self.flip_pose(shell),
            Action::CopyPose => self.copy_pose(shell),
            Action::PastePose => self.paste_pose(shell),
            Action::RelaxPose => self.relax_pose(shell),
            Action::ResetPose => self.reset_pose(shell),
            Action::ShowClips => self.shows_clips ^= true,
            _ => return false,
        }
        true
    }

    /// Arrows or rings. The keys do more: see the keyboard of the workspace.
    fn take_tool(&mut self, turns: bool) {
        self.handles.is_turning = turns;
        self.handles.is_fk = false;
    }
}
