//! Models in a project: kept in files of their own, renamed, lost and found.

use std::fs;

use kinfolk::document::{Command, Document, EditError, ModelId};
use kinfolk::file::project::PROJECT_FILE;

use super::make::{after, learned, opened, saved};

/// Two styles; the second has another seed, so that it is another model.
fn with_models() -> Document {
    let add = |name: &str, seed| Command::AddModel {
        name: name.to_owned(),
        learned: learned(seed),
    };
    after(&Document::default(), vec![add("calm", 1), add("brisk", 2)])
}

#[test]
fn models_come_back_as_they_were_and_only_changed_ones_are_written() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("a.kinfolk");
    let start = with_models();
    let mut folder = saved(&path, &start);
    assert!(path.join("models/calm.ron").is_file(), "named after it");
    let id = start.models()[0].id;
    let renamed = after(
        &start,
        vec![Command::RenameModel {
            id,
            name: "slow".to_owned(),
        }],
    );
    let did = folder.save(&renamed).unwrap();
    assert_eq!((did.written, did.kept), (0, 2), "a name is no change of it");
    let relearned = after(
        &renamed,
        vec![Command::ReplaceModel {
            what: "learn anew".to_owned(),
            id,
            learned: learned(3),
        }],
    );
    let did = folder.save(&relearned).unwrap();
    assert_eq!((did.written, did.kept, did.left_over.len()), (1, 1, 0));
    assert!(!path.join("models/calm.ron").exists(), "nobody names it");
    drop(folder);
    let back = opened(&path);
    assert_eq!(back.problems, []);
    assert_eq!(back.document.models(), relearned.models());
    let removed = after(&relearned, vec![Command::RemoveModel(id)]);
    assert_eq!(removed.models().len(), 1);
    assert_eq!(removed.model(id), None);
}

#[test]
fn names_of_models_are_told_apart() {
    let start = with_models();
    let again = Command::AddModel {
        name: " calm ".to_owned(),
        learned: learned(1),
    };
    let taken = EditError::ModelNameTaken("calm".to_owned());
    assert_eq!(start.edited(again).unwrap_err(), taken);
    let (first, second) = (start.models()[0].id, start.models()[1].id);
    let rename = |id, name: &str| {
        start.edited(Command::RenameModel {
            id,
            name: name.to_owned(),
        })
    };
    assert_eq!(rename(second, "calm").unwrap_err(), taken);
    rename(first, "calm").unwrap();
    let gone = ModelId(99);
    assert_eq!(rename(gone, "x").unwrap_err(), EditError::NoSuchModel(gone));
    let label = Command::RemoveModel(first).label(&start);
    assert_eq!(label, "remove style calm");
}

#[test]
fn a_lost_model_costs_nothing_else_and_may_come_back() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("a.kinfolk");
    let start = with_models();
    drop(saved(&path, &start));
    let file = path.join("models/calm.ron");
    let bytes = fs::read(&file).unwrap();
    for broken in [None, Some(&b""[..]), Some(&bytes[..300])] {
        match broken {
            Some(bytes) => fs::write(&file, bytes).unwrap(),
            None => fs::remove_file(&file).unwrap(),
        }
        let mut found = opened(&path);
        let [problem] = found.problems.as_slice() else {
            panic!("{:?}", found.problems);
        };
        assert_eq!(problem.file, "models/calm.ron");
        assert!(problem.text.contains("\"calm\""), "{problem}");
        assert_eq!(found.document.models(), &start.models()[1..]);
        let another = Command::AddModel {
            name: "calm".to_owned(),
            learned: learned(4),
        };
        found
            .folder
            .save(&after(&found.document, vec![another]))
            .unwrap();
        found.folder.save(&found.document).unwrap();
        assert_eq!(fs::read(&file).ok().as_deref(), broken, "left alone");
    }
    fs::write(&file, &bytes).unwrap();
    let back = opened(&path);
    assert_eq!(back.problems, []);
    assert_eq!(back.document.models(), start.models());
}

#[test]
fn model_files_that_lead_elsewhere_are_not_followed() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("a.kinfolk");
    drop(saved(&path, &with_models()));
    let project = path.join(PROJECT_FILE);
    let text = fs::read_to_string(&project).unwrap();
    for (from, to, why) in [
        ("\"calm.ron\"", "\"../project.ron\"", "no model file"),
        ("\"calm.ron\"", "\"brisk.ron\"", "already"),
        ("kind: \"style\"", "kind: \"horse\"", "\"horse\""),
    ] {
        fs::write(&project, text.replacen(from, to, 1)).unwrap();
        let problems = opened(&path).problems;
        assert!(
            problems.iter().any(|problem| problem.text.contains(why)),
            "{to}: {problems:?}"
        );
    }
}
