// Bundles what is written in JavaScript into web/gen/ before Trunk builds; writes only when something changed.
import { build } from "esbuild";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";

mkdirSync("web/gen", { recursive: true });
async function bundle(entry, target, options = {}) {
  const result = await build({
    entryPoints: [entry], bundle: true, format: "esm", minify: true, target: "es2022", legalComments: "none", write: false,
    loader: { ".css": "text" }, ...options,
  });
  const text = result.outputFiles[0].text;
  if (!existsSync(target) || readFileSync(target, "utf8") !== text) writeFileSync(target, text);
}

await bundle("web/js/editor.js", "web/gen/editor.js");
await bundle("web/js/shell-panel.js", "web/gen/terminal.js");
// The shell itself is made by Trunk; the worker finds it beside itself.
await bundle("web/js/shell-worker.js", "web/gen/shell-worker.js", { external: ["./shell.js"] });
