// The cluster: nodes as cards, the DaemonSet's numbers, what holds its rollout up, the rollout over time, and what an alert saw.
import style from "../../static/style/cluster.css";
import { make } from "./make.js";
import { createAlert } from "./cluster-alert.js";
import { createField } from "./cluster-field.js";
import { createLarge } from "./cluster-large.js";
import { card, course, numbers, stall } from "./cluster-parts.js";
import { wording } from "./cluster-words.js";

document.head.append(make("style", {}, style));

/** More nodes than this are signs in a field, not cards. */
const CARDS = 60;
const keyOf = (set) => `${set.namespace}/${set.name}`;

/** Draws the cluster into `place`; see views.js. Tells the page `node NAME` where a node is chosen, and `stalled` or `moves`. */
export function createCluster(place, phrases, ask, on) {
  let words = wording(phrases);
  let view;
  let past;
  let wanted;
  let chosen = "";
  let heard = false;
  let asking = 0;

  const titles = [];
  const titled = (key) => {
    const title = make("h2", { class: "label" });
    titles.push([key, title]);
    return title;
  };
  const sets = make("select", { class: "field", id: "cl-set" });
  const setLabel = make("label", { for: "cl-set" }, "");
  const chooser = make("p", { class: "cl-set" }, setLabel, sets);
  const counts = make("div", {});
  const told = make("div", { role: "status" });
  const cards = make("ul", { class: "cl-cards" });
  const field = createField((at) => sayNode(view.nodes[at]), (at) => choose(view.nodes[at].name));
  const over = make("div", {});
  const alert = createAlert(words, (set, rule) => ask("alert", JSON.stringify({ namespace: set.namespace, name: set.name, rule })));
  const large = createLarge(words, ask);
  const ofSet = make("div", {}, titled("title.course"), over, titled("title.alert"), alert.place);
  const body = make("div", { class: "cl-body" }, chooser, counts, told, titled("title.nodes"), cards, field.place, ofSet, titled("title.large"), large.place);

  const choose = (name) => on(`node ${name}`);
  const shown = () => view.sets.find((set) => keyOf(set) === wanted) ?? view.sets.find((set) => set.stall) ?? view.sets.find((set) => set.rolling) ?? view.sets[0];
  const podOf = (node, set) => node.pods.find((pod) => view.sets[pod.set] === set);
  const sayNode = (node) => {
    const pod = podOf(node, shown());
    return `${node.name}: ${pod ? `${words.say(`rung.${pod.rung}`)}, ${words.say("revision", { n: pod.revision })}` : words.say("pod.none")}`;
  };

  const pick = (key) => {
    wanted = key;
    refresh();
  };
  sets.onchange = () => pick(sets.value);

  function draw() {
    const set = shown();
    chooser.hidden = view.sets.length < 2;
    const options = view.sets.map((one) => make("option", { value: keyOf(one) }, keyOf(one)));
    sets.replaceChildren(...options);
    if (set) sets.value = keyOf(set);
    counts.replaceChildren(...(set ? [numbers(words, set)] : [make("p", { class: "pale" }, words.say("sets.none"))]));
    const stalls = view.sets.filter((one) => one.stall);
    // What holds the shown one up in full, of the others that they stand still.
    const other = (one) => make("button", { type: "button", class: "cl-other", onclick: () => pick(keyOf(one)) }, `! ${words.say("stopped", { span: words.span(one.stall.for_ms) })} ${one.name}`);
    const again = document.activeElement?.classList.contains("cl-other");
    told.replaceChildren(...stalls.map((one) => (one === set ? stall(words, one) : other(one))));
    if (again) sets.focus();
    const few = view.nodes.length <= CARDS;
    [cards.hidden, field.place.hidden] = [!few, few];
    const focused = document.activeElement?.closest?.(".cl-card")?.querySelector(".cl-name")?.textContent;
    if (few) cards.replaceChildren(...view.nodes.map((node) => card(words, node, view.sets, chosen, choose)));
    else {
      const mark = (node) => (set && podOf(node, set) ? [podOf(node, set).revision, podOf(node, set).rung] : [0, "none"]);
      field.show(view.nodes.map(mark), set?.revision ?? 0);
    }
    // A card that had the keyboard has it again.
    if (focused) [...cards.querySelectorAll(".cl-name")].find((name) => name.textContent === focused)?.focus();
    ofSet.hidden = !set;
    if (past && set) over.replaceChildren(course(words, past, set));
    if (heard !== stalls.length > 0) {
      heard = stalls.length > 0;
      on(heard ? "stalled" : "moves");
    }
  }

  async function refresh() {
    const mine = ++asking;
    try {
      const answer = await ask("cluster");
      if (mine !== asking || !answer) return;
      view = answer;
      const set = shown();
      past = set && (await ask("course", JSON.stringify({ namespace: set.namespace, name: set.name })));
      if (mine !== asking) return;
      draw();
      if (!place.contains(body)) place.replaceChildren(body);
      if (set) await alert.refresh(set, view.now_ms);
    } catch {
      // The worker was begun anew, and says so where it matters; the next move asks again.
    }
  }

  function speak(next) {
    words = wording(next);
    for (const [key, title] of titles) title.textContent = words.say(key);
    setLabel.textContent = words.say("set");
    cards.setAttribute("aria-label", words.say("title.nodes"));
    field.label(words.say("title.nodes"));
    alert.speak(words);
    large.speak(words);
    if (view) draw();
  }
  speak(phrases);

  return {
    moved: () => refresh(),
    /** The page has chosen a node. */
    tell(text) {
      chosen = text;
      if (view) draw();
    },
    speak,
    destroy() {
      asking += 1;
      field.destroy();
      large.destroy();
      place.replaceChildren();
    },
  };
}
