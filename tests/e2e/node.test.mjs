// The four layers of the chosen node: the bench follows the node, pods stand in the row of their handler, and what shows late
// has a sentence.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { DESK, PHONE, startLab } from "./lab.mjs";

let lab;
before(async () => {
  lab = await startLab();
});
after(async () => {
  await lab?.close();
});

/** What a test asks of the page, in a learner's words. */
function bench(page) {
  const field = page.locator(".term-screen:not([hidden]) textarea");
  return {
    ready: () => page.locator(".term-clock:not(:empty)").waitFor({ state: "attached", timeout: 60_000 }),
    chosen: () => page.locator('.nodes [aria-pressed="true"]').getAttribute("data-node"),
    choose: (node) => page.locator(`.nodes [data-node="${node}"]`).click(),
    tab: () => page.locator('.term-tabs [aria-selected="true"]').innerText(),
    row: (handler) => page.locator(`.strip-row[data-handler="${handler}"]`),
    late: (which) => page.locator(`[data-late="${which}"]`),
    type: async (line) => {
      await field.focus();
      await page.keyboard.type(`${line}\n`);
    },
  };
}

test("the bench follows the node that is chosen, and the terminal's tab, both ways and over a reload", async () => {
  await lab.visit({ path: "#/toolkit-on-an-empty-file" }, async ({ page, axe, shot }) => {
    const me = bench(page);
    await me.ready();
    const names = await page.locator(".nodes button").allInnerTexts();
    assert.equal(names.length, 2);
    assert.equal(await me.chosen(), names[0]);
    assert.equal(await page.locator("#version").inputValue(), "1.7.27");
    await me.choose(names[1]);
    await page.locator(`#term-tab-${names[1]}[aria-selected="true"]`).waitFor();
    assert.equal(await page.locator("#version").inputValue(), "2.1.4", "each node has its own containerd");
    assert.equal(await page.locator(".away").count(), 0, "that is its own, and no other one");
    assert.equal(await page.evaluate(() => document.activeElement.dataset.node), names[1], "the keyboard stays");
    assert.deepEqual(await axe(), []);
    await shot("node-1-second");
    await page.reload();
    await me.ready();
    assert.equal(await me.chosen(), names[1]);
    assert.equal(await me.tab(), names[1]);
    await page.locator(`#term-tab-${names[0]}`).click();
    await page.locator(`.nodes [data-node="${names[0]}"][aria-pressed="true"]`).waitFor();
    assert.equal(await page.locator("#version").inputValue(), "1.7.27");
    await page.locator("#term-tab-control").click();
    assert.equal(await me.chosen(), names[0], "the control host is no node");
  });
});

test("a node's button names its first gap, also while another one is looked at", async () => {
  await lab.visit({ path: "#/toolkit-on-an-empty-file" }, async ({ page, axe, shot }) => {
    const me = bench(page);
    const gap = (node) => page.locator(`.nodes [data-node="${node}"]`).getAttribute("data-gap");
    await me.ready();
    assert.deepEqual([await gap("omen"), await gap("nuc1")], [null, null]);
    await page.locator("#term-tab-control").click();
    await me.type("ssh nuc1 'nvidia-ctk runtime configure --runtime=containerd --drop-in-config=/etc/containerd/conf.d/99-nvidia.toml'");
    await page.locator('.nodes [data-node="nuc1"][data-gap="strip.gap2"]', { hasText: "Gap 2" }).waitFor();
    assert.equal(await me.chosen(), "omen");
    assert.equal(await gap("omen"), null);
    assert.deepEqual(await axe(), []);
    await shot("node-4-sign");
    await me.type("ssh nuc1 systemctl restart containerd");
    await page.locator('.nodes [data-node="nuc1"]:not([data-gap])').waitFor();
    await page.locator('[data-do="undo"]').click();
    await page.locator('.nodes [data-node="nuc1"][data-gap="strip.gap2"]').waitFor();
  });
});

test("what is typed in the editor goes to the chosen node and to no other", async () => {
  await lab.visit({ path: "#/delete-the-pod-first" }, async ({ page }) => {
    const me = bench(page);
    await me.ready();
    await me.choose("omen2");
    await page.locator(".cm-content").click();
    await page.keyboard.press("Control+Home");
    await page.keyboard.type("# on omen2\n");
    await page.waitForFunction(() => (localStorage["fourgaps.work.delete-the-pod-first"] ?? "").includes('"node":"omen2"'));
    await me.choose("omen");
    await page.locator(".cm-content", { hasText: "imports" }).waitFor();
    assert.ok(!(await page.locator(".cm-content").innerText()).includes("# on omen2"));
    await me.choose("omen2");
    await page.locator(".cm-content", { hasText: "# on omen2" }).waitFor();
  });
});

test("gap 4: pods that ended with the reboot stand in the row of their handler, and cannot come back", async () => {
  for (const viewport of [DESK, PHONE]) {
    await lab.visit({ path: "#/the-quiet-week", viewport }, async ({ page, shot }) => {
      const me = bench(page);
      const pod = me.row("nvidia").locator('[data-loaded="ended"]');
      await pod.waitFor();
      assert.match(await pod.innerText(), /ended/);
      assert.match(await me.late("stays").innerText(), /Gap 4.*gputest.*nvidia/s);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(wide <= 0, `nothing is scrolled sideways at ${viewport.width}`);
      await shot(`node-2-ended-${viewport.width}`);
    });
  }
});

test("gap 3: what the toolkit wrote is lent, then taken back, and one button has it written again", async () => {
  await lab.visit({ path: "#/delete-the-pod-first" }, async ({ page, shot }) => {
    const me = bench(page);
    await me.ready();
    await me.choose("omen");
    assert.match(await me.late("lent").innerText(), /99-nvidia\.toml.*nvidia/s);
    await me.type("systemctl restart containerd");
    await page.locator("[data-behind]").waitFor({ state: "detached" });
    await me.type("kill $(cat /run/nvidia/toolkit/toolkit.pid)");
    await me.late("taken_back").waitFor();
    assert.equal(await me.row("nvidia").getAttribute("data-link"), "none", "no file writes it");
    assert.equal(await page.locator("[data-behind]").count(), 0, "one loss is told once");
    await shot("node-3-taken-back");
    await page.locator('[data-do="toolkit"]').click();
    await me.late("taken_back").waitFor({ state: "detached" });
    await me.late("lent").waitFor();
  });
});

test("time passes by buttons, and what is half typed stays", async () => {
  await lab.visit({ path: "#/the-quiet-week" }, async ({ page }) => {
    const me = bench(page);
    await me.ready();
    const clock = () => page.locator(".term-clock").getAttribute("datetime");
    const begun = Date.parse(await clock());
    await page.locator(".term-screen:not([hidden]) textarea").focus();
    await page.keyboard.type("echo half");
    await page.locator('[data-wait="10"]').click();
    await page.waitForFunction((ms) => Date.parse(document.querySelector(".term-clock").dateTime) === ms, begun + 10_000);
    await page.waitForFunction(() => document.querySelector(".shell-place").read().trimEnd().endsWith("echo half"));
    await page.keyboard.press("Control+c");
    await me.type("kill -HUP $(pidof containerd)");
    await page.locator('[data-behind="down"]').waitFor();
    await page.locator('[data-wait="event"]').click();
    await page.locator('[data-behind="down"]').waitFor({ state: "detached" });
    assert.equal(Date.parse(await clock()), begun + 15_000);
  });
});
