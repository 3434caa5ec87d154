//! Motion textures and paths on the floor in a project: saved, opened, lost, undone.

use std::fs;
use std::sync::Arc;

use kinfolk::demo::{self, Action};
use kinfolk::document::{Command, Document, DrawnPath, EditError, History, Learned, ModelId};
use kinfolk::file::project::PROJECT_FILE;
use kinfolk::jobs::Ticket;
use kinfolk::motion::edit;
use kinfolk::motion::path::PathPoint;
use kinfolk::texture::{LabelledClip, Texture, TextureSettings};

use super::make::{after, learned, opened, saved};

/// A walk of some seconds: what a texture can be learned from in a moment.
fn texture() -> Learned {
    let walk = edit::resample(&demo::make(Action::WalkTake, 5, 0).clip, 30.0).unwrap();
    let clip = LabelledClip {
        clip: Arc::new(edit::trim(&walk, 0..150).unwrap()),
        label: "walk".to_owned(),
    };
    let settings = TextureSettings::default();
    let texture = Texture::learn(&[clip], &settings, &Ticket::default()).unwrap();
    Learned::Texture(Arc::new(texture))
}

/// A texture and a path for it, with an action from its second point on.
fn with_path() -> (Document, ModelId) {
    let add = Command::AddModel {
        name: "locomotion".to_owned(),
        learned: texture(),
    };
    let document = after(&Document::default(), vec![add]);
    let id = document.models()[0].id;
    let mut points = vec![
        PathPoint::at(0.0, 0.0),
        PathPoint::at(1.0 / 3.0, 200.0),
        PathPoint::at(-150.0, 300.0),
    ];
    points[1].action = Some("walk".to_owned());
    let path = DrawnPath {
        actions: vec!["walk".to_owned()],
        radius: Some(0.7),
        amount: 0.5,
        seed: 9,
        ..DrawnPath::new("to the door", id, points)
    };
    (after(&document, vec![Command::AddPath(Arc::new(path))]), id)
}

#[test]
fn textures_and_paths_come_back_as_they_were() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("a.kinfolk");
    let (document, _) = with_path();
    drop(saved(&path, &document));
    let back = opened(&path);
    assert_eq!(back.problems, []);
    assert_eq!(back.document.paths(), document.paths());
    let (Learned::Texture(was), Learned::Texture(is)) = (
        &document.models()[0].learned,
        &back.document.models()[0].learned,
    ) else {
        panic!("textures stay textures");
    };
    assert_eq!(was.summary(), is.summary());
    assert_eq!(was.commands(), is.commands());
    let mut folder = back.folder;
    let did = folder.save(&back.document).unwrap();
    assert_eq!(did.written, 0, "nothing changed");
}

#[test]
fn a_path_outlives_its_texture_and_undo_brings_it_back() {
    let (document, texture) = with_path();
    let (id, path) = document.paths()[0].clone();
    let mut history = History::unsaved(document.clone());
    let step = history.apply(Command::RemoveModel(texture)).unwrap();
    assert!(step.changed, "{step:?}");
    assert_eq!(history.document().path(id).unwrap().texture, None);
    history.document().check().unwrap();
    history.undo();
    assert_eq!(*history.document(), document);
    let other = Command::ReplaceModel {
        what: "learn".to_owned(),
        id: texture,
        learned: learned(1),
    };
    let replaced = document.edited(other).unwrap();
    assert_eq!(replaced.path(id).unwrap().texture, None, "a style is none");
    replaced.check().unwrap();
    let moved = |change: &dyn Fn(&mut DrawnPath)| {
        let mut path = DrawnPath::clone(&path);
        change(&mut path);
        let what = "move point 2 of".to_owned();
        let path = Arc::new(path);
        Command::ChangePath { what, id, path }
    };
    let change = moved(&|p| p.points[1].at.x = 5.0);
    assert_eq!(change.label(&document), "move point 2 of to the door");
    let changed = document.edited(change).unwrap();
    assert_eq!(changed.path(id).unwrap().points[1].at.x, 5.0);
    for (words, change) in [
        ("fewer", moved(&|p| p.points.truncate(1))),
        ("texture", moved(&|p| p.texture = Some(ModelId(77)))),
    ] {
        let refused = document.edited(change).unwrap_err();
        assert!(matches!(refused, EditError::Path(_)), "{refused}");
        assert!(refused.to_string().contains(words), "{refused}");
    }
    let removed = document.edited(Command::RemovePath(id)).unwrap();
    assert!(removed.paths().is_empty());
    let gone = removed.edited(Command::RemovePath(id)).unwrap_err();
    assert_eq!(gone, EditError::NoSuchPath(id));
}

#[test]
fn broken_paths_are_left_out_and_named() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("a.kinfolk");
    let (document, _) = with_path();
    drop(saved(&path, &document));
    let file = path.join(PROJECT_FILE);
    let text = fs::read_to_string(&file).unwrap();
    let broken = text.replace("amount: 0.5", "amount: -4.0");
    assert_ne!(text, broken);
    fs::write(&file, broken).unwrap();
    let back = opened(&path);
    assert!(back.document.paths().is_empty());
    let said = back.problems[0].to_string();
    assert!(
        said.contains("to the door") && said.contains("between 0 and 3"),
        "{said}"
    );
    drop(back);
    fs::write(&file, &text).unwrap();
    let models = path.join("models");
    for entry in fs::read_dir(&models).unwrap() {
        fs::write(entry.unwrap().path(), "(version: 99)").unwrap();
    }
    let back = opened(&path);
    assert_eq!(back.problems.len(), 2, "the texture, and whose it was");
    assert_eq!(back.document.paths()[0].1.texture, None);
}
