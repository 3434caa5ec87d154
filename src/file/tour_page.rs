//! What `kinfolk demo` made, as one page for the browser: commands, numbers, and characters that move.

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::study_report::escape;
use super::web_clip;
use crate::motion::Clip;
use crate::motion::edit::EditError;

/// The page without its content.
const PAGE: &str = include_str!("../../assets/page/tour.html");
/// Where the sections go.
const BODY_MARK: &str = "<!--BODY-->";
/// Why `write!` to a `String` may be expected to work.
const TO_STRING: &str = "writing to a string does not fail";

/// One subject of the tour. All text is escaped by the page.
#[derive(Debug, Clone, Default)]
pub struct Section {
    /// Heading, also in the list of contents.
    pub title: String,
    /// What is done and why.
    pub text: String,
    /// The commands that made it, as they are typed in the folder of the page.
    pub commands: Vec<String>,
    /// The scenes that play beside its text.
    pub shows: Vec<Show>,
    /// What was measured; no columns for no table.
    pub table: Table,
    /// Pictures: files beside the page, and what they show.
    pub pictures: Vec<(String, String)>,
    /// Files and folders beside the page, and what they hold.
    pub links: Vec<(String, String)>,
}

/// Rows of text under a head.
#[derive(Debug, Clone, Default)]
pub struct Table {
    /// Names of the columns.
    pub head: Vec<String>,
    /// As many cells as columns each.
    pub rows: Vec<Vec<String>>,
}

/// Characters on a stage of their own.
#[derive(Debug, Clone)]
pub struct Show {
    /// How its characters are arranged and seen.
    pub kind: ShowKind,
    /// What stands under it.
    pub caption: String,
    /// The characters that are shown.
    pub figures: Vec<Figure>,
}

/// A motion and where it comes from.
#[derive(Debug, Clone)]
pub struct Figure {
    /// The motion that it plays.
    pub clip: Clip,
    /// Generated motions are orange, given ones blue.
    pub is_generated: bool,
}

/// How characters are arranged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ShowKind {
    /// Side by side, each in its place.
    Row,
    /// Followed by the camera.
    Follow,
    /// Followed from above, with the way of the root on the floor.
    Path,
}

/// The whole page, with scripts and motions built in, as HTML.
pub fn page(sections: &[Section]) -> Result<String, EditError> {
    let mut body = contents(sections);
    let mut shows: Vec<Value> = Vec::new();
    for (at, section) in sections.iter().enumerate() {
        write_section(&mut body, at, section, shows.len());
        for show in &section.shows {
            shows.push(packed(show)?);
        }
    }
    let page = PAGE.replacen(BODY_MARK, &body, 1);
    Ok(web_clip::filled(&page, &Value::Array(shows)))
}

fn contents(sections: &[Section]) -> String {
    let mut text = "<nav>".to_owned();
    for (at, section) in sections.iter().enumerate() {
        let title = escape(&section.title);
        write!(text, "<a href=\"#s{at}\">{title}</a>").expect(TO_STRING);
    }
    text.push_str("</nav>\n");
    text
}

fn write_section(body: &mut String, at: usize, section: &Section, first_show: usize) {
    let (title, text) = (escape(&section.title), escape(&section.text));
    writeln!(body, "<section id=\"s{at}\"><h2>{title}</h2><p>{text}</p>").expect(TO_STRING);
    for (nth, show) in section.shows.iter().enumerate() {
        let (number, caption) = (first_show + nth, escape(&show.caption));
        writeln!(
            body,
            "<figure><canvas data-show=\"{number}\" aria-label=\"{caption}\"></canvas><figcaption>{caption}</figcaption></figure>"
        )
        .expect(TO_STRING);
    }
    if !section.commands.is_empty() {
        body.push_str("<pre>");
        for command in &section.commands {
            // A browser breaks lines after any hyphen; options stay whole.
            let words: Vec<String> = (command.split(' '))
                .map(|word| format!("<span>{}</span>", escape(word)))
                .collect();
            write!(body, "<code>{}</code>", words.join(" ")).expect(TO_STRING);
        }
        body.push_str("</pre>\n");
    }
    write_table(body, &section.table);
    for (file, caption) in &section.pictures {
        let (file, caption) = (escape(file), escape(caption));
        writeln!(
            body,
            "<figure><img src=\"{file}\" alt=\"{caption}\" loading=\"lazy\"><figcaption>{caption}</figcaption></figure>"
        )
        .expect(TO_STRING);
    }
    let links: Vec<String> = (section.links.iter())
        .map(|(file, what)| format!("<a href=\"{}\">{}</a>", escape(file), escape(what)))
        .collect();
    if !links.is_empty() {
        writeln!(body, "<p class=\"soft\">Files: {}</p>", links.join(" · ")).expect(TO_STRING);
    }
    body.push_str("</section>\n");
}

fn write_table(body: &mut String, table: &Table) {
    if table.head.is_empty() {
        return;
    }
    let row = |cells: &[String], tag: &str| {
        let cells = cells
            .iter()
            .map(|c| format!("<{tag}>{}</{tag}>", escape(c)));
        format!("<tr>{}</tr>", cells.collect::<String>())
    };
    let rows: String = table.rows.iter().map(|cells| row(cells, "td")).collect();
    let head = row(&table.head, "th");
    writeln!(
        body,
        "<div class=\"wide\"><table><thead>{head}</thead><tbody>{rows}</tbody></table></div>"
    )
    .expect(TO_STRING);
}

fn packed(show: &Show) -> Result<Value, EditError> {
    let figures = show.figures.iter().map(|figure| {
        let clip = web_clip::packed(&figure.clip, &figure.clip.info.name)?;
        let tone = if figure.is_generated { "made" } else { "given" };
        Ok(json!({ "clip": clip, "tone": tone }))
    });
    let kind = match show.kind {
        ShowKind::Row => "row",
        ShowKind::Follow => "follow",
        ShowKind::Path => "path",
    };
    let line = match (show.kind, show.figures.first()) {
        (ShowKind::Path, Some(figure)) => web_clip::root_line(&figure.clip)?,
        _ => Vec::new(),
    };
    let figures = figures.collect::<Result<Vec<Value>, EditError>>()?;
    Ok(json!({ "kind": kind, "figures": figures, "line": line }))
}
