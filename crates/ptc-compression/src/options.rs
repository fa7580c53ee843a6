//! Strategies of this crate as rows of options: each row becomes a field, its default and its setter.

/// A strategy, its name in options and statistics, and its rows; `limits` adds those of
/// [`ViewLimits`](crate::ViewLimits). `as` is the argument type of the setter of an option that may be absent.
macro_rules! strategy {
    (
        $(#[$doc:meta])*
        $name:ident = $text:literal $([$limits:ident])? {
            $($(#[$row:meta])* $option:ident: $kind:ty $(as $given:ty)? = $default:expr,)*
        }
    ) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
        #[serde(default)]
        pub struct $name {
            $($(#[$row])* pub $option: $kind,)*
            $(
                /// Limits of what is shown, or merged, spent from the newest turn backwards.
                #[serde(flatten)]
                pub $limits: crate::limits::ViewLimits,
            )?
        }

        impl Default for $name {
            fn default() -> Self {
                $name { $($option: $default,)* $($limits: Default::default(),)? }
            }
        }

        impl $name {
            /// The name in options and statistics.
            pub const NAME: &'static str = $text;

            /// With the default options.
            #[must_use]
            pub fn new() -> Self {
                Self::default()
            }

            $($crate::options::strategy!(@set [$(#[$row])*] $option: $kind $(as $given)?);)*
            $($crate::limits::limit_setters!($limits);)?
        }
    };
    (@set [$(#[$row:meta])*] $option:ident: $kind:ty) => {
        $(#[$row])*
        #[must_use]
        pub fn $option(mut self, $option: $kind) -> Self {
            self.$option = $option;
            self
        }
    };
    (@set [$(#[$row:meta])*] $option:ident: $kind:ty as $given:ty) => {
        $(#[$row])*
        #[must_use]
        pub fn $option(mut self, $option: $given) -> Self {
            self.$option = Some($option);
            self
        }
    };
}

pub(crate) use strategy;
