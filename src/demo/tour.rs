//! What the tour shows, in the window and on the command line: which clips go together, and a path to walk along.

use super::Action;

/// A fight in six moves.
pub const FIGHT: [&str; 6] = [
    "jab_01",
    "cross_02",
    "front_kick_01",
    "dodge_01",
    "hook_01",
    "round_kick_01",
];
/// Actions whose poses are the boxer's style.
pub const BOXING: [Action; 3] = [Action::Jab, Action::Cross, Action::Hook];
/// The size of the path, in centimetres.
const PATH_LENGTH: f64 = 900.0;
const PATH_WIDTH: f64 = 110.0;

/// An S over the floor, as x and z in centimetres at so many points.
pub fn path(n_points: usize) -> Vec<[f64; 2]> {
    let last = n_points.saturating_sub(1).max(1);
    let points = (0..n_points).map(|i| {
        let share = i as f64 / last as f64;
        let x = PATH_WIDTH * libm::sin(share * std::f64::consts::TAU);
        [x, share * PATH_LENGTH]
    });
    points.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_moves_of_the_fight_are_in_the_library() {
        let names: Vec<String> = crate::demo::library()
            .into_iter()
            .map(|demo| demo.clip.info.name)
            .collect();
        for name in FIGHT {
            assert!(names.iter().any(|n| n == name), "{name}");
        }
    }

    #[test]
    fn the_path_goes_its_whole_length() {
        let points = path(61);
        assert_eq!(points.len(), 61);
        assert_eq!(points[60][1], PATH_LENGTH);
        let widest = points.iter().map(|p| p[0].abs()).fold(0.0, f64::max);
        assert!((widest - PATH_WIDTH).abs() < 0.5, "{widest}");
    }
}
