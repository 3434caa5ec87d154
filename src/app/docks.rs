//! Panels that can be dragged to other places.

use egui_tiles::{Container, Tile, TileId, Tiles, Tree, UiResponse};
use serde::{Deserialize, Serialize};

use crate::app::panels::{
    Stage, cleaning, cutting, inspector, library, sets, strokes, variation, viewport,
};
use crate::app::preferences::Workspace;
use crate::app::studio::Studio;
use crate::app::theme::Colours;

/// A panel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Pane {
    /// The table of clips.
    Clips,
    /// The 3D view.
    View,
    /// What is known about the active clip.
    Inspector,
    /// Sets of clips.
    Sets,
    /// Cleaning.
    Clean,
    /// Cutting.
    Cut,
    /// A pad to draw on.
    Strokes,
    /// What a model of variation learns from.
    Takes,
    /// Which clips are alike.
    Similar,
    /// Models of variation.
    Models,
    /// Variants: how they are made, and which.
    Variants,
    /// Curves of takes and variants.
    Plots,
    /// Who listens to whom in a model.
    Network,
    /// One node of it.
    Node,
    /// Variants beside noise.
    Compare,
    /// Feet and hands that stay in place.
    Holding,
}

impl Pane {
    /// On its tab.
    const fn title(self) -> &'static str {
        match self {
            Self::Clips => "Clips",
            Self::View => "3D view",
            Self::Inspector => "Inspector",
            Self::Sets => "Sets",
            Self::Clean => "Clean",
            Self::Cut => "Cut",
            Self::Strokes => "Strokes",
            Self::Takes => "Takes",
            Self::Similar => "Similar clips",
            Self::Models => "Models",
            Self::Variants => "Variants",
            Self::Plots => "Plots",
            Self::Network => "Network",
            Self::Node => "Node",
            Self::Compare => "Compare",
            Self::Holding => "Feet and hands",
        }
    }
}

/// The panels of a workspace as rows of tabs from left to right, each with its share of the width; none if it is not
/// built yet.
fn columns(workspace: Workspace) -> &'static [(f32, &'static [Pane])] {
    match workspace {
        Workspace::Library => &[
            (1.0, &[Pane::Clips, Pane::Sets]),
            (1.25, &[Pane::View, Pane::Strokes]),
            (0.75, &[Pane::Inspector, Pane::Clean, Pane::Cut]),
        ],
        Workspace::Variation => &[
            (
                1.0,
                &[Pane::Takes, Pane::Similar, Pane::Clips, Pane::Network],
            ),
            (1.15, &[Pane::View, Pane::Plots, Pane::Strokes]),
            (
                0.95,
                &[
                    Pane::Variants,
                    Pane::Models,
                    Pane::Node,
                    Pane::Holding,
                    Pane::Compare,
                ],
            ),
        ],
        Workspace::Pose | Workspace::Sequence | Workspace::Study => &[],
    }
}

/// Whether a workspace has panels already.
pub fn is_built(workspace: Workspace) -> bool {
    !columns(workspace).is_empty()
}

/// What there is on the left, what it looks like in the middle, what can be done to it on the right.
pub fn usual_layout(workspace: Workspace) -> Tree<Pane> {
    let mut tiles = Tiles::default();
    let columns: Vec<(f32, TileId)> = columns(workspace)
        .iter()
        .map(|(share, panes)| {
            let panes = panes.iter().map(|pane| tiles.insert_pane(*pane)).collect();
            (*share, tiles.insert_tab_tile(panes))
        })
        .collect();
    let root = tiles.insert_horizontal_tile(columns.iter().map(|column| column.1).collect());
    if let Some(Tile::Container(Container::Linear(linear))) = tiles.get_mut(root) {
        for (share, column) in columns {
            linear.shares.set_share(column, share);
        }
    }
    Tree::new(egui::Id::unique(workspace.name()), root, tiles)
}

/// Whether every panel of the workspace is there once: a layout of an older program may lack one.
pub fn is_whole(tree: &Tree<Pane>, workspace: Workspace) -> bool {
    let mut shown: Vec<Pane> = tree
        .tiles
        .tiles()
        .filter_map(|tile| match tile {
            Tile::Pane(pane) => Some(*pane),
            Tile::Container(_) => None,
        })
        .collect();
    shown.sort_unstable();
    let columns = columns(workspace).iter();
    let mut wanted: Vec<Pane> = columns
        .flat_map(|(_, panes)| panes.iter().copied())
        .collect();
    wanted.sort_unstable();
    tree.root().is_some() && shown == wanted
}

/// Shows a panel that may be behind others. Whether there is one.
pub fn bring_to_front(tree: &mut Tree<Pane>, pane: Pane) -> bool {
    tree.make_active(|_, tile| matches!(tile, Tile::Pane(found) if *found == pane))
}

/// Draws the panels with what they need.
pub struct Docks<'a> {
    /// What there is.
    pub studio: &'a mut Studio,
    /// The 3D view's pictures.
    pub stage: &'a mut Stage,
    /// The graphics card, if there is a window.
    pub gpu: Option<&'a egui_wgpu::RenderState>,
}

impl egui_tiles::Behavior<Pane> for Docks<'_> {
    fn pane_ui(&mut self, ui: &mut egui::Ui, _tile: TileId, pane: &mut Pane) -> UiResponse {
        let margin = match pane {
            Pane::View => 0,
            _ => 6,
        };
        let colours = Colours::of(ui);
        // Also where the panel has nothing to say.
        ui.painter().rect_filled(ui.max_rect(), 0.0, colours.panel);
        egui::Frame::NONE
            .inner_margin(margin)
            .show(ui, |ui| match pane {
                Pane::Clips => library::library_ui(ui, self.studio),
                Pane::View => viewport::viewport_ui(ui, self.studio, self.stage, self.gpu),
                Pane::Inspector => inspector::inspector_ui(ui, self.studio),
                Pane::Sets => sets::sets_ui(ui, self.studio),
                Pane::Clean => cleaning::cleaning_ui(ui, self.studio),
                Pane::Cut => cutting::cutting_ui(ui, self.studio),
                Pane::Strokes => strokes::strokes_ui(ui, self.studio),
                Pane::Takes => variation::takes_ui(ui, self.studio),
                Pane::Similar => variation::similar_ui(ui, self.studio),
                Pane::Models => variation::models_ui(ui, self.studio),
                Pane::Variants => variation::variants_ui(ui, self.studio),
                Pane::Plots => variation::plots_ui(ui, self.studio),
                Pane::Network => variation::network_ui(ui, self.studio),
                Pane::Node => variation::node_ui(ui, self.studio),
                Pane::Compare => variation::compare_ui(ui, self.studio),
                Pane::Holding => variation::holding_ui(ui, self.studio),
            });
        UiResponse::None
    }

    fn tab_title_for_pane(&mut self, pane: &Pane) -> egui::WidgetText {
        pane.title().into()
    }

    /// Several panels behind one tab are called by all their names, not "Vertical".
    fn tab_title_for_tile(&mut self, tiles: &Tiles<Pane>, tile: TileId) -> egui::WidgetText {
        let mut open = vec![tile];
        let mut titles = Vec::new();
        while let Some(tile) = open.pop() {
            match tiles.get(tile) {
                Some(Tile::Pane(pane)) => titles.push(pane.title()),
                Some(Tile::Container(container)) => open.extend(container.children().copied()),
                None => {}
            }
        }
        titles.reverse();
        titles.join(", ").into()
    }

    fn simplification_options(&self) -> egui_tiles::SimplificationOptions {
        egui_tiles::SimplificationOptions {
            all_panes_must_have_tabs: true,
            ..Default::default()
        }
    }

    fn gap_width(&self, _style: &egui::Style) -> f32 {
        3.0
    }

    fn min_size(&self) -> f32 {
        120.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_usual_layouts_are_whole_and_survive_being_kept() {
        for workspace in Workspace::ALL.into_iter().filter(|w| is_built(*w)) {
            let tree = usual_layout(workspace);
            assert!(is_whole(&tree, workspace), "{tree:?}");
            let text = ron::to_string(&tree).unwrap();
            let back: Tree<Pane> = ron::from_str(&text).unwrap();
            assert_eq!(back, tree);
            assert!(
                !is_whole(&Tree::empty(egui::Id::unique("none")), workspace),
                "an empty one is not"
            );
        }
        let library = usual_layout(Workspace::Library);
        assert!(
            !is_whole(&library, Workspace::Variation),
            "another workspace has other panels"
        );
    }
}
