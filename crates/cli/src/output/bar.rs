//! How far long work is, on one line that is written anew: on stderr, and only for a person at a terminal.

use super::{Format, Output};
use console::Term;
use loci_pipeline::Progress;
use std::sync::{Mutex, PoisonError};

/// Columns of the bar itself.
const WIDTH: usize = 24;

/// A bar over the sessions of a run.
pub struct Bar {
    /// None where nobody looks.
    term: Option<Term>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    all: usize,
    over: usize,
    doing: Vec<(String, String)>,
}

impl Bar {
    pub fn new(output: Output) -> Bar {
        let seen = output.format == Format::Text && console::user_attended_stderr();
        Bar { term: seen.then(Term::stderr), state: Mutex::default() }
    }

    fn change(&self, change: impl FnOnce(&mut State)) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        change(&mut state);
        if let Some(term) = &self.term {
            let columns = usize::from(term.size().1).max(20);
            let _ = term.clear_line();
            let _ = term.write_str(&console::truncate_str(&drawn(&state), columns - 1, "…"));
        }
    }
}

impl Progress for Bar {
    fn due(&self, sessions: usize) {
        self.change(|state| state.all = sessions);
    }

    fn began(&self, kind: &str, key: &str) {
        self.change(|state| state.doing.push((kind.to_owned(), key.to_owned())));
    }

    fn ended(&self, kind: &str, key: &str) {
        self.change(|state| {
            state.doing.retain(|(k, _)| k != kind || kind == "distil");
            if let Some(at) = state.doing.iter().position(|(k, n)| k == kind && n == key) {
                state.doing.remove(at);
            }
            state.over += usize::from(kind == "distil");
        });
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        if let Some(term) = &self.term {
            let _ = term.clear_line();
        }
    }
}

fn drawn(state: &State) -> String {
    let all = state.all.max(state.over).max(1);
    let full = WIDTH * state.over / all;
    let bar = format!("{}{}", "█".repeat(full), "░".repeat(WIDTH - full));
    let doing = match state.doing.last() {
        Some((kind, key)) if kind == "distil" => format!("reading {key}"),
        Some((_, project)) => {
            let name = project.rsplit('/').next().unwrap_or(project);
            format!("making the handbook of {name}")
        }
        None => String::new(),
    };
    format!("{bar} {}/{} sessions  {doing}", state.over, state.all.max(state.over))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_says_how_far_it_is() {
        let bar = Bar { term: None, state: Mutex::default() };
        bar.due(4);
        bar.began("distil", "s1");
        bar.ended("distil", "s1");
        bar.began("distil", "s2");
        let text = drawn(&bar.state.lock().unwrap());
        assert_eq!(text, format!("{}{} 1/4 sessions  reading s2", "█".repeat(6), "░".repeat(18)));
        bar.ended("distil", "s2");
        bar.began("consolidate", "project:/srv/shop");
        assert!(drawn(&bar.state.lock().unwrap()).ends_with("2/4 sessions  making the handbook of shop"));
    }
}
