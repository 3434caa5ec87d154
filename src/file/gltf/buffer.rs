//! The one buffer of a glTF file, and the list of what lies in it.

use serde_json::{Value, json};

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
    pub(super) views: Vec<Value>,
    pub(super) accessors: Vec<Value>,
}

impl Buffer {
    /// Rows of floats as `SCALAR`, `VEC3` and so on; `bounded` rows state their smallest and largest values.
    pub(super) fn floats<const N: usize>(
        &mut self,
        kind: &str,
        used: Use,
        bounded: bool,
        rows: &[[f32; N]],
    ) -> usize {
        let start = self.bytes.len();
        for value in rows.iter().flatten() {
            self.bytes.extend_from_slice(&value.to_le_bytes());
        }
        let mut accessor = json!({ "componentType": 5126, "count": rows.len(), "type": kind });
        if bounded {
            let bound = |pick: fn(f32, f32) -> f32| -> Vec<f32> {
                (0..N)
                    .filter_map(|i| rows.iter().map(|row| row[i]).reduce(pick))
                    .collect()
            };
            accessor["min"] = json!(bound(f32::min));
            accessor["max"] = json!(bound(f32::max));
        }
        self.block(start, used, accessor)
    }

    /// Four joint numbers for each vertex.
    pub(super) fn joints(&mut self, rows: &[[u16; 4]]) -> usize {
        let start = self.bytes.len();
        for value in rows.iter().flatten() {
            self.bytes.extend_from_slice(&value.to_le_bytes());
        }
        let accessor = json!({ "componentType": 5123, "count": rows.len(), "type": "VEC4" });
        self.block(start, Use::Vertices, accessor)
    }

    /// Adds vertex indices of triangles.
    pub(super) fn indices(&mut self, indices: &[u32]) -> usize {
        let start = self.bytes.len();
        for value in indices {
            self.bytes.extend_from_slice(&value.to_le_bytes());
        }
        let accessor = json!({ "componentType": 5125, "count": indices.len(), "type": "SCALAR" });
        self.block(start, Use::Indices, accessor)
    }

    /// All blocks are made of whole multiples of four bytes, so each starts aligned.
    fn block(&mut self, start: usize, used: Use, mut accessor: Value) -> usize {
        let mut view = json!({
            "buffer": 0,
            "byteOffset": start,
            "byteLength": self.bytes.len() - start,
        });
        match used {
            Use::Data => {}
            Use::Vertices => view["target"] = json!(34962),
            Use::Indices => view["target"] = json!(34963),
        }
        accessor["bufferView"] = json!(self.views.len());
        self.views.push(view);
        self.accessors.push(accessor);
        self.accessors.len() - 1
    }
}
