//! The one buffer of a glTF file, and the list of what lies in it.

use super::parts::{Accessor, View};

const U16: u32 = 5123;
const U32: u32 = 5125;
const F32: u32 = 5126;

/// What a stretch of the buffer is for; the graphics card wants to know.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Use {
    /// Animation data and matrices.
    Data,
    Vertices,
    Indices,
}

/// Little-endian numbers one after another, each block aligned to four bytes, with its view and accessor.
#[derive(Debug, Default)]
pub(super) struct Buffer {
    pub(super) bytes: Vec<u8>,
    pub(super) views: Vec<View>,
    pub(super) accessors: Vec<Accessor>,
}

impl Buffer {
    /// Rows of floats as `SCALAR`, `VEC3` and so on; `bounded` rows state their smallest and largest values.
    pub(super) fn floats<const N: usize>(
        &mut self,
        kind: &'static str,
        used: Use,
        bounded: bool,
        rows: &[[f32; N]],
    ) -> usize {
        let start = self.bytes.len();
        for value in rows.iter().flatten() {
            self.bytes.extend_from_slice(&value.to_le_bytes());
        }
        let bound = |pick: fn(f32, f32) -> f32| -> Vec<f32> {
            let columns = (0..N).filter(|_| bounded);
            columns
                .filter_map(|i| rows.iter().map(|row| row[i]).reduce(pick))
                .collect()
        };
        let (min, max) = (bound(f32::min), bound(f32::max));
        let accessor = self.block(start, used, F32, rows.len(), kind);
        (self.accessors[accessor].min, self.accessors[accessor].max) = (min, max);
        accessor
    }

    /// Four joint numbers for each vertex.
    pub(super) fn joints(&mut self, rows: &[[u16; 4]]) -> usize {
        let start = self.bytes.len();
        for value in rows.iter().flatten() {
            self.bytes.extend_from_slice(&value.to_le_bytes());
        }
        self.block(start, Use::Vertices, U16, rows.len(), "VEC4")
    }

    /// Adds vertex indices of triangles.
    pub(super) fn indices(&mut self, indices: &[u32]) -> usize {
        let start = self.bytes.len();
        for value in indices {
            self.bytes.extend_from_slice(&value.to_le_bytes());
        }
        self.block(start, Use::Indices, U32, indices.len(), "SCALAR")
    }

    /// All blocks are made of whole multiples of four bytes, so each starts aligned.
    fn block(
        &mut self,
        start: usize,
        used: Use,
        component_type: u32,
        count: usize,
        kind: &'static str,
    ) -> usize {
        self.accessors.push(Accessor {
            buffer_view: self.views.len(),
            component_type,
            count,
            kind,
            min: Vec::new(),
            max: Vec::new(),
        });
        self.views.push(View {
            buffer: 0,
            byte_offset: start,
            byte_length: self.bytes.len() - start,
            target: match used {
                Use::Data => None,
                Use::Vertices => Some(34962),
                Use::Indices => Some(34963),
            },
        });
        self.accessors.len() - 1
    }
}
