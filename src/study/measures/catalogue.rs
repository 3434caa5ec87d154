//! The measures by name, each with a sentence.

/// What a measure is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// One clip; a set has the mean.
    Clip,
    /// A set as a whole.
    Set,
}

macro_rules! measures {
    ($($variant:ident, $id:literal, $name:literal, $unit:literal, $scope:ident, $sentence:literal;)*) => {
        /// Something that can be measured.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Measure {
            $(#[doc = $sentence] $variant,)*
        }

        impl Measure {
            /// All, in the order of tables.
            pub const ALL: [Self; [$($id),*].len()] = [$(Self::$variant),*];

            /// As files spell it.
            pub const fn id(self) -> &'static str {
                match self { $(Self::$variant => $id,)* }
            }

            /// As tables call it.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }

            /// What its numbers count; lengths are in body heights.
            pub const fn unit(self) -> &'static str {
                match self { $(Self::$variant => $unit,)* }
            }

            /// What it says, in a sentence.
            pub const fn sentence(self) -> &'static str {
                match self { $(Self::$variant => $sentence,)* }
            }

            /// What it is about.
            pub const fn scope(self) -> Scope {
                match self { $(Self::$variant => Scope::$scope,)* }
            }
        }
    };
}

measures! {
    NearestPose, "nearest_pose", "Nearest pose", "deviations", Clip,
        "How far poses are from the nearest pose of the inputs; far above real clips, the motion leaves what people do.";
    Jerk, "jerk", "Jerk", "times the inputs", Clip,
        "Third derivative of the joint angles against that of the inputs: 1 is as smooth, more trembles, less is smoothed.";
    SpaceJerk, "jerk_in_space", "Jerk in space", "heights/s³", Clip,
        "Third derivative of where the joints are, which sees a hand tremble although no single joint does.";
    PeakSpeed, "peak_speed", "Peak speed", "heights/s", Clip,
        "The fastest that a hand or foot gets.";
    FootSlide, "foot_slide", "Foot slide", "heights/s", Clip,
        "Median speed of feet over the floor while they stand.";
    Penetration, "penetration", "Penetration", "heights", Clip,
        "Mean depth of the feet below the level at which the inputs' feet stand.";
    LoopGap, "loop_gap", "Loop gap", "heights", Clip,
        "How far the pose jumps where the clip would begin again; small only for loops.";
    Novelty, "novelty", "Novelty", "heights", Clip,
        "How far each second is from the most similar second of any input: 0 is a copy.";
    Within, "within", "Diversity within", "heights", Clip,
        "How far each second of a long clip is from the most similar other second of the same clip: 0 repeats itself.";
    Npss, "npss", "Power spectrum (NPSS)", "bins", Clip,
        "How far the power of the joint angles is shifted between frequencies against the inputs: 0 has the same rhythm.";
    GaitPhase, "gait_phase", "Gait phase", "cycles", Clip,
        "From one foot's touch-down to the other's as a share of the cycle: half in an even walk, nothing when both come down together.";
    Likelihood, "likelihood", "Likelihood", "nats", Clip,
        "Mean log-likelihood of a value under the model.";
    LocalDiversity, "local_diversity", "Local diversity (GANimator)", "", Clip,
        "Distance a frame of 15-frame windows from the nearest window of the inputs, 6D rotations at 30 fps.";
    GlobalDiversity, "global_diversity", "Global diversity (GANimator)", "", Clip,
        "Distance a frame from the best patchwork of input segments of at least 30 frames; 0 is a patchwork.";
    WindowCoverage, "window_coverage", "Coverage (GANimator)", "share", Clip,
        "Share of the inputs' 30-frame windows that come within 2.0 a frame of some window of the clip.";
    Diversity, "diversity", "Diversity between", "deviations", Set,
        "How far two clips of the set are from each other at the same share of their time.";
    PoseCoverage, "pose_coverage", "Pose coverage", "share", Set,
        "Share of the inputs' poses that come as near to a pose of the set as nine of ten real poses come to the inputs.";
    CorrelationInside, "correlation_inside", "Correlation in limbs", "r", Set,
        "Whether joints of a limb differ together as in real clips: 1 is the same pattern, 0 none of it.";
    CorrelationBetween, "correlation_between", "Correlation between limbs", "r", Set,
        "The same for joints of different limbs.";
    GaitSpread, "gait_spread", "Gait-phase spread", "cycles", Set,
        "By how much the gait phase scatters over all steps of the set (circular standard deviation).";
    Clones, "clones", "Clones", "share", Set,
        "Share of the set's seconds that come again in the set, nearer than real people repeat themselves.";
}

impl Measure {
    /// Its place in [`Self::ALL`].
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Whether less than real clips have is no fault: nobody misses sliding feet.
    pub const fn low_is_good(self) -> bool {
        matches!(self, Self::FootSlide | Self::Penetration | Self::LoopGap)
    }

    /// Whether more than real clips have is no fault.
    pub const fn high_is_good(self) -> bool {
        matches!(
            self,
            Self::Likelihood | Self::PoseCoverage | Self::WindowCoverage
        ) || matches!(self, Self::CorrelationInside | Self::CorrelationBetween)
    }

    /// By its spelling in files.
    pub fn by_id(id: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|measure| measure.id() == id)
    }
}
