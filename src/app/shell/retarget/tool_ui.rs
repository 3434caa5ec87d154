//! The window of the tool: it floats beside the 3D view, in every workspace.

use std::sync::Arc;

use egui_material_icons::icons::{ICON_CHECK_CIRCLE, ICON_ERROR, ICON_WARNING};

use crate::app::shell::context::UiContext;
use crate::app::shell::dialogs::main_button;
use crate::app::shell::previews::{Family, Preview};
use crate::app::shell::requests::Request;
use crate::app::shell::retarget::findings::{
    Findings, MOST_PREVIEWED, PairFinding, RetargetTool, Shift,
};
use crate::app::shell::theme::Colours;
use crate::app::shell::words::{counted, slide_cm};
use crate::motion::Clip;
use crate::retarget::{Feet, Hands, Root, RootMotion, Unmapped};

/// Wide enough for names of joints, narrow enough to leave the 3D view in sight.
const WIDTH: f32 = 370.0;

/// Draws the tool, if it is open.
pub(in crate::app) fn retarget_tool_ui(ctx: &egui::Context, cx: &mut UiContext) {
    let Some(mut tool) = cx.retarget_tool.take() else {
        return;
    };
    let room = ctx.content_rect();
    let mut is_open = true;
    let mut stays = true;
    egui::Window::new("Retarget")
        .id(egui::Id::unique("retarget tool"))
        .open(&mut is_open)
        .default_pos(room.right_top() + egui::vec2(-WIDTH - 40.0, 70.0))
        .default_width(WIDTH)
        .resizable([true, false])
        .constrain_to(room)
        .show(ctx, |ui| stays = tool.tool_ui(ui, cx));
    // An action of its own may have opened another one.
    if is_open && stays && cx.retarget_tool.is_none() {
        cx.retarget_tool = Some(tool);
    }
}

impl RetargetTool {
    /// Whether it stays open.
    fn tool_ui(&mut self, ui: &mut egui::Ui, cx: &mut UiContext) -> bool {
        let there = |id: &&crate::document::ClipId| cx.document().clip(**id).is_some();
        let n = self.clips.iter().filter(there).count();
        if n == 0 {
            ui.weak("The clips are gone.");
            return !ui.button("Close").clicked();
        }
        egui::Grid::new("retarget")
            .num_columns(2)
            .spacing([10.0, 6.0])
            .show(ui, |ui| {
                ui.label("Clips");
                ui.label(counted(n, "clip"));
                ui.end_row();
                let label = ui.label("Onto");
                self.choice.choice_ui(ui, cx, &label, None);
                ui.end_row();
            });
        self.choice.file_ui(ui, cx);
        let findings = self.findings(cx);
        ui.separator();
        match &findings {
            Some(findings) => pairs_ui(ui, cx, findings),
            None if self.choice.target.is_some() => {
                ui.weak("Looking at the skeletons…");
            }
            None => {
                ui.weak(
                    "Choose the skeleton of another clip, or your own rig from a BVH or FBX file.",
                );
            }
        }
        ui.separator();
        self.settings_ui(ui);
        ui.separator();
        self.preview_ui(ui, cx, findings.as_deref(), n);
        self.answers_ui(ui, cx, findings.as_deref(), n)
    }

    fn settings_ui(&mut self, ui: &mut egui::Ui) {
        let settings = &mut self.settings;
        egui::Grid::new("how to retarget")
            .num_columns(2)
            .spacing([10.0, 4.0])
            .show(ui, |ui| {
                row(ui, "Feet", &mut settings.feet, &FEET);
                row(ui, "Hands", &mut settings.hands, &HANDS);
                row(ui, "Travel", &mut settings.root, &TRAVEL);
                row(ui, "Root motion", &mut settings.root_motion, &ROOT_MOTION);
                row(ui, "Result", &mut self.keeps_originals, &RESULT);
            });
    }

    /// Before in blue and after in orange, at the playhead.
    fn preview_ui(
        &mut self,
        ui: &mut egui::Ui,
        cx: &mut UiContext,
        findings: Option<&Findings>,
        n_clips: usize,
    ) {
        let few = if n_clips > MOST_PREVIEWED {
            format!(" (first {MOST_PREVIEWED})")
        } else {
            String::new()
        };
        let words = format!("Before (blue) and after (orange) in the 3D view{few}");
        ui.checkbox(&mut self.shows_preview, words);
        let shifts = findings.map_or_else(|| self.last_shifts(), |found| &found.shifts);
        if self.shows_preview && self.choice.target.is_some() && !shifts.is_empty() {
            let of = |clip: fn(&Shift) -> &Arc<Clip>| -> Vec<Arc<Clip>> {
                shifts.iter().map(|shift| Arc::clone(clip(shift))).collect()
            };
            cx.previews.wish(Preview::Family(Family {
                inputs: of(|shift| &shift.before),
                variants: of(|shift| &shift.after),
                ..Family::default()
            }));
        }
        if let Some(words) = findings.and_then(|found| slide_words(&found.shifts)) {
            ui.weak(words);
        }
    }

    fn answers_ui(
        &self,
        ui: &mut egui::Ui,
        cx: &mut UiContext,
        findings: Option<&Findings>,
        n_clips: usize,
    ) -> bool {
        let mut stays = true;
        ui.add_space(4.0);
        ui.horizontal(|ui| {
            let refused = findings.map_or(0, n_refused);
            let is_ready = findings.is_some() && refused < n_clips;
            let words = format!(
                "Retarget {}",
                counted(n_clips - refused.min(n_clips), "clip")
            );
            if main_button(ui, is_ready, &words)
                && let Some(order) = self.order(cx)
            {
                cx.ask(Request::Retarget(order));
                stays = false;
            }
            stays &= !ui.button("Cancel").clicked();
        });
        stays
    }
}

fn n_refused(findings: &Findings) -> usize {
    let refused = findings.pairs.iter().filter(|pair| pair.matched.is_err());
    refused.map(|pair| pair.kind.clips.len()).sum()
}

/// One of some values in a row of buttons, each with a word about itself.
fn row<T: Copy + PartialEq>(
    ui: &mut egui::Ui,
    label: &str,
    value: &mut T,
    choices: &[(T, &str, &str)],
) {
    ui.label(label);
    ui.horizontal(|ui| {
        for (choice, name, tip) in choices {
            let response = ui.selectable_value(value, *choice, *name);
            response.on_hover_text(*tip);
        }
    });
    ui.end_row();
}

const FEET: [(Feet, &str, &str); 2] = [
    (
        Feet::Lock,
        "foot lock",
        "Brought to their scaled places, and held there while they are in contact",
    ),
    (
        Feet::Free,
        "free",
        "Wherever the rotations of the legs take them",
    ),
];

const HANDS: [(Hands, &str, &str); 2] = [
    (
        Hands::Free,
        "free",
        "Wherever the rotations of the arms take them",
    ),
    (
        Hands::Lock,
        "scaled places",
        "For hands that meet each other, the floor or a prop",
    ),
];

const TRAVEL: [(Root, &str, &str); 2] = [
    (
        Root::Scale,
        "scaled",
        "With the length of the legs: steps fit, feet stand",
    ),
    (
        Root::Keep,
        "kept",
        "As far over the floor as the source, whatever the legs can do",
    ),
];

const ROOT_MOTION: [(RootMotion, &str, &str); 3] = [
    (RootMotion::Hips, "hips", "The hips carry the travel"),
    (
        RootMotion::RootBone,
        "root bone",
        "The root bone follows the hips over the floor and turns with the body, as game engines want it",
    ),
    (RootMotion::InPlace, "in place", "No travel"),
];

const RESULT: [(bool, &str, &str); 2] = [
    (true, "new clips", "The clips stay; new ones are added"),
    (
        false,
        "in place of the clips",
        "The clips become the result; undo brings them back",
    ),
];

/// "Feet in contact slide 1.2 cm/s, 6.4 before".
fn slide_words(shifts: &[Shift]) -> Option<String> {
    let mean = |slide: fn(&Shift) -> Option<f64>| {
        let known: Vec<f64> = shifts.iter().filter_map(slide).collect();
        (!known.is_empty()).then(|| known.iter().sum::<f64>() / known.len() as f64)
    };
    let (after, before) = (mean(|s| s.slide.target)?, mean(|s| s.slide.source)?);
    let (after, before) = (slide_cm(after), slide_cm(before));
    Some(format!(
        "Feet in contact slide {after:.1} cm/s, {before:.1} before"
    ))
}

/// One line for each skeleton: how much of it goes over, and a way to change that.
fn pairs_ui(ui: &mut egui::Ui, cx: &mut UiContext, findings: &Findings) {
    if findings.n_there > 0 {
        let n = counted(findings.n_there, "clip");
        ui.weak(format!("{n} on this skeleton already"));
    }
    egui::ScrollArea::vertical()
        .max_height(170.0)
        .show(ui, |ui| {
            for (nth, pair) in findings.pairs.iter().enumerate() {
                ui.push_id(nth, |ui| pair_ui(ui, cx, findings, pair));
            }
        });
}

fn pair_ui(ui: &mut egui::Ui, cx: &mut UiContext, findings: &Findings, pair: &PairFinding) {
    let colours = Colours::of(ui);
    let names = pair
        .names
        .map_or_else(String::new, |names| format!(" ({names})"));
    let matched = match &pair.matched {
        Ok(matched) => matched,
        Err(why) => {
            ui.horizontal_wrapped(|ui| {
                ui.label(ICON_ERROR.rich_text().color(colours.error));
                ui.label(format!("{}{names}: {why}", pair.kind.words()));
            });
            return;
        }
    };
    let n_joints = findings.target_skeleton().n_joints();
    let n_mapped = matched.pairing.map.links().len();
    let is_whole = matched.unmapped.target.is_empty();
    let (sign, colour) = if is_whole {
        (ICON_CHECK_CIRCLE, colours.good)
    } else {
        (ICON_WARNING, colours.warning)
    };
    ui.horizontal(|ui| {
        ui.label(sign.rich_text().color(colour));
        let words = format!("{}{names}", pair.kind.words());
        ui.add(egui::Label::new(words).truncate());
    });
    ui.horizontal(|ui| {
        ui.add_space(22.0);
        let by = if matched.is_by_hand {
            ", set by hand"
        } else {
            ""
        };
        ui.weak(format!("{n_mapped} of {n_joints} joints mapped{by}"))
            .on_hover_text(cost(&matched.unmapped));
        let tip = "Shows both skeletons side by side; which joint moves which can be changed";
        if ui.small_button("Bone map…").on_hover_text(tip).clicked() {
            let target = findings.target().clone();
            cx.open_bone_map(&pair.kind.first, target, matched.pairing.clone());
        }
    });
}

/// What is unmapped, and what that costs.
pub(in crate::app::shell::retarget) fn cost(unmapped: &Unmapped) -> String {
    let mut lines = Vec::new();
    if !unmapped.source.is_empty() {
        let names = unmapped.source.join(", ");
        lines.push(format!("Motion that is not carried over: {names}"));
    }
    if !unmapped.target.is_empty() {
        let names = unmapped.target.join(", ");
        lines.push(format!("Joints that only follow their parents: {names}"));
    }
    if lines.is_empty() {
        "Every joint has a partner".to_owned()
    } else {
        lines.join("\n")
    }
}
