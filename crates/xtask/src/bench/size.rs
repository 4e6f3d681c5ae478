//! How large the binary is without its symbols.

use crate::scratch::Scratch;
use crate::{repo, shell};
use anyhow::{Context, Result};

/// Megabytes of `target/release/loci` after `strip`; as it is where there is no `strip`.
pub fn megabytes() -> Result<f64> {
    let scratch = Scratch::new("size")?;
    let built = repo::root().join("target/release/loci");
    let stripped = scratch.path().join("loci");
    let (from, to) = (built.display().to_string(), stripped.display().to_string());
    let measured = if shell::works(&["strip", "-o", &to, &from]) {
        stripped
    } else {
        println!("strip is not installed: the size is that of the binary as built");
        built
    };
    let bytes = std::fs::metadata(&measured).with_context(|| measured.display().to_string())?.len();
    Ok(bytes as f64 / 1_000_000.0)
}
