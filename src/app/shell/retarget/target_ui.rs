//! Choosing the skeleton that clips are brought onto.

use crate::app::shell::context::UiContext;
use crate::app::shell::files::pick::Pick;
use crate::app::shell::retarget::choice::{Target, TargetChoice};
use crate::app::shell::retarget::skeletons::{Difference, difference, kinds};

impl TargetChoice {
    /// A list of the project's skeletons, and a box for a file. With `none` there may be no target, called so.
    pub(in crate::app::shell) fn choice_ui(
        &mut self,
        ui: &mut egui::Ui,
        cx: &mut UiContext,
        label: &egui::Response,
        none: Option<&str>,
    ) {
        self.take_arrived();
        let chosen = self.target.as_ref();
        let shown = match (chosen, none) {
            _ if self.wants_file => "a file".to_owned(),
            (Some(target), _) => words(target),
            (None, none) => none.unwrap_or("choose a skeleton").to_owned(),
        };
        egui::ComboBox::from_id_salt("target skeleton")
            .width(250.0)
            .selected_text(shown)
            .truncate()
            .show_ui(ui, |ui| self.list_ui(ui, cx, none))
            .response
            .labelled_by(label.id);
    }

    fn list_ui(&mut self, ui: &mut egui::Ui, cx: &UiContext, none: Option<&str>) {
        if let Some(none) = none {
            let is_chosen = self.target.is_none() && !self.wants_file;
            if ui.selectable_label(is_chosen, none).clicked() {
                *self = Self::default();
            }
        }
        for kind in kinds(cx.document().clips(), Difference::Lengths) {
            let is_chosen = self
                .target
                .as_ref()
                .is_some_and(|target| difference(&target.clip, &kind.first).is_none());
            let words = kind.words();
            if ui.selectable_label(is_chosen, words).clicked() {
                *self = Self::of(Target::of(&kind.first));
            }
        }
        let tip = "Any BVH, FBX or AMC file on the skeleton: your rig";
        let file = ui.selectable_label(self.wants_file, "Skeleton of a file…");
        if file.on_hover_text(tip).clicked() {
            self.wants_file = true;
            self.refused = None;
        }
    }

    /// The box for a file, while one is wanted.
    pub(in crate::app::shell) fn file_ui(&mut self, ui: &mut egui::Ui, cx: &mut UiContext) {
        if !self.wants_file {
            return;
        }
        ui.horizontal(|ui| {
            let hint = "path of a .bvh or .fbx file";
            let edit = egui::TextEdit::singleline(&mut self.path)
                .hint_text(hint)
                .desired_width(190.0);
            let response = ui.add(edit);
            let text = self.path.clone();
            response.widget_info(|| {
                let mut info =
                    egui::WidgetInfo::labeled(egui::Role::TextInput, true, "Skeleton file");
                info.current_text_value = Some(text.clone());
                info
            });
            let is_entered =
                response.lost_focus() && ui.input(|input| input.key_pressed(egui::Key::Enter));
            let is_filled = !self.path.trim().is_empty();
            let read = ui.add_enabled(is_filled, egui::Button::new("Read"));
            if read.clicked() || (is_entered && is_filled) {
                self.read(cx);
            }
            if ui.button("Browse…").clicked() {
                let take = self.taker();
                cx.pick(Pick::Skeleton, move |shell, paths| {
                    if let Some(path) = paths.into_iter().next() {
                        take(shell, path);
                    }
                });
            }
        });
        if let Some(why) = &self.refused {
            let words = egui::RichText::new(why).color(ui.visuals().error_fg_color);
            ui.add(egui::Label::new(words).wrap());
        }
    }
}

/// A target in words, such as "`hero.fbx`, 65 joints".
fn words(target: &Target) -> String {
    let n_joints = target.clip.skeleton().n_joints();
    format!("{}, {n_joints} joints", target.name)
}
