//! The sets that are measured, searched for clones, shown as a crowd and rated.
//!
//! A set is some clips of the library, by number, or motions that another workspace has made, as they were when the
//! set was put together: variants that are not kept may change or go. Sets are things of the session; what should
//! last is a set of the library or a rating study.

pub(in crate::app) mod ui;

use std::sync::Arc;

use crate::app::shell::context::UiContext;
use crate::app::shell::offers::Offer;
use crate::app::shell::words::free_name;
use crate::document::{ClipId, Document};
use crate::motion::Clip;
use crate::study::measures::Role;

/// Where the motions of a set are.
#[derive(Debug, Clone)]
pub enum Source {
    /// Clips of the library; those that are removed leave the set.
    Library(Vec<ClipId>),
    /// Motions that are no clips of the library.
    Made(Vec<Arc<Clip>>),
}

/// One motion of a set.
#[derive(Debug, Clone)]
pub struct Member {
    /// Its number, if it is a clip of the library.
    pub id: Option<ClipId>,
    /// The motion that is compared.
    pub clip: Arc<Clip>,
}

/// Motions that belong together.
#[derive(Debug, Clone)]
pub struct StudySet {
    /// What tables, plots and conditions of ratings call it.
    pub name: String,
    /// What it is to comparisons.
    pub role: Role,
    /// Where its motions come from.
    pub source: Source,
}

impl StudySet {
    /// What is there of it now.
    pub fn members(&self, document: &Document) -> Vec<Member> {
        match &self.source {
            Source::Library(ids) => {
                let there = ids.iter().filter_map(|id| {
                    let clip = Arc::clone(document.clip(*id)?);
                    Some(Member {
                        id: Some(*id),
                        clip,
                    })
                });
                there.collect()
            }
            Source::Made(clips) => {
                let member = |clip: &Arc<Clip>| Member {
                    id: None,
                    clip: Arc::clone(clip),
                };
                clips.iter().map(member).collect()
            }
        }
    }
}

/// Which sets are chosen, and in which role.
#[derive(Debug, Default)]
pub struct SetsView {
    /// In the order in which they were added.
    pub sets: Vec<StudySet>,
}

impl SetsView {
    /// Adds a set. The first is what the others are measured against, further ones are judged.
    pub fn add(&mut self, name: &str, source: Source) {
        let has_inputs = self.sets.iter().any(|set| set.role == Role::Inputs);
        let role = if has_inputs {
            Role::Asked
        } else {
            Role::Inputs
        };
        // Two sets of one name could not be told apart.
        let name = free_name(name, |name| self.sets.iter().any(|set| set.name == name));
        self.sets.push(StudySet { name, role, source });
    }

    /// What a model has made beside what it was made from, in place of all that was chosen.
    pub fn compare_offer(&mut self, offer: &Offer) {
        self.sets.clear();
        if !offer.inputs.is_empty() {
            self.add("takes", Source::Made(offer.inputs.clone()));
        }
        self.add(&offer.name, Source::Made(offer.clips.clone()));
    }

    /// All motions of one role, set after set.
    pub fn members_of(&self, document: &Document, role: Role) -> Vec<Member> {
        let sets = self.sets.iter().filter(|set| set.role == role);
        sets.flat_map(|set| set.members(document)).collect()
    }
}

/// A way to fill a set, as a list names it.
struct Choice {
    name: String,
    n: usize,
    source: Source,
}

/// The sets of the library.
fn library_sets(cx: &UiContext) -> Vec<Choice> {
    let sets = cx.document().sets().iter();
    let choice = |set: &crate::document::ClipSet| Choice {
        name: set.name.clone(),
        n: set.clips.len(),
        source: Source::Library(set.clips.clone()),
    };
    sets.map(choice).collect()
}

/// The clips of each tag.
fn tagged(cx: &UiContext) -> Vec<Choice> {
    let document = cx.document();
    let choice = |tag: &str| {
        let clips = document.clips();
        let own = clips.filter(|(_, clip)| clip.info.tags.contains(tag));
        let ids: Vec<ClipId> = own.map(|(id, _)| id).collect();
        Choice {
            name: tag.to_owned(),
            n: ids.len(),
            source: Source::Library(ids),
        }
    };
    document.tags().into_iter().map(choice).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_set_is_measured_against_and_names_differ() {
        let mut view = SetsView::default();
        for _ in 0..3 {
            view.add("walks", Source::Library(vec![ClipId(1)]));
        }
        let names: Vec<&str> = view.sets.iter().map(|set| set.name.as_str()).collect();
        assert_eq!(names, ["walks", "walks 2", "walks 3"]);
        let roles: Vec<Role> = view.sets.iter().map(|set| set.role).collect();
        assert_eq!(roles, [Role::Inputs, Role::Asked, Role::Asked]);
        let gone = view.members_of(&Document::default(), Role::Asked);
        assert!(gone.is_empty(), "clips that are gone leave their sets");
    }
}
