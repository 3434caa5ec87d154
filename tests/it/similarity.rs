//! Who belongs to a set of clips, and who does not.

use kinfolk::demo::{Action, make};
use kinfolk::motion::Clip;
use kinfolk::motion::alignment::warp_clip;
use kinfolk::motion::similarity::set_similarity;

fn walks(seed: u64) -> Vec<Clip> {
    (0..7).map(|i| make(Action::Walk, seed, i).clip).collect()
}

#[test]
fn a_walk_with_big_arms_is_the_odd_one_among_walks() {
    for seed in [3, 4] {
        let mut clips = walks(seed);
        let refs: Vec<&Clip> = clips.iter().collect();
        let alike = set_similarity(&refs).unwrap();
        assert_eq!(alike.outliers, [0; 0], "{:?}", alike.mean_distances);
        clips.insert(3, make(Action::WalkBigArms, seed, 0).clip);
        let refs: Vec<&Clip> = clips.iter().collect();
        let look = set_similarity(&refs).unwrap();
        assert_eq!(look.outliers, [3], "{:?}", look.mean_distances);
        for a in 0..refs.len() {
            assert_eq!(look.distance(a, a), 0.0);
            assert_eq!(look.distance(a, 2), look.distance(2, a));
        }
        assert!(look.max_distance() >= look.median_distance(), "farthest");
    }
}

#[test]
fn a_slow_take_of_the_same_motion_is_near() {
    let one = make(Action::Walk, 5, 0).clip;
    let other = make(Action::Walk, 5, 1).clip;
    let moments: Vec<f64> = (0..2 * one.n_frames()).map(|f| f as f64 / 2.0).collect();
    let slow = warp_clip(&one, &moments, one.frame_secs()).unwrap();
    let look = set_similarity(&[&one, &slow, &other]).unwrap();
    let (same, else_) = (look.distance(0, 1), look.distance(0, 2));
    assert!(same < 0.3 * else_, "{same} against {else_}");
    assert!(look.outliers.is_empty(), "three are too few to say");
}

#[test]
fn nothing_and_one_are_no_trouble() {
    set_similarity(&[]).unwrap_err();
    let one = make(Action::Walk, 5, 0).clip;
    let look = set_similarity(&[&one]).unwrap();
    assert_eq!(
        (look.mean_distances.as_slice(), look.max_distance()),
        ([0.0].as_slice(), 0.0)
    );
}
