// The axis: events at even distances, so that seconds and days fit on one line; where much time passes between two of them the
// line is broken and the next one is labelled.
import { clock, dayOf, groupOf, isBad } from "./timeline-words.js";

/** Free space at both ends, for the handle. */
const EDGE = 9;
/** Free space between labels. */
const APART = 12;

/** The shape of a group, in a square of side 2 around the origin; shapes differ, so that colour is not needed. */
const SHAPES = {
  did: (c) => lines(c, [[-1, -0.9], [1, -0.9], [0, 1]], true),
  file: (c) => c.rect(-0.85, -0.85, 1.7, 1.7),
  process: (c) => c.arc(0, 0, 1, 0, 7),
  unit: (c) => lines(c, [[0, -1.2], [1.2, 0], [0, 1.2], [-1.2, 0]], true),
  toolkit: (c) => lines(c, [[0, -1.1], [1, 0.8], [-1, 0.8]], true),
  sandbox: (c) => c.rect(-0.85, -0.85, 1.7, 1.7),
  pod: (c) => c.arc(0, 0, 0.95, 0, 7),
  api: (c) => lines(c, [[-1, 0], [1, 0]], false),
  node: (c) => lines(c, [[0, -1.5], [0, 1.5]], false),
};
/** Groups that are drawn as an outline. */
const HOLLOW = new Set(["sandbox", "pod"]);

function lines(c, [first, ...more], closed) {
  c.moveTo(...first);
  more.forEach((point) => c.lineTo(...point));
  if (closed) c.closePath();
}

/** Draws the mark of an event. */
export function drawMark(c, x, y, size, group, ink, sheet) {
  c.save();
  c.translate(x, y);
  c.scale(size, size);
  c.beginPath();
  SHAPES[group]?.(c);
  c.restore();
  const open = group === "api" || group === "node";
  c.lineWidth = open ? 2 : 1.4;
  c.strokeStyle = c.fillStyle = ink;
  if (HOLLOW.has(group)) {
    c.fillStyle = sheet;
    c.fill();
  } else if (!open) c.fill();
  if (HOLLOW.has(group) || open) c.stroke();
}

/** The page's own colours, worked out by the browser: what a property is written as may depend on the theme. */
export function coloursOf(element) {
  const probe = document.createElement("span");
  element.append(probe);
  const of = (name) => {
    probe.style.color = `var(${name})`;
    return getComputedStyle(probe).color;
  };
  const colours = { ink: of("--ink"), pale: of("--ink-3"), rule: of("--rule-2"), accent: of("--accent"), sheet: of("--paper") };
  probe.remove();
  return colours;
}

/** Where the event at a place of `n` stands; one more place is that of now. */
export const xOf = (at, n, width) => EDGE + (n ? (at / n) * (width - 2 * EDGE) : width - 2 * EDGE);

/** The nearest place to a point. */
export function atX(x, n, width) {
  const part = (x - EDGE) / Math.max(1, width - 2 * EDGE);
  return Math.max(0, Math.min(n, Math.round(part * n)));
}

/** Draws the axis of some events into a canvas. `day(n)` says which day it is. */
export function drawAxis(canvas, events, day, colours) {
  const { clientWidth: width, clientHeight: height } = canvas;
  const dense = devicePixelRatio || 1;
  canvas.width = Math.round(width * dense);
  canvas.height = Math.round(height * dense);
  const c = canvas.getContext("2d");
  c.scale(dense, dense);
  const style = getComputedStyle(canvas);
  const { ink, pale, rule, accent, sheet } = colours;
  const n = events.length;
  const [upper, middle, lower] = [height * 0.2, height * 0.4, height * 0.6];

  c.strokeStyle = rule;
  c.lineWidth = 1;
  c.beginPath();
  c.moveTo(EDGE, middle);
  c.lineTo(width - EDGE, middle);
  c.stroke();

  // Labels and breaks: where a day begins, and where the time between two events is long for this run.
  const long = longGap(events);
  c.font = `${parseFloat(style.fontSize) || 12}px ${style.fontFamily}`;
  c.textBaseline = "alphabetic";
  let free = -Infinity;
  events.forEach((event, at) => {
    const gap = at ? event.at_ms - events[at - 1].at_ms : 0;
    const newDay = !at || dayOf(event.at_ms) !== dayOf(events[at - 1].at_ms);
    const x = xOf(at, n, width);
    if (at && gap >= long) {
      const between = (xOf(at - 1, n, width) + x) / 2;
      c.clearRect(between - 2.5, middle - 2, 5, 4);
      c.strokeStyle = pale;
      c.beginPath();
      for (const shift of [-2, 2]) lines(c, [[between + shift - 1.5, middle + 4], [between + shift + 1.5, middle - 4]], false);
      c.stroke();
    }
    if ((newDay || gap >= long) && x >= free && x < width - 40) {
      const text = newDay ? `${day(dayOf(event.at_ms))} ${clock(event.at_ms).slice(0, 5)}` : clock(event.at_ms);
      const wide = c.measureText(text).width;
      c.fillStyle = pale;
      c.fillText(text, Math.min(x - 3, width - wide - 2), height - 3);
      free = x + wide + APART;
    }
  });

  // What one did stands above the line, what came of it below. Marks that would cover each other are drawn once.
  const seen = new Set();
  const size = n > width / 4 ? 2.2 : 3.4;
  for (const [at, event] of events.entries()) {
    const group = groupOf(event);
    const x = xOf(at, n, width);
    const bad = isBad(event);
    const spot = `${Math.round(x * 2)}${group}${bad}`;
    if (seen.has(spot)) continue;
    seen.add(spot);
    drawMark(c, x, group === "did" ? upper : lower, bad ? size * 1.25 : size, group, bad ? accent : ink, sheet);
  }
}

/** The time that is long between two events of this run: an hour, or much more than is usual. */
function longGap(events) {
  const gaps = events.slice(1).map((event, at) => event.at_ms - events[at].at_ms).filter((gap) => gap > 0);
  gaps.sort((a, b) => a - b);
  const usual = gaps[gaps.length >> 1] ?? 0;
  return Math.max(60_000, Math.min(3_600_000, usual * 20));
}
