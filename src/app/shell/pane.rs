//! The panels, by name.

use serde::{Deserialize, Serialize};

/// A panel that can be docked, in some of the workspaces.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Pane {
    /// The table of clips.
    Clips,
    /// The 3D view of what is selected or played.
    View,
    /// What is known about the active clip.
    Inspector,
    /// Named sets of clips.
    Sets,
    /// Steps that clean clips, with a preview.
    Clean,
    /// Cycles and repeats found in takes, to be cut out.
    Cut,
    /// A pad to draw on.
    Strokes,
    /// What a model of variation learns from.
    Takes,
    /// Which clips are alike.
    Similar,
    /// Models of variation: learning, renaming, removing.
    Models,
    /// Variants: how they are made, and which.
    Variants,
    /// Curves of takes and variants.
    Plots,
    /// Who listens to whom in a model.
    Network,
    /// One node of it.
    Node,
    /// Variants beside noise and cycle animation, in numbers.
    Compare,
    /// Feet and hands that stay in place.
    Holding,
    /// Styles: which poses are natural.
    Styles,
    /// The posed character as a figure to click on.
    Body,
    /// The poses that a style knows, as a map.
    Map,
    /// The pose library: kept poses, to be searched and applied.
    Poses,
    /// Keyframes of the posed character.
    Keys,
    /// A picture to pose over.
    Picture,
    /// Joints of a take that are rebuilt.
    Repair,
    /// Actions that can be put on the strip.
    Actions,
    /// One transition of the strip.
    Join,
    /// The transition graph as a picture.
    Graph,
    /// Endless play that listens to keys.
    Live,
    /// Paths on the floor.
    Path,
    /// Sets of motions to measure, show and rate.
    Compared,
    /// Naturalness and diversity of sets, in numbers.
    Measures,
    /// Motion that comes again.
    Clones,
    /// Hundreds of characters at once.
    Crowd,
    /// Rating sessions: who judges motions one after another.
    Rating,
    /// Analysis of variance of what raters said.
    Analysis,
}

impl Pane {
    /// The words on its tab.
    pub const fn title(self) -> &'static str {
        match self {
            Self::Clips => "Clips",
            Self::View => "3D view",
            Self::Inspector => "Inspector",
            Self::Sets => "Sets",
            Self::Clean => "Clean",
            Self::Cut => "Cut",
            Self::Strokes => "Strokes",
            Self::Takes => "Takes",
            Self::Similar => "Similar clips",
            Self::Models => "Models",
            Self::Variants => "Variants",
            Self::Plots => "Plots",
            Self::Network => "Network",
            Self::Node => "Node",
            Self::Compare => "Compare",
            Self::Holding => "Foot lock",
            Self::Styles => "Styles",
            Self::Body => "Body",
            Self::Map => "Pose map",
            Self::Poses => "Poses",
            Self::Keys => "Keys",
            Self::Picture => "Picture",
            Self::Repair => "Repair",
            Self::Actions => "Actions",
            Self::Join => "Join",
            Self::Graph => "Graph",
            Self::Live => "Live",
            Self::Path => "Path",
            Self::Compared => "Compared sets",
            Self::Measures => "Measures",
            Self::Clones => "Clones",
            Self::Crowd => "Crowd",
            Self::Rating => "Rating",
            Self::Analysis => "Analysis",
        }
    }
}
