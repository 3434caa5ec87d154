//! Cleaning: what there is to clean in the active clip, the steps to take, and the result in the 3D view before it is
//! done to all selected clips.

use std::sync::Arc;

use egui::{Rect, Sense, pos2, vec2};

use crate::app::library::cleaning::{Done, Findings, MOST_PREVIEWED, Recipe, in_words};
use crate::app::library::state::LibraryWorkspace;
use crate::app::shell::context::UiContext;
use crate::app::shell::previews::Preview;
use crate::app::shell::theme::Colours;
use crate::app::shell::ui::short;
use crate::app::shell::words::{counted, slide_cm};
use crate::motion::edit::{Glitch, InPlace, Unit};
use crate::motion::{Axis, Clip};

/// Draws the panel that finds and removes faults of the selected clips.
pub fn cleaning_ui(ui: &mut egui::Ui, cx: &mut UiContext, library: &mut LibraryWorkspace) {
    let Some(clip) = cx.active_clip().map(Arc::clone) else {
        ui.weak("Select the clips that are to be cleaned.");
        return;
    };
    let recipe = library.clean.recipe;
    // What comes of it stays in sight, however small the window is.
    egui::Panel::bottom("clean result").show(ui, |ui| result_ui(ui, cx, library, recipe));
    egui::ScrollArea::vertical()
        .auto_shrink(false)
        .show(ui, |ui| {
            let findings = library.findings(cx);
            let mut recipe = library.clean.recipe;
            mend_ui(ui, cx, &clip, findings.as_deref(), &mut recipe);
            ui.separator();
            world_ui(ui, &clip, findings.as_deref(), &mut recipe);
            ui.separator();
            feet_ui(ui, findings.as_deref(), &mut recipe);
            ui.separator();
            use_ui(ui, &clip, &mut recipe);
            library.clean.recipe = recipe;
        });
}

/// A step with what was found about it in small letters below.
fn step_ui(ui: &mut egui::Ui, is_on: &mut bool, text: &str, found: &str) {
    ui.checkbox(is_on, text);
    note_ui(ui, found);
}

fn note_ui(ui: &mut egui::Ui, found: &str) {
    ui.horizontal(|ui| {
        ui.add_space(22.0);
        ui.add(egui::Label::new(egui::RichText::new(found).weak().size(11.5)).truncate());
    });
}

fn mend_ui(
    ui: &mut egui::Ui,
    cx: &mut UiContext,
    clip: &Clip,
    findings: Option<&Findings>,
    recipe: &mut Recipe,
) {
    ui.strong("Repair");
    let tpose = match findings.map(|f| f.n_tpose) {
        None => "looking…".to_owned(),
        Some(0) => "none in this clip".to_owned(),
        Some(n) => format!("{} before the motion", counted(n, "frame")),
    };
    step_ui(ui, &mut recipe.drops_tpose, "Drop T-pose frames", &tpose);
    let glitches = match findings.map(|f| f.glitches.as_slice()) {
        None => "looking…".to_owned(),
        Some([]) => "no joint jumps in this clip".to_owned(),
        Some(found) => format!("{} in this clip", counted(found.len(), "jump")),
    };
    step_ui(ui, &mut recipe.mends_glitches, "Remove spikes", &glitches);
    // Drawn in any case, so that nothing below it moves under the pointer when the answer comes.
    let found = findings.map_or(&[][..], |findings| &findings.glitches);
    glitches_ui(ui, cx, clip, found);
}

/// The clip as a strip with a mark for every glitch; a click goes there.
fn glitches_ui(ui: &mut egui::Ui, cx: &mut UiContext, clip: &Clip, glitches: &[Glitch]) {
    let colours = Colours::of(ui);
    let width = ui.available_width() - 24.0;
    ui.horizontal(|ui| {
        ui.add_space(22.0);
        let (rect, response) = ui.allocate_exact_size(vec2(width - 22.0, 14.0), Sense::click());
        response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Slider, true, "Spikes"));
        let painter = ui.painter_at(rect);
        painter.rect_filled(rect, 2.0, colours.sunken);
        let last = (clip.n_frames() - 1).max(1) as f32;
        let x = |frame: usize| rect.left() + rect.width() * frame as f32 / last;
        for glitch in glitches {
            let mark = Rect::from_center_size(
                pos2(x(glitch.frame), rect.center().y),
                vec2(2.0, rect.height()),
            );
            painter.rect_filled(mark, 0.0, colours.error);
        }
        let pointer = response.hover_pos().map(|pos| pos.x);
        let nearest = pointer.and_then(|at| {
            let off = |g: &&Glitch| (x(g.frame) - at).abs();
            glitches.iter().min_by(|a, b| off(a).total_cmp(&off(b)))
        });
        if let Some(glitch) = nearest {
            if response.clicked() {
                cx.session.is_playing = false;
                cx.session.playhead_secs = glitch.frame as f64 / clip.fps();
            }
            let joint = &clip.skeleton().joints()[glitch.joint].name;
            let degrees = glitch.jump_rad.to_degrees();
            response.on_hover_text(format!(
                "frame {}: {joint} jumps by {degrees:.0}°; click to go there",
                glitch.frame
            ));
        }
    });
}

fn world_ui(ui: &mut egui::Ui, clip: &Clip, findings: Option<&Findings>, recipe: &mut Recipe) {
    ui.strong("World");
    let floor = findings.map_or_else(
        || "looking…".to_owned(),
        |f| format!("the floor is at {} now", short(f.floor)),
    );
    step_ui(ui, &mut recipe.sets_floor, "Put the floor at zero", &floor);
    ui.horizontal(|ui| {
        ui.label("Unit");
        unit_ui(ui, "unit now", &mut recipe.unit_now, "guessed");
        ui.label("to");
        unit_ui(ui, "unit", &mut recipe.unit, "as it is");
    });
    let unit = findings.map_or_else(|| "looking…".to_owned(), |f| f.unit.to_string());
    note_ui(ui, &unit);
    ui.horizontal(|ui| {
        ui.label("Up is");
        let now = format!("{}", clip.info.up);
        axis_ui(ui, "up now", &mut recipe.declared_up, &now)
            .on_hover_text("Says which way is up where the file was misread; nothing is turned");
        ui.label("turn to");
        axis_ui(ui, "up", &mut recipe.up, "as it is")
            .on_hover_text("Turns the motion so that this way is up");
    });
}

fn unit_ui(ui: &mut egui::Ui, salt: &str, unit: &mut Option<Unit>, none: &str) {
    let name = |unit: Unit| match unit {
        Unit::Cmu => "CMU".to_owned(),
        other => other.to_string(),
    };
    egui::ComboBox::from_id_salt(salt)
        .width(84.0)
        .selected_text(unit.map_or_else(|| none.to_owned(), name))
        .show_ui(ui, |ui| {
            ui.selectable_value(unit, None, none);
            for known in Unit::ALL {
                ui.selectable_value(unit, Some(known), known.to_string());
            }
        });
}

fn axis_ui(ui: &mut egui::Ui, salt: &str, axis: &mut Option<Axis>, none: &str) -> egui::Response {
    const AXES: [&str; 6] = ["X", "Y", "Z", "-X", "-Y", "-Z"];
    egui::ComboBox::from_id_salt(salt)
        .width(58.0)
        .selected_text(axis.map_or_else(|| none.to_owned(), |axis| axis.to_string()))
        .show_ui(ui, |ui| {
            ui.selectable_value(axis, None, none);
            for known in AXES.iter().filter_map(|text| text.parse::<Axis>().ok()) {
                ui.selectable_value(axis, Some(known), known.to_string());
            }
        })
        .response
}

fn feet_ui(ui: &mut egui::Ui, findings: Option<&Findings>, recipe: &mut Recipe) {
    ui.strong("Feet");
    let slide = match findings {
        None => "looking…".to_owned(),
        Some(Findings { slide: None, .. }) => "no feet were recognised".to_owned(),
        Some(Findings {
            slide: Some(slide), ..
        }) => format!(
            "standing feet slide {:.1} cm/s on a body of 1.75 m",
            slide_cm(*slide)
        ),
    };
    step_ui(ui, &mut recipe.plants_feet, "Foot lock", &slide);
}

fn use_ui(ui: &mut egui::Ui, clip: &Clip, recipe: &mut Recipe) {
    ui.strong("Use");
    let mut stays = recipe.in_place.is_some();
    ui.horizontal(|ui| {
        ui.checkbox(&mut stays, "In place");
        let mut heading = recipe.in_place == Some(InPlace::TravelAndHeading);
        ui.add_enabled_ui(stays, |ui| ui.checkbox(&mut heading, "without turns"));
        recipe.in_place = stays.then_some(if heading {
            InPlace::TravelAndHeading
        } else {
            InPlace::Travel
        });
    });
    ui.checkbox(&mut recipe.mirrors, "Mirror left and right");
    ui.horizontal(|ui| {
        let mut is_on = recipe.fps.is_some();
        ui.checkbox(&mut is_on, "Resample to");
        let mut fps = recipe.fps.unwrap_or_else(|| clip.fps());
        let value = egui::DragValue::new(&mut fps)
            .range(1.0..=1000.0)
            .speed(0.5);
        ui.add_enabled(is_on, value.suffix(" fps"));
        recipe.fps = is_on.then_some(fps);
    });
}

/// Before or after, what the recipe does to the active clip, and the button that does it to all.
fn result_ui(
    ui: &mut egui::Ui,
    cx: &mut UiContext,
    library: &mut LibraryWorkspace,
    recipe: Recipe,
) {
    let n = cx.session.selection.len();
    let is_empty = recipe.is_empty();
    ui.horizontal(|ui| {
        ui.label("Show");
        let shows = &mut library.clean.shows_result;
        ui.selectable_value(shows, false, "Before");
        ui.selectable_value(shows, true, "After");
    });
    if is_empty {
        ui.weak("Tick steps to see what they do; nothing is changed yet.");
    } else {
        preview_ui(ui, cx, library, n);
    }
    ui.horizontal(|ui| {
        let fill = ui.visuals().selection.bg_fill;
        let button = egui::Button::new(format!("Clean {}", counted(n, "clip"))).fill(fill);
        if ui.add_enabled(!is_empty && n > 0, button).clicked() {
            library.clean_selected(cx, recipe);
        }
        if ui
            .add_enabled(!is_empty, egui::Button::new("Untick all"))
            .clicked()
        {
            library.clean.recipe = Recipe::default();
        }
    });
}

fn preview_ui(ui: &mut egui::Ui, cx: &mut UiContext, library: &mut LibraryWorkspace, n: usize) {
    let active = cx.session.active;
    let Some(rinsed) = library.rinsed(cx) else {
        ui.weak("Working it out…");
        return;
    };
    let done = active.and_then(|id| rinsed.done.get(&id));
    let mut words: Vec<String> = done
        .map(|d: &Done| in_words(std::slice::from_ref(d)))
        .unwrap_or_default();
    words.extend(rinsed.failed.iter().take(2).cloned());
    let is_changed = active.is_some_and(|id| rinsed.clips.contains_key(&id));
    let preview = Preview::Changed(rinsed.clips.clone());
    if words.is_empty() {
        words.push(if is_changed {
            "This clip changes as seen in the view.".to_owned()
        } else {
            "This clip needs nothing of this.".to_owned()
        });
    }
    for line in words {
        ui.add(egui::Label::new(line).wrap());
    }
    if n > MOST_PREVIEWED {
        ui.weak(format!(
            "The view shows {MOST_PREVIEWED} of {n} clips as they become."
        ));
    }
    if library.clean.shows_result {
        cx.previews.wish(preview);
    }
}
