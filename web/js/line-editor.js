// The line that is being typed: keys in, text and cursor out, drawn with plain escape sequences. Knows nothing of the shell.

/** Columns that a character takes: two for the wide ones of East Asia and for pictures, none for marks that combine. */
export function columns(ch) {
  const c = ch.codePointAt(0);
  if ((c >= 0x300 && c <= 0x36f) || (c >= 0x200b && c <= 0x200f) || (c >= 0xfe00 && c <= 0xfe0f)) return 0;
  const wide =
    (c >= 0x1100 && c <= 0x115f) || (c >= 0x2e80 && c <= 0x303e) || (c >= 0x3041 && c <= 0xa4cf) ||
    (c >= 0xac00 && c <= 0xd7a3) || (c >= 0xf900 && c <= 0xfaff) || (c >= 0xfe30 && c <= 0xfe6f) ||
    (c >= 0xff00 && c <= 0xff60) || (c >= 0xffe0 && c <= 0xffe6) || (c >= 0x1f300 && c <= 0x1faff) || (c >= 0x20000 && c <= 0x3fffd);
  return wide ? 2 : 1;
}

/** Where the cursor stands after `text` on a screen of `width` columns, counted from where the text began. */
function place(text, width, row = 0, column = 0) {
  for (const ch of text) {
    if (ch === "\n") {
      row += 1;
      column = 0;
      continue;
    }
    const wide = columns(ch);
    if (column + wide > width) {
      row += 1;
      column = 0;
    }
    column += wide;
  }
  // A full line: the next character stands on the line below, and so does the cursor.
  return column >= width ? { row: row + 1, column: 0, full: true } : { row, column, full: false };
}

const MORE = "> ";
const word = /[\p{L}\p{N}_]/u;

/** What the reader types until Enter. `wishes` has `enter(text)`, `interrupt()`, `end()`, `complete(text, cursor)`, `clear()`. */
export class LineEditor {
  constructor(write, width, wishes) {
    Object.assign(this, { write, width, wishes });
    this.prompt = "";
    this.chars = [];
    this.cursor = 0;
    this.history = [];
    this.at = 0;
    this.draft = "";
    this.killed = "";
    this.row = 0;
    this.search = undefined;
    this.active = false;
  }

  get text() {
    return this.chars.join("");
  }

  /** Shows a prompt and begins to listen; `text` is what stands there already. */
  begin(prompt, text = "") {
    this.prompt = prompt;
    this.chars = [...text];
    this.cursor = this.chars.length;
    this.at = this.history.length;
    this.row = 0;
    this.search = undefined;
    this.active = true;
    this.draw();
  }

  /** Ends listening and leaves what was typed on the screen. */
  finish() {
    this.cursor = this.chars.length;
    this.search = undefined;
    this.draw();
    this.active = false;
    this.below = this.row + 1;
    this.row = 0;
  }

  /** Goes on with a line that was finished and is not whole: the cursor stands on the line below it. */
  resume() {
    this.row = this.below;
    this.active = true;
    this.chars.push("\n");
    this.cursor = this.chars.length;
    this.draw();
  }

  /** Puts text where the cursor is. */
  insert(text) {
    const given = [...text.replace(/\r\n?/g, "\n").replace(/[\x00-\x08\x0b-\x1f\x7f]/g, "").replace(/\t/g, "    ")];
    this.chars.splice(this.cursor, 0, ...given);
    this.cursor += given.length;
    this.draw();
  }

  replace(text) {
    this.chars = [...text];
    this.cursor = this.chars.length;
    this.draw();
  }

  remember(text) {
    const line = text.trimEnd();
    if (line && this.history.at(-1) !== line) this.history.push(line);
    this.at = this.history.length;
  }

  /** Draws anew from the line on which the prompt stands. */
  draw() {
    const head = this.search === undefined ? this.prompt : `(reverse-i-search)\`${this.search}': `;
    const shown = (chars) => head + chars.join("").replaceAll("\n", `\n${MORE}`);
    const width = Math.max(this.width(), 2);
    const all = shown(this.chars);
    const end = place(all, width);
    const here = place(shown(this.chars.slice(0, this.cursor)), width);
    let out = `${this.row ? `\x1b[${this.row}A` : ""}\r\x1b[J${all.replaceAll("\n", "\r\n")}`;
    if (end.full) out += " \r";
    if (end.row > here.row) out += `\x1b[${end.row - here.row}A`;
    out += `\r${here.column ? `\x1b[${here.column}C` : ""}`;
    this.row = here.row;
    this.write(out);
  }

  move(to) {
    this.cursor = Math.max(0, Math.min(this.chars.length, to));
    this.draw();
  }

  wordLeft() {
    let at = this.cursor;
    while (at > 0 && !word.test(this.chars[at - 1])) at -= 1;
    while (at > 0 && word.test(this.chars[at - 1])) at -= 1;
    return at;
  }

  wordRight() {
    let at = this.cursor;
    while (at < this.chars.length && !word.test(this.chars[at])) at += 1;
    while (at < this.chars.length && word.test(this.chars[at])) at += 1;
    return at;
  }

  cut(from, to) {
    if (from === to) return;
    this.killed = this.chars.splice(from, to - from).join("");
    this.cursor = from;
    this.draw();
  }

  browse(step) {
    const to = this.at + step;
    if (to < 0 || to > this.history.length) return;
    if (this.at === this.history.length) this.draft = this.text;
    this.at = to;
    this.replace(to === this.history.length ? this.draft : this.history[to]);
  }

  /** The search through earlier lines; true where the key was taken. */
  searching(key) {
    const older = (from) => {
      for (let at = Math.min(from, this.history.length - 1); at >= 0; at -= 1) {
        if (this.history[at].includes(this.search)) {
          this.at = at;
          this.replace(this.history[at]);
          return;
        }
      }
      this.draw();
    };
    if (key === "\x12") {
      if (this.search === undefined) {
        this.search = "";
        this.draw();
      } else older(this.at - 1);
      return true;
    }
    if (this.search === undefined) return false;
    if (key === "\x7f") this.search = this.search.slice(0, -1);
    else if (key >= " " && !key.startsWith("\x1b")) this.search += key;
    else {
      this.search = undefined;
      this.draw();
      return key === "\x1b" || key === "\x07";
    }
    older(this.history.length - 1);
    return true;
  }

  /** One key, as a terminal sends it. */
  key(key) {
    if (this.searching(key)) return;
    const here = this.cursor;
    const last = this.chars.length;
    switch (key) {
      case "\r":
      case "\n": return this.wishes.enter(this.text);
      case "\t": return this.wishes.complete(this.text, here);
      case "\x03": return this.wishes.interrupt();
      case "\x04": return last === 0 ? this.wishes.end() : this.cut(here, Math.min(here + 1, last));
      case "\x0c": return this.wishes.clear();
      case "\x7f": case "\b": return this.cut(Math.max(here - 1, 0), here);
      case "\x1b[3~": return this.cut(here, Math.min(here + 1, last));
      case "\x1b[D": case "\x02": return this.move(here - 1);
      case "\x1b[C": case "\x06": return this.move(here + 1);
      case "\x1b[H": case "\x1bOH": case "\x1b[1~": case "\x01": return this.move(0);
      case "\x1b[F": case "\x1bOF": case "\x1b[4~": case "\x05": return this.move(last);
      case "\x1b[1;5D": case "\x1b[1;3D": case "\x1bb": return this.move(this.wordLeft());
      case "\x1b[1;5C": case "\x1b[1;3C": case "\x1bf": return this.move(this.wordRight());
      case "\x17": case "\x1b\x7f": return this.cut(this.wordLeft(), here);
      case "\x1bd": return this.cut(here, this.wordRight());
      case "\x15": return this.cut(0, here);
      case "\x0b": return this.cut(here, last);
      case "\x19": return this.insert(this.killed);
      case "\x1b[A": case "\x1bOA": case "\x10": return this.browse(-1);
      case "\x1b[B": case "\x1bOB": case "\x0e": return this.browse(1);
      default:
        if (!key.startsWith("\x1b")) this.insert(key);
    }
  }
}

/** Takes what a terminal sends apart into keys. */
export function keysOf(data) {
  return data.match(/\x1b\[[0-9;]*[A-Za-z~]|\x1bO[A-Z]|\x1b[a-z\x7f]|\x1b|[^\x1b]/gsu) ?? [];
}
