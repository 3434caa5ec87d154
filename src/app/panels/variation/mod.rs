//! The variation workspace: takes in, a model of how they vary, as many variants as one likes out.

pub(super) mod choose;
mod compare;
mod holding;
pub mod inspector;
mod likelihoods;
mod making;
mod models;
mod plots;
mod score;
mod takes;
mod variants;
mod wizard;

use std::collections::BTreeMap;

pub use compare::compare_ui;
pub use holding::holding_ui;
pub use inspector::{NetworkView, network_ui, node_ui};
pub use models::models_ui;
pub use plots::{PlotKind, PlotsView, plot_id, plots_ui};
pub use takes::{TakesView, takes_ui};
pub use variants::variants_ui;
pub use wizard::similar_ui;

use crate::app::work::variation::compare::CompareView;
use crate::app::work::variation::holding::HoldingView;
use crate::app::work::variation::known::KnownModels;
use crate::app::work::variation::live::Live;
use crate::app::work::variation::make::Batch;
use crate::app::work::variation::recipe::Recipe;
use crate::app::work::variation::similar::Wizard;
use crate::document::ModelId;

/// What the workspace remembers; gone when another project is opened. Variants that are not kept are here only.
#[derive(Debug)]
pub struct VariationView {
    /// What is learned from.
    pub takes: TakesView,
    /// The model that makes variants; none is the first there is.
    pub chosen: Option<ModelId>,
    /// What is known about models.
    pub known: KnownModels,
    /// How variants are made.
    pub recipe: Recipe,
    /// How many.
    pub count: usize,
    /// The variants of each model.
    pub batches: BTreeMap<ModelId, Batch>,
    /// The stream that runs.
    pub live: Option<Live>,
    /// Whether the 3D view shows the takes beside the variants.
    pub shows_inputs: bool,
    /// Whether it shows the takes of the model also before there are variants.
    pub shows_family: bool,
    /// Feet and hands of the variant that is looked at.
    pub holding: HoldingView,
    /// Noise and cycle animation beside the variants.
    pub compare: CompareView,
    /// The similarity wizard.
    pub wizard: Wizard,
    /// The plots.
    pub plots: PlotsView,
    /// The network inspector.
    pub network: NetworkView,
    renames: Option<(ModelId, String)>,
}

impl Default for VariationView {
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
            shows_family: false,
            holding: HoldingView::default(),
            compare: CompareView::default(),
            wizard: Wizard::default(),
            plots: PlotsView::default(),
            network: NetworkView::default(),
            renames: None,
        }
    }
}

/// What a button that shows only a sign is called.
pub(super) fn name_button(response: &egui::Response, words: &str) {
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, words));
}
