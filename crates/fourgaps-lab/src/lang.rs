//! The languages of the course.

/// A language that every text exists in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Lang {
    /// Japanese.
    Ja,
    /// Korean.
    Ko,
    /// English.
    En,
}

impl Lang {
    /// Every language, in the order in which the page offers them.
    pub const ALL: [Self; 3] = [Self::Ja, Self::Ko, Self::En];

    /// The code of the language, as in `lang="ja"` and in the name of its file.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Ja => "ja",
            Self::Ko => "ko",
            Self::En => "en",
        }
    }

    /// The language of a code, also where a region follows, as in `ko-KR`.
    pub fn from_code(code: &str) -> Option<Self> {
        let main = code.split(['-', '_']).next().unwrap_or_default();
        Self::ALL.into_iter().find(|lang| lang.code().eq_ignore_ascii_case(main))
    }
}

#[cfg(test)]
mod tests {
    use super::Lang;

    #[test]
    fn codes_go_both_ways() {
        for lang in Lang::ALL {
            assert_eq!(Lang::from_code(lang.code()), Some(lang));
        }
        for (code, wanted) in [("ko-KR", Some(Lang::Ko)), ("JA", Some(Lang::Ja)), ("fr", None), ("", None)] {
            assert_eq!(Lang::from_code(code), wanted, "{code:?}");
        }
    }
}
