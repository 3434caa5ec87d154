//! Colours, by the conventions of the program.

/// A colour as it is shown on screen (sRGB), each part 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Colour {
    /// Red.
    pub r: f32,
    /// Green.
    pub g: f32,
    /// Blue.
    pub b: f32,
}

impl Colour {
    /// Motions that were given.
    pub const GIVEN: Self = Self::rgb(0x4f, 0x8f, 0xdc);
    /// Motions that were made.
    pub const GENERATED: Self = Self::rgb(0xf0, 0x8c, 0x32);
    /// What is selected.
    pub const SELECTED: Self = Self::rgb(0xff, 0xee, 0xb4);
    /// Where a join comes from.
    pub const SOURCE: Self = Self::rgb(0xf2, 0xc9, 0x3c);
    /// Where a join goes.
    pub const DESTINATION: Self = Self::rgb(0xe0, 0x53, 0x4a);
    /// The X axis.
    pub const X: Self = Self::rgb(0xe5, 0x4b, 0x50);
    /// The Y axis.
    pub const Y: Self = Self::rgb(0x7c, 0xb8, 0x3c);
    /// The Z axis.
    pub const Z: Self = Self::rgb(0x45, 0x85, 0xe8);

    /// From the usual bytes.
    pub const fn rgb(r: u8, g: u8, b: u8) -> Self {
        Self {
            r: r as f32 / 255.0,
            g: g as f32 / 255.0,
            b: b as f32 / 255.0,
        }
    }

    /// In between: 0 is this one, 1 the other.
    #[must_use]
    pub fn mix(self, other: Self, share: f32) -> Self {
        let part = |a: f32, b: f32| a + (b - a) * share;
        Self {
            r: part(self.r, other.r),
            g: part(self.g, other.g),
            b: part(self.b, other.b),
        }
    }

    /// With an opacity, as the shaders take it.
    pub const fn with_alpha(self, alpha: f32) -> [f32; 4] {
        [self.r, self.g, self.b, alpha]
    }
}

/// What is behind and under the characters.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Backdrop {
    /// At the upper edge.
    pub top: Colour,
    /// At the lower edge.
    pub bottom: Colour,
    /// The floor near the characters.
    pub floor: Colour,
    /// Lines of the grid.
    pub line: Colour,
    /// Trails and marks that should stand out from it.
    pub ink: Colour,
    /// How dark shadows are, 0 to 1.
    pub shadow: f32,
}

impl Backdrop {
    /// For the dark theme.
    pub const DARK: Self = Self {
        top: Colour::rgb(0x20, 0x23, 0x29),
        bottom: Colour::rgb(0x31, 0x35, 0x3d),
        floor: Colour::rgb(0x43, 0x48, 0x52),
        line: Colour::rgb(0x6c, 0x73, 0x80),
        ink: Colour::SELECTED,
        shadow: 0.62,
    };
    /// For the light theme and for paper.
    pub const LIGHT: Self = Self {
        top: Colour::rgb(0xf4, 0xf6, 0xf9),
        bottom: Colour::rgb(0xdd, 0xe1, 0xe7),
        floor: Colour::rgb(0xe9, 0xec, 0xf0),
        line: Colour::rgb(0xa4, 0xab, 0xb6),
        ink: Colour::rgb(0x9c, 0x3f, 0x12),
        shadow: 0.42,
    };
}
