//! Who has a project open.

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

/// Who has a project open.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Owner {
    /// As they log in.
    pub user: String,
    /// Host name of the computer.
    pub host: String,
    /// The program's number on that computer.
    pub process: u32,
    /// Since when, in seconds since 1970.
    pub since_unix_secs: u64,
    /// Tells openings by the same process apart.
    #[serde(default)]
    pub(super) opening: u64,
}

impl std::fmt::Display for Owner {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "{} on {} (process {})",
            self.user, self.host, self.process
        )
    }
}

impl Owner {
    /// The owner that this process is, with the time now.
    pub(super) fn this() -> Self {
        static OPENINGS: AtomicU64 = AtomicU64::new(0);
        Self {
            user: variable(["USER", "USERNAME"]).unwrap_or_else(|| "an unknown user".to_owned()),
            host: this_host(),
            process: std::process::id(),
            since_unix_secs: unix_secs(),
            opening: OPENINGS.fetch_add(1, Ordering::Relaxed),
        }
    }

    /// Whether that program has ended for certain; of other computers it is unknown.
    pub(super) fn is_dead(&self) -> bool {
        cfg!(target_os = "linux")
            && self.host == this_host()
            && !Path::new("/proc").join(self.process.to_string()).exists()
    }

    /// An owner whose name cannot be read.
    pub(super) fn unknown() -> Self {
        Self {
            user: "an unknown user".to_owned(),
            host: "an unknown host".to_owned(),
            process: 0,
            since_unix_secs: 0,
            opening: 0,
        }
    }
}

fn this_host() -> String {
    let host = fs::read_to_string("/proc/sys/kernel/hostname").ok();
    host.map(|name| name.trim().to_owned())
        .or_else(|| variable(["HOSTNAME", "COMPUTERNAME"]))
        .unwrap_or_else(|| "this computer".to_owned())
}

/// The first of two environment variables that is set.
fn variable(names: [&str; 2]) -> Option<String> {
    names.into_iter().find_map(|name| std::env::var(name).ok())
}

/// Seconds since 1970; 0 on a clock that is set before.
pub(super) fn unix_secs() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| since.as_secs())
}
