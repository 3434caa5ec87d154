//! Colours, by the conventions of the program.

/// A colour as it is shown on screen (sRGB), each part 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Colour {
    /// Red, from 0 to 1.
    pub r: f32,
    /// Green, from 0 to 1.
    pub g: f32,
    /// Blue, from 0 to 1.
    pub b: f32,
}

impl Colour {
    /// Motions that were given.
    pub const GIVEN: Self = Self::rgb(0x4f, 0x8f, 0xdc);
    /// Motions that were made.
    pub const GENERATED: Self = Self::rgb(0xf0, 0x8c, 0x32);
    /// The colour of selected characters, joints and handles.
    pub const SELECTED: Self = Self::rgb(0xff, 0xee, 0xb4);
    /// The colour of the X axis: red, as in Blender and Maya.
    pub const X: Self = Self::rgb(0xe5, 0x4b, 0x50);
    /// The colour of the Y axis: green, as in Blender and Maya.
    pub const Y: Self = Self::rgb(0x7c, 0xb8, 0x3c);
    /// The colour of the Z axis: blue, as in Blender and Maya.
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

    /// A line of this colour on the dark or the light backdrop: paler there, deeper here.
    #[must_use]
    pub fn standing_out(self, is_dark: bool) -> Self {
        if is_dark {
            self.mix(Self::SELECTED, 0.35)
        } else {
            self.mix(Self::rgb(0, 0, 0), 0.45)
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
    /// How faint the far ends of motion paths may be, 0 to 1.
    pub faintest: f32,
    /// How dark shadows are, 0 to 1.
    pub shadow: f32,
}

impl Backdrop {
    /// The backdrop that goes with the dark or the light theme.
    pub const fn of(is_dark: bool) -> Self {
        if is_dark { Self::DARK } else { Self::LIGHT }
    }

    /// For the dark theme.
    pub const DARK: Self = Self {
        top: Colour::rgb(0x20, 0x23, 0x29),
        bottom: Colour::rgb(0x31, 0x35, 0x3d),
        floor: Colour::rgb(0x43, 0x48, 0x52),
        line: Colour::rgb(0x6c, 0x73, 0x80),
        ink: Colour::SELECTED,
        faintest: 0.2,
        shadow: 0.62,
    };
    /// For the light theme and for paper.
    pub const LIGHT: Self = Self {
        top: Colour::rgb(0xf4, 0xf6, 0xf9),
        bottom: Colour::rgb(0xdd, 0xe1, 0xe7),
        floor: Colour::rgb(0xe9, 0xec, 0xf0),
        line: Colour::rgb(0xa4, 0xab, 0xb6),
        ink: Colour::rgb(0x9c, 0x3f, 0x12),
        faintest: 0.5,
        shadow: 0.42,
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As the W3C counts contrast: 1 is none, 21 is black on white.
    fn contrast(a: Colour, b: Colour) -> f32 {
        let linear = |part: f32| ((part + 0.055) / 1.055).powf(2.4);
        let light = |c: Colour| 0.2126 * linear(c.r) + 0.7152 * linear(c.g) + 0.0722 * linear(c.b);
        let (a, b) = (light(a) + 0.05, light(b) + 0.05);
        a.max(b) / a.min(b)
    }

    #[test]
    fn motion_paths_and_rings_are_seen_in_both_themes() {
        for is_dark in [true, false] {
            let backdrop = Backdrop::of(is_dark);
            for colour in [Colour::GIVEN, Colour::GENERATED] {
                let line = colour.standing_out(is_dark);
                // Where a path is faintest, what is behind it shows through.
                let far = backdrop.floor.mix(line, backdrop.faintest);
                let (near, far) = (
                    contrast(line, backdrop.floor),
                    contrast(far, backdrop.floor),
                );
                assert!(near >= 3.0, "{is_dark}: {colour:?} {near}");
                assert!(far >= 1.3, "{is_dark}: {colour:?} far away {far}");
            }
            let ink = contrast(backdrop.ink, backdrop.floor);
            assert!(ink >= 3.0, "{is_dark}: ink {ink}");
        }
    }
}
