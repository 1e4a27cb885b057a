// A rollout on thousands of nodes, to watch: the worker lets time pass, step by step, and the page draws what changed.
import { make } from "./make.js";
import { createField } from "./cluster-field.js";
import { numbers, stall } from "./cluster-parts.js";

const NODES = 5_000;
/** So much virtual time passes in a picture; more where nothing happens. */
const [STEP, LONGEST] = [200, 60_000];

/** The button, the field and the numbers of a large rollout. */
export function createLarge(words, ask) {
  let names = [];
  let marks = [];
  let set;
  let since = 0;
  let run = 0;
  const title = make("p", {});
  const begin = make("button", { type: "button", class: "button", onclick: () => play() });
  const time = make("p", {});
  const counts = make("div", {});
  const told = make("div", { role: "status" });
  const state = ([revision, rung]) => words.say(`rung.${rung}`, {}) + (revision ? `, ${words.say("revision", { n: revision })}` : "");
  const field = createField((at) => `${names[at]}: ${state(marks[at])}`);
  const stage = make("div", { class: "cl-stage", hidden: "" }, time, counts, told, field.place);
  const place = make("div", { class: "cl-large" }, title, begin, stage);

  function show() {
    time.textContent = words.say("large.time", { span: words.span(since) });
    if (set) counts.replaceChildren(numbers(words, set));
    if (set?.stall && !told.firstChild) told.replaceChildren(stall(words, set, false));
    field.show(marks, set?.revision ?? 1);
  }

  async function play() {
    const mine = ++run;
    stage.hidden = false;
    begin.disabled = true;
    told.replaceChildren();
    place.dataset.state = "coming";
    try {
      const start = await ask("large", JSON.stringify({ begin: NODES }));
      if (mine !== run) return;
      [names, set, since] = [start.nodes, start.set, 0];
      marks = names.map(() => [1, "ready"]);
      place.dataset.state = "plays";
      show();
      const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
      let step = still ? LONGEST : STEP;
      for (;;) {
        const frame = await ask("large", JSON.stringify({ step }));
        if (mine !== run) return;
        for (const [at, revision, rung] of frame.changes) marks[at] = [revision, rung];
        [set, since] = [frame.set, frame.since_ms];
        show();
        if (frame.still) break;
        // Where nothing happens, time goes faster.
        if (!still) step = frame.changes.length ? STEP : Math.min(LONGEST, step * 2);
        await new Promise(requestAnimationFrame);
      }
      place.dataset.state = "done";
      await ask("large", '"end"');
    } catch {
      place.dataset.state = "failed";
      time.textContent = words.say("large.failed");
    }
    begin.disabled = false;
  }

  function speak(next) {
    words = next;
    title.textContent = words.say("large.what", { n: NODES.toLocaleString("en") });
    begin.textContent = words.say("large.play");
    field.label(words.say("large.label"));
    if (names.length) show();
  }
  speak(words);
  return {
    place,
    speak,
    destroy() {
      run += 1;
      field.destroy();
    },
  };
}
