//! Networks of a model for other programs: a drawing for Graphviz (DOT) and a table of edges (CSV).

use std::fmt::Write as _;

use super::csv::field;
use crate::motion::chart::Dof;
use crate::variation::{ClipModel, Parent, Seen};

const TO_STRING: &str = "a string takes every character";

/// The transition network as a graph from left to right: a column for each of the frames t, t+1 and t+2, nodes grouped
/// by part of the body. Nodes at t and t+1 that nobody listens to are left out.
pub fn transition_dot(model: &ClipModel) -> String {
    let dofs = model.chart().dofs();
    let structure = model.model().structure();
    let edges =
        (0..dofs.len()).flat_map(|node| structure.parents(node).iter().map(move |p| (*p, node)));
    let edges: Vec<(Parent, usize)> = edges.collect();
    let mut text = head("transition");
    for (time, seen) in [
        ("t", Some(Seen::Before)),
        ("t1", Some(Seen::Now)),
        ("t2", None),
    ] {
        let is_drawn = |dof: usize| match seen {
            Some(seen) => edges.iter().any(|(p, _)| *p == Parent { dof, seen }),
            None => true,
        };
        for_parts(&mut text, dofs, time, &is_drawn);
    }
    for (parent, node) in edges {
        let time = match parent.seen {
            Seen::Before => "t",
            Seen::Now => "t1",
        };
        writeln!(text, "  {time}_{} -> t2_{node};", parent.dof).expect(TO_STRING);
    }
    text.push_str("}\n");
    text
}

/// The prior network as a graph from left to right: values of the first frame and changes to the second.
pub fn prior_dot(model: &ClipModel) -> String {
    let dofs = model.chart().dofs();
    let n = dofs.len();
    let mut text = head("prior");
    let name = |node: usize| {
        let time = if node < n { "first" } else { "change" };
        format!("{time}_{}", node % n)
    };
    for time in ["first", "change"] {
        for_parts(&mut text, dofs, time, &|_| true);
    }
    for (node, parents) in model.model().structure().prior().iter().enumerate() {
        for parent in parents {
            writeln!(text, "  {} -> {};", name(*parent), name(node)).expect(TO_STRING);
        }
    }
    text.push_str("}\n");
    text
}

fn head(name: &str) -> String {
    format!(
        "digraph {name} {{\n  rankdir=LR;\n  node [shape=box, fontname=\"sans-serif\", fontsize=10];\n"
    )
}

/// Nodes of one time, those of one part of the body in one box.
fn for_parts(text: &mut String, dofs: &[Dof], time: &str, is_drawn: &dyn Fn(usize) -> bool) {
    let mut parts: Vec<_> = dofs.iter().map(|dof| dof.part).collect();
    parts.sort_unstable();
    parts.dedup();
    for (number, part) in parts.into_iter().enumerate() {
        let members = dofs.iter().enumerate();
        let members = members.filter(|(at, dof)| dof.part == part && is_drawn(*at));
        let members: Vec<(usize, &Dof)> = members.collect();
        if members.is_empty() {
            continue;
        }
        let when = when(time);
        writeln!(text, "  subgraph cluster_{time}_{number} {{").expect(TO_STRING);
        writeln!(text, "    label={};", quoted(&format!("{part}, {when}"))).expect(TO_STRING);
        for (at, dof) in members {
            let label = quoted(&format!("{}, {when}", dof.name));
            writeln!(text, "    {time}_{at} [label={label}];").expect(TO_STRING);
        }
        text.push_str("  }\n");
    }
}

/// As it is shown.
fn when(time: &str) -> &str {
    match time {
        "t1" => "t+1",
        "t2" => "t+2",
        "first" => "first frame",
        other => other,
    }
}

/// A string of the DOT language.
pub(super) fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// Edges of both networks, one in each row: `network,child,child_time,parent,parent_time,worth`.
///
/// Worths are in the order of the structure, node by node; without them, and where there are too few, the column is
/// empty.
pub fn edges_csv(model: &ClipModel, transition_worths: &[f64], prior_worths: &[f64]) -> String {
    let dofs = model.chart().dofs();
    let n = dofs.len();
    let structure = model.model().structure();
    let mut text = "network,child,child_time,parent,parent_time,worth\n".to_owned();
    let mut row =
        |network: &str, child: (usize, &str), parent: (usize, &str), worth: Option<&f64>| {
            let name = |dof: usize| field(dofs[dof % n].name.clone());
            let (child, parent) = ((name(child.0), child.1), (name(parent.0), parent.1));
            let worth = worth.map_or_else(String::new, |w| format!("{w:.6}"));
            writeln!(
                text,
                "{network},{},{},{},{},{worth}",
                child.0, child.1, parent.0, parent.1
            )
            .expect(TO_STRING);
        };
    let mut worths = transition_worths.iter();
    for node in 0..n {
        for parent in structure.parents(node) {
            let time = match parent.seen {
                Seen::Before => "t",
                Seen::Now => "t+1",
            };
            row(
                "transition",
                (node, "t+2"),
                (parent.dof, time),
                worths.next(),
            );
        }
    }
    let mut worths = prior_worths.iter();
    let time = |node: usize| {
        if node < n {
            "first frame"
        } else {
            "first change"
        }
    };
    for (node, parents) in structure.prior().iter().enumerate() {
        for &parent in parents {
            row(
                "prior",
                (node, time(node)),
                (parent, time(parent)),
                worths.next(),
            );
        }
    }
    text
}
