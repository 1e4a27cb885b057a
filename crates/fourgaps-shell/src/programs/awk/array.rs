//! An associative array in the order of mawk 1.3.4: `for (k in a)` walks lists of hashed keys, where what was asked for last
//! stands first. Whole numbers have lists of their own until a string is asked for. As recorded in the snippets.

use super::value::{MAX_INT, Str, Value};
use std::sync::Arc;

const NONE: u32 = u32::MAX;
/// Lists of a new array, and how long they may be on average before there are twice as many.
const FIRST_LISTS: u32 = 64;
const AVERAGE: u32 = 12;

/// A subscript: a whole number or a string.
pub(super) enum Key {
    Int(i32),
    Text(Str),
}

impl Key {
    pub(super) fn of(value: &Value, convfmt: &[u8]) -> Self {
        match value {
            Value::Num(number) if number.abs() <= MAX_INT && number.trunc() == *number => {
                Self::Int(*number as i32)
            }
            value => Self::Text(value.text(convfmt)),
        }
    }
}

struct Node {
    text: Option<Str>,
    hash: u32,
    int: Option<i32>,
    value: Value,
    next_by_text: u32,
    next_by_int: u32,
}

#[derive(Default)]
pub(super) struct Array {
    nodes: Vec<Node>,
    free: Vec<u32>,
    by_text: Vec<u32>,
    by_int: Vec<u32>,
    size: u32,
    /// Every element stands in the lists of strings.
    has_texts: bool,
    /// What `split` made, numbered from 1, until something else is asked for.
    pieces: Vec<Value>,
    /// The place in the stack of the local variable that this is the array of.
    pub owner: Option<u32>,
}

fn hash_of(text: &[u8]) -> u32 {
    text.iter().fold(2_166_136_261, |hash: u32, byte| (hash ^ u32::from(*byte)).wrapping_mul(16_777_619))
}

impl Array {
    pub(super) fn len(&self) -> usize {
        if self.pieces.is_empty() { self.size as usize } else { self.pieces.len() }
    }

    /// Takes everything out.
    pub(super) fn clear(&mut self) {
        *self = Self { owner: self.owner, ..Self::default() };
    }

    /// Fills an array with the pieces of a text.
    pub(super) fn fill(&mut self, pieces: Vec<Value>) {
        self.clear();
        self.pieces = pieces;
    }

    /// Bytes that this holds.
    pub(super) fn weight(&self) -> usize {
        let nodes = self
            .nodes
            .iter()
            .map(|node| 64 + node.value.weight() + node.text.as_ref().map_or(0, |text| text.len()));
        nodes.sum::<usize>() + self.pieces.iter().map(Value::weight).sum::<usize>()
    }

    fn mask(&self) -> u32 {
        (self.by_text.len() as u32).saturating_sub(1)
    }

    fn make_lists(&mut self, lists: u32) {
        self.by_text = vec![NONE; lists as usize];
        self.by_int = vec![NONE; lists as usize];
    }

    fn unfold_pieces(&mut self) {
        if self.pieces.is_empty() {
            return;
        }
        let pieces = core::mem::take(&mut self.pieces);
        let mut lists = FIRST_LISTS;
        while pieces.len() > (lists * AVERAGE) as usize {
            lists *= 2;
        }
        self.make_lists(lists);
        self.size = pieces.len() as u32;
        for (at, value) in pieces.into_iter().enumerate() {
            let int = at as i32 + 1;
            let node = self.add(Node {
                text: None,
                hash: 0,
                int: Some(int),
                value,
                next_by_text: NONE,
                next_by_int: NONE,
            });
            self.put_by_int(node, int);
        }
    }

    fn add(&mut self, node: Node) -> u32 {
        match self.free.pop() {
            Some(at) => {
                self.nodes[at as usize] = node;
                at
            }
            None => {
                self.nodes.push(node);
                self.nodes.len() as u32 - 1
            }
        }
    }

    fn put_by_int(&mut self, at: u32, int: i32) {
        let list = (int as u32 & self.mask()) as usize;
        self.nodes[at as usize].next_by_int = self.by_int[list];
        self.by_int[list] = at;
    }

    fn put_by_text(&mut self, at: u32) {
        let list = (self.nodes[at as usize].hash & self.mask()) as usize;
        self.nodes[at as usize].next_by_text = self.by_text[list];
        self.by_text[list] = at;
    }

    /// Gives every element its place among the strings.
    fn give_texts(&mut self) {
        self.unfold_pieces();
        if self.by_text.is_empty() {
            self.make_lists(FIRST_LISTS);
        }
        if self.has_texts {
            return;
        }
        self.has_texts = true;
        for list in 0..self.by_int.len() {
            let mut at = self.by_int[list];
            while at != NONE {
                let node = &mut self.nodes[at as usize];
                let next = node.next_by_int;
                if node.text.is_none() {
                    let text: Str = Arc::from(node.int.unwrap_or_default().to_string().as_bytes());
                    node.hash = hash_of(&text);
                    node.text = Some(text);
                    self.put_by_text(at);
                }
                at = next;
            }
        }
    }

    fn grow(&mut self) {
        self.size += 1;
        if self.size <= self.by_text.len() as u32 * AVERAGE {
            return;
        }
        let lists = self.by_text.len();
        for text in [true, false] {
            let heads = core::mem::take(if text { &mut self.by_text } else { &mut self.by_int });
            let mut new = vec![NONE; lists * 2];
            // Each list comes apart in its order.
            for (list, head) in heads.into_iter().enumerate() {
                let mut tails = [NONE, NONE];
                let mut at = head;
                while at != NONE {
                    let node = &self.nodes[at as usize];
                    let (place, next) = match text {
                        true => (node.hash, node.next_by_text),
                        false => (node.int.unwrap_or_default() as u32, node.next_by_int),
                    };
                    let half = usize::from(place as usize & lists != 0);
                    match tails[half] {
                        NONE => new[list + half * lists] = at,
                        tail if text => self.nodes[tail as usize].next_by_text = at,
                        tail => self.nodes[tail as usize].next_by_int = at,
                    }
                    tails[half] = at;
                    let node = &mut self.nodes[at as usize];
                    *(if text { &mut node.next_by_text } else { &mut node.next_by_int }) = NONE;
                    at = next;
                }
            }
            *(if text { &mut self.by_text } else { &mut self.by_int }) = new;
        }
    }

    /// The element of a string, put first in its list.
    fn find_text(&mut self, text: &Str, create: bool) -> Option<u32> {
        self.give_texts();
        let hash = hash_of(text);
        let list = (hash & self.mask()) as usize;
        let (mut at, mut before) = (self.by_text[list], NONE);
        while at != NONE {
            let node = &self.nodes[at as usize];
            let next = node.next_by_text;
            if node.hash == hash && node.text.as_ref() == Some(text) {
                if before != NONE {
                    self.nodes[before as usize].next_by_text = next;
                    self.put_by_text(at);
                }
                return Some(at);
            }
            (before, at) = (at, next);
        }
        if !create {
            return None;
        }
        let node = Node {
            text: Some(text.clone()),
            hash,
            int: None,
            value: Value::Null,
            next_by_text: NONE,
            next_by_int: NONE,
        };
        let at = self.add(node);
        self.grow();
        self.put_by_text(at);
        Some(at)
    }

    fn find_int(&mut self, int: i32, create: bool) -> Option<u32> {
        if self.by_int.is_empty() {
            self.make_lists(FIRST_LISTS);
        }
        let list = (int as u32 & self.mask()) as usize;
        let (mut at, mut before) = (self.by_int[list], NONE);
        while at != NONE {
            let node = &self.nodes[at as usize];
            let next = node.next_by_int;
            if node.int == Some(int) {
                if before != NONE {
                    self.nodes[before as usize].next_by_int = next;
                    self.put_by_int(at, int);
                }
                return Some(at);
            }
            (before, at) = (at, next);
        }
        let at = if self.has_texts {
            let at = self.find_text(&Arc::from(int.to_string().as_bytes()), create)?;
            self.nodes[at as usize].int = Some(int);
            at
        } else if create {
            let at = self.add(Node {
                text: None,
                hash: 0,
                int: Some(int),
                value: Value::Null,
                next_by_text: NONE,
                next_by_int: NONE,
            });
            self.grow();
            at
        } else {
            return None;
        };
        self.put_by_int(at, int);
        Some(at)
    }

    /// The element of a subscript, made where it is not there yet.
    pub(super) fn element(&mut self, key: &Key) -> &mut Value {
        if let (Key::Int(int), false) = (key, self.pieces.is_empty()) {
            let at = usize::try_from(*int)
                .ok()
                .and_then(|int| int.checked_sub(1))
                .filter(|at| *at < self.pieces.len());
            if let Some(at) = at {
                return &mut self.pieces[at];
            }
        }
        self.unfold_pieces();
        let at = match key {
            Key::Int(int) => self.find_int(*int, true),
            Key::Text(text) => self.find_text(text, true),
        };
        &mut self.nodes[at.unwrap_or_default() as usize].value
    }

    pub(super) fn has(&mut self, key: &Key) -> bool {
        if self.len() == 0 {
            return false;
        }
        match key {
            Key::Int(int) if !self.pieces.is_empty() => *int > 0 && *int as usize <= self.pieces.len(),
            Key::Int(int) => self.find_int(*int, false).is_some(),
            Key::Text(text) => self.find_text(text, false).is_some(),
        }
    }

    pub(super) fn delete(&mut self, key: &Key) {
        if self.len() == 0 {
            return;
        }
        self.unfold_pieces();
        let found = match key {
            Key::Int(int) => self.find_int(*int, false),
            Key::Text(text) => self.find_text(text, false),
        };
        let Some(at) = found else { return };
        let (hash, int) = (self.nodes[at as usize].hash, self.nodes[at as usize].int);
        if self.has_texts {
            let list = (hash & self.mask()) as usize;
            let mut walk = self.by_text[list];
            if walk == at {
                self.by_text[list] = self.nodes[at as usize].next_by_text;
            }
            while walk != NONE && walk != at {
                let next = self.nodes[walk as usize].next_by_text;
                if next == at {
                    self.nodes[walk as usize].next_by_text = self.nodes[at as usize].next_by_text;
                }
                walk = next;
            }
        }
        if let Some(int) = int {
            let list = (int as u32 & self.mask()) as usize;
            let mut walk = self.by_int[list];
            if walk == at {
                self.by_int[list] = self.nodes[at as usize].next_by_int;
            }
            while walk != NONE && walk != at {
                let next = self.nodes[walk as usize].next_by_int;
                if next == at {
                    self.nodes[walk as usize].next_by_int = self.nodes[at as usize].next_by_int;
                }
                walk = next;
            }
        }
        (self.nodes[at as usize].value, self.nodes[at as usize].text) = (Value::Null, None);
        self.free.push(at);
        self.size -= 1;
        if self.size == 0 {
            self.clear();
        }
    }

    /// The subscripts as they are now.
    pub(super) fn keys(&mut self) -> Vec<Str> {
        if self.len() == 0 {
            return Vec::new();
        }
        self.give_texts();
        let mut keys = Vec::with_capacity(self.size as usize);
        for head in &self.by_text {
            let mut at = *head;
            while at != NONE {
                let node = &self.nodes[at as usize];
                keys.extend(node.text.clone());
                at = node.next_by_text;
            }
        }
        keys
    }
}
