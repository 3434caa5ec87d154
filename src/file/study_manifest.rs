//! What `kinfolk vary` tells of the variants it made, read again.

use super::SyntaxError;
use super::checksum::Crc32;
use super::table::{Columns, Table};

/// The variants of a manifest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Manifest {
    /// One for each file.
    pub rows: Vec<ManifestRow>,
}

/// A row of the manifest: one variant and how it was made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ManifestRow {
    /// Name of its file, in the manifest's folder.
    pub file: String,
    /// Its number in the set.
    pub variant: usize,
    /// Names its random numbers, as it was written.
    pub seed: String,
    /// How much it varies, as it was written.
    pub amount: String,
    /// Frames it should have.
    pub frames: usize,
    /// Of the file's bytes; manifests of earlier versions have none.
    pub crc32: Option<Crc32>,
}

/// Reads a manifest; other columns do no harm.
pub fn parse(bytes: &[u8]) -> Result<Manifest, SyntaxError> {
    const COLUMNS: Columns<'_> = Columns {
        names: &[
            &["file"],
            &["variant"],
            &["seed"],
            &["amount"],
            &["frames"],
            &["crc32"],
        ],
        n_needed: 5,
        needs_header: true,
    };
    let table = Table::parse(bytes, &COLUMNS)?;
    let rows = table.rows.iter().map(|row| {
        let whole = |column: usize| {
            let expected = "a whole number of at least zero";
            let value = row.number(column, expected)?;
            if value >= 0.0 && value.fract() == 0.0 && value <= 1e9 {
                Ok(value as usize)
            } else {
                Err(row.wrong(column, expected))
            }
        };
        let file = row.word(0, "the name of a file")?;
        // A manifest says what lies beside it; anything else is a mistake or meant to do harm.
        if file.contains(['/', '\\']) || file == ".." {
            return Err(row.wrong(0, "the name of a file in this folder"));
        }
        let crc32 = match row.text(5) {
            "" => None,
            text => Some(
                Crc32::parse(text)
                    .ok_or_else(|| row.wrong(5, "a checksum of eight hexadecimal digits"))?,
            ),
        };
        Ok(ManifestRow {
            file: file.to_owned(),
            variant: whole(1)?,
            seed: row.text(2).to_owned(),
            amount: row.text(3).to_owned(),
            frames: whole(4)?,
            crc32,
        })
    });
    Ok(Manifest {
        rows: rows.collect::<Result<Vec<ManifestRow>, SyntaxError>>()?,
    })
}
