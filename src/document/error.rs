//! Why a command was refused, and what a document must never be.

use super::{
    ClipId, GraphId, ModelId, PathId, PoseId, PosedId, SequenceId, SetId, StrokeId, StudyId,
};

/// Why a command was refused; the document is then unchanged.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EditError {
    /// The clip is not in the library, for instance because it was removed meanwhile.
    #[error("clip {0} is not in the library")]
    NoSuchClip(ClipId),
    /// The set is not in the project.
    #[error("set {0} is not in the project")]
    NoSuchSet(SetId),
    /// The stroke is not in the project.
    #[error("stroke {0} is not in the project")]
    NoSuchStroke(StrokeId),
    /// The model is not in the project.
    #[error("model {0} is not in the project")]
    NoSuchModel(ModelId),
    /// The posed character is not in the project.
    #[error("character {0} is not in the project")]
    NoSuchPosed(PosedId),
    /// The posed character cannot be kept.
    #[error("the character cannot be kept: {0}")]
    Posed(&'static str),
    /// The pose is not in the pose library.
    #[error("pose {0} is not in the pose library")]
    NoSuchPose(PoseId),
    /// A pose that cannot be kept.
    #[error("the pose cannot be kept: {0}")]
    Pose(&'static str),
    /// Keyframes that cannot be.
    #[error("the keyframes cannot be kept: {0}")]
    Keying(&'static str),
    /// A picture that cannot be.
    #[error("the picture cannot be kept: {0}")]
    Picture(&'static str),
    /// The path is not in the project.
    #[error("path {0} is not in the project")]
    NoSuchPath(PathId),
    /// A path that cannot be.
    #[error("the path cannot be kept: {0}")]
    Path(&'static str),
    /// The graph is not in the project.
    #[error("graph {0} is not in the project")]
    NoSuchGraph(GraphId),
    /// A graph that cannot be.
    #[error("the graph cannot be kept: {0}")]
    Graph(&'static str),
    /// The sequence is not in the project.
    #[error("sequence {0} is not in the project")]
    NoSuchSequence(SequenceId),
    /// A sequence that cannot be.
    #[error("the sequence cannot be kept: {0}")]
    Sequence(&'static str),
    /// The study is not in the project.
    #[error("study {0} is not in the project")]
    NoSuchStudy(StudyId),
    /// A study that cannot be.
    #[error("the study cannot be kept: {0}")]
    Study(&'static str),
    /// Two studies of one title could not be told apart, nor could their ratings.
    #[error("there is a study called \"{0}\" already")]
    StudyTitleTaken(String),
    /// One clip was named twice in one command.
    #[error("clip {0} is named twice")]
    ClipTwice(ClipId),
    /// Names and tags are one line of text that can be seen.
    #[error("{what} must be one line of text, found \"{}\"", found.escape_debug())]
    NotALine {
        /// "the name of a clip".
        what: &'static str,
        /// The text that was given.
        found: String,
    },
    /// Two sets of one name could not be told apart.
    #[error("there is a set called \"{0}\" already")]
    SetNameTaken(String),
    /// Two models of one name could not be told apart.
    #[error("there is a model called \"{0}\" already")]
    ModelNameTaken(String),
    /// Clips cannot be moved beyond the end.
    #[error("there is no place {to} for them in a list of {n_others} other clips")]
    NoSuchPlace {
        /// The place that was asked for, counted from 0.
        to: usize,
        /// The clips that stay.
        n_others: usize,
    },
    /// Numbers for new clips and sets are never used twice, and they have come to an end.
    #[error("the project has used up all numbers for clips and sets")]
    NoMoreNumbers,
}

/// What is wrong with a document; only a file or a bug can make one.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CheckError {
    /// Two clips have the same number.
    #[error("clip {0} is there twice")]
    ClipTwice(ClipId),
    /// The order does not name each clip once.
    #[error("the library's order does not name clip {0} exactly once")]
    Order(ClipId),
    /// Two sets have the same number.
    #[error("set {0} is there twice")]
    SetTwice(SetId),
    /// Two strokes have the same number, or are not in order.
    #[error("stroke {0} is there twice or out of order")]
    StrokeTwice(StrokeId),
    /// Two models have the same number, or are not in order.
    #[error("model {0} is there twice or out of order")]
    ModelTwice(ModelId),
    /// Two posed characters have the same number, or are not in order.
    #[error("character {0} is there twice or out of order")]
    PosedTwice(PosedId),
    /// A posed character is not one.
    #[error("character {id} cannot be: {why}")]
    Posed {
        /// The posed character it is about.
        id: PosedId,
        /// What is wrong with it.
        why: &'static str,
    },
    /// Two poses have the same number, or are not in order.
    #[error("pose {0} is there twice or out of order")]
    PoseTwice(PoseId),
    /// A pose that cannot be.
    #[error("pose {id}: {why}")]
    Pose {
        /// The pose it is about.
        id: PoseId,
        /// What is wrong with it.
        why: &'static str,
    },
    /// Keyframes that cannot be.
    #[error("the keyframes of character {id}: {why}")]
    Keying {
        /// The posed character it belongs to.
        id: PosedId,
        /// What is wrong with them.
        why: &'static str,
    },
    /// A picture that cannot be.
    #[error("the picture of character {id}: {why}")]
    Picture {
        /// The posed character it belongs to.
        id: PosedId,
        /// What is wrong with it.
        why: &'static str,
    },
    /// Two paths have the same number, or are not in order.
    #[error("path {0} is there twice or out of order")]
    PathTwice(PathId),
    /// A path that cannot be.
    #[error("path {id}: {why}")]
    Path {
        /// The path it is about.
        id: PathId,
        /// What is wrong with it.
        why: &'static str,
    },
    /// Two graphs have the same number, or are not in order.
    #[error("graph {0} is there twice or out of order")]
    GraphTwice(GraphId),
    /// A graph that cannot be.
    #[error("graph {id}: {why}")]
    Graph {
        /// The graph it is about.
        id: GraphId,
        /// What is wrong with it.
        why: &'static str,
    },
    /// Two sequences have the same number, or are not in order.
    #[error("sequence {0} is there twice or out of order")]
    SequenceTwice(SequenceId),
    /// A sequence that cannot be.
    #[error("sequence {id}: {why}")]
    Sequence {
        /// The sequence it is about.
        id: SequenceId,
        /// What is wrong with it.
        why: &'static str,
    },
    /// Two studies have the same number, or are not in order.
    #[error("study {0} is there twice or out of order")]
    StudyTwice(StudyId),
    /// A study that cannot be.
    #[error("study {id}: {why}")]
    Study {
        /// The study it is about.
        id: StudyId,
        /// What is wrong with it.
        why: &'static str,
    },
    /// A set holds a clip that is not in the library.
    #[error("set {set} holds clip {clip}, which is not in the library")]
    LostMember {
        /// The set it is about.
        set: SetId,
        /// The member that is wrong.
        clip: ClipId,
    },
    /// A set holds a clip twice.
    #[error("set {set} holds clip {clip} twice")]
    MemberTwice {
        /// The set it is about.
        set: SetId,
        /// The member that is wrong.
        clip: ClipId,
    },
    /// A new clip or set would get a number that is taken.
    #[error("number {0} is in use but not counted as used")]
    Number(u64),
}
