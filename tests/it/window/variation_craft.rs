//! What is done to variants before they are kept: compared with noise, held by hand, plotted; and strokes that vary.

use std::sync::Arc;

use egui::{Key, Modifiers, PointerButton, Pos2, pos2, vec2};
use egui_kittest::kittest::Queryable as _;
use egui_plot::{PlotMemory, PlotPoint};
use kinfolk::app::App;
use kinfolk::app::shell::clips::analysis::CONTACTS_BY_HAND;
use kinfolk::app::shell::dialogs::Dialog;
use kinfolk::app::shell::pane::Pane;
use kinfolk::app::shell::previews::ComparedKind;
use kinfolk::app::shell::previews::Preview;
use kinfolk::app::variation::plots::ui::plot_id;
use kinfolk::app::variation::plots::view::PlotKind;
use kinfolk::app::variation::variants::batch::Made;
use kinfolk::document::Learned;
use kinfolk::motion::{Clip, Vec3, WorldPose};

use super::library::draw;
use super::projects::save_as;
use super::variation::{batch, drawn, learn, learned, make};
use super::{Window, on_disk};

fn compare(window: &mut Window, count: usize) {
    window.click("Compare");
    window.click(&format!("Compare {count} variants with noise"));
    window.until("compared", |app| app.variation.compare.found.is_some());
    window.until_idle();
}

#[test]
fn noise_and_cycle_animation_stand_beside_the_variants_with_their_numbers() {
    let mut window = learned();
    make(&mut window, 3);
    compare(&mut window, 3);
    let Some(Preview::Family(family)) = window.app().shell.previews.shown() else {
        panic!("no family on stage");
    };
    assert_eq!(family.compared.len(), 9, "three of each");
    let stage = window.app().shell.on_stage();
    let noise = stage
        .iter()
        .filter(|(id, _)| window.app().shell.compared_on_stage(*id) == Some(ComparedKind::Perlin));
    assert_eq!(noise.count(), 3);
    assert_eq!(stage.len(), 4 + 3 + 9);
    // Every kind is switched by its name, and its numbers are marked.
    window
        .harness
        .get_by_label("Jerk of Smoothed noise is out of range");
    window
        .harness
        .get_by_label("Nearest of Cycle animation is out of range");
    let found = window.app().variation.compare.found.clone().unwrap();
    let jerk = |line: usize| found.lines[line].numbers.as_ref().unwrap().jerk;
    assert!(
        jerk(2) > 1.5 * jerk(1),
        "noise {}, variants {}",
        jerk(2),
        jerk(1)
    );
    window.click("Show Perlin noise");
    let left = window.app().shell.on_stage().len();
    assert_eq!(left, 4 + 3 + 6, "without Perlin noise");
    export_table(&mut window);
    // Other variants: the table says that it is of before.
    window.app_mut().shell.wanted_pane = Some(Pane::Variants);
    window.harness.run_steps(2);
    window.click("Reseed stroll 001");
    window.until_idle();
    window.click("Compare");
    window.harness.get_by_label_contains("compare again");
    assert_eq!(
        window.app().shell.document().n_clips(),
        4,
        "nothing is kept"
    );
}

fn export_table(window: &mut Window) {
    let file = window.path("table.csv");
    for (round, button) in ["Write file", "Replace file"].into_iter().enumerate() {
        window.click("Export table…");
        window.type_in("File", &file.display().to_string());
        window.click("Write file");
        window.until_idle();
        if round == 1 {
            let dialog = &window.app().shell.dialog;
            assert!(matches!(dialog, Some(Dialog::File(_))), "asks: {dialog:?}");
            window.click(button);
            window.until_idle();
        }
        assert!(window.app().shell.dialog.is_none(), "written");
        let text = std::fs::read_to_string(&file).unwrap();
        assert_eq!(text.lines().count(), 6, "{text}");
        std::fs::write(&file, if round == 0 { "old" } else { &text }).unwrap();
    }
}

fn looked_at(app: &App) -> &Made {
    let batch = batch(app).unwrap();
    &batch.made[batch.looked_at.unwrap()]
}

/// A moment in a lane of the looked-at variant; its bar is lane 0.
fn in_lane(window: &Window, frame: usize, lane: usize) -> Pos2 {
    let (left, right) = window.app().timeline.track;
    let rows = window.harness.get_by_label("Timeline rows").rect();
    let shell = &window.app().shell;
    let secs = frame as f64 / looked_at(window.app()).clip.fps();
    let share = (secs / shell.length_secs()) as f32;
    let top = 22.0 + 14.0 * (lane as f32 - 0.5);
    pos2(left + share * (right - left), rows.top() + 2.0 + top)
}

/// The joints with lanes, in the order of the lanes.
fn lanes(app: &App) -> Vec<usize> {
    let body = kinfolk::motion::Body::of(looked_at(app).clip.skeleton());
    let mut joints: Vec<usize> = body.foot_joints().collect();
    joints.extend(body.arms.iter().map(|arm| arm.end));
    joints.sort_unstable();
    joints.dedup();
    joints
}

fn drag(window: &mut Window, from: Pos2, to: Pos2) {
    window.drag(PointerButton::Primary, Modifiers::NONE, from, to);
    settle(window);
}

/// Until the variant is as it was asked for.
fn settle(window: &mut Window) {
    window.until_idle();
    window.until("made as drawn", |app| {
        let batch = batch(app).unwrap();
        let made = looked_at(app);
        made.by_hand.as_ref() == batch.wish(made.slot)
    });
    window.until_idle();
}

/// First frame and end of each.
fn contacts(app: &App, joint: usize) -> Vec<(usize, usize)> {
    let contacts = looked_at(app).clip.contacts().iter();
    let own = contacts.filter(|c| c.joint == joint);
    own.map(|c| (c.frames.start, c.frames.end)).collect()
}

fn place(clip: &Clip, frame: usize, joint: usize) -> Vec3 {
    WorldPose::of(clip.skeleton(), clip.frame(frame)).positions[joint]
}

#[test]
fn spans_drawn_by_hand_hold_a_variant_until_they_are_reset() {
    let mut window = learned();
    make(&mut window, 2);
    window.click("Foot lock");
    window.until_idle();
    let before = Arc::clone(&looked_at(window.app()).clip);
    let lanes = lanes(window.app());
    let body = kinfolk::motion::Body::of(before.skeleton());
    let hand = body.arms[0].end;
    let lane = 1 + lanes.iter().position(|joint| *joint == hand).unwrap();
    assert!(
        contacts(window.app(), hand).is_empty(),
        "nothing holds it yet"
    );
    // Draw, drag an end.
    let (from, to) = (in_lane(&window, 4, lane), in_lane(&window, 12, lane));
    drag(&mut window, from, to);
    assert_eq!(contacts(window.app(), hand), [(4, 12)]);
    let (from, to) = (in_lane(&window, 12, lane), in_lane(&window, 15, lane));
    drag(&mut window, from, to);
    assert_eq!(contacts(window.app(), hand), [(4, 15)]);
    let clip = Arc::clone(&looked_at(window.app()).clip);
    let slid = (place(&clip, 14, hand) - place(&clip, 4, hand)).norm();
    let drawn = (place(&before, 14, hand) - place(&before, 4, hand)).norm();
    assert!(slid < 0.01 * drawn, "{slid} of {drawn}");
    let label = window.undo_label();
    assert_eq!(label, "learn variation stroll", "no step of undo");
    // What it does to the slide is told, and it can be seen without.
    window
        .harness
        .get_by_label_contains("held as drawn by hand");
    window.click("Show it locked");
    window.until("as drawn", |app| {
        let family = app.shell.previews.shown();
        matches!(family, Some(Preview::Family(family)) if {
            let shown = &family.variants[family.looked_at.unwrap()];
            shown.contacts().is_empty()
        })
    });
    window.click("Show it locked");
    // Click and delete; then all back.
    let middle = in_lane(&window, 9, lane);
    window.harness.drag_at(middle);
    window.harness.drop_at(middle);
    window.harness.run_steps(2);
    assert!(window.app().shell.session.contact.is_some(), "clicked");
    window.press(Modifiers::NONE, Key::Delete);
    settle(&mut window);
    assert!(contacts(window.app(), hand).is_empty(), "deleted");
    assert_eq!(window.app().shell.document().n_clips(), 4, "and no clip");
    window.click("Reset foot lock");
    settle(&mut window);
    assert!(
        looked_at(window.app()).clip.same_motion(&before),
        "as it was"
    );
    assert_eq!(looked_at(window.app()).clip.contacts(), before.contacts());
}

#[test]
fn pins_are_met_and_kept_with_the_variant() {
    let mut window = learned();
    make(&mut window, 1);
    let made = Arc::clone(&looked_at(window.app()).clip);
    let contact = made.contacts()[0].clone();
    let middle = usize::midpoint(contact.frames.start, contact.frames.end);
    window.app_mut().shell.session.is_playing = false;
    window.app_mut().shell.session.playhead_secs = middle as f64 / made.fps();
    window.harness.run_steps(3);
    let held = place(&made, middle, contact.joint);
    // In the 3D view: its dot is where the camera sees the joint.
    let view = window.view();
    let size = kinfolk::app::render::Size {
        width: view.width().round() as u32,
        height: view.height().round() as u32,
    };
    let camera = window.app().shell.session.camera.unwrap();
    let seen = camera.project(&held, size).unwrap();
    let dot = view.min + vec2(seen.x as f32, seen.y as f32);
    drag(&mut window, dot, dot + vec2(25.0, 0.0));
    let spans = window
        .app()
        .variation
        .looked_at_spans(&window.app().shell)
        .unwrap()
        .0;
    let is_it = |s: &&kinfolk::variation::HeldSpan| s.joint == contact.joint && s.pin.is_some();
    let pin = spans.iter().find(is_it).expect("pinned").pin.unwrap();
    assert!((pin - held).norm() > 0.1, "moved from {held} to {pin}");
    let up = made.info.up;
    assert!(up.along(&(pin - held)).abs() < 1e-6, "over the floor");
    let clip = Arc::clone(&looked_at(window.app()).clip);
    let off = (place(&clip, middle, contact.joint) - pin).norm();
    assert!(off < 0.02 * (pin - held).norm(), "off the pin by {off}");
    assert_eq!(window.app().shell.session.camera, Some(camera), "it stays");
    window.click("Keep 1 variant");
    let (_, kept) = window.app().shell.document().clips().last().unwrap();
    assert!(Arc::ptr_eq(kept, &clip), "the held one");
    assert!(
        kept.info.history.iter().any(|h| h == CONTACTS_BY_HAND),
        "it says so"
    );
    assert!(
        !window
            .app()
            .variation
            .looked_at_spans(&window.app().shell)
            .unwrap()
            .1,
        "not changed any more"
    );
}

#[test]
fn four_strokes_become_fifteen_on_the_same_pad() {
    let mut window = learned();
    window.click("Strokes");
    for round in 0..4 {
        let turn = |i: usize| 0.3 * i as f32;
        let size = 0.15 + 0.03 * round as f32;
        let arc = |i: usize| (0.3 + size * turn(i).cos(), 0.5 + size * turn(i).sin());
        draw(&mut window, &(0..20).map(arc).collect::<Vec<_>>());
    }
    window.click("Learn from 4 strokes");
    window.until("learned", |app| {
        app.library.stroke_model(&app.shell).is_some()
    });
    window.until_idle();
    let made = {
        let app = window.app_mut();
        app.library.made_strokes(&mut app.shell)
    }
    .unwrap();
    let strokes = made.strokes.as_ref().unwrap().clone();
    assert_eq!(strokes.len(), 15);
    // About where the drawn ones are: the arc of the largest and a little.
    for stroke in &strokes {
        for [_, x, y] in stroke.points() {
            let away = (x - 0.3).hypot(y - 0.5);
            assert!((0.05..0.4).contains(&away), "{}: {away}", stroke.name());
        }
    }
    window.app_mut().library.strokes.family.recipe.amount = 0.0;
    window.until("made anew", |app| app.shell.work.is_idle());
    window.until_idle();
    let mean = {
        let app = window.app_mut();
        app.library.made_strokes(&mut app.shell)
    }
    .unwrap();
    let mean = mean.strokes.as_ref().unwrap();
    assert_eq!(mean[0].points(), mean[7].points(), "amount 0 is one stroke");
    window.app_mut().library.strokes.family.recipe.amount = 1.0;
    window.until_idle();
    window.click("Export made…");
    let out = window.path("strokes");
    window.type_in("Folder", &out.display().to_string());
    window.click("Export 15 strokes");
    window.until_idle();
    assert_eq!(std::fs::read_dir(&out).unwrap().count(), 15);
    window.click("Keep 15 strokes");
    assert_eq!(window.app().shell.document().strokes().len(), 19);
    window.press(Modifiers::COMMAND, Key::Z);
    assert_eq!(window.app().shell.document().strokes().len(), 4, "one step");
    window.press(Modifiers::COMMAND | Modifiers::SHIFT, Key::Z);
    save_as(&mut window, "drawn.kinfolk");
    let back = on_disk(&window.path("drawn.kinfolk"));
    assert_eq!(back.strokes().len(), 19);
    let is_of_strokes =
        |model: &&kinfolk::document::Model| matches!(model.learned, Learned::Strokes(_));
    assert_eq!(back.models().iter().filter(is_of_strokes).count(), 1);
}

#[test]
fn plots_go_out_as_pictures_and_tables() {
    let Some(window) = drawn() else { return };
    let mut window = learn(window);
    make(&mut window, 2);
    window.click("Plots");
    window.until_idle();
    window.until("curves", |app| {
        let data = app.variation.plots.data.as_ref();
        data.is_some_and(|data| data.lines.len() == 6)
    });
    window.click("Export PNG…");
    window.until("a picture", |app| {
        matches!(app.shell.dialog, Some(Dialog::File(_)))
    });
    let file = window.path("plots.png");
    window.type_in("File", &file.display().to_string());
    window.click("Write file");
    window.until_idle();
    let picture = image::open(&file).unwrap().to_rgb8();
    let (width, height) = picture.dimensions();
    assert!(width > 300 && height > 200, "{width} x {height}");
    let orange = picture
        .pixels()
        .filter(|p| i32::from(p[0]) > i32::from(p[2]) + 60);
    assert!(orange.count() > 100, "variants are in it");
    window.click("Export CSV…");
    let file = window.path("curves.csv");
    window.type_in("File", &file.display().to_string());
    window.click("Write file");
    window.until_idle();
    let table = std::fs::read_to_string(&file).unwrap();
    assert!(
        table.lines().count() > 100,
        "{} rows",
        table.lines().count()
    );
}

/// The ways of all lines of a plot on the screen, and who they are: takes by name, variants by place.
fn lines_on_screen(window: &Window, kind: PlotKind) -> Vec<(String, Option<usize>, Vec<Pos2>)> {
    let app = window.app();
    let (id, model) = app.variation.chosen_model(&app.shell).unwrap();
    let plots = &app.variation.plots;
    let (across, up) = match kind {
        PlotKind::OverTime => (plots.dofs[0], plots.dofs[0]),
        PlotKind::Against => plots.pair,
        PlotKind::Directions => (0, 1),
    };
    let plot = PlotMemory::load(&window.harness.ctx, plot_id(id, kind, (across, up)));
    let transform = plot.expect("the plot is drawn").transform();
    let dofs = model.chart().dofs();
    let shown = |dof: usize, value: f64| dofs[dof].kind.display(value);
    let lines = plots.data.as_ref().unwrap().lines.iter();
    lines
        .map(|line| {
            let curves = &line.curves;
            let value = |frame: usize| match kind {
                PlotKind::OverTime => [
                    frame as f64 * curves.frame_secs,
                    shown(up, curves.get(frame, up)),
                ],
                PlotKind::Against => [across, up].map(|dof| shown(dof, curves.get(frame, dof))),
                PlotKind::Directions => line.path[frame],
            };
            let places = (0..curves.n_frames()).map(value);
            let places = places.map(|[x, y]| transform.position_from_point(&PlotPoint::new(x, y)));
            let name = line.clip.info.name.clone();
            (name, line.variant, places.collect())
        })
        .collect()
}

fn click_at(window: &mut Window, at: Pos2) {
    window.drag(PointerButton::Primary, Modifiers::NONE, at, at);
}

/// The point of a line that is farthest from all others, so that no other can be meant.
fn clearest(lines: &[(String, Option<usize>, Vec<Pos2>)], of: usize) -> Pos2 {
    let alone = |at: &Pos2| {
        let others = lines.iter().enumerate().filter(|(line, _)| *line != of);
        let places = others.flat_map(|(_, line)| &line.2);
        places
            .map(|place| place.distance(*at))
            .fold(f32::INFINITY, f32::min)
    };
    let places = lines[of].2.iter().copied();
    places.max_by(|a, b| alone(a).total_cmp(&alone(b))).unwrap()
}

#[test]
fn a_click_on_a_curve_selects_its_clip_and_beside_it_moves_the_playhead() {
    let mut window = learned();
    make(&mut window, 2);
    window.app_mut().shell.session.is_playing = false;
    window.click("Plots");
    for kind in [PlotKind::OverTime, PlotKind::Against, PlotKind::Directions] {
        window.app_mut().variation.plots.kind = kind;
        window.app_mut().variation.plots.pair = (20, 30);
        window.until_idle();
        let lines = lines_on_screen(&window, kind);
        assert_eq!(lines.len(), 6, "four takes and two variants");
        for (at, (name, variant, _)) in lines.iter().enumerate() {
            click_at(&mut window, clearest(&lines, at));
            let shell = &window.app().shell;
            let Some(variant) = variant else {
                let selected = shell.selected_clips();
                let names: Vec<&str> = selected.iter().map(|c| &*c.1.info.name).collect();
                assert_eq!(names, [name.as_str()], "{kind:?}");
                continue;
            };
            let looked_at = batch(window.app()).unwrap().looked_at;
            assert_eq!(looked_at, Some(*variant), "{kind:?}: {name}");
        }
    }
    window.app_mut().variation.plots.kind = PlotKind::OverTime;
    window.until_idle();
    let lines = lines_on_screen(&window, PlotKind::OverTime);
    let selection = window.app().shell.session.selection.clone();
    // Above the highest of all lines at this moment nothing is drawn.
    let places = lines.iter().flat_map(|line| &line.2);
    let top = places.clone().fold(f32::INFINITY, |top, at| top.min(at.y));
    let first = lines[0].2[0].x;
    let last = places.fold(0.0_f32, |right, at| right.max(at.x));
    let x = first + 0.25 * (last - first);
    let here = lines.iter().flat_map(|line| &line.2);
    let here = here.filter(|at| (at.x - x).abs() < 12.0);
    let highest = here.fold(f32::INFINITY, |top, at| top.min(at.y));
    let y = if highest - top > 14.0 {
        top
    } else {
        top - 14.0
    };
    click_at(&mut window, pos2(x, y));
    let secs = window.app().shell.session.playhead_secs;
    let wanted = 0.25 * window.app().shell.length_secs();
    assert!((secs - wanted).abs() < 0.05, "{secs} instead of {wanted}");
    assert_eq!(window.app().shell.session.selection, selection, "stays");
}
