//! A line drawn by hand becomes a few points that can be edited (Douglas and Peucker 1973).

use crate::motion::path::Vec2;

/// The fewest points such that the line through them is nowhere farther than this from the drawn one.
pub fn simplified(drawn: &[Vec2], tolerance: f64) -> Vec<Vec2> {
    let Some(last) = drawn.len().checked_sub(1) else {
        return Vec::new();
    };
    let mut keeps = vec![false; drawn.len()];
    (keeps[0], keeps[last]) = (true, true);
    let mut open = vec![(0, last)];
    while let Some((from, to)) = open.pop() {
        let off = |at: usize| beside(&drawn[at], &drawn[from], &drawn[to]);
        let farthest = (from + 1..to).max_by(|&a, &b| off(a).total_cmp(&off(b)));
        if let Some(at) = farthest.filter(|&at| off(at) > tolerance) {
            keeps[at] = true;
            open.extend([(from, at), (at, to)]);
        }
    }
    let kept = drawn.iter().zip(keeps).filter(|(_, keeps)| *keeps);
    kept.map(|(place, _)| *place).collect()
}

/// How far a place is from a stretch.
pub fn beside(place: &Vec2, from: &Vec2, to: &Vec2) -> f64 {
    let way = to - from;
    let share = (place - from).dot(&way) / way.norm_squared();
    let share = if share.is_finite() {
        share.clamp(0.0, 1.0)
    } else {
        0.0
    };
    (place - (from + way * share)).norm()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shaky_corner_becomes_three_points() {
        let shake = |i: usize| 0.01 * f64::from(i8::from(i.is_multiple_of(2)));
        let mut drawn: Vec<Vec2> = (0..50)
            .map(|i| Vec2::new(shake(i), i as f64 * 0.1))
            .collect();
        drawn.extend((1..50).map(|i| Vec2::new(i as f64 * 0.1, 4.9 + shake(i))));
        let few = simplified(&drawn, 0.1);
        assert_eq!(few.len(), 3, "{few:?}");
        assert_eq!(few[0], drawn[0]);
        assert_eq!(few[2], drawn[drawn.len() - 1]);
        assert!((few[1] - Vec2::new(0.0, 4.9)).norm() < 0.2, "{few:?}");
        assert!(simplified(&[], 0.1).is_empty());
        assert_eq!(simplified(&drawn[..1], 0.1).len(), 1);
        let circle: Vec<Vec2> = (0..=100)
            .map(|i| {
                let (sin, cos) = (f64::from(i) * std::f64::consts::TAU / 100.0).sin_cos();
                Vec2::new(cos, sin)
            })
            .collect();
        assert!(simplified(&circle, 0.05).len() > 5, "back to its start");
    }
}
