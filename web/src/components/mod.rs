//! The parts of the page. Each draws what it is given and reports what the reader does.

pub mod ablate;
pub mod answer;
pub mod case_files;
pub mod cluster;
pub mod compare;
pub mod dump;
pub mod files;
pub mod gaps;
pub mod goals;
pub mod hints;
pub mod labs;
pub mod late;
pub mod lines;
pub mod load;
pub mod outcome;
pub mod question;
pub mod shell;
pub mod strip;
pub mod switches;
pub mod task;
pub mod text;
pub mod toast;
pub mod toolbar;
pub mod why;
pub mod workbench;
