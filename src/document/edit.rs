//! How each command changes a document.

mod graphs;
mod keys;
mod models;
mod paths;
mod picture;
mod poses;
mod posing;
mod sequences;
mod studies;

use std::collections::BTreeSet;
use std::sync::Arc;

use super::text::line;
use super::{ClipId, ClipSet, Command, Document, EditError, SetId, StrokeId};
use crate::motion::{Clip, ClipInfo, Stroke};

impl Document {
    /// The document after the command. This one stays as it is.
    pub fn edited(&self, command: Command) -> Result<Self, EditError> {
        let mut edited = self.clone();
        edited.edit(command)?;
        Ok(edited)
    }

    /// On an error the document may be half changed: only for a copy that is then dropped.
    fn edit(&mut self, command: Command) -> Result<(), EditError> {
        match command {
            Command::AddClips(clips) => self.add_clips(clips),
            Command::RemoveClips(clips) => self.remove_clips(&clips),
            Command::ReplaceClips { clips, .. } => self.replace_clips(clips),
            Command::RenameClip { id, name } => self.rename_clip(id, name),
            Command::SetTags { clips, tags } => self.set_tags(&clips, &tags),
            Command::AddTag { clips, tag } => self.add_tag(&clips, &tag),
            Command::RemoveTag { clips, tag } => self.change_infos(&clips, |info| {
                info.tags.remove(&tag);
            }),
            Command::MoveClips { clips, to } => {
                let moved = self.each_once(&clips)?;
                self.library.reorder(&clips, &moved, to)
            }
            Command::AddSet { name, clips } => self.add_set(name, clips),
            Command::RenameSet { id, name } => self.rename_set(id, name),
            Command::RemoveSet(id) => self.remove_set(id),
            Command::SetMembers { id, clips } => self.set_members(id, clips),
            Command::AddToSet { id, clips } => self.add_to_set(id, &clips),
            Command::TakeFromSet { id, clips } => self.take_from_set(id, &clips),
            Command::AddStrokes(strokes) => self.add_strokes(strokes),
            Command::RemoveStrokes(strokes) => self.remove_strokes(&strokes),
            Command::RenameStroke { id, name } => self.rename_stroke(id, name),
            Command::AddModel { name, learned } => self.add_model(name, learned),
            Command::RenameModel { id, name } => self.rename_model(id, name),
            Command::ReplaceModel { id, learned, .. } => self.replace_model(id, learned),
            Command::RemoveModel(id) => self.remove_model(id),
            Command::AddPosed(posed) => self.add_posed(posed),
            Command::ChangePosed { id, posed, .. } => self.change_posed(id, posed),
            Command::RemovePosed(id) => self.remove_posed(id),
            Command::AddPoses(poses) => poses.into_iter().try_for_each(|pose| self.add_pose(pose)),
            Command::ChangePose { id, pose, .. } => self.change_pose(id, pose),
            Command::RemovePoses(poses) => self.remove_poses(&poses),
            Command::SetKeys { id, keying, .. } => self.set_keying(id, keying),
            Command::SetPicture { id, picture, .. } => self.set_picture(id, picture),
            Command::AddPath(path) => self.add_path(path),
            Command::ChangePath { id, path, .. } => self.change_path(id, path),
            Command::RemovePath(id) => self.remove_path(id),
            Command::AddGraph(graph) => self.add_graph(graph),
            Command::ChangeGraph { id, graph, .. } => self.change_graph(id, graph),
            Command::RemoveGraph(id) => self.remove_graph(id),
            Command::AddSequence(sequence) => self.add_sequence(sequence),
            Command::ChangeSequence { id, sequence, .. } => self.change_sequence(id, sequence),
            Command::RemoveSequence(id) => self.remove_sequence(id),
            Command::AddStudy(study) => self.add_study(study),
            Command::ChangeStudy { id, study, .. } => self.change_study(id, study),
            Command::RemoveStudy(id) => self.remove_study(id),
            Command::RenameProject(name) => {
                self.name = line("the name of a project", name)?;
                Ok(())
            }
            Command::SetProjectNotes(notes) => {
                self.notes = notes;
                Ok(())
            }
            Command::Together { commands, .. } => commands
                .into_iter()
                .try_for_each(|command| self.edit(command)),
        }
    }

    fn add_clips(&mut self, clips: Vec<Arc<Clip>>) -> Result<(), EditError> {
        for clip in clips {
            let id = ClipId(self.new_number()?);
            self.library.push(id, clip);
        }
        Ok(())
    }

    fn remove_clips(&mut self, clips: &[ClipId]) -> Result<(), EditError> {
        let gone = self.each_once(clips)?;
        if gone.is_empty() {
            return Ok(());
        }
        self.library.remove(&gone);
        let loses = |set: &ClipSet| set.clips.iter().any(|id| gone.contains(id));
        if self.sets.iter().any(loses) {
            for set in Arc::make_mut(&mut self.sets) {
                set.clips.retain(|id| !gone.contains(id));
            }
        }
        Ok(())
    }

    fn replace_clips(&mut self, clips: Vec<(ClipId, Arc<Clip>)>) -> Result<(), EditError> {
        let ids: Vec<ClipId> = clips.iter().map(|(id, _)| *id).collect();
        self.each_once(&ids)?;
        self.library.change(clips)
    }

    fn rename_clip(&mut self, id: ClipId, name: String) -> Result<(), EditError> {
        let name = line("the name of a clip", name)?;
        self.change_infos(&[id], |info| info.name.clone_from(&name))
    }

    fn set_tags(&mut self, clips: &[ClipId], tags: &BTreeSet<String>) -> Result<(), EditError> {
        let tags = tags.iter().map(|tag| line("a tag", tag.clone()));
        let tags = tags.collect::<Result<BTreeSet<String>, EditError>>()?;
        self.change_infos(clips, |info| info.tags.clone_from(&tags))
    }

    fn add_tag(&mut self, clips: &[ClipId], tag: &str) -> Result<(), EditError> {
        let tag = line("a tag", tag.to_owned())?;
        self.change_infos(clips, |info| {
            info.tags.insert(tag.clone());
        })
    }

    /// Gives clips another info; those that `change` leaves as they were stay the same clips, not equal copies.
    fn change_infos(
        &mut self,
        clips: &[ClipId],
        change: impl Fn(&mut ClipInfo),
    ) -> Result<(), EditError> {
        let ids = self.each_once(clips)?;
        let mut changed = Vec::with_capacity(ids.len());
        for id in ids {
            let clip = self.library.get(id).ok_or(EditError::NoSuchClip(id))?;
            let mut info = clip.info.clone();
            change(&mut info);
            if info != clip.info {
                let mut copy = Clip::clone(clip);
                copy.info = info;
                changed.push((id, Arc::new(copy)));
            }
        }
        self.library.change(changed)
    }

    fn add_set(&mut self, name: String, clips: Vec<ClipId>) -> Result<(), EditError> {
        let name = self.free_set_name(name, None)?;
        self.each_once(&clips)?;
        let id = SetId(self.new_number()?);
        Arc::make_mut(&mut self.sets).push(ClipSet { id, name, clips });
        Ok(())
    }

    fn rename_set(&mut self, id: SetId, name: String) -> Result<(), EditError> {
        let name = self.free_set_name(name, Some(id))?;
        self.set_mut(id)?.name = name;
        Ok(())
    }

    fn remove_set(&mut self, id: SetId) -> Result<(), EditError> {
        self.set_mut(id)?;
        Arc::make_mut(&mut self.sets).retain(|set| set.id != id);
        Ok(())
    }

    fn set_members(&mut self, id: SetId, clips: Vec<ClipId>) -> Result<(), EditError> {
        self.each_once(&clips)?;
        self.set_mut(id)?.clips = clips;
        Ok(())
    }

    fn add_to_set(&mut self, id: SetId, clips: &[ClipId]) -> Result<(), EditError> {
        let new = self.each_once(clips)?;
        let old = self.set(id).ok_or(EditError::NoSuchSet(id))?;
        let there: BTreeSet<ClipId> = old.clips.iter().copied().collect();
        if new.is_subset(&there) {
            return Ok(());
        }
        let fresh = clips.iter().filter(|id| !there.contains(id));
        self.set_mut(id)?.clips.extend(fresh);
        Ok(())
    }

    fn take_from_set(&mut self, id: SetId, clips: &[ClipId]) -> Result<(), EditError> {
        let gone = self.each_once(clips)?;
        self.set_mut(id)?.clips.retain(|id| !gone.contains(id));
        Ok(())
    }

    fn add_strokes(&mut self, strokes: Vec<Arc<Stroke>>) -> Result<(), EditError> {
        for stroke in strokes {
            let id = StrokeId(self.new_number()?);
            Arc::make_mut(&mut self.strokes).push((id, stroke));
        }
        Ok(())
    }

    fn remove_strokes(&mut self, strokes: &[StrokeId]) -> Result<(), EditError> {
        if let Some(&lost) = strokes.iter().find(|id| self.stroke(**id).is_none()) {
            return Err(EditError::NoSuchStroke(lost));
        }
        let gone: BTreeSet<StrokeId> = strokes.iter().copied().collect();
        if !gone.is_empty() {
            Arc::make_mut(&mut self.strokes).retain(|(id, _)| !gone.contains(id));
        }
        Ok(())
    }

    fn rename_stroke(&mut self, id: StrokeId, name: String) -> Result<(), EditError> {
        let name = line("the name of a stroke", name)?;
        let at = self.strokes.binary_search_by_key(&id, |(id, _)| *id);
        let at = at.map_err(|_place| EditError::NoSuchStroke(id))?;
        let renamed = Arc::new(self.strokes[at].1.named(name));
        Arc::make_mut(&mut self.strokes)[at].1 = renamed;
        Ok(())
    }

    fn set_mut(&mut self, id: SetId) -> Result<&mut ClipSet, EditError> {
        let at = self.sets.iter().position(|set| set.id == id);
        let at = at.ok_or(EditError::NoSuchSet(id))?;
        Ok(&mut Arc::make_mut(&mut self.sets)[at])
    }

    /// The name, if it is one and no set but `own` has it.
    fn free_set_name(&self, name: String, own: Option<SetId>) -> Result<String, EditError> {
        let name = line("the name of a set", name)?;
        let taken = |set: &ClipSet| set.name == name && Some(set.id) != own;
        if self.sets.iter().any(taken) {
            return Err(EditError::SetNameTaken(name));
        }
        Ok(name)
    }

    /// The clips as a set, if all of them exist and none is named twice.
    fn each_once(&self, clips: &[ClipId]) -> Result<BTreeSet<ClipId>, EditError> {
        let mut seen = BTreeSet::new();
        for &id in clips {
            if self.library.get(id).is_none() {
                return Err(EditError::NoSuchClip(id));
            }
            if !seen.insert(id) {
                return Err(EditError::ClipTwice(id));
            }
        }
        Ok(seen)
    }

    pub(super) fn new_number(&mut self) -> Result<u64, EditError> {
        let number = self.next_number;
        self.next_number = number.checked_add(1).ok_or(EditError::NoMoreNumbers)?;
        Ok(number)
    }
}
