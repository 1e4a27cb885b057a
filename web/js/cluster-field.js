// Thousands of nodes: a sign for each. Only those that are in sight are elements, so a rollout of any size is drawn as fast.
import { make } from "./make.js";
import { sign } from "./cluster-words.js";

const CELL = 16;
/** Names are given to the signs once they have stood still for so long, in milliseconds: nobody reads them while they run. */
const QUIET = 200;

/** A field of nodes. `name(at)` is what a reader hears of a node; `choose(at)` is called where one is wanted. */
export function createField(name, choose) {
  const inner = make("div", { class: "cl-field-all", role: "none" });
  const field = make("div", { class: "cl-field", role: "listbox", tabindex: "0" }, inner);
  const readout = make("p", { class: "cl-readout", "aria-hidden": "true" });
  const place = make("div", {}, field, readout);
  /** What each element shows, so that nothing is asked of it or written to it again. */
  const cells = new Map();
  const shown = {};
  let marks = [];
  let newest = 0;
  let columns = 1;
  let here = 0;
  let frame = 0;
  let quiet = 0;
  let [width, height, top] = [0, 0, 0];

  const soon = () => {
    frame ||= requestAnimationFrame(draw);
  };

  /** Writes what is not written yet. */
  const put = (key, value, write) => {
    if (shown[key] === value) return;
    shown[key] = value;
    write(value);
  };

  function made(at) {
    const text = document.createTextNode("");
    const element = make("span", { class: "cl-cell", role: "option", id: `cl-cell-${at}`, "aria-posinset": String(at + 1), "aria-setsize": String(marks.length), "aria-selected": "false" }, text);
    const cell = { element, text, named: false, chosen: false };
    cells.set(at, cell);
    return cell;
  }

  function say(cell, at) {
    cell.named = true;
    cell.element.setAttribute("aria-label", name(at));
  }

  function sayAll() {
    quiet = 0;
    for (const [at, cell] of cells) if (!cell.named && at < marks.length) say(cell, at);
  }

  function draw() {
    frame = 0;
    if (!width) return;
    columns = Math.max(1, Math.floor(width / CELL));
    put("height", Math.ceil(marks.length / columns) * CELL, (px) => (inner.style.height = `${px}px`));
    const first = Math.max(0, Math.floor(top / CELL) - 2) * columns;
    const last = Math.min(marks.length, (Math.ceil((top + height) / CELL) + 2) * columns);
    for (const [at, cell] of cells) {
      if (at >= first && at < last) continue;
      cell.element.remove();
      cells.delete(at);
    }
    const fresh = [];
    let silent = false;
    for (let at = first; at < last; at += 1) {
      let cell = cells.get(at);
      if (!cell) {
        cell = made(at);
        fresh.push(cell.element);
      }
      if (cell.columns !== columns) {
        cell.columns = columns;
        cell.element.style.transform = `translate(${(at % columns) * CELL}px, ${Math.floor(at / columns) * CELL}px)`;
      }
      const [revision, rung] = marks[at];
      if (cell.revision !== revision || cell.rung !== rung || cell.newest !== newest) {
        Object.assign(cell, { revision, rung, newest });
        const mark = sign(revision, newest, rung);
        if (cell.text.data !== mark) {
          if ((cell.text.data === "✕") !== (mark === "✕")) cell.element.classList.toggle("bad");
          cell.text.data = mark;
        }
        // An old name would be wrong.
        if (cell.named) cell.element.removeAttribute("aria-label");
        cell.named = false;
      }
      if (cell.chosen !== (at === here)) {
        cell.chosen = at === here;
        cell.element.setAttribute("aria-selected", String(cell.chosen));
      }
      if (!cell.named && at === here) say(cell, at);
      silent ||= !cell.named;
    }
    if (fresh.length) inner.append(...fresh);
    put("here", here, (at) => field.setAttribute("aria-activedescendant", `cl-cell-${at}`));
    put("readout", marks.length ? name(here) : "", (text) => (readout.textContent = text));
    clearTimeout(quiet);
    if (silent) quiet = setTimeout(sayAll, QUIET);
  }

  const scrolled = () => {
    top = field.scrollTop;
    soon();
  };

  function go(at) {
    here = Math.min(marks.length - 1, Math.max(0, at));
    const row = Math.floor(here / columns) * CELL;
    if (row < field.scrollTop) field.scrollTop = row;
    if (row + CELL > field.scrollTop + field.clientHeight) field.scrollTop = row + CELL - field.clientHeight;
    scrolled();
  }

  field.onscroll = scrolled;
  field.onkeydown = (event) => {
    const rows = Math.floor(field.clientHeight / CELL);
    const step = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: columns, ArrowUp: -columns, PageDown: rows * columns, PageUp: -rows * columns, Home: -marks.length, End: marks.length }[event.key];
    if (event.key === "Enter") choose?.(here);
    else if (step === undefined) return;
    else go(here + step);
    event.preventDefault();
  };
  const under = (event) => {
    const box = field.getBoundingClientRect();
    const column = Math.floor((event.clientX - box.left) / CELL);
    const at = Math.floor((event.clientY - box.top + field.scrollTop) / CELL) * columns + column;
    return column < columns && at < marks.length ? at : undefined;
  };
  field.onpointermove = (event) => {
    const at = under(event);
    if (at !== undefined && at !== here) {
      here = at;
      soon();
    }
  };
  field.onclick = (event) => {
    const at = under(event);
    if (at !== undefined) choose?.(at);
  };
  // The size is told, so that a picture need not ask for it and have the page laid out once more.
  const size = new ResizeObserver(([{ contentRect }]) => {
    ({ width, height } = contentRect);
    soon();
  });
  size.observe(field);

  return {
    place,
    label(text) {
      field.setAttribute("aria-label", text);
      // The signs are named in the same language.
      for (const cell of cells.values()) cell.named = false;
      soon();
    },
    /** All nodes: a revision and where its pod stands, for each. */
    show(all, revision) {
      [marks, newest] = [all, revision];
      soon();
    },
    destroy() {
      size.disconnect();
      clearTimeout(quiet);
    },
  };
}
