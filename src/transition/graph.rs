//! The transition graph (Peng 2007, sections 4.2 and 4.3).
//!
//! Nodes are clusters; a node holds the runs of consecutive frames in it (short clips). An edge holds every place
//! where a clip goes over from one cluster into another, both runs together; its cost is the length of the shortest of
//! these times the distance of the centres (Eq. 1). In an undirected graph clips may be played backwards along an
//! edge.
//!
//! Departures: frames in which a joint jumps are left out, and no run goes across them. The limit of a path's cost is
//! relative to the database, since distances of other rigs and rates have other sizes. Clips can be added and removed;
//! centres stay, so the graph is not made anew.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use super::clusters::{Centres, NONE, assign};
use super::connection::{finest_connected, reached_shares};
use super::error::TransitionError;
use super::postures::Postures;
use crate::jobs::Ticket;
use crate::motion::join::report::{Norms, glitched};
use crate::motion::join::{JoinClip, Rig};
use crate::motion::{Clip, PoseMetricSettings, PoseRows};
use crate::numerics::cheapest_paths::{Digraph, NodePath, PathSearch, PathTable};
use crate::numerics::quantile::median;

/// How a graph is made.
#[derive(Debug, Clone, PartialEq)]
pub struct GraphSettings {
    /// How poses are compared.
    pub metric: PoseMetricSettings,
    /// T of the clustering; by default the finest that makes a connected graph.
    pub threshold: Option<f64>,
    /// Whether clips may be played backwards.
    pub is_undirected: bool,
    /// Candidate paths of a pair of clusters.
    pub n_paths: usize,
    /// Paths that cost more than this many times the median edge are no candidates.
    pub cost_limit: f64,
}

impl Default for GraphSettings {
    fn default() -> Self {
        Self {
            metric: PoseMetricSettings::default(),
            threshold: None,
            is_undirected: false,
            n_paths: 5,
            cost_limit: 12.0,
        }
    }
}

/// A node: poses that are alike.
#[derive(Debug, Clone, PartialEq)]
pub struct Cluster {
    /// The clip and frame at its centre.
    pub centre: (usize, usize),
    /// The short clips in it: clip and frames.
    pub runs: Vec<(usize, Range<usize>)>,
}

impl Cluster {
    /// The number of frames in it.
    pub fn n_frames(&self) -> usize {
        self.runs.iter().map(|r| r.1.len()).sum()
    }
}

/// A place where a clip goes over from one cluster into another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TransitionInstance {
    /// Index of the clip in the graph.
    pub clip: usize,
    /// Frames of the run that is left and of the run that follows.
    pub frames: Range<usize>,
    /// The clip is played backwards.
    pub is_backward: bool,
}

/// All transitions from one cluster to another.
#[derive(Debug, Clone, PartialEq)]
pub struct Edge {
    /// Cost of the edge by Eq. (1).
    pub cost: f64,
    /// All transitions between the two clusters, the shortest first.
    pub instances: Vec<TransitionInstance>,
}

/// One clip of the database.
#[derive(Debug, Clone)]
pub(super) struct GraphClip {
    pub(super) clip: Arc<JoinClip>,
    /// The clip played backwards, in undirected graphs.
    pub(super) reverse: Option<Arc<JoinClip>>,
    /// The cluster of each frame.
    pub(super) labels: Vec<u32>,
}

/// A database of clips, and how to get from one pose to another in it.
#[derive(Debug, Clone)]
pub struct TransitionGraph {
    rig: Arc<Rig>,
    settings: GraphSettings,
    threshold: f32,
    pub(super) members: Vec<Option<GraphClip>>,
    centres: Centres,
    clusters: Vec<Cluster>,
    edges: BTreeMap<(u32, u32), Edge>,
    digraph: Digraph,
    cost_limit: f64,
    norms: Norms,
    pub(super) n_left_out: usize,
    postures: Postures,
}

impl TransitionGraph {
    /// Clusters the frames of clips on one skeleton and finds the transitions between them.
    pub fn build(
        clips: &[Arc<Clip>],
        settings: &GraphSettings,
        ticket: &Ticket,
    ) -> Result<Self, TransitionError> {
        check(settings)?;
        let refs: Vec<&Clip> = clips.iter().map(|c| &**c).collect();
        if refs.is_empty() {
            return Err(TransitionError::NoClips);
        }
        let rig = Arc::new(Rig::learn(&refs, &settings.metric)?);
        let mut members = Vec::with_capacity(clips.len());
        for (at, clip) in clips.iter().enumerate() {
            ticket.step(0.3 * at as f64 / clips.len() as f64)?;
            members.push(Arc::new(JoinClip::new(&rig, clip)?));
        }
        Self::of(rig, &members, settings, ticket)
    }

    /// From clips that are ready to be joined.
    pub fn of(
        rig: Arc<Rig>,
        clips: &[Arc<JoinClip>],
        settings: &GraphSettings,
        ticket: &Ticket,
    ) -> Result<Self, TransitionError> {
        check(settings)?;
        let bad: Vec<Vec<usize>> = clips.iter().map(|c| glitched(&c.clip)).collect();
        let empty = PoseRows::with_capacity(&rig.metric, 0);
        let frames = rows_of(clips, &bad);
        if frames.iter().all(Option::is_none) {
            return Err(TransitionError::OnlyGlitches);
        }
        let threshold = if let Some(threshold) = settings.threshold {
            threshold as f32
        } else {
            let step = median_step(&rig, clips);
            finest_connected(step, |threshold, done| {
                ticket.step(0.3 + 0.5 * done)?;
                let mut centres = Centres::new(empty.clone());
                let (labels, _) = assign(&mut centres, &frames, threshold);
                let edges = crossings(clips, &labels, settings.is_undirected);
                let mut frames = vec![0; centres.len()];
                for &label in labels.iter().filter(|&&l| l != NONE) {
                    frames[label as usize] += 1;
                }
                let firsts = starts(clips);
                let firsts = firsts[..clips.len()].iter().map(|&at| labels[at]);
                let firsts: Vec<u32> = firsts.filter(|&l| l != NONE).collect();
                let shares = reached_shares(&frames, edges, &firsts);
                let mean = shares.iter().sum::<f64>() / shares.len().max(1) as f64;
                Ok::<f64, TransitionError>(mean)
            })?
        };
        let mut centres = Centres::new(empty);
        let (labels, founders) = assign(&mut centres, &frames, threshold);
        ticket.step(0.9)?;
        let starts = starts(clips);
        let place = |at: usize| {
            let clip = starts.partition_point(|&s| s <= at) - 1;
            (clip, at - starts[clip])
        };
        let clusters = founders
            .iter()
            .map(|&at| Cluster {
                centre: place(at),
                runs: Vec::new(),
            })
            .collect();
        let refs: Vec<&JoinClip> = clips.iter().map(|c| &**c).collect();
        let norms = Norms::learn(&rig, &refs);
        let members = clips.iter().zip(starts.windows(2)).map(|(clip, span)| {
            Some(GraphClip {
                reverse: settings
                    .is_undirected
                    .then(|| Arc::new(clip.reversed(&rig))),
                clip: Arc::clone(clip),
                labels: labels[span[0]..span[1]].to_vec(),
            })
        });
        let mut graph = Self {
            members: members.collect(),
            n_left_out: labels.iter().filter(|&&l| l == NONE).count(),
            rig,
            settings: settings.clone(),
            threshold,
            centres,
            clusters,
            edges: BTreeMap::new(),
            digraph: Digraph::new(0, [])?,
            cost_limit: 0.0,
            norms,
            postures: Postures::default(),
        };
        graph.connect()?;
        graph.learn_postures();
        ticket.step(1.0)?;
        Ok(graph)
    }

    /// Adds a clip: its frames join the clusters there are, or make new ones.
    pub fn add(&mut self, clip: &Arc<Clip>) -> Result<usize, TransitionError> {
        let clip = Arc::new(JoinClip::new(&self.rig, clip)?);
        let bad = [glitched(&clip.clip)];
        let added = [Arc::clone(&clip)];
        let frames = rows_of(&added, &bad);
        let (labels, founders) = assign(&mut self.centres, &frames, self.threshold);
        let number = self.members.len();
        self.clusters.extend(founders.iter().map(|&frame| Cluster {
            centre: (number, frame),
            runs: Vec::new(),
        }));
        self.n_left_out += labels.iter().filter(|&&l| l == NONE).count();
        self.members.push(Some(GraphClip {
            reverse: self
                .settings
                .is_undirected
                .then(|| Arc::new(clip.reversed(&self.rig))),
            clip,
            labels,
        }));
        self.learn_norms();
        self.connect()?;
        self.learn_postures();
        Ok(number)
    }

    /// Takes a clip out. Clusters that it alone made up are gone; others whose centre it held keep their place in the
    /// space of poses by the member nearest to it.
    pub fn remove(&mut self, clip: usize) -> Result<(), TransitionError> {
        let member = self.members.get_mut(clip).and_then(Option::take);
        let Some(member) = member else {
            return Err(TransitionError::NoSuchClip(format!("number {clip}")));
        };
        self.n_left_out -= member.labels.iter().filter(|&&l| l == NONE).count();
        for number in 0..self.clusters.len() {
            if self.clusters[number].centre.0 != clip {
                continue;
            }
            let centre = member.clip.rows.row(self.clusters[number].centre.1);
            let heirs = self.frames_of(number as u32).map(|(c, f)| {
                let rows = &self.member(c).clip.rows;
                (self.centres.rows.distance_of(rows.row(f), centre), c, f)
            });
            match heirs.min_by(|a, b| a.0.total_cmp(&b.0)) {
                Some((_, c, f)) => self.clusters[number].centre = (c, f),
                None => self.centres.remove(number as u32),
            }
        }
        self.learn_norms();
        self.learn_postures();
        self.connect()
    }

    fn learn_norms(&mut self) {
        let clips: Vec<Arc<JoinClip>> = self.clips().map(|(_, c)| Arc::clone(c)).collect();
        let refs: Vec<&JoinClip> = clips.iter().map(|c| &**c).collect();
        if !refs.is_empty() {
            self.norms = Norms::learn(&self.rig, &refs);
        }
    }

    fn learn_postures(&mut self) {
        let members = self.members.iter().enumerate();
        let known = members.filter_map(|(clip, member)| Some((clip, member.as_ref()?)));
        let frames = known.flat_map(|(clip, member)| {
            let labels = member.labels.iter().enumerate();
            let known = labels.filter(|(_, label)| **label != NONE);
            known.map(move |(frame, _)| (clip as u32, frame as u32))
        });
        let frames: Vec<(u32, u32)> = frames.collect();
        self.postures = Postures::of(frames, &self.centres.rows, |place| self.row_of(place));
    }

    fn row_of(&self, (clip, frame): (u32, u32)) -> &[f32] {
        self.member(clip as usize).clip.rows.row(frame as usize)
    }

    /// The nearest posture of the database: its number, which makes a good guess for the next pose, and how far it is.
    pub fn nearest_posture(&self, row: &[f32], guess: Option<u32>) -> Option<(u32, f32)> {
        let rows = &self.centres.rows;
        self.postures
            .nearest(row, guess, rows, |place| self.row_of(place))
    }

    /// Finds runs and edges by the labels of all frames.
    fn connect(&mut self) -> Result<(), TransitionError> {
        for cluster in &mut self.clusters {
            cluster.runs.clear();
        }
        let mut instances: BTreeMap<(u32, u32), Vec<TransitionInstance>> = BTreeMap::new();
        for (number, member) in self.members.iter().enumerate() {
            let Some(member) = member else { continue };
            let runs = runs(&member.labels);
            for (label, frames) in &runs {
                self.clusters[*label as usize]
                    .runs
                    .push((number, frames.clone()));
            }
            for pair in runs.windows(2) {
                let [(a, first), (b, second)] = pair else {
                    continue;
                };
                if first.end != second.start {
                    continue;
                }
                let frames = first.start..second.end;
                let instance = |is_backward| TransitionInstance {
                    clip: number,
                    frames: frames.clone(),
                    is_backward,
                };
                instances.entry((*a, *b)).or_default().push(instance(false));
                if self.settings.is_undirected {
                    instances.entry((*b, *a)).or_default().push(instance(true));
                }
            }
        }
        self.edges = instances
            .into_iter()
            .map(|((a, b), mut instances)| {
                instances.sort_by_key(|s| (s.frames.len(), s.clip, s.frames.start));
                let frames = instances[0].frames.len() as f64;
                // Eq. (1).
                let distance = self.centres.rows.distance(a as usize, b as usize);
                let cost = frames * f64::from(distance);
                ((a, b), Edge { cost, instances })
            })
            .collect();
        let edges = self.edges.iter().map(|((a, b), e)| (*a, *b, e.cost));
        self.digraph = Digraph::new(self.clusters.len() as u32, edges)?;
        let mut costs: Vec<f64> = self.edges.values().map(|e| e.cost).collect();
        self.cost_limit = self.settings.cost_limit * median(&mut costs).unwrap_or(0.0);
        Ok(())
    }

    /// Clusters all frames once more by the same threshold, and says how many clusters there are: the paper's unit of
    /// work, for measuring it.
    pub fn clustered_again(&self) -> usize {
        let clips: Vec<Arc<JoinClip>> = self.clips().map(|(_, c)| Arc::clone(c)).collect();
        let members: Vec<&GraphClip> = self.members.iter().flatten().collect();
        let frames: Vec<Option<&[f32]>> = clips
            .iter()
            .zip(&members)
            .flat_map(|(clip, member)| {
                let labels = member.labels.iter().enumerate();
                labels.map(|(f, &l)| (l != NONE).then(|| clip.rows.row(f)))
            })
            .collect();
        let mut centres = Centres::new(PoseRows::with_capacity(&self.rig.metric, 0));
        assign(&mut centres, &frames, self.threshold).1.len()
    }

    /// What all clips have in common.
    pub fn rig(&self) -> &Arc<Rig> {
        &self.rig
    }

    /// How it was made.
    pub fn settings(&self) -> &GraphSettings {
        &self.settings
    }

    /// T of the clustering: as it was asked for, or as it was found.
    pub fn threshold(&self) -> f64 {
        f64::from(self.threshold)
    }

    /// Percentiles of jumps and jerk in the clips themselves.
    pub fn norms(&self) -> &Norms {
        &self.norms
    }

    /// The nodes. Those that held nothing but clips that were removed are empty.
    pub fn clusters(&self) -> &[Cluster] {
        &self.clusters
    }

    /// The edges, by their clusters.
    pub fn edges(&self) -> impl Iterator<Item = ((u32, u32), &Edge)> {
        self.edges.iter().map(|(pair, edge)| (*pair, edge))
    }

    /// The edge between two clusters, if there is one.
    pub fn edge(&self, from: u32, to: u32) -> Option<&Edge> {
        self.edges.get(&(from, to))
    }

    /// The clips with their numbers.
    pub fn clips(&self) -> impl Iterator<Item = (usize, &Arc<JoinClip>)> {
        let members = self.members.iter().enumerate();
        members.filter_map(|(at, member)| Some((at, &member.as_ref()?.clip)))
    }

    /// A clip by its name.
    pub fn find(&self, name: &str) -> Option<usize> {
        self.clips()
            .find(|(_, c)| c.clip.info.name == name)
            .map(|(at, _)| at)
    }

    pub(super) fn member(&self, clip: usize) -> &GraphClip {
        self.members[clip]
            .as_ref()
            .expect("clusters and edges name only clips that are there")
    }

    /// The centres of all clusters.
    pub fn centres(&self) -> &PoseRows {
        &self.centres.rows
    }

    /// The nearest cluster of any pose, and how far its centre is.
    pub fn locate(&self, row: &[f32], guess: Option<u32>) -> Option<(u32, f32)> {
        self.centres.nearest(row, guess)
    }

    /// The members of a cluster: clip and frame.
    pub fn frames_of(&self, cluster: u32) -> impl Iterator<Item = (usize, usize)> + '_ {
        let runs = self.clusters[cluster as usize].runs.iter();
        runs.filter(|(clip, _)| self.members[*clip].is_some())
            .flat_map(|(clip, frames)| frames.clone().map(move |f| (*clip, f)))
    }

    /// The candidate paths from one cluster to another, cheapest first.
    pub fn paths(&self, from: u32, to: u32) -> Vec<NodePath> {
        if from == to {
            return Vec::new();
        }
        let mut search = PathSearch::new(&self.digraph);
        search.to(to);
        search.k_cheapest(from, self.settings.n_paths, self.cost_limit)
    }

    /// The candidate paths of all pairs; `None` if stopped, or if there are too many clusters to keep them all.
    pub fn path_table(&self, ticket: &Ticket) -> Option<PathTable> {
        let mut on_progress = |done: f64| ticket.step(done).is_ok();
        (self.digraph.n_nodes() <= PathTable::MAX_NODES)
            .then(|| {
                let n = self.settings.n_paths;
                PathTable::build(&self.digraph, n, self.cost_limit, &mut on_progress)
            })
            .flatten()
    }
}

fn check(settings: &GraphSettings) -> Result<(), TransitionError> {
    let over_zero = |what, found: f64| {
        if found > 0.0 && found.is_finite() {
            Ok(())
        } else {
            Err(TransitionError::Setting {
                what,
                expected: "a number over zero",
                found,
            })
        }
    };
    over_zero(
        "the threshold of clusters",
        settings.threshold.unwrap_or(1.0),
    )?;
    over_zero("the number of paths", settings.n_paths as f64)?;
    over_zero("the limit of a path's cost", settings.cost_limit)
}

/// Where the frames of each clip begin in one list of all, and where the last ones end.
fn starts(clips: &[Arc<JoinClip>]) -> Vec<usize> {
    let mut starts = vec![0];
    for clip in clips {
        starts.push(starts[starts.len() - 1] + clip.n_frames());
    }
    starts
}

/// All frames in order; those with glitches are left out.
fn rows_of<'a>(clips: &'a [Arc<JoinClip>], bad: &[Vec<usize>]) -> Vec<Option<&'a [f32]>> {
    let each = clips.iter().zip(bad).flat_map(|(clip, bad)| {
        (0..clip.n_frames()).map(move |f| bad.binary_search(&f).is_err().then(|| clip.rows.row(f)))
    });
    each.collect()
}

/// Runs of frames with one label, frames without a cluster left out.
fn runs(labels: &[u32]) -> Vec<(u32, Range<usize>)> {
    let mut runs = Vec::new();
    let mut start = 0;
    for chunk in labels.chunk_by(|a, b| a == b) {
        if chunk[0] != NONE {
            runs.push((chunk[0], start..start + chunk.len()));
        }
        start += chunk.len();
    }
    runs
}

/// The pairs of clusters that consecutive frames cross.
fn crossings(clips: &[Arc<JoinClip>], labels: &[u32], both_ways: bool) -> Vec<(u32, u32)> {
    let mut edges = Vec::new();
    for span in starts(clips).windows(2) {
        for pair in labels[span[0]..span[1]].windows(2) {
            if pair[0] != pair[1] && pair[0] != NONE && pair[1] != NONE {
                edges.push((pair[0], pair[1]));
                if both_ways {
                    edges.push((pair[1], pair[0]));
                }
            }
        }
    }
    edges.sort_unstable();
    edges.dedup();
    edges
}

/// The median distance of poses a thirtieth of a second apart.
fn median_step(rig: &Rig, clips: &[Arc<JoinClip>]) -> f32 {
    let apart = rig.frames_at_30(1.0).max(1);
    let mut steps: Vec<f32> = clips
        .iter()
        .flat_map(|clip| (apart..clip.n_frames()).map(move |f| clip.rows.distance(f - apart, f)))
        .collect();
    let middle = steps.len() / 2;
    match steps.get(middle) {
        Some(_) => steps
            .select_nth_unstable_by(middle, f32::total_cmp)
            .1
            .max(1e-3),
        None => 1.0,
    }
}
