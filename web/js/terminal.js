// The terminal: xterm.js with a line editor of our own. Owns no command: a line goes out, text comes back.
import { Terminal } from "@xterm/xterm";
import { FitAddon } from "@xterm/addon-fit";
import { LineEditor, columns, keysOf } from "./line-editor.js";

const PASTE = /\x1b\[200~([\s\S]*?)\x1b\[201~/;
/** `/etc/containerd/config.toml:12` and, as Go's library writes it, `/etc/containerd/config.toml: (12, 2)`. */
const PLACE = /(\/[\w.+@-]+(?:\/[\w.+@-]+)+)(?::\s?\((\d+), (\d+)\)|:(\d+)(?::(\d+))?)?/g;

/** The page's own colours, worked out by the browser: what a property is written as may depend on the theme. */
function theme(parent) {
  const probe = document.createElement("span");
  parent.append(probe);
  const of = (name) => {
    probe.style.color = `var(${name})`;
    return getComputedStyle(probe).color;
  };
  const colours = {
    background: of("--sheet"), foreground: of("--ink"), cursor: of("--ink"), cursorAccent: of("--sheet"), selectionBackground: of("--hit"),
    red: of("--term-red"), green: of("--term-green"), yellow: of("--term-yellow"), blue: of("--term-blue"), brightBlack: of("--ink-3"),
  };
  probe.remove();
  return colours;
}

/**
 * Puts a terminal into `parent`. `hooks`: `line(text)`, `interrupt()`, `complete(text, cursor)`, `place(file, line, column)`,
 * `leave(back)` where Tab should leave the terminal.
 */
export function createTerminal(parent, label, hooks) {
  const term = new Terminal({
    convertEol: true, cursorBlink: false, screenReaderMode: true, fontSize: 13, scrollback: 5000, tabStopWidth: 8,
    fontFamily: getComputedStyle(parent).getPropertyValue("--mono") || "monospace", theme: theme(parent), allowProposedApi: false,
  });
  const fit = new FitAddon();
  term.loadAddon(fit);
  term.open(parent);
  const name = (text) => term.textarea?.setAttribute("aria-label", text);
  name(label);

  let ahead = [];
  let busy = false;
  const editor = new LineEditor((text) => term.write(text), () => term.cols, {
    enter(text) {
      editor.finish();
      term.write("\r\n");
      busy = true;
      hooks.line(text);
    },
    interrupt() {
      editor.finish();
      term.write("^C\r\n");
      editor.begin(editor.prompt);
    },
    end() {
      editor.insert("exit");
      editor.key("\r");
    },
    complete(text, cursor) {
      if (text === "") return hooks.leave(false);
      hooks.complete(text, cursor);
    },
    clear() {
      term.write("\x1b[H\x1b[2J\x1b[3J");
      editor.row = 0;
      editor.draw();
    },
  });

  const take = (key) => {
    if (busy && key === "\x03") {
      ahead = [];
      term.write("^C\r\n");
      hooks.interrupt();
    } else if (busy || !editor.active) {
      if (ahead.length < 4096) ahead.push({ key });
    } else editor.key(key);
  };
  const drain = () => {
    while (ahead.length && editor.active && !busy) {
      const { key, text } = ahead.shift();
      if (key) editor.key(key);
      else editor.insert(text);
    }
  };
  term.write("\x1b[?2004h");
  const paste = (text) => {
    // One line break at the end of a paste means Enter no more than it does in a shell with bracketed paste.
    const given = text.replace(/\r\n?/g, "\n").replace(/\n+$/, "");
    if (!busy && editor.active) editor.insert(given);
    else ahead.push({ text: given });
  };
  const data = term.onData((text) => {
    let rest = text;
    for (let found = PASTE.exec(rest); found; found = PASTE.exec(rest)) {
      for (const key of keysOf(rest.slice(0, found.index))) take(key);
      paste(found[1]);
      rest = rest.slice(found.index + found[0].length);
    }
    // Text of an input method comes in one piece; only keys of control come alone.
    if (rest.length > 1 && !/[\x00-\x1f\x7f]/.test(rest) && !busy && editor.active) editor.insert(rest);
    else for (const key of keysOf(rest)) take(key);
  });

  term.attachCustomKeyEventHandler((event) => {
    if (event.type !== "keydown") return true;
    const command = event.ctrlKey || event.metaKey;
    const letter = event.key.toLowerCase();
    if (event.key === "Tab" && event.shiftKey) {
      hooks.leave(true);
      event.preventDefault();
      return false;
    }
    if (command && letter === "c" && (event.shiftKey || event.metaKey || term.hasSelection())) {
      if (term.hasSelection()) {
        navigator.clipboard?.writeText(term.getSelection()).catch(() => {});
        if (!event.shiftKey && !event.metaKey) term.clearSelection();
      }
      event.preventDefault();
      return false;
    }
    // The browser's own paste; as a control character it is of no use here.
    if (command && letter === "v") return false;
    // Undo and redo belong to the page.
    if (command && (letter === "z" || (letter === "y" && event.metaKey))) return false;
    return true;
  });

  // A place may go on over the edge of the screen, so whole lines are searched; columns are those of the screen.
  term.registerLinkProvider({
    provideLinks(y, answer) {
      const buffer = term.buffer.active;
      let first = y - 1;
      while (first > 0 && buffer.getLine(first)?.isWrapped) first -= 1;
      let text = buffer.getLine(first)?.translateToString() ?? "";
      for (let next = first + 1; buffer.getLine(next)?.isWrapped; next += 1) text += buffer.getLine(next).translateToString();
      const wide = (part) => [...part].reduce((sum, ch) => sum + columns(ch), 0);
      const at = (cell) => ({ x: (cell % term.cols) + 1, y: first + Math.floor(cell / term.cols) + 1 });
      const links = [...text.matchAll(PLACE)].map((found) => {
        const cell = wide(text.slice(0, found.index));
        return {
          text: found[0],
          range: { start: at(cell), end: at(cell + found[0].length - 1) },
          activate: () => hooks.place(found[1], Number(found[2] ?? found[4] ?? 0), Number(found[3] ?? found[5] ?? 0)),
        };
      });
      answer(links.length ? links : undefined);
    },
  });

  const refit = () => {
    if (parent.clientWidth > 0 && parent.clientHeight > 0) fit.fit();
  };
  const recolour = () => {
    term.options.theme = theme(parent);
  };
  const sizes = new ResizeObserver(refit);
  sizes.observe(parent);
  const dark = matchMedia("(prefers-color-scheme: dark)");
  dark.addEventListener("change", recolour);
  const themes = new MutationObserver(recolour);
  themes.observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"] });
  refit();

  return {
    /** Shows text of a command or of the page. */
    write: (text) => term.write(text),
    /** A dim line of the page's own, on a line of its own. */
    note(text) {
      if (editor.active) {
        editor.finish();
        term.write("\r\n");
      }
      term.write(`\x1b[90m${text}\x1b[0m\r\n`);
    },
    /** A command is done, or everything is ready: the next prompt. `text` is what stands there already. */
    prompt(prompt, text = "") {
      const typed = editor.active ? editor.text : "";
      busy = false;
      if (editor.active) term.write("\r\x1b[J");
      const finish = () => {
        // A command whose last line does not end must not lose it under the prompt.
        if (term.buffer.active.cursorX > 0 && !editor.active) term.write("\r\n");
        editor.begin(prompt, text || typed);
        drain();
      };
      term.write("", finish);
    },
    /** The prompt that stood last. */
    last: () => editor.prompt,
    /** The line goes on below: what is typed so far stays on it. */
    more() {
      busy = false;
      editor.resume();
      drain();
    },
    /** What a button of the page did, as a command; what is being typed stays. */
    echo(line) {
      const { text, cursor, active, prompt } = editor;
      if (!active) return;
      editor.replace("");
      editor.finish();
      term.write(`\x1b[90m# ${line}\x1b[0m\r\n`);
      editor.begin(prompt, text);
      editor.move(cursor);
    },
    /** Nothing more is taken until the next prompt. */
    wait() {
      busy = true;
      if (editor.active) editor.finish();
    },
    /** The lines that the arrow keys bring back. */
    remember: (text) => editor.remember(text),
    /** What stood before the cursor is finished: new text, its cursor, and what to choose from. */
    completed(text, cursor, choices) {
      if (!editor.active) return;
      if (choices) {
        const typed = editor.text;
        const at = editor.cursor;
        editor.finish();
        term.write(`\r\n${choices}\r\n`);
        editor.begin(editor.prompt, typed);
        editor.move(at);
      }
      editor.chars = [...text];
      editor.move(cursor);
    },
    /** Puts a command on the line, to be read and run by the reader. */
    put(text) {
      if (!editor.active || busy) return;
      editor.replace(text);
      term.focus();
    },
    /** Runs a command as if the reader had typed it. */
    run(text) {
      if (editor.active && !busy) {
        // What is being typed stands on the next line.
        const typed = editor.text;
        editor.replace(text);
        editor.key("\r");
        if (typed && typed !== text) ahead.push({ text: typed });
      } else {
        // What was half typed and waits to come back stays behind the command.
        const half = ahead.at(-1)?.text === undefined ? ahead.length : ahead.length - 1;
        ahead.splice(half, 0, { text }, { key: "\r" });
      }
    },
    clear() {
      term.reset();
      term.write("\x1b[?2004h");
      editor.active = false;
      editor.row = 0;
    },
    /** Everything on the screen and above it, for tests and for copying. */
    text() {
      const buffer = term.buffer.active;
      const lines = [];
      for (let y = 0; y < buffer.length; y += 1) {
        const line = buffer.getLine(y);
        const text = line.translateToString(true);
        if (line.isWrapped && lines.length) lines[lines.length - 1] += text;
        else lines.push(text);
      }
      return lines.join("\n").trimEnd();
    },
    name,
    focus: () => term.focus(),
    destroy() {
      sizes.disconnect();
      themes.disconnect();
      dark.removeEventListener("change", recolour);
      data.dispose();
      term.dispose();
    },
  };
}
