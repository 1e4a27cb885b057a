// How the time line says things: moments, and events as sentences.

/** What an event is about: the part of its kind before the dot. The order is that of the filter. */
export const GROUPS = ["did", "file", "process", "unit", "toolkit", "sandbox", "pod", "api", "node"];
/** What went wrong, or was lost. */
const BAD = new Set([
  "process.killed", "process.refused", "process.no_cri", "process.k3s", "unit.failed", "toolkit.killed", "toolkit.said", "pod.warning",
  "api.warning", "node.down", "node.not_ready", "node.no_kubelet",
]);
const DAY = 86_400_000;

export const groupOf = (event) => event.kind.slice(0, event.kind.indexOf("."));
export const isBad = (event) => BAD.has(event.kind) || (event.kind === "process.exited" && event.args[1] !== "0") || (event.kind === "toolkit.exited" && event.args[1] !== "0");
export const dayOf = (ms) => Math.floor(ms / DAY);

const two = (n) => String(n).padStart(2, "0");
/** The time of the day, with fractions only where there are some. */
export function clock(ms) {
  const left = ms % DAY;
  const rest = left % 1000 ? `.${String(left % 1000).padStart(3, "0")}` : "";
  return `${two(Math.floor(left / 3_600_000))}:${two(Math.floor(left / 60_000) % 60)}:${two(Math.floor(left / 1000) % 60)}${rest}`;
}

/** Puts values between the braces of a phrase, by place or by name. */
export const fill = (text, values) => text.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);

export function sayings(phrases, epoch) {
  const say = (key, values = {}) => fill(phrases[key] ?? key, values);
  /** A number of things, where a language tells one from many. */
  const count = (key, n) => say(n === 1 && phrases[`${key}.one`] ? `${key}.one` : `${key}.other`, { n });
  const date = (ms) => `${new Date(epoch + ms).toISOString().slice(0, 10)} ${clock(ms)}`;
  const day = (ms) => say("day", { day: dayOf(ms) });
  /** `day 3 · 2026-03-05 09:00:00`. */
  const moment = (ms) => `${day(ms)} · ${date(ms)}`;
  /** An event without its time. A long line is cut: the list has one line for each. */
  const event = ({ node, kind, args, count: n }) => {
    const named = Object.fromEntries(args.map((arg, at) => [String(at), arg.replaceAll("\n", " ⏎ ")]));
    const text = say(`event.${kind}`, named);
    const who = node ? `${node}: ` : "";
    return who + text + (n > 1 ? ` ${say("times", { n })}` : "");
  };
  return { say, count, day, date, moment, event };
}
