//! Paths that were drawn on the floor, for a motion texture to follow.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::ModelId;
use super::ids::PathId;
use super::text::line;
use crate::motion::path::PathPoint;

/// A path on the floor, with the actions that are performed along it.
#[derive(Debug, Clone, PartialEq)]
pub struct DrawnPath {
    /// One line of text.
    pub name: String,
    /// The texture that follows it; none once that is not in the project any more.
    pub texture: Option<ModelId>,
    /// As drawn, in units of the texture's clips; each may say what is done from there on.
    pub points: Vec<PathPoint>,
    /// What is allowed where no point says anything; none allows all.
    pub actions: Vec<String>,
    /// Corners are rounded to this radius, in units of the clips; none leaves it to the actions.
    pub radius: Option<f64>,
    /// How far the motion strays from the clips; 1 as far as takes differ.
    pub amount: f64,
    /// Names the random numbers.
    pub seed: u64,
}

impl DrawnPath {
    /// No path has more points than this.
    pub const MOST_POINTS: usize = 5000;
    /// No place on the floor is further away.
    const FARTHEST: f64 = 1e7;
    /// Larger deviations than so many times the usual are no motion any more.
    pub const MOST_AMOUNT: f64 = 3.0;

    /// A path through these points with the usual settings.
    pub fn new(name: impl Into<String>, texture: ModelId, points: Vec<PathPoint>) -> Self {
        Self {
            name: name.into(),
            texture: Some(texture),
            points,
            actions: Vec::new(),
            radius: None,
            amount: 1.0,
            seed: 1,
        }
    }

    /// Why it cannot be, if so.
    pub fn flaw(&self) -> Option<&'static str> {
        let is_near = |x: f64| x.abs() <= Self::FARTHEST;
        let is_line = |text: &str| line("an action", text.to_owned()).is_ok();
        let said = self.points.iter().filter_map(|p| p.action.as_ref());
        let is_length = |r: f64| r > 0.0 && r <= Self::FARTHEST;
        if self.points.len() < 2 {
            Some("it has fewer than two points")
        } else if self.points.len() > Self::MOST_POINTS {
            Some("it has more than 5000 points")
        } else if !self.points.iter().all(|p| p.at.iter().all(|x| is_near(*x))) {
            Some("a point of it is not on the floor")
        } else if !said.chain(&self.actions).all(|name| is_line(name)) {
            Some("an action has no name")
        } else if !self.radius.is_none_or(is_length) {
            Some("the radius of its corners is no length")
        } else if !(0.0..=Self::MOST_AMOUNT).contains(&self.amount) {
            Some("the amount of variation is not between 0 and 3")
        } else {
            None
        }
    }

    /// Every action that it names, each once, in the order of the path.
    pub fn named_actions(&self) -> Vec<&str> {
        let mut seen = BTreeSet::new();
        let said = self.points.iter().filter_map(|p| p.action.as_deref());
        let all = said.chain(self.actions.iter().map(String::as_str));
        all.filter(|name| seen.insert(*name)).collect()
    }
}

/// All paths in the order in which they were drawn, so also by number.
pub(super) type Paths = Arc<Vec<(PathId, Arc<DrawnPath>)>>;

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn() -> DrawnPath {
        let points = vec![PathPoint::at(0.0, 0.0), PathPoint::at(0.0, 5.0)];
        DrawnPath {
            texture: None,
            ..DrawnPath::new("around the house", ModelId(1), points)
        }
    }

    #[test]
    fn paths_that_cannot_be_walked_are_refused_in_words() {
        assert_eq!(drawn().flaw(), None);
        let flaw_with = |change: fn(&mut DrawnPath)| {
            let mut path = drawn();
            change(&mut path);
            path.flaw().unwrap_or("fine")
        };
        let flaws = [
            ("fewer", flaw_with(|p| p.points.truncate(1))),
            (
                "more than",
                flaw_with(|p| p.points.resize(6000, PathPoint::at(0.0, 1.0))),
            ),
            (
                "not on the floor",
                flaw_with(|p| p.points[1].at.x = f64::NAN),
            ),
            ("not on the floor", flaw_with(|p| p.points[0].at.y = 1e9)),
            ("no name", flaw_with(|p| p.actions = vec![" ".to_owned()])),
            ("no length", flaw_with(|p| p.radius = Some(0.0))),
            ("amount", flaw_with(|p| p.amount = -1.0)),
        ];
        for (words, flaw) in flaws {
            assert!(flaw.contains(words), "{words}: {flaw}");
        }
    }

    #[test]
    fn actions_are_named_once_in_the_order_of_the_path() {
        let mut path = drawn();
        path.points[0].action = Some("walk".to_owned());
        path.points[1].action = Some("run".to_owned());
        path.actions = vec!["sneak".to_owned(), "walk".to_owned()];
        assert_eq!(path.named_actions(), ["walk", "run", "sneak"]);
    }
}
