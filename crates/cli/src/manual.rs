//! The manual pages in `docs/man`, made of what can be asked on the command line; only tests need it.
//!
//! They are committed rather than made by the binary or by its build: nobody's binary is larger for them, who packages
//! Loci finds them in the source, and a change of a flag shows what its reader will see.

use crate::args::Cli;
use clap::{Command, CommandFactory};
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, roman};
use std::io::Result;

/// What every rendered part begins with; a page needs it once.
const PREAMBLE: &str = ".ie \\n(.g .ds Aq \\(aq\n.el .ds Aq '\n";

#[test]
fn the_committed_manual_is_that_of_the_command_line() {
    let mut command = Cli::command().disable_help_subcommand(true);
    command.build();
    let mut pages = vec![("loci.1".to_owned(), page(&command).unwrap())];
    below(&command, &mut pages).unwrap();
    loci_testkit::blessed::same_folder("docs/man", &pages);
}

/// The pages of all commands below one. What every command can be told is in the page of `loci`.
fn below(command: &Command, pages: &mut Vec<(String, String)>) -> Result<()> {
    for inner in command.get_subcommands().filter(|it| !it.is_hide_set()) {
        let own = inner.clone().mut_args(|arg| if arg.is_global_set() { arg.hide(true) } else { arg });
        let name = own.get_display_name().unwrap_or(own.get_name());
        pages.push((format!("{name}.1"), page(&own)?));
        below(inner, pages)?;
    }
    Ok(())
}

/// Neither date nor version: a page changes when what it says does.
fn page(command: &Command) -> Result<String> {
    let (man, name) = (Man::new(command.clone()), command.get_display_name().unwrap_or(command.get_name()));
    let mut page = format!(".TH {name} 1 \"\" Loci \"Loci Manual\"\n").into_bytes();
    man.render_name_section(&mut page)?;
    man.render_synopsis_section(&mut page)?;
    man.render_description_section(&mut page)?;
    man.render_options_section(&mut page)?;
    if command.get_subcommands().any(|it| !it.is_hide_set()) {
        man.render_subcommands_section(&mut page)?;
    }
    if let Some(examples) = command.get_after_help() {
        self::examples(&examples.to_string()).to_writer(&mut page)?;
    }
    if command.get_name() != "loci" {
        let mut also = Roff::new();
        also.control("SH", ["SEE ALSO"]).text([bold("loci"), roman("(1), for the options of every command")]);
        also.to_writer(&mut page)?;
    }
    Ok(format!("{PREAMBLE}{}", String::from_utf8_lossy(&page).replace(PREAMBLE, "")))
}

/// Lines stay lines: they are what somebody types.
fn examples(text: &str) -> Roff {
    let mut roff = Roff::new();
    roff.control("SH", ["EXAMPLES"]).control("nf", []);
    for line in text.lines().filter(|line| !matches!(*line, "Example:" | "Examples:")) {
        roff.text([roman(line.strip_prefix("  ").unwrap_or(line))]);
    }
    roff.control("fi", []);
    roff
}

#[test]
fn every_command_shows_an_example_and_says_what_its_arguments_are() {
    fn look(command: &Command) {
        let name = command.get_display_name().unwrap_or(command.get_name());
        let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
        assert!(help.contains("Example"), "{name} has no example");
        for arg in command.get_arguments().filter(|arg| !arg.is_hide_set()) {
            assert!(arg.get_help().is_some(), "{name} does not say what {} is", arg.get_id());
        }
        command.get_subcommands().filter(|it| !it.is_hide_set()).for_each(look);
    }
    let mut command = Cli::command().disable_help_subcommand(true);
    command.build();
    look(&command);
}
