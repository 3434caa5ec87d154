//! Makes the frames: pieces of clips in a row, from the systems or as they were recorded.
//!
//! Along a piece the deviation D runs by the system of each frame's section, and the motion is `M + D`
//! ([`super::system`]). The deviation goes on across joins: it belongs to the one who moves, not to the take. Pieces
//! that do not follow each other in a clip are joined by [`crate::motion::join`], in the way that measures best, from
//! the displayed pose and velocity, so that a player can be steered while it plays.

use std::ops::Range;
use std::sync::Arc;

use nalgebra::DVector;
use rayon::prelude::*;

use super::corpus::{Corpus, SMOOTH_SECS};
use super::error::TextureError;
use super::graph::{FrameId, Piece};
use super::model::Texture;
use super::system::Deviation;
use crate::motion::chart::Start;
use crate::motion::contacts::spans;
use crate::motion::join::report::JoinReport;
use crate::motion::join::{JoinClip, JoinKind, JoinSettings, JoinShape, Match, Strip, feet};
use crate::motion::limb::ReachPolicy;
use crate::motion::{Clip, ClipInfo, Curves, stance};
use crate::numerics::random::Stream;

/// Lengths of joins that are tried; seconds.
const JOIN_SECS: [f64; 2] = [0.2, 0.4];
/// How much earlier on both sides a join is tried, where it breaks limits otherwise; seconds.
const EARLIER_SECS: [f64; 4] = [0.0, 0.1, 0.2, 0.3];
/// A join that is tried is looked at for this time after its frames.
const LOOK_SECS: f64 = 0.5;
/// Among joins within the limits the smoother one is taken: jerk at the clips' limit counts like so much beyond a
/// limit.
const JERK: f64 = 0.05;
/// Frames of a clip before the first that is shown: joins read the velocity off them.
const LEAD: usize = 2;

/// Where frames come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Source {
    /// From the systems: the path of a section and a drawn deviation.
    #[default]
    Systems,
    /// The clips' own frames.
    Replay,
}

/// How frames are made.
#[derive(Debug, Clone, PartialEq)]
pub struct PlaySettings {
    /// Where they come from.
    pub source: Source,
    /// How large deviations are: 1 as takes differ from each other.
    pub amount: f64,
    /// Names the random stream.
    pub seed: u64,
    /// Whether frames that were played are shown already, and cannot change any more.
    pub is_live: bool,
}

impl Default for PlaySettings {
    fn default() -> Self {
        Self {
            source: Source::Systems,
            amount: 1.0,
            seed: 1,
            is_live: false,
        }
    }
}

/// One join of a played motion.
#[derive(Debug, Clone, PartialEq)]
pub struct PlayedJoin {
    /// The first frame that is not the source's.
    pub at: usize,
    /// How many frames are blended.
    pub frames: usize,
    /// The frame that was left.
    pub from: FrameId,
    /// The frame that was entered.
    pub to: FrameId,
    /// How poses are blended.
    pub kind: JoinKind,
    /// Whether both sides are further apart than transitions are otherwise: nothing nearer leads there.
    pub is_fallback: bool,
    /// How the join compares with what the clips do.
    pub report: JoinReport,
}

/// Where a motion was, to go back to.
#[derive(Debug, Clone)]
pub struct Bookmark {
    n_frames: usize,
    /// The last frames, which a join may take back.
    tail: Option<Strip>,
    tail_shown: Vec<FrameId>,
    n_deviations: usize,
    n_joins: usize,
    stream: Stream,
    drawn: Option<Deviation>,
    smooth: [DVector<f64>; 2],
    spread: [f64; 2],
    steps: stance::Steps,
}

/// A motion that is being played.
#[derive(Debug, Clone)]
pub struct Player<'a> {
    texture: &'a Texture,
    settings: PlaySettings,
    strip: Option<Strip>,
    stream: Stream,
    /// D as it was drawn last.
    drawn: Option<Deviation>,
    /// After one and after two filters: systems know states only smoothed, so what is faster is not theirs to draw.
    smooth: [DVector<f64>; 2],
    /// How large deviations of the label are, smoothed in the same way.
    spread: [f64; 2],
    /// D of every frame so far, smooth and as large as its label asks for.
    deviations: Vec<DVector<f64>>,
    shown: Vec<FrameId>,
    joins: Vec<PlayedJoin>,
    /// Of the clip that is played now.
    steps: stance::Steps,
}

impl<'a> Player<'a> {
    /// Nothing is played yet.
    pub fn new(texture: &'a Texture, settings: &PlaySettings) -> Self {
        Self {
            stream: Stream::named(settings.seed, &[]),
            settings: settings.clone(),
            strip: None,
            drawn: None,
            smooth: [const { Vec::new() }; 2].map(DVector::from_vec),
            spread: [1.0; 2],
            deviations: Vec::new(),
            shown: Vec::new(),
            joins: Vec::new(),
            steps: stance::Steps::new(),
            texture,
        }
    }

    /// How many frames were played so far.
    pub fn n_frames(&self) -> usize {
        self.shown.len()
    }

    /// For each frame the frame of the corpus that it follows.
    pub fn shown(&self) -> &[FrameId] {
        &self.shown
    }

    /// All joins so far.
    pub fn joins(&self) -> &[PlayedJoin] {
        &self.joins
    }

    /// The motion so far.
    pub fn strip(&self) -> Option<&Strip> {
        self.strip.as_ref()
    }

    /// Where the motion is now.
    pub fn bookmark(&self) -> Bookmark {
        // A join also puts the feet of the frame before it to the bit where they were held.
        let may_change = 1 + if self.settings.is_live {
            0
        } else {
            self.most_earlier()
        };
        let from = self.n_frames().saturating_sub(may_change);
        Bookmark {
            n_frames: self.n_frames(),
            tail: self.strip.as_ref().map(|strip| strip.tail(from)),
            tail_shown: self.shown[from..].to_vec(),
            n_deviations: self.deviations.len(),
            n_joins: self.joins.len(),
            stream: self.stream.clone(),
            drawn: self.drawn.clone(),
            smooth: self.smooth.clone(),
            spread: self.spread,
            steps: self.steps.clone(),
        }
    }

    /// Forgets what was played since.
    pub fn back_to(&mut self, bookmark: &Bookmark) {
        let from = bookmark.n_frames - bookmark.tail_shown.len();
        match (&mut self.strip, &bookmark.tail) {
            (Some(strip), Some(tail)) => strip.splice(from, tail),
            (strip, _) => *strip = None,
        }
        self.shown.truncate(from);
        self.shown.extend_from_slice(&bookmark.tail_shown);
        self.deviations.truncate(bookmark.n_deviations);
        self.joins.truncate(bookmark.n_joins);
        self.stream = bookmark.stream.clone();
        self.drawn.clone_from(&bookmark.drawn);
        self.smooth.clone_from(&bookmark.smooth);
        self.spread = bookmark.spread;
        self.steps.clone_from(&bookmark.steps);
    }

    /// The joins that were made since.
    pub fn joins_since(&self, bookmark: &Bookmark) -> &[PlayedJoin] {
        &self.joins[bookmark.n_joins..]
    }

    /// Whether a piece goes on in the clip where the motion is.
    pub fn is_followed_by(&self, piece: &Piece) -> bool {
        let last = self.shown.last();
        last.is_some_and(|last| last.clip == piece.clip && last.frame + 1 == piece.frames.start)
    }

    /// Goes on with a piece. The first one begins where `start` says; the others go on from where the body is.
    ///
    /// # Panics
    /// If the piece is empty or outside its clip.
    pub fn play(&mut self, piece: &Piece, start: Option<Start>) -> Result<(), TextureError> {
        let first = self.n_frames();
        let follows = self.is_followed_by(piece);
        if !follows {
            self.steps.clear();
        }
        self.deviate(piece);
        let lead = if follows || self.strip.is_none() {
            LEAD
        } else {
            LEAD + self.most_earlier()
        };
        let lead = lead.min(piece.frames.start);
        let made = self.made(piece, lead, first, start)?;
        let own = lead..lead + piece.frames.len();
        let rig = &self.texture.corpus().rig;
        let earlier = match &mut self.strip {
            None => {
                self.strip = Some(Strip::of(rig, &made, own));
                0
            }
            Some(strip) if follows => {
                strip.extend(&made, own);
                0
            }
            Some(_) => self.join(piece, &made, &own)?,
        };
        self.shown.truncate(first - earlier);
        let frames = piece.frames.start - earlier..piece.frames.end;
        self.shown.extend(frames.map(|frame| FrameId {
            clip: piece.clip,
            frame,
        }));
        Ok(())
    }

    /// Frames that a join may take back.
    fn most_earlier(&self) -> usize {
        let secs = EARLIER_SECS[EARLIER_SECS.len() - 1];
        self.texture.corpus().frames_in(secs)
    }

    /// Draws the deviations of a piece.
    fn deviate(&mut self, piece: &Piece) {
        let corpus = self.texture.corpus();
        let amount = match self.settings.source {
            Source::Systems => self.settings.amount,
            Source::Replay => 0.0,
        };
        let spread = self.texture.spreads()[corpus.clips[piece.clip].label];
        for frame in piece.frames.clone() {
            if amount == 0.0 {
                self.deviations.push(DVector::zeros(corpus.n_dims()));
                continue;
            }
            let system = self.texture.system_at(FrameId {
                clip: piece.clip,
                frame,
            });
            let deviation = self.drawn.get_or_insert_with(|| {
                let drawn = system.draw(amount, &mut self.stream);
                self.smooth = [drawn.last.clone(), drawn.last.clone()];
                self.spread = [spread; 2];
                drawn
            });
            system.advance_drawing(deviation, amount, &mut self.stream);
            let share = 1.0 - (-1.0 / (SMOOTH_SECS * corpus.fps())).exp();
            let [first, second] = &mut self.smooth;
            *first += (&deviation.last - &*first) * share;
            *second += (&*first - &*second) * share;
            let [wide, wider] = &mut self.spread;
            *wide += (spread - *wide) * share;
            *wider += (*wide - *wider) * share;
            self.deviations.push(&*second * *wider);
        }
    }

    /// The frames of a piece as a clip, with some before it.
    fn made(
        &mut self,
        piece: &Piece,
        lead: usize,
        first: usize,
        start: Option<Start>,
    ) -> Result<JoinClip, TextureError> {
        let corpus = self.texture.corpus();
        let source = &corpus.clips[piece.clip];
        let frames = piece.frames.start - lead..piece.frames.end;
        let mut values = Vec::with_capacity(frames.len() * corpus.chart.n_dofs());
        for (at, frame) in frames.clone().enumerate() {
            let mut row = source.curves.row(frame).to_vec();
            let moment = (first + at).saturating_sub(lead);
            let deviation = &self.deviations[moment];
            let (latent, chart) = (&corpus.latent, &corpus.chart);
            latent.add_within(chart, deviation, &corpus.ranges[source.label], &mut row);
            values.extend(row);
        }
        let start = start.unwrap_or_else(|| self.start_of(piece, frames.start));
        let size = (frames.len(), corpus.chart.n_dofs());
        let curves = Curves::new(start, 1.0 / corpus.fps(), size, values)?;
        let clip = corpus
            .chart
            .clip(&curves, ClipInfo::named("piece of a texture"))?;
        let contacts = spans::cut(source.join.clip.contacts(), &frames);
        let clip = clip.with_contacts(contacts)?;
        let clip = match self.settings.source {
            Source::Systems => {
                let heading = &corpus.rig.metric.heading;
                let captured = &source.join.clip;
                let limbs = corpus.rig.limb_settings(ReachPolicy::RootFollows);
                let from = frames.start;
                stance::keep_stance(&clip, captured, from, heading, &limbs, &mut self.steps)?
            }
            Source::Replay => clip,
        };
        Ok(JoinClip::new(&corpus.rig, &Arc::new(clip))?)
    }

    /// Where the clip itself is at a frame.
    fn start_of(&self, piece: &Piece, frame: usize) -> Start {
        let track = &self.texture.corpus().clips[piece.clip].join.track;
        Start {
            position: track.positions[frame],
            heading_rad: track.headings[frame],
        }
    }

    /// Goes over into another piece in the way that measures best. Where no way keeps to the limits, and frames that
    /// were played may still change, the join is tried some frames earlier on both sides: what is alike now was alike
    /// then.
    fn join(
        &mut self,
        piece: &Piece,
        made: &JoinClip,
        own: &Range<usize>,
    ) -> Result<usize, TextureError> {
        let Some(strip) = &mut self.strip else {
            return Ok(0);
        };
        let corpus = self.texture.corpus();
        let leave = strip.n_frames() - 1;
        let last = self.joins.last().map_or(0, |j| j.at + j.frames);
        let most = if self.settings.is_live {
            0
        } else {
            let own_start = own.start.saturating_sub(LEAD);
            own_start.min(leave.saturating_sub(last))
        };
        let mut best: Option<(f64, usize, JoinSettings)> = None;
        for earlier in EARLIER_SECS.map(|secs| (secs * corpus.fps()).round() as usize) {
            if earlier > most {
                break;
            }
            let (cut, own) = (leave - earlier, own.start - earlier..own.end);
            let made_of = |way: &JoinSettings| tried(corpus, strip, cut, made, own.clone(), way);
            let ways = ways(corpus);
            let reports: Result<Vec<JoinReport>, _> = ways.par_iter().map(made_of).collect();
            for (settings, report) in ways.into_iter().zip(reports?) {
                let cost = report.excess(&corpus.norms) + JERK * report.jerk_ratio;
                if best.is_none_or(|(least, ..)| cost < least) {
                    best = Some((cost, earlier, settings));
                }
            }
            if best.is_some_and(|(cost, ..)| cost <= JERK) {
                break;
            }
        }
        let Some((_, earlier, settings)) = best else {
            return Ok(0);
        };
        let is_fallback = self.texture.is_fallback(self.shown[leave], piece.first());
        let leave = leave - earlier;
        let joined = strip.join(leave, made, own.start - earlier..own.end, &settings);
        let report = feet::lock(strip, &joined, &corpus.norms)?;
        let to = FrameId {
            clip: piece.clip,
            frame: piece.frames.start - earlier,
        };
        let from = self.shown[leave];
        self.joins.push(PlayedJoin {
            at: joined.at,
            frames: joined.frames,
            from,
            to,
            kind: settings.kind,
            is_fallback,
            report,
        });
        Ok(earlier)
    }

    /// The motion so far as a clip.
    pub fn to_clip(&self, name: &str) -> Result<Clip, TextureError> {
        let strip = self.strip.as_ref().ok_or(TextureError::NothingPlayed)?;
        Ok(strip.to_clip(name)?)
    }
}

/// The joins that are tried.
fn ways(corpus: &Corpus) -> Vec<JoinSettings> {
    let kinds = [JoinKind::Dead, JoinKind::Quintic];
    let each = kinds.into_iter().flat_map(|kind| {
        JOIN_SECS.map(|secs| JoinSettings {
            kind,
            frames: corpus.frames_in(secs),
            matching: Match::Auto,
            shape: JoinShape::default(),
        })
    });
    each.collect()
}

/// What a join would measure.
fn tried(
    corpus: &Corpus,
    strip: &Strip,
    leave: usize,
    made: &JoinClip,
    frames: Range<usize>,
    settings: &JoinSettings,
) -> Result<JoinReport, TextureError> {
    let look = corpus.frames_in(LOOK_SECS);
    let from = leave.saturating_sub(look);
    let mut tail = strip.tail(from);
    let end = frames.end.min(frames.start + settings.frames + look);
    let joined = tail.join(leave - from, made, frames.start..end, settings);
    Ok(feet::lock(&mut tail, &joined, &corpus.norms)?)
}
