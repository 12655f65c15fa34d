//! The engine: what it is set to, where it stands, and the search that goes on.

use std::sync::Arc;
use std::thread::{Scope, ScopedJoinHandle};
use std::time::Instant;

use quod_solver::{Aim, Door, InputError, Length, Limits, Place, Request};
use uci_parser::{UciCommand, UciSearchOptions};

use super::Tell;
use super::answer::{self, Eye};
use super::clock::time_for_move;
use super::command::Command;
use super::options::Options;
use super::signal::Signal;

/// Depth is nothing that a proof goes by, so that a search without another limit gets this one, a second or two.
const NODES_FOR_DEPTH: u64 = 1_000_000;

pub(super) struct Engine<'scope, 'env> {
    door: &'env dyn Door,
    output: &'env dyn Tell,
    scope: &'scope Scope<'scope, 'env>,
    /// Whether searches are begun: whoever tries bad commands need not wait for them.
    searches: bool,
    options: Options,
    debug: bool,
    /// In the game's notation; nothing after a position that was none.
    position: Option<String>,
    search: Option<(Arc<Signal>, ScopedJoinHandle<'scope, ()>)>,
}

impl<'scope, 'env> Engine<'scope, 'env> {
    pub(super) fn new(
        door: &'env dyn Door,
        output: &'env dyn Tell,
        scope: &'scope Scope<'scope, 'env>,
        searches: bool,
    ) -> Self {
        let position = door.locate(&Place::default()).ok().map(|located| located.position);
        Self { door, output, scope, searches, options: Options::new(), debug: false, position, search: None }
    }

    /// Does what a command says. False if that is to quit.
    pub(super) fn obey(&mut self, command: Command) -> bool {
        match command {
            Command::Board => self.show_board(),
            Command::Wait => self.wait(),
            Command::Uci(UciCommand::Uci) => self.introduce(),
            Command::Uci(UciCommand::IsReady) => self.output.tell(&["readyok".to_owned()]),
            Command::Uci(UciCommand::Debug(on)) => self.debug = on,
            Command::Uci(UciCommand::SetOption { name, value }) => {
                if let Err(problem) = self.options.set(&name, value.as_deref()) {
                    self.output.remark(&problem);
                }
            }
            Command::Uci(UciCommand::Register { .. }) => self.output.remark("no registration is needed"),
            // Every search begins with an empty table.
            Command::Uci(UciCommand::UciNewGame) => {}
            Command::Uci(UciCommand::Position { fen, moves }) => self.put(fen, &moves),
            Command::Uci(UciCommand::Go(go)) => self.go(&go),
            Command::Uci(UciCommand::Stop) => self.stop(),
            Command::Uci(UciCommand::PonderHit) => {
                if let Some((signal, _)) = &self.search {
                    signal.ponderhit();
                }
            }
            Command::Uci(UciCommand::Quit) => return false,
        }
        true
    }

    fn introduce(&self) {
        let mut lines = vec![
            format!("id name Quod {}", env!("CARGO_PKG_VERSION")),
            format!("id author {}", env!("CARGO_PKG_AUTHORS")),
        ];
        lines.extend(self.options.described());
        lines.push("uciok".to_owned());
        self.output.tell(&lines);
    }

    fn show_board(&self) {
        let Some(position) = &self.position else { return self.output.remark("there is no position") };
        if let Ok(board) = self.door.sit_down(&at(position)) {
            let mut lines: Vec<String> = board.picture().lines().map(str::to_owned).collect();
            lines.push(format!("Fen: {position}"));
            self.output.tell(&lines);
        }
    }

    fn put(&mut self, fen: Option<String>, moves: &[String]) {
        let place = Place { position: fen, moves: Some(moves.join(" ")) };
        match self.door.locate(&place) {
            Ok(located) => self.position = Some(located.position),
            Err(error) => {
                // The one before is not what the interface shows now.
                self.position = None;
                self.output.remark(&error.to_string());
            }
        }
    }

    fn go(&mut self, go: &UciSearchOptions) {
        self.stop();
        if let Err(problem) = self.try_go(go) {
            self.output.remark(&problem);
            self.output.tell(&["bestmove (none)".to_owned()]);
        }
    }

    fn try_go(&mut self, go: &UciSearchOptions) -> Result<(), String> {
        let position =
            self.position.as_ref().ok_or("there is no position to search: the last one was wrong")?;
        let place = at(position);
        let told = |error: InputError| error.to_string();
        let white_to_move = self.door.sit_down(&place).map_err(told)?.first_to_move();
        if !go.searchmoves.is_empty() {
            self.output.remark("searchmoves: all moves are searched");
        }
        let time = time_for_move(go, white_to_move);
        let mut nodes = go.nodes.map(u64::from);
        let is_bounded = go.infinite || go.ponder || go.mate.is_some() || time.is_some() || nodes.is_some();
        if !is_bounded {
            nodes = Some(NODES_FOR_DEPTH);
            self.output.remark(&format!(
                "depth is no limit of a search for mates; it stops after {NODES_FOR_DEPTH} nodes"
            ));
        }
        let within = go.mate.filter(|moves| *moves > 0);
        let request = Request {
            aim: self.door.aim(None).map_err(told)?,
            limits: Limits { nodes, memory: Some(self.options.memory_bytes()), time: None },
            threads: Some(self.options.threads()),
            length: within.map_or(Length::Any, |moves| Length::Within(moves.saturating_mul(2) - 1)),
            ..Request::default()
        };
        if self.debug {
            self.output.remark(&format!("searches {position} with {request:?}"));
        }
        let signal = Arc::new(Signal::new(go.infinite, go.ponder, time));
        if !self.searches {
            return Ok(());
        }
        let task = Task { door: self.door, output: self.output, place, request, within, debug: self.debug };
        let handle = {
            let signal = Arc::clone(&signal);
            self.scope.spawn(move || task.run(&signal))
        };
        self.search = Some((signal, handle));
        Ok(())
    }

    /// Lets the search end, for those who send all commands at once.
    fn wait(&mut self) {
        if self.search.as_ref().is_some_and(|(signal, _)| signal.is_held()) {
            return self.output.remark("wait: this search ends by stop or ponderhit alone");
        }
        self.join();
    }

    /// Ends the search, if there is one; its move is told before anything else.
    fn stop(&mut self) {
        if let Some((signal, _)) = &self.search {
            signal.stop();
        }
        self.join();
    }

    fn join(&mut self) {
        if let Some((_, handle)) = self.search.take()
            && handle.join().is_err()
        {
            self.output.remark("the search has failed: please report this");
            self.output.tell(&["bestmove (none)".to_owned()]);
        }
    }
}

impl Drop for Engine<'_, '_> {
    fn drop(&mut self) {
        self.stop();
    }
}

fn at(position: &str) -> Place {
    Place { position: Some(position.to_owned()), moves: None }
}

/// A search.
struct Task<'e> {
    door: &'e dyn Door,
    output: &'e dyn Tell,
    place: Place,
    request: Request,
    within: Option<u32>,
    debug: bool,
}

impl Task<'_> {
    /// Searches, says what was found, and makes its move when it may.
    fn run(&self, signal: &Signal) {
        let answer = match self.search(signal) {
            Ok(answer) => answer,
            Err(error) => {
                self.output.remark(&error.to_string());
                answer::none()
            }
        };
        self.output.tell(&answer.lines);
        signal.wait();
        self.output.tell(&[answer.best_move]);
    }

    fn search(&self, signal: &Signal) -> Result<answer::Answer, InputError> {
        if self.door.locate(&self.place)?.over {
            let value = Request { aim: Aim::Value, length: Length::Any, ..self.request };
            let report = self.door.solve(&self.place, &value, &mut ())?.report;
            return Ok(answer::of_end(report.value.is_some_and(|value| value < 0)));
        }
        let mut eye = Eye { signal, output: self.output, told: Instant::now() };
        let solution = self.door.solve(&self.place, &self.request, &mut eye)?;
        if self.debug {
            let report = &solution.report;
            self.output.remark(&format!(
                "searched by {}: {}",
                report.algorithm,
                report.why.unwrap_or_default()
            ));
        }
        Ok(answer::of_search(self.door, &self.place, &solution, self.within, signal.is_stopped()))
    }
}
