// @ts-check
// A fold that a mouse opens by pointing at it, so that what is in it takes one press.

/**
 * Opens a fold while a mouse is over it; a press keeps it open until the next one.
 * @param {HTMLDetailsElement} fold
 */
export function unfoldUnderMouse(fold) {
  let isPassing = false;
  fold.addEventListener("pointerenter", ({ pointerType }) => {
    if (pointerType === "mouse" && !fold.open) fold.open = isPassing = true;
  });
  fold.addEventListener("pointerleave", () => {
    if (isPassing) fold.open = isPassing = false;
  });
  fold.querySelector("summary")?.addEventListener("click", (event) => {
    if (isPassing) event.preventDefault();
    isPassing = false;
  });
}
