//! `kinfolk retarget`: clips brought onto another skeleton.

use std::path::{Path, PathBuf};
use std::str::FromStr;

use anyhow::Context as _;
use serde_json::json;

use super::inputs::{Input, expand, for_each_clip};
use super::map::cost;
use super::progress::ticket_for_ctrl_c;
use super::{Common, End, print, print_json, write_file};
use crate::file::{bvh, map_file, read_clip};
use crate::motion::Clip;
use crate::retarget::{
    BoneMap, Character, Feet, Hands, ReferencePose, RetargetSettings, Root, RootMotion, Slide,
    Unmapped, retarget,
};

/// Brings clips onto another skeleton
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Files, or folders with all .bvh and .fbx files below
    #[arg(required = true, value_name = "CLIP")]
    clips: Vec<PathBuf>,
    /// A BVH or FBX file with the skeleton to bring them onto
    #[arg(long, value_name = "SKELETON")]
    to: PathBuf,
    /// Folder for the results; clips from a folder keep their place below it
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// What `kinfolk map` wrote, perhaps corrected; of a folder of maps the one for each pair of skeletons is taken
    #[arg(long, value_name = "MAP.ron")]
    map: Option<PathBuf>,
    /// Feet are brought to their places and locked in contact, or left where the legs take them
    #[arg(long, value_enum, default_value = "lock")]
    feet: FeetArg,
    /// Hands are left where the arms take them, or brought to the scaled places of the source's
    #[arg(long, value_enum, default_value = "free")]
    hands: HandsArg,
    /// Travel is scaled with the length of the legs, or kept as it is
    #[arg(long, value_enum, default_value = "scale")]
    root: RootArg,
    /// Which bone travels: the hips, or the root bone below them; or none
    #[arg(long, value_enum, default_value = "hips", value_name = "BONE")]
    root_motion: RootMotionArg,
    /// The pose of the clips that shows the body upright: found, rest, or the number of a frame
    #[arg(long, default_value = "found", value_name = "POSE")]
    from_pose: PoseArg,
    /// The same of the skeleton
    #[arg(long, default_value = "found", value_name = "POSE")]
    to_pose: PoseArg,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum FeetArg {
    Lock,
    Free,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum HandsArg {
    Free,
    Lock,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum RootArg {
    Scale,
    Keep,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum RootMotionArg {
    Hips,
    RootBone,
    InPlace,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct PoseArg(ReferencePose);

impl FromStr for PoseArg {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Ok(Self(match text {
            "found" => ReferencePose::Found,
            "rest" => ReferencePose::Rest,
            number => ReferencePose::Frame(number.parse().map_err(|_error| {
                format!("expected found, rest or the number of a frame, found \"{text}\"")
            })?),
        }))
    }
}

impl Args {
    fn settings(&self) -> RetargetSettings {
        RetargetSettings {
            feet: match self.feet {
                FeetArg::Lock => Feet::Lock,
                FeetArg::Free => Feet::Free,
            },
            hands: match self.hands {
                HandsArg::Free => Hands::Free,
                HandsArg::Lock => Hands::Lock,
            },
            root: match self.root {
                RootArg::Scale => Root::Scale,
                RootArg::Keep => Root::Keep,
            },
            root_motion: match self.root_motion {
                RootMotionArg::Hips => RootMotion::Hips,
                RootMotionArg::RootBone => RootMotion::RootBone,
                RootMotionArg::InPlace => RootMotion::InPlace,
            },
        }
    }
}

/// What became of one clip.
struct Done {
    file: PathBuf,
    slide: Slide,
    unmapped: Unmapped,
}

pub(super) fn run(args: &Args, common: &Common) -> anyhow::Result<End> {
    let ticket = ticket_for_ctrl_c()?;
    let target = read_clip(&args.to)
        .map_err(anyhow::Error::new)
        .and_then(|clip| Ok(Character::of(&clip, args.to_pose.0)?))
        .with_context(|| args.to.display().to_string())?;
    let inputs = expand(&args.clips, common, &ticket)?;
    let results = for_each_clip(&inputs, common, &ticket, |input, clip| {
        one(&clip, input, &target, args, common)
    });
    let done: Vec<&Done> = results.each.iter().flatten().collect();
    if common.json {
        let files: Vec<String> = done.iter().map(|d| d.file.display().to_string()).collect();
        let slides = done
            .iter()
            .map(|d| json!({ "source": d.slide.source, "target": d.slide.target }));
        let unmapped = done.first().map(|d| &d.unmapped);
        print_json(&json!({
            "files": files, "slide": slides.collect::<Vec<_>>(),
            "unmapped": unmapped.map(|u| json!({ "source": u.source, "target": u.target })),
        }))?;
    } else if !common.quiet {
        told(&done)?;
    }
    Ok(results.end())
}

fn one(
    clip: &Clip,
    input: &Input,
    target: &Character,
    args: &Args,
    common: &Common,
) -> anyhow::Result<Done> {
    let source = Character::of(clip, args.from_pose.0)?;
    let map = map_for(args.map.as_deref(), &source, target)?;
    let made = retarget(clip, &source, target, &map, &args.settings())?;
    let written = bvh::write(&made.clip, &bvh::WriteSettings::default());
    let mut name = args.out.join(&input.place).into_os_string();
    name.push(".bvh");
    Ok(Done {
        file: write_file(Path::new(&name), &written.bytes, common)?,
        slide: made.slide,
        unmapped: map.unmapped(source.skeleton(), target.skeleton()),
    })
}

/// The map that was given, the one of a folder that fits, or the one that is found.
fn map_for(
    given: Option<&Path>,
    source: &Character,
    target: &Character,
) -> anyhow::Result<BoneMap> {
    let (from, to) = (source.skeleton(), target.skeleton());
    let found = match given {
        Some(folder) if folder.is_dir() => {
            map_file::for_pair(folder, from, to).with_context(|| folder.display().to_string())?
        }
        Some(file) => {
            let map = map_file::read(file).and_then(|map| map.fit(from, to));
            Some(map.with_context(|| file.display().to_string())?)
        }
        None => None,
    };
    Ok(found.unwrap_or_else(|| BoneMap::between(source, target)))
}

fn told(done: &[&Done]) -> anyhow::Result<()> {
    for one in done {
        print(&format!("{}\n", one.file.display()))?;
    }
    if let Some(first) = done.first() {
        print(&cost(&first.unmapped))?;
    }
    let mean = |slide: fn(&Slide) -> Option<f64>| {
        let known: Vec<f64> = done.iter().filter_map(|d| slide(&d.slide)).collect();
        (!known.is_empty()).then(|| known.iter().sum::<f64>() / known.len() as f64)
    };
    if let (Some(source), Some(target)) = (mean(|s| s.source), mean(|s| s.target)) {
        print(&format!(
            "feet in contact slide by {target:.4} body heights a second ({source:.4} in the source)\n"
        ))?;
    }
    Ok(())
}
