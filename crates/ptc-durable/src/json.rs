//! Reading JSON from elsewhere.

use serde::de::{DeserializeOwned, Error};

/// Levels that are read: those of a value, and of the records around it.
const MAX_LEVELS: usize = 600;

/// JSON as deep as steps are, which hold values of programs. Anything deeper is refused before it is parsed, since each
/// level uses stack.
pub(crate) fn read<T: DeserializeOwned>(bytes: &[u8]) -> serde_json::Result<T> {
    if ptc_lisp::values::json_depth(bytes) > MAX_LEVELS {
        return Err(serde_json::Error::custom(format!("nested more than {MAX_LEVELS} deep")));
    }
    let mut reader = serde_json::Deserializer::from_slice(bytes);
    reader.disable_recursion_limit();
    let value = T::deserialize(&mut reader)?;
    reader.end()?;
    Ok(value)
}

#[cfg(test)]
mod tests {
    use serde_json::Value as Json;

    use super::*;

    #[test]
    fn deep_json_is_refused_on_the_stack_of_a_worker() {
        let nested = |levels: usize| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
        let worker = std::thread::Builder::new().stack_size(2 << 20).spawn(move || {
            assert!(read::<Json>(nested(MAX_LEVELS).as_bytes()).is_ok());
            for levels in [MAX_LEVELS + 1, 1_000_000] {
                let error = read::<Json>(nested(levels).as_bytes()).expect_err("too deep");
                assert_eq!(error.to_string(), "nested more than 600 deep");
            }
            assert!(read::<Json>("[".repeat(1_000_000).as_bytes()).is_err());
        });
        worker.expect("a thread").join().expect("no overflow");
    }
}
