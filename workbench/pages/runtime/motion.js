// Where motion is unwelcome nothing glides or fades, in no component's shadow either.

import { deep } from "./deep.js";

const STILL = new CSSStyleSheet();
STILL.replaceSync(
  "@media (prefers-reduced-motion: reduce) { *, ::before, ::after { animation: none !important; transition: none !important; } }",
);

/** @param {any} root */
function holdStill(root) {
  if (!root.adoptedStyleSheets.includes(STILL)) root.adoptedStyleSheets.push(STILL);
}

// What was made before this script was read.
export function holdAllStill() {
  for (const root of [document, ...deep("*").flatMap(({ shadowRoot }) => shadowRoot ?? [])]) holdStill(root);
}

const { attachShadow: attach } = Element.prototype;
Element.prototype.attachShadow = function attachStill(...options) {
  const root = attach.apply(this, options);
  holdStill(root);
  return root;
};
holdAllStill();
