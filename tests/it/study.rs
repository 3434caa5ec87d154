//! Studies: analysis of variance against published examples, sessions, and measures with planted answers.

mod anova;
mod chromium;
mod cli;
mod clones;
mod measures;
mod real;
mod session;
