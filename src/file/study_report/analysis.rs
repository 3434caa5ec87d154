//! The part of the report about what raters said: means, intervals and analysis of variance.

use std::fmt::Write as _;

use super::super::csv::field;
use super::{TO_STRING, escape, number, page, svg};
use crate::study::anova::{Anova, CONFIDENCE, Summary, summarise};
use crate::study::session::{Analysis, HIGHEST, LOWEST};

/// A line for each condition of each study, with the comparison repeated on each.
pub fn analysis_csv(analyses: &[Analysis]) -> String {
    let mut text = "study,experiment,condition,n,mean,deviation,low,high,median,q1,q3,whisker_low,whisker_high,f,p,df_between,df_within\n".to_owned();
    for analysis in analyses {
        let end = match &analysis.anova {
            Ok(a) => format!("{},{},{},{}", a.f, a.p, a.freedom.0, a.freedom.1),
            Err(_) => ",,,".to_owned(),
        };
        for group in analysis.groups.iter().map(summarise) {
            let (low, high) = group
                .interval
                .map_or_else(Default::default, |(l, h)| (l.to_string(), h.to_string()));
            let b = &group.box_plot;
            writeln!(
                text,
                "{},{},{},{},{},{},{low},{high},{},{},{},{},{},{end}",
                field(analysis.study.clone()),
                analysis.experiment.id(),
                field(group.name.clone()),
                group.n,
                group.mean,
                group.deviation,
                b.median,
                b.quartiles.0,
                b.quartiles.1,
                b.whiskers.0,
                b.whiskers.1
            )
            .expect(TO_STRING);
        }
    }
    text
}

/// A page with means, boxes and the verdict of each study.
pub fn analysis_page(title: &str, analyses: &[Analysis]) -> String {
    let sections: Vec<String> = analyses.iter().map(section).collect();
    page(title, &sections.concat())
}

fn section(analysis: &Analysis) -> String {
    let groups: Vec<Summary> = analysis.groups.iter().map(summarise).collect();
    let verdict = match &analysis.anova {
        Ok(anova) => verdict(anova),
        Err(why) => format!("No comparison: {}.", escape(&why.to_string())),
    };
    let mut text = format!(
        "<section><h2>{}</h2><p>{} <span class=\"soft\">{} ratings of {} raters, {LOWEST} to {HIGHEST}.</span></p><p><b>{verdict}</b></p>\n",
        escape(&analysis.study),
        escape(analysis.experiment.question()),
        analysis.n_ratings,
        analysis.n_raters
    );
    text.push_str(&svg::boxes(&groups, f64::from(LOWEST), f64::from(HIGHEST)));
    write!(
        text,
        "<p class=\"soft\">Boxes: quartiles, median and its notch; whiskers to the last score within one and a half boxes. Dots beside them: means with {:.0} % confidence intervals.</p>",
        100.0 * CONFIDENCE
    )
    .expect(TO_STRING);
    text.push_str("<table><thead><tr><th>Condition</th><th>Ratings</th><th>Mean</th><th>Interval</th><th>Deviation</th><th>Median</th><th>Quartiles</th></tr></thead><tbody>\n");
    for group in &groups {
        let interval = group.interval.map_or_else(
            || "–".to_owned(),
            |(low, high)| format!("{} – {}", number(low), number(high)),
        );
        let deviation = match group.n {
            0 | 1 => "–".to_owned(),
            _ => number(group.deviation),
        };
        let b = &group.box_plot;
        writeln!(
            text,
            "<tr><th>{}</th><td>{}</td><td>{}</td><td>{interval}</td><td>{}</td><td>{}</td><td>{} – {}</td></tr>",
            escape(&group.name),
            group.n,
            number(group.mean),
            deviation,
            number(b.median),
            number(b.quartiles.0),
            number(b.quartiles.1)
        )
        .expect(TO_STRING);
    }
    text.push_str("</tbody></table></section>\n");
    text
}

/// The result in a sentence; five percent is the usual line.
pub fn verdict(anova: &Anova) -> String {
    let found = if anova.p < 0.05 {
        "The conditions differ"
    } else {
        "No difference between the conditions was found"
    };
    format!(
        "{found}: F({}, {}) = {}, p = {}; conditions explain {:.0} % of the variance.",
        anova.freedom.0,
        anova.freedom.1,
        number(anova.f),
        number(anova.p),
        100.0 * anova.explained()
    )
}
