// TOML for CodeMirror: headers, keys and values, coloured as containerd's files are read.
import { StreamLanguage } from "@codemirror/language";

const bareKey = /^(?:[A-Za-z0-9_-]+|"(?:[^"\\]|\\.)*"|'[^']*')(?:\s*\.\s*(?:[A-Za-z0-9_-]+|"(?:[^"\\]|\\.)*"|'[^']*'))*(?=\s*=)/;
const header = /^\[\[?(?:[^\]"'#]|"(?:[^"\\]|\\.)*"|'[^']*')*\]?\]?/;
const atom = /^(?:true|false|[+-]?(?:inf|nan))\b/;
const number = /^[+-]?\d[\d_A-Za-z.:+-]*/;

function string(stream, state) {
  const { quote } = state;
  const long = quote.length === 3;
  while (!stream.eol()) {
    if (stream.match(quote)) {
      state.quote = "";
      return "string";
    }
    if (stream.next() === "\\" && quote[0] === '"') stream.next();
  }
  if (!long) state.quote = "";
  return "string";
}

export const tomlLanguage = StreamLanguage.define({
  name: "toml",
  startState: () => ({ quote: "", depth: 0, value: false }),
  copyState: (state) => ({ ...state }),
  token(stream, state) {
    if (state.quote) return string(stream, state);
    if (stream.sol() && state.depth === 0) state.value = false;
    if (stream.eatSpace()) return null;
    if (stream.match("#")) {
      stream.skipToEnd();
      return "comment";
    }
    if (!state.value && state.depth === 0 && stream.peek() === "[") {
      stream.match(header);
      return "heading";
    }
    if (stream.match(bareKey)) return "propertyName";
    if (stream.eat("=")) {
      state.value = true;
      return "operator";
    }
    const open = stream.match(/^(?:"""|'''|"|')/);
    if (open) {
      state.quote = open[0];
      return string(stream, state);
    }
    if (stream.match(/^[[{]/)) {
      state.depth += 1;
      return "bracket";
    }
    if (stream.match(/^[\]}]/)) {
      state.depth = Math.max(0, state.depth - 1);
      return "bracket";
    }
    if (stream.match(atom)) return "bool";
    if (stream.match(number)) return "number";
    stream.next();
    return null;
  },
  languageData: { commentTokens: { line: "#" }, closeBrackets: { brackets: ["[", "{", '"', "'"] } },
});
