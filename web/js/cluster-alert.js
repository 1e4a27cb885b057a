// What an alert would have seen: the number over time, the rule and when it would have fired, and beside it what an alert on
// restarts saw. The rule is worked out by the worker; this draws.
import { make } from "./make.js";

const [WIDTH, HEIGHT, LEFT] = [600, 74, 22];
const MINUTE = 60_000;

/** The rule editor and its picture. `ask(rule)` gives what the worker says of a rule. */
export function createAlert(words, ask) {
  let { say, span } = words;
  const rule = { expression: "not-ready", above: 0, for_ms: 5 * MINUTE };
  const labels = [];
  const worded = (key, element) => {
    labels.push([key, element]);
    return element;
  };
  const option = (name) => worded(`expression.${name}`, make("option", { value: name }));
  const expression = make("select", { class: "field", id: "cl-expression" }, ...["not-ready", "not-available", "restarts"].map(option));
  const above = make("input", { class: "field", id: "cl-above", type: "number", min: "0", max: "10000", value: "0" });
  const minutes = make("input", { class: "field", id: "cl-for", type: "number", min: "0", max: "1440", value: "5" });
  const field = (key, input) => make("span", {}, worded(key, make("label", { for: input.id })), input);
  const form = make("div", { class: "cl-rule" }, field("rule.expression", expression), field("rule.above", above), field("rule.for", minutes));
  const code = make("pre", { class: "cl-promql", tabindex: "0" });
  const picture = make("div", { class: "cl-picture" });
  const outcome = make("dl", { class: "cl-outcome" });
  const place = make("div", {}, form, code, picture, make("div", { role: "status" }, outcome));
  let shown;

  const whole = (field, most) => Math.min(most, Math.max(0, Math.floor(Number(field.value) || 0)));
  form.onchange = () => {
    Object.assign(rule, { expression: expression.value, above: whole(above, 10_000), for_ms: whole(minutes, 1440) * MINUTE });
    [above.value, minutes.value] = [rule.above, rule.for_ms / MINUTE].map(String);
    if (shown) refresh(shown.set, shown.now);
  };

  async function refresh(set, now) {
    shown = { set, now };
    const restarts = { expression: "restarts", above: 0, for_ms: rule.for_ms };
    const [seen, other] = await Promise.all([ask(set, { ...rule }), ask(set, restarts)]);
    if (shown.set === set && shown.now === now) draw(set, now, seen, other);
  }

  /** What came of a rule, in one sentence. */
  function verdict({ spans }, begun, now) {
    const last = spans.filter((one) => (one.gone_ms ?? now) >= begun).at(-1);
    if (!last) return say("alert.calm");
    const from = (ms) => `${ms < begun ? "−" : "+"}${span(Math.abs(ms - begun))}`;
    if (last.firing_ms != null) {
      const fired = say("alert.fired", { at: from(last.firing_ms) });
      return `${fired} ${last.gone_ms == null ? say("alert.still") : say("alert.gone", { at: from(last.gone_ms) })}`;
    }
    if (last.gone_ms != null) return say("alert.short", { at: from(last.pending_ms) });
    return say("alert.pending", { at: from(last.pending_ms), span: span(last.pending_ms + rule.for_ms - now) });
  }

  function draw(set, now, seen, other) {
    code.textContent = `expr: ${seen.expr}\nfor: ${rule.for_ms / MINUTE}m`;
    const row = (key, text, class_) => [make("dt", {}, say(key)), make("dd", { class: class_ }, text)];
    const fired = (answer) => (answer.spans.some((one) => one.firing_ms != null && (one.gone_ms ?? now) >= set.begun_ms) ? "fired" : "calm");
    outcome.replaceChildren(...row("alert.rule", verdict(seen, set.begun_ms, now), fired(seen)), ...row("alert.restarts", verdict(other, set.begun_ms, now), fired(other)));
    const long = Math.max(now - set.begun_ms, MINUTE);
    const first = Math.max(0, set.begun_ms - long * 0.08);
    picture.innerHTML = "";
    const text = points(seen, first).map(([at, value]) => `${at < set.begun_ms ? "−" : "+"}${span(Math.abs(at - set.begun_ms))}: ${value}`);
    picture.append(chart(seen, other, first, set.begun_ms, now, say("picture", { name: say(`expression.${rule.expression}`), steps: text.slice(-20).join(", ") })), axis(set, now, first));
  }

  function axis(set, now, first) {
    const part = (ms) => `${LEFT / WIDTH * 100 + ((ms - first) / (now - first || 1)) * (100 - (LEFT / WIDTH) * 100)}%`;
    const mark = (ms, label, end) => make("span", { style: end ? "inset-inline-end: 0" : `inset-inline-start: ${part(ms)}` }, label);
    return make("div", { class: "cl-axis", "aria-hidden": "true" }, mark(set.begun_ms, say("chart.begun")), mark(now, `+${span(now - set.begun_ms)}`, true));
  }

  function speak(next) {
    ({ say, span } = next);
    for (const [key, element] of labels) element.textContent = say(key);
    code.setAttribute("aria-label", say("rule.label"));
    if (shown) refresh(shown.set, shown.now);
  }
  speak(words);
  return { place, refresh, speak };
}

/** The points of a line from a moment on, with the value that held then. */
function points({ points: all }, first) {
  const before = all.filter(([at]) => at <= first).at(-1);
  return [[first, before?.[1] ?? 0], ...all.filter(([at]) => at > first)];
}

/** A line of steps, and below it when each rule was pending (a frame) and fired (solid). */
function chart(seen, other, first, begun, now, label) {
  const x = (ms) => LEFT + ((ms - first) / (now - first || 1)) * (WIDTH - LEFT - 1);
  const line = points(seen, first);
  const most = Math.max(1, ...line.map(([, value]) => value));
  const y = (value) => 44 - (value / most) * 36;
  let path = `M${x(first)} ${y(line[0][1])}`;
  for (const [at, value] of line.slice(1)) path += `H${x(at)}V${y(value)}`;
  path += `H${x(now)}`;
  const bars = (answer, top) => answer.spans.filter((one) => (one.gone_ms ?? now) > first).map(({ pending_ms, firing_ms, gone_ms }) => {
    const [from, to] = [x(Math.max(first, pending_ms)), x(gone_ms ?? now)];
    const frame = `<rect class="pending" x="${from}" y="${top}" width="${Math.max(2, to - from)}" height="8"/>`;
    if (firing_ms == null) return frame;
    const fires = x(Math.max(first, firing_ms));
    return `${frame}<rect class="firing" x="${fires}" y="${top}" width="${Math.max(2, to - fires)}" height="8"/>`;
  }).join("");
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  for (const [name, value] of Object.entries({ viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "cl-chart", role: "img", "aria-label": label })) svg.setAttribute(name, value);
  svg.innerHTML = `<line class="rule" x1="${LEFT}" x2="${WIDTH}" y1="44" y2="44"/><line class="begun" x1="${x(begun)}" x2="${x(begun)}" y1="4" y2="${HEIGHT}"/>
    <text x="${LEFT - 5}" y="12" text-anchor="end">${most}</text><text x="${LEFT - 5}" y="48" text-anchor="end">0</text>
    <path d="${path}"/>${bars(seen, 52)}${bars(other, 64)}`;
  return svg;
}
