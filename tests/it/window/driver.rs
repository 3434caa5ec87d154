//! The real window, driven without a screen: widgets are found by their labels, time is moved by hand.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use egui::accesskit::Role;
use egui::{Key, Modifiers};
use egui_kittest::kittest::Queryable as _;
use egui_kittest::{Harness, HarnessBuilder};
use kinfolk::app::shell::demo_models::DemoScope;
use kinfolk::app::{App, Setup};

/// The window on a screen of 1280 x 800.
pub(crate) struct Window {
    pub(crate) harness: Harness<'static, App>,
    pub(crate) folder: tempfile::TempDir,
}

pub(crate) const STEP_SECS: f32 = 0.05;

impl Window {
    /// With these files from a folder of the test's own open; none gives the demo.
    pub(crate) fn open(files: &[(&str, &str)], names: &[&str]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        let open = names.iter().map(|name| folder.path().join(name)).collect();
        Self::on(folder, open)
    }

    pub(crate) fn on(folder: tempfile::TempDir, open: Vec<PathBuf>) -> Self {
        Self::with(folder, open, DemoScope::Clips)
    }

    pub(crate) fn with(folder: tempfile::TempDir, open: Vec<PathBuf>, demo: DemoScope) -> Self {
        let setup = setup(&folder, open, demo);
        let harness = builder().build_eframe(move |creation| App::new(creation, setup));
        Self { harness, folder }
    }

    /// Presses at one place, moves to another in some steps and lets go.
    pub(crate) fn drag(
        &mut self,
        button: egui::PointerButton,
        modifiers: Modifiers,
        from: egui::Pos2,
        to: egui::Pos2,
    ) {
        self.drag_and_hold(button, modifiers, from, to);
        self.let_go(button, modifiers, to);
    }

    /// Presses at one place and moves to another in some steps.
    pub(crate) fn drag_and_hold(
        &mut self,
        button: egui::PointerButton,
        modifiers: Modifiers,
        from: egui::Pos2,
        to: egui::Pos2,
    ) {
        self.harness.event(egui::Event::ModifiersChanged(modifiers));
        self.harness.hover_at(from);
        self.harness.step();
        self.harness
            .event(pointer_button(button, modifiers, from, true));
        self.harness.step();
        for share in [0.3, 0.6, 1.0] {
            self.harness.hover_at(from + share * (to - from));
            self.harness.step();
        }
    }

    /// Lets go of what is dragged.
    pub(crate) fn let_go(
        &mut self,
        button: egui::PointerButton,
        modifiers: Modifiers,
        at: egui::Pos2,
    ) {
        self.harness
            .event(pointer_button(button, modifiers, at, false));
        self.harness.step();
        self.harness
            .event(egui::Event::ModifiersChanged(Modifiers::NONE));
        self.harness.remove_cursor();
        self.harness.run_steps(3);
    }

    /// Where the 3D view is; its tab has the same name.
    pub(crate) fn view(&self) -> egui::Rect {
        let view =
            |h: &Harness<'static, App>| h.get_by_role_and_label(Role::Canvas, "3D view").rect();
        view(&self.harness)
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn app(&self) -> &App {
        self.harness.state()
    }

    pub(crate) fn app_mut(&mut self) -> &mut App {
        self.harness.state_mut()
    }

    /// Steps until this holds; background work takes as long as it takes. What never holds is told before CI gives up.
    #[track_caller]
    pub(crate) fn until(&mut self, what: &str, holds: impl Fn(&App) -> bool) {
        let deadline = Instant::now() + Duration::from_mins(10);
        while !holds(self.app()) {
            let said: Vec<&str> = self.said();
            assert!(Instant::now() < deadline, "never {what}; it said {said:?}");
            self.harness.step();
            // The work gets the processor, not the drawing of frames in which nothing happens.
            std::thread::sleep(Duration::from_millis(4));
        }
        self.harness.run_steps(2);
    }

    /// Until no work runs, nor begins in the next frames because of what has ended.
    #[track_caller]
    pub(crate) fn until_idle(&mut self) {
        self.harness.run_steps(2);
        for _ in 0..50 {
            self.until("idle", |app| app.shell.work.is_idle());
            if self.app().shell.work.is_idle() {
                return;
            }
        }
        panic!("work begins again and again; it said {:?}", self.said());
    }

    pub(crate) fn said(&self) -> Vec<&str> {
        let all = self.app().shell.messages.all();
        all.iter().map(|message| message.text.as_str()).collect()
    }

    /// What the menu offers to undo; empty for nothing.
    pub(crate) fn undo_label(&self) -> &str {
        let label = self.app().shell.undo_label();
        label.unwrap_or_default()
    }

    pub(crate) fn names(&self) -> Vec<String> {
        let clips = self.app().shell.document().clips();
        clips.map(|(_, clip)| clip.info.name.clone()).collect()
    }

    #[track_caller]
    pub(crate) fn click(&mut self, label: &str) {
        self.harness.get_by_label(label);
        assert!(self.try_click(label), "\"{label}\" was there and is gone");
    }

    /// Clicks what may be gone by now because work has ended; whether it was still there.
    #[track_caller]
    pub(crate) fn try_click(&mut self, label: &str) -> bool {
        self.click_on(|harness| Some(harness.query_by_label(label)?.rect()))
    }

    /// Clicks on what is found, unless nothing is; whether it was.
    ///
    /// What background work brings moves what is drawn below it. So the pointer follows the widget until it stands
    /// still, and button down and up come in one frame, which asks the frame before for what is under the pointer.
    pub(crate) fn click_on(
        &mut self,
        find: impl Fn(&Harness<'static, App>) -> Option<egui::Rect>,
    ) -> bool {
        let mut at = None;
        // What never stands still is clicked where it is.
        for _ in 0..100 {
            let Some(place) = find(&self.harness) else {
                return false;
            };
            if at.replace(place.center()) == Some(place.center()) {
                break;
            }
            self.harness.hover_at(place.center());
            self.harness.step();
        }
        let Some(at) = at else {
            return false;
        };
        let click = [true, false].map(|pressed| {
            let primary = egui::PointerButton::Primary;
            pointer_button(primary, Modifiers::NONE, at, pressed)
        });
        self.harness.input_mut().events.extend(click);
        self.harness.run_steps(3);
        true
    }

    pub(crate) fn press(&mut self, modifiers: Modifiers, key: Key) {
        self.harness.key_press_modifiers(modifiers, key);
        self.harness.run_steps(3);
    }

    /// Puts text in a box in place of what is there.
    #[track_caller]
    pub(crate) fn type_in(&mut self, label: &str, text: &str) {
        let field = |h: &Harness<'static, App>| {
            h.get_by_role_and_label(Role::TextInput, label).focus();
        };
        field(&self.harness);
        self.harness.run_steps(2);
        self.harness.key_press_modifiers(Modifiers::COMMAND, Key::A);
        self.harness.run_steps(2);
        self.harness
            .get_by_role_and_label(Role::TextInput, label)
            .type_text(text);
        self.harness.run_steps(2);
    }
}

/// What it opens with; preferences and the like lie in the folder.
pub(crate) fn setup(folder: &tempfile::TempDir, open: Vec<PathBuf>, demo: DemoScope) -> Setup {
    Setup {
        data_folder: Some(folder.path().join("data")),
        open,
        demo,
        ..Setup::default()
    }
}

/// Of the usual size, and with time that is moved by hand.
pub(crate) fn builder() -> HarnessBuilder<App> {
    Harness::builder()
        .with_size([1280.0, 800.0])
        .with_step_dt(STEP_SECS)
}

fn pointer_button(
    button: egui::PointerButton,
    modifiers: Modifiers,
    pos: egui::Pos2,
    pressed: bool,
) -> egui::Event {
    egui::Event::PointerButton {
        pos,
        button,
        pressed,
        modifiers,
    }
}
