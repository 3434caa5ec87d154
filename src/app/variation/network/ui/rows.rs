//! Nodes in the order of the body: a row for each joint, its ways to turn side by side; timing and drift last.
//!
//! Seventy degrees of freedom under each other cannot be read in a panel; some twenty-five joints can.

use crate::motion::Side;
use crate::motion::chart::{BodyPart, Dof, DofKind, Region};
use crate::variation::ClipModel;

/// How a degree of freedom is drawn, so that bending is told from twisting without its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::app::variation) enum Sign {
    /// Bends, forward or back.
    Circle,
    /// Goes to the side.
    Diamond,
    /// Twists about the bone.
    Square,
    /// Anything else: speeds, height, lean, position.
    Triangle,
}

/// A joint, or one of the kinds of motion of the root.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::app::variation) struct Row {
    pub(in crate::app::variation) name: String,
    /// Nodes and their places in the row.
    pub(in crate::app::variation) nodes: Vec<(usize, usize)>,
}

/// A part of the body.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::app::variation) struct Part {
    pub(in crate::app::variation) name: String,
    pub(in crate::app::variation) rows: Vec<Row>,
}

/// The kinds of a joint's motion that have a row each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Travel,
    Lean,
    Turn,
    Shift,
}

/// All parts from head to feet.
pub(in crate::app::variation) fn parts(model: &ClipModel) -> Vec<Part> {
    let dofs = model.chart().dofs();
    let mut order: Vec<usize> = (0..dofs.len()).collect();
    let key = |dof: &usize| {
        let known = &dofs[*dof];
        let (kind, place) = place(known);
        (height(known.part), known.joint, kind, place, *dof)
    };
    order.sort_by_key(key);
    let mut parts: Vec<Part> = Vec::new();
    let mut last: Option<(BodyPart, usize, Kind)> = None;
    for dof in order {
        let known = &dofs[dof];
        let (kind, place) = place(known);
        if last.is_none_or(|(part, ..)| part != known.part) {
            parts.push(Part {
                name: known.part.to_string(),
                rows: Vec::new(),
            });
        }
        let Some(part) = parts.last_mut() else {
            continue;
        };
        if last != Some((known.part, known.joint, kind)) {
            let joint = &model.chart().skeleton().joints()[known.joint].name;
            part.rows.push(Row {
                name: row_name(joint, kind),
                nodes: Vec::new(),
            });
        }
        if let Some(row) = part.rows.last_mut() {
            row.nodes.push((dof, place));
        }
        last = Some((known.part, known.joint, kind));
    }
    let beside = (0..model.n_nodes()).filter(|node| model.node_dof(*node).is_none());
    let rows: Vec<Row> = beside
        .map(|node| Row {
            name: model.node_name(node),
            nodes: vec![(node, 0)],
        })
        .collect();
    if !rows.is_empty() {
        parts.push(Part {
            name: "timing".to_owned(),
            rows,
        });
    }
    parts
}

/// Heads are at the top of a picture, and left before right.
fn height(part: BodyPart) -> (usize, usize) {
    let region = match part.region {
        Region::Head => 0,
        Region::Spine => 1,
        Region::Arm => 2,
        Region::Root => 3,
        Region::Leg => 4,
        Region::Other => 5,
    };
    let side = match part.side {
        Side::Left => 0,
        Side::Middle => 1,
        Side::Right => 2,
    };
    (region, side)
}

fn row_name(joint: &str, kind: Kind) -> String {
    let joint = joint.rsplit([':', '|']).next().unwrap_or(joint);
    match kind {
        Kind::Turn => joint.to_owned(),
        Kind::Travel => format!("{joint} travel"),
        Kind::Lean => format!("{joint} lean"),
        Kind::Shift => format!("{joint} position"),
    }
}

/// The row of a degree of freedom among those of its joint, and its place in it.
fn place(dof: &Dof) -> (Kind, usize) {
    match dof.kind {
        DofKind::ForwardSpeed => (Kind::Travel, 0),
        DofKind::SidewaysSpeed => (Kind::Travel, 1),
        DofKind::TurnRate => (Kind::Travel, 2),
        DofKind::Height => (Kind::Lean, 0),
        DofKind::LeanForward => (Kind::Lean, 1),
        DofKind::LeanLeft => (Kind::Lean, 2),
        DofKind::LeanTwist => (Kind::Lean, 3),
        DofKind::Shift(dim) => (Kind::Shift, dim as usize),
        DofKind::Turn { axis } => {
            let place = match sign(dof) {
                Sign::Circle => 0,
                Sign::Diamond => 1,
                Sign::Square => 2,
                Sign::Triangle => axis,
            };
            (Kind::Turn, place)
        }
    }
}

/// By the last word of its name, which says how it turns.
pub(in crate::app::variation) fn sign(dof: &Dof) -> Sign {
    let word = dof.name.rsplit(' ').next().unwrap_or_default();
    match (dof.kind, word) {
        (DofKind::Turn { .. }, "bend") => Sign::Circle,
        (DofKind::Turn { .. }, "sideways") => Sign::Diamond,
        (DofKind::Turn { .. }, "twist") => Sign::Square,
        _ => Sign::Triangle,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::variation::quick_jumps;

    #[test]
    fn every_node_has_one_place_from_head_to_feet() {
        let model = quick_jumps();
        let parts = parts(&model);
        let names: Vec<&str> = parts.iter().map(|part| part.name.as_str()).collect();
        assert_eq!(names.first(), Some(&"head"));
        assert_eq!(names.last(), Some(&"timing"));
        let rows = || parts.iter().flat_map(|part| &part.rows);
        let mut seen: Vec<usize> = rows().flat_map(|r| r.nodes.iter().map(|d| d.0)).collect();
        seen.sort_unstable();
        let all: Vec<usize> = (0..model.n_nodes()).collect();
        assert_eq!(seen, all, "each once");
        for row in rows() {
            let mut places: Vec<usize> = row.nodes.iter().map(|d| d.1).collect();
            places.dedup();
            assert_eq!(
                places.len(),
                row.nodes.len(),
                "{row:?}: no two in one place"
            );
        }
        assert!(rows().count() * 3 < all.len() * 2, "fewer rows by a third");
    }
}
