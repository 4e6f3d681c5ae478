//! Any bytes can be read as oh-my-pi's lines.

#![no_main]

use libfuzzer_sys::fuzz_target;
use loci_domain::transcript::Format;

fuzz_target!(|bytes: &[u8]| loci_fuzz::read(Format::OhMyPi, bytes));
