//! What a rating study shows, in a file of its own; versioned. Its answers are in `project.ron`: they change with every
//! question, the motions never.

use std::path::Path;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::v1;
use crate::document::Stimuli;
use crate::file::inline_clip::{self, InlineClip, SharedClipData};
use crate::file::open::bytes_of;
use crate::file::project::Skeletons;
use crate::file::ron_text::{parse, pretty};
use crate::motion::{Axis, Clip, Skeleton};
use crate::study::session::{Experiment, Plan, Rating, Stimulus};

/// The version that this program writes.
const VERSION: u64 = 1;
/// Places farther away than this, in any unit, are mistakes.
const FAR: f64 = 1e9;

#[derive(Debug, Deserialize)]
#[serde(rename = "Study")]
struct Header {
    #[serde(default)]
    version: u64,
}

#[derive(Debug, Serialize, Deserialize)]
struct Study {
    version: u64,
    title: String,
    /// What is asked: `natural` or `repetitive`.
    experiment: String,
    seed: u64,
    per_rater: usize,
    stimuli: Vec<Shown>,
    /// All skeletons of the motions, each once.
    skeletons: Vec<v1::Skeleton>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Shown {
    /// The blind name under which it is shown.
    id: String,
    condition: String,
    source: String,
    /// Up axis: `Y`, `-Z`.
    up: String,
    clip: InlineClip,
}

pub(super) fn write(stimuli: &Stimuli) -> Result<String, ron::Error> {
    let plan = &stimuli.plan;
    let mut skeletons = Skeletons::default();
    let both = plan.stimuli().iter().zip(&stimuli.clips);
    let shown = both.map(|(stimulus, clip)| Shown {
        id: stimulus.id.clone(),
        condition: stimulus.condition.clone(),
        source: stimulus.source.clone(),
        up: clip.info.up.to_string(),
        clip: inline_clip::to(clip, &mut skeletons),
    });
    let shown = shown.collect();
    pretty(
        &Study {
            version: VERSION,
            title: plan.title().to_owned(),
            experiment: plan.experiment().id().to_owned(),
            seed: plan.seed(),
            per_rater: plan.per_rater(),
            stimuli: shown,
            skeletons: skeletons.list,
        },
        3,
    )
}

/// What the study of a file shows.
pub(super) fn read(path: &Path) -> Result<Stimuli, String> {
    let bytes = bytes_of(path).map_err(|e| e.to_string())?;
    let Header { version } = parse(&bytes).map_err(|e| e.to_string())?;
    if version > VERSION {
        return Err(format!(
            "it was saved by a newer Kinfolk (format {version}; this one knows up to {VERSION})"
        ));
    }
    let mirror: Study = parse(&bytes).map_err(|e| e.to_string())?;
    let experiment = Experiment::by_id(&mirror.experiment).ok_or_else(|| {
        let found = &mirror.experiment;
        format!("expected natural or repetitive, found \"{found}\"")
    })?;
    let skeletons = inline_clip::skeletons_from(&mirror.skeletons);
    let skeletons = skeletons.map_err(|(part, what)| format!("{part}: {what}"))?;
    let mut named: Vec<Stimulus> = Vec::with_capacity(mirror.stimuli.len());
    let mut clips = Vec::with_capacity(mirror.stimuli.len());
    for shown in mirror.stimuli {
        if named.iter().any(|other| other.id == shown.id) {
            return Err(format!("{} stands for two motions", shown.id));
        }
        let clip = clip_from(shown.clip, &shown.up, &skeletons);
        clips.push(Arc::new(
            clip.map_err(|why| format!("{}: {why}", shown.id))?,
        ));
        named.push(Stimulus {
            id: shown.id,
            condition: shown.condition,
            source: shown.source,
        });
    }
    let (title, seed) = (&mirror.title, mirror.seed);
    let plan = Plan::from_parts(title, experiment, seed, mirror.per_rater, named);
    Ok(Stimuli {
        plan: Arc::new(plan.map_err(|e| e.to_string())?),
        clips,
    })
}

fn clip_from(clip: InlineClip, up: &str, skeletons: &[Arc<Skeleton>]) -> Result<Clip, String> {
    let up = up.parse::<Axis>().map_err(|e| e.to_string())?;
    let own = skeletons.get(clip.skeleton);
    let skeleton = own.ok_or_else(|| format!("there is no skeleton {}", clip.skeleton))?;
    if !(clip.frame_secs.is_finite() && clip.frame_secs > 0.0) {
        return Err(format!("a frame cannot take {} s", clip.frame_secs));
    }
    // Motions of a study need not have anything in common: each is held to itself.
    let common = SharedClipData {
        whole: "study",
        skeleton,
        up,
        fps: crate::motion::fps_of(clip.frame_secs),
        far: FAR,
    };
    inline_clip::from(clip, skeletons, &common)
}

/// Answers as `project.ron` has them.
pub(super) fn ratings_to(ratings: &[Rating]) -> Vec<v1::Rating> {
    let one = |rating: &Rating| v1::Rating {
        rater: rating.rater.clone(),
        trial: rating.trial,
        stimulus: rating.stimulus.clone(),
        score: rating.score,
        seconds: rating.seconds,
    };
    ratings.iter().map(one).collect()
}

/// The answers to a study, and how many were left out because they are about something else.
pub(super) fn ratings_from(mirrors: Vec<v1::Rating>, plan: &Plan) -> (Vec<Rating>, usize) {
    use crate::study::session::{HIGHEST, LOWEST};
    let n = mirrors.len();
    let ratings = mirrors.into_iter().filter_map(|mirror| {
        let shown = plan.stimuli().iter().find(|s| s.id == mirror.stimulus)?;
        let is_score = (LOWEST..=HIGHEST).contains(&mirror.score);
        (is_score && mirror.seconds.is_finite()).then(|| Rating {
            study: plan.title().to_owned(),
            experiment: plan.experiment(),
            rater: mirror.rater,
            trial: mirror.trial,
            stimulus: mirror.stimulus,
            condition: shown.condition.clone(),
            score: mirror.score,
            seconds: mirror.seconds,
        })
    });
    let ratings: Vec<Rating> = ratings.collect();
    let n_left_out = n - ratings.len();
    (ratings, n_left_out)
}
