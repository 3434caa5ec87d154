//! From six clips to one motion, through the real window.

use egui::accesskit::Role;
use egui::{Key, Modifiers};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use kinfolk::app::App;
use kinfolk::app::sequence::state::Request;
use kinfolk::app::sequence::strip::{Edit, Evaluated, Export};
use kinfolk::app::shell::dialogs::Dialog;
use kinfolk::app::shell::previews::Preview;
use kinfolk::demo::Action;
use kinfolk::document::{ActionSource, Learned, Sequence};
use kinfolk::motion::Clip;
use kinfolk::sequence::{EntryId, JoinMethod};
use kinfolk::variation::ClipModel;

use super::library::{demo_clips, workspace};
use super::projects::save_as;
use super::{Window, on_disk};
use crate::data::shared;
use crate::quick;
use crate::takes::take;

fn shown(app: &App) -> Option<&Evaluated> {
    app.sequence.strip.shown()
}

fn sequence(app: &App) -> Option<&Sequence> {
    let first = app.shell.document().sequences().first();
    first.map(|(_, sequence)| &**sequence)
}

fn order(app: &App) -> Vec<EntryId> {
    let plays = shown(app).map_or(&[][..], |shown| &shown.plays);
    plays.iter().map(|play| play.entry).collect()
}

/// Waits until the strip shows what the document says.
fn settle(window: &mut Window) {
    window.until("joined", |app| {
        let now = app.shell.document().sequences().first().map(|(_, s)| s);
        let is_now =
            |shown: &Evaluated| now.is_some_and(|s| std::sync::Arc::ptr_eq(s, &shown.sequence));
        shown(app).is_some_and(is_now)
    });
}

fn six_actions() -> Window {
    let mut clips = demo_clips(Action::Jab, 0..2);
    clips.extend(demo_clips(Action::FrontKick, 0..2));
    clips.extend(demo_clips(Action::Hook, 0..2));
    let mut window = workspace("Sequence", &clips);
    window.click("Make an example");
    settle(&mut window);
    window
}

#[test]
fn a_fight_in_six_moves() {
    let mut window = six_actions();
    let app = window.app();
    assert_eq!(order(app).len(), 6);
    let made = shown(app).unwrap();
    assert_eq!(
        made.plays.iter().filter(|p| p.transition.is_some()).count(),
        5
    );
    assert!(made.skipped.is_empty(), "{:?}", made.skipped);
    let length = app.shell.length_secs();
    let clip = made.clip.clone().unwrap();
    assert!(
        (length - clip.seconds()).abs() < 1e-9,
        "the playhead counts the sequence"
    );
    let on_stage = matches!(app.shell.previews.shown(), Some(Preview::Played(played)) if played.clip.same_motion(&clip));
    assert!(on_stage, "the 3D view shows it");
    // Play.
    window.app_mut().shell.session.is_playing = true;
    window.harness.run_steps(20);
    assert!(window.app().shell.session.playhead_secs > 0.1, "it plays");
    window.app_mut().shell.session.is_playing = false;
    // Reorder.
    let before = order(window.app());
    let edit = Edit::Move(vec![before[5]], 0);
    window.app_mut().sequence.ask(Request::EditStrip(edit));
    window.harness.run_steps(2);
    settle(&mut window);
    assert_eq!(order(window.app())[0], before[5]);
    // Another candidate.
    let join = (order(window.app())[2], 0);
    measured(&mut window, join);
    let second = |harness: &Harness<'static, App>| {
        let button = harness.query_by_label_contains("2. ")?;
        Some(button.rect())
    };
    assert!(window.click_on(second), "another candidate");
    assert_eq!(window.undo_label(), "change a join in Sequence");
    settle(&mut window);
    let choice = |app: &App| {
        sequence(app)
            .unwrap()
            .actions
            .entry(join.0)
            .unwrap()
            .reached
    };
    assert_ne!(choice(window.app()).method, JoinMethod::Automatic);
    // Another length.
    let length = |harness: &Harness<'static, App>| {
        let mut buttons = harness.query_all_by_label("measured");
        Some(buttons.next()?.rect())
    };
    assert!(window.click_on(length), "a measured length");
    assert!(choice(window.app()).secs.is_some(), "the length is set");
    settle(&mut window);
    // Everything back, and forth again.
    let last = sequence(window.app()).cloned();
    while !window.undo_label().starts_with("add 6") && !window.undo_label().is_empty() {
        window.press(Modifiers::COMMAND, Key::Z);
    }
    assert!(sequence(window.app()).is_none(), "undone");
    for _ in 0..4 {
        window.press(Modifiers::COMMAND | Modifiers::SHIFT, Key::Z);
    }
    assert_eq!(sequence(window.app()).cloned(), last, "done again");
    settle(&mut window);
    // Out: as a clip, and as a table of joins.
    let made = shown(window.app()).unwrap();
    assert_eq!(made.joins_csv().lines().count(), 6, "a head and five joins");
    let frames: usize = made.parts().iter().map(|part| part.n_frames()).sum();
    assert_eq!(
        frames,
        made.clip.as_ref().unwrap().n_frames(),
        "parts are the whole"
    );
    window.app_mut().sequence.strip.locks_feet = true;
    window
        .app_mut()
        .sequence
        .ask(Request::Export(Export::Parts));
    window.until("it asks where to", |app| {
        matches!(app.shell.dialog, Some(Dialog::Export(_)))
    });
    window.app_mut().shell.dialog = None;
    window.harness.run_steps(2);
    window.click("Keep as clip");
    assert_eq!(window.names().last().map(String::as_str), Some("Sequence"));
    save_as(&mut window, "fight.kinfolk");
    let saved = on_disk(&window.path("fight.kinfolk"));
    assert_eq!(saved.sequences(), window.app().shell.document().sequences());
    assert_eq!(saved.graphs(), window.app().shell.document().graphs());
}

/// What the selected action makes of its target.
fn hit(app: &App) -> Option<kinfolk::sequence::ReachHit> {
    let entry = *app.sequence.strip.selected.first()?;
    let play = shown(app)?.plays.iter().find(|play| play.entry == entry)?;
    play.hit
}

/// In centimetres of a body of 1.75 m.
fn missed_cm(app: &App) -> f64 {
    let metres = shown(app).unwrap().graph.rig().metric.metres;
    100.0 * hit(app).expect("it has a target").missed * metres
}

/// Whether the playhead is where an action meets its target.
fn is_at_effect(app: &App, entry: EntryId) -> bool {
    let made = shown(app).unwrap();
    let play = made.plays.iter().find(|play| play.entry == entry).unwrap();
    let effect = play.frame_of(play.hit.unwrap().effect_frame);
    let now = app.shell.session.playhead_secs * made.graph.rig().fps;
    now as usize == effect
}

#[test]
fn a_kick_hits_the_point_it_is_dragged_to() {
    let mut clips = demo_clips(Action::Jab, 0..2);
    clips.extend(demo_clips(Action::FrontKick, 0..4));
    let mut window = workspace("Sequence", &clips);
    window.click("Make an example");
    settle(&mut window);
    let kick = order(window.app())[3];
    window.app_mut().sequence.strip.selected = vec![kick];
    window.harness.run_steps(2);
    window.click("Reach for a point");
    assert!(
        window
            .undo_label()
            .starts_with("set a target for frontkick_"),
        "{}",
        window.undo_label()
    );
    settle(&mut window);
    let made = shown(window.app()).unwrap();
    assert!(made.skipped.is_empty(), "{:?}", made.skipped);
    assert!(
        made.reaches.contains_key(&kick),
        "where it can reach is known"
    );
    let source = &sequence(window.app())
        .unwrap()
        .actions
        .entry(kick)
        .unwrap()
        .source;
    assert!(matches!(source, ActionSource::Target(action) if action.examples.len() == 4));
    let first = hit(window.app()).unwrap();
    assert!(first.is_reachable, "it is where the foot was");
    assert!(is_at_effect(window.app(), kick), "the target is looked at");
    assert!(missed_cm(window.app()) < 3.0, "{}", missed_cm(window.app()));
    let before = made.clip.clone().unwrap();
    // Dragged by hand, the kick goes there; undone, it is the same motion again.
    window.until_idle();
    window.press(Modifiers::NONE, Key::Home);
    window.until_idle();
    let target = |window: &Window| window.harness.get_by_label("Target").rect().center();
    let from = target(&window);
    let to = from + egui::vec2(4.0, -6.0);
    window.drag(egui::PointerButton::Primary, Modifiers::NONE, from, to);
    assert_eq!(window.undo_label(), "move a target in Sequence");
    settle(&mut window);
    let second = hit(window.app()).unwrap();
    assert_ne!(first.target, second.target);
    assert!(is_at_effect(window.app(), kick), "it stays there");
    assert!(
        !second.is_reachable || missed_cm(window.app()) < 3.0,
        "{second:?}"
    );
    let off = target(&window) - to;
    assert!(
        off.length() < 3.0,
        "it is where the pointer let it go: {off:?}"
    );
    window.press(Modifiers::COMMAND, Key::Z);
    settle(&mut window);
    let again = shown(window.app()).unwrap().clip.clone().unwrap();
    assert!(again.same_motion(&before), "the same target, the same kick");
    // It is kept, and played as captured again when that is wanted.
    save_as(&mut window, "kick.kinfolk");
    let saved = on_disk(&window.path("kick.kinfolk"));
    assert_eq!(saved.sequences(), window.app().shell.document().sequences());
    window.click("As captured");
    settle(&mut window);
    assert_eq!(hit(window.app()), None);
}

/// Waits until other ways of making a join are measured.
fn measured(window: &mut Window, join: (EntryId, usize)) {
    window.app_mut().sequence.join.chosen = Some(join);
    window.until("measured", |app| {
        shown(app).is_some_and(|shown| shown.candidates.as_ref().is_some_and(|c| c.0 == join))
    });
}

#[test]
fn what_is_dragged_in_the_join_editor_stays_under_the_pointer() {
    let mut window = six_actions();
    let join = (order(window.app())[2], 0);
    measured(&mut window, join);
    let length = |window: &Window| {
        let mut boxes = window.harness.query_all_by_label("measured");
        boxes.next().expect("the length can be measured").rect()
    };
    let before = length(&window);
    let from = before.left_center() - egui::vec2(30.0, 0.0);
    let to = from + egui::vec2(24.0, 0.0);
    let (button, none) = (egui::PointerButton::Primary, Modifiers::NONE);
    window.drag_and_hold(button, none, from, to);
    window.until("followed without measuring", |app| {
        shown(app).is_some_and(|shown| shown.candidates.is_none() && shown.earlier.is_some())
    });
    assert_eq!(length(&window), before, "nothing has moved");
    window.let_go(button, none, to);
    assert_eq!(window.undo_label(), "change a join in Sequence");
    measured(&mut window, join);
    assert!(shown(window.app()).unwrap().earlier.is_none());
}

/// Six captured actions, which are farther from each other than those of the demo; none where there is no data.
fn six_captured() -> Option<Window> {
    let folder = shared("actions/martial_s144")?;
    let names = [
        "block_left_144_07_1",
        "front_kick_right_144_05_1",
        "cartwheel_144_01_1",
        "idle_144_07_1",
        "punch_left_144_13_1",
        "punch_right_144_20_2",
    ];
    let named = |(at, name)| {
        (
            format!("{at}_{name}"),
            take(&folder.join(format!("{name}.bvh"))),
        )
    };
    let clips: Vec<(String, Clip)> = names.iter().enumerate().map(named).collect();
    let mut window = workspace("Sequence", &clips);
    window.click("Line up 6 clips");
    settle(&mut window);
    Some(window)
}

#[test]
fn a_path_is_drawn_again() {
    let Some(mut window) = six_captured() else {
        return;
    };
    // Some join of this fight has paths through captured poses.
    let joins: Vec<(EntryId, usize)> = order(window.app())[1..].iter().map(|e| (*e, 0)).collect();
    let paths = |app: &App| {
        let candidates = shown(app).and_then(|shown| shown.candidates.as_ref());
        let paths = candidates.map_or(&[][..], |c| c.1.as_slice()).iter();
        paths.filter(|c| c.settings.path.is_some()).count()
    };
    let with_paths = joins.into_iter().find(|join| {
        measured(&mut window, *join);
        paths(window.app()) > 1
    });
    let Some(join) = with_paths else {
        panic!("no join of the fight has two paths");
    };
    let method = |app: &App| {
        let entry = sequence(app).unwrap().actions.entry(join.0);
        entry.unwrap().reached.method
    };
    let mut drawn = Vec::new();
    for _ in 0..2 {
        window.harness.run_steps(2);
        window.click("Redraw path");
        settle(&mut window);
        measured(&mut window, join);
        drawn.push(method(window.app()));
    }
    assert!(drawn.iter().all(|method| method.is_path()), "{drawn:?}");
    assert_ne!(drawn[0], drawn[1], "another one");
}

#[test]
fn a_click_in_the_distance_grid_sets_both_starts() {
    let mut window = six_actions();
    let join = (order(window.app())[2], 0);
    window.app_mut().sequence.join.chosen = Some(join);
    window.until("a grid", |app| {
        shown(app).is_some_and(|shown| shown.grid.is_some())
    });
    let grid = shown(window.app()).unwrap().grid.clone().unwrap();
    let (leaves, enters) = (grid.frames().0.clone(), grid.frames().1.clone());
    let made = shown(window.app()).unwrap().plays[2].clone();
    assert_eq!(enters, made.frames);
    window.harness.get_by_label("Distance grid").scroll_to_me();
    window.harness.run_steps(8);
    let rect = window.harness.get_by_label("Distance grid").rect();
    let at = rect.min + egui::vec2(0.8 * rect.width(), 0.1 * rect.height());
    window.drag(
        egui::PointerButton::Primary,
        Modifiers::NONE,
        at,
        at + egui::vec2(1.0, 0.0),
    );
    assert_eq!(window.undo_label(), "change a join in Sequence");
    settle(&mut window);
    let choice = sequence(window.app()).unwrap().actions.entry(join.0);
    let choice = choice.unwrap().reached;
    let fps = shown(window.app()).unwrap().graph.rig().fps;
    let leave = (choice.leave_secs.unwrap() * fps).round() as usize;
    let enter = (choice.enter_secs.unwrap() * fps).round() as usize;
    assert!(leaves.contains(&leave) && enters.contains(&enter));
    let now = &shown(window.app()).unwrap().plays[2];
    assert_eq!(now.transition.as_ref().unwrap().enter, enter);
}

#[test]
fn a_graph_is_made_of_a_set_and_changed_by_what_is_selected() {
    let mut clips = demo_clips(Action::Jab, 0..2);
    clips.extend(demo_clips(Action::FrontKick, 0..2));
    let mut window = workspace("Sequence", &clips);
    let ids = window.app().shell.document().clip_order().to_vec();
    window.app_mut().shell.session.select(Some(ids[0]));
    window.harness.run_steps(2);
    // One clip has nothing to go over into.
    window.click("Build graph from all 4 clips");
    let n_clips = |app: &App| {
        let graph = app.sequence.graph();
        graph.map_or(0, |graph| graph.clips().count())
    };
    window.until("a graph", |app| n_clips(app) == 4);
    window.until_idle();
    window.click("Take 1 out");
    window.until("without it", |app| n_clips(app) == 3);
    window.until_idle();
    window.click("Add 1 to it");
    window.until("with it", |app| n_clips(app) == 4);
    let summary = window.app().sequence.graph_summary().unwrap().clone();
    let words = if summary.islands.is_empty() {
        "Connected"
    } else {
        "island"
    };
    window.harness.run_steps(2);
    window.harness.get_by_label_contains(words);
}

#[test]
fn a_guard_who_never_repeats_himself() {
    let mut window = six_actions();
    let clips: Vec<_> = (0..3)
        .map(|take| kinfolk::demo::make(Action::Jab, 3, take).clip)
        .collect();
    let clips: Vec<_> = clips.iter().collect();
    let ticket = kinfolk::jobs::Ticket::default();
    let model = ClipModel::learn(&clips, &quick::settings(None), &ticket).unwrap();
    let learned = Learned::Variation(std::sync::Arc::new(model));
    let name = "guard".to_owned();
    let command = kinfolk::document::Command::AddModel { name, learned };
    let edit = kinfolk::app::shell::requests::Request::Edit(command);
    window.app_mut().shell.ask(edit);
    window.harness.run_steps(2);
    let id = window.app().shell.document().models()[0].id;
    window
        .app_mut()
        .sequence
        .ask_to_add(ActionSource::Model(id));
    window.harness.run_steps(2);
    assert_eq!(window.undo_label(), "add guard to Sequence");
    let entry = window.app().sequence.strip.selected[0];
    let edit = Edit::Repeat(entry, 3);
    window.app_mut().sequence.ask(Request::EditStrip(edit));
    window.harness.run_steps(2);
    settle(&mut window);
    let shown = shown(window.app()).unwrap();
    let own: Vec<_> = shown
        .plays
        .iter()
        .filter(|play| play.entry == entry)
        .collect();
    assert_eq!(own.len(), 3);
    for pair in own.windows(2) {
        assert!(
            !pair[0].clip.clip.same_motion(&pair[1].clip.clip),
            "repeated"
        );
    }
    // The selected action is what the Delete key takes away, not the clips of the table.
    let n_clips = window.app().shell.document().n_clips();
    window.press(Modifiers::NONE, Key::Delete);
    assert_eq!(window.app().shell.document().n_clips(), n_clips);
    assert_eq!(sequence(window.app()).unwrap().actions.entries.len(), 6);
}

/// Where a frame of the motion is on the strip, at the height of the actions.
fn on_strip(window: &Window, frame: usize) -> egui::Pos2 {
    let rect = window
        .harness
        .get_by_role_and_label(Role::Canvas, "Strip")
        .rect();
    let clip = shown(window.app()).unwrap().clip.clone().unwrap();
    let share = frame as f32 / clip.n_frames() as f32;
    egui::pos2(rect.left() + share * rect.width(), rect.top() + 36.0)
}

/// The middle of an action, where it is seen alone.
fn middle_of(window: &Window, play: usize) -> egui::Pos2 {
    let play = &shown(window.app()).unwrap().plays[play];
    let blended = play.transition.as_ref().map_or(0, |t| t.at + t.frames);
    on_strip(
        window,
        usize::midpoint(blended.max(play.shown.start), play.shown.end),
    )
}

fn drag(window: &mut Window, from: egui::Pos2, to: egui::Pos2) {
    window.drag(egui::PointerButton::Primary, Modifiers::NONE, from, to);
}

#[test]
fn six_clips_are_lined_up_by_one_click() {
    let mut clips = demo_clips(Action::Jab, 0..3);
    clips.extend(demo_clips(Action::Hook, 0..3));
    let mut window = workspace("Sequence", &clips);
    window.click("Line up 6 clips");
    assert_eq!(window.undo_label(), "line up 6 clips");
    let said = window
        .app()
        .shell
        .messages
        .in_status()
        .unwrap()
        .text
        .clone();
    assert_eq!(said, "Building the transition graph…", "it is not done yet");
    settle(&mut window);
    assert_eq!(order(window.app()).len(), 6);
    let said = window
        .app()
        .shell
        .messages
        .in_status()
        .unwrap()
        .text
        .clone();
    assert!(
        said.starts_with("Transition graph of 6 clips built"),
        "{said}"
    );
    window.press(Modifiers::COMMAND, Key::Z);
    assert!(sequence(window.app()).is_none(), "one step");
}

#[test]
fn actions_are_dragged_onto_the_strip_to_other_places_and_trimmed_by_hand() {
    let mut window = six_actions();
    let before = order(window.app());
    // From the palette, to where it is dropped.
    let card = window
        .harness
        .get_by_role_and_label(Role::Button, "Action hook_1");
    let from = card.rect().center();
    let to = middle_of(&window, 3) - egui::vec2(4.0, 0.0);
    drag(&mut window, from, to);
    assert_eq!(window.undo_label(), "add hook_1 to Sequence");
    settle(&mut window);
    let with_seven = order(window.app());
    assert_eq!(with_seven.len(), 7);
    assert!(!before.contains(&with_seven[3]), "it is the fourth now");
    // To another place.
    let (from, to) = (
        middle_of(&window, 3),
        middle_of(&window, 0) - egui::vec2(4.0, 0.0),
    );
    drag(&mut window, from, to);
    assert_eq!(window.undo_label(), "move hook_1 in Sequence");
    settle(&mut window);
    assert_eq!(order(window.app())[0], with_seven[3], "it comes first");
    // An edge.
    let play = shown(window.app()).unwrap().plays[6].clone();
    let from = on_strip(&window, play.shown.end) - egui::vec2(2.0, 0.0);
    drag(&mut window, from, from - egui::vec2(20.0, 0.0));
    assert_eq!(window.undo_label(), "trim an action in Sequence");
    settle(&mut window);
    let trimmed = &shown(window.app()).unwrap().plays[6];
    assert!(trimmed.frames.end < play.frames.end, "{:?}", trimmed.frames);
    assert_eq!(trimmed.frames.start, play.frames.start);
    for _ in 0..3 {
        window.press(Modifiers::COMMAND, Key::Z);
    }
    settle(&mut window);
    assert_eq!(order(window.app()), before);
}

#[test]
fn an_action_that_is_dropped_without_a_graph_brings_one() {
    let clips = demo_clips(Action::Jab, 0..3);
    let mut window = workspace("Sequence", &clips);
    window.click("Add 3 selected clips");
    assert_eq!(window.undo_label(), "add 3 actions to Sequence");
    settle(&mut window);
    assert_eq!(order(window.app()).len(), 3);
    let graphs = window.app().shell.document().graphs();
    assert_eq!(graphs[0].1.clips.len(), 3);
    window.press(Modifiers::COMMAND, Key::Z);
    let document = window.app().shell.document();
    assert!(document.graphs().is_empty() && document.sequences().is_empty());
}

#[test]
fn a_loop_is_played_round_and_goes_on_from_where_it_is() {
    let mut window = six_actions();
    window.click("Seamless loop");
    assert_eq!(window.undo_label(), "switch on the loop in Sequence");
    settle(&mut window);
    let made = shown(window.app()).unwrap();
    assert_eq!(made.plays.len(), 7, "the first is there again");
    let (carry, clip) = (made.carry.unwrap(), made.clip.clone().unwrap());
    assert_eq!(made.joins_csv().lines().count(), 7, "the seam is a join");
    let carried = |app: &App| match app.shell.previews.shown() {
        Some(Preview::Played(played)) => played.carried,
        _ => None,
    };
    assert_eq!(carried(window.app()), None);
    window.app_mut().shell.session.is_playing = true;
    window.until("the third round", |app| app.shell.session.n_rounds == 2);
    window.app_mut().shell.session.is_playing = false;
    let twice = carry.then(&carry);
    assert_eq!(
        carried(window.app()),
        Some(twice),
        "it goes on from where it is"
    );
    assert!(window.app().shell.session.is_looping);
    // The join that closes it is edited like every other.
    let seam = made_seam(window.app());
    measured(&mut window, seam);
    // Moved by hand, it is back at its beginning.
    window.press(Modifiers::NONE, Key::ArrowRight);
    assert_eq!(carried(window.app()), None);
    window.press(Modifiers::COMMAND, Key::Z);
    settle(&mut window);
    let open = shown(window.app()).unwrap();
    assert_eq!(open.carry, None);
    assert!(!open.clip.as_ref().unwrap().same_motion(&clip));
}

/// The play that closes the loop.
fn made_seam(app: &App) -> (EntryId, usize) {
    let last = shown(app).unwrap().plays.last().unwrap();
    assert!(last.closes, "the last one closes the round");
    assert!(last.transition.is_some(), "by a join");
    (last.entry, last.repeat)
}
