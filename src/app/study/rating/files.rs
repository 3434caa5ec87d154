//! A study as a folder for raters elsewhere, and their ratings read back.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context as _;

use super::view::PathFor;
use crate::app::shell::Shell;
use crate::app::shell::context::UiContext;
use crate::app::shell::files::pick::Pick;
use crate::app::shell::jobs::DeliveryTo;
use crate::app::shell::messages::Severity;
use crate::app::shell::words::counted;
use crate::app::shell::work::Shown;
use crate::app::study::state::StudyWorkspace;
use crate::document::{Command, RatingStudy, StudyId};
use crate::file::atomic::{self, Overwrite};
use crate::file::study_folder::{PAGE_FOLDER, files};
use crate::file::study_ratings::{self, tables_in};
use crate::jobs::Ticket;
use crate::motion::Clip;
use crate::study::session::{Plan, Rating, Session};

/// The job, as the status bar names it.
pub const PACK: &str = "pack a study";

/// The same for reading.
pub const READ: &str = "read ratings";

impl StudyWorkspace {
    /// Asks the system for a path.
    pub(in crate::app::study) fn browse(&mut self, cx: &mut UiContext, what: PathFor) {
        let pick = match what {
            PathFor::Pack => Pick::Folder,
            PathFor::Ratings => Pick::Tables,
        };
        self.inbox
            .start(cx, "file dialog", Shown::Quietly, move |_| {
                let picked = pick.ask_system().and_then(|paths| paths.into_iter().next());
                let delivery: DeliveryTo<Self> = Box::new(move |study, shell| {
                    let files = &mut study.rating.files;
                    match (picked, what) {
                        (Some(path), PathFor::Pack) => {
                            files.folder = path.join("study").display().to_string();
                        }
                        (Some(path), PathFor::Ratings) => {
                            files.ratings = path.display().to_string();
                        }
                        (None, _) => shell.dialog_gave_nothing(),
                    }
                });
                Ok(delivery)
            });
    }

    /// Writes the chosen study as a folder with a page for any browser.
    pub fn pack_study(&mut self, cx: &mut UiContext) {
        let Some((_, study)) = self.chosen_study(cx) else {
            return;
        };
        let folder = PathBuf::from(self.rating.files.folder.trim());
        let overwrite = if self.rating.files.replaces {
            Overwrite::Replace
        } else {
            Overwrite::Never
        };
        self.inbox.start(cx, PACK, Shown::InBar, move |ticket| {
            pack(&study, &folder, overwrite, ticket)?;
            let delivery: DeliveryTo<Self> = Box::new(move |_, shell| {
                let page = folder.join(PAGE_FOLDER);
                let words = format!(
                    "send the folder {} to raters, keep the rest",
                    page.display()
                );
                shell.say(Severity::Done, words);
            });
            Ok(delivery)
        });
    }

    /// Reads ratings that were given elsewhere into the chosen study.
    pub fn read_ratings(&mut self, cx: &mut UiContext) {
        let Some((id, study)) = self.chosen_study(cx) else {
            return;
        };
        let path = PathBuf::from(self.rating.files.ratings.trim());
        self.inbox.start(cx, READ, Shown::InBar, move |ticket| {
            let found = read(&path, study.plan(), ticket)?;
            let delivery: DeliveryTo<Self> =
                Box::new(move |_, shell| take_ratings(shell, id, found));
            Ok(delivery)
        });
    }
}

fn pack(
    study: &RatingStudy,
    folder: &Path,
    overwrite: Overwrite,
    ticket: &Ticket,
) -> anyhow::Result<()> {
    let clips: Vec<&Clip> = study.stimuli.clips.iter().map(|clip| &**clip).collect();
    let files = files(study.plan(), &clips)?;
    // All or nothing, as far as that can be known before.
    for (path, _) in &files {
        let path = folder.join(path);
        atomic::check(&path, overwrite).with_context(|| path.display().to_string())?;
    }
    for (at, (path, bytes)) in files.iter().enumerate() {
        ticket.step(at as f64 / files.len() as f64)?;
        let path = folder.join(path);
        atomic::write(&path, bytes, overwrite).with_context(|| path.display().to_string())?;
    }
    Ok(())
}

/// The ratings of one rater, if they go with the study; or why not.
type ReadRatings = Vec<(String, Result<Vec<Rating>, String>)>;

fn read(path: &Path, plan: &Arc<Plan>, ticket: &Ticket) -> anyhow::Result<ReadRatings> {
    let mut ratings: Vec<Rating> = Vec::new();
    for table in &tables_in(path) {
        ticket.check()?;
        let name = || table.display().to_string();
        let bytes = std::fs::read(table).with_context(name)?;
        let mut own = study_ratings::parse(&bytes).with_context(name)?;
        let is_own = |r: &Rating| r.study == plan.title() && r.experiment == plan.experiment();
        if let Some(other) = own.iter().find(|rating| !is_own(rating)) {
            let (found, wanted) = (&other.study, plan.title());
            anyhow::bail!(
                "{}: these are ratings of \"{found}\", not of \"{wanted}\"",
                name()
            );
        }
        study_ratings::resolve(&mut own, std::slice::from_ref(&**plan)).with_context(name)?;
        ratings.extend(own);
    }
    study_ratings::without_copies(&mut ratings);
    let mut raters: Vec<String> = ratings.iter().map(|rating| rating.rater.clone()).collect();
    raters.sort_unstable();
    raters.dedup();
    let one = |rater: String| {
        let session = Session::resume(plan, &rater, &ratings);
        let own = session.map(|session| session.ratings());
        (rater, own.map_err(|error| error.to_string()))
    };
    Ok(raters.into_iter().map(one).collect())
}

/// All raters' answers as one step. Who is there already is replaced by answers that go further.
fn take_ratings(shell: &mut Shell, id: StudyId, found: ReadRatings) {
    let Some(study) = shell.document().study(id) else {
        return;
    };
    let mut merged = RatingStudy::clone(study);
    let (mut n_raters, mut n_ratings, mut n_old) = (0, 0, 0);
    let mut wrong = Vec::new();
    for (rater, ratings) in found {
        match ratings {
            Ok(ratings) => {
                let there = merged.ratings.iter().filter(|r| r.rater == rater).count();
                if there >= ratings.len() {
                    n_old += 1;
                    continue;
                }
                n_raters += 1;
                n_ratings += ratings.len();
                merged = merged.with_ratings_of(&rater, ratings);
            }
            Err(why) => wrong.push(why),
        }
    }
    if n_raters > 0 {
        shell.edit(Command::ChangeStudy {
            what: format!("read ratings of {} into", counted(n_raters, "rater")),
            id,
            study: Arc::new(merged),
        });
    }
    let read = counted(n_ratings, "rating");
    let mut words = format!("{read} of {} read", counted(n_raters, "rater"));
    if n_old > 0 {
        words = format!("{words}; {} were there already", counted(n_old, "rater"));
    }
    let severity = if wrong.is_empty() {
        Severity::Done
    } else {
        words = format!("{words}; left out: {}", wrong.join("; "));
        Severity::Warning
    };
    shell.say(severity, words);
}
