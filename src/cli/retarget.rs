//! `kinfolk retarget`: clips brought onto another skeleton.

use std::path::{Path, PathBuf};
use std::str::FromStr;

use anyhow::Context as _;
use serde_json::json;

use super::inputs::{Input, expand, for_each_clip};
use super::map::cost;
use super::progress::ticket_for_ctrl_c;
use super::{Common, End, check_folder, print, print_json, write_file};
use crate::file::{bvh, map_file, read_clip};
use crate::motion::{Clip, Skeleton};
use crate::retarget::{
    Character, Feet, Hands, Pairing, ReferencePose, RetargetSettings, Root, RootMotion, Slide,
    Unmapped,
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
    /// The pose of the clips that shows the body upright: found, rest, or the number of a frame [default: as the map
    /// says, else found]
    #[arg(long, value_name = "POSE")]
    from_pose: Option<PoseArg>,
    /// The same of the skeleton
    #[arg(long, value_name = "POSE")]
    to_pose: Option<PoseArg>,
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

#[derive(Debug, Clone, PartialEq)]
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
    check_folder(&args.out)?;
    let target = Target::read(args).with_context(|| args.to.display().to_string())?;
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

/// The skeleton to bring clips onto.
struct Target {
    clip: Clip,
    /// In the pose that was asked for, or that is found.
    character: Character,
}

impl Target {
    fn read(args: &Args) -> anyhow::Result<Self> {
        let clip = read_clip(&args.to)?;
        let pose = args.to_pose.clone().map_or_else(Default::default, |p| p.0);
        let character = Character::of(&clip, pose)?;
        Ok(Self { clip, character })
    }
}

fn one(
    clip: &Clip,
    input: &Input,
    target: &Target,
    args: &Args,
    common: &Common,
) -> anyhow::Result<Done> {
    let found = map_for(args.map.as_deref(), clip.skeleton(), target)?;
    let mut pairing = if let Some(pairing) = found {
        pairing
    } else {
        let pose = args
            .from_pose
            .clone()
            .map_or_else(Default::default, |p| p.0);
        Pairing::between(&Character::of(clip, pose)?, &target.character)
    };
    if let Some(pose) = &args.from_pose {
        pairing.source_pose = pose.0.clone();
    }
    if let Some(pose) = &args.to_pose {
        pairing.target_pose = pose.0.clone();
    }
    let own = if pairing.target_pose == *target.character.pose() {
        None
    } else {
        Some(pairing.target(&target.clip)?)
    };
    let character = own.as_ref().unwrap_or(&target.character);
    let made = pairing.bring(clip, character, &args.settings())?;
    let skeletons = (clip.skeleton(), character.skeleton());
    let written = bvh::write(&made.clip, &bvh::WriteSettings::default());
    let mut name = args.out.join(&input.place).into_os_string();
    name.push(".bvh");
    Ok(Done {
        file: write_file(Path::new(&name), &written.bytes, common)?,
        slide: made.slide,
        unmapped: pairing.map.unmapped(skeletons.0, skeletons.1),
    })
}

/// The map that was given, or the one of a folder that fits.
fn map_for(
    given: Option<&Path>,
    from: &Skeleton,
    target: &Target,
) -> anyhow::Result<Option<Pairing>> {
    let to = target.character.skeleton();
    Ok(match given {
        Some(folder) if folder.is_dir() => {
            map_file::for_pair(folder, from, to).with_context(|| folder.display().to_string())?
        }
        Some(file) => {
            let map = map_file::read(file).and_then(|map| map.fit(from, to));
            Some(map.with_context(|| file.display().to_string())?)
        }
        None => None,
    })
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
