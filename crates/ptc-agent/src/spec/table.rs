//! From rows to code.

/// A struct whose fields are options, one row each:
///
/// ```text
/// /// What it is.
/// name: Type = default, kind, setter, course;
/// ```
///
/// The kind is an [`OptionKind`](super::OptionKind). The setter of the builder takes a `value` of the type, what turns
/// `into` it, `(some T)`, a `list` of texts, or `texts` by name; `own` leaves it to the builder. `course` marks what changes the course
/// of a run.
macro_rules! options {
    (
        $(#[$outer:meta])*
        pub struct $Spec:ident {
            $(
                $(#[doc = $doc:literal])+
                $(#[serde($($serde:tt)*)])?
                $name:ident: $ty:ty = $default:expr, $kind:expr, $setter:tt $(, $course:ident)?;
            )+
        }
    ) => {
        $(#[$outer])*
        #[derive(serde::Serialize, serde::Deserialize)]
        #[serde(default)]
        pub struct $Spec {
            $($(#[doc = $doc])+ $(#[serde($($serde)*)])? pub $name: $ty,)+
        }

        impl Default for $Spec {
            fn default() -> Self {
                $Spec { $($name: $default,)+ }
            }
        }

        impl $Spec {
            /// The options as data, in the order in which they are documented.
            pub const OPTIONS: &'static [$crate::spec::OptionRow] = &[$($crate::spec::OptionRow {
                name: stringify!($name),
                doc: concat!($($doc),+),
                kind: $kind,
                is_optional: matches!(stringify!($ty).as_bytes(), [b'O', b'p', b't', b'i', b'o', b'n', ..]),
                decides_course: !stringify!($($course)?).is_empty(),
            }),+];

            /// Give the option of this name a value, in the form in which serde writes it.
            ///
            /// Errors when the option is unknown, or when the value does not fit its type.
            pub fn set(&mut self, name: &str, value: serde_json::Value) -> Result<(), serde_json::Error> {
                match name {
                    $(stringify!($name) => self.$name = serde_json::from_value(value)?,)+
                    _ => return Err(serde::de::Error::custom(format!("unknown option `{name}`"))),
                }
                Ok(())
            }

            /// The value of the option of this name, in the form in which serde writes it.
            ///
            /// Errors when the option is unknown, or when its value is a function.
            pub fn get(&self, name: &str) -> Result<serde_json::Value, serde_json::Error> {
                match name {
                    $(stringify!($name) => serde_json::to_value(&self.$name),)+
                    _ => Err(serde::ser::Error::custom(format!("unknown option `{name}`"))),
                }
            }
        }
    };
}

/// The setters of a builder, of the rows that make its `spec`.
macro_rules! setters {
    (
        $Builder:ident:
        $(#[$outer:meta])*
        pub struct $Spec:ident {
            $(
                $(#[doc = $doc:literal])+
                $(#[serde($($serde:tt)*)])?
                $name:ident: $ty:ty = $default:expr, $kind:expr, $setter:tt $(, $course:ident)?;
            )+
        }
    ) => {
        impl $Builder {
            $($crate::spec::table::setter! { [spec.] $setter $name: $ty = $default, $($doc),+ })+
        }
    };
}

/// The setter of one row, of a field of the builder or of its `spec`.
macro_rules! setter {
    ([$($part:ident.)?] own $($row:tt)*) => {};
    ([$($part:ident.)?] value $name:ident: $ty:ty = $default:expr, $($doc:literal),+) => {
        $(#[doc = $doc])+
        #[doc = concat!("\n\nDefault: `", stringify!($default), "`.")]
        pub fn $name(mut self, $name: $ty) -> Self {
            self.$($part.)?$name = $name;
            self
        }
    };
    ([$($part:ident.)?] into $name:ident: $ty:ty = $default:expr, $($doc:literal),+) => {
        $(#[doc = $doc])+
        #[doc = concat!("\n\nDefault: `", stringify!($default), "`.")]
        pub fn $name(mut self, $name: impl Into<$ty>) -> Self {
            self.$($part.)?$name = $name.into();
            self
        }
    };
    ([$($part:ident.)?] (some $of:ty) $name:ident: $ty:ty = $default:expr, $($doc:literal),+) => {
        $(#[doc = $doc])+
        pub fn $name(mut self, $name: $of) -> Self {
            self.$($part.)?$name = Some($name);
            self
        }
    };
    ([$($part:ident.)?] (some into $of:ty) $name:ident: $ty:ty = $default:expr, $($doc:literal),+) => {
        $(#[doc = $doc])+
        pub fn $name(mut self, $name: impl Into<$of>) -> Self {
            self.$($part.)?$name = Some($name.into());
            self
        }
    };
    ([$($part:ident.)?] list $name:ident: $ty:ty = $default:expr, $($doc:literal),+) => {
        $(#[doc = $doc])+
        pub fn $name<T: Into<String>>(mut self, $name: impl IntoIterator<Item = T>) -> Self {
            self.$($part.)?$name = $name.into_iter().map(Into::into).collect();
            self
        }
    };
    ([$($part:ident.)?] texts $name:ident: $ty:ty = $default:expr, $($doc:literal),+) => {
        $(#[doc = $doc])+
        pub fn $name<N: Into<String>, T: Into<String>>(mut self, texts: impl IntoIterator<Item = (N, T)>) -> Self {
            self.$($part.)?$name = texts.into_iter().map(|(name, text)| (name.into(), text.into())).collect();
            self
        }
    };
}

/// The options of a run that are not data, such as models and observers: fields, defaults and setters.
macro_rules! parts {
    (
        $(#[$outer:meta])*
        pub struct $Options:ident with $Spec:ident {
            $(
                $(#[doc = $doc:literal])+
                $name:ident: $ty:ty = $default:expr, $setter:tt;
            )+
        }
    ) => {
        $(#[$outer])*
        pub struct $Options {
            /// What can be said as data.
            pub spec: $Spec,
            $($(#[doc = $doc])+ pub $name: $ty,)+
        }

        impl Default for $Options {
            fn default() -> Self {
                $Options { spec: $Spec::default(), $($name: $default,)+ }
            }
        }

        impl $Options {
            $($crate::spec::table::setter! { [] $setter $name: $ty = $default, $($doc),+ })+
        }
    };
}

pub(crate) use {options, parts, setter, setters};
