//! Projects on disk: saved, opened, broken, locked and recovered.

mod crash;
mod hostile;
mod keep;
mod locks;
mod make;
mod models;
mod paths;
mod recovery;
mod studies;
