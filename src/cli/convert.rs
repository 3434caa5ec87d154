//! `kinfolk convert`: reads clips, changes them as asked, and writes them again.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use serde_json::json;

use super::inputs::{Input, expand, for_each_clip};
use super::progress::ticket_for_ctrl_c;
use super::{Common, End, FrameRange, check_folder, onto, positive, print, print_json, write_file};
use crate::file::export::{ExportFit, Format, encode, fitted};
use crate::file::preset::Preset;
use crate::motion::edit::{self, InPlace, RestPose};
use crate::motion::foot_slide::{self, FootSlideSettings};
use crate::motion::{Axis, Clip, NotARotationOrder, RotationOrder};
use crate::retarget::Character;

/// Reads clips and writes them again, in another format or changed
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Files, or folders with all .bvh files below
    #[arg(required = true, value_name = "CLIP")]
    clips: Vec<PathBuf>,
    /// Folder for the results; clips from a folder keep their place below it
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// What to write: bvh, gltf, glb (binary glTF) or csv (world positions); several separated by commas
    #[arg(
        long,
        value_delimiter = ',',
        default_value = "bvh",
        value_name = "FORMAT"
    )]
    format: Vec<Format>,
    /// Rotation order of BVH channels: that of the source, or one such as zxy
    #[arg(long, default_value = "source", value_name = "ORDER")]
    order: OrderArg,
    /// Axes, units, rotation order and names for another program; other options override it
    #[arg(long, value_name = "PROGRAM")]
    preset: Option<Preset>,
    /// Scale everything by this factor
    #[arg(long, value_name = "FACTOR", value_parser = positive)]
    scale: Option<f64>,
    /// Turn the motion so that this axis is up (x, y, z, -x, -y, -z)
    #[arg(long, value_name = "AXIS", allow_hyphen_values = true)]
    up: Option<Axis>,
    /// Which axis is up in the source, where the guess is wrong
    #[arg(long, value_name = "AXIS", allow_hyphen_values = true)]
    source_up: Option<Axis>,
    /// In place: remove the travel over the floor
    #[arg(long)]
    in_place: bool,
    /// Mirror: swap left and right
    #[arg(long)]
    mirror: bool,
    /// Keep frames A up to, not including, B; either may be left out
    #[arg(long, value_name = "A..B")]
    trim: Option<FrameRange>,
    /// The pose in which all angles are zero: source, t or first (the clip's first frame)
    #[arg(long, default_value = "source", value_name = "POSE")]
    rest: RestPose,
    /// Drop a T-pose that a converter put before the motion
    #[arg(long)]
    drop_tpose: bool,
    /// Remove spikes: joints that jump for a single frame
    #[arg(long, visible_alias = "remove-spikes")]
    mend_glitches: bool,
    /// Move the clip so that its floor is at zero
    #[arg(long)]
    floor: bool,
    /// Foot lock: keep feet still while they are on the floor
    #[arg(long, visible_alias = "foot-lock")]
    plant_feet: bool,
    /// Bring the clips onto the skeleton of this BVH or FBX file
    #[arg(long, value_name = "SKELETON")]
    to: Option<PathBuf>,
    /// Only letters, digits and underscores in joint names
    #[arg(long)]
    safe_names: bool,
}

/// `source`, or a rotation order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct OrderArg(Option<RotationOrder>);

impl FromStr for OrderArg {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text.eq_ignore_ascii_case("source") {
            return Ok(Self(None));
        }
        let order = text
            .parse()
            .map_err(|e: NotARotationOrder| format!("{e}, or source"))?;
        Ok(Self(Some(order)))
    }
}

pub(super) fn run(args: &Args, common: &Common) -> anyhow::Result<End> {
    let ticket = ticket_for_ctrl_c()?;
    check_folder(&args.out)?;
    let inputs = expand(&args.clips, common, &ticket)?;
    let owners = owners(&inputs);
    let target = onto::character(args.to.as_deref())?;
    let results = for_each_clip(&inputs, common, &ticket, |input, clip| {
        let owner = owners[input.place.as_path()];
        anyhow::ensure!(
            owner == input,
            "its result would have the name of that of {}",
            owner.path.display()
        );
        let clip = changed(clip, target.as_ref(), args)?;
        write_all(&clip, input, args, common)
    });
    let files: Vec<String> = results
        .each
        .iter()
        .flatten()
        .flatten()
        .map(|path| path.display().to_string())
        .collect();
    if common.json {
        print_json(&json!({ "files": files }))?;
    } else if !common.quiet {
        for file in &files {
            print(&format!("{file}\n"))?;
        }
    }
    Ok(results.end())
}

/// The first input of each place: two clips of one name must not write over each other.
fn owners(inputs: &[Input]) -> BTreeMap<&Path, &Input> {
    let mut owners = BTreeMap::new();
    for input in inputs {
        owners.entry(input.place.as_path()).or_insert(input);
    }
    owners
}

/// The operations in a fixed order: cut and clean, then place, then fit to the other program.
fn changed(mut clip: Clip, target: Option<&Character>, args: &Args) -> anyhow::Result<Clip> {
    if let Some(up) = args.source_up {
        clip = edit::declare_up(&clip, up);
    }
    if let Some(range) = args.trim {
        clip = edit::trim(&clip, range.within(clip.n_frames()))?;
    }
    if args.drop_tpose {
        clip = edit::drop_tpose(&clip)?;
    }
    if args.mend_glitches {
        clip = edit::mend_glitches(&clip, &edit::find_glitches(&clip))?;
    }
    if target.is_some() {
        clip = onto::bring(&clip, target)?;
    }
    if args.mirror {
        clip = edit::mirror(&clip)?;
    }
    if args.in_place {
        clip = edit::root_in_place(&clip, InPlace::Travel)?.0;
    }
    if args.floor {
        let floor = edit::find_floor(&clip);
        clip = edit::set_floor(&clip, floor.height)?;
    }
    if args.plant_feet {
        clip = foot_slide::remove(&clip, &FootSlideSettings::default())?.clip;
    }
    let fit = ExportFit {
        preset: args.preset,
        up: args.up,
        scale: args.scale,
        rest: args.rest,
    };
    Ok(fitted(clip, &fit)?)
}

/// Writes one clip in every format asked for; returns the files.
fn write_all(
    clip: &Clip,
    input: &Input,
    args: &Args,
    common: &Common,
) -> anyhow::Result<Vec<PathBuf>> {
    let mut settings = args
        .preset
        .map_or_else(Default::default, |p| p.requirements().bvh());
    settings.order = args.order.0.or(settings.order);
    settings.safe_names |= args.safe_names;
    let mut notes = clip.info.notes.clone();
    let mut files = Vec::new();
    for format in &args.format {
        let written = encode(clip, *format, &settings)?;
        notes.extend(written.notes);
        let mut name = args.out.join(&input.place).into_os_string();
        name.push(".");
        name.push(format.ending());
        files.push(write_file(Path::new(&name), &written.bytes, common)?);
    }
    if !common.quiet {
        for note in notes {
            tell!("note: {}: {note}", input.path.display());
        }
    }
    Ok(files)
}
