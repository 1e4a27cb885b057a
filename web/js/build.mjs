// Bundles the editor into web/gen/editor.js before Trunk builds; writes only when something changed.
import { build } from "esbuild";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";

const result = await build({
  entryPoints: ["web/js/editor.js"], bundle: true, format: "esm", minify: true, target: "es2022", legalComments: "none", write: false,
});
const text = result.outputFiles[0].text;
const target = "web/gen/editor.js";
if (!existsSync(target) || readFileSync(target, "utf8") !== text) {
  mkdirSync("web/gen", { recursive: true });
  writeFileSync(target, text);
}
