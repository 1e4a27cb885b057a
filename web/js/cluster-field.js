// Thousands of nodes: a sign for each. Only those that are in sight are elements, so a rollout of any size is drawn as fast.
import { make } from "./make.js";
import { sign } from "./cluster-words.js";

const CELL = 16;

/** A field of nodes. `name(at)` is what a reader hears of a node; `choose(at)` is called where one is wanted. */
export function createField(name, choose) {
  const inner = make("div", { class: "cl-field-all", role: "none" });
  const field = make("div", { class: "cl-field", role: "listbox", tabindex: "0" }, inner);
  const readout = make("p", { class: "cl-readout", "aria-hidden": "true" });
  const place = make("div", {}, field, readout);
  const cells = new Map();
  let marks = [];
  let newest = 0;
  let columns = 1;
  let here = 0;
  let frame = 0;

  const soon = () => {
    frame ||= requestAnimationFrame(draw);
  };

  function draw() {
    frame = 0;
    columns = Math.max(1, Math.floor(field.clientWidth / CELL));
    inner.style.height = `${Math.ceil(marks.length / columns) * CELL}px`;
    const first = Math.max(0, Math.floor(field.scrollTop / CELL) - 2) * columns;
    const last = Math.min(marks.length, (Math.ceil((field.scrollTop + field.clientHeight) / CELL) + 2) * columns);
    for (const [at, cell] of cells) {
      if (at >= first && at < last) continue;
      cell.remove();
      cells.delete(at);
    }
    for (let at = first; at < last; at += 1) {
      let cell = cells.get(at);
      if (!cell) {
        cell = make("span", { class: "cl-cell", role: "option", id: `cl-cell-${at}`, "aria-posinset": String(at + 1), "aria-setsize": String(marks.length) });
        cells.set(at, cell);
        inner.append(cell);
      }
      const [revision, rung] = marks[at];
      const key = `${revision} ${rung} ${newest} ${columns} ${at === here}`;
      if (cell.dataset.key === key) continue;
      cell.dataset.key = key;
      cell.style.transform = `translate(${(at % columns) * CELL}px, ${Math.floor(at / columns) * CELL}px)`;
      cell.textContent = sign(revision, newest, rung);
      cell.classList.toggle("bad", cell.textContent === "✕");
      cell.setAttribute("aria-selected", String(at === here));
      cell.setAttribute("aria-label", name(at));
    }
    field.setAttribute("aria-activedescendant", `cl-cell-${here}`);
    readout.textContent = marks.length ? name(here) : "";
  }

  function go(at) {
    here = Math.min(marks.length - 1, Math.max(0, at));
    const top = Math.floor(here / columns) * CELL;
    if (top < field.scrollTop) field.scrollTop = top;
    if (top + CELL > field.scrollTop + field.clientHeight) field.scrollTop = top + CELL - field.clientHeight;
    soon();
  }

  field.onscroll = soon;
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
  const size = new ResizeObserver(soon);
  size.observe(field);

  return {
    place,
    label: (text) => field.setAttribute("aria-label", text),
    /** All nodes: a revision and where its pod stands, for each. */
    show(all, revision) {
      [marks, newest] = [all, revision];
      soon();
    },
    destroy: () => size.disconnect(),
  };
}
