// How the cluster view says things: spans of time, where a pod stands, and what holds a rollout up.

import { fill } from "./timeline-words.js";

const UNITS = [["d", 86_400_000], ["h", 3_600_000], ["m", 60_000], ["s", 1_000]];

export function wording(phrases) {
  const say = (key, values = {}) => fill(phrases[key] ?? key, values);
  /** The largest unit and the next one, such as `1 h 5 min`. */
  const span = (ms) => {
    const first = UNITS.findIndex(([, unit]) => ms >= unit);
    if (first < 0) return say("span.s", { n: 0 });
    const [, unit] = UNITS[first];
    const parts = [say(`span.${UNITS[first][0]}`, { n: Math.floor(ms / unit) })];
    const next = UNITS[first + 1];
    const rest = next ? Math.floor((ms % unit) / next[1]) : 0;
    if (rest) parts.push(say(`span.${next[0]}`, { n: rest }));
    return parts.join(" ");
  };
  /** The first names of many. */
  const names = (list, all) => list.join(", ") + (all > list.length ? ` ${say("more", { n: all - list.length })}` : "");
  return { say, span, names };
}

/** A pod in one sign: which generation it is, and whether it is well. Told apart without a colour. */
export function sign(revision, newest, rung) {
  if (!revision || rung === "none") return " ";
  if (rung === "ready") return revision === newest ? "■" : "□";
  return { stopping: "↓", creating: "·", unscheduled: "·", "not-ready": "◐" }[rung] ?? "✕";
}
