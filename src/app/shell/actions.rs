//! Everything the animator can ask for, each once: menus, palette, keys and the page of shortcuts are made from this table.

use egui::{Key, KeyboardShortcut, Modifiers};

use crate::app::library::clips::ui as library;
use crate::app::library::cutting::free_set_name;
use crate::app::render::View;
use crate::app::shell::clips::operations::Operation;
use crate::app::shell::dialogs::Dialog;
use crate::app::shell::dialogs::export::ExportBox;
use crate::app::shell::dialogs::path::{PathBox, PathPurpose};
use crate::app::shell::docks::Pane;
use crate::app::shell::messages::Severity;
use crate::app::shell::palette::Palette;
use crate::app::shell::preferences::{Navigation, Workspace};
use crate::app::shell::session::{Framing, Rename};
use crate::app::shell::studio::{Request, Studio, Then, counted};
use crate::app::shell::view_options::Arrangement;
use crate::app::variation::network::ui::Frame;
use crate::document::Command;

/// Names one entry of [`ALL`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[expect(
    missing_docs,
    reason = "each is explained to the animator by its entry"
)]
pub enum Action {
    New,
    Open,
    Demo,
    Save,
    SaveAs,
    Import,
    ImportReport,
    Export,
    Quit,
    Undo,
    Redo,
    SelectAll,
    SelectNone,
    Rename,
    Delete,
    Mirror,
    DropTPose,
    MendGlitches,
    SetFloor,
    InPlace,
    PlantFeet,
    Resample,
    SetIn,
    SetOut,
    Trim,
    CopyRange,
    Split,
    NewSet,
    Clean,
    Cut,
    Strokes,
    NewCharacter,
    MoveTool,
    TurnTool,
    SingleJoints,
    Symmetric,
    PinPlace,
    PinTurn,
    MirrorPose,
    FlipPose,
    CopyPose,
    PastePose,
    RelaxPose,
    ResetPose,
    ShowClips,
    Play,
    StepBack,
    StepForward,
    TenBack,
    TenForward,
    ToStart,
    ToEnd,
    Loop,
    Slower,
    Faster,
    ClearRange,
    FrameSelection,
    FrameAll,
    Front,
    Side,
    Top,
    Pivot,
    Follow,
    Overlaid,
    SideBySide,
    Grid,
    OwnColours,
    Names,
    ContactRings,
    Trails,
    Ghosts,
    MatchCurve,
    MayaMouse,
    SmoothEdges,
    LightTheme,
    Larger,
    Smaller,
    ResetLayout,
    Library,
    Variation,
    Pose,
    Sequence,
    Study,
    Palette,
    Shortcuts,
}

/// Where an action is found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[expect(missing_docs, reason = "these are the words in the menu bar")]
pub enum Menu {
    File,
    Edit,
    Clip,
    Pose,
    Play,
    View,
    Help,
}

impl Menu {
    /// From left to right.
    pub const ALL: [Self; 7] = [
        Self::File,
        Self::Edit,
        Self::Clip,
        Self::Pose,
        Self::Play,
        Self::View,
        Self::Help,
    ];

    /// In the menu bar.
    pub const fn name(self) -> &'static str {
        match self {
            Self::File => "File",
            Self::Edit => "Edit",
            Self::Clip => "Clip",
            Self::Pose => "Pose",
            Self::Play => "Play",
            Self::View => "View",
            Self::Help => "Help",
        }
    }
}

/// One thing that can be asked for.
pub struct Entry {
    /// Its name in code.
    pub action: Action,
    /// Its name in saved keys; never changes.
    pub id: &'static str,
    /// Where it is found.
    pub menu: Menu,
    /// In the menu.
    pub text: &'static str,
    /// What it does, in a sentence.
    pub tip: &'static str,
    /// Unless the animator chose another.
    pub keys: Option<KeyboardShortcut>,
    /// Whether it makes sense now.
    pub is_enabled: fn(&Studio) -> bool,
    run: fn(&mut Studio),
}

const NONE: Modifiers = Modifiers::NONE;
const CMD: Modifiers = Modifiers::COMMAND;
const CMD_SHIFT: Modifiers = Modifiers::COMMAND.plus(Modifiers::SHIFT);

#[expect(
    clippy::unnecessary_wraps,
    reason = "keeps the lines of the table short: some have no key"
)]
const fn key(modifiers: Modifiers, key: Key) -> Option<KeyboardShortcut> {
    Some(KeyboardShortcut::new(modifiers, key))
}

const fn entry(
    action: Action,
    (menu, id): (Menu, &'static str),
    (text, tip): (&'static str, &'static str),
    keys: Option<KeyboardShortcut>,
    is_enabled: fn(&Studio) -> bool,
    run: fn(&mut Studio),
) -> Entry {
    Entry {
        action,
        id,
        menu,
        text,
        tip,
        keys,
        is_enabled,
        run,
    }
}

fn always(_: &Studio) -> bool {
    true
}

fn has_selection(studio: &Studio) -> bool {
    !studio.session.selection.is_empty()
}

/// Clips or keyframes.
fn can_play(studio: &Studio) -> bool {
    has_selection(studio) || studio.shows_posed()
}

fn has_range(studio: &Studio) -> bool {
    studio.session.range_secs.is_some()
}

fn has_selected_range(studio: &Studio) -> bool {
    has_selection(studio) && has_range(studio)
}

fn has_clips(studio: &Studio) -> bool {
    studio.document().n_clips() > 0
}

fn is_not_saving(studio: &Studio) -> bool {
    !studio.is_saving()
}

fn can_frame(studio: &Studio) -> bool {
    has_selection(studio) || studio.variation.network.is_under_pointer
}

/// What is under the pointer: the network of a model, or else the characters.
fn frame(studio: &mut Studio, framing: Framing) {
    let network = &mut studio.variation.network;
    if network.is_under_pointer {
        network.framing = Some(match framing {
            Framing::Selection => Frame::Selection,
            _ => Frame::All,
        });
    } else {
        studio.session.framing = Some(framing);
    }
}

fn is_posing(studio: &Studio) -> bool {
    studio.shows_posed()
}

fn can_make_character(studio: &Studio) -> bool {
    studio.preferences.workspace == Workspace::Pose && studio.active_clip().is_some()
}

/// Arrows or rings. The keys do more: see the keyboard of the pose workspace.
fn take_tool(studio: &mut Studio, turns: bool) {
    studio.pose.is_turning = turns;
    studio.pose.is_fk = false;
}

fn goto(studio: &mut Studio, workspace: Workspace) {
    studio.preferences.workspace = workspace;
}

/// All actions, in the order of the menus.
#[rustfmt::skip]
pub static ALL: &[Entry] = {
    use Menu::{Clip, Edit, File, Help, Play, Pose, View as See};
    &[
        entry(Action::New, (File, "file.new"), ("New project", "Starts an empty project"), key(CMD, Key::N), is_not_saving, |s| s.ask(Request::Leave(Then::New))),
        entry(Action::Open, (File, "file.open"), ("Open project…", "Opens a project folder"), key(CMD, Key::O), is_not_saving, |s| s.dialog = Some(Dialog::Path(PathBox::new(PathPurpose::Open, String::new())))),
        entry(Action::Demo, (File, "file.demo"), ("Open the demo", "Makes a library of motions to try things on"), None, is_not_saving, |s| s.ask(Request::Leave(Then::Demo))),
        entry(Action::Save, (File, "file.save"), ("Save", "Saves the project where it is"), key(CMD, Key::S), is_not_saving, |s| save(s, Studio::save_project)),
        entry(Action::SaveAs, (File, "file.save_as"), ("Save as…", "Saves the project in another folder"), key(CMD_SHIFT, Key::S), is_not_saving, |s| save(s, Studio::ask_where_to_save)),
        entry(Action::Import, (File, "file.import"), ("Import…", "Reads motion files or folders of them into the library"), key(CMD, Key::I), always, |s| s.dialog = Some(Dialog::Path(PathBox::new(PathPurpose::Import, String::new())))),
        entry(Action::ImportReport, (File, "file.import_report"), ("Last import report", "Shows what became of each file of the last import"), None, |s| s.last_import.is_some(), |s| s.dialog = Some(Dialog::ImportReport)),
        entry(Action::Export, (File, "file.export"), ("Export…", "Writes the selected clips to files for other programs"), key(CMD, Key::E), has_selection, |s| s.dialog = Some(Dialog::Export(ExportBox::of(s)))),
        entry(Action::Quit, (File, "file.quit"), ("Quit", "Ends the program; asks if work is not saved"), key(CMD, Key::Q), always, |s| s.ask(Request::Leave(Then::Quit))),
        entry(Action::Undo, (Edit, "edit.undo"), ("Undo", "Takes back the last step"), key(CMD, Key::Z), |s| s.history().undo_label().is_some(), undo),
        entry(Action::Redo, (Edit, "edit.redo"), ("Redo", "Does again what was taken back"), key(CMD_SHIFT, Key::Z), |s| s.history().redo_label().is_some(), redo),
        entry(Action::SelectAll, (Edit, "edit.select_all"), ("Select all clips", "Selects every clip of the library"), key(CMD, Key::A), has_clips, select_all),
        entry(Action::SelectNone, (Edit, "edit.select_none"), ("Select nothing", "Clears the selection"), key(CMD_SHIFT, Key::A), has_selection, |s| s.session.select(None)),
        entry(Action::Rename, (Clip, "clip.rename"), ("Rename", "Types a new name for the active clip in the table"), key(NONE, Key::F2), |s| s.active_clip().is_some(), rename),
        entry(Action::Delete, (Clip, "clip.delete"), ("Delete", "Takes the clicked contact of the timeline away, or else the selected clips out of the library; files stay"), key(NONE, Key::Delete), has_selection, delete),
        entry(Action::Mirror, (Clip, "clip.mirror"), ("Mirror", "Swaps left and right"), key(CMD, Key::M), has_selection, |s| s.operate(Operation::Mirror)),
        entry(Action::DropTPose, (Clip, "clip.drop_tpose"), ("Drop T-pose frame", "Takes off a T-pose that a converter put before the motion"), None, has_selection, |s| s.operate(Operation::DropTPose)),
        entry(Action::MendGlitches, (Clip, "clip.mend"), ("Mend glitches", "Mends joints that jump for a single frame"), None, has_selection, |s| s.operate(Operation::MendGlitches)),
        entry(Action::SetFloor, (Clip, "clip.floor"), ("Set floor to zero", "Finds the floor under the feet and moves the clip so that it is at height zero"), None, has_selection, |s| s.operate(Operation::SetFloor)),
        entry(Action::InPlace, (Clip, "clip.in_place"), ("Keep in place", "Takes out the travel over the floor; the body still turns"), None, has_selection, |s| s.operate(Operation::InPlace)),
        entry(Action::PlantFeet, (Clip, "clip.plant_feet"), ("Plant feet", "Removes foot slide: holds feet still while they stand, knees bending as before"), None, has_selection, |s| s.operate(Operation::PlantFeet)),
        entry(Action::Resample, (Clip, "clip.resample"), ("Resample…", "Gives the selected clips another frame rate"), None, has_selection, |s| s.dialog = Some(Dialog::Resample { fps: s.active_clip().map_or(60.0, |c| c.fps()) })),
        entry(Action::SetIn, (Clip, "clip.in"), ("In at playhead", "The play range begins at the playhead"), key(NONE, Key::I), has_selection, |s| set_range_end(s, false)),
        entry(Action::SetOut, (Clip, "clip.out"), ("Out at playhead", "The play range ends with the frame at the playhead"), key(Modifiers::SHIFT, Key::I), has_selection, |s| set_range_end(s, true)),
        entry(Action::Trim, (Clip, "clip.trim"), ("Trim to play range", "Keeps only the frames inside the play range of the timeline"), key(CMD, Key::T), has_selected_range, trim),
        entry(Action::CopyRange, (Clip, "clip.copy_range"), ("New clip of play range", "Makes a new clip of the frames inside the play range; the take stays as it is"), key(CMD_SHIFT, Key::T), has_selected_range, Studio::copy_range),
        entry(Action::Split, (Clip, "clip.split"), ("Split at playhead", "Cuts the active clip in two before the frame at the playhead"), key(CMD, Key::K), |s| s.active_clip().is_some(), Studio::split_at_playhead),
        entry(Action::NewSet, (Clip, "clip.new_set"), ("New set", "Makes a set of the selected clips"), key(CMD, Key::G), has_selection, new_set),
        entry(Action::Clean, (Clip, "clip.clean"), ("Clean…", "Shows the panel for cleaning"), None, always, |s| show_pane(s, Pane::Clean)),
        entry(Action::Cut, (Clip, "clip.cut"), ("Cut…", "Shows the panel for cutting: stretches, cycles, repeats"), None, always, |s| show_pane(s, Pane::Cut)),
        entry(Action::Strokes, (Clip, "clip.strokes"), ("Draw strokes…", "Shows the pad for strokes"), None, always, |s| show_pane(s, Pane::Strokes)),
        entry(Action::NewCharacter, (Pose, "pose.new"), ("New character", "Puts a character on stage in the pose that the active clip has at the playhead"), None, can_make_character, Studio::new_character),
        entry(Action::MoveTool, (Pose, "pose.move"), ("Move handles", "Shows arrows; with the keys the selected handles follow the pointer until a click, X, Y or Z keep to an axis"), key(NONE, Key::G), is_posing, |s| take_tool(s, false)),
        entry(Action::TurnTool, (Pose, "pose.turn"), ("Turn handles", "Shows rings; with the keys the selected handles turn with the pointer until a click"), key(NONE, Key::R), is_posing, |s| take_tool(s, true)),
        entry(Action::SingleJoints, (Pose, "pose.single"), ("Single joints", "Rings turn one joint alone and the body does not follow: forward kinematics"), None, is_posing, |s| s.pose.is_fk ^= true),
        entry(Action::Symmetric, (Pose, "pose.symmetric"), ("Both sides", "What one side of the body does, the other does mirrored"), None, is_posing, |s| s.pose.is_symmetric ^= true),
        entry(Action::PinPlace, (Pose, "pose.pin"), ("Pin place", "Selected handles: free, then softly held (diamond), then firmly (square)"), key(NONE, Key::P), is_posing, |s| s.cycle_pins(false)),
        entry(Action::PinTurn, (Pose, "pose.pin_turn"), ("Pin turn", "The same for how they are turned: a ring"), key(Modifiers::SHIFT, Key::P), is_posing, |s| s.cycle_pins(true)),
        entry(Action::MirrorPose, (Pose, "pose.mirror"), ("Mirror pose", "Makes the right side the mirror image of the left; with right handles selected, the other way round"), key(NONE, Key::X), is_posing, Studio::mirror_pose),
        entry(Action::FlipPose, (Pose, "pose.flip"), ("Flip pose", "Left and right change places"), key(Modifiers::SHIFT, Key::X), is_posing, Studio::flip_pose),
        entry(Action::CopyPose, (Pose, "pose.copy"), ("Copy pose", "Remembers the pose; ctrl+C does the same"), None, is_posing, Studio::copy_pose),
        entry(Action::PastePose, (Pose, "pose.paste"), ("Paste pose", "Gives the character the copied pose, also that of another character; ctrl+V does the same"), None, |s| is_posing(s) && s.pose.copied.is_some(), Studio::paste_pose),
        entry(Action::RelaxPose, (Pose, "pose.relax"), ("Relax pose", "Lets the body find its most natural pose with everything that is pinned held"), key(NONE, Key::N), is_posing, Studio::relax_pose),
        entry(Action::ResetPose, (Pose, "pose.reset"), ("Reset pose", "Puts the selected joints, or all, back as the skeleton has them at rest"), None, is_posing, Studio::reset_pose),
        entry(Action::ShowClips, (Pose, "pose.show_clips"), ("Show clips", "The 3D view shows the selected clips instead of the character"), None, |s| s.active_posed().is_some(), |s| s.pose.shows_clips ^= true),
        entry(Action::Play, (Play, "play.play"), ("Play or pause", "Lets time go by"), key(NONE, Key::Space), can_play, |s| s.session.is_playing = !s.session.is_playing),
        entry(Action::StepBack, (Play, "play.back"), ("Frame back", "One frame back"), key(NONE, Key::ArrowLeft), can_play, |s| s.step_frames(-1.0)),
        entry(Action::StepForward, (Play, "play.forward"), ("Frame forward", "One frame forward"), key(NONE, Key::ArrowRight), can_play, |s| s.step_frames(1.0)),
        entry(Action::TenBack, (Play, "play.ten_back"), ("Ten frames back", "Ten frames back"), key(NONE, Key::ArrowDown), can_play, |s| s.step_frames(-10.0)),
        entry(Action::TenForward, (Play, "play.ten_forward"), ("Ten frames forward", "Ten frames forward"), key(NONE, Key::ArrowUp), can_play, |s| s.step_frames(10.0)),
        entry(Action::ToStart, (Play, "play.start"), ("To the start", "First frame of the play range"), key(Modifiers::SHIFT, Key::ArrowLeft), can_play, |s| to_end(s, false)),
        entry(Action::ToEnd, (Play, "play.end"), ("To the end", "Last frame of the play range"), key(Modifiers::SHIFT, Key::ArrowRight), can_play, |s| to_end(s, true)),
        entry(Action::Loop, (Play, "play.loop"), ("Loop", "Starts again at the end"), key(NONE, Key::L), always, |s| s.session.is_looping = !s.session.is_looping),
        entry(Action::Slower, (Play, "play.slower"), ("Slower", "Plays at a lower speed"), key(NONE, Key::OpenBracket), always, |s| s.session.change_speed(false)),
        entry(Action::Faster, (Play, "play.faster"), ("Faster", "Plays at a higher speed"), key(NONE, Key::CloseBracket), always, |s| s.session.change_speed(true)),
        entry(Action::ClearRange, (Play, "play.clear_range"), ("Play everything", "Forgets the play range"), None, has_range, |s| s.session.range_secs = None),
        entry(Action::FrameSelection, (See, "view.frame"), ("Frame selection", "Brings the selected characters into view as they are now"), key(NONE, Key::F), can_frame, |s| frame(s, Framing::Selection)),
        entry(Action::FrameAll, (See, "view.frame_all"), ("Frame everything", "Brings the whole way of the characters into view"), key(NONE, Key::Home), can_frame, |s| frame(s, Framing::All)),
        entry(Action::Front, (See, "view.front"), ("Front view", "Looks at the character's face"), key(NONE, Key::Num1), has_selection, |s| s.session.framing = Some(Framing::From(View::Front))),
        entry(Action::Side, (See, "view.side"), ("Side view", "Looks at the character's left side"), key(NONE, Key::Num3), has_selection, |s| s.session.framing = Some(Framing::From(View::Side))),
        entry(Action::Top, (See, "view.top"), ("Top view", "Looks from above"), key(NONE, Key::Num7), has_selection, |s| s.session.framing = Some(Framing::From(View::Top))),
        entry(Action::Pivot, (See, "view.pivot"), ("Turn about selection", "Lets the camera turn about the clicked joint, or the active character"), key(NONE, Key::Period), has_selection, |s| s.session.framing = Some(Framing::Pivot)),
        entry(Action::Follow, (See, "view.follow"), ("Follow character", "Lets the camera go along with the active character"), key(NONE, Key::O), always, |s| s.session.is_following = !s.session.is_following),
        entry(Action::Overlaid, (See, "view.overlaid"), ("Overlay", "Lets each character stand where its clip puts it"), None, always, |s| arrange(s, Arrangement::Overlaid)),
        entry(Action::SideBySide, (See, "view.side_by_side"), ("Side by side", "Lets several characters stand in a row; again, where their clips put them"), key(NONE, Key::B), always, side_by_side),
        entry(Action::Grid, (See, "view.grid"), ("Grid", "Lets many characters stand in rows behind each other"), None, always, |s| arrange(s, Arrangement::Grid)),
        entry(Action::OwnColours, (See, "view.own_colours"), ("A colour for each clip", "Gives every clip a colour of its own, here and on the timeline"), None, always, |s| s.preferences.sights.has_own_colours ^= true),
        entry(Action::Names, (See, "view.names"), ("Names", "Hangs the names of the clips over several characters"), None, always, |s| s.preferences.sights.shows_names ^= true),
        entry(Action::ContactRings, (See, "view.contacts"), ("Contact rings", "Draws rings under what touches the floor"), None, always, |s| s.preferences.sights.shows_contacts ^= true),
        entry(Action::Trails, (See, "view.trails"), ("Trails", "Draws the ways of joints before and after now"), key(NONE, Key::T), always, |s| s.preferences.sights.shows_trails ^= true),
        entry(Action::Ghosts, (See, "view.ghosts"), ("Ghosts", "Draws other frames of the active clip, before and after now"), key(NONE, Key::H), always, |s| s.preferences.sights.shows_ghosts ^= true),
        entry(Action::MatchCurve, (See, "view.match_curve"), ("Cycle match", "Draws on the timeline how well a loop that begins at each frame can close"), None, always, |s| s.preferences.shows_match_curve ^= true),
        entry(Action::MayaMouse, (See, "view.maya"), ("Maya mouse", "Alt with left, middle and right button instead of the middle button of Blender"), None, always, maya_mouse),
        entry(Action::SmoothEdges, (See, "view.smooth"), ("Smooth edges", "Smooths the edges of the 3D view; slower without a graphics card"), None, always, |s| s.preferences.is_smooth = !s.preferences.is_smooth),
        entry(Action::LightTheme, (See, "view.light"), ("Light theme", "Changes between dark and light"), None, always, |s| s.preferences.is_light = !s.preferences.is_light),
        entry(Action::Larger, (See, "view.larger"), ("Larger", "Makes words and buttons larger"), key(CMD, Key::Plus), always, |s| s.preferences.rescale(1.1)),
        entry(Action::Smaller, (See, "view.smaller"), ("Smaller", "Makes words and buttons smaller"), key(CMD, Key::Minus), always, |s| s.preferences.rescale(1.0 / 1.1)),
        entry(Action::ResetLayout, (See, "view.reset_layout"), ("Usual layout", "Puts all panels back in their usual places"), None, always, |s| s.preferences.layouts.clear()),
        entry(Action::Library, (See, "view.library"), ("Library workspace", "Clips: import, look at, clean and export"), key(CMD, Key::Num1), always, |s| goto(s, Workspace::Library)),
        entry(Action::Variation, (See, "view.variation"), ("Variation workspace", "Families of motions"), key(CMD, Key::Num2), always, |s| goto(s, Workspace::Variation)),
        entry(Action::Pose, (See, "view.pose"), ("Pose workspace", "Posing in the style of clips"), key(CMD, Key::Num3), always, |s| goto(s, Workspace::Pose)),
        entry(Action::Sequence, (See, "view.sequence"), ("Sequence workspace", "Actions one after another"), key(CMD, Key::Num4), always, |s| goto(s, Workspace::Sequence)),
        entry(Action::Study, (See, "view.study"), ("Study workspace", "Measures and ratings"), key(CMD, Key::Num5), always, |s| goto(s, Workspace::Study)),
        entry(Action::Palette, (Help, "help.palette"), ("Command palette…", "Finds any action by a few letters"), key(CMD, Key::P), always, |s| s.dialog = Some(Dialog::Palette(Palette::default()))),
        entry(Action::Shortcuts, (Help, "help.shortcuts"), ("Shortcuts…", "Shows all keys; each can be changed"), key(NONE, Key::F1), always, |s| s.dialog = Some(Dialog::Shortcuts { listening: None })),
    ]
};

impl Action {
    /// Its entry.
    pub fn entry(self) -> &'static Entry {
        let found = ALL.iter().find(|entry| entry.action == self);
        found.expect("a test looks that every action has an entry")
    }

    /// Does it, if that makes sense now.
    pub fn run(self, studio: &mut Studio) {
        let entry = self.entry();
        if (entry.is_enabled)(studio) {
            (entry.run)(studio);
        }
    }

    /// Whether it looks at or changes the document: then it has to wait for one that is being opened.
    pub fn needs_document(self) -> bool {
        let is_apart = matches!(self, Self::Quit | Self::ImportReport);
        matches!(
            self.entry().menu,
            Menu::File | Menu::Edit | Menu::Clip | Menu::Pose
        ) && !is_apart
    }

    /// Whether it is something that is on or off, and is on.
    pub fn is_on(self, studio: &Studio) -> Option<bool> {
        let sights = &studio.preferences.sights;
        Some(match self {
            Self::MoveTool => !studio.pose.is_turning && !studio.pose.is_fk,
            Self::TurnTool => studio.pose.is_turning && !studio.pose.is_fk,
            Self::SingleJoints => studio.pose.is_fk,
            Self::Symmetric => studio.pose.is_symmetric,
            Self::ShowClips => studio.pose.shows_clips,
            Self::Loop => studio.session.is_looping,
            Self::Follow => studio.session.is_following,
            Self::Overlaid => sights.arrangement == Arrangement::Overlaid,
            Self::SideBySide => sights.arrangement == Arrangement::SideBySide,
            Self::Grid => sights.arrangement == Arrangement::Grid,
            Self::OwnColours => sights.has_own_colours,
            Self::Names => sights.shows_names,
            Self::ContactRings => sights.shows_contacts,
            Self::Trails => sights.shows_trails,
            Self::Ghosts => sights.shows_ghosts,
            Self::MatchCurve => studio.preferences.shows_match_curve,
            Self::MayaMouse => studio.preferences.navigation == Navigation::Maya,
            Self::SmoothEdges => studio.preferences.is_smooth,
            Self::LightTheme => studio.preferences.is_light,
            _ => return None,
        })
    }
}

impl Entry {
    /// In the menu, with the name of the step for undo and redo.
    pub fn label(&self, studio: &Studio) -> String {
        let step = match self.action {
            Action::Undo => studio.history().undo_label(),
            Action::Redo => studio.history().redo_label(),
            _ => None,
        };
        match step {
            Some(step) => format!("{} {step}", self.text),
            None => self.text.to_owned(),
        }
    }
}

/// A save for its own sake: what an earlier one was to be followed by, and was cancelled, is forgotten.
fn save(studio: &mut Studio, how: fn(&mut Studio)) {
    studio.finish_grab();
    studio.after_save = None;
    how(studio);
}

fn undo(studio: &mut Studio) {
    // What is in the hand is the step that is meant.
    studio.finish_grab();
    if let Some(step) = studio.history.undo() {
        studio.say(Severity::Info, format!("undone: {step}"));
    }
}

fn redo(studio: &mut Studio) {
    if let Some(step) = studio.history.redo() {
        studio.say(Severity::Info, format!("done again: {step}"));
    }
}

/// What the table shows: a search narrows what is meant by all.
fn select_all(studio: &mut Studio) {
    library::update(studio);
    let all = studio.library.listing.rows().to_vec();
    studio.session.select(all);
}

fn show_pane(studio: &mut Studio, pane: Pane) {
    goto(studio, Workspace::Library);
    studio.library.wanted_pane = Some(pane);
}

fn new_set(studio: &mut Studio) {
    let clips: Vec<_> = studio
        .selected_clips()
        .into_iter()
        .map(|(id, _)| id)
        .collect();
    let wish = studio
        .active_clip()
        .map_or("set", |clip| clip.info.name.as_str());
    let name = free_set_name(studio.document(), wish);
    let words = format!("set {name} made of {}", counted(clips.len(), "clip"));
    if studio.edit(Command::AddSet { name, clips }).is_some() {
        studio.library.sets.open = studio.document().sets().last().map(|set| set.id);
        studio.say(Severity::Done, words);
        show_pane(studio, Pane::Sets);
    }
}

/// The range reaches from the playhead to its old end, or from its old start through the frame at the playhead.
fn set_range_end(studio: &mut Studio, is_end: bool) {
    let length = studio.length_secs();
    let frame_secs = studio.active_clip().map_or(0.0, |clip| 1.0 / clip.fps());
    let at = studio.session.playhead_secs;
    let (from, to) = studio.session.range_secs.unwrap_or((0.0, length));
    let (from, to) = if is_end {
        (from, at + frame_secs)
    } else {
        (at, to)
    };
    let to = if to > from { to.min(length) } else { length };
    let from = if from < to { from } else { 0.0 };
    studio.session.range_secs = Some((from, to));
}

fn rename(studio: &mut Studio) {
    if let (Some(clip), Some(found)) = (studio.session.active, studio.active_clip()) {
        let text = found.info.name.clone();
        studio.session.rename = Some(Rename {
            clip,
            text,
            is_new: true,
        });
        goto(studio, Workspace::Library);
    }
}

fn delete(studio: &mut Studio) {
    if crate::app::timeline::edits::delete_picked(studio) {
        return;
    }
    let clips = studio.selected_clips().into_iter().map(|(id, _)| id);
    let clips = clips.collect();
    studio.edit(Command::RemoveClips(clips));
}

fn trim(studio: &mut Studio) {
    if let Some(range_secs) = studio.session.range_secs.take() {
        studio.session.playhead_secs = 0.0;
        studio.operate(Operation::Trim { range_secs });
    }
}

fn to_end(studio: &mut Studio, is_end: bool) {
    let (from, to) = studio.session.playing_stretch(studio.length_secs());
    studio.session.playhead_secs = if is_end { to } else { from };
    // The end of a clip is the end of its last frame; that frame itself is what is wanted.
    studio.step_frames(0.0);
}

fn arrange(studio: &mut Studio, arrangement: Arrangement) {
    studio.preferences.sights.arrangement = arrangement;
    studio.session.framing = Some(Framing::All);
}

fn side_by_side(studio: &mut Studio) {
    let next = match studio.preferences.sights.arrangement {
        Arrangement::SideBySide => Arrangement::Overlaid,
        Arrangement::Overlaid | Arrangement::Grid => Arrangement::SideBySide,
    };
    arrange(studio, next);
}

fn maya_mouse(studio: &mut Studio) {
    studio.preferences.navigation = match studio.preferences.navigation {
        Navigation::Blender => Navigation::Maya,
        Navigation::Maya => Navigation::Blender,
    };
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_action_has_one_entry_one_id_and_keys_of_its_own() {
        let actions: BTreeSet<Action> = ALL.iter().map(|e| e.action).collect();
        assert_eq!(actions.len(), ALL.len(), "an action twice");
        assert_eq!(
            ALL.len(),
            Action::Shortcuts as usize + 1,
            "an action without entry"
        );
        let ids: BTreeSet<&str> = ALL.iter().map(|e| e.id).collect();
        assert_eq!(ids.len(), ALL.len(), "an id twice");
        let keys: Vec<KeyboardShortcut> = ALL.iter().filter_map(|e| e.keys).collect();
        for (i, one) in keys.iter().enumerate() {
            assert!(!keys[..i].contains(one), "{one:?} does two things");
        }
        for entry in ALL {
            assert!(!entry.tip.is_empty(), "{} explains nothing", entry.id);
            assert_eq!(entry.action.entry().id, entry.id);
        }
    }
}
