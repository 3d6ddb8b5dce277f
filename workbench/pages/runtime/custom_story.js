// A lecturer's own story: states of the page with a sentence each, kept in the part of the address after # and in a file.

export const STORY_VERSION = 1;
export const MOST_STEPS = 50;
export const LONGEST_STEP = 2000;
export const STORY_KEY = "own=";

/** @param {any} page @param {any[]} steps */
export function storyText(page, steps) {
  return JSON.stringify({ version: STORY_VERSION, page, steps });
}

/**
 * Returns the steps of a text, or a sentence on why the text is not a story of this page.
 * @param {string} text @param {any} page
 */
export function readStory(text, page) {
  /** @param {string} why */
  const refused = (why) => ({ steps: null, why });
  let story = null;
  try {
    story = JSON.parse(text);
  } catch {
    return refused("This story is damaged; ask for its link or its file again.");
  }
  if (story?.version !== STORY_VERSION)
    return refused(
      `This story is of version ${String(story?.version).slice(0, 20)}, and this page tells version ${STORY_VERSION}; add its steps anew.`,
    );
  if (story.page !== page)
    return refused(`This story is one of the page “${String(story.page).slice(0, 40)}”; open it there.`);
  /** @param {any} each */
  const isText = (each) => typeof each === "string" && each.length <= LONGEST_STEP;
  /** @param {any} each */
  const isStep = (each) =>
    isText(each?.search) &&
    isText(each.caption) &&
    Array.isArray(each.figures) &&
    each.figures.length <= 2 &&
    each.figures.every(isText);
  if (
    !Array.isArray(story.steps) ||
    !story.steps.length ||
    story.steps.length > MOST_STEPS ||
    !story.steps.every(isStep)
  ) {
    return refused(`This story has no steps that this page can show, 1 to ${MOST_STEPS}; add them anew.`);
  }
  return {
    steps: story.steps.map(
      (/** @type {{ search: any, caption: string, figures: any }} */ { search, caption, figures: shown }) => ({
        search,
        caption,
        figures: shown,
      }),
    ),
    why: "",
  };
}

/**
 * The text as an address takes it, and back.
 * @param {string} text
 */
export function toHash(text) {
  const bytes = Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join("");
  return `#${STORY_KEY}${btoa(bytes).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "")}`;
}

/** @param {any} hash */
export function fromHash(hash) {
  try {
    const bytes = atob(
      hash
        .slice(1 + STORY_KEY.length)
        .replaceAll("-", "+")
        .replaceAll("_", "/"),
    );
    return new TextDecoder().decode(Uint8Array.from(bytes, (letter) => letter.charCodeAt(0)));
  } catch {
    return "";
  }
}

/**
 * Asks for a file and gives its text.
 * @param {(argument: any) => any} act
 */
export function chosenText(act) {
  const input = Object.assign(document.createElement("input"), { type: "file", accept: ".json,application/json" });
  input.addEventListener("change", async () => act(await /** @type {any} */ (input.files)[0].text()));
  input.click();
}
