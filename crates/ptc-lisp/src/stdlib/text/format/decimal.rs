//! Decimal digits of a number, rounded half up.
//!
//! Bounded: by the digits of the number, which `format` announces.

/// `d.ddd × 10^exponent` with a sign.
pub(super) struct Decimal {
    pub negative: bool,
    digits: Vec<u8>,
    exponent: i64,
}

impl Decimal {
    /// The shortest digits that read back as this finite float.
    pub fn from_float(x: f64) -> Decimal {
        let text = format!("{:e}", x.abs());
        let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        let digits = mantissa.bytes().filter(u8::is_ascii_digit).collect();
        Decimal { negative: x.is_sign_negative(), digits, exponent: exponent.parse().unwrap_or(0) }
    }

    /// An integer by its digits.
    pub fn from_digits(negative: bool, digits: String) -> Decimal {
        let exponent = digits.len() as i64 - 1;
        Decimal { negative, digits: digits.into_bytes(), exponent }
    }

    /// Whole part and `precision` digits of fraction.
    pub fn fixed(&self, precision: usize) -> (String, String) {
        // One extra leading zero takes a carry.
        let mut all = vec![b'0'; 1 + usize::try_from(-self.exponent).unwrap_or(0)];
        all.extend_from_slice(&self.digits);
        let whole = 2 + usize::try_from(self.exponent).unwrap_or(0);
        round(&mut all, whole + precision);
        let fraction = all.split_off(whole);
        let text = text_of(&all);
        let trimmed = text.trim_start_matches('0');
        (if trimmed.is_empty() { "0".to_owned() } else { trimmed.to_owned() }, text_of(&fraction))
    }

    /// `d.ddde+xx` with `precision` digits of fraction.
    pub fn scientific(&self, precision: usize, point: bool) -> String {
        let mut all = vec![b'0'];
        all.extend_from_slice(&self.digits);
        round(&mut all, precision + 2);
        let carried = all.first() == Some(&b'1');
        let zero = self.digits.iter().all(|digit| *digit == b'0');
        let exponent = if zero { 0 } else { self.exponent + i64::from(carried) };
        let text = text_of(&all);
        let significant = if carried { text.get(..=precision) } else { text.get(1..) }.unwrap_or_default();
        let (first, fraction) = significant.split_at(1.min(significant.len()));
        let dot = if fraction.is_empty() && !point { "" } else { "." };
        let sign = if exponent < 0 { '-' } else { '+' };
        format!("{first}{dot}{fraction}e{sign}{:02}", exponent.abs())
    }
}

/// Keep `count` digits, filling up with zeros or rounding half up; the first digit takes the carry.
fn round(digits: &mut Vec<u8>, count: usize) {
    let up = digits.get(count).is_some_and(|digit| *digit >= b'5');
    digits.resize(count, b'0');
    if !up {
        return;
    }
    for digit in digits.iter_mut().rev() {
        if *digit < b'9' {
            *digit += 1;
            return;
        }
        *digit = b'0';
    }
}

fn text_of(digits: &[u8]) -> String {
    digits.iter().map(|digit| char::from(*digit)).collect()
}
