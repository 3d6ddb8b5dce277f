// @ts-check
// The links to the other pages above a page that fills its document, in the theme of the page.

import { watchTheme } from "./hosts/theme.js";
import { comeBack } from "./lost_server.js";

/** @param {boolean} isDark */
function show(isDark) {
  for (const name of ["light", "dark"]) {
    const sheet = document.getElementById(`sheet-${name}`);
    sheet?.setAttribute("media", isDark === (name === "dark") ? "all" : "not all");
  }
  for (const link of /** @type {NodeListOf<HTMLAnchorElement>} */ (document.querySelectorAll("a[data-page]"))) {
    const query = new URLSearchParams(link.search);
    if (isDark) query.set("theme", "dark");
    else query.delete("theme");
    link.search = query.toString();
  }
}

/**
 * Has the page begin anew once a server that was lost is there again.
 * @param {any} Library - BokehJS; a file has no server
 */
function watchServer(Library) {
  const place = document.getElementById("page");
  if (!place || !Library) return;
  const observer = new MutationObserver(() => {
    if (!Library.documents.length) return;
    observer.disconnect();
    Library.documents[0].on_event("connection_lost", comeBack);
  });
  observer.observe(place, { childList: true, subtree: true });
}

export function begin() {
  const hidden = new URLSearchParams(location.search).get("hide") ?? "";
  for (const links of document.querySelectorAll("body > .bar, body > .next"))
    links.toggleAttribute("hidden", hidden.split(",").includes("nav"));
  watchTheme(document.body, show);
  watchServer(/** @type {any} */ (globalThis).Bokeh);
}
