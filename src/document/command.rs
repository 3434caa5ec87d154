//! What can be done to a document, in the animator's words.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::{
    ClipId, Document, DrawnPath, GraphId, GraphRecipe, KeptPose, Keying, Learned, ModelId, PathId,
    Picture, PoseId, Posed, PosedId, RatingStudy, Sequence, SequenceId, SetId, StrokeId, StudyId,
};
use crate::motion::{Clip, Stroke};

/// One change to the document. It happens as a whole or not at all.
#[derive(Debug, Clone, PartialEq)]
pub enum Command {
    /// Puts clips at the end of the library. They get consecutive numbers from [`Document::next_number`] on.
    AddClips(Vec<Arc<Clip>>),
    /// Takes clips out of the library and out of all sets.
    RemoveClips(Vec<ClipId>),
    /// Puts the results of an operation in the place of its clips.
    ReplaceClips {
        /// The operation as a verb, for "Undo mirror 3 clips".
        what: String,
        /// Which clips, and what they become.
        clips: Vec<(ClipId, Arc<Clip>)>,
    },
    /// Calls a clip something else.
    RenameClip {
        /// The clip that is renamed.
        id: ClipId,
        /// One line of text.
        name: String,
    },
    /// Gives clips exactly these tags.
    SetTags {
        /// Clips of the library that it is about.
        clips: Vec<ClipId>,
        /// Each one line of text.
        tags: BTreeSet<String>,
    },
    /// Gives clips one more tag.
    AddTag {
        /// Clips of the library that it is about.
        clips: Vec<ClipId>,
        /// One line of text.
        tag: String,
    },
    /// Takes a tag off clips; those that do not have it stay as they are.
    RemoveTag {
        /// Clips of the library that it is about.
        clips: Vec<ClipId>,
        /// One word or phrase, without line ends.
        tag: String,
    },
    /// Moves clips to another place in the library, together and in the order given.
    MoveClips {
        /// Clips of the library that it is about.
        clips: Vec<ClipId>,
        /// Where the first comes, counted from 0 in the list of the clips that stay.
        to: usize,
    },
    /// Makes a set of clips. It gets the number [`Document::next_number`].
    AddSet {
        /// One line of text, not the name of another set.
        name: String,
        /// Clips of the library, in the order of the set.
        clips: Vec<ClipId>,
    },
    /// Calls a set something else.
    RenameSet {
        /// The set that changes.
        id: SetId,
        /// One line of text, not the name of another set.
        name: String,
    },
    /// Forgets a set; its clips stay.
    RemoveSet(SetId),
    /// Gives a set exactly these members.
    SetMembers {
        /// The set that changes.
        id: SetId,
        /// Clips of the library, in the order of the set.
        clips: Vec<ClipId>,
    },
    /// Adds clips to a set, behind those that are in it; those that are in it already stay where they are.
    AddToSet {
        /// The set that changes.
        id: SetId,
        /// Clips of the library that it is about.
        clips: Vec<ClipId>,
    },
    /// Takes clips out of a set; they stay in the library.
    TakeFromSet {
        /// The set that changes.
        id: SetId,
        /// Clips of the library that it is about.
        clips: Vec<ClipId>,
    },
    /// Puts strokes behind those that are there. They get consecutive numbers from [`Document::next_number`] on.
    AddStrokes(Vec<Arc<Stroke>>),
    /// Removes these strokes from the project.
    RemoveStrokes(Vec<StrokeId>),
    /// Calls a stroke something else.
    RenameStroke {
        /// The stroke that is renamed.
        id: StrokeId,
        /// One line of text.
        name: String,
    },
    /// Keeps a model. It gets the number [`Document::next_number`].
    AddModel {
        /// One line of text, not the name of another model.
        name: String,
        /// The model that was learned.
        learned: Learned,
    },
    /// Calls a model something else.
    RenameModel {
        /// The model that changes.
        id: ModelId,
        /// One line of text, not the name of another model.
        name: String,
    },
    /// Puts another model in the place of one, under its name.
    ReplaceModel {
        /// What was done to it, as a verb: "remove an edge of".
        what: String,
        /// The model that changes.
        id: ModelId,
        /// The model that takes its place.
        learned: Learned,
    },
    /// Forgets a model; clips that it made stay.
    RemoveModel(ModelId),
    /// Puts a character on stage to be posed. It gets the number [`Document::next_number`].
    AddPosed(Arc<Posed>),
    /// Poses a character anew, or changes its pins, styles or name.
    ChangePosed {
        /// What was done to it, as a verb: "drag left hand of".
        what: String,
        /// The posed character that changes.
        id: PosedId,
        /// The character as it is from then on.
        posed: Arc<Posed>,
    },
    /// Takes a posed character away.
    RemovePosed(PosedId),
    /// Keeps poses in the pose library. They get consecutive numbers from [`Document::next_number`] on.
    AddPoses(Vec<Arc<KeptPose>>),
    /// Puts another pose, name or tags in the place of a kept one.
    ChangePose {
        /// What was done to it, as a verb: "rename".
        what: String,
        /// The pose of the library that changes.
        id: PoseId,
        /// The pose as it is from then on.
        pose: Arc<KeptPose>,
    },
    /// Takes poses out of the pose library.
    RemovePoses(Vec<PoseId>),
    /// Gives a character these keyframes, or none.
    SetKeys {
        /// What was done to them, for the menu: "key frame 12 of".
        what: String,
        /// The posed character that changes.
        id: PosedId,
        /// The keyframes from then on; none for a character without.
        keying: Option<Arc<Keying>>,
    },
    /// Puts a picture behind a character, or takes it away.
    SetPicture {
        /// What was done to it, for the menu: "place left hand on the picture of".
        what: String,
        /// The posed character that changes.
        id: PosedId,
        /// The picture from then on; none for a character without.
        picture: Option<Arc<Picture>>,
    },
    /// Keeps a path on the floor. It gets the number [`Document::next_number`].
    AddPath(Arc<DrawnPath>),
    /// Puts another path in the place of one.
    ChangePath {
        /// What was done to it, as a verb: "move point 3 of".
        what: String,
        /// The path that changes.
        id: PathId,
        /// The path as it is from then on.
        path: Arc<DrawnPath>,
    },
    /// Takes a path away; clips that followed it stay.
    RemovePath(PathId),
    /// Keeps a transition graph as the clips that it is built from. It gets the number [`Document::next_number`].
    AddGraph(Arc<GraphRecipe>),
    /// Gives a graph other clips, settings or another name.
    ChangeGraph {
        /// What was done to it, as a verb: "add clips to".
        what: String,
        /// The transition graph that changes.
        id: GraphId,
        /// The recipe as it is from then on.
        graph: Arc<GraphRecipe>,
    },
    /// Forgets a graph; its clips and the sequences that were made with it stay.
    RemoveGraph(GraphId),
    /// Keeps a sequence. It gets the number [`Document::next_number`].
    AddSequence(Arc<Sequence>),
    /// Changes the actions of a sequence, how they are reached, or its name.
    ChangeSequence {
        /// What was done to it, with all words that the menu shows: "move jab in fight".
        what: String,
        /// The sequence that changes.
        id: SequenceId,
        /// The sequence as it is from then on.
        sequence: Arc<Sequence>,
    },
    /// Removes this sequence from the project.
    RemoveSequence(SequenceId),
    /// Keeps a rating study. It gets the number [`Document::next_number`].
    AddStudy(Arc<RatingStudy>),
    /// Answers to a study came or went.
    ChangeStudy {
        /// What was done to it, as a verb: "rate in".
        what: String,
        /// The rating study that changes.
        id: StudyId,
        /// The study as it is from then on.
        study: Arc<RatingStudy>,
    },
    /// Forgets a study with its motions and answers.
    RemoveStudy(StudyId),
    /// Calls the project something else.
    RenameProject(String),
    /// What the animator has to say about the project; any text.
    SetProjectNotes(String),
    /// Several changes that are one step, one after the other.
    Together {
        /// All of it as the menu says it: "split `walk_01`".
        what: String,
        /// The commands, each done to what the one before left.
        commands: Vec<Self>,
    },
}

impl Command {
    /// Name for the Edit menu, as in "Undo mirror 3 clips"; asked before the command is applied to `document`.
    pub fn label(&self, document: &Document) -> String {
        let of = |ids: &[ClipId]| clips_called(document, ids);
        match self {
            Self::AddClips(clips) => match clips.as_slice() {
                [only] => format!("add {}", only.info.name),
                many => format!("add {} clips", many.len()),
            },
            Self::RemoveClips(clips) => format!("remove {}", of(clips)),
            Self::ReplaceClips { what, clips } => {
                let ids: Vec<ClipId> = clips.iter().map(|(id, _)| *id).collect();
                format!("{what} {}", of(&ids))
            }
            Self::RenameClip { id, .. } => format!("rename {}", of(&[*id])),
            Self::SetTags { clips, .. } => format!("tag {}", of(clips)),
            Self::AddTag { clips, tag } => format!("tag {} \"{tag}\"", of(clips)),
            Self::RemoveTag { clips, tag } => format!("take tag \"{tag}\" off {}", of(clips)),
            Self::MoveClips { clips, .. } => format!("move {}", of(clips)),
            Self::AddSet { name, .. } => format!("make set {name}"),
            Self::RenameSet { id, .. } => format!("rename {}", set_called(document, *id)),
            Self::RemoveSet(id) => format!("remove {}", set_called(document, *id)),
            Self::SetMembers { id, .. } => {
                format!("change members of {}", set_called(document, *id))
            }
            Self::AddToSet { id, clips } => {
                format!("add {} to {}", of(clips), set_called(document, *id))
            }
            Self::TakeFromSet { id, clips } => {
                format!("take {} out of {}", of(clips), set_called(document, *id))
            }
            Self::AddStrokes(strokes) => match strokes.as_slice() {
                [only] => format!("add {}", only.name()),
                many => format!("add {} strokes", many.len()),
            },
            Self::RemoveStrokes(ids) => match ids.as_slice() {
                [only] => format!("remove {}", stroke_called(document, *only)),
                many => format!("remove {} strokes", many.len()),
            },
            Self::RenameStroke { id, .. } => {
                format!("rename {}", stroke_called(document, *id))
            }
            Self::AddModel { name, learned } => format!("learn {} {name}", learned.kind()),
            Self::RenameModel { id, .. } => format!("rename {}", model_called(document, *id)),
            Self::ReplaceModel { what, id, .. } => {
                format!("{what} {}", model_called(document, *id))
            }
            Self::RemoveModel(id) => format!("remove {}", model_called(document, *id)),
            Self::AddPosed(posed) => format!("add character {}", posed.name),
            Self::ChangePosed { what, id, .. }
            | Self::SetKeys { what, id, .. }
            | Self::SetPicture { what, id, .. } => {
                format!("{what} {}", posed_called(document, *id))
            }
            Self::RemovePosed(id) => format!("remove {}", posed_called(document, *id)),
            Self::AddPoses(poses) => match poses.as_slice() {
                [only] => format!("save pose {}", only.name),
                many => format!("save {} poses", many.len()),
            },
            Self::ChangePose { what, id, .. } => format!("{what} {}", pose_called(document, *id)),
            Self::RemovePoses(ids) => match ids.as_slice() {
                [only] => format!("remove {}", pose_called(document, *only)),
                many => format!("remove {} poses", many.len()),
            },
            Self::AddPath(path) => format!("draw {}", path.name),
            Self::ChangePath { what, id, .. } => format!("{what} {}", path_called(document, *id)),
            Self::RemovePath(id) => format!("remove {}", path_called(document, *id)),
            Self::AddGraph(graph) => format!("build graph {}", graph.name),
            Self::ChangeGraph { what, id, .. } => format!("{what} {}", graph_called(document, *id)),
            Self::RemoveGraph(id) => format!("remove {}", graph_called(document, *id)),
            Self::AddSequence(sequence) => format!("make sequence {}", sequence.name),
            Self::RemoveSequence(id) => format!("remove {}", sequence_called(document, *id)),
            Self::AddStudy(study) => format!("make study {}", study.plan().title()),
            Self::ChangeStudy { what, id, .. } => {
                format!("{what} {}", study_called(document, *id))
            }
            Self::RemoveStudy(id) => format!("remove {}", study_called(document, *id)),
            Self::RenameProject(_) => "rename project".to_owned(),
            Self::SetProjectNotes(_) => "change project notes".to_owned(),
            Self::ChangeSequence { what, .. } | Self::Together { what, .. } => what.clone(),
        }
    }
}

/// One clip by its name, more by their number.
fn clips_called(document: &Document, ids: &[ClipId]) -> String {
    match ids {
        [only] => match document.clip(*only) {
            Some(clip) => clip.info.name.clone(),
            None => "1 clip".to_owned(),
        },
        many => format!("{} clips", many.len()),
    }
}

fn stroke_called(document: &Document, id: StrokeId) -> &str {
    document.stroke(id).map_or("a stroke", |s| s.name())
}

fn set_called(document: &Document, id: SetId) -> String {
    match document.set(id) {
        Some(set) => format!("set {}", set.name),
        None => "a set".to_owned(),
    }
}

fn posed_called(document: &Document, id: PosedId) -> &str {
    let posed = document.posed_by_id(id);
    posed.map_or("a character", |posed| posed.name.as_str())
}

fn pose_called(document: &Document, id: PoseId) -> String {
    match document.pose(id) {
        Some(pose) => format!("pose {}", pose.name),
        None => "a pose".to_owned(),
    }
}

fn path_called(document: &Document, id: PathId) -> &str {
    document.path(id).map_or("a path", |path| &path.name)
}

fn graph_called(document: &Document, id: GraphId) -> String {
    match document.graph(id) {
        Some(graph) => format!("graph {}", graph.name),
        None => "a graph".to_owned(),
    }
}

fn sequence_called(document: &Document, id: SequenceId) -> String {
    match document.sequence(id) {
        Some(sequence) => format!("sequence {}", sequence.name),
        None => "a sequence".to_owned(),
    }
}

fn study_called(document: &Document, id: StudyId) -> String {
    match document.study(id) {
        Some(study) => format!("study {}", study.plan().title()),
        None => "a study".to_owned(),
    }
}

fn model_called(document: &Document, id: ModelId) -> String {
    match document.model(id) {
        Some(model) => format!("{} {}", model.learned.kind(), model.name),
        None => "a model".to_owned(),
    }
}
