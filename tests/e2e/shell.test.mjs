// The shell as it is shipped, without a page: trimmed, with the small stack of wasm. Each snippet that is held against the
// real bash natively is played here too, so that a program which web/js/trim.mjs left out by mistake is found, and so is each
// line that must end.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { before, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { DIST } from "./lab.mjs";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const LAB = join(ROOT, "static/scenarios/three-lines");
const SNIPPETS = join(ROOT, "crates/fourgaps-shell/tests/snippets");
const TAB = "omen";

const walk = (folder) =>
  readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? walk(path) : [path];
  });
const built = (pattern) => join(DIST, readdirSync(DIST).find((name) => pattern.test(name)) ?? assert.fail(`no ${pattern} in ${DIST}`));

let shell;
/** A trap is thrown where nobody waits for it, and the line that fell into it never answers. */
const fell = new Promise((_, fail) => process.once("uncaughtException", fail));
fell.catch(() => {});
before(async () => {
  shell = await import(pathToFileURL(built(/^shell-(?!worker)[^.]*\.js$/)).href);
  shell.initSync({ module: readFileSync(built(/^shell_bg.*\.wasm$/)) });
});

/** A learner at the terminal of a node. */
function arrive() {
  const files = walk(LAB).map((path) => [relative(LAB, path), readFileSync(path, "utf8")]);
  const bench = new shell.Bench(readFileSync(join(LAB, "scenario.toml"), "utf8"), files);
  return async (line) => {
    let shown = "";
    const ran = JSON.parse(await Promise.race([bench.run(TAB, line, (text) => (shown += text)), fell]));
    assert.ok(!ran.more, `unfinished: ${line}`);
    return { shown, status: ran.status };
  };
}

/** Every line of `some` stands in `all`, in the same order: there may be words on standard error between them. */
function holds(all, some) {
  const lines = all.split("\n");
  let at = 0;
  return some.split("\n").every((line) => (at = lines.indexOf(line, at) + 1) > 0);
}

test("snippets give what the real bash gives", async (t) => {
  if (!existsSync("/bin/bash")) return t.skip("there is no /bin/bash to compare with");
  const run = arrive();
  const seed = join(SNIPPETS, "files");
  // The same folder on both sides, since some snippets print where they are.
  const folder = mkdtempSync(join(tmpdir(), "fourgaps-snippets-"));
  const copy = `${folder}.seed`;
  await run(`mkdir -p ${copy}`);
  for (const path of walk(seed)) {
    const to = `${copy}/${relative(seed, path)}`;
    await run(`mkdir -p $(dirname ${to}); echo ${readFileSync(path).toString("base64")} | base64 -d > ${to}`);
  }
  const findings = [];
  let played = 0;
  const lay = async () => {
    await run(`rm -rf ${folder}; cp -r ${copy} ${folder}`);
    await run("exit 0");
    await run(`cd ${folder}`);
  };
  for (const list of ["syntax.txt", "programs.txt", "options.txt", "awk.txt"]) {
    for (const snippet of readFileSync(join(SNIPPETS, list), "utf8").split("\n%%\n")) {
      await lay();
      const ours = await run(snippet).catch((why) => assert.fail(`${why}\n${snippet}`));
      played += 1;
      if (snippet.startsWith("#! ")) continue;
      rmSync(folder, { recursive: true, force: true });
      cpSync(seed, folder, { recursive: true });
      const env = { PATH: "/usr/local/bin:/usr/bin:/bin", HOME: "/root", LANG: "C.UTF-8", TZ: "UTC" };
      const real = spawnSync("/bin/bash", ["-c", snippet], { cwd: folder, env, stdio: ["ignore", "pipe", "ignore"], encoding: "utf8" });
      let same = holds(ours.shown, real.stdout);
      if (!same) {
        // Where standard error stands within a line: once more without it, and then to the letter.
        await lay();
        same = (await run(`{ ${snippet}\n} 2> /dev/null`)).shown === real.stdout;
      }
      if (real.status !== ours.status || !same) {
        findings.push(`${snippet}\n--- ours [${ours.status}]:\n${ours.shown}--- real [${real.status}]:\n${real.stdout}`);
      }
    }
  }
  rmSync(folder, { recursive: true, force: true });
  assert.ok(played > 200, `${played} snippets`);
  assert.deepEqual(findings, []);
});

test("what would not end is told, and the next line runs", async () => {
  const run = arrive();
  const deep = (open, close) => `${open.repeat(5000)}echo${close.repeat(5000)}`;
  for (const line of [
    "while true; do :; done",
    "f() { f; }; f",
    ":(){ :|:& };:",
    "f() { $(f); }; f",
    "yes",
    "yes | cat",
    "yes abcdefghijklmnopqrstuvwxyz | head -c 100000000",
    "seq 1 1000000000",
    "for i in $(seq 20000); do printf '%5000d\\n' $i; done",
    "cat /dev/zero",
    "awk 'BEGIN{while(1){}}'",
    "awk 'function f(){f()} BEGIN{f()}'",
    "jq -n '[range(1e12)]'",
    "x=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa; while :; do x=$x$x; done",
    "echo {1..100000000}",
    "printf '%1000000000d' 1",
    `echo ${"x".repeat(1_000_000)}`,
    deep("(", ")"),
    deep("$(", ")"),
    "|".repeat(100_000),
  ]) {
    const answer = await run(line).catch((why) => assert.fail(`${why}\n${line.slice(0, 60)}`));
    assert.ok(answer.shown.length > 0 && answer.shown.length < 12_000_000, `${line.slice(0, 60)}: ${answer.shown.length} bytes`);
    assert.match(answer.shown.slice(-400), /exceed|too |the rest is not shown|No such file|not simulated|syntax error/, line.slice(0, 60));
    // The line may have given `:` another meaning.
    await run("exit 0");
    assert.equal((await run("echo alive")).shown, "alive\n", line.slice(0, 60));
  }
});

test("a name that is refused gets nowhere near what was taken out, however it is said", async () => {
  const run = arrive();
  for (const name of ["bind", "compgen", "complete", "compopt", "history", "fc", "make", "rg", "tar", "shuf", "od", "curl"]) {
    for (const line of [
      `${name} -A x`, `builtin ${name} -A x`, `command ${name} x`, `eval ${name} x`, `echo $(${name} x)`, `${name} x | cat`, `(${name} x)`,
      `if ${name} x; then :; fi`, `f() { ${name} x; }; f; unset -f f`, `timeout 1 ${name} x`, `echo x | xargs ${name}`, `env ${name} x`,
      `bash -c "${name} -A x"`, `sudo ${name} x`, `trap "${name} x" DEBUG; true; trap - DEBUG`, `\\${name} x`, `a=${name}; $a x`,
      `find /tmp -maxdepth 0 -exec ${name} {} \\;`, `type ${name}; command -v ${name}`,
    ]) {
      await run(line).catch((why) => assert.fail(`${why}\n${line}`));
    }
    assert.equal((await run("echo alive")).shown, "alive\n", name);
  }
});
