//! Enums whose variants go by stable names.

/// An enum with a method that gives the name of each variant.
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
        }
    };
}

pub(crate) use named;
