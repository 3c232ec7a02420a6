//! The filter of the log.

use tracing_subscriber::{EnvFilter, filter::LevelFilter};

/// Checks a filter, and removes its spaces. `tracing` takes a word that is no level for a module and logs only that: a misspelt
/// level would switch the log off.
pub(super) fn parse(text: &str) -> Result<String, String> {
    let words: Vec<&str> = super::reader::entries(text).collect();
    let is_module = |word: &str| word.contains(['=', '[']) || word.contains("::") || word == env!("CARGO_PKG_NAME");
    let is_clear = words.iter().all(|word| is_module(word) || word.parse::<LevelFilter>().is_ok());
    let filter = words.join(",");
    if is_clear && !filter.is_empty() && EnvFilter::try_new(&filter).is_ok() {
        Ok(filter)
    } else {
        Err("must be off, error, warn, info, debug or trace, and may go on for modules, as in info,linkgraph=debug"
            .into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_a_level_and_modules_have_one() {
        for filter in
            ["info", "WARN", "off", "linkgraph", "info,linkgraph=debug", "warn,sqlx::query=trace", "[{account}]=debug"]
        {
            assert_eq!(parse(filter).as_deref(), Ok(filter));
        }
        assert_eq!(parse(" warn , linkgraph=trace,").as_deref(), Ok("warn,linkgraph=trace"));
        for filter in [",", "loud", "inof", "7", "info,sqlx", "linkgraph=loud", "[=info"] {
            let message = parse(filter).unwrap_err();
            assert!(message.contains("info,linkgraph=debug"), "{filter}: {message}");
        }
    }
}
