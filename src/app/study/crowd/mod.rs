//! The crowd preview: up to five hundred characters on the floor, each on its spot, playing a set of motions.
//!
//! Motions are brought into place once, in the background; a frame then costs one pose for each character. All
//! characters of a skeleton share one body, so the graphics card draws them at once. The crowd has a clock of its own:
//! where the playhead goes round, the crowd goes on.

mod scene;
pub(in crate::app) mod ui;
pub(in crate::app) mod view_ui;

use std::sync::Arc;

use crate::app::render::Mannequin;
use crate::app::render::arrange::{self, Step};
use crate::app::shell::context::{Timebase, UiContext};
use crate::app::shell::jobs::{DeliveryTo, Shown};
use crate::app::shell::preferences::Workspace;
use crate::app::shell::session::Framing;
use crate::app::study::sets::Member;
use crate::app::study::state::StudyWorkspace;
use crate::jobs::Ticket;
use crate::motion::edit::{self, InPlace, Placement};
use crate::motion::{Axis, Clip, HeadingFrame, Skeleton};
use crate::study::clones::{CloneError, ClonePair, CloneSettings, Span, find};
use crate::study::crowd::{Casting, FEWEST, Playlist, playlists};
use crate::study::measures::Role;

/// The job, as the status bar names it.
pub const GATHER: &str = "gather a crowd";
/// How long the timeline is while a crowd plays; the crowd itself goes on.
const ROUND: Timebase = Timebase {
    secs: 20.0,
    fps: 30.0,
};
/// A motion that turns by more than this is kept from turning: its next one would begin another way round.
const MOST_TURN_RAD: f64 = 0.5;

/// What the panel remembers.
#[derive(Debug)]
pub struct CrowdView {
    /// How many characters.
    pub count: usize,
    /// Names the random numbers: who plays what, from where on.
    pub seed: u64,
    /// The name of the set that plays; none is every judged set.
    pub set: Option<String>,
    /// Half of them play the inputs again and again.
    pub has_cycles: bool,
    /// Who plays what another one plays is lit.
    pub lights_repeated: bool,
    /// Whether the 3D view shows it.
    pub is_shown: bool,
    /// The crowd that stands there.
    pub crowd: Option<Arc<Crowd>>,
    /// The motion that was clicked: all who play it are lit.
    pub picked: Option<usize>,
    /// How long the crowd has played.
    pub secs: f64,
    playhead_secs: f64,
}

impl Default for CrowdView {
    fn default() -> Self {
        Self {
            count: 100,
            seed: 1,
            set: None,
            has_cycles: true,
            lights_repeated: false,
            is_shown: false,
            crowd: None,
            picked: None,
            secs: 0.0,
            playhead_secs: 0.0,
        }
    }
}

/// A motion of the crowd, brought into place.
#[derive(Debug)]
pub struct CrowdClip {
    /// As its clip is called.
    pub name: String,
    clip: Clip,
    mannequin: Arc<Mannequin>,
    /// Brings it to the size of the others.
    scale: f64,
    /// From the floor it stands on to that of the first.
    lift: f64,
    /// Motions of one number are the same to the eye.
    pub same_as: usize,
}

/// One character.
#[derive(Debug)]
pub struct Walker {
    /// What it plays.
    pub playlist: Playlist,
    /// Whether it plays the inputs again and again.
    pub casting: Casting,
    step: Step,
}

/// Everybody, ready to play.
#[derive(Debug)]
pub struct Crowd {
    /// Every motion once; those of variants first.
    pub clips: Vec<CrowdClip>,
    /// Those who play variants first.
    pub walkers: Vec<Walker>,
    up: Axis,
    floor: f64,
    height: f64,
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

    fn gather(order: Order, ticket: &Ticket) -> anyhow::Result<Self> {
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
fn places(n_varied: usize, n_cycled: usize) -> Vec<Step> {
    const AISLE: f64 = 2.0;
    if n_cycled == 0 {
        return arrange::grid(n_varied);
    }
    let block = |n: usize, side: f64| {
        // Deeper than wide: both together are about as wide as deep.
        let in_row = (0.75 * (n as f64).sqrt()).ceil() as usize;
        let aside = side * 0.5 * (in_row as f64 + AISLE);
        arrange::rows(n, in_row).into_iter().map(move |step| Step {
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
struct Order {
    varied: Vec<Member>,
    cycled: Vec<Member>,
    count: usize,
    seed: u64,
}

impl StudyWorkspace {
    /// Gathers a crowd in the background and shows it.
    pub fn gather_crowd(&mut self, cx: &mut UiContext) {
        let document = cx.document();
        let view = &self.crowd;
        let chosen = self.sets.sets.iter().filter(|set| match &view.set {
            Some(name) => set.name == *name,
            None => set.role == Role::Asked,
        });
        let varied = chosen.flat_map(|set| set.members(document)).collect();
        let cycled = if view.has_cycles {
            self.sets.members_of(document, Role::Inputs)
        } else {
            Vec::new()
        };
        let order = Order {
            varied,
            cycled,
            count: view.count.max(FEWEST),
            seed: view.seed,
        };
        self.inbox.start(cx, GATHER, Shown::InBar, move |ticket| {
            let crowd = Crowd::gather(order, ticket)?;
            let delivery: DeliveryTo<Self> = Box::new(move |study, shell| {
                study.crowd.crowd = Some(Arc::new(crowd));
                study.crowd.picked = None;
                study.crowd.is_shown = true;
                study.looked_at = None;
                shell.session.range_secs = None;
                shell.session.span = None;
                shell.session.is_playing = true;
                shell.session.camera = None;
                shell.session.framing = Some(Framing::All);
            });
            Ok(delivery)
        });
    }

    /// Whether the 3D view shows the crowd.
    pub(in crate::app) fn shows_crowd(&self, cx: &UiContext) -> bool {
        cx.preferences.workspace == Workspace::Study
            && self.crowd.is_shown
            && self.crowd.crowd.is_some()
    }

    /// While a crowd is shown the playhead goes round by itself.
    pub(in crate::app) fn timebase(&self, cx: &UiContext) -> Option<Timebase> {
        self.shows_crowd(cx).then_some(ROUND)
    }

    /// Once per frame: the crowd goes on by as much as the playhead went.
    pub(in crate::app::study) fn turn_crowd(&mut self, cx: &UiContext) {
        let (was, now) = (self.crowd.playhead_secs, cx.session.playhead_secs);
        self.crowd.playhead_secs = now;
        if !self.shows_crowd(cx) {
            return;
        }
        let gone = now - was;
        // Where it went round, the crowd does not.
        let is_round = cx.session.is_playing && gone < 0.0;
        self.crowd.secs += if is_round { gone + ROUND.secs } else { gone };
    }
}
