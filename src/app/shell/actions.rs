//! Everything the animator can ask for, each once: menus, palette, keys and the page of shortcuts are made from this
//! table.

use std::collections::BTreeMap;

use egui::{Key, KeyboardShortcut, Modifiers};

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
    Recover,
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
    Retarget,
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
    Guide,
    Tour,
    About,
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
    /// The words of its menu entry.
    pub text: &'static str,
    /// What it does, in a sentence.
    pub tip: &'static str,
    /// Unless the animator chose another.
    pub keys: Option<KeyboardShortcut>,
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
) -> Entry {
    Entry {
        action,
        id,
        menu,
        text,
        tip,
        keys,
    }
}

/// All actions, in the order of the menus.
#[rustfmt::skip]
pub static ALL: &[Entry] = {
    use Menu::{Clip, Edit, File, Help, Play, Pose, View as See};
    &[
        entry(Action::New, (File, "file.new"), ("New project", "Starts an empty project"), key(CMD, Key::N)),
        entry(Action::Open, (File, "file.open"), ("Open project…", "Opens a project folder"), key(CMD, Key::O)),
        entry(Action::Demo, (File, "file.demo"), ("Open the demo", "Makes a library of motions to try things on"), None),
        entry(Action::Recover, (File, "file.recover"), ("Recover unsaved work…", "Lists what earlier runs of the program left unsaved when they closed unexpectedly"), None),
        entry(Action::Save, (File, "file.save"), ("Save", "Saves the project where it is"), key(CMD, Key::S)),
        entry(Action::SaveAs, (File, "file.save_as"), ("Save as…", "Saves the project in another folder"), key(CMD_SHIFT, Key::S)),
        entry(Action::Import, (File, "file.import"), ("Import…", "Reads motion files or folders of them into the library"), key(CMD, Key::I)),
        entry(Action::ImportReport, (File, "file.import_report"), ("Last import report", "Shows what became of each file of the last import"), None),
        entry(Action::Export, (File, "file.export"), ("Export…", "Writes the selected clips to files for other programs"), key(CMD, Key::E)),
        entry(Action::Quit, (File, "file.quit"), ("Quit", "Ends the program; asks if work is not saved"), key(CMD, Key::Q)),
        entry(Action::Undo, (Edit, "edit.undo"), ("Undo", "Takes back the last step"), key(CMD, Key::Z)),
        entry(Action::Redo, (Edit, "edit.redo"), ("Redo", "Does again what was taken back"), key(CMD_SHIFT, Key::Z)),
        entry(Action::SelectAll, (Edit, "edit.select_all"), ("Select all clips", "Selects every clip of the library"), key(CMD, Key::A)),
        entry(Action::SelectNone, (Edit, "edit.select_none"), ("Select nothing", "Clears the selection"), key(CMD_SHIFT, Key::A)),
        entry(Action::Rename, (Clip, "clip.rename"), ("Rename", "Types a new name for the active clip in the table"), key(NONE, Key::F2)),
        entry(Action::Delete, (Clip, "clip.delete"), ("Delete", "Takes the clicked contact of the timeline away, or else the selected clips out of the library; files stay"), key(NONE, Key::Delete)),
        entry(Action::Mirror, (Clip, "clip.mirror"), ("Mirror", "Swaps left and right"), key(CMD, Key::M)),
        entry(Action::DropTPose, (Clip, "clip.drop_tpose"), ("Drop T-pose frame", "Takes off a T-pose that a converter put before the motion"), None),
        entry(Action::MendGlitches, (Clip, "clip.mend"), ("Remove spikes", "Takes out spikes: joints that jump for a single frame"), None),
        entry(Action::SetFloor, (Clip, "clip.floor"), ("Set floor to zero", "Finds the floor under the feet and moves the clip so that it is at height zero"), None),
        entry(Action::InPlace, (Clip, "clip.in_place"), ("In place", "Takes out the travel over the floor; the body still turns"), None),
        entry(Action::PlantFeet, (Clip, "clip.plant_feet"), ("Foot lock", "Locks feet while they stand, knees bending as before: they do not slide any more"), None),
        entry(Action::Resample, (Clip, "clip.resample"), ("Resample…", "Gives the selected clips another frame rate"), None),
        entry(Action::Retarget, (Clip, "clip.retarget"), ("Retarget…", "Brings the selected clips onto the skeleton of another clip or of a BVH or FBX file"), None),
        entry(Action::SetIn, (Clip, "clip.in"), ("In at playhead", "The play range begins at the playhead"), key(NONE, Key::I)),
        entry(Action::SetOut, (Clip, "clip.out"), ("Out at playhead", "The play range ends with the frame at the playhead"), key(Modifiers::SHIFT, Key::I)),
        entry(Action::Trim, (Clip, "clip.trim"), ("Trim to play range", "Keeps only the frames inside the play range of the timeline"), key(CMD, Key::T)),
        entry(Action::CopyRange, (Clip, "clip.copy_range"), ("New clip of play range", "Makes a new clip of the frames inside the play range; the take stays as it is"), key(CMD_SHIFT, Key::T)),
        entry(Action::Split, (Clip, "clip.split"), ("Split at playhead", "Cuts the active clip in two before the frame at the playhead"), key(CMD, Key::K)),
        entry(Action::NewSet, (Clip, "clip.new_set"), ("New set", "Makes a set of the selected clips"), key(CMD, Key::G)),
        entry(Action::Clean, (Clip, "clip.clean"), ("Clean…", "Shows the panel for cleaning"), None),
        entry(Action::Cut, (Clip, "clip.cut"), ("Cut…", "Shows the panel for cutting: ranges, cycles, repeats"), None),
        entry(Action::Strokes, (Clip, "clip.strokes"), ("Draw strokes…", "Shows the pad for strokes"), None),
        entry(Action::NewCharacter, (Pose, "pose.new"), ("New character", "Puts a character on stage in the pose that the active clip has at the playhead"), None),
        entry(Action::MoveTool, (Pose, "pose.move"), ("Move handles", "Shows arrows; with the keys the selected handles follow the pointer until a click, X, Y or Z keep to an axis"), key(NONE, Key::G)),
        entry(Action::TurnTool, (Pose, "pose.turn"), ("Rotate handles", "Shows rings; with the keys the selected handles rotate with the pointer until a click"), key(NONE, Key::R)),
        entry(Action::SingleJoints, (Pose, "pose.single"), ("FK mode", "Forward kinematics: rings rotate one joint alone and the body does not follow"), None),
        entry(Action::Symmetric, (Pose, "pose.symmetric"), ("Symmetry", "What one side of the body does, the other does mirrored"), None),
        entry(Action::PinPlace, (Pose, "pose.pin"), ("Pin position", "Selected handles: free, then softly held (diamond), then firmly (square)"), key(NONE, Key::P)),
        entry(Action::PinTurn, (Pose, "pose.pin_turn"), ("Pin rotation", "The same for their rotation: a ring"), key(Modifiers::SHIFT, Key::P)),
        entry(Action::MirrorPose, (Pose, "pose.mirror"), ("Mirror pose", "Makes the right side the mirror image of the left; with right handles selected, the other way round"), key(NONE, Key::X)),
        entry(Action::FlipPose, (Pose, "pose.flip"), ("Flip pose", "Left and right change places"), key(Modifiers::SHIFT, Key::X)),
        entry(Action::CopyPose, (Pose, "pose.copy"), ("Copy pose", "Remembers the pose; ctrl+C does the same"), None),
        entry(Action::PastePose, (Pose, "pose.paste"), ("Paste pose", "Gives the character the copied pose, also that of another character; ctrl+V does the same"), None),
        entry(Action::RelaxPose, (Pose, "pose.relax"), ("Relax pose", "Lets the body find its most natural pose with everything that is pinned held"), key(NONE, Key::N)),
        entry(Action::ResetPose, (Pose, "pose.reset"), ("Reset pose", "Puts the selected joints, or all, back as the skeleton has them at rest"), None),
        entry(Action::ShowClips, (Pose, "pose.show_clips"), ("Show clips", "The 3D view shows the selected clips instead of the character"), None),
        entry(Action::Play, (Play, "play.play"), ("Play or pause", "Lets time go by"), key(NONE, Key::Space)),
        entry(Action::StepBack, (Play, "play.back"), ("Frame back", "One frame back"), key(NONE, Key::ArrowLeft)),
        entry(Action::StepForward, (Play, "play.forward"), ("Frame forward", "One frame forward"), key(NONE, Key::ArrowRight)),
        entry(Action::TenBack, (Play, "play.ten_back"), ("Ten frames back", "Ten frames back"), key(NONE, Key::ArrowDown)),
        entry(Action::TenForward, (Play, "play.ten_forward"), ("Ten frames forward", "Ten frames forward"), key(NONE, Key::ArrowUp)),
        entry(Action::ToStart, (Play, "play.start"), ("To the start", "First frame of the play range"), key(Modifiers::SHIFT, Key::ArrowLeft)),
        entry(Action::ToEnd, (Play, "play.end"), ("To the end", "Last frame of the play range"), key(Modifiers::SHIFT, Key::ArrowRight)),
        entry(Action::Loop, (Play, "play.loop"), ("Loop", "Starts again at the end"), key(NONE, Key::L)),
        entry(Action::Slower, (Play, "play.slower"), ("Slower", "Plays at a lower speed"), key(NONE, Key::OpenBracket)),
        entry(Action::Faster, (Play, "play.faster"), ("Faster", "Plays at a higher speed"), key(NONE, Key::CloseBracket)),
        entry(Action::ClearRange, (Play, "play.clear_range"), ("Clear range", "Forgets the play range"), None),
        entry(Action::FrameSelection, (See, "view.frame"), ("Frame selection", "Brings the selected characters into view as they are now"), key(NONE, Key::F)),
        entry(Action::FrameAll, (See, "view.frame_all"), ("Frame everything", "Brings the whole path of the characters into view"), key(NONE, Key::Home)),
        entry(Action::Front, (See, "view.front"), ("Front view", "Looks at the character's face"), key(NONE, Key::Num1)),
        entry(Action::Side, (See, "view.side"), ("Side view", "Looks at the character's left side"), key(NONE, Key::Num3)),
        entry(Action::Top, (See, "view.top"), ("Top view", "Looks from above"), key(NONE, Key::Num7)),
        entry(Action::Pivot, (See, "view.pivot"), ("Orbit selection", "The camera orbits the clicked joint, or the active character"), key(NONE, Key::Period)),
        entry(Action::Follow, (See, "view.follow"), ("Follow character", "Lets the camera go along with the active character"), key(NONE, Key::O)),
        entry(Action::Overlaid, (See, "view.overlaid"), ("Overlay", "Lets each character stand where its clip puts it"), None),
        entry(Action::SideBySide, (See, "view.side_by_side"), ("Side by side", "Lets several characters stand in a row; again, where their clips put them"), key(NONE, Key::B)),
        entry(Action::Grid, (See, "view.grid"), ("Grid", "Lets many characters stand in rows behind each other"), None),
        entry(Action::OwnColours, (See, "view.own_colours"), ("A colour for each clip", "Gives every clip a colour of its own, here and on the timeline"), None),
        entry(Action::Names, (See, "view.names"), ("Names", "Hangs the names of the clips over several characters"), None),
        entry(Action::ContactRings, (See, "view.contacts"), ("Contact rings", "Draws rings under what touches the floor"), None),
        entry(Action::Trails, (See, "view.trails"), ("Motion paths", "Draws the paths of joints before and after now"), key(NONE, Key::T)),
        entry(Action::Ghosts, (See, "view.ghosts"), ("Onion skin", "Draws other frames of the active clip, before and after now"), key(NONE, Key::H)),
        entry(Action::MatchCurve, (See, "view.match_curve"), ("Cycle match", "Draws on the timeline how well a loop that begins at each frame can close"), None),
        entry(Action::MayaMouse, (See, "view.maya"), ("Maya navigation", "Alt with left, middle and right button instead of the middle button of Blender"), None),
        entry(Action::SmoothEdges, (See, "view.smooth"), ("Anti-aliasing", "Smooths the edges of the 3D view; slower without a graphics card"), None),
        entry(Action::LightTheme, (See, "view.light"), ("Light theme", "Changes between dark and light"), None),
        entry(Action::Larger, (See, "view.larger"), ("Larger", "Makes words and buttons larger"), key(CMD, Key::Plus)),
        entry(Action::Smaller, (See, "view.smaller"), ("Smaller", "Makes words and buttons smaller"), key(CMD, Key::Minus)),
        entry(Action::ResetLayout, (See, "view.reset_layout"), ("Reset layout", "Puts all panels back where they are by default"), None),
        entry(Action::Library, (See, "view.library"), ("Library workspace", "Clips: import, look at, clean and export"), key(CMD, Key::Num1)),
        entry(Action::Variation, (See, "view.variation"), ("Variation workspace", "Families of motions"), key(CMD, Key::Num2)),
        entry(Action::Pose, (See, "view.pose"), ("Pose workspace", "Posing in the style of clips"), key(CMD, Key::Num3)),
        entry(Action::Sequence, (See, "view.sequence"), ("Sequence workspace", "Actions one after another"), key(CMD, Key::Num4)),
        entry(Action::Study, (See, "view.study"), ("Study workspace", "Measures and ratings"), key(CMD, Key::Num5)),
        entry(Action::Palette, (Help, "help.palette"), ("Command palette…", "Finds any action by a few letters"), key(CMD, Key::P)),
        entry(Action::Guide, (Help, "help.guide"), ("Guide…", "How to do things, task by task"), None),
        entry(Action::Tour, (Help, "help.tour"), ("Tour", "Shows in a few steps what each workspace is for"), None),
        entry(Action::Shortcuts, (Help, "help.shortcuts"), ("Shortcuts…", "Shows all keys; each can be changed"), key(NONE, Key::F1)),
        entry(Action::About, (Help, "help.about"), ("About Kinfolk…", "Version, licence, and the papers behind the methods"), None),
    ]
};

impl Action {
    /// Name, tip and keys of the action.
    pub fn entry(self) -> &'static Entry {
        let found = ALL.iter().find(|entry| entry.action == self);
        found.expect("a test looks that every action has an entry")
    }

    /// Whether it looks at or changes the document: then it has to wait for one that is being opened.
    pub fn needs_document(self) -> bool {
        let is_apart = matches!(self, Self::Quit | Self::ImportReport);
        matches!(
            self.entry().menu,
            Menu::File | Menu::Edit | Menu::Clip | Menu::Pose
        ) && !is_apart
    }
}

/// Which actions make sense now and which are on, found out once per frame by who knows all workspaces.
#[derive(Debug, Clone, Default)]
pub struct ActionStates {
    states: BTreeMap<Action, ActionState>,
}

/// How an action stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ActionState {
    /// Whether it makes sense now.
    pub is_enabled: bool,
    /// For what is on or off: whether it is on.
    pub is_on: Option<bool>,
}

impl ActionStates {
    /// Asks for the state of every action once.
    pub(in crate::app) fn new(state: impl Fn(Action) -> ActionState) -> Self {
        let states = ALL.iter().map(|entry| (entry.action, state(entry.action)));
        Self {
            states: states.collect(),
        }
    }

    /// The state of one action.
    pub fn of(&self, action: Action) -> ActionState {
        self.states.get(&action).copied().unwrap_or_default()
    }
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
