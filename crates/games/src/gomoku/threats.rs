//! Winning lines of threats (threat-space search: Allis, van den Herik and Huntjens 1993).
//!
//! A four must be answered at one cell, a three at a few; all answers to a three are made at once, so that a line has no branches. A line grows from its own stones: threats
//! that lean on them come first (the stage of dependencies), and only so often a threat is taken up that does not, and is joined with the others by what
//! follows (the stage of combinations). A line is found by the steps that `replays` goes through; every single reply is played when a certificate is made of it, and by the tests.

use std::cell::RefCell;

use quod_model::{Game, Goal, Guess, Outlook, Player, Threats};

use super::lines::{Few, Field, Step};
use super::{Gomoku, Position};

/// Positions that one search for a line makes at the most, and those with so many threes.
const LOOKS_MAX: u64 = 1_000;
const LOOKS_OF_ONE: u64 = 500;
/// How often a line begins anew with a threat that does not lean on it.
const JUMPS: u32 = 1;
/// How many threes a line has: few first.
const THREES: [u32; 4] = [0, 1, 3, 12];
/// Moves without a threat that are looked at before all others.
const QUIET: usize = 6;

/// Marks of positions that a search has been to: a table that forgets.
struct Visited {
    marks: Box<[u64; Visited::SIZE]>,
    /// Which search it is: marks of others mean nothing.
    search: u64,
}

impl Visited {
    const SIZE: usize = 1 << 12;

    fn begin(&mut self) {
        self.search = self.search.wrapping_add(0x6a09_e667_f3bc_c909);
    }

    /// Whether it is new; marks it. Two that look alike by chance cost a line that may be there, and nothing else.
    fn is_new(&mut self, mark: u64) -> bool {
        let mixed = mark.wrapping_mul(0xd6e8_feb8_6659_fd93);
        let known = &mut self.marks[(mixed >> 52) as usize];
        let new = mixed ^ self.search;
        std::mem::replace(known, new) != new
    }
}

thread_local! {
    static VISITED: RefCell<Visited> = RefCell::new(Visited { marks: Box::new([0; Visited::SIZE]), search: 0 });
}

struct Hunt<'l> {
    visited: &'l mut Visited,
    /// From the last move to the first.
    found: Vec<u16>,
    answers: Vec<u16>,
    looks: u64,
}

impl Hunt<'_> {
    /// Looks for a line from a position in which the attacker does not win at once. `met` are the lines of the board through stones of the line so far.
    fn hunt(&mut self, field: &mut Field<'_>, met: u128, jumps: u32, threes: u32) -> bool {
        self.answers.clear();
        let forced = match field.danger() {
            Few::None => None,
            Few::One(cell) => Some(cell),
            Few::Many => return false,
        };
        let mut moves: Vec<(u16, u128, u32)> =
            field.fours().map(|(cell, line)| (cell, line, threes)).collect();
        if threes > 0 {
            moves.extend(field.threes().map(|(cell, line)| (cell, line, threes - 1)));
        }
        if let Some(forced) = forced {
            moves.retain(|(cell, ..)| *cell == forced);
            if moves.is_empty() && field.has_straights() {
                // A three is still to be answered.
                moves.push((forced, u128::MAX, threes));
            }
        }
        // Those that lean on the line first; of one cell, what costs least.
        moves.sort_by_key(|(_, line, _)| line & met == 0);
        // What wins is taken before anything is followed.
        let mut answered = Vec::new();
        for at in 0..moves.len() {
            let (cell, line, threes) = moves[at];
            if moves[..at].iter().any(|(other, ..)| *other == cell) {
                continue;
            }
            let jumps = if line & met == 0 { jumps.checked_sub(1) } else { Some(jumps) };
            let Some(jumps) = jumps else { break };
            if self.looks == 0 {
                return false;
            }
            self.looks -= 1;
            let now = field.now();
            let step = field.step(cell, &mut self.answers);
            if step == Step::Answered && self.visited.is_new(field.mark()) {
                answered.push((cell, jumps, threes));
            }
            field.back(&now);
            if step == Step::Won {
                self.found.push(cell);
                return true;
            }
        }
        for (cell, jumps, threes) in answered {
            let now = field.now();
            field.step(cell, &mut self.answers);
            let found = self.hunt(field, met | field.lines_through(cell), jumps, threes);
            field.back(&now);
            if found {
                self.found.push(cell);
                return true;
            }
        }
        false
    }
}

impl<const N: usize> Gomoku<N> {
    fn field(&self, position: &Position<N>, attacker: Player) -> Field<'_> {
        Field::new(&self.geometry, position.of(attacker).iter(), position.of(attacker.other()).iter())
    }

    /// What a position costs for being so late.
    fn depth(&self, position: &Position<N>) -> u32 {
        4 * (position.mover | position.other).count()
    }

    /// So many free cells that promise most: where own stones and those of the opponent are near and nothing stands between.
    fn best_cells(&self, position: &Position<N>, count: usize) -> Vec<u16> {
        let mut scored: Vec<(u32, u16)> = Vec::new();
        for cell in self.empty(position).iter() {
            let score = self.promise(position, cell);
            if score > 0 {
                scored.push((score, cell as u16));
            }
        }
        // Of equal ones, those near the middle.
        let off = |place: u32| (2 * place + 1).abs_diff(self.size);
        let away = |cell: u16| {
            let (column, row) = self.place(cell.into());
            off(column).pow(2) + off(row).pow(2)
        };
        scored.sort_unstable_by_key(|(score, cell)| (std::cmp::Reverse(*score), away(*cell), *cell));
        scored.truncate(count);
        scored.into_iter().map(|(_, cell)| cell).collect()
    }

    /// How many stones stand in windows with a cell in which only one side has any, those of the mover counting more.
    fn promise(&self, position: &Position<N>, cell: u32) -> u32 {
        let (x, y) = self.place(cell);
        let mut score = 0;
        for (dx, dy) in [(1, 0), (0, 1), (1, 1), (-1, 1)] {
            for back in 0..self.row as i32 {
                let (mut own, mut foe, mut inside) = (0, 0, true);
                for step in 0..self.row as i32 {
                    let (x, y) = (x as i32 + (step - back) * dx, y as i32 + (step - back) * dy);
                    let size = self.size as i32;
                    if !(0..size).contains(&x) || !(0..size).contains(&y) {
                        inside = false;
                        break;
                    }
                    let cell = self.cell(x as u32, y as u32);
                    own += u32::from(position.mover.contains(cell));
                    foe += u32::from(position.other.contains(cell));
                }
                if inside && foe == 0 {
                    score += [1, 6, 20, 60, 200, 200][own as usize];
                } else if inside && own == 0 {
                    score += [0, 3, 12, 40, 100, 100][foe as usize];
                }
            }
        }
        score
    }
}

impl<const N: usize> Threats for Gomoku<N> {
    fn threat_line(
        &self,
        position: &Position<N>,
        attacker: Player,
        line: &mut Vec<u16>,
        looked: &mut u64,
    ) -> bool {
        let mut field = self.field(position, attacker);
        match field.wins() {
            Few::One(cell) => {
                line.push(cell);
                return true;
            }
            Few::Many => {
                line.push(self.winning_cells(position, attacker).lowest().expect("there are several") as u16);
                return true;
            }
            Few::None => {}
        }
        VISITED.with_borrow_mut(|visited| {
            let mut hunt = Hunt { visited, found: std::mem::take(line), answers: Vec::new(), looks: 0 };
            // Small boards are small problems: there is less to be gained by looking.
            let mut left = LOOKS_MAX.min(u64::from(self.size).pow(2) * 8);
            let found = THREES.iter().any(|threes| {
                hunt.visited.begin();
                let looks = left.min(LOOKS_OF_ONE);
                hunt.looks = looks;
                let found = hunt.hunt(&mut field, 0, JUMPS + 1, *threes);
                let done = looks - hunt.looks;
                *looked += done;
                left -= done;
                found
            });
            hunt.found.reverse();
            *line = hunt.found;
            found
        })
    }

    /// As long as a window of a row's length has no stone of the opponent. Large boards have one until they are nearly full.
    fn can_win(&self, position: &Position<N>, player: Player) -> bool {
        let own = self.board & !position.of(player.other());
        self.strides().into_iter().any(|stride| !super::runs(self.row, stride, own).is_empty())
    }

    fn double_threat(&self, position: &Position<N>) -> Option<u16> {
        let mut field = self.field(position, position.to_move);
        let moves: Vec<u16> = field.fours().map(|(cell, _)| cell).collect();
        let mut answers = Vec::new();
        moves.into_iter().find(|cell| {
            let now = field.now();
            let won = field.step(*cell, &mut answers) == Step::Won;
            field.back(&now);
            won
        })
    }

    fn replays(&self, position: &Position<N>, line: &[u16], looked: &mut u64) -> Option<u16> {
        let mut field = self.field(position, position.to_move);
        let (mut first, mut answers) = (None, Vec::new());
        let mut line = line.iter().copied().peekable();
        loop {
            *looked += 1;
            match field.wins() {
                Few::None => {}
                Few::One(cell) => return first.or(Some(cell)),
                Few::Many => return first.or_else(|| self.winning_move(position)),
            }
            let cell = match field.danger() {
                // The opponent makes a four before he answers a three.
                Few::One(forced) if line.peek() != Some(&forced) && field.has_straights() => forced,
                // A three that he has not answered is made a straight four.
                Few::None if first.is_some() && field.has_straights() => return first,
                _ => line.next().filter(|cell| field.is_free(*cell))?,
            };
            first.get_or_insert(cell);
            answers.clear();
            match field.step(cell, &mut answers) {
                Step::Won => return first,
                Step::Idle => return None,
                Step::Answered => {}
            }
        }
    }

    /// The cells of the line and of its answers, and all that could take something from the attacker or give the opponent a four.
    fn answers(&self, position: &Position<N>, attacker: Player, line: &[u16], answers: &mut Vec<u16>) {
        let mut field = self.field(position, attacker);
        match field.wins() {
            Few::One(cell) => return answers.push(cell),
            Few::Many => return,
            Few::None => {}
        }
        let before = self.field(position, attacker);
        let mut cells = super::Cells::<N>::NONE;
        let mut answered = Vec::new();
        for cell in line {
            cells.insert(u32::from(*cell));
            if field.step(*cell, &mut answered) == Step::Idle {
                return self.moves(position, answers);
            }
        }
        answered.iter().for_each(|cell| cells.insert(u32::from(*cell)));
        field.zone(&before, |cell| cells.insert(u32::from(cell)));
        answers.extend((cells & self.empty(position)).iter().map(|cell| cell as u16));
    }

    fn attacks(&self, position: &Position<N>, stage: u8, moves: &mut Vec<u16>) -> bool {
        let field = self.field(position, position.to_move);
        if let Some(cell) = self.winning_move(position) {
            moves.push(cell);
            return false;
        }
        let danger = self.winning_cells(position, position.to_move.other());
        if let Some(cell) = danger.lowest() {
            if !danger.is_many() {
                moves.push(cell as u16);
            }
            return false;
        }
        if stage <= 1 {
            let forcing = || field.fours().chain(field.threes()).map(|(cell, _)| cell);
            let mut cells: Vec<u16> =
                if stage == 0 { forcing().collect() } else { field.promising().collect() };
            cells.sort_unstable();
            cells.dedup();
            moves.extend(cells);
            return true;
        }
        let best = self.best_cells(position, QUIET);
        if stage == 2 {
            moves.extend(best);
            return true;
        }
        let others = self.empty(position).iter().map(|cell| cell as u16);
        moves.extend(others.filter(|cell| !best.contains(cell)));
        false
    }

    /// Before the fifth stone on large boards, and before the third on smaller ones where a row is short: there First wins.
    fn is_opening(&self, position: &Position<N>) -> bool {
        let few = match (self.size, self.row) {
            (10.., _) => 4,
            (6.., ..=4) => 2,
            _ => 0,
        };
        (position.mover | position.other).count() < few
    }

    /// Chains of threats lead deep and seldom far: the later, the dearer.
    fn weigh(&self, position: &Position<N>, outlook: Outlook) -> (u32, u32) {
        let win = match outlook {
            Outlook::Attacking => 4,
            Outlook::Threatening(answers) => answers,
            Outlook::Quiet => 4 * self.empty(position).count(),
        };
        (win + self.depth(position), 4)
    }

    /// Moves that force nothing are a step that costs something, and moves that nothing speaks for are for those who have tried everything.
    fn weigh_later(&self, position: &Position<N>, stage: u8) -> (u32, u32) {
        let win = match stage {
            0 => 200 + self.depth(position),
            1 => 100,
            _ => 1_000_000,
        };
        (win, 4)
    }
}

/// For players, who must take some move: searches look for threats.
impl<const N: usize> Guess for Gomoku<N> {
    fn guess(&self, position: &Position<N>, goal: Goal) -> (u32, u32) {
        let (own, foe) = self.field(position, goal.claimant).balance();
        (1 + foe, 1 + own)
    }
}
