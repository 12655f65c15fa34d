//! The value over the game as a drawing: for First, proven values as steps, what is not known as bars, mistakes marked.

use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use quod_solver::{Analysis, Judgement, Range};

use crate::drawing::{Axis, Drawing, MUTED, SIZE, font, plain_mesh, titled};

/// Colours that are told apart by most people (Okabe and Ito): values, and the mistakes of both players.
const VALUES: RGBColor = RGBColor(0, 114, 178);
const UNKNOWN: RGBColor = RGBColor(190, 215, 232);
const MISTAKES: [RGBColor; 2] = [RGBColor(213, 94, 0), RGBColor(0, 0, 0)];

/// Room for the legend.
const LEGEND_HEIGHT: i32 = 24;

/// What is drawn.
pub(super) struct Chart {
    title: String,
    players: [&'static str; 2],
    /// The smallest and the largest value.
    values: (i32, i32),
    /// What the value of every position lies between, for First; the last is where the game ended.
    ranges: Vec<(i32, i32)>,
    /// Plies that were mistakes, whether First has made them, and their text.
    mistakes: Vec<(usize, bool, String)>,
}

impl Chart {
    pub(super) fn of(analysis: &Analysis) -> Self {
        let for_first = |range: &Range, first: bool| match first {
            true => (range.lower, range.upper),
            false => (-range.upper, -range.lower),
        };
        let mut ranges: Vec<_> = analysis.moves.iter().map(|mv| for_first(&mv.before, mv.by_first)).collect();
        let last_is_first = analysis.last.to_move == analysis.players[0];
        ranges.push(for_first(&analysis.last.value, last_is_first));
        let wrong = analysis.moves.iter().filter(|mv| mv.judgement == Judgement::Mistake);
        Self {
            title: format!("{}: the value over the game, for {}", analysis.game, analysis.players[0]),
            players: analysis.players,
            values: analysis.values,
            ranges,
            mistakes: wrong.map(|mv| (mv.ply, mv.by_first, mv.text.clone())).collect(),
        }
    }

    /// Values that are worth showing: what is known, and the middle; everything if little is known.
    fn shown(&self) -> (f64, f64) {
        let (lowest, highest) = self.values;
        let known = |range: &&(i32, i32)| range.0 > lowest || range.1 < highest;
        let ends = self.ranges.iter().filter(known).flat_map(|range| [range.0, range.1]);
        let inner: Vec<i32> = ends.filter(|end| *end > lowest && *end < highest).chain([0]).collect();
        let (low, high) = (inner.iter().min().unwrap_or(&0), inner.iter().max().unwrap_or(&0));
        // Few values are all shown, whatever is known.
        if i64::from(highest) - i64::from(lowest) <= 12 {
            return (f64::from(lowest), f64::from(highest));
        }
        (f64::from((low - 2).max(lowest)), f64::from((high + 2).min(highest)))
    }

    fn marks(low: f64, high: f64) -> Vec<f64> {
        let step = [1, 2, 5, 10, 20, 50, 100, 1000].into_iter().map(f64::from);
        let step = step.into_iter().find(|step| (high - low) / step <= 12.0).unwrap_or(high - low);
        let from = (low / step).ceil() as i64;
        (from..).map(|number| number as f64 * step).take_while(|mark| *mark <= high).collect()
    }
}

impl Drawing for Chart {
    fn try_draw<B: DrawingBackend>(
        &self,
        area: &DrawingArea<B, Shift>,
        scale: i32,
    ) -> Result<(), DrawingAreaErrorKind<B::ErrorType>> {
        area.fill(&WHITE)?;
        let (area, legend) = area.split_vertically((SIZE.1 as i32 - LEGEND_HEIGHT) * scale);
        let (low, high) = self.shown();
        let room = ((high - low) * 0.08).max(0.2);
        let plies = self.ranges.len() as f64;
        // A position stands in the middle of its ply; every move number has one mark.
        let every = (self.ranges.len() / 2 / 15 + 1) * 2;
        let marks = (0..self.ranges.len()).step_by(every).map(|at| at as f64 + 0.5).collect();
        let mut chart = titled(&area, &self.title, scale).build_cartesian_2d(
            Axis { range: 0.0..plies, marks },
            Axis { range: low - room..high + room, marks: Self::marks(low, high) },
        )?;
        let mut mesh = chart.configure_mesh();
        plain_mesh(&mut mesh, scale);
        mesh.x_labels(30)
            .x_label_formatter(&|place| (place.floor() as usize / 2 + 1).to_string())
            .y_label_formatter(&|value| format!("{value:+.0}").replace("+0", "0").replace("-0", "0"))
            .x_desc("move")
            .y_desc(format!("value for {}", self.players[0]))
            .draw()?;
        let place = |ply: f64, value: f64| chart.backend_coord(&(ply, value.clamp(low - room, high + room)));
        let mut before: Option<(i32, i32)> = None;
        for (at, (lower, upper)) in self.ranges.iter().enumerate() {
            let (from, to) = (at as f64, at as f64 + 1.0);
            if lower < upper {
                let corners = [place(from, f64::from(*upper)), place(to, f64::from(*lower))];
                area.draw(&Rectangle::new(corners, UNKNOWN.filled()))?;
                before = None;
                continue;
            }
            let (left, right) = (place(from, f64::from(*lower)), place(to, f64::from(*lower)));
            let line: Vec<_> = before.into_iter().chain([left, right]).collect();
            area.draw(&PathElement::new(line, VALUES.stroke_width(3 * scale as u32)))?;
            before = Some(right);
        }
        for (ply, by_first, text) in &self.mistakes {
            // At the step that the move has made: its best value, and a word above or below.
            let (lower, upper) = self.ranges[ply - 1];
            let value = f64::from(if *by_first { lower } else { upper });
            let (x, y) = place(*ply as f64, value);
            let colour = MISTAKES[usize::from(!by_first)];
            let (up, size) = (if *by_first { -1 } else { 1 }, 5 * scale);
            let corners = vec![(x, y), (x - size, y + up * 2 * size), (x + size, y + up * 2 * size)];
            area.draw(&Polygon::new(corners, colour.filled()))?;
            let vertical = if *by_first { VPos::Bottom } else { VPos::Top };
            let style = font(11, scale, colour).pos(Pos::new(HPos::Center, vertical));
            area.draw(&Text::new(format!("{text}?"), (x, y + up * (2 * size + 2 * scale)), style))?;
        }
        self.draw_legend(&legend, scale)
    }
}

impl Chart {
    /// One line: what is there to see.
    fn draw_legend<B: DrawingBackend>(
        &self,
        area: &DrawingArea<B, Shift>,
        scale: i32,
    ) -> Result<(), DrawingAreaErrorKind<B::ErrorType>> {
        let mut entries = vec![(VALUES, "proven".to_owned())];
        if self.ranges.iter().any(|range| range.0 < range.1) {
            entries.push((UNKNOWN, "between proven bounds".to_owned()));
        }
        for (player, colour) in MISTAKES.into_iter().enumerate() {
            if self.mistakes.iter().any(|mistake| mistake.1 == (player == 0)) {
                entries.push((colour, format!("mistake of {}", self.players[player])));
            }
        }
        let y = 14 * scale;
        let mut x = 80 * scale;
        for (colour, name) in entries {
            let square = [(x, y - 8 * scale), (x + 8 * scale, y)];
            area.draw(&Rectangle::new(square, colour.filled()))?;
            let style = font(11, scale, MUTED).pos(Pos::new(HPos::Left, VPos::Bottom));
            area.draw(&Text::new(name.clone(), (x + 12 * scale, y + 2 * scale), style))?;
            x += (30 + 7 * name.chars().count() as i32) * scale;
        }
        Ok(())
    }
}
