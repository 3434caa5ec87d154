//! Actions one after the other, each for some time, wherever that leads.

use super::{Goal, LabelRoutes, Visit, Wanted};

/// One action of an order.
#[derive(Debug, Clone, PartialEq)]
pub struct OrderPart {
    /// Which.
    pub labels: LabelRoutes,
    /// For how long.
    pub secs: f64,
}

/// What to do, in order.
#[derive(Debug, Clone, PartialEq)]
pub struct OrderGoal {
    /// At least one, or nothing is searched.
    pub parts: Vec<OrderPart>,
}

impl OrderGoal {
    fn total(&self) -> f64 {
        self.parts.iter().map(|p| p.secs).sum()
    }
}

impl Goal for OrderGoal {
    /// Seconds since the start.
    type Memory = f64;

    fn begin(&self) -> f64 {
        0.0
    }

    fn visit(&self, memory: &mut f64, at: &Visit) -> f64 {
        *memory = at.secs;
        0.0
    }

    fn progress(&self, memory: &f64) -> f64 {
        *memory
    }

    fn is_done(&self, memory: &f64) -> bool {
        *memory >= self.total()
    }

    fn wanted(&self, memory: &f64, _: &Visit) -> Wanted<'_> {
        let mut end = 0.0;
        for (nth, part) in self.parts.iter().enumerate() {
            end += part.secs;
            if *memory < end {
                let next = self.parts.get(nth + 1);
                return Wanted {
                    now: Some(&part.labels),
                    next: next.map(|n| (&n.labels, end - memory)),
                };
            }
        }
        Wanted {
            now: self.parts.last().map(|p| &p.labels),
            next: None,
        }
    }

    fn most_secs(&self) -> f64 {
        self.total() + 1.0
    }
}
