// A static server for the tests: below a sub-path, with brotli or gzip, as a published page would be served.
import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { extname, join, normalize, resolve } from "node:path";

const TYPES = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".ico": "image/x-icon",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".mjs": "text/javascript; charset=utf-8",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".toml": "text/plain; charset=utf-8",
  ".txt": "text/plain; charset=utf-8",
  ".wasm": "application/wasm",
  ".webmanifest": "application/manifest+json",
  ".woff2": "font/woff2",
};

// These two name the others, which carry a hash of their content in their name.
const ALWAYS_ASKED = new Set(["/index.html", "/sw.js"]);

const ENCODINGS = {
  br: (bytes) => brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: (bytes) => gzipSync(bytes),
};

/**
 * Serves the folder `root` on 127.0.0.1 below `base`, on a free port unless `port` says otherwise.
 * Gives back `{ url, requests, close }`; `requests` is the list of paths that were asked for, with their status.
 */
export async function serve(root, { base = "/", port = 0 } = {}) {
  const packed = new Map();
  const requests = [];

  async function answer(request) {
    const path = decodeURIComponent(new URL(request.url, "http://localhost").pathname);
    if (!path.startsWith(base)) return { status: 404 };
    let inside = normalize(`/${path.slice(base.length)}`);
    if (inside.endsWith("/")) inside += "index.html";
    const file = resolve(join(root, inside));
    const bytes = await readFile(file).catch(() => null);
    if (bytes === null) return { status: 404 };
    const headers = {
      "content-type": TYPES[extname(file)] ?? "application/octet-stream",
      "cache-control": ALWAYS_ASKED.has(inside) ? "no-cache" : "max-age=31536000, immutable",
    };
    const wanted = request.headers["accept-encoding"] ?? "";
    const encoding = Object.keys(ENCODINGS).find((name) => wanted.includes(name));
    if (!encoding) return { status: 200, headers, body: bytes };
    const key = `${encoding} ${file}`;
    if (!packed.has(key)) packed.set(key, ENCODINGS[encoding](bytes));
    return { status: 200, headers: { ...headers, "content-encoding": encoding }, body: packed.get(key) };
  }

  const server = createServer(async (request, response) => {
    const { status, headers = { "content-type": "text/plain" }, body = "not found" } = await answer(request);
    requests.push({ path: request.url, status });
    response.writeHead(status, headers).end(body);
  });
  await new Promise((ready) => server.listen(port, "127.0.0.1", ready));
  return {
    url: `http://127.0.0.1:${server.address().port}${base}`,
    requests,
    close: () =>
      new Promise((closed) => {
        server.close(closed);
        server.closeAllConnections();
      }),
  };
}
