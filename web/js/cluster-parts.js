// The pieces of the cluster view: the numbers of a DaemonSet, what holds its rollout up, the cards of nodes, and the rollout
// over time. Each takes a part of the worker's answer and gives back an element.
import { make } from "./make.js";
import { sign } from "./cluster-words.js";

const COLUMNS = ["desired", "current", "ready", "updated", "available"];

/** The numbers as `kubectl get ds` has them. */
export function numbers({ say }, set) {
  const cell = (name) => make("div", {}, make("dt", {}, say(`column.${name}`)), make("dd", {}, String(set[name])));
  return make("dl", { class: "cl-numbers" }, ...COLUMNS.map(cell));
}

/** The mark of a generation: solid for the newest one, dashed for an older one, with its number in it. */
export function generation({ say }, revision, newest) {
  if (!revision) return make("span", { class: "cl-gen none" }, "–");
  const kind = revision === newest ? "new" : "old";
  return make("span", { class: `cl-gen ${kind}` }, make("span", { class: "hidden" }, say(`generation.${kind}`)), String(revision));
}

/** What holds a rollout up, in sentences. The words of the cluster itself stand as they are. `put` offers the command for a pod. */
export function stall({ say, span, names }, set, put = true) {
  const { for_ms, blockers, blocked, refused, untouched, left } = set.stall;
  const list = make("ul", {});
  // Nodes that wait for the same are told together.
  const groups = new Map();
  for (const blocker of blockers) {
    const key = `${blocker.cause} ${blocker.told ?? ""}`;
    groups.set(key, [...(groups.get(key) ?? []), blocker]);
  }
  for (const group of groups.values()) {
    const [{ cause, pod, told }] = group;
    const item = make("li", {}, say(`cause.${cause}`, { node: group.map(({ node }) => node).join(", ") }));
    if (told) item.append(" ", make("code", {}, told));
    if (pod && put) item.append(" ", describe({ say }, pod));
    list.append(item);
  }
  if (blocked > blockers.length) list.append(make("li", {}, say("blocked.more", { n: blocked - blockers.length })));
  if (refused) list.append(make("li", {}, say("cause.beside"), " ", make("code", {}, refused)));
  const head = make("p", {}, make("strong", {}, say("stopped", { span: span(for_ms) })), ` ${set.name}`);
  const box = make("div", { class: "cl-stall" }, head, list);
  if (left) box.append(make("p", {}, say("untouched", { nodes: names(untouched, left) })));
  return box;
}

/** A button that puts the command on the prompt which tells more of a pod. */
function describe({ say }, pod) {
  const [namespace, name] = pod.split("/");
  const line = `kubectl -n ${namespace} describe pod ${name}`;
  return make("button", { type: "button", class: "command", "data-put": line, title: say("put") }, "kubectl describe");
}

/** A node: what the cluster says of it, what its containerd has loaded, and its pods. */
export function card({ say }, node, sets, chosen, choose) {
  const name = make("button", { type: "button", class: "cl-name", onclick: () => choose(node.name) }, node.name);
  if (node.name === chosen) name.setAttribute("aria-current", "true");
  const state = node.ready === "True" ? "ready" : node.ready === "False" ? "down" : "silent";
  const head = make("div", { class: "cl-head" }, name, make("span", { class: `cl-state ${state}` }, say(`node.${state}`)));
  const lines = [];
  for (const pod of node.pods) {
    const set = sets[pod.set];
    const what = make("button", { type: "button", class: "cl-pod-name", "data-put": `kubectl -n ${pod.namespace} describe pod ${pod.name}`, title: pod.name }, set ? set.name : pod.name);
    const mark = set ? generation({ say }, pod.revision, set.revision) : make("span", { class: "cl-gen none", "aria-hidden": "true" }, "·");
    const restarts = pod.restarts ? ` ↻${pod.restarts}` : "";
    const bad = pod.rung !== "ready" && pod.word !== "Completed";
    lines.push(make("li", {}, mark, what, make("span", { class: bad ? "cl-word bad" : "cl-word" }, `${pod.word} ${pod.ready}${restarts}`)));
  }
  const wanted = sets.filter((set) => set.desired && !node.pods.some((pod) => sets[pod.set] === set));
  for (const set of wanted) lines.push(make("li", { class: "pale" }, generation({ say }, 0), set.name, make("span", { class: "cl-word" }, say("pod.none"))));
  const facts = make("dl", { class: "cl-facts" });
  const fact = (key, value) => facts.append(make("dt", {}, say(`fact.${key}`)), make("dd", {}, value));
  if (node.handlers) {
    const { runs, names } = node.handlers;
    fact("handlers", runs ? (names ? names.join(" ") || say("handlers.none") : say("handlers.silent")) : say("handlers.down"));
  }
  if (node.gpus) fact("gpus", say("gpus", node.gpus));
  if (node.cordoned) fact("cordoned", say("cordoned"));
  if (node.taints.length) fact("taints", node.taints.join(" "));
  if (node.why) fact("why", node.why);
  return make("li", { class: `cl-card ${state}` }, head, make("ul", { class: "cl-pods" }, ...lines), facts);
}

/** A rollout as rows of nodes over time. Equal moments of a node are one cell. */
export function course(words, answer, set) {
  const { say, span } = words;
  if (!answer.moments.length) return make("p", { class: "pale" }, say("course.empty"));
  const from = ({ at_ms, template_generation }) => {
    if (template_generation === set.template_generation) return `+${span(Math.max(0, at_ms - set.begun_ms))}`;
    const before = set.begun_ms - at_ms;
    return before < 1000 ? say("course.before") : `−${span(before)}`;
  };
  const head = make("tr", {}, make("th", { scope: "col" }, say("course.node")));
  for (const moment of answer.moments) head.append(make("th", { scope: "col" }, from(moment)));
  const rows = answer.rows.map(({ node, cells }) => {
    const row = make("tr", {}, make("th", { scope: "row" }, node));
    const key = (cell) => cell.map(({ revision, rung }) => `${revision} ${rung}`).join("+");
    for (let at = 0; at < cells.length; ) {
      let next = at + 1;
      while (next < cells.length && key(cells[next]) === key(cells[at])) next += 1;
      const pods = cells[at].map(({ revision, rung }) => {
        const text = `${say(`generation.${revision === set.revision ? "new" : "old"}`)}${revision}: ${say(`rung.${rung}`)}`;
        const kind = revision === set.revision ? "new" : "old";
        const short = `${revision || ""} ${sign(revision || 1, set.revision, rung)} ${say(`rung.${rung}`)}`;
        return make("span", { class: `cl-spell ${kind} ${rung}`, title: text }, make("span", { class: "hidden" }, text), make("span", { "aria-hidden": "true" }, short));
      });
      row.append(make("td", { colspan: String(next - at), style: `--moments: ${next - at}` }, ...pods));
      at = next;
    }
    return row;
  });
  // Few moments get more room for their words.
  const width = Math.max(52, Math.min(150, Math.floor(440 / answer.moments.length)));
  const table = make("table", { class: "cl-course", style: `--moment: ${width}px` }, make("thead", {}, head), make("tbody", {}, ...rows));
  const scroll = make("div", { class: "cl-scroll", tabindex: "0", role: "region", "aria-label": say("course.label") }, table);
  const notes = [];
  if (answer.earlier) notes.push(say("course.earlier", { n: answer.earlier }));
  if (answer.more) notes.push(say("course.more", { n: answer.more }));
  return make("div", {}, scroll, make("p", { class: "pale" }, [say("course.legend"), ...notes].join(" ")));
}
