// The cluster on the page: cards, a rollout that stands still, what an alert saw of it, and thousands of nodes.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { PHONE, startLab } from "./lab.mjs";

let lab;
before(async () => {
  lab = await startLab();
});
after(async () => {
  await lab?.close();
});

const ARRIVES = { timeout: 60_000 };
/** A DaemonSet on every node whose new template asks for more than any node has. */
const AGENT = {
  apiVersion: "apps/v1",
  kind: "DaemonSet",
  metadata: { name: "agent" },
  spec: {
    selector: { matchLabels: { app: "agent" } },
    template: { metadata: { labels: { app: "agent" } }, spec: { containers: [{ name: "a", image: "agent:1" }] } },
  },
};
const TOO_MUCH = JSON.stringify({ spec: { template: { spec: { containers: [{ name: "a", resources: { requests: { cpu: "500" } } }] } } } });

/** Opens the lab of four nodes with its cluster in front. */
const visit = (options, play) =>
  lab.visit({ path: "#/four-gpus", ...options }, async (seen) => {
    const { page } = seen;
    const tab = page.locator(options.viewport === PHONE ? "#tab-cluster" : "#side-cluster");
    await tab.click();
    await page.locator(".cl-card").first().waitFor(ARRIVES);
    const run = async (line) => {
      if (options.viewport === PHONE) await page.locator("#tab-shell").click();
      await page.locator("#term-tab-control").click();
      const before = await page.evaluate(() => document.querySelector(".shell-place").read("control").length);
      await page.locator("#term-control textarea").focus();
      await page.keyboard.type(line);
      await page.keyboard.press("Enter");
      await page.waitForFunction(
        (least) => {
          const text = document.querySelector(".shell-place").read("control");
          return text.length > least && /(^|\n)[^\n]*[#$]$/.test(text);
        },
        before + 1,
        ARRIVES,
      );
      if (options.viewport === PHONE) await tab.click();
    };
    const roll = async () => {
      await run(`echo '${JSON.stringify(AGENT)}' | kubectl apply -f -`);
      await run("kubectl rollout status ds/agent");
      await run(`kubectl patch ds agent -p '${TOO_MUCH}'`);
    };
    return play({ ...seen, run, roll });
  });

const agent = (page) => page.locator("#cl-set").selectOption("default/agent");

test("a node is a card with its pods, its generation, its handlers and its GPUs; it is chosen by its name", async () => {
  await visit({}, async ({ page, shot, axe }) => {
    assert.equal(await page.locator(".cl-card").count(), 4);
    assert.equal(await page.locator(".cl-numbers dd").first().innerText(), "4");
    const omen2 = page.locator(".cl-card", { hasText: "omen2" });
    assert.match(await omen2.innerText(), /Ready/);
    assert.match(await omen2.innerText(), /runc/);
    await omen2.locator(".cl-name").click();
    await page.locator('.cl-name[aria-current="true"]', { hasText: "omen2" }).waitFor();
    assert.deepEqual(await axe(), []);
    await shot("cluster-1-cards");
  });
});

test("a rollout that stands still is announced with its node, its cause and the nodes that were not touched", async () => {
  await visit({}, async ({ page, run, roll, shot, axe }) => {
    await roll();
    assert.equal(await page.locator(".cl-stall", { hasText: "agent" }).count(), 0);
    await run("sleep 400");
    const stall = page.locator(".cl-stall", { hasText: "agent" });
    await stall.waitFor();
    const text = await stall.innerText();
    assert.match(text, /Stopped for 6 min/);
    assert.match(text, /does not put the new pod on nuc1/);
    assert.match(text, /Insufficient cpu/);
    assert.match(text, /Not touched: nuc2, omen, omen2/);
    await page.locator("#side-cluster .mark").waitFor();

    // Two generations are two marks, and the rollout over time says the same.
    await agent(page);
    const marks = page.locator(".cl-card li", { hasText: "agent" });
    await marks.first().waitFor();
    assert.equal(await marks.locator(".cl-gen.new").count(), 1);
    assert.equal(await marks.locator(".cl-gen.old").count(), 3);
    const rows = page.locator(".cl-course tbody tr");
    await page.waitForFunction(() => document.querySelectorAll(".cl-course tbody tr").length === 4);
    assert.match(await rows.nth(0).innerText(), /newest revision 2: not scheduled/);
    assert.match(await rows.nth(3).innerText(), /older revision 1: ready/);
    assert.deepEqual(await axe(), []);
    await shot("cluster-2-stall");

    // What is told of a pod is one command away.
    await stall.getByRole("button", { name: "kubectl describe" }).click();
    await page.waitForFunction(() => document.querySelector(".shell-place").read("control").endsWith("describe pod " + document.querySelector(".cl-stall .command").dataset.put.split(" ").at(-1)));

    // Undo of the wait and of the change: nothing stands still any more.
    await page.keyboard.press("Control+u");
    await run("kubectl rollout undo ds/agent");
    await stall.waitFor({ state: "detached" });
  });
});

test("an alert on the numbers would have fired, one on restarts saw nothing", async () => {
  await visit({}, async ({ page, run, roll, shot }) => {
    await roll();
    await run("sleep 200");
    await agent(page);
    const [rule, restarts] = [0, 1].map((nth) => page.locator(".cl-outcome dd").nth(nth));
    await page.locator(".cl-outcome dd", { hasText: "pending" }).waitFor();
    assert.match(await rule.innerText(), /it fires in \d+ min/);
    await run("sleep 200");
    await page.locator(".cl-outcome dd", { hasText: "fired at" }).waitFor();
    assert.match(await restarts.innerText(), /saw nothing/);
    assert.match(await page.locator(".cl-chart").getAttribute("aria-label"), /desired − ready over time: .*: 1$/);
    await shot("cluster-3-alert");
    await page.locator("#cl-for").fill("30");
    await page.locator("#cl-for").press("Tab");
    await page.locator(".cl-promql", { hasText: "for: 30m" }).waitFor();
    await page.locator(".cl-outcome dd", { hasText: "pending" }).waitFor();
    await page.locator("#cl-above").fill("1");
    await page.locator("#cl-above").press("Tab");
    await page.waitForFunction(() => /saw nothing/.test(document.querySelector(".cl-outcome dd").textContent));
  });
});

test("thousands of nodes are a field of signs of which few are elements, and the one that fails is named", async () => {
  await visit({ reducedMotion: "reduce" }, async ({ page, shot }) => {
    await page.locator(".cl-large > .button").click();
    await page.locator('.cl-large[data-state="done"]').waitFor({ timeout: 120_000 });
    const text = await page.locator(".cl-large .cl-stall").innerText();
    assert.match(text, /image of the new pod on node-7 does not come/);
    assert.doesNotMatch(text, /Not touched/);
    const field = page.locator(".cl-large .cl-field");
    await field.focus();
    await page.keyboard.press("End");
    const last = await field.getAttribute("aria-activedescendant");
    await page.locator(`#${last}`).waitFor();
    assert.match(await page.locator(`#${last}`).getAttribute("aria-label"), /^node-999: ready, revision 2$/);
    assert.ok((await page.locator(".cl-large .cl-cell").count()) < 2_000);
    await shot("cluster-4-large");
  });
});

test("on a phone it is a tab, it is dark where that is wanted, and it speaks three languages", async () => {
  await visit({ viewport: PHONE, colorScheme: "dark" }, async ({ page, run, roll, shot, axe }) => {
    await roll();
    await run("sleep 400");
    await page.locator(".cl-stall", { hasText: "agent" }).waitFor();
    await agent(page);
    assert.deepEqual(await axe(), []);
    await shot("cluster-5-phone-dark");
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    assert.ok(wide <= 0, `${wide} pixels too wide`);
  });
  for (const [locale, word] of [["ja-JP", "止まっています"], ["ko-KR", "멈춤"]]) {
    await visit({ locale }, async ({ page, run, roll, shot }) => {
      await roll();
      await run("sleep 400");
      await page.locator(".cl-stall", { hasText: word }).first().waitFor();
      await shot(`cluster-6-${locale}`);
    });
  }
});

test("a lab without machines shows on arrival which rollouts stand still, and one leads to the other", async () => {
  await lab.visit({ path: "#/two-of-three" }, async ({ page, axe, shot }) => {
    await page.locator(".cl-stall", { hasText: "exporter" }).waitFor(ARRIVES);
    assert.match(await page.locator(".cl-stall").innerText(), /image of the new pod on nuc1 does not come[^]*Not touched: nuc2, omen/);
    await page.locator(".cl-other", { hasText: "reporter" }).click();
    await page.locator(".cl-stall", { hasText: "reporter" }).waitFor();
    assert.match(await page.locator(".cl-stall").innerText(), /scheduler does not put the new pod on nuc1/);
    assert.equal(await page.locator("#cl-set").inputValue(), "gpu/reporter");
    assert.deepEqual(await axe(), []);
    await shot("cluster-7-without-machines");
  });
});

test("where there is no cluster there is no part for it", async () => {
  await lab.visit({ path: "#/dump-that-lied" }, async ({ page }) => {
    await page.locator(".strip-row").first().waitFor();
    assert.equal(await page.locator("#part-cluster, #side-cluster, #tab-cluster").count(), 0);
  });
});

test("kubectl edit opens the object in the page's editor, and replace takes what was made of it", async () => {
  await visit({}, async ({ page, run }) => {
    await run(`echo '${JSON.stringify(AGENT)}' | kubectl apply -f -`);
    await run("kubectl edit ds/agent");
    await page.waitForFunction(() => document.querySelector(".cm-content")?.innerText.includes("image: agent:1"), null, ARRIVES);
    const line = page.locator(".cm-line", { hasText: "image: agent:1" });
    await line.click();
    await page.keyboard.press("End");
    await page.keyboard.press("Backspace");
    await page.keyboard.type("2");
    await run("kubectl replace -f /tmp/kubectl-edit-daemonset-agent.yaml");
    await run("kubectl get ds agent -o jsonpath='{.spec.template.spec.containers[0].image} {.metadata.generation}{\"\\n\"}'");
    const text = await page.evaluate(() => document.querySelector(".shell-place").read("control"));
    assert.match(text, /daemonset\.apps\/agent replaced/);
    assert.match(text, /agent:2 2\n/);
  });
});

test("without machines the editor comes with a file of the control host and goes with it, on a phone as a part of its own", async () => {
  for (const viewport of [undefined, PHONE]) {
    await lab.visit({ path: "#/two-of-three", ...(viewport && { viewport }) }, async ({ page, axe, shot }) => {
      if (viewport) await page.locator("#tab-shell").click();
      await page.locator("#term-control textarea").waitFor(ARRIVES);
      assert.equal(await page.locator(".files").count(), 0);
      await page.locator("#term-control textarea").focus();
      await page.keyboard.type("kubectl edit ds exporter -n gpu");
      await page.keyboard.press("Enter");
      await page.waitForFunction(() => document.querySelector(".cm-content")?.innerText.includes("kind: DaemonSet"), null, ARRIVES);
      assert.ok(await page.locator(".cm-content").isVisible());
      assert.deepEqual(await axe(), []);
      await shot(`cluster-8-edit-${viewport ? "phone" : "wide"}`);
      await page.locator(".files .path-line button").click();
      assert.equal(await page.locator(".files").count(), 0);
      assert.ok(await page.locator("#term-control").isVisible());
    });
  }
});
