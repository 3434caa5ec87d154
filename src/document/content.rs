//! The document: everything the animator would be sorry to lose.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::graphs::Graphs;
use super::keys::Keyings;
use super::library::Library;
use super::models::Models;
use super::paths::Paths;
use super::picture::Pictures;
use super::poses::Poses;
use super::posing::AllPosed;
use super::sequences::Sequences;
use super::strokes::Strokes;
use super::studies::Studies;
use super::{
    CheckError, ClipId, ClipSet, DrawnPath, GraphId, GraphRecipe, KeptPose, Keying, Model, PathId,
    Picture, PoseId, Posed, PosedId, RatingStudy, Sequence, SequenceId, SetId, StrokeId, StudyId,
};
use crate::motion::{Clip, Stroke};

/// Everything that is saved and can be undone. Cloning costs nothing worth counting, also with 100 000 clips.
///
/// To keep another kind of thing (poses, sequences), add a field behind an `Arc` here and in
/// [`DocumentParts`], what it must never be in [`Document::check`], commands for it, and its mirror in `file::project`.
///
/// Two documents are equal if the animator sees no difference; how many numbers were used up does not count.
#[derive(Debug, Clone)]
pub struct Document {
    pub(super) name: String,
    pub(super) notes: String,
    pub(super) library: Library,
    /// In the order in which they were made. Members are clips of the library.
    pub(super) sets: Arc<Vec<ClipSet>>,
    /// Sorted by number, which is the order in which they were made.
    pub(super) strokes: Strokes,
    /// Sorted by number, which is the order in which they were made.
    pub(super) models: Models,
    /// Sorted by number, which is the order in which they were made.
    pub(super) posed: AllPosed,
    /// Sorted by number, which is the order in which they were made.
    pub(super) poses: Poses,
    /// One for each posed character that has any.
    pub(super) keyings: Keyings,
    /// One for each posed character that has any.
    pub(super) pictures: Pictures,
    /// Sorted by number, which is the order in which they were made.
    pub(super) paths: Paths,
    /// Sorted by number, which is the order in which they were made.
    pub(super) graphs: Graphs,
    /// Sorted by number, which is the order in which they were made.
    pub(super) sequences: Sequences,
    /// Sorted by number, which is the order in which they were made.
    pub(super) studies: Studies,
    /// The next new clip, set, stroke, model, character, pose, graph or sequence gets this number; all in use are
    /// smaller.
    pub(super) next_number: u64,
}

/// A document taken apart, to be put together from a file.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct DocumentParts {
    /// The name of the project.
    pub name: String,
    /// The animator's words about the project.
    pub notes: String,
    /// The clips with their numbers, in the order of the library.
    pub clips: Vec<(ClipId, Arc<Clip>)>,
    /// In the order in which they were made.
    pub sets: Vec<ClipSet>,
    /// In the order in which they were drawn.
    pub strokes: Vec<(StrokeId, Arc<Stroke>)>,
    /// In the order in which they were made.
    pub models: Vec<Model>,
    /// In the order in which they were made.
    pub posed: Vec<(PosedId, Arc<Posed>)>,
    /// In the order in which they were made.
    pub poses: Vec<(PoseId, Arc<KeptPose>)>,
    /// One for each posed character that has any.
    pub keyings: BTreeMap<PosedId, Arc<Keying>>,
    /// One for each posed character that has any.
    pub pictures: BTreeMap<PosedId, Arc<Picture>>,
    /// In the order in which they were drawn.
    pub paths: Vec<(PathId, Arc<DrawnPath>)>,
    /// In the order in which they were made.
    pub graphs: Vec<(GraphId, Arc<GraphRecipe>)>,
    /// In the order in which they were made.
    pub sequences: Vec<(SequenceId, Arc<Sequence>)>,
    /// In the order in which they were made.
    pub studies: Vec<(StudyId, Arc<RatingStudy>)>,
    /// Larger than all numbers that were ever used.
    pub next_number: u64,
}

impl Default for Document {
    fn default() -> Self {
        Self {
            name: "Untitled".to_owned(),
            notes: String::new(),
            library: Library::default(),
            sets: Arc::default(),
            strokes: Arc::default(),
            models: Arc::default(),
            posed: Arc::default(),
            poses: Arc::default(),
            keyings: Arc::default(),
            pictures: Arc::default(),
            paths: Arc::default(),
            graphs: Arc::default(),
            sequences: Arc::default(),
            studies: Arc::default(),
            next_number: 1,
        }
    }
}

impl PartialEq for Document {
    fn eq(&self, other: &Self) -> bool {
        // Named one by one, so that a new field is not forgotten here.
        let Self {
            name,
            notes,
            library,
            sets,
            strokes,
            models,
            posed,
            poses,
            keyings,
            pictures,
            paths,
            graphs,
            sequences,
            studies,
            next_number: _,
        } = self;
        *name == other.name
            && *notes == other.notes
            && *library == other.library
            && (Arc::ptr_eq(sets, &other.sets) || *sets == other.sets)
            && (Arc::ptr_eq(strokes, &other.strokes) || *strokes == other.strokes)
            && (Arc::ptr_eq(models, &other.models) || *models == other.models)
            && (Arc::ptr_eq(posed, &other.posed) || *posed == other.posed)
            && (Arc::ptr_eq(poses, &other.poses) || *poses == other.poses)
            && (Arc::ptr_eq(keyings, &other.keyings) || *keyings == other.keyings)
            && (Arc::ptr_eq(pictures, &other.pictures) || *pictures == other.pictures)
            && (Arc::ptr_eq(paths, &other.paths) || *paths == other.paths)
            && (Arc::ptr_eq(graphs, &other.graphs) || *graphs == other.graphs)
            && (Arc::ptr_eq(sequences, &other.sequences) || *sequences == other.sequences)
            && (Arc::ptr_eq(studies, &other.studies) || *studies == other.studies)
    }
}

impl Document {
    /// Puts a document together, or says what is wrong with the parts.
    pub fn from_parts(parts: DocumentParts) -> Result<Self, CheckError> {
        let document = Self {
            name: parts.name,
            notes: parts.notes,
            library: Library::new(parts.clips)?,
            sets: Arc::new(parts.sets),
            strokes: Arc::new(parts.strokes),
            models: Arc::new(parts.models),
            posed: Arc::new(parts.posed),
            poses: Arc::new(parts.poses),
            keyings: Arc::new(parts.keyings),
            pictures: Arc::new(parts.pictures),
            paths: Arc::new(parts.paths),
            graphs: Arc::new(parts.graphs),
            sequences: Arc::new(parts.sequences),
            studies: Arc::new(parts.studies),
            next_number: parts.next_number,
        };
        document.check()?;
        Ok(document)
    }

    /// The name of the project.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The animator's words about the project.
    pub fn notes(&self) -> &str {
        &self.notes
    }

    /// All clips in library order.
    pub fn clips(&self) -> impl ExactSizeIterator<Item = (ClipId, &Arc<Clip>)> + Clone {
        self.library.iter()
    }

    /// The numbers of all clips in library order.
    pub fn clip_order(&self) -> &[ClipId] {
        self.library.order()
    }

    /// How many clips there are.
    pub fn n_clips(&self) -> usize {
        self.library.order().len()
    }

    /// One clip, if it is still there.
    pub fn clip(&self, id: ClipId) -> Option<&Arc<Clip>> {
        self.library.get(id)
    }

    /// All sets in the order in which they were made.
    pub fn sets(&self) -> &[ClipSet] {
        &self.sets
    }

    /// One set, if it is still there.
    pub fn set(&self, id: SetId) -> Option<&ClipSet> {
        self.sets.iter().find(|set| set.id == id)
    }

    /// All strokes in the order in which they were drawn.
    pub fn strokes(&self) -> &[(StrokeId, Arc<Stroke>)] {
        &self.strokes
    }

    /// One stroke, if it is still there.
    pub fn stroke(&self, id: StrokeId) -> Option<&Arc<Stroke>> {
        let at = self.strokes.binary_search_by_key(&id, |(id, _)| *id).ok()?;
        Some(&self.strokes[at].1)
    }

    /// Every tag that some clip has.
    pub fn tags(&self) -> BTreeSet<&str> {
        let clips = self.library.iter();
        clips
            .flat_map(|(_, clip)| clip.info.tags.iter().map(String::as_str))
            .collect()
    }

    /// The number that the next new clip, set, stroke, model, character, pose, graph or sequence gets; the ones after
    /// it count on from there.
    ///
    /// So that steps which add clips and at once put them in a set can be told in advance what they will be called.
    pub fn next_number(&self) -> u64 {
        self.next_number
    }

    /// Gives out no number below this any more.
    pub(super) fn keep_numbers_from(&mut self, number: u64) {
        self.next_number = self.next_number.max(number);
    }

    /// Whether everything holds that the rest relies on. Only a file or a bug can make it fail.
    pub fn check(&self) -> Result<(), CheckError> {
        self.library.check()?;
        let mut ids = BTreeSet::new();
        for set in self.sets.iter() {
            if !ids.insert(set.id) {
                return Err(CheckError::SetTwice(set.id));
            }
            let mut members = BTreeSet::new();
            for &clip in &set.clips {
                let set = set.id;
                if self.library.get(clip).is_none() {
                    return Err(CheckError::LostMember { set, clip });
                }
                if !members.insert(clip) {
                    return Err(CheckError::MemberTwice { set, clip });
                }
            }
        }
        if let Some(pair) = self.strokes.windows(2).find(|pair| pair[0].0 >= pair[1].0) {
            return Err(CheckError::StrokeTwice(pair[1].0));
        }
        if let Some(pair) = self.models.windows(2).find(|pair| pair[0].id >= pair[1].id) {
            return Err(CheckError::ModelTwice(pair[1].id));
        }
        self.check_posed()?;
        self.check_poses()?;
        self.check_keyings()?;
        self.check_pictures()?;
        self.check_paths()?;
        self.check_graphs()?;
        self.check_sequences()?;
        self.check_studies()?;
        let used = self.library.largest().map(|id| id.0);
        let used = used.max(self.strokes.last().map(|(id, _)| id.0));
        let used = used.max(self.models.last().map(|model| model.id.0));
        let used = used.max(self.posed.last().map(|(id, _)| id.0));
        let used = used.max(self.poses.last().map(|(id, _)| id.0));
        let used = used.max(self.paths.last().map(|(id, _)| id.0));
        let used = used.max(self.graphs.last().map(|(id, _)| id.0));
        let used = used.max(self.sequences.last().map(|(id, _)| id.0));
        let used = used.max(self.studies.last().map(|(id, _)| id.0));
        match used.max(ids.last().map(|id| id.0)) {
            Some(largest) if largest >= self.next_number => Err(CheckError::Number(largest)),
            _ => Ok(()),
        }
    }
}
