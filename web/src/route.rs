//! Which page an address means, and the address of a page. Everything stands behind `#`, so a folder of files is enough.

/// A page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Route {
    /// Nothing chosen: the list, or the only lab there is.
    Start,
    /// The list of labs.
    Labs,
    /// A lab, with the work of a link if one was opened.
    Lab {
        /// The lab.
        slug: String,
        /// The packed work of a link.
        link: Option<String>,
    },
}

impl Route {
    /// Reads the part of an address from `#` on.
    pub fn parse(hash: &str) -> Self {
        let path = hash.trim_start_matches('#').trim_matches('/');
        let mut parts = path.splitn(3, '/');
        match (parts.next(), parts.next(), parts.next()) {
            (None | Some(""), ..) => Self::Start,
            (Some("labs"), None, _) => Self::Labs,
            (Some(slug), Some("w"), Some(work)) => Self::Lab { slug: slug.into(), link: Some(work.into()) },
            (Some(slug), ..) => Self::Lab { slug: slug.into(), link: None },
        }
    }

    /// The part of the address from `#` on.
    pub fn hash(&self) -> String {
        match self {
            Self::Start => "#/".into(),
            Self::Labs => "#/labs".into(),
            Self::Lab { slug, link: None } => format!("#/{slug}"),
            Self::Lab { slug, link: Some(work) } => format!("#/{slug}/w/{work}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Route;

    #[test]
    fn addresses_go_both_ways() {
        for hash in ["#/", "#/labs", "#/three-lines", "#/three-lines/w/AbC-_9"] {
            assert_eq!(Route::parse(hash).hash(), hash);
        }
        assert_eq!(Route::parse(""), Route::Start);
        assert_eq!(Route::parse("#three-lines/"), Route::Lab { slug: "three-lines".into(), link: None });
    }
}
