// The parts of the page that come with the terminal, because only the worker knows what they show. Each is made by
// `create(place, phrases, ask, on)`: its element, its words, a way to ask the worker (`ask(what, arg, onPart)`, a promise of the answer), and
// a way to speak to the page. It gives back `moved()`, called whenever the worker has followed the list of actions, `tell(text)`,
// which the page calls, `speak(phrases)` and `destroy()`.
import { createCluster } from "./cluster.js";
import { createTimeline } from "./timeline.js";

export const VIEWS = { cluster: createCluster, timeline: createTimeline };
