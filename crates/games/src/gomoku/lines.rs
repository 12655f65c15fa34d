//! The lines of the board in four directions, each as a word of bits, with what threatens in it.

use super::Gomoku;

/// The most lines of a board: 20 in each of two directions, 39 in each of the others.
const LINES_MAX: usize = 128;
/// No line: too short for a row.
const NOWHERE: u8 = u8::MAX;

/// Where the cells are in lines.
#[derive(Clone, Debug, Default)]
pub(super) struct Geometry {
    pub(super) row: u32,
    exact: bool,
    /// The lines through every cell, one a direction, and the place in each.
    places: Vec<[(u8, u8); 4]>,
    /// The cells of every line.
    cells: Vec<Vec<u16>>,
    /// The places that every line does not have.
    outside: Vec<u32>,
}

impl Geometry {
    pub(super) fn new<const N: usize>(game: &Gomoku<N>) -> Self {
        let (size, row) = (game.size as i32, game.row);
        let mut geometry = Self {
            row,
            exact: game.exact,
            places: vec![[(NOWHERE, 0); 4]; (game.stride() * game.size) as usize],
            cells: Vec::new(),
            outside: Vec::new(),
        };
        let is_inside = |x: i32, y: i32| (0..size).contains(&x) && (0..size).contains(&y);
        for (direction, (dx, dy)) in [(1, 0), (0, 1), (1, 1), (-1, 1)].into_iter().enumerate() {
            for (x, y) in (0..size).flat_map(|y| (0..size).map(move |x| (x, y))) {
                if is_inside(x - dx, y - dy) {
                    continue;
                }
                let steps = (0..size).map(|step| (x + step * dx, y + step * dy));
                let cells = steps.take_while(|(x, y)| is_inside(*x, *y));
                let cells: Vec<u16> = cells.map(|(x, y)| game.cell(x as u32, y as u32) as u16).collect();
                if cells.len() >= row as usize {
                    for (place, cell) in cells.iter().enumerate() {
                        geometry.places[usize::from(*cell)][direction] =
                            (geometry.cells.len() as u8, place as u8);
                    }
                    geometry.outside.push(!0 << cells.len());
                    geometry.cells.push(cells);
                }
            }
        }
        debug_assert!(geometry.cells.len() <= LINES_MAX);
        geometry
    }

    /// The lines through a cell, and its place in each.
    #[inline]
    fn through(&self, cell: u16) -> impl Iterator<Item = (usize, u32)> {
        let places = self.places[usize::from(cell)].into_iter();
        places.filter(|(line, _)| *line != NOWHERE).map(|(line, place)| (usize::from(line), place.into()))
    }
}

/// Windows of a row's length by how many stones of one side they hold; a window is known by its first place.
#[derive(Clone, Copy)]
struct Windows {
    /// Those that this side can still fill.
    open: u32,
    ones: u32,
    twos: u32,
    fours: u32,
}

impl Windows {
    /// The windows of `row` places; only those of exact rows where `exact` is set.
    #[inline(always)]
    fn new(row: u32, exact: bool, own: u32, barred: u32) -> Self {
        let mut windows = Self { open: u32::MAX, ones: 0, twos: 0, fours: 0 };
        for step in 0..row {
            let stones = own >> step;
            windows.fours |= windows.ones & windows.twos & stones;
            windows.twos ^= windows.ones & stones;
            windows.ones ^= stones;
            windows.open &= !(barred >> step);
        }
        if exact {
            windows.open &= !(own << 1) & !(own >> row);
        }
        windows
    }

    /// The windows with so many stones.
    #[inline(always)]
    fn exactly(self, count: u32) -> u32 {
        let bit = |bit: u32, words: u32| if count & bit == 0 { !words } else { words };
        self.open & bit(1, self.ones) & bit(2, self.twos) & bit(4, self.fours)
    }
}

/// The places of windows of a length.
#[inline(always)]
fn spread(windows: u32, length: u32) -> u32 {
    (0..length).fold(0, |places, step| places | windows << step)
}

/// A line of the board as an attacker sees it: what stands there, and what can be made of it.
#[derive(Clone, Copy, Default)]
struct Line {
    own: u32,
    foe: u32,
    /// Where the attacker completes a row.
    wins: u32,
    /// Where the attacker would make a four: a row that lacks one.
    fours: u32,
    /// Where the attacker would make a three: something that lacks one to be a straight four.
    threes: u32,
    /// The first inner places of threes that are there.
    straights: u32,
    /// Where the opponent completes a row.
    foe_wins: u32,
    /// Where the opponent would make a four.
    foe_fours: u32,
}

impl Line {
    /// The usual length of a row has code of its own, in which no loop is left.
    #[inline]
    fn look(&mut self, geometry: &Geometry, outside: u32) {
        match geometry.row {
            5 => self.look_for(5, geometry.exact, outside),
            row => self.look_for(row, geometry.exact, outside),
        }
    }

    #[inline(always)]
    fn look_for(&mut self, row: u32, exact: bool, outside: u32) {
        let free = !(self.own | self.foe | outside);
        let own = Windows::new(row, exact, self.own, self.foe | outside);
        self.wins = spread(own.exactly(row - 1), row) & free;
        self.fours = spread(own.exactly(row - 2), row) & free;
        // A straight four has both ends free, so both windows that hold its inner places can be filled.
        let both = |windows: u32| windows & windows << 1 & free << 1 & free >> (row - 1);
        self.threes = spread(both(own.exactly(row - 3)), row - 1) & free;
        self.straights = both(own.exactly(row - 2));
        // Fewer stones than a four needs make none. Longer rows of the opponent count too: he may have fewer stones than he is given here, and then a
        // row that is too long is none too long.
        (self.foe_wins, self.foe_fours) = (0, 0);
        if self.foe.count_ones() + 2 >= row {
            let foe = Windows::new(row, false, self.foe, self.own | outside);
            self.foe_wins = spread(foe.exactly(row - 1), row) & free;
            self.foe_fours = spread(foe.exactly(row - 2), row) & free;
        }
    }
}

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

/// A position as an attacker sees it, in which moves are made and taken back.
///
/// All answers to a three are made at once. That gives the opponent more than he can have: stones only help him, and what the attacker can
/// still do then, he can do against each of the answers. The opponent can put an answer off by making fours of his own: all that he can make are
/// made too, see [`Field::exchange`].
pub(super) struct Field<'g> {
    geometry: &'g Geometry,
    lines: Vec<Line>,
    seen: Seen,
    /// What lines were before they changed.
    changes: Vec<(u8, Line)>,
}

/// What there is on the whole board.
#[derive(Clone, Copy, Default)]
struct Seen {
    /// Lines with wins, fours and threes of the attacker, with wins and fours of the opponent.
    wins: u128,
    fours: u128,
    threes: u128,
    straights: u128,
    foe_wins: u128,
    foe_fours: u128,
    /// What stands where, mixed up.
    mark: u64,
}

/// A moment to go back to.
#[derive(Clone, Copy)]
pub(super) struct Moment {
    changes: usize,
    seen: Seen,
}

/// The cells of places in a line.
fn cells(geometry: &Geometry, line: usize, mut places: u32) -> impl Iterator<Item = u16> {
    std::iter::from_fn(move || {
        let place = (places != 0).then(|| places.trailing_zeros())?;
        places &= places - 1;
        Some(geometry.cells[line][place as usize])
    })
}

/// The lines of a set.
fn each(mut lines: u128) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let line = (lines != 0).then(|| lines.trailing_zeros())?;
        lines &= lines - 1;
        Some(line as usize)
    })
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
        let mut field = Self {
            geometry,
            lines: vec![Line::default(); geometry.cells.len()],
            seen: Seen::default(),
            changes: Vec::new(),
        };
        for cell in own {
            geometry.through(cell as u16).for_each(|(line, place)| field.lines[line].own |= 1 << place);
        }
        for cell in foe {
            geometry.through(cell as u16).for_each(|(line, place)| field.lines[line].foe |= 1 << place);
        }
        for line in 0..field.lines.len() {
            field.look(line);
        }
        field
    }

    #[inline]
    fn look(&mut self, line: usize) {
        let looked = &mut self.lines[line];
        looked.look(self.geometry, self.geometry.outside[line]);
        let (bit, seen) = (1u128 << line, &mut self.seen);
        let note = |lines: &mut u128, places: u32| {
            let kept = *lines & !bit;
            *lines = if places == 0 { kept } else { kept | bit };
        };
        note(&mut seen.wins, looked.wins);
        note(&mut seen.fours, looked.fours);
        note(&mut seen.threes, looked.threes);
        note(&mut seen.straights, looked.straights);
        note(&mut seen.foe_wins, looked.foe_wins);
        note(&mut seen.foe_fours, looked.foe_fours);
    }

    /// What stands where, mixed up.
    pub(super) fn mark(&self) -> u64 {
        self.seen.mark
    }

    fn put(&mut self, cell: u16, own: bool) {
        let geometry = self.geometry;
        for (line, place) in geometry.through(cell) {
            self.changes.push((line as u8, self.lines[line]));
            let seen = &mut self.lines[line];
            if own {
                seen.own |= 1 << place;
            } else {
                seen.foe |= 1 << place;
            }
            self.look(line);
        }
        let stone =
            (u64::from(cell) << 1 | u64::from(own)).wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.seen.mark = self.seen.mark.wrapping_add(stone ^ stone >> 29);
    }

    pub(super) fn now(&self) -> Moment {
        Moment { changes: self.changes.len(), seen: self.seen }
    }

    pub(super) fn back(&mut self, moment: &Moment) {
        for (line, before) in self.changes.drain(moment.changes..).rev() {
            self.lines[usize::from(line)] = before;
        }
        self.seen = moment.seen;
    }

    pub(super) fn is_free(&self, cell: u16) -> bool {
        let mut through = self.geometry.through(cell);
        through
            .next()
            .is_some_and(|(line, place)| (self.lines[line].own | self.lines[line].foe) >> place & 1 == 0)
    }

    /// Where the attacker wins at once.
    pub(super) fn wins(&self) -> Few {
        Few::of(each(self.seen.wins).flat_map(|line| cells(self.geometry, line, self.lines[line].wins)))
    }

    /// Where the opponent would, or would have a row that is too long.
    pub(super) fn danger(&self) -> Few {
        Few::of(
            each(self.seen.foe_wins).flat_map(|line| cells(self.geometry, line, self.lines[line].foe_wins)),
        )
    }

    /// Whether the attacker has a three that was not answered.
    pub(super) fn has_straights(&self) -> bool {
        self.seen.straights != 0
    }

    /// The moves that make a four, with their lines.
    pub(super) fn fours(&self) -> impl Iterator<Item = (u16, u128)> {
        each(self.seen.fours).flat_map(|line| {
            cells(self.geometry, line, self.lines[line].fours).map(move |cell| (cell, 1 << line))
        })
    }

    /// The moves that make a three, with their lines.
    pub(super) fn threes(&self) -> impl Iterator<Item = (u16, u128)> {
        each(self.seen.threes).flat_map(|line| {
            cells(self.geometry, line, self.lines[line].threes).map(move |cell| (cell, 1 << line))
        })
    }

    /// The cells of windows in which the attacker has two or more, where the opponent would make a four, and where lines of the attacker cross.
    pub(super) fn promising(&self) -> impl Iterator<Item = u16> {
        (0..self.lines.len()).flat_map(|line| {
            let (seen, geometry) = (self.lines[line], self.geometry);
            let outside = geometry.outside[line];
            let own = Windows::new(geometry.row, geometry.exact, seen.own, seen.foe | outside);
            let some = (2..geometry.row).fold(0, |windows, count| windows | own.exactly(count));
            let free = !(seen.own | seen.foe | outside);
            cells(geometry, line, (spread(some, geometry.row) | seen.foe_fours) & free)
        })
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
    pub(super) fn lines_through(&self, cell: u16) -> u128 {
        self.geometry.through(cell).fold(0, |lines, (line, _)| lines | 1 << line)
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
        if self.seen.foe_fours != 0 && !self.exchange() {
            return Step::Idle;
        }
        // Whoever stops all threes at once is in what they have in common.
        let geometry = self.geometry;
        let mut common: Option<Vec<u16>> = None;
        for line in each(self.seen.straights) {
            let (row, seen) = (geometry.row, self.lines[line]);
            let mut straights = seen.straights;
            while straights != 0 {
                let first = straights.trailing_zeros();
                straights &= straights - 1;
                // From one end to the other.
                let span = ((1 << (row + 1)) - 1) << (first - 1);
                let places = span & !(seen.own | seen.foe);
                common = Some(match common {
                    None => cells(geometry, line, places).collect(),
                    Some(mut common) => {
                        common.retain(|other| cells(geometry, line, places).any(|cell| cell == *other));
                        common
                    }
                });
            }
        }
        let Some(common) = common else { return Step::Idle };
        if common.is_empty() {
            return Step::Won;
        }
        for answer in &common {
            self.put(*answer, false);
        }
        // Answers made at once may even complete a row, and nothing follows from that.
        if self.foe_has_row(&common) {
            return Step::Idle;
        }
        answers.extend(common);
        Step::Answered
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
        while self.seen.foe_fours != 0 {
            let (mut pairs, mut taken) = (Vec::new(), Vec::new());
            for line in each(self.seen.foe_fours) {
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
                for cell in cells(geometry, line, free) {
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
                self.changes.push((line as u8, self.lines[line]));
                self.lines[line].own |= dead;
                self.look(line);
            }
            if self.seen.foe_wins != 0 || self.foe_has_row(&taken) {
                return false;
            }
        }
        true
    }

    fn foe_has_row(&self, answers: &[u16]) -> bool {
        let row = self.geometry.row;
        answers.iter().flat_map(|cell| self.geometry.through(*cell)).any(|(line, _)| {
            let foe = self.lines[line].foe & !self.lines[line].own;
            (1..row).fold(foe, |runs, step| runs & foe >> step) != 0
        })
    }

    /// The cells that matter to a line of the attacker that has been gone through from `before`: those of windows in which the attacker has come so far
    /// that he may need them, and those of windows in which a stone more would make the opponent a four.
    pub(super) fn zone(&self, before: &Self, mut add: impl FnMut(u16)) {
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
            let near = (row - 3..=row).fold(0, |windows, count| windows | foe.exactly(count));
            let places = (spread(far, row) | spread(near, row)) & !(then.own | then.foe | outside);
            cells(geometry, line, places).for_each(&mut add);
        }
    }
}
