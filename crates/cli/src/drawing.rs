//! What all drawings share: their two forms, their font, their axes.
//!
//! The font is linked into the program, so that pictures look the same on machines that have none.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Once;

use anyhow::anyhow;
use plotters::chart::MeshStyle;
use plotters::coord::Shift;
use plotters::coord::ranged1d::{DefaultFormatting, KeyPointHint};
use plotters::prelude::*;

/// The linked font by name for programs that show SVG and have it, and what is most like it for the others.
const FONT: &str = "DejaVu Sans, Verdana, sans-serif";
pub(crate) const SIZE: (u32, u32) = (900, 560);
/// Pixels of the bitmap for one of the drawing.
const BITMAP_SCALE: u32 = 2;
const FAINT: RGBColor = RGBColor(222, 222, 222);
pub(crate) const MUTED: RGBColor = RGBColor(96, 96, 96);

/// Something that can be drawn as SVG and as PNG.
pub(crate) trait Drawing {
    /// Draws with lengths that are multiplied by `scale`.
    fn try_draw<B: DrawingBackend>(
        &self,
        area: &DrawingArea<B, Shift>,
        scale: i32,
    ) -> Result<(), DrawingAreaErrorKind<B::ErrorType>>;

    fn svg(&self) -> anyhow::Result<String> {
        register_font();
        let mut text = String::new();
        self.try_draw(&SVGBackend::with_string(&mut text, SIZE).into_drawing_area(), 1).map_err(failed)?;
        Ok(text)
    }

    fn png(&self) -> anyhow::Result<Vec<u8>> {
        register_font();
        let (width, height) = (SIZE.0 * BITMAP_SCALE, SIZE.1 * BITMAP_SCALE);
        let mut pixels = vec![255; (width * height * 3) as usize];
        let backend = BitMapBackend::with_buffer(&mut pixels, (width, height));
        self.try_draw(&backend.into_drawing_area(), BITMAP_SCALE as i32).map_err(failed)?;
        let mut file = Vec::new();
        let mut encoder = png::Encoder::new(&mut file, width, height);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        let mut writer = encoder.write_header()?;
        writer.write_image_data(&pixels)?;
        writer.finish()?;
        Ok(file)
    }

    /// In the form that the name of a file says.
    fn form_of(&self, path: &Path) -> anyhow::Result<Vec<u8>> {
        let is_png = path.extension().is_some_and(|ending| ending == "png");
        if is_png { self.png() } else { Ok(self.svg()?.into_bytes()) }
    }
}

fn failed(error: impl std::fmt::Display) -> anyhow::Error {
    anyhow!("cannot draw: {error}")
}

/// Reads the name of a file for a drawing.
pub(crate) fn parse_plot(text: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    let ending = path.extension().and_then(|ending| ending.to_str());
    match ending {
        Some("svg" | "png") => Ok(path),
        _ => Err("its name must end with .svg or .png, which says what is drawn".to_owned()),
    }
}

/// An axis with marks where they are wanted.
pub(crate) struct Axis {
    pub(crate) range: Range<f64>,
    pub(crate) marks: Vec<f64>,
}

impl Ranged for Axis {
    type FormatOption = DefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, limit: (i32, i32)) -> i32 {
        let part = (value - self.range.start) / (self.range.end - self.range.start);
        limit.0 + (part * f64::from(limit.1 - limit.0)).round() as i32
    }

    fn key_points<H: KeyPointHint>(&self, _: H) -> Vec<f64> {
        self.marks.clone()
    }

    fn range(&self) -> Range<f64> {
        self.range.clone()
    }
}

fn register_font() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let registered = plotters::style::register_font(FONT, FontStyle::Normal, dejavu::sans::regular());
        assert!(registered.is_ok(), "the linked font is a font");
    });
}

pub(crate) fn font(size: i32, scale: i32, colour: RGBColor) -> TextStyle<'static> {
    (FONT, size * scale).into_font().color(&colour)
}

/// A chart with a title and room for the words at its axes.
pub(crate) fn titled<'a, B: DrawingBackend>(
    area: &'a DrawingArea<B, Shift>,
    title: &str,
    scale: i32,
) -> ChartBuilder<'a, 'static, B> {
    let mut chart = ChartBuilder::on(area);
    chart
        .caption(title, font(17, scale, BLACK))
        .margin(12 * scale)
        .x_label_area_size(52 * scale)
        .y_label_area_size(66 * scale);
    chart
}

/// Faint lines at the marks of both axes, and nothing between them.
pub(crate) fn plain_mesh<B: DrawingBackend>(mesh: &mut MeshStyle<'_, '_, Axis, Axis, B>, scale: i32) {
    mesh.light_line_style(TRANSPARENT)
        .bold_line_style(FAINT.stroke_width(scale as u32))
        .axis_style(MUTED.stroke_width(scale as u32))
        .set_all_tick_mark_size(4 * scale)
        .label_style(font(13, scale, BLACK))
        .axis_desc_style(font(14, scale, BLACK))
        .y_labels(14);
}
