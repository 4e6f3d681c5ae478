//! Any bytes can be read as Gemini CLI's chats, as a document or in steps.

#![no_main]

use libfuzzer_sys::fuzz_target;
use loci_domain::transcript::Format;

fuzz_target!(|bytes: &[u8]| loci_fuzz::read(Format::GeminiCli, bytes));
