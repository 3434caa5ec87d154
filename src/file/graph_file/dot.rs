//! A transition graph as a drawing for Graphviz.

use std::fmt::Write as _;

use crate::file::network::quoted;
use crate::transition::TransitionGraph;

const TO_STRING: &str = "a string takes every character";

/// Clusters by the clip and frame at their centre, with the frames they hold; edges with their costs (Eq. 1 of Peng
/// 2007).
pub fn dot(graph: &TransitionGraph) -> String {
    let mut text =
        "digraph transitions {\n  node [shape=box, fontname=\"sans-serif\", fontsize=10];\n"
            .to_owned();
    let names: std::collections::BTreeMap<usize, &str> = graph
        .clips()
        .map(|(at, clip)| (at, clip.clip.info.name.as_str()))
        .collect();
    for (at, cluster) in graph.clusters().iter().enumerate() {
        // Clusters of clips that were removed hold nothing and have no name.
        let Some(name) = names.get(&cluster.centre.0) else {
            continue;
        };
        let n = cluster.n_frames();
        let frames = if n == 1 { "frame" } else { "frames" };
        let label = quoted(&format!("{name}:{}", cluster.centre.1));
        let label = label.trim_end_matches('"');
        writeln!(text, "  c{at} [label={label}\\n{n} {frames}\"];").expect(TO_STRING);
    }
    for ((from, to), edge) in graph.edges() {
        writeln!(
            text,
            "  c{from} -> c{to} [label=\"{:.1}\", weight={}];",
            edge.cost,
            edge.instances.len()
        )
        .expect(TO_STRING);
    }
    text.push_str("}\n");
    text
}
