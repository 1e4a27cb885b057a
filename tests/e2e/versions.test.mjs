// Another containerd above the same files: the list of versions, the process beside the dump, two versions side by side.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { DESK, PHONE, startLab } from "./lab.mjs";

const LAB = "three-lines";
const SAVE = `fourgaps.work.${LAB}`;
const HANDLERS = ["nvidia", "nvidia-cdi", "nvidia-legacy"];

let lab;
before(async () => {
  lab = await startLab();
});
after(async () => {
  await lab?.close();
});

/** What a test asks of the page. */
function learner(page) {
  const row = (handler) => page.locator(`[data-handler="${handler}"]`);
  return {
    row,
    look: (version) => page.locator("#version").selectOption(version),
    beside: async (version) => {
      await page.locator("#beside").selectOption(version);
      await page.locator(`.compare[data-beside="${version}"][aria-busy=false]`).waitFor();
    },
    waitLink: (handler, way) => page.locator(`[data-handler="${handler}"][data-link="${way}"]`).waitFor(),
    waitLoaded: (handler, against) => row(handler).locator(`[data-loaded="${against}"]`).waitFor(),
    chosen: () => page.locator("#version").inputValue(),
    note: (which) => page.locator(`[data-note="${which}"]`),
    editor: async () => page.locator(".cm-content").waitFor({ state: "attached" }),
    paste: async (file, text) => {
      await page.locator(".cm-content").waitFor();
      await page.locator(".files [role=tab]", { hasText: file }).click();
      await page.locator(".cm-content").click();
      await page.keyboard.press("Control+a");
      await page.keyboard.insertText(text);
    },
  };
}

/** Opens the lab of the incident, or what `path` says. */
const visit = (options, play) =>
  lab.visit({ path: `#/${LAB}`, ...options }, async (seen) => {
    await seen.page.locator(".strip-row").first().waitFor();
    return play({ ...seen, me: learner(seen.page) });
  });

test("with 2.1.4 the handlers appear, and goals stay with the node's own version", async () => {
  await visit({}, async ({ page, me, shot }) => {
    for (const handler of HANDLERS) assert.equal(await me.row(handler).getAttribute("data-link"), "broken");
    const met = await page.locator('.goal[data-met="true"]').count();
    await me.look("2.1.4");
    for (const handler of HANDLERS) {
      await me.waitLink(handler, "joined");
      await me.waitLoaded(handler, "same");
    }
    assert.equal(await page.locator('.goal[data-met="true"]').count(), met);
    assert.match(await page.locator(".away").innerText(), /2\.1\.4.*1\.7\.27/s);
    await page.waitForFunction(() => document.querySelector("#announcer").textContent.includes("nvidia-cdi"));
    await shot("versions-1-flipped");
    await page.locator('[data-do="home"]').click();
    await me.waitLink("nvidia", "broken");
    assert.equal(await page.locator(".away").count(), 0);
    assert.equal(await me.chosen(), "1.7.27");
  });
});

test("a version is a step: undo, redo, reload, reset and a link carry it", async () => {
  let link;
  await visit({}, async ({ page, me }) => {
    await me.look("2.1.4");
    await me.waitLink("nvidia", "joined");
    await page.locator('[data-do="undo"]').click();
    await me.waitLink("nvidia", "broken");
    assert.equal(await me.chosen(), "1.7.27");
    await page.locator('[data-do="redo"]').click();
    await me.waitLink("nvidia", "joined");
    assert.equal(await me.chosen(), "2.1.4");
    await page.waitForFunction(([key]) => localStorage[key]?.includes('"containerd":"2.1.4"'), [SAVE]);
    await page.waitForLoadState("networkidle");
    await page.reload();
    await me.waitLink("nvidia", "joined");
    assert.equal(await me.chosen(), "2.1.4");
    await page.evaluate(() => Object.defineProperty(navigator, "clipboard", { value: undefined }));
    await page.locator('[data-do="share"]').click();
    link = await page.locator(".toast input").inputValue();
    await page.locator('[data-do="reset"]').click();
    await me.waitLink("nvidia", "broken");
    assert.equal(await me.chosen(), "1.7.27");
  });
  await visit({ path: new URL(link).hash }, async ({ me }) => {
    await me.waitLink("nvidia", "joined");
    assert.equal(await me.chosen(), "2.1.4");
  });
});

test("2.0.5 prints less than it loads, and the strip says why", async () => {
  await visit({}, async ({ page, me, shot }) => {
    await me.look("2.0.5");
    for (const handler of HANDLERS) {
      await me.waitLink(handler, "broken");
      await me.waitLoaded(handler, "gained");
    }
    await me.note("untranslated").waitFor();
    assert.equal(await page.locator(".gap:not(.note)").count(), 0, "what the daemon has is no gap");
    await shot("versions-2-dump-lacks");
  });
});

test("an import that is not there: a clean dump, and no daemon", async () => {
  await visit({}, async ({ page, me, shot }) => {
    await me.look("2.1.4");
    await me.paste("config.toml", 'version = 2\nimports = ["/etc/containerd/none.toml"]\n');
    await me.note("ends_absent").waitFor();
    assert.match(await me.note("ends_absent").innerText(), /no such file or directory/);
    await me.waitLoaded("runc", "lost");
    assert.match(await page.locator(".strip-head").innerText(), /no start/);
    await shot("versions-3-no-daemon");
  });
});

test("imports that only the dump says are printed and not followed", async () => {
  await visit({}, async ({ me }) => {
    await me.look("2.2.5");
    await me.paste("config.toml", "version = 2\n");
    await me.note("printed_imports").waitFor();
    await me.waitLoaded("nvidia", "neither");
  });
});

test("without runc the daemon of 1.7.27 stays up and has no handlers", async () => {
  await visit({ path: "#/runc-went-missing" }, async ({ page, me, shot }) => {
    await me.waitLoaded("nvidia", "lost");
    assert.match(await page.locator(".strip-head").innerText(), /no CRI/);
    assert.match(await me.note("no_cri").innerText(), /default_runtime_name/);
    await shot("versions-4-no-cri");
  });
});

test("two versions side by side: what is gained, by cause, and the lines that differ", async () => {
  await visit({}, async ({ page, me, shot }) => {
    await me.beside("2.1.4");
    assert.equal(await page.locator('.upgrade-handlers [data-what="gained"]').count(), 3);
    assert.equal(await page.locator(".upgrade").getAttribute("data-harmful"), "false");
    assert.ok((await page.locator(".upgrade-values li").count()) > 5);
    assert.ok((await page.locator('[data-lines="line"] .changed').count()) > 0);
    assert.ok((await page.locator('[data-lines="beside"] .changed').count()) > 0);
    await shot("versions-5-side-by-side");
    await me.look("2.1.4");
    await page.locator(".compare[data-beside='2.1.4'][aria-busy=false] .upgrade-handlers [data-what='kept']").nth(3).waitFor();
    await me.look("2.3.4");
    await me.beside("1.7.27");
    await page.locator(".upgrade[data-harmful='true']").waitFor();
    assert.equal(await page.locator(".upgrade-handlers li").first().getAttribute("data-what"), "lost");
    await page.locator("#beside").selectOption({ index: 0 });
    await page.locator(".compare").waitFor({ state: "detached" });
    await page.locator(".ablate-table").waitFor();
  });
});

test("a second version follows what is typed, and typing does not wait for it", async () => {
  await visit({}, async ({ page, me }) => {
    await me.beside("2.1.4");
    await me.paste("99-nvidia.toml", "version = 2\n");
    await page.waitForFunction(() => document.querySelectorAll(".compare[aria-busy=false] .upgrade-handlers li").length === 1);
    assert.deepEqual(await page.locator(".upgrade-handlers code").allInnerTexts(), ["runc"]);
  });
});

test("a question about the daemon has a simulator's column", async () => {
  await visit({ path: "#/dump-that-lied" }, async ({ page }) => {
    await page.locator("#tab-questions").click();
    const pips = page.locator(".pip");
    let found = false;
    for (let nth = 0; nth < (await pips.count()) && !found; nth += 1) {
      await pips.nth(nth).click();
      const form = page.locator(".question");
      if (!(await form.count()) || !/daemon|loaded|process/i.test(await form.locator(".question-text").innerText())) continue;
      const field = form.locator("input.answer-text");
      if (!(await field.count())) continue;
      await field.fill("nothing");
      await form.locator('[data-do="answer"]').click();
      const columns = form.locator(".columns td");
      await columns.nth(2).waitFor();
      assert.equal(await columns.nth(1).innerText(), await columns.nth(2).innerText());
      found = true;
    }
    assert.ok(found, "the lab asks about the daemon");
  });
});

test("the keyboard alone flips versions and sets one beside", async () => {
  await visit({}, async ({ page, me }) => {
    await me.editor();
    const walk = async (matches) => {
      for (let n = 0; n < 60; n += 1) {
        await page.keyboard.press("Tab");
        if (await page.evaluate((m) => document.activeElement?.matches(m), matches)) return;
      }
      throw new Error(`Tab does not reach ${matches}`);
    };
    await walk("#version");
    await page.keyboard.press("End");
    await page.locator(".away", { hasText: "2.3.4" }).waitFor();
    assert.equal(await page.evaluate(() => document.activeElement?.id), "version");
    await page.keyboard.press("ArrowUp");
    await page.locator(".away", { hasText: "2.2.5" }).waitFor();
    await page.keyboard.press("Control+z");
    await page.locator(".away", { hasText: "2.3.4" }).waitFor();
    assert.equal(await me.chosen(), "2.3.4");
    await walk("#beside");
    await page.keyboard.press("ArrowDown");
    await page.locator(".compare[aria-busy=false]").waitFor();
    await walk(".upgrade");
    await walk('[data-lines="line"]');
    await walk('[data-lines="beside"]');
    await page.keyboard.press("ArrowDown");
  });
});

for (const [size, viewport] of Object.entries({ desk: DESK, phone: PHONE })) {
  for (const colorScheme of ["light", "dark"]) {
    test(`axe finds nothing with everything open on a ${size} in ${colorScheme} colours`, async () => {
      await visit({ viewport, colorScheme, reducedMotion: "reduce" }, async ({ page, me, axe, shot }) => {
        await me.editor();
        await me.look("2.0.5");
        await me.note("untranslated").waitFor();
        await page.locator(".ablate[aria-busy=false]").waitFor({ state: "attached" });
        assert.deepEqual(await axe(), []);
        if (size === "phone") await page.locator("#tab-next").click();
        await me.beside("1.7.27");
        assert.deepEqual(await axe(), []);
        await shot(`versions-axe-${size}-${colorScheme}`);
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        assert.equal(wide, 0, "nothing is wider than the page");
      });
    });
  }
}

test("with 50 drop-ins and another version an edit is seen at once, and the daemon follows", async () => {
  await visit({}, async ({ page, me }) => {
    await me.editor();
    await me.look("2.1.4");
    await page.waitForFunction(([key]) => localStorage[key], [SAVE]);
    await page.evaluate(
      ([key]) => {
        const save = JSON.parse(localStorage[key]);
        const plugin = 'plugins."io.containerd.grpc.v1.cri".containerd.runtimes';
        for (let n = 0; n < 50; n += 1) {
          const name = String(n).padStart(2, "0");
          const text = `version = 2\n[${plugin}.h${name}]\n  runtime_type = "io.containerd.runc.v2"\n`;
          save.actions.push({ do: "write", path: `/etc/containerd/conf.d/${name}.toml`, text });
        }
        save.done = save.actions.length;
        localStorage[key] = JSON.stringify(save);
      },
      [SAVE],
    );
    await page.reload();
    await me.waitLoaded("h49", "same");
    await me.editor();
    await page.locator(".cm-content").click();
    const figures = [];
    for (let n = 0; n < 15; n += 1) {
      await page.evaluate(() => delete document.documentElement.dataset.paintMs);
      await page.keyboard.type("#");
      await page.waitForFunction(() => document.documentElement.dataset.paintMs);
      figures.push(Number(await page.locator("html").getAttribute("data-edit-ms")));
    }
    figures.sort((a, b) => a - b);
    console.log(`edit to picture with 50 drop-ins on 2.1.4: median ${figures[7]} ms, best ${figures[0]}, worst ${figures.at(-1)}`);
    assert.ok(figures[0] < 32, `best ${figures[0]} ms`);
    await page.locator(".strip:not(.late)").waitFor();
  });
});
