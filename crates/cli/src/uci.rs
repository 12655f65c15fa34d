//! `quod uci`: a solver of mates that graphical interfaces can talk to, by the Universal Chess Interface.

mod answer;
mod clock;
mod command;
mod engine;
mod input;
mod options;
mod signal;
#[cfg(test)]
mod tests;

use std::io::{BufRead, Write};
use std::sync::Mutex;

use quod_solver::{Door, Games};

use crate::{Ending, Failure};
use engine::Engine;
use input::Line;

pub(crate) const UCI_EXAMPLES: &str = "\
Add it to a graphical interface as the engine 'quod' with the argument 'uci', or type commands:
  position fen 7k/8/8/8/R7/1R6/8/7K w - - 0 1
  go mate 2
It searches for a forced mate of the side to move and nothing else: what it calls mate is proven.
Where it has proven none, its score is 0 and its move is any legal one; 'info string' says what is
proven. 'd' prints the board. Depth is no limit of such a search: 'go depth' stops by nodes.

Example: printf 'position fen 7k/8/8/8/R7/1R6/8/7K w - - 0 1\\ngo mate 2\\nwait\\n' | quod uci";

pub(crate) fn run(games: &Games) -> Result<Ending, Failure> {
    let game = games.open("chess").map_err(Failure::input)?;
    converse(&*game, &mut std::io::stdin().lock(), std::io::stdout(), true);
    Ok(Ending::Done)
}

/// Obeys commands until one says to quit, or there are no more. What is to be searched is made ready, and searched if it `searches`.
pub(crate) fn converse(door: &dyn Door, input: &mut dyn BufRead, output: impl Write + Send, searches: bool) {
    let output = Output(Mutex::new(output));
    std::thread::scope(|scope| {
        let mut engine = Engine::new(door, &output, scope, searches);
        loop {
            match input::next(input) {
                Line::Text(text) => match command::read(&text) {
                    Ok(None) => {}
                    Ok(Some(command)) => {
                        if !engine.obey(command) {
                            return;
                        }
                    }
                    Err(problem) => output.remark(&problem),
                },
                Line::TooLong => output.remark("a line of more than a megabyte is left out"),
                Line::End => return,
            }
        }
    });
}

/// Where everything is told, a line at a time, by whoever has something to say.
struct Output<W>(Mutex<W>);

/// Tells lines, whatever they go to.
trait Tell: Sync {
    fn tell(&self, lines: &[String]);

    /// Says something to people, in one line of printable characters.
    fn remark(&self, text: &str) {
        let printable = |c: char| if c.is_control() { ' ' } else { c };
        let text: String = text.chars().map(printable).collect();
        self.tell(&[format!("info string {}", text.split_whitespace().collect::<Vec<_>>().join(" "))]);
    }
}

impl<W: Write + Send> Tell for Output<W> {
    /// An interface that has gone away closes the input too, and that ends the engine.
    fn tell(&self, lines: &[String]) {
        let mut output = self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let text = lines.iter().map(|line| format!("{line}\n")).collect::<String>();
        let _ = output.write_all(text.as_bytes()).and_then(|()| output.flush());
    }
}
