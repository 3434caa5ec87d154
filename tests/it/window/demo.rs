//! The first start: a project with something in every workspace, and a tour that can be left.

use egui::{Key, Modifiers};
use egui_kittest::kittest::Queryable as _;
use kinfolk::app::shell::demo_models::DemoScope;
use kinfolk::app::shell::preferences::Workspace;
use kinfolk::app::shell::view_options::Arrangement;
use kinfolk::document::Learned;

use super::Window;

fn first_start() -> Window {
    let folder = tempfile::tempdir().unwrap();
    Window::with(folder, Vec::new(), DemoScope::Project)
}

#[test]
fn a_first_start_has_something_in_every_workspace() {
    let mut window = first_start();
    window.until("measured", |app| app.study.measure.found.is_some());
    window.until_idle();
    let app = window.app();
    let document = app.shell.document();
    assert!(document.n_clips() > 100, "the clips");
    let models: Vec<&str> = document.models().iter().map(|m| m.learned.kind()).collect();
    assert_eq!(models, ["variation", "style", "texture"]);
    let (id, _) = app.variation.chosen_model(&app.shell).unwrap();
    let made = &app.variation.batches[&id].made;
    assert_eq!(made.len(), 15, "variants");
    let (_, posed) = &document.posed()[0];
    assert!(!posed.styles.is_empty(), "a character in a style");
    assert!(!posed.pins.is_empty(), "that stands on its feet");
    assert_eq!(document.poses().len(), 4, "kept poses");
    let (_, sequence) = &document.sequences()[0];
    assert_eq!(sequence.actions.entries.len(), 6, "moves of the fight");
    let (_, path) = &document.paths()[0];
    let texture = document.model(path.texture.unwrap()).unwrap();
    assert!(matches!(texture.learned, Learned::Texture(_)), "a path");
    assert_eq!(app.study.sets.sets.len(), 3, "sets");
    // Nobody has done anything: nothing to undo, and no question when it is closed.
    assert!(!app.shell.has_unsaved_work(), "it is no loss");
    assert_eq!(app.shell.undo_label(), None);
    // Fifteen walks stand apart, where clips are as they were.
    let arranged = |window: &Window| window.app().shell.preferences.view.arrangement;
    assert_eq!(arranged(&window), Arrangement::Overlaid);
    window.app_mut().shell.preferences.workspace = Workspace::Variation;
    window.harness.run_steps(3);
    assert_eq!(arranged(&window), Arrangement::Grid);
}

#[test]
fn the_tour_goes_through_all_workspaces_and_can_be_left() {
    let mut window = first_start();
    window.harness.run_steps(3);
    let mut seen = vec![window.app().shell.preferences.workspace];
    while window.app().shell.tour.is_some() {
        let last = window.harness.query_by_label("Done");
        match last {
            Some(done) => done.click(),
            None => window.harness.get_by_label("Next").click(),
        }
        window.harness.run_steps(3);
        seen.push(window.app().shell.preferences.workspace);
    }
    for workspace in Workspace::ALL {
        assert!(seen.contains(&workspace), "{workspace:?} in {seen:?}");
    }
    let mut window = first_start();
    window.harness.run_steps(3);
    window.harness.get_by_label("Skip the tour").click();
    window.harness.run_steps(3);
    assert!(window.app().shell.tour.is_none(), "it is gone");
    assert!(window.harness.query_by_label("Next").is_none());
}

#[test]
fn every_workspace_without_clips_says_where_they_come_from() {
    let mut window = Window::open(&[], &[]);
    window.until("the demo", |app| app.shell.document().n_clips() > 0);
    window.until_idle();
    window.press(Modifiers::COMMAND, Key::N);
    window.until_idle();
    for workspace in Workspace::ALL {
        window.app_mut().shell.preferences.workspace = workspace;
        window.harness.run_steps(3);
        for button in ["Import clips…", "Open the demo"] {
            let n = window.harness.get_all_by_label(button).count();
            assert_eq!(n, 1, "{workspace:?}: {button}");
        }
    }
}
