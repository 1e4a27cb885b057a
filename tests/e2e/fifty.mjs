// The incident's lab with fifty drop-ins more, of one handler each: saved work that is taken up.
const SAVE = "fourgaps.work.three-lines";

/** Takes up fifty drop-ins on the open page of the lab, and waits until page, editor and leave-one-out table show them. */
export async function fifty(page) {
  await page.locator(".cm-content").waitFor();
  await page.locator('.switch[data-file="zz-labhub-registry.toml"]').click();
  await page.waitForFunction(([key]) => localStorage[key], [SAVE]);
  await page.evaluate(
    ([key]) => {
      const save = JSON.parse(localStorage[key]);
      const plugin = 'plugins."io.containerd.grpc.v1.cri".containerd.runtimes';
      save.actions = Array.from({ length: 50 }, (_, n) => {
        const name = String(n).padStart(2, "0");
        const text = `version = 2\n[${plugin}.h${name}]\n  runtime_type = "io.containerd.runc.v2"\n`;
        return { do: "write", path: `/etc/containerd/conf.d/${name}.toml`, text };
      });
      save.done = save.actions.length;
      localStorage[key] = JSON.stringify(save);
    },
    [SAVE],
  );
  await page.reload();
  await page.locator('[data-handler="h00"][data-link="broken"]').waitFor();
  await page.locator(".cm-content").waitFor();
  await page.locator(".ablate-table tbody tr").nth(104).waitFor({ state: "attached" });
}

/** How many actions the saved work has. */
export const actions = (page) => page.evaluate(([key]) => JSON.parse(localStorage[key]).actions.length, [SAVE]);
