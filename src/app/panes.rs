//! Which panel is drawn where: the docks of a workspace with what each panel needs.

use egui_tiles::{Tile, TileId, Tiles, UiResponse};

use crate::app::library::state::LibraryWorkspace;
use crate::app::pose::state::PoseWorkspace;
use crate::app::sequence::state::SequenceWorkspace;
use crate::app::shell::context::UiContext;
use crate::app::shell::pane::Pane;
use crate::app::shell::theme::Colours;
use crate::app::study::state::StudyWorkspace;
use crate::app::variation::state::VariationWorkspace;
use crate::app::viewport::stage::Stage;
use crate::app::viewport::state::ViewportState;
use crate::app::{library, pose, sequence, study, variation, viewport};

/// Draws the panels with what they need.
pub(super) struct Docks<'a> {
    /// What the panels of all workspaces read, and the requests they queue.
    pub cx: &'a mut UiContext,
    /// State of the library workspace.
    pub library: &'a mut LibraryWorkspace,
    /// State of the variation workspace.
    pub variation: &'a mut VariationWorkspace,
    /// State of the pose workspace.
    pub pose: &'a mut PoseWorkspace,
    /// State of the sequence workspace.
    pub sequence: &'a mut SequenceWorkspace,
    /// State of the study workspace.
    pub study: &'a mut StudyWorkspace,
    /// State of the 3D view that is drawn last, and its scene.
    pub viewport: &'a mut ViewportState,
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
                Pane::Clips => library::clips::ui::library_ui(ui, self.cx, self.library),
                Pane::View => self.view_ui(ui),
                Pane::Inspector => library::inspector_ui::inspector_ui(ui, self.cx),
                Pane::Sets => library::sets::ui::sets_ui(ui, self.cx, self.library),
                Pane::Clean => library::cleaning::ui::cleaning_ui(ui, self.cx, self.library),
                Pane::Cut => library::cutting::ui::cutting_ui(ui, self.cx, self.library),
                Pane::Strokes => library::strokes::ui::strokes_ui(ui, self.cx, self.library),
                Pane::Takes => variation::takes::ui::takes_ui(ui, self.cx, self.variation),
                Pane::Similar => variation::similar::ui::similar_ui(ui, self.cx, self.variation),
                Pane::Models => variation::models::ui::models_ui(ui, self.cx, self.variation),
                Pane::Variants => variation::variants::ui::variants_ui(ui, self.cx, self.variation),
                Pane::Plots => variation::plots::ui::plots_ui(ui, self.cx, self.variation),
                Pane::Network => variation::network::ui::network_ui(ui, self.cx, self.variation),
                Pane::Node => variation::network::ui::node::node_ui(ui, self.cx, self.variation),
                Pane::Compare => variation::compare::ui::compare_ui(ui, self.cx, self.variation),
                Pane::Holding => variation::holds::ui::holding_ui(ui, self.cx, self.variation),
                Pane::Styles => pose::styles::ui::styles_ui(ui, self.cx, self.pose),
                Pane::Body => pose::handles::ui::body::body_ui(ui, self.cx, self.pose),
                Pane::Map => pose::map::ui::map_ui(ui, self.cx, self.pose),
                Pane::Poses => pose::poses::ui::poses_ui(ui, self.cx, self.pose),
                Pane::Keys => pose::keys::ui::keys_ui(ui, self.cx, self.pose),
                Pane::Picture => pose::picture::ui::picture_ui(ui, self.cx, self.pose),
                Pane::Repair => pose::repair::ui::repair_ui(ui, self.cx, self.pose),
                Pane::Actions => {
                    sequence::graphs::ui::graph_ui(ui, self.cx, self.sequence);
                    sequence::palette::ui::palette_ui(ui, self.cx, self.sequence);
                }
                Pane::Join => sequence::join::ui::join_ui(ui, self.cx, self.sequence),
                Pane::Graph => sequence::graph_view::ui::graph_view_ui(ui, self.cx, self.sequence),
                Pane::Live => sequence::live::ui::live_ui(ui, self.cx, self.sequence),
                Pane::Path => sequence::path::ui::path_ui(ui, self.cx, self.sequence),
                Pane::Compared => study::sets::ui::sets_ui(ui, self.cx, self.study),
                Pane::Measures => study::measure::ui::measures_ui(ui, self.cx, self.study),
                Pane::Clones => study::clones::ui::clones_ui(ui, self.cx, self.study),
                Pane::Crowd => study::crowd::ui::crowd_ui(ui, self.cx, self.study),
                Pane::Rating => study::rating::ui::rating_ui(ui, self.cx, self.study),
                Pane::Analysis => {
                    study::rating::analysis_ui::analysis_ui(ui, self.cx, self.study);
                }
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

impl Docks<'_> {
    /// Clips, with what workspaces lay over them; or the character that is posed.
    fn view_ui(&mut self, ui: &mut egui::Ui) {
        if self.pose.shows_posed(self.cx) {
            pose::handles::ui::view::view_ui(ui, self.cx, self.pose, self.stage, self.gpu);
            return;
        }
        if self.sequence.shows_path(self.cx) {
            let sequence = &mut *self.sequence;
            sequence::path::view_ui::path_view_ui(ui, self.cx, sequence, self.stage, self.gpu);
            return;
        }
        if self.study.shows_crowd(self.cx) {
            study::crowd::view_ui::crowd_view_ui(ui, self.cx, self.study, self.stage, self.gpu);
            return;
        }
        let rect = ui.available_rect_before_wrap();
        let drawn = viewport::ui::viewport_ui(ui, self.cx, self.viewport, self.stage, self.gpu);
        if let Some(drawn) = drawn {
            variation::network::ui::over::edges_over_body_ui(ui, self.cx, self.variation, &drawn);
            sequence::targets::over_ui::target_over_ui(ui, self.cx, self.sequence, &drawn);
            pose::handles::ui::invitation::invitation_ui(ui, self.cx, self.pose, rect);
        }
    }
}
