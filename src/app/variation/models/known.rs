//! What the window knows about a model beside the model itself, found out in the background.
//!
//! Its takes as clips, its score, and how likely its takes are when each is re-made from the others. A cache, keyed by
//! the model.

use std::sync::Arc;

use crate::motion::chart::Start;
use crate::motion::{Clip, ClipInfo, Curves};
use crate::variation::{ClipModel, Hold, LearnError, Length, Remade, SampleSettings};

/// A variant so many standard deviations below the mean is one in seven hundred.
const RARE: f64 = 3.0;
/// So many variants say what is usual; none of those that anybody looks at.
const DRAWN: u64 = 24;
const FIRST_DRAWN: u64 = 1 << 40;

/// What is known about a model.
#[derive(Debug, Clone)]
pub struct Known {
    /// Its takes, all starting on one spot and facing one way, as variants do.
    pub inputs: Vec<Arc<Clip>>,
    /// Mean log-likelihood of a value of takes left out, if that is known.
    pub score: Option<f64>,
    /// The same take by take.
    pub remade: Vec<Remade>,
    /// Mean and standard deviation of the likelihood that variants have.
    pub usual: (f64, f64),
}

/// Or why nothing is.
pub type Finding = Result<Known, String>;

/// The models that were looked at last.
#[derive(Debug, Default)]
pub struct KnownModels {
    /// What was found, oldest first.
    pub(super) known: Vec<(Arc<ClipModel>, Arc<Finding>)>,
    pub(super) is_looking: bool,
}

impl KnownModels {
    pub(super) const MOST: usize = 24;

    /// What is known of this one, without asking for more.
    pub fn of(&self, model: &Arc<ClipModel>) -> Option<Arc<Finding>> {
        let mut known = self.known.iter();
        let found = known.find(|(seen, _)| Arc::ptr_eq(seen, model));
        found.map(|(_, finding)| Arc::clone(finding))
    }
}

impl Known {
    /// Looks at a model; takes its time.
    pub fn of(model: &ClipModel) -> Result<Self, LearnError> {
        let inner = model.model();
        Ok(Self {
            inputs: takes_as_clips(model)?,
            score: inner.score(),
            remade: inner.remake_takes(),
            usual: usual_likelihood(model)?,
        })
    }

    /// Below this a variant is worth a look: it is less likely than every take when that is re-made from the others, and than all but
    /// one variant in seven hundred. Takes alone do not say: four of them may all be likelier than any variant.
    pub fn least_likely(&self) -> f64 {
        let likelihoods = self.remade.iter().map(|take| take.log_likelihood);
        let (mean, deviation) = self.usual;
        likelihoods.fold(mean - RARE * deviation, f64::min)
    }
}

/// Mean and standard deviation of the likelihood of variants, as they are drawn.
fn usual_likelihood(model: &ClipModel) -> Result<(f64, f64), LearnError> {
    let settings = SampleSettings::default();
    let mut drawn = Vec::new();
    for variant in 0..DRAWN {
        let made = model.vary(&settings, FIRST_DRAWN + variant, Length::Once, Hold::None)?;
        drawn.extend(made.log_likelihood);
    }
    let n = drawn.len().max(1) as f64;
    let mean = drawn.iter().sum::<f64>() / n;
    let squares = drawn.iter().map(|x| (x - mean).powi(2)).sum::<f64>();
    Ok((mean, (squares / (n - 1.0).max(1.0)).sqrt()))
}

/// The takes of a model as clips at its rate, with the contacts that were learned. They are there although the clips
/// in the library may have changed or gone.
pub fn takes_as_clips(model: &ClipModel) -> Result<Vec<Arc<Clip>>, LearnError> {
    let (chart, examples) = (model.chart(), model.model().examples());
    let n = chart.n_dofs();
    (0..examples.n_takes())
        .map(|take| {
            let mut values = examples.take(take).to_vec();
            chart.destandardise(&mut values);
            let size = (values.len() / n, n);
            let curves = Curves::new(Start::origin(), examples.frame_secs(), size, values)?;
            let clip = chart.clip(&curves, ClipInfo::named(examples.name(take)))?;
            let contacts = model.footing().takes.get(take).cloned().unwrap_or_default();
            // Contacts that do not fit are no reason not to show the take.
            let held = clip.clone().with_contacts(contacts);
            Ok(Arc::new(held.unwrap_or(clip)))
        })
        .collect()
}
