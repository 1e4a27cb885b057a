// The time line: what happened, in order.

/** Draws the time line into `place`; see views.js. */
export function createTimeline(place, phrases, ask, on) {
  void phrases, ask, on;
  return {
    moved() {},
    tell() {},
    speak(next) {
      phrases = next;
    },
    destroy() {
      place.replaceChildren();
    },
  };
}
