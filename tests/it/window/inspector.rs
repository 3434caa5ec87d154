//! Looking inside a model, and changing who depends on whom, through the real window.

use std::sync::{Arc, LazyLock};

use egui::{Key, Modifiers};
use egui_kittest::kittest::Queryable as _;
use kinfolk::app::shell::pane::Pane;
use kinfolk::app::shell::preferences::Workspace;
use kinfolk::app::shell::requests::Request;
use kinfolk::app::variation::models_of;
use kinfolk::app::variation::network::{Change, Link, links, part_of, structure_of};
use kinfolk::demo::Action;
use kinfolk::document::{Command, Learned};
use kinfolk::motion::Clip;
use kinfolk::variation::{ClipModel, MotionType};

use super::Window;
use super::variation::{batch, make};
use crate::quick;

/// Three jumps, learned in a moment; once for all tests.
static JUMPS: LazyLock<Arc<ClipModel>> =
    LazyLock::new(|| Arc::new(quick::three(Action::Jump, MotionType::OneShot)));

/// The workspace with the model, the network in front.
fn inspecting() -> Window {
    let mut window = Window::open(&[("a.bvh", &super::walk())], &["a.bvh"]);
    window.until("imported", |app| app.shell.document().n_clips() == 1);
    let shell = &mut window.app_mut().shell;
    shell.preferences.workspace = Workspace::Variation;
    let learned = Learned::Variation(Arc::clone(&JUMPS));
    shell.ask(Request::Edit(Command::AddModel {
        name: "jump".to_owned(),
        learned,
    }));
    window.harness.run_steps(3);
    window.click("Network");
    window.until_idle();
    window
}

fn model(window: &Window) -> Arc<ClipModel> {
    models_of(window.app().shell.document()).next().unwrap().1
}

/// An edge between degrees of freedom, one of those that are worth most.
fn some_edge() -> Link {
    let inner = JUMPS.model();
    let worths = inner.worths().concat();
    let all = links(&JUMPS).into_iter().zip(worths);
    let is_joint = |link: &Link| {
        let of = |node| {
            JUMPS
                .node_dof(node)
                .map(|dof| JUMPS.chart().dofs()[dof].kind.is_rate())
        };
        of(link.from) == Some(false) && of(link.to) == Some(false)
    };
    let joints = all.filter(|(link, _)| is_joint(link));
    joints.max_by(|a, b| a.1.total_cmp(&b.1)).unwrap().0
}

fn select(window: &mut Window, node: usize) {
    window.click(&format!("Node {}", JUMPS.node_name(node)));
    let selected = window.app().variation.network.selected;
    assert_eq!(selected, Some(node), "what was clicked");
    window.until_idle();
}

#[test]
fn a_clicked_node_tells_what_it_is_drawn_from_at_the_playhead() {
    let mut window = inspecting();
    let link = some_edge();
    let node = link.to;
    window.app_mut().shell.session.playhead_secs = 0.5;
    select(&mut window, node);
    let inner = JUMPS.model();
    let frame = (0.5 * JUMPS.fps()) as usize;
    let (take, progress) = (inner.examples().take(0), inner.examples().take_progress(0));
    let told = inner.explain(node, take, Some(progress), frame).unwrap();
    let dof = &JUMPS.chart().dofs()[JUMPS.node_dof(node).unwrap()];
    let place = |v: f64| dof.kind.display(dof.destandardise(v));
    let network = inner.network().unwrap();
    let at = network
        .node(node)
        .parents
        .iter()
        .position(|p| *p == link.from)
        .unwrap();
    let worth = inner.worths()[node][at];
    for text in [
        format!("{:.2} {}", place(told.mean), dof.kind.unit()),
        format!("{:+.1}", (10.0 * worth).round() / 10.0),
        format!("{:+.2}", network.node(node).coefficients[at]),
        format!("{:+.2}", network.partial_correlation(link.from, node)),
    ] {
        let found = window.harness.query_all_by_label(&text).count();
        assert!(found > 0, "\"{text}\" is not shown");
    }
    // The curve moves the playhead.
    let curve = window.harness.get_by_label("Node curve").rect();
    let at = egui::pos2(curve.left() + 8.0, curve.center().y);
    window.drag(egui::PointerButton::Primary, Modifiers::NONE, at, at);
    let secs = window.app().shell.session.playhead_secs;
    assert!(secs < 0.05, "{secs}");
}

#[test]
fn an_edge_goes_with_its_score_shown_and_undo_brings_the_model_back() {
    let mut window = inspecting();
    let link = some_edge();
    select(&mut window, link.to);
    let name = JUMPS.node_name(link.from);
    window.click(&format!("Remove edge from {name}"));
    let trial = |window: &Window| window.app().variation.network.trial.clone();
    window.until("tried", |app| app.variation.network.trial.is_some());
    let tried = trial(&window).unwrap();
    assert!(
        Arc::ptr_eq(&model(&window), &JUMPS),
        "nothing has changed yet"
    );
    let without = link.toggled(&JUMPS).unwrap();
    assert_eq!(tried.before, JUMPS.model().score().unwrap());
    assert_eq!(tried.after, JUMPS.model().score_of(&without).unwrap());
    assert!(tried.after < tried.before, "it was there for a reason");
    let text = format!("Score {:.4} before, {:.4} after", tried.before, tried.after);
    let shown = window.harness.query_all_by_label_contains(&text).count();
    assert!(shown > 0, "{text}");
    window
        .harness
        .get_all_by_label("Apply change")
        .next()
        .unwrap()
        .click();
    window.harness.run_steps(3);
    assert_eq!(structure_of(&model(&window)), without);
    let label = window.undo_label();
    let words = link.words(&JUMPS);
    let wanted = format!("remove edge {words} in variation jump");
    assert_eq!(label, wanted);
    window.press(Modifiers::COMMAND, Key::Z);
    assert!(Arc::ptr_eq(&model(&window), &JUMPS), "the very same model");
    window.press(Modifiers::COMMAND | Modifiers::SHIFT, Key::Z);
    assert_eq!(structure_of(&model(&window)), without, "again");
    window.until_idle();
}

#[test]
fn what_an_edge_does_is_seen_on_the_playing_variant() {
    let mut window = inspecting();
    window.app_mut().shell.wanted_pane = Some(Pane::Variants);
    window.harness.run_steps(2);
    make(&mut window, 2);
    let before = clips(&window);
    let app = window.app_mut();
    app.variation.try_link(&mut app.shell, some_edge());
    window.until("tried", |app| app.variation.network.trial.is_some());
    window.until_idle();
    assert!(
        clips(&window)[0].same_motion(&before[0]),
        "nothing changes by itself"
    );
    window.app_mut().shell.wanted_pane = Some(Pane::Network);
    window.harness.run_steps(2);
    window.click("after");
    window.until_idle();
    let after = clips(&window);
    assert!(!after[0].same_motion(&before[0]), "another motion");
    assert!(after[1].same_motion(&before[1]), "only the looked-at one");
    window.click("before");
    window.until_idle();
    assert!(clips(&window)[0].same_motion(&before[0]), "and back");
    let app = window.app_mut();
    app.variation.drop_trial(&mut app.shell);
}

#[test]
fn all_edges_between_two_parts_go_in_one_step() {
    let mut window = inspecting();
    let link = some_edge();
    let (a, b) = (part_of(&JUMPS, link.from), part_of(&JUMPS, link.to));
    let change = Change::Part(a.clone(), b.clone());
    let app = window.app_mut();
    app.variation.try_change(&mut app.shell, change.clone());
    window.until("tried", |app| app.variation.network.trial.is_some());
    window.harness.run_steps(2);
    window.click("Apply change");
    window.until_idle();
    let left = structure_of(&model(&window));
    assert_eq!(left, change.applied(&JUMPS).unwrap());
    assert!(left.n_edges() < structure_of(&JUMPS).n_edges(), "fewer");
    assert!(
        window
            .undo_label()
            .contains(&format!("between {a} and {b}"))
    );
}

#[test]
fn variants_of_before_an_edge_was_changed_say_so_and_are_made_again() {
    let mut window = inspecting();
    window.app_mut().shell.wanted_pane = Some(Pane::Variants);
    window.harness.run_steps(2);
    make(&mut window, 4);
    window.click("Keep jump 003");
    let before = clips(&window);
    let marks = |window: &Window| {
        let marked = |number: &usize| {
            let words = format!("jump {number:03} was made with the network before the change");
            window.harness.query_by_label(&words).is_some()
        };
        (0..4).filter(marked).collect::<Vec<usize>>()
    };
    let app = window.app_mut();
    app.variation.try_link(&mut app.shell, some_edge());
    window.until("tried", |app| app.variation.network.trial.is_some());
    window.click("Apply change");
    window.until_idle();
    // The looked-at one follows, with its numbers; the others say what they are.
    let after = clips(&window);
    assert!(!after[0].same_motion(&before[0]), "another network");
    let first = &batch(window.app()).unwrap().made[0];
    assert!(matches!(first.numbers, Some(Ok(_))), "{:?}", first.numbers);
    for number in 1..4 {
        assert!(
            Arc::ptr_eq(&after[number], &before[number]),
            "{number} stays"
        );
    }
    assert_eq!(marks(&window), [1, 2], "the kept one is a clip");
    let words = "2 variants made with the network before the change";
    window.harness.get_by_label(words);
    // Without the change they are of this network again, and the looked-at one is what it was.
    window.press(Modifiers::COMMAND, Key::Z);
    window.until_idle();
    assert!(marks(&window).is_empty(), "{:?}", marks(&window));
    assert!(
        window.harness.query_by_label("Make them again").is_none(),
        "no offer"
    );
    assert!(clips(&window)[0].same_motion(&before[0]), "as it was");
    window.press(Modifiers::COMMAND | Modifiers::SHIFT, Key::Z);
    window.until_idle();
    assert_eq!(marks(&window), [1, 2], "as before undo");
    window.click("Make them again");
    window.until_idle();
    assert!(marks(&window).is_empty(), "all are of this network");
    let again = clips(&window);
    assert!(again[0].same_motion(&after[0]), "it was up to date");
    for number in 1..3 {
        assert!(!again[number].same_motion(&before[number]), "{number} anew");
        let made = &batch(window.app()).unwrap().made[number];
        assert_eq!(made.number, Some(number as u64), "its number stays");
    }
    assert!(Arc::ptr_eq(&again[3], &before[3]), "what is kept is kept");
}

fn clips(window: &Window) -> Vec<Arc<Clip>> {
    let made = batch(window.app()).unwrap().made.iter();
    made.map(|made| Arc::clone(&made.clip)).collect()
}

#[test]
fn a_circle_is_refused_with_its_way() {
    let mut window = inspecting();
    let edge = some_edge();
    let before = window.app().shell.document().clone();
    window.app_mut().variation.network.selected = Some(edge.from);
    window.harness.run_steps(2);
    let label = format!("Node {}", JUMPS.node_name(edge.to));
    let node = window.harness.get_by_label(&label);
    node.click_modifiers(Modifiers::SHIFT);
    window.harness.run_steps(3);
    let refusal = window.app().variation.network.refusal.clone().unwrap();
    assert!(refusal.contains("circle"), "{refusal}");
    assert!(refusal.ends_with(&JUMPS.node_name(edge.from)), "{refusal}");
    let shown = window
        .harness
        .query_all_by_label_contains("Refused")
        .count();
    assert!(shown > 0, "said in the panel");
    window.until_idle();
    assert_eq!(*window.app().shell.document(), before);
    assert!(
        window.app().variation.network.trial.is_none(),
        "nothing to apply"
    );
}

#[test]
fn a_dropped_trial_leaves_nothing() {
    let mut window = inspecting();
    let before = window.app().shell.document().clone();
    let app = window.app_mut();
    app.variation.try_link(&mut app.shell, some_edge());
    let app = window.app_mut();
    app.variation.drop_trial(&mut app.shell);
    window.until_idle();
    let view = &window.app().variation.network;
    assert!(view.trial.is_none() && view.trying.is_none(), "none runs");
    assert_eq!(*window.app().shell.document(), before);
}

#[test]
fn networks_are_written_and_can_be_read_back() {
    let mut window = inspecting();
    let export = |window: &mut Window, what: &str, name: &str| {
        window.click("Export");
        window.click(what);
        window.until("asked where", |app| app.shell.dialog.is_some());
        let path = window.path(name);
        window.type_in("File", &path.display().to_string());
        window.click("Write file");
        window.until_idle();
        std::fs::read(path).unwrap()
    };
    let all = links(&JUMPS);
    let dot = export(&mut window, "Graph (DOT)…", "net.dot");
    let dot = String::from_utf8(dot).unwrap();
    assert!(
        dot.starts_with("digraph") && dot.trim_end().ends_with('}'),
        "{dot}"
    );
    let edges: Vec<Link> = dot.lines().filter_map(edge_of).collect();
    assert_eq!(edges, all);
    let csv = export(&mut window, "Table of edges (CSV)…", "net.csv");
    let csv = String::from_utf8(csv).unwrap();
    let rows: Vec<Vec<&str>> = csv
        .lines()
        .skip(1)
        .map(|l| l.split(',').collect())
        .collect();
    assert_eq!(rows.len(), all.len());
    let worth = JUMPS.model().worths().concat()[0];
    let found: f64 = rows[0][4].parse().unwrap();
    assert!((found - worth).abs() < 1e-6, "{found} instead of {worth}");
    let png = export(&mut window, "Picture (PNG)…", "net.png");
    let picture = image::load_from_memory(&png).unwrap().to_rgb8();
    let (width, height) = picture.dimensions();
    assert!(width > 400 && height > 700, "{width} x {height}");
    let bright = picture
        .pixels()
        .filter(|p| p.0.iter().all(|c| *c > 120))
        .count();
    assert!(bright > 2000, "names and dots: {bright} bright pixels");
}

/// `n4 -> n7;` as an edge.
fn edge_of(line: &str) -> Option<Link> {
    let (from, to) = line.trim().strip_suffix(';')?.split_once(" -> ")?;
    let node = |name: &str| name.strip_prefix('n')?.parse().ok();
    Some(Link {
        from: node(from)?,
        to: node(to)?,
    })
}

#[test]
fn the_matrix_selects_and_toggles_and_filters_find_joints() {
    let mut window = inspecting();
    window.type_in("Filter nodes", "leftarm");
    let dofs = JUMPS.chart().dofs().iter();
    let n_left = dofs
        .filter(|d| d.name.to_lowercase().contains("leftarm"))
        .count();
    let text = format!("{n_left} of {} nodes", JUMPS.n_nodes());
    assert!(window.harness.query_by_label(&text).is_some(), "{text}");
    window.click("Clear");
    window.click("Matrix");
    let middle = window
        .harness
        .get_by_label("Network matrix")
        .rect()
        .center();
    window.drag(
        egui::PointerButton::Primary,
        Modifiers::NONE,
        middle,
        middle,
    );
    let selected = window.app().variation.network.selected;
    assert!(selected.is_some(), "a click selects the row");
    for pressed in [true, false, true, false] {
        window.harness.event(egui::Event::PointerMoved(middle));
        window.harness.event(egui::Event::PointerButton {
            pos: middle,
            button: egui::PointerButton::Primary,
            pressed,
            modifiers: Modifiers::NONE,
        });
    }
    window.harness.run_steps(2);
    let view = &window.app().variation.network;
    let is_tried = view.trying.is_some() || view.trial.is_some() || view.refusal.is_some();
    assert!(is_tried, "a double click tries the edge");
    let app = window.app_mut();
    app.variation.drop_trial(&mut app.shell);
    window.until_idle();
}

#[test]
fn the_wheel_zooms_and_f_frames_the_network_under_the_pointer() {
    let mut window = inspecting();
    let canvas = window.harness.get_by_label("Network graph").rect();
    let lens = |window: &Window| window.app().variation.network.lens;
    assert_eq!(lens(&window), None, "all of it");
    window.harness.hover_at(canvas.center());
    window.harness.event(egui::Event::MouseWheel {
        unit: egui::MouseWheelUnit::Point,
        delta: egui::vec2(0.0, 120.0),
        phase: egui::TouchPhase::Move,
        source: egui::MouseWheelSource::Unknown,
        modifiers: Modifiers::NONE,
    });
    window.harness.run_steps(8);
    let near = lens(&window).expect("zoomed");
    let from = canvas.center() + egui::vec2(40.0, 0.0);
    window.drag(
        egui::PointerButton::Middle,
        Modifiers::NONE,
        from,
        canvas.center(),
    );
    let moved = lens(&window).expect("moved");
    assert!(moved.centre.x > near.centre.x + 5.0, "{near:?}, {moved:?}");
    window.harness.hover_at(canvas.center());
    window.harness.run_steps(2);
    let framing = window.app().shell.session.framing;
    window.press(Modifiers::NONE, Key::Home);
    assert_eq!(lens(&window), None, "all of it again");
    assert_eq!(
        window.app().shell.session.framing,
        framing,
        "the camera stays"
    );
    window.app_mut().shell.wanted_pane = Some(Pane::Takes);
    window.harness.run_steps(3);
    assert!(
        !window.app().variation.network.is_under_pointer,
        "what is not drawn is not under the pointer"
    );
}
