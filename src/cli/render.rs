//! `kinfolk render`: characters drawn by the window's renderer, without a window.

use std::io::Cursor;
use std::path::PathBuf;
use std::str::FromStr;

use anyhow::Context as _;
use serde_json::json;

use super::inputs::{expand, for_each_clip};
use super::overlay::overlay;
use super::progress::ticket_for_ctrl_c;
use super::scene_args::SceneArgs;
use super::{Common, End, check_file, print, print_json, styles, write_file};
use crate::app::render::staging::{self, Layout, Staging};
use crate::app::render::{Backdrop, Colour, Size, View, picture};
use crate::motion::Clip;

/// Draws characters into a picture
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Files, or folders with all .bvh files below; several are drawn side by side
    #[arg(required = true, value_name = "CLIP")]
    clips: Vec<PathBuf>,
    /// The picture to write, PNG
    #[arg(long, value_name = "PICTURE.png")]
    out: PathBuf,
    /// Frames to draw, counted from 0, separated by commas [default: some, evenly spaced]
    #[arg(long, value_delimiter = ',', value_name = "FRAME")]
    frames: Vec<usize>,
    /// Width and height in pixels
    #[arg(long, default_value = "1280x720", value_name = "WxH")]
    size: PictureSize,
    /// View, relative to the direction that the first character faces
    #[arg(long, value_enum, default_value = "three-quarter", value_name = "VIEW")]
    view: ViewArg,
    /// Arrangement of the frames
    #[arg(long, value_enum, default_value = "auto", value_name = "LAYOUT")]
    layout: ArrangeArg,
    /// Draw these over the others, orange on blue, at equal shares of their time: variants over the clips they came
    /// from
    #[arg(long, num_args = 1.., value_name = "CLIP", conflicts_with_all = ["frames", "layout", "trail", "colour"])]
    over: Vec<PathBuf>,
    /// Draw the motion paths of these joints, where the frames follow the clip's path
    #[arg(long, value_delimiter = ',', value_name = "JOINT")]
    trail: Vec<String>,
    /// Colour of the characters: given motions are blue, generated ones orange
    #[arg(long, value_enum, default_value = "given", value_name = "KIND")]
    colour: ColourArg,
    /// A light background, for paper
    #[arg(long)]
    light: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct PictureSize(Size);

/// No graphics card draws more at once.
const MOST_PIXELS: u32 = 16384;

impl FromStr for PictureSize {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || {
            format!(
                "expected a size such as 1280x720, each side at most {MOST_PIXELS}, found \"{text}\""
            )
        };
        let (width, height) = text.split_once(['x', 'X']).ok_or_else(wrong)?;
        let side = |digits: &str| {
            digits
                .parse::<u32>()
                .ok()
                .filter(|n| (1..=MOST_PIXELS).contains(n))
                .ok_or_else(wrong)
        };
        Ok(Self(Size {
            width: side(width)?,
            height: side(height)?,
        }))
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum ViewArg {
    /// From the front
    Front,
    /// From the back
    Back,
    /// From the left
    Side,
    /// From the top
    Top,
    /// From the front, a little to the side and above
    ThreeQuarter,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum ArrangeArg {
    /// Path if that keeps bodies apart, otherwise strip
    Auto,
    /// In a row, side by side
    Strip,
    /// At their positions in the clip, earlier frames as onion skins
    Path,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum ColourArg {
    /// Input clips, drawn in blue
    Given,
    /// Generated clips, drawn in orange
    Generated,
}

pub(super) fn run(args: &Args, common: &Common) -> anyhow::Result<End> {
    check_file(&args.out, common)?;
    let staging = staging(args);
    let ticket = ticket_for_ctrl_c()?;
    let inputs = expand(&args.clips, common, &ticket)?;
    let mut results = for_each_clip(&inputs, common, &ticket, |_, clip| {
        for name in &staging.trails {
            styles::site(clip.skeleton(), name)?;
        }
        staging::check(&clip, &staging)?;
        Ok(clip)
    });
    let end = results.end();
    if end == End::Cancelled {
        return Ok(end);
    }
    let clips: Vec<Clip> = results.each.drain(..).flatten().collect();
    if clips.is_empty() {
        if common.json {
            print_json(&json!({ "file": null }))?;
        }
        return Ok(end);
    }
    let size = args.size.0;
    let over = expand(&args.over, common, &ticket)?;
    let over = for_each_clip(&over, common, &ticket, |_, clip| Ok(clip));
    let end = match (end, over.end()) {
        (End::Done, other) => other,
        (end, _) => end,
    };
    let scene = if args.over.is_empty() {
        staging::stage(&clips, &staging, size)?
    } else {
        let over: Vec<Clip> = over.each.into_iter().flatten().collect();
        let seen = SceneArgs {
            view: staging.view,
            backdrop: staging.backdrop,
            size,
        };
        overlay(&clips, &over, &seen)?
    };
    let drawn = picture(&scene, size)?;
    let mut bytes = Cursor::new(Vec::new());
    drawn
        .write_to(&mut bytes, image::ImageFormat::Png)
        .context("the picture cannot be packed")?;
    let file = write_file(&args.out, bytes.get_ref(), common)?;
    let file = file.display().to_string();
    if common.json {
        print_json(&json!({ "file": file }))?;
    } else if !common.quiet {
        print(&format!("{file}\n"))?;
    }
    Ok(end)
}

fn staging(args: &Args) -> Staging {
    Staging {
        frames: args.frames.clone(),
        view: match args.view {
            ViewArg::Front => View::Front,
            ViewArg::Back => View::Back,
            ViewArg::Side => View::Side,
            ViewArg::Top => View::Top,
            ViewArg::ThreeQuarter => View::ThreeQuarter,
        },
        layout: match args.layout {
            ArrangeArg::Auto => Layout::Auto,
            ArrangeArg::Strip => Layout::Strip,
            ArrangeArg::Path => Layout::Path,
        },
        trails: args.trail.clone(),
        colour: match args.colour {
            ColourArg::Given => Colour::GIVEN,
            ColourArg::Generated => Colour::GENERATED,
        },
        backdrop: if args.light {
            Backdrop::LIGHT
        } else {
            Backdrop::DARK
        },
    }
}
