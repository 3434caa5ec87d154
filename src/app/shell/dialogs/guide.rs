//! The guide and the reference of commands, readable in the program: the pages of the repository, their headings on the
//! left.
//!
//! Of Markdown only what the guide uses is understood: headings, paragraphs, lists, code, tables and captions of
//! pictures, with bold, italic and code inside lines. Pictures are not in the program; their captions are.

use std::sync::LazyLock;

use egui::text::LayoutJob;
use egui::{FontId, TextFormat};

use crate::app::shell::theme::Colours;

const GUIDE: &str = include_str!("../../../../resources/guide.md");
const COMMANDS: &str = include_str!("../../../../resources/commands.md");

/// A piece of the page that is drawn as one.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Block {
    Heading(usize, String),
    Words(String),
    /// With how far it is indented, and its sign or number.
    Item(usize, String, String),
    Code(String),
    Caption(String),
}

static PAGE: LazyLock<Vec<Block>> = LazyLock::new(|| blocks(GUIDE));
/// Long, so one command is shown at a time.
static REFERENCE: LazyLock<Vec<Block>> = LazyLock::new(|| blocks(COMMANDS));

/// The guide in a window of its own.
#[derive(Debug, Clone, Default)]
pub struct GuideBox {
    /// The heading that should come into view.
    scroll_to: Option<usize>,
    /// Whether the commands are read, not the guide.
    shows_commands: bool,
    /// The place of the heading of the command that is read.
    command: usize,
}

impl GuideBox {
    /// Draws it; whether it stays open.
    pub(in crate::app) fn guide_ui(&mut self, ui: &mut egui::Ui) -> bool {
        let tall = (0.74 * ui.ctx().content_rect().height()).max(200.0);
        ui.horizontal(|ui| {
            for (shows_commands, words) in [(false, "Guide"), (true, "Commands")] {
                ui.selectable_value(&mut self.shows_commands, shows_commands, words);
            }
        });
        ui.separator();
        ui.horizontal_top(|ui| {
            egui::ScrollArea::vertical()
                .id_salt(("headings", self.shows_commands))
                .max_width(190.0)
                .max_height(tall)
                .auto_shrink(false)
                // A scroll area goes on in the direction that it stands in: here from left to right.
                .show(ui, |ui| ui.vertical(|ui| self.headings_ui(ui)));
            ui.separator();
            let page = egui::ScrollArea::vertical().id_salt(("page", self.shows_commands));
            page.max_height(tall)
                .auto_shrink(false)
                .show(ui, |ui| ui.vertical(|ui| self.page_ui(ui)));
        });
        ui.add_space(6.0);
        !ui.button("Close").clicked()
    }

    fn page_ui(&mut self, ui: &mut egui::Ui) {
        ui.set_max_width((ui.available_width() - 12.0).max(100.0));
        for (place, block) in self.page_now() {
            let response = block_ui(ui, block);
            if self.scroll_to == Some(place) {
                response.scroll_to_me(Some(egui::Align::TOP));
                self.scroll_to = None;
            }
        }
    }

    /// What is read, each piece with its place: all of the guide, or one command.
    fn page_now(&self) -> impl Iterator<Item = (usize, &'static Block)> + use<> {
        let is_heading = |block: &Block| matches!(block, Block::Heading(2.., _));
        let (page, range) = if self.shows_commands {
            let page = &**REFERENCE;
            let rest = page.iter().skip(self.command + 1);
            let len = 1 + rest.take_while(|block| !is_heading(block)).count();
            (page, self.command..self.command + len)
        } else {
            (&**PAGE, 0..PAGE.len())
        };
        page.iter().enumerate().take(range.end).skip(range.start)
    }

    fn headings_ui(&mut self, ui: &mut egui::Ui) {
        let page = if self.shows_commands {
            &REFERENCE
        } else {
            &PAGE
        };
        for (place, block) in page.iter().enumerate() {
            let Block::Heading(level @ 2.., words) = block else {
                continue;
            };
            ui.horizontal(|ui| {
                ui.add_space(10.0 * (level - 2) as f32);
                let is_open = self.shows_commands && self.command == place;
                let button = egui::Button::selectable(is_open, words.as_str()).truncate();
                if ui.add(button).clicked() {
                    self.scroll_to = Some(place);
                    if self.shows_commands {
                        self.command = place;
                    }
                }
            });
        }
    }
}

fn block_ui(ui: &mut egui::Ui, block: &Block) -> egui::Response {
    match block {
        Block::Heading(level, words) => {
            ui.add_space(if *level < 3 { 14.0 } else { 8.0 });
            let size = match level {
                1 => 22.0,
                2 => 18.0,
                _ => 15.0,
            };
            ui.label(egui::RichText::new(words).size(size).strong())
        }
        Block::Words(words) => ui.label(styled(ui, words)),
        Block::Item(indent, sign, words) => {
            let item = ui.horizontal_top(|ui| {
                ui.add_space(8.0 + 16.0 * *indent as f32);
                ui.label(sign);
                ui.add(egui::Label::new(styled(ui, words)).wrap());
            });
            item.response
        }
        Block::Code(text) => {
            let frame = egui::Frame::NONE.fill(Colours::of(ui).sunken);
            let code = frame.inner_margin(8).show(ui, |ui| {
                let words = egui::RichText::new(text).monospace();
                ui.add(egui::Label::new(words).wrap());
            });
            code.response
        }
        Block::Caption(words) => ui.label(egui::RichText::new(words).weak().italics()),
    }
}

/// Bold, italic and code within a line.
fn styled(ui: &egui::Ui, text: &str) -> LayoutJob {
    let colours = Colours::of(ui);
    let plain = TextFormat::simple(FontId::proportional(13.5), colours.text);
    let bold = TextFormat {
        color: ui.visuals().strong_text_color(),
        ..plain.clone()
    };
    let italic = TextFormat {
        italics: true,
        ..plain.clone()
    };
    let code = TextFormat {
        background: colours.sunken,
        ..TextFormat::simple(FontId::monospace(12.5), colours.text)
    };
    let mut job = LayoutJob::default();
    for (kind, words) in spans(text) {
        let format = match kind {
            Kind::Plain => &plain,
            Kind::Bold => &bold,
            Kind::Italic => &italic,
            Kind::Code => &code,
        };
        job.append(words, 0.0, format.clone());
    }
    job
}

/// How words within a line stand out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Plain,
    Bold,
    Italic,
    Code,
}

/// The words of a line, by how they stand out. A sign without its partner is a sign.
fn spans(text: &str) -> Vec<(Kind, &str)> {
    const SIGNS: [(&str, Kind); 3] = [("`", Kind::Code), ("**", Kind::Bold), ("*", Kind::Italic)];
    let mut spans = Vec::new();
    let mut rest = text;
    let mut from = 0;
    while let Some(at) = rest[from..].find(['`', '*']).map(|at| from + at) {
        let found = SIGNS.iter().find_map(|(sign, kind)| {
            let inner = rest[at..].strip_prefix(sign)?;
            let end = inner.find(sign).filter(|end| *end > 0)?;
            Some((*kind, &inner[..end], &inner[end + sign.len()..]))
        });
        let Some((kind, inner, after)) = found else {
            from = at + 1;
            continue;
        };
        spans.push((Kind::Plain, &rest[..at]));
        spans.push((kind, inner));
        rest = after;
        from = 0;
    }
    spans.push((Kind::Plain, rest));
    spans.retain(|(_, words)| !words.is_empty());
    spans
}

fn blocks(text: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        let trimmed = line.trim();
        if trimmed.starts_with("```") {
            let code = lines
                .by_ref()
                .take_while(|line| !line.trim().starts_with("```"));
            let code: Vec<&str> = code.collect();
            blocks.push(Block::Code(code.join("\n")));
        } else if trimmed.starts_with('|') {
            let mut table = vec![trimmed];
            while let Some(row) = lines.next_if(|line| line.trim().starts_with('|')) {
                table.push(row.trim());
            }
            blocks.push(Block::Code(aligned(&table)));
        } else {
            let block = line_block(line);
            match (block, blocks.last_mut()) {
                (
                    Some(Block::Words(more)),
                    Some(Block::Words(words) | Block::Item(_, _, words)),
                ) if !words.ends_with('\n') => {
                    words.push(' ');
                    words.push_str(&more);
                }
                (Some(block), _) => blocks.push(block),
                // An empty line ends what is above.
                (None, Some(Block::Words(words) | Block::Item(_, _, words))) => words.push('\n'),
                (None, _) => {}
            }
        }
    }
    for block in &mut blocks {
        if let Block::Words(words) | Block::Item(_, _, words) = block {
            words.truncate(words.trim_end().len());
        }
    }
    blocks
}

/// What a line begins; none for an empty one.
fn line_block(line: &str) -> Option<Block> {
    let words = line.trim();
    let indent = (line.len() - line.trim_start().len()) / 2;
    let level = words.chars().take_while(|c| *c == '#').count();
    if words.is_empty() {
        return None;
    }
    if level > 0 && words[level..].starts_with(' ') {
        return Some(Block::Heading(level, words[level..].trim().to_owned()));
    }
    if let Some(picture) = words.strip_prefix("![") {
        let caption = picture.split("](").next().unwrap_or_default();
        return Some(Block::Caption(caption.to_owned()));
    }
    if let Some(item) = words.strip_prefix("- ") {
        return Some(Block::Item(indent, "•".to_owned(), unlinked(item)));
    }
    let digits = words.chars().take_while(char::is_ascii_digit).count();
    if let Some(item) = words[digits..].strip_prefix(". ").filter(|_| digits > 0) {
        let number = words[..=digits].to_owned();
        return Some(Block::Item(indent, number, unlinked(item)));
    }
    Some(Block::Words(unlinked(words)))
}

/// Links as their words: what they lead to is not in the program.
fn unlinked(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('[') {
        let link = after
            .split_once("](")
            .and_then(|(words, to)| Some((words, to.split_once(')')?.1)));
        plain.push_str(before);
        if let Some((words, behind)) = link {
            plain.push_str(words);
            rest = behind;
        } else {
            plain.push('[');
            rest = after;
        }
    }
    plain.push_str(rest);
    plain
}

/// The rows of a table with their columns under each other, as text.
fn aligned(rows: &[&str]) -> String {
    let cells = |row: &str| -> Vec<String> {
        let cells = row.trim_matches('|').split('|');
        cells.map(|cell| cell.trim().to_owned()).collect()
    };
    let is_rule = |row: &&&str| row.chars().all(|c| "|-: ".contains(c));
    let rows: Vec<Vec<String>> = rows
        .iter()
        .filter(|row| !is_rule(row))
        .map(|row| cells(row))
        .collect();
    let n_columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let wide = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..n_columns).map(wide).collect();
    let line = |row: &Vec<String>| {
        let cells = row.iter().zip(&widths);
        let cells: Vec<String> = cells.map(|(cell, wide)| format!("{cell:wide$}")).collect();
        cells.join("  ").trim_end().to_owned()
    };
    rows.iter().map(line).collect::<Vec<String>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_becomes_blocks() {
        let page = "# A\n\nTwo lines\nof words.\n\n1. first\n   goes on\n- **x**\n\n```sh\na  b\n```\n| a | b |\n|---|---|\n| long | c |\n![seen](x.png)\n";
        let words = |text: &str| text.to_owned();
        let wanted = [
            Block::Heading(1, words("A")),
            Block::Words(words("Two lines of words.")),
            Block::Item(0, words("1."), words("first goes on")),
            Block::Item(0, words("•"), words("**x**")),
            Block::Code(words("a  b")),
            Block::Code(words("a     b\nlong  c")),
            Block::Caption(words("seen")),
        ];
        assert_eq!(blocks(page), wanted);
    }

    #[test]
    fn words_stand_out_and_lone_signs_stay() {
        let found = spans("a **b** `c*` *d* 2 * 3");
        let wanted = [
            (Kind::Plain, "a "),
            (Kind::Bold, "b"),
            (Kind::Plain, " "),
            (Kind::Code, "c*"),
            (Kind::Plain, " "),
            (Kind::Italic, "d"),
            (Kind::Plain, " 2 * 3"),
        ];
        assert_eq!(found, wanted);
    }

    #[test]
    fn links_are_their_words_and_other_brackets_stay() {
        assert_eq!(unlinked("see [a](b.md) and [c](d)."), "see a and c.");
        assert_eq!(unlinked("walk_0[1-4].bvh [x"), "walk_0[1-4].bvh [x");
    }

    #[test]
    fn a_command_is_read_by_itself() {
        let mut guide = GuideBox {
            shows_commands: true,
            ..GuideBox::default()
        };
        let headings = REFERENCE.iter().enumerate();
        let of_vary =
            |(_, block): &(usize, &Block)| **block == Block::Heading(2, "kinfolk vary".to_owned());
        guide.command = headings.clone().find(of_vary).map_or(0, |found| found.0);
        let read: Vec<&Block> = guide.page_now().map(|(_, block)| block).collect();
        assert_eq!(read.len(), 2, "heading and help: {read:?}");
    }

    #[test]
    fn the_guide_has_a_heading_for_every_task() {
        let headings = PAGE.iter().filter(|b| matches!(b, Block::Heading(2.., _)));
        assert!(headings.count() > 8, "the page was read");
    }
}
