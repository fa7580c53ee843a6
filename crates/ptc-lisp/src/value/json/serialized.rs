//! Rust values to values of the language, without a JSON document in between.
//!
//! Bounded: the values of a text, whose memory a program pays for before it is read, and those of the host.

use std::fmt;

use serde::ser::{
    self, Serialize, SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant, SerializeTuple,
    SerializeTupleStruct, SerializeTupleVariant, Serializer,
};

use super::Import;
use crate::value::Value;

/// The prefix of struct names that have a special meaning for `serde_json`.
const PRIVATE: &str = "$serde_json::private::";

/// The one of them that holds JSON as text.
const RAW: &str = "$serde_json::private::RawValue";

impl Import {
    /// The value of the JSON to which `value` would be serialized.
    ///
    /// Errors where `serde_json` cannot write it: a key that is not a string, or what the type itself refuses.
    pub fn serialized<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<Value, serde_json::Error> {
        match value.serialize(Writer { import: self, is_key: false }) {
            Ok(made) => Ok(made),
            Err(Unusual) => {
                self.items.clear();
                self.fields.clear();
                Ok(self.value(serde_json::to_value(value)?))
            }
        }
    }
}

/// Something that is left to `serde_json`: bytes, keys that are not strings, and errors.
#[derive(Debug)]
struct Unusual;

impl fmt::Display for Unusual {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not written directly")
    }
}

impl std::error::Error for Unusual {}

impl ser::Error for Unusual {
    fn custom<T: fmt::Display>(_: T) -> Self {
        Unusual
    }
}

/// Writes one value.
struct Writer<'i> {
    import: &'i mut Import,
    /// Whether it is the key of a map, which may not be optional.
    is_key: bool,
}

impl<'i> Writer<'i> {
    fn items(self) -> Items<'i> {
        let start = self.import.items.len();
        Items { import: self.import, start, variant: None }
    }

    fn fields(self) -> Fields<'i> {
        let start = self.import.fields.len();
        Fields { import: self.import, start, key: Value::Nil, variant: None, raw: false }
    }
}

impl Import {
    /// `content` in serde's form for enums: under the name of the variant, if there is one.
    fn variant(&mut self, variant: Option<&str>, content: Value) -> Value {
        let Some(variant) = variant else { return content };
        let key = self.key(variant);
        self.object(vec![(key, content)])
    }
}

/// An array whose elements are being written.
struct Items<'i> {
    import: &'i mut Import,
    /// Where its elements start.
    start: usize,
    variant: Option<&'static str>,
}

impl Items<'_> {
    fn add<T: Serialize + ?Sized>(&mut self, item: &T) -> Result<(), Unusual> {
        let item = item.serialize(Writer { import: self.import, is_key: false })?;
        self.import.items.push(item);
        Ok(())
    }

    fn finish(self) -> Result<Value, Unusual> {
        let made = self.import.items.drain(self.start..).collect();
        let made = self.import.vector(made);
        Ok(self.import.variant(self.variant, made))
    }
}

/// An object whose fields are being written.
struct Fields<'i> {
    import: &'i mut Import,
    /// Where its fields start.
    start: usize,
    /// The key whose value comes next.
    key: Value,
    variant: Option<&'static str>,
    /// Whether its only field is JSON as text, which replaces the object.
    raw: bool,
}

impl Fields<'_> {
    fn add<T: Serialize + ?Sized>(&mut self, key: Value, item: &T) -> Result<(), Unusual> {
        let item = item.serialize(Writer { import: self.import, is_key: false })?;
        self.import.fields.push((key, item));
        Ok(())
    }

    fn finish(self) -> Result<Value, Unusual> {
        if self.raw {
            let Some((_, Value::Str(text))) = self.import.fields.drain(self.start..).next_back() else {
                return Err(Unusual);
            };
            return self.import.inner_text(text.as_str()).map_err(|_| Unusual);
        }
        let made = self.import.object_since(self.start);
        Ok(self.import.variant(self.variant, made))
    }
}

/// Methods that write a scalar.
macro_rules! scalars {
    ($($method:ident($($arg:ident: $type:ty)?) $value:expr;)*) => {
        $(fn $method(self, $($arg: $type)?) -> Result<Value, Unusual> {
            Ok($value)
        })*
    };
}

impl<'i> Serializer for Writer<'i> {
    type Ok = Value;
    type Error = Unusual;
    type SerializeSeq = Items<'i>;
    type SerializeTuple = Items<'i>;
    type SerializeTupleStruct = Items<'i>;
    type SerializeTupleVariant = Items<'i>;
    type SerializeMap = Fields<'i>;
    type SerializeStruct = Fields<'i>;
    type SerializeStructVariant = Fields<'i>;

    scalars! {
        serialize_bool(b: bool) Value::Bool(b);
        serialize_i8(n: i8) Value::Int(n.into());
        serialize_i16(n: i16) Value::Int(n.into());
        serialize_i32(n: i32) Value::Int(n.into());
        serialize_i64(n: i64) Value::Int(n);
        serialize_u8(n: u8) Value::Int(n.into());
        serialize_u16(n: u16) Value::Int(n.into());
        serialize_u32(n: u32) Value::Int(n.into());
        serialize_u64(n: u64) Value::integer(n.into());
        serialize_i128(n: i128) Value::integer(n.into());
        serialize_u128(n: u128) Value::integer(n.into());
        serialize_f64(x: f64) if x.is_finite() { Value::Float(x) } else { Value::Nil };
        serialize_none() Value::Nil;
        serialize_unit() Value::Nil;
        serialize_unit_struct(_name: &'static str) Value::Nil;
    }

    fn serialize_f32(self, x: f32) -> Result<Value, Unusual> {
        self.serialize_f64(f64::from(x))
    }

    fn serialize_char(self, c: char) -> Result<Value, Unusual> {
        self.serialize_str(c.encode_utf8(&mut [0; 4]))
    }

    fn serialize_str(self, text: &str) -> Result<Value, Unusual> {
        Ok(self.import.texts.value(text))
    }

    fn serialize_bytes(self, _: &[u8]) -> Result<Value, Unusual> {
        Err(Unusual)
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<Value, Unusual> {
        if self.is_key { Err(Unusual) } else { value.serialize(self) }
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Result<Value, Unusual> {
        self.serialize_str(variant)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, value: &T) -> Result<Value, Unusual> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<Value, Unusual> {
        let content = value.serialize(Writer { import: self.import, is_key: false })?;
        Ok(self.import.variant(Some(variant), content))
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Items<'i>, Unusual> {
        Ok(self.items())
    }

    fn serialize_tuple(self, _: usize) -> Result<Items<'i>, Unusual> {
        Ok(self.items())
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Items<'i>, Unusual> {
        Ok(self.items())
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Items<'i>, Unusual> {
        Ok(Items { variant: Some(variant), ..self.items() })
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Fields<'i>, Unusual> {
        Ok(self.fields())
    }

    fn serialize_struct(self, name: &'static str, _: usize) -> Result<Fields<'i>, Unusual> {
        match name {
            RAW => Ok(Fields { raw: true, ..self.fields() }),
            _ if name.starts_with(PRIVATE) => Err(Unusual),
            _ => Ok(self.fields()),
        }
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Fields<'i>, Unusual> {
        Ok(Fields { variant: Some(variant), ..self.fields() })
    }
}

/// The four kinds of arrays.
macro_rules! arrays {
    ($($kind:ident $method:ident),*) => {
        $(impl $kind for Items<'_> {
            type Ok = Value;
            type Error = Unusual;

            fn $method<T: Serialize + ?Sized>(&mut self, item: &T) -> Result<(), Unusual> {
                self.add(item)
            }

            fn end(self) -> Result<Value, Unusual> {
                self.finish()
            }
        })*
    };
}

arrays!(SerializeSeq serialize_element, SerializeTuple serialize_element, SerializeTupleStruct serialize_field, SerializeTupleVariant serialize_field);

/// The two kinds of objects with known fields.
macro_rules! objects {
    ($($kind:ident),*) => {
        $(impl $kind for Fields<'_> {
            type Ok = Value;
            type Error = Unusual;

            fn serialize_field<T: Serialize + ?Sized>(&mut self, name: &'static str, item: &T) -> Result<(), Unusual> {
                let key = self.import.key(name);
                self.add(key, item)
            }

            fn end(self) -> Result<Value, Unusual> {
                self.finish()
            }
        })*
    };
}

objects!(SerializeStruct, SerializeStructVariant);

impl SerializeMap for Fields<'_> {
    type Ok = Value;
    type Error = Unusual;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Unusual> {
        let Value::Str(text) = key.serialize(Writer { import: self.import, is_key: true })? else {
            return Err(Unusual);
        };
        self.key = self.import.key(text.as_str());
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, item: &T) -> Result<(), Unusual> {
        let key = std::mem::take(&mut self.key);
        self.add(key, item)
    }

    fn end(self) -> Result<Value, Unusual> {
        self.finish()
    }
}

#[cfg(test)]
mod tests;
