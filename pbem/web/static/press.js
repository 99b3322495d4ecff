// A press lasts from when a pointer or the space bar goes down until its click has been handled. A click
// needs the same element at both ends, so whatever would change the page waits for the end of the press.

const LATE_CLICK_MS = 300; // a finger's click comes a little after it is lifted, or not at all
const LONGEST_MS = 5000; // not every press is seen to end, such as one on a scrollbar

let current = null; // while something is pressed: the promise of its end
let resolveEnd = null;
let timer = 0;

// What is pressed is no click any more.
export function endPress() {
  clearTimeout(timer);
  resolveEnd?.();
  current = null;
}

function endIn(milliseconds) {
  clearTimeout(timer);
  timer = setTimeout(endPress, milliseconds);
}

function begin() {
  current ??= new Promise((resolve) => { resolveEnd = resolve; });
  endIn(LONGEST_MS);
}

export const endOfPress = () => current;

addEventListener("pointerdown", begin, true);
addEventListener("pointerup", () => endIn(LATE_CLICK_MS), true);
for (const end of ["click", "pointercancel"]) addEventListener(end, () => endIn(0), true);
addEventListener("keydown", ({ key }) => key === " " && begin(), true);
addEventListener("keyup", ({ key }) => key === " " && endIn(0), true);
