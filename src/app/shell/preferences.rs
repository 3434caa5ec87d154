//! What the animator likes: theme, layout, keys. Kept between runs, not part of any project.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::app::shell::pane::Pane;
use crate::app::shell::view_options::ViewOptions;
use crate::file::export::Format;
use crate::file::preset::Preset;
use crate::file::project::Recent;

/// Where it is kept among what eframe stores.
pub const STORAGE_KEY: &str = "preferences";

/// How the 3D view follows the mouse.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Navigation {
    /// Middle button turns, shift pans, ctrl or wheel zooms.
    #[default]
    Blender,
    /// Alt with left turns, with middle pans, with right zooms.
    Maya,
}

/// A room of the window.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
pub enum Workspace {
    /// Clips: import, look, clean, cut.
    #[default]
    Library,
    /// Families of motions: takes, models, variants.
    Variation,
    /// Poses from handles and styles, keyframes, repair.
    Pose,
    /// Actions one after another.
    Sequence,
    /// Measures, clones, and sessions with raters.
    Study,
}

impl Workspace {
    /// In the order of the tabs.
    pub const ALL: [Self; 5] = [
        Self::Library,
        Self::Variation,
        Self::Pose,
        Self::Sequence,
        Self::Study,
    ];

    /// The words on its tab.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Library => "Library",
            Self::Variation => "Variation",
            Self::Pose => "Pose",
            Self::Sequence => "Sequence",
            Self::Study => "Study",
        }
    }
}

/// How clips were exported last. Words instead of types: an unknown one of another version is the usual choice.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct ExportHabits {
    /// The program that the files are for, as on the command line; none leaves clips as they are.
    pub preset: Option<String>,
    /// The ending of the files.
    pub format: String,
    /// Frames a second of exported files; none leaves the rate of the clip.
    pub fps: Option<f64>,
    /// Whether travel along the floor is taken out on export.
    pub is_in_place: bool,
}

impl ExportHabits {
    /// The program that the files are for.
    pub fn preset(&self) -> Option<Preset> {
        self.preset.as_ref()?.parse().ok()
    }

    /// What kind of file.
    pub fn format(&self) -> Format {
        let mut known = Format::ALL.into_iter();
        known
            .find(|format| format.ending() == self.format)
            .unwrap_or_default()
    }
}

/// What the animator likes. Fields that an older program did not know get their usual value.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Preferences {
    /// Light instead of dark.
    pub is_light: bool,
    /// Everything this many times as large.
    pub scale: f32,
    /// Whose mouse habits the 3D view follows.
    pub navigation: Navigation,
    /// Smooth edges in the 3D view; costs time without a graphics card.
    pub is_smooth: bool,
    /// What the 3D view shows beside the characters.
    #[serde(rename = "sights")]
    pub view: ViewOptions,
    /// Whether the timeline draws how well loops can close.
    pub shows_match_curve: bool,
    /// Which tab is open.
    pub workspace: Workspace,
    /// Keys that were changed, by the id of the action; none means no key.
    pub keys: BTreeMap<String, Option<egui::KeyboardShortcut>>,
    /// Where the panels of each workspace are; none is the usual place.
    pub layouts: BTreeMap<Workspace, egui_tiles::Tree<Pane>>,
    /// How clips were exported last.
    pub export: ExportHabits,
    /// Whether imported clips are tagged with the names of their folders.
    pub tags_folders: bool,
    /// The projects that were open last, as text.
    pub recent: String,
    /// Whether the program ran before.
    pub has_started: bool,
}

impl Default for Preferences {
    fn default() -> Self {
        Self {
            is_light: false,
            scale: 1.0,
            navigation: Navigation::default(),
            is_smooth: true,
            view: ViewOptions::default(),
            shows_match_curve: true,
            workspace: Workspace::default(),
            keys: BTreeMap::new(),
            layouts: BTreeMap::new(),
            export: ExportHabits::default(),
            tags_folders: false,
            recent: String::new(),
            has_started: false,
        }
    }
}

impl Preferences {
    /// The projects that were open last. A list that cannot be read is empty.
    pub fn recent(&self) -> Recent {
        Recent::from_ron(&self.recent).unwrap_or_default()
    }

    /// Larger or smaller, within reason.
    pub fn rescale(&mut self, factor: f32) {
        self.scale = (self.scale * factor).clamp(0.5, 3.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn preferences_come_back_and_old_ones_too() {
        let mut likes = Preferences {
            is_light: true,
            layouts: Workspace::ALL
                .map(|w| (w, crate::app::shell::docks::usual_layout(w)))
                .into(),
            ..Preferences::default()
        };
        let key = egui::KeyboardShortcut::new(egui::Modifiers::CTRL, egui::Key::M);
        likes.keys.insert("clip.mirror".to_owned(), Some(key));
        likes.keys.insert("play.loop".to_owned(), None);
        let text = ron::to_string(&likes).unwrap();
        assert_eq!(ron::from_str::<Preferences>(&text).unwrap(), likes);
        let old: Preferences = ron::from_str("(is_light: true)").unwrap();
        assert!(old.is_light && old.scale == 1.0, "{old:?}");
    }

    #[test]
    fn scaling_stays_readable() {
        let mut likes = Preferences::default();
        for _ in 0..50 {
            likes.rescale(1.1);
        }
        assert_eq!(likes.scale, 3.0);
    }

    /// `tests/data/preferences_before_workspaces.ron` was written by the program as it was before its window was put in
    /// order by workspace: the first start of the demo, a look at three workspaces, then a light theme, motion paths, a
    /// key taken away and a wider 3D view.
    #[test]
    fn preferences_and_layouts_of_before_the_workspaces_are_kept() {
        let text = include_str!("../../../tests/data/preferences_before_workspaces.ron");
        let kept: Preferences = ron::from_str(text).unwrap();
        assert!(kept.is_light && kept.view.shows_trails, "{kept:?}");
        assert_eq!(kept.workspace, Workspace::Pose);
        assert_eq!(kept.keys.get("clip.mend"), Some(&None));
        assert_eq!(kept.layouts.len(), 3);
        for (workspace, layout) in &kept.layouts {
            let is_whole = crate::app::shell::docks::is_whole(layout, *workspace);
            assert!(is_whole, "{workspace:?} would get its default layout");
        }
        let library = &kept.layouts[&Workspace::Library];
        assert_ne!(
            library,
            &crate::app::shell::docks::usual_layout(Workspace::Library)
        );
        assert!(
            ron::to_string(&kept).unwrap().contains("sights:("),
            "as it was called"
        );
    }
}
