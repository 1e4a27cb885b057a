// The list of events: as many rows are made as are in sight, however many events there are.
import { make } from "./make.js";
import { drawMark } from "./timeline-axis.js";
import { groupOf, isBad } from "./timeline-words.js";

const ROW = 24;
/** Rows that are made beyond those in sight. */
const MORE = 8;

/** A list in `place`. `choose(at)` is called where a row is clicked; `text(event)` gives day, date, sentence and group in words. */
export function createList(place, choose, text, colours) {
  const room = make("div", { class: "tl-room" });
  place.replaceChildren(room);
  let events = [];
  let current = -1;

  function draw() {
    const first = Math.max(0, Math.floor(place.scrollTop / ROW) - MORE);
    const last = Math.min(events.length, Math.ceil((place.scrollTop + place.clientHeight) / ROW) + MORE);
    room.style.height = `${events.length * ROW}px`;
    const rows = [];
    for (let at = first; at < last; at += 1) rows.push(row(events[at], at));
    room.replaceChildren(...rows);
    const shown = current >= first && current < last;
    if (shown) place.setAttribute("aria-activedescendant", `tl-event-${current}`);
    else place.removeAttribute("aria-activedescendant");
  }

  function row(event, at) {
    const element = make("div", {
      id: `tl-event-${at}`, class: `tl-row${isBad(event) ? " bad" : ""}${groupOf(event) === "did" ? " did" : ""}`, role: "option",
      "aria-selected": String(at === current), "aria-setsize": String(events.length), "aria-posinset": String(at + 1),
    });
    element.style.top = `${at * ROW}px`;
    const texts = text(event);
    const mark = make("canvas", { "aria-hidden": "true" });
    const [day, date, what, kind] = ["tl-day", "tl-time", "tl-what", "tl-kind"].map((name, nth) => make("span", { class: name }, texts[nth]));
    element.append(day, date, mark, what, kind);
    element.title = texts[2];
    element.onclick = () => choose(at);
    paint(mark, event, colours());
    return element;
  }

  place.onscroll = draw;
  const seen = new ResizeObserver(draw);
  seen.observe(place);
  return {
    show(next) {
      events = next;
      draw();
    },
    /** Marks the event that is shown and brings it in sight. */
    choose(at) {
      current = at;
      if (!place.clientHeight) return;
      const top = Math.min(at, events.length - 1) * ROW;
      if (top < place.scrollTop) place.scrollTop = top;
      else if (top + ROW > place.scrollTop + place.clientHeight) place.scrollTop = top + ROW - place.clientHeight;
      draw();
    },
    draw,
    destroy: () => seen.disconnect(),
  };
}

/** The mark of an event, as on the axis. */
function paint(canvas, event, { ink, accent, sheet }) {
  const dense = devicePixelRatio || 1;
  canvas.width = canvas.height = Math.round(14 * dense);
  const c = canvas.getContext("2d");
  c.scale(dense, dense);
  drawMark(c, 7, 7, 3.6, groupOf(event), isBad(event) ? accent : ink, sheet);
}
