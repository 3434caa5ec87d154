//! Whole motions: orders of actions, paths to follow, steering (Gao and Hong 2007, section 4).
//!
//! The search says what to play ([`super::search`]), the player makes it ([`super::player`]), a path bends it
//! ([`crate::motion::path`]), and in the end feet are locked where the clips have them down.

use super::annotation::Command;
use super::error::TextureError;
use super::graph::{FrameId, Piece};
use super::live::Live;
use super::model::Texture;
use super::player::{Bookmark, PlaySettings, PlayedJoin, Player};
use super::rough::rough_joins;
use super::search::{
    self, Followed, Following, LabelRoutes, OrderGoal, OrderPart, Rough, SearchCorpus,
    SearchSettings,
};
use super::steer::Steer;
use crate::jobs::Ticket;
use crate::motion::Clip;
use crate::motion::chart::Start;
use crate::motion::path::{
    self, FloorPath, FootSkate, LockSettings, PathFit, Vec2, WarpSettings, in_world, on_floor,
    turned,
};

/// How long an action is performed if nobody says.
pub const ACTION_SECS: f64 = 4.0;
/// Frames that an order may begin with.
const STARTS: usize = 12;
/// What it costs to begin with the next of them.
const ELSEWHERE: f64 = 2.0;
/// The golden ratio less 1, of 2^64.
const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;
/// Motions that are tried where joins break limits.
const ROUNDS: usize = 3;

/// A second of another action is as bad as joins that break limits by this, in the sizes of the limits.
const OFF_SECOND: f64 = 2.0;

/// Corners of paths are rounded with at least this radius, whatever the actions turn with; metres of a body of 1.75 m.
const LEAST_RADIUS: f64 = 0.3;

/// And at most with this one: those who go straight in all clips are bent around a corner.
const MOST_RADIUS: f64 = 2.0;

/// Frames that follow a start in its clip; seconds.
const START_SECS: f64 = 0.4;

/// One action of an order.
#[derive(Debug, Clone, PartialEq)]
pub struct Ordered {
    /// A name of the command set.
    pub action: String,
    /// For how many seconds it is shown.
    pub secs: f64,
}

/// A motion that was made.
#[derive(Debug, Clone, PartialEq)]
pub struct Performance {
    /// With the contacts of its feet, locked.
    pub clip: Clip,
    /// Every join between pieces of clips.
    pub joins: Vec<PlayedJoin>,
    /// For each frame the frame of the corpus that it follows.
    pub shown: Vec<FrameId>,
    /// How fast toes move that are down.
    pub skate: FootSkate,
    /// Actions that the graph does not lead to: they were joined directly.
    pub unreached: Vec<String>,
    /// What is shown between the actions of an order, because they do not follow each other directly, and for how
    /// many seconds.
    pub detours: Vec<(String, f64)>,
}

/// A motion along a path.
#[derive(Debug, Clone, PartialEq)]
pub struct PathPerformance {
    /// The motion along the path.
    pub motion: Performance,
    /// How far it is from the path.
    pub fit: PathFit,
    /// What the search found: where clips had to be bent, where other actions are shown.
    pub followed: Followed,
    /// By how much steps were made longer.
    pub stretch: f64,
}

/// A motion that was tried.
struct Attempt<'a, T> {
    player: Player<'a>,
    plan: T,
    /// Seconds in which it shows other actions than wanted.
    off: f64,
}

/// What was played piece by piece, so that another motion with the same beginning need not be played from its start.
struct Played<'a> {
    player: Player<'a>,
    /// Each with where the motion was before it.
    pieces: Vec<(Piece, Bookmark)>,
}

impl<'a> Played<'a> {
    fn new(player: Player<'a>) -> Self {
        Self {
            player,
            pieces: Vec::new(),
        }
    }

    /// Plays these pieces instead, the first one from `start`.
    fn changed_to(mut self, pieces: &[Piece], start: Start) -> Result<Self, TextureError> {
        let pairs = self.pieces.iter().zip(pieces);
        let same = pairs.take_while(|(old, new)| old.0 == **new).count();
        if let Some((_, bookmark)) = self.pieces.get(same) {
            self.player.back_to(bookmark);
        }
        self.pieces.truncate(same);
        for piece in &pieces[same..] {
            let is_first = self.pieces.is_empty();
            self.pieces.push((piece.clone(), self.player.bookmark()));
            self.player.play(piece, is_first.then_some(start))?;
        }
        Ok(self)
    }
}

impl Texture {
    /// Performs actions one after the other.
    pub fn perform_order(
        &self,
        order: &[Ordered],
        settings: &PlaySettings,
        ticket: &Ticket,
    ) -> Result<Performance, TextureError> {
        if order.is_empty() {
            return Err(TextureError::NoActions);
        }
        let corpus = self.search();
        let mut parts = Vec::with_capacity(order.len());
        for Ordered { action, secs } in order {
            let command = self.command(action)?;
            parts.push((LabelRoutes::to(&corpus, &command.marks), command, *secs));
            ticket.check()?;
        }
        let Attempt {
            player,
            plan: unreached,
            ..
        } = self.smoothest(|avoid, _| {
            ticket.check()?;
            let (player, plan) = self.play_order(&corpus, &parts, settings, avoid)?;
            let off = 0.0;
            Ok(Attempt { player, plan, off })
        })?;
        let clip = player.to_clip("order of actions")?;
        let mut made = self.finished(&player, &clip, unreached)?;
        let wanted: Vec<usize> = parts.iter().flat_map(|p| p.1.marks.clone()).collect();
        made.detours = self.detours(&made.shown, &wanted);
        Ok(made)
    }

    /// What to play of one action.
    pub(super) fn plan(
        &self,
        action: &str,
        secs: f64,
        seed: u64,
    ) -> Result<Vec<Piece>, TextureError> {
        let corpus = self.search();
        let command = self.command(action)?;
        let parts = [(LabelRoutes::to(&corpus, &command.marks), command, secs)];
        let search = SearchSettings {
            seed,
            ..SearchSettings::default()
        };
        Ok(self.order_pieces(&corpus, &parts, &search)?.0)
    }

    /// Plays actions, one search for as many as can be reached one from the other; and those that could not be.
    fn play_order(
        &self,
        corpus: &SearchCorpus<'_>,
        parts: &[(LabelRoutes, Command, f64)],
        settings: &PlaySettings,
        avoid: &[Rough],
    ) -> Result<(Player<'_>, Vec<String>), TextureError> {
        let mut player = Player::new(self, settings);
        let search = SearchSettings {
            seed: settings.seed,
            avoid: avoid.to_vec(),
            ..SearchSettings::default()
        };
        let mut unreached = Vec::new();
        let mut from = 0;
        while from < parts.len() {
            let (pieces, n_done) = self.order_pieces(corpus, &parts[from..], &search)?;
            if from > 0 {
                unreached.push(parts[from].1.name.clone());
            }
            for piece in &pieces {
                player.play(piece, None)?;
            }
            from += n_done;
        }
        Ok((player, unreached))
    }

    /// How a join comes out is known when it is made. Where some break limits, the search tries other ways, and what
    /// is smoothest is kept; not if it shows more of other actions instead. Each is told what to avoid, and the first
    /// frame of the one before that is rough.
    fn smoothest<'a, T>(
        &'a self,
        mut made: impl FnMut(&[Rough], usize) -> Result<Attempt<'a, T>, TextureError>,
    ) -> Result<Attempt<'a, T>, TextureError> {
        let norms = &self.corpus().norms;
        let mut avoid: Vec<Rough> = Vec::new();
        let mut best: Option<(f64, Attempt<'a, T>)> = None;
        let mut first_rough = 0;
        for _ in 0..ROUNDS {
            let attempt = made(&avoid, first_rough)?;
            let mut joins = attempt.player.joins().iter();
            let rough = joins.find(|join| join.report.excess(norms) > 0.0);
            first_rough = rough.map_or(0, |join| join.at);
            let rough = rough_joins(attempt.player.joins(), norms);
            let excess: f64 = rough.iter().map(|(_, excess)| excess).sum();
            avoid.extend(rough.iter().map(|(rough, _)| *rough));
            let fault = excess + OFF_SECOND * attempt.off;
            if best.as_ref().is_none_or(|(least, _)| fault < *least) {
                best = Some((fault, attempt));
            }
            if excess == 0.0 {
                break;
            }
        }
        Ok(best.expect("there is at least one round").1)
    }

    /// Stretches that show none of some marks.
    fn detours(&self, shown: &[FrameId], wanted: &[usize]) -> Vec<(String, f64)> {
        let corpus = self.search();
        let marks: Vec<usize> = shown.iter().map(|at| corpus.label(*at)).collect();
        let runs = marks.chunk_by(|a, b| a == b);
        let others = runs.filter(|run| !wanted.contains(&run[0]));
        let told = others.map(|run| {
            let secs = run.len() as f64 / self.corpus().fps();
            (self.name_of_mark(run[0]).to_owned(), secs)
        });
        told.collect()
    }

    /// What to play for as many actions as can be reached one from the other, and how many those are.
    fn order_pieces(
        &self,
        corpus: &SearchCorpus<'_>,
        parts: &[(LabelRoutes, Command, f64)],
        search: &SearchSettings,
    ) -> Result<(Vec<Piece>, usize), TextureError> {
        for n_parts in (1..=parts.len()).rev() {
            let wanted = parts[..n_parts].iter();
            let marks: Vec<&[usize]> = wanted.clone().map(|p| &p.1.marks[..]).collect();
            let wanted = wanted.map(|(labels, _, secs)| OrderPart {
                labels: labels.clone(),
                secs: *secs,
            });
            let goal = OrderGoal::new(wanted.collect(), corpus, search.seed);
            let corridor = self.upper().corridor(&marks);
            // What the upper level leaves out is tried where the rest does not lead to the end.
            for corridor in [corridor.as_ref(), None] {
                let corpus = &corpus.within(corridor);
                let starts = self.starts(corpus, &parts[0].1, search.seed);
                let found = search::beam(corpus, &goal, &starts, search);
                if let Some(found) = found.filter(|f| n_parts == 1 || f.is_done) {
                    return Ok((found.pieces, n_parts));
                }
            }
        }
        Err(TextureError::NoStart(parts[0].1.name.clone()))
    }

    /// Where an action may begin. Seeds that follow each other begin far from each other, and together everywhere
    /// alike: multiples of the golden ratio fill an interval evenly, and this one is all frames of the action that
    /// have something to follow. Other places are for seeds whose own leads nowhere.
    fn starts(
        &self,
        corpus: &SearchCorpus<'_>,
        command: &Command,
        seed: u64,
    ) -> Vec<search::Start> {
        let least = self.corpus().frames_in(START_SECS);
        let mut frames: Vec<FrameId> = Vec::new();
        for (clip, track) in corpus.tracks.iter().enumerate() {
            let is_clean = &self.corpus().clips[clip].is_clean;
            let is_own = |at: usize| {
                let here = FrameId { clip, frame: at };
                is_clean[at] && command.marks.contains(&track.labels[at]) && corpus.allows(here)
            };
            let goes_on = |&at: &usize| (at..at + least).all(|f| is_clean[f]) && is_own(at);
            let ready = (0..track.n_frames().saturating_sub(least)).filter(goes_on);
            let ready: Vec<usize> = ready.collect();
            if ready.is_empty() {
                continue;
            }
            // A clip begins as often as it has frames, also those that nothing follows.
            let n = (0..track.n_frames()).filter(|&at| is_own(at)).count();
            let spread = (0..n).map(|nth| ready[nth * ready.len() / n]);
            frames.extend(spread.map(|frame| FrameId { clip, frame }));
        }
        if frames.is_empty() {
            return Vec::new();
        }
        let start = |nth: usize| {
            let share = seed.wrapping_add(nth as u64).wrapping_mul(GOLDEN);
            let at = frames[((u128::from(share) * frames.len() as u128) >> 64) as usize];
            search::Start {
                at,
                turn_rad: 0.0,
                place: corpus.tracks[at.clip].places[at.frame],
                cost: ELSEWHERE * nth as f64,
                may_jump: true,
            }
        };
        (0..STARTS).map(start).collect()
    }

    /// Follows a path in units of the clips. `actions` are allowed where the path does not say; none allows all.
    pub fn perform_path(
        &self,
        path: &FloorPath,
        actions: &[String],
        settings: &PlaySettings,
        ticket: &Ticket,
    ) -> Result<PathPerformance, TextureError> {
        let corpus = self.search();
        let metres = self.corpus().rig.metric.metres;
        let in_metres = path.scaled(metres);
        let usual = self.path_marks(actions)?;
        let mut sections = Vec::new();
        for (arc, action) in in_metres.sections() {
            let labels = match action {
                Some(action) => self.path_marks(std::slice::from_ref(action))?,
                None => usual.clone(),
            };
            sections.push(search::Section {
                arc: arc.clone(),
                labels,
            });
        }
        let marks: Vec<&[usize]> = sections.iter().map(|s| &s.labels[..]).collect();
        let corridor = self.upper().corridor(&marks);
        let corpus = corpus.within(corridor.as_ref());
        let search = SearchSettings {
            seed: settings.seed,
            ..SearchSettings::default()
        };
        let mut following = Following::new(&corpus, &in_metres, &sections, &search);
        let mut played: Option<Played<'_>> = None;
        let Attempt {
            player,
            plan: followed,
            ..
        } = self.smoothest(|avoid, frame| {
            ticket.check()?;
            let followed = following.search(avoid, frame)?;
            let start = self.placed(&followed.start);
            let made = match played.take() {
                Some(before) => before.changed_to(&followed.pieces, start)?,
                None => {
                    Played::new(Player::new(self, settings)).changed_to(&followed.pieces, start)?
                }
            };
            let player = made.player.clone();
            played = Some(made);
            let off = followed.off_label_secs();
            Ok(Attempt {
                player,
                plan: followed,
                off,
            })
        })?;
        ticket.step(0.7)?;
        let heading = &self.corpus().rig.metric.heading;
        let given = player.to_clip("path")?;
        let warped = path::warp(&given, heading, path, &WarpSettings::default())?;
        let mut motion = self.finished(&player, &warped.clip, Vec::new())?;
        motion.shown.truncate(motion.clip.n_frames());
        motion.joins.retain(|join| join.at < motion.clip.n_frames());
        let cycle = &warped.cycle;
        Ok(PathPerformance {
            fit: path::path_fit(&motion.clip, heading, path, cycle, metres),
            stretch: warped.stretch,
            motion,
            followed,
        })
    }

    /// The marks of actions along a path. Turning takes of an action (`walk_turn` of `walk`) count as the action: a
    /// path asks for turns.
    pub fn path_marks(&self, actions: &[String]) -> Result<Vec<usize>, TextureError> {
        let mut marks = Vec::new();
        let commands = self.commands();
        for action in actions {
            marks.extend(self.command(action)?.marks);
            let turning = |c: &&Command| {
                let rest = c.name.strip_prefix(action.as_str());
                rest.is_some_and(|r| r.trim_start_matches(['_', '-', ' ']).starts_with("turn"))
            };
            marks.extend(commands.iter().filter(turning).flat_map(|c| &c.marks));
        }
        Ok(marks)
    }

    /// The radius that corners of a path are rounded to for these actions: what they turn with by themselves, in
    /// units of the clips. None allows all actions.
    pub fn turning_radius(&self, actions: &[String]) -> Result<f64, TextureError> {
        let marks = if actions.is_empty() {
            let commands = self.commands();
            commands.into_iter().flat_map(|c| c.marks).collect()
        } else {
            self.path_marks(actions)?
        };
        let tightest = self.search().tightest_radius(&marks);
        let metres = tightest.unwrap_or(MOST_RADIUS);
        Ok(metres.clamp(LEAST_RADIUS, MOST_RADIUS) / self.corpus().rig.metric.metres)
    }

    /// Where the first frame has to be so that its smoothed root is where the search wants it.
    pub(super) fn placed(&self, start: &search::Start) -> Start {
        let corpus = self.corpus();
        let (up, metres) = (corpus.rig.metric.heading.up, corpus.rig.metric.metres);
        let track = &corpus.clips[start.at.clip].join.track;
        let position = track.positions[start.at.frame];
        let smooth = self.search().tracks[start.at.clip].places[start.at.frame] / metres;
        let sway: Vec2 = on_floor(up, &position) - smooth;
        let place = start.place / metres + turned(&sway, start.turn_rad);
        Start {
            position: in_world(up, &place),
            heading_rad: track.headings[start.at.frame] + start.turn_rad,
        }
    }

    /// Goes where it is steered, thinking over what to do next while it plays.
    pub fn perform_steering(
        &self,
        steering: &[Steer],
        secs: f64,
        settings: &PlaySettings,
        ticket: &Ticket,
    ) -> Result<Performance, TextureError> {
        let mut live = Live::new(self, settings);
        let mut at = 0;
        while (live.player().n_frames() as f64) < secs * self.corpus().fps() {
            let now = live.player().n_frames() as f64 / self.corpus().fps();
            ticket.step(0.9 * now / secs)?;
            while steering.get(at).is_some_and(|s| s.secs <= now + 1e-9) {
                live.steer(&steering[at])?;
                at += 1;
            }
            live.advance()?;
        }
        let player = live.player();
        self.finished(player, &player.to_clip("steered")?, Vec::new())
    }

    /// Locks the feet and measures.
    fn finished(
        &self,
        player: &Player<'_>,
        clip: &Clip,
        unreached: Vec<String>,
    ) -> Result<Performance, TextureError> {
        let clip = path::lock(clip, &LockSettings::default())?.clip;
        Ok(Performance {
            skate: self.skate(&clip),
            clip,
            joins: player.joins().to_vec(),
            shown: player.shown().to_vec(),
            unreached,
            detours: Vec::new(),
        })
    }

    /// How fast toes move that are down, over the floor of the corpus.
    pub fn skate(&self, clip: &Clip) -> FootSkate {
        let metres = self.corpus().rig.metric.metres;
        path::foot_skate(clip, self.toe_floor(), metres)
    }
}
