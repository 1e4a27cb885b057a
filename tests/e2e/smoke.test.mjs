// The page as such: it comes up below a sub-path, in every size and colour scheme, without a complaint.
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

for (const [size, viewport] of Object.entries({ desk: DESK, phone: PHONE })) {
  for (const colorScheme of ["light", "dark"]) {
    test(`it comes up on a ${size} in ${colorScheme} colours and is accessible`, async () => {
      await lab.visit({ viewport, colorScheme }, async ({ page, axe, shot }) => {
        assert.match(await page.title(), /fourgaps/);
        assert.notEqual((await page.locator("body").innerText()).trim(), "");
        await shot(`smoke-${size}-${colorScheme}`);
        const { wide, seen } = await page.evaluate(() => ({
          wide: document.documentElement.scrollWidth,
          seen: document.documentElement.clientWidth,
        }));
        assert.ok(wide <= seen, `the page is ${wide} wide and ${seen} are seen`);
        assert.deepEqual(await axe(), []);
      });
    });
  }
}

test("a missing file is told and is not hidden", async () => {
  await lab.visit({ complain: true }, async ({ page, complaints }) => {
    const status = await page.evaluate(async () => (await fetch("no-such-file")).status);
    assert.equal(status, 404);
    await page.waitForFunction(() => performance.getEntriesByName(new URL("no-such-file", document.baseURI).href).length);
    assert.ok(complaints.some((line) => line.includes("404")), String(complaints));
  });
});
