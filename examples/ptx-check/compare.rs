//! Whether an output is the one that a case asks for.

/// Where two outputs of the same length first differ, in bytes. With a tolerance, each four bytes may be a float that is
/// near enough.
pub(crate) fn difference(want: &[u8], got: &[u8], tolerance: Option<f64>) -> Option<usize> {
    let got = &with_devices_nan(want, got);
    let Some(tolerance) = tolerance else {
        return want.iter().zip(got).position(|(want, got)| want != got);
    };
    let pairs = want.chunks(4).zip(got.chunks(4));
    let apart = |(want, got): (&[u8], &[u8])| want != got && !is_near(want, got, tolerance);
    pairs.map(apart).position(|apart| apart).map(|at| at * 4)
}

/// What was written, with PTX's one result that is no number (`0x7fffffff`, `0x7ff8000000000000`) where the case asks for
/// it and the host's arithmetic gave another: a device's arithmetic has no other, and no setting makes a host write it.
fn with_devices_nan(want: &[u8], got: &[u8]) -> Vec<u8> {
    const SINGLE: [u8; 4] = 0x7fff_ffff_u32.to_le_bytes();
    const DOUBLE: [u8; 8] = 0x7ff8_0000_0000_0000_u64.to_le_bytes();
    let mut got = got.to_vec();
    for (want, got) in want.chunks_exact(8).zip(got.chunks_exact_mut(8)) {
        let written = got.try_into().map(f64::from_le_bytes);
        if want == DOUBLE && written.is_ok_and(f64::is_nan) {
            got.copy_from_slice(&DOUBLE);
        }
    }
    for (want, got) in want.chunks_exact(4).zip(got.chunks_exact_mut(4)) {
        let written = got.try_into().map(f32::from_le_bytes);
        if want == SINGLE && written.is_ok_and(f32::is_nan) {
            got.copy_from_slice(&SINGLE);
        }
    }
    got
}

/// Whether two words are floats that differ by no more than a tolerance: relative to numbers above 1, absolute below. A
/// tolerance of 1 or more is a number of units in the last place. What is denormal is rather an integer, and has to be
/// the same.
fn is_near(want: &[u8], got: &[u8], tolerance: f64) -> bool {
    let (Ok(want), Ok(got)) = (want.try_into(), got.try_into()) else {
        return false;
    };
    let (want, got) = (f32::from_le_bytes(want), f32::from_le_bytes(got));
    if want.is_nan() && got.is_nan() {
        return true;
    }
    let is_number = |one: f32| one.is_normal() || one == 0.0;
    if !is_number(want) || !is_number(got) {
        return false;
    }
    if tolerance >= 1.0 {
        return f64::from(ordinal(want).abs_diff(ordinal(got))) <= tolerance;
    }
    let (want, got) = (f64::from(want), f64::from(got));
    (want - got).abs() <= tolerance * want.abs().max(1.0)
}

/// The place of a float among all floats.
fn ordinal(one: f32) -> i32 {
    let bits = one.to_bits().cast_signed();
    if bits < 0 { i32::MIN - bits } else { bits }
}
