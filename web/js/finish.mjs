// After Trunk has built: names the editor's bundle by its content, and writes the service worker with its list of files.
import { createHash } from "node:crypto";
import { existsSync, readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join, relative, sep } from "node:path";

const stage = process.env.TRUNK_STAGING_DIR;
const hash = (bytes) => createHash("sha256").update(bytes).digest("hex").slice(0, 16);
const walk = (folder) =>
  readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? walk(path) : [path];
  });

const index = join(stage, "index.html");
const edition = hash(readFileSync(join(stage, "editor.js")));
const editor = `editor.js?${edition}`;
writeFileSync(index, readFileSync(index, "utf8").replace('name="editor" content="0"', `name="editor" content="${edition}"`));

/** The recorded cases that the labs ask about: few of all, and wanted without a network too. */
function wantedCases() {
  const wanted = new Set();
  const labs = join(stage, "scenarios");
  for (const slug of existsSync(labs) ? readdirSync(labs) : []) {
    const file = join(labs, slug, "scenario.toml");
    if (!existsSync(file)) continue;
    for (const [, name] of readFileSync(file, "utf8").matchAll(/^case = "([^"]+)"/gm)) wanted.add(name);
  }
  return wanted;
}

const cases = wantedCases();
const part = (path) => path.split("/");
const files = walk(stage)
  .map((path) => relative(stage, path).split(sep).join("/"))
  .filter((path) => path !== "sw.js" && !path.endsWith(".html"))
  .filter((path) => !path.startsWith("results/") || path === "results/index.toml" || part(path).some((name) => cases.has(name)))
  .map((path) => (path === "editor.js" ? editor : path))
  .sort();
const version = hash(JSON.stringify(files.map((path) => [path, hash(readFileSync(join(stage, path.split("?")[0])))])) + readFileSync(index));
const worker = readFileSync(new URL("./sw.js", import.meta.url), "utf8");
writeFileSync(join(stage, "sw.js"), worker.replace("__VERSION__", version).replace("__FILES__", JSON.stringify(["./", ...files])));
