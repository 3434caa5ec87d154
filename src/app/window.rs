//! The window: logic first, then drawing.

use std::path::PathBuf;

use crate::app::library::state::LibraryWorkspace;
use crate::app::panes::Docks;
use crate::app::pose::state::PoseWorkspace;
use crate::app::sequence::state::SequenceWorkspace;
use crate::app::shell::context::UiContext;
use crate::app::shell::demo_models::DemoScope;
use crate::app::shell::docks::{bring_to_front, is_whole, usual_layout};
use crate::app::shell::gpu_errors::GpuErrors;
use crate::app::shell::messages::Severity;
use crate::app::shell::preferences::{Preferences, STORAGE_KEY, Workspace};
use crate::app::shell::recovery::Look;
use crate::app::shell::requests::{Request, Then};
use crate::app::shell::retarget::tool_ui::retarget_tool_ui;
use crate::app::shell::ui::tour;
use crate::app::shell::ui::tour_step::Tour;
use crate::app::shell::ui::{menu, status};
use crate::app::shell::{Shell, dialogs, shortcuts, theme};
use crate::app::study::state::StudyWorkspace;
use crate::app::timeline::state::TimelineState;
use crate::app::variation::state::VariationWorkspace;
use crate::app::viewport::stage::Stage;
use crate::app::viewport::state::ViewportState;
use crate::app::{library, pose, sequence, study, timeline, viewport};
use crate::file::project::{Access, PROJECT_FILE};

/// What the window needs from outside. The clock is egui's, which tests move by hand.
#[derive(Debug, Clone, Default)]
pub struct Setup {
    /// Where autosaves go; none writes none.
    pub data_folder: Option<PathBuf>,
    /// A project, or clips to import.
    pub open: Vec<PathBuf>,
    /// What of the demo a first start opens.
    pub demo: DemoScope,
    /// Whether no file can be dropped on the window.
    pub is_on_wayland: bool,
}

/// The program's window: the shell, the state of each workspace, and the panels they share.
pub struct App {
    /// Document, session, jobs, and what else the workspaces share.
    pub shell: Shell,
    /// State of the library workspace.
    pub library: LibraryWorkspace,
    /// State of the variation workspace.
    pub variation: VariationWorkspace,
    /// State of the pose workspace.
    pub pose: PoseWorkspace,
    /// State of the sequence workspace.
    pub sequence: SequenceWorkspace,
    /// State of the study workspace.
    pub study: StudyWorkspace,
    /// The timeline, as several workspaces show it.
    pub timeline: TimelineState,
    /// State of the 3D view, apart from its camera.
    pub viewport: ViewportState,
    /// The 3D view's pictures.
    pub stage: Stage,
    /// The project that the workspaces are about.
    project_number: u64,
    look: Option<(bool, f32)>,
    /// Whether variants of the demo are measured once they are made.
    pub(in crate::app) demo_waits_for_variants: bool,
    /// What the window is called.
    title: String,
    gpu_errors: GpuErrors,
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
            app.gpu_errors.listen(&gpu.device, &creation.egui_ctx);
        }
        app
    }

    fn with(ctx: &egui::Context, preferences: Preferences, setup: Setup) -> Self {
        let mut shell = Shell::new(ctx.clone(), preferences, setup.data_folder);
        shell.look_for_bone_maps();
        let is_first = shell.preferences.recent().projects().is_empty();
        let demo = (is_first && setup.open.is_empty()).then_some(setup.demo);
        shell.look_for_recovery(Look::AtStart { demo });
        let is_newcomer = !shell.preferences.has_started && demo == Some(DemoScope::Project);
        shell.is_on_wayland = setup.is_on_wayland;
        shell.tour = is_newcomer.then(Tour::default);
        begin(&mut shell, setup.open);
        shell.preferences.has_started = true;
        let mut app = Self {
            project_number: shell.projects.number(),
            shell,
            library: LibraryWorkspace::default(),
            variation: VariationWorkspace::default(),
            pose: PoseWorkspace::default(),
            sequence: SequenceWorkspace::default(),
            study: StudyWorkspace::default(),
            timeline: TimelineState::default(),
            viewport: ViewportState::default(),
            stage: Stage::default(),
            look: None,
            demo_waits_for_variants: false,
            title: String::new(),
            gpu_errors: GpuErrors::default(),
        };
        app.dress(ctx);
        app
    }

    /// Theme and size, when they changed.
    fn dress(&mut self, ctx: &egui::Context) {
        let likes = &self.shell.preferences;
        let look = (likes.is_light, likes.scale);
        if self.look != Some(look) {
            theme::apply(ctx, likes.is_light);
            ctx.set_zoom_factor(likes.scale);
            self.look = Some(look);
        }
    }

    /// The window is called like the project, with a mark while that is not saved.
    fn name_window(&mut self, ctx: &egui::Context) {
        let mark = if self.shell.has_unsaved_work() {
            "*"
        } else {
            ""
        };
        let title = format!("{}{mark} - Kinfolk", self.shell.document().name());
        if title != self.title {
            ctx.send_viewport_cmd(egui::ViewportCommand::Title(title.clone()));
            self.title = title;
        }
    }

    /// What the window is called.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// Files and folders dropped on the window: a project is opened, everything else imported.
    fn take_dropped(&mut self, ctx: &egui::Context) {
        let dropped = ctx.input(|input| input.raw.dropped_files.clone());
        let paths: Vec<PathBuf> = dropped.iter().map(|file| file.path().to_owned()).collect();
        if !paths.is_empty() {
            begin(&mut self.shell, paths);
        }
    }

    /// Lets time go by.
    fn tick(&mut self, ctx: &egui::Context) {
        let shell = &mut self.shell;
        let now = ctx.input(|input| input.time);
        let length = shell.length_secs();
        let passed = now - shell.now_secs;
        shell.session.advance(passed, length);
        shell.now_secs = now;
        shell.messages.tick(now);
        if shell.session.is_playing && length > 0.0 {
            ctx.request_repaint();
        } else if !shell.work.is_idle() {
            // So that progress is seen; the end of a job wakes the window by itself.
            ctx.request_repaint_after(std::time::Duration::from_millis(100));
        }
    }

    /// Closing with unsaved work asks first.
    fn guard_close(&mut self, ctx: &egui::Context) {
        let wants_to_close = ctx.input(|input| input.viewport().close_requested());
        if wants_to_close && !self.shell.may_quit && self.shell.has_unsaved_work() {
            ctx.send_viewport_cmd(egui::ViewportCommand::CancelClose);
            self.shell.ask(Request::Leave(Then::Quit));
        }
    }
}

impl App {
    /// Does everything that was asked for, and takes what jobs have brought.
    pub fn answer_all(&mut self) {
        for request in self.shell.take_requests() {
            let request = self.with_what_workspaces_add(request);
            if let Some(action) = self.shell.answer(request) {
                self.run(action);
            }
        }
        self.follow_project();
        self.timeline.take_deliveries(&mut self.shell);
        self.viewport.take_deliveries(&mut self.shell);
        for request in self.timeline.requests.take() {
            match request {
                timeline::state::Request::HoldDuring(contacts) => {
                    self.variation.hold_during(&mut self.shell, &contacts);
                }
            }
        }
        for request in self.viewport.requests.take() {
            match request {
                viewport::state::Request::LookAtVariant(variant)
                    if self.shell.preferences.workspace == Workspace::Variation =>
                {
                    self.variation.look_at_variant(&mut self.shell, variant);
                }
                // Motions of the other workspaces are looked at already.
                viewport::state::Request::LookAtVariant(_) => {}
                viewport::state::Request::Pin {
                    joint,
                    frame,
                    place,
                } => self
                    .variation
                    .pin(&mut self.shell, joint, frame, Some(place)),
            }
        }
        self.library.answer_all(&mut self.shell);
        self.variation.answer_all(&mut self.shell);
        self.pose.answer_all(&mut self.shell);
        self.sequence.answer_all(&mut self.shell);
        self.study.answer_all(&mut self.shell);
        self.shell.sweep_session();
    }

    /// With automatic keying a new pose is a key as well; files of variants tell how they were made.
    fn with_what_workspaces_add(&self, request: Request) -> Request {
        match request {
            Request::Edit(command) => Request::Edit(self.pose.auto_keyed(&self.shell, command)),
            Request::Export(mut export) => {
                export.columns = self.variation.manifest_columns(&export);
                Request::Export(export)
            }
            other => other,
        }
    }

    /// With another project, workspaces that remember things of the old one begin anew.
    fn follow_project(&mut self) {
        let number = self.shell.projects.number();
        if self.project_number != number {
            self.project_number = number;
            let sort = self.library.sort;
            self.library = LibraryWorkspace::default();
            self.library.sort = sort;
            self.shell.retarget_tool = None;
            self.variation = VariationWorkspace::default();
            self.pose = PoseWorkspace::default();
            self.timeline = TimelineState::default();
            self.viewport = ViewportState::default();
            self.sequence = SequenceWorkspace::default();
            self.study = StudyWorkspace::default();
            self.demo_waits_for_variants = false;
        }
    }

    /// What other workspaces have made can be measured and rated without being kept.
    fn carry_offers(&mut self) {
        if self.shell.preferences.workspace == Workspace::Study {
            self.study.offers = self.variation.offers(&mut self.shell);
        }
    }

    /// Time is counted of what is shown now.
    fn follow_subject(&mut self) {
        let of_pose = self.pose.timebase(&self.shell);
        let timebase = of_pose.or_else(|| self.sequence.timebase(&self.shell));
        self.shell.timebase = timebase.or_else(|| self.study.timebase(&self.shell));
        self.shell.turn_to_subject();
    }

    fn has_requests(&self) -> bool {
        !(self.timeline.requests.is_empty()
            && self.viewport.requests.is_empty()
            && self.library.requests.is_empty()
            && self.variation.requests.is_empty()
            && self.pose.requests.is_empty()
            && self.sequence.requests.is_empty()
            && self.study.requests.is_empty())
    }

    /// Keys: workspaces first, then those of the menus.
    fn hear_keys(&mut self, ctx: &egui::Context) {
        if self.shell.dialog.is_some() {
            // Dialogs have the keyboard for themselves.
            return;
        }
        library::clips::keyboard::handle(ctx, &mut self.shell, &mut self.library);
        pose::handles::ui::keyboard::handle(ctx, &mut self.shell, &mut self.pose);
        pose::keys::ui::handle_keys(ctx, &mut self.shell, &mut self.pose);
        sequence::live::keyboard::handle(ctx, &mut self.shell, &mut self.sequence);
        sequence::path::keyboard::handle(ctx, &mut self.shell, &mut self.sequence);
        study::rating::keyboard::handle(ctx, &mut self.shell, &mut self.study);
        shortcuts::handle(ctx, &mut self.shell);
    }
}

/// Opens a project or imports clips.
fn begin(shell: &mut Shell, paths: Vec<PathBuf>) {
    match paths.as_slice() {
        [] => {}
        [project] if project.join(PROJECT_FILE).is_file() || project.ends_with(PROJECT_FILE) => {
            let then = Then::Open(project.clone(), Access::Write);
            shell.ask(Request::Leave(then));
        }
        _ => shell.ask(Request::Import(paths)),
    }
}

impl eframe::App for App {
    fn logic(&mut self, ctx: &egui::Context, _frame: &mut eframe::Frame) {
        self.tick(ctx);
        self.take_dropped(ctx);
        self.guard_close(ctx);
        self.hear_keys(ctx);
        self.answer_all();
        self.shell.poll_work();
        self.answer_all();
        self.turn_demo();
        self.follow_subject();
        self.variation.turn(&mut self.shell, ctx);
        self.pose.turn(&mut self.shell, ctx);
        self.sequence.turn(&mut self.shell, ctx);
        self.turn_demo_study();
        self.carry_offers();
        self.study.turn(&mut self.shell);
        if self.shell.turn_previews() {
            ctx.request_repaint();
        }
        self.follow_subject();
        for words in self.gpu_errors.take() {
            let words =
                format!("the graphics driver reports an error, the picture may be wrong: {words}");
            self.shell.say(Severity::Error, words);
        }
        self.shell.analyse_shown();
        self.viewport.find_motion_paths(&mut self.shell);
        self.timeline.look_for_cycles(&mut self.shell);
        self.shell.align_selection();
        if let Some(secs) = self.shell.follow_with_autosave() {
            ctx.request_repaint_after(std::time::Duration::from_secs_f64(secs.max(0.05)));
        }
        self.update_actions();
        self.dress(ctx);
        self.name_window(ctx);
    }

    fn ui(&mut self, ui: &mut egui::Ui, frame: &mut eframe::Frame) {
        let bar = egui::Frame::side_top_panel(ui.style());
        egui::Panel::top("menu")
            .frame(bar)
            .show(ui, |ui| menu::menu_bar_ui(ui, &mut self.shell));
        egui::Panel::bottom("status").show(ui, |ui| status::status_ui(ui, &self.shell));
        // On a large screen there is room for the rows of several clips.
        let height = (0.31 * ui.available_height()).clamp(190.0, 340.0);
        // Its edge is found without aiming. Not everywhere: columns of tables have such edges as well.
        let reach = ui.style().interaction.resize_grab_radius_side;
        ui.style_mut().interaction.resize_grab_radius_side = 8.0;
        egui::Panel::bottom("timeline")
            .resizable(true)
            .default_size(height)
            .size_range(96.0..=600.0)
            .show(ui, |ui| self.timeline_ui(ui));
        ui.style_mut().interaction.resize_grab_radius_side = reach;
        let ground = theme::Colours::of(ui).ground;
        let inner = egui::Frame::NONE.fill(ground);
        egui::CentralPanel::default()
            .frame(inner)
            .show(ui, |ui| self.docks_ui(ui, frame.wgpu_render_state()));
        let ctx = ui.ctx().clone();
        drop_hint_ui(&ctx);
        retarget_tool_ui(&ctx, &mut self.shell);
        let tour = tour::tour_ui(&ctx, &mut self.shell);
        dialogs::dialogs_ui(&ctx, &mut self.shell);
        self.shell.messages.toasts_ui(&ctx, tour);
        if self.has_requests() {
            ctx.request_repaint();
        }
    }

    fn save(&mut self, storage: &mut dyn eframe::Storage) {
        eframe::set_value(storage, STORAGE_KEY, &self.shell.preferences);
    }

    fn on_exit(&mut self) {
        self.shell.forget_autosave();
    }
}

impl App {
    fn timeline_ui(&mut self, ui: &mut egui::Ui) {
        // The panel is as high as it was made, not as high as what is in it.
        ui.set_min_height(ui.available_height());
        timeline::transport::transport_ui(ui, &mut self.shell);
        if self.pose.shows_posed(&self.shell) {
            pose::keys::line_ui::key_line_ui(ui, &mut self.shell, &mut self.pose);
        } else if SequenceWorkspace::is_shown(&self.shell) {
            sequence::strip::ui::strip_ui(ui, &mut self.shell, &mut self.sequence);
        } else if self.study.shows_crowd(&self.shell) {
            study::crowd::ui::crowd_line_ui(ui, &self.study);
        } else {
            timeline::ui::timeline_ui(ui, &mut self.shell, &mut self.timeline);
        }
    }

    fn docks_ui(&mut self, ui: &mut egui::Ui, gpu: Option<&egui_wgpu::RenderState>) {
        let cx: &mut UiContext = &mut self.shell;
        let workspace = cx.preferences.workspace;
        let kept = cx.preferences.layouts.remove(&workspace);
        let kept = kept.filter(|tree| is_whole(tree, workspace));
        let mut layout = kept.unwrap_or_else(|| usual_layout(workspace));
        cx.wanted_pane
            .take_if(|pane| bring_to_front(&mut layout, *pane));
        let mut docks = Docks {
            cx,
            library: &mut self.library,
            variation: &mut self.variation,
            pose: &mut self.pose,
            sequence: &mut self.sequence,
            study: &mut self.study,
            viewport: &mut self.viewport,
            stage: &mut self.stage,
            gpu,
        };
        layout.ui(&mut docks, ui);
        self.shell.preferences.layouts.insert(workspace, layout);
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
