//! `quod explore` as a program: it says where it listens, ends when it is told to, and refuses what it cannot show.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

mod common;
use common::{assert_refused, interrupt, text};

fn quod(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_quod"));
    command.arg("explore").args(arguments);
    command
}

/// Starts it on a free port; where it listens.
fn start(arguments: &[&str]) -> (Child, String) {
    let mut child = quod(arguments).args(["--port", "0"]).stdout(Stdio::piped()).spawn().expect("it starts");
    let mut line = String::new();
    BufReader::new(child.stdout.as_mut().expect("a pipe")).read_line(&mut line).expect("it says where");
    let address = line.strip_prefix("Open http://").and_then(|rest| rest.split('/').next());
    let address = address.unwrap_or_else(|| panic!("{line}")).to_owned();
    (child, address)
}

fn get(address: &str, path: &str) -> String {
    let mut stream = TcpStream::connect(address).expect("it listens");
    stream.set_read_timeout(Some(Duration::from_secs(10))).expect("a time");
    write!(stream, "GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n").expect("a request");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("an answer");
    answer
}

#[test]
fn it_serves_the_page_until_ctrl_c() {
    let (mut child, address) = start(&["connect4:5x4", "--moves", "33"]);
    assert!(address.starts_with("127.0.0.1:"), "{address}");
    assert!(get(&address, "/").contains("<title>Quod"), "the page");
    let about = get(&address, "/api/about");
    assert!(about.contains(r#""game":"connect4:5x4","moves":"33""#), "{about}");
    let begun = Instant::now();
    interrupt(&child);
    assert_eq!(child.wait().expect("it ends").code(), Some(0));
    assert!(begun.elapsed() < Duration::from_secs(3));
}

#[test]
fn what_it_cannot_show_is_refused_before_it_listens() {
    let taken = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = taken.local_addr().expect("an address").port().to_string();
    let cases: [(&[&str], &[&str]); 7] = [
        (&["conect4"], &["did you mean \"connect4\""]),
        (&["connect4:5x4", "--moves", "9"], &["9", "legal moves"]),
        (&["tictactoe", "--position", "nonsense"], &["position"]),
        (&["awari", "--db", "/nowhere"], &["/nowhere"]),
        (&["--port", &port], &["cannot listen", &port]),
        (&["--port", "99999"], &["99999"]),
        (&["--jobs", "0"], &["1 to 64"]),
    ];
    for (arguments, parts) in cases {
        assert_refused(&quod(arguments).output().expect("it runs"), arguments, parts);
    }
}

#[test]
fn help_has_examples() {
    let help = text(&quod(&["--help"]).output().expect("it runs").stdout);
    assert!(help.contains("quod explore connect4:5x4") && help.contains("Ctrl-C ends it"), "{help}");
}
