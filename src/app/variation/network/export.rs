//! The network of a model as files: DOT for Graphviz, CSV for tables, PNG to look at.

use std::sync::Arc;

use crate::app::shell::Shell;
use crate::app::shell::context::UiContext;
use crate::app::shell::files::contents::Contents;
use crate::app::shell::jobs::DeliveryTo;
use crate::app::shell::theme::Colours;
use crate::app::shell::work::Shown;
use crate::app::variation::network::ui::picture::{Wanted, picture};
use crate::app::variation::state::VariationWorkspace;
use crate::file::network::{edges_csv, network_dot};

/// The form in which a network is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NetworkFile {
    /// A graph for Graphviz.
    Dot,
    /// A table of all edges.
    Csv,
    /// The network as a picture.
    Png,
}

impl NetworkFile {
    /// In the order of the menu.
    pub const ALL: [Self; 3] = [Self::Dot, Self::Csv, Self::Png];

    /// In the menu, and what it says about itself.
    pub const fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Dot => ("Graph (DOT)…", "The network that is shown, for Graphviz"),
            Self::Csv => (
                "Table of edges (CSV)…",
                "All edges with coefficient, partial correlation and worth",
            ),
            Self::Png => ("Picture (PNG)…", "All of what is shown, with every name"),
        }
    }
}

impl VariationWorkspace {
    /// Makes a file of the network that is shown and asks where it goes.
    pub fn export_network(&mut self, cx: &mut UiContext, file: NetworkFile) {
        let Some((id, model)) = self.chosen_model(cx) else {
            return;
        };
        let name = cx.document().model(id).map(|model| model.name.clone());
        let name = name.unwrap_or_default().replace(['/', '\\'], "-");
        let worths = self.worths_of(&model);
        match file {
            NetworkFile::Dot => {
                let text = Contents::Text(network_dot(&model));
                cx.ask_where_to_write(&format!("{name} network.dot"), text);
            }
            NetworkFile::Csv => {
                let text = Contents::Text(edges_csv(&model));
                cx.ask_where_to_write(&format!("{name} edges.csv"), text);
            }
            NetworkFile::Png => {
                let view = &self.network;
                let wanted = Wanted {
                    is_matrix: view.is_matrix,
                    edges: view.edges,
                    selected: view.selected,
                    colours: if cx.preferences.is_light {
                        Colours::LIGHT
                    } else {
                        Colours::DARK
                    },
                };
                self.inbox
                    .start(cx, "draw the network", Shown::Quietly, move |_| {
                        let drawn = Arc::new(picture(&model, Some(&worths), wanted));
                        let delivery: DeliveryTo<Self> =
                            Box::new(move |_: &mut Self, shell: &mut Shell| {
                                let name = format!("{name} network.png");
                                shell.ask_where_to_write(&name, Contents::Picture(drawn));
                            });
                        Ok(delivery)
                    });
            }
        }
    }
}
