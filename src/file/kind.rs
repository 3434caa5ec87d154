//! What a file is, by what stands in it and not by its name: whoever opens the wrong one is told what it is.

use std::fmt;

use serde::Deserialize;
use serde::de::IgnoredAny;

use super::{RonError, ron_text};

/// A file that this program, or one beside it, writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileKind {
    /// A skeleton with motion, as text.
    Bvh,
    /// The skeleton of AMC files.
    Asf,
    /// Motion of an ASF skeleton.
    Amc,
    /// A scene with skeletons and takes, as text or binary.
    Fbx,
    /// A scene of meshes and motion, as binary.
    Gltf,
    /// PNG, JPEG and what else the magic numbers tell.
    Picture,
    /// ZIP, gzip and the like.
    Archive,
    /// A model of variation, from `kinfolk learn`.
    VariationModel,
    /// What `style learn` writes.
    Style,
    /// A transition graph, from `kinfolk graph`.
    Graph,
    /// What `texture learn` writes.
    Texture,
    /// A bone map, from `kinfolk map`.
    BoneMap,
    /// What `study make` writes.
    Study,
    /// The `project.ron` of a project folder.
    Project,
    /// A file without a single byte.
    Empty,
    /// Text that none of our files begins with.
    OtherText,
}

impl fmt::Display for FileKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Bvh => "a BVH file with motion",
            Self::Asf => "an ASF file with a skeleton",
            Self::Amc => "an AMC file with motion",
            Self::Fbx => "an FBX file",
            Self::Gltf => "a glTF file",
            Self::Picture => "a picture",
            Self::Archive => "a packed archive",
            Self::VariationModel => "a variation model",
            Self::Style => "a style, a model of poses",
            Self::Graph => "a transition graph",
            Self::Texture => "a motion texture",
            Self::BoneMap => "a bone map",
            Self::Study => "a rating study",
            Self::Project => "the main file of a project",
            Self::Empty => "an empty file",
            Self::OtherText => "some other text",
        })
    }
}

impl FileKind {
    /// What stands in a file, if that shows. Whoever reads text that could be anything says best where it ends to be
    /// what it should.
    pub fn of(bytes: &[u8]) -> Option<Self> {
        let kind = Header::of(bytes).ok()?.kind?;
        (!matches!(kind, Self::Empty | Self::OtherText)).then_some(kind)
    }

    /// What has a beginning of its own; none of ours has.
    fn of_others(bytes: &[u8]) -> Option<Self> {
        const BEGINNINGS: [(&[u8], FileKind); 9] = [
            (b"Kaydara FBX", FileKind::Fbx),
            (b"; FBX", FileKind::Fbx),
            (b"glTF", FileKind::Gltf),
            (b"\x89PNG", FileKind::Picture),
            (b"\xff\xd8\xff", FileKind::Picture),
            (b"GIF8", FileKind::Picture),
            (b"PK\x03\x04", FileKind::Archive),
            (b"\x1f\x8b", FileKind::Archive),
            (b":version", FileKind::Asf),
        ];
        let text = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes);
        let text = text.trim_ascii_start();
        if let Some((_, kind)) = BEGINNINGS.iter().find(|(start, _)| text.starts_with(start)) {
            return Some(*kind);
        }
        let word = text.split(u8::is_ascii_whitespace).next()?;
        if word.eq_ignore_ascii_case(b"HIERARCHY") {
            return Some(Self::Bvh);
        }
        // Both begin with comments; only motions say how they are to be read.
        let mut lines = text.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
        let first = lines.find(|line| !line.is_empty() && !line.starts_with(b"#"))?;
        match first.split(u8::is_ascii_whitespace).next()? {
            b":version" | b":name" => Some(Self::Asf),
            b":FULLY-SPECIFIED" | b":DEGREES" => Some(Self::Amc),
            _ => None,
        }
    }

    /// What is neither that nor begins as our files may: with the value, its name, a comment or an extension. A parser
    /// would only name its own grammar.
    fn of_foreign(bytes: &[u8]) -> Option<Self> {
        let text = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes);
        let text = without_name(text.trim_ascii_start());
        if text.is_empty() {
            return Some(Self::Empty);
        }
        let is_ours = ["(", "//", "/*", "#!["];
        let is_ours = is_ours
            .iter()
            .any(|start| text.starts_with(start.as_bytes()));
        let is_text = !text.contains(&0) && std::str::from_utf8(text).is_ok();
        (is_text && !is_ours).then_some(Self::OtherText)
    }
}

/// What is read of a file of ours before it is known what the rest means.
#[derive(Debug)]
pub(super) struct Header {
    /// The version that the file claims, if it claims one.
    pub(super) version: Option<u64>,
    kind: Option<FileKind>,
}

/// Names that only one kind of file has at its top.
#[derive(Debug, Deserialize)]
struct Top {
    #[serde(default)]
    version: Option<u64>,
    #[serde(default)]
    of: Option<IgnoredAny>,
    #[serde(default)]
    features: Option<IgnoredAny>,
    #[serde(default)]
    rig: Option<IgnoredAny>,
    #[serde(default)]
    sections: Option<IgnoredAny>,
    #[serde(default)]
    links: Option<IgnoredAny>,
    #[serde(default)]
    stimuli: Option<IgnoredAny>,
    #[serde(default)]
    next_number: Option<IgnoredAny>,
}

impl Header {
    /// Of a file of any kind; an error where it is text of ours that makes no sense at one place.
    pub(super) fn of(bytes: &[u8]) -> Result<Self, RonError> {
        if let Some(kind) = FileKind::of_others(bytes).or_else(|| FileKind::of_foreign(bytes)) {
            return Ok(Self {
                version: None,
                kind: Some(kind),
            });
        }
        let top: Top = ron_text::parse(without_name(bytes))?;
        let kinds = [
            (top.of, FileKind::VariationModel),
            (top.features, FileKind::Style),
            (top.rig, FileKind::Graph),
            (top.sections, FileKind::Texture),
            (top.links, FileKind::BoneMap),
            (top.stimuli, FileKind::Study),
            (top.next_number, FileKind::Project),
        ];
        let kind = kinds.into_iter().find(|(field, _)| field.is_some());
        Ok(Self {
            version: top.version,
            kind: kind.map(|(_, kind)| kind),
        })
    }

    /// What it is, if it is known to be something else than this.
    pub(super) fn other_than(&self, wanted: FileKind) -> Option<FileKind> {
        self.kind.filter(|kind| *kind != wanted)
    }

    /// The version, where every file has one.
    pub(super) fn version(&self) -> Result<u64, RonError> {
        self.version.ok_or_else(|| RonError {
            line: 1,
            column: 1,
            what: "\"version\" is missing".to_owned(),
        })
    }
}

/// The text from its first parenthesis on: who writes a file by hand may put the name of its kind before it.
fn without_name(text: &[u8]) -> &[u8] {
    let name = text
        .iter()
        .take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_');
    let rest = &text[name.count()..];
    if rest.first() == Some(&b'(') {
        rest
    } else {
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_known_by_what_stands_in_them() {
        let kind = |bytes: &[u8]| Header::of(bytes).unwrap().kind;
        for (text, expected) in [
            ("HIERARCHY\nROOT Hips", FileKind::Bvh),
            ("\u{feff} hierarchy\r\n", FileKind::Bvh),
            ("# AST/ASF file\n:version 1.10\n", FileKind::Asf),
            ("#!OML:ASF F:\\a.ASF\n:FULLY-SPECIFIED\n", FileKind::Amc),
            ("; FBX 7.4.0 project file", FileKind::Fbx),
            ("Kaydara FBX Binary  \0", FileKind::Fbx),
            ("(version: 1, sections: [])", FileKind::Texture),
            ("(version: 1, links: [], source: [])", FileKind::BoneMap),
            ("(version: 1, next_number: 4)", FileKind::Project),
        ] {
            assert_eq!(kind(text.as_bytes()), Some(expected), "{text}");
        }
        assert_eq!(kind(b"\x89PNG\r\n\x1a\n"), Some(FileKind::Picture));
        assert_eq!(kind(b"(version: 1)"), None);
        let named = Header::of(b"BoneMap(version: 9, links: [])").unwrap();
        assert_eq!(
            (named.kind, named.version),
            (Some(FileKind::BoneMap), Some(9))
        );
        assert_eq!(kind(b"t,x,y\n0,1,2\n"), Some(FileKind::OtherText));
        assert_eq!(kind(b" \n"), Some(FileKind::Empty));
        assert!(Header::of(b"(version: ").is_err(), "cut off");
        assert!(Header::of(b"\xff\xfe\0").is_err(), "no text");
    }
}
