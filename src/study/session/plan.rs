//! What a study shows, and to whom in which order.

use crate::numerics::random::Stream;

/// How many clips a rater watches, as in the paper.
pub const PER_RATER: usize = 15;

/// A study has so many orders; each rater's name picks one. A page without random numbers of its own can carry them all.
pub const DECKS: usize = 64;

/// A study shows no more than this.
pub const MOST_STIMULI: usize = 500;

/// The question that a study asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Experiment {
    /// Experiment A: how natural or human-like is a motion?
    Natural,
    /// Experiment B: how repetitive is a long sequence?
    Repetitive,
}

impl Experiment {
    /// Both questions, in the order in which they are offered.
    pub const ALL: [Self; 2] = [Self::Natural, Self::Repetitive];

    /// As files and the command line spell it.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Natural => "natural",
            Self::Repetitive => "repetitive",
        }
    }

    /// The experiment with this spelling, if there is one.
    pub fn by_id(id: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|one| one.id() == id)
    }

    /// What the rater is asked, in the paper's words.
    pub const fn question(self) -> &'static str {
        match self {
            Self::Natural => "How natural or human-like is this motion?",
            Self::Repetitive => "How repetitive is this sequence?",
        }
    }

    /// What the lowest and the highest score mean.
    pub const fn ends(self) -> (&'static str, &'static str) {
        match self {
            Self::Natural => ("not natural at all", "as natural as a real person"),
            Self::Repetitive => ("never repeats itself", "repeats itself all the time"),
        }
    }
}

/// A motion to rate, under its blind name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stimulus {
    /// The name that raters may see: `m07`.
    pub id: String,
    /// What it is: `variants`, `motion capture`.
    pub condition: String,
    /// Which clip it is, or was made from.
    pub source: String,
}

/// A study: what is asked about what.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    title: String,
    experiment: Experiment,
    seed: u64,
    per_rater: usize,
    /// In the order of their blind names, which says nothing about conditions.
    stimuli: Vec<Stimulus>,
}

/// A study cannot be made.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PlanError {
    /// There are too few conditions to compare.
    #[error("a study compares at least two conditions, found {0}")]
    Conditions(usize),
    /// There is no question to ask.
    #[error("each rater must be asked at least one question")]
    NoQuestions,
    /// Too much to show.
    #[error("a study shows at most {MOST_STIMULI} clips, found {0}")]
    TooMany(usize),
}

impl Plan {
    /// A study of clips, each given as its condition and source. The place of a clip in this list is its index everywhere else
    /// through [`Plan::given`].
    pub fn new(
        title: &str,
        experiment: Experiment,
        seed: u64,
        per_rater: usize,
        clips: &[(String, String)],
    ) -> Result<Self, PlanError> {
        if per_rater == 0 {
            return Err(PlanError::NoQuestions);
        }
        if clips.len() > MOST_STIMULI {
            return Err(PlanError::TooMany(clips.len()));
        }
        let places = blind_places(seed, clips.len());
        let stimuli: Vec<Stimulus> = places
            .iter()
            .enumerate()
            .map(|(number, &given)| Stimulus {
                id: format!("m{:02}", number + 1),
                condition: clips[given].0.clone(),
                source: clips[given].1.clone(),
            })
            .collect();
        Self::from_parts(title, experiment, seed, per_rater, stimuli)
    }

    /// From what a file holds.
    pub fn from_parts(
        title: &str,
        experiment: Experiment,
        seed: u64,
        per_rater: usize,
        stimuli: Vec<Stimulus>,
    ) -> Result<Self, PlanError> {
        if per_rater == 0 {
            return Err(PlanError::NoQuestions);
        }
        if stimuli.len() > MOST_STIMULI {
            return Err(PlanError::TooMany(stimuli.len()));
        }
        let plan = Self {
            title: title.to_owned(),
            experiment,
            seed,
            per_rater,
            stimuli,
        };
        match plan.conditions().len() {
            0 | 1 => Err(PlanError::Conditions(plan.conditions().len())),
            _ => Ok(plan),
        }
    }

    /// For each stimulus, in their order, the place of its clip in the list that [`Plan::new`] was given.
    pub fn given(&self) -> Vec<usize> {
        blind_places(self.seed, self.stimuli.len())
    }

    /// The title of the study.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// What raters are asked.
    pub fn experiment(&self) -> Experiment {
        self.experiment
    }

    /// Names the random numbers.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// How many questions a rater is asked, if there are as many stimuli.
    pub fn per_rater(&self) -> usize {
        self.per_rater.min(self.stimuli.len())
    }

    /// All that can be shown.
    pub fn stimuli(&self) -> &[Stimulus] {
        &self.stimuli
    }

    /// The names of the conditions, sorted.
    pub fn conditions(&self) -> Vec<&str> {
        distinct(self.stimuli.iter().map(|s| s.condition.as_str()))
    }

    /// What a rater sees, in order, as indices of stimuli.
    pub fn order(&self, rater: &str) -> Vec<usize> {
        self.deck(deck_of(rater))
    }

    /// One of the [`DECKS`] orders: equally many of each condition, or one more, as long as there are any; then shuffled.
    pub fn deck(&self, number: usize) -> Vec<usize> {
        let mut stream = Stream::named(self.seed, &[0x0DEC, number as u64]);
        let mut all: Vec<usize> = (0..self.stimuli.len()).collect();
        shuffle(&mut all, &mut stream);
        let conditions = self.conditions();
        let mut waiting: Vec<Vec<usize>> = conditions
            .iter()
            .map(|name| {
                let own = |at: &usize| self.stimuli[*at].condition == *name;
                all.iter().copied().filter(own).collect()
            })
            .collect();
        // The condition that gets one more is not always the same.
        let first = stream.below(conditions.len());
        let mut deck = Vec::with_capacity(self.per_rater());
        let mut turn = first;
        while deck.len() < self.per_rater() {
            let own = turn % waiting.len();
            deck.extend(waiting[own].pop());
            turn += 1;
        }
        shuffle(&mut deck, &mut stream);
        deck
    }
}

/// Which clip each blind name stands for.
fn blind_places(seed: u64, n: usize) -> Vec<usize> {
    let mut places: Vec<usize> = (0..n).collect();
    shuffle(&mut places, &mut Stream::named(seed, &[0xB11D]));
    places
}

fn shuffle(list: &mut [usize], stream: &mut Stream) {
    for last in (1..list.len()).rev() {
        list.swap(last, stream.below(last + 1));
    }
}

/// Which order a rater's name picks: FNV-1a of its bytes in 32 bits, which any language can do.
pub fn deck_of(rater: &str) -> usize {
    let hash = rater.bytes().fold(0x811C_9DC5_u32, |hash, byte| {
        (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)
    });
    hash as usize % DECKS
}

pub(super) fn distinct<'a>(words: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut words: Vec<&str> = words.collect();
    words.sort_unstable();
    words.dedup();
    words
}
