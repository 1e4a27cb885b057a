// After Trunk has built: names the late bundles by their content, and writes the service worker with its list of files.
import { createHash } from "node:crypto";
import { existsSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { trim } from "./trim.mjs";

const stage = process.env.TRUNK_STAGING_DIR;
const hash = (bytes) => createHash("sha256").update(bytes).digest("hex").slice(0, 16);
const walk = (folder) =>
  readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? walk(path) : [path];
  });

const index = join(stage, "index.html");
let head = readFileSync(index, "utf8");
const tell = (name, content) => {
  const meta = `name="${name}" content="0"`;
  if (!head.includes(meta)) throw new Error(`index.html has no <meta ${meta}>`);
  head = head.replace(meta, `name="${name}" content="${content}"`);
};
/** Gives a file a name that tells its content, so that it is fetched once and never mixed with another release. */
function named(file, text) {
  const from = join(stage, file);
  const bytes = text ?? readFileSync(from);
  const name = file.replace(".", `-${hash(bytes)}.`);
  if (existsSync(from)) rmSync(from);
  writeFileSync(join(stage, name), bytes);
  return name;
}

for (const name of ["editor", "terminal"]) tell(name, named(`${name}.js`));
const built = readFileSync(join(stage, "shell_bg.wasm"));
const shell = process.env.TRUNK_PROFILE === "release" ? trim(built) : built;
const wasm = named("shell_bg.wasm", shell);
const glue = named("shell.js");
const started = readFileSync(join(stage, "shell-worker.js"), "utf8").replace("./shell.js", `./${glue}`).replaceAll("shell_bg.wasm", wasm);
tell("shell", `${named("shell-worker.js", started)} ${shell.length}`);
rmSync(join(stage, "shell_loader.js"), { force: true });
writeFileSync(index, head);

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
  .sort();
const version = hash(JSON.stringify(files.map((path) => [path, hash(readFileSync(join(stage, path)))])) + readFileSync(index));
const worker = readFileSync(new URL("./sw.js", import.meta.url), "utf8");
writeFileSync(join(stage, "sw.js"), worker.replace("__VERSION__", version).replace("__FILES__", JSON.stringify(["./", ...files])));
