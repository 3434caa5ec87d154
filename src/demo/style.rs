//! Ways of going: a table for each of what the body does over a cycle.
//!
//! The walk was fitted by eye to the joint curves of captured walks; the others start from it.

/// A way of going. Angles in degrees, lengths in centimetres, shares of the cycle or of the stance.
#[derive(Debug, Clone, Copy)]
pub(super) struct Style {
    /// Share of the cycle that each foot stands.
    pub(super) stance: [f64; 2],
    /// Phase of the right heel strike.
    pub(super) right_phase: f64,
    /// Share of its stance at which the pelvis passes over a foot.
    pub(super) passes: [f64; 2],
    /// Shares of the stance at which the sole is down, and at which the heel rises.
    pub(super) flat: f64,
    pub(super) heel_off: f64,
    pub(super) strike_pitch: f64,
    pub(super) off_pitch: f64,
    /// Share of the swing at which the heel is highest behind.
    pub(super) trail: f64,
    /// Share of the heel's rise in the second half of its time.
    pub(super) late_rise: f64,
    pub(super) lift: f64,
    pub(super) toe_out: f64,
    /// The pelvis below standing height, and its ups and downs: half their range, and the phase of the lowest point.
    pub(super) drop: f64,
    pub(super) bob: f64,
    pub(super) low_phase: f64,
    pub(super) sway: f64,
    pub(super) surge: f64,
    pub(super) pelvis_yaw: f64,
    pub(super) pelvis_roll: f64,
    pub(super) pelvis_pitch: f64,
    pub(super) chest_yaw: f64,
    pub(super) chest_pitch: f64,
    /// Sideways lean of the chest towards the right foot while that one stands: a limp.
    pub(super) favour: f64,
    pub(super) head_pitch: f64,
    pub(super) arm_flex: f64,
    pub(super) arm_swing: f64,
    pub(super) arm_out: f64,
    pub(super) arm_in: f64,
    pub(super) elbow: f64,
    pub(super) elbow_swing: f64,
    /// How much the body wanders; 1 is a relaxed walk.
    pub(super) unrest: f64,
}

/// A walk at comfortable speed.
pub(super) const WALK: Style = Style {
    stance: [0.60; 2],
    right_phase: 0.5,
    passes: [0.40; 2],
    flat: 0.16,
    heel_off: 0.62,
    strike_pitch: -24.0,
    off_pitch: 70.0,
    trail: 0.12,
    late_rise: 0.65,
    lift: 8.0,
    toe_out: 6.0,
    drop: 3.5,
    bob: 1.5,
    low_phase: 0.05,
    sway: 2.0,
    surge: 0.8,
    pelvis_yaw: 5.0,
    pelvis_roll: 3.5,
    pelvis_pitch: 5.0,
    chest_yaw: 4.5,
    chest_pitch: 3.0,
    favour: 0.0,
    head_pitch: 2.0,
    arm_flex: 1.0,
    arm_swing: 8.0,
    arm_out: 7.0,
    arm_in: 14.0,
    elbow: 22.0,
    elbow_swing: 7.0,
    unrest: 1.0,
};

/// A march-like walk with arms swung high.
pub(super) const BIG_ARMS: Style = Style {
    arm_flex: 8.0,
    arm_swing: 38.0,
    arm_out: 9.0,
    elbow: 32.0,
    elbow_swing: 14.0,
    chest_yaw: 9.0,
    pelvis_yaw: 6.0,
    ..WALK
};

/// The right leg hurts: a short, stiff stance on it with the trunk leaning over it.
pub(super) const LIMP: Style = Style {
    stance: [0.70, 0.53],
    right_phase: 0.56,
    passes: [0.44, 0.40],
    strike_pitch: -9.0,
    off_pitch: 46.0,
    drop: 3.5,
    favour: 7.0,
    arm_swing: 8.0,
    arm_out: 11.0,
    pelvis_yaw: 3.0,
    chest_pitch: 8.0,
    head_pitch: 7.0,
    lift: 2.5,
    ..WALK
};

/// An easy run with a phase in the air.
pub(super) const JOG: Style = Style {
    stance: [0.34; 2],
    passes: [0.34; 2],
    flat: 0.22,
    heel_off: 0.30,
    strike_pitch: -7.0,
    off_pitch: 98.0,
    trail: 0.28,
    late_rise: 0.2,
    lift: 12.0,
    toe_out: 4.0,
    drop: 8.8,
    bob: 4.0,
    low_phase: 0.17,
    sway: 1.0,
    surge: 0.6,
    pelvis_yaw: 7.0,
    pelvis_roll: 4.0,
    pelvis_pitch: 10.0,
    chest_yaw: 11.0,
    chest_pitch: 9.0,
    head_pitch: 4.0,
    arm_flex: -6.0,
    arm_swing: 27.0,
    arm_out: 12.0,
    arm_in: 26.0,
    elbow: 98.0,
    elbow_swing: 9.0,
    ..WALK
};

/// Crouched, slow, on the balls of the feet, hands ready.
pub(super) const SNEAK: Style = Style {
    stance: [0.64; 2],
    passes: [0.47; 2],
    flat: 0.30,
    heel_off: 0.66,
    strike_pitch: 14.0,
    off_pitch: 44.0,
    trail: 0.12,
    lift: 17.0,
    toe_out: 8.0,
    drop: 13.0,
    bob: 2.2,
    low_phase: 0.13,
    sway: 3.2,
    surge: 1.2,
    pelvis_yaw: 4.0,
    pelvis_roll: 3.0,
    pelvis_pitch: 16.0,
    chest_yaw: 6.0,
    chest_pitch: 27.0,
    head_pitch: 4.0,
    arm_flex: 24.0,
    arm_swing: 12.0,
    arm_out: 20.0,
    arm_in: 26.0,
    elbow: 74.0,
    elbow_swing: 10.0,
    unrest: 1.4,
    ..WALK
};

/// Small steps on the spot.
pub(super) const TURN: Style = Style {
    stance: [0.66; 2],
    passes: [0.5; 2],
    strike_pitch: 5.0,
    off_pitch: 30.0,
    lift: 5.0,
    drop: 2.5,
    ..WALK
};
