// The time line: any moment of a run can be seen again, everywhere on the page, and one can go on from there.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { PHONE, startLab } from "./lab.mjs";
import { typist } from "./typist.mjs";

let lab;
before(async () => {
  lab = await startLab();
});
after(async () => {
  await lab?.close();
});

/** A reader at the time line. */
function reader(page) {
  const track = page.locator(".tl-track");
  const me = {
    track,
    events: () => page.evaluate(() => document.querySelector(".late-timeline").read()),
    said: () => track.getAttribute("aria-valuetext"),
    at: async () => Number(await track.getAttribute("aria-valuenow")),
    most: async () => Number(await track.getAttribute("aria-valuemax")),
    count: (least) => page.waitForFunction((least) => Number(document.querySelector(".tl-open .figures")?.textContent) >= least, least, { timeout: 60_000 }),
    keys: async (...keys) => {
      await track.focus();
      for (const key of keys) await page.keyboard.press(key);
      // One picture for each frame.
      await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    },
    /** Drags from one part of the track to another. */
    drag: async (from, to) => {
      const box = await track.boundingBox();
      const at = (part) => [box.x + 9 + part * (box.width - 18), box.y + box.height / 3];
      await page.mouse.move(...at(from));
      await page.mouse.down();
      await page.mouse.move(...at((from + to) / 2), { steps: 4 });
      await page.mouse.move(...at(to), { steps: 4 });
      await page.mouse.up();
    },
  };
  return me;
}

const visit = (options, play) =>
  lab.visit({ path: "#/three-lines", ...options }, async (seen) => {
    await seen.page.locator(".strip-row").first().waitFor();
    await seen.page.locator(".term-tabs [role=tab]").first().waitFor({ state: "attached", timeout: 60_000 });
    return play({ ...seen, me: typist(seen.page), line: reader(seen.page) });
  });

const row = (page, handler, link) => page.locator(`[data-handler="${handler}"][data-link="${link}"]`);
const REGISTRY = "/etc/containerd/conf.d/zz-labhub-registry.toml";

test("the past of a lab is seen everywhere: strip, goals, clock", async () => {
  await visit({ path: "#/the-quiet-week" }, async ({ page, line, axe, shot }) => {
    await line.count(8);
    const events = await line.events();
    const day = events.findIndex((text) => text.includes(REGISTRY));
    assert.match(events[day], /2026-03-05 09:00:00 omen: .* was written$/);
    await row(page, "nvidia", "broken").waitFor();
    assert.equal(await page.locator(".strip-loaded[data-loaded=gained]").count(), 0);
    assert.equal(await line.said(), "Now");
    await line.keys("Home", ...Array(day).fill("ArrowRight"));
    assert.match(await line.said(), /day 3 · 2026-03-05 09:00:00 · omen: /);
    // That day the process still had what the files had lost, and nobody noticed.
    await page.locator('[data-behind="keeps"]').waitFor();
    assert.match(await page.locator(".term-clock").textContent(), /^03-05 09:00:00/);
    assert.ok(await page.locator(".term-state.held").isVisible());
    assert.deepEqual(await axe(), []);
    await shot("timeline-1-past");
    await line.keys("ArrowLeft");
    await row(page, "nvidia", "joined").waitFor();
    await line.keys("End");
    assert.equal(await line.said(), "Now");
    await row(page, "nvidia", "broken").waitFor();
    assert.ok(!(await page.locator(".term-state.held").isVisible()));
    assert.match(await page.locator(".term-clock").textContent(), /^03-11 05:14:00/);
  });
});

test("the slider follows mouse and keys, the list follows the slider, and filters thin both out", async () => {
  await visit({}, async ({ page, me, line, axe, shot }) => {
    await me.run(`rm ${REGISTRY}`);
    await me.run("systemctl restart containerd");
    await line.count(5);
    const most = await line.most();
    await line.drag(1, 0);
    assert.equal(await line.at(), 0);
    await row(page, "nvidia", "broken").waitFor();
    await line.drag(0, 1);
    assert.equal(await line.at(), most);
    await row(page, "nvidia", "joined").waitFor();
    await page.locator(".tl-open").click();
    await page.locator(".tl-row").first().click();
    assert.equal(await page.locator('.tl-row[aria-selected="true"]').textContent(), await page.locator(".tl-row").first().textContent());
    await page.locator(".tl-list").focus();
    await page.keyboard.press("ArrowDown");
    await page.locator('.tl-row[aria-posinset="2"][aria-selected="true"]').waitFor();
    assert.equal(await line.at(), 1);
    await shot("timeline-2-list");
    for (const theme of ["light", "dark"]) {
      await page.evaluate((theme) => (document.documentElement.dataset.theme = theme), theme);
      assert.deepEqual(await axe(), [], theme);
    }
    await shot("timeline-3-dark");
    await page.getByLabel("your steps").uncheck();
    assert.equal(await line.most(), most - 2);
    assert.ok(!(await line.events()).some((text) => text.includes("$ rm")));
    await page.locator(".tl-filters").getByLabel("omen").uncheck();
    assert.equal(await line.most(), 0);
    assert.equal(await line.said(), "Nothing has happened yet.");
    await page.locator(".tl-filters").getByLabel("omen").check();
    await page.getByLabel("your steps").check();
    assert.equal(await line.most(), most);
  });
});

test("going on from the past asks first, sets later steps aside, and undo brings them back", async () => {
  await visit({}, async ({ page, me, line, axe, shot }) => {
    await me.run("echo one > /tmp/one");
    await me.run("echo two > /tmp/two");
    await me.run("systemctl restart containerd");
    await line.count(7);
    const before = await line.events();
    const second = before.findIndex((text) => text.includes("$ echo two"));
    await line.keys("Home", ...Array(second).fill("ArrowRight"));
    // A line: it waits at the prompt for the answer.
    await me.keys("cat /tmp/one /tmp/two");
    await page.keyboard.press("Enter");
    const ask = page.locator(".tl-ask");
    await ask.waitFor();
    assert.match(await ask.textContent(), /2 later steps will be set aside\. Undo brings them back\./);
    assert.deepEqual(await axe(), []);
    await shot("timeline-4-ask");
    await page.keyboard.press("Escape");
    await ask.waitFor({ state: "hidden" });
    assert.equal((await line.events()).length, before.length, "nothing is lost before the answer");
    await me.keys("");
    await page.keyboard.press("Enter");
    await ask.getByRole("button", { name: "Go on from here" }).click();
    await page.waitForFunction(() => document.querySelector(".shell-place").read().includes("cat: /tmp/two: No such file or directory"));
    assert.ok(!(await line.events()).some((text) => text.includes("echo two")));
    assert.match(await me.read(), /\none\n/);
    assert.equal(await line.said(), "Now");
    // Twice: the line, and the going back.
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByRole("button", { name: "Undo" }).click();
    await line.count(before.length);
    assert.deepEqual(await line.events(), before);
  });
});

test("what is typed in the editor or done with a button in the past asks, too", async () => {
  await visit({}, async ({ page, me, line }) => {
    await me.run(`rm ${REGISTRY}`);
    await line.count(2);
    await line.keys("Home");
    await page.locator(".files [role=tab]", { hasText: "zz-labhub" }).waitFor();
    const start = await page.locator(".cm-content").textContent();
    await page.locator(".cm-content").click();
    await page.keyboard.type("x");
    const ask = page.locator(".tl-ask");
    await ask.waitFor();
    assert.equal(await page.locator(".cm-content").textContent(), start, "the past cannot be written");
    await ask.getByRole("button", { name: "Stay in the past" }).click();
    await ask.waitFor({ state: "hidden" });
    await page.locator(".files .switch, .files [role=switch]").last().click();
    await ask.getByRole("button", { name: "Go on from here" }).click();
    await ask.waitFor({ state: "hidden" });
    // The file is there again and the switch is done: one step, and one that went back.
    await page.locator(".files [role=tab]", { hasText: "zz-labhub" }).waitFor();
    await row(page, "nvidia", "joined").waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await row(page, "nvidia", "broken").waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await row(page, "nvidia", "joined").waitFor();
    assert.equal(await page.locator(".files [role=tab]", { hasText: "zz-labhub" }).count(), 0);
  });
});

test("what if a step had been left out: the first difference, and the end of each node", async () => {
  await visit({ path: "#/delete-the-pod-first" }, async ({ page, me, line, axe, shot }) => {
    await me.tab("omen");
    await me.run("kill $(cat /run/nvidia/toolkit/toolkit.pid)", "omen");
    await me.run("sleep 2", "omen");
    await me.run("systemctl restart containerd", "omen");
    await line.count(20);
    await page.locator(".tl-open").click();
    await page.locator(".tl-list").focus();
    await page.keyboard.press("End");
    const rows = page.locator(".tl-row.did");
    await rows.filter({ hasText: "$ kill" }).click();
    await page.getByRole("button", { name: "What if it were left out?" }).click();
    await page.locator(".tl-ends").waitFor();
    const answer = await page.locator(".tl-answer").textContent();
    assert.match(answer, /The first difference came of: omen: \$ systemctl restart containerd/);
    assert.match(answer, /As it was.*loaded: runcWhat if.*loaded: nvidia, nvidia-cdi, nvidia-legacy, runc/);
    const differs = page.locator(".tl-ends .differs");
    assert.equal(await differs.count(), 1);
    assert.match(await differs.textContent(), /^omenhandlers loadedrunc≠ nvidia/);
    assert.deepEqual(await axe(), []);
    await shot("timeline-5-what-if");
    await rows.filter({ hasText: "$ sleep 2" }).click();
    await page.getByRole("button", { name: "What if it were left out?" }).click();
    await page.locator(".tl-answer", { hasText: "No difference" }).waitFor();
  });
});

test("on a phone the bar is below every part, and the list opens above it", async () => {
  await visit({ path: "#/the-quiet-week", viewport: PHONE, hasTouch: true }, async ({ page, line, axe, shot }) => {
    await line.count(8);
    const box = await line.track.boundingBox();
    await page.touchscreen.tap(box.x + box.width / 2, box.y + 14);
    await page.waitForFunction(() => document.querySelector(".tl.past"));
    await shot("timeline-6-phone");
    await page.locator(".tl-open").click();
    await page.locator('.tl-row[aria-selected="true"]').waitFor();
    assert.deepEqual(await axe(), []);
    await shot("timeline-7-phone-list");
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(wide <= PHONE.width, `the page is ${wide} wide`);
  });
});
