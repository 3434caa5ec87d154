//! Opening: everything is checked, and what can be opened is.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::sync::Arc;

use rayon::prelude::*;

use super::kept::{FileContent, FileOwner, StoredPath, Subfolder, read_model};
use super::opened::{Lost, Stored};
use super::paths::paths_from;
use super::posed::MaybeSkeleton;
use super::{
    Lock, OpenError, Opened, PROJECT_FILE, Problem, ProjectFolder, clip_file, keyed, mirror, posed,
    poses as poses_file, sequences, studies as studies_file, text, v1,
};
use crate::document::{
    ClipId, ClipSet, Document, DocumentParts, KeptPose, Model, ModelId, Picture, PoseId, Posed,
    PosedId, RatingStudy, SetId, StrokeId, StudyId,
};
use crate::file::open::bytes_of;
use crate::file::{ReadError, picture};
use crate::motion::{Clip, Stroke};

/// Opens the project in this folder.
pub(super) fn open(path: &Path, lock: Option<Lock>) -> Result<Opened, OpenError> {
    let mut project = text::read(&bytes_of(&path.join(PROJECT_FILE))?)?;
    let mut problems = Vec::new();
    number_anew(&mut project, &mut problems);
    let skeletons: Vec<MaybeSkeleton> = project
        .skeletons
        .iter()
        .map(|s| mirror::skeleton_from(s).map(Arc::new))
        .collect();
    let clips = read_clips(path, &project.clips, &skeletons);
    let mut folder = ProjectFolder::with_nothing(path, lock);
    let mut found = Vec::with_capacity(clips.len());
    for (record, outcome) in std::mem::take(&mut project.clips).into_iter().zip(clips) {
        match outcome {
            Ok((clip, mended)) => {
                problems.extend(mended);
                let id = ClipId(record.id);
                let stored = Stored {
                    kept: FileContent::Motion(Arc::clone(&clip)),
                    place: StoredPath {
                        subfolder: Subfolder::Clips,
                        file: record.file,
                    },
                };
                folder.stored.insert(FileOwner::Clip(id), stored);
                found.push((id, clip));
            }
            Err(problem) => {
                problems.push(problem);
                folder.lost.push(lost(record, &skeletons));
            }
        }
    }
    let sets = sets(project.sets, &mut folder, &mut problems);
    let strokes = strokes(project.strokes, &mut problems);
    let models = models(path, project.models, &mut folder, &mut problems);
    let posed = posed::all_from(project.posed, &skeletons, &models, &mut problems);
    let keyings = keyed::keyings_from(project.keyings, &posed, &models, &mut problems);
    let pictures = pictures(path, project.pictures, &posed, &mut folder, &mut problems);
    let paths = paths_from(project.paths, &models, &mut problems);
    let studies = studies(path, project.studies, &mut folder, &mut problems);
    let mut next_number = project.next_number;
    let poses = poses(
        path,
        project.poses,
        &mut folder,
        &mut next_number,
        &mut problems,
    );
    let graphs = sequences::graphs_from(project.graphs, &mut problems);
    let sequences = sequences::sequences_from(project.sequences, &mut problems);
    let document = Document::from_parts(DocumentParts {
        name: project.name,
        notes: project.notes,
        clips: found,
        sets,
        strokes,
        models,
        posed,
        poses,
        keyings,
        pictures,
        paths,
        graphs,
        sequences,
        studies,
        next_number,
    })?;
    Ok(Opened {
        document,
        folder,
        problems,
    })
}

/// Gives clips, sets, strokes, models, characters, graphs and sequences whose number is taken another one, so that no
/// clip is lost to a slip in the file.
fn number_anew(project: &mut v1::Project, problems: &mut Vec<Problem>) {
    let clips = project.clips.iter().map(|clip| clip.id);
    let used = clips.chain(project.sets.iter().map(|set| set.id));
    let used = used
        .chain(project.strokes.iter().map(|stroke| stroke.id))
        .chain(project.models.iter().map(|model| model.id))
        .chain(project.posed.iter().map(|posed| posed.id))
        .chain(project.paths.iter().map(|path| path.id))
        .chain(project.graphs.iter().map(|graph| graph.id))
        .chain(project.sequences.iter().map(|sequence| sequence.id))
        .chain(sequences::named_numbers(project))
        .chain(project.studies.iter().map(|study| study.id))
        .max();
    let mut next = project
        .next_number
        .max(used.map_or(1, |id| id.saturating_add(1)));
    let mut renumber = |taken: &mut BTreeSet<u64>, id: &mut u64, what: &str, name: &str| {
        if !taken.insert(*id) {
            let text = format!("number {id} is there twice; {what} \"{name}\" is {next} now");
            problems.push(Problem::new(PROJECT_FILE, text));
            *id = next;
            next = next.saturating_add(1);
            taken.insert(*id);
        }
    };
    let (mut clips, mut sets) = (BTreeSet::new(), BTreeSet::new());
    let (mut strokes, mut models) = (BTreeSet::new(), BTreeSet::new());
    for clip in &mut project.clips {
        renumber(&mut clips, &mut clip.id, "clip", &clip.name);
    }
    for set in &mut project.sets {
        renumber(&mut sets, &mut set.id, "set", &set.name);
    }
    for stroke in &mut project.strokes {
        renumber(&mut strokes, &mut stroke.id, "stroke", &stroke.name);
    }
    for model in &mut project.models {
        renumber(&mut models, &mut model.id, "model", &model.name);
    }
    let mut posed = BTreeSet::new();
    for character in &mut project.posed {
        renumber(&mut posed, &mut character.id, "character", &character.name);
    }
    let mut paths = BTreeSet::new();
    for path in &mut project.paths {
        renumber(&mut paths, &mut path.id, "path", &path.name);
    }
    project.paths.sort_by_key(|path| path.id);
    let (mut graphs, mut sequences) = (BTreeSet::new(), BTreeSet::new());
    for graph in &mut project.graphs {
        renumber(&mut graphs, &mut graph.id, "graph", &graph.name);
    }
    for sequence in &mut project.sequences {
        renumber(&mut sequences, &mut sequence.id, "sequence", &sequence.name);
    }
    project.graphs.sort_by_key(|graph| graph.id);
    project.sequences.sort_by_key(|sequence| sequence.id);
    let mut studies = BTreeSet::new();
    for study in &mut project.studies {
        renumber(&mut studies, &mut study.id, "study", &study.title);
    }
    project.studies.sort_by_key(|study| study.id);
    project.posed.sort_by_key(|posed| posed.id);
    project.strokes.sort_by_key(|stroke| stroke.id);
    project.models.sort_by_key(|model| model.id);
    project.next_number = next;
}

type ReadClip = Result<(Arc<Clip>, Vec<Problem>), Problem>;

/// All clips, on all cores.
fn read_clips(path: &Path, records: &[v1::Clip], skeletons: &[MaybeSkeleton]) -> Vec<ReadClip> {
    let clips = path.join(Subfolder::Clips.folder());
    // A file that many clips name would take the memory of many; no project of ours has one.
    let mut named = BTreeSet::new();
    let first: Vec<bool> = records
        .iter()
        .map(|r| named.insert(r.file.as_str()))
        .collect();
    let is_link = fs::symlink_metadata(&clips).is_ok_and(|found| found.is_symlink());
    let read = |(record, first): (&v1::Clip, bool)| {
        let file = shown(Subfolder::Clips, &record.file);
        let problem =
            |text: String| Problem::new(file.clone(), format!("clip \"{}\": {text}", record.name));
        if !Subfolder::Clips.takes(&record.file) {
            return Err(problem(
                "this is no motion file in the project's folder".to_owned(),
            ));
        }
        if !first {
            return Err(problem("another clip names this file already".to_owned()));
        }
        if is_link {
            return Err(problem(
                "the folder is a link that leads out of the project".to_owned(),
            ));
        }
        let (clip, mended) =
            read_clip(&clips, record, skeletons).map_err(|e| problem(e.to_string()))?;
        Ok((Arc::new(clip), mended.into_iter().map(problem).collect()))
    };
    records.par_iter().zip(first).map(read).collect()
}

/// Never longer than a line: a hostile name may be megabytes.
fn shown(subfolder: Subfolder, file: &str) -> String {
    let short: String = file.chars().take(80).collect();
    format!("{}/{}", subfolder.folder(), short.escape_debug())
}

/// One clip, and what was mended about it.
fn read_clip(
    folder: &Path,
    record: &v1::Clip,
    skeletons: &[MaybeSkeleton],
) -> Result<(Clip, Vec<String>), ReadError> {
    let path = folder.join(&record.file);
    if fs::symlink_metadata(&path)?.is_symlink() {
        return Err(ReadError::NotAFile("a link that leads out of the project"));
    }
    let bytes = bytes_of(&path)?;
    let mut mended = Vec::new();
    let wanted = record.skeleton.and_then(|idx| match skeletons.get(idx) {
        Some(Ok(skeleton)) => Some(skeleton),
        Some(Err(why)) => {
            mended.push(format!(
                "its skeleton is broken, the file's own is taken: {why}"
            ));
            None
        }
        None => {
            mended.push(format!(
                "there is no skeleton {idx}, the file's own is taken"
            ));
            None
        }
    });
    let decoded = clip_file::decode(&bytes, wanted)?;
    let n_frames = decoded.motion.rotations.len() / decoded.skeleton.n_joints();
    let other_length = record.frames.filter(|&frames| frames != n_frames);
    if decoded.is_foreign {
        mended.push("the file has another skeleton than when it was saved".to_owned());
    }
    if let Some(frames) = other_length {
        mended.push(format!(
            "the file has {n_frames} frames, and had {frames} when it was saved"
        ));
    }
    let (mut info, odd_axis) = mirror::info_from(record);
    mended.extend(odd_axis);
    let mut motion = decoded.motion;
    match record.frame_secs {
        Some(secs) if secs > 0.0 && secs.is_finite() => motion.frame_secs = secs,
        Some(secs) => mended.push(format!(
            "a frame cannot take {secs} s; the file's own time is taken"
        )),
        None => {}
    }
    if wanted.is_none() || decoded.is_foreign || other_length.is_some() {
        // What the reader noticed was noticed before, unless this is not what was saved.
        info.notes.extend(decoded.info.notes);
    }
    let clip = Clip::new(info, decoded.skeleton, motion)?;
    Ok((with_contacts(clip, record, &mut mended), mended))
}

/// The clip with its contacts, if they fit it.
fn with_contacts(clip: Clip, record: &v1::Clip, mended: &mut Vec<String>) -> Clip {
    let contacts = mirror::contacts_from(record);
    if contacts.is_empty() {
        return clip;
    }
    match clip.clone().with_contacts(contacts) {
        Ok(with) => with,
        Err(error) => {
            mended.push(format!("its contacts are left out: {error}"));
            clip
        }
    }
}

fn lost(record: v1::Clip, skeletons: &[MaybeSkeleton]) -> Lost {
    let skeleton = record.skeleton.and_then(|idx| skeletons.get(idx));
    Lost {
        skeleton: skeleton.and_then(|s| s.as_ref().ok()).map(Arc::clone),
        sets: Vec::new(),
        record,
    }
}

/// The sets with the members that are there, each once. Lost clips remember where they belong.
fn sets(
    mirrors: Vec<v1::Set>,
    folder: &mut ProjectFolder,
    problems: &mut Vec<Problem>,
) -> Vec<ClipSet> {
    let lost = folder.lost.iter().enumerate();
    let lost: BTreeMap<u64, usize> = lost.map(|(idx, lost)| (lost.record.id, idx)).collect();
    let mut sets = Vec::with_capacity(mirrors.len());
    for mirror in mirrors {
        let mut seen = BTreeSet::new();
        let (mut clips, mut n_odd) = (Vec::new(), 0);
        for id in mirror.clips {
            if !seen.insert(id) {
                n_odd += 1;
            } else if folder.stored.contains_key(&FileOwner::Clip(ClipId(id))) {
                clips.push(ClipId(id));
            } else if let Some(&idx) = lost.get(&id) {
                folder.lost[idx].sets.push(mirror.id);
            } else {
                n_odd += 1;
            }
        }
        if n_odd > 0 {
            let name = &mirror.name;
            let text = format!(
                "set \"{name}\": {n_odd} members left out that are no clips or are in it already"
            );
            problems.push(Problem::new(PROJECT_FILE, text));
        }
        sets.push(ClipSet {
            id: SetId(mirror.id),
            name: mirror.name,
            clips,
        });
    }
    sets
}

/// The strokes; points that make none are left out and named.
fn strokes(mirrors: Vec<v1::Stroke>, problems: &mut Vec<Problem>) -> Vec<(StrokeId, Arc<Stroke>)> {
    let mut strokes = Vec::with_capacity(mirrors.len());
    for mirror in mirrors {
        match Stroke::new(mirror.name.as_str(), mirror.points) {
            Ok(stroke) => strokes.push((StrokeId(mirror.id), Arc::new(stroke))),
            Err(error) => {
                let name = &mirror.name;
                let text = format!("stroke \"{name}\" is left out: {error}");
                problems.push(Problem::new(PROJECT_FILE, text));
            }
        }
    }
    strokes
}

/// The models; those that cannot be read are named, and what is known about them is kept.
fn models(
    path: &Path,
    mirrors: Vec<v1::Model>,
    folder: &mut ProjectFolder,
    problems: &mut Vec<Problem>,
) -> Vec<Model> {
    let subfolder = Subfolder::Models;
    let is_link =
        fs::symlink_metadata(path.join(subfolder.folder())).is_ok_and(|found| found.is_symlink());
    // Each file once, as with motions.
    let mut named = BTreeSet::new();
    let mut first = |mirror: &v1::Model| named.insert(mirror.file.clone());
    let mut models = Vec::with_capacity(mirrors.len());
    for mirror in mirrors {
        let place = StoredPath {
            subfolder,
            file: mirror.file.clone(),
        };
        let file = place.within(path);
        let learned = if !subfolder.takes(&mirror.file) {
            Err("this is no model file in the project's folder".to_owned())
        } else if !first(&mirror) {
            Err("another model names this file already".to_owned())
        } else if is_link || fs::symlink_metadata(&file).is_ok_and(|found| found.is_symlink()) {
            Err("a link that leads out of the project".to_owned())
        } else {
            read_model(&mirror.kind, &file)
        };
        match learned {
            Ok(learned) => {
                let id = ModelId(mirror.id);
                let kept = FileContent::Model(learned.clone());
                folder
                    .stored
                    .insert(FileOwner::Model(id), Stored { kept, place });
                models.push(Model {
                    id,
                    name: mirror.name,
                    learned,
                });
            }
            Err(why) => {
                let text = format!("model \"{}\": {why}", mirror.name);
                problems.push(Problem::new(shown(subfolder, &mirror.file), text));
                folder.lost_models.push(mirror);
            }
        }
    }
    models
}

/// Why a file of a subfolder must not be read, if so.
fn forbidden(path: &Path, place: &StoredPath) -> Option<&'static str> {
    let is_link = |path: &Path| fs::symlink_metadata(path).is_ok_and(|found| found.is_symlink());
    if !place.subfolder.takes(&place.file) {
        Some("this is no such file in the project's folder")
    } else if is_link(&path.join(place.subfolder.folder())) || is_link(&place.within(path)) {
        Some("a link that leads out of the project")
    } else {
        None
    }
}

/// The pose library; files that cannot be read are named and kept. Poses whose number is taken get another one.
fn poses(
    path: &Path,
    files: Vec<String>,
    folder: &mut ProjectFolder,
    next_number: &mut u64,
    problems: &mut Vec<Problem>,
) -> Vec<(PoseId, Arc<KeptPose>)> {
    let mut all: BTreeMap<PoseId, Arc<KeptPose>> = BTreeMap::new();
    let mut places = Vec::new();
    for file in files {
        let subfolder = Subfolder::Poses;
        let place = StoredPath { subfolder, file };
        let read = match forbidden(path, &place) {
            Some(why) => Err(why.to_owned()),
            None => poses_file::read(&place.within(path)),
        };
        let shown = shown(subfolder, &place.file);
        match read {
            Ok((poses, left_out)) => {
                let left_out = left_out.into_iter();
                problems.extend(left_out.map(|text| Problem::new(shown.clone(), text)));
                for (id, pose) in poses {
                    let id = if all.contains_key(&id) || id.0 == u64::MAX {
                        PoseId(*next_number)
                    } else {
                        id
                    };
                    *next_number = (*next_number).max(id.0.saturating_add(1));
                    all.insert(id, Arc::new(pose));
                }
                places.push(place);
            }
            Err(why) => {
                problems.push(Problem::new(shown, format!("pose library: {why}")));
                folder.lost_poses.push(place.file);
            }
        }
    }
    let all: Vec<(PoseId, Arc<KeptPose>)> = all.into_iter().collect();
    // Several files, put together by hand, become one with the next save.
    if let Ok([place]) = <[StoredPath; 1]>::try_from(places) {
        let kept = FileContent::Poses(all.clone());
        folder
            .stored
            .insert(FileOwner::Poses, Stored { kept, place });
    }
    all
}

/// The pictures behind characters; those that cannot be read are named, and what is known about them is kept.
fn pictures(
    path: &Path,
    mirrors: Vec<v1::Picture>,
    posed: &[(PosedId, Arc<Posed>)],
    folder: &mut ProjectFolder,
    problems: &mut Vec<Problem>,
) -> BTreeMap<PosedId, Arc<Picture>> {
    let mut pictures = BTreeMap::new();
    for mirror in mirrors {
        let subfolder = Subfolder::Pictures;
        let place = StoredPath {
            subfolder,
            file: mirror.file.clone(),
        };
        let id = PosedId(mirror.character);
        let character = posed.iter().find(|(other, _)| *other == id);
        let read = match (forbidden(path, &place), character) {
            (Some(why), _) => Err(why.to_owned()),
            (_, None) => Err("its character is missing".to_owned()),
            (None, Some((_, character))) => picture::read(&place.within(path))
                .map_err(|e| e.to_string())
                .and_then(|mut file| {
                    file.name.clone_from(&mirror.name);
                    keyed::picture_from(&mirror, Arc::new(file), character).map_err(str::to_owned)
                }),
        };
        match read {
            Ok(picture) => {
                let kept = FileContent::Picture(Arc::clone(&picture.file));
                let stored = Stored { kept, place };
                folder.stored.insert(FileOwner::Picture(id), stored);
                pictures.insert(id, Arc::new(picture));
            }
            Err(why) => {
                let text = format!("picture \"{}\": {why}", mirror.name);
                problems.push(Problem::new(shown(subfolder, &mirror.file), text));
                folder.lost_pictures.push(mirror);
            }
        }
    }
    pictures
}

/// The rating studies; those whose motions cannot be read are named, and their answers are kept.
fn studies(
    path: &Path,
    mirrors: Vec<v1::Study>,
    folder: &mut ProjectFolder,
    problems: &mut Vec<Problem>,
) -> Vec<(StudyId, Arc<RatingStudy>)> {
    // Each file once, as with motions.
    let mut named = BTreeSet::new();
    let mut studies = Vec::with_capacity(mirrors.len());
    for mirror in mirrors {
        let subfolder = Subfolder::Studies;
        let place = StoredPath {
            subfolder,
            file: mirror.file.clone(),
        };
        let read = match forbidden(path, &place) {
            Some(why) => Err(why.to_owned()),
            None if !named.insert(mirror.file.clone()) => {
                Err("another study names this file already".to_owned())
            }
            None => studies_file::read(&place.within(path)),
        };
        let shown = shown(subfolder, &mirror.file);
        match read {
            Ok(stimuli) => {
                let (ratings, n_left_out) =
                    studies_file::ratings_from(mirror.ratings, &stimuli.plan);
                if n_left_out > 0 {
                    let title = &mirror.title;
                    let text = format!(
                        "study \"{title}\": {n_left_out} ratings left out that are about nothing it shows"
                    );
                    problems.push(Problem::new(PROJECT_FILE, text));
                }
                let stimuli = Arc::new(stimuli);
                let id = StudyId(mirror.id);
                let kept = FileContent::Study(Arc::clone(&stimuli));
                let stored = Stored { kept, place };
                folder.stored.insert(FileOwner::Study(id), stored);
                studies.push((id, Arc::new(RatingStudy { stimuli, ratings })));
            }
            Err(why) => {
                let text = format!("study \"{}\": {why}", mirror.title);
                problems.push(Problem::new(shown, text));
                folder.lost_studies.push(mirror);
            }
        }
    }
    studies
}
