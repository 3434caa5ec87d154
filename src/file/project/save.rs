//! Saving: only what changed, and never half.
//!
//! 1. The list of files that a crash would leave behind.
//! 2. Each new motion under a name that is not in use.
//! 3. The new `project.ron` in the place of the old one. Before this the old project is there, after it the new one.
//! 4. Files that nobody names any more are removed, and then the list.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rayon::prelude::*;

use super::file_names::{Taken, is_plain};
use super::folder::Stored;
use super::mirror::{self, Skeletons};
use super::{
    CLIPS_FOLDER, Disk, PROJECT_FILE, ProjectFolder, RealDisk, SaveError, Saved, UNFINISHED_FILE,
    VERSION, clip_file, text, v1,
};
use crate::document::{ClipId, ClipSet, Document, StrokeId};
use crate::file::atomic;
use crate::motion::{Clip, Stroke};

/// What is to be done with the motions.
struct Plan {
    /// All clips of the document, with their files.
    stored: BTreeMap<ClipId, Stored>,
    /// Those whose files have to be made.
    new: Vec<New>,
    /// Files that the old project names and the new one does not, and those that an earlier crash left behind.
    dropped: BTreeSet<String>,
}

struct New {
    clip: Arc<Clip>,
    file: String,
    /// A file of another project that holds the same motion.
    lent: Option<PathBuf>,
}

impl Plan {
    /// Whether a crash could leave files behind.
    fn has_list(&self) -> bool {
        !self.new.is_empty() || !self.dropped.is_empty()
    }
}

impl ProjectFolder {
    /// Saves the document. On an error the project is as it was.
    pub fn save(&mut self, document: &Document) -> Result<Saved, SaveError> {
        self.save_on(&RealDisk, document, None)
    }

    /// Saves on any disk. Motions that a lender holds are linked from there instead of being written.
    pub fn save_on(
        &mut self,
        disk: &dyn Disk,
        document: &Document,
        lender: Option<&Self>,
    ) -> Result<Saved, SaveError> {
        let lock = self.lock.as_ref().ok_or(SaveError::ReadOnly)?;
        lock.check().map_err(SaveError::TakenOver)?;
        let clips = self.path.join(CLIPS_FOLDER);
        if fs::symlink_metadata(&clips).is_ok_and(|found| found.is_symlink()) {
            let link = io::Error::new(io::ErrorKind::NotADirectory, "a link instead of a folder");
            return Err(SaveError::io(clips, link));
        }
        disk.make_folder(&clips)
            .map_err(|e| SaveError::io(&clips, e))?;
        let plan = self.plan(document, lender)?;
        let text = text::write(&self.mirror(document, &plan.stored))?;
        let list = self.path.join(UNFINISHED_FILE);
        if plan.has_list() {
            let files = plan.new.iter().map(|new| new.file.as_str());
            let lines: Vec<&str> = files
                .chain(plan.dropped.iter().map(String::as_str))
                .collect();
            let done = disk.replace(&list, lines.join("\n").as_bytes());
            done.map_err(|e| SaveError::io(&list, e))?;
        }
        if let Err(error) = self.commit(disk, &plan, &text) {
            self.take_back(disk, &plan, &text);
            return Err(error);
        }
        let left_over = self.sweep(disk, &plan);
        self.stored = plan.stored;
        Ok(Saved {
            written: plan.new.len(),
            kept: self.stored.len() - plan.new.len(),
            left_over,
        })
    }

    /// Which motions keep their files and which get new ones.
    fn plan(&self, document: &Document, lender: Option<&Self>) -> Result<Plan, SaveError> {
        let there = self.files_there()?;
        let is_kept = |old: &&Stored, clip: &Clip| {
            // A file that somebody removed meanwhile is written again.
            there.contains(&old.file) && old.clip.same_motion(clip)
        };
        let (mut stored, mut new) = (BTreeMap::new(), Vec::new());
        for (id, clip) in document.clips() {
            let clip = Arc::clone(clip);
            match self.stored.get(&id).filter(|old| is_kept(old, &clip)) {
                Some(old) => {
                    let file = old.file.clone();
                    stored.insert(id, Stored { clip, file });
                }
                None => new.push((id, clip)),
            }
        }
        let mut in_use: BTreeSet<&str> = stored.values().map(|s| s.file.as_str()).collect();
        in_use.extend(self.lost.iter().map(|lost| lost.record.file.as_str()));
        let left_behind = self.left_behind();
        // Neither what is there nor what is about to be removed may be a name for something new.
        let taken = there.iter().chain(&left_behind).map(String::as_str);
        let new = self.named(new, taken, lender);
        let old = self.stored.values().map(|s| s.file.clone());
        let mut dropped: BTreeSet<String> = old.chain(left_behind).collect();
        dropped.retain(|file| !in_use.contains(file.as_str()));
        stored.extend(new.iter().map(|(id, new)| {
            let (clip, file) = (Arc::clone(&new.clip), new.file.clone());
            (*id, Stored { clip, file })
        }));
        Ok(Plan {
            stored,
            new: new.into_iter().map(|(_, new)| new).collect(),
            dropped,
        })
    }

    fn files_there(&self) -> Result<BTreeSet<String>, SaveError> {
        let folder = self.path.join(CLIPS_FOLDER);
        let names = fs::read_dir(&folder).and_then(|entries| {
            let name =
                |e: io::Result<fs::DirEntry>| Ok(e?.file_name().to_string_lossy().into_owned());
            entries.map(name).collect()
        });
        names.map_err(|e| SaveError::io(folder, e))
    }

    /// Finds a name for each new motion that is not taken and that no clip uses, not even a lost one.
    fn named<'a>(
        &'a self,
        clips: Vec<(ClipId, Arc<Clip>)>,
        taken: impl Iterator<Item = &'a str>,
        lender: Option<&Self>,
    ) -> Vec<(ClipId, New)> {
        let stored = self.stored.values().map(|stored| stored.file.as_str());
        let lost = self.lost.iter().map(|lost| lost.record.file.as_str());
        let mut names = Taken::default();
        for file in taken.chain(stored).chain(lost) {
            names.insert(file);
        }
        let named = clips.into_iter().map(|(id, clip)| {
            let lent = lender.and_then(|lender| {
                let held = lender.stored.get(&id)?;
                held.clip
                    .same_motion(&clip)
                    .then(|| lender.clip_path(&held.file))
            });
            let file = names.fresh(&clip.info.name);
            (id, New { clip, file, lent })
        });
        named.collect()
    }

    /// What an earlier save that did not come to its end may have left.
    fn left_behind(&self) -> Vec<String> {
        let list = fs::read_to_string(self.path.join(UNFINISHED_FILE)).unwrap_or_default();
        let names = list.lines().filter(|name| is_plain(name));
        names.map(str::to_owned).collect()
    }

    /// New motions first, then `project.ron`.
    fn commit(&self, disk: &dyn Disk, plan: &Plan, text: &str) -> Result<(), SaveError> {
        let make = |new: &New| self.make(disk, new);
        plan.new.par_iter().try_for_each(make)?;
        let sync = |path: &Path| disk.sync_folder(path).map_err(|e| SaveError::io(path, e));
        if !plan.new.is_empty() {
            sync(&self.path.join(CLIPS_FOLDER))?;
        }
        let file = self.path.join(PROJECT_FILE);
        let done = disk.replace(&file, text.as_bytes());
        done.map_err(|e| SaveError::io(&file, e))?;
        // The new project is there. If it cannot be made to last now, the disk does so later; it is no reason to say
        // that it was not saved, and even less to remove its files.
        disk.sync_folder(&self.path).ok();
        Ok(())
    }

    /// After an error: the old project stands, and what was made for the new one goes. Whatever cannot be removed now is
    /// on the list, and is removed by the next save.
    fn take_back(&self, disk: &dyn Disk, plan: &Plan, text: &str) {
        // Some network disks report an error for what they have done. Then the new files are in use.
        match fs::read(self.path.join(PROJECT_FILE)) {
            Ok(now) if now != text.as_bytes() => {}
            Err(e) if e.kind() == io::ErrorKind::NotFound => {}
            _ => return,
        }
        let made = plan.new.iter().map(|new| self.clip_path(&new.file));
        let gone = made.filter(|path| is_gone(&disk.remove(path))).count();
        if plan.has_list() && gone == plan.new.len() && plan.dropped.is_empty() {
            disk.remove(&self.path.join(UNFINISHED_FILE)).ok();
        }
    }

    /// After the new project is there: removes what nobody needs any more, and gives what could not be removed.
    fn sweep(&self, disk: &dyn Disk, plan: &Plan) -> Vec<String> {
        let dropped = plan.dropped.iter();
        let left_over: Vec<String> = dropped
            .filter(|file| !is_gone(&disk.remove(&self.clip_path(file))))
            .cloned()
            .collect();
        if plan.has_list() && left_over.is_empty() {
            // If it stays, the next save finds nothing to do for it.
            disk.remove(&self.path.join(UNFINISHED_FILE)).ok();
        }
        for part in atomic::parts_in(&self.path) {
            disk.remove(&part).ok();
        }
        left_over
    }

    fn make(&self, disk: &dyn Disk, new: &New) -> Result<(), SaveError> {
        let path = self.clip_path(&new.file);
        // A lender's file that has gone meanwhile is no loss: the motion is at hand.
        if let Some(lent) = &new.lent
            && disk.link(lent, &path).is_ok()
        {
            return Ok(());
        }
        let bytes = clip_file::encode(&new.clip).map_err(|why| SaveError::Clip {
            clip: new.clip.info.name.clone(),
            why,
        })?;
        disk.write_new(&path, &bytes)
            .map_err(|e| SaveError::io(path, e))
    }

    /// Everything that is no motion. Lost clips come last.
    fn mirror(&self, document: &Document, stored: &BTreeMap<ClipId, Stored>) -> v1::Project {
        let mut skeletons = Skeletons::default();
        let mut clips = Vec::with_capacity(document.n_clips() + self.lost.len());
        for (id, clip) in document.clips() {
            let file = stored.get(&id).map_or("", |stored| &stored.file);
            let skeleton = skeletons.index(clip.skeleton());
            clips.push(mirror::clip_to(id.0, clip, file, skeleton));
        }
        let set = |set: &ClipSet| v1::Set {
            id: set.id.0,
            name: set.name.clone(),
            clips: set.clips.iter().map(|id| id.0).collect(),
        };
        let stroke = |(id, stroke): &(StrokeId, Arc<Stroke>)| v1::Stroke {
            id: id.0,
            name: stroke.name().to_owned(),
            points: stroke.points().to_vec(),
        };
        let mut sets: Vec<v1::Set> = document.sets().iter().map(set).collect();
        let places = sets.iter().enumerate();
        let places: BTreeMap<u64, usize> = places.map(|(at, set)| (set.id, at)).collect();
        for lost in &self.lost {
            let skeleton = lost.skeleton.as_ref().map(|s| skeletons.index(s));
            clips.push(v1::Clip {
                skeleton,
                ..lost.record.clone()
            });
            let member_of = lost.sets.iter().filter_map(|id| places.get(id));
            member_of.for_each(|&at| sets[at].clips.push(lost.record.id));
        }
        v1::Project {
            version: VERSION,
            name: document.name().to_owned(),
            notes: document.notes().to_owned(),
            next_number: document.next_number(),
            sets,
            clips,
            strokes: document.strokes().iter().map(stroke).collect(),
            skeletons: skeletons.list,
        }
    }
}

/// Whether a file is not there any more, or never was.
fn is_gone(removed: &io::Result<()>) -> bool {
    match removed {
        Ok(()) => true,
        Err(e) => e.kind() == io::ErrorKind::NotFound,
    }
}
