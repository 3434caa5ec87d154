//! What the commands that use a style share: opening styles, naming joints, writing the result.

use std::path::{Path, PathBuf};
use std::str::FromStr;

use anyhow::Context as _;

use super::names::did_you_mean;
use super::{Common, usage, write_file};
use crate::file::export::{Format, encode};
use crate::file::{bvh, style_file};
use crate::jobs::Ticket;
use crate::motion::{Clip, LONGEST, Site, Skeleton, Vec3};
use crate::style::Style;
use crate::style::solve::{SolveSettings, Solver, on_shared_features};

/// A second style and how much it counts: `S2.ron:0.3`, or `S2.ron:0..1` where it may change over time.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Blended {
    path: PathBuf,
    /// At the first frame and at the last.
    pub(super) weights: [f64; 2],
}

impl FromStr for Blended {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong =
            || format!("expected STYLE.ron:WEIGHT with a weight from 0 to 1, found \"{text}\"");
        let (path, weight) = text.rsplit_once(':').ok_or_else(wrong)?;
        let (from, to) = weight.split_once("..").unwrap_or((weight, weight));
        let number = |text: &str| {
            let value: Option<f64> = text.trim().parse().ok();
            value.filter(|w| (0.0..=1.0).contains(w)).ok_or_else(wrong)
        };
        Ok(Self {
            path: path.into(),
            weights: [number(from)?, number(to)?],
        })
    }
}

pub(super) fn open(path: &Path) -> anyhow::Result<Style> {
    style_file::read(path).with_context(|| path.display().to_string())
}

/// A solver for a style, or for a blend of it with others.
pub(super) fn solver(
    path: &Path,
    blends: &[Blended],
    settings: SolveSettings,
    ticket: &Ticket,
) -> anyhow::Result<Solver> {
    for end in [0, 1] {
        let sum: f64 = blends.iter().map(|b| b.weights[end]).sum();
        anyhow::ensure!(
            sum <= 1.0 + 1e-9,
            usage(format!(
                "the weights of --blend add up to {sum}; the first style has what they leave of 1"
            ))
        );
    }
    let mut styles = vec![open(path)?];
    for blend in blends {
        styles.push(open(&blend.path)?);
    }
    let refs: Vec<&Style> = styles.iter().collect();
    let styles = on_shared_features(&refs, ticket)?;
    let weighted: Vec<(&Style, f64)> = styles.iter().zip(weights(blends, 0.0)).collect();
    Ok(Solver::blend(&weighted, settings)?)
}

/// The weight of each style at a share of the time: the first has what the others leave.
pub(super) fn weights(blends: &[Blended], share: f64) -> Vec<f64> {
    let others: Vec<f64> = blends
        .iter()
        .map(|b| b.weights[0] + share * (b.weights[1] - b.weights[0]))
        .collect();
    let sum: f64 = others.iter().sum();
    let mut weights = vec![(1.0 - sum).max(0.0)];
    weights.extend(others);
    weights
}

/// A joint or end site by its name, or what names there are.
pub(super) fn site(skeleton: &Skeleton, name: &str) -> anyhow::Result<Site> {
    skeleton.find_site(name).with_context(|| {
        let names: Vec<String> = skeleton.sites().map(|s| skeleton.site_name(s)).collect();
        let meant = did_you_mean(names.iter().map(String::as_str), name);
        let all = names.join(", ");
        format!("there is no joint \"{name}\"; {meant}there are {all}")
    })
}

/// Parses `x,y,z`; `None` unless all three are finite numbers.
pub(super) fn vector(text: &str) -> Option<Vec3> {
    let numbers: Option<Vec<f64>> = text
        .split(',')
        .map(|x| x.trim().parse().ok().filter(|v: &f64| v.abs() < LONGEST))
        .collect();
    match numbers?.as_slice() {
        [x, y, z] => Some(Vec3::new(*x, *y, *z)),
        _ => None,
    }
}

pub(super) fn write_bvh(clip: &Clip, path: &Path, common: &Common) -> anyhow::Result<()> {
    let written = encode(clip, Format::Bvh, &bvh::WriteSettings::default())?;
    if !common.quiet {
        for note in written.notes {
            tell!("note: {}: {note}", path.display());
        }
    }
    write_file(path, &written.bytes, common)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blends_are_read_and_weighed() {
        let blend: Blended = "C:/b.ron:0.25..1".parse().unwrap();
        assert_eq!(
            (blend.path.to_str(), blend.weights),
            (Some("C:/b.ron"), [0.25, 1.0])
        );
        assert_eq!(weights(std::slice::from_ref(&blend), 0.0), [0.75, 0.25]);
        assert_eq!(weights(&[blend], 1.0), [0.0, 1.0]);
        for wrong in ["b.ron", "b.ron:2", "b.ron:x", "b.ron:-1", "b.ron:0..nan"] {
            wrong.parse::<Blended>().unwrap_err();
        }
        assert_eq!(vector("1, 2,3"), Some(Vec3::new(1.0, 2.0, 3.0)));
        for wrong in ["1,2", "1,2,3,4", "1,2,x", "1,2,inf", ""] {
            assert_eq!(vector(wrong), None, "{wrong}");
        }
    }
}
