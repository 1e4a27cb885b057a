// The terminal: what is typed is a step like any other, what does not end is stopped, and the page follows all of it.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
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
const visit = (options, play) =>
  lab.visit({ path: "#/three-lines", ...options }, async (seen) => {
    await seen.page.locator(".strip-row").first().waitFor();
    await seen.page.locator(".term-tabs [role=tab]").first().waitFor({ state: "attached", timeout: 60_000 });
    return play({ ...seen, me: typist(seen.page) });
  });

const row = (page, handler, link) => page.locator(`[data-handler="${handler}"][data-link="${link}"]`);

test("a line changes the files, a restart loads them, and undo takes whole lines back", async () => {
  let link;
  await visit({}, async ({ page, me, shot }) => {
    assert.equal(await me.run('containerd config dump | grep -c "runtimes.nvidia"'), "0");
    assert.equal(await me.run("rm /etc/containerd/conf.d/zz-labhub-registry.toml"), "");
    await row(page, "nvidia", "joined").waitFor();
    await page.locator('[data-behind="lacks"]').waitFor();
    assert.equal(await page.locator(".files [role=tab]", { hasText: "zz-labhub" }).count(), 0);
    await shot("terminal-1-gap-2");
    await page.locator('[data-do="restart"]').click();
    await page.locator("[data-behind]").waitFor({ state: "detached" });
    assert.match(await me.read(), /# systemctl restart containerd\n/);
    assert.match(await me.run("crictl info | jq -r '.config.containerd.runtimes | keys[]'"), /nvidia\nnvidia-cdi\nnvidia-legacy\nrunc/);
    await page.locator('[data-do="undo"]').click();
    await page.locator('[data-do="undo"]').click();
    await page.locator('[data-behind="lacks"]').waitFor();
    await page.locator('[data-do="redo"]').click();
    await page.locator("[data-behind]").waitFor({ state: "detached" });
    await me.run("x=kept; cd /etc/containerd");
    link = await page.evaluate(() => localStorage["fourgaps.work.three-lines"]);
    await page.reload();
    await page.locator(".term-tabs [role=tab]").first().waitFor({ timeout: 60_000 });
    await me.prompt();
    assert.equal(await me.run("echo $x; pwd"), "kept\n/etc/containerd");
    assert.match(await me.read(), /grep -c "runtimes.nvidia"\n0\n/);
    assert.equal(await row(page, "nvidia", "joined").count(), 1);
  });
  assert.match(link, /systemctl restart containerd/);
});

test("what does not end is stopped, and the prompt is usable", async () => {
  await visit({}, async ({ page, me }) => {
    await me.prompt();
    await me.keys("while true; do :; done");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Control+c");
    await me.prompt();
    for (const line of ["f() { f; }; f", "yes", "b() { b | b & }; b", "seq 1 100000000 | tail -1"]) {
      await me.keys(line);
      await page.keyboard.press("Enter");
      await me.prompt();
      // A screen that is full grows no more; an empty one tells what comes next.
      await page.keyboard.press("Control+l");
      assert.equal(await me.run("echo alive"), "alive", line);
    }
    assert.equal(await me.run("for i in $(seq 1 10000); do :; done; echo $i"), "10000");
  });
});

test("the course's loop, remote lines, completion and history", async () => {
  await visit({ path: "#/four-gpus" }, async ({ page, me, shot }) => {
    await me.prompt("control");
    assert.equal(await me.run("ssh omen 'ls /etc/containerd/conf.d/'"), "99-nvidia.toml\nzz-labhub-registry.toml");
    assert.match(await me.run("kubectl get nodes"), /^NAME +STATUS/);
    await me.tab("omen");
    const loop = [
      "for f in 99-nvidia zz-labhub-registry; do",
      "printf 'version = 2\\nimports = [\"/etc/containerd/conf.d/%s.toml\"]\\n' $f > /tmp/t.toml",
      'echo -n "$f only: "; containerd --config /tmp/t.toml config dump 2>/dev/null | grep -c "runtimes.nvidia"',
      "done",
    ];
    await me.prompt("omen");
    for (const line of loop) {
      await me.keys(line);
      await page.keyboard.press("Enter");
    }
    await page.waitForFunction(() => /registry only: 0\n/.test(document.querySelector(".shell-place").read("omen")));
    assert.match(await me.read("omen"), /99-nvidia only: 6\n/);
    await me.prompt("omen");
    await me.keys("cat /etc/containerd/conf.d/99");
    await page.keyboard.press("Tab");
    await page.waitForFunction(() => document.querySelector(".shell-place").read("omen").includes("conf.d/99-nvidia.toml"));
    await page.keyboard.press("Control+u");
    await page.keyboard.press("ArrowUp");
    await page.waitForFunction(() => /done$/.test(document.querySelector(".shell-place").read("omen")));
    await page.keyboard.press("Control+c");
    await shot("terminal-2-incident");
  });
});

test("a button says which command does the same, and a command in the text goes to the prompt", async () => {
  await visit({}, async ({ page, me }) => {
    await me.prompt();
    await page.locator(".files [role=tab]", { hasText: "zz-labhub" }).click();
    await page.locator('[data-do="remove"]').click();
    await page.waitForFunction(() => document.querySelector(".shell-place").read().includes("# rm /etc/containerd/conf.d/zz-labhub-registry.toml"));
  });
  await visit({ path: "#/build-the-checker" }, async ({ page, me, shot }) => {
    await me.prompt();
    await me.tab("control");
    await me.run("grade /root/check.sh", "control");
    assert.match(await me.read("control"), /of 8 right/);
    await page.locator('[data-verdict="shadowed"]').waitFor();
    assert.equal(await page.locator('[data-verdict="in-order"]').count(), 0);
    await shot("terminal-3-graded");
    await page.locator("[data-put]").first().click();
    await page.waitForFunction(() => /cat \/root\/check.sh$/.test(document.querySelector(".shell-place").read("control")));
  });
});

for (const [name, viewport] of [["wide", DESK], ["phone", PHONE]]) {
  test(`the page with a terminal has no fault that axe finds: ${name}`, async () => {
    await visit({ viewport }, async ({ page, me, axe, shot }) => {
      if (name === "phone") await page.locator("#tab-shell").click();
      await me.prompt();
      const place = await page.locator(".shell").boundingBox();
      if (name === "phone") assert.equal(place.width, viewport.width);
      assert.ok(place.height > 200, `the terminal is ${place.height} px high`);
      await me.run("systemctl status containerd");
      assert.deepEqual(await axe(), []);
      await shot(`terminal-4-${name}`);
    });
  });
}
