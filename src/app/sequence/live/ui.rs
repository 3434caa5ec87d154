//! The panel of live play: start and stop, what runs, a pad to steer with, and what to do with a recording.

use egui::{Align, Align2, Color32, FontId, Layout, Rect, Sense, Stroke, vec2};

use crate::app::sequence::live::{LiveSource, Playing};
use crate::app::sequence::palette::key_name;
use crate::app::sequence::state::{Request, SequenceWorkspace};
use crate::app::sequence::textures::ui::texture_ui;
use crate::app::shell::context::UiContext;
use crate::app::shell::theme::Colours;

/// Draws the panel. However many actions there are, what starts, stops and records stays above them.
pub fn live_ui(ui: &mut egui::Ui, cx: &mut UiContext, sequence: &mut SequenceWorkspace) {
    let scrolled = egui::ScrollArea::vertical().auto_shrink(false);
    if sequence.live.source == LiveSource::Graph {
        head_ui(ui, cx, sequence);
        random_ui(ui, sequence);
        scrolled.show(ui, |ui| actions_ui(ui, cx, sequence));
    } else {
        scrolled.show(ui, |ui| {
            head_ui(ui, cx, sequence);
            steering_ui(ui, cx, sequence);
        });
    }
}

/// What is played, start and stop, and what was recorded.
fn head_ui(ui: &mut egui::Ui, cx: &mut UiContext, sequence: &mut SequenceWorkspace) {
    source_ui(ui, cx, sequence);
    ui.add_space(4.0);
    transport_ui(ui, cx, sequence);
    recorded_ui(ui, sequence);
    if let Some(playing) = &sequence.live.playing {
        let doing = playing.doing(cx).unwrap_or_else(|| "beginning…".to_owned());
        ui.strong(doing);
    }
    ui.separator();
}

/// Offers the graphs and textures that can be played.
fn source_ui(ui: &mut egui::Ui, cx: &mut UiContext, sequence: &mut SequenceWorkspace) {
    let before = sequence.live.source;
    ui.horizontal(|ui| {
        let source = &mut sequence.live.source;
        ui.selectable_value(source, LiveSource::Graph, "Actions")
            .on_hover_text("Actions of the transition graph, which interrupt each other");
        ui.selectable_value(source, LiveSource::Texture, "Texture")
            .on_hover_text("A motion texture that is steered by arrow keys or the pad");
    });
    if before != sequence.live.source {
        sequence.stop_live(cx);
    }
    if sequence.live.source == LiveSource::Texture {
        texture_ui(ui, cx, sequence);
    }
}

fn transport_ui(ui: &mut egui::Ui, cx: &mut UiContext, sequence: &mut SequenceWorkspace) {
    ui.horizontal_wrapped(|ui| {
        let Some(playing) = &sequence.live.playing else {
            let is_ready = match sequence.live.source {
                LiveSource::Graph => sequence.built_graph().is_some(),
                LiveSource::Texture => sequence.chosen_texture(cx).is_some(),
            };
            let button = ui.add_enabled(is_ready, egui::Button::new("Start live play"));
            let button = button
                .on_hover_text(
                    "Plays on and on; the keys of the actions interrupt it in mid-motion",
                )
                .on_disabled_hover_text("There is nothing to play yet");
            if button.clicked() {
                sequence.start_live(cx);
            }
            return;
        };
        let (is_paused, recording) = (playing.is_paused(), playing.recording_secs());
        let pause = if is_paused { "Go on" } else { "Pause" };
        if ui.button(pause).on_hover_text("Space").clicked() {
            sequence.pause_live(cx);
        }
        if ui.button("Stop").on_hover_text("Escape").clicked() {
            sequence.stop_live(cx);
        }
        let words = match recording {
            Some(secs) => format!("Stop recording ({secs:.1} s)"),
            None => "Record".to_owned(),
        };
        let tip = "What is done from here on can be kept as a sequence, a clip or a path";
        let is_on = recording.is_some();
        if ui
            .selectable_label(is_on, words)
            .on_hover_text(tip)
            .clicked()
        {
            sequence.toggle_recording();
        }
    });
}

/// What to do with what was recorded.
fn recorded_ui(ui: &mut egui::Ui, sequence: &mut SequenceWorkspace) {
    let Some(recorded) = &sequence.live.recorded else {
        return;
    };
    let (is_graph, secs) = (recorded.actions().is_some(), recorded.secs());
    ui.group(|ui| {
        ui.label(format!("Recorded: {secs:.1} s"));
        ui.horizontal_wrapped(|ui| {
            if is_graph {
                let tip = "Puts the actions on the strip as they were triggered, to be edited";
                if ui.button("Keep as sequence").on_hover_text(tip).clicked() {
                    sequence.ask(Request::KeepRecordingAsSequence);
                }
            } else {
                let tip =
                    "Makes a path of the route that was steered, with its actions, to be edited";
                if ui.button("Keep as path").on_hover_text(tip).clicked() {
                    sequence.ask(Request::KeepRecordingAsPath);
                }
            }
            let tip = "Puts exactly what was seen into the library";
            if ui.button("Keep as clip").on_hover_text(tip).clicked() {
                sequence.ask(Request::KeepRecordingAsClip);
            }
            if ui.button("Discard").clicked() {
                sequence.live.recorded = None;
            }
        });
    });
}

/// Whether actions follow by chance.
fn random_ui(ui: &mut egui::Ui, sequence: &mut SequenceWorkspace) {
    let tip = "After an action the next one is drawn; otherwise it is repeated";
    let random = ui.checkbox(&mut sequence.live.is_random, "Random play");
    if random.on_hover_text(tip).changed() {
        sequence.weights_changed();
    }
}

/// A row for each action: a button that triggers it and, where actions follow by chance, how likely it is next.
fn actions_ui(ui: &mut egui::Ui, cx: &mut UiContext, sequence: &mut SequenceWorkspace) {
    let mut is_changed = false;
    let clips = sequence.live_clips(cx);
    let playing = sequence.live.playing.as_ref();
    let (running, queued) = (
        playing.and_then(Playing::running),
        playing.and_then(Playing::queued),
    );
    let is_playing = playing.is_some();
    let Some(from) = running
        .and_then(|at| clips.get(at))
        .or(clips.first())
        .copied()
    else {
        return;
    };
    let name = |id| cx.document().clip(id).map_or("", |c| c.info.name.as_str());
    if sequence.live.is_random {
        ui.weak(format!("How likely each follows {}:", name(from)));
    } else if is_playing {
        ui.weak("A key or a click interrupts, with Shift it waits for the end");
    }
    let total: f64 = clips.iter().map(|to| sequence.live.weight(from, *to)).sum();
    let mut wanted = None;
    let shows_weights = sequence.live.is_random;
    for (action, to) in clips.iter().enumerate() {
        let key = key_name(action).map_or(String::new(), |key| format!("{key}  "));
        let next = if queued == Some(action) {
            " (next)"
        } else {
            ""
        };
        let words = format!("{key}{}{next}", name(*to));
        let row = vec2(ui.available_width(), ui.spacing().interact_size.y);
        ui.allocate_ui_with_layout(row, Layout::right_to_left(Align::Center), |ui| {
            if shows_weights {
                let mut weight = sequence.live.weight(from, *to);
                let share = if total > 0.0 {
                    weight / total
                } else {
                    1.0 / clips.len() as f64
                };
                ui.add_sized(
                    [36.0, row.y],
                    egui::Label::new(format!("{:.0} %", 100.0 * share)),
                );
                ui.spacing_mut().slider_width = 70.0;
                if weight_ui(ui, name(*to), &mut weight) {
                    sequence.live.weights.insert((from, *to), weight);
                    is_changed = true;
                }
            }
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                let is_on = running == Some(action);
                let button = egui::Button::selectable(is_on, words).truncate();
                let button = ui.add_enabled(is_playing, button);
                if button.on_hover_text(name(*to)).clicked() {
                    let with_shift = ui.input(|input| input.modifiers.shift);
                    wanted = Some((action, with_shift));
                }
            });
        });
    }
    if let Some((action, is_queued)) = wanted {
        sequence.trigger(action, is_queued);
    }
    if is_changed {
        sequence.weights_changed();
    }
}

/// How likely one action is beside the others; whether that was changed.
fn weight_ui(ui: &mut egui::Ui, name: &str, weight: &mut f64) -> bool {
    let slider = ui.add(egui::Slider::new(weight, 0.0..=5.0).show_value(false));
    slider.widget_info(|| {
        let words = format!("Weight of {name}");
        egui::WidgetInfo::slider(true, *weight, words)
    });
    slider.changed()
}

/// Which action, and the pad.
fn steering_ui(ui: &mut egui::Ui, cx: &mut UiContext, sequence: &mut SequenceWorkspace) {
    let Some((_, texture)) = sequence.chosen_texture(cx) else {
        return;
    };
    ui.weak("Arrow keys or the pad steer; up is away from you");
    let mut is_changed = pad_ui(ui, cx, sequence);
    let names = texture.commands().into_iter().map(|c| c.name);
    let names: Vec<String> = names.collect();
    ui.horizontal_wrapped(|ui| {
        let action = &mut sequence.live.steering.action;
        is_changed |= ui
            .selectable_value(action, None, "any action")
            .on_hover_text("Whatever goes best where it is steered")
            .changed();
        for (at, name) in names.into_iter().enumerate() {
            let key = key_name(at).map_or(String::new(), |key| format!("{key}  "));
            let words = format!("{key}{name}");
            is_changed |= ui.selectable_value(action, Some(name), words).changed();
        }
    });
    if is_changed {
        sequence.steering_changed();
    }
}

/// A circle to drag in: the direction of the screen, and how fast. A double-click leaves the speed to the action.
fn pad_ui(ui: &mut egui::Ui, cx: &UiContext, sequence: &mut SequenceWorkspace) -> bool {
    const SIDE: f32 = 132.0;
    let colours = Colours::of(ui);
    let (rect, response) = ui.allocate_exact_size(vec2(SIDE, SIDE), Sense::click_and_drag());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Canvas, true, "Steering pad"));
    let camera = cx.session.camera.as_ref();
    let steering = &mut sequence.live.steering;
    let before = steering.clone();
    let radius = 0.5 * SIDE - 6.0;
    if response.double_clicked() {
        steering.speed = None;
    } else if let Some(at) = response.interact_pointer_pos() {
        let off = (at - rect.center()) / radius;
        if off.length() > 0.08 {
            steering.point(f64::from(off.x), f64::from(-off.y), camera);
            steering.speed = Some(f64::from(off.length().min(1.0)));
        }
    }
    let painter = ui.painter_at(rect);
    let centre = rect.center();
    painter.circle_filled(centre, radius, colours.sunken);
    painter.circle_stroke(centre, radius, Stroke::new(1.0, colours.line));
    painter.circle_stroke(centre, 0.5 * radius, Stroke::new(1.0, colours.line));
    let (right, up) = steering.on_pad(camera);
    let far = steering.speed.unwrap_or(1.0) as f32 * radius;
    let tip = centre + vec2(right as f32, -up as f32) * far;
    painter.line_segment([centre, tip], Stroke::new(2.0, colours.generated));
    painter.circle_filled(tip, 5.0, colours.generated);
    corner(&painter, rect, steering.speed, colours.weak);
    let words = "Drag: direction and speed. Double-click: the usual speed of the action";
    response.on_hover_text(words);
    *steering != before
}

fn corner(painter: &egui::Painter, rect: Rect, speed: Option<f64>, colour: Color32) {
    let words = match speed {
        Some(share) => format!("{:.1} m/s", 3.5 * share),
        None => "usual speed".to_owned(),
    };
    let font = FontId::proportional(10.5);
    painter.text(rect.left_bottom(), Align2::LEFT_BOTTOM, words, font, colour);
}
