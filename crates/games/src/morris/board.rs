//! Boards: points, the edges along which men move, and the mills. Sets of points are words, bit 0 is point 0.

/// The most points that a board can have.
pub const POINTS_MAX: usize = 24;

/// The square has eight symmetries; exchanging the inner and the outer ring doubles them.
const SYMMETRIES: usize = 16;

/// All images of each byte of a set, side by side, so that one look gives a whole line of them.
type Images = [[[u32; SYMMETRIES]; 256]; POINTS_MAX / 8];

/// Where men stand, how they move and what makes a mill.
#[derive(Clone)]
pub struct Board {
    full: u32,
    neighbours: [u32; POINTS_MAX],
    /// Each edge as the set of its two ends.
    edges: Vec<u32>,
    mills: Vec<u32>,
    images: Box<Images>,
    /// Column and row of each point, from 0 at the bottom left; points ascend by row, then by column.
    places: Vec<(u8, u8)>,
    is_own: bool,
}

/// The points of a set, ascending.
pub(super) fn each(mut set: u32) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let point = set.trailing_zeros() as u8;
        (set != 0).then(|| {
            set &= set - 1;
            point
        })
    })
}

impl Board {
    /// A board of one's own: `points` points in one row, named `a1`, `b1` and so on, with any edges and
    /// mills, and no symmetry. Nothing if it has no point or more than [`POINTS_MAX`], or if an edge or a
    /// mill does not consist of two or three different points of the board.
    #[must_use]
    pub fn new(points: u8, edges: &[(u8, u8)], mills: &[[u8; 3]]) -> Option<Self> {
        if points == 0 || usize::from(points) > POINTS_MAX {
            return None;
        }
        let set = |members: &[u8]| {
            let inside = members.iter().filter(|point| **point < points);
            let set = inside.fold(0u32, |set, point| set | 1 << point);
            (set.count_ones() as usize == members.len()).then_some(set)
        };
        let edges: Option<Vec<u32>> = edges.iter().map(|(a, b)| set(&[*a, *b])).collect();
        let mills: Option<Vec<u32>> = mills.iter().map(|mill| set(mill)).collect();
        let places = (0..points).map(|point| (point, 0)).collect();
        let same = std::array::from_fn(|point| point as u8);
        Some(Self::build(places, edges?, mills?, &[same; SYMMETRIES], true))
    }

    /// Squares inside each other, joined at the middles of their sides. Lines of three points are mills.
    pub(super) fn squares(rings: i8) -> Self {
        let is_point = |x: i8, y: i8| (x, y) != (0, 0) && (x == 0 || y == 0 || x.abs() == y.abs());
        let mut lines: Vec<Box<dyn Fn(i8, i8) -> bool>> = vec![
            Box::new(|x, y| x == 0 && y < 0),
            Box::new(|x, y| x == 0 && y > 0),
            Box::new(|x, y| y == 0 && x < 0),
            Box::new(|x, y| y == 0 && x > 0),
        ];
        for side in (-rings..=rings).filter(|side| *side != 0) {
            lines.push(Box::new(move |x, _| x == side));
            lines.push(Box::new(move |_, y| y == side));
        }
        Self::from_lines(rings, is_point, &lines)
    }

    /// Three rows of three points with both diagonals.
    pub(super) fn nine_points() -> Self {
        let mut lines: Vec<Box<dyn Fn(i8, i8) -> bool>> =
            vec![Box::new(|x, y| x == y), Box::new(|x, y| x == -y)];
        for line in -1..=1 {
            lines.push(Box::new(move |x, _| x == line));
            lines.push(Box::new(move |_, y| y == line));
        }
        Self::from_lines(1, |_, _| true, &lines)
    }

    /// A board around the centre (0, 0): edges join what is next to each other on a line, and a line of three
    /// is a mill.
    fn from_lines(
        rings: i8,
        is_point: impl Fn(i8, i8) -> bool,
        lines: &[Box<dyn Fn(i8, i8) -> bool>],
    ) -> Self {
        let square = (-rings..=rings).flat_map(|y| (-rings..=rings).map(move |x| (x, y)));
        let points: Vec<(i8, i8)> = square.filter(|(x, y)| is_point(*x, *y)).collect();
        let (mut edges, mut mills) = (Vec::new(), Vec::new());
        for line in lines {
            let on_it: Vec<u32> =
                (0..points.len()).filter(|at| line(points[*at].0, points[*at].1)).map(|at| 1 << at).collect();
            edges.extend(on_it.windows(2).map(|two| two[0] | two[1]));
            if let [a, b, c] = on_it[..] {
                mills.push(a | b | c);
            }
        }
        let symmetries = std::array::from_fn(|number| {
            let mut symmetry = [0; POINTS_MAX];
            for (at, (mut x, mut y)) in points.iter().copied().enumerate() {
                if number & 1 != 0 {
                    x = -x;
                }
                if number & 2 != 0 {
                    y = -y;
                }
                if number & 4 != 0 {
                    (x, y) = (y, x);
                }
                if number & 8 != 0 {
                    let ring = rings + 1 - x.abs().max(y.abs());
                    (x, y) = (x.signum() * ring, y.signum() * ring);
                }
                let image = points.iter().position(|point| *point == (x, y));
                symmetry[at] = image.expect("a symmetry leads to a point") as u8;
            }
            symmetry
        });
        let places = points.iter().map(|(x, y)| ((x + rings) as u8, (y + rings) as u8)).collect();
        Self::build(places, edges, mills, &symmetries, false)
    }

    fn build(
        places: Vec<(u8, u8)>,
        mut edges: Vec<u32>,
        mut mills: Vec<u32>,
        symmetries: &[[u8; POINTS_MAX]; SYMMETRIES],
        is_own: bool,
    ) -> Self {
        for sets in [&mut edges, &mut mills] {
            sets.sort_unstable();
            sets.dedup();
        }
        let mut neighbours = [0; POINTS_MAX];
        for edge in &edges {
            for point in each(*edge) {
                neighbours[usize::from(point)] |= edge & !(1 << point);
            }
        }
        let mut images: Box<Images> = Box::new([[[0; SYMMETRIES]; 256]; POINTS_MAX / 8]);
        for (byte, lines) in images.iter_mut().enumerate() {
            for (set, line) in lines.iter_mut().enumerate() {
                for point in each((set << (8 * byte)) as u32) {
                    for (image, symmetry) in line.iter_mut().zip(symmetries) {
                        *image |= 1 << symmetry[usize::from(point)];
                    }
                }
            }
        }
        let full = (1 << places.len()) - 1;
        Self { full, neighbours, edges, mills, images, places, is_own }
    }

    /// All points.
    #[inline]
    pub(super) fn full(&self) -> u32 {
        self.full
    }

    #[inline]
    pub(super) fn neighbours(&self, point: u8) -> u32 {
        self.neighbours[usize::from(point)]
    }

    /// Each edge as the set of its two ends, ascending.
    pub(super) fn edges(&self) -> &[u32] {
        &self.edges
    }

    /// Ascending.
    pub(super) fn mills(&self) -> &[u32] {
        &self.mills
    }

    /// Column and row of a point.
    pub(super) fn place(&self, point: u8) -> (u8, u8) {
        self.places[usize::from(point)]
    }

    /// The points of each row from the bottom up, each row from left to right.
    pub(super) fn rows(&self) -> impl DoubleEndedIterator<Item = &[(u8, u8)]> + ExactSizeIterator {
        self.places.chunk_by(|a, b| a.1 == b.1).collect::<Vec<_>>().into_iter()
    }

    /// Whether it came from [`Board::new`].
    pub(super) fn is_own(&self) -> bool {
        self.is_own
    }

    /// The points that would complete a mill, whether they are empty or not.
    #[inline]
    pub(super) fn completing(&self, men: u32) -> u32 {
        self.mills.iter().fold(0, |set, mill| {
            let missing = mill & !men;
            // At most one bit is left where taking one away leaves none.
            set | if missing & missing.wrapping_sub(1) == 0 { missing } else { 0 }
        })
    }

    /// The men that all mills have in common which lack nothing but `point`. There is such a mill.
    #[inline]
    pub(super) fn needed(&self, men: u32, point: u8) -> u32 {
        self.mills.iter().fold(!0, |set, mill| if mill & !men == 1 << point { set & mill } else { set })
    }

    /// The men that stand in mills.
    #[inline]
    pub(super) fn in_mills(&self, men: u32) -> u32 {
        self.mills.iter().fold(0, |set, mill| set | if men & mill == *mill { *mill } else { 0 })
    }

    /// How many edges lead from the first set to the second, where the two have no point in common.
    #[inline]
    pub(super) fn edges_between(&self, from: u32, to: u32) -> u32 {
        self.edges.iter().map(|edge| u32::from((from & edge != 0) & (to & edge != 0))).sum()
    }

    /// A set under every symmetry.
    #[inline]
    pub(super) fn images(&self, men: u32) -> [u32; SYMMETRIES] {
        let [a, b, c, _] = men.to_le_bytes().map(usize::from);
        let (a, b, c) = (&self.images[0][a], &self.images[1][b], &self.images[2][c]);
        std::array::from_fn(|number| a[number] | b[number] | c[number])
    }
}
