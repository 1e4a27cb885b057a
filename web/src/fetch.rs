//! Loading the page's own files: languages, scenarios, recordings. Every failure can be shown and tried again.

use futures_util::future::try_join_all;
use gloo_net::http::Request;
use web_sys::RequestCache;

/// Why a file did not arrive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FetchFault {
    /// The file, relative to the page.
    pub path: String,
    /// What went wrong.
    pub kind: FaultKind,
}

/// The kinds of failure that the reader can tell apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FaultKind {
    /// No answer: offline, or the server is gone.
    NoAnswer,
    /// An answer that is not the file.
    Status(u16),
    /// The file came and cannot be read.
    Broken(String),
}

impl FetchFault {
    /// A file that came and cannot be read.
    pub fn broken(path: &str, why: impl ToString) -> Self {
        Self { path: path.into(), kind: FaultKind::Broken(why.to_string()) }
    }
}

/// Fetches a text file beside the page. The server is asked whether it changed, so that a new release is seen.
pub async fn text(path: &str) -> Result<String, FetchFault> {
    let fault = |kind| FetchFault { path: path.into(), kind };
    let answer = Request::get(path).cache(RequestCache::NoCache).send().await;
    let answer = answer.map_err(|_| fault(FaultKind::NoAnswer))?;
    if !answer.ok() {
        return Err(fault(FaultKind::Status(answer.status())));
    }
    answer.text().await.map_err(|_| fault(FaultKind::NoAnswer))
}

/// Fetches several files at once, in the order asked.
pub async fn texts(paths: &[String]) -> Result<Vec<String>, FetchFault> {
    try_join_all(paths.iter().map(|path| text(path))).await
}
