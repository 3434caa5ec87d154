//! What the workspaces share: document and history, session, messages, dialogs, actions, jobs.

pub mod actions;
pub mod clips;
pub mod dialogs;
pub mod docks;
pub mod drawing;
pub mod files;
pub(in crate::app) mod gpu_errors;
pub mod jobs;
pub mod messages;
pub mod palette;
pub mod preferences;
pub mod previews;
pub mod projects;
pub mod session;
pub mod shortcuts;
pub mod studio;
pub mod sync;
pub mod theme;
pub mod ui;
pub mod view_options;
