//! Values of options, and the errors of those that cannot be used.

use std::time::Duration;

use clap::Args;
use clap::builder::TypedValueParser;
use ptc_runner::config::parse_duration;

/// A whole number from `least`; `ptc` says what to write where clap quotes the words of the number's parser.
pub(crate) fn whole<T>(least: u32) -> impl TypedValueParser<Value = T>
where
    T: TryFrom<u64> + Clone + Send + Sync + 'static,
{
    clap::builder::StringValueParser::new().try_map(move |text| {
        let number = text.trim().parse::<u64>().ok().filter(|number| *number >= u64::from(least));
        let number = number.and_then(|number| T::try_from(number).ok());
        number.ok_or_else(|| {
            let is_long = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) && text.len() > 4;
            if is_long { "it is too large".to_owned() } else { format!("write a whole number, {least} or more") }
        })
    })
}

/// How long models are asked again.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct PatienceArg {
    /// How long to retry a failing model, such as `2h`, instead of three attempts: for servers that restart and for
    /// rate limits.
    #[arg(long, value_name = "TIME", allow_hyphen_values = true, value_parser = time_with_unit)]
    pub(crate) patience: Option<Duration>,
}

/// A time on the command line, above 0: `5` could be seconds or, as in mission files, milliseconds.
pub(crate) fn time_with_unit(text: &str) -> Result<Duration, String> {
    match text.trim().parse::<f64>() {
        Ok(number) if number > 0.0 && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.') => {
            return Err(format!("a time has a unit: write {text}s for seconds, {text}ms for milliseconds"));
        }
        Ok(0.0) => return Err(NO_TIME.to_owned()),
        _ => {}
    }
    let time = parse_duration(text).map_err(|error| error.to_string())?;
    if time.is_zero() { Err(NO_TIME.to_owned()) } else { Ok(time) }
}

const NO_TIME: &str = "it must be above 0, such as 90s";

/// An amount in USD, above 0.
pub(crate) fn usd(given: &str) -> Result<f64, String> {
    let amount = given.trim().parse().ok().filter(|amount: &f64| amount.is_finite() && *amount > 0.0);
    amount.ok_or_else(|| "it must be an amount in USD above 0, such as 2.50".to_owned())
}
