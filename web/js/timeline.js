// The time line: what happened, in order. A slider shows the page as it was after any event; the page folds what was the case
// then, the worker tells the events. Below it a list, filters, and "what if".
import style from "../../static/style/timeline.css";
import { make } from "./make.js";
import { atX, coloursOf, drawAxis, xOf } from "./timeline-axis.js";
import { createList } from "./timeline-list.js";
import { createWhatIf } from "./timeline-what-if.js";
import { GROUPS, groupOf, sayings } from "./timeline-words.js";

document.head.append(make("style", {}, style));

/** How far Page Up and Page Down go. */
const FAR = 10;

/** Draws the time line into `place`; see views.js. */
export function createTimeline(place, phrases, ask, on) {
  let epoch = 0;
  let words = sayings(phrases, epoch);
  let retold = -1;
  // All events, those that the filters let through, and which of these is shown; behind the last one it is now.
  let all = [];
  let seen = [];
  let at = 0;
  let colours = {};
  // Asking for it makes the browser lay the page out.
  let width = 0;
  const hidden = { nodes: new Set(), groups: new Set() };
  // One picture for each frame, however often pointer and keys move.
  let frame = 0;
  let wanted = 0;

  const canvas = make("canvas", { "aria-hidden": "true" });
  const handle = make("span", { class: "tl-handle", "aria-hidden": "true" });
  const track = make("div", { class: "tl-track", role: "slider", tabindex: "0", "aria-valuemin": "0" }, canvas, handle);
  const count = make("span", { class: "figures" });
  const title = make("span", {});
  const open = make("button", { type: "button", class: "button tl-open", "aria-expanded": "false", "aria-controls": "tl-panel", onclick: () => unfold() }, title, count);
  const back = make("button", { type: "button", class: "button tl-step back", onclick: () => go(wanted - 1) }, "◄");
  const forth = make("button", { type: "button", class: "button tl-step forth", onclick: () => go(wanted + 1) }, "►");
  const readout = make("p", { class: "tl-readout" });
  const now = make("button", { type: "button", class: "button tl-now", onclick: () => go(seen.length) });
  const goOn = make("button", { type: "button", class: "button strong tl-go-on", onclick: () => on("go on") });
  const question = make("div", { class: "tl-ask", role: "alertdialog", hidden: "" });
  const filters = make("div", { class: "tl-filters" });
  const rows = make("div", { class: "tl-list", role: "listbox", tabindex: "0" });
  const deeds = make("div", { class: "tl-deeds" });
  const answer = make("div", { class: "tl-answer" });
  const panel = make("div", { class: "tl-panel", id: "tl-panel", hidden: "" }, filters, rows, make("div", { class: "tl-foot" }, deeds, answer));
  const bar = make("div", { class: "tl-bar" }, open, back, track, forth, readout, now, goOn);
  const root = make("section", { class: "tl" }, panel, question, bar);
  place.replaceChildren(root);

  const list = createList(rows, (nth) => go(nth), (event) => [words.day(event.at_ms), words.date(event.at_ms), words.event(event), words.say(`group.${groupOf(event)}`)], () => colours);
  const whatIf = createWhatIf(answer, ask, () => words, (nth) => all.find((event) => event.action === nth && groupOf(event) === "did"));

  // The list can be read from outside: for tests, and for whoever copies a whole run.
  place.read = () => seen.map((event) => `${words.moment(event.at_ms)} ${words.event(event)}`);

  /** Shows the moment after an event, or now. */
  function go(to) {
    wanted = Math.max(0, Math.min(seen.length, to));
    frame ||= requestAnimationFrame(() => {
      frame = 0;
      if (wanted === at) return;
      at = wanted;
      if (at === seen.length) on("now");
      else {
        const { past, run } = seen[at].point;
        on(run ? `show run ${run[0]} ${run[1]}` : `show past ${past}`);
      }
      mark();
    });
  }

  /** Says and marks what is shown. */
  function mark() {
    const n = seen.length;
    const past = at < n;
    const event = seen[at];
    const text = past ? `${words.moment(event.at_ms)} · ${words.event(event)}` : words.say(n ? "now" : "empty");
    handle.style.transform = `translateX(${xOf(at, n, width)}px)`;
    track.setAttribute("aria-valuemax", n);
    track.setAttribute("aria-valuenow", at);
    track.setAttribute("aria-valuetext", text);
    readout.textContent = text;
    readout.title = text;
    root.classList.toggle("past", past);
    now.disabled = goOn.disabled = !past;
    back.disabled = at === 0;
    forth.disabled = !past;
    if (panel.hidden) return;
    list.choose(at);
    offer(event);
  }

  /** What can be asked of the step that an event came of. */
  function offer(event) {
    const nth = event?.action ?? undefined;
    const key = String(nth);
    if (deeds.dataset.of === key) return;
    deeds.dataset.of = key;
    whatIf.clear();
    if (nth === undefined) return deeds.replaceChildren(make("p", { class: "pale" }, words.say("what_if.choose")));
    const did = all.find((other) => other.action === nth && groupOf(other) === "did");
    const last = all.at(-1)?.action ?? 0;
    const button = (how) => make("button", { type: "button", class: "button", onclick: () => whatIf.play(how, nth) }, words.say(`what_if.ask_${how}`));
    deeds.replaceChildren(
      make("p", {}, make("b", {}, words.say("what_if.step")), did ? words.event(did) : ""),
      button("without"),
      ...(nth < last ? [button("swapped")] : []),
    );
  }

  function unfold() {
    panel.hidden = !panel.hidden;
    open.setAttribute("aria-expanded", String(!panel.hidden));
    list.draw();
    mark();
  }

  /** Lets through what the filters want; the event that is shown stays, or the nearest before it. */
  function sift() {
    const wasNow = at >= seen.length;
    const shown = all.indexOf(seen[at]);
    let place = 0;
    seen = all.filter((event, nth) => {
      const passes = !hidden.nodes.has(event.node) && !hidden.groups.has(groupOf(event));
      if (passes && nth < shown) place += 1;
      return passes;
    });
    place = wasNow ? seen.length : Math.min(place, seen.length);
    at = wanted = place;
    count.textContent = String(seen.length);
    list.show(seen);
    draw();
    if (!wasNow) {
      at = -1;
      go(place);
    }
  }

  function draw() {
    width = canvas.clientWidth;
    if (!width) return;
    colours = coloursOf(root);
    drawAxis(canvas, seen, (day) => words.say("day", { day }), colours);
    list.draw();
    mark();
  }

  /** A box for each machine and each kind of thing that occurs. */
  function offerFilters() {
    const boxes = (label, values, away, name) => {
      const box = (value) => {
        const input = make("input", { type: "checkbox", checked: away.has(value) ? undefined : "" });
        input.onchange = () => {
          if (input.checked) away.delete(value);
          else away.add(value);
          sift();
        };
        return make("label", {}, input, name(value));
      };
      return make("fieldset", {}, make("legend", {}, words.say(label)), ...values.map(box));
    };
    const nodes = [...new Set(all.map((event) => event.node))].sort();
    const groups = GROUPS.filter((group) => all.some((event) => groupOf(event) === group));
    filters.replaceChildren(
      boxes("filter.nodes", nodes, hidden.nodes, (node) => node || words.say("filter.no_node")),
      boxes("filter.kinds", groups, hidden.groups, (group) => words.say(`group.${group}`)),
    );
  }

  function speak(next) {
    phrases = next;
    words = sayings(phrases, epoch);
    root.setAttribute("aria-label", words.say("title"));
    track.setAttribute("aria-label", words.say("slider"));
    rows.setAttribute("aria-label", words.say("list"));
    title.textContent = words.say("title");
    back.setAttribute("aria-label", words.say("back"));
    forth.setAttribute("aria-label", words.say("forth"));
    now.textContent = words.say("to_now");
    goOn.textContent = words.say("go_on");
    delete deeds.dataset.of;
    offerFilters();
    draw();
    mark();
  }

  /** The page asks whether to go on from here: `n` later steps are set aside, `how` says where exactly one goes on. */
  function askWhether(asked) {
    question.hidden = !asked;
    if (!asked) return question.replaceChildren();
    const yes = make("button", { type: "button", class: "button strong", onclick: () => on("confirm") }, words.say("go_on"));
    const no = make("button", { type: "button", class: "button", onclick: () => on("cancel") }, words.say("stay"));
    const text = [asked.n ? words.count("aside", asked.n) : "", asked.how === "here" ? "" : words.say(`from.${asked.how}`)].join(" ").trim();
    question.setAttribute("aria-label", words.say("go_on"));
    question.replaceChildren(make("p", { id: "tl-question" }, text), yes, no);
    question.setAttribute("aria-describedby", "tl-question");
    yes.focus();
  }
  question.onkeydown = (event) => {
    if (event.key !== "Escape") return;
    event.preventDefault();
    event.stopPropagation();
    on("cancel");
    track.focus();
  };

  const KEYS = {
    ArrowLeft: () => wanted - 1, ArrowDown: () => wanted - 1, ArrowRight: () => wanted + 1, ArrowUp: () => wanted + 1,
    PageDown: () => wanted - FAR, PageUp: () => wanted + FAR, Home: () => 0, End: () => seen.length, Escape: () => seen.length,
  };
  const keyed = (turned) => (event) => {
    const to = KEYS[turned[event.key] ?? event.key]?.();
    if (to === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    go(to);
  };
  track.onkeydown = keyed({});
  // In a list the next one is below.
  rows.onkeydown = keyed({ ArrowDown: "ArrowUp", ArrowUp: "ArrowDown", PageDown: "PageUp", PageUp: "PageDown" });

  let left = 0;
  const point = (event) => go(atX(event.clientX - left, seen.length, width));
  track.onpointerdown = (event) => {
    left = canvas.getBoundingClientRect().left;
    track.setPointerCapture(event.pointerId);
    track.focus();
    point(event);
  };
  track.onpointermove = (event) => {
    if (track.hasPointerCapture(event.pointerId)) point(event);
  };

  const resized = new ResizeObserver(draw);
  resized.observe(track);
  const themed = new MutationObserver(draw);
  themed.observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"] });
  const dark = matchMedia("(prefers-color-scheme: dark)");
  dark.addEventListener("change", draw);
  speak(phrases);

  return {
    /** The worker has followed the list: whatever is new is asked for. */
    async moved() {
      const news = await ask("story", `${retold}:${all.length}`).catch(() => undefined);
      if (!news) return;
      epoch = news.epoch_ms;
      words = sayings(phrases, epoch);
      retold = news.retold;
      all = [...all.slice(0, news.known), ...news.events];
      delete deeds.dataset.of;
      offerFilters();
      sift();
    },
    /** What the page says: whether the past is shown, and whether it asks to go on from there. */
    tell(text) {
      const { past, ask: asked } = JSON.parse(text || "{}");
      if (!past && at < seen.length) {
        at = wanted = seen.length;
        mark();
      }
      askWhether(asked);
    },
    speak,
    destroy() {
      cancelAnimationFrame(frame);
      resized.disconnect();
      themed.disconnect();
      dark.removeEventListener("change", draw);
      list.destroy();
      place.replaceChildren();
    },
  };
}
