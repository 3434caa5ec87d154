//! The upper level of the texture graph: systems, and which lead to which (Gao and Hong 2007, section 3.2).
//!
//! All transitions between the same two systems are one link. A search for actions begins here, among some hundred
//! systems instead of tens of thousands of frames: it finds which systems an order of actions can go through, and the
//! search on frames ([`super::search`]) tries no transition that leads elsewhere.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use super::graph::{FrameGraph, FrameId};
use super::search::FloorTrack;
use super::sections::Section;

/// A jump counts like so much time, since it is seen; thousandths of a second.
const JUMP: u64 = 500;
/// One beyond the threshold counts like so much more.
const FALLBACK: u64 = 4000;
/// Systems are gone through if that takes no longer than the shortest way and this.
const SLACK: u64 = 1000;

/// One system leads to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Link {
    to: usize,
    cost: u64,
}

/// All systems with their links.
#[derive(Debug, Clone, PartialEq)]
pub struct SystemGraph {
    /// By the system that is left.
    links: Vec<Vec<Link>>,
    /// The same by the system that is entered; `to` is where they come from.
    backwards: Vec<Vec<Link>>,
    /// What the frames of each system are called.
    marks: Vec<Vec<usize>>,
    /// The system of every clip and frame.
    of_frame: Vec<Vec<Option<u32>>>,
}

/// The systems that an order of actions goes through.
#[derive(Debug, Clone, PartialEq)]
pub struct Corridor<'a> {
    graph: &'a SystemGraph,
    allowed: Vec<bool>,
}

impl Corridor<'_> {
    /// Whether a frame belongs to one of them.
    pub fn contains(&self, at: FrameId) -> bool {
        let system = self.graph.of_frame[at.clip][at.frame];
        system.is_some_and(|s| self.allowed[s as usize])
    }

    /// How many systems those are.
    pub fn n_systems(&self) -> usize {
        self.allowed.iter().filter(|a| **a).count()
    }
}

impl SystemGraph {
    pub(super) fn new(
        n_systems: usize,
        sections: &[Section],
        graph: &FrameGraph,
        threshold: f64,
        tracks: &[FloorTrack],
        fps: f64,
    ) -> Self {
        let mut of_frame: Vec<Vec<Option<u32>>> =
            tracks.iter().map(|t| vec![None; t.n_frames()]).collect();
        let mut marks = vec![Vec::new(); n_systems];
        for section in sections {
            let system = u32::try_from(section.system).expect("systems are fewer than frames");
            of_frame[section.clip][section.frames.clone()].fill(Some(system));
            marks[section.system].extend(&tracks[section.clip].labels[section.frames.clone()]);
        }
        for own in &mut marks {
            own.sort_unstable();
            own.dedup();
        }
        let mut least: BTreeMap<(usize, usize), u64> = BTreeMap::new();
        let mut link = |from: Option<u32>, to: Option<u32>, cost: u64| {
            if let (Some(from), Some(to)) = (from, to) {
                let known = least.entry((from as usize, to as usize)).or_insert(cost);
                *known = cost.min(*known);
            }
        };
        let system = |at: FrameId| of_frame[at.clip][at.frame];
        for t in graph.transitions() {
            let beyond = if t.distance > threshold { FALLBACK } else { 0 };
            link(system(t.from), system(t.to), JUMP + beyond);
        }
        for pair in sections.windows(2) {
            let [a, b] = [&pair[0], &pair[1]];
            if a.clip == b.clip && a.frames.end == b.frames.start {
                let ms = 1000.0 * a.frames.len() as f64 / fps;
                link(Some(a.system as u32), Some(b.system as u32), ms as u64);
            }
        }
        let mut links = vec![Vec::new(); n_systems];
        let mut backwards = vec![Vec::new(); n_systems];
        for (&(from, to), &cost) in &least {
            links[from].push(Link { to, cost });
            backwards[to].push(Link { to: from, cost });
        }
        Self {
            links,
            backwards,
            marks,
            of_frame,
        }
    }

    /// How many systems there are.
    pub fn n_systems(&self) -> usize {
        self.marks.len()
    }

    /// Pairs of systems that are linked.
    pub fn n_links(&self) -> usize {
        self.links.iter().map(Vec::len).sum()
    }

    /// The system of a frame; none for frames in no section.
    pub fn system_of(&self, at: FrameId) -> Option<usize> {
        self.of_frame[at.clip][at.frame].map(|system| system as usize)
    }

    /// The systems that one leads to.
    pub fn linked(&self, system: usize) -> impl Iterator<Item = usize> + '_ {
        self.links[system].iter().map(|link| link.to)
    }

    /// The systems through which actions can follow each other, each given by its marks; an empty one allows all. Of
    /// each action those that lead on to the next, and what lies between. None if there is no way.
    pub fn corridor(&self, actions: &[&[usize]]) -> Option<Corridor<'_>> {
        let shows = |system: usize, marks: &[usize]| {
            marks.is_empty()
                || self.marks[system]
                    .iter()
                    .any(|m| marks.binary_search(m).is_ok())
        };
        let sets: Vec<Vec<usize>> = actions
            .iter()
            .map(|marks| {
                let mut marks = marks.to_vec();
                marks.sort_unstable();
                (0..self.n_systems())
                    .filter(|&s| shows(s, &marks))
                    .collect()
            })
            .collect();
        let mut allowed = vec![false; self.n_systems()];
        let mut wanted = sets.last()?.clone();
        allow(&mut allowed, &wanted);
        for own in sets.iter().rev().skip(1) {
            let to_next = cheapest(&self.backwards, &wanted);
            let best = own.iter().map(|&s| to_next[s]).min()?;
            if best == u64::MAX {
                return None;
            }
            let from_own = cheapest(&self.links, own);
            for s in 0..self.n_systems() {
                allowed[s] |= from_own[s].saturating_add(to_next[s]) <= best + SLACK;
            }
            allow(&mut allowed, own);
            wanted.clone_from(own);
        }
        Some(Corridor {
            graph: self,
            allowed,
        })
    }
}

fn allow(allowed: &mut [bool], systems: &[usize]) {
    for &s in systems {
        allowed[s] = true;
    }
}

/// The least cost from any of some systems to each.
fn cheapest(links: &[Vec<Link>], from: &[usize]) -> Vec<u64> {
    let mut costs = vec![u64::MAX; links.len()];
    let mut queue = BinaryHeap::new();
    for &s in from {
        costs[s] = 0;
        queue.push(Reverse((0, s)));
    }
    while let Some(Reverse((cost, at))) = queue.pop() {
        if cost > costs[at] {
            continue;
        }
        for link in &links[at] {
            let next = cost + link.cost;
            if next < costs[link.to] {
                costs[link.to] = next;
                queue.push(Reverse((next, link.to)));
            }
        }
    }
    costs
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::motion::path::Vec2;
    use crate::texture::Transition;
    use crate::texture::sections::Fit;

    /// Three clips, a system each: walk leads to sneak, sneak to run; walk leads to run only beyond the threshold.
    fn graph() -> SystemGraph {
        let id = |clip, frame| FrameId { clip, frame };
        let t = |from, to, distance| Transition {
            from: id(from, 5),
            to: id(to, 2),
            distance,
        };
        let links = vec![
            t(0, 1, 0.5),
            t(1, 2, 0.6),
            t(0, 2, 3.0),
            t(2, 0, 0.5),
            t(3, 0, 0.1),
        ];
        let tracks: Vec<FloorTrack> = (0..4)
            .map(|clip| {
                FloorTrack::new(vec![Vec2::zeros(); 10], vec![0.0; 10], vec![clip; 10], 30.0)
            })
            .collect();
        let sections: Vec<Section> = (0..4)
            .map(|clip| Section {
                clip,
                frames: 0..10,
                system: clip,
                fit: Fit::Alone,
            })
            .collect();
        let frames = FrameGraph::new(&[10; 4], links);
        SystemGraph::new(4, &sections, &frames, 1.0, &tracks, 30.0)
    }

    #[test]
    fn an_order_goes_through_what_lies_between() {
        let graph = graph();
        assert_eq!((graph.n_systems(), graph.n_links()), (4, 5));
        let corridor = graph.corridor(&[&[0], &[2]]).unwrap();
        let seen: Vec<bool> = (0..4)
            .map(|clip| corridor.contains(FrameId { clip, frame: 3 }))
            .collect();
        assert_eq!(
            seen,
            [true, true, true, false],
            "the last clip leads nowhere that is wanted"
        );
        assert_eq!(corridor.n_systems(), 3);
        assert!(
            graph.corridor(&[&[0], &[3]]).is_none(),
            "nothing leads there"
        );
        assert_eq!(graph.corridor(&[&[1]]).unwrap().n_systems(), 1);
    }
}
