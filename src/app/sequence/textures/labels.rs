//! What clips are called when a texture is learned from them.

use crate::motion::Clip;

/// Tags that the program gives say nothing about the action.
const OWN_TAGS: [&str; 3] = ["variant", "live", "path"];

/// Where labels come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LabelSource {
    /// The first tag of each clip.
    Tags,
    /// The folder that its file is in.
    Folders,
    /// Its name without the number behind it.
    Names,
}

impl LabelSource {
    /// All sources, in the order in which they are offered.
    pub const ALL: [Self; 3] = [Self::Tags, Self::Folders, Self::Names];

    /// Its name in the list of sources.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Tags => "tags",
            Self::Folders => "folders",
            Self::Names => "names",
        }
    }

    /// Tags if all have one; folders if names are only numbers; else names.
    pub fn fitting(clips: &[&Clip]) -> Self {
        let says = |source: Self| {
            let mut labels = clips.iter().map(|clip| source.label(clip));
            labels.all(|label| label.is_some_and(|label| label.chars().any(char::is_alphabetic)))
        };
        let sources = [Self::Tags, Self::Names, Self::Folders];
        let found = sources.into_iter().find(|source| says(*source));
        found.unwrap_or(Self::Names)
    }

    /// What a clip is called, if this says anything.
    pub fn label(self, clip: &Clip) -> Option<String> {
        match self {
            Self::Tags => {
                let mut tags = clip.info.tags.iter();
                let is_own = |tag: &&String| OWN_TAGS.contains(&tag.as_str());
                tags.find(|tag| !is_own(tag)).cloned()
            }
            Self::Folders => {
                let folder = clip.info.file.as_ref()?.parent()?.file_name()?;
                Some(folder.to_string_lossy().into_owned())
            }
            Self::Names => {
                let name = clip.info.name.as_str();
                let base = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == ' ');
                let base = base.trim_end_matches(['_', '-', ' ', '.']);
                let label = if base.is_empty() { name } else { base };
                Some(label.to_owned())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::demo::{Action, make};

    #[test]
    fn clips_are_called_by_what_says_most() {
        let clip = |name: &str, file: &str, tags: &[&str]| {
            let mut clip = make(Action::Wave, 1, 0).clip;
            clip.info.name = name.to_owned();
            clip.info.file = Some(file.into());
            clip.info.tags = tags.iter().map(|tag| (*tag).to_owned()).collect();
            clip
        };
        let named = clip("walk_turn_12", "takes/a.bvh", &["variant"]);
        let numbered = clip("16_12", "corpus/walk/16_12.bvh", &[]);
        let tagged = clip("x 1", "x.bvh", &["jump"]);
        assert_eq!(LabelSource::Names.label(&named).unwrap(), "walk_turn");
        assert_eq!(LabelSource::fitting(&[&named]), LabelSource::Names);
        assert_eq!(LabelSource::fitting(&[&numbered]), LabelSource::Folders);
        assert_eq!(LabelSource::Folders.label(&numbered).unwrap(), "walk");
        assert_eq!(LabelSource::fitting(&[&tagged]), LabelSource::Tags);
        let some = LabelSource::fitting(&[&tagged, &named]);
        assert_eq!(some, LabelSource::Names, "not all have a tag");
        assert_eq!(LabelSource::Tags.label(&named), None, "the program's own");
    }
}
