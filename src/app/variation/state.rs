//! The variation workspace: takes in, a model of how they vary, as many variants as one likes out.

use std::collections::BTreeMap;

use crate::app::shell::Shell;
use crate::app::shell::jobs::Inbox;
use crate::app::shell::requests::Requests;
use crate::app::variation::compare::CompareView;
use crate::app::variation::holds::HoldingView;
use crate::app::variation::models::known::KnownModels;
use crate::app::variation::network::ui::NetworkView;
use crate::app::variation::plots::view::PlotsView;
use crate::app::variation::similar::Wizard;
use crate::app::variation::takes::view::TakesView;
use crate::app::variation::variants::batch::Batch;
use crate::app::variation::variants::live::Live;
use crate::app::variation::variants::recipe::Recipe;
use crate::document::ModelId;

/// What the workspace remembers; gone when another project is opened. Variants that are not kept are here only.
#[derive(Debug)]
pub struct VariationWorkspace {
    /// What is learned from.
    pub takes: TakesView,
    /// The model that makes variants; none is the first there is.
    pub chosen: Option<ModelId>,
    /// What is known about models.
    pub known: KnownModels,
    /// How variants are made.
    pub recipe: Recipe,
    /// How many variants are made at once.
    pub count: usize,
    /// The variants of each model.
    pub batches: BTreeMap<ModelId, Batch>,
    /// The stream that runs.
    pub live: Option<Live>,
    /// Whether the 3D view shows the takes beside the variants.
    pub shows_inputs: bool,
    /// Whether it shows only the variant that is looked at.
    pub is_solo: bool,
    /// Whether it shows the takes of the model also before there are variants.
    pub shows_family: bool,
    /// Feet and hands of the variant that is looked at.
    pub holding: HoldingView,
    /// Noise and cycle animation beside the variants.
    pub compare: CompareView,
    /// The wizard that finds clips like some that are known.
    pub wizard: Wizard,
    /// Curves of takes and variants.
    pub plots: PlotsView,
    /// The network inspector: graph, matrix, selected node or edge.
    pub network: NetworkView,
    pub(in crate::app::variation) renames: Option<(ModelId, String)>,
    pub(in crate::app::variation) inbox: Inbox<Self>,
    /// What panels want done.
    pub requests: Requests<Request>,
}

impl Default for VariationWorkspace {
    fn default() -> Self {
        Self {
            takes: TakesView::default(),
            chosen: None,
            known: KnownModels::default(),
            recipe: Recipe::default(),
            count: 15,
            batches: BTreeMap::new(),
            live: None,
            shows_inputs: true,
            is_solo: false,
            shows_family: false,
            holding: HoldingView::default(),
            compare: CompareView::default(),
            wizard: Wizard::default(),
            plots: PlotsView::default(),
            network: NetworkView::default(),
            renames: None,
            inbox: Inbox::default(),
            requests: Requests::default(),
        }
    }
}

/// What a panel of the workspace wants done that needs the document.
#[derive(Debug)]
pub enum Request {
    /// Makes clips of these variants of the chosen model.
    KeepVariants(Vec<usize>),
    /// Makes a set of the clips that were found to be similar.
    KeepSimilar,
}

impl VariationWorkspace {
    /// Does what was asked for, and takes what jobs have brought.
    pub(in crate::app) fn answer_all(&mut self, shell: &mut Shell) {
        while let Some(delivery) = self.inbox.next(shell) {
            delivery(self, shell);
        }
        for request in self.requests.take() {
            match request {
                Request::KeepVariants(places) => self.keep_variants(shell, &places),
                Request::KeepSimilar => self.keep_similar(shell),
            }
        }
    }
}
