//! Lines that a person types, read by a thread of its own, so that the program can think meanwhile.

use std::io::BufRead as _;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

use crate::progress::interrupted;

/// What came.
pub(super) enum Typed {
    Line(String),
    /// There is no more: end of input.
    End,
    /// Ctrl-C.
    Interrupt,
}

pub(super) struct Input {
    lines: Receiver<String>,
    /// A line that came while the program was thinking.
    waiting: Option<String>,
}

impl Input {
    pub(super) fn new() -> Self {
        let (sender, lines) = channel();
        // It ends with the program: a thread that waits for a line cannot be called back.
        std::thread::spawn(move || {
            for line in std::io::stdin().lock().lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        Self { lines, waiting: None }
    }

    /// Whether nothing was typed yet.
    pub(super) fn is_quiet(&mut self) -> bool {
        if self.waiting.is_none() {
            match self.lines.try_recv() {
                Ok(line) => self.waiting = Some(line),
                Err(std::sync::mpsc::TryRecvError::Empty) => return !interrupted(),
                Err(std::sync::mpsc::TryRecvError::Disconnected) => {}
            }
        }
        false
    }

    /// Waits for the next line.
    pub(super) fn next(&mut self) -> Typed {
        if let Some(line) = self.waiting.take() {
            return Typed::Line(line);
        }
        loop {
            if interrupted() {
                return Typed::Interrupt;
            }
            match self.lines.recv_timeout(Duration::from_millis(50)) {
                Ok(line) => return Typed::Line(line),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Typed::End,
            }
        }
    }
}
