//! Panels that can be dragged to other places.

use egui_tiles::{Container, Tile, TileId, Tiles, Tree, UiResponse};
use serde::{Deserialize, Serialize};

use crate::app::panels::{Stage, cleaning, cutting, inspector, library, sets, strokes, viewport};
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
    /// Sets of clips.
    Sets,
    /// Cleaning.
    Clean,
    /// Cutting.
    Cut,
    /// A pad to draw on.
    Strokes,
}

impl Pane {
    const ALL: [Self; 7] = [
        Self::Clips,
        Self::View,
        Self::Inspector,
        Self::Sets,
        Self::Clean,
        Self::Cut,
        Self::Strokes,
    ];
}

/// What there is on the left, what it looks like in the middle, what can be done to it on the right.
pub fn usual_layout() -> Tree<Pane> {
    let mut tiles = Tiles::default();
    let mut tabs = |panes: &[Pane]| {
        let panes = panes.iter().map(|pane| tiles.insert_pane(*pane)).collect();
        tiles.insert_tab_tile(panes)
    };
    let left = tabs(&[Pane::Clips, Pane::Sets]);
    let middle = tabs(&[Pane::View, Pane::Strokes]);
    let right = tabs(&[Pane::Inspector, Pane::Clean, Pane::Cut]);
    let root = tiles.insert_horizontal_tile(vec![left, middle, right]);
    let mut share = |container, child, share| {
        if let Some(Tile::Container(Container::Linear(linear))) = tiles.get_mut(container) {
            linear.shares.set_share(child, share);
        }
    };
    share(root, left, 1.0);
    share(root, middle, 1.25);
    share(root, right, 0.75);
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

/// Shows a panel that may be behind others.
pub fn bring_to_front(tree: &mut Tree<Pane>, pane: Pane) {
    tree.make_active(|_, tile| matches!(tile, Tile::Pane(found) if *found == pane));
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
        egui::Frame::NONE
            .fill(colours.panel)
            .inner_margin(margin)
            .show(ui, |ui| match pane {
                Pane::Clips => library::library_ui(ui, self.studio),
                Pane::View => viewport::viewport_ui(ui, self.studio, self.stage, self.gpu),
                Pane::Inspector => inspector::inspector_ui(ui, self.studio),
                Pane::Sets => sets::sets_ui(ui, self.studio),
                Pane::Clean => cleaning::cleaning_ui(ui, self.studio),
                Pane::Cut => cutting::cutting_ui(ui, self.studio),
                Pane::Strokes => strokes::strokes_ui(ui, self.studio),
            });
        UiResponse::None
    }

    fn tab_title_for_pane(&mut self, pane: &Pane) -> egui::WidgetText {
        match pane {
            Pane::Clips => "Clips",
            Pane::View => "3D view",
            Pane::Inspector => "Inspector",
            Pane::Sets => "Sets",
            Pane::Clean => "Clean",
            Pane::Cut => "Cut",
            Pane::Strokes => "Strokes",
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
