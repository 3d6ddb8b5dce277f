// What a page of its own kind does around its runs; every one of these has an answer that does nothing.

import { Painter } from "./painter.js";

export class PageContract extends Painter {
  /**
   * Leave what runs.
   * @param {...any} _values @returns {any}
   */
  cleared(..._values) {}

  /**
   * Ask engines for the problems of settings; null where `isLeft()`.
   * @param {...any} _values @returns {any}
   */
  begin(..._values) {}

  /**
   * Take what `begin` gave, and its settings.
   * @param {...any} _values @returns {any}
   */
  putUp(..._values) {}

  /**
   * Keep what may stay as a ghost.
   * @param {...any} _values @returns {any}
   */
  remember(..._values) {}

  /**
   * Go on.
   * @param {...any} _values @returns {any}
   */
  run(..._values) {}

  /**
   * Do what a button says.
   * @param {...any} _values @returns {any}
   */
  ask(..._values) {}

  /**
   * Run, or pause.
   * @param {...any} _values @returns {any}
   */
  toggle(..._values) {}

  /**
   * Return the Python that gives the same.
   * @param {...any} _values @returns {any}
   */
  code(..._values) {
    return null;
  }

  /**
   * The settings whose change leaves a ghost.
   * @returns {any}
   */
  get ghostKey() {
    return undefined;
  }

  /**
   * What time is counted in.
   * @returns {any}
   */
  get counted() {
    return undefined;
  }

  /**
   * Whether all that was asked for is drawn.
   * @returns {any}
   */
  get isSettled() {
    return true;
  }

  /**
   * Whether a control cannot be moved at these settings.
   * @param {...any} _values @returns {any}
   */
  isDisabled(..._values) {
    return false;
  }

  /**
   * Return the data and the terms of a problem where the page makes them of its settings, else null.
   * @param {...any} _values @returns {any}
   */
  given(..._values) {
    return null;
  }

  // Whether its pictures take the data and the facts of the terms also where the server computes.
  get drawsData() {
    return false;
  }

  /**
   * What a press changes.
   * @param {...any} _values @returns {any}
   */
  pressed(..._values) {}

  /**
   * Take back what was done last; false where the page has no undo.
   * @param {...any} _values @returns {any}
   */
  undo(..._values) {
    return false;
  }
}
