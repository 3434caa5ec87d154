//! Actions that begin and end in relaxed standing, with both feet where they are.

use crate::demo::act::{ArmKey, Control as C, RELAXED, Recipe, hang, reach};
use crate::demo::skeleton::Side::{Left, Right};

/// Standing about: weight from one leg to the other, breathing, a look aside.
pub(in crate::demo) fn idle() -> Recipe {
    let mut recipe = Recipe::standing(4.0)
        .track(C::PelvisX, &[(0.0, 2.5), (1.1, 3.0), (2.2, -2.8), (3.6, -2.2)])
        .track(C::PelvisRoll, &[(0.0, 1.5), (1.1, 2.0), (2.2, -2.2), (3.6, -1.8)])
        .track(C::PelvisY, &[(0.0, -0.3), (1.6, 0.0), (2.4, -0.5)])
        .track(C::ChestRoll, &[(0.0, -1.0), (1.15, -1.5), (2.3, 1.8), (3.6, 1.4)])
        .track(C::ChestPitch, &[(0.0, 2.0), (0.9, 0.8), (1.9, 2.2), (2.8, 0.9), (3.8, 2.0)])
        .track(C::ChestYaw, &[(0.0, 1.0), (1.3, 3.0), (2.4, -4.0), (3.6, -1.0)])
        .track(C::HeadYaw, &[(0.0, 4.0), (0.7, 6.0), (1.15, 24.0), (1.9, 22.0), (2.5, -8.0), (3.6, -4.0)])
        .track(C::HeadPitch, &[(0.0, 3.0), (1.2, -1.0), (2.5, 5.0), (3.6, 2.0)]);
    for (side, late) in [(Left, 0.0), (Right, 0.15)] {
        recipe = recipe.arm(side, &[
            (0.0, RELAXED),
            (1.2 + late, hang(4.0, 9.0, 20.0, 18.0)),
            (2.4 + late, hang(-1.0, 8.0, 14.0, 12.0)),
            (3.7, RELAXED),
        ]);
    }
    recipe.unrest = 1.4;
    recipe
}

/// The right hand up, and from side to side.
pub(in crate::demo) fn wave() -> Recipe {
    const fn held(out: f64, up: f64) -> ArmKey {
        reach([out, up, 17.0], [0.55, -1.0, -0.1], 70.0)
    }
    Recipe::standing(2.8)
        .arm(Right, &[
            (0.15, RELAXED),
            (0.36, hang(16.0, 16.0, 10.0, 45.0)),
            (0.72, held(17.0, 17.0)),
            (0.98, held(33.0, 12.0)),
            (1.24, held(11.0, 18.0)),
            (1.50, held(34.0, 11.0)),
            (1.76, held(13.0, 17.0)),
            (1.98, held(28.0, 12.0)),
            (2.30, hang(18.0, 18.0, 12.0, 45.0)),
            (2.68, RELAXED),
        ])
        .arm(Left, &[
            (0.0, RELAXED),
            (0.8, hang(-3.0, 10.0, 18.0, 17.0)),
            (2.2, hang(-2.0, 10.0, 18.0, 16.0)),
            (2.7, RELAXED),
        ])
        .track(C::PelvisX, &[(0.05, 0.0), (0.65, 3.0), (2.0, 2.6), (2.65, 0.0)])
        .track(C::PelvisRoll, &[(0.05, 0.0), (0.65, 2.0), (2.0, 1.8), (2.65, 0.0)])
        .track(C::ChestRoll, &[(0.1, 0.0), (0.7, -5.0), (0.98, -3.0), (1.24, -5.0), (1.5, -3.0), (1.9, -4.5), (2.6, 0.0)])
        .track(C::ChestYaw, &[(0.1, 0.0), (0.7, 7.0), (1.9, 6.0), (2.6, 0.0)])
        .track(C::HeadYaw, &[(0.0, 0.0), (0.5, -7.0), (2.0, -6.0), (2.6, 0.0)])
        .track(C::HeadRoll, &[(0.1, 0.0), (0.7, 4.0), (1.9, 3.0), (2.6, 0.0)])
        .track(C::HeadPitch, &[(0.0, 2.0), (0.6, -4.0), (2.0, -3.0), (2.6, 2.0)])
}

/// Both hands up, twice, on the toes.
pub(in crate::demo) fn cheer() -> Recipe {
    let up = reach([17.0, 50.0, 4.0], [1.0, -0.1, 0.2], 20.0);
    let half = reach([22.0, 33.0, 10.0], [1.0, -0.4, 0.0], 20.0);
    let recipe = Recipe::standing(2.4)
        .both_arms(&[
            (0.12, RELAXED),
            (0.36, hang(-24.0, 18.0, 5.0, 40.0)),
            (0.56, reach([12.0, -4.0, 27.0], [0.8, -0.8, -0.2], 20.0)),
            (0.78, up),
            (1.04, half),
            (1.28, up),
            (1.50, up),
            (1.80, reach([16.0, -10.0, 28.0], [0.8, -0.8, -0.2], 20.0)),
            (2.22, RELAXED),
        ])
        .track(C::PelvisY, &[(0.05, 0.0), (0.36, -9.0), (0.70, 5.5), (0.78, 5.5), (1.02, -5.0), (1.26, 5.0), (1.44, 5.0), (1.80, -3.0), (2.15, 0.0)])
        .track(C::PelvisZ, &[(0.05, 0.0), (0.36, -3.0), (0.72, 4.0), (1.02, 0.0), (1.28, 4.0), (1.5, 3.5), (1.85, 0.0)])
        .track(C::PelvisPitch, &[(0.05, 4.0), (0.36, 14.0), (0.72, -2.0), (1.02, 7.0), (1.28, -3.0), (1.5, -2.0), (2.0, 4.0)])
        .track(C::ChestPitch, &[(0.08, 2.0), (0.38, 17.0), (0.76, -9.0), (1.04, 4.0), (1.30, -10.0), (1.5, -9.0), (2.05, 2.0)])
        .track(C::HeadPitch, &[(0.05, 2.0), (0.38, 8.0), (0.74, -18.0), (1.04, -8.0), (1.30, -20.0), (1.5, -18.0), (2.1, 2.0)]);
    let heels = [
        (0.36, 0.0),
        (0.70, 27.0),
        (0.80, 27.0),
        (1.02, 0.0),
        (1.26, 26.0),
        (1.45, 26.0),
        (1.74, 0.0),
    ];
    recipe
        .track(C::Heel(Left), &heels)
        .track(C::Heel(Right), &heels)
}

/// Down until the thighs are level, arms forward, and up again.
pub(in crate::demo) fn squat() -> Recipe {
    let mut recipe = Recipe::standing(2.4)
        .both_arms(&[
            (0.10, RELAXED),
            (0.50, hang(50.0, 10.0, 20.0, 22.0)),
            (1.00, hang(112.0, 8.0, 25.0, 14.0)),
            (1.30, hang(110.0, 8.0, 25.0, 16.0)),
            (1.70, hang(50.0, 10.0, 20.0, 20.0)),
            (2.25, RELAXED),
        ])
        .track(C::PelvisY, &[(0.10, 0.0), (1.02, -42.0), (1.28, -42.0), (2.15, 0.0)])
        .track(C::PelvisZ, &[(0.08, 0.0), (0.98, -15.0), (1.32, -15.0), (2.10, 0.0)])
        .track(C::PelvisPitch, &[(0.08, 4.0), (0.95, 27.0), (1.35, 26.0), (2.10, 4.0)])
        .track(C::ChestPitch, &[(0.10, 2.0), (0.98, 34.0), (1.38, 33.0), (2.15, 2.0)])
        .track(C::HeadPitch, &[(0.10, 2.0), (1.0, 8.0), (1.4, 8.0), (2.15, 2.0)]);
    recipe.feet = [(13.0, 0.0, 17.0), (-13.0, 0.0, -17.0)];
    recipe
}
