//! `quod explore`.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::path::PathBuf;

use anyhow::anyhow;
use clap::Args;
use quod_explorer::{Options, ServeError};
use quod_solver::{Games, Place};

use crate::output::print;
use crate::progress::{catch_interrupts, interrupted};
use crate::{Ending, Failure};

pub(crate) const EXPLORE_EXAMPLES: &str = "\
Prints the address of a page: play through solved games, see what each move is worth, watch a search
grow, unfold its tree, open certificates. Nothing is fetched from elsewhere, nothing leaves this
machine, and a page that is closed stops its searches. Ctrl-C ends it.

Examples:
  quod explore
  quod explore connect4:5x4
  quod explore chess --position '7k/5K2/8/8/8/8/6Q1/8 w - -'
  quod explore awari --db awari-db --port 8080";

#[derive(Args)]
pub(crate) struct ExploreOptions {
    /// The game that is shown at first, with parameters
    #[arg(default_value = "tictactoe")]
    game: String,
    /// The position, in the game's notation [default: the start]
    #[arg(long, value_name = "TEXT")]
    position: Option<String>,
    /// Moves to play first, from the start or from --position
    #[arg(long, value_name = "MOVES")]
    moves: Option<String>,
    /// A folder with endgame databases of that game
    #[arg(long, value_name = "DIR")]
    db: Option<PathBuf>,
    /// The port [default: 7373, or another one if that is taken]
    #[arg(long, value_name = "N")]
    port: Option<u16>,
    /// Where to listen. Beyond loopback, everybody who reaches it can use this machine's time and memory
    #[arg(long, value_name = "ADDRESS", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    address: IpAddr,
    /// A name by which the machine may be called in an address, beside localhost
    #[arg(long, value_name = "NAME")]
    name: Vec<String>,
    /// How many searches may run at once, those for the worth of moves included. Each may need one of the six
    /// connections that browsers open to a server
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = parse_jobs)]
    jobs: usize,
}

fn parse_jobs(text: &str) -> Result<usize, String> {
    let number = text.parse().ok().filter(|number| (1..=64).contains(number));
    number.ok_or_else(|| "a number from 1 to 64".to_owned())
}

/// Where the page is. Who listens on all addresses is told one that can be opened.
fn welcome(address: SocketAddr) -> String {
    let shown = match address.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => IpAddr::V4(Ipv4Addr::LOCALHOST),
        IpAddr::V6(ip) if ip.is_unspecified() => IpAddr::V6(Ipv6Addr::LOCALHOST),
        ip => ip,
    };
    let open =
        if address.ip().is_loopback() { "" } else { "Everybody who reaches this machine can use it.\n" };
    format!("Open http://{}/ in a browser.\n{open}Ctrl-C ends it.\n", SocketAddr::new(shown, address.port()))
}

pub(crate) fn run(games: Games, options: &ExploreOptions) -> Result<Ending, Failure> {
    let place = Place { position: options.position.clone(), moves: options.moves.clone() };
    let server = Options {
        address: options.address,
        names: options.name.clone(),
        port: options.port,
        game: options.game.clone(),
        place,
        databases: options.db.clone(),
        jobs_max: options.jobs,
    };
    catch_interrupts();
    let ready = |address: SocketAddr| {
        // Who cannot be told the address has closed the output, and may know it.
        let _ = print(&welcome(address));
    };
    match quod_explorer::serve(games, server, ready, interrupted) {
        Ok(()) => Ok(Ending::Done),
        Err(ServeError::Input(error)) => Err(Failure::input(error)),
        Err(ServeError::Io(error)) => {
            let port = options.port.map_or_else(String::new, |port| format!(", port {port}"));
            Err(Failure::input(anyhow!("cannot listen on {}{port}: {error}", options.address)))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_address_can_be_opened() {
        let welcome = |address: &str| welcome(address.parse().expect("an address"));
        assert_eq!(welcome("127.0.0.1:80"), "Open http://127.0.0.1:80/ in a browser.\nCtrl-C ends it.\n");
        assert!(welcome("0.0.0.0:7373").starts_with("Open http://127.0.0.1:7373/ in a browser.\nEverybody"));
        assert!(welcome("[::]:7373").starts_with("Open http://[::1]:7373/ in"));
        assert!(welcome("10.1.2.3:7373").contains("http://10.1.2.3:7373/"));
    }
}
