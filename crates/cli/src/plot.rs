//! The comparison as a drawing after figure 13 of Allis, van der Meulen and van den Herik (1994): by which factor trees are
//! smaller than those of the standard, by classes of difficulty.

use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use quod_solver::{Cell, Comparison};

use crate::drawing::{Axis, Drawing, MUTED, SIZE, font, plain_mesh, titled};

/// Room for the legend.
const LEGEND_WIDTH: i32 = 160;
/// Colours that are told apart by most people (Okabe and Ito); the first is the standard's.
const COLOURS: [RGBColor; 8] = [
    BLACK,
    RGBColor(213, 94, 0),
    RGBColor(0, 114, 178),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(230, 159, 0),
    RGBColor(86, 180, 233),
    RGBColor(120, 120, 120),
];
/// Of markers.
const SHAPES: usize = 7;

/// What is drawn.
pub(crate) struct Figure {
    title: String,
    standard: String,
    /// Logarithms of the sizes where a class begins and ends, and how many positions it has.
    classes: Vec<(f64, f64, usize)>,
    /// Every search with its points. The standard is the first.
    lines: Vec<(String, Vec<Point>)>,
}

/// What a search makes of a class.
#[derive(Clone, Copy)]
struct Point {
    /// The middle of the class, and the logarithm of the factor.
    place: (f64, f64),
    /// Whether it has solved all positions of the class.
    whole: bool,
}

impl Figure {
    pub(crate) fn of(game: &str, comparison: &Comparison) -> Self {
        let classes = comparison.classes();
        let standard = comparison.standard;
        let others = (0..comparison.algorithms.len()).filter(|place| *place != standard);
        let line = |place: usize| {
            let points = classes.iter().filter_map(|class| {
                let middle = f64::from(class.from_log2 + class.to_log2) / 2.0;
                let reduction = &class.reductions[place];
                let whole = reduction.pairs == class.positions;
                reduction.log2.map(|log2| Point { place: (middle, log2), whole })
            });
            (comparison.algorithms[place].name().to_owned(), points.collect())
        };
        Self {
            title: format!("{game}, goal {}: tree sizes by difficulty", comparison.aim),
            standard: comparison.algorithms[standard].name().to_owned(),
            classes: classes
                .iter()
                .map(|class| (f64::from(class.from_log2), f64::from(class.to_log2), class.positions))
                .collect(),
            lines: [standard].into_iter().chain(others).map(line).collect(),
        }
    }

    /// From the measured figures of a table whose rows are classes: the first column is the standard's average, the column
    /// `positions` says how many there are.
    pub(crate) fn of_table(title: &str, cells: &[Cell]) -> Self {
        let mut rows: Vec<&str> = cells.iter().map(|cell| cell.row.as_str()).collect();
        rows.dedup();
        let mut columns: Vec<&str> = Vec::new();
        for cell in cells.iter().filter(|cell| cell.column != "positions") {
            if !columns.contains(&cell.column.as_str()) {
                columns.push(&cell.column);
            }
        }
        let measured = |row: &str, column: &str| {
            let found = cells.iter().find(|cell| cell.row == row && cell.column == column);
            found.and_then(|cell| cell.measured)
        };
        let from = |row: &str| row.trim_start_matches("2^").parse().unwrap_or(0.0);
        let standard = columns.first().copied().unwrap_or_default();
        let known: Vec<&str> = rows.into_iter().filter(|row| measured(row, standard).is_some()).collect();
        let line = |column: &str| {
            let points = known.iter().filter_map(|row| {
                let factor = measured(row, standard)? as f64 / measured(row, column)?.max(1) as f64;
                Some(Point { place: (from(row) + 1.5, factor.log2()), whole: true })
            });
            (column.to_owned(), points.collect())
        };
        let class = |row: &&str| {
            let positions = measured(row, "positions").unwrap_or(0).unsigned_abs();
            (from(row), from(row) + 3.0, usize::try_from(positions).unwrap_or(usize::MAX))
        };
        Self {
            title: title.to_owned(),
            standard: standard.to_owned(),
            classes: known.iter().map(class).collect(),
            lines: columns.iter().map(|column| line(column)).collect(),
        }
    }

    /// Whether there is no class to show.
    pub(crate) fn is_empty(&self) -> bool {
        self.classes.is_empty()
    }

    /// Ends of classes, empty ones between others included.
    fn boundaries(&self) -> Vec<f64> {
        let (first, last) = (self.classes.first(), self.classes.last());
        let (from, to) = first.zip(last).map_or((0.0, 3.0), |(first, last)| (first.0, last.1));
        let width = first.map_or(3.0, |class| class.1 - class.0);
        (0..).map(|number| from + f64::from(number) * width).take_while(|size| *size <= to).collect()
    }

    /// Whole powers of two around all factors, and around 1.
    fn factors(&self) -> (f64, f64) {
        let factors = || self.lines.iter().flat_map(|(_, points)| points).map(|point| point.place.1);
        (factors().fold(-1.0, f64::min).floor(), factors().fold(1.0, f64::max).ceil())
    }

    fn draw_legend<B: DrawingBackend>(
        &self,
        area: &DrawingArea<B, Shift>,
        scale: i32,
    ) -> Result<(), DrawingAreaErrorKind<B::ErrorType>> {
        let middle = |style: TextStyle<'static>| style.pos(Pos::new(HPos::Left, VPos::Center));
        let row = |number: usize| (58 + 24 * number as i32) * scale;
        for (number, (name, _)) in self.lines.iter().enumerate() {
            let y = row(number);
            draw_line(area, number, &[(4 * scale, y), (40 * scale, y)], scale)?;
            draw_marker(area, number, (22 * scale, y), true, scale)?;
            area.draw(&Text::new(name.clone(), (48 * scale, y), middle(font(13, scale, BLACK))))?;
        }
        let remarks = [
            format!("1: {}, the standard", self.standard),
            "above 1: smaller trees".to_owned(),
            "n: positions in a class".to_owned(),
            "hollow: it has not solved all".to_owned(),
        ];
        let whole = self.lines.iter().flat_map(|(_, points)| points).all(|point| point.whole);
        let shown = remarks.len() - usize::from(whole);
        for (number, remark) in remarks.into_iter().take(shown).enumerate() {
            let y = row(self.lines.len()) + (12 + 18 * number as i32) * scale;
            area.draw(&Text::new(remark, (4 * scale, y), middle(font(11, scale, MUTED))))?;
        }
        Ok(())
    }
}

impl Drawing for Figure {
    fn try_draw<B: DrawingBackend>(
        &self,
        area: &DrawingArea<B, Shift>,
        scale: i32,
    ) -> Result<(), DrawingAreaErrorKind<B::ErrorType>> {
        area.fill(&WHITE)?;
        let (left, legend) = area.split_horizontally(SIZE.0 as i32 * scale - LEGEND_WIDTH * scale);
        let (bottom, top) = self.factors();
        let boundaries = self.boundaries();
        let sizes = boundaries[0]..*boundaries.last().expect("a class has two ends");
        let step = ((top - bottom) / 12.0).ceil().max(1.0);
        let marks = (0..).map(|mark| bottom + f64::from(mark) * step).take_while(|mark| *mark <= top);
        let mut chart = titled(&left, &self.title, scale)
            // Room above the largest factor for the numbers of positions.
            .build_cartesian_2d(
                Axis { range: sizes, marks: boundaries.clone() },
                Axis { range: bottom..top + (top - bottom) * 0.12, marks: marks.collect() },
            )?;
        let mut mesh = chart.configure_mesh();
        plain_mesh(&mut mesh, scale);
        mesh.x_labels(boundaries.len())
            .x_label_formatter(&|size| power_of_two(*size))
            .y_label_formatter(&|factor| written_factor(*factor))
            .x_desc(format!("tree size of {} (nodes)", self.standard))
            .y_desc("reduction of tree size (factor)")
            .draw()?;
        for (from, to, positions) in &self.classes {
            let place = chart.backend_coord(&((from + to) / 2.0, top + (top - bottom) * 0.06));
            let style = font(12, scale, MUTED).pos(Pos::new(HPos::Center, VPos::Center));
            area.draw(&Text::new(format!("n = {positions}"), place, style))?;
        }
        for (number, (_, points)) in self.lines.iter().enumerate() {
            let places: Vec<_> = points.iter().map(|point| chart.backend_coord(&point.place)).collect();
            draw_line(area, number, &places, scale)?;
            for (place, point) in places.into_iter().zip(points) {
                draw_marker(area, number, place, point.whole, scale)?;
            }
        }
        self.draw_legend(&legend, scale)
    }
}

/// A line in the colour of the search with this number.
fn draw_line<B: DrawingBackend>(
    area: &DrawingArea<B, Shift>,
    number: usize,
    places: &[(i32, i32)],
    scale: i32,
) -> Result<(), DrawingAreaErrorKind<B::ErrorType>> {
    let colour = COLOURS[number % COLOURS.len()];
    area.draw(&PathElement::new(places, colour.stroke_width(2 * scale as u32)))
}

/// Markers differ in shape, so that nobody depends on colours.
fn draw_marker<B: DrawingBackend>(
    area: &DrawingArea<B, Shift>,
    number: usize,
    place: (i32, i32),
    filled: bool,
    scale: i32,
) -> Result<(), DrawingAreaErrorKind<B::ErrorType>> {
    let colour = COLOURS[number % COLOURS.len()];
    // After the last shape, the same again, smaller.
    let radius = if number < SHAPES { 6.0 } else { 3.5 } * f64::from(scale);
    let corner = |turn: f64, radius: f64| {
        let (sine, cosine) = (turn * std::f64::consts::TAU).sin_cos();
        (place.0 + (radius * sine).round() as i32, place.1 - (radius * cosine).round() as i32)
    };
    let polygon = |corners: u32, turned: f64| -> Vec<(i32, i32)> {
        (0..corners).map(|at| corner(turned + f64::from(at) / f64::from(corners), radius)).collect()
    };
    let star = || -> Vec<(i32, i32)> {
        (0..10).map(|at| corner(f64::from(at) / 10.0, radius * if at % 2 == 0 { 1.3 } else { 0.5 })).collect()
    };
    let outline = match number % SHAPES {
        0 => polygon(24, 0.0),
        1 => polygon(4, 0.125),
        2 => polygon(3, 0.0),
        3 => polygon(4, 0.0),
        4 => polygon(3, 0.5),
        5 => star(),
        _ => polygon(6, 0.0),
    };
    let fill = if filled { colour } else { WHITE };
    area.draw(&Polygon::new(outline.clone(), fill.filled()))?;
    let closed: Vec<_> = outline.iter().chain(outline.first()).copied().collect();
    area.draw(&PathElement::new(closed, colour.stroke_width(2 * scale as u32)))
}

/// 2¹².
fn power_of_two(exponent: f64) -> String {
    let raised = |digit: char| match digit {
        '-' => '⁻',
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        digit => char::from_u32('⁰' as u32 + digit.to_digit(10).unwrap_or(0)).unwrap_or(digit),
    };
    format!("2{}", format!("{exponent:.0}").chars().map(raised).collect::<String>())
}

/// 1/8, 1, 64; as a power where that would be long.
fn written_factor(exponent: f64) -> String {
    match exponent as i32 {
        exponent @ 0..=10 => (1 << exponent).to_string(),
        exponent @ -10..0 => format!("1/{}", 1 << -exponent),
        exponent => power_of_two(exponent.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figure() -> Figure {
        let point = |x, y| Point { place: (x, y), whole: y < 3.0 };
        Figure {
            title: "game <&> title".to_owned(),
            standard: "pn".to_owned(),
            classes: vec![(3.0, 6.0, 2), (9.0, 12.0, 5)],
            lines: vec![
                ("pn".to_owned(), vec![point(4.5, 0.0), point(10.5, 0.0)]),
                ("dfpn".to_owned(), vec![point(4.5, -1.5), point(10.5, 3.2)]),
                ("nothing".to_owned(), vec![]),
            ],
        }
    }

    #[test]
    fn axes_cover_everything() {
        assert_eq!(figure().boundaries(), [3.0, 6.0, 9.0, 12.0]);
        assert_eq!(figure().factors(), (-2.0, 4.0));
    }

    #[test]
    fn labels_are_powers_of_two() {
        assert_eq!((power_of_two(12.0), power_of_two(-40.0)), ("2¹²".to_owned(), "2⁻⁴⁰".to_owned()));
        let written: Vec<_> = [-3.0, 0.0, 6.0, 12.0].into_iter().map(written_factor).collect();
        assert_eq!(written, ["1/8", "1", "64", "2¹²"]);
    }

    #[test]
    fn both_forms_are_drawn() {
        let svg = figure().svg().unwrap();
        assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"));
        for text in
            ["game &lt;&amp;&gt; title", "dfpn", "1: pn, the standard", "n = 5", "2⁹", "1/4", "hollow"]
        {
            assert!(svg.contains(text), "{text}");
        }
        let file = figure().png().unwrap();
        let mut reader = png::Decoder::new(std::io::Cursor::new(&file)).read_info().unwrap();
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut pixels).unwrap();
        assert_eq!((info.width, info.height), (1800, 1120));
        let dark = pixels.chunks(3).filter(|pixel| pixel.iter().all(|part| *part < 64)).count();
        assert!(dark > 5_000, "{dark} dark pixels: there must be text");
    }
}
