//! The browser explorer: a page, and the server that it talks to.
//!
//! Everything is embedded; nothing is fetched from elsewhere. The server listens on loopback unless it is told otherwise, answers
//! only requests that were meant for it (`guard.rs`), and does work only as long as somebody listens (`jobs/`).
//! docs/formats/explorer.md says what page and server tell each other.

mod assets;
mod failure;
mod guard;
mod jobs;
mod places;
mod rehearsal;
mod routes;
mod wire;

use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use quod_solver::{Door, Games, InputError, Place};

use jobs::Jobs;

#[doc(hidden)]
pub use rehearsal::rehearse;

/// How a server is set up.
#[derive(Clone, Debug)]
pub struct Options {
    /// Where it listens.
    pub address: IpAddr,
    /// Names by which it is called, beside addresses and `localhost`.
    pub names: Vec<String>,
    /// The port; if nothing is said [`USUAL_PORT`], or any other if that is taken.
    pub port: Option<u16>,
    /// The game that is shown at first.
    pub game: String,
    /// Its position.
    pub place: Place,
    /// A folder with endgame databases of that game.
    pub databases: Option<PathBuf>,
    /// How many jobs may run at once.
    pub jobs_max: usize,
}

/// The port if nothing is said.
pub const USUAL_PORT: u16 = 7373;

/// Why there is no server.
#[derive(Debug)]
pub enum ServeError {
    /// The game or the position cannot be used.
    Input(InputError),
    /// The network.
    Io(std::io::Error),
}

/// What all requests share.
pub(crate) struct Server {
    games: Games,
    /// The game that was named, with its databases.
    first: Arc<dyn Door>,
    options: Options,
    jobs: Jobs,
}

impl Server {
    /// Opens a game; the one that was named comes with its databases.
    fn open(&self, text: &str) -> Result<Arc<dyn Door>, InputError> {
        if text == self.options.game || text == self.first.game_text() {
            return Ok(Arc::clone(&self.first));
        }
        let door: Arc<dyn Door> = self.games.open(text)?.into();
        Ok(if door.game_text() == self.first.game_text() { Arc::clone(&self.first) } else { door })
    }
}

/// Serves until `stops` says so. `ready` is told where.
///
/// # Errors
/// If the game cannot be opened, or the address cannot be used.
pub fn serve(
    games: Games,
    options: Options,
    ready: impl FnOnce(SocketAddr),
    stops: impl Fn() -> bool,
) -> Result<(), ServeError> {
    let mut first = games.open(&options.game).map_err(ServeError::Input)?;
    if let Some(dir) = &options.databases {
        first.lean_on(dir, None).map_err(ServeError::Input)?;
    }
    first.locate(&options.place).map_err(ServeError::Input)?;
    let jobs = Jobs::new(options.jobs_max);
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .map_err(ServeError::Io)?;
    runtime.block_on(async {
        let listener = listen(&options).await.map_err(ServeError::Io)?;
        let address = listener.local_addr().map_err(ServeError::Io)?;
        let server = Arc::new(Server { games, first: first.into(), options, jobs });
        let routes = routes::all(Arc::clone(&server), address);
        let serving = tokio::spawn(async move { axum::serve(listener, routes).await });
        ready(address);
        while !stops() && !serving.is_finished() {
            server.jobs.forget_orphans();
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        server.jobs.stop_all();
        Ok(())
    })?;
    // Streams are open as long as pages are: they are not waited for.
    runtime.shutdown_timeout(Duration::from_millis(500));
    Ok(())
}

async fn listen(options: &Options) -> std::io::Result<tokio::net::TcpListener> {
    let bind = |port| tokio::net::TcpListener::bind(SocketAddr::new(options.address, port));
    match options.port {
        Some(port) => bind(port).await,
        None => match bind(USUAL_PORT).await {
            Err(error) if error.kind() == std::io::ErrorKind::AddrInUse => bind(0).await,
            bound => bound,
        },
    }
}
