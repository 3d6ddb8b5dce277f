// @ts-check
// The header of a served page: its theme, which the address has, and links that keep it.

const SHEETS = ["light", "dark"];

/** @param {string} query */
export function themeOf(query) {
  return new URLSearchParams(query).get("theme") === "dark" ? "dark" : "light";
}

/**
 * Returns the query of an address with another theme.
 * @param {string} query
 * @param {string} theme
 */
export function withTheme(query, theme) {
  const entries = new URLSearchParams(query);
  entries.delete("theme");
  if (theme === "dark") entries.append("theme", theme);
  return entries.size ? `?${entries}` : "";
}

/** @param {string} theme */
function show(theme) {
  for (const name of SHEETS) {
    const sheet = document.getElementById(`sheet-${name}`);
    sheet?.setAttribute("media", name === theme ? "all" : "not all");
  }
  // What watches the ground of the page hears of it by this attribute.
  document.documentElement.dataset.theme = theme;
  for (const button of document.querySelectorAll("[data-do=theme]"))
    button.textContent = theme === "dark" ? "Light" : "Dark";
  for (const link of /** @type {NodeListOf<HTMLAnchorElement>} */ (document.querySelectorAll("nav a, .menu a")))
    link.search = withTheme("", theme);
}

/** Shows the theme of the address, and follows its switch and Back. */
export function begin() {
  const hidden = new URLSearchParams(location.search).get("hide") ?? "";
  document.querySelector(".bar")?.classList.toggle("bare", hidden.split(",").includes("nav"));
  show(themeOf(location.search));
  addEventListener("popstate", () => show(themeOf(location.search)));
  document.addEventListener("click", ({ target }) => {
    if (!(target instanceof Element) || !target.closest("[data-do=theme]")) return;
    const theme = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
    history.replaceState(history.state, "", `${location.pathname}${withTheme(location.search, theme)}`);
    show(theme);
  });
  document.addEventListener("keydown", ({ key }) => {
    const help = document.querySelector(".help");
    if (key === "?") help?.toggleAttribute("open");
    if (key === "Escape") help?.removeAttribute("open");
  });
}
