//! The network of a model for other programs: a drawing for Graphviz (DOT) and a table of edges (CSV).

use std::fmt::Write as _;

use super::csv::field;
use crate::variation::ClipModel;

const TO_STRING: &str = "a string takes every character";

/// The network as a graph from left to right, nodes grouped by part of the body. Edges lie inside a frame; every node
/// also depends on itself in the two frames before.
pub fn network_dot(model: &ClipModel) -> String {
    let mut text = "digraph network {\n  rankdir=LR;\n  node [shape=box, fontname=\"sans-serif\", fontsize=10];\n".to_owned();
    let dofs = model.chart().dofs();
    let part = |node: usize| {
        let dof = model.node_dof(node);
        dof.map_or_else(|| "timing".to_owned(), |dof| dofs[dof].part.to_string())
    };
    let mut parts: Vec<String> = (0..model.n_nodes()).map(part).collect();
    parts.sort_unstable();
    parts.dedup();
    for (number, name) in parts.iter().enumerate() {
        writeln!(text, "  subgraph cluster_{number} {{").expect(TO_STRING);
        writeln!(text, "    label={};", quoted(name)).expect(TO_STRING);
        for node in (0..model.n_nodes()).filter(|&node| part(node) == *name) {
            let label = quoted(&model.node_name(node));
            writeln!(text, "    n{node} [label={label}];").expect(TO_STRING);
        }
        text.push_str("  }\n");
    }
    if let Some(network) = model.model().network() {
        for (from, to) in network.structure().edges() {
            writeln!(text, "  n{from} -> n{to};").expect(TO_STRING);
        }
    }
    text.push_str("}\n");
    text
}

/// A string of the DOT language.
pub(super) fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// All edges, one in each row: `child,parent,coefficient,partial_correlation,worth`; the worth is in nats on takes
/// left out.
pub fn edges_csv(model: &ClipModel) -> String {
    let mut text = "child,parent,coefficient,partial_correlation,worth\n".to_owned();
    let Some(network) = model.model().network() else {
        return text;
    };
    let worths = model.model().worths();
    for (node, conditional) in network.nodes().iter().enumerate() {
        for (at, &parent) in conditional.parents.iter().enumerate() {
            let worth = worths.get(node).and_then(|all| all.get(at));
            let worth = worth.map_or_else(String::new, |w| format!("{w:.6}"));
            writeln!(
                text,
                "{},{},{:.6},{:.6},{worth}",
                field(model.node_name(node)),
                field(model.node_name(parent)),
                conditional.coefficients[at],
                network.partial_correlation(parent, node),
            )
            .expect(TO_STRING);
        }
    }
    text
}
