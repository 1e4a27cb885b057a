// "What if": the run without one step, or with two steps swapped. The worker plays it anew; here the answer is shown.
import { make } from "./make.js";

/** An answer that takes longer than this many milliseconds shows how far it is. */
const SOON = 200;

/** The part of the panel that asks, in `place`. `words()` gives the sayings, `eventOf(nth)` the event of an action. */
export function createWhatIf(place, ask, words, eventOf) {
  let asked = 0;

  function show(...children) {
    place.replaceChildren(...children);
  }

  /** Plays it; `how` is `without` or `swapped`, `nth` the action. */
  async function play(how, nth) {
    const mine = (asked += 1);
    const { say } = words();
    const step = words().event(eventOf(nth));
    const title = make("h3", {}, say(`what_if.${how}`, { step }));
    const state = make("p", { class: "tl-state", role: "status" });
    const stop = make("button", { type: "button", class: "button", onclick: () => ask.stop() }, say("what_if.stop"));
    let part = [0, 1];
    const tell = () => {
      state.textContent = say("what_if.plays", { part: part[0], whole: part[1] });
      state.style.setProperty("--part", `${(100 * part[0]) / part[1]}%`);
      stop.hidden = false;
    };
    stop.hidden = true;
    show(title, state, stop);
    let late = setTimeout(() => {
      late = 0;
      tell();
    }, SOON);
    try {
      const found = await ask("what_if", JSON.stringify({ [how]: nth }), (...told) => {
        part = told;
        if (!late) tell();
      });
      if (mine === asked) answer(title, found);
    } catch (why) {
      if (mine === asked) show(title, make("p", { role: "status" }, say("what_if.failed", { why: why.message })));
    } finally {
      clearTimeout(late);
    }
  }

  function answer(title, { apart, ends, refused }) {
    const { say, event, moment } = words();
    const parts = [title];
    if (apart) {
      const side = (key, found) =>
        make("p", { class: `tl-side ${key}` }, make("b", {}, say(`what_if.${key}`)), found ? `${moment(found.at_ms)} · ${event(found)}` : say("what_if.nothing"));
      parts.push(
        make("p", { role: "status" }, say("what_if.apart", { step: event(eventOf(apart.action)) })),
        side("was", apart.was),
        side("would", apart.would),
      );
    } else parts.push(make("p", { role: "status" }, say("what_if.same")));
    for (const nth of refused) parts.push(make("p", {}, say("what_if.refused", { step: event(eventOf(nth)) })));
    parts.push(table(ends));
    show(...parts);
  }

  function table(ends) {
    const { say } = words();
    const loaded = (end) => (!end.up ? say("what_if.down") : !end.loaded ? say("what_if.no_cri") : end.loaded.join(", ") || say("what_if.none"));
    const alive = (end) => end.sandboxes.join(", ") || say("what_if.none");
    const head = ["node", "end", "was", "would"].map((key) => make("th", { scope: "col" }, say(`what_if.${key}`)));
    const rows = ends.flatMap(([was, would]) =>
      [["loaded", loaded], ["sandboxes", alive]].map(([key, of]) => {
        const differs = of(was) !== of(would);
        const cells = [make("th", { scope: "row" }, was.node), make("td", {}, say(`what_if.${key}`)), make("td", {}, of(was))];
        const last = make("td", {}, differs ? `≠ ${of(would)}` : "=");
        if (!differs) last.setAttribute("aria-label", say("what_if.equal"));
        return make("tr", { class: differs ? "differs" : undefined }, ...cells, last);
      }),
    );
    return make("table", { class: "tl-ends" }, make("caption", {}, say("what_if.ends")), make("thead", {}, make("tr", {}, ...head)), make("tbody", {}, ...rows));
  }

  return {
    play,
    clear() {
      asked += 1;
      show();
    },
  };
}
