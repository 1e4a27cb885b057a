// What the end-to-end tests share: the built page on a server, a browser, and questions to a page.
//
//   import { after, before, test } from "node:test";
//   import { startLab } from "./lab.mjs";
//
//   let lab;
//   before(async () => { lab = await startLab(); });
//   after(async () => { await lab.close(); });
//
//   test("a learner …", async () => {
//     await lab.visit({ viewport: PHONE }, async ({ page, shot, axe }) => {
//       await page.getByRole("button", { name: "restart" }).click();
//       assert.deepEqual(await axe(), []);
//       await shot("after-restart");
//     });
//   });
//
// `visit` fails where the page printed an error or a warning, threw, or asked for a file that is not there.
// Wait by what the page shows (`locator.waitFor`, `page.waitForFunction`), never by a span of time.
// The page is read from dist/ (or FOURGAPS_DIST), so build it first: `trunk build --release` or `cargo xtask test`.
import assert from "node:assert/strict";
import { accessSync, constants, existsSync, mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { serve } from "./server.mjs";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
export const DIST = join(ROOT, process.env.FOURGAPS_DIST ?? "dist");
const SHOTS = join(ROOT, "target/e2e");
const AXE = createRequire(import.meta.url).resolve("axe-core/axe.min.js");

/** The size for which the page is made. */
export const DESK = { width: 1280, height: 800 };
/** A small phone. */
export const PHONE = { width: 360, height: 740 };

// How long a test waits, in milliseconds, for what the page is to show: a busy machine is slow, a broken page is broken.
const PATIENCE = 15_000;

const FLAGS = [
  "--no-sandbox", // Chromium refuses to run as root otherwise
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** The browser's program: CHROMIUM, or the first one on PATH. */
function browserProgram() {
  if (process.env.CHROMIUM) return process.env.CHROMIUM;
  const folders = (process.env.PATH ?? "").split(delimiter);
  for (const name of ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"]) {
    for (const folder of folders) {
      try {
        accessSync(join(folder, name), constants.X_OK);
        return join(folder, name);
      } catch {
        // not in this folder
      }
    }
  }
  throw new Error("no Chromium was found: install one, or set CHROMIUM to a browser's program");
}

/** Serves the built page below a sub-path and starts a browser. */
export async function startLab({ base = "/some/course/" } = {}) {
  if (!existsSync(join(DIST, "index.html"))) {
    throw new Error(`there is no built page in ${DIST}: run trunk build --release`);
  }
  mkdirSync(SHOTS, { recursive: true });
  const site = await serve(DIST, { base });
  const browser = await chromium.launch({ executablePath: browserProgram(), args: FLAGS });

  /**
   * Opens the page in a fresh profile, hands `{ page, context, complaints, axe, shot }` to `play`, and closes it.
   * Options: `path` (query and fragment too), `complain: true` where complaints are expected, and every option of a
   * Playwright context, for example `viewport`, `locale`, `colorScheme`, `reducedMotion`, `offline`.
   */
  async function visit(options, play) {
    const { path = "", complain = false, viewport = DESK, ...rest } = options;
    const context = await browser.newContext({ viewport, locale: "en-US", ...rest });
    try {
      const page = await context.newPage();
      page.setDefaultTimeout(PATIENCE);
      const complaints = listen(page);
      await page.goto(new URL(path, site.url).href);
      await page.locator("main, [role=main]").first().waitFor();
      const result = await play({
        page,
        context,
        complaints,
        axe: () => axeViolations(page),
        shot: (name) => page.screenshot({ path: join(SHOTS, `${name}.png`) }),
      });
      if (!complain) assert.deepEqual(complaints, [], "the browser's console stays empty");
      return result;
    } finally {
      await context.close();
    }
  }

  async function close() {
    await browser.close();
    await site.close();
  }
  return { url: site.url, site, browser, visit, close };
}

/** Collects what a page complains about: errors, warnings, and files that did not come. */
function listen(page) {
  const complaints = [];
  page.on("pageerror", (error) => complaints.push(`thrown: ${error}`));
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) complaints.push(`${message.type()}: ${message.text()}`);
  });
  page.on("requestfailed", (request) => {
    // The terminal comes late: a page that is left while it comes stops asking for it, which is no fault.
    const left = request.failure()?.errorText === "net::ERR_ABORTED" && /\/(shell|terminal)[^/]*$/.test(request.url());
    if (!left) complaints.push(`failed: ${request.url()}`);
  });
  page.on("response", (response) => {
    if (response.status() >= 400) complaints.push(`${response.status()}: ${response.url()}`);
  });
  return complaints;
}

/** What axe finds wrong for people who use a screen reader, a keyboard, or strong contrast; one line each. */
async function axeViolations(page) {
  await page.evaluate(readFileSync(AXE, "utf8"));
  const result = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"] }));
  return result.violations.flatMap(({ id, impact, nodes }) =>
    nodes.map((node) => `${id} (${impact}): ${node.target.join(" ")}: ${node.failureSummary}`),
  );
}
