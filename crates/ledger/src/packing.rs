//! Bytes of images as engines keep them: compressed when that helps, checked when read.

use crate::{Error, Result};
use loci_domain::digest::Digest;
use std::cell::RefCell;
use zstd::bulk::Compressor;

/// Below this a frame's own header eats what compression wins.
const SMALL: usize = 64;
const LEVEL: i32 = 3;
/// SQLite's own limit for a value; a larger size in a row is damage, and nothing of that size is allocated.
const LARGEST: u64 = 1_000_000_000;

/// The codec of bytes that are left as they are.
pub(crate) const RAW: i64 = 0;
/// The codec of compressed bytes.
pub(crate) const ZSTD: i64 = 1;

/// Compressed bytes; `None` = better left as they are.
pub(crate) fn pack(bytes: &[u8]) -> Result<Option<Vec<u8>>> {
    if bytes.len() < SMALL {
        return Ok(None);
    }
    let packed = PACKER.with_borrow_mut(|packer| match packer {
        Some(packer) => packer.compress(bytes),
        None => packer.insert(Compressor::new(LEVEL)?).compress(bytes),
    });
    let packed = packed.map_err(|error| Error::Engine(format!("zstd: {error}")))?;
    Ok((packed.len() < bytes.len()).then_some(packed))
}

thread_local! {
    /// Kept, because making one costs more than compressing a memory.
    static PACKER: RefCell<Option<Compressor<'static>>> = const { RefCell::new(None) };
}

/// The bytes of a row, which must be the ones that the digest names.
pub(crate) fn unpack(digest: &Digest, codec: i64, size: i64, data: Vec<u8>) -> Result<Vec<u8>> {
    let damaged = || Error::Corrupt(format!("the image {digest}"));
    let size = u64::try_from(size).ok().filter(|size| *size <= LARGEST).ok_or_else(damaged)?;
    let bytes = match codec {
        RAW => data,
        ZSTD => zstd::bulk::decompress(&data, usize::try_from(size).map_err(|_| damaged())?).map_err(|_| damaged())?,
        _ => return Err(damaged()),
    };
    if Digest::of(&bytes) == *digest { Ok(bytes) } else { Err(damaged()) }
}
