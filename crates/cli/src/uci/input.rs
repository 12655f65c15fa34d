//! Lines of input of a bounded length, whatever bytes they are made of.

use std::io::BufRead;

/// The longest game anybody has played is a tenth of that.
const LINE_MAX: usize = 1 << 20;

/// What came.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Line {
    /// Without its end. What is not ASCII, which no command is made of, is a question mark.
    Text(String),
    /// Longer than a command can be; it is left out.
    TooLong,
    /// There is no more.
    End,
}

/// Waits for a line. What comes before the end of the input without a line's end is one too.
pub(super) fn next(input: &mut dyn BufRead) -> Line {
    let mut bytes = Vec::new();
    let mut length = 0;
    loop {
        let buffer = match input.fill_buf() {
            Ok(buffer) => buffer,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
            Err(_) => return Line::End,
        };
        if buffer.is_empty() && length == 0 {
            return Line::End;
        }
        let end = buffer.iter().position(|byte| *byte == b'\n');
        let part = &buffer[..end.unwrap_or(buffer.len())];
        length += part.len();
        if length <= LINE_MAX {
            bytes.extend_from_slice(part);
        }
        let is_last = end.is_some() || buffer.is_empty();
        let used = part.len() + usize::from(end.is_some());
        input.consume(used);
        if is_last {
            let letter = |byte: u8| if byte.is_ascii() { char::from(byte) } else { '?' };
            return match length {
                0..=LINE_MAX => Line::Text(bytes.into_iter().map(letter).collect()),
                _ => Line::TooLong,
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_cut_and_bounded() {
        let long = vec![b'x'; LINE_MAX + 1];
        let text = [b"uci\r\n\n\xff\x00z\n", &long[..], b"\nstop"].concat();
        let mut input = std::io::BufReader::with_capacity(7, &text[..]);
        let text = |text: &str| Line::Text(text.to_owned());
        let expected = [text("uci\r"), text(""), text("?\0z"), Line::TooLong, text("stop"), Line::End];
        for line in expected {
            assert_eq!(next(&mut input), line);
        }
    }
}
