//! Live play, textures and paths in the sequence workspace, through the real window.

use std::sync::{Arc, LazyLock};

use egui::{Key, Modifiers, PointerButton, vec2};
use egui_kittest::kittest::Queryable as _;
use kinfolk::app::sequence::graph_view::GraphLevel;
use kinfolk::app::sequence::live::{LiveSource, Playing};
use kinfolk::app::sequence::state::Request as SequenceRequest;
use kinfolk::app::shell::pane::Pane;
use kinfolk::app::shell::requests::Request;
use kinfolk::demo::{Action, make};
use kinfolk::document::{ActionSource, Command, DrawnPath, Learned, ModelId};
use kinfolk::jobs::Ticket;
use kinfolk::motion::edit;
use kinfolk::motion::path::PathPoint;
use kinfolk::sequence::EntryId;
use kinfolk::texture::{LabelledClip, Texture, TextureSettings};

use super::library::{demo_clips, workspace};
use super::projects::save_as;
use super::{Window, on_disk};

/// Walking, jogging and sneaking, learned once for all tests.
static TEXTURE: LazyLock<Arc<Texture>> = LazyLock::new(|| {
    let take = |action, index, label: &str| {
        let clip = edit::resample(&make(action, 5, index).clip, 30.0).unwrap();
        let n = clip.n_frames().min(150);
        LabelledClip {
            clip: Arc::new(edit::trim(&clip, 0..n).unwrap()),
            label: label.to_owned(),
        }
    };
    let clips = [
        take(Action::WalkTake, 0, "walk"),
        take(Action::WalkTake, 1, "walk"),
        take(Action::Jog, 0, "jog"),
        take(Action::Jog, 1, "jog"),
        take(Action::Sneak, 0, "sneak"),
        take(Action::Sneak, 1, "sneak"),
    ];
    let settings = TextureSettings::default();
    Arc::new(Texture::learn(&clips, &settings, &Ticket::default()).unwrap())
});

fn show(window: &mut Window, pane: Pane) {
    window.app_mut().shell.wanted_pane = Some(pane);
    window.harness.run_steps(3);
}

/// Two jabs and two kicks, and a graph of them.
fn with_graph() -> Window {
    let mut clips = demo_clips(Action::Jab, 0..2);
    clips.extend(demo_clips(Action::FrontKick, 0..2));
    let mut window = workspace("Sequence", &clips);
    let ids = window.app().shell.document().clip_order().to_vec();
    let sequence = &mut window.app_mut().sequence;
    sequence.ask(SequenceRequest::BuildGraph(ids));
    window.until("a graph", |app| app.sequence.graph().is_some());
    window.until_idle();
    window
}

/// A window with a texture and the path panel in front.
fn with_texture() -> Window {
    let mut window = workspace("Sequence", &demo_clips(Action::Walk, 0..1));
    window.until_idle();
    let add = Command::AddModel {
        name: "locomotion".to_owned(),
        learned: Learned::Texture(Arc::clone(&TEXTURE)),
    };
    window.app_mut().shell.ask(Request::Edit(add));
    show(&mut window, Pane::Path);
    window.until("a character", |app| app.sequence.shows_path(&app.shell));
    window
}

fn texture_id(window: &Window) -> ModelId {
    let models = window.app().shell.document().models();
    models.last().unwrap().id
}

/// What is played now.
fn playing(window: &Window) -> &Playing {
    let playing = window.app().sequence.live.playing.as_ref();
    playing.expect("it plays")
}

/// Plays until this holds, and writes down every other action that is seen.
#[track_caller]
fn watch(window: &mut Window, seen: &mut Vec<usize>, what: &str, holds: impl Fn(&Playing) -> bool) {
    let seen = std::cell::RefCell::new(seen);
    window.until(what, |app| {
        let playing = app.sequence.live.playing.as_ref().expect("it plays");
        let mut seen = seen.borrow_mut();
        let other = playing.running().filter(|now| seen.last() != Some(now));
        seen.extend(other);
        holds(playing)
    });
}

/// How often an action comes round again while nothing is commanded depends on how fast the machine is: the record is
/// held against what was seen, not against a number of rounds.
#[test]
fn live_play_is_interrupted_by_keys_and_recorded_as_a_sequence() {
    let mut window = with_graph();
    show(&mut window, Pane::Live);
    window.click("Start live play");
    window.until("the first frames", |app| {
        let playing = app.sequence.live.playing.as_ref();
        playing.is_some_and(|playing| playing.n_shown() > 5)
    });
    window.click("Record");
    let mut seen = Vec::new();
    watch(&mut window, &mut seen, "the first jab", |p| {
        p.running() == Some(0)
    });
    window.press(Modifiers::NONE, Key::Num3);
    watch(&mut window, &mut seen, "the kick", |p| {
        p.running() == Some(2)
    });
    let interrupted = playing(&window).n_shown();
    watch(&mut window, &mut seen, "some of it", |p| {
        p.n_shown() > interrupted + 40
    });
    // While it stands still nothing is entered, however long the keys take.
    window.press(Modifiers::NONE, Key::Space);
    window.press(Modifiers::SHIFT, Key::Num2);
    assert_eq!(playing(&window).queued(), Some(1), "it waits for the end");
    assert_eq!(playing(&window).running(), Some(2), "the kick goes on");
    window.press(Modifiers::NONE, Key::Space);
    watch(&mut window, &mut seen, "the jab", |p| {
        p.running() == Some(1)
    });
    let entered = playing(&window).n_shown();
    watch(&mut window, &mut seen, "some of it", |p| {
        p.n_shown() > entered + 30
    });
    assert_eq!(playing(&window).queued(), None, "it was played");
    window.press(Modifiers::NONE, Key::Escape);
    assert!(window.app().sequence.live.playing.is_none());
    // What is selected and looked at is of the sequence before, whose entries have the same numbers.
    window.app_mut().sequence.strip.selected = vec![EntryId(1)];
    window.app_mut().sequence.join.chosen = Some((EntryId(1), 0));
    window.click("Keep as sequence");
    window.harness.run_steps(2);
    let workspace = &window.app().sequence;
    assert!(workspace.strip.selected.is_empty() && workspace.join.chosen.is_none());
    let document = window.app().shell.document();
    let ids = document.clip_order().to_vec();
    let (_, sequence) = document.sequences().last().unwrap();
    let entries = &sequence.actions.entries;
    let clips = entries.iter().map(|entry| match entry.source {
        ActionSource::Clip(id) => ids.iter().position(|own| *own == id).unwrap(),
        _ => panic!("only clips were played"),
    });
    let mut recorded: Vec<usize> = clips.collect();
    recorded.dedup();
    assert_eq!(recorded, seen, "in the order in which they were played");
    assert_eq!(seen, [0, 2, 1], "what the keys asked for");
    for entry in &entries[1..] {
        let reached = &entry.reached;
        assert!(reached.leave_secs.is_some() && reached.enter_secs.is_some());
    }
    assert_eq!(window.undo_label(), "make sequence Live");
    window.press(Modifiers::COMMAND, Key::Z);
    assert_eq!(window.app().shell.document().sequences().len(), 1);
}

#[test]
fn the_graph_is_drawn_and_candidate_paths_are_found() {
    let mut window = with_graph();
    show(&mut window, Pane::Graph);
    window.until_idle();
    window.harness.run_steps(2);
    let app = window.app_mut();
    let drawing = app.sequence.graph_drawing(&mut app.shell).unwrap();
    assert!(drawing.nodes.len() > 3);
    let line = *drawing.lines.last().unwrap();
    app.sequence.graph_view.picked = (Some(line.from), Some(line.to));
    let paths = app.sequence.candidate_paths(&drawing);
    assert!(!paths.is_empty() && paths[0].nodes.len() >= 2);
    assert!(paths.windows(2).all(|p| p[0].cost <= p[1].cost));
    window.harness.run_steps(2);
}

#[test]
fn random_play_is_in_view_however_many_actions_there_are() {
    let mut clips = demo_clips(Action::Jab, 0..20);
    clips.extend(demo_clips(Action::Hook, 0..20));
    let mut window = workspace("Sequence", &clips);
    let ids = window.app().shell.document().clip_order().to_vec();
    let sequence = &mut window.app_mut().sequence;
    sequence.ask(SequenceRequest::BuildGraph(ids));
    window.until("a graph", |app| app.sequence.graph().is_some());
    window.until_idle();
    show(&mut window, Pane::Live);
    window.click("Start live play");
    let rect = window.harness.get_by_label("Random play").rect();
    assert!(rect.bottom() < 300.0, "{rect:?}");
    window.click("Random play");
    assert!(window.app().sequence.live.is_random);
    window.press(Modifiers::NONE, Key::Escape);
}

#[test]
fn a_texture_is_seen_on_two_levels() {
    let mut window = with_texture();
    show(&mut window, Pane::Graph);
    let view = &mut window.app_mut().sequence.graph_view;
    view.show(GraphLevel::Texture);
    window.harness.run_steps(2);
    window.until_idle();
    window.harness.run_steps(2);
    let app = window.app_mut();
    let drawing = app.sequence.graph_drawing(&mut app.shell).unwrap();
    assert_eq!(drawing.nodes.len(), TEXTURE.systems().len());
    let system = drawing.nodes[0].number;
    app.sequence.graph_view.opened = Some(system);
    window.harness.run_steps(2);
    window.harness.get_by_label(&format!("System {system}"));
    window.click("All systems");
    assert_eq!(window.app().sequence.graph_view.opened, None);
}

#[test]
fn a_texture_is_steered_and_its_way_becomes_a_path() {
    let mut window = with_texture();
    show(&mut window, Pane::Live);
    window.app_mut().sequence.live.source = LiveSource::Texture;
    window.harness.run_steps(2);
    window.click("Start live play");
    let playing = |app: &kinfolk::app::App, holds: fn(&Playing) -> bool| {
        app.sequence.live.playing.as_ref().is_some_and(holds)
    };
    window.until("the first frames", |app| playing(app, |p| p.n_shown() > 3));
    window.click("Record");
    let before = window.app().sequence.live.steering.heading_rad;
    window.harness.key_down(Key::ArrowLeft);
    window.harness.run_steps(2);
    window.harness.key_up(Key::ArrowLeft);
    window.harness.run_steps(1);
    assert_ne!(window.app().sequence.live.steering.heading_rad, before);
    // Counted from where the record begins: who steers late still records the whole way.
    window.until("a way", |app| {
        playing(app, |p| p.recording_secs().is_some_and(|secs| secs > 5.0))
    });
    window.press(Modifiers::NONE, Key::Escape);
    window.click("Keep as path");
    window.harness.run_steps(2);
    let paths = window.app().shell.document().paths();
    assert_eq!(paths.len(), 1);
    assert!(paths[0].1.points.len() >= 2);
    assert!(
        paths[0].1.points[0].action.is_some(),
        "it says what was done"
    );
}

#[test]
fn a_path_with_three_actions_is_walked_edited_kept_and_comes_back() {
    let mut window = with_texture();
    let metres = TEXTURE.corpus().rig.metric.metres;
    let place = |x: f64, y: f64, action: &str| PathPoint {
        action: Some(action.to_owned()),
        ..PathPoint::at(x / metres, y / metres)
    };
    let points = vec![
        place(0.0, 0.0, "walk"),
        place(0.0, 3.0, "jog"),
        place(1.0, 6.0, "sneak"),
        PathPoint::at(1.5 / metres, 8.0 / metres),
    ];
    let path = DrawnPath::new("to the door", texture_id(&window), points);
    let add = Command::AddPath(Arc::new(path));
    window.app_mut().shell.ask(Request::Edit(add));
    let is_walked = |app: &kinfolk::app::App| app.sequence.is_walk_current(&app.shell);
    window.until("walked", is_walked);
    let walked = Arc::clone(window.app().sequence.walked().unwrap());
    assert!(walked.fit.mean * metres < 0.1, "{:?}", walked.fit);
    assert!(walked.line().contains("cm"), "{}", walked.line());
    let (id, path) = window.app().shell.document().paths()[0].clone();
    let mut moved = DrawnPath::clone(&path);
    moved.points[3].at.x += 0.8 / metres;
    window
        .app_mut()
        .shell
        .ask(Request::Edit(Command::ChangePath {
            what: "move point 4 of".to_owned(),
            id,
            path: Arc::new(moved),
        }));
    window.until("walked again", |app| {
        let now = app.sequence.walked();
        is_walked(app) && now.is_some_and(|now| !Arc::ptr_eq(now, &walked))
    });
    let again = Arc::clone(window.app().sequence.walked().unwrap());
    assert_ne!(again.clip.motion(), walked.clip.motion(), "another path");
    window.press(Modifiers::COMMAND, Key::Z);
    window.until("as before", is_walked);
    let undone = window.app().sequence.walked().unwrap();
    assert_eq!(undone.clip.motion(), walked.clip.motion(), "the same seed");
    let n = window.app().shell.document().n_clips();
    window.click("Keep as clip");
    window.harness.run_steps(2);
    assert_eq!(window.app().shell.document().n_clips(), n + 1);
    save_as(&mut window, "walk.kinfolk");
    let back = on_disk(&window.path("walk.kinfolk"));
    assert_eq!(back.paths(), window.app().shell.document().paths());
    assert!(matches!(back.models()[0].learned, Learned::Texture(_)));
}

#[test]
fn a_path_is_drawn_by_hand_on_the_floor() {
    let mut window = with_texture();
    window.until_idle();
    window.harness.run_steps(3);
    window.click("Draw");
    let view = window.view();
    let from = view.center() + vec2(-120.0, 60.0);
    let to = view.center() + vec2(140.0, 120.0);
    window.drag(PointerButton::Primary, Modifiers::NONE, from, to);
    assert_eq!(window.app().shell.document().paths().len(), 1);
    assert_eq!(window.undo_label(), "draw Path");
    let is_walked = |app: &kinfolk::app::App| app.sequence.is_walk_current(&app.shell);
    window.until("walked", is_walked);
}
