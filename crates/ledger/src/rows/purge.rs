//! Rows of images, as whoever looks through them all reads them.

use crate::columns::Columns;
use crate::{Result, packing};
use loci_domain::change::Image;

/// Reads `digest, codec, size, data`.
pub(crate) fn image(row: &impl Columns) -> Result<Image> {
    let digest = row.digest(0)?;
    Ok(Image { digest, bytes: packing::unpack(&digest, row.number(1)?, row.number(2)?, row.bytes(3)?)? })
}
