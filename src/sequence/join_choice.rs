//! How one action is reached from the one before, as the fields of a join editor say it.
//!
//! Fields that are not set are found by measurement; so an untouched choice is the best transition there is, and every
//! field that is set takes away just that freedom.

use crate::motion::join::{JoinKind, JoinShape, Match};
use crate::transition::{TransitionMethod, TransitionSettings};

/// By which means an action is reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum JoinMethod {
    /// The best of all, as measured.
    #[default]
    Automatic,
    /// A candidate path of the graph, the cheapest is 0. One that cannot be followed is replaced by the curve.
    Path(usize),
    /// A direct join of the two clips.
    Direct,
    /// A curve through cluster centres.
    Fallback,
}

impl JoinMethod {
    /// Whether it goes through captured poses.
    pub fn is_path(self) -> bool {
        matches!(self, Self::Path(_))
    }
}

/// How one action is reached from the one before.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct JoinChoice {
    /// How the way from one clip to the other is found.
    pub method: JoinMethod,
    /// How poses are blended; measured if it is not said.
    pub kind: Option<JoinKind>,
    /// How long the transition is; measured if it is not said.
    pub secs: Option<f64>,
    /// When the source is left, in seconds from the beginning of its clip; found if it is not said.
    pub leave_secs: Option<f64>,
    /// Where the destination begins, in seconds from the beginning of its clip; found if it is not said.
    pub enter_secs: Option<f64>,
    /// What goes on in the world as it did.
    pub bone: Match,
    /// Ease, fixed or rolling, angle, and what of the place is taken over.
    pub shape: JoinShape,
}

impl JoinChoice {
    /// Longer transitions are a mistake.
    pub const MOST_SECS: f64 = 10.0;
    /// Nor is any clip so long.
    const MOST_CLIP_SECS: f64 = 1e6;

    /// Whether nothing was chosen.
    pub fn is_automatic(&self) -> bool {
        *self == Self::default()
    }

    /// As the engine of transitions takes it.
    pub fn settings(&self) -> TransitionSettings {
        TransitionSettings {
            means: match self.method {
                JoinMethod::Automatic => TransitionMethod::Best,
                JoinMethod::Path(_) => TransitionMethod::Path,
                JoinMethod::Direct => TransitionMethod::Direct,
                JoinMethod::Fallback => TransitionMethod::Bezier,
            },
            path: match self.method {
                JoinMethod::Path(path) => Some(path),
                _ => None,
            },
            kind: self.kind,
            secs: self.secs,
            matching: self.bone,
            shape: self.shape,
            ..TransitionSettings::default()
        }
    }

    /// What is wrong with it, if anything is: only a file or a bug makes such a one.
    pub fn flaw(&self) -> Option<&'static str> {
        let within = |value: f64, most: f64| (0.0..=most).contains(&value);
        if !self.secs.is_none_or(|secs| within(secs, Self::MOST_SECS)) {
            Some("a transition lasts less than nothing, or too long")
        } else if ![self.leave_secs, self.enter_secs]
            .into_iter()
            .flatten()
            .all(|secs| within(secs, Self::MOST_CLIP_SECS))
        {
            Some("a transition begins at no moment of a clip")
        } else if ![self.shape.ease.start, self.shape.ease.end]
            .into_iter()
            .all(|ease| within(ease, 1.0))
        {
            Some("an ease is not between 0 and 1")
        } else if !within(self.shape.angle_rad.abs(), std::f64::consts::TAU) {
            Some("a destination is turned by no angle")
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_flaw_of_a_choice_is_found() {
        assert!(JoinChoice::default().is_automatic());
        assert_eq!(JoinChoice::default().flaw(), None);
        let changes: [&dyn Fn(&mut JoinChoice); 6] = [
            &|c| c.secs = Some(-0.1),
            &|c| c.secs = Some(f64::NAN),
            &|c| c.leave_secs = Some(f64::INFINITY),
            &|c| c.enter_secs = Some(-1.0),
            &|c| c.shape.ease.end = 1.5,
            &|c| c.shape.angle_rad = f64::NAN,
        ];
        for (which, change) in changes.iter().enumerate() {
            let mut choice = JoinChoice::default();
            change(&mut choice);
            assert!(choice.flaw().is_some(), "change {which} was not found");
            assert!(!choice.is_automatic(), "change {which}");
        }
    }
}
