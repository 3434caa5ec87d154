//! Saving: only what changed, and never half.
//!
//! 1. The list of files that a crash would leave behind.
//! 2. Each new motion or model under a name that is not in use.
//! 3. The new `project.ron` in the place of the old one. Before this the old project is there, after it the new one.
//! 4. Files that are no longer named are removed, and then the list.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{fs, io};

use rayon::prelude::*;

use super::file_names::Taken;
use super::kept::{FileContent, FileOwner, StoredPath, Subfolder};
use super::keyed::{keying_to, picture_to};
use super::mirror::{self, Skeletons};
use super::opened::Stored;
use super::paths::path_to;
use super::posed::posed_to;
use super::sequences::{graph_to, sequence_to};
use super::studies::ratings_to;
use super::{
    Disk, PROJECT_FILE, ProjectFolder, RealDisk, SaveError, Saved, UNFINISHED_FILE, VERSION, text,
    v1,
};
use crate::document::{ClipSet, Document, Model, RatingStudy, StrokeId, StudyId};
use crate::file::open::bytes_of;
use crate::file::parts;
use crate::motion::Stroke;

/// What is to be done with the files.
struct SavePlan {
    /// All motions and models of the document, with their files.
    stored: BTreeMap<FileOwner, Stored>,
    /// Those whose files have to be made.
    new: Vec<NewFile>,
    /// Files that the old project names and the new one does not, and those that an earlier crash left behind.
    dropped: BTreeSet<StoredPath>,
}

struct NewFile {
    name: String,
    kept: FileContent,
    place: StoredPath,
    /// A file of another project that holds the same.
    lent: Option<PathBuf>,
}

impl SavePlan {
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

    /// Saves on any disk. What a lender holds is linked from there instead of being written.
    pub fn save_on(
        &mut self,
        disk: &dyn Disk,
        document: &Document,
        lender: Option<&Self>,
    ) -> Result<Saved, SaveError> {
        let lock = self.lock.as_ref().ok_or(SaveError::ReadOnly)?;
        lock.check().map_err(SaveError::TakenOver)?;
        for subfolder in Subfolder::ALL {
            let folder = self.path.join(subfolder.folder());
            if fs::symlink_metadata(&folder).is_ok_and(|found| found.is_symlink()) {
                let link = "a link instead of a folder";
                let link = io::Error::new(io::ErrorKind::NotADirectory, link);
                return Err(SaveError::io(folder, link));
            }
            let mut kept = FileContent::all(document);
            if subfolder.is_always_there() || kept.any(|(.., kept)| kept.subfolder() == subfolder) {
                disk.make_folder(&folder)
                    .map_err(|e| SaveError::io(&folder, e))?;
            }
        }
        let plan = self.plan(document, lender)?;
        let text = text::write(&self.mirror(document, &plan.stored))?;
        let list = self.path.join(UNFINISHED_FILE);
        if plan.has_list() {
            let places = plan.new.iter().map(|new| &new.place);
            let lines: Vec<String> = places
                .chain(&plan.dropped)
                .map(ToString::to_string)
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

    /// Which motions and models keep their files and which get new ones.
    fn plan(&self, document: &Document, lender: Option<&Self>) -> Result<SavePlan, SaveError> {
        let there = self.files_there()?;
        let is_kept = |old: &&Stored, kept: &FileContent| {
            // A file that was removed meanwhile is written again.
            there.contains(&old.place) && old.kept.is_same(kept)
        };
        let (mut stored, mut new) = (BTreeMap::new(), Vec::new());
        for (key, name, kept) in FileContent::all(document) {
            match self.stored.get(&key).filter(|old| is_kept(old, &kept)) {
                Some(old) => {
                    let place = old.place.clone();
                    stored.insert(key, Stored { kept, place });
                }
                None => new.push((key, name, kept)),
            }
        }
        let mut in_use: BTreeSet<StoredPath> = stored.values().map(|s| s.place.clone()).collect();
        in_use.extend(self.lost_places());
        let left_behind = self.left_behind();
        // Neither what is there nor what is about to be removed may be a name for something new.
        let new = self.named(new, there.iter().chain(&left_behind), lender);
        let old = self.stored.values().map(|s| s.place.clone());
        let mut dropped: BTreeSet<StoredPath> = old.chain(left_behind).collect();
        dropped.retain(|place| !in_use.contains(place));
        stored.extend(new.iter().map(|(key, new)| {
            let (kept, place) = (new.kept.clone(), new.place.clone());
            (*key, Stored { kept, place })
        }));
        Ok(SavePlan {
            stored,
            new: new.into_iter().map(|(_, new)| new).collect(),
            dropped,
        })
    }

    fn files_there(&self) -> Result<BTreeSet<StoredPath>, SaveError> {
        let mut there = BTreeSet::new();
        for subfolder in Subfolder::ALL {
            let folder = self.path.join(subfolder.folder());
            let entries = match fs::read_dir(&folder) {
                Err(e) if e.kind() == io::ErrorKind::NotFound && !subfolder.is_always_there() => {
                    continue;
                }
                entries => entries.map_err(|e| SaveError::io(&folder, e))?,
            };
            for entry in entries {
                let entry = entry.map_err(|e| SaveError::io(&folder, e))?;
                let file = entry.file_name().to_string_lossy().into_owned();
                there.insert(StoredPath { subfolder, file });
            }
        }
        Ok(there)
    }

    /// The files of what could not be read, which may be whole again one day.
    fn lost_places(&self) -> impl Iterator<Item = StoredPath> + '_ {
        let clips = self
            .lost
            .iter()
            .map(|lost| (Subfolder::Clips, &lost.record.file));
        let models = self
            .lost_models
            .iter()
            .map(|model| (Subfolder::Models, &model.file));
        let poses = self.lost_poses.iter().map(|file| (Subfolder::Poses, file));
        let pictures = self
            .lost_pictures
            .iter()
            .map(|picture| (Subfolder::Pictures, &picture.file));
        let studies = self
            .lost_studies
            .iter()
            .map(|study| (Subfolder::Studies, &study.file));
        let all = clips.chain(models).chain(poses);
        let all = all.chain(pictures).chain(studies);
        all.map(|(subfolder, file)| StoredPath {
            subfolder,
            file: file.clone(),
        })
    }

    /// Finds a name for each new file that is not taken and that nothing uses, not even what is lost.
    fn named<'a>(
        &'a self,
        new: Vec<(FileOwner, &str, FileContent)>,
        taken: impl Iterator<Item = &'a StoredPath>,
        lender: Option<&Self>,
    ) -> Vec<(FileOwner, NewFile)> {
        let mut names: BTreeMap<Subfolder, Taken> = BTreeMap::new();
        let mut take = |place: &StoredPath| {
            names
                .entry(place.subfolder)
                .or_default()
                .insert(&place.file);
        };
        taken.for_each(&mut take);
        self.stored.values().for_each(|stored| take(&stored.place));
        self.lost_places().for_each(|place| take(&place));
        let named = new.into_iter().map(|(key, name, kept)| {
            let lent = lender.and_then(|lender| {
                let held = lender.stored.get(&key)?;
                held.kept
                    .is_same(&kept)
                    .then(|| held.place.within(&lender.path))
            });
            let subfolder = kept.subfolder();
            let file = names
                .entry(subfolder)
                .or_default()
                .fresh(name, kept.ending());
            let new = NewFile {
                name: name.to_owned(),
                kept,
                place: StoredPath { subfolder, file },
                lent,
            };
            (key, new)
        });
        named.collect()
    }

    /// What an earlier save that did not come to its end may have left.
    fn left_behind(&self) -> Vec<StoredPath> {
        let list = bytes_of(&self.path.join(UNFINISHED_FILE)).unwrap_or_default();
        let list = String::from_utf8_lossy(&list);
        list.lines().filter_map(StoredPath::parse).collect()
    }

    /// New files first, then `project.ron`.
    fn commit(&self, disk: &dyn Disk, plan: &SavePlan, text: &str) -> Result<(), SaveError> {
        let make = |new: &NewFile| self.make(disk, new);
        plan.new.par_iter().try_for_each(make)?;
        let sync = |path: &Path| disk.sync_folder(path).map_err(|e| SaveError::io(path, e));
        let drawers: BTreeSet<Subfolder> = plan.new.iter().map(|new| new.place.subfolder).collect();
        for subfolder in drawers {
            sync(&self.path.join(subfolder.folder()))?;
        }
        let file = self.path.join(PROJECT_FILE);
        let done = disk.replace(&file, text.as_bytes());
        done.map_err(|e| SaveError::io(&file, e))?;
        // The new project is there. If it cannot be made to last now, the disk does so later; it is no reason to say
        // that it was not saved, and even less to remove its files.
        disk.sync_folder(&self.path).ok();
        Ok(())
    }

    /// After an error: the old project stands, and what was made for the new one goes. Whatever cannot be removed now
    /// is on the list, and is removed by the next save.
    fn take_back(&self, disk: &dyn Disk, plan: &SavePlan, text: &str) {
        // Some network disks report an error for what they have done. Then the new files are in use.
        match fs::read(self.path.join(PROJECT_FILE)) {
            Ok(now) if now != text.as_bytes() => {}
            Err(e) if e.kind() == io::ErrorKind::NotFound => {}
            _ => return,
        }
        let made = plan.new.iter().map(|new| new.place.within(&self.path));
        let gone = made.filter(|path| is_gone(&disk.remove(path))).count();
        if plan.has_list() && gone == plan.new.len() && plan.dropped.is_empty() {
            disk.remove(&self.path.join(UNFINISHED_FILE)).ok();
        }
    }

    /// After the new project is there: removes unused files, and returns those that could not be removed.
    fn sweep(&self, disk: &dyn Disk, plan: &SavePlan) -> Vec<String> {
        let dropped = plan.dropped.iter();
        let left_over: Vec<String> = dropped
            .filter(|place| !is_gone(&disk.remove(&place.within(&self.path))))
            .map(ToString::to_string)
            .collect();
        if plan.has_list() && left_over.is_empty() {
            // If it stays, the next save finds nothing to do for it.
            disk.remove(&self.path.join(UNFINISHED_FILE)).ok();
        }
        parts::sweep(&self.path);
        left_over
    }

    fn make(&self, disk: &dyn Disk, new: &NewFile) -> Result<(), SaveError> {
        let path = new.place.within(&self.path);
        // A lender's file that has gone meanwhile is no loss: what it held is at hand.
        if let Some(lent) = &new.lent
            && disk.link(lent, &path).is_ok()
        {
            return Ok(());
        }
        let bytes = new.kept.encode(&new.name)?;
        disk.write_new(&path, &bytes)
            .map_err(|e| SaveError::io(path, e))
    }

    /// Everything that has no file of its own. What is lost comes last.
    fn mirror(&self, document: &Document, stored: &BTreeMap<FileOwner, Stored>) -> v1::Project {
        let file_of = |key: FileOwner| stored.get(&key).map_or("", |stored| &stored.place.file);
        let mut skeletons = Skeletons::default();
        let mut clips = Vec::with_capacity(document.n_clips() + self.lost.len());
        for (id, clip) in document.clips() {
            let skeleton = skeletons.index(clip.skeleton());
            let file = file_of(FileOwner::Clip(id));
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
        let model = |model: &Model| v1::Model {
            id: model.id.0,
            name: model.name.clone(),
            kind: model.learned.kind().to_owned(),
            file: file_of(FileOwner::Model(model.id)).to_owned(),
        };
        let models = document.models().iter().map(model);
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
        let posed = document.posed().iter();
        let posed = posed.map(|(id, posed)| posed_to(*id, posed, skeletons.index(&posed.skeleton)));
        let posed = posed.collect();
        let own = stored
            .get(&FileOwner::Poses)
            .map(|own| own.place.file.clone());
        let poses = own.into_iter().chain(self.lost_poses.iter().cloned());
        let poses = poses.collect();
        let keyings = document.keyings();
        let keyings = keyings.map(|(id, keying)| keying_to(id, keying)).collect();
        let pictures = document.pictures();
        let pictures =
            pictures.map(|(id, picture)| picture_to(id, picture, file_of(FileOwner::Picture(id))));
        let pictures = pictures.chain(self.lost_pictures.iter().cloned()).collect();
        let paths = document.paths().iter();
        let paths = paths.map(|(id, path)| path_to(*id, path)).collect();
        let graphs = document.graphs().iter();
        let sequences = document.sequences().iter();
        let study = |(id, study): &(StudyId, Arc<RatingStudy>)| v1::Study {
            id: id.0,
            title: study.plan().title().to_owned(),
            file: file_of(FileOwner::Study(*id)).to_owned(),
            ratings: ratings_to(&study.ratings),
        };
        let studies = document.studies().iter().map(study);
        v1::Project {
            version: VERSION,
            name: document.name().to_owned(),
            notes: document.notes().to_owned(),
            next_number: document.next_number(),
            sets,
            clips,
            strokes: document.strokes().iter().map(stroke).collect(),
            models: models.chain(self.lost_models.iter().cloned()).collect(),
            posed,
            poses,
            keyings,
            pictures,
            paths,
            graphs: graphs.map(|(id, graph)| graph_to(*id, graph)).collect(),
            sequences: sequences.map(|(id, s)| sequence_to(*id, s)).collect(),
            studies: studies.chain(self.lost_studies.iter().cloned()).collect(),
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
