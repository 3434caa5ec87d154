//! The window: logic first, then drawing.

use std::path::PathBuf;

use crate::app::panes::Docks;
use crate::app::shell::docks::{bring_to_front, is_built, is_whole, usual_layout};
use crate::app::shell::gpu_errors::Complaints;
use crate::app::shell::messages::Severity;
use crate::app::shell::preferences::{Preferences, STORAGE_KEY};
use crate::app::shell::studio::{Request, Studio, Then};
use crate::app::shell::{dialogs, shortcuts as keys, theme, ui as panels};
use crate::file::project::{Access, PROJECT_FILE};

/// What the window needs from outside. The clock is egui's, which tests move by hand.
#[derive(Debug, Clone, Default)]
pub struct Setup {
    /// Where autosaves go; none writes none.
    pub data_folder: Option<PathBuf>,
    /// A project, or clips to import.
    pub open: Vec<PathBuf>,
}

/// The program's window.
pub struct App {
    /// Everything behind it.
    pub studio: Studio,
    /// The 3D view's pictures.
    pub stage: crate::app::viewport::stage::Stage,
    look: Option<(bool, f32)>,
    complaints: Complaints,
}

impl App {
    /// Opens what was asked for; at the first start the demo.
    pub fn new(creation: &eframe::CreationContext<'_>, setup: Setup) -> Self {
        let stored = creation.storage;
        let preferences: Option<Preferences> =
            stored.and_then(|storage| eframe::get_value(storage, STORAGE_KEY));
        egui_material_icons::initialize(&creation.egui_ctx);
        let app = Self::with(&creation.egui_ctx, preferences.unwrap_or_default(), setup);
        if let Some(gpu) = &creation.wgpu_render_state {
            app.complaints.listen(&gpu.device, &creation.egui_ctx);
        }
        app
    }

    fn with(ctx: &egui::Context, preferences: Preferences, setup: Setup) -> Self {
        let mut studio = Studio::new(ctx.clone(), preferences, setup.data_folder);
        studio.look_for_recovery();
        begin(&mut studio, setup.open);
        studio.preferences.has_started = true;
        let mut app = Self {
            studio,
            stage: crate::app::viewport::stage::Stage::default(),
            look: None,
            complaints: Complaints::default(),
        };
        app.dress(ctx);
        app
    }

    /// Theme and size, when they changed.
    fn dress(&mut self, ctx: &egui::Context) {
        let likes = &self.studio.preferences;
        let look = (likes.is_light, likes.scale);
        if self.look != Some(look) {
            theme::apply(ctx, likes.is_light);
            ctx.set_zoom_factor(likes.scale);
            self.look = Some(look);
        }
    }

    /// Files and folders dropped on the window: a project is opened, everything else imported.
    fn take_dropped(&mut self, ctx: &egui::Context) {
        let dropped = ctx.input(|input| input.raw.dropped_files.clone());
        let paths: Vec<PathBuf> = dropped.iter().map(|file| file.path().to_owned()).collect();
        if !paths.is_empty() {
            begin(&mut self.studio, paths);
        }
    }

    /// Lets time go by.
    fn tick(&mut self, ctx: &egui::Context) {
        let studio = &mut self.studio;
        let now = ctx.input(|input| input.time);
        let length = studio.length_secs();
        studio.session.advance(now - studio.now_secs, length);
        studio.now_secs = now;
        studio.messages.tick(now);
        if studio.session.is_playing && length > 0.0 {
            ctx.request_repaint();
        } else if !studio.work.is_idle() {
            // So that progress is seen; the end of a job wakes the window by itself.
            ctx.request_repaint_after(std::time::Duration::from_millis(100));
        } else if studio.has_unsaved_work() {
            ctx.request_repaint_after(std::time::Duration::from_secs(10));
        }
    }

    /// Closing with unsaved work asks first.
    fn guard_close(&mut self, ctx: &egui::Context) {
        let wants_to_close = ctx.input(|input| input.viewport().close_requested());
        if wants_to_close && !self.studio.may_quit && self.studio.has_unsaved_work() {
            ctx.send_viewport_cmd(egui::ViewportCommand::CancelClose);
            self.studio.ask(Request::Leave(Then::Quit));
        }
    }
}

/// Opens a project or imports clips; with nothing given, the demo at the first start.
fn begin(studio: &mut Studio, paths: Vec<PathBuf>) {
    match paths.as_slice() {
        [] if studio.preferences.recent().projects().is_empty() => studio.open_demo(),
        [] => {}
        [project] if project.join(PROJECT_FILE).is_file() || project.ends_with(PROJECT_FILE) => {
            let then = Then::Open(project.clone(), Access::Write);
            studio.ask(Request::Leave(then));
        }
        _ => studio.ask(Request::Import(paths)),
    }
}

impl eframe::App for App {
    fn logic(&mut self, ctx: &egui::Context, _frame: &mut eframe::Frame) {
        self.tick(ctx);
        self.take_dropped(ctx);
        self.guard_close(ctx);
        keys::handle(ctx, &mut self.studio);
        self.studio.answer_all();
        self.studio.poll_work();
        self.studio.answer_all();
        self.studio.turn_variation(ctx);
        self.studio.turn_pose(ctx);
        if self.studio.turn_previews() {
            ctx.request_repaint();
        }
        for words in self.complaints.take() {
            let words = format!("the graphics driver complains, the picture may be wrong: {words}");
            self.studio.say(Severity::Error, words);
        }
        self.studio.look_at_selection();
        self.studio.look_at_ways();
        self.studio.look_for_cycles();
        self.studio.align_selection();
        self.studio.autosave_if_due();
        self.dress(ctx);
    }

    fn ui(&mut self, ui: &mut egui::Ui, frame: &mut eframe::Frame) {
        let studio = &mut self.studio;
        let bar = egui::Frame::side_top_panel(ui.style());
        egui::Panel::top("menu")
            .frame(bar)
            .show(ui, |ui| panels::menu::menu_bar_ui(ui, studio));
        egui::Panel::bottom("status").show(ui, |ui| panels::status::status_ui(ui, studio));
        // On a large screen there is room for the rows of several clips.
        let timeline = (0.31 * ui.available_height()).clamp(190.0, 340.0);
        egui::Panel::bottom("timeline")
            .resizable(true)
            .default_size(timeline)
            .size_range(96.0..=600.0)
            .show(ui, |ui| {
                crate::app::timeline::transport::transport_ui(ui, studio);
                if studio.shows_posed() {
                    crate::app::pose::keys::line_ui::key_line_ui(ui, studio);
                } else {
                    crate::app::timeline::ui::timeline_ui(ui, studio);
                }
            });
        let ground = theme::Colours::of(ui).ground;
        let inner = egui::Frame::NONE.fill(ground);
        egui::CentralPanel::default().frame(inner).show(ui, |ui| {
            let workspace = studio.preferences.workspace;
            if !is_built(workspace) {
                panels::empty::workspace_ui(ui, studio, workspace);
                return;
            }
            let kept = studio.preferences.layouts.remove(&workspace);
            let kept = kept.filter(|tree| is_whole(tree, workspace));
            let mut layout = kept.unwrap_or_else(|| usual_layout(workspace));
            let wanted = &mut studio.library.wanted_pane;
            wanted.take_if(|pane| bring_to_front(&mut layout, *pane));
            let mut docks = Docks {
                studio,
                stage: &mut self.stage,
                gpu: frame.wgpu_render_state(),
            };
            layout.ui(&mut docks, ui);
            let layouts = &mut docks.studio.preferences.layouts;
            layouts.insert(workspace, layout);
        });
        let ctx = ui.ctx().clone();
        drop_hint_ui(&ctx);
        dialogs::dialogs_ui(&ctx, &mut self.studio);
        self.studio.messages.toasts_ui(&ctx);
    }

    fn save(&mut self, storage: &mut dyn eframe::Storage) {
        eframe::set_value(storage, STORAGE_KEY, &self.studio.preferences);
    }

    fn on_exit(&mut self) {
        self.studio.forget_autosave();
    }
}

/// While files hang over the window.
fn drop_hint_ui(ctx: &egui::Context) {
    if ctx.input(|input| input.raw.hovered_files.is_empty()) {
        return;
    }
    egui::Area::new(egui::Id::unique("drop"))
        .anchor(egui::Align2::CENTER_CENTER, [0.0, 0.0])
        .order(egui::Order::Foreground)
        .show(ctx, |ui| {
            egui::Frame::popup(ui.style()).show(ui, |ui| {
                ui.heading("Drop to import");
                ui.weak("files, folders, or a project");
            });
        });
}
