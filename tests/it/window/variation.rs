//! From a few takes to a family of motions, through the real window.

use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant};

use egui::{Key, Modifiers};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use kinfolk::app::render::{Offscreen, RenderError, Samples};
use kinfolk::app::shell::clips::analysis::CONTACTS_BY_HAND;
use kinfolk::app::shell::messages::Severity;
use kinfolk::app::shell::pane::Pane;
use kinfolk::app::shell::preferences::Workspace;
use kinfolk::app::shell::previews::Preview;
use kinfolk::app::shell::requests::{Request, Then};
use kinfolk::app::shell::session::Framing;
use kinfolk::app::shell::view_options::Arrangement;
use kinfolk::app::variation::models_of;
use kinfolk::app::variation::plots::view::PlotKind;
use kinfolk::app::variation::takes::learn::LEARN;
use kinfolk::app::variation::variants::batch::Batch;
use kinfolk::app::variation::variants::live::Live;
use kinfolk::app::{App, Setup};
use kinfolk::demo::Action;
use kinfolk::document::{ClipId, Command, Learned};
use kinfolk::file::project::Access;
use kinfolk::jobs::Ticket;
use kinfolk::motion::{Clip, Contact};
use kinfolk::variation::{ClipModel, HeldSpan, Method};

use super::library::{demo_clips, text_of, workspace};
use super::pictures::{blue, picture, share};
use super::projects::save_as;
use super::{STEP_SECS, Window, on_disk};
use crate::command::read;
use crate::quick;

fn models(app: &App) -> Vec<Arc<ClipModel>> {
    models_of(app.shell.document())
        .map(|model| model.1)
        .collect()
}

pub(super) fn batch(app: &App) -> Option<&Batch> {
    app.variation.batches.values().next()
}

/// Learned once for all tests but those of learning.
static WALKS: LazyLock<Arc<ClipModel>> = LazyLock::new(|| {
    let mut clips = demo_clips(Action::Walk, 0..4);
    for (name, clip) in &mut clips {
        // As the library calls them.
        clip.info.name.clone_from(name);
    }
    let clips: Vec<&Clip> = clips.iter().map(|(_, clip)| clip).collect();
    Arc::new(ClipModel::learn(&clips, &quick::settings(None), &Ticket::default()).unwrap())
});

fn four_walks() -> Window {
    workspace("Variation", &demo_clips(Action::Walk, 0..4))
}

/// Four walks, and a model of them.
pub(super) fn learned() -> Window {
    let mut window = four_walks();
    window.click("Use 4 selected clips");
    window.until_idle();
    let shell = &mut window.app_mut().shell;
    shell.ask(Request::Edit(Command::AddModel {
        name: "stroll".to_owned(),
        learned: Learned::Variation(Arc::clone(&WALKS)),
    }));
    shell.wanted_pane = Some(Pane::Variants);
    window.harness.run_steps(3);
    window.until_idle();
    window
}

pub(super) fn learn(mut window: Window) -> Window {
    window.click("Use 4 selected clips");
    // Until the takes are compared, what is below moves.
    window.until_idle();
    assert_eq!(
        window.app().variation.takes(&window.app().shell).len(),
        4,
        "four takes"
    );
    window.app_mut().variation.takes.settings = quick::settings(None);
    window.type_in("Model name", "stroll");
    window.click("Learn from 4 takes");
    window.until("learned", |app| models(app).len() == 1);
    window.until_idle();
    window
}

pub(super) fn make(window: &mut Window, count: usize) {
    window.app_mut().variation.count = count;
    window.harness.run_steps(2);
    let plural = if count == 1 { "" } else { "s" };
    window.click(&format!("Make {count} variant{plural}"));
    window.until("made and measured", |app| {
        batch(app).is_some_and(|batch| {
            let is_measured =
                |made: &kinfolk::app::variation::variants::batch::Made| made.numbers.is_some();
            batch.made.len() == count && batch.made.iter().all(is_measured)
        })
    });
    window.until_idle();
}

#[test]
fn four_takes_become_a_crowd_that_is_kept_exported_and_there_again() {
    let mut window = learn(four_walks());
    let label = window.undo_label();
    assert_eq!(label, "learn variation stroll");
    make(&mut window, 15);
    assert_eq!(
        window.app().shell.document().n_clips(),
        4,
        "nothing is kept yet"
    );
    // Blue takes and orange variants on stage, at the playhead.
    let shown = window.app().shell.previews.shown();
    let Some(Preview::Family(family)) = shown else {
        panic!("no family on stage: {shown:?}");
    };
    assert_eq!((family.inputs.len(), family.variants.len()), (4, 15));
    assert!(family.looked_at.is_some(), "the first that came");
    let stage = window.app().shell.on_stage();
    let orange = stage
        .iter()
        .filter(|(id, _)| window.app().shell.variant_on_stage(*id).is_some());
    assert_eq!(orange.count(), 15);
    for made in &batch(window.app()).unwrap().made {
        assert!(made.log_likelihood.is_some_and(f64::is_finite), "{made:?}");
        assert!(matches!(made.numbers, Some(Ok(_))), "{:?}", made.numbers);
    }
    for number in 0..3 {
        window.click(&format!("Discard stroll {number:03}"));
    }
    hold_a_foot(&mut window);
    window.click("Keep 12 variants");
    assert_eq!(window.app().shell.document().n_clips(), 16);
    let label = window.undo_label();
    assert_eq!(label, "keep 12 variants");
    window.press(Modifiers::COMMAND, Key::Z);
    assert_eq!(window.app().shell.document().n_clips(), 4, "one step");
    assert!(
        window.app().shell.document().sets().is_empty(),
        "also the set"
    );
    window.click("Keep 12 variants");
    export_and_read_back(&mut window);
    save_and_open(&mut window);
}

/// The looked-at variant gets one contact more than the takes voted for.
fn hold_a_foot(window: &mut Window) {
    let app = window.app();
    let (spans, can_change) = app.variation.looked_at_spans(&app.shell).unwrap();
    assert!(can_change && !spans.is_empty(), "feet stand: {spans:?}");
    let mut contacts: Vec<Contact> = spans.iter().map(HeldSpan::contact).collect();
    let first = contacts[0].clone();
    contacts[0].frames.end = first.frames.start + 3;
    let app = window.app_mut();
    app.variation.hold_during(&mut app.shell, &contacts);
    window.until("held by hand", |app| {
        let (_, made) = app.variation.looked_at(&app.shell).unwrap();
        made.by_hand.is_some()
    });
    window.until_idle();
    let (_, made) = window
        .app()
        .variation
        .looked_at(&window.app().shell)
        .unwrap();
    assert_eq!(made.clip.contacts().len(), contacts.len(), "as many");
}

fn export_and_read_back(window: &mut Window) {
    window.click("Export kept…");
    let out = window.path("out");
    window.type_in("Folder", &out.display().to_string());
    window.click("Export 12 clips");
    window.until_idle();
    let made: Vec<Arc<Clip>> = {
        let batch = batch(window.app()).unwrap();
        batch
            .made
            .iter()
            .map(|made| Arc::clone(&made.clip))
            .collect()
    };
    for (number, made) in made.iter().enumerate() {
        let file = out.join(format!("stroll_variants_{number:03}.bvh"));
        let back = read(&file);
        assert_eq!(back.n_frames(), made.n_frames(), "{}", file.display());
    }
    let manifest = std::fs::read_to_string(out.join("manifest.csv")).unwrap();
    assert_eq!(manifest.lines().count(), 13, "{manifest}");
    let head = manifest.lines().next().unwrap();
    let at = |name: &str| head.split(',').position(|cell| cell == name).unwrap();
    for (number, line) in manifest.lines().skip(1).enumerate() {
        let cells: Vec<&str> = line.split(',').collect();
        assert_eq!(cells.len(), head.split(',').count(), "{line}");
        assert_eq!(cells[at("variant")], (number + 3).to_string(), "{line}");
        assert_eq!(cells[at("seed")], "1", "{line}");
        assert!(cells[at("jerk")].parse::<f64>().is_ok(), "{line}");
        let contacts = if number == 0 {
            "by hand"
        } else {
            "as in the takes"
        };
        assert_eq!(cells[at("contacts")], contacts, "{line}");
    }
}

fn save_and_open(window: &mut Window) {
    let folder = window.path("crowd.kinfolk");
    save_as(window, "crowd.kinfolk");
    let back = on_disk(&folder);
    let kept: Vec<Arc<ClipModel>> = models_of(&back).map(|model| model.1).collect();
    assert_eq!(kept, models(window.app()), "the model, too");
    assert_eq!(back.n_clips(), 16, "four takes and twelve variants");
    // And the window, opened on it anew: all there, and variants can be made at once.
    window.app_mut().shell.ask(Request::Leave(Then::New));
    window.until("empty", |app| app.shell.document().n_clips() == 0);
    let then = Then::Open(folder, Access::Write);
    window.app_mut().shell.ask(Request::Leave(then));
    window.until("opened", |app| app.shell.document().n_clips() == 16);
    window.until_idle();
    let again = &window;
    assert_eq!(models(again.app()), kept, "the model");
    let document = again.app().shell.document();
    assert_eq!(document.sets()[0].clips.len(), 12, "the set");
    let held = document.clips().nth(4).unwrap().1;
    let by_hand = |line: &String| line == CONTACTS_BY_HAND;
    assert!(
        held.info.history.iter().any(by_hand),
        "{:?}",
        held.info.history
    );
    assert!(!held.contacts().is_empty(), "with its contacts");
    assert_eq!(
        again
            .app()
            .variation
            .chosen_model(&again.app().shell)
            .map(|model| model.1),
        kept.first().cloned(),
        "ready to make more"
    );
}

#[test]
fn a_cancelled_model_leaves_nothing_behind() {
    let mut window = workspace("Variation", &demo_clips(Action::Walk, 0..6));
    window.click("Use 6 selected clips");
    window.until_idle();
    let before = window.app().shell.document().clone();
    // A network is learned before anybody could cancel it; the paper's recipe takes its time.
    window.app_mut().variation.takes.settings.method = Method::Paper;
    window.click("Learn from 6 takes");
    window.until("on its way", |app| {
        let running = app.shell.work.named(LEARN);
        running.is_some_and(|running| !running.told().is_empty())
    });
    window.click("Cancel learning");
    window.until_idle();
    assert_eq!(*window.app().shell.document(), before);
    let said = window.said();
    assert!(said.iter().any(|s| s.ends_with("cancelled")), "{said:?}");
    let mut all = window.app().shell.messages.all().iter();
    let is_error = all.any(|message| message.severity == Severity::Error);
    assert!(!is_error, "who cancels has made no mistake: {said:?}");
    window.harness.get_by_label("Learn from 6 takes");
}

#[test]
fn the_looked_at_variant_follows_the_amount_and_others_can_be_drawn_anew() {
    let mut window = learned();
    make(&mut window, 3);
    let clips = |app: &App| -> Vec<Arc<Clip>> {
        let made = batch(app).unwrap().made.iter();
        made.map(|made| Arc::clone(&made.clip)).collect()
    };
    let before = clips(window.app());
    window.click("Variant stroll 001");
    window.app_mut().variation.recipe.amount = 0.0;
    window.until("followed", |app| {
        batch(app).unwrap().made[1].recipe.amount == 0.0
    });
    window.until_idle();
    let after = clips(window.app());
    assert!(!after[1].same_motion(&before[1]), "another motion");
    assert!(Arc::ptr_eq(&after[0], &before[0]), "the others stay");
    assert!(Arc::ptr_eq(&after[2], &before[2]), "the others stay");
    let mean = models(window.app())[0].mean_motion().unwrap();
    assert_eq!(
        after[1].n_frames(),
        mean.n_frames(),
        "amount 0 is the mean motion"
    );
    window.app_mut().variation.recipe.amount = 1.0;
    window.until("back", |app| {
        batch(app).unwrap().made[1].recipe.amount == 1.0
    });
    window.until_idle();
    let back = clips(window.app());
    assert!(
        back[1].same_motion(&before[1]),
        "the same seed, the same motion"
    );
    window.click("Reseed stroll 002");
    window.until("another", |app| {
        batch(app).unwrap().made[2].number == Some(3)
    });
    window.until_idle();
    assert!(
        !clips(window.app())[2].same_motion(&before[2]),
        "another one"
    );
}

#[test]
fn a_stream_walks_on_until_it_is_stopped() {
    let mut window = learned();
    window.click("Stream");
    window.harness.run_steps(60);
    let live = window.app().variation.live.as_ref();
    let secs = live.map(Live::secs);
    assert!(
        secs.is_some_and(|secs| secs > 2.0),
        "{secs:?} in three seconds"
    );
    let shown = window.app().shell.previews.shown();
    assert!(
        matches!(shown, Some(Preview::Family(family)) if family.live.is_some()),
        "{shown:?}"
    );
    window.click("Stop the stream");
    let made = &batch(window.app()).unwrap().made;
    assert_eq!(made.len(), 1);
    assert!(made[0].clip.seconds() > 2.0, "{}", made[0].clip.seconds());
    window.click("Keep 1 variant");
    assert_eq!(window.app().shell.document().n_clips(), 5);
}

#[test]
fn a_stream_keeps_real_time_where_frames_are_drawn_once_a_second() {
    let mut window = learned();
    window.click("Stream");
    let began = window.app().shell.now_secs;
    let secs = |window: &Window| window.app().variation.live.as_ref().map(Live::secs);
    let mut kept = 0.0;
    for frame in 1..=10 {
        let before = secs(&window).unwrap();
        window.harness.input_mut().time = Some(began + f64::from(frame));
        let began = Instant::now();
        window.harness.step();
        // A second that could not be made in time, because others had the processor, is not caught up with.
        if began.elapsed() < Duration::from_millis(250) {
            let made = secs(&window).unwrap() - before;
            assert!((0.9..1.1).contains(&made), "{made} s in second {frame}");
            kept += made;
        }
    }
    let all = secs(&window).unwrap();
    assert!(kept <= all && all < 10.5, "{all} in ten seconds");
}

#[test]
fn one_variant_can_be_seen_alone() {
    let mut window = learned();
    make(&mut window, 3);
    let on_stage = |window: &Window| window.app().shell.on_stage().len();
    window.harness.run_steps(2);
    let all = on_stage(&window);
    window.click("Solo");
    assert!(all > 3 && on_stage(&window) == 1, "{all}");
    let lead = window.app().shell.stage_lead();
    assert_eq!(Some(window.app().shell.on_stage()[0].0), lead);
    window.click("Solo");
    assert_eq!(on_stage(&window), all);
}

#[test]
fn models_are_renamed_removed_and_come_back() {
    let mut window = learned();
    window.click("Models");
    window.until_idle();
    window.click("Rename model stroll");
    window.type_in("New model name", "hero");
    window.press(Modifiers::NONE, Key::Enter);
    window.harness.get_by_label("Model hero");
    window.click("Delete model hero");
    assert!(models(window.app()).is_empty(), "gone");
    window.press(Modifiers::COMMAND, Key::Z);
    assert_eq!(models(window.app()).len(), 1);
    window.press(Modifiers::COMMAND, Key::Z);
    window.harness.get_by_label("Model stroll");
}

#[test]
fn the_wizard_keeps_walks_and_drops_what_is_none() {
    let mut clips = demo_clips(Action::Walk, 0..13);
    clips.extend(demo_clips(Action::WalkBigArms, 0..2));
    clips.extend(demo_clips(Action::Limp, 0..1));
    let mut window = workspace("Variation", &clips);
    let document = window.app().shell.document();
    let ids: Vec<(ClipId, String)> = document
        .clips()
        .map(|(id, clip)| (id, clip.info.name.clone()))
        .collect();
    let of = |wanted: &dyn Fn(&str) -> bool| -> Vec<ClipId> {
        let named = ids.iter().filter(|(_, name)| wanted(name));
        named.map(|(id, _)| *id).collect()
    };
    let number = |name: &str| name.strip_prefix("walk_")?.parse::<u64>().ok();
    let known = of(&|name| number(name).is_some_and(|n| n < 8));
    // The clips to choose from stand beside the wizard.
    window.app_mut().shell.wanted_pane = Some(Pane::Clips);
    window.harness.run_steps(3);
    window.click("Similar clips");
    window.app_mut().shell.session.select(known.clone());
    window.harness.run_steps(2);
    window.click("Use 8 selected clips");
    window.click("Next: candidates");
    window
        .app_mut()
        .shell
        .session
        .select(ids.iter().map(|(id, _)| *id));
    window.harness.run_steps(2);
    window.click("Use 16 selected clips");
    window.click("Compare 8 candidates");
    window.until("compared", |app| {
        app.variation
            .wizard
            .findings
            .as_ref()
            .is_some_and(|found| found.is_over)
    });
    let found = window.app().variation.wizard.findings.clone().unwrap();
    // Near misses stay, so no good candidate goes; no other may stay.
    let good = of(&|name| name.starts_with("walk_"));
    let alike = found.alike();
    let n_alike = alike.len();
    assert!(alike.iter().all(|id| good.contains(id)), "{alike:?}");
    assert_eq!(n_alike, good.len(), "near misses are kept");
    for (candidate, (id, clip)) in found.candidates.iter().enumerate() {
        let (_, dropped) = found.verdict(candidate).unwrap();
        let fits = dropped.is_none_or(|dropped| dropped.is_near);
        assert_eq!(fits, alike.contains(id), "{}", clip.info.name);
        let says_why = dropped.is_none_or(|dropped| !found.reasons(dropped).is_empty());
        assert!(says_why, "{}", clip.info.name);
    }
    // One is left out by hand, and taken in again.
    let kept = found.candidates.iter().find(|(id, _)| alike.contains(id));
    let last = &kept.unwrap().1.info.name;
    window.click(&format!("Keep candidate {last}"));
    let findings = window.app().variation.wizard.findings.as_ref();
    assert_eq!(findings.unwrap().alike().len(), n_alike - 1);
    window.click(&format!("Keep candidate {last}"));
    window.harness.get_by_label("Clip walk_0");
    window.click("Keep these as a set");
    let set = &window.app().shell.document().sets()[0];
    assert_eq!(set.clips, alike);
    window.click("Learn from these");
    assert_eq!(
        window.app().variation.takes(&window.app().shell).len(),
        n_alike
    );
    window.until_idle();
    assert_eq!(models(window.app()).len(), 1, "{:?}", window.said());
}

/// A window that is drawn, with four walks; none where there is nothing to draw with.
pub(super) fn drawn() -> Option<Window> {
    if let Err(RenderError::NoAdapter(why)) = Offscreen::new(Samples::One) {
        crate::data::skipped(&why);
        return None;
    }
    let folder = tempfile::tempdir().unwrap();
    for (name, clip) in demo_clips(Action::Walk, 0..4) {
        let path = folder.path().join(format!("takes/{name}.bvh"));
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text_of(&clip)).unwrap();
    }
    let setup = Setup {
        data_folder: None,
        open: vec![folder.path().join("takes")],
        ..Setup::default()
    };
    let harness = Harness::builder()
        .with_size([1280.0, 800.0])
        .with_step_dt(STEP_SECS)
        .wgpu()
        .build_eframe(move |creation| App::new(creation, setup));
    let mut window = Window { harness, folder };
    window.until("imported", |app| app.shell.document().n_clips() == 4);
    window.until_idle();
    window.app_mut().shell.preferences.workspace = Workspace::Variation;
    window.harness.run_steps(3);
    Some(window)
}

#[test]
fn takes_are_blue_and_variants_orange_in_view_and_plots() {
    let Some(window) = drawn() else { return };
    let mut window = learn(window);
    make(&mut window, 4);
    window.app_mut().shell.preferences.view.arrangement = Arrangement::SideBySide;
    window.app_mut().shell.session.playhead_secs = 0.4;
    window.app_mut().shell.session.framing = Some(Framing::All);
    let view = window.view();
    let orange = |[r, _, b]: [i32; 3]| r > b + 60;
    let seen = picture(&mut window);
    let (given, made) = (share(&seen, view, blue), share(&seen, view, orange));
    assert!(given > 0.001 && made > 0.001, "blue {given}, orange {made}");
    for kind in [PlotKind::OverTime, PlotKind::Against, PlotKind::Directions] {
        window.click("Plots");
        window.app_mut().variation.plots.kind = kind;
        window.app_mut().variation.plots.pair = (20, 30);
        window.until_idle();
        window.until("curves", |app| {
            let data = app.variation.plots.data.as_ref();
            data.is_some_and(|data| data.lines.len() == 8)
        });
        let seen = picture(&mut window);
        let (given, made) = (share(&seen, view, blue), share(&seen, view, orange));
        assert!(
            given > 0.001 && made > 0.001,
            "{kind:?}: blue {given}, orange {made}"
        );
    }
}
