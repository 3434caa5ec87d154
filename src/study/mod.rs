//! Is it natural, is it repetitive, can anyone tell? The evaluation of Lau 2009, section 8, as a part of the tool.
//!
//! | Question | Here |
//! |---|---|
//! | how do sets of clips compare, number by number? | [`measures`] |
//! | does a sequence or a crowd repeat itself? | [`clones`] |
//! | what does a crowd of it look like? | [`crowd`]: who plays what |
//! | what do people say? | [`session`]: blind ratings, and [`anova`] of them |
//! | what would be shown? | [`stimuli`], for experiment B [`sequences`] |
//! | what would noise, cycle animation or plain blending give? | [`baselines`], [`blending`] |
//!
//! All values and pure functions: files, pages and pictures are made by `file`, and nothing here knows a clock.
//!
//! ```
//! use kinfolk::demo::{Action, make};
//! use kinfolk::jobs::Ticket;
//! use kinfolk::study::measures::{ClipSet, Measure, compare};
//!
//! let walks: Vec<_> = (0..6).map(|take| make(Action::Walk, 1, take).clip).collect();
//! let walks: Vec<_> = walks.iter().collect();
//! let again = ClipSet { name: "inputs again".to_owned(), clips: walks[..3].to_vec() };
//! let found = compare(&walks[..3], &walks[3..], &[again], None, &Ticket::default())?;
//! let again = found.sets.last().expect("it was asked for");
//! assert!(again.get(Measure::Novelty).is_some_and(|novelty| novelty < 1e-6), "nothing new");
//! # Ok::<(), kinfolk::study::measures::MeasureError>(())
//! ```

pub mod anova;
pub mod baselines;
pub mod blending;
pub mod clones;
pub mod crowd;
pub mod measures;
pub mod sequences;
pub mod session;
pub mod stimuli;
mod windows;
