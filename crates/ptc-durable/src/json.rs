//! Reading JSON from elsewhere.

use serde::de::DeserializeOwned;

/// JSON however deep it is: steps hold values of programs.
pub(crate) fn read<T: DeserializeOwned>(bytes: &[u8]) -> serde_json::Result<T> {
    let mut reader = serde_json::Deserializer::from_slice(bytes);
    reader.disable_recursion_limit();
    let value = T::deserialize(&mut reader)?;
    reader.end()?;
    Ok(value)
}
