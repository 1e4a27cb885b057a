// How long a typed line takes in Chromium, from the Enter key to the next prompt on the screen, with what the driver and one
// frame of the screen add (the empty line tells how much). Prints one line each: the median and the worst of the runs. A benchmark, no test: nothing fails here for being slow.
import { startLab } from "./lab.mjs";

const RUNS = 15;
const LINES = [
  ["the empty line", ""],
  ["the incident's loop, one turn", "printf 'version = 2\\nimports = [\"/etc/containerd/conf.d/99-nvidia.toml\"]\\n' > /tmp/t.toml; containerd --config /tmp/t.toml config dump 2>/dev/null | grep -c 'runtimes.nvidia'"],
  [
    "the incident's loop, whole",
    "for f in 99-nvidia zz-labhub-registry; do printf 'version = 2\\nimports = [\"/etc/containerd/conf.d/%s.toml\"]\\n' $f > /tmp/t.toml; echo -n \"$f only: \"; containerd --config /tmp/t.toml config dump 2>/dev/null | grep -c 'runtimes.nvidia'; done",
  ],
  ["grep -n on a dump", 'containerd config dump | grep -n "runtimes"'],
  ["10,000 turns of a builtin", "for i in $(seq 1 10000); do :; done"],
];

/** The text of the screen that is shown ends in a prompt, and has more than `before` characters. */
const atPrompt = (page, before = -1) =>
  page.waitForFunction(
    (before) => {
      const text = document.querySelector(".shell-place")?.read?.() ?? "";
      return text.length > before && /(^|\n)[^\n]*[#$]$/.test(text);
    },
    before,
    { polling: "raf" },
  );

const lab = await startLab();
try {
  await lab.visit({ path: "#/three-lines" }, async ({ page }) => {
    await page.locator(".term-tabs [role=tab]").first().waitFor({ state: "attached", timeout: 60_000 });
    for (const [what, line] of LINES) {
      const times = [];
      for (let run = 0; run < RUNS; run += 1) {
        await atPrompt(page);
        await page.keyboard.press("Control+l");
        await page.locator(".term-screen:not([hidden]) textarea").focus();
        await page.keyboard.type(line);
        const before = await page.evaluate(() => document.querySelector(".shell-place").read().length);
        const began = performance.now();
        await page.keyboard.press("Enter");
        await atPrompt(page, before);
        times.push(performance.now() - began);
      }
      times.sort((a, b) => a - b);
      console.log(`${what}: median ${times[RUNS >> 1].toFixed(1)} ms, worst ${times.at(-1).toFixed(1)} ms`);
    }
  });
} finally {
  await lab.close();
}
