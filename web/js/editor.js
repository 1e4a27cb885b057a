// The file editor: CodeMirror 6, one state per file, marks given from outside.
// Owns no rule of containerd: what is wrong or not read is told to it line by line.
import { Annotation, Compartment, EditorState, StateEffect, StateField, Transaction } from "@codemirror/state";
import {
  Decoration, EditorView, GutterMarker, WidgetType, drawSelection, gutterLineClass, highlightActiveLine, keymap, lineNumbers,
} from "@codemirror/view";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { HighlightStyle, bracketMatching, syntaxHighlighting } from "@codemirror/language";
import { lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { tags } from "@lezer/highlight";
import { tomlLanguage } from "./toml-mode.js";

const outside = Annotation.define();
const setLost = StateEffect.define();
const setFlash = StateEffect.define();

class Note extends WidgetType {
  constructor(text) { super(); this.text = text; }
  eq(other) { return other.text === this.text; }
  toDOM() {
    const span = document.createElement("span");
    span.className = "cm-note";
    span.textContent = this.text;
    return span;
  }
}

const lostGutter = new (class extends GutterMarker {
  elementClass = "cm-lost-number";
})();

/** Lines that are written and not read: `[{ from, to, text }]`, the text stands behind the first of them. */
const lostLines = StateField.define({
  create: () => ({ lines: Decoration.none, gutter: Decoration.none, told: false }),
  update(value, tr) {
    const told = tr.effects.find((e) => e.is(setLost));
    if (!told) return tr.docChanged ? { ...value, lines: value.lines.map(tr.changes), gutter: value.gutter.map(tr.changes) } : value;
    const lines = [];
    const gutter = [];
    for (const { from, to, text } of told.value) {
      for (let n = from; n <= Math.min(to, tr.state.doc.lines); n += 1) {
        const line = tr.state.doc.line(n);
        lines.push(Decoration.line({ class: "cm-lost" }).range(line.from));
        gutter.push(lostGutter.range(line.from));
        if (n === from && text) {
          lines.push(Decoration.widget({ widget: new Note(text), side: 1 }).range(line.to));
        }
      }
    }
    return { lines: Decoration.set(lines, true), gutter: Decoration.set(gutter, true), told: true };
  },
  provide: (field) => [
    EditorView.decorations.from(field, (v) => v.lines),
    gutterLineClass.from(field, (v) => v.gutter),
  ],
});

const flashLine = StateField.define({
  create: () => Decoration.none,
  update(value, tr) {
    const told = tr.effects.find((e) => e.is(setFlash));
    if (told) {
      if (told.value === 0) return Decoration.none;
      return Decoration.set([Decoration.line({ class: "cm-flash" }).range(tr.state.doc.line(told.value).from)]);
    }
    return tr.docChanged ? Decoration.none : value;
  },
  provide: (field) => EditorView.decorations.from(field),
});

// Colours come from the page's own properties, so that the theme follows without a word.
const colours = HighlightStyle.define([
  { tag: tags.heading, color: "var(--code-head)", fontWeight: "600" },
  { tag: tags.propertyName, color: "var(--code-key)" },
  { tag: tags.string, color: "var(--code-string)" },
  { tag: [tags.number, tags.bool], color: "var(--code-atom)" },
  { tag: tags.comment, color: "var(--code-comment)", fontStyle: "italic" },
  { tag: [tags.operator, tags.bracket], color: "var(--code-mark)" },
]);

/**
 * Puts an editor into `parent`. `onChange(path, text)` is called for every change by the reader, never for
 * changes that came from outside; `onHeld()` for every attempt to type while it is locked.
 */
export function createEditor(parent, onChange, onHeld) {
  const label = new Compartment();
  const words = new Compartment();
  const lock = new Compartment();
  let locked = false;
  const states = new Map();
  let path = "";
  let labelText = "";
  let phrases = {};
  let flashTimer = 0;
  let marked = "";

  const labelOf = () => EditorView.contentAttributes.of({ "aria-label": labelText, tabindex: "0", spellcheck: "false", autocapitalize: "off", autocorrect: "off" });
  const wordsOf = () => EditorState.phrases.of(phrases);
  const extensions = [
    lineNumbers(), history(), drawSelection(), highlightActiveLine(), bracketMatching(), lintGutter(), search({ top: true }),
    highlightSelectionMatches(), EditorView.lineWrapping, lostLines, flashLine, tomlLanguage, syntaxHighlighting(colours),
    keymap.of([...searchKeymap, ...historyKeymap, ...lintKeymap, ...defaultKeymap]),
    EditorView.domEventHandlers({
      beforeinput(event) {
        if (!locked) return false;
        event.preventDefault();
        onHeld();
        return true;
      },
    }),
    EditorView.updateListener.of((u) => {
      if (u.docChanged && !u.transactions.some((tr) => tr.annotation(outside))) onChange(path, u.state.doc.toString());
    }),
  ];
  const fresh = (text) =>
    EditorState.create({ doc: text, extensions: [label.of(labelOf()), words.of(wordsOf()), lock.of(EditorState.readOnly.of(locked)), ...extensions] });
  const view = new EditorView({ parent, state: fresh("") });

  const sync = (text) => {
    const old = view.state.doc.toString();
    if (old === text) return;
    let from = 0;
    const most = Math.min(old.length, text.length);
    while (from < most && old.charCodeAt(from) === text.charCodeAt(from)) from += 1;
    let back = 0;
    while (back < most - from && old.charCodeAt(old.length - 1 - back) === text.charCodeAt(text.length - 1 - back)) back += 1;
    view.dispatch({
      changes: { from, to: old.length - back, insert: text.slice(from, text.length - back) },
      annotations: [outside.of(true), Transaction.addToHistory.of(false)],
    });
  };

  return {
    /** Shows a file; each keeps its own selection and editing history. */
    open(nextPath, text, nextLabel) {
      if (nextPath !== path) {
        if (path) states.set(path, view.state);
        path = nextPath;
        view.setState(states.get(path) ?? fresh(text));
        marked = "";
        view.dispatch({ effects: [label.reconfigure(labelOf()), words.reconfigure(wordsOf()), lock.reconfigure(EditorState.readOnly.of(locked))] });
      }
      if (nextLabel !== labelText || view.contentDOM.getAttribute("aria-label") !== nextLabel) {
        labelText = nextLabel;
        view.dispatch({ effects: label.reconfigure(labelOf()) });
      }
      sync(text);
    },
    /** Marks faults `[{ line, column, severity, message }]` and lines that are not read. */
    mark(faults, lost) {
      const { doc } = view.state;
      const diagnostics = faults.map(({ line: n, column, severity, message }) => {
        const line = doc.line(Math.min(Math.max(n, 1), doc.lines));
        const from = Math.min(line.from + Math.max(column - 1, 0), line.to);
        const word = /^[^\s=]+/.exec(line.text.slice(from - line.from));
        return { from: word ? from : line.from, to: word ? from + word[0].length : line.to, severity, message };
      });
      // One step for both, and none where nothing changed: every step makes the browser lay the page out.
      const told = JSON.stringify([path, diagnostics, lost]);
      if (told === marked && view.state.field(lostLines).told) return;
      marked = told;
      view.dispatch({ effects: [setLost.of(lost), setDiagnostics(view.state, diagnostics).effects].flat() });
    },
    /** Moves to a line, shows it for a moment, and takes the keyboard if asked. */
    reveal(lineNumber, column, focus) {
      const line = view.state.doc.line(Math.min(Math.max(lineNumber, 1), view.state.doc.lines));
      const at = Math.min(line.from + Math.max(column - 1, 0), line.to);
      view.dispatch({
        selection: { anchor: at },
        effects: [EditorView.scrollIntoView(at, { y: "center" }), setFlash.of(line.number)],
      });
      if (focus) view.focus();
      clearTimeout(flashTimer);
      flashTimer = setTimeout(() => view.dispatch({ effects: setFlash.of(0) }), 1600);
    },
    /** Lets nothing be typed, or lets it again. */
    lock(on) {
      locked = on;
      view.dispatch({ effects: lock.reconfigure(EditorState.readOnly.of(on)) });
    },
    /** Takes the words of the reader's language for the editor's own labels. */
    speak(nextPhrases) {
      phrases = nextPhrases;
      view.dispatch({ effects: words.reconfigure(wordsOf()) });
    },
    /** Forgets a file that is gone, so that a new one of the same name starts clean. */
    forget(gone) { states.delete(gone); },
    focus() { view.focus(); },
    destroy() {
      clearTimeout(flashTimer);
      view.destroy();
    },
  };
}
