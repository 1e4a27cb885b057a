// The size budgets: what a first visit loads before the editor, and what the terminal adds later, compressed as a good server
// would. Prints one line for each file and the sums, and says where one is over its aim. Ends with 1 only over the ceiling: what
// was there when the ceiling was last lowered, so that nothing grows unseen on the way to the aim. A ceiling only goes down.
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync } from "node:zlib";

const PAGE = { aim: 500_000, ceiling: 500_000 };
const SHELL = { aim: 2_000_000, ceiling: 1_980_000 };
const dist = fileURLToPath(new URL(`../../${process.env.FOURGAPS_DIST ?? "dist"}/`, import.meta.url));

/** Every file below dist/ that this text loads: in an attribute, a script or a style sheet. */
function named(text, folder) {
  // A <meta> only tells a name, for example that of the editor, which comes after the first paint.
  const loads = text.replace(/<meta\b[^>]*>/g, "");
  const names = [...loads.matchAll(/["'(]([^"'()\s<>]+\.[a-z0-9]+)(?:[?#][^"'()]*)?["')]/g)].map((match) => match[1]);
  return names
    .filter((name) => !/^[a-z]+:/.test(name))
    .map((name) => normalize(join(folder, name)))
    .filter((name) => !name.startsWith("..") && existsSync(join(dist, name)));
}

const first = new Set(["index.html"]);
for (const name of first) {
  // Scripts name the files that they load later, so only the page and its style sheets are read for names.
  if (/\.(html|css)$/.test(name)) named(readFileSync(join(dist, name), "utf8"), dirname(name)).forEach((n) => first.add(n));
}

function weigh(names) {
  let sum = 0;
  for (const name of names) {
    const bytes = readFileSync(join(dist, name));
    const packed = brotliCompressSync(bytes).length;
    sum += packed;
    console.log(`${String(packed).padStart(9)} of ${String(bytes.length).padStart(9)}  ${name}`);
  }
  return sum;
}

function judge(what, sum, { aim, ceiling }) {
  if (sum > ceiling) process.exitCode = 1;
  const over = sum > ceiling ? `, and over the ceiling of ${ceiling / 1000} kB` : "";
  return `${what} ${Math.ceil(sum / 1000)} kB with brotli, ${sum <= aim ? "within" : "OVER"} the aim of ${aim / 1000} kB${over}`;
}

const late = readdirSync(dist).filter((name) => /^(terminal|shell)[-_]/.test(name));
const page = judge("first visit", weigh(first), PAGE);
console.log(`${page}; ${judge("the terminal adds", weigh(late), SHELL)}`);
