//! Which lines of two texts differ, as GNU diff finds it: where several answers have as few changes, this is the one that it
//! prints. Source: `analyze.c`, `io.c` and `diffseq.h` of diffutils 3.8; the algorithm is that of Myers, "An O(ND) difference
//! algorithm and its variations", 1986.

/// Numbers for the lines of two texts: equal lines get equal ones.
pub fn numbers<L: AsRef<[u8]>>(lines: [&[L]; 2]) -> [Vec<usize>; 2] {
    let mut all: Vec<&[u8]> = lines.iter().flat_map(|lines| lines.iter().map(AsRef::as_ref)).collect();
    all.sort_unstable();
    all.dedup();
    lines.map(|lines| lines.iter().map(|line| all.binary_search(&line.as_ref()).unwrap_or(0)).collect())
}

/// True for each line of the old and of the new text that the other one has not. Equal lines are equal numbers, from 0 on;
/// `around` is how many lines are shown around a change, of which as many equal ones are compared too.
pub fn changed(old: &[usize], new: &[usize], around: usize) -> [Vec<bool>; 2] {
    let shortest = old.len().min(new.len());
    let same = old.iter().zip(new).take_while(|(old, new)| old == new).count();
    let head = same.saturating_sub(around);
    let same = old.iter().rev().zip(new.iter().rev()).take_while(|(old, new)| old == new).count();
    let tail = same.min(shortest - head).saturating_sub(around);
    let bodies = [&old[head..old.len() - tail], &new[head..new.len() - tail]];
    // A line more at both ends, so that a look beyond them finds nothing.
    let mut flags = bodies.map(|body| vec![false; body.len() + 2]);
    let without = [alone(bodies[0], bodies[1]), alone(bodies[1], bodies[0])];
    for (flags, without) in flags.iter_mut().zip(&without) {
        flags[1..=without.len()].copy_from_slice(without);
    }
    let places = without.map(|without| (0..without.len()).filter(|at| !without[*at]).collect::<Vec<_>>());
    let lines = [0, 1].map(|side| places[side].iter().map(|at| bodies[side][*at]).collect::<Vec<_>>());
    compare(&lines, |side, at| flags[side][places[side][at] + 1] = true);
    let [first, second] = &mut flags;
    shift(first, second, bodies[0]);
    shift(second, first, bodies[1]);
    let whole = |flags: Vec<bool>| {
        let body = flags[1..flags.len() - 1].iter().copied();
        core::iter::repeat_n(false, head).chain(body).chain(core::iter::repeat_n(false, tail)).collect()
    };
    flags.map(whole)
}

/// Lines that need no comparing: the other text has none like them, or so many that they say nothing and stand among such.
fn alone(own: &[usize], other: &[usize]) -> Vec<bool> {
    let most = own.iter().chain(other).max().map_or(0, |most| most + 1);
    let mut counts = vec![0_usize; most];
    other.iter().for_each(|line| counts[*line] += 1);
    let (mut many, mut size) = (5, own.len() / 64 / 4);
    while size > 0 {
        many *= 2;
        size /= 4;
    }
    // 1: none like it; 2: perhaps too many.
    let kind = |line: &usize| match counts[*line] {
        0 => 1,
        count => {
            if count > many {
                2
            } else {
                0
            }
        }
    };
    let mut marks: Vec<u8> = own.iter().map(kind).collect();
    let mut at = 0;
    while at < marks.len() {
        if marks[at] != 1 {
            // Those that are not within such a run stay.
            marks[at] = 0;
            at += 1;
            continue;
        }
        let mut end = at + marks[at..].iter().take_while(|mark| **mark != 0).count();
        while marks[end - 1] == 2 {
            end -= 1;
            marks[end] = 0;
        }
        let run = &mut marks[at..end];
        let unsure = run.iter().filter(|mark| **mark == 2).count();
        if unsure * 4 > run.len() {
            run.iter_mut().filter(|mark| **mark == 2).for_each(|mark| *mark = 0);
        } else {
            sift(run);
        }
        at = end;
    }
    marks.into_iter().map(|mark| mark != 0).collect()
}

/// Takes from a run of lines that need no comparing those that perhaps do.
fn sift(run: &mut [u8]) {
    let (mut least, mut size) = (1, run.len() / 4 / 4);
    while size > 0 {
        least *= 2;
        size /= 4;
    }
    least += 1;
    // So many of them in a row stay.
    let mut from = 0;
    while from < run.len() {
        let length = run[from..].iter().take_while(|mark| **mark == 2).count();
        if length >= least {
            run[from..from + length].fill(0);
        }
        from += length.max(1);
    }
    // Those near an end stay, up to three sure ones in a row.
    let near = |marks: &mut dyn Iterator<Item = &mut u8>| {
        let mut sure = 0;
        for (at, mark) in marks.enumerate() {
            if at >= 8 && *mark == 1 {
                break;
            }
            match *mark {
                1 => sure += 1,
                _ => (sure, *mark) = (0, 0),
            }
            if sure == 3 {
                break;
            }
        }
    };
    near(&mut run.iter_mut());
    near(&mut run.iter_mut().rev());
}

/// Finds the fewest changes and tells each: of which text, and which of its lines.
fn compare(lines: &[Vec<usize>; 2], mut tell: impl FnMut(usize, usize)) {
    let [old, new] = lines;
    let mut parts = vec![(0, old.len(), 0, new.len())];
    while let Some((mut from, mut to, mut over, mut upto)) = parts.pop() {
        while from < to && over < upto && old[from] == new[over] {
            (from, over) = (from + 1, over + 1);
        }
        while from < to && over < upto && old[to - 1] == new[upto - 1] {
            (to, upto) = (to - 1, upto - 1);
        }
        if from == to || over == upto {
            (from..to).for_each(|at| tell(0, at));
            (over..upto).for_each(|at| tell(1, at));
        } else {
            let (at, to_at) = middle(&old[from..to], &new[over..upto]);
            parts.push((from, from + at, over, over + to_at));
            parts.push((from + at, to, over + to_at, upto));
        }
    }
}

/// A place on a shortest way through both texts, about half of it behind.
fn middle(old: &[usize], new: &[usize]) -> (usize, usize) {
    let (width, height) = (old.len() as isize, new.len() as isize);
    let (lowest, highest, goal) = (-height, width, width - height);
    // How far each diagonal is reached from the start, and from the end.
    let place = |diagonal: isize| (diagonal + height + 1) as usize;
    let mut forth = vec![-1; (width + height + 3) as usize];
    let mut back = vec![isize::MAX; forth.len()];
    forth[place(0)] = 0;
    back[place(goal)] = width;
    let (mut least, mut most) = (0, 0);
    let (mut back_least, mut back_most) = (goal, goal);
    let is_odd = goal % 2 != 0;
    let equal = |x: isize, y: isize| old[x as usize] == new[y as usize];
    loop {
        if least > lowest {
            least -= 1;
            forth[place(least - 1)] = -1;
        } else {
            least += 1;
        }
        if most < highest {
            most += 1;
            forth[place(most + 1)] = -1;
        } else {
            most -= 1;
        }
        let mut diagonal = most;
        while diagonal >= least {
            let (low, high) = (forth[place(diagonal - 1)], forth[place(diagonal + 1)]);
            let mut x = if low < high { high } else { low + 1 };
            while x < width && x - diagonal < height && equal(x, x - diagonal) {
                x += 1;
            }
            forth[place(diagonal)] = x;
            if is_odd && (back_least..=back_most).contains(&diagonal) && back[place(diagonal)] <= x {
                return (x as usize, (x - diagonal) as usize);
            }
            diagonal -= 2;
        }
        if back_least > lowest {
            back_least -= 1;
            back[place(back_least - 1)] = isize::MAX;
        } else {
            back_least += 1;
        }
        if back_most < highest {
            back_most += 1;
            back[place(back_most + 1)] = isize::MAX;
        } else {
            back_most -= 1;
        }
        let mut diagonal = back_most;
        while diagonal >= back_least {
            let (low, high) = (back[place(diagonal - 1)], back[place(diagonal + 1)]);
            let mut x = if low < high { low } else { high - 1 };
            while x > 0 && x - diagonal > 0 && equal(x - 1, x - 1 - diagonal) {
                x -= 1;
            }
            back[place(diagonal)] = x;
            if !is_odd && (least..=most).contains(&diagonal) && x <= forth[place(diagonal)] {
                return (x as usize, (x - diagonal) as usize);
            }
            diagonal -= 2;
        }
    }
}

/// Moves each run of changes as far down as it goes, and back to where the other text has one. Flags stand one place behind
/// their lines.
fn shift(own: &mut [bool], other: &[bool], lines: &[usize]) {
    let end = lines.len();
    // A place before the first line counts as unchanged.
    let (mut at, mut to) = (0, 0);
    loop {
        while at < end && !own[at + 1] {
            while other[to + 1] {
                to += 1;
            }
            (at, to) = (at + 1, to + 1);
        }
        if at == end {
            return;
        }
        let mut start = at;
        while own[at + 1] {
            at += 1;
        }
        while other[to + 1] {
            to += 1;
        }
        let mut matching;
        loop {
            let length = at - start;
            while start > 0 && lines[start - 1] == lines[at - 1] {
                start -= 1;
                own[start + 1] = true;
                at -= 1;
                own[at + 1] = false;
                while own[start] {
                    start -= 1;
                }
                to -= 1;
                while other[to + 1] {
                    to -= 1;
                }
            }
            matching = if other[to] { at } else { end };
            while at != end && lines[start] == lines[at] {
                own[start + 1] = false;
                start += 1;
                own[at + 1] = true;
                at += 1;
                while own[at + 1] {
                    at += 1;
                }
                to += 1;
                while other[to + 1] {
                    to += 1;
                    matching = at;
                }
            }
            if length == at - start {
                break;
            }
        }
        while matching < at {
            start -= 1;
            own[start + 1] = true;
            at -= 1;
            own[at + 1] = false;
            to -= 1;
            while other[to + 1] {
                to -= 1;
            }
        }
    }
}
