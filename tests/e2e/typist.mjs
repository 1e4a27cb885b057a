// A learner at a terminal: types lines and waits for what they print.

/** The one at this page. */
export function typist(page) {
  const read = (host) => page.evaluate((host) => document.querySelector(".shell-place").read(host), host);
  const me = {
    read,
    tab: (host) => page.locator(`#term-tab-${host}`).click(),
    /** Waits until the last line of a screen is a prompt and nothing else. */
    prompt: (host) =>
      page.waitForFunction(
        (host) => /(^|\n)([^\n]*[#$])$/.test(document.querySelector(".shell-place")?.read?.(host) ?? ""),
        host,
        { timeout: 20_000 },
      ),
    keys: async (text) => {
      await page.locator(".term-screen:not([hidden]) textarea").focus();
      await page.keyboard.type(text);
    },
    /** Types a line and gives what it printed. */
    run: async (line, host) => {
      await me.prompt(host);
      const before = (await read(host)).length;
      await me.keys(line);
      await page.keyboard.press("Enter");
      await page.waitForFunction(
        ({ host, before, line }) => {
          const text = document.querySelector(".shell-place").read(host);
          return text.length > before + line.length && /(^|\n)[^\n]*[#$]$/.test(text);
        },
        { host, before, line },
        { timeout: 30_000 },
      );
      const text = (await read(host)).slice(before).trimStart();
      return text.slice(line.length).split("\n").slice(1, -1).join("\n");
    },
  };
  return me;
}
