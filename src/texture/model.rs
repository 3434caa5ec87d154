//! The value that is learned, saved and played.

use nalgebra::DMatrix;
use rayon::prelude::*;

use super::annotation::{self, Annotation, Command, Span};
use super::corpus::{Corpus, CorpusClip, LabelledClip};
use super::error::TextureError;
use super::fallback;
use super::graph::{FrameGraph, FrameId, Transition};
use super::passes::{self, Pass, Window};
use super::search::{FloorTrack, SearchCorpus};
use super::sections::{self, Fit, Section};
use super::settings::TextureSettings;
use super::spread;
use super::system::System;
use super::transitions::{self, Slices};
use super::upper::SystemGraph;
use crate::jobs::Ticket;
use crate::motion::path;

/// An annotated texture graph: systems above, frames and transitions below.
#[derive(Debug, Clone, PartialEq)]
pub struct Texture {
    settings: TextureSettings,
    corpus: Corpus,
    sections: Vec<Section>,
    systems: Vec<System>,
    corpus_system: System,
    threshold: f64,
    graph: FrameGraph,
    tracks: Vec<FloorTrack>,
    /// The height at which toes stand.
    toe_floor: f64,
    annotations: Vec<Annotation>,
    /// For each label, how many times as large as its systems say deviations have to be.
    spreads: Vec<f64>,
    upper: SystemGraph,
    windows: Vec<Window>,
}

/// What it took to learn a texture, for saving and opening: the rest follows from these.
#[derive(Debug, Clone, PartialEq)]
pub struct TextureParts {
    /// How it was learned.
    pub settings: TextureSettings,
    /// The clips as they were prepared: mended, at one rate, with contacts.
    pub clips: Vec<LabelledClip>,
    /// Frames of joints that were mended before.
    pub n_mended: usize,
    /// Stretches of clips with their systems.
    pub sections: Vec<Section>,
    /// The distance up to which transitions were kept.
    pub threshold: f64,
    /// All transitions of the graph.
    pub transitions: Vec<Transition>,
    /// How takes pass each other; they are looked for again if they are not known.
    pub windows: Option<Vec<Window>>,
    /// How large deviations are, label by label; found again if they are not known.
    pub spreads: Option<Vec<f64>>,
    /// Spans of clips that were named by hand.
    pub annotations: Vec<Annotation>,
}

/// What was learned, in numbers.
#[derive(Debug, Clone, PartialEq)]
pub struct TextureSummary {
    /// Frames of all clips.
    pub n_frames: usize,
    /// Those in sections whose system predicts other takes well enough.
    pub n_covered: usize,
    /// Those that no other take of the same label passes.
    pub n_alone: usize,
    /// Those whose system predicts worse, even over the shortest section.
    pub n_too_far: usize,
    /// Those that are left out, because joints jump.
    pub n_left_out: usize,
    /// Frames of joints that were mended.
    pub n_mended: usize,
    /// Into how many sections the clips were cut.
    pub n_sections: usize,
    /// Numbers of a state.
    pub n_dims: usize,
    /// Mean prediction error of other takes over a section, in degrees.
    pub error_deg: f64,
}

impl TextureParts {
    /// Refuses parts that do not fit their clips.
    fn check(&self, corpus: &Corpus) -> Result<(), TextureError> {
        let n_frames = n_frames(corpus);
        let mut last = (0, 0);
        for section in &self.sections {
            let is_inside = n_frames
                .get(section.clip)
                .is_some_and(|&n| section.frames.end <= n);
            let follows = (section.clip, section.frames.start) >= last;
            if !is_inside || !follows || section.frames.is_empty() {
                return Err(TextureError::Parts(
                    "sections must lie in their clips, in order",
                ));
            }
            last = (section.clip, section.frames.end);
        }
        if self
            .sections
            .iter()
            .any(|s| s.system >= self.sections.len())
        {
            return Err(TextureError::Parts("there are more systems than sections"));
        }
        let inside = |at: FrameId| n_frames.get(at.clip).is_some_and(|&n| at.frame < n);
        let is_sound = |t: &Transition| inside(t.from) && inside(t.to) && t.distance.is_finite();
        if !self.transitions.iter().all(is_sound) || !self.threshold.is_finite() {
            return Err(TextureError::Parts(
                "transitions must lead from frame to frame",
            ));
        }
        let is_inside = |w: &Window| {
            let of = |clip: usize| n_frames.get(clip).copied().unwrap_or(0);
            let last = |p: &Pass| of(p.clip) as f64 - 1.0;
            let in_clip = |p: &Pass| p.moments.iter().all(|m| (0.0..=last(p)).contains(m));
            let is_whole = |p: &Pass| p.moments.len() == w.frames.len() && in_clip(p);
            !w.frames.is_empty() && w.frames.end <= of(w.clip) && w.passes.iter().all(is_whole)
        };
        if !self.windows.iter().flatten().all(is_inside) {
            return Err(TextureError::Parts("passing takes must lie in their clips"));
        }
        let n_labels = corpus.labels.len();
        let fits = |s: &Vec<f64>| s.len() == n_labels && s.iter().all(|s| s.is_finite());
        if !self.spreads.as_ref().is_none_or(fits) {
            return Err(TextureError::Parts(
                "there must be one spread for each label",
            ));
        }
        self.annotations.iter().try_for_each(|a| a.check(corpus))
    }
}

impl Texture {
    /// Learns from clips on one skeleton.
    pub fn learn(
        clips: &[LabelledClip],
        settings: &TextureSettings,
        ticket: &Ticket,
    ) -> Result<Self, TextureError> {
        settings.check()?;
        let corpus = Corpus::new(clips, ticket)?;
        ticket.step(0.1)?;
        let windows = passes::windows(&corpus, ticket)?;
        ticket.step(0.2)?;
        let corpus_system = corpus_system(&corpus, &windows)?;
        let sections = sections::cut(&corpus, &windows, &corpus_system, settings, &|done| {
            ticket.step(0.2 + 0.2 * done)
        })?;
        let systems = sections::systems(&corpus, &windows, &corpus_system, &sections, settings)?;
        ticket.step(0.4)?;
        let slices = Slices::new(&corpus, &sections, &systems)?;
        let threshold = settings
            .threshold
            .unwrap_or_else(|| transitions::threshold(&slices, &windows));
        let mut found = transitions::find(&slices, &sections, threshold, &|done| {
            ticket.step(0.4 + 0.5 * done)
        })?;
        let n_frames = n_frames(&corpus);
        let near = FrameGraph::new(&n_frames, found.clone());
        found.extend(fallback::find(&slices, &near));
        for transition in &mut found {
            // As files keep it.
            transition.distance = f64::from(transition.distance as f32);
        }
        ticket.step(0.9)?;
        let graph = FrameGraph::new(&n_frames, found);
        let tracks = tracks(&corpus, &[]);
        let mut texture = Self {
            settings: settings.clone(),
            upper: upper(
                &corpus,
                &sections,
                systems.len(),
                &graph,
                threshold,
                &tracks,
            ),
            graph,
            tracks,
            toe_floor: toe_floor(&corpus),
            annotations: Vec::new(),
            spreads: vec![1.0; corpus.labels.len()],
            sections,
            systems,
            corpus_system,
            threshold,
            corpus,
            windows,
        };
        texture.spreads = spread::learn(&texture, ticket)?;
        Ok(texture)
    }

    /// Opens what was saved: coordinates and systems are found again from clips and sections.
    pub fn from_parts(parts: &TextureParts, ticket: &Ticket) -> Result<Self, TextureError> {
        parts.settings.check()?;
        let corpus = Corpus::of(&parts.clips, parts.n_mended, ticket)?;
        parts.check(&corpus)?;
        ticket.step(0.3)?;
        let windows = match &parts.windows {
            Some(windows) => windows.clone(),
            None => passes::windows(&corpus, ticket)?,
        };
        ticket.step(0.4)?;
        let corpus_system = corpus_system(&corpus, &windows)?;
        let (sections, settings) = (parts.sections.clone(), parts.settings.clone());
        let systems = sections::systems(&corpus, &windows, &corpus_system, &sections, &settings)?;
        ticket.step(0.8)?;
        let graph = FrameGraph::new(&n_frames(&corpus), parts.transitions.clone());
        let tracks = tracks(&corpus, &parts.annotations);
        let threshold = parts.threshold;
        let mut texture = Self {
            spreads: vec![1.0; corpus.labels.len()],
            upper: upper(
                &corpus,
                &sections,
                systems.len(),
                &graph,
                threshold,
                &tracks,
            ),
            systems,
            graph,
            tracks,
            toe_floor: toe_floor(&corpus),
            annotations: parts.annotations.clone(),
            threshold: parts.threshold,
            settings,
            sections,
            corpus_system,
            corpus,
            windows,
        };
        texture.spreads = match &parts.spreads {
            Some(spreads) => spreads.clone(),
            None => spread::learn(&texture, ticket)?,
        };
        Ok(texture)
    }

    /// The same for those who show no progress and cannot be stopped.
    pub fn reopened(parts: &TextureParts) -> Result<Self, TextureError> {
        Self::from_parts(parts, &Ticket::default())
    }

    /// What has to be saved.
    pub fn parts(&self) -> TextureParts {
        TextureParts {
            settings: self.settings.clone(),
            clips: self.corpus.prepared(),
            n_mended: self.corpus.n_mended,
            sections: self.sections.clone(),
            threshold: self.threshold,
            transitions: self.graph.transitions().to_vec(),
            windows: Some(self.windows.clone()),
            spreads: Some(self.spreads.clone()),
            annotations: self.annotations.clone(),
        }
    }

    /// The same with one more name, or with a name for other frames.
    pub fn annotated(mut self, name: &str, spans: Vec<Span>) -> Result<Self, TextureError> {
        let annotation = Annotation {
            name: name.to_owned(),
            spans,
        };
        annotation.check(&self.corpus)?;
        self.annotations.retain(|a| a.name != name);
        self.annotations.push(annotation);
        self.tracks = tracks(&self.corpus, &self.annotations);
        self.upper = upper(
            &self.corpus,
            &self.sections,
            self.systems.len(),
            &self.graph,
            self.threshold,
            &self.tracks,
        );
        Ok(self)
    }

    /// How it was learned.
    pub fn settings(&self) -> &TextureSettings {
        &self.settings
    }

    /// The clips with their common coordinates.
    pub fn corpus(&self) -> &Corpus {
        &self.corpus
    }

    /// Stretches of clips, by clip and then by frame.
    pub fn sections(&self) -> &[Section] {
        &self.sections
    }

    /// One for each cluster.
    pub fn systems(&self) -> &[System] {
        &self.systems
    }

    /// The one that all are drawn towards.
    pub fn corpus_system(&self) -> &System {
        &self.corpus_system
    }

    /// For each label, how many times as large as its systems say deviations are drawn.
    pub fn spreads(&self) -> &[f64] {
        &self.spreads
    }

    /// The transitions between frames of the clips.
    pub fn graph(&self) -> &FrameGraph {
        &self.graph
    }

    /// Systems, and which lead to which.
    pub fn upper(&self) -> &SystemGraph {
        &self.upper
    }

    /// The largest distance of a transition; only those that would be missing otherwise are beyond it.
    pub fn threshold(&self) -> f64 {
        self.threshold
    }

    /// Whether no transition up to the threshold leads from one frame to another.
    pub fn is_fallback(&self, from: FrameId, to: FrameId) -> bool {
        let mut leaving = self.graph.leaving(from).iter();
        !leaving.any(|t| t.to == to && t.distance <= self.threshold)
    }

    /// Names that were given by hand.
    pub fn annotations(&self) -> &[Annotation] {
        &self.annotations
    }

    /// All that can be asked for.
    pub fn commands(&self) -> Vec<Command> {
        let marks: Vec<Vec<usize>> = self.tracks.iter().map(|t| t.labels.clone()).collect();
        annotation::commands(&self.corpus, &self.annotations, &marks)
    }

    /// One thing that can be asked for.
    pub fn command(&self, name: &str) -> Result<Command, TextureError> {
        let commands = self.commands();
        let found = commands.iter().find(|c| c.name == name);
        found.cloned().ok_or_else(|| TextureError::NoSuchAction {
            wanted: name.to_owned(),
            known: commands
                .iter()
                .map(|c| c.name.as_str())
                .collect::<Vec<_>>()
                .join(", "),
        })
    }

    /// The command that a mark of a frame stands for: the name given by hand, else the label.
    pub fn name_of_mark(&self, mark: usize) -> &str {
        let n_labels = self.corpus.labels.len();
        match (mark / n_labels).checked_sub(1) {
            Some(nth) => &self.annotations[nth].name,
            None => &self.corpus.labels[mark],
        }
    }

    /// What searches for motions are given.
    pub fn search(&self) -> SearchCorpus<'_> {
        SearchCorpus::new(&self.tracks, &self.graph, self.corpus.fps())
    }

    /// The section of a frame, if it is in one.
    pub(super) fn section_at(&self, at: FrameId) -> Option<&Section> {
        let after = self
            .sections
            .partition_point(|s| (s.clip, s.frames.start) <= (at.clip, at.frame));
        let section = &self.sections[after.checked_sub(1)?];
        let is_inside = section.clip == at.clip && section.frames.contains(&at.frame);
        is_inside.then_some(section)
    }

    /// The system of a frame; that of the corpus for frames in no section.
    pub fn system_at(&self, at: FrameId) -> &System {
        match self.section_at(at) {
            Some(section) => &self.systems[section.system],
            None => &self.corpus_system,
        }
    }

    /// How takes pass each other.
    pub(super) fn windows(&self) -> &[Window] {
        &self.windows
    }

    /// What a system was fitted to, but for what a clip has part in.
    pub(super) fn differences_without(&self, system: usize, clip: usize) -> Vec<DMatrix<f64>> {
        let others = self.sections.iter();
        let others = others.filter(|s| s.system == system && s.clip != clip);
        sections::differences_without(&self.corpus, &self.windows, others, clip)
    }

    /// The height at which toes stand, in units of the clips.
    pub fn toe_floor(&self) -> f64 {
        self.toe_floor
    }

    /// What was learned, in numbers.
    pub fn summary(&self) -> TextureSummary {
        let count = |wanted: &dyn Fn(Fit) -> bool| {
            let own = self.sections.iter().filter(|s| wanted(s.fit));
            own.map(|s| s.frames.len()).sum::<usize>()
        };
        let n_frames = self.corpus.n_frames();
        let in_sections = count(&|_| true);
        let (mut error, mut weight) = (0.0, 0.0);
        for section in &self.sections {
            if let Fit::Predicted(deg) | Fit::TooFar(deg) = section.fit {
                error += deg * section.frames.len() as f64;
                weight += section.frames.len() as f64;
            }
        }
        TextureSummary {
            n_frames,
            n_covered: count(&Fit::is_covered),
            n_alone: count(&|fit| fit == Fit::Alone),
            n_too_far: count(&|fit| matches!(fit, Fit::TooFar(_))),
            n_left_out: n_frames - in_sections,
            n_mended: self.corpus.n_mended,
            n_sections: self.sections.len(),
            n_dims: self.corpus.n_dims(),
            error_deg: error / f64::max(weight, 1.0),
        }
    }
}

fn corpus_system(corpus: &Corpus, windows: &[Window]) -> Result<System, TextureError> {
    let passes = windows
        .iter()
        .flat_map(|w| w.passes.iter().map(move |p| (w, p)));
    let differences: Vec<_> = passes.map(|(w, p)| w.difference(corpus, p)).collect();
    System::corpus(&differences, corpus.n_dims(), corpus.fps())
}

fn upper(
    corpus: &Corpus,
    sections: &[Section],
    n_systems: usize,
    graph: &FrameGraph,
    threshold: f64,
    tracks: &[FloorTrack],
) -> SystemGraph {
    SystemGraph::new(n_systems, sections, graph, threshold, tracks, corpus.fps())
}

fn toe_floor(corpus: &Corpus) -> f64 {
    let clips: Vec<_> = corpus.clips.iter().map(|c| &*c.join.clip).collect();
    path::toe_floor(&clips).unwrap_or_default()
}

fn n_frames(corpus: &Corpus) -> Vec<usize> {
    corpus.clips.iter().map(|c| c.is_clean.len()).collect()
}

fn tracks(corpus: &Corpus, annotations: &[Annotation]) -> Vec<FloorTrack> {
    let heading = &corpus.rig.metric.heading;
    let metres = corpus.rig.metric.metres;
    let floor = toe_floor(corpus);
    let marks = annotation::marks(corpus, annotations);
    let clips = corpus.clips.par_iter().zip(marks);
    let of = |(clip, marks): (&CorpusClip, Vec<usize>)| {
        let clip = &clip.join.clip;
        FloorTrack {
            labels: marks,
            ..FloorTrack::of_clip(clip, heading, metres, 0).with_slides(clip, floor, metres)
        }
    };
    clips.map(of).collect()
}
