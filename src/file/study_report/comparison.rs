//! Sets of clips beside each other.

use std::fmt::Write as _;

use super::super::csv::field;
use super::svg::{self, Strip};
use super::{TO_STRING, escape, number, page};
use crate::motion::Clip;
use crate::study::measures::{ClipSet, Comparison, Measure, Role, Scope, SetReadings};

/// So many moments to look at are pictured.
const MOST_FIGURES: usize = 12;

/// A line for every reading, and for every set's value one without a clip:
/// `set,clip,measure,value,real_low,real_high,usual,frame`.
pub fn comparison_csv(comparison: &Comparison) -> String {
    let mut text = "set,clip,measure,unit,value,real_low,real_high,usual,frame\n".to_owned();
    for measure in comparison.measures() {
        let range = comparison.range(measure);
        let end = |value: Option<f64>| value.map_or_else(String::new, |v| v.to_string());
        let ends = format!(
            "{},{}",
            end(range.map(|r| r.low)),
            end(range.map(|r| r.high))
        );
        for set in &comparison.sets {
            let Some(value) = set.get(measure) else {
                continue;
            };
            let name = field(set.name.clone());
            let usual = match comparison.is_usual(set, measure) {
                Some(true) => "yes",
                Some(false) => "no",
                None => "",
            };
            let (id, unit) = (measure.id(), field(measure.unit().to_owned()));
            writeln!(text, "{name},,{id},{unit},{value},{ends},{usual},").expect(TO_STRING);
            for clip in &set.clips {
                let Some(reading) = clip.get(measure) else {
                    continue;
                };
                let frame = reading.frame.map_or_else(String::new, |f| f.to_string());
                let clip = field(clip.name.clone());
                let value = reading.value;
                writeln!(text, "{name},{clip},{id},{unit},{value},{ends},,{frame}")
                    .expect(TO_STRING);
            }
        }
    }
    text
}

/// A page with the table, a plot for each measure, and the moments to look at. The clips of the sets asked about are
/// needed for the pictures; they are found by the sets' names.
pub fn comparison_page(title: &str, comparison: &Comparison, clips: &[ClipSet<'_>]) -> String {
    let mut body = "<p class=\"soft\">Everything is measured against the inputs; the inputs against each other. What real clips have is shaded, \
         and values outside of it are marked with ●. Dots are clips, bars are the sets' values. Lengths are in body heights.</p>\n"
        .to_owned();
    body.push_str(&table(comparison));
    body.push_str(&figures(comparison, clips));
    body.push_str("<h2>Measure by measure</h2>\n");
    for measure in comparison.measures() {
        body.push_str(&measure_section(comparison, measure));
    }
    page(title, &body)
}

fn table(comparison: &Comparison) -> String {
    let mut text =
        "<div class=\"wide\"><table><thead><tr><th>Measure</th><th>Real clips</th>".to_owned();
    for set in &comparison.sets {
        let n = set.clips.len();
        write!(
            text,
            "<th>{}<br><small>{n} clips</small></th>",
            escape(&set.name)
        )
        .expect(TO_STRING);
    }
    text.push_str("</tr></thead><tbody>\n");
    for measure in comparison.measures() {
        let range = comparison.range(measure);
        let range = range.map_or_else(String::new, |r| {
            format!("{} – {}", number(r.low), number(r.high))
        });
        let (id, name, unit) = (measure.id(), measure.name(), measure.unit());
        write!(
            text,
            "<tr><th><a href=\"#{id}\" title=\"{}\">{name}</a> <small>{unit}</small></th><td>{range}</td>",
            escape(measure.sentence())
        )
        .expect(TO_STRING);
        for set in &comparison.sets {
            text.push_str(&cell(comparison, set, measure));
        }
        text.push_str("</tr>\n");
    }
    text.push_str("</tbody></table></div>\n");
    text
}

fn cell(comparison: &Comparison, set: &SetReadings, measure: Measure) -> String {
    match (set.get(measure), comparison.is_usual(set, measure)) {
        (None, _) => "<td class=\"soft\">–</td>".to_owned(),
        (Some(value), Some(false)) => {
            format!("<td class=\"odd\">{} ●</td>", number(value))
        }
        (Some(value), _) => format!("<td>{}</td>", number(value)),
    }
}

fn measure_section(comparison: &Comparison, measure: Measure) -> String {
    let lines: Vec<Strip<'_>> = comparison
        .sets
        .iter()
        .filter(|set| set.get(measure).is_some())
        .map(|set| Strip {
            name: &set.name,
            values: match measure.scope() {
                Scope::Clip => {
                    let all = set.clips.iter().filter_map(|clip| clip.get(measure));
                    all.map(|reading| reading.value).collect()
                }
                Scope::Set => Vec::new(),
            },
            mean: set.get(measure),
            class: if set.role == Role::Asked {
                "made"
            } else {
                "given"
            },
        })
        .collect();
    format!(
        "<section id=\"{}\"><h3>{} <small>{}</small></h3><p>{}</p>{}</section>\n",
        measure.id(),
        measure.name(),
        measure.unit(),
        escape(measure.sentence()),
        svg::strips(&lines, comparison.range(measure))
    )
}

/// The moments furthest from what real clips have, one for each set and measure that is outside, as far as they are
/// frames.
fn figures(comparison: &Comparison, clips: &[ClipSet<'_>]) -> String {
    let mut found = Vec::new();
    for set in comparison.sets.iter().filter(|set| set.role == Role::Asked) {
        for measure in comparison.measures() {
            let range = comparison.range(measure);
            if comparison.is_usual(set, measure) != Some(false) {
                continue;
            }
            let Some((at, reading)) = set.worst(measure, range) else {
                continue;
            };
            let Some(frame) = reading.frame else { continue };
            let clip = clips.iter().find(|s| s.name == set.name);
            let clip: Option<&Clip> = clip.and_then(|s| s.clips.get(at).copied());
            let picture = clip.and_then(|clip| svg::figure(clip, frame, reading.joint));
            let Some(picture) = picture else { continue };
            found.push(format!(
                "<figure>{picture}<figcaption><b>{}</b> {}<br>{}, frame {frame}</figcaption></figure>\n",
                measure.name(),
                number(reading.value),
                escape(&set.clips[at].name)
            ));
        }
    }
    if found.is_empty() {
        return String::new();
    }
    let stride = found.len().div_ceil(MOST_FIGURES);
    let shown: Vec<String> = found.into_iter().step_by(stride).collect();
    format!(
        "<h2>Moments to look at</h2><div class=\"figures\">{}</div>\n",
        shown.concat()
    )
}
