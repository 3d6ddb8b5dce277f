// A press that rests before it moves, while one thinks, still begins a drag: Bokeh takes it for a long press.

export function takeSlowDrags(/** @type {any} */ library = Bokeh) {
  try {
    // The longest time that browsers wait.
    library.require("core/ui_gestures").UIGestures.press_threshold = 2 ** 31 - 1;
  } catch {
    // Another version of Bokeh, whose drags begin at once.
  }
}
