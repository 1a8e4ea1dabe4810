//! exp(-|x|) I1(x), the modified Bessel function of the first kind.

use super::Arithmetic;
use crate::ir::Unary;
use crate::ir::op::Direction::Le;

// Cephes (S. Moshier), `i1e`: Chebyshev series in x/2 - 2 up to 8, in 32/x - 2 above it. `i1ef`, in f32, leaves out the first terms.
const NEAR: [f64; 29] = [
    2.7779141127610464e-18,
    -2.111421214358166e-17,
    1.5536319577362005e-16,
    -1.1055969477353862e-15,
    7.600684294735408e-15,
    -5.042185504727912e-14,
    3.223793365945575e-13,
    -1.9839743977649436e-12,
    1.1736186298890901e-11,
    -6.663489723502027e-11,
    3.625590281552117e-10,
    -1.8872497517228294e-9,
    9.381537386495773e-9,
    -4.445059128796328e-8,
    2.0032947535521353e-7,
    -8.568720264695455e-7,
    3.4702513081376785e-6,
    -1.3273163656039436e-5,
    4.781565107550054e-5,
    -0.00016176081582589674,
    0.0005122859561685758,
    -0.0015135724506312532,
    0.004156422944312888,
    -0.010564084894626197,
    0.024726449030626516,
    -0.05294598120809499,
    0.1026436586898471,
    -0.17641651835783406,
    0.25258718644363365,
];
const FAR: [f64; 25] = [
    7.517296310842105e-18,
    4.414348323071708e-18,
    -4.6503053684893586e-17,
    -3.209525921993424e-17,
    2.96262899764595e-16,
    3.3082023109209285e-16,
    -1.8803547755107825e-15,
    -3.8144030724370075e-15,
    1.0420276984128802e-14,
    4.272440016711951e-14,
    -2.1015418427726643e-14,
    -4.0835511110921974e-13,
    -7.198551776245908e-13,
    2.0356285441470896e-12,
    1.4125807436613782e-11,
    3.2526035830154884e-11,
    -1.8974958123505413e-11,
    -5.589743462196584e-10,
    -3.835380385964237e-9,
    -2.6314688468895196e-8,
    -2.512236237870209e-7,
    -3.882564808877691e-6,
    -0.00011058893876262371,
    -0.009761097491361469,
    0.7785762350182801,
];

#[inline(always)]
pub(super) fn i1e<A: Arithmetic>(m: &mut A, x: A::Number) -> A::Number {
    let (near, far): (&[f64], &[f64]) = if m.is_double() { (&NEAR, &FAR) } else { (&NEAR[12..], &FAR[18..]) };
    let z = m.unary(Unary::Abs, x);
    let half = m.constant(0.5);
    let t = m.mul(half, z);
    let t = m.minus(t, 2.0);
    let series = chebyshev(m, t, near);
    let near = m.mul(z, series);
    let scale = m.constant(32.0);
    let t = m.div(scale, z);
    let t = m.minus(t, 2.0);
    let series = chebyshev(m, t, far);
    let root = m.unary(Unary::Sqrt, z);
    let far = m.div(series, root);
    let below = m.is(z, Le, 8.0);
    let value = m.select(below, near, far);
    let sign = m.unary(Unary::Sign, x);
    m.mul(sign, value)
}

/// By Clenshaw's recurrence.
#[inline(always)]
fn chebyshev<A: Arithmetic>(m: &mut A, x: A::Number, coefficients: &[f64]) -> A::Number {
    let zero = m.constant(0.0);
    let (mut b0, mut b1, mut b2) = (zero, zero, zero);
    for &c in coefficients {
        (b1, b2) = (b0, b1);
        let product = m.mul(x, b1);
        let rest = m.sub(product, b2);
        b0 = m.plus(rest, c);
    }
    let difference = m.sub(b0, b2);
    let half = m.constant(0.5);
    m.mul(difference, half)
}
