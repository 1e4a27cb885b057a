// Keeps the page for a reader without a network: what is named by its content comes from the cache, all else from the
// server first, so that nobody is left with an old lesson.
const CACHE = "fourgaps-__VERSION__";
const FILES = __FILES__;
const named = (path) => /-[0-9a-f]{16}[._]/.test(path);

self.addEventListener("install", (event) => {
  event.waitUntil(
    caches.open(CACHE).then((cache) => cache.addAll(FILES)).then(() => self.skipWaiting()),
  );
});

self.addEventListener("activate", (event) => {
  event.waitUntil(
    (async () => {
      for (const key of await caches.keys()) if (key.startsWith("fourgaps-") && key !== CACHE) await caches.delete(key);
      await self.clients.claim();
    })(),
  );
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== self.location.origin) return;
  event.respondWith(answer(request, named(url.pathname)));
});

async function answer(request, immutable) {
  const cache = await caches.open(CACHE);
  const key = request.mode === "navigate" ? "./" : request;
  if (immutable) {
    const kept = await cache.match(key);
    if (kept) return kept;
  }
  try {
    const fresh = await fetch(request);
    if (fresh.ok) await cache.put(key, fresh.clone());
    return fresh;
  } catch (offline) {
    const kept = await cache.match(key, { ignoreSearch: true });
    if (kept) return kept;
    throw offline;
  }
}
