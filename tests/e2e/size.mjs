// The size budget: what a first visit loads before the editor, compressed as a good server would.
// Prints one line for each file and the sum; ends with 1 where the sum is over the budget.
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync } from "node:zlib";

const BUDGET = 500_000;
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

let sum = 0;
for (const name of first) {
  const bytes = readFileSync(join(dist, name));
  const packed = brotliCompressSync(bytes).length;
  sum += packed;
  console.log(`${String(packed).padStart(9)} of ${String(bytes.length).padStart(9)}  ${name}`);
}
const verdict = sum <= BUDGET ? "within" : "OVER";
console.log(`${Math.ceil(sum / 1000)} kB with brotli, ${verdict} the budget of ${BUDGET / 1000} kB`);
if (sum > BUDGET) process.exitCode = 1;
