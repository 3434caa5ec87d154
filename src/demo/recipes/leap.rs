//! Actions that leave the ground or the spot: a jump, hops, a throw.

use crate::demo::act::{Control as C, Leap, RELAXED, Recipe, Step, hang, reach};
use crate::demo::skeleton::Side::{self, Left, Right};

/// How far the jump, one hop and the throw's step go in an average take.
pub(in crate::demo) const JUMP_CM: f64 = 45.0;
pub(in crate::demo) const HOP_CM: f64 = 32.0;
pub(in crate::demo) const THROW_CM: f64 = 48.0;

/// From both feet to both feet, forward, arms swinging.
pub(in crate::demo) fn jump() -> Recipe {
    let mut recipe = Recipe::standing(2.5)
        .both_arms(&[
            (0.08, hang(1.0, 8.0, 16.0, 13.0)),
            (0.30, hang(28.0, 10.0, 14.0, 24.0)),
            (0.62, hang(-46.0, 16.0, 8.0, 20.0)),
            (1.06, hang(114.0, 16.0, 10.0, 34.0)),
            (1.28, hang(90.0, 26.0, 10.0, 40.0)),
            (1.56, hang(34.0, 26.0, 12.0, 46.0)),
            (2.30, RELAXED),
        ])
        .track(C::PelvisZ, &[(0.10, 0.0), (0.60, -7.0), (0.95, 8.0), (1.36, JUMP_CM - 5.0), (1.62, JUMP_CM - 4.0), (2.2, JUMP_CM)])
        .track(C::PelvisPitch, &[(0.10, 4.0), (0.60, 36.0), (0.92, 6.0), (1.15, 2.0), (1.36, 10.0), (1.60, 26.0), (2.2, 4.0)])
        .track(C::ChestPitch, &[(0.10, 2.0), (0.62, 46.0), (0.94, 6.0), (1.15, 6.0), (1.36, 14.0), (1.62, 30.0), (2.25, 2.0)])
        .track(C::HeadPitch, &[(0.10, 2.0), (0.62, 16.0), (0.94, -4.0), (1.3, 14.0), (1.62, 14.0), (2.25, 2.0)]);
    for side in [Left, Right] {
        let (x, _, yaw) = recipe.feet[side.index()];
        recipe = recipe
            .step(Step {
                side,
                secs: [0.64, 0.90, 1.34, 1.44],
                to: (x, JUMP_CM, yaw),
                lift: 30.0,
                off_pitch: 58.0,
                strike_pitch: 16.0,
            })
            .track(C::Lifted(side), &[(0.90, 0.0), (1.02, 1.0), (1.18, 1.0), (1.34, 0.0)])
            .track(C::Swing(side), &[(0.84, -12.0), (1.10, 4.0), (1.34, 12.0)])
            .track(C::Knee(side), &[(0.86, 14.0), (1.12, 44.0), (1.34, 24.0)])
            .track(C::Point(side), &[(0.86, 48.0), (1.12, 26.0), (1.34, 8.0)]);
    }
    recipe.leaps = vec![Leap {
        secs: [0.64, 0.90, 1.34, 1.60, 2.25],
        heights: [-30.0, 5.5, -9.0, -26.0, 0.0],
    }];
    recipe
}

/// Three hops on the left foot.
pub(in crate::demo) fn hop() -> Recipe {
    let mut recipe = Recipe::standing(2.5)
        .track(C::Lifted(Right), &[(0.0, 1.0)])
        .track(C::PelvisRoll, &[(0.0, 3.0)])
        .track(C::ChestRoll, &[(0.0, -4.0)])
        .track(C::PelvisX, &[(0.0, 7.0)]);
    let landings = [0.86, 1.36, 1.86];
    let mut ahead = vec![(0.20, 0.0)];
    let mut swing = vec![(0.10, -18.0)];
    let mut knee = vec![(0.10, 102.0)];
    let mut chest = vec![(0.10, 5.0)];
    let mut arms = vec![(0.10, hang(12.0, 22.0, 16.0, 50.0))];
    for (i, touch) in landings.into_iter().enumerate() {
        let off = touch - 0.26;
        let there = HOP_CM * (i + 1) as f64;
        ahead.extend([(off, there - HOP_CM + 5.0), (touch, there - 5.0)]);
        swing.extend([(off - 0.16, -22.0), (off + 0.10, 8.0)]);
        knee.extend([(off - 0.16, 108.0), (off + 0.10, 88.0)]);
        chest.extend([(off - 0.15, 14.0), (off + 0.08, 5.0)]);
        arms.extend([
            (off - 0.16, hang(-10.0, 26.0, 14.0, 56.0)),
            (off + 0.06, hang(36.0, 28.0, 14.0, 66.0)),
        ]);
        recipe = recipe.step(Step {
            side: Left,
            secs: [off - 0.13, off, touch, touch + 0.10],
            to: (9.5, there, 5.0),
            lift: 9.0,
            off_pitch: 50.0,
            strike_pitch: 17.0,
        });
        recipe.leaps.push(Leap {
            secs: [off - 0.13, off, touch, touch + 0.11, 0.0],
            heights: [-10.0, 3.5, -4.0, -10.0, 0.0],
        });
    }
    let last = landings[2];
    if let Some(leap) = recipe.leaps.last_mut() {
        leap.secs[4] = last + 0.5;
        leap.heights[4] = -2.0;
    }
    ahead.push((last + 0.4, 3.0 * HOP_CM));
    swing.push((last + 0.35, -18.0));
    knee.extend([(last + 0.10, 108.0), (last + 0.45, 102.0)]);
    chest.extend([(last + 0.13, 14.0), (last + 0.5, 5.0)]);
    arms.extend([
        (last + 0.12, hang(2.0, 30.0, 14.0, 56.0)),
        (last + 0.5, hang(12.0, 24.0, 16.0, 50.0)),
    ]);
    recipe
        .track(C::PelvisZ, &ahead)
        .track(C::Swing(Right), &swing)
        .track(C::Knee(Right), &knee)
        .track(C::Point(Right), &[(0.0, 4.0)])
        .track(C::ChestPitch, &chest)
        .track(C::PelvisPitch, &[(0.0, 8.0)])
        .both_arms(&arms)
}

/// Overarm with the right hand: weight back, a step with the left foot, hips, trunk, shoulder, elbow, wrist.
pub(in crate::demo) fn throw() -> Recipe {
    let step = |side: Side, secs: [f64; 4], to: (f64, f64, f64), pitches: (f64, f64)| Step {
        side,
        secs,
        to,
        lift: 8.0,
        off_pitch: pitches.0,
        strike_pitch: pitches.1,
    };
    Recipe::standing(2.5)
        .step(step(
            Left,
            [0.34, 0.46, 0.84, 0.93],
            (10.0, THROW_CM, 4.0),
            (34.0, -14.0),
        ))
        .step(step(
            Right,
            [0.90, 1.38, 1.78, 1.88],
            (-9.5, THROW_CM, -7.0),
            (52.0, -6.0),
        ))
        .arm(Right, &[
            (0.12, RELAXED),
            (0.40, reach([16.0, -28.0, 22.0], [0.7, -0.7, -0.4], 20.0)),
            (0.72, reach([34.0, -4.0, -20.0], [0.4, -1.0, -0.2], 60.0)),
            (0.92, reach([30.0, 22.0, -14.0], [1.0, -0.6, 0.2], 70.0)),
            (1.07, reach([20.0, 34.0, 32.0], [1.0, -0.4, 0.2], 70.0)),
            (1.20, reach([-6.0, -6.0, 48.0], [1.0, -0.3, 0.0], 60.0)),
            (1.38, reach([-20.0, -32.0, 28.0], [0.9, -0.4, -0.2], 40.0)),
            (1.80, hang(16.0, 10.0, 24.0, 30.0)),
            (2.35, RELAXED),
        ])
        .arm(Left, &[
            (0.12, RELAXED),
            (0.42, reach([6.0, -24.0, 28.0], [0.7, -0.7, -0.3], 20.0)),
            (0.76, reach([24.0, 2.0, 42.0], [0.7, -0.7, 0.0], 40.0)),
            (1.00, reach([20.0, -18.0, 22.0], [0.8, -0.4, -0.6], 40.0)),
            (1.20, reach([12.0, -26.0, 4.0], [0.5, -0.3, -1.0], 30.0)),
            (1.75, hang(-8.0, 14.0, 16.0, 30.0)),
            (2.35, RELAXED),
        ])
        .track(C::PelvisX, &[(0.06, 0.0), (0.40, -5.5), (0.85, -1.0), (1.25, 5.0), (1.75, 4.0), (2.2, 0.0)])
        .track(C::PelvisZ, &[(0.10, 0.0), (0.44, -5.0), (0.86, 15.0), (1.22, 34.0), (1.9, THROW_CM), (2.2, THROW_CM)])
        .track(C::PelvisY, &[(0.10, 0.0), (0.44, -4.0), (0.90, -9.0), (1.22, -8.0), (2.0, 0.0)])
        .track(C::PelvisYaw, &[(0.10, 0.0), (0.50, -42.0), (0.72, -46.0), (1.04, 14.0), (1.3, 18.0), (1.95, 0.0)])
        .track(C::PelvisPitch, &[(0.10, 4.0), (0.6, 2.0), (1.10, 12.0), (1.35, 18.0), (2.1, 4.0)])
        .track(C::ChestYaw, &[(0.14, 0.0), (0.56, -58.0), (0.84, -64.0), (1.12, 26.0), (1.36, 38.0), (2.05, 0.0)])
        .track(C::ChestPitch, &[(0.14, 2.0), (0.60, -8.0), (0.88, -10.0), (1.14, 20.0), (1.38, 34.0), (2.1, 2.0)])
        .track(C::ChestRoll, &[(0.14, 0.0), (0.60, 8.0), (0.9, 4.0), (1.12, -14.0), (1.4, -6.0), (2.1, 0.0)])
        .track(C::HeadYaw, &[(0.1, 0.0), (0.5, -8.0), (1.2, 6.0), (2.0, 0.0)])
        .track(C::HeadPitch, &[(0.1, 2.0), (0.6, -4.0), (1.1, 4.0), (1.4, 10.0), (2.1, 2.0)])
}
