//! Which ways to a window there are, and the next one where one fails.
//!
//! A driver that is there and broken ends the window before it is seen, with an error or a panic. A window system can
//! be chosen once per process only, so the next way is tried by another process of this program: first OpenGL in place
//! of Vulkan, then X11 in place of Wayland.

use std::path::PathBuf;
use std::process::Command;

/// Which attempt this process is, for the processes that it starts.
const ATTEMPT: &str = "KINFOLK_WINDOW_ATTEMPT";
/// wgpu asks it for what draws.
const BACKEND: &str = "WGPU_BACKEND";
/// Where a Wayland compositor listens.
const WAYLAND: [&str; 2] = ["WAYLAND_DISPLAY", "WAYLAND_SOCKET"];

/// One way to a window.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct DisplayChoice {
    is_gl: bool,
    is_x11: bool,
}

impl DisplayChoice {
    fn name(self) -> &'static str {
        match (self.is_gl, self.is_x11) {
            (true, true) => "OpenGL on X11",
            (true, false) => "OpenGL",
            (false, true) => "X11",
            (false, false) => "the usual way",
        }
    }
}

/// What the surroundings offer.
#[derive(Debug, Clone, Copy)]
struct Surroundings {
    /// The user has said what draws.
    has_backend: bool,
    has_wayland: bool,
    has_x11: bool,
}

impl Surroundings {
    fn now() -> Self {
        let is_set = |name: &str| std::env::var_os(name).is_some_and(|text| !text.is_empty());
        Self {
            has_backend: is_set(BACKEND),
            has_wayland: WAYLAND.into_iter().any(is_set),
            has_x11: is_set("DISPLAY"),
        }
    }

    /// In the order in which they are tried.
    fn ways(self) -> Vec<DisplayChoice> {
        let mut ways = Vec::new();
        let systems = [false, true].into_iter();
        for is_x11 in systems.filter(|x11| !x11 || (self.has_wayland && self.has_x11)) {
            ways.push(DisplayChoice {
                is_gl: false,
                is_x11,
            });
            if !self.has_backend {
                ways.push(DisplayChoice {
                    is_gl: true,
                    is_x11,
                });
            }
        }
        ways
    }
}

/// Whether the window is a Wayland compositor's: winit, which opens it, hears of no dropped files there.
pub(super) fn is_on_wayland() -> bool {
    cfg!(target_os = "linux") && Surroundings::now().has_wayland
}

/// What winit says, without the place in its sources.
pub(super) fn without_place(error: &str) -> String {
    const PLACE: &str = "os error at ";
    let parts = error.split_once(PLACE);
    let parts = parts.and_then(|(before, rest)| Some((before, rest.split_once(": ")?.1)));
    let whole = parts.map_or_else(
        || error.to_owned(),
        |(before, why)| format!("{before}{why}"),
    );
    whole.trim_end_matches('.').to_owned()
}

/// Tries the next way after this one failed with `error`; an error if there is none left.
pub(super) fn try_next(
    error: &anyhow::Error,
    open: &[PathBuf],
    warn: &dyn Fn(&str),
) -> anyhow::Result<()> {
    let around = Surroundings::now();
    anyhow::ensure!(
        !cfg!(target_os = "linux") || around.has_wayland || around.has_x11,
        "there is no display to open a window on (neither WAYLAND_DISPLAY nor DISPLAY is set); every command works without one, \
         see kinfolk --help"
    );
    // The first process sets what the others are told apart by, so they see the same list.
    let ways = match std::env::var(ATTEMPT) {
        Ok(left) => parse(&left),
        Err(_none) => around.ways().into_iter().skip(1).collect(),
    };
    let Some((next, rest)) = ways.split_first() else {
        anyhow::bail!(
            "{error:#}. No other way is left: install a driver for Vulkan or OpenGL (on Debian mesa-vulkan-drivers), or work \
             without a window (kinfolk --help)"
        );
    };
    warn(&format!("{error:#}; trying {}", next.name()));
    let mut child = Command::new(std::env::current_exe()?);
    child.args(open).env(ATTEMPT, text(rest));
    if next.is_gl {
        child.env(BACKEND, "gl");
    } else if std::env::var_os(ATTEMPT).is_some() {
        // Set by the attempt before.
        child.env_remove(BACKEND);
    }
    if next.is_x11 {
        for name in WAYLAND {
            child.env_remove(name);
        }
    }
    let status = child.status()?;
    anyhow::ensure!(status.success(), "no window could be opened, see above");
    Ok(())
}

fn text(ways: &[DisplayChoice]) -> String {
    let words = ways.iter().map(|way| match (way.is_gl, way.is_x11) {
        (true, true) => "gl-x11",
        (true, false) => "gl",
        (false, true) => "x11",
        (false, false) => "usual",
    });
    words.collect::<Vec<_>>().join(",")
}

fn parse(text: &str) -> Vec<DisplayChoice> {
    let words = text.split(',').filter(|word| !word.is_empty());
    let ways = words.map(|word| DisplayChoice {
        is_gl: word.starts_with("gl"),
        is_x11: word.ends_with("x11"),
    });
    ways.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names([has_backend, has_wayland, has_x11]: [bool; 3]) -> Vec<&'static str> {
        let around = Surroundings {
            has_backend,
            has_wayland,
            has_x11,
        };
        around.ways().into_iter().map(DisplayChoice::name).collect()
    }

    #[test]
    fn opengl_comes_before_another_window_system() {
        let all = ["the usual way", "OpenGL", "X11", "OpenGL on X11"];
        assert_eq!(names([false, true, true]), all);
        assert_eq!(names([false, false, true]), all[..2]);
        assert_eq!(names([false, true, false]), all[..2]);
        assert_eq!(names([true, true, true]), ["the usual way", "X11"]);
    }

    #[test]
    fn winit_is_quoted_without_places_in_its_sources() {
        let said = "winit EventLoopError: os error at /home/me/winit/src/mod.rs:89: Could not find wayland compositor.";
        let wanted = "winit EventLoopError: Could not find wayland compositor";
        assert_eq!(without_place(said), wanted);
        assert_eq!(without_place("no driver"), "no driver");
    }

    #[test]
    fn what_is_left_is_told_to_the_next_process() {
        let around = Surroundings {
            has_backend: false,
            has_wayland: true,
            has_x11: true,
        };
        let ways = around.ways();
        assert_eq!(parse(&text(&ways[1..])), ways[1..]);
        assert!(parse("").is_empty());
    }
}
