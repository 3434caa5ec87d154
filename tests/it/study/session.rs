//! Rating sessions: blind, balanced, the same for the same seed, resumable.

use std::sync::Arc;

use kinfolk::file::study_plan::{self, StudyFileError};
use kinfolk::file::study_ratings::{self, KeyError};
use kinfolk::study::session::{
    DECKS, Experiment, Key, MOST_STIMULI, Plan, PlanError, Rating, Session, SessionError, Step,
    analyse, deck_of,
};

pub(super) fn clips(n: usize) -> Vec<(String, String)> {
    let one = |at: usize| {
        let condition = if at.is_multiple_of(3) {
            "motion capture"
        } else {
            "variants"
        };
        (condition.to_owned(), format!("clip {at}"))
    };
    (0..n).map(one).collect()
}

fn plan(n: usize, per_rater: usize) -> Arc<Plan> {
    let made = Plan::new("Walks", Experiment::Natural, 7, per_rater, &clips(n));
    Arc::new(made.unwrap())
}

#[test]
fn every_order_is_balanced_and_the_seeds_own() {
    let plan = plan(30, 15);
    assert_eq!(plan.conditions(), ["motion capture", "variants"]);
    let mut longer = [0, 0];
    for number in 0..DECKS {
        let deck = plan.deck(number);
        assert_eq!(deck.len(), 15);
        let mut sorted = deck.clone();
        sorted.sort_unstable();
        sorted.dedup();
        assert_eq!(sorted.len(), 15, "nothing twice: {deck:?}");
        let n_real = deck
            .iter()
            .filter(|at| plan.stimuli()[**at].condition == "motion capture")
            .count();
        assert!((7..=8).contains(&n_real), "{n_real} of 15");
        longer[n_real - 7] += 1;
    }
    assert!(
        longer.iter().all(|n| *n > 10),
        "either may get one more: {longer:?}"
    );
    assert_ne!(plan.deck(0), plan.deck(1));
    let again = Plan::new("Walks", Experiment::Natural, 7, 15, &clips(30)).unwrap();
    assert_eq!(again.deck(5), plan.deck(5));
    let other = Plan::new("Walks", Experiment::Natural, 8, 15, &clips(30)).unwrap();
    assert_ne!(other.deck(5), plan.deck(5));
}

#[test]
fn names_tell_nothing() {
    let plan = plan(30, 15);
    let first: Vec<&str> = plan.stimuli()[..10]
        .iter()
        .map(|s| s.condition.as_str())
        .collect();
    assert!(
        first.contains(&"motion capture") && first.contains(&"variants"),
        "{first:?}"
    );
    assert_eq!(plan.stimuli()[8].id, "m09");
    let given = plan.given();
    for (stimulus, at) in plan.stimuli().iter().zip(given) {
        assert_eq!(stimulus.source, format!("clip {at}"));
    }
    // FNV-1a in 32 bits of "" and "a" is published: 811c9dc5 and e40c292c.
    assert_eq!(deck_of(""), 0x811C_9DC5_usize % DECKS);
    assert_eq!(deck_of("a"), 0xE40C_292C_usize % DECKS);
}

#[test]
fn a_condition_with_few_clips_is_filled_up_by_the_others() {
    let mut few = clips(20);
    few.iter_mut()
        .skip(2)
        .for_each(|clip| clip.0 = "variants".to_owned());
    few[0].0 = "motion capture".to_owned();
    few[1].0 = "motion capture".to_owned();
    let plan = Plan::new("few", Experiment::Natural, 1, 15, &few).unwrap();
    for number in 0..DECKS {
        let deck = plan.deck(number);
        let is_real = |at: &&usize| plan.stimuli()[**at].condition == "motion capture";
        assert_eq!((deck.len(), deck.iter().filter(is_real).count()), (15, 2));
    }
    assert_eq!(
        Plan::new("few", Experiment::Natural, 1, 99, &few)
            .unwrap()
            .deck(0)
            .len(),
        20
    );
}

#[test]
fn ten_ratings_by_keyboard_with_a_break_and_a_mistake() {
    let plan = plan(12, 10);
    let mut session = Session::begin(&plan, " Ada ").unwrap();
    assert_eq!(session.rater(), "Ada");
    assert_eq!(
        session.press(Key::Undo, 0.0),
        Err(SessionError::NothingToUndo)
    );
    for number in 1..=4 {
        assert_eq!(session.question().unwrap().number, number);
        assert_eq!(session.press(Key::Digit(5), 2.0), Ok(Step::Next));
    }
    assert_eq!(
        session.press(Key::Digit(0), 1.0),
        Err(SessionError::Score(0))
    );
    assert_eq!(session.press(Key::Undo, 0.0), Ok(Step::Undone));
    assert_eq!(session.press(Key::Digit(9), f64::NAN), Ok(Step::Next));
    assert_eq!(session.progress(), (4, 10));
    // The program is closed; what was saved comes back, with others' ratings in between.
    let mut saved = session.ratings();
    saved.extend(Session::begin(&plan, "Bob").unwrap().ratings());
    let bytes = study_ratings::write(&saved);
    let saved = study_ratings::parse(&bytes).unwrap();
    let mut session = Session::resume(&plan, "Ada", &saved).unwrap();
    assert_eq!(session.progress(), (4, 10));
    let asked: Vec<usize> = plan.order("Ada");
    for &expected in &asked[4..] {
        assert_eq!(session.question().unwrap().stimulus, expected);
        session.press(Key::Digit(3), 1.5).unwrap();
    }
    assert!(session.is_over() && session.question().is_none(), "over");
    assert_eq!(session.press(Key::Digit(3), 1.0), Err(SessionError::Over));
    let ratings = session.ratings();
    assert_eq!(
        ratings.iter().map(|r| r.trial).collect::<Vec<_>>(),
        (1..=10).collect::<Vec<_>>()
    );
    assert_eq!((ratings[3].score, ratings[3].seconds), (9, 0.0));
    assert_eq!(
        study_ratings::parse(&study_ratings::write(&ratings)).unwrap(),
        ratings
    );
}

#[test]
fn answers_of_another_study_are_not_gone_on_from() {
    let plan = plan(12, 10);
    let mut session = Session::begin(&plan, "Ada").unwrap();
    session.answer(4, 1.0).unwrap();
    let other = Plan::new("Walks", Experiment::Natural, 99, 10, &clips(12)).unwrap();
    let saved = session.ratings();
    let resumed = Session::resume(&Arc::new(other), "Ada", &saved);
    assert!(
        matches!(resumed, Err(SessionError::Other { trial: 1, .. })),
        "{resumed:?}"
    );
    assert_eq!(Session::begin(&plan, "  "), Err(SessionError::NoName));
}

#[test]
fn plans_that_cannot_be_meant_are_refused() {
    let made = |n: usize, per: usize| Plan::new("x", Experiment::Natural, 1, per, &clips(n));
    assert_eq!(made(0, 5), Err(PlanError::Conditions(0)));
    assert_eq!(made(1, 5), Err(PlanError::Conditions(1)));
    assert_eq!(made(9, 0), Err(PlanError::NoQuestions));
    let many = MOST_STIMULI + 1;
    assert_eq!(made(many, 5), Err(PlanError::TooMany(many)));
}

#[test]
fn a_study_comes_back_from_its_file() {
    let plan = plan(12, 10);
    let text = study_plan::write(&plan).unwrap();
    assert_eq!(study_plan::parse(text.as_bytes()).unwrap(), *plan);
    assert!(
        study_plan::key_csv(&plan).lines().count() == 13,
        "a line for each"
    );
    let later = text.replacen("version: 1", "version: 9", 1);
    let refused = study_plan::parse(later.as_bytes());
    assert!(
        matches!(refused, Err(StudyFileError::Version { found: 9 })),
        "{refused:?}"
    );
    let twice = text.replacen("\"m02\"", "\"m01\"", 1);
    let refused = study_plan::parse(twice.as_bytes());
    assert!(
        matches!(refused, Err(StudyFileError::Twice(_))),
        "{refused:?}"
    );
    let odd = text.replacen("\"natural\"", "\"pretty\"", 1);
    let refused = study_plan::parse(odd.as_bytes());
    assert!(
        matches!(refused, Err(StudyFileError::Experiment(_))),
        "{refused:?}"
    );
    for broken in ["", "Study(", "\u{0}", "Study(version: 1)"] {
        assert!(study_plan::parse(broken.as_bytes()).is_err(), "{broken:?}");
    }
}

#[test]
fn broken_ratings_are_refused_with_their_place() {
    let head = "study,experiment,rater,trial,stimulus,score\n";
    let refused = |line: &str| {
        let text = format!("{head}{line}\n");
        study_ratings::parse(text.as_bytes()).unwrap_err()
    };
    for (line, column) in [
        ("s,ugly,Ada,1,m01,5", 3),
        ("s,natural,,1,m01,5", 11),
        ("s,natural,Ada,0,m01,5", 15),
        ("s,natural,Ada,1.5,m01,5", 15),
        ("s,natural,Ada,1,,5", 17),
        ("s,natural,Ada,1,m01,10", 21),
        ("s,natural,Ada,1,m01", 20),
    ] {
        let error = refused(line);
        assert_eq!((error.line, error.column), (2, column), "{line}: {error}");
    }
    assert_eq!(study_ratings::parse(b"a,b\n1,2\n").unwrap_err().line, 1);
    let good = format!("{head}s,natural,Ada,1,m01,5\n");
    let mut ratings = study_ratings::parse(good.as_bytes()).unwrap();
    assert_eq!(
        study_ratings::resolve(&mut ratings, &[]),
        Err(KeyError::NoKey)
    );
    let other = Plan::new("s", Experiment::Natural, 1, 3, &clips(6)).unwrap();
    ratings[0].stimulus = "m77".to_owned();
    let refused = study_ratings::resolve(&mut ratings, std::slice::from_ref(&other));
    assert!(
        matches!(refused, Err(KeyError::Unknown { .. })),
        "{refused:?}"
    );
    ratings[0].stimulus = "m03".to_owned();
    study_ratings::resolve(&mut ratings, std::slice::from_ref(&other)).unwrap();
    assert_eq!(ratings[0].condition, other.stimuli()[2].condition);
}

#[test]
fn studies_are_analysed_apart() {
    let rating = |study: &str, rater: &str, condition: &str, score: u8| Rating {
        study: study.to_owned(),
        experiment: Experiment::Repetitive,
        rater: rater.to_owned(),
        trial: 1,
        stimulus: "m01".to_owned(),
        condition: condition.to_owned(),
        score,
        seconds: 1.0,
    };
    let ratings = [
        rating("one", "Ada", "cycle animation", 8),
        rating("one", "Bob", "cycle animation", 7),
        rating("two", "Ada", "variants", 2),
        rating("one", "Ada", "variants", 2),
        rating("one", "Bob", "variants", 3),
    ];
    let found = analyse(&ratings);
    assert_eq!(found.len(), 2);
    assert_eq!((found[0].n_raters, found[0].n_ratings), (2, 4));
    let anova = found[0].anova.as_ref().unwrap();
    // Means 7.5 and 2.5: between 25, within 1, so F is 25 over 1/2.
    assert!((anova.f - 50.0).abs() < 1e-9, "{anova:?}");
    assert!(found[1].anova.is_err(), "one condition alone");
}
