//! The whole network as a picture for a file: every name readable, nothing cut off.

use std::sync::Arc;

use egui::{ColorImage, Rect, Vec2};

use crate::app::shell::drawing::drawn;
use crate::app::shell::theme::Colours;
use crate::app::shell::ui::lens::Lens;
use crate::app::variation::network::Worths;
use crate::app::variation::network::ui::Edges;
use crate::app::variation::network::ui::graph::Graph;
use crate::app::variation::network::ui::matrix;
use crate::app::variation::network::ui::paint::Sheet;
use crate::variation::ClipModel;

/// Larger than on the screen.
const ZOOM: f32 = 1.6;
const MARGIN: f32 = 26.0;

/// What is in the picture.
#[derive(Debug, Clone, Copy)]
pub(in crate::app) struct Wanted {
    pub(in crate::app) is_matrix: bool,
    pub(in crate::app) edges: Edges,
    /// Its edges are lit.
    pub(in crate::app) selected: Option<usize>,
    pub(in crate::app) colours: Colours,
}

/// Draws all of a network.
pub(in crate::app) fn picture(
    model: &Arc<ClipModel>,
    worths: Option<&Worths>,
    wanted: Wanted,
) -> ColorImage {
    let graph = Graph::new(model, worths);
    let matching = vec![true; model.n_nodes()];
    let bounds = if wanted.is_matrix {
        matrix::bounds(&graph)
    } else {
        graph.bounds
    };
    let size = bounds.size() * ZOOM + 2.0 * Vec2::splat(MARGIN);
    let panel = Rect::from_min_size(egui::Pos2::ZERO, size);
    let lens = Lens {
        centre: bounds.center(),
        zoom: ZOOM,
    };
    drawn(size, wanted.colours.sunken, |painter| {
        if wanted.is_matrix {
            let seen = (lens, panel, wanted.colours);
            matrix::paint(painter, (&graph, model), seen, wanted.selected);
            return;
        }
        let sheet = Sheet {
            graph: &graph,
            model,
            lens,
            panel,
            colours: wanted.colours,
            focus: wanted.selected,
            selected: wanted.selected,
            matching: &matching,
            edges: wanted.edges,
        };
        sheet.paint(painter);
    })
}
