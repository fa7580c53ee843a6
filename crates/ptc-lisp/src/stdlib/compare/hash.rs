//! `hash`: a number that equal values share, the same in every run (keyed tables use another one, seeded per process).

use crate::error::{Reason, Res, err};
use crate::limits::meter::Meter;
use crate::limits::pace::next_piece;
use crate::stdlib::Call;
use crate::value::number::to_f64;
use crate::value::{MAX_NESTING, Value, write_text};

/// 32 bits of a hash that agrees with `=`.
pub(super) fn hash(call: &mut Call<'_>) -> Res {
    let Call { args, cx, .. } = call;
    let [value] = &**args else { return Ok(Value::Nil) };
    let figure = figure_of(value, &mut cx.meter, 0)?;
    Ok(Value::Int(i64::from((figure ^ (figure >> 32)) as i32)))
}

fn figure_of(value: &Value, meter: &mut Meter, depth: usize) -> Res<u64> {
    if depth >= MAX_NESTING {
        return Err(err(Reason::NestingTooDeep, format!("cannot hash a value nested more than {MAX_NESTING} deep")));
    }
    meter.tick()?;
    Ok(match value {
        Value::Int(_) | Value::Float(_) | Value::Big(_) => number(to_f64(value).unwrap_or_default()),
        Value::Vector(items) => {
            meter.charge(items.len())?;
            items.iter().try_fold(7, |sum, item| {
                Ok::<u64, Box<crate::error::Signal>>(mix(sum, figure_of(item, meter, depth + 1)?))
            })?
        }
        // The order of entries and members does not count, so the hashes of the parts are added.
        Value::Map(map) => {
            meter.charge(map.len())?;
            let mut sum = 11_u64;
            for (key, item) in map {
                sum = sum.wrapping_add(mix(figure_of(key, meter, depth + 1)?, figure_of(item, meter, depth + 1)?));
            }
            sum
        }
        Value::Set(set) => {
            meter.charge(set.len())?;
            let mut sum = 13_u64;
            for item in set.iter() {
                sum = sum.wrapping_add(mix(17, figure_of(item, meter, depth + 1)?));
            }
            sum
        }
        Value::Keyword(name) => text(19, name.as_str()),
        Value::Symbol(name) => text(23, name.as_str()),
        Value::Str(string) => {
            meter.charge(string.len() / 8)?;
            let (mut sum, mut rest) = (29, string.as_str());
            while let Some(piece) = next_piece(&mut rest, meter)? {
                sum = text(sum, piece);
            }
            sum
        }
        Value::Cell(cell) => mix(31, u64::from(cell.id)),
        other => {
            let mut shown = String::new();
            write_text(&mut shown, other, &crate::value::NoCells, meter)?;
            text(37, &shown)
        }
    })
}

/// Integers and floats that are equal share their hash.
fn number(x: f64) -> u64 {
    mix(41, if x == 0.0 { 0 } else { x.to_bits() })
}

fn text(seed: u64, text: &str) -> u64 {
    text.bytes().fold(seed, |sum, byte| (sum ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3))
}

fn mix(a: u64, b: u64) -> u64 {
    let mixed = (a.rotate_left(5) ^ b).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed ^ (mixed >> 29)
}
