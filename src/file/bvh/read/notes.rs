//! What the reader noticed, one note per kind of thing however often it occurs.

use std::collections::BTreeMap;

use super::lines::line_ends;
use crate::motion::{Note, NoteKind};

/// Something about a file that the animator should know.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Quirk {
    Utf16,
    KeywordCase,
    Comment,
    SecondRoot,
    NoName,
    NameWithBlanks,
    NameNotText,
    SameName,
    NamedEndSite,
    NoEndSite,
    Scale,
    NoMotion,
    NoFramesLine,
    FrameTime,
    NoRows,
    FrameCount,
    Wrapped,
    Glued,
    CutRow,
    NoLineEnd,
    TrailingText,
    RootOffsetAdded,
}

#[derive(Debug)]
struct QuirkCount {
    /// Byte position of the first time, where there is one.
    first: Option<usize>,
    count: usize,
    /// What the sentence needs to be precise.
    detail: String,
}

/// Collects quirks while a file is read.
#[derive(Debug, Default)]
pub(super) struct Notes(BTreeMap<Quirk, QuirkCount>);

impl Notes {
    /// Once more, at this byte.
    pub(super) fn see(&mut self, quirk: Quirk, at: usize) {
        self.see_with(quirk, Some(at), String::new);
    }

    /// Once more; the detail of the first time is kept.
    pub(super) fn see_with(
        &mut self,
        quirk: Quirk,
        at: Option<usize>,
        detail: impl FnOnce() -> String,
    ) {
        let seen = self.0.entry(quirk).or_insert_with(|| QuirkCount {
            first: at,
            count: 0,
            detail: detail(),
        });
        seen.count += 1;
    }

    /// The notes in the order of the file, those about the whole of it last.
    pub(super) fn finish(self, text: &[u8]) -> Vec<Note> {
        let mut seen: Vec<(Quirk, QuirkCount)> = self.0.into_iter().collect();
        seen.sort_by_key(|(_, seen)| seen.first.unwrap_or(usize::MAX));
        let (mut line, mut counted) = (1, 0);
        seen.into_iter()
            .map(|(quirk, seen)| Note {
                kind: quirk.kind(),
                line: seen.first.map(|at| {
                    line += line_ends(&text[counted..at]);
                    counted = at;
                    line
                }),
                text: quirk.text(seen.count, &seen.detail),
            })
            .collect()
    }
}

impl Quirk {
    fn kind(self) -> NoteKind {
        match self {
            Self::NoName
            | Self::NameNotText
            | Self::NoFramesLine
            | Self::NoMotion
            | Self::NoRows
            | Self::FrameCount
            | Self::Wrapped
            | Self::Glued
            | Self::CutRow
            | Self::TrailingText => NoteKind::Repaired,
            Self::FrameTime | Self::RootOffsetAdded => NoteKind::Guessed,
            Self::Utf16
            | Self::KeywordCase
            | Self::Comment
            | Self::SecondRoot
            | Self::NameWithBlanks
            | Self::SameName
            | Self::NamedEndSite
            | Self::NoEndSite
            | Self::NoLineEnd
            | Self::Scale => NoteKind::Noticed,
        }
    }

    /// A plain sentence; `detail` comes from where it was found.
    fn text(self, count: usize, detail: &str) -> String {
        let times = |one: &str, many: &str| match count {
            1 => format!("one {one}"),
            n => format!("{n} {many}"),
        };
        match self {
            Self::Utf16 => {
                "the file is UTF-16 text; BVH files usually are ASCII or UTF-8".to_owned()
            }
            Self::KeywordCase => {
                let words = times("keyword is", "keywords are");
                format!("{words} in unusual capital or small letters")
            }
            Self::Comment => format!("{} skipped", times("comment", "comments")),
            Self::SecondRoot => {
                let more = times("further skeleton", "further skeletons");
                format!("{more} in this file, first \"{detail}\"; only the first of all is read")
            }
            Self::NoName => {
                let joints = times("joint has no name", "joints have no name");
                format!("{joints}; the first is called \"{detail}\" now")
            }
            Self::NameWithBlanks => {
                let names = times("joint name holds", "joint names hold");
                format!("{names} blanks, first \"{detail}\"; some programs cannot read that")
            }
            Self::NameNotText => {
                let names = times("joint name is", "joint names are");
                format!("{names} not UTF-8 text, first \"{detail}\"")
            }
            Self::SameName => {
                let joints = times("joint has", "joints have");
                format!("{joints} the same name as an earlier joint, first \"{detail}\"")
            }
            Self::NamedEndSite => {
                let ends = times("end site has a name", "end sites have names");
                format!("{ends}, first \"{detail}\"; names of end sites are not kept")
            }
            Self::NoEndSite => {
                let joints = times("joint ends", "joints end");
                format!("{joints} a limb without an End Site, first \"{detail}\"")
            }
            Self::Scale => format!(
                "{} skipped: bones keep their length",
                times("scale channel", "scale channels")
            ),
            Self::NoMotion => "there is no MOTION part".to_owned(),
            Self::NoFramesLine => {
                "there is no Frames line; the rows were counted instead".to_owned()
            }
            Self::FrameTime => format!("{detail}; 1/30 s is assumed"),
            Self::NoRows => {
                "there are no frames; the clip is one frame of the rest pose".to_owned()
            }
            Self::FrameCount => format!("{detail}; all rows were read"),
            Self::Wrapped => format!(
                "rows do not end where frames do ({detail}); the numbers were read one after another"
            ),
            Self::Glued => {
                let numbers = times("number was", "numbers were");
                format!("{numbers} written without a blank before the minus sign")
            }
            Self::CutRow => {
                format!("the last row breaks off after {detail} values; it was left out")
            }
            Self::NoLineEnd => format!(
                "the file ends without a line end in \"{detail}\", which has fewer digits than its neighbours: it may be cut off"
            ),
            Self::TrailingText => {
                format!("\"{detail}\" and whatever follows it after the last frame was ignored")
            }
            Self::RootOffsetAdded => format!(
                "the root's offset is large ({detail} from the origin) and its positions stay around zero, as depth cameras write them; the two were added"
            ),
        }
    }
}
