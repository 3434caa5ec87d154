//! Actions in an order.

use super::JoinChoice;

/// Names an entry for as long as its list lives, wherever it is moved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EntryId(pub u64);

/// What is cut away of a source. In seconds, since variants of a model are not equally long.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Trim {
    /// Seconds that are left out at its beginning.
    pub start_secs: f64,
    /// Seconds that are left out at its end.
    pub end_secs: f64,
}

/// One action of a sequence, once or several times.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry<S> {
    /// Stays when the entry is moved or its source replaced.
    pub id: EntryId,
    /// What the entry plays.
    pub source: S,
    /// What of it is not played.
    pub trim: Trim,
    /// How often it is played, at least once.
    pub repeats: usize,
    /// How it is reached from the entry before.
    pub reached: JoinChoice,
    /// How it is reached from itself, where it is repeated.
    pub repeated: JoinChoice,
}

/// Actions in an order, with the choices of an animator about each and about the transitions between them.
#[derive(Debug, Clone, PartialEq)]
pub struct ActionList<S> {
    /// In the order in which they are played.
    pub entries: Vec<Entry<S>>,
    /// Names the random numbers: which path is drawn, which variants are made.
    pub seed: u64,
    /// Whether the last action goes over into the first, so that it can be played on and on.
    pub loops: bool,
    /// The number of the next entry; those in use are smaller.
    pub next_entry: u64,
}

impl<S> Default for ActionList<S> {
    fn default() -> Self {
        Self {
            entries: Vec::new(),
            seed: 1,
            loops: false,
            next_entry: 1,
        }
    }
}

impl<S: Clone> ActionList<S> {
    /// Longer sequences are a mistake: memory follows the number of frames.
    pub const MOST_ENTRIES: usize = 2000;
    /// So is saying the same more often than this.
    pub const MOST_REPEATS: usize = 200;
    /// No clip is cut by so much.
    const MOST_TRIM_SECS: f64 = 1e6;

    /// Where an entry is.
    pub fn position(&self, id: EntryId) -> Option<usize> {
        self.entries.iter().position(|entry| entry.id == id)
    }

    /// The entry of this number, if it is in the list.
    pub fn entry(&self, id: EntryId) -> Option<&Entry<S>> {
        self.entries.iter().find(|entry| entry.id == id)
    }

    /// One entry, to change it.
    pub fn entry_mut(&mut self, id: EntryId) -> Option<&mut Entry<S>> {
        self.entries.iter_mut().find(|entry| entry.id == id)
    }

    /// Puts an action before the entry that is at a place now; past the end it comes last.
    pub fn insert(&mut self, at: usize, source: S) -> EntryId {
        let entry = Entry {
            id: self.new_id(),
            source,
            trim: Trim::default(),
            repeats: 1,
            reached: JoinChoice::default(),
            repeated: JoinChoice::default(),
        };
        let id = entry.id;
        self.entries.insert(at.min(self.entries.len()), entry);
        id
    }

    /// Removes these entries from the list.
    pub fn remove(&mut self, ids: &[EntryId]) {
        self.entries.retain(|entry| !ids.contains(&entry.id));
    }

    /// Puts a copy of each of these entries behind the last of them, and says what the copies are called.
    pub fn duplicate(&mut self, ids: &[EntryId]) -> Vec<EntryId> {
        let of = |entry: &&Entry<S>| ids.contains(&entry.id);
        let mut copies: Vec<Entry<S>> = self.entries.iter().filter(of).cloned().collect();
        for copy in &mut copies {
            copy.id = self.new_id();
        }
        let last = self.entries.iter().rposition(|entry| of(&entry));
        let at = last.map_or(self.entries.len(), |last| last + 1);
        let made = copies.iter().map(|copy| copy.id).collect();
        self.entries.splice(at..at, copies);
        made
    }

    /// Moves entries, together and in their order, before the entry that is at a place now.
    pub fn move_to(&mut self, ids: &[EntryId], at: usize) {
        let at = at.min(self.entries.len());
        let before = &self.entries[..at];
        let stays = |entry: &&Entry<S>| !ids.contains(&entry.id);
        let at = before.iter().filter(stays).count();
        let (moved, mut others): (Vec<_>, Vec<_>) = self
            .entries
            .drain(..)
            .partition(|entry| ids.contains(&entry.id));
        others.splice(at..at, moved);
        self.entries = others;
    }

    /// Every repetition of every entry, in the order of play: entry and repetition, both from 0.
    pub fn plays(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        let entries = self.entries.iter().enumerate();
        entries.flat_map(|(at, entry)| (0..entry.repeats).map(move |repeat| (at, repeat)))
    }

    /// What is wrong with it, if anything is: only a file or a bug makes such a one.
    pub fn flaw(&self) -> Option<&'static str> {
        let mut ids: Vec<EntryId> = self.entries.iter().map(|entry| entry.id).collect();
        ids.sort_unstable();
        let is_trim = |secs: f64| (0.0..=Self::MOST_TRIM_SECS).contains(&secs);
        if self.entries.len() > Self::MOST_ENTRIES {
            Some("it has more actions than anybody can line up")
        } else if ids.windows(2).any(|two| two[0] == two[1]) {
            Some("two actions have one number")
        } else if ids.last().is_some_and(|id| id.0 >= self.next_entry) {
            Some("the number of an action is not counted as used")
        } else if !self
            .entries
            .iter()
            .all(|entry| (1..=Self::MOST_REPEATS).contains(&entry.repeats))
        {
            Some("an action is repeated too often, or not played at all")
        } else if !self
            .entries
            .iter()
            .all(|entry| is_trim(entry.trim.start_secs) && is_trim(entry.trim.end_secs))
        {
            Some("an action is trimmed by less than nothing, or by far too much")
        } else {
            let mut choices = self.entries.iter().flat_map(|e| [&e.reached, &e.repeated]);
            choices.find_map(JoinChoice::flaw)
        }
    }

    fn new_id(&mut self) -> EntryId {
        let id = EntryId(self.next_entry);
        self.next_entry = self.next_entry.saturating_add(1);
        id
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Change = &'static dyn Fn(&mut ActionList<char>);

    fn letters(list: &ActionList<char>) -> String {
        list.entries.iter().map(|entry| entry.source).collect()
    }

    fn of(letters: &str) -> (ActionList<char>, Vec<EntryId>) {
        let mut list = ActionList::default();
        let ids = letters
            .chars()
            .map(|c| list.insert(usize::MAX, c))
            .collect();
        (list, ids)
    }

    #[test]
    fn entries_move_together_and_keep_their_numbers() {
        let (mut list, ids) = of("abcdef");
        list.move_to(&[ids[4], ids[1]], 1);
        assert_eq!(
            letters(&list),
            "abecdf",
            "in their order, before what was there"
        );
        list.move_to(&[ids[0]], 6);
        assert_eq!(letters(&list), "becdfa");
        list.move_to(&[ids[0]], 99);
        assert_eq!(letters(&list), "becdfa", "past the end is the end");
        assert_eq!(list.position(ids[4]), Some(1));
        let copies = list.duplicate(&[ids[1], ids[2]]);
        assert_eq!(letters(&list), "becbcdfa");
        assert!(copies.iter().all(|copy| !ids.contains(copy)), "{copies:?}");
        list.remove(&copies);
        assert_eq!(letters(&list), "becdfa");
        assert_eq!(list.flaw(), None);
        let new = list.insert(0, 'x');
        assert!(!copies.contains(&new), "numbers are not used again");
    }

    #[test]
    fn repetitions_are_played_one_by_one() {
        let (mut list, ids) = of("ab");
        list.entry_mut(ids[0]).unwrap().repeats = 3;
        let plays: Vec<(usize, usize)> = list.plays().collect();
        assert_eq!(plays, [(0, 0), (0, 1), (0, 2), (1, 0)]);
    }

    #[test]
    fn every_flaw_of_a_list_is_found() {
        let (good, _) = of("abc");
        assert_eq!(good.flaw(), None);
        let changes: [Change; 7] = [
            &|l| l.entries[0].id = l.entries[1].id,
            &|l| l.next_entry = 2,
            &|l| l.entries[0].repeats = 0,
            &|l| l.entries[0].repeats = usize::MAX,
            &|l| l.entries[2].trim.end_secs = f64::NAN,
            &|l| l.entries[1].repeated.secs = Some(-1.0),
            &|l| {
                let one = l.entries[0].clone();
                l.entries = vec![one; ActionList::<char>::MOST_ENTRIES + 1];
            },
        ];
        for (which, change) in changes.iter().enumerate() {
            let mut list = good.clone();
            change(&mut list);
            assert!(list.flaw().is_some(), "change {which} was not found");
        }
    }
}
