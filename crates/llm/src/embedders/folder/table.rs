//! A `model.safetensors` with one row a token.
//!
//! Owns the reading of the file: its header once, its weights and mapping once, and a row for each token.
//! Never trusts a number of the header: sizes are checked against the file before anything is read by them.
//! Start at [`Table::open`].

use super::{damaged, failure, unsupported};
use crate::embed::Result;
use crate::wordpiece::pack::ID_BITS;
use serde::Deserialize;
use serde_json::Value;
use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

/// A header names a handful of tensors; what is larger is no such file.
const MOST_HEADER: u64 = 1 << 20;
/// No vocabulary that can be packed has more.
const MOST_TOKENS: usize = 1 << ID_BITS;
/// No embedding is as wide.
const MOST_DIMENSIONS: usize = 1 << 14;

/// The rows of a model, read one by one.
#[derive(Debug)]
pub(super) struct Table {
    path: PathBuf,
    file: File,
    rows: Tensor,
    /// What a token counts, where they do not all count the same.
    weights: Option<Vec<f64>>,
    /// Which row a token has, where tokens share rows.
    mapping: Option<Vec<f64>>,
}

#[derive(Debug)]
struct Tensor {
    number: Number,
    start: u64,
    rows: usize,
    columns: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
enum Number {
    I8,
    I32,
    I64,
    F16,
    F32,
    F64,
}

#[derive(Deserialize)]
struct Described {
    dtype: Value,
    shape: Vec<usize>,
    data_offsets: [u64; 2],
}

impl Table {
    pub(super) fn open(path: &Path) -> Result<Table> {
        let file = File::open(path).map_err(|error| failure(path, error))?;
        let size = file.metadata().map_err(|error| failure(path, error))?.len();
        let mut length = [0; 8];
        let short = || damaged(path, "it ends in its header");
        let length = file.read_exact_at(&mut length, 0).map(|()| u64::from_le_bytes(length)).map_err(|_| short())?;
        let data = length.checked_add(8).filter(|data| *data <= size).ok_or_else(short)?;
        if length > MOST_HEADER {
            return Err(unsupported(path, "a header of more than 1 MiB"));
        }
        let mut header = vec![0; length as usize];
        file.read_exact_at(&mut header, 8).map_err(|error| failure(path, error))?;
        let header: Value = serde_json::from_slice(&header).map_err(|error| damaged(path, error.to_string()))?;

        let tensor = |name: &str| header.get(name).map(|found| Tensor::described(path, name, found, data, size));
        let rows = ["embeddings", "0", "embedding.weight"].into_iter().find_map(tensor);
        let rows = rows.ok_or_else(|| unsupported(path, "a file without the tensor `embeddings`"))??;
        if rows.columns == 0 || rows.columns > MOST_DIMENSIONS {
            return Err(unsupported(path, format!("rows of {} numbers", rows.columns)));
        }
        let all = |name| tensor(name).transpose()?.map(|tensor| tensor.all(path, &file)).transpose();
        let (weights, mapping) = (all("weights")?, all("mapping")?);
        Ok(Table { path: path.to_owned(), file, rows, weights, mapping })
    }

    pub(super) fn dimensions(&self) -> usize {
        self.rows.columns
    }

    /// Adds the row of a token to a sum.
    pub(super) fn add(&self, id: usize, sum: &mut [f32]) -> Result<()> {
        let given = |numbers: &Option<Vec<f64>>| numbers.as_ref().and_then(|numbers| numbers.get(id).copied());
        let row = given(&self.mapping).unwrap_or(id as f64);
        let weight = given(&self.weights).unwrap_or(1.0);
        if !(0.0..self.rows.rows as f64).contains(&row) {
            return Err(damaged(&self.path, format!("the token {id} has no row")));
        }
        let mut bytes = vec![0; self.rows.columns * self.rows.number.width()];
        let at = self.rows.start + row as u64 * bytes.len() as u64;
        self.file.read_exact_at(&mut bytes, at).map_err(|error| failure(&self.path, error))?;
        for (sum, x) in sum.iter_mut().zip(self.rows.number.decoded(&bytes)) {
            *sum += (x * weight) as f32;
        }
        Ok(())
    }
}

impl Tensor {
    fn described(path: &Path, name: &str, described: &Value, data: u64, size: u64) -> Result<Tensor> {
        let wrong = |what: &str| damaged(path, format!("the tensor `{name}` {what}"));
        let described: Described =
            serde_json::from_value(described.clone()).map_err(|error| wrong(&format!("is not described: {error}")))?;
        let number = serde_json::from_value(described.dtype.clone())
            .map_err(|_| unsupported(path, format!("the tensor `{name}` of the type {}", described.dtype)))?;
        let (rows, columns) = match described.shape[..] {
            [rows] => (rows, 1),
            [rows, columns] => (rows, columns),
            _ => return Err(wrong("is no table")),
        };
        let tensor = Tensor { number, start: data.saturating_add(described.data_offsets[0]), rows, columns };
        let bytes = rows.checked_mul(columns).and_then(|count| count.checked_mul(number.width()));
        let end = bytes.and_then(|bytes| tensor.start.checked_add(bytes as u64));
        let told = data.saturating_add(described.data_offsets[1]);
        if end != Some(told) || told > size { Err(wrong("is not as long as it says")) } else { Ok(tensor) }
    }

    fn all(&self, path: &Path, file: &File) -> Result<Vec<f64>> {
        if self.rows > MOST_TOKENS || self.columns != 1 {
            return Err(unsupported(path, format!("{} rows of {} weights", self.rows, self.columns)));
        }
        let mut bytes = vec![0; self.rows * self.number.width()];
        file.read_exact_at(&mut bytes, self.start).map_err(|error| failure(path, error))?;
        Ok(self.number.decoded(&bytes).collect())
    }
}

impl Number {
    fn width(self) -> usize {
        match self {
            Number::I8 => 1,
            Number::F16 => 2,
            Number::I32 | Number::F32 => 4,
            Number::I64 | Number::F64 => 8,
        }
    }

    fn decoded(self, bytes: &[u8]) -> impl Iterator<Item = f64> + '_ {
        bytes.chunks_exact(self.width()).map(move |bytes| match (self, bytes) {
            (Number::I8, [a]) => f64::from(*a as i8),
            (Number::F16, [a, b]) => half(u16::from_le_bytes([*a, *b])),
            (Number::I32, [a, b, c, d]) => f64::from(i32::from_le_bytes([*a, *b, *c, *d])),
            (Number::F32, [a, b, c, d]) => f64::from(f32::from_le_bytes([*a, *b, *c, *d])),
            (_, bytes) => match <[u8; 8]>::try_from(bytes) {
                Ok(bytes) if self == Number::I64 => i64::from_le_bytes(bytes) as f64,
                Ok(bytes) => f64::from_le_bytes(bytes),
                Err(_) => unreachable!("a chunk is as wide as its number"),
            },
        })
    }
}

/// A number of 16 bits: sign, five bits of exponent, ten of fraction.
fn half(bits: u16) -> f64 {
    let sign = if bits >> 15 == 1 { -1.0 } else { 1.0 };
    let (exponent, fraction) = (i32::from(bits >> 10 & 31), f64::from(bits & 1023) / 1024.0);
    sign * match exponent {
        0 => fraction * 2_f64.powi(-14),
        31 if fraction == 0.0 => f64::INFINITY,
        31 => f64::NAN,
        exponent => (1.0 + fraction) * 2_f64.powi(exponent - 15),
    }
}
