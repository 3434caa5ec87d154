//! Version 0 of `project.ron`: a plain list of clips, without a version field.
//!
//! No release has written it; a person or a script can. It keeps the way from an older version walked and tested.
//! Skeletons come from the motion files, and Z up is a yes or no.

use std::collections::BTreeSet;

use serde::Deserialize;

use super::v1;

#[derive(Debug, Deserialize)]
pub(super) struct Project {
    #[serde(default)]
    name: String,
    #[serde(default)]
    clips: Vec<Clip>,
}

#[derive(Debug, Deserialize)]
struct Clip {
    name: String,
    file: String,
    #[serde(default)]
    tags: BTreeSet<String>,
    #[serde(default)]
    z_up: bool,
}

impl Project {
    /// The same project in version 1; clips are numbered from 1 as they come.
    pub(super) fn migrated(self) -> v1::Project {
        let clips: Vec<v1::Clip> = (1..).zip(self.clips).map(migrated_clip).collect();
        v1::Project {
            version: 1,
            name: self.name,
            notes: String::new(),
            next_number: clips.len() as u64 + 1,
            sets: Vec::new(),
            clips,
            strokes: Vec::new(),
            models: Vec::new(),
            posed: Vec::new(),
            poses: Vec::new(),
            keyings: Vec::new(),
            pictures: Vec::new(),
            graphs: Vec::new(),
            sequences: Vec::new(),
            paths: Vec::new(),
            studies: Vec::new(),
            skeletons: Vec::new(),
        }
    }
}

fn migrated_clip((id, clip): (u64, Clip)) -> v1::Clip {
    v1::Clip {
        id,
        name: clip.name,
        file: clip.file,
        skeleton: None,
        frames: None,
        frame_secs: None,
        up: if clip.z_up { "Z" } else { "Y" }.to_owned(),
        tags: clip.tags,
        source: None,
        history: Vec::new(),
        notes: Vec::new(),
        contacts: Vec::new(),
    }
}
