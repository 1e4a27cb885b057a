// How smoothly the past of a long run is scrubbed in Chromium: a loop in the terminal makes 10,000 events, then the handle is
// dragged over all of them and back. Prints the median and the worst time between two frames, and of the page's own work for one.
// A benchmark, no test: nothing fails here for being slow.
import { startLab } from "./lab.mjs";
import { typist } from "./typist.mjs";

/** One turn moves a drop-in away and back and starts containerd after each: ten events. */
const TURNS = Number(process.env.TURNS ?? 1000);
const LOOP = `cd /etc/containerd/conf.d; for i in $(seq 1 ${TURNS}); do mv zz-labhub-registry.toml /tmp; systemctl restart containerd; sleep 3; mv /tmp/zz-labhub-registry.toml .; systemctl restart containerd; sleep 3; done`;
/** Moves of the pointer from one end to the other. */
const MOVES = 400;

const middle = (list) => list.toSorted((a, b) => a - b)[list.length >> 1];
const figures = (what, list) => console.log(`${what}: median ${middle(list).toFixed(1)} ms, worst ${Math.max(...list).toFixed(1)} ms, of ${list.length}`);

const lab = await startLab();
// Seconds of processor time of all renderers: unlike the others, the same on a machine that is busy otherwise.
const cdp = await lab.browser.newBrowserCDPSession();
async function busy() {
  const { processInfo } = await cdp.send("SystemInfo.getProcessInfo");
  return processInfo.filter(({ type }) => type === "renderer").reduce((sum, { cpuTime }) => sum + cpuTime, 0);
}
try {
  await lab.visit({ path: "#/three-lines" }, async ({ page }) => {
    const me = typist(page);
    await page.locator(".term-tabs [role=tab]").first().waitFor({ state: "attached", timeout: 60_000 });
    await me.prompt();
    const began = performance.now();
    await me.keys(LOOP);
    await page.keyboard.press("Enter");
    await page.waitForFunction((least) => Number(document.querySelector(".tl-open .figures")?.textContent) >= least, TURNS * 10, { timeout: 600_000 });
    const events = await page.locator(".tl-track").getAttribute("aria-valuemax");
    console.log(`${events} events, made in ${((performance.now() - began) / 1000).toFixed(1)} s`);
    const box = await page.locator(".tl-track").boundingBox();
    const to = (part) => page.mouse.move(box.x + 9 + part * (box.width - 18), box.y + 12);
    await to(1);
    await page.mouse.down();
    const first = performance.now();
    await to(0.999);
    await page.waitForFunction(() => document.querySelector(".tl.past") && document.querySelector(".page.past"));
    console.log(`the first picture of the past: ${(performance.now() - first).toFixed(0)} ms`);
    await page.evaluate(() => {
      window.frames_ = [];
      window.work_ = [];
      let last = performance.now();
      const each = (now) => {
        window.frames_.push(now - last);
        last = now;
        const work = document.documentElement.dataset.editMs;
        if (work !== undefined) window.work_.push(Number(work));
        delete document.documentElement.dataset.editMs;
        window.frame_ = requestAnimationFrame(each);
      };
      window.frame_ = requestAnimationFrame(each);
    });
    const before = await busy();
    for (let move = 0; move <= MOVES; move += 1) await to(1 - move / MOVES);
    for (let move = 0; move <= MOVES; move += 1) await to(move / MOVES);
    const [frames, work] = await page.evaluate(() => {
      cancelAnimationFrame(window.frame_);
      return [window.frames_.slice(2), window.work_];
    });
    const spent = (await busy()) - before;
    await page.mouse.up();
    figures("between two frames", frames);
    figures("the page's work for one", work);
    console.log(`processor time of the renderer for one: ${((1000 * spent) / work.length).toFixed(1)} ms, drawing included`);
  });
} finally {
  await lab.close();
}
