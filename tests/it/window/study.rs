//! Is it natural, is it repetitive: the study workspace through the real window.

use std::sync::Arc;

use egui::accesskit::Role;
use egui::{Key, Modifiers};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use kinfolk::app::render::{Offscreen, RenderError, Samples, Size};
use kinfolk::app::shell::pane::Pane;
use kinfolk::app::shell::preferences::Workspace;
use kinfolk::app::shell::previews::Preview;
use kinfolk::app::study::sets::Source;
use kinfolk::app::{App, Setup};
use kinfolk::demo::Action;
use kinfolk::document::{ClipId, RatingStudy};
use kinfolk::file::study_ratings;
use kinfolk::motion::{Body, Clip, Quat, Vec3};
use kinfolk::study::baselines::BaselineSet;
use kinfolk::study::clones::{CloneKind, ClonePair, Span};
use kinfolk::study::measures::{Measure, Role as SetRole};
use kinfolk::study::session::{Rating, Session, analyse};

use super::library::{demo_clips, text_of, with, workspace};
use super::projects::save_as;
use super::variation::{learned, make};
use super::{STEP_SECS, Window, on_disk};

/// The numbers of some clips, by their places in the library.
fn ids(app: &App, places: std::ops::Range<usize>) -> Vec<ClipId> {
    app.shell.document().clip_order()[places].to_vec()
}

/// Adds clips by their places: select them, and click.
fn add(window: &mut Window, places: std::ops::Range<usize>) {
    let n = places.len();
    let chosen = ids(window.app(), places);
    window.app_mut().shell.session.select(chosen);
    window.harness.run_steps(2);
    window.click(&format!("Add {n} selected clips"));
}

fn show(window: &mut Window, pane: Pane) {
    window.app_mut().shell.wanted_pane = Some(pane);
    window.harness.run_steps(3);
}

/// Eight walks: four to measure against, four to judge.
fn two_sets(clips: &[(String, Clip)]) -> Window {
    let mut window = workspace("Study", clips);
    window.harness.get_by_label_contains("No sets yet");
    let half = clips.len() / 2;
    add(&mut window, 0..half);
    add(&mut window, half..clips.len());
    let roles: Vec<SetRole> = window
        .app()
        .study
        .sets
        .sets
        .iter()
        .map(|s| s.role)
        .collect();
    assert_eq!(roles, [SetRole::Inputs, SetRole::Asked], "roles");
    window
}

/// A clip in which one forearm jumps for one frame, across its bone: a twist would move no hand.
fn with_a_glitch(clip: &Clip, frame: usize) -> Clip {
    let body = Body::of(clip.skeleton());
    let joint = body.arms[0].middle;
    let mut motion = clip.motion().clone();
    let at = frame * clip.skeleton().n_joints() + joint;
    motion.rotations[at] *= Quat::from_axis_angle(&Vec3::z_axis(), 0.9);
    Clip::new(clip.info.clone(), Arc::clone(clip.skeleton()), motion).unwrap()
}

#[test]
fn two_sets_are_measured_and_a_click_goes_to_the_worst_frame() {
    const GLITCH: usize = 17;
    let mut clips = demo_clips(Action::Walk, 0..8);
    clips[6].1 = with_a_glitch(&clips[6].1, GLITCH);
    let mut window = two_sets(&clips);
    window
        .app_mut()
        .study
        .measure
        .baselines
        .insert(BaselineSet::CycleAnimation);
    window.harness.run_steps(2);
    window.click("Measure the sets");
    window.until("measured", |app| app.study.measure.found.is_some());
    let found = Arc::clone(window.app().study.measure.found.as_ref().unwrap());
    let names: Vec<&str> = found.sets.iter().map(|set| set.name.as_str()).collect();
    assert_eq!(names, ["inputs", "clips 2", "cycle animation"]);
    let again = found.comparison.sets[2].get(Measure::Novelty).unwrap();
    assert!(again < 1e-6, "the inputs again are not new: {again}");
    window.app_mut().shell.session.is_playing = true;
    window.click("Peak speed of clips 2");
    let session = &window.app().shell.session;
    assert_eq!(session.selection.len(), 1, "one clip");
    assert_eq!(
        session.active,
        Some(ids(window.app(), 6..7)[0]),
        "the one with the glitch"
    );
    assert!(!session.is_playing, "it stands there");
    let frame = window.app().shell.active_clip().unwrap().fps() * session.playhead_secs;
    assert!((frame - GLITCH as f64).abs() <= 3.0, "frame {frame}");
    // A motion that is no clip of the library is shown, too.
    window.click("Jerk in space of cycle animation");
    let shown = window.app().shell.previews.shown();
    assert!(
        matches!(shown, Some(Preview::Family(f)) if f.variants.len() == 1),
        "{shown:?}"
    );
    window.app_mut().shell.session.select([ClipId(1)]);
    window.harness.run_steps(3);
    let shown = window.app().shell.previews.shown();
    assert!(shown.is_none(), "another selection ends it: {shown:?}");
    for (button, file, words) in [
        ("Export measures as CSV", "out/m.csv", "jerk_in_space"),
        ("Export measures as a report", "out/m.html", "<svg"),
    ] {
        window.click(button);
        let path = window.path(file);
        window.type_in("File", &path.display().to_string());
        window.click("Write file");
        window.until_idle();
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(text.contains(words), "{file}");
    }
}

#[test]
fn measuring_can_be_cancelled_and_says_what_is_missing() {
    let mut window = workspace("Study", &demo_clips(Action::Walk, 0..8));
    window.harness.get_by_label_contains("add the inputs");
    add(&mut window, 0..4);
    window
        .harness
        .get_by_label_contains("add a set to be judged");
    add(&mut window, 4..8);
    window.click("Measure the sets");
    let is_running = window.harness.query_by_label("Cancel measuring").is_some();
    if is_running && window.try_click("Cancel measuring") {
        window.until_idle();
        let was_quicker = window.app().study.measure.found.is_some();
        let said = window.said();
        let is_told = said.iter().any(|s| s.ends_with("cancelled"));
        assert!(was_quicker || is_told, "{said:?}");
    }
    window.click("Remove set clips 2");
    window
        .harness
        .get_by_label_contains("add a set to be judged");
}

#[test]
fn variants_that_are_not_kept_are_compared_with_their_takes() {
    let mut window = learned();
    make(&mut window, 5);
    window.app_mut().shell.preferences.workspace = Workspace::Study;
    window.until("offered", |app| {
        app.study.offers.iter().any(|o| !o.inputs.is_empty())
    });
    window.click("Compare stroll variants with their takes");
    let sets = &window.app().study.sets.sets;
    let sizes: Vec<usize> = sets
        .iter()
        .map(|set| set.members(window.app().shell.document()).len())
        .collect();
    assert_eq!(sizes, [4, 5]);
    window.click("Measure the sets");
    window.until("measured", |app| app.study.measure.found.is_some());
    let found = Arc::clone(window.app().study.measure.found.as_ref().unwrap());
    let likely = found.comparison.sets[1].get(Measure::Likelihood);
    assert!(
        likely.is_some_and(f64::is_finite),
        "by the model: {likely:?}"
    );
}

#[test]
fn clones_are_found_and_played_side_by_side() {
    let mut clips = demo_clips(Action::Walk, 0..3);
    clips.push(("again".to_owned(), clips[1].1.clone()));
    let mut window = workspace("Study", &clips);
    show(&mut window, Pane::Clones);
    window.click("Find clones");
    window.until("found", |app| app.study.clones.found.is_some());
    let found = Arc::clone(window.app().study.clones.found.as_ref().unwrap());
    let called = |span: &Span| found.members[span.clip].clip.info.name.as_str();
    let is_copy = |pair: &ClonePair| {
        let names = [called(&pair.first), called(&pair.second)];
        pair.kind == CloneKind::Exact && names == ["again", "walk_1"]
    };
    let at = found.report.clones.iter().position(is_copy).unwrap();
    window.app_mut().study.clones.shows_within = false;
    window.harness.run_steps(2);
    window.click(&format!("Pair {at}"));
    window.harness.run_steps(2);
    let shown = window.app().shell.previews.shown();
    let Some(Preview::Instead(pair)) = shown else {
        panic!("no pair on stage: {shown:?}");
    };
    assert_eq!(pair.len(), 2);
    assert_eq!(pair[0].n_frames(), pair[1].n_frames(), "one motion");
    let apart = pair[0].frame(0).root() - pair[1].frame(0).root();
    assert!(apart.norm() > 0.1, "side by side");
    window.click("Stop showing the pair");
    window.harness.run_steps(2);
    assert!(window.app().shell.previews.shown().is_none(), "gone");
}

/// A study of ten questions on five walks and five others.
fn rated() -> Window {
    let mut clips = demo_clips(Action::Walk, 0..5);
    clips.extend(demo_clips(Action::Jump, 0..5));
    let mut window = two_sets(&clips);
    show(&mut window, Pane::Rating);
    window.app_mut().study.rating.draft.settings.per_rater = 10;
    window.harness.run_steps(2);
    window.click("Make the study");
    window.until("made", |app| app.shell.document().studies().len() == 1);
    window.until_idle();
    assert_eq!(window.undo_label(), "make study natural motion", "one step");
    window
}

fn study(app: &App) -> &RatingStudy {
    &app.shell.document().studies()[0].1
}

/// What is asked now, and what it really is.
fn asked(app: &App) -> Option<(usize, String)> {
    let (_, session) = app.study.session(&app.shell)?;
    let question = session.question()?;
    Some((question.number, question.shown.condition.clone()))
}

/// Answers as a rater would who likes motion capture; how many are left after it.
fn answer(window: &mut Window, n: usize) {
    for _ in 0..n {
        let (_, condition) = asked(window.app()).unwrap();
        let key = if condition == "motion capture" {
            Key::Num8
        } else {
            Key::Num3
        };
        window.press(Modifiers::NONE, key);
    }
}

fn start(window: &mut Window, rater: &str) {
    window.type_in("Rater", rater);
    window.press(Modifiers::NONE, Key::Enter);
    assert!(window.app().study.rating.running.is_some(), "it runs");
}

#[test]
fn a_session_with_the_keyboard_is_left_resumed_analysed_and_exported() {
    let mut window = rated();
    start(&mut window, "Ann");
    // On stage is a motion without a name of its own, from its start.
    let clip = window.app().study.asked_clip(&window.app().shell).unwrap();
    assert!(
        clip.info.name.starts_with('m') && clip.info.file.is_none(),
        "blind: {:?}",
        clip.info
    );
    let shown = window.app().shell.previews.shown();
    assert!(
        matches!(shown, Some(Preview::Family(f)) if Arc::ptr_eq(&f.variants[0], &clip)),
        "{shown:?}"
    );
    window.until("played to its end", |app| !app.shell.session.is_playing);
    window.press(Modifiers::NONE, Key::Space);
    assert!(
        window.app().shell.session.is_playing,
        "space plays it again"
    );
    answer(&mut window, 4);
    assert_eq!(asked(window.app()).unwrap().0, 5);
    window.press(Modifiers::NONE, Key::Backspace);
    assert_eq!(asked(window.app()).unwrap().0, 4, "backspace goes back");
    answer(&mut window, 1);
    assert!(
        window.undo_label().starts_with("rate m"),
        "{}",
        window.undo_label()
    );
    window.press(Modifiers::COMMAND, Key::Z);
    assert_eq!(asked(window.app()).unwrap().0, 4, "an answer is a step");
    window.press(Modifiers::COMMAND | Modifiers::SHIFT, Key::Z);
    assert_eq!(study(window.app()).ratings.len(), 4);
    save_as(&mut window, "study.kinfolk");
    // The program is closed in the middle.
    let Window { harness, folder } = window;
    drop(harness);
    let project = folder.path().join("study.kinfolk");
    assert_eq!(on_disk(&project).studies().len(), 1, "on disk");
    let mut window = Window::on(folder, vec![project.clone()]);
    window.until("opened", |app| app.shell.document().n_clips() == 10);
    window.until_idle();
    window.app_mut().shell.preferences.workspace = Workspace::Study;
    show(&mut window, Pane::Rating);
    window.click("Resume Ann");
    assert_eq!(asked(window.app()).unwrap().0, 5, "where it was left");
    window.press(Modifiers::NONE, Key::Num0);
    assert_eq!(asked(window.app()).unwrap().0, 5, "zero is no score");
    answer(&mut window, 6);
    window.harness.get_by_label_contains("Thank you");
    assert_eq!(study(window.app()).ratings.len(), 10);
    window.press(Modifiers::NONE, Key::Escape);
    assert!(window.app().study.rating.running.is_none(), "it ends");
    start(&mut window, "Bob");
    answer(&mut window, 2);
    window.press(Modifiers::NONE, Key::Num9);
    window.press(Modifiers::NONE, Key::Escape);
    show(&mut window, Pane::Analysis);
    let analysis = analyse(&study(window.app()).ratings).remove(0);
    assert_eq!((analysis.n_raters, analysis.n_ratings), (2, 13));
    assert!(
        analysis.anova.is_ok_and(|anova| anova.p < 0.01),
        "likes and dislikes differ"
    );
    window
        .harness
        .get_by_label_contains("The conditions differ");
    window.click("Export ratings");
    let path = window.path("ratings.csv");
    window.type_in("File", &path.display().to_string());
    window.click("Write file");
    window.until_idle();
    let back = study_ratings::parse(&std::fs::read(&path).unwrap()).unwrap();
    let key = |r: &Rating| (r.rater.clone(), r.trial, r.score, r.condition.clone());
    let own: Vec<_> = study(window.app()).ratings.iter().map(key).collect();
    assert_eq!(back.iter().map(key).collect::<Vec<_>>(), own);
}

#[test]
fn a_study_is_packed_and_ratings_from_elsewhere_come_back() {
    let mut window = rated();
    show(&mut window, Pane::Analysis);
    let folder = window.path("packed");
    window.type_in("Study folder", &folder.display().to_string());
    window.click("Pack the study");
    window.until_idle();
    for file in ["page/index.html", "key.csv", "study.ron", "clips/m01.bvh"] {
        assert!(folder.join(file).is_file(), "{file}");
    }
    window.click("Pack the study");
    window.until_idle();
    let last = window.app().shell.messages.last().cloned().unwrap();
    assert!(
        last.text.contains("m01.bvh"),
        "nothing is overwritten unasked: {last:?}"
    );
    // As the page saves them: without conditions.
    let plan = Arc::clone(study(window.app()).plan());
    let mut ratings = Vec::new();
    for rater in ["Cid", "Dee"] {
        let mut session = Session::begin(&plan, rater).unwrap();
        while !session.is_over() {
            session.answer(5, 1.0).unwrap();
        }
        ratings.extend(session.ratings());
    }
    for rating in &mut ratings {
        rating.condition.clear();
    }
    std::fs::write(window.path("elsewhere.csv"), study_ratings::write(&ratings)).unwrap();
    let path = window.path("elsewhere.csv").display().to_string();
    window.type_in("Ratings file", &path);
    window.click("Read ratings");
    window.until("read", |app| study(app).ratings.len() == 20);
    assert!(
        study(window.app())
            .ratings
            .iter()
            .all(|r| !r.condition.is_empty()),
        "resolved"
    );
    assert_eq!(
        window.undo_label(),
        "read ratings of 2 raters into study natural motion"
    );
    window.click("Read ratings");
    window.until_idle();
    assert_eq!(study(window.app()).ratings.len(), 20, "once");
    // All the same score: nothing to compare, in words.
    window
        .harness
        .get_by_label_contains("all scores are the same");
}

/// A window that is drawn, with some walks in it; none where there is nothing to draw with.
fn drawn(clips: &[(String, Clip)]) -> Option<Window> {
    if let Err(RenderError::NoAdapter(why)) = Offscreen::new(Samples::One) {
        crate::data::skipped(&why);
        return None;
    }
    let folder = tempfile::tempdir().unwrap();
    let takes = folder.path().join("takes");
    std::fs::create_dir_all(&takes).unwrap();
    for (name, clip) in clips {
        std::fs::write(takes.join(format!("{name}.bvh")), text_of(clip)).unwrap();
    }
    let setup = Setup {
        data_folder: None,
        open: vec![takes],
        ..Setup::default()
    };
    let harness = Harness::builder()
        .with_size([1280.0, 800.0])
        .with_step_dt(STEP_SECS)
        .wgpu()
        .build_eframe(move |creation| App::new(creation, setup));
    let mut window = Window { harness, folder };
    let n = clips.len();
    window.until("imported", |app| app.shell.document().n_clips() == n);
    window.until_idle();
    Some(window)
}

/// Variants of walks for half of a crowd, four takes for the other.
fn crowd_of(window: &mut Window, count: usize) {
    let n = window.app().shell.document().n_clips();
    let (inputs, judged) = (ids(window.app(), 0..4), ids(window.app(), 4..n));
    let app = window.app_mut();
    app.shell.preferences.workspace = Workspace::Study;
    app.study.sets.add("takes", Source::Library(inputs));
    app.study.sets.add("variants", Source::Library(judged));
    app.study.crowd.count = count;
    show(window, Pane::Crowd);
    window.click("Gather the crowd");
    window.until("gathered", |app| app.study.crowd.crowd.is_some());
}

#[test]
fn a_crowd_of_two_hundred_plays_in_two_colours_and_pauses() {
    let Some(mut window) = drawn(&demo_clips(Action::Walk, 0..10)) else {
        return;
    };
    crowd_of(&mut window, 200);
    let crowd = Arc::clone(window.app().study.crowd.crowd.as_ref().unwrap());
    assert_eq!(crowd.walkers.len(), 200);
    let dark = window.harness.render().unwrap();
    let view = window.view();
    let orange = super::pictures::share(&dark, view, |[r, _, b]| r > b + 60);
    let blue = super::pictures::share(&dark, view, super::pictures::blue);
    assert!(
        orange > 0.02 && blue > 0.01,
        "two blocks: {orange} orange, {blue} blue"
    );
    let before = window.app().study.crowd.secs;
    let mut pictures = vec![dark];
    for _ in 0..5 {
        window.harness.step();
        pictures.push(window.harness.render().unwrap());
    }
    let is_new = pictures.windows(2).all(|pair| pair[0] != pair[1]);
    assert!(is_new, "everybody moves in every frame that is drawn");
    let gone = window.app().study.crowd.secs - before;
    assert!(
        (gone - 5.0 * f64::from(STEP_SECS)).abs() < 1e-6,
        "it played {gone} s"
    );
    window.press(Modifiers::NONE, Key::Space);
    assert!(!window.app().shell.session.is_playing, "space pauses it");
}

#[test]
fn repeated_ones_are_lit_and_a_click_lights_who_plays_the_same() {
    let clips = demo_clips(Action::Walk, 0..10);
    let named: Vec<(&str, &Clip)> = clips.iter().map(|(n, c)| (n.as_str(), c)).collect();
    let mut window = with(&named);
    crowd_of(&mut window, 40);
    let crowd = Arc::clone(window.app().study.crowd.crowd.as_ref().unwrap());
    let same_seed = |app: &App| {
        let crowd = app.study.crowd.crowd.as_ref().unwrap();
        crowd.clips_at(1.0)
    };
    let first = same_seed(window.app());
    window.click("Gather the crowd");
    window.until("anew", |app| {
        let now = app.study.crowd.crowd.as_ref().unwrap();
        !Arc::ptr_eq(now, &crowd)
    });
    assert_eq!(
        same_seed(window.app()),
        first,
        "the same seed, the same crowd"
    );
    window
        .harness
        .get_by_label_contains("cycle animation: 20 of 20 characters");
    window.click("Light repeated motions");
    assert!(window.app().study.crowd.lights_repeated, "on");
    lit_when_clicked(window.app_mut());
    // Round the end of the timeline the crowd goes on.
    window.app_mut().shell.session.is_playing = true;
    let before = window.app().study.crowd.secs;
    window.harness.run_steps(500);
    let gone = window.app().study.crowd.secs - before;
    assert!((gone - 500.0 * f64::from(STEP_SECS)).abs() < 1e-3, "{gone}");
    window.click("Show the crowd in the 3D view");
    window.harness.run_steps(2);
    assert!(window.app().shell.timebase.is_none(), "clips again");
    let tab = window.harness.get_by_role_and_label(Role::Tab, "Library");
    tab.click();
    window.harness.run_steps(3);
}

/// Who plays what the clicked one plays is lit, and nobody else, however many repeat each other.
fn lit_when_clicked(app: &mut App) {
    const SIZE: Size = Size {
        width: 320,
        height: 200,
    };
    let crowd = Arc::clone(app.study.crowd.crowd.as_ref().unwrap());
    let secs = app.study.crowd.secs;
    let lit = |app: &App| {
        let scene = crowd.scene(&app.study.crowd, None, SIZE, true);
        scene.marks.len()
    };
    let all = lit(app);
    app.study.crowd.picked = Some(crowd.clips_at(secs)[0]);
    let motions = crowd.motions_at(secs);
    let alike = motions.iter().filter(|m| **m == motions[0]).count();
    assert_eq!(lit(app), alike, "those who play it");
    assert!(alike < all, "{alike} of {all}");
    app.study.crowd.picked = None;
}
