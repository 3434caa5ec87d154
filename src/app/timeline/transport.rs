//! Buttons for playing, and where the playhead is.

use egui_material_icons::icons::{
    ICON_CHEVRON_LEFT, ICON_CHEVRON_RIGHT, ICON_PAUSE, ICON_PLAY_ARROW, ICON_REPEAT,
    ICON_SKIP_NEXT, ICON_SKIP_PREVIOUS,
};

use crate::app::shell::actions::Action;
use crate::app::shell::context::UiContext;
use crate::app::shell::session::Session;
use crate::app::shell::sync::SyncMode;
use crate::app::shell::ui::icon_button_ui;

/// Draws the row of play buttons, speed, frame numbers and range.
pub fn transport_ui(ui: &mut egui::Ui, cx: &mut UiContext) {
    ui.horizontal(|ui| {
        let play = if cx.session.is_playing {
            ICON_PAUSE
        } else {
            ICON_PLAY_ARROW
        };
        for (action, icon) in [
            (Action::ToStart, ICON_SKIP_PREVIOUS),
            (Action::StepBack, ICON_CHEVRON_LEFT),
            (Action::Play, play),
            (Action::StepForward, ICON_CHEVRON_RIGHT),
            (Action::ToEnd, ICON_SKIP_NEXT),
            (Action::Loop, ICON_REPEAT),
        ] {
            icon_button_ui(ui, cx, action, icon);
        }
        speed_ui(ui, &mut cx.session);
        if cx.timebase.is_none() {
            sync_ui(ui, &mut cx.session);
        }
        ui.separator();
        ui.monospace(place_words(cx));
        if let Some((from, to)) = cx.session.range_secs {
            ui.weak(range_words(cx, (from, to)));
            if ui.small_button("Clear range").clicked() {
                cx.session.range_secs = None;
            }
        }
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            let session = &mut cx.session;
            ui.selectable_value(&mut session.shows_seconds, true, "Seconds");
            ui.selectable_value(&mut session.shows_seconds, false, "Frames");
            if session.span.is_some() {
                let fit = ui.button("Fit").on_hover_text("Shows the whole time again");
                if fit.clicked() {
                    session.span = None;
                }
            }
        });
    });
}

/// With several clips: what "together" means.
fn sync_ui(ui: &mut egui::Ui, session: &mut Session) {
    if session.selection.len() < 2 {
        return;
    }
    ui.separator();
    ui.weak("Sync");
    ui.spacing_mut().item_spacing.x = 2.0;
    for timing in SyncMode::ALL {
        let is_on = session.sync == timing;
        let button = ui.selectable_label(is_on, timing.name());
        if button.on_hover_text(timing.tip()).clicked() {
            session.sync = timing;
        }
    }
    ui.spacing_mut().item_spacing.x = 7.0;
}

fn speed_ui(ui: &mut egui::Ui, session: &mut Session) {
    let words = |speed: f64| format!("{speed} x");
    egui::ComboBox::from_id_salt("speed")
        .width(58.0)
        .selected_text(words(session.speed))
        .show_ui(ui, |ui| {
            for speed in Session::SPEEDS {
                ui.selectable_value(&mut session.speed, speed, words(speed));
            }
        })
        .response
        .on_hover_text("Speed");
}

/// In what the ruler counts; the last frame is played.
fn range_words(cx: &UiContext, (from, to): (f64, f64)) -> String {
    let own = cx.timebase.map(|timebase| timebase.fps);
    let fps = own.or_else(|| cx.counted_clip().map(|clip| clip.fps()));
    match fps.filter(|_| !cx.session.shows_seconds) {
        Some(fps) => {
            let first = (from * fps).round();
            let last = ((to * fps).round() - 1.0).max(first);
            format!("range {first} to {last}")
        }
        None => format!("range {from:.2} to {to:.2} s"),
    }
}

/// "frame 12 / 95   0.10 s": frames count from 0, as on the ruler and the command line.
fn place_words(cx: &UiContext) -> String {
    let secs = cx.session.playhead_secs;
    let words = |fps: f64, n_frames: usize| {
        let last = n_frames.saturating_sub(1);
        let frame = ((secs * fps + 1e-6).floor() as usize).min(last);
        format!("frame {frame:>4} / {last}  {secs:6.2} s")
    };
    if let Some(timebase) = cx.timebase {
        return words(timebase.fps, timebase.n_frames());
    }
    match cx.counted_clip() {
        Some(clip) => words(clip.fps(), clip.n_frames()),
        None => "no clip selected".to_owned(),
    }
}
