//! Enums whose variants have stable names.

/// An enum with a method that returns the name of each variant, and `of_name`, which finds the variant of a name.
macro_rules! named {
    (
        $(#[$meta:meta])* $vis:vis enum $enum:ident { $($(#[$doc:meta])* $variant:ident = $text:literal,)* }
        $(#[$method_doc:meta])* fn $method:ident
    ) => {
        $(#[$meta])*
        $vis enum $enum { $($(#[$doc])* $variant,)* }

        impl $enum {
            $(#[$method_doc])*
            #[must_use]
            $vis fn $method(self) -> &'static str {
                match self {
                    $($enum::$variant => $text,)*
                }
            }

            /// The variant with this name.
            #[allow(dead_code, reason = "not all names are read back")]
            #[must_use]
            $vis fn of_name(name: &str) -> Option<$enum> {
                match name {
                    $($text => Some($enum::$variant),)*
                    _ => None,
                }
            }
        }
    };
}

pub(crate) use named;
