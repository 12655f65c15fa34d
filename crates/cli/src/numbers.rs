//! Numbers as people write and read them.

/// Reads a number of bytes: `65536`, `64KiB`, `2 GiB`, `1.5GB`.
pub(crate) fn parse_bytes(text: &str) -> Result<u64, String> {
    let digits = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    let unit: u64 = match unit.trim().to_ascii_lowercase().as_str() {
        "" | "b" => 1,
        "k" | "kib" => 1 << 10,
        "m" | "mib" => 1 << 20,
        "g" | "gib" => 1 << 30,
        "t" | "tib" => 1 << 40,
        "kb" => 1_000,
        "mb" => 1_000_000,
        "gb" => 1_000_000_000,
        "tb" => 1_000_000_000_000,
        unknown => return Err(format!("\"{unknown}\" is no unit; use KiB, MiB or GiB, as in 64MiB")),
    };
    let number: f64 =
        number.parse().map_err(|_| "it is not a size; write one as 64MiB or 2GiB".to_owned())?;
    let size = number * unit as f64;
    // An exbibyte: more is a slip of the pen.
    if size <= 1e18 { Ok(size as u64) } else { Err("it is larger than any memory".to_owned()) }
}

/// 1,234,567.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// 1.23M.
pub(crate) fn short(number: u64) -> String {
    match number {
        0..10_000 => number.to_string(),
        10_000..1_000_000 => format!("{:.0}k", number as f64 / 1e3),
        1_000_000..1_000_000_000 => format!("{:.2}M", number as f64 / 1e6),
        _ => format!("{:.2}G", number as f64 / 1e9),
    }
}

/// 64.0 MiB.
pub(crate) fn bytes(number: u64) -> String {
    let units = ["B", "KiB", "MiB", "GiB", "TiB"];
    let mut size = number as f64;
    let mut unit = 0;
    while size >= 1024.0 && unit + 1 < units.len() {
        size /= 1024.0;
        unit += 1;
    }
    if unit == 0 { format!("{number} B") } else { format!("{size:.1} {}", units[unit]) }
}

/// Breaks a list of words into lines of at most `width` columns, continued below the first word.
pub(crate) fn wrapped<'w>(label: &str, words: impl IntoIterator<Item = &'w str>, width: usize) -> String {
    let indent = label.chars().count();
    let mut text = label.to_owned();
    let mut column = indent;
    let mut first = true;
    for word in words {
        let length = word.chars().count();
        if !first && column + 1 + length > width.max(indent + 10) {
            text.push('\n');
            text.push_str(&" ".repeat(indent));
            column = indent;
        } else if !first {
            text.push(' ');
            column += 1;
        }
        text.push_str(word);
        column += length;
        first = false;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read() {
        for (text, size) in [("65536", 65536), ("64KiB", 65536), ("2 gib", 2 << 30), ("1.5GB", 1_500_000_000)]
        {
            assert_eq!(parse_bytes(text), Ok(size), "{text}");
        }
        assert!(parse_bytes("lots").is_err() && parse_bytes("3 XB").is_err() && parse_bytes("").is_err());
    }

    #[test]
    fn numbers_are_written() {
        assert_eq!((grouped(7), grouped(1_234_567)), ("7".to_owned(), "1,234,567".to_owned()));
        assert_eq!((short(9_999), short(1_234_567)), ("9999".to_owned(), "1.23M".to_owned()));
        assert_eq!((bytes(1000), bytes(64 << 20)), ("1000 B".to_owned(), "64.0 MiB".to_owned()));
    }

    #[test]
    fn long_lines_are_broken() {
        let words = ["12345"; 5];
        assert_eq!(wrapped("Line ", words, 18), "Line 12345 12345\n     12345 12345\n     12345");
    }
}
