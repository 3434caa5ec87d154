//! Which clips the table shows, in which order: worked out only when something changed.
//!
//! Three steps, each kept until what it came from changes: the order (by document and column), the words of each clip
//! in small letters (by document), and what fits the search. So typing a letter into the search box of a library of
//! 100 000 clips only looks through text that lies ready.

use std::cmp::{Ordering, Reverse};
use std::collections::BTreeSet;

use rayon::prelude::*;

use crate::document::{ClipId, Document, SetId};
use crate::motion::{Clip, NoteKind};

/// What the table can be sorted by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[expect(missing_docs, reason = "these are the titles of the columns")]
pub enum Column {
    Name,
    Tags,
    Seconds,
    Fps,
    Frames,
    Skeleton,
    Notes,
    Source,
}

impl Column {
    /// From left to right.
    pub const ALL: [Self; 8] = [
        Self::Name,
        Self::Tags,
        Self::Seconds,
        Self::Fps,
        Self::Frames,
        Self::Skeleton,
        Self::Notes,
        Self::Source,
    ];

    /// The words that head the column in the table.
    pub const fn title(self) -> &'static str {
        match self {
            Self::Name => "Name",
            Self::Tags => "Tags",
            Self::Seconds => "Seconds",
            Self::Fps => "Fps",
            Self::Frames => "Frames",
            Self::Skeleton => "Skeleton",
            Self::Notes => "Notes",
            Self::Source => "Source",
        }
    }

    fn compare(self, a: &Clip, b: &Clip) -> Ordering {
        match self {
            Self::Name => natural(&a.info.name, &b.info.name),
            Self::Tags => a.info.tags.cmp(&b.info.tags),
            Self::Seconds => a.seconds().total_cmp(&b.seconds()),
            Self::Fps => a.fps().total_cmp(&b.fps()),
            Self::Frames => a.n_frames().cmp(&b.n_frames()),
            Self::Skeleton => a.skeleton().n_joints().cmp(&b.skeleton().n_joints()),
            Self::Notes => seriousness(a).cmp(&seriousness(b)),
            Self::Source => a.info.file.cmp(&b.info.file),
        }
    }
}

/// The most serious first.
fn seriousness(clip: &Clip) -> (Option<Reverse<NoteKind>>, usize) {
    let notes = &clip.info.notes;
    (notes.iter().map(|n| Reverse(n.kind)).max(), notes.len())
}

/// By which column, and which way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sort {
    /// What the rows are sorted by.
    pub by: Column,
    /// Whether the largest comes first.
    pub is_descending: bool,
}

/// The rows of the table.
#[derive(Debug, Default)]
pub struct Listing {
    /// The document that everything here came from.
    of: Option<Document>,
    sort: Option<Sort>,
    /// All clips as sorted, each with its words in small letters, a line each: name, file, tags.
    sorted: Vec<(ClipId, String)>,
    search: String,
    set: Option<SetId>,
    rows: Vec<ClipId>,
    /// The same by number, to find one by halving.
    by_number: Vec<ClipId>,
    tags: Vec<String>,
    /// How often rows were worked out; a measure for tests.
    pub n_made: usize,
}

impl Listing {
    /// The clips that fit the search, in the order of the table.
    pub fn rows(&self) -> &[ClipId] {
        &self.rows
    }

    /// Whether a clip is among the rows.
    pub fn shows(&self, id: ClipId) -> bool {
        self.by_number.binary_search(&id).is_ok()
    }

    /// Every tag of the document.
    pub fn tags(&self) -> &[String] {
        &self.tags
    }

    /// Brings the rows up to date; costs next to nothing if nothing changed.
    pub fn update(
        &mut self,
        document: &Document,
        sort: Option<Sort>,
        search: &str,
        set: Option<SetId>,
    ) {
        let is_same_document = self.of.as_ref() == Some(document);
        let is_sorted = is_same_document && self.sort == sort;
        if is_sorted && self.search == search && self.set == set {
            return;
        }
        if !is_sorted {
            self.sorted = sorted(document, sort);
            self.sort = sort;
        }
        if !is_same_document {
            self.tags = document.tags().into_iter().map(str::to_owned).collect();
            self.of = Some(document.clone());
        }
        search.clone_into(&mut self.search);
        self.set = set;
        self.rows = fitting(&self.sorted, search);
        if let Some(set) = set.and_then(|id| document.set(id)) {
            let members: BTreeSet<ClipId> = set.clips.iter().copied().collect();
            self.rows.retain(|id| members.contains(id));
        }
        self.by_number.clone_from(&self.rows);
        self.by_number.par_sort_unstable();
        self.n_made += 1;
    }
}

fn sorted(document: &Document, sort: Option<Sort>) -> Vec<(ClipId, String)> {
    let mut clips: Vec<(ClipId, &Clip)> = document.clips().map(|(id, c)| (id, &**c)).collect();
    if let Some(Sort { by, is_descending }) = sort {
        // Stable, so that sorting by one column and then another keeps what the first one said where the second is
        // silent.
        clips.par_sort_by(|(_, a), (_, b)| {
            let order = by.compare(a, b);
            if is_descending {
                order.reverse()
            } else {
                order
            }
        });
    }
    let words = |(id, clip): (ClipId, &Clip)| (id, words_of(clip));
    clips.into_par_iter().map(words).collect()
}

fn words_of(clip: &Clip) -> String {
    let info = &clip.info;
    let file = info.file.as_ref().map(|f| f.to_string_lossy());
    let mut words = format!("{}\n{}", info.name, file.unwrap_or_default());
    for tag in &info.tags {
        words.push_str("\ntag:");
        words.push_str(tag);
    }
    words.to_lowercase()
}

/// The clips that hold every word that is searched for. A word such as `tag:calm` is looked for among tags only.
fn fitting(sorted: &[(ClipId, String)], search: &str) -> Vec<ClipId> {
    let search = search.to_lowercase();
    let wanted: Vec<&str> = search.split_whitespace().collect();
    if wanted.is_empty() {
        return sorted.iter().map(|(id, _)| *id).collect();
    }
    let fits = |(_, words): &&(ClipId, String)| wanted.iter().all(|word| words.contains(word));
    sorted.par_iter().filter(fits).map(|(id, _)| *id).collect()
}

/// As people count: `walk_2` before `walk_10`; capitals do not matter unless nothing else does.
pub(in crate::app::library) fn natural(a: &str, b: &str) -> Ordering {
    let (mut left, mut right) = (a, b);
    loop {
        let order = match (left.chars().next(), right.chars().next()) {
            (None, None) => return a.cmp(b),
            (None, Some(_)) => return Ordering::Less,
            (Some(_), None) => return Ordering::Greater,
            (Some(x), Some(y)) if x.is_ascii_digit() && y.is_ascii_digit() => {
                number(&mut left).cmp(&number(&mut right))
            }
            (Some(x), Some(y)) => {
                left = &left[x.len_utf8()..];
                right = &right[y.len_utf8()..];
                if x == y {
                    Ordering::Equal
                } else {
                    x.to_lowercase().cmp(y.to_lowercase())
                }
            }
        };
        if order != Ordering::Equal {
            return order;
        }
    }
}

/// Takes a run of digits off the front, to be compared by length and then by letters: numbers of any size.
fn number<'a>(text: &mut &'a str) -> (usize, &'a str) {
    let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let digits = text[..text.len() - rest.len()].trim_start_matches('0');
    *text = rest;
    (digits.len(), digits)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::document::{Command, History};

    fn history() -> (History, Vec<ClipId>) {
        let mut history = History::default();
        let made = |n: usize, name: &str, tag: &str| {
            let mut clip = crate::demo::make(crate::demo::Action::ALL[n], 1, 0).clip;
            name.clone_into(&mut clip.info.name);
            clip.info.tags = [tag.to_owned()].into();
            Arc::new(clip)
        };
        let clips = vec![
            made(0, "Take 10", "Walking"),
            made(1, "take 2", "running"),
            made(2, "Take 1", "Walking"),
        ];
        let added = history.apply(Command::AddClips(clips)).unwrap().added;
        (history, added)
    }

    #[test]
    fn searches_want_every_word_and_know_tags() {
        let (history, added) = history();
        let mut listing = Listing::default();
        let mut search = |words: &str| {
            listing.update(history.document(), None, words, None);
            listing.rows().to_vec()
        };
        assert_eq!(search("  "), added);
        assert_eq!(search("take WALK"), [added[0], added[2]]);
        assert_eq!(search("2 run"), [added[1]]);
        assert_eq!(search("take jump"), []);
        assert_eq!(search("tag:run"), [added[1]]);
        assert_eq!(search("tag:take"), []);
    }

    #[test]
    fn rows_are_made_only_when_something_changed() {
        let (mut history, added) = history();
        let mut listing = Listing::default();
        let by_name = Some(Sort {
            by: Column::Name,
            is_descending: false,
        });
        for _ in 0..3 {
            listing.update(history.document(), by_name, "take", None);
        }
        assert_eq!(listing.n_made, 1);
        assert_eq!(listing.rows(), [added[2], added[1], added[0]]);
        let name = "take 3".to_owned();
        let rename = Command::RenameClip { id: added[2], name };
        assert!(history.apply(rename).unwrap().changed, "renamed");
        listing.update(history.document(), by_name, "take", None);
        assert_eq!(listing.rows(), [added[1], added[2], added[0]]);
        let (name, clips) = ("two".to_owned(), vec![added[2], added[0]]);
        let applied = history.apply(Command::AddSet { name, clips }).unwrap();
        assert!(applied.changed, "a set");
        let set = history.document().sets()[0].id;
        listing.update(history.document(), by_name, "", Some(set));
        assert_eq!(listing.rows(), [added[2], added[0]]);
        assert_eq!(listing.tags(), ["Walking", "running"]);
    }

    #[test]
    fn every_column_sorts_both_ways() {
        let (history, _) = history();
        for by in Column::ALL {
            let order = |is_descending| {
                let sort = Some(Sort { by, is_descending });
                let mut listing = Listing::default();
                listing.update(history.document(), sort, "", None);
                listing.rows().to_vec()
            };
            let clip = |id: &ClipId| Arc::clone(history.document().clip(*id).unwrap());
            let up = order(false);
            let is_up = up.is_sorted_by(|a, b| by.compare(&clip(a), &clip(b)).is_le());
            assert!(is_up, "{by:?}");
            let down = order(true);
            let is_down = down.is_sorted_by(|a, b| by.compare(&clip(a), &clip(b)).is_ge());
            assert!(is_down, "{by:?}");
        }
    }

    #[test]
    fn names_are_ordered_as_people_count() {
        let mut names = [
            "b",
            "a10",
            "A9",
            "a09",
            "a9b",
            "",
            "a99999999999999999999",
            "a1",
        ];
        names.sort_by(|a, b| natural(a, b));
        let wanted = [
            "",
            "a1",
            "A9",
            "a09",
            "a9b",
            "a10",
            "a99999999999999999999",
            "b",
        ];
        assert_eq!(names, wanted);
    }
}
