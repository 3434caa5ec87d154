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
