//! What to write where, with the names shown before anything is written.

use std::path::PathBuf;
use std::sync::Arc;

use super::dialog::ExportBox;
use crate::app::shell::context::UiContext;
use crate::app::shell::dialogs::{is_entered, main_button};
use crate::app::shell::files::manifest::MANIFEST;
use crate::app::shell::files::naming::{NameParts, NamePattern, PatternError, WORDS, file_names};
use crate::app::shell::files::order::{Export, Piece, format_words};
use crate::app::shell::files::pick::Pick;
use crate::app::shell::preferences::ExportHabits;
use crate::app::shell::requests::Request;
use crate::app::shell::retarget::bring::Bringer;
use crate::app::shell::retarget::choice::TargetChoice;
use crate::app::shell::words::counted;
use crate::document::SetId;
use crate::file::atomic::Overwrite;
use crate::file::export::Format;
use crate::file::preset::Preset;
use crate::motion::Clip;
use crate::retarget::RetargetSettings;

/// Names of single clips, and of the files of a set.
const BY_NAME: &str = "{name}";

const BY_NUMBER: &str = "{set}_{n:3}";

impl ExportBox {
    /// For the selected clips.
    pub fn of(cx: &UiContext) -> Self {
        let habits = &cx.preferences.export;
        let folder = cx.session.export_folder.clone();
        Self {
            set: None,
            apart: None,
            preset: habits.preset(),
            format: habits.format(),
            folder: folder.unwrap_or_else(|| usual_folder(cx)),
            pattern: BY_NAME.to_owned(),
            fps: habits.fps,
            onto: TargetChoice::default(),
            is_in_place: habits.is_in_place,
            has_manifest: false,
        }
    }

    /// For a set: numbered files and a list of them.
    pub fn of_set(cx: &UiContext, set: SetId) -> Self {
        Self {
            set: Some(set),
            pattern: BY_NUMBER.to_owned(),
            has_manifest: true,
            ..Self::of(cx)
        }
    }

    /// For motions that are in no library: numbered files and a list of them.
    pub fn of_clips(cx: &UiContext, name: String, clips: Vec<Arc<Clip>>) -> Self {
        Self {
            apart: Some((name, clips)),
            pattern: BY_NUMBER.to_owned(),
            has_manifest: true,
            ..Self::of(cx)
        }
    }

    /// Files are called as their clips, without a list.
    pub fn name_by_clip(&mut self) {
        BY_NAME.clone_into(&mut self.pattern);
        self.has_manifest = false;
    }

    fn clips(&self, cx: &UiContext) -> Vec<Arc<Clip>> {
        if let Some((_, clips)) = &self.apart {
            return clips.clone();
        }
        let Some(set) = self.set.and_then(|id| cx.document().set(id)) else {
            let selected = cx.selected_clips().into_iter();
            return selected.map(|(_, clip)| clip).collect();
        };
        let clips = set.clips.iter();
        let clips = clips.filter_map(|id| cx.document().clip(*id));
        clips.map(Arc::clone).collect()
    }

    fn file_names(&self, cx: &UiContext, clips: &[Arc<Clip>]) -> Result<Vec<String>, PatternError> {
        let pattern: NamePattern = self.pattern.parse()?;
        let set = self.set.and_then(|id| cx.document().set(id));
        let set = set.map_or("clips", |set| set.name.as_str());
        let set = self.apart.as_ref().map_or(set, |(name, _)| name.as_str());
        let name = |(number, clip): (usize, &Arc<Clip>)| {
            let file = clip.info.file.as_ref().and_then(|f| f.file_stem());
            let take = file.map(|f| f.to_string_lossy()).unwrap_or_default();
            let subject = NameParts {
                name: &clip.info.name,
                set,
                take: &take,
                n_frames: clip.n_frames(),
            };
            pattern.name(number, &subject)
        };
        let names: Vec<String> = clips.iter().enumerate().map(name).collect();
        Ok(file_names(
            names.iter().map(String::as_str),
            self.format.ending(),
        ))
    }

    pub(in crate::app) fn export_ui(&mut self, ui: &mut egui::Ui, cx: &mut UiContext) -> bool {
        egui::Grid::new("export")
            .num_columns(2)
            .spacing([12.0, 6.0])
            .show(ui, |ui| {
                self.what_ui(ui, cx);
                self.how_ui(ui);
                self.onto_ui(ui, cx);
                let label = ui.label("Folder");
                let edit = egui::TextEdit::singleline(&mut self.folder).desired_width(380.0);
                ui.add(edit).labelled_by(label.id);
                ui.end_row();
                let label = ui.label("File names");
                let edit = egui::TextEdit::singleline(&mut self.pattern).desired_width(380.0);
                let response = ui.add(edit).labelled_by(label.id);
                response.on_hover_ui(|ui| {
                    for (word, meaning) in WORDS {
                        ui.label(format!("{word}  {meaning}"));
                    }
                });
                ui.end_row();
            });
        let clips = self.clips(cx);
        let files = self.file_names(cx, &clips);
        match &files {
            Ok(files) => preview_ui(ui, files, self.has_manifest),
            Err(error) => {
                ui.colored_label(ui.visuals().error_fg_color, error.to_string());
            }
        }
        ui.add_space(6.0);
        self.answers_ui(ui, cx, clips, files.unwrap_or_default())
    }

    fn what_ui(&mut self, ui: &mut egui::Ui, cx: &UiContext) {
        let label = ui.label("Clips");
        if let Some((name, clips)) = &self.apart {
            ui.label(format!("{name} ({})", clips.len()));
            ui.end_row();
            return;
        }
        let n = cx.session.selection.len();
        let selected = format!("selected ({n})");
        let of_set = |id: SetId| {
            let set = cx.document().set(id)?;
            Some(format!("set {} ({})", set.name, set.clips.len()))
        };
        let before = self.set;
        let shown = self
            .set
            .and_then(of_set)
            .unwrap_or_else(|| selected.clone());
        egui::ComboBox::from_id_salt("what")
            .selected_text(shown)
            .show_ui(ui, |ui| {
                ui.selectable_value(&mut self.set, None, selected);
                for set in cx.document().sets() {
                    let words = of_set(set.id).unwrap_or_default();
                    ui.selectable_value(&mut self.set, Some(set.id), words);
                }
            })
            .response
            .labelled_by(label.id);
        ui.end_row();
        // Sets are numbered unless the animator typed a pattern of their own.
        let is_usual = self.pattern == BY_NAME || self.pattern == BY_NUMBER;
        if before != self.set && is_usual {
            let pattern = if self.set.is_some() {
                BY_NUMBER
            } else {
                BY_NAME
            };
            pattern.clone_into(&mut self.pattern);
            self.has_manifest = self.set.is_some();
        }
    }

    fn how_ui(&mut self, ui: &mut egui::Ui) {
        let label = ui.label("For");
        ui.horizontal(|ui| {
            let shown = self.preset.map_or("As it is", Preset::title);
            egui::ComboBox::from_id_salt("preset")
                .selected_text(shown)
                .show_ui(ui, |ui| {
                    ui.selectable_value(&mut self.preset, None, "As it is");
                    for preset in Preset::ALL {
                        ui.selectable_value(&mut self.preset, Some(preset), preset.title());
                    }
                })
                .response
                .labelled_by(label.id);
            if let Some(preset) = self.preset {
                ui.weak(preset_words(preset));
            }
        });
        ui.end_row();
        ui.label("Format");
        ui.horizontal(|ui| {
            for format in Format::ALL {
                ui.selectable_value(&mut self.format, format, format_words(format));
            }
        });
        ui.end_row();
        ui.label("Motion");
        ui.horizontal(|ui| {
            ui.checkbox(&mut self.is_in_place, "in place");
            let mut is_resampled = self.fps.is_some();
            ui.checkbox(&mut is_resampled, "at");
            let mut fps = self.fps.unwrap_or(30.0);
            let value = egui::DragValue::new(&mut fps)
                .range(1.0..=1000.0)
                .speed(0.5);
            ui.add_enabled(is_resampled, value.suffix(" fps"));
            self.fps = is_resampled.then_some(fps);
            ui.checkbox(&mut self.has_manifest, MANIFEST)
                .on_hover_text("Also writes a list of the files with frames, rate and source; of variants also seed, amount and numbers");
        });
        ui.end_row();
    }

    /// The next export begins with the same choices; in this project also with the same folder.
    fn remember(&self, cx: &mut UiContext) {
        cx.preferences.export = ExportHabits {
            preset: self.preset.map(|preset| preset.name().to_owned()),
            format: self.format.ending().to_owned(),
            fps: self.fps,
            is_in_place: self.is_in_place,
        };
        cx.session.export_folder = Some(self.folder.clone());
    }

    /// Variants for my rig: the skeleton that the files are written on.
    fn onto_ui(&mut self, ui: &mut egui::Ui, cx: &mut UiContext) {
        let label = ui.label("Onto skeleton of").on_hover_text(
            "Brings every clip onto another skeleton before it is written: that of a clip, or your rig from a BVH or FBX file",
        );
        ui.vertical(|ui| {
            self.onto
                .choice_ui(ui, cx, &label, Some("each clip itself"));
            self.onto.file_ui(ui, cx);
        });
        ui.end_row();
    }

    fn bringer(&self, cx: &UiContext) -> Option<Bringer> {
        Some(Bringer {
            target: self.onto.target.clone()?,
            settings: RetargetSettings::default(),
            maps: cx.bone_maps.clone(),
        })
    }

    fn answers_ui(
        &self,
        ui: &mut egui::Ui,
        cx: &mut UiContext,
        clips: Vec<Arc<Clip>>,
        files: Vec<String>,
    ) -> bool {
        let mut stays = true;
        ui.horizontal(|ui| {
            let is_ready =
                !self.folder.trim().is_empty() && !files.is_empty() && !self.onto.is_open();
            let words = format!("Export {}", counted(clips.len(), "clip"));
            if main_button(ui, is_ready, &words) || (is_ready && is_entered(ui)) {
                let clips = clips.into_iter().map(Piece::Clip);
                self.remember(cx);
                cx.ask(Request::Export(Export {
                    files: files.into_iter().zip(clips).collect(),
                    preset: self.preset,
                    format: self.format,
                    fps: self.fps,
                    onto: self.bringer(cx),
                    is_in_place: self.is_in_place,
                    has_manifest: self.has_manifest,
                    folder: PathBuf::from(self.folder.trim()),
                    overwrite: Overwrite::Never,
                    columns: None,
                }));
                stays = false;
            }
            if ui.button("Browse folder…").clicked() {
                let mut chosen = self.clone();
                cx.pick(Pick::Folder, move |shell, paths| {
                    if let Some(path) = paths.into_iter().next() {
                        chosen.folder = path.display().to_string();
                        shell.dialog = Some(crate::app::shell::dialogs::Dialog::Export(chosen));
                    }
                });
            }
            stays &= !ui.button("Cancel").clicked();
        });
        stays
    }
}

/// Beside the project, or in the home folder.
pub(in crate::app) fn usual_folder(cx: &UiContext) -> String {
    let place = cx.projects.place.as_ref();
    let beside = place.and_then(|place| place.path.parent().map(|p| p.join("export")));
    let home = || directories::UserDirs::new().map(|dirs| dirs.home_dir().join("export"));
    let folder = beside.or_else(home).unwrap_or_default();
    folder.display().to_string()
}

/// "metres, ZYX, plain names, a T-pose first".
fn preset_words(preset: Preset) -> String {
    let requirements = preset.requirements();
    let unit = if requirements.unit_cm == 100.0 {
        "metres"
    } else {
        "centimetres"
    };
    let mut words = vec![unit.to_owned()];
    words.extend(requirements.up.map(|up| format!("{up} up")));
    words.extend(requirements.order.map(|order| order.to_string()));
    if requirements.safe_names {
        words.push("plain names".to_owned());
    }
    if requirements.tpose_first {
        words.push("a T-pose first".to_owned());
    }
    words.join(", ")
}

/// The first names and the last one.
pub(in crate::app) fn preview_ui(ui: &mut egui::Ui, files: &[String], has_manifest: bool) {
    const SHOWN: usize = 4;
    ui.add_space(4.0);
    for file in files.iter().take(SHOWN) {
        ui.weak(file);
    }
    if let Some(last) = files.get(SHOWN..).and_then(<[String]>::last) {
        ui.weak(format!("… {last}, {} in all", counted(files.len(), "file")));
    }
    if has_manifest && !files.is_empty() {
        ui.weak(MANIFEST);
    }
}
