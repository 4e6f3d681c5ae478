//! The embedders, from outside.
// Helpers of tests are tests too.
#![allow(clippy::unwrap_used)]

mod endpoint;
mod folder;
mod meaning;
mod properties;
mod providers;
mod reference;
mod silence;
