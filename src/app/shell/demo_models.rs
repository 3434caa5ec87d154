//! The demo: its clips at once, and models of them, learned in the background, so that every workspace has something to
//! show.

use std::sync::Arc;

use crate::demo::{Action, DemoClip, tour};
use crate::document::{ClipId, Document, DocumentParts};
use crate::jobs::Ticket;
use crate::motion::{Clip, edit};
use crate::style::{self, Style};
use crate::texture::{LabelledClip, Texture, TextureSettings};
use crate::variation::{self, ClipModel};

/// The job, as the status bar names it.
pub(super) const LEARN: &str = "learn the models of the demo";

/// Walks that the model is learned from; the others are held back, to compare with.
const N_TAKES: usize = 4;

/// Textures are planned at this rate.
const TEXTURE_FPS: f64 = 30.0;

/// What is learned from the demo's clips.
#[derive(Debug, Clone)]
pub struct DemoModels {
    /// Walks, by number: those the model is learned from, and those it has not seen.
    pub walks: [Vec<ClipId>; 2],
    /// Of the first walks.
    pub walk: Arc<ClipModel>,
    /// A style of punches.
    pub boxing: Arc<Style>,
    /// Of the long takes.
    pub takes: Arc<Texture>,
}

/// How much of the demo is opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum DemoScope {
    /// Only the clips of the demo.
    #[default]
    Clips,
    /// Models of them as well, and something in every workspace.
    Project,
}

impl DemoModels {
    /// `clips` are those of the document, in its order: the numbers count from 1.
    pub(super) fn learn(clips: &[DemoClip], ticket: &Ticket) -> anyhow::Result<Self> {
        let of = |wanted: &[Action]| {
            let numbered = (1..).map(ClipId).zip(clips);
            let own = numbered.filter(|(_, demo)| wanted.contains(&demo.action));
            own.map(|(id, demo)| (id, &demo.clip)).collect::<Vec<_>>()
        };
        let only = |clips: Vec<(ClipId, &'_ Clip)>| -> Vec<Clip> {
            clips.into_iter().map(|(_, clip)| clip.clone()).collect()
        };
        let walks = of(&[Action::Walk]);
        let ids: Vec<ClipId> = walks.iter().map(|(id, _)| *id).collect();
        let (learned_from, held_back) = ids.split_at(N_TAKES.min(ids.len()));
        let takes: Vec<&Clip> = walks.iter().take(N_TAKES).map(|(_, clip)| *clip).collect();
        let walk = ClipModel::learn(&takes, &variation::LearnSettings::default(), ticket)?;
        let punches = only(of(&tour::BOXING));
        let punches: Vec<&Clip> = punches.iter().collect();
        let boxing = Style::learn(&punches, &style::LearnSettings::default(), ticket)?;
        let labelled = |(action, label): (Action, &str)| {
            let own = of(&[action]);
            let own = own.into_iter().map(|(_, clip)| {
                Ok(LabelledClip {
                    clip: Arc::new(edit::resample(clip, TEXTURE_FPS)?),
                    label: label.to_owned(),
                })
            });
            own.collect::<anyhow::Result<Vec<LabelledClip>>>()
        };
        let mut long = labelled((Action::WalkTake, "walk"))?;
        long.extend(labelled((Action::MixedTake, "mixed"))?);
        let texture = Texture::learn(&long, &TextureSettings::default(), ticket)?;
        Ok(Self {
            walks: [learned_from.to_vec(), held_back.to_vec()],
            walk: Arc::new(walk),
            boxing: Arc::new(boxing),
            takes: Arc::new(texture),
        })
    }
}

/// The clips as a project.
pub(super) fn document_of(clips: &[DemoClip]) -> anyhow::Result<Document> {
    let numbered = (1..).map(ClipId).zip(clips);
    Ok(Document::from_parts(DocumentParts {
        name: "Demo".to_owned(),
        notes: String::new(),
        next_number: clips.len() as u64 + 1,
        clips: numbered
            .map(|(id, demo)| (id, Arc::new(demo.clip.clone())))
            .collect(),
        ..DocumentParts::default()
    })?)
}
