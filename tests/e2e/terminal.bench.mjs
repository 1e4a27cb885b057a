// How long a typed line takes in Chromium, from the Enter key to the next prompt on the screen. Prints one line each: the
// median and the worst of the runs. A benchmark, no test: nothing fails here for being slow.
import { startLab } from "./lab.mjs";

const RUNS = 15;
const LINES = [
  ["the incident's loop, one turn", "printf 'version = 2\\nimports = [\"/etc/containerd/conf.d/99-nvidia.toml\"]\\n' > /tmp/t.toml; containerd --config /tmp/t.toml config dump 2>/dev/null | grep -c 'runtimes.nvidia'"],
  [
    "the incident's loop, whole",
    "for f in 99-nvidia zz-labhub-registry; do printf 'version = 2\\nimports = [\"/etc/containerd/conf.d/%s.toml\"]\\n' $f > /tmp/t.toml; echo -n \"$f only: \"; containerd --config /tmp/t.toml config dump 2>/dev/null | grep -c 'runtimes.nvidia'; done",
  ],
  ["grep -n on a dump", 'containerd config dump | grep -n "runtimes"'],
  ["10,000 turns of a builtin", "for i in $(seq 1 10000); do :; done"],
];

/** Waits for a prompt, presses Enter on what is typed, and gives the ms until the next prompt is on the screen. */
function timeOfEnter(page) {
  const took = page.evaluate(
    () =>
      new Promise((done) => {
        const read = () => document.querySelector(".shell-place").read();
        const before = read().length;
        addEventListener("keydown", () => {
          const began = performance.now();
          const { port1, port2 } = new MessageChannel();
          port1.onmessage = () => {
            const text = read();
            if (text.length > before && /\n[^\n]*[#$]$/.test(text)) done(performance.now() - began);
            else port2.postMessage(0);
          };
          port2.postMessage(0);
        }, { capture: true, once: true });
      }),
  );
  return page.keyboard.press("Enter").then(() => took);
}

const lab = await startLab();
try {
  await lab.visit({ path: "#/three-lines" }, async ({ page }) => {
    await page.locator(".term-tabs [role=tab]").first().waitFor({ state: "attached", timeout: 60_000 });
    const atPrompt = () =>
      page.waitForFunction(() => /(^|\n)[^\n]*[#$]$/.test(document.querySelector(".shell-place")?.read?.() ?? ""));
    for (const [what, line] of LINES) {
      const times = [];
      for (let run = 0; run < RUNS; run += 1) {
        await atPrompt();
        await page.keyboard.press("Control+l");
        await page.locator(".term-screen:not([hidden]) textarea").focus();
        await page.keyboard.insertText(line);
        const typed = line.slice(-20);
        await page.waitForFunction(
          (typed) => document.querySelector(".shell-place").read().replaceAll("\n", "").endsWith(typed),
          typed,
        );
        times.push(await timeOfEnter(page));
      }
      times.sort((a, b) => a - b);
      console.log(`${what}: median ${times[RUNS >> 1].toFixed(1)} ms, worst ${times.at(-1).toFixed(1)} ms`);
    }
  });
} finally {
  await lab.close();
}
