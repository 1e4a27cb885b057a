//! What differs between the releases of the library that containerd 2.x carries, as flags.

/// The behaviour of one release of the library; a containerd version chooses one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    /// A fault without a single byte to point at, such as an early end, is reported at 1:1.
    pub empty_fault_at_start: bool,
    /// A missing `=` at the end of the document points to the key and not to the end.
    pub missing_equals_at_key: bool,
    /// An unknown key is located by its text in the document, quotes included. Where this is false the library
    /// points behind the opening quote, and crashes over a key that was written with an escape.
    pub unknown_key_by_text: bool,
    /// A time may have the second 60.
    pub leap_second: bool,
    /// A date that meets a field of another type is an error; where this is false the process crashes.
    pub date_type_checked: bool,
    /// A type with a text form reads lists and inline tables as the empty text.
    pub text_form_of_tables: bool,
    /// `[[list.inner]]` puts a first table into an empty list; where this is false the process crashes.
    pub empty_list_grows: bool,
}

impl Rules {
    /// In containerd 2.0.5.
    pub const V2_2_3: Self = Self {
        empty_fault_at_start: false,
        missing_equals_at_key: false,
        unknown_key_by_text: false,
        leap_second: true,
        date_type_checked: false,
        text_form_of_tables: true,
        empty_list_grows: false,
    };

    /// In containerd 2.1.4 and 2.2.5; behaves as 2.2.3.
    pub const V2_2_4: Self = Self::V2_2_3;

    /// In containerd 2.3.4.
    pub const V2_3_0: Self = Self {
        empty_fault_at_start: true,
        missing_equals_at_key: true,
        unknown_key_by_text: true,
        leap_second: false,
        date_type_checked: true,
        text_form_of_tables: false,
        empty_list_grows: true,
    };

    /// The rules of a release by its number, for example `2.2.4`.
    pub fn named(release: &str) -> Option<Self> {
        match release {
            "2.2.3" => Some(Self::V2_2_3),
            "2.2.4" => Some(Self::V2_2_4),
            "2.3.0" => Some(Self::V2_3_0),
            _ => None,
        }
    }
}
