// The list of events: as many rows are made as are in sight, however many events there are.
import { drawMark } from "./timeline-axis.js";
import { groupOf, isBad } from "./timeline-words.js";

const ROW = 24;
/** Rows that are made beyond those in sight. */
const MORE = 8;

/** A list in `place`. `choose(at)` is called where a row is clicked; `text(event)` gives time, sentence and group in words. */
export function createList(place, choose, text, colours) {
  const room = document.createElement("div");
  room.className = "tl-room";
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
    const element = document.createElement("div");
    element.id = `tl-event-${at}`;
    element.className = `tl-row${isBad(event) ? " bad" : ""}${groupOf(event) === "did" ? " did" : ""}`;
    element.setAttribute("role", "option");
    element.setAttribute("aria-selected", String(at === current));
    element.setAttribute("aria-setsize", String(events.length));
    element.setAttribute("aria-posinset", String(at + 1));
    element.style.top = `${at * ROW}px`;
    const [time, sentence, kind] = text(event);
    const mark = document.createElement("canvas");
    mark.setAttribute("aria-hidden", "true");
    mark.dataset.group = groupOf(event);
    const cells = [time, sentence, kind].map((content, nth) => {
      const cell = document.createElement("span");
      cell.className = ["tl-time", "tl-what", "tl-kind"][nth];
      cell.textContent = content;
      return cell;
    });
    element.append(cells[0], mark, cells[1], cells[2]);
    element.title = sentence;
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
