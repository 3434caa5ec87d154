//! Which panel is drawn where: the docks of a workspace with what each panel needs.

use egui_tiles::{Tile, TileId, Tiles, UiResponse};

use crate::app::shell::docks::Pane;
use crate::app::shell::studio::Studio;
use crate::app::shell::theme::Colours;
use crate::app::viewport::stage::Stage;
use crate::app::{library, pose, variation, viewport};

/// Draws the panels with what they need.
pub(super) struct Docks<'a> {
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
                Pane::Clips => library::clips::ui::library_ui(ui, self.studio),
                Pane::View => viewport::ui::viewport_ui(ui, self.studio, self.stage, self.gpu),
                Pane::Inspector => library::inspector_ui::inspector_ui(ui, self.studio),
                Pane::Sets => library::sets::ui::sets_ui(ui, self.studio),
                Pane::Clean => library::cleaning::ui::cleaning_ui(ui, self.studio),
                Pane::Cut => library::cutting::ui::cutting_ui(ui, self.studio),
                Pane::Strokes => library::strokes::ui::strokes_ui(ui, self.studio),
                Pane::Takes => variation::takes::ui::takes_ui(ui, self.studio),
                Pane::Similar => variation::similar::ui::similar_ui(ui, self.studio),
                Pane::Models => variation::models::ui::models_ui(ui, self.studio),
                Pane::Variants => variation::variants::ui::variants_ui(ui, self.studio),
                Pane::Plots => variation::plots::ui::plots_ui(ui, self.studio),
                Pane::Network => variation::network::ui::network_ui(ui, self.studio),
                Pane::Node => variation::network::ui::node::node_ui(ui, self.studio),
                Pane::Compare => variation::compare::ui::compare_ui(ui, self.studio),
                Pane::Holding => variation::holds::ui::holding_ui(ui, self.studio),
                Pane::Styles => pose::styles::ui::styles_ui(ui, self.studio),
                Pane::Body => pose::handles::ui::body::body_ui(ui, self.studio),
                Pane::Map => pose::map::ui::map_ui(ui, self.studio),
                Pane::Poses => pose::poses::ui::poses_ui(ui, self.studio),
                Pane::Keys => pose::keys::ui::keys_ui(ui, self.studio),
                Pane::Picture => pose::picture::ui::picture_ui(ui, self.studio),
                Pane::Repair => pose::repair::ui::repair_ui(ui, self.studio),
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
