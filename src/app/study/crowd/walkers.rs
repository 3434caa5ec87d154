//! Who walks in a crowd, where, and with which clips.

use std::sync::Arc;

use crate::app::render::Mannequin;
use crate::app::render::arrange::{self, GridOffset};
use crate::app::study::sets::Member;
use crate::jobs::Ticket;
use crate::motion::edit::{self, InPlace, Placement};
use crate::motion::{Axis, Clip, HeadingFrame, Skeleton};
use crate::study::clones::{CloneError, ClonePair, CloneSettings, Span, find};
use crate::study::crowd::{Casting, Playlist, playlists};

/// A motion that turns by more than this is kept from turning: its next one would begin another way round.
pub(super) const MOST_TURN_RAD: f64 = 0.5;

/// A motion of the crowd, brought into place.
#[derive(Debug)]
pub struct CrowdClip {
    /// As its clip is called.
    pub name: String,
    pub(super) clip: Clip,
    pub(super) mannequin: Arc<Mannequin>,
    /// Brings it to the size of the others.
    pub(super) scale: f64,
    /// From the floor it stands on to that of the first.
    pub(super) lift: f64,
    /// Motions of one number are the same to the eye.
    pub same_as: usize,
}

/// One character of the crowd.
#[derive(Debug)]
pub struct Walker {
    /// The clips that this character plays, one after the other.
    pub playlist: Playlist,
    /// Whether it plays the inputs again and again.
    pub casting: Casting,
    pub(super) step: GridOffset,
}

/// Everybody, ready to play.
#[derive(Debug)]
pub struct Crowd {
    /// Every motion once; those of variants first.
    pub clips: Vec<CrowdClip>,
    /// Those who play variants first.
    pub walkers: Vec<Walker>,
    pub(super) up: Axis,
    pub(super) floor: f64,
    pub(super) height: f64,
}

impl Crowd {
    /// What each character plays at a moment.
    pub fn clips_at(&self, secs: f64) -> Vec<usize> {
        let walkers = self.walkers.iter();
        walkers.map(|w| w.playlist.clip_at(secs)).collect()
    }

    /// The same, with clones of each other as one.
    pub fn motions_at(&self, secs: f64) -> Vec<usize> {
        let clips = self.clips_at(secs);
        clips.iter().map(|&clip| self.clips[clip].same_as).collect()
    }

    pub(super) fn gather(order: Order, ticket: &Ticket) -> anyhow::Result<Self> {
        let Order {
            varied,
            cycled,
            count,
            seed,
        } = order;
        let n_cycled = if cycled.is_empty() { 0 } else { count / 2 };
        let n_varied = count - n_cycled;
        let all: Vec<&Member> = varied.iter().chain(&cycled).collect();
        anyhow::ensure!(!varied.is_empty(), "the set has no motions");
        let mut bodies = Bodies::new();
        let up = all[0].clip.info.up;
        let mut clips: Vec<CrowdClip> = Vec::with_capacity(all.len());
        for (at, member) in all.iter().enumerate() {
            ticket.step(0.7 * at as f64 / all.len() as f64)?;
            clips.push(in_place(&member.clip, up, &mut bodies)?);
        }
        let first = (clips[0].mannequin.height(), clips[0].lift);
        for clip in &mut clips {
            clip.scale = in_size_of(first.0, clip.mannequin.height());
            clip.lift = first.1 - clip.scale * clip.lift;
        }
        mark_clones(&mut clips, ticket)?;
        let secs: Vec<f64> = clips.iter().map(|clip| clip.clip.seconds()).collect();
        let (own, again) = secs.split_at(varied.len());
        let varied_lists = playlists(Casting::Varied, own, n_varied, seed);
        let cycled_lists = playlists(Casting::Cycled, again, n_cycled, seed);
        let steps = places(n_varied, n_cycled);
        let casts = varied_lists.into_iter().map(|list| (list, Casting::Varied));
        let again = cycled_lists.into_iter();
        let again = again.map(|list| (list.numbered_from(varied.len()), Casting::Cycled));
        let casts = casts.chain(again);
        let walkers = casts.zip(steps).map(|((playlist, casting), step)| Walker {
            playlist,
            casting,
            step,
        });
        Ok(Self {
            walkers: walkers.collect(),
            clips,
            up,
            floor: first.1,
            height: first.0,
        })
    }
}

/// Two blocks side by side with an aisle between them, or one.
pub(super) fn places(n_varied: usize, n_cycled: usize) -> Vec<GridOffset> {
    const AISLE: f64 = 2.0;
    if n_cycled == 0 {
        return arrange::grid(n_varied);
    }
    let block = |n: usize, side: f64| {
        // Deeper than wide: both together are about as wide as deep.
        let in_row = (0.75 * (n as f64).sqrt()).ceil() as usize;
        let aside = side * 0.5 * (in_row as f64 + AISLE);
        arrange::rows(n, in_row)
            .into_iter()
            .map(move |step| GridOffset {
                right: step.right + aside,
                ..step
            })
    };
    block(n_varied, 1.0).chain(block(n_cycled, -1.0)).collect()
}

/// How much larger a body has to be; bodies of about the same size stay as they are.
fn in_size_of(first: f64, own: f64) -> f64 {
    const OTHER_UNIT: f64 = 2.0;
    let ratio = first / own;
    let is_other = ratio.is_finite() && !(1.0 / OTHER_UNIT..=OTHER_UNIT).contains(&ratio);
    if is_other { ratio } else { 1.0 }
}

type Bodies = Vec<(Arc<Skeleton>, Arc<Mannequin>)>;

/// A motion on one spot, facing forward; `lift` is where its floor is.
fn in_place(clip: &Clip, up: Axis, bodies: &mut Bodies) -> anyhow::Result<CrowdClip> {
    let turned = edit::set_up(clip, up)?;
    let heading = HeadingFrame::learn(&[&turned]).track(&turned).headings;
    let turn = heading
        .last()
        .zip(heading.first())
        .map_or(0.0, |(b, a)| b - a);
    let what = if turn.abs() > MOST_TURN_RAD {
        InPlace::TravelAndHeading
    } else {
        InPlace::Travel
    };
    let aligned = edit::align(&turned, &Placement::at_origin(0))?;
    let (placed, _) = edit::root_in_place(&aligned, what)?;
    let skeleton = placed.skeleton();
    let known = bodies.iter().find(|(known, _)| known == skeleton);
    let mannequin = if let Some((_, body)) = known {
        Arc::clone(body)
    } else {
        let body = Arc::new(Mannequin::of_crowd(&placed));
        bodies.push((Arc::clone(skeleton), Arc::clone(&body)));
        body
    };
    Ok(CrowdClip {
        name: clip.info.name.clone(),
        lift: edit::find_floor(&turned).height,
        clip: placed,
        mannequin,
        scale: 1.0,
        same_as: 0,
    })
}

/// Motions that come again under another name are one motion to the eye. Bodies that cannot be compared are all
/// different.
fn mark_clones(clips: &mut [CrowdClip], ticket: &Ticket) -> anyhow::Result<()> {
    for (at, clip) in clips.iter_mut().enumerate() {
        clip.same_as = at;
    }
    let refs: Vec<&Clip> = clips.iter().map(|clip| &clip.clip).collect();
    let found = match find(&refs, CloneSettings::default(), ticket) {
        Ok(found) => found.clones,
        Err(CloneError::Cancelled(stop)) => return Err(stop.into()),
        Err(_) => Vec::new(),
    };
    // A second that two long motions share does not make them one.
    let is_half = |span: &Span| 2 * span.frames.len() >= refs[span.clip].n_frames();
    let found: Vec<ClonePair> = found
        .into_iter()
        .filter(|pair| is_half(&pair.first) || is_half(&pair.second))
        .collect();
    for pair in found {
        let (a, b) = (
            clips[pair.first.clip].same_as,
            clips[pair.second.clip].same_as,
        );
        let (low, high) = (a.min(b), a.max(b));
        for clip in clips.iter_mut().filter(|clip| clip.same_as == high) {
            clip.same_as = low;
        }
    }
    Ok(())
}

/// What a crowd is made of.
pub(super) struct Order {
    pub(super) varied: Vec<Member>,
    pub(super) cycled: Vec<Member>,
    pub(super) count: usize,
    pub(super) seed: u64,
}
