//! Keeps bone maps that were set by hand, also on disk.

use std::sync::Arc;

use crate::app::shell::Shell;
use crate::app::shell::context::{Delivery, UiContext};
use crate::app::shell::messages::Severity;
use crate::app::shell::work::Shown;
use crate::file::atomic::{self, Overwrite};
use crate::file::map_file;
use crate::motion::Skeleton;
use crate::retarget::Pairing;

impl UiContext {
    /// Keeps what was set by hand for a pair of skeletons; none goes back to what is found.
    pub fn keep_bone_map(
        &mut self,
        pairing: Option<&Pairing>,
        source: &Skeleton,
        target: &Skeleton,
    ) {
        let text = pairing.map(|pairing| map_file::write(pairing, source, target));
        let text = match text.transpose() {
            Ok(text) => text,
            Err(error) => {
                self.say(Severity::Error, format!("bone map not kept: {error}"));
                return;
            }
        };
        let map = text.as_ref().map(|text| map_file::parse(text.as_bytes()));
        match map.transpose() {
            Ok(map) => self.bone_maps.put(map, source, target),
            Err(error) => {
                self.say(Severity::Error, format!("bone map not kept: {error}"));
                return;
            }
        }
        let Some(folder) = self.bone_maps.folder.clone() else {
            return;
        };
        let file = folder.join(map_file::file_name(source, target));
        self.start_apart("keep bone map", Shown::Quietly, move |_| {
            match text {
                Some(text) => {
                    std::fs::create_dir_all(&folder)?;
                    atomic::write(&file, text.as_bytes(), Overwrite::Replace)?;
                }
                None if file.exists() => std::fs::remove_file(&file)?,
                None => {}
            }
            let delivery: Delivery = Box::new(|_| ());
            Ok(delivery)
        });
    }
}

impl Shell {
    /// Reads the maps that were kept in earlier runs.
    pub(in crate::app) fn look_for_bone_maps(&mut self) {
        let Some(folder) = self.bone_maps.folder.clone() else {
            return;
        };
        self.start_apart("read bone maps", Shown::Quietly, move |_| {
            let known = if folder.is_dir() {
                map_file::all_in(&folder)?
            } else {
                Vec::new()
            };
            let delivery: Delivery = Box::new(move |shell: &mut Self| {
                if !known.is_empty() {
                    shell.bone_maps.known = Arc::new(known);
                    shell.bone_maps.revision += 1;
                }
            });
            Ok(delivery)
        });
    }
}
