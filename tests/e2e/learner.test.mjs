// A learner's way through the incident: broken on arrival, one switch shows why, an edit mends it, nothing is ever lost.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { actions, fifty } from "./fifty.mjs";
import { DESK, DIST, PHONE, startLab } from "./lab.mjs";

const LAB = "three-lines";
const MAIN = "/etc/containerd/config.toml";
const NVIDIA = "/etc/containerd/conf.d/99-nvidia.toml";
const REGISTRY = "/etc/containerd/conf.d/zz-labhub-registry.toml";
const SAVE = `fourgaps.work.${LAB}`;
const solution = readFileSync(`${DIST}/scenarios/${LAB}/solution/99-nvidia.toml`, "utf8");

let lab;
before(async () => {
  lab = await startLab();
});
after(async () => {
  await lab?.close();
});

/** Opens the lab of the incident, or what `path` says. */
const visit = (options, play) => lab.visit({ path: `#/${LAB}`, ...options }, play);

/** What a test asks of the page, in a learner's words. */
function learner(page) {
  const link = (handler) => page.locator(`[data-handler="${handler}"]`).getAttribute("data-link");
  return {
    link,
    count: async () => Number(await page.locator("output[data-count]").getAttribute("data-count")),
    toggle: (file) => page.locator(`.switch[data-file="${file}"]`).click(),
    goalsMet: () => page.locator('.goal[data-met="true"]').count(),
    goals: () => page.locator(".goal").count(),
    press: (what) => page.locator(`[data-do="${what}"]`).click(),
    waitLink: (handler, way) => page.locator(`[data-handler="${handler}"][data-link="${way}"]`).waitFor(),
    editor: async () => {
      await page.locator(".cm-content").waitFor();
      return page.locator(".cm-content");
    },
    openFile: (name) => page.locator(".files [role=tab]", { hasText: name }).click(),
    fileText: (path) =>
      page.evaluate(
        ([key, wanted]) => {
          const save = JSON.parse(localStorage[key] ?? "{}");
          const writes = (save.actions ?? []).slice(0, save.done).filter((a) => a.do === "write" && a.path === wanted);
          return writes.at(-1)?.text;
        },
        [SAVE, path],
      ),
    /** Replaces the text of the open file, as a paste would. */
    paste: async (text) => {
      await page.locator(".cm-content").click();
      await page.keyboard.press("Control+a");
      await page.keyboard.insertText(text);
    },
    questions: () => page.locator("#tab-questions").click(),
    /** Opens the question of a name by its place in the list. */
    question: async (id) => {
      const pips = page.locator(".pip");
      for (let nth = 0; nth < (await pips.count()); nth += 1) {
        await pips.nth(nth).click();
        if (await page.locator(`[data-question="${id}"]`).count()) return page.locator(`[data-question="${id}"]`);
      }
      throw new Error(`no question ${id}`);
    },
  };
}

/** Answers the open question and waits for the verdict. */
async function answer(form, right) {
  await form.locator('[data-do="answer"]').click();
  await form.locator(`.verdict[data-right="${right}"]:not(.stale)`).waitFor();
}

test("the incident is broken on arrival, and one switch shows the handlers", async () => {
  await visit({}, async ({ page, shot }) => {
    const me = learner(page);
    for (const handler of ["nvidia", "nvidia-cdi", "nvidia-legacy"]) assert.equal(await me.link(handler), "broken");
    assert.equal(await me.count(), 0);
    const gap = await page.locator(".gap-what").innerText();
    assert.match(gap, /zz-labhub-registry\.toml/);
    assert.match(gap, /99-nvidia\.toml/);
    assert.match(gap, /3 handlers/);
    await me.editor();
    await shot("learner-1-arrival");
    await me.toggle("zz-labhub-registry.toml");
    await me.waitLink("nvidia", "joined");
    assert.equal(await me.count(), 6);
    // Written is closed; in force is not: the daemon still holds what it read when it started.
    await page.locator('[data-behind="lacks"]').waitFor();
    assert.equal(await page.locator(".gap.closed").count(), 0);
    await shot("learner-2-one-switch");
  });
});

test("the incident is mended by editing: all goals are met", async () => {
  await visit({}, async ({ page, shot }) => {
    const me = learner(page);
    await me.editor();
    await me.openFile("99-nvidia.toml");
    await me.paste(solution);
    await me.openFile("zz-labhub-registry.toml");
    await me.press("remove");
    await page.locator(".all-met").waitFor();
    assert.equal(await me.goalsMet(), await me.goals());
    assert.equal(await page.locator(".files [role=tab]").count(), 2);
    await shot("learner-3-mended");
  });
});

test("a fault is marked at its line while it is typed, and the strip says what happens", async () => {
  await visit({}, async ({ page, shot }) => {
    const me = learner(page);
    await me.editor();
    await me.openFile("config.toml");
    await page.locator(".cm-content").click();
    await page.keyboard.press("Control+End");
    await page.keyboard.type("bad = = 1");
    await page.locator(".cm-lint-marker-error").waitFor();
    await page.locator(".cm-lintRange-error").waitFor();
    assert.match(await page.locator(".gap-error").innerText(), /containerd: failed to load TOML/);
    assert.match(await page.locator(".refused pre").innerText(), /config\.toml/);
    await shot("learner-4-fault");
    await page.keyboard.press("Control+z");
    await page.locator(".lines").waitFor();
  });
});

test("every line of the dump says where it is from, and answers why", async () => {
  await visit({}, async ({ page, shot }) => {
    const me = learner(page);
    await me.editor();
    await page.locator(".chip").nth(1).click();
    const lines = page.locator(".line");
    await lines.first().waitFor();
    for (const origin of await page.locator(".line .origin").allTextContents()) assert.match(origin, /\.toml:\d+/);
    await page.locator(".line", { hasText: "config_path" }).click();
    const why = page.locator(".why");
    await why.waitFor();
    assert.match(await why.innerText(), /registry\.config_path/);
    assert.match(await why.innerText(), /zz-labhub-registry\.toml:3/);
    await shot("learner-5-why");
    await why.locator(".place", { hasText: "zz-labhub-registry.toml:3" }).first().click();
    await page.locator(".cm-flash").waitFor();
    assert.match(await page.locator(".cm-flash").innerText(), /config_path/);
    await page.keyboard.press("Escape");
    await why.waitFor({ state: "detached" });
  });
});

test("the count box counts like grep -c, and finds", async () => {
  await visit({}, async ({ page }) => {
    const me = learner(page);
    const box = page.getByRole("searchbox");
    await box.fill("sandbox_image");
    assert.equal(await me.count(), 1);
    await page.locator(".chip").nth(2).click();
    await page.locator(".line mark").first().waitFor();
    assert.equal(await page.locator(".line").count(), 1);
    await box.fill("no such text");
    assert.equal(await me.count(), 0);
    await page.locator(".dump .empty").waitFor();
  });
});

test("leaving files out one at a time gives the counts of the recordings", async () => {
  await visit({}, async ({ page }) => {
    await page.locator(".ablate-table tbody tr").nth(4).waitFor();
    const rows = await page.locator(".ablate-table tbody tr").allInnerTexts();
    const counts = rows.map((row) => Number(row.split("\t")[1]));
    assert.deepEqual(counts, [0, 0, 6, 6, 0]);
  });
});

test("a wrong answer is explained and can be given again; the verdict has three columns", async () => {
  await visit({}, async ({ page, shot }) => {
    const me = learner(page);
    await me.questions();
    const form = await me.question("both-files");
    await form.locator("input").fill("6");
    await answer(form, false);
    assert.match(await form.locator(".because").innerText(), /99-nvidia\.toml/);
    assert.deepEqual(await form.locator(".columns td").allInnerTexts(), ["6", "0", "0"]);
    assert.match(await form.locator(".columns th").nth(2).innerText(), /1\.7\.27/);
    await shot("learner-6-wrong");
    await form.locator("input").fill("0");
    await answer(form, true);
    assert.deepEqual(await form.locator(".columns td").allInnerTexts(), ["0", "0", "0"]);

    const one = await me.question("registry-alone");
    await one.getByLabel("None").check();
    await answer(one, false);
    await one.locator('input[value="runc"]').check();
    await answer(one, true);

    const several = await me.question("two-handlers");
    const wanted = async (form, ids) => {
      for (const box of await form.locator("input").all()) {
        await box.setChecked(ids.includes(await box.getAttribute("value")));
      }
    };
    await wanted(several, ["runc", "kata", "nvidia"]);
    await several.locator('[data-do="answer"]').click();
    await several.locator(".verdict").waitFor();

    const order = await me.question("byte-order");
    await order.getByRole("button", { name: /Move up/ }).nth(2).click();
    await page.keyboard.press("Enter");
    await order.locator('[data-do="answer"]').click();
    await order.locator(".verdict").waitFor();
    await shot("learner-7-order");

    const text = await me.question("pause-image");
    await text.locator("input").fill("registry.k8s.io/pause:3.8");
    await text.locator('[data-do="answer"]').click();
    await text.locator(".verdict").waitFor();
  });
});

test("hints come one at a time", async () => {
  await visit({}, async ({ page }) => {
    const me = learner(page);
    assert.equal(await page.locator(".hints li").count(), 0);
    await me.press("hint");
    await page.locator(".hints li").first().waitFor();
    assert.equal(await page.locator(".hints li").count(), 1);
    await me.press("hint");
    await page.locator(".hints li").nth(1).waitFor();
  });
});

test("a reload keeps the work, undo and redo walk through it, and a reset can be undone", async () => {
  await visit({}, async ({ page }) => {
    const me = learner(page);
    await me.editor();
    await me.toggle("zz-labhub-registry.toml");
    await me.waitLink("nvidia", "joined");
    await page.reload();
    await me.waitLink("nvidia", "joined");
    await page.locator("body").press("Control+z");
    await me.waitLink("nvidia", "broken");
    await page.locator("body").press("Control+Shift+z");
    await me.waitLink("nvidia", "joined");
    await me.press("reset");
    await me.waitLink("nvidia", "broken");
    await me.press("undo");
    await me.waitLink("nvidia", "joined");
    await page.reload();
    await me.waitLink("nvidia", "joined");
  });
});

test("typing in a burst is one step, and undo shows in the editor", async () => {
  await visit({}, async ({ page }) => {
    const me = learner(page);
    await me.editor();
    await me.openFile("zz-labhub-registry.toml");
    await page.locator(".cm-content").click();
    await page.keyboard.press("Control+End");
    await page.keyboard.type("# seen");
    await page.waitForFunction(([key]) => localStorage[key]?.includes("# seen"), [SAVE]);
    assert.equal(await page.evaluate(([key]) => JSON.parse(localStorage[key]).done, [SAVE]), 1);
    await me.press("undo");
    await page.waitForFunction(() => !document.querySelector(".cm-content").innerText.includes("# seen"));
  });
});

test("a link opened in a fresh profile shows the same state, and keeps what was there", async () => {
  const link = await visit({ permissions: ["clipboard-read", "clipboard-write"] }, async ({ page }) => {
    const me = learner(page);
    await me.editor();
    await me.toggle("zz-labhub-registry.toml");
    await me.waitLink("nvidia", "joined");
    await me.press("share");
    await page.locator(".toast").waitFor();
    return page.evaluate(() => navigator.clipboard.readText());
  });
  const path = link.slice(lab.url.length);
  assert.match(path, /^#\/three-lines\/w\//);
  await visit({ path }, async ({ page }) => {
    const me = learner(page);
    await me.waitLink("nvidia", "joined");
    assert.ok(!page.url().includes("/w/"), "the address is short again");
    await page.waitForLoadState("networkidle");
    await page.reload();
    await me.waitLink("nvidia", "joined");
  });
  // Somebody who has work of their own does not lose it.
  await visit({}, async ({ page }) => {
    const me = learner(page);
    await me.press("hint");
    await page.waitForFunction(([key]) => localStorage[key], [SAVE]);
    await page.waitForLoadState("networkidle");
    await page.goto(new URL(path, lab.url).href);
    await me.waitLink("nvidia", "joined");
    await page.locator(".toast.grave button").first().waitFor();
    const kept = await page.evaluate(([key]) => localStorage[`${key}.kept-1`], [SAVE]);
    assert.match(kept, /"hint"/);
    await page.locator(".toast.grave button").first().click();
    await me.waitLink("nvidia", "broken");
    assert.equal(await page.locator(".hints li").count(), 1);
  });
});

test("work goes out as a file and comes back; a broken file changes nothing", async () => {
  await visit({}, async ({ page }) => {
    const me = learner(page);
    await me.editor();
    await me.toggle("zz-labhub-registry.toml");
    await me.waitLink("nvidia", "joined");
    const waiting = page.waitForEvent("download");
    await me.press("export");
    const file = await waiting;
    const saved = readFileSync(await file.path());
    await me.press("reset");
    await me.waitLink("nvidia", "broken");
    const give = async (name, buffer) => {
      const chooser = page.waitForEvent("filechooser");
      await me.press("import");
      await (await chooser).setFiles({ name, mimeType: "application/json", buffer });
    };
    await give("broken.json", Buffer.from("{"));
    await page.locator(".toast.grave").waitFor();
    assert.equal(await me.link("nvidia"), "broken");
    await give("work.json", saved);
    await me.waitLink("nvidia", "joined");
  });
});

test("a save that cannot be read is kept under another name, and said so", async () => {
  await visit({}, async ({ page }) => {
    const me = learner(page);
    await page.evaluate(([key]) => (localStorage[key] = '{"format":99,"engine":"9.9.9"}'), [SAVE]);
    await page.waitForLoadState("networkidle");
    await page.reload();
    await page.locator(".toast.grave").waitFor();
    assert.match(await page.locator(".toast").innerText(), /kept-1/);
    assert.equal(await me.link("nvidia"), "broken");
    await me.toggle("zz-labhub-registry.toml");
    await me.waitLink("nvidia", "joined");
    assert.match(await page.evaluate(([key]) => localStorage[`${key}.kept-1`], [SAVE]), /9\.9\.9/);
  });
});

test("a link that was cut off says so, and the page works", async () => {
  await visit({ path: "#/three-lines/w/AAAA" }, async ({ page }) => {
    await page.locator(".toast.grave").waitFor();
    assert.equal(await learner(page).link("nvidia"), "broken");
  });
});

test("the whole way is open to the keyboard alone", async () => {
  await visit({}, async ({ page }) => {
    const me = learner(page);
    await me.editor();
    const walk = async (matches, most = 60) => {
      for (let n = 0; n < most; n += 1) {
        await page.keyboard.press("Tab");
        if (await page.evaluate((m) => document.activeElement?.matches(m), matches)) return;
      }
      throw new Error(`Tab does not reach ${matches}`);
    };
    await walk('.switch[data-file^="zz"]');
    await page.keyboard.press("Space");
    await me.waitLink("nvidia", "joined");
    await walk(".files [role=tab][aria-selected=true]");
    await page.keyboard.press("ArrowRight");
    await page.locator(".files [role=tab][aria-selected=true]", { hasText: "zz-" }).waitFor();
    await walk(".cm-content");
    await page.keyboard.type("# here");
    await page.waitForFunction(([key]) => localStorage[key]?.includes("# here"), [SAVE]);
    await walk(".lines");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.locator(".why").waitFor();
    await page.keyboard.press("Escape");
    await page.locator(".why").waitFor({ state: "detached" });
    await page.waitForFunction(() => document.querySelector("#announcer").textContent.includes("nvidia-cdi"));
  });
});

test("changing the language keeps the work", async () => {
  await visit({ locale: "ko-KR" }, async ({ page, shot }) => {
    const me = learner(page);
    await me.editor();
    assert.equal(await page.locator("html").getAttribute("lang"), "ko");
    await me.toggle("zz-labhub-registry.toml");
    await me.waitLink("nvidia", "joined");
    await page.locator('[data-lang="ja"]').click();
    await page.locator("html[lang=ja]").waitFor();
    await page.locator(".bar-title", { hasText: "設定" }).waitFor();
    assert.equal(await me.link("nvidia"), "joined");
    await shot("learner-8-japanese");
    await page.reload();
    await page.locator("html[lang=ja]").waitFor();
  });
});

for (const [size, viewport] of Object.entries({ desk: DESK, phone: PHONE })) {
  for (const colorScheme of ["light", "dark"]) {
    test(`axe finds nothing on a ${size} in ${colorScheme} colours`, async () => {
      await visit({ viewport, colorScheme, reducedMotion: "reduce" }, async ({ page, axe, shot }) => {
        const me = learner(page);
        const parts = size === "phone" ? ["task", "files", "next"] : [""];
        for (const part of parts) {
          if (part) await page.locator(`#tab-${part}`).click();
          if (part !== "task") await page.locator(".ablate-table, .cm-content").first().waitFor({ state: "attached" });
          assert.deepEqual(await axe(), []);
        }
        if (size === "phone") await page.locator("#tab-next").click();
        await page.locator(".chip").nth(1).click();
        await page.locator(".line", { hasText: "config_path" }).first().click();
        await page.locator(".why").waitFor();
        assert.deepEqual(await axe(), []);
        if (size === "phone") await page.locator("#tab-task").click();
        await me.questions();
        const form = await me.question("both-files");
        await form.locator("input").fill("6");
        await answer(form, false);
        assert.deepEqual(await axe(), []);
        await shot(`learner-axe-${size}-${colorScheme}`);
        await page.goto(new URL("#/labs", lab.url).href);
        await page.locator(".labs-row h3").first().waitFor();
        assert.deepEqual(await axe(), []);
      });
    });
  }
}

test("the start page lists the labs, with how far each is done", async () => {
  await visit({ path: "" }, async ({ page, shot }) => {
    await page.locator(".labs-row h3").nth(1).waitFor();
    assert.ok((await page.locator(".labs-row").count()) > 1);
    await page.getByRole("link", { name: "Three lines and four GPUs" }).click();
    const me = learner(page);
    await me.editor();
    await me.press("hint");
    await page.locator(".brand").click();
    const row = page.locator(".labs-row", { hasText: "Three lines and four GPUs" });
    await row.locator(".labs-state", { hasText: "started" }).waitFor();
    assert.match(await row.innerText(), /goals 2\/4/);
    await shot("learner-10-labs");
  });
});

test("files can be made, renamed and deleted", async () => {
  await visit({}, async ({ page }) => {
    const me = learner(page);
    await me.editor();
    await me.openFile("zz-labhub-registry.toml");
    await me.press("rename");
    await page.locator("input.path").fill("/etc/containerd/conf.d/00-registry.toml");
    await page.keyboard.press("Enter");
    await page.locator(".files [role=tab]", { hasText: "00-registry.toml" }).waitFor();
    await me.waitLink("nvidia", "joined");
    await me.press("new-file");
    await page.locator("input.path").fill("/etc/containerd/conf.d/50-kata.toml");
    await page.keyboard.press("Enter");
    await page.locator('.files [role=tab][aria-selected="true"]', { hasText: "50-kata.toml" }).waitFor();
    await me.press("rename");
    await page.locator("input.path").fill(NVIDIA);
    await page.keyboard.press("Enter");
    await page.locator(".toast", { hasText: "99-nvidia.toml" }).waitFor();
    await page.keyboard.press("Escape");
    await me.press("remove");
    await page.locator(".files [role=tab]", { hasText: "50-kata.toml" }).waitFor({ state: "detached" });
    assert.equal(await me.fileText(REGISTRY), undefined);
  });
});

test("the page stands without the editor, and says so", async () => {
  const context = await lab.browser.newContext({ viewport: DESK, locale: "en-US" });
  const page = await context.newPage();
  await page.route(/\/editor[^/]*\.js/, (route) => route.abort());
  await page.goto(`${lab.url}#/${LAB}`);
  const me = learner(page);
  const field = page.locator(".plain-editor");
  await field.waitFor();
  await me.openFile("config.toml");
  await field.fill('version = 2\nimports = ["/etc/containerd/conf.d/99-nvidia.toml"]\n');
  await me.waitLink("nvidia", "joined");
  await page.locator(".editor-note", { hasText: "did not arrive" }).waitFor();
  await context.close();
});

test("once seen, the lab works without a network", async () => {
  await visit({}, async ({ page, context }) => {
    const me = learner(page);
    await me.editor();
    await page.waitForFunction(() => navigator.serviceWorker.controller);
    await me.toggle("zz-labhub-registry.toml");
    await me.waitLink("nvidia", "joined");
    await context.setOffline(true);
    await page.reload();
    await me.waitLink("nvidia", "joined");
    await me.editor();
    await me.questions();
    const form = await me.question("nvidia-alone");
    await form.locator("input").fill("6");
    await answer(form, true);
    await page.locator('[data-lang="ko"]').click();
    await page.locator("html[lang=ko]").waitFor();
  });
});

test("a lab that does not arrive is asked for again", async () => {
  const context = await lab.browser.newContext({ viewport: DESK, locale: "en-US" });
  const page = await context.newPage();
  let broken = true;
  await page.route("**/scenario.toml", (route) => (broken ? route.abort() : route.continue()));
  await page.goto(`${lab.url}#/${LAB}`);
  await page.locator(".failed").waitFor();
  broken = false;
  await page.locator(".failed button").click();
  await page.locator(".strip").waitFor();
  await context.close();
});

test("50 drop-ins are shown, switched and edited like a few", async () => {
  await visit({}, async ({ page, shot }) => {
    await fifty(page);
    assert.equal(await actions(page), 50);
    await page.locator(".cm-content").click();
    await page.keyboard.type("#");
    await page.waitForFunction(([key]) => JSON.parse(localStorage[key]).actions.length === 51, [SAVE]);
    assert.equal(await learner(page).link("h00"), "broken");
    await shot("learner-9-fifty");
  });
});
