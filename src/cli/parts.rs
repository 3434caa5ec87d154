//! Parts of the body by name, on the command line: `leg`, `"left arm"`, or a joint such as `LeftArm`.

use super::names::did_you_mean;
use crate::motion::DofChart;

/// The degrees of freedom of a part of the body or of a joint, whatever the case of the letters.
pub(super) fn dofs_of(chart: &DofChart, name: &str) -> anyhow::Result<Vec<usize>> {
    let wanted = name.trim().to_lowercase();
    let joints = chart.skeleton().joints();
    let is_meant = |dof: &crate::motion::Dof| {
        let part = dof.part.to_string();
        let of_part = part == wanted || part.split(' ').next_back() == Some(wanted.as_str());
        of_part || joints[dof.joint].name.to_lowercase() == wanted
    };
    let all = chart.dofs().iter().enumerate();
    let found: Vec<usize> = all.filter(|(_, d)| is_meant(d)).map(|(at, _)| at).collect();
    if found.is_empty() {
        let mut parts: Vec<String> = chart.dofs().iter().map(|d| d.part.to_string()).collect();
        parts.sort();
        parts.dedup();
        let moving = chart.dofs().iter().map(|d| joints[d.joint].name.as_str());
        let known = parts.iter().map(String::as_str).chain(moving);
        anyhow::bail!(
            "nothing of the model moves \"{name}\"; {}expected a joint that moves, or one of: {}",
            did_you_mean(known, name),
            parts.join(", ")
        );
    }
    Ok(found)
}

/// Splits `NAME=VALUE` at the first equals sign.
pub(super) fn split(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.trim().is_empty() && !value.trim().is_empty() => {
            Ok((name.trim().to_owned(), value.trim().to_owned()))
        }
        _ => Err("expected a part and a value, such as \"left arm=0.5\"".to_owned()),
    }
}
