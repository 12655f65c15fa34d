//! Wins by threats: rows that lack one stone, one after the other.
//!
//! A row that lacks two stones and has none of the opponent's is a threat as soon as one of them is there: the other cell must be answered
//! at once. A line of such moves ends with a move that makes two of them. How many stones of a side every row has is kept as a
//! binary number, a word of bits for each digit, so a stone is added to all rows through its cell at once.

use std::cell::RefCell;

use quod_model::{Game, Goal, Guess, Outlook, Player, Threats};

use super::lines::{Lines, each};
use super::{Position, Qubic};

/// Positions that one search for a line makes at the most.
const LOOKS_MAX: u64 = 1_000;
/// How often a line begins anew with a threat that does not lean on it.
const JUMPS: u32 = 2;
/// Moves without a threat that are looked at before all others.
const QUIET: usize = 2;

/// How many stones every row has, up to three: with four the game is over.
#[derive(Clone, Copy, Default)]
struct Counts {
    ones: u128,
    twos: u128,
}

impl Counts {
    fn of(lines: &Lines, mut stones: u64) -> Self {
        let mut counts = Self::default();
        while stones != 0 {
            counts.add(lines.through[stones.trailing_zeros() as usize]);
            stones &= stones - 1;
        }
        counts
    }

    #[inline]
    fn add(&mut self, rows: u128) {
        self.twos ^= self.ones & rows;
        self.ones ^= rows;
    }

    /// The rows with a stone.
    #[inline]
    fn some(self) -> u128 {
        self.ones | self.twos
    }

    /// The rows with so many stones.
    #[inline]
    fn exactly(self, count: u32) -> u128 {
        let ones = if count & 1 == 0 { !self.ones } else { self.ones };
        let twos = if count & 2 == 0 { !self.twos } else { self.twos };
        ones & twos
    }
}

/// A position as the attacker sees it.
#[derive(Clone, Copy)]
struct Field {
    own: u64,
    foe: u64,
    own_rows: Counts,
    foe_rows: Counts,
}

/// What a move of the attacker leads to.
enum Threat {
    /// The opponent must answer there.
    Answer(u64),
    /// There are two such cells.
    Won,
    /// None.
    Idle,
}

/// What is known of the cells where the opponent would win.
enum Danger {
    None,
    One(u64),
    Many,
}

impl Field {
    fn new(lines: &Lines, position: &Position, attacks: bool) -> Self {
        let (own, foe) =
            if attacks { (position.mover, position.other) } else { (position.other, position.mover) };
        Self { own, foe, own_rows: Counts::of(lines, own), foe_rows: Counts::of(lines, foe) }
    }

    fn free(&self) -> u64 {
        !(self.own | self.foe)
    }

    /// The free cells of some rows.
    #[inline]
    fn cells(&self, lines: &Lines, mut rows: u128) -> u64 {
        let mut cells = 0;
        while rows != 0 {
            cells |= lines.cells[rows.trailing_zeros() as usize];
            rows &= rows - 1;
        }
        cells & self.free()
    }

    /// The rows of the attacker that lack so many stones and can still be filled.
    #[inline]
    fn lacking(&self, lines: &Lines, count: u32) -> u128 {
        self.own_rows.exactly(lines.row - count) & !self.foe_rows.some() & lines.all
    }

    /// Those of the opponent.
    #[inline]
    fn foe_lacking(&self, lines: &Lines, count: u32) -> u128 {
        self.foe_rows.exactly(lines.row - count) & !self.own_rows.some() & lines.all
    }

    /// The free cells of some rows, and those that are in two of them.
    #[inline]
    fn crossings(&self, lines: &Lines, rows: u128) -> (u64, u64) {
        let (mut once, mut twice, mut left) = (0, 0, rows);
        while left != 0 {
            let row = left.trailing_zeros() as usize;
            let cells = lines.cells[row] & self.free();
            left &= left - 1;
            // Rows that overlap can lack the same two stones, which is one threat.
            let lacks_the_same = |other| rows >> other & 1 != 0 && lines.cells[other] & self.free() == cells;
            if lines.overlap && (0..row).any(lacks_the_same) {
                continue;
            }
            twice |= once & cells;
            once |= cells;
        }
        (once, twice)
    }

    fn wins(&self, lines: &Lines) -> u64 {
        self.cells(lines, self.lacking(lines, 1))
    }

    #[inline]
    fn danger(&self, lines: &Lines) -> Danger {
        let rows = self.foe_lacking(lines, 1);
        if rows == 0 {
            return Danger::None;
        }
        let cells = self.cells(lines, rows);
        if cells & (cells - 1) == 0 { Danger::One(cells) } else { Danger::Many }
    }

    #[inline]
    fn put_own(&mut self, lines: &Lines, cell: u64) {
        self.own |= cell;
        self.own_rows.add(lines.through[cell.trailing_zeros() as usize]);
    }

    #[inline]
    fn put_foe(&mut self, lines: &Lines, cell: u64) {
        self.foe |= cell;
        self.foe_rows.add(lines.through[cell.trailing_zeros() as usize]);
    }

    /// Makes a move of the attacker, who has no row that lacks one.
    #[inline]
    fn threaten(&mut self, lines: &Lines, cell: u64) -> Threat {
        self.put_own(lines, cell);
        let rows = self.lacking(lines, 1) & lines.through[cell.trailing_zeros() as usize];
        if rows == 0 {
            return Threat::Idle;
        }
        // Two rows lack two stones, unless they overlap.
        let answer = self.cells(lines, rows);
        if answer & (answer - 1) != 0 {
            return Threat::Won;
        }
        self.put_foe(lines, answer);
        Threat::Answer(answer)
    }
}

/// Positions that a search has been to, so that it does not go there by another order of moves: a table that forgets.
struct Visited {
    marks: Box<[u64; Visited::SIZE]>,
    /// Which search it is: marks of others mean nothing.
    search: u64,
}

impl Visited {
    const SIZE: usize = 1 << 11;

    fn begin(&mut self) {
        self.search = self.search.wrapping_add(0x6a09_e667_f3bc_c909);
    }

    /// Whether it is new; marks it. Two that look alike by chance cost a line that may be there, and nothing else.
    #[inline]
    fn is_new(&mut self, own: u64, foe: u64) -> bool {
        let mixed = (own ^ foe.wrapping_mul(0xd6e8_feb8_6659_fd93).rotate_left(29))
            .wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mark = &mut self.marks[(mixed >> 53) as usize];
        let new = mixed ^ self.search;
        std::mem::replace(mark, new) != new
    }
}

thread_local! {
    static VISITED: RefCell<Visited> = RefCell::new(Visited { marks: Box::new([0; Visited::SIZE]), search: 0 });
}

struct Hunt<'l> {
    lines: &'l Lines,
    visited: &'l mut Visited,
    /// From the last move to the first.
    found: Vec<u8>,
    looks: u64,
}

impl Hunt<'_> {
    /// Looks for a line from a position in which the attacker has no row that lacks one. `met` are the rows through stones of the line so
    /// far: threats that lean on them come first, and others are begun only so often (`jumps`).
    fn hunt(&mut self, field: &Field, met: u128, jumps: u32) -> bool {
        let lines = self.lines;
        let rows = field.lacking(lines, 2);
        if rows == 0 {
            return false;
        }
        let allowed = match field.danger(lines) {
            Danger::None => u64::MAX,
            Danger::One(cell) => cell,
            Danger::Many => return false,
        };
        let free = field.free();
        let (once, twice) = field.crossings(lines, rows);
        if twice & allowed != 0 {
            self.found.push((twice & allowed).trailing_zeros() as u8);
            return true;
        }
        if once & allowed == 0 {
            return false;
        }
        // Where the move is allowed, all rows through it lack the same two stones, so its answer is the other cell of one.
        for (mut rows, jumps) in [(rows & met, Some(jumps)), (rows & !met, jumps.checked_sub(1))] {
            let Some(jumps) = jumps else { break };
            while rows != 0 {
                let both = lines.cells[rows.trailing_zeros() as usize] & free;
                rows &= rows - 1;
                let mut cells = both & allowed;
                while cells != 0 {
                    let cell = cells & cells.wrapping_neg();
                    cells ^= cell;
                    if self.looks == 0 {
                        return false;
                    }
                    self.looks -= 1;
                    let answer = both ^ cell;
                    if !self.visited.is_new(field.own | cell, field.foe | answer) {
                        continue;
                    }
                    let mut next = *field;
                    next.put_own(lines, cell);
                    next.put_foe(lines, answer);
                    if self.hunt(&next, met | lines.through[cell.trailing_zeros() as usize], jumps) {
                        self.found.push(cell.trailing_zeros() as u8);
                        return true;
                    }
                }
            }
        }
        false
    }
}

impl Qubic {
    /// The cells where the player to move completes a row.
    pub(super) fn completing(&self, position: &Position) -> impl Iterator<Item = u8> {
        each(Field::new(&self.lines, position, true).wins(&self.lines))
    }

    /// So many free cells that promise most.
    fn best_cells(&self, field: &Field, count: usize) -> u64 {
        let lines = &self.lines;
        let own = |count| field.own_rows.exactly(count) & !field.foe_rows.some();
        let foe = |count| field.foe_rows.exactly(count) & !field.own_rows.some();
        let weights =
            [(own(1), 6), (own(0) & !field.foe_rows.some(), 2), (foe(2), 4), (foe(1), 3), (own(2), 10)];
        let mut scored: Vec<(u32, u8)> = each(field.free() & lines.board)
            .map(|cell| {
                let through = lines.through[usize::from(cell)];
                let score: u32 =
                    weights.iter().map(|(rows, weight)| (rows & through).count_ones() * weight).sum();
                (score, cell)
            })
            .collect();
        scored.sort_unstable_by_key(|(score, cell)| (std::cmp::Reverse(*score), *cell));
        scored.iter().take(count).fold(0, |cells, (_, cell)| cells | 1 << cell)
    }

    fn field(&self, position: &Position, attacker: Player) -> Field {
        Field::new(&self.lines, position, self.to_move(position) == attacker)
    }
}

impl Threats for Qubic {
    fn threat_line(
        &self,
        position: &Position,
        attacker: Player,
        line: &mut Vec<u8>,
        looked: &mut u64,
    ) -> bool {
        let field = self.field(position, attacker);
        let wins = field.wins(&self.lines);
        if wins != 0 {
            line.push(wins.trailing_zeros() as u8);
            return true;
        }
        // Small boxes are small problems: there is less to be gained by looking.
        let looks_max = LOOKS_MAX.min(u64::from(self.lines.board.count_ones()).pow(2) / 2);
        VISITED.with_borrow_mut(|visited| {
            visited.begin();
            let mut hunt =
                Hunt { lines: &self.lines, visited, found: std::mem::take(line), looks: looks_max };
            let found = hunt.hunt(&field, 0, JUMPS);
            *looked += looks_max - hunt.looks;
            hunt.found.reverse();
            *line = hunt.found;
            found
        })
    }

    /// As long as a row has no stone of the opponent.
    fn can_win(&self, position: &Position, player: Player) -> bool {
        let field = self.field(position, player);
        !field.foe_rows.some() & self.lines.all != 0
    }

    fn double_threat(&self, position: &Position) -> Option<u8> {
        let lines = &self.lines;
        let field = Field::new(lines, position, true);
        let allowed = match field.danger(lines) {
            Danger::None => u64::MAX,
            Danger::One(cell) => cell,
            Danger::Many => return None,
        };
        let twice = field.crossings(lines, field.lacking(lines, 2)).1 & allowed;
        (twice != 0).then(|| twice.trailing_zeros() as u8)
    }

    fn replays(&self, position: &Position, line: &[u8], looked: &mut u64) -> Option<u8> {
        let lines = &self.lines;
        let mut field = Field::new(lines, position, true);
        let first = line.first().copied();
        for cell in line {
            *looked += 1;
            if field.wins(lines) != 0 {
                return first;
            }
            let cell = 1 << *cell;
            match field.danger(lines) {
                Danger::One(other) if other != cell => return None,
                Danger::Many => return None,
                _ if field.free() & cell == 0 => return None,
                _ => {}
            }
            match field.threaten(lines, cell) {
                Threat::Won => return first,
                Threat::Idle => return None,
                Threat::Answer(_) => {}
            }
        }
        first.filter(|_| field.wins(lines) != 0)
    }

    /// The cells of the line and of its forced answers, and those that would give the opponent a row that lacks one at some step of it.
    fn answers(&self, position: &Position, attacker: Player, line: &[u8], answers: &mut Vec<u8>) {
        let lines = &self.lines;
        let mut field = self.field(position, attacker);
        let wins = field.wins(lines);
        let mut cells = 0;
        if wins == 0 {
            for cell in line {
                let cell = 1 << *cell;
                cells |= cell | field.cells(lines, field.foe_lacking(lines, 2));
                match field.threaten(lines, cell) {
                    Threat::Answer(answer) => cells |= answer,
                    Threat::Won => cells |= field.wins(lines),
                    Threat::Idle => cells = u64::MAX,
                }
            }
        } else if wins & (wins - 1) == 0 {
            cells = wins;
        }
        cells &= lines.board & !(position.mover | position.other);
        while cells != 0 {
            answers.push(cells.trailing_zeros() as u8);
            cells &= cells - 1;
        }
    }

    fn attacks(&self, position: &Position, stage: u8, moves: &mut Vec<u8>) -> bool {
        let lines = &self.lines;
        let field = Field::new(lines, position, true);
        if let Some(cell) = self.completing(position).next() {
            moves.push(cell);
            return false;
        }
        match field.danger(lines) {
            Danger::None => {}
            Danger::One(cell) => {
                moves.push(cell.trailing_zeros() as u8);
                return false;
            }
            Danger::Many => return false,
        }
        if stage == 0 {
            moves.extend(each(field.cells(lines, field.lacking(lines, 2))));
            return true;
        }
        if stage == 1 {
            // A stone that is to help must stand in a row with others, or in the way of some.
            let own = field.own_rows.some() & !field.foe_rows.some();
            let foe = field.foe_rows.twos & !field.own_rows.some();
            moves.extend(each(field.cells(lines, own | foe)));
            return true;
        }
        let best = self.best_cells(&field, QUIET);
        if stage == 2 {
            moves.extend(each(best));
            return true;
        }
        moves.extend(each(field.free() & lines.board & !best));
        false
    }

    /// Chains of threats lead deep and seldom far: the later, the dearer.
    fn weigh(&self, position: &Position, outlook: Outlook) -> (u32, u32) {
        let stones = (position.mover | position.other).count_ones();
        let depth = 32 * stones.saturating_sub(8);
        let win = match outlook {
            Outlook::Attacking => 4,
            Outlook::Threatening(answers) => answers,
            Outlook::Quiet => 4 * (self.lines.board.count_ones() - stones),
        };
        (win + depth, 4)
    }

    fn weigh_later(&self, _: &Position, stage: u8) -> (u32, u32) {
        (
            match stage {
                0 => 1,
                1 => 128,
                _ => 4_000,
            },
            4,
        )
    }
}

/// By the rows that either side can still fill, those with more stones counting more. For players, who must take some move: searches look for threats.
impl Guess for Qubic {
    fn guess(&self, position: &Position, goal: Goal) -> (u32, u32) {
        let field = self.field(position, goal.claimant);
        let weight = |side: Counts, other: Counts| -> u32 {
            let open = !other.some() & self.lines.all;
            (1..=3).map(|count| (side.exactly(count) & open).count_ones() << (2 * count)).sum()
        };
        (1 + weight(field.foe_rows, field.own_rows), 1 + weight(field.own_rows, field.foe_rows))
    }
}
