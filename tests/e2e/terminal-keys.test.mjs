// The terminal as a thing on a screen: its size, its selection and clipboard, its text for a reader, its links, its keys.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startLab } from "./lab.mjs";
import { typist } from "./typist.mjs";

let lab;
before(async () => {
  lab = await startLab();
});
after(async () => {
  await lab?.close();
});

/** Opens a lab and waits for the first prompt. */
const visit = (options, play) =>
  lab.visit({ path: "#/three-lines", ...options }, async (seen) => {
    await seen.page.locator(".term-tabs [role=tab]").first().waitFor({ state: "attached", timeout: 60_000 });
    const me = typist(seen.page);
    await me.prompt();
    return play({ ...seen, me });
  });

const SCREEN = ".term-screen:not([hidden])";

/** The rows that are drawn, without what is empty behind their text. */
const rows = (page) =>
  page.locator(`${SCREEN} .xterm-rows > div`).evaluateAll((all) => all.map((row) => row.textContent.trimEnd()));

/** Waits until the rows that are drawn pass a test, written as the body of a function of `rows`. */
const drawn = (page, test) =>
  page.waitForFunction(
    ({ screen, test }) => {
      const all = [...document.querySelectorAll(`${screen} .xterm-rows > div`)];
      return new Function("rows", `return ${test}`)(all.map((row) => row.textContent.trimEnd()));
    },
    { screen: SCREEN, test },
  );

/** The middle of a letter of the last row on the screen that has `text`: the first one, or the one `further` on; in pixels. */
async function spot(page, text, further = 0) {
  await drawn(page, `rows.some((row) => row.includes(${JSON.stringify(text)}))`);
  return page.evaluate(
    ({ screen, text, further }) => {
      const row = [...document.querySelectorAll(`${screen} .xterm-rows > div`)].findLast((row) => row.textContent.includes(text));
      let at = row.textContent.lastIndexOf(text) + further;
      const walker = document.createTreeWalker(row, NodeFilter.SHOW_TEXT);
      while (walker.nextNode() && at >= walker.currentNode.length) at -= walker.currentNode.length;
      const range = document.createRange();
      range.setStart(walker.currentNode, at);
      range.setEnd(walker.currentNode, at + 1);
      const box = range.getBoundingClientRect();
      return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    },
    { screen: SCREEN, text, further },
  );
}

/** Waits until the text at the prompt, with what stands before it, ends like this. */
const typed = (page, end) =>
  page.waitForFunction((end) => document.querySelector(".shell-place").read().endsWith(end), end);

test("a window of another size gives the terminal other columns, and long lines wrap anew", async () => {
  await visit({}, async ({ page, me, shot }) => {
    await me.run("printf '%300s\\n' x | tr ' ' x");
    const wrapped = async () => (await rows(page)).filter((row) => /^x+$/.test(row)).map((row) => row.length);
    const narrow = await wrapped();
    assert.equal(narrow.reduce((sum, length) => sum + length), 300, `${narrow}`);
    const columns = Math.max(...narrow);
    assert.ok(narrow.slice(0, -1).every((length) => length === columns), `${narrow}`);
    await page.setViewportSize({ width: 1680, height: 800 });
    await drawn(page, `rows.some((row) => /^x+$/.test(row) && row.length > ${columns})`);
    const wide = await wrapped();
    assert.equal(wide.reduce((sum, length) => sum + length), 300, `${wide}`);
    assert.ok(wide.length < narrow.length, `${narrow} became ${wide}`);
    await shot("terminal-5-wide");
    await page.setViewportSize({ width: 1280, height: 800 });
    await drawn(page, `rows.filter((row) => /^x+$/.test(row)).length === ${narrow.length}`);
    assert.deepEqual(await wrapped(), narrow);
    // A shell that was resized takes lines as before.
    assert.equal(await me.run("echo alive"), "alive");
  });
});

test("what is selected is copied, and a copy never stops a line", async () => {
  await visit({ permissions: ["clipboard-read", "clipboard-write"] }, async ({ page, me }) => {
    const copied = () => page.evaluate(() => navigator.clipboard.readText());
    await me.run("echo first-word-of-it; echo second-word-of-it");
    for (const [text, key] of [["first-word-of-it", "Control+Shift+C"], ["second-word-of-it", "Control+c"]]) {
      await me.keys("half");
      const { x, y } = await spot(page, text);
      await page.mouse.dblclick(x, y);
      await page.keyboard.press(key);
      await page.waitForFunction((text) => navigator.clipboard.readText().then((held) => text.includes(held) && held.length > 4), text);
      assert.ok(text.includes(await copied()));
      // What was typed is still there; Ctrl+C without a selection drops it.
      await typed(page, "half");
      await page.mouse.click(x, y);
      await page.keyboard.press("Control+c");
      await me.prompt();
    }
  });
});

test("several lines that are pasted are one line, which runs at Enter and comes back whole", async () => {
  await visit({ permissions: ["clipboard-read", "clipboard-write"] }, async ({ page, me }) => {
    const text = "for i in 1 2; do\n  echo turn $i\ndone\n";
    await page.evaluate((text) => navigator.clipboard.writeText(text), text);
    await page.locator(`${SCREEN} textarea`).focus();
    await page.keyboard.press("Control+v");
    await typed(page, "\n> done");
    assert.doesNotMatch(await me.read(), /^turn/m);
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => /\nturn 1\nturn 2\n[^\n]*[#$]$/.test(document.querySelector(".shell-place").read()));
    await page.keyboard.press("ArrowUp");
    await typed(page, "\n> done");
    await page.keyboard.press("Control+c");
    await me.prompt();
    const lines = await page.evaluate(() => JSON.parse(localStorage["fourgaps.work.three-lines"]).actions.map((action) => action.line));
    assert.deepEqual(lines.filter(Boolean), [text.trimEnd()]);
  });
});

test("a screen reader finds what is printed, and hears it", async () => {
  await visit({}, async ({ page, me }) => {
    await me.run("echo printed-for-a-reader");
    const tree = page.locator(`${SCREEN} .xterm-accessibility-tree`);
    await tree.getByText("printed-for-a-reader", { exact: true }).waitFor({ state: "attached" });
    assert.equal(await tree.getAttribute("role"), "list");
    assert.ok((await tree.getByRole("listitem", { includeHidden: true }).count()) > 3);
    const live = page.locator(`${SCREEN} .live-region`);
    assert.ok(["assertive", "polite"].includes(await live.getAttribute("aria-live")));
    await page.waitForFunction(
      (screen) => document.querySelector(`${screen} .live-region`).textContent.includes("printed-for-a-reader"),
      SCREEN,
    );
    const label = await page.locator(`${SCREEN} textarea`).getAttribute("aria-label");
    assert.ok(label?.trim(), "the line has a name");
  });
});

test("the place of an error opens the editor at its line, also where it goes on over the edge", async () => {
  await visit({}, async ({ page, me, shot }) => {
    await page.locator(".cm-content").waitFor();
    const file = "/etc/containerd/config.toml";
    await me.run(`echo 'broken = = 1' >> ${file}`);
    // As Go's library writes it, in a row or over two: the line is the one that was added.
    assert.match(await me.run("containerd config dump"), /config\.toml: ?\(\d+, \d+\)/);
    await me.run("printf '%300s\n' x | tr ' ' x");
    const columns = Math.max(...(await rows(page)).filter((row) => /^x+$/.test(row)).map((row) => row.length));
    for (const before of [0, columns - 6, columns - 20]) {
      await page.keyboard.press("Control+l");
      await me.run(`printf '%${before}s%s:%s: x\n' '' ${file} $(grep -c '' ${file}) | tr ' ' -`);
      // What is printed stands there, so that the line that was typed is not taken for it.
      await drawn(page, 'rows.some((row) => row.endsWith(":-x"))');
      await page.locator(".files [role=tab]", { hasText: "zz-labhub" }).click();
      await page.locator(".cm-flash").waitFor({ state: "detached" });
      // Where a path goes on over the edge, its end is a link as its beginning is.
      for (const [text, further] of [["/etc/", 2], ["toml:", 1]]) {
        if (before && text === "toml:" && before + file.length - 4 < columns) continue;
        const { x, y } = await spot(page, text, further);
        await page.mouse.move(x - 3, y);
        await page.mouse.move(x, y);
        await page.locator(`${SCREEN} .xterm-cursor-pointer`).waitFor({ state: "attached" });
        await page.mouse.click(x, y);
        await page.locator(".cm-flash").waitFor();
        assert.match(await page.locator(".cm-flash").innerText(), /broken = = 1/);
        await page.locator(".files [role=tab]", { hasText: "zz-labhub" }).click();
      }
    }
    await shot("terminal-6-place");
  });
});

test("earlier lines come back by arrows and by a search, and a line can be changed anywhere", async () => {
  await visit({}, async ({ page, me }) => {
    await me.run("echo the-first-one");
    await me.run("echo the-second-one");
    await page.keyboard.press("ArrowUp");
    await typed(page, "echo the-second-one");
    await page.keyboard.press("ArrowUp");
    await typed(page, "echo the-first-one");
    await page.keyboard.press("ArrowDown");
    await typed(page, "echo the-second-one");
    await page.keyboard.press("ArrowDown");
    await me.prompt();
    // What was begun is there again after a look at the past.
    await me.keys("begun");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("ArrowDown");
    await typed(page, "begun");
    await page.keyboard.press("Control+u");
    await page.keyboard.press("Control+r");
    await me.keys("-one");
    await typed(page, "(reverse-i-search)`-one': echo the-second-one");
    await page.keyboard.press("Control+r");
    await typed(page, "(reverse-i-search)`-one': echo the-first-one");
    const before = (await me.read()).length;
    await page.keyboard.press("Enter");
    await page.waitForFunction(
      (before) => /\nthe-first-one\n[^\n]*[#$]$/.test(document.querySelector(".shell-place").read().slice(before - 40)),
      before,
    );
    // Given up, the search leaves what it found, to be changed.
    await page.keyboard.press("Control+r");
    await me.keys("second");
    await page.keyboard.press("Escape");
    await page.keyboard.press("Home");
    await page.keyboard.press("Delete");
    await me.keys("e");
    await page.keyboard.press("End");
    await page.keyboard.press("Control+w");
    await me.keys("word");
    await typed(page, "the-second-word");
    await page.keyboard.press("Control+c");
    await me.prompt();
  });
});

test("Ctrl+C stops an endless line at once, in the shell that is there", async () => {
  await visit({}, async ({ page, me }) => {
    let begun = 0;
    page.on("worker", () => (begun += 1));
    for (const line of ["while :; do :; done", "while true; do x=$((x + 1)); done > /dev/null"]) {
      await me.prompt();
      await me.keys(line);
      await page.keyboard.press("Enter");
      await page.keyboard.press("Control+c");
      await page.waitForFunction(() => /\^C\n[^\n]*[#$]$/.test(document.querySelector(".shell-place").read()));
      assert.equal(await me.run("echo $?"), "130", line);
    }
    assert.equal(begun, 0, "no shell had to be begun anew");
  });
});

test("where the interpreter itself falls over, the line is gone, what was before it is there, and the prompt is back", async () => {
  // The browser tells of what fell over, and so does the terminal.
  await visit({ complain: true }, async ({ page, me }) => {
    assert.equal(await me.run("x=kept; echo $x > /tmp/kept; echo $x"), "kept");
    await me.prompt();
    // Nothing that can be typed is known to do it, so it is made to, in the middle of a line.
    await me.keys("while true; do :; done");
    await page.keyboard.press("Enter");
    const [worker] = page.workers();
    await worker.evaluate(() => queueMicrotask(() => { throw new WebAssembly.RuntimeError("unreachable"); }));
    await page.waitForFunction(() => document.querySelector(".shell-place").read().includes("The shell fell over."));
    await me.prompt();
    assert.equal(await me.run("cat /tmp/kept; echo $x"), "kept\nkept");
    const lines = await page.evaluate(() => JSON.parse(localStorage["fourgaps.work.three-lines"]).actions.map((one) => one.line));
    assert.ok(!lines.some((line) => line?.includes("while")), lines.join("\n"));
  });
});
