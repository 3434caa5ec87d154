//! Options of kinfolk sequence.

use std::path::PathBuf;
use std::str::FromStr;

use super::made::Target;
use crate::cli::positive;

/// Plays clips in an order, with transitions between them
#[derive(Debug, clap::Args)]
#[command(after_long_help = "\
Of each join --json tells: from, to; kind (dead, quintic or fade: joined at once; path: along clusters of the graph; bezier: \
interpolated); at, the first frame that is not the source's; frames, how many are blended, interpolated or of clips in between; \
enter, the frame of the clip it begins with; cost, the distance of the poses that meet, or the cost of the path; pose_jump, the \
largest step between two frames where the sides meet, degrees; velocity_jump, the largest change of velocity there, degrees per second; jerk_ratio and \
space_jerk_ratio, the largest jerk of joints and of head, hands, feet and pelvis in space, over the 99th percentile of the \
clips; overshoot_deg, how far a joint leaves the range of the clips, degrees; foot_slide, mean speed of feet on the floor, metres per \
second of a body of 1.75 m; posture, mean distance from the nearest poses of the clips, radians; path, the clusters.")]
pub(in crate::cli) struct Args {
    /// The graph file, from `kinfolk graph`
    #[arg(value_name = "GRAPH.ron")]
    pub(super) graph: PathBuf,
    /// What is played, in this order: names of clips in the graph, files, or folders; the same may stand several times
    #[arg(required = true, value_name = "CLIP")]
    pub(super) clips: Vec<PathBuf>,
    /// The motion, at the frame rate of the graph
    #[arg(long, value_name = "OUT.bvh")]
    pub(super) out: PathBuf,
    /// Plays the whole sequence this many times
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub(super) repeat: u16,
    /// Leaves clip I, counted from 0 in all that is played, after its frame F at the rate of the graph; may be given
    /// several times
    #[arg(long, value_name = "I@F")]
    pub(super) interrupt: Vec<Interrupt>,
    /// How poses are blended [default: by measurement]
    #[arg(long, value_enum)]
    pub(super) join: Option<JoinArg>,
    /// How transitions are made; path falls back to bezier where there is none
    #[arg(long, value_enum, default_value = "best")]
    pub(super) means: MeansArg,
    /// Length of joins in seconds [default: by measurement]
    #[arg(long, value_name = "SECS", value_parser = length)]
    pub(super) length: Option<f64>,
    /// The joint whose world position and heading are continuous across a transition
    #[arg(long = "match", value_enum, default_value = "auto")]
    pub(super) matching: MatchArg,
    /// Foot lock in transitions
    #[arg(long, value_enum, default_value = "lock")]
    pub(super) feet: FeetArg,
    /// Target position of a joint or end site of clip I at the moment of effect, in units of the clips: the clip is
    /// blended from examples to reach it; one for each clip
    #[arg(long, value_name = "JOINT=x,y,z@I", allow_hyphen_values = true)]
    pub(super) target: Vec<Target>,
    /// Examples of the action for --target: names, files or folders [default: clips of the graph whose names differ
    /// from the clip's in the last number only]
    #[arg(long, num_args = 1.., requires = "target", value_name = "CLIP")]
    pub(super) examples: Vec<PathBuf>,
    /// Bring the motion onto the skeleton of this BVH or FBX file
    #[arg(long, value_name = "SKELETON")]
    pub(super) to: Option<PathBuf>,
    /// Random play: plays the clips in random order for this long
    #[arg(long, value_name = "SECONDS", value_parser = seconds, conflicts_with_all = ["interrupt", "target", "repeat"])]
    pub(super) random: Option<f64>,
    /// Weight of clip B after clip A in random play, against 1 for every other; may be given several times
    #[arg(long, value_name = "A>B=W", requires = "random")]
    pub(super) probability: Vec<Probability>,
}

/// `I@F`: the clip's number in the sequence, and the frame after which it is left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Interrupt {
    pub(super) action: usize,
    pub(super) frame: usize,
}

impl FromStr for Interrupt {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let numbers = text.split_once('@');
        let numbers = numbers.and_then(|(i, f)| Some((i.parse().ok()?, f.parse().ok()?)));
        match numbers {
            Some((action, frame)) => Ok(Self { action, frame }),
            None => Err(format!(
                "expected the number of a clip and a frame such as 1@24, found \"{text}\""
            )),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum JoinArg {
    /// Fitted dead blending: the source goes on by itself and is faded out
    Dead,
    /// Quintic inertialisation
    Quintic,
    /// Cross-fade with the source's own frames
    Fade,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum MeansArg {
    /// All are tried and measured
    Best,
    /// A direct join of two clips
    Direct,
    /// Along a path of the graph
    Path,
    /// Interpolated along a Bezier curve through cluster centres
    Bezier,
    /// As the paper has it, cross-faded and without foot lock, for comparison
    Paper,
    /// Interpolated in a straight line, for comparison
    Linear,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum MatchArg {
    /// A foot in contact on both sides, else the pelvis
    Auto,
    Pelvis,
    LeftFoot,
    RightFoot,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum FeetArg {
    Lock,
    Free,
}

/// Seconds of a join. Longer ones would be longer than any action.
pub(super) fn length(text: &str) -> Result<f64, String> {
    let secs = positive(text)?;
    if secs <= 10.0 {
        Ok(secs)
    } else {
        Err("expected at most 10 seconds".to_owned())
    }
}

/// How long is played.
pub(super) fn seconds(text: &str) -> Result<f64, String> {
    let seconds = positive(text)?;
    if seconds <= MOST_SECONDS {
        Ok(seconds)
    } else {
        Err(format!("expected at most {MOST_SECONDS} seconds"))
    }
}

/// `A>B=W`: the weight of clip B after clip A.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Probability {
    pub(super) from: String,
    pub(super) to: String,
    pub(super) weight: f64,
}

impl FromStr for Probability {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || {
            format!(
                "expected two clips and a weight of at least 0 such as walk>jump=3, found \"{text}\""
            )
        };
        let (clips, weight) = text.rsplit_once('=').ok_or_else(wrong)?;
        let (from, to) = clips.split_once('>').ok_or_else(wrong)?;
        let weight: Option<f64> = weight.trim().parse().ok();
        Ok(Self {
            from: from.trim().to_owned(),
            to: to.trim().to_owned(),
            weight: weight
                .filter(|w| *w >= 0.0 && w.is_finite())
                .ok_or_else(wrong)?,
        })
    }
}

/// The motion is kept in memory before it is written: an hour of a common rig takes some hundred megabytes.
const MOST_SECONDS: f64 = 3600.0;
