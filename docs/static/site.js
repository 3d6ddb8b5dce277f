// The theme gives the arrows of its menu no name.
for (const arrow of document.querySelectorAll("summary:has(> .toctree-toggle)")) arrow.ariaLabel = "Pages below";

// What is wider than the page scrolls, for those without a mouse too.
for (const formula of document.querySelectorAll("div.math")) if (formula.scrollWidth > formula.clientWidth) formula.tabIndex = 0;

// Bokeh's sliders have a role but no name of their own; what holds them grows when they are drawn.
function name_sliders(root) {
  for (const part of root.querySelectorAll("*")) {
    // A slider over a list has its title outside.
    const title = root.querySelector(".bk-slider-title")?.textContent.split(":")[0];
    if (part.matches(".noUi-handle")) part.ariaLabel = title || "value";
    if (part.shadowRoot) name_sliders(part.shadowRoot);
  }
}
const drawn = new ResizeObserver((entries) => entries.forEach(({ target }) => name_sliders(target)));
for (const output of document.querySelectorAll("div.output:has([data-root-id])")) drawn.observe(output);

// Live pages are dark where the site is.
function dress() {
  for (const frame of document.querySelectorAll("iframe.live")) {
    const place = new URL(frame.src), theme = document.documentElement.dataset.theme;
    if ((place.searchParams.get("theme") ?? "light") === theme) continue;
    place.searchParams.set("theme", theme);
    frame.src = place;
  }
}
new MutationObserver(dress).observe(document.documentElement, { attributeFilter: ["data-theme"] });
dress();
