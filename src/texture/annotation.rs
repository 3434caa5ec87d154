//! What motions are called, and what can be asked for (Gao and Hong 2007, section 2.2).
//!
//! Every clip has a label. By hand, frames of clips can get a name of their own, also for a compound action ("walk,
//! then turn right"); they still count as what their clip is called. The names are the command set.

use std::ops::Range;

use super::corpus::Corpus;
use super::error::TextureError;

/// Frames of a clip that have a name of their own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Span {
    /// Index of the clip.
    pub clip: usize,
    /// The frames of the clip.
    pub frames: Range<usize>,
}

/// A name that was given by hand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Annotation {
    /// Such as "walk, then turn right".
    pub name: String,
    /// Where it is performed.
    pub spans: Vec<Span>,
}

/// Something that can be asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Command {
    /// What it is called.
    pub name: String,
    /// The marks of the frames that perform it.
    pub marks: Vec<usize>,
    /// How many frames those are.
    pub n_frames: usize,
    /// For compound actions the longest performance, which is played as a whole.
    pub whole: Option<usize>,
}

impl Annotation {
    /// Refuses frames that are not there.
    pub(super) fn check(&self, corpus: &Corpus) -> Result<(), TextureError> {
        for span in &self.spans {
            let clip = corpus.clips.get(span.clip);
            let n_frames = clip.map_or(0, |c| c.is_clean.len());
            if span.frames.is_empty() || span.frames.end > n_frames {
                let name = clip.map_or_else(
                    || format!("clip {}", span.clip),
                    |c| c.join.clip.info.name.clone(),
                );
                return Err(TextureError::Span {
                    clip: name,
                    n_frames,
                    from: span.frames.start,
                    to: span.frames.end,
                });
            }
        }
        Ok(())
    }
}

/// A mark for every frame of every clip: one for each label, then one for each annotation and label under it.
pub(super) fn marks(corpus: &Corpus, annotations: &[Annotation]) -> Vec<Vec<usize>> {
    let n_labels = corpus.labels.len();
    let clips = corpus.clips.iter();
    let mut marks: Vec<Vec<usize>> = clips.map(|c| vec![c.label; c.is_clean.len()]).collect();
    for (nth, annotation) in annotations.iter().enumerate() {
        for span in &annotation.spans {
            let label = corpus.clips[span.clip].label;
            marks[span.clip][span.frames.clone()].fill((nth + 1) * n_labels + label);
        }
    }
    marks
}

/// All that can be asked for: the labels, then the annotations.
pub(super) fn commands(
    corpus: &Corpus,
    annotations: &[Annotation],
    marks: &[Vec<usize>],
) -> Vec<Command> {
    let n_labels = corpus.labels.len();
    let count = |wanted: &[usize]| {
        let all = marks.iter().flatten();
        all.filter(|mark| wanted.contains(mark)).count()
    };
    let labels = corpus.labels.iter().enumerate().map(|(label, name)| {
        // What has another name by hand is still what its clip is called.
        let own: Vec<usize> = (0..=annotations.len())
            .map(|n| n * n_labels + label)
            .collect();
        Command {
            name: name.clone(),
            n_frames: count(&own),
            marks: own,
            whole: None,
        }
    });
    let by_hand = annotations.iter().enumerate().map(|(nth, annotation)| {
        let from = (nth + 1) * n_labels;
        let own: Vec<usize> = (from..from + n_labels).collect();
        Command {
            name: annotation.name.clone(),
            n_frames: count(&own),
            marks: own,
            whole: annotation.spans.iter().map(|s| s.frames.len()).max(),
        }
    });
    labels.chain(by_hand).collect()
}
