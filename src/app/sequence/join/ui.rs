//! The join editor: what a transition is, what else it could be, and every field that says how it is made.

use egui::{DragValue, RichText, Slider, vec2};

use crate::app::sequence::join::grid_ui::grid_ui;
use crate::app::sequence::join::{kind_name, long_name};
use crate::app::sequence::state::SequenceWorkspace;
use crate::app::sequence::strip::{Evaluated, Measured};
use crate::app::shell::context::UiContext;
use crate::app::shell::theme::Colours;
use crate::motion::join::report::{Norms, OVERSHOOT_DEG, SLIDE_TIMES};
use crate::motion::join::{JoinKind, Match};
use crate::sequence::{EntryId, JoinChoice, JoinMethod, Play};
use crate::transition::{Candidate, Transition, TransitionKind, TransitionMethod};

/// Draws the editor of one join: candidates, length, method and numbers.
pub fn join_ui(ui: &mut egui::Ui, cx: &mut UiContext, sequence: &mut SequenceWorkspace) {
    let Some(shown) = sequence.strip.shown.clone() else {
        ui.weak("Click a transition on the strip to see how it was made.");
        return;
    };
    egui::ScrollArea::vertical()
        .auto_shrink(false)
        .show(ui, |ui| editor_ui(ui, cx, sequence, &shown));
}

fn editor_ui(
    ui: &mut egui::Ui,
    cx: &mut UiContext,
    sequence: &mut SequenceWorkspace,
    shown: &Evaluated,
) {
    let chosen = sequence.join.chosen;
    let is_it = |play: &Play| Some((play.entry, play.repeat)) == chosen;
    // In a round the first action is there again as the last.
    let at = shown.plays.iter().rposition(is_it).filter(|at| *at > 0);
    let made = at.and_then(|at| shown.plays[at].transition.as_ref());
    let (Some(at), Some(made), Some(join)) = (at, made, chosen) else {
        ui.weak("Click a transition on the strip to see how it was made.");
        return;
    };
    let (from, to) = (&shown.plays[at - 1], &shown.plays[at]);
    let name = |play: &Play| play.clip.clip.info.name.clone();
    ui.label(RichText::new(format!("{} to {}", name(from), name(to))).strong());
    numbers_ui(ui, made, shown.graph.norms());
    ui.separator();
    let Some(mut choice) = choice_of(cx, sequence, join) else {
        return;
    };
    let before = choice;
    candidates_ui(ui, shown, (join, made), &mut choice);
    ui.separator();
    fields_ui(ui, (from, to, made), shown, &mut choice);
    if let Some(grid) = &shown.grid {
        ui.separator();
        ui.label("Distance of the poses");
        let now = (from.clip_frame(made.at.saturating_sub(1)), made.enter);
        if let Some((leave, enter)) = grid_ui(ui, &mut sequence.join, grid, now) {
            let fps = shown.graph.rig().fps;
            choice.leave_secs = Some(leave as f64 / fps);
            choice.enter_secs = Some(enter as f64 / fps);
        }
    }
    if choice != before {
        sequence.draft(cx, "change a join", |value| {
            if let Some(entry) = value.actions.entry_mut(join.0) {
                match join.1 {
                    0 => entry.reached = choice,
                    _ => entry.repeated = choice,
                }
            }
        });
    }
}

fn choice_of(
    cx: &UiContext,
    sequence: &SequenceWorkspace,
    (entry, repeat): (EntryId, usize),
) -> Option<JoinChoice> {
    let value = sequence.sequence_on_strip(cx)?;
    let entry = value.actions.entry(entry)?;
    Some(match repeat {
        0 => entry.reached,
        _ => entry.repeated,
    })
}

/// What was measured, each beside its limit: what the clips themselves do.
fn numbers_ui(ui: &mut egui::Ui, made: &Transition, norms: &Norms) {
    let report = &made.quality.report;
    ui.label(format!(
        "{}, {} frames, cost {:.2}",
        long_name(&made.kind),
        made.frames,
        made.quality.penalty(norms)
    ))
    .on_hover_text(COST);
    let apart = match &made.kind {
        TransitionKind::Direct(_) => "Distance of the poses",
        TransitionKind::Path(_) => "Cost of the path",
        TransitionKind::Bezier(_) | TransitionKind::Linear => "Way between the poses",
    };
    let slide = 100.0 * norms.foot_slide;
    let rows = [
        (apart, made.cost, None, ""),
        ("Jump", report.pose_jump_deg, Some(norms.step_deg), "°"),
        (
            "Velocity jump",
            report.velocity_jump_deg,
            Some(norms.velocity_step_deg),
            "°/s",
        ),
        ("Jerk", report.jerk_ratio, Some(1.0), " x"),
        ("Jerk in space", report.space_jerk_ratio, Some(1.0), " x"),
        ("Overshoot", report.overshoot_deg, Some(OVERSHOOT_DEG), "°"),
        (
            "Foot slide",
            100.0 * report.foot_slide,
            Some(SLIDE_TIMES * slide),
            " cm/s",
        ),
    ];
    let colours = Colours::of(ui);
    egui::Grid::new("numbers")
        .num_columns(3)
        .spacing(vec2(8.0, 2.0))
        .show(ui, |ui| {
            for (name, value, limit, unit) in rows {
                ui.label(name);
                let is_over = limit.is_some_and(|limit| value > limit * 1.0001);
                let (mark, colour) = if is_over {
                    ("! ", colours.warning)
                } else {
                    ("", colours.text)
                };
                ui.colored_label(colour, format!("{mark}{value:.2}{unit}"));
                if let Some(limit) = limit {
                    ui.weak(format!("limit {limit:.2}{unit}"));
                }
                ui.end_row();
            }
        });
}

/// Costs are shown with two digits: what differs by less is shown as the same.
const SAME_COST: f64 = 0.005;
const COST: &str = "What is over the limits, how far its poses are from captured ones, and how long the action has to \
                    wait; the less the better";

/// Every way there is, the best marked; a click takes one.
fn candidates_ui(
    ui: &mut egui::Ui,
    shown: &Evaluated,
    (join, now): ((EntryId, usize), &Transition),
    choice: &mut JoinChoice,
) {
    let of_join = |measured: &Measured| measured.0 == join;
    let fresh = shown.candidates.as_ref().filter(|own| of_join(own));
    let known = fresh.or_else(|| shown.earlier.as_ref().filter(|own| of_join(own)));
    let candidates = known.map_or(&[][..], |(_, candidates)| candidates.as_slice());
    ui.horizontal_wrapped(|ui| {
        let is_automatic = choice.method == JoinMethod::Automatic;
        let automatic = ui.selectable_label(is_automatic, "Automatic: the best as measured");
        if automatic.clicked() {
            choice.method = JoinMethod::Automatic;
            choice.kind = None;
        }
        redraw_ui(ui, candidates, now, choice);
    });
    if known.is_none() {
        ui.weak("Measuring other ways…");
    }
    // While a value is dragged they wait, in their place: what is in the hand must not move away.
    ui.add_enabled_ui(fresh.is_some(), |ui| {
        ui.spacing_mut().item_spacing.y = 0.0;
        for (number, candidate) in candidates.iter().enumerate() {
            let is_now = is_made(candidate, now, shown.graph.norms());
            candidate_ui(ui, (number, candidate), is_now, choice);
        }
    });
}

/// Whether a candidate is what was made. The automatic choice may be another join of the same kind and length, which
/// leaves its source elsewhere and costs less.
fn is_made(candidate: &Candidate, now: &Transition, norms: &Norms) -> bool {
    let made = &candidate.transition;
    let dearer = candidate.penalty - now.quality.penalty(norms);
    made.kind == now.kind && made.frames == now.frames && dearer.abs() < SAME_COST
}

fn candidate_ui(
    ui: &mut egui::Ui,
    (number, candidate): (usize, &Candidate),
    is_now: bool,
    choice: &mut JoinChoice,
) {
    let made = &candidate.transition;
    let mark = if is_now { "  (now)" } else { "" };
    let mut text = RichText::new(format!(
        "{}. {}, {} frames, cost {:.2}{mark}",
        number + 1,
        long_name(&made.kind),
        made.frames,
        candidate.penalty
    ));
    let mut tip = COST;
    if !candidate.keeps_limits {
        text = text.color(Colours::of(ui).warning);
        tip = "Over the limits: it jumps, jerks or slides more than the clips themselves do";
    }
    let label = ui.selectable_label(is_of(choice, candidate), text);
    if label.on_hover_text(tip).clicked() {
        take(choice, candidate);
    }
}

/// Another path through captured poses, one after the other.
fn redraw_ui(
    ui: &mut egui::Ui,
    candidates: &[Candidate],
    now: &Transition,
    choice: &mut JoinChoice,
) {
    let is_path = |candidate: &&Candidate| method_of(candidate).is_path();
    let paths: Vec<&Candidate> = candidates.iter().filter(is_path).collect();
    let at = paths
        .iter()
        .position(|path| path.transition.kind == now.kind);
    let next = match at {
        Some(at) => paths.get((at + 1) % paths.len()),
        None => paths.first(),
    };
    let next = next.filter(|next| next.transition.kind != now.kind);
    let button = ui.add_enabled(next.is_some(), egui::Button::new("Redraw path"));
    let button = button
        .on_hover_text("Takes the next of the paths that go through captured poses")
        .on_disabled_hover_text("There is no other path through captured poses");
    if let Some(next) = next.filter(|_| button.clicked()) {
        take(choice, next);
    }
}

fn method_of(candidate: &Candidate) -> JoinMethod {
    match (candidate.settings.means, candidate.settings.path) {
        (TransitionMethod::Path, Some(path)) => JoinMethod::Path(path),
        (TransitionMethod::Direct, _) => JoinMethod::Direct,
        _ => JoinMethod::Fallback,
    }
}

fn is_of(choice: &JoinChoice, candidate: &Candidate) -> bool {
    let method = method_of(candidate);
    choice.method == method
        && (method != JoinMethod::Direct || choice.kind == candidate.settings.kind)
}

fn take(choice: &mut JoinChoice, candidate: &Candidate) {
    choice.method = method_of(candidate);
    if choice.method == JoinMethod::Direct {
        choice.kind = candidate.settings.kind;
    }
}

fn fields_ui(
    ui: &mut egui::Ui,
    (from, to, made): (&Play, &Play, &Transition),
    shown: &Evaluated,
    choice: &mut JoinChoice,
) {
    let fps = shown.graph.rig().fps;
    egui::Grid::new("join fields")
        .num_columns(2)
        .spacing(vec2(8.0, 3.0))
        .show(ui, |ui| {
            ui.label("Blending");
            egui::ComboBox::from_id_salt("blending")
                .selected_text(kind_name(choice.kind))
                .show_ui(ui, |ui| {
                    for kind in [
                        None,
                        Some(JoinKind::Dead),
                        Some(JoinKind::Quintic),
                        Some(JoinKind::Fade),
                    ] {
                        ui.selectable_value(&mut choice.kind, kind, kind_name(kind));
                    }
                });
            ui.end_row();
            let length = made.frames as f64 / fps;
            frames_ui(ui, ("Length", 2.0), fps, length, &mut choice.secs);
            let leave = from.clip_frame(made.at.saturating_sub(1)) as f64 / fps;
            let last = |play: &Play| (play.clip.n_frames() - 1) as f64 / fps;
            frames_ui(
                ui,
                ("Source start", last(from)),
                fps,
                leave,
                &mut choice.leave_secs,
            );
            let enter = made.enter as f64 / fps;
            frames_ui(
                ui,
                ("Destination start", last(to)),
                fps,
                enter,
                &mut choice.enter_secs,
            );
            let shape = &mut choice.shape;
            ui.label("Ease in");
            ui.add(Slider::new(&mut shape.ease.start, 0.0..=1.0).fixed_decimals(2));
            ui.end_row();
            ui.label("Ease out");
            ui.add(Slider::new(&mut shape.ease.end, 0.0..=1.0).fixed_decimals(2));
            ui.end_row();
            ui.label("Source");
            rolling_ui(ui, &mut shape.holds_source);
            ui.label("Destination");
            rolling_ui(ui, &mut shape.holds_destination);
            ui.label("Destination angle");
            let mut degrees = shape.angle_rad.to_degrees();
            let angle = DragValue::new(&mut degrees)
                .range(-180.0..=180.0)
                .suffix("°");
            if ui.add(angle).changed() {
                shape.angle_rad = degrees.to_radians();
            }
            ui.end_row();
            ui.label("Match");
            egui::ComboBox::from_id_salt("match")
                .selected_text(bone_name(choice.bone))
                .show_ui(ui, |ui| {
                    for bone in [
                        Match::Auto,
                        Match::Pelvis,
                        Match::LeftFoot,
                        Match::RightFoot,
                    ] {
                        ui.selectable_value(&mut choice.bone, bone, bone_name(bone));
                    }
                });
            ui.end_row();
        });
    let alignment = &mut choice.shape.alignment;
    ui.horizontal_wrapped(|ui| {
        let tip = "On: goes on from where the source is. Off: as captured";
        for (on, name) in [
            (&mut alignment.ground, "Ground position"),
            (&mut alignment.height, "Height"),
            (&mut alignment.heading, "Heading"),
        ] {
            ui.checkbox(on, name).on_hover_text(tip);
        }
    });
    let reset = ui.add_enabled(
        !choice.is_automatic(),
        egui::Button::new("Reset to defaults"),
    );
    if reset.clicked() {
        *choice = JoinChoice::default();
    }
}

/// A time in frames that is measured unless it is set.
fn frames_ui(
    ui: &mut egui::Ui,
    (name, most_secs): (&str, f64),
    fps: f64,
    measured_secs: f64,
    value: &mut Option<f64>,
) {
    ui.label(name);
    ui.horizontal(|ui| {
        let mut frames = (value.unwrap_or(measured_secs) * fps).round();
        let drag = DragValue::new(&mut frames)
            .range(0.0..=(most_secs * fps).round())
            .speed(0.25)
            .fixed_decimals(0)
            .suffix(" frames");
        if ui.add(drag).changed() {
            *value = Some(frames / fps);
        }
        let mut is_measured = value.is_none();
        if ui.checkbox(&mut is_measured, "measured").changed() {
            *value = if is_measured {
                None
            } else {
                Some(measured_secs)
            };
        }
    });
    ui.end_row();
}

fn rolling_ui(ui: &mut egui::Ui, holds: &mut bool) {
    ui.horizontal(|ui| {
        ui.selectable_value(holds, false, "Rolling");
        ui.selectable_value(holds, true, "Fixed");
    });
    ui.end_row();
}

const fn bone_name(bone: Match) -> &'static str {
    match bone {
        Match::Auto => "standing feet, else pelvis",
        Match::Pelvis => "pelvis",
        Match::LeftFoot => "left foot",
        Match::RightFoot => "right foot",
    }
}
