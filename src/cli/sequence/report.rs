//! What came of a sequence, as text and as JSON.

use std::fmt::Write as _;
use std::path::Path;

use serde_json::{Value, json};

use super::{MadeSequence, SequenceJoin};
use crate::cli::join_json::with_report;
use crate::cli::{Common, TO_STRING, print_json};
use crate::transition::TransitionKind;

pub(super) fn print(made: &MadeSequence, out: &Path, common: &Common) -> anyhow::Result<()> {
    if common.json {
        print_json(&json!({
            "file": out.display().to_string(),
            "frames": made.clip.n_frames(),
            "fps": made.clip.fps(),
            "joins": made.joins.iter().map(join_json).collect::<Vec<_>>(),
            "targets": made.hits.iter().map(super::made::TargetHit::json).collect::<Vec<_>>(),
            "ms_per_frame": made.ms_per_frame,
        }))?;
    } else {
        crate::cli::print(&as_text(made, out))?;
    }
    Ok(())
}

fn join_json(join: &SequenceJoin) -> Value {
    let made = &join.made;
    let path = match &made.kind {
        TransitionKind::Path(clusters) | TransitionKind::Bezier(clusters) => clusters.as_slice(),
        TransitionKind::Direct(_) | TransitionKind::Linear => &[],
    };
    let told = json!({
        "from": join.from,
        "to": join.to,
        "kind": made.kind.word(),
        "at": made.at,
        "frames": made.frames,
        "enter": made.enter,
        "cost": made.cost,
        "posture": made.quality.posture,
        "path": path,
    });
    with_report(told, &made.quality.report)
}

/// A line for each join, then one for each target.
fn as_text(made: &MadeSequence, out: &Path) -> String {
    let mut text = String::new();
    if !made.joins.is_empty() {
        text.push_str(
            "   at frames kind      cost  pose  velocity  jerk  space  over  slide  posture  from > to\n\
             \u{20}                              deg     deg/s                deg    m/s      rad\n",
        );
    }
    for join in &made.joins {
        let one = &join.made;
        let report = &one.quality.report;
        writeln!(
            text,
            "{:>5} {:>6} {:<7} {:>6.2} {:>5.1} {:>9.0} {:>5.2} {:>6.2} {:>5.1} {:>6.2} {:>8.2}  {} > {}",
            one.at,
            one.frames,
            one.kind.word(),
            one.cost,
            report.pose_jump_deg,
            report.velocity_jump_deg,
            report.jerk_ratio,
            report.space_jerk_ratio,
            report.overshoot_deg,
            report.foot_slide,
            one.quality.posture,
            join.from,
            join.to
        )
        .expect(TO_STRING);
    }
    for hit in &made.hits {
        writeln!(text, "{hit}").expect(TO_STRING);
    }
    writeln!(
        text,
        "{} frames at {:.0} a second, {:.2} ms a frame\n{}",
        made.clip.n_frames(),
        made.clip.fps(),
        made.ms_per_frame,
        out.display()
    )
    .expect(TO_STRING);
    text
}
