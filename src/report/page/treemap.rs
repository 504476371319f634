//! Areas in proportion to weights, as near to squares as they can be.

/// A rectangle, in percent of the one around it.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(super) struct Area {
    pub(super) left: f64,
    pub(super) top: f64,
    pub(super) width: f64,
    pub(super) height: f64,
}

/// An area for each weight; `weights` are sorted, the greatest first. `aspect` is the width of the
/// whole for its height.
pub(super) fn areas(weights: &[usize], aspect: f64) -> Vec<Area> {
    let total: f64 = weights.iter().map(|weight| number(*weight)).sum();
    if total <= 0.0 {
        return vec![Area::default(); weights.len()];
    }
    let mut free = Area {
        left: 0.0,
        top: 0.0,
        width: aspect,
        height: 1.0,
    };
    let scaled: Vec<f64> = weights
        .iter()
        .map(|weight| number(*weight) * aspect / total)
        .collect();
    let mut areas = Vec::with_capacity(weights.len());
    let mut rest = scaled.as_slice();
    while !rest.is_empty() {
        let side = free.width.min(free.height).max(f64::EPSILON);
        let mut count = 1;
        while count < rest.len() && worst(rest, count + 1, side) <= worst(rest, count, side) {
            count += 1;
        }
        let (row, behind) = rest.split_at(count);
        areas.extend(lay(row, &mut free));
        rest = behind;
    }
    for area in &mut areas {
        area.left *= 100.0 / aspect;
        area.width *= 100.0 / aspect;
        area.top *= 100.0;
        area.height *= 100.0;
    }
    areas
}

/// How far from a square the worst of the first `count` is, laid along a side.
fn worst(weights: &[f64], count: usize, side: f64) -> f64 {
    let row = weights.get(..count).unwrap_or_default();
    let sum: f64 = row.iter().sum();
    let depth = sum / side;
    let ratio = |weight: &f64| {
        let length = weight / depth;
        (length / depth).max(depth / length)
    };
    row.iter().map(ratio).fold(0.0, f64::max)
}

/// Lay a row along the shorter side of the free area, and subtract it from that area.
fn lay(row: &[f64], free: &mut Area) -> Vec<Area> {
    let sum: f64 = row.iter().sum();
    let upright = free.width >= free.height;
    let side = if upright { free.height } else { free.width }.max(f64::EPSILON);
    let depth = sum / side;
    let mut at = 0.0;
    let mut areas = Vec::with_capacity(row.len());
    for weight in row {
        let length = weight / depth;
        areas.push(if upright {
            Area {
                left: free.left,
                top: free.top + at,
                width: depth,
                height: length,
            }
        } else {
            Area {
                left: free.left + at,
                top: free.top,
                width: length,
                height: depth,
            }
        });
        at += length;
    }
    if upright {
        free.left += depth;
        free.width -= depth;
    } else {
        free.top += depth;
        free.height -= depth;
    }
    areas
}

/// Weights are points of effort, far below what a float holds exactly.
#[allow(clippy::cast_precision_loss)]
fn number(weight: usize) -> f64 {
    weight as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn areas_fill_the_whole_in_proportion_and_lie_inside() {
        let weights = [60, 30, 20, 10, 5, 5];
        let areas = areas(&weights, 2.0);
        let total: usize = weights.iter().sum();
        for (area, weight) in areas.iter().zip(weights) {
            let share = area.width * area.height / 10_000.0;
            let wanted = number(weight) / number(total);
            assert!((share - wanted).abs() < 1e-9, "{area:?} for {weight}");
            assert!(area.left >= -1e-9 && area.left + area.width <= 100.0 + 1e-9);
            assert!(area.top >= -1e-9 && area.top + area.height <= 100.0 + 1e-9);
        }
    }

    #[test]
    fn nothing_has_no_area() {
        assert!(areas(&[], 2.0).is_empty());
        assert_eq!(areas(&[0, 0], 2.0), [Area::default(); 2]);
    }
}
