//! Panels that can be dragged to other places.

use egui_tiles::{Container, Tile, TileId, Tiles, Tree, UiResponse};
use serde::{Deserialize, Serialize};

use crate::app::panels::{Stage, inspector, library, viewport};
use crate::app::studio::Studio;
use crate::app::theme::Colours;

/// A panel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Pane {
    /// The table of clips.
    Clips,
    /// The 3D view.
    View,
    /// What is known about the active clip.
    Inspector,
}

impl Pane {
    const ALL: [Self; 3] = [Self::Clips, Self::View, Self::Inspector];
}

/// Clips and inspector on the left, the 3D view on the right.
pub fn usual_layout() -> Tree<Pane> {
    let mut tiles = Tiles::default();
    let clips = tiles.insert_pane(Pane::Clips);
    let inspector = tiles.insert_pane(Pane::Inspector);
    let view = tiles.insert_pane(Pane::View);
    let left = tiles.insert_vertical_tile(vec![clips, inspector]);
    let root = tiles.insert_horizontal_tile(vec![left, view]);
    let mut share = |container, child, share| {
        if let Some(Tile::Container(Container::Linear(linear))) = tiles.get_mut(container) {
            linear.shares.set_share(child, share);
        }
    };
    share(root, left, 0.85);
    share(root, view, 1.15);
    share(left, clips, 1.25);
    share(left, inspector, 0.75);
    Tree::new(egui::Id::unique("docks"), root, tiles)
}

/// Whether every panel is there once: a layout of an older program may lack one.
pub fn is_whole(tree: &Tree<Pane>) -> bool {
    let shown: Vec<Pane> = tree
        .tiles
        .tiles()
        .filter_map(|tile| match tile {
            Tile::Pane(pane) => Some(*pane),
            Tile::Container(_) => None,
        })
        .collect();
    tree.root().is_some()
        && shown.len() == Pane::ALL.len()
        && Pane::ALL.iter().all(|pane| shown.contains(pane))
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
            Pane::Clips | Pane::Inspector => 6,
        };
        let colours = Colours::of(ui);
        egui::Frame::NONE
            .fill(colours.panel)
            .inner_margin(margin)
            .show(ui, |ui| match pane {
                Pane::Clips => library::library_ui(ui, self.studio),
                Pane::View => viewport::viewport_ui(ui, self.studio, self.stage, self.gpu),
                Pane::Inspector => inspector::inspector_ui(ui, self.studio),
            });
        UiResponse::None
    }

    fn tab_title_for_pane(&mut self, pane: &Pane) -> egui::WidgetText {
        match pane {
            Pane::Clips => "Clips",
            Pane::View => "3D view",
            Pane::Inspector => "Inspector",
        }
        .into()
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
    fn the_usual_layout_is_whole_and_survives_being_kept() {
        let tree = usual_layout();
        assert!(is_whole(&tree), "{tree:?}");
        let text = ron::to_string(&tree).unwrap();
        let back: Tree<Pane> = ron::from_str(&text).unwrap();
        assert_eq!(back, tree);
        assert!(
            !is_whole(&Tree::empty(egui::Id::unique("none"))),
            "an empty one is not"
        );
    }
}
