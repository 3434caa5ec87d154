//! Directions along the axes of space.

use super::Vec3;

/// One of the three dimensions of space.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Dim {
    /// The x axis, the first coordinate.
    X,
    /// The y axis, the second coordinate.
    Y,
    /// The z axis, the third coordinate.
    Z,
}

impl Dim {
    /// All three, in order.
    pub const ALL: [Self; 3] = [Self::X, Self::Y, Self::Z];

    /// 0, 1 or 2.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// `X`, `Y` or `Z`.
    pub const fn letter(self) -> char {
        match self {
            Self::X => 'X',
            Self::Y => 'Y',
            Self::Z => 'Z',
        }
    }
}

/// A direction along one axis, either way: which way is up, for instance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Axis {
    /// The coordinate it runs along.
    pub dim: Dim,
    /// Whether it points towards smaller values.
    pub negative: bool,
}

impl Axis {
    /// The direction of rising x.
    pub const X: Self = Self::positive(Dim::X);
    /// Towards larger y: up in most motion-capture files.
    pub const Y: Self = Self::positive(Dim::Y);
    /// Towards larger z: up in some.
    pub const Z: Self = Self::positive(Dim::Z);

    /// Towards larger values of `dim`.
    pub const fn positive(dim: Dim) -> Self {
        Self {
            dim,
            negative: false,
        }
    }

    /// All six directions, the likeliest ups first.
    pub fn all() -> [Self; 6] {
        let positive = [Self::Y, Self::Z, Self::X];
        let [y, z, x] = positive;
        [y, z, x, y.opposite(), z.opposite(), x.opposite()]
    }

    /// The same axis, the other way.
    #[must_use]
    pub const fn opposite(self) -> Self {
        Self {
            dim: self.dim,
            negative: !self.negative,
        }
    }

    /// Unit vector in this direction.
    pub fn vector(self) -> Vec3 {
        let mut v = Vec3::zeros();
        v[self.dim.index()] = if self.negative { -1.0 } else { 1.0 };
        v
    }

    /// How far `v` reaches in this direction.
    pub fn along(self, v: &Vec3) -> f64 {
        let value = v[self.dim.index()];
        if self.negative { -value } else { value }
    }
}

impl std::fmt::Display for Axis {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.negative {
            f.write_str("-")?;
        }
        write!(f, "{}", self.dim.letter())
    }
}

/// The text is not an axis.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("expected an axis (x, y, z, -x, -y or -z), found \"{0}\"")]
pub struct NotAnAxis(pub String);

impl std::str::FromStr for Axis {
    type Err = NotAnAxis;

    fn from_str(text: &str) -> Result<Self, NotAnAxis> {
        let (negative, letter) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text.strip_prefix('+').unwrap_or(text)),
        };
        let dim = match letter {
            "x" | "X" => Dim::X,
            "y" | "Y" => Dim::Y,
            "z" | "Z" => Dim::Z,
            _ => return Err(NotAnAxis(text.to_owned())),
        };
        Ok(Self { dim, negative })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_are_read_as_they_are_shown() {
        for axis in Axis::all() {
            assert_eq!(axis.to_string().parse(), Ok(axis));
            assert_eq!(axis.along(&axis.vector()), 1.0);
            assert_eq!(axis.opposite().along(&axis.vector()), -1.0);
        }
        assert_eq!("w".parse::<Axis>(), Err(NotAnAxis("w".to_owned())));
    }
}
