//! Rating studies in the document and in a project: motions are written once, answers with every save, and a broken
//! file costs no answers.

use std::fs;
use std::sync::Arc;

use kinfolk::demo::{Action, make};
use kinfolk::document::{Command, Document, EditError, RatingStudy, Stimuli, StudyId};
use kinfolk::file::project::PROJECT_FILE;
use kinfolk::jobs::Ticket;
use kinfolk::motion::{Axis, Clip, edit};
use kinfolk::study::session::{Experiment, Session};
use kinfolk::study::stimuli::{Shown, StudySettings, blind};

use super::make::{after, opened, saved};

/// A study of walks beside jumps; one of them has another axis up and another rate.
fn study(title: &str) -> RatingStudy {
    let clip = |action, index| make(action, 3, index).clip;
    let walks: Vec<Clip> = (0..3).map(|index| clip(Action::Walk, index)).collect();
    let mut jumps: Vec<Clip> = (0..3).map(|index| clip(Action::Jump, index)).collect();
    let odd = edit::set_up(&jumps[1], Axis::Z).unwrap();
    jumps[1] = edit::resample(&odd, 23.976).unwrap();
    let mut shown = Shown::plain("motion capture", &walks);
    shown.extend(Shown::plain("variants", &jumps));
    let settings = StudySettings {
        title: title.to_owned(),
        experiment: Experiment::Natural,
        seed: 5,
        per_rater: 6,
    };
    let (plan, clips) = blind(&settings, &shown, &Ticket::default()).unwrap();
    RatingStudy {
        stimuli: Arc::new(Stimuli {
            plan: Arc::new(plan),
            clips: clips.into_iter().map(Arc::new).collect(),
        }),
        ratings: Vec::new(),
    }
}

/// The study with so many answers of one rater.
fn answered(study: &RatingStudy, rater: &str, n: usize) -> RatingStudy {
    let mut session = Session::begin(study.plan(), rater).unwrap();
    for score in 0..n {
        session.answer(1 + score as u8, 1.5).unwrap();
    }
    study.with_ratings_of(rater, session.ratings())
}

fn with_study() -> Document {
    let study = answered(&study("walks"), "Ann", 4);
    after(
        &Document::default(),
        vec![Command::AddStudy(Arc::new(study))],
    )
}

#[test]
fn a_study_comes_back_with_its_motions_and_answers() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("s.kinfolk");
    let document = with_study();
    let mut folder = saved(&path, &document);
    let (id, study) = document.studies()[0].clone();
    // Another answer writes no motion again.
    let more = answered(&study, "Bob", 2);
    let command = Command::ChangeStudy {
        what: "rate in".to_owned(),
        id,
        study: Arc::new(more),
    };
    let document = after(&document, vec![command]);
    let again = folder.save(&document).unwrap();
    assert_eq!(again.written, 0, "motions of a study are written once");
    drop(folder);
    let back = opened(&path);
    assert_eq!(back.problems, []);
    assert_eq!(back.document.studies(), document.studies(), "bit for bit");
    assert_eq!(back.document.studies()[0].1.ratings.len(), 6);
}

#[test]
fn a_broken_study_is_named_and_its_answers_stay() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("s.kinfolk");
    drop(saved(&path, &with_study()));
    let file = path.join("studies/walks.ron");
    let whole = fs::read_to_string(&file).unwrap();
    for broken in [
        "",
        "(version: 9)",
        &whole[..whole.len() / 2],
        &whole.replacen("\"Y\"", "\"W\"", 1),
        &whole.replacen("skeleton: 0", "skeleton: 7", 1),
        &whole.replacen("natural", "pretty", 1),
        &whole.replacen("id: \"m02\"", "id: \"m01\"", 1),
        &whole.replacen("frames: ", "frames: 9", 1),
    ] {
        fs::write(&file, broken).unwrap();
        let mut back = opened(&path);
        assert_eq!(
            back.document.studies(),
            [],
            "{}",
            &broken[..broken.len().min(80)]
        );
        assert_eq!(back.problems.len(), 1, "{:?}", back.problems);
        let words = back.problems[0].to_string();
        assert!(words.contains("studies/walks.ron"), "{words}");
        // Saving keeps what is known; when the file is whole again, so is the study.
        back.folder.save(&back.document).unwrap();
        drop(back);
        fs::write(&file, &whole).unwrap();
        let again = opened(&path);
        assert_eq!(again.problems, []);
        assert_eq!(again.document.studies()[0].1.ratings.len(), 4);
    }
    // Answers about nothing that is shown, or off the scale, are left out and counted.
    let project = path.join(PROJECT_FILE);
    let text = fs::read_to_string(&project).unwrap();
    fs::write(&project, text.replacen("score: 2", "score: 77", 1)).unwrap();
    let back = opened(&path);
    assert_eq!(back.document.studies()[0].1.ratings.len(), 3);
    let words = back.problems[0].to_string();
    assert!(words.contains("1 ratings left out"), "{words}");
}

#[test]
fn what_is_no_study_is_refused() {
    let document = with_study();
    let twice = Command::AddStudy(Arc::new(study("walks")));
    let refused = document.edited(twice).unwrap_err();
    assert_eq!(refused, EditError::StudyTitleTaken("walks".to_owned()));
    let other = answered(&study("jumps"), "Cid", 1);
    let (id, own) = document.studies()[0].clone();
    let mixed = RatingStudy {
        stimuli: Arc::clone(&own.stimuli),
        ratings: other.ratings,
    };
    let change = |id, study| Command::ChangeStudy {
        what: "rate in".to_owned(),
        id,
        study: Arc::new(study),
    };
    let refused = document.edited(change(id, mixed)).unwrap_err();
    assert!(matches!(refused, EditError::Study(_)), "{refused}");
    let gone = document
        .edited(Command::RemoveStudy(StudyId(99)))
        .unwrap_err();
    assert_eq!(gone, EditError::NoSuchStudy(StudyId(99)));
    let without = after(&document, vec![Command::RemoveStudy(id)]);
    assert_eq!(without.studies(), []);
    let untitled = Command::AddStudy(Arc::new(study(" ")));
    assert!(
        document.edited(untitled).is_err(),
        "a title is a line of text"
    );
}
