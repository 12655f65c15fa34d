//! The lines of the board as an attacker sees them, with what threatens there.

use arrayvec::ArrayVec;

use super::geometry::{Geometry, LINES, LineSet};
use super::prospects::{SHAPES, Tally, WINDOWS, pair};
use super::windows::{Four, Sight, Windows, spread};

/// What a move of the attacker leads to, when the opponent's answers have been made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// It wins, whatever the opponent does.
    Won,
    /// It was answered, in all ways at once that are no use to the attacker.
    Answered,
    /// It forces nothing, or the opponent can do something about it.
    Idle,
}

/// Numbers of cells are smaller.
const CELLS: usize = 448;

/// A position as an attacker sees it, in which moves are made and taken back.
///
/// All answers to a three are made at once. That gives the opponent more than he can have: stones only help him, and what the attacker can
/// still do then, he can do against each of the answers. The opponent can put an answer off by making fours of his own: all that he can make are
/// made too, see [`Field::exchange`].
pub(super) struct Field<'g> {
    geometry: &'g Geometry,
    lines: [Line; LINES],
    seen: Seen,
    /// What lines were before they changed.
    changes: Vec<Change>,
}

/// A line of the board: what stands there, and what can be made of it.
#[derive(Clone, Copy)]
#[repr(align(32))]
struct Line {
    own: u32,
    foe: u32,
    sight: Sight<u32>,
}

impl Line {
    const EMPTY: Self = Self {
        own: 0,
        foe: 0,
        sight: Sight { wins: 0, fours: 0, threes: 0, straights: 0, foe_wins: 0, foe_fours: 0 },
    };
}

/// What four lines were before they changed, one a direction.
struct Change {
    before: [Line; 4],
    lines: [u8; 4],
}

/// What there is on the whole board.
#[derive(Clone, Copy, Default)]
struct Seen {
    /// Lines with wins, fours and threes of the attacker, with wins and fours of the opponent.
    wins: LineSet,
    fours: LineSet,
    threes: LineSet,
    straights: LineSet,
    foe_wins: LineSet,
    foe_fours: LineSet,
    /// What stands where, mixed up.
    mark: u64,
}

/// A moment to go back to.
#[derive(Clone, Copy)]
pub(super) struct Moment {
    changes: usize,
    seen: Seen,
}

/// One cell, none, or more than one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Few {
    None,
    One(u16),
    Many,
}

impl Few {
    fn of(cells: impl Iterator<Item = u16>) -> Self {
        let mut few = Self::None;
        for cell in cells {
            few = match few {
                Self::None => Self::One(cell),
                Self::One(other) if other == cell => few,
                _ => return Self::Many,
            };
        }
        few
    }
}

impl<'g> Field<'g> {
    pub(super) fn new(
        geometry: &'g Geometry,
        own: impl Iterator<Item = u32>,
        foe: impl Iterator<Item = u32>,
    ) -> Self {
        let mut field =
            Self { geometry, lines: [Line::EMPTY; LINES], seen: Seen::default(), changes: Vec::new() };
        for (cells, is_own) in [(own.collect::<Vec<_>>(), true), (foe.collect(), false)] {
            for cell in cells {
                field.set(cell as u16, is_own);
            }
        }
        for lines in geometry.all() {
            field.look(lines);
        }
        field
    }

    fn set(&mut self, cell: u16, own: bool) {
        for spot in self.geometry.spots[usize::from(cell)] {
            let line = &mut self.lines[usize::from(spot.line)];
            let stones = if own { &mut line.own } else { &mut line.foe };
            *stones |= 1 << spot.place;
        }
    }

    #[inline]
    fn look(&mut self, lines: [u8; 4]) {
        let geometry = self.geometry;
        let [a, b, c, d] = lines.map(usize::from);
        let (one, two, three, four) = (&self.lines[a], &self.lines[b], &self.lines[c], &self.lines[d]);
        let own = Four([one.own, two.own, three.own, four.own]);
        let foe = Four([one.foe, two.foe, three.foe, four.foe]);
        let outside = &geometry.outside;
        let outside = Four([outside[a], outside[b], outside[c], outside[d]]);
        let sight = Sight::new(geometry.row, geometry.exact, own, foe, outside);
        for (direction, line) in [a, b, c, d].into_iter().enumerate() {
            self.lines[line].sight = sight.of(direction);
        }
        let seen = &mut self.seen;
        seen.wins.note(lines, sight.wins.0);
        seen.fours.note(lines, sight.fours.0);
        seen.threes.note(lines, sight.threes.0);
        seen.straights.note(lines, sight.straights.0);
        seen.foe_wins.note(lines, sight.foe_wins.0);
        seen.foe_fours.note(lines, sight.foe_fours.0);
    }

    /// What stands where, mixed up.
    pub(super) fn mark(&self) -> u64 {
        self.seen.mark
    }

    fn put(&mut self, cell: u16, own: bool) {
        let lines = self.geometry.lines_through(cell);
        self.remember(lines);
        self.set(cell, own);
        self.look(lines);
        let stone =
            (u64::from(cell) << 1 | u64::from(own)).wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.seen.mark = self.seen.mark.wrapping_add(stone ^ stone >> 29);
    }

    pub(super) fn now(&self) -> Moment {
        Moment { changes: self.changes.len(), seen: self.seen }
    }

    #[inline]
    fn remember(&mut self, lines: [u8; 4]) {
        let [a, b, c, d] = lines.map(usize::from);
        let before = [self.lines[a], self.lines[b], self.lines[c], self.lines[d]];
        self.changes.push(Change { before, lines });
    }

    pub(super) fn back(&mut self, moment: &Moment) {
        while self.changes.len() > moment.changes
            && let Some(Change { before, lines }) = self.changes.pop()
        {
            for direction in 0..4 {
                self.lines[usize::from(lines[direction])] = before[direction];
            }
        }
        self.seen = moment.seen;
    }

    pub(super) fn is_free(&self, cell: u16) -> bool {
        let spot = self.geometry.spots[usize::from(cell)][0];
        let line = &self.lines[usize::from(spot.line)];
        (line.own | line.foe) >> spot.place & 1 == 0
    }

    /// Where the attacker wins at once.
    pub(super) fn wins(&self) -> Few {
        Few::of(self.cells_of(self.seen.wins, |sight| sight.wins).map(|(cell, _)| cell))
    }

    /// Where the opponent would, or would have a row that is too long.
    pub(super) fn danger(&self) -> Few {
        Few::of(self.cells_of(self.seen.foe_wins, |sight| sight.foe_wins).map(|(cell, _)| cell))
    }

    /// Cells that are seen in lines, each with its line.
    fn cells_of(
        &self,
        lines: LineSet,
        places: impl Fn(&Sight<u32>) -> u32,
    ) -> impl Iterator<Item = (u16, u8)> {
        lines.iter().flat_map(move |line| {
            let cells = self.geometry.cells(line, places(&self.lines[line].sight));
            cells.map(move |cell| (cell, line as u8))
        })
    }

    /// Whether the attacker has a three that was not answered.
    pub(super) fn has_straights(&self) -> bool {
        !self.seen.straights.is_empty()
    }

    /// The moves that make a four, with their lines.
    pub(super) fn fours(&self) -> impl Iterator<Item = (u16, u8)> {
        self.cells_of(self.seen.fours, |sight| sight.fours)
    }

    /// Where the opponent would make a four.
    pub(super) fn foe_fours(&self) -> impl Iterator<Item = u16> {
        self.cells_of(self.seen.foe_fours, |sight| sight.foe_fours).map(|(cell, _)| cell)
    }

    /// The moves that make a three, with their lines.
    pub(super) fn threes(&self) -> impl Iterator<Item = (u16, u8)> {
        self.cells_of(self.seen.threes, |sight| sight.threes)
    }

    /// The cells of windows in which the attacker has two or more, where the opponent would make a four, and where lines of the attacker cross.
    pub(super) fn promising(&self) -> impl Iterator<Item = u16> {
        (0..self.lines.len()).flat_map(|line| {
            let (seen, geometry) = (self.lines[line], self.geometry);
            let outside = geometry.outside[line];
            let own = Windows::new(geometry.row, geometry.exact, seen.own, seen.foe | outside);
            let some = (2..geometry.row).fold(0, |windows, count| windows | own.exactly(count));
            let free = !(seen.own | seen.foe | outside);
            geometry.cells(line, (spread(some, geometry.row) | seen.sight.foe_fours) & free)
        })
    }

    /// What there is for the attacker, and for the opponent.
    pub(super) fn tallies(&self) -> [Tally; 2] {
        let mut tallies = [Tally::default(); 2];
        for (side, tally) in tallies.iter_mut().enumerate() {
            // The best two shapes of every cell.
            let mut shapes = [[0u8; 2]; CELLS];
            let mut cells: Vec<u16> = Vec::with_capacity(64);
            for (number, line) in self.lines.iter().enumerate() {
                if line.own | line.foe == 0 {
                    continue;
                }
                let (own, foe) = if side == 0 { (line.own, line.foe) } else { (line.foe, line.own) };
                for (shape, places) in self.shapes(number, own, foe, &mut tally.windows) {
                    for cell in self.geometry.cells(number, places) {
                        let [best, other] = &mut shapes[usize::from(cell)];
                        if *best == 0 {
                            cells.push(cell);
                        }
                        (*best, *other) = ((*best).max(shape), (*other).max(shape.min(*best)));
                    }
                }
            }
            for cell in cells {
                let [best, other] = shapes[usize::from(cell)];
                tally.pairs[pair(best.into(), other.into())] += 1;
            }
        }
        tallies
    }

    /// What a stone of a side would make where in a line, and how many windows there are.
    fn shapes(
        &self,
        line: usize,
        own: u32,
        foe: u32,
        counts: &mut [u32; WINDOWS],
    ) -> [(u8, u32); SHAPES - 1] {
        let geometry = self.geometry;
        let (row, outside) = (geometry.row, geometry.outside[line]);
        let free = !(own | foe | outside);
        let windows = Windows::new(row, geometry.exact, own, foe | outside);
        let lacking = |lacks: u32| if lacks < row { windows.exactly(row - lacks) } else { 0 };
        let kinds = [lacking(4), lacking(3), lacking(2) | lacking(1)];
        for (count, windows) in counts.iter_mut().zip(kinds) {
            *count += windows.count_ones();
        }
        // The places in one window, in two, and in three.
        let often = |windows: u32| {
            (0..row).fold([0; 3], |[once, twice, thrice], step| {
                let places = windows << step;
                [once | places, twice | once & places, thrice | twice & places]
            })
        };
        let [_, _, two] = often(kinds[0]);
        let [three, open, _] = often(kinds[1]);
        let four = spread(kinds[2], row);
        [
            (4, four & free),
            (3, open & !four & free),
            (2, three & !open & !four & free),
            (1, two & !three & !four & free),
        ]
    }

    /// What the windows are worth that either side can still fill, those with more stones counting more.
    pub(super) fn balance(&self) -> (u32, u32) {
        let geometry = self.geometry;
        let (mut own, mut foe) = (0, 0);
        for (line, outside) in self.lines.iter().zip(&geometry.outside) {
            let weight = |side: u32, other: u32| -> u32 {
                let windows = Windows::new(geometry.row, geometry.exact, side, other | outside);
                (1..geometry.row).map(|count| windows.exactly(count).count_ones() << (2 * count)).sum()
            };
            if line.own | line.foe != 0 {
                own += weight(line.own, line.foe);
                foe += weight(line.foe, line.own);
            }
        }
        (own, foe)
    }

    /// The lines through a cell.
    #[inline]
    pub(super) fn lines_through(&self, cell: u16) -> [u8; 4] {
        self.geometry.lines_through(cell)
    }

    /// Makes a move of the attacker, who does not win at once, and the answers to it. The cells of those are added to `answers`.
    pub(super) fn step(&mut self, cell: u16, answers: &mut Vec<u16>) -> Step {
        match self.danger() {
            Few::None => {}
            Few::One(other) if other == cell => {}
            _ => return Step::Idle,
        }
        self.put(cell, true);
        match self.wins() {
            Few::Many => return Step::Won,
            Few::One(answer) => {
                self.put(answer, false);
                answers.push(answer);
                return Step::Answered;
            }
            Few::None => {}
        }
        if !self.seen.foe_fours.is_empty() && !self.exchange() {
            return Step::Idle;
        }
        let Some(answered) = self.blocks() else { return Step::Idle };
        if answered.is_empty() {
            return Step::Won;
        }
        for answer in &answered {
            self.put(*answer, false);
        }
        // Answers made at once may even complete a row, and nothing follows from that.
        if self.foe_has_row(&answered) {
            return Step::Idle;
        }
        answers.extend(answered);
        Step::Answered
    }

    /// The cells that stop all threes of the attacker at once. Nothing if there are no threes.
    pub(super) fn blocks(&self) -> Option<ArrayVec<u16, 3>> {
        let (geometry, row) = (self.geometry, self.geometry.row);
        let mut common: Option<ArrayVec<u16, 3>> = None;
        for line in self.seen.straights.iter() {
            let seen = self.lines[line];
            let mut straights = seen.sight.straights;
            while straights != 0 {
                let first = straights.trailing_zeros();
                straights &= straights - 1;
                // From one end to the other.
                let span = ((1 << (row + 1)) - 1) << (first - 1);
                let places = span & !(seen.own | seen.foe);
                common = Some(match common {
                    None => geometry.cells(line, places).collect(),
                    Some(mut common) => {
                        common.retain(|other| geometry.cells(line, places).any(|cell| cell == *other));
                        common
                    }
                });
            }
        }
        common
    }

    /// Where the attacker makes a three a straight four.
    pub(super) fn straight_four(&self) -> Option<u16> {
        let line = self.seen.straights.iter().next()?;
        let seen = self.lines[line];
        let inner = ((1 << (self.geometry.row - 1)) - 1) << seen.sight.straights.trailing_zeros();
        self.geometry.cells(line, inner & !(seen.own | seen.foe)).next()
    }

    /// Makes every four that the opponent could make before he answers a three. Such a four takes two cells, one for him and one for the attacker, as he likes: he gets both. They
    /// would complete a row that is none, so one of them, which he has no other use for in that line, counts there as the attacker's too. Says whether nothing comes of it: the
    /// attacker then goes on as if his three had been answered at once, for his own stones more can do him no harm.
    fn exchange(&mut self) -> bool {
        let geometry = self.geometry;
        if geometry.exact {
            // The attacker's answers could make his own rows too long.
            return false;
        }
        let row = geometry.row;
        // What he gets by one may be all that another one lacked.
        while !self.seen.foe_fours.is_empty() {
            let (mut pairs, mut taken) = (Vec::new(), Vec::new());
            for line in self.seen.foe_fours.iter() {
                let Line { own, foe, .. } = self.lines[line];
                let windows = Windows::new(row, false, foe, own | geometry.outside[line]);
                let window = windows.exactly(row - 2);
                if !window.is_power_of_two() {
                    return false;
                }
                let free = spread(window, row) & !(own | foe);
                let (one, other) = (free & free.wrapping_neg(), free & (free - 1));
                // The windows of a place that are open to him: one has none without the other.
                let around =
                    |place: u32| (0..row).fold(0, |windows, step| windows | place >> step) & windows.open;
                let dead = if around(one) & !around(other) == 0 {
                    one
                } else if around(other) & !around(one) == 0 {
                    other
                } else {
                    return false;
                };
                pairs.push((line, dead));
                for cell in geometry.cells(line, free) {
                    if taken.contains(&cell) {
                        return false;
                    }
                    taken.push(cell);
                }
            }
            for cell in &taken {
                self.put(*cell, false);
            }
            for (line, dead) in pairs {
                let lines = Geometry::alone(line);
                self.remember(lines);
                self.lines[line].own |= dead;
                self.look(lines);
            }
            if !self.seen.foe_wins.is_empty() || self.foe_has_row(&taken) {
                return false;
            }
        }
        true
    }

    fn foe_has_row(&self, answers: &[u16]) -> bool {
        let row = self.geometry.row;
        answers.iter().flat_map(|cell| self.geometry.lines_through(*cell)).any(|line| {
            let line = &self.lines[usize::from(line)];
            let foe = line.foe & !line.own;
            (1..row).fold(foe, |runs, step| runs & foe >> step) != 0
        })
    }

    /// The cells that matter to a line of the attacker that has been gone through from `before`: those of windows in which the attacker has come so far
    /// that he may need them, and those of windows in which a stone more would make the opponent a four; where every move of the line is a four, those in which it
    /// would make him a row that lacks one, for he has no time for more.
    pub(super) fn zone(&self, before: &Self, only_fours: bool, mut add: impl FnMut(u16)) {
        let geometry = self.geometry;
        for line in 0..self.lines.len() {
            let (then, now) = (before.lines[line], self.lines[line]);
            if then.own == now.own && then.foe == now.foe && now.own == 0 && now.foe == 0 {
                continue;
            }
            let outside = geometry.outside[line];
            let row = geometry.row;
            let own = Windows::new(row, false, now.own, then.foe | outside);
            let foe = Windows::new(row, false, now.foe, then.own | outside);
            let far = own.exactly(row - 2) | own.exactly(row - 1) | own.exactly(row);
            let least = if only_fours { row - 2 } else { row - 3 };
            let near = (least..=row).fold(0, |windows, count| windows | foe.exactly(count));
            let places = (spread(far, row) | spread(near, row)) & !(then.own | then.foe | outside);
            geometry.cells(line, places).for_each(&mut add);
        }
    }
}
