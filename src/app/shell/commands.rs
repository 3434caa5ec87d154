//! What the actions do that are about no workspace in particular: files, undo, selection, playback, view.

use crate::app::render::View;
use crate::app::shell::Shell;
use crate::app::shell::actions::Action;
use crate::app::shell::clips::operations::Operation;
use crate::app::shell::context::UiContext;
use crate::app::shell::dialogs::Dialog;
use crate::app::shell::dialogs::dialog::{ExportBox, Palette, PathBox, PathPurpose};
use crate::app::shell::dialogs::guide::GuideBox;
use crate::app::shell::pane::Pane;
use crate::app::shell::preferences::{Navigation, Workspace};
use crate::app::shell::recovery::Look;
use crate::app::shell::requests::{Request, Then};
use crate::app::shell::session::{Framing, Rename};
use crate::app::shell::ui::tour_step::Tour;
use crate::app::shell::view_options::Arrangement;
use crate::document::Command;

impl UiContext {
    /// Whether an action of the shell makes sense now.
    pub(in crate::app) fn is_enabled(&self, action: Action) -> bool {
        let has_selection = !self.session.selection.is_empty();
        let has_range = self.session.range_secs.is_some();
        match action {
            Action::New | Action::Open | Action::Demo | Action::Save | Action::SaveAs => {
                !self.is_saving()
            }
            Action::ImportReport => self.last_import.is_some(),
            Action::Undo => self.undo_label().is_some(),
            Action::Redo => self.redo_label().is_some(),
            Action::Rename => self.active_clip().is_some(),
            Action::Trim => has_selection && has_range,
            Action::ClearRange => has_range,
            Action::Play
            | Action::StepBack
            | Action::StepForward
            | Action::TenBack
            | Action::TenForward
            | Action::ToStart
            | Action::ToEnd => has_selection || self.timebase.is_some(),
            Action::Export
            | Action::SelectNone
            | Action::Delete
            | Action::Mirror
            | Action::DropTPose
            | Action::MendGlitches
            | Action::SetFloor
            | Action::InPlace
            | Action::PlantFeet
            | Action::Resample
            | Action::Retarget
            | Action::SetIn
            | Action::SetOut
            | Action::FrameSelection
            | Action::FrameAll
            | Action::Front
            | Action::Side
            | Action::Top
            | Action::Pivot => has_selection,
            _ => true,
        }
    }

    /// Whether an action of the shell is something that is on or off, and is on.
    pub(in crate::app) fn is_on(&self, action: Action) -> Option<bool> {
        let options = &self.preferences.view;
        Some(match action {
            Action::Loop => self.session.is_looping,
            Action::Follow => self.session.is_following,
            Action::Overlaid => options.arrangement == Arrangement::Overlaid,
            Action::SideBySide => options.arrangement == Arrangement::SideBySide,
            Action::Grid => options.arrangement == Arrangement::Grid,
            Action::OwnColours => options.has_own_colours,
            Action::Names => options.shows_names,
            Action::ContactRings => options.shows_contacts,
            Action::Trails => options.shows_trails,
            Action::Ghosts => options.shows_ghosts,
            Action::MatchCurve => self.preferences.shows_match_curve,
            Action::MayaMouse => self.preferences.navigation == Navigation::Maya,
            Action::SmoothEdges => self.preferences.is_smooth,
            Action::LightTheme => self.preferences.is_light,
            _ => return None,
        })
    }

    /// Shows a panel of the library.
    pub(in crate::app) fn show_pane(&mut self, pane: Pane) {
        self.preferences.workspace = Workspace::Library;
        self.wanted_pane = Some(pane);
    }

    fn open_path_box(&mut self, purpose: PathPurpose) {
        self.dialog = Some(Dialog::Path(PathBox::new(purpose, String::new())));
    }

    /// The range reaches from the playhead to its old end, or from its old start through the frame at the playhead.
    fn set_range_end(&mut self, is_end: bool) {
        let length = self.length_secs();
        let frame_secs = self.active_clip().map_or(0.0, |clip| 1.0 / clip.fps());
        let at = self.session.playhead_secs;
        let (from, to) = self.session.range_secs.unwrap_or((0.0, length));
        let (from, to) = if is_end {
            (from, at + frame_secs)
        } else {
            (at, to)
        };
        let to = if to > from { to.min(length) } else { length };
        let from = if from < to { from } else { 0.0 };
        self.session.range_secs = Some((from, to));
    }

    fn begin_rename(&mut self) {
        if let (Some(clip), Some(found)) = (self.session.active, self.active_clip()) {
            let text = found.info.name.clone();
            self.session.rename = Some(Rename {
                clip,
                text,
                is_new: true,
            });
            self.preferences.workspace = Workspace::Library;
        }
    }

    fn jump_to_end(&mut self, is_end: bool) {
        let (from, to) = self.session.playing_stretch(self.length_secs());
        self.session.playhead_secs = if is_end { to } else { from };
        // The end of a clip is the end of its last frame; that frame itself is what is wanted.
        self.step_frames(0.0);
    }

    fn arrange(&mut self, arrangement: Arrangement) {
        self.preferences.view.arrangement = arrangement;
        self.session.framing = Some(Framing::All);
    }

    fn toggle_side_by_side(&mut self) {
        self.arrange(match self.preferences.view.arrangement {
            Arrangement::SideBySide => Arrangement::Overlaid,
            Arrangement::Overlaid | Arrangement::Grid => Arrangement::SideBySide,
        });
    }

    fn toggle_navigation(&mut self) {
        self.preferences.navigation = match self.preferences.navigation {
            Navigation::Blender => Navigation::Maya,
            Navigation::Maya => Navigation::Blender,
        };
    }

    /// Does an action that changes no more than session and preferences, or only asks.
    fn run_here(&mut self, action: Action) {
        let options = &mut self.preferences.view;
        match action {
            Action::New => self.ask(Request::Leave(Then::New)),
            Action::Open => self.open_path_box(PathPurpose::Open),
            Action::Demo => self.ask(Request::Leave(Then::Demo)),
            Action::Import => self.open_path_box(PathPurpose::Import),
            Action::ImportReport => self.dialog = Some(Dialog::ImportReport),
            Action::Export => self.dialog = Some(Dialog::Export(ExportBox::of(self))),
            Action::Quit => self.ask(Request::Leave(Then::Quit)),
            Action::SelectNone => self.session.select(None),
            Action::Rename => self.begin_rename(),
            Action::Resample => {
                let fps = self.active_clip().map_or(60.0, |clip| clip.fps());
                self.dialog = Some(Dialog::Resample { fps });
            }
            Action::Retarget => self.retarget_selected(),
            Action::SetIn => self.set_range_end(false),
            Action::SetOut => self.set_range_end(true),
            Action::Clean => self.show_pane(Pane::Clean),
            Action::Cut => self.show_pane(Pane::Cut),
            Action::Strokes => self.show_pane(Pane::Strokes),
            Action::Play => self.session.is_playing ^= true,
            Action::StepBack => self.step_frames(-1.0),
            Action::StepForward => self.step_frames(1.0),
            Action::TenBack => self.step_frames(-10.0),
            Action::TenForward => self.step_frames(10.0),
            Action::ToStart => self.jump_to_end(false),
            Action::ToEnd => self.jump_to_end(true),
            Action::Loop => self.session.is_looping ^= true,
            Action::Slower => self.session.change_speed(false),
            Action::Faster => self.session.change_speed(true),
            Action::ClearRange => self.session.range_secs = None,
            Action::FrameSelection => self.session.framing = Some(Framing::Selection),
            Action::FrameAll => self.session.framing = Some(Framing::All),
            Action::Front => self.session.framing = Some(Framing::From(View::Front)),
            Action::Side => self.session.framing = Some(Framing::From(View::Side)),
            Action::Top => self.session.framing = Some(Framing::From(View::Top)),
            Action::Pivot => self.session.framing = Some(Framing::Pivot),
            Action::Follow => self.session.is_following ^= true,
            Action::Overlaid => self.arrange(Arrangement::Overlaid),
            Action::SideBySide => self.toggle_side_by_side(),
            Action::Grid => self.arrange(Arrangement::Grid),
            Action::OwnColours => options.has_own_colours ^= true,
            Action::Names => options.shows_names ^= true,
            Action::ContactRings => options.shows_contacts ^= true,
            Action::Trails => options.shows_trails ^= true,
            Action::Ghosts => options.shows_ghosts ^= true,
            Action::MatchCurve => self.preferences.shows_match_curve ^= true,
            Action::MayaMouse => self.toggle_navigation(),
            Action::SmoothEdges => self.preferences.is_smooth ^= true,
            Action::LightTheme => self.preferences.is_light ^= true,
            Action::Larger => self.preferences.rescale(1.1),
            Action::Smaller => self.preferences.rescale(1.0 / 1.1),
            Action::ResetLayout => self.preferences.layouts.clear(),
            Action::Library => self.preferences.workspace = Workspace::Library,
            Action::Variation => self.preferences.workspace = Workspace::Variation,
            Action::Pose => self.preferences.workspace = Workspace::Pose,
            Action::Sequence => self.preferences.workspace = Workspace::Sequence,
            Action::Study => self.preferences.workspace = Workspace::Study,
            Action::Palette => self.dialog = Some(Dialog::Palette(Palette::default())),
            Action::Guide => self.dialog = Some(Dialog::Guide(GuideBox::default())),
            Action::Tour => self.tour = Some(Tour::default()),
            Action::About => self.dialog = Some(Dialog::About),
            Action::Shortcuts => self.dialog = Some(Dialog::Shortcuts { listening: None }),
            // The rest belongs to a workspace, which was asked before.
            _ => {}
        }
    }
}

impl Shell {
    /// Does an action that no workspace has taken.
    pub(in crate::app) fn run(&mut self, action: Action) {
        match action {
            Action::Recover => self.look_for_recovery(Look::Asked),
            Action::Save => self.save_for_itself(Self::save_project),
            Action::SaveAs => self.save_for_itself(Self::ask_where_to_save),
            Action::Undo => self.undo(),
            Action::Redo => self.redo(),
            Action::Delete => self.delete_selected(),
            Action::Mirror => self.operate(Operation::Mirror),
            Action::DropTPose => self.operate(Operation::DropTPose),
            Action::MendGlitches => self.operate(Operation::MendGlitches),
            Action::SetFloor => self.operate(Operation::SetFloor),
            Action::InPlace => self.operate(Operation::InPlace),
            Action::PlantFeet => self.operate(Operation::PlantFeet),
            Action::Trim => self.trim_to_range(),
            _ => self.run_here(action),
        }
    }

    /// What an earlier save was to be followed by, and was cancelled, is forgotten.
    fn save_for_itself(&mut self, save: fn(&mut Self)) {
        self.after_save = None;
        save(self);
    }

    fn delete_selected(&mut self) {
        let clips = self.selected_clips().into_iter().map(|(id, _)| id);
        let clips = clips.collect();
        self.edit(Command::RemoveClips(clips));
    }

    fn trim_to_range(&mut self) {
        if let Some(range_secs) = self.session.range_secs.take() {
            self.session.playhead_secs = 0.0;
            self.operate(Operation::Trim { range_secs });
        }
    }
}
