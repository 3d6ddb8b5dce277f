// @ts-check
// Points in the plane that a hand adds, moves and deletes: what `PlanePoints` asks of a page.

import { PlanePoints } from "../live_plane.js";
import { painted } from "../painter.js";

/**
 * Returns the hand in the plane of a page whose figures were drawn just now; it goes on with what `before` had.
 * @param {any} page
 * @param {PlanePoints | undefined} before
 */
export function planeHand(page, before) {
  const { plane } = page.facts;
  /** @type {string | null} */
  let text = null;
  const place = {
    host: {
      settings: {
        get points() {
          return text ?? page.settings.points;
        },
      },
      change: (/** @type {string} */ _, /** @type {string} */ points) => {
        text = points;
      },
    },
    get present() {
      return page.present;
    },
    get settings() {
      return page.settings;
    },
    drag: () => page.drag(points.dragging),
    edited() {
      const now = text ?? page.settings.points;
      text = null;
      return page.edited(now);
    },
    // Said once the edit before it is drawn; the points that are drawn are those that stay.
    refusePoints: async (/** @type {string} */ name, /** @type {any} */ values) => {
      page.dragging = null;
      while (page.isBusy) await painted();
      page.refuse(new Error(page.words.say(name, values)));
      page.figures.dim(false);
    },
  };
  const { half_width } = plane.looks;
  const points = new PlanePoints(place, {
    most: plane.most,
    half_width,
    plot: page.figures.of("figures", "plane"),
    text: undefined,
  });
  // A forgotten edit does not count as text that waits.
  const forget = points.forget.bind(points);
  points.forget = () => {
    forget();
    text = null;
  };
  points.past = before?.past ?? [];
  points.begun = before?.begun ?? "";
  return points;
}
