// A rollout on 5,000 nodes in Chromium: how long the worker takes for it, how much memory it has then, and how evenly the page
// draws while it plays. A benchmark, no test: nothing fails here for being slow.
import { startLab } from "./lab.mjs";

const PATIENCE = { timeout: 120_000 };

/** Opens a lab with a cluster and plays the rollout to its end; gives times in milliseconds and the frames that were drawn. */
const play = (options) =>
  lab.visit({ path: "#/four-gpus", ...options }, async ({ page }) => {
    await page.locator("#side-cluster").click();
    const large = page.locator(".cl-large");
    await large.locator("> .button").waitFor(PATIENCE);
    await large.scrollIntoViewIfNeeded();
    const seen = await large.evaluate(async (place) => {
      const state = (wanted) => new Promise((resolve) => {
        const look = () => (place.dataset.state === wanted ? resolve(performance.now()) : requestAnimationFrame(look));
        look();
      });
      const began = performance.now();
      place.querySelector(".button").click();
      const plays = await state("plays");
      const frames = [];
      let last = performance.now();
      let going = true;
      const draw = (now) => {
        frames.push(now - last);
        last = now;
        if (going) requestAnimationFrame(draw);
      };
      requestAnimationFrame(draw);
      const done = await state("done");
      going = false;
      return { arrive: plays - began, roll: done - plays, frames: frames.slice(1), cells: place.querySelectorAll(".cl-cell").length };
    });
    const [worker] = page.workers();
    const memory = await worker.evaluate(() => globalThis.shell.memory.buffer.byteLength);
    return { ...seen, memory: memory / 1_048_576 };
  });

const lab = await startLab();
try {
  const calm = await play({ reducedMotion: "reduce" });
  console.log(`5,000 nodes arrive: ${calm.arrive.toFixed(0)} ms; their rollout: ${calm.roll.toFixed(0)} ms; memory of the worker: ${calm.memory.toFixed(0)} MB`);
  const moving = await play({});
  const times = moving.frames.sort((a, b) => a - b);
  const late = times.filter((ms) => ms > 1000 / 60 + 4).length;
  console.log(`played on the page: ${times.length} frames in ${moving.roll.toFixed(0)} ms, median ${times[times.length >> 1].toFixed(1)} ms, worst ${times.at(-1).toFixed(1)} ms, late ${late}; ${moving.cells} of 5,000 nodes are elements; memory ${moving.memory.toFixed(0)} MB`);
} finally {
  await lab.close();
}
