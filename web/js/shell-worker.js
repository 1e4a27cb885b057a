// The worker: fetches the shell and answers one message after the other, so that the page never waits for a command.
import init, { Bench, stop } from "./shell.js";

const tell = (message) => self.postMessage(message);
let bench;
let queue = Promise.resolve();

/** Fetches the shell and says how much of it is here. The whole is known beforehand, since a packed answer does not tell it. */
async function fetched(whole) {
  const answer = await fetch(new URL("./shell_bg.wasm", import.meta.url));
  if (!answer.ok) throw new Error(`shell_bg.wasm: ${answer.status}`);
  let part = 0;
  const counted = new TransformStream({
    transform(chunk, out) {
      part += chunk.byteLength;
      tell({ tell: "progress", part: Math.min(part, whole), whole });
      out.enqueue(chunk);
    },
  });
  return new Response(answer.body.pipeThrough(counted), { headers: { "content-type": "application/wasm" } });
}

const answers = {
  async begin({ scenario, files, save, whole }) {
    // Where whoever measures finds how much memory the shell takes.
    self.shell = await init({ module_or_path: fetched(whole) });
    bench = new Bench(scenario, files);
    tell({ tell: "ready", ...JSON.parse(await bench.take(save)) });
  },
  async take({ save }) {
    tell({ tell: "taken", ...JSON.parse(await bench.take(save)) });
  },
  async run({ tab, line }) {
    const done = await bench.run(tab, line, (text) => tell({ tell: "out", tab, text }));
    tell({ tell: "ran", tab, line, ...JSON.parse(done) });
  },
  async complete({ tab, line, cursor }) {
    tell({ tell: "completed", tab, line, ...JSON.parse(bench.complete(tab, line, cursor)) });
  },
  async ask({ id, what, arg }) {
    try {
      const json = await bench.ask(what, arg, (part, whole) => tell({ tell: "progressed", id, part, whole }));
      tell({ tell: "answered", id, json });
    } catch (why) {
      tell({ tell: "answered", id, why: String(why?.message ?? why) });
      // An answer that is refused is no matter; a shell that fell over is.
      if (why instanceof WebAssembly.RuntimeError) throw why;
    }
  },
};

// What falls over in a task of its own has nobody who waits for it.
for (const what of ["error", "unhandledrejection"]) {
  self.addEventListener(what, (event) => {
    event.preventDefault();
    tell({ tell: "failed", why: String(event.reason ?? event.message) });
  });
}

self.onmessage = ({ data }) => {
  // Ctrl+C must not wait behind the command that it stops.
  if (data.do === "stop") {
    if (bench) stop();
    return;
  }
  queue = queue.then(() => answers[data.do](data)).catch((why) => tell({ tell: "failed", why: String(why?.message ?? why) }));
};
