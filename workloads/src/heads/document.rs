//! `docs/head-dimension.md`: the text beside, with tables in it.

use super::{BLOCK, CHIPS, LENGTH, Parts, Row, SEQUENCES, WIDTH};
use std::fmt::Write as _;

/// The document.
pub fn document(rows: &[Row]) -> String {
    let mut text = include_str!("document.md").to_owned();
    for chip in CHIPS {
        let of: Vec<&Row> = rows.iter().filter(|r| r.chip == chip).collect();
        text = text.replace(&format!("{{products {chip}}}"), &products(&of));
        text = text.replace(&format!("{{totals {chip}}}"), &totals(&of));
    }
    for (name, value) in
        [("{width}", WIDTH), ("{sequences}", SEQUENCES), ("{length}", LENGTH), ("{block}", BLOCK)]
    {
        text = text.replace(name, &value.to_string());
    }
    text
}

/// What the matrix units do.
fn products(rows: &[&Row]) -> String {
    let mut text = String::from(
        "| head | heads | QKᵀ, MXU | of peak | its kernels | of peak | PV, as written, MXU | of peak | PV, head streams, MXU | of peak |\n|---|---|---|---|---|---|---|---|---|---|\n",
    );
    for r in rows {
        let (qk, pv, turned) = (r.as_written.qk, r.as_written.pv, r.weights_held.pv);
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} | {} | {} | {} | {} | {} |",
            r.size,
            WIDTH / r.size,
            ms(qk.mxu_ms),
            percent(qk.of_peak),
            ms(qk.kernels_ms),
            percent(qk.kernels_of_peak),
            ms(pv.mxu_ms),
            percent(pv.of_peak),
            ms(turned.mxu_ms),
            percent(turned.of_peak),
        );
    }
    text.trim_end().to_owned()
}

/// Where the time goes.
fn totals(rows: &[&Row]) -> String {
    let mut text = String::from(
        "| head | QKᵀ and softmax | PV | moves | whole program | of peak | scores in HBM | of peak |\n|---|---|---|---|---|---|---|---|\n",
    );
    for r in rows {
        let p: &Parts = r.best();
        let moves = p.total_ms - p.qk.kernels_ms - p.pv.kernels_ms - p.softmax_ms;
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} | {} | {} | {} |",
            r.size,
            ms(p.qk.kernels_ms + p.softmax_ms),
            ms(p.pv.kernels_ms),
            ms(moves),
            ms(p.total_ms),
            percent(p.mfu),
            ms(r.in_hbm.total_ms),
            percent(r.in_hbm.mfu),
        );
    }
    text.trim_end().to_owned()
}

fn ms(ms: f64) -> String {
    format!("{ms:.2} ms")
}

fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}
