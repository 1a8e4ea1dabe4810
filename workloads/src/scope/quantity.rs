//! What a row's value says of a time.

/// From a time to a row's value and back.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Quantity {
    /// A time, in units of so many us.
    Time { us: f64 },
    /// Work over time: the value is `work / us`.
    Rate { work: f64 },
    /// How many times faster than the workload's reference.
    SpeedUp,
}

impl Quantity {
    /// Of a time unit: `us`, `us (403.8 GB/s)`, `ms`.
    pub fn time(unit: &str) -> Option<Quantity> {
        let us = match head(unit) {
            "ns" | "ns/iter" => 1e-3,
            "us" | "µs" => 1.0,
            "ms" => 1e3,
            "s" => 1e6,
            _ => return None,
        };
        Some(Quantity::Time { us })
    }

    /// Of a rate, or of a time, or of a share of `peak_tflops`, where the work is so many operations or bytes.
    pub fn of(
        unit: &str,
        flops: Option<f64>,
        bytes: Option<f64>,
        peak_tflops: Option<f64>,
    ) -> Option<Quantity> {
        if let Some(time) = Quantity::time(unit) {
            return Some(time);
        }
        let work = match head(unit) {
            "TFLOP/s" | "TFLOPS" | "TF/s" | "TOP/s" | "TFLOP/s/device" | "TFLOP/s/chip" | "TFLOP/s/core" => {
                flops? / 1e6
            }
            "GB/s" | "GB/s/core" | "GB/s/device" | "GB/s/chip" => bytes? / 1e3,
            "TB/s" => bytes? / 1e6,
            "%" => {
                // `% of 918 TF/s` says of what.
                let said = unit.split_whitespace().find_map(|w| w.parse::<f64>().ok()).filter(|p| *p > 1.0);
                100.0 * flops? / 1e6 / said.or(peak_tflops)?
            }
            _ => return None,
        };
        Some(Quantity::Rate { work })
    }

    /// The value of a time; `reference` is the time of what [`Quantity::SpeedUp`] compares with.
    pub fn value(self, us: f64, reference: f64) -> f64 {
        match self {
            Quantity::Time { us: unit } => us / unit,
            Quantity::Rate { work } => work / us,
            Quantity::SpeedUp => reference / us,
        }
    }

    /// The relative error of the simulated time: positive where it is longer than the measured one, whatever the value says.
    pub fn error(self, measured: f64, simulated: f64) -> f64 {
        match self {
            Quantity::Time { .. } => simulated / measured - 1.0,
            Quantity::Rate { .. } | Quantity::SpeedUp => measured / simulated - 1.0,
        }
    }
}

/// The unit without what follows it.
fn head(unit: &str) -> &str {
    unit.split([' ', '(']).next().unwrap_or("")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_and_errors_of_every_kind() {
        let time = Quantity::time("us (403.8 GB/s)").unwrap();
        assert_eq!((time.value(3.0, 0.0), time.error(2.0, 3.0)), (3.0, 0.5));
        let time = Quantity::of("ms (89.7% wall / 93.1% device)", None, None, None).unwrap();
        assert_eq!(time.value(1500.0, 0.0), 1.5);
        // 2e12 operations in 4,000 us are 500 TFLOP/s; 400 measured means 5,000 us, so that we are 20 % fast.
        let rate = Quantity::of("TFLOP/s (79.3%)", Some(2e12), None, None).unwrap();
        assert_eq!(rate.value(4000.0, 0.0), 500.0);
        assert!((rate.error(400.0, 500.0) + 0.2).abs() < 1e-12);
        let rate = Quantity::of("GB/s/core", None, Some(4e6), None).unwrap();
        assert_eq!(rate.value(4.0, 0.0), 1000.0);
        let share = Quantity::of("% of 918 TF/s", Some(918e6), None, Some(100.0)).unwrap();
        assert!((share.value(2.0, 0.0) - 50.0).abs() < 1e-9);
        let share = Quantity::of("%", Some(918e6), None, Some(918.0)).unwrap();
        assert!((share.value(4.0, 0.0) - 25.0).abs() < 1e-9);
        assert_eq!(Quantity::SpeedUp.value(2.0, 1.0), 0.5);
        assert_eq!(Quantity::of("tok/s", Some(1.0), Some(1.0), Some(1.0)), None);
        assert_eq!(Quantity::of("TFLOP/s", None, Some(1.0), None), None);
        assert_eq!(Quantity::of("x", None, None, None), None);
    }
}
