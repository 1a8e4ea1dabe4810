//! The picture of [`document`](super::document()).

use super::{CHIPS, Row, SIZES};
use plotters::prelude::*;

const SIZE: (u32, u32) = (1000, 460);

/// What is drawn of a row, in percent.
struct Line {
    name: &'static str,
    color: RGBColor,
    of: fn(&Row) -> f64,
}

const LINES: [Line; 4] = [
    Line { name: "Q Kᵀ, matrix units", color: RGBColor(31, 119, 180), of: |r| r.weights_held.qk.of_peak },
    Line { name: "P V, as written", color: RGBColor(214, 39, 40), of: |r| r.as_written.pv.of_peak },
    Line { name: "P V, head streams", color: RGBColor(44, 160, 44), of: |r| r.weights_held.pv.of_peak },
    Line { name: "whole program", color: RGBColor(90, 90, 90), of: |r| r.best().mfu },
];

/// An SVG: a chip each, the share of its peak over the size of the heads.
///
/// # Errors
/// It cannot be drawn.
pub fn plot(rows: &[Row]) -> Result<String, String> {
    let mut text = String::new();
    draw(rows, &mut text).map_err(|e| e.to_string())?;
    Ok(text)
}

fn draw(rows: &[Row], text: &mut String) -> Result<(), Box<dyn std::error::Error>> {
    let area = SVGBackend::with_string(text, SIZE).into_drawing_area();
    area.fill(&WHITE)?;
    let last = SIZES[SIZES.len() - 1] as f64;
    for (panel, chip) in area.split_evenly((1, CHIPS.len())).iter().zip(CHIPS) {
        let mut chart = ChartBuilder::on(panel)
            .caption(chip, ("sans-serif", 20))
            .margin(12)
            .x_label_area_size(40)
            .y_label_area_size(48)
            .build_cartesian_2d(0.0..last + 16.0, 0.0..105.0)?;
        chart
            .configure_mesh()
            .x_labels(9)
            .x_label_formatter(&|x| format!("{x:.0}"))
            .y_label_formatter(&|y| format!("{y:.0} %"))
            .x_desc("head dimension")
            .y_desc("of the peak in bf16")
            .light_line_style(WHITE)
            .draw()?;
        for line in &LINES {
            let points: Vec<(f64, f64)> = rows
                .iter()
                .filter(|r| r.chip == chip)
                .map(|r| (r.size as f64, 100.0 * (line.of)(r)))
                .collect();
            let style = line.color.stroke_width(2);
            chart
                .draw_series(LineSeries::new(points.iter().copied(), style))?
                .label(line.name)
                .legend(move |(x, y)| PathElement::new([(x, y), (x + 18, y)], style));
            chart.draw_series(points.iter().map(|&p| Circle::new(p, 3, line.color.filled())))?;
        }
        chart
            .configure_series_labels()
            .position(SeriesLabelPosition::UpperLeft)
            .background_style(WHITE.mix(0.85))
            .border_style(RGBColor(200, 200, 200))
            .draw()?;
    }
    area.present()?;
    Ok(())
}
