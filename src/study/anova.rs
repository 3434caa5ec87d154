//! Analysis of variance of ratings: do conditions differ by more than chance (section 8 of Lau 2009)?
//!
//! One-way, between conditions, as the paper did it. Every score counts by itself, although scores of one rater go together: with
//! raters who use the scale differently this test is careful, not bold, as long as every rater sees all conditions equally often,
//! which [`super::session::Plan`] sees to. Distributions come from `statrs`.

use statrs::distribution::{ContinuousCDF as _, FisherSnedecor, StudentsT};

/// The level of confidence intervals.
pub const CONFIDENCE: f64 = 0.95;
/// Whiskers of a box reach to the last score within so many times the box beyond its ends (Tukey 1977).
const WHISKERS: f64 = 1.5;
/// Half the width of the notch about a median, in boxes over the root of the number of scores (McGill, Tukey and Larsen 1978).
const NOTCH: f64 = 1.57;

/// Scores that nothing can be concluded from.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AnovaError {
    /// One condition alone cannot be compared.
    #[error("there are scores of {0} condition(s); at least two are needed to compare")]
    Groups(usize),
    /// A condition without scores.
    #[error("condition \"{0}\" has no scores")]
    Empty(String),
    /// As many conditions as scores: nothing tells how much scores scatter.
    #[error("every condition has one score only, so nothing tells how much scores scatter")]
    NoFreedom,
    /// All scores are the same.
    #[error("all scores are the same, so there is nothing to compare")]
    NoScatter,
    /// A score is not a number.
    #[error("a score of condition \"{0}\" is not a finite number")]
    NotFinite(String),
}

/// The scores of one condition.
#[derive(Debug, Clone, PartialEq)]
pub struct Group {
    /// Name of the condition.
    pub name: String,
    /// The scores of the group, in any order.
    pub scores: Vec<f64>,
}

/// What the scores of one condition come to.
#[derive(Debug, Clone, PartialEq)]
pub struct Summary {
    /// Name of the condition.
    pub name: String,
    /// How many scores there are.
    pub n: usize,
    /// The mean of the scores.
    pub mean: f64,
    /// Standard deviation (over n - 1); zero for a single score.
    pub deviation: f64,
    /// Bounds of the mean at [`CONFIDENCE`] by Student's distribution; none for a single score.
    pub interval: Option<(f64, f64)>,
    /// For a box plot.
    pub box_plot: BoxPlot,
}

/// The numbers of a notched box as in the paper's Fig. 8.
#[derive(Debug, Clone, PartialEq)]
pub struct BoxPlot {
    /// The median of the scores.
    pub median: f64,
    /// First and third quartile: the i-th of n sorted scores stands for the share (i - 1/2) / n, between them straight lines.
    pub quartiles: (f64, f64),
    /// The outermost scores within one and a half boxes of the quartiles.
    pub whiskers: (f64, f64),
    /// Where the notch begins and ends: medians whose notches do not overlap differ at about five percent.
    pub notch: (f64, f64),
    /// Scores beyond the whiskers, sorted.
    pub outliers: Vec<f64>,
}

/// One-way analysis of variance.
#[derive(Debug, Clone, PartialEq)]
pub struct Anova {
    /// Variance between conditions over variance within; infinite where there is none within.
    pub f: f64,
    /// Probability of as large an `f` if all conditions were alike.
    pub p: f64,
    /// Degrees of freedom between and within conditions.
    pub freedom: (usize, usize),
    /// Sums of squares between and within.
    pub squares: (f64, f64),
    /// Each condition by itself, in the order given.
    pub groups: Vec<Summary>,
}

impl Anova {
    /// Share of the variance that conditions explain (eta squared).
    pub fn explained(&self) -> f64 {
        self.squares.0 / (self.squares.0 + self.squares.1)
    }
}

/// One-way analysis of variance between conditions.
pub fn one_way(groups: &[Group]) -> Result<Anova, AnovaError> {
    if groups.len() < 2 {
        return Err(AnovaError::Groups(groups.len()));
    }
    for group in groups {
        if group.scores.is_empty() {
            return Err(AnovaError::Empty(group.name.clone()));
        }
        if group.scores.iter().any(|score| !score.is_finite()) {
            return Err(AnovaError::NotFinite(group.name.clone()));
        }
    }
    let n: usize = groups.iter().map(|group| group.scores.len()).sum();
    let freedom = (groups.len() - 1, n - groups.len());
    if freedom.1 == 0 {
        return Err(AnovaError::NoFreedom);
    }
    let all = groups.iter().flat_map(|group| &group.scores);
    let grand = all.sum::<f64>() / n as f64;
    let (mut between, mut within) = (0.0, 0.0);
    for group in groups {
        let mean = mean(&group.scores);
        between += group.scores.len() as f64 * (mean - grand).powi(2);
        within += squares(&group.scores, mean);
    }
    // Rounding leaves some squares even between equal scores.
    let tiny = 1e-24
        * groups
            .iter()
            .flat_map(|g| &g.scores)
            .map(|s| s * s)
            .sum::<f64>();
    if between <= tiny && within <= tiny {
        return Err(AnovaError::NoScatter);
    }
    let f = if within <= tiny {
        f64::INFINITY
    } else {
        (between / freedom.0 as f64) / (within / freedom.1 as f64)
    };
    let p = if f.is_finite() {
        let distribution = FisherSnedecor::new(freedom.0 as f64, freedom.1 as f64);
        distribution.expect("degrees of freedom are positive").sf(f)
    } else {
        0.0
    };
    Ok(Anova {
        f,
        p,
        freedom,
        squares: (between, within),
        groups: groups.iter().map(summarise).collect(),
    })
}

/// Mean, confidence interval and box of one condition, which has at least one score.
pub fn summarise(group: &Group) -> Summary {
    let n = group.scores.len();
    let mean = mean(&group.scores);
    let deviation = match n {
        0 | 1 => 0.0,
        _ => (squares(&group.scores, mean) / (n - 1) as f64).sqrt(),
    };
    let interval = (n > 1).then(|| {
        let student =
            StudentsT::new(0.0, 1.0, (n - 1) as f64).expect("scale and freedom are positive");
        let reach = student.inverse_cdf(0.5 + 0.5 * CONFIDENCE) * deviation / (n as f64).sqrt();
        (mean - reach, mean + reach)
    });
    Summary {
        name: group.name.clone(),
        n,
        mean,
        deviation,
        interval,
        box_plot: box_plot(&group.scores),
    }
}

/// The numbers of a box over scores, of which there is at least one.
pub fn box_plot(scores: &[f64]) -> BoxPlot {
    let mut sorted = scores.to_vec();
    sorted.sort_by(f64::total_cmp);
    let [low, median, high] = [0.25, 0.5, 0.75].map(|share| quantile(&sorted, share));
    let reach = WHISKERS * (high - low);
    let is_inside = |score: &&f64| (low - reach..=high + reach).contains(*score);
    let inside: Vec<f64> = sorted.iter().filter(is_inside).copied().collect();
    let notch = NOTCH * (high - low) / (sorted.len().max(1) as f64).sqrt();
    BoxPlot {
        median,
        quartiles: (low, high),
        whiskers: (
            inside.first().map_or(low, |s| s.min(low)),
            inside.last().map_or(high, |s| s.max(high)),
        ),
        notch: (median - notch, median + notch),
        outliers: sorted.iter().filter(|s| !is_inside(s)).copied().collect(),
    }
}

/// Of sorted values; see [`BoxPlot::quartiles`].
fn quantile(sorted: &[f64], share: f64) -> f64 {
    let Some(last) = sorted.len().checked_sub(1) else {
        return 0.0;
    };
    let at = (share * sorted.len() as f64 - 0.5).clamp(0.0, last as f64);
    let before = at as usize;
    let after = (before + 1).min(last);
    sorted[before] + (sorted[after] - sorted[before]) * at.fract()
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

fn squares(values: &[f64], mean: f64) -> f64 {
    values.iter().map(|value| (value - mean).powi(2)).sum()
}
