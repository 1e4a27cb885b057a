// How long a letter in the editor takes in Chromium until everything that it changes is drawn, on a node with fifty drop-ins.
// Prints the median and the worst of the runs. A benchmark, no test: nothing fails here for being slow.
import { fifty } from "./fifty.mjs";
import { startLab } from "./lab.mjs";

const RUNS = 15;

const lab = await startLab();
try {
  await lab.visit({ path: "#/three-lines" }, async ({ page }) => {
    await fifty(page);
    await page.locator(".cm-content").click();
    const times = [];
    for (let run = 0; run < RUNS; run += 1) {
      await page.evaluate(() => delete document.documentElement.dataset.paintMs);
      await page.keyboard.type("#");
      await page.waitForFunction(() => document.documentElement.dataset.paintMs);
      times.push(Number(await page.locator("html").getAttribute("data-edit-ms")));
    }
    times.sort((a, b) => a - b);
    console.log(`a letter with 50 drop-ins: median ${times[RUNS >> 1]} ms, worst ${times.at(-1)} ms`);
  });
} finally {
  await lab.close();
}
