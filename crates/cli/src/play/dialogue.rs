//! A game in a terminal, or between pipes.

use std::time::{Duration, Instant};

use quod_solver::{Certainty, Chosen, PlayStyle, Playing};

use crate::numbers::{grouped, wrapped};
use crate::output::print;
use crate::progress::{ProgressLine, interrupted};
use crate::{Ending, Failure};

use super::input::{Input, Typed};
use super::options::{PlayOptions, Side};
use super::sheet::{Result as SheetResult, Sheet};

/// Of the time for a game that is left, one part goes to the next move.
const MOVES_TO_COME: u32 = 25;
const MOVE_TIME_MIN: Duration = Duration::from_millis(10);

const HELP: &str = "\
a move    plays it
hint      what the program would play
undo      takes back your last move and what followed
moves     lists the legal moves
resign    gives the game up
quit      leaves the game unfinished
help      this
";

pub(super) struct Dialogue<'b> {
    board: &'b mut (dyn Playing + 'b),
    options: &'b PlayOptions,
    sheet: Sheet,
    input: Input,
    /// What is left of the time for the game, for First and Second.
    left: [Option<Duration>; 2],
}

/// What a person wants.
enum Wish {
    Moved,
    Resigned,
    Left,
    Interrupted,
}

impl<'b> Dialogue<'b> {
    pub(super) fn new(board: &'b mut (dyn Playing + 'b), options: &'b PlayOptions, sheet: Sheet) -> Self {
        Self { board, options, sheet, input: Input::new(), left: [options.game_time; 2] }
    }

    /// Plays until the game is over or somebody leaves.
    pub(super) fn run(mut self) -> Result<Ending, Failure> {
        self.sheet.write(self.board, SheetResult::Open)?;
        self.show()?;
        loop {
            if let Some(end) = self.board.end() {
                let [first, _] = self.board.players();
                let why =
                    if end.by_repetition { "third repetition, endless play" } else { "the game is over" };
                print(&format!("{why}: {} for {first}\n", end.text))?;
                self.sheet.write(self.board, SheetResult::Over(end.value))?;
                return Ok(Ending::Done);
            }
            if interrupted() {
                return self.broken_off();
            }
            if self.options.itself || self.board.first_to_move() != (self.options.side == Side::First) {
                self.move_of_program()?;
            } else {
                match self.move_of_person()? {
                    Wish::Moved => {}
                    Wish::Left => {
                        print("left unfinished\n")?;
                        return Ok(Ending::Done);
                    }
                    Wish::Interrupted => return self.broken_off(),
                    Wish::Resigned => {
                        let first = self.board.first_to_move();
                        let [one, other] = self.board.players();
                        let (loser, winner) = if first { (one, other) } else { (other, one) };
                        print(&format!("{loser} resigns, {winner} wins\n"))?;
                        self.sheet.write(self.board, SheetResult::Over(if first { -1 } else { 1 }))?;
                        return Ok(Ending::Done);
                    }
                }
            }
            self.sheet.write(self.board, SheetResult::Open)?;
        }
    }

    fn broken_off(&self) -> Result<Ending, Failure> {
        let score = self.board.score();
        print(&format!("\n{}\n", wrapped("interrupted after ", score.split(' '), 80)))?;
        Ok(Ending::Unsolved)
    }

    fn name(&self) -> &'static str {
        self.board.players()[usize::from(!self.board.first_to_move())]
    }

    fn show(&self) -> Result<(), Failure> {
        print(&format!("\n{}\n\n", self.board.picture()))
    }

    fn chosen(&mut self, style: &PlayStyle) -> Chosen {
        let mut progress = ProgressLine::new();
        self.board.choose(style, &mut || progress.show(|| "thinking".to_owned()))
    }

    fn move_of_program(&mut self) -> Result<(), Failure> {
        let side = usize::from(!self.board.first_to_move());
        let mut style = self.options.style();
        if let Some(left) = self.left[side] {
            style.time = Some((left / MOVES_TO_COME).max(MOVE_TIME_MIN));
        }
        let begun = Instant::now();
        let chosen = self.chosen(&style);
        self.left[side] = self.left[side].map(|left| left.saturating_sub(begun.elapsed()));
        if interrupted() {
            return Ok(());
        }
        let name = self.name();
        let text = self.board.play(&chosen.text)?;
        print(&format!("{name} plays {text}  ({})\n", known(&chosen)))?;
        self.show()
    }

    /// Asks until there is a move, or the wish to have no more of them.
    fn move_of_person(&mut self) -> Result<Wish, Failure> {
        loop {
            print(&format!("{}: ", self.name()))?;
            if self.options.ponders() {
                let input = &mut self.input;
                self.board.ponder(&mut || input.is_quiet());
            }
            let line = match self.input.next() {
                Typed::Line(line) => line,
                Typed::End => return Ok(Wish::Left),
                Typed::Interrupt => return Ok(Wish::Interrupted),
            };
            match line.trim() {
                "" => {}
                "help" | "?" => print(HELP)?,
                "moves" => print(&format!("{}\n", wrapped("", self.moves().split(' '), 80)))?,
                "quit" | "exit" => return Ok(Wish::Left),
                "resign" => return Ok(Wish::Resigned),
                "hint" => {
                    let chosen = self.chosen(&self.options.style());
                    print(&format!("{}  ({})\n", chosen.text, known(&chosen)))?;
                }
                "undo" => {
                    if self.undo() {
                        self.sheet.write(self.board, SheetResult::Open)?;
                        self.show()?;
                    } else {
                        print("there is no move of yours to take back\n")?;
                    }
                }
                text => match self.board.play(text) {
                    Ok(_) => {
                        self.show()?;
                        return Ok(Wish::Moved);
                    }
                    Err(error) => print(&format!("{error}\n  or: hint, undo, moves, resign, quit, help\n"))?,
                },
            }
        }
    }

    fn moves(&self) -> String {
        self.board.legal_moves().join(" ")
    }

    /// Takes moves back until it is the person's turn again; false, and nothing changed, if there was no such turn.
    fn undo(&mut self) -> bool {
        let own = self.options.side == Side::First;
        let mut undone: Vec<String> = Vec::new();
        loop {
            let Some(last) = self.board.undo() else {
                for text in undone.iter().rev() {
                    let again = self.board.play(text);
                    assert!(again.is_ok(), "it was played before");
                }
                return false;
            };
            undone.push(last);
            if self.board.first_to_move() == own {
                return true;
            }
        }
    }
}

/// What the program says of its move.
fn known(chosen: &Chosen) -> String {
    let mut parts = Vec::new();
    match chosen.certainty {
        Certainty::Wins => parts.push("proven win".to_owned()),
        Certainty::Loses => parts.push("proven loss".to_owned()),
        Certainty::Nothing => {}
    }
    if let Some((score, depth)) = chosen.opinion.filter(|(_, depth)| *depth > 0) {
        parts.push(format!("depth {depth}, score {score:+.1}"));
    }
    if !chosen.vetoed.is_empty() {
        parts.push(format!("proven to lose: {}", chosen.vetoed.join(" ")));
    }
    if chosen.nodes > 0 {
        parts.push(format!("{} nodes", grouped(chosen.nodes)));
    }
    if parts.is_empty() { "the only move".to_owned() } else { parts.join(", ") }
}
