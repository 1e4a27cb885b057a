// The terminal panel: a tab per machine, the worker behind them, progress while it arrives. The page is told of every
// action and tells of every other one; what is true is the page's list of actions.
import xtermStyle from "@xterm/xterm/css/xterm.css";
import { make } from "./make.js";
import { createTerminal } from "./terminal.js";
import { VIEWS } from "./views.js";

/** A worker that does not answer Ctrl+C within this many milliseconds is ended and begun anew. */
const PATIENCE = 400;

/** The file that `kubectl edit` names. */
const EDITED = /\/tmp\/kubectl-edit-[\w.-]+\.yaml/;

/** Commands that let time pass. */
const WAITS = [["1", "sleep 1"], ["10", "sleep 10"], ["event", "next-event"]];

document.head.append(make("style", {}, xtermStyle));

/**
 * Puts the panel into `parent`. `lab`: `{ scenario, files }`, the scenario's text and `[path, bytes]` of its files. `phrases`:
 * the panel's words. `onAct(json)` gets the action that a line was, `onPlace(host, file, line, column)` a place that was clicked,
 * `onShown(host)` the machine whose tab is shown, `onHeld(host, line)` a line that was typed while lines are held.
 */
export function createPanel(parent, lab, phrases, onAct, onPlace, onShown, onHeld) {
  const tabs = make("div", { class: "term-tabs", role: "tablist" });
  const state = make("span", { class: "term-state", role: "status" });
  const screens = make("div", { class: "term-screens" });
  // What a screen shows, as text: for tests, and for whoever copies a whole session.
  parent.read = (host) => screen(host ?? shown)?.term.text() ?? "";
  const clock = make("time", { class: "term-clock" });
  const waits = make("div", { class: "term-wait", role: "group" }, clock);
  parent.replaceChildren(make("div", { class: "term-head" }, tabs, state, waits), screens);

  const open = new Map();
  const say = (key) => phrases[key] ?? key;
  const buttons = WAITS.map(([key, line]) => {
    const button = make("button", { type: "button", class: "button quiet", "data-wait": key });
    // A click leaves the keyboard where it is: in a line that is being typed.
    button.onmousedown = (event) => event.preventDefault();
    button.onclick = () => {
      if (ready && !running) screen(shown)?.term.run(line);
    };
    waits.append(button);
    return [button, key, line];
  });
  function name() {
    waits.setAttribute("aria-label", say("wait"));
    for (const [button, key, line] of buttons) {
      button.textContent = say(`wait_${key}`);
      button.title = line;
    }
  }
  name();
  /** Virtual time, which moves by commands only; while the past is shown, that of the past. */
  function tick(ms) {
    time = ms;
    draw(held ? heldAt : ms);
  }
  function draw(ms) {
    const at = new Date(ms).toISOString();
    clock.dateTime = at;
    clock.textContent = at.slice(5, 19).replace("T", " ");
  }
  let time = 0;
  let held = "";
  let heldAt = 0;
  let worker;
  let save = "";
  let shown = "";
  let ready = false;
  let running = "";
  let edited = "";
  let patience = 0;
  let waiting = "";
  let asked;
  // Lists that the worker has not followed yet.
  let taking = 0;
  let wanted;

  // Other late parts of the page, and what they asked and were not answered yet.
  const views = new Set();
  const asking = new Map();
  let asks = 0;

  const post = (message) => worker?.postMessage(message);

  /** Asks the worker for what only the whole world can tell. `onPart(part, whole)` hears of what takes long. */
  function ask(what, arg = "", onPart) {
    return new Promise((resolve, reject) => {
      if (!worker) return reject(new Error("the shell is not here"));
      asks += 1;
      asking.set(asks, { resolve, reject, onPart });
      post({ do: "ask", id: asks, what, arg });
    });
  }

  function answered({ id, json, why }) {
    const { resolve, reject } = asking.get(id) ?? {};
    asking.delete(id);
    if (json === undefined) reject?.(new Error(why));
    else resolve?.(JSON.parse(json));
  }

  /** Ends the worker; who waits for an answer is told that none comes, and asks again when the list moves. */
  function end() {
    worker?.terminate();
    worker = undefined;
    for (const { reject } of asking.values()) reject(new Error("the shell was started anew"));
    asking.clear();
  }

  /** Gives up what is being asked: the worker is begun anew. */
  ask.stop = () => {
    end();
    for (const { term } of open.values()) term.wait();
    begin(true);
  };

  const moved = () => views.forEach((view) => view.moved());
  const screen = (host) => open.get(host);

  function show(host, focus) {
    if (!open.has(host)) return;
    shown = host;
    for (const [name, { tab, place }] of open) {
      const chosen = name === host;
      tab.setAttribute("aria-selected", String(chosen));
      tab.tabIndex = chosen ? 0 : -1;
      place.hidden = !chosen;
    }
    onShown(host);
    if (focus) screen(host).term.focus();
  }

  function add(host, prompt) {
    const tab = make("button", { type: "button", role: "tab", id: `term-tab-${host}`, "aria-controls": `term-${host}` }, host);
    const place = make("div", { class: "term-screen", role: "tabpanel", id: `term-${host}`, "aria-labelledby": tab.id });
    tabs.append(tab);
    screens.append(place);
    tab.onclick = () => show(host, true);
    const term = createTerminal(place, say("label").replace("{host}", host), {
      line(text) {
        if (held) {
          // It stands at the prompt again, until the page knows where it is to run.
          term.prompt(term.last(), text);
          onHeld(host, text);
          return;
        }
        running = host;
        term.remember(text);
        post({ do: "run", tab: host, line: text });
      },
      interrupt: () => interrupt(),
      complete: (line, cursor) => post({ do: "complete", tab: host, line, cursor }),
      place: (file, line, column) => onPlace(host, file, line, column),
      leave: (back) => leave(back),
    });
    open.set(host, { tab, place, term });
    if (prompt !== undefined) term.prompt(prompt);
  }

  tabs.onkeydown = (event) => {
    const names = [...open.keys()];
    const step = { ArrowRight: 1, ArrowLeft: names.length - 1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const next = names[(names.indexOf(shown) + step) % names.length];
    show(next, false);
    screen(next).tab.focus();
  };

  function leave(back) {
    if (back) return screen(shown)?.tab.focus();
    const all = [...document.querySelectorAll("a[href], button:not([disabled]), input, select, textarea, summary, [tabindex='0']")];
    const after = (e) => parent.compareDocumentPosition(e) & Node.DOCUMENT_POSITION_FOLLOWING && !parent.contains(e);
    const next = all.find((e) => after(e) && e.tabIndex >= 0 && e.offsetParent);
    (next ?? document.querySelector("footer, main"))?.focus();
  }

  function interrupt() {
    post({ do: "stop" });
    clearTimeout(patience);
    patience = setTimeout(() => {
      end();
      for (const { term } of open.values()) term.wait();
      begin(true);
    }, PATIENCE);
  }

  function told(again, { data }) {
    switch (data.tell) {
      case "progress": {
        const percent = Math.round((100 * data.part) / data.whole);
        state.textContent = again ? "" : say("coming").replace("{percent}", percent);
        state.style.setProperty("--part", `${percent}%`);
        break;
      }
      case "ready":
        ready = true;
        state.textContent = held;
        state.removeAttribute("style");
        tick(data.now_ms);
        for (const { host, prompt } of data.hosts) {
          if (!open.has(host)) add(host);
          const { term } = screen(host);
          if (again) {
            term.prompt(prompt);
            continue;
          }
          for (const { prompt: before, line, out } of data.back.filter((ran) => ran.tab === host)) {
            term.write(`${before}${line.replaceAll("\n", "\n> ")}\n${out}`);
            term.remember(line);
          }
          term.prompt(prompt);
        }
        if (!shown) show(open.has(wanted) ? wanted : data.first, false);
        if (asked) {
          runAsked();
        } else if (waiting) {
          screen(shown)?.term.put(waiting);
          waiting = "";
        }
        moved();
        break;
      case "taken":
        taking -= 1;
        tick(data.now_ms);
        for (const { host, prompt } of data.hosts) {
          const { term } = screen(host) ?? {};
          if (!term) continue;
          const here = (list) => list.filter((ran) => ran.tab === host);
          const changed = here(data.gone).length + here(data.back).length > 0;
          for (const { line } of here(data.gone)) term.note(say("undone").replace("{line}", line.replaceAll("\n", " ; ")));
          for (const { prompt: before, line, out } of here(data.back)) {
            term.note(say("redone"));
            term.write(`${before}${line.replaceAll("\n", "\n> ")}\n${out}`);
          }
          if (changed) term.prompt(prompt);
        }
        if (asked && !taking) runAsked();
        moved();
        break;
      case "progressed":
        asking.get(data.id)?.onPart?.(data.part, data.whole);
        break;
      case "answered":
        answered(data);
        break;
      case "out":
        screen(data.tab)?.term.write(data.text);
        edited = data.text.match(EDITED)?.[0] ?? edited;
        break;
      case "ran": {
        clearTimeout(patience);
        running = "";
        const { term } = screen(data.tab) ?? {};
        if (data.clear) term?.clear();
        if (data.more) term?.more();
        else term?.prompt(data.prompt);
        if (data.action) onAct(data.action);
        // `kubectl edit` has put the object into a file: the page's editor opens it.
        if (edited) onPlace(data.tab, edited, 1, 1);
        edited = "";
        break;
      }
      case "completed":
        screen(data.tab)?.term.completed(data.text, data.cursor, data.choices);
        break;
      case "failed":
        fell();
        break;
    }
  }

  /** The shell itself fell over: nothing of the line is kept, and everything before it is there again. */
  function fell() {
    clearTimeout(patience);
    if (!ready) return failed();
    screen(running)?.term.note(say("fell"));
    end();
    begin(true);
  }

  /** Runs what was asked before there was somebody to run it. */
  function runAsked() {
    const [host, line] = asked;
    asked = undefined;
    if (!open.has(host)) return;
    show(host, false);
    screen(host).term.run(line, true);
  }

  function failed() {
    state.textContent = say("absent");
    state.removeAttribute("style");
    const again = make("button", { type: "button", class: "button" }, say("retry"));
    again.onclick = () => begin(false);
    state.append(" ", again);
  }

  function begin(again) {
    ready = false;
    running = "";
    taking = 0;
    if (!again) state.textContent = say("coming").replace("{percent}", "0");
    const [file, whole] = (document.querySelector("meta[name=shell]")?.content ?? "").split(" ");
    worker = new Worker(new URL(file, document.baseURI), { type: "module" });
    worker.onmessage = (event) => told(again, event);
    worker.onerror = () => failed();
    post({ do: "begin", ...lab, save, whole: Number(whole) });
  }

  return {
    /** The list of actions as it is now. */
    sync(next) {
      if (next === save) return;
      save = next;
      if (!worker) begin(false);
      else {
        taking += 1;
        post({ do: "take", save });
      }
    },
    /** A dim line: what a button did, as a command. */
    echo(host, line) {
      const { term } = screen(host) ?? screen(shown) ?? {};
      if (!term || running) return;
      term.echo(line);
    },
    /** Holds lines back and says why, with another time on the clock; an empty text lets them run again. */
    hold(why, ms) {
      if (!why && !held) return;
      held = why;
      heldAt = ms;
      if (ready && state.textContent !== why) state.textContent = why;
      state.classList.toggle("held", Boolean(why));
      if (why || time) draw(why ? ms : time);
    },
    /** Puts a command on the line. */
    put(line) {
      if (ready) screen(shown)?.term.put(line);
      else waiting = line;
    },
    /** Runs a command as if the reader had typed it. */
    run(host, line) {
      if (!ready || taking) asked = [host, line];
      else if (!running && open.has(host)) {
        show(host, false);
        screen(host).term.run(line);
      }
    },
    /** Shows the tab of a machine; the keyboard stays where it is. */
    show(host) {
      if (!ready) wanted = host;
      else if (host !== shown) show(host, false);
    },
    speak(next) {
      phrases = next;
      name();
      for (const [host, { term }] of open) term.name(say("label").replace("{host}", host));
    },
    /**
     * Draws another late part into an element of the page: see views.js. `on(text)` is how it speaks to the page. Gives
     * `tell(text)`, by which the page speaks to it, `speak(phrases)` and `destroy()`.
     */
    view(name, place, words, on) {
      const view = VIEWS[name](place, words, ask, on);
      views.add(view);
      if (ready) view.moved();
      return {
        tell: (text) => view.tell?.(text),
        speak: (next) => view.speak(next),
        destroy() {
          views.delete(view);
          view.destroy();
        },
      };
    },
    destroy() {
      clearTimeout(patience);
      end();
      for (const { term } of open.values()) term.destroy();
      parent.replaceChildren();
    },
  };
}
