//! JSON as Rust values, where a program wrote nil for what it does not have.

use std::collections::BTreeSet;

use serde::de::{DeserializeOwned, Error as _};
use serde_json::Value as Json;

/// A key, or the elements of a list: all of them alike.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Step {
    Key(String),
    Element,
}

/// Where null is, each place of a type once.
type Places = BTreeSet<Vec<Step>>;

/// With more places, each null is left out: a type that names them all is as good as unknown.
const MAX_PLACES: usize = 64;

/// The JSON as a Rust value. A null under a key is as if the key were left out, where the type takes only that: a field with
/// `#[serde(default)]` is declared as optional, so programs may give nil for it.
///
/// - null stays where the type takes it
/// - cost: without null that of serde; else, where serde refuses it, at most 66 times that
///
/// Errors with what serde found, and with the place of a number that is too large or too small.
///
/// ```
/// use ptc_transcript::typed_json;
/// use serde_json::json;
///
/// #[derive(serde::Deserialize, Debug, PartialEq)]
/// struct Page {
///     #[serde(default)]
///     tags: Vec<String>,
///     size: Option<u32>,
/// }
///
/// let page = typed_json::<Page>(json!({"tags": null, "size": null}));
/// assert_eq!(page.unwrap(), Page { tags: vec![], size: None });
/// let error = typed_json::<Vec<u32>>(json!([null])).unwrap_err();
/// assert_eq!(error.to_string(), "invalid type: null, expected u32");
/// ```
pub fn typed_json<T: DeserializeOwned>(json: Json) -> Result<T, serde_json::Error> {
    let mut left_out = Places::new();
    collect(&json, &mut Vec::new(), &mut left_out);
    let refused = match T::deserialize(&json) {
        Ok(value) => return Ok(value),
        Err(error) => error,
    };
    if left_out.is_empty() {
        return Err(placed::<T>(json, refused));
    }
    let read = |places: &Places| T::deserialize(&without(&json, &mut Vec::new(), places));
    let Ok(mut value) = read(&left_out) else { return Err(placed::<T>(json, refused)) };
    if left_out.len() > MAX_PLACES {
        return Ok(value);
    }
    for place in left_out.clone() {
        left_out.remove(&place);
        match read(&left_out) {
            Ok(with_null) => value = with_null,
            Err(_) => drop(left_out.insert(place)),
        }
    }
    Ok(value)
}

/// The error, with the place of the number that it quotes: the one without which serde says something else.
fn placed<T: DeserializeOwned>(mut json: Json, error: serde_json::Error) -> serde_json::Error {
    let told = error.to_string();
    let Some(number) = told.split('`').nth(1).filter(|number| number.parse::<f64>().is_ok()) else { return error };
    let mut places = Vec::new();
    quoted(&json, number, &mut String::new(), &mut places);
    let found = places.into_iter().take(MAX_PLACES).find(|place| {
        let Some(held) = json.pointer_mut(place) else { return false };
        let held_before = std::mem::replace(held, Json::from(0));
        let is_it = T::deserialize(&json).err().is_none_or(|other| other.to_string() != told);
        json.pointer_mut(place).into_iter().for_each(|held| *held = held_before.clone());
        is_it
    });
    match found.as_deref().and_then(|place| place.strip_prefix('/')) {
        Some(place) => {
            let place = place.replace('/', ".").replace("~1", "/").replace("~0", "~");
            serde_json::Error::custom(format_args!("[{place}]: {told}"))
        }
        None => error,
    }
}

/// The places of this number, as JSON pointers.
fn quoted(json: &Json, number: &str, here: &mut String, found: &mut Vec<String>) {
    let mut below = |step: &str, part: &Json| {
        let length = here.len();
        here.push('/');
        here.push_str(step);
        quoted(part, number, here, found);
        here.truncate(length);
    };
    match json {
        Json::Object(fields) => {
            fields.iter().for_each(|(key, field)| below(&key.replace('~', "~0").replace('/', "~1"), field));
        }
        Json::Array(items) => items.iter().enumerate().for_each(|(at, item)| below(&at.to_string(), item)),
        Json::Number(held) if held.to_string() == number => found.push(here.clone()),
        _ => {}
    }
}

fn collect(json: &Json, path: &mut Vec<Step>, found: &mut Places) {
    match json {
        Json::Object(fields) => {
            for (key, field) in fields {
                path.push(Step::Key(key.clone()));
                match field {
                    Json::Null => drop(found.insert(path.clone())),
                    field => collect(field, path, found),
                }
                path.pop();
            }
        }
        Json::Array(items) => {
            path.push(Step::Element);
            items.iter().for_each(|item| collect(item, path, found));
            path.pop();
        }
        _ => {}
    }
}

/// The JSON without the null at these places.
fn without(json: &Json, path: &mut Vec<Step>, places: &Places) -> Json {
    match json {
        Json::Object(fields) => {
            let mut kept = serde_json::Map::new();
            for (key, field) in fields {
                path.push(Step::Key(key.clone()));
                if !(field.is_null() && places.contains(path)) {
                    kept.insert(key.clone(), without(field, path, places));
                }
                path.pop();
            }
            Json::Object(kept)
        }
        Json::Array(items) => {
            path.push(Step::Element);
            let items = items.iter().map(|item| without(item, path, places)).collect();
            path.pop();
            Json::Array(items)
        }
        scalar => scalar.clone(),
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;
    use serde_json::json;

    use super::typed_json;

    fn ten() -> Option<u32> {
        Some(10)
    }

    #[derive(Debug, Default, Deserialize, PartialEq)]
    #[serde(default)]
    struct Row {
        name: String,
        flag: bool,
        tags: Vec<String>,
        #[serde(default = "ten")]
        limit: Option<u32>,
    }

    #[derive(Debug, Deserialize, PartialEq)]
    struct Rows {
        rows: Vec<Row>,
        #[serde(default)]
        first: Row,
        least: u32,
    }

    #[test]
    fn a_number_that_does_not_fit_is_named_by_its_place() {
        #[derive(Debug, Deserialize)]
        struct Wide {
            #[allow(dead_code, reason = "read only")]
            id: u64,
            #[allow(dead_code, reason = "read only")]
            counts: Vec<u32>,
        }
        let told = |json| typed_json::<Wide>(json).unwrap_err().to_string();
        let large = 5_000_000_000_u64;
        assert_eq!(
            told(json!({"id": large, "counts": [1, large]})),
            "[counts.1]: invalid value: integer `5000000000`, expected u32"
        );
        assert_eq!(told(json!({"id": -1, "counts": []})), "[id]: invalid value: integer `-1`, expected u64");
        assert_eq!(told(json!({"id": 1, "counts": "x"})), "invalid type: string \"x\", expected a sequence");
        assert_eq!(typed_json::<u8>(json!(300)).unwrap_err().to_string(), "invalid value: integer `300`, expected u8");
    }

    #[test]
    fn null_is_left_out_only_where_it_is_refused() {
        let rows = json!({
            "rows": [{"name": null, "limit": null, "flag": true}, {"tags": null, "name": "b"}],
            "first": {"flag": null, "limit": null},
            "least": 3,
        });
        // A `limit` of null stays null: left out, it would be ten.
        let none = Row::default();
        let rows_of =
            vec![Row { flag: true, ..Row::default() }, Row { name: "b".to_owned(), limit: ten(), ..Row::default() }];
        assert_eq!(typed_json::<Rows>(rows).unwrap(), Rows { rows: rows_of, first: none, least: 3 });
    }

    #[test]
    fn what_is_required_is_still_missed() {
        let error = typed_json::<Rows>(json!({"rows": [], "first": null, "least": null})).unwrap_err();
        assert_eq!(error.to_string(), "invalid type: null, expected struct Row");
        let error = typed_json::<Rows>(json!({"rows": [], "least": null})).unwrap_err();
        assert_eq!(error.to_string(), "invalid type: null, expected u32");
    }

    #[test]
    fn many_places_are_read_at_once() {
        let rows: Vec<_> = (0..100).map(|at| json!({format!("x{at}"): null, "name": null})).collect();
        let read = typed_json::<Vec<Row>>(json!(rows)).unwrap();
        assert_eq!(read.len(), 100);
    }
}
