// Labs about rollouts: goals that ask the cluster follow what is typed, and undo, a reload and a link carry them.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { DESK, PHONE, startLab } from "./lab.mjs";
import { typist } from "./typist.mjs";

let lab;
before(async () => {
  lab = await startLab();
});
after(async () => {
  await lab?.close();
});

/** Opens a lab and waits for its shell. */
const visit = (slug, options, play) =>
  lab.visit({ path: `#/${slug}`, ...options }, async (seen) => {
    await seen.page.locator(".term-tabs [role=tab]").first().waitFor({ state: "attached", timeout: 60_000 });
    return play({ ...seen, me: typist(seen.page) });
  });

const goal = (page, id, met) => page.locator(`[data-goal="${id}"][data-met="${met}"]`);

/** The lines that the solution of a lab runs. */
function solution(slug) {
  const path = fileURLToPath(new URL(`../../static/scenarios/${slug}/scenario.toml`, import.meta.url));
  const runs = readFileSync(path, "utf8").split("[[solution]]").slice(1);
  return runs.map((run) => {
    const [, long, short] = run.match(/line = (?:'''([^]*?)'''|"((?:[^"\\]|\\.)*)")/);
    return long ?? JSON.parse(`"${short}"`);
  });
}

test("undo of a line takes a goal of the cluster back, and a reload keeps it", async () => {
  await visit("two-of-three", {}, async ({ page, me, axe, shot }) => {
    await me.prompt("control");
    assert.match(await me.run("kubectl get ds"), /collector +2 +2 +2 +2 +2 /);
    await goal(page, "one-generation", false).waitFor();
    await shot("rollouts-1-arrival");
    await me.run(solution("two-of-three")[0]);
    await goal(page, "one-generation", true).waitFor();
    assert.deepEqual(await axe(), []);
    await page.locator('[data-do="undo"]').click();
    await goal(page, "one-generation", false).waitFor();
    await page.locator('[data-do="redo"]').click();
    await goal(page, "one-generation", true).waitFor();
    await page.reload();
    // The page knows before the worker is there.
    await goal(page, "one-generation", true).waitFor();
    await page.locator(".term-tabs [role=tab]").first().waitFor({ timeout: 60_000 });
    await me.prompt("control");
    assert.match(await me.run("kubectl get ds"), /collector +3 +3 +3 +3 +3 /);
  });
});

test("a question is judged by a recording of a cluster", async () => {
  await visit("two-of-three", {}, async ({ page, shot }) => {
    await page.locator("#tab-questions").click();
    await page.locator(".answer-number").fill("1");
    await page.locator('[data-do="answer"]').click();
    await page.locator('.verdict[data-right="true"]').waitFor();
    assert.match(await page.locator(".verdict thead").innerText(), /Kubernetes 1\.34\.9/i);
    assert.equal(await page.locator(".verdict td").count(), 2);
    await shot("rollouts-2-question");
  });
});

for (const slug of ["two-of-three", "the-pipeline-that-waited", "which-node", "rollout-that-rewrites-nodes", "one-dead-node"]) {
  test(`${slug} is solved on the page`, async () => {
    await visit(slug, { viewport: DESK }, async ({ page, me, shot }) => {
      await me.prompt("control");
      for (const line of solution(slug)) await me.run(line);
      await page.locator(".all-met").waitFor();
      await shot(`rollouts-3-${slug}`);
    });
  });
}

test("a lab without machines fits a phone", async () => {
  await visit("one-dead-node", { viewport: PHONE }, async ({ page, axe, shot }) => {
    await shot("rollouts-4-phone");
    assert.equal(await page.locator("#tab-files").count(), 0);
    await page.locator("#tab-shell").click();
    await page.locator(".term-tabs").waitFor();
    assert.deepEqual(await axe(), []);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
    assert.equal(wide, false, "nothing is wider than the screen");
  });
});
