// @ts-check
// The links to the other pages above a page that fills its document, in the theme of the page.

import { watchTheme } from "./hosts/theme.js";

/** @param {boolean} isDark */
function show(isDark) {
  for (const name of ["light", "dark"]) {
    const sheet = document.getElementById(`sheet-${name}`);
    sheet?.setAttribute("media", isDark === (name === "dark") ? "all" : "not all");
  }
  for (const link of /** @type {NodeListOf<HTMLAnchorElement>} */ (document.querySelectorAll(".bar a[data-page]")))
    link.search = isDark ? "?theme=dark" : "";
}

export function begin() {
  const hidden = new URLSearchParams(location.search).get("hide") ?? "";
  document.querySelector(".bar")?.toggleAttribute("hidden", hidden.split(",").includes("nav"));
  watchTheme(document.body, show);
}
