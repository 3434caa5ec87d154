//! What a join measures, as JSON.

use serde_json::Value;

use crate::motion::join::report::JoinReport;

/// Adds what a join measures to what else is told of it.
pub(super) fn with_report(mut told: Value, report: &JoinReport) -> Value {
    for (name, number) in [
        ("pose_jump", report.pose_jump_deg),
        ("velocity_jump", report.velocity_jump_deg),
        ("jerk_ratio", report.jerk_ratio),
        ("space_jerk_ratio", report.space_jerk_ratio),
        ("overshoot_deg", report.overshoot_deg),
        ("foot_slide", report.foot_slide),
    ] {
        told[name] = number.into();
    }
    told
}
