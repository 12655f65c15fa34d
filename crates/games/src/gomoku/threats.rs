//! Winning lines of threats (threat-space search: Allis, van den Herik and Huntjens 1993).
//!
//! A four must be answered at one cell, a three at a few; all answers to a three are made at once, so that a line has no branches. A line grows from its own stones: threats
//! that lean on them come first (the stage of dependencies), and only so often a threat is taken up that does not, and is joined with the others by what
//! follows (the stage of combinations). A line is found by the steps that `replays` goes through; every single reply is played when a certificate is made of it, and by the tests.

use std::cell::RefCell;

use quod_model::{Game, Goal, Guess, Outlook, Player, Threats};

use super::geometry::LineSet;
use super::lines::{Few, Field, Step};
use super::prospects::{MOVED, TO_MOVE, Tally, logarithm, power};
use super::{Gomoku, Position};

/// Positions that one search for a line makes at the most, and those with so many threes.
const LOOKS_MAX: u64 = 2_000;
const LOOKS_OF_ONE: u64 = 1_000;
/// How often a line begins anew with a threat that does not lean on it.
const JUMPS: u8 = 1;
/// How many threes a line has: few first.
const THREES: [u8; 4] = [0, 1, 3, 12];
/// Moves without a threat that are looked at before all others, and those before what is left.
const QUIET: [usize; 2] = [6, 30];
/// What a certain win seems to cost.
const WIN: u32 = 8;
/// By how much less likely a move that is held back seems to win than others, in sixteenths of a doubling.
const HELD_BACK: i32 = 48;

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

/// A threat that may be made.
#[derive(Clone, Copy)]
struct Threat {
    cell: u16,
    /// What is left behind it of the times that a line begins anew, and of its threes.
    jumps: u8,
    threes: u8,
    /// Whether it may win at once.
    wins: bool,
}

struct Hunt<'l> {
    visited: &'l mut Visited,
    /// From the last move to the first.
    found: Vec<u16>,
    answers: Vec<u16>,
    /// The threats of all positions of the line.
    threats: Vec<Threat>,
    looks: u64,
}

impl Hunt<'_> {
    /// Adds the threats that lean on the line, or those that do not. Of one cell, what costs least.
    fn collect(
        &mut self,
        field: &Field<'_>,
        begin: usize,
        (jumps, threes): (u8, u8),
        only: impl Fn(u16, u8) -> bool,
    ) {
        let open = field.has_straights();
        let mut add = |cell: u16, threes: u8| {
            match self.threats[begin..].iter_mut().find(|threat| threat.cell == cell) {
                // Two at once.
                Some(threat) => threat.wins = true,
                None => self.threats.push(Threat { cell, jumps, threes, wins: open }),
            }
        };
        field.fours().filter(|(cell, line)| only(*cell, *line)).for_each(|(cell, _)| add(cell, threes));
        if let Some(threes) = threes.checked_sub(1) {
            field.threes().filter(|(cell, line)| only(*cell, *line)).for_each(|(cell, _)| add(cell, threes));
        }
    }

    /// Looks for a line from a position in which the attacker does not win at once. `met` are the lines of the board through stones of the line so far.
    fn hunt(&mut self, field: &mut Field<'_>, met: LineSet, jumps: u8, threes: u8) -> bool {
        self.answers.clear();
        let forced = match field.danger() {
            Few::None => None,
            Few::One(cell) => Some(cell),
            Few::Many => return false,
        };
        let begin = self.threats.len();
        let may = |cell: u16| forced.is_none_or(|forced| forced == cell);
        // Those that lean on the line first.
        self.collect(field, begin, (jumps, threes), |cell, line| may(cell) && met.contains(line));
        if let Some(jumps) = jumps.checked_sub(1) {
            self.collect(field, begin, (jumps, threes), |cell, line| may(cell) && !met.contains(line));
        }
        if let Some(cell) = forced
            && self.threats.len() == begin
            && field.has_straights()
        {
            // A three is still to be answered.
            self.threats.push(Threat { cell, jumps, threes, wins: true });
        }
        let found = self.follow(field, begin, met);
        self.threats.truncate(begin);
        found
    }

    fn follow(&mut self, field: &mut Field<'_>, begin: usize, met: LineSet) -> bool {
        let end = self.threats.len();
        let now = field.now();
        // What may win at once is tried before anything is followed.
        for at in begin..end {
            let Threat { cell, wins, .. } = self.threats[at];
            if wins {
                if self.looks == 0 {
                    return false;
                }
                self.looks -= 1;
                let step = field.step(cell, &mut self.answers);
                field.back(&now);
                if step == Step::Won {
                    self.found.push(cell);
                    return true;
                }
            }
        }
        for at in begin..end {
            let Threat { cell, jumps, threes, .. } = self.threats[at];
            if self.looks == 0 {
                return false;
            }
            self.looks -= 1;
            let step = field.step(cell, &mut self.answers);
            let found = step == Step::Won
                || step == Step::Answered
                    && self.visited.is_new(field.mark())
                    && self.hunt(field, met.with(field.lines_through(cell)), jumps, threes);
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

    /// What the odds of an attacker are made of: what there is for him, and for his opponent.
    #[must_use]
    pub fn tallies(&self, position: &Position<N>, attacker: Player) -> [Tally; 2] {
        self.field(position, attacker).tallies()
    }

    /// How likely an attacker seems to win, who has moved or is to move, if his line has so many answers.
    fn odds(&self, position: &Position<N>, attacker: Player, answers: u32) -> i32 {
        let model = if attacker == position.to_move { &TO_MOVE } else { &MOVED };
        let stones = (position.mover | position.other).count();
        model.odds(&self.tallies(position, attacker), stones, answers)
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
            let found = std::mem::take(line);
            let mut hunt = Hunt { visited, found, answers: Vec::new(), threats: Vec::new(), looks: 0 };
            // Small boards are small problems: there is less to be gained by looking.
            let mut left = LOOKS_MAX.min(u64::from(self.size).pow(2) * 9);
            let found = THREES.iter().any(|threes| {
                hunt.visited.begin();
                let looks = left.min(LOOKS_OF_ONE);
                hunt.looks = looks;
                let found = hunt.hunt(&mut field, LineSet::default(), JUMPS + 1, *threes);
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
                Few::None if field.has_straights() => return first.or_else(|| field.straight_four()),
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
        if field.danger() == Few::None
            && let Some(blocks) = field.blocks()
        {
            // A three: it is stopped in itself, or put off.
            let mut cells: Vec<u16> = blocks.into_iter().chain(field.foe_fours()).collect();
            cells.sort_unstable();
            cells.dedup();
            return answers.extend(cells);
        }
        let before = self.field(position, attacker);
        let mut only_fours = true;
        let mut cells = super::Cells::<N>::NONE;
        let mut answered = Vec::new();
        for cell in line {
            cells.insert(u32::from(*cell));
            only_fours &= field.fours().any(|(four, _)| four == *cell);
            if field.step(*cell, &mut answered) == Step::Idle {
                return self.moves(position, answers);
            }
        }
        answered.iter().for_each(|cell| cells.insert(u32::from(*cell)));
        field.zone(&before, only_fours, |cell| cells.insert(u32::from(cell)));
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
        // From here on each stage has what the ones before it had not.
        let most = QUIET.get(usize::from(stage - 2)).copied().unwrap_or(usize::MAX);
        let before = if stage == 2 { 0 } else { QUIET[usize::from(stage - 3).min(1)] };
        let best = self.best_cells(position, most);
        let before = before.min(best.len());
        if most < usize::MAX {
            moves.extend(&best[before..]);
            return true;
        }
        let others = self.empty(position).iter().map(|cell| cell as u16);
        moves.extend(others.filter(|cell| !best[..before].contains(cell)));
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

    /// By what can be counted: what seems far from a win is more work to win, and less to refute.
    fn weigh(&self, position: &Position<N>, outlook: Outlook) -> (u32, u32) {
        let (attacker, answers) = match outlook {
            Outlook::Attacking => (position.to_move, 0),
            Outlook::Threatening(answers) => (position.to_move.other(), answers),
            Outlook::Quiet => (position.to_move.other(), 0),
        };
        let odds = self.odds(position, attacker, answers);
        (work_to_win(odds), power(logarithm(3) + odds * 5 / 16))
    }

    /// Moves that are held back win less often than those before them, and moves that nothing speaks for are for those who have tried everything.
    fn weigh_later(&self, position: &Position<N>, stage: u8) -> (u32, u32) {
        let win = match stage {
            0 | 1 => work_to_win(self.odds(position, position.to_move, 0) - HELD_BACK),
            _ => 1_000_000,
        };
        (win, 4)
    }
}

/// What a win seems to cost: twice as much where it is half as likely.
fn work_to_win(odds: i32) -> u32 {
    WIN + power(logarithm(WIN - 1) - odds)
}

/// For players, who must take some move: searches look for threats.
impl<const N: usize> Guess for Gomoku<N> {
    fn guess(&self, position: &Position<N>, goal: Goal) -> (u32, u32) {
        let (own, foe) = self.field(position, goal.claimant).balance();
        (1 + foe, 1 + own)
    }
}
